"""Levels of computer players: a table's, shown with its seats, and a person's for their own stand-in."""

from dataclasses import replace

import pytest
from msgspec import structs

from bot.i18n import plain, words_for
from bot.ids import NightId, TableId
from bot.store import Store
from bot.tables import play
from bot.tables.names import emote_at, face_of
from bot.tables.play import Delays
from bot.tables.table import AtNight, ComputerLevel
from engine.state import seat_before
from engine.tiles import tiles_from_text
from tests.bot.house import House, offers, open_house
from tests.bot.rounds import begin, play_round
from tests.bot.tables.test_beginning import begun
from tests.bot.test_turn_clocks import kept_of, time_is_up


async def levels_at(house: House, table: str) -> list[ComputerLevel | None]:
    return [seat.computer for seat in (await kept_of(house, table)).value.seats]


async def test_the_host_chooses_how_well_the_computer_players_play(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        await house.press(ada, f"computer.{table}.0", private=False)
        await house.press(ada, f"unfold.{table}.0.on", private=False)
        shown = await house.look()
        assert "👳 🤖 Nasreddin · steady" in plain(shown.text, words_for("en"))
        (level,) = offers(shown, "level")
        assert "".join(map(str, level.label)) == "🤖 Level: steady"
        for _ in range(2):  # the press says which level it is: twice is as good as once
            await house.press(ada, level.press, private=False)
        shown = await house.look()
        assert "👳 🤖 Nasreddin · sharp" in plain(shown.text, words_for("en"))
        assert (await house.press(can, offers(shown, "level")[0].press, private=False)).code == "not_host"
        await house.press(ada, f"start.{table}.0", private=False)
        assert await levels_at(house, table) == [None, None, "sharp", "sharp"]
        refused = await house.press(ada, f"level.{table}.0.easy", private=False)
        assert refused.code == "already_started"


async def test_a_level_that_does_not_exist(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada)
        for button in (f"level.{table}.0.clever", f"level.{table}.0.random", "stand_in.me.0.clever"):
            assert (await house.press(ada, button)).code == "unknown_button"


@pytest.mark.parametrize("by", ["leaving", "the clock"])
async def test_the_computer_plays_for_a_person_as_well_as_they_chose(store: Store, by: str) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        page = (await house.type(can, "settings")).page
        assert page is not None
        assert "how well the computer plays for you" in plain(page.text, words_for("en"))
        await house.press(
            can, next(b.press for row in page.buttons for b in row if b.press.endswith(".easy"))
        )
        table = await house.open(ada, can, words="2 clock=5m")
        await house.press(ada, f"start.{table}.0", private=False)
        if by == "leaving":
            await house.press(can, f"step_out.{table}.0")
        while (await levels_at(house, table)) == [None, None]:
            await house.press(ada, f"rack.{table}.0")  # Ada is there
            await time_is_up(house, table)
        assert (await levels_at(house, table)) == [None, "easy"]


def test_computer_players_think_longer_where_the_choice_is_close() -> None:
    """0.8 to 4 seconds where they usually take 1.5: to take what brings the rack nearer needs no thought."""
    delays = Delays(computer=1.5, next_round=1.0)
    table = begun("random", 3)
    table = structs.replace(
        table, seats=tuple(structs.replace(seat, person=None, computer="steady") for seat in table.seats)
    )
    round = table.match.round
    assert round is not None
    racks = tiles_from_text("R1 R2 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 Y7 Y9")
    waits = set()
    for tile in tiles_from_text("Y8 K1 K10 Y10 B9 Y11"):
        held = replace(
            round,
            turn=0,
            phase="draw",
            indicator=tiles_from_text("K12")[0],
            racks=(racks, *round.racks[1:]),
            piles=tuple((tile,) if seat == seat_before(round, 0) else () for seat in range(4)),
        )
        at = structs.replace(table, match=replace(table.match, round=held))
        waits.add(round_to_tenth(play.thinking(at, 0, delays)))
    assert min(waits) == 0.8
    assert max(waits) > 1.5
    assert all(0.8 <= wait <= 4.1 for wait in waits)


def round_to_tenth(seconds: float) -> float:
    return int(seconds * 10 + 0.5) / 10


async def test_computer_players_have_names_and_faces_of_their_own(store: Store) -> None:
    """In the table's language, and they keep them."""
    async with open_house(store, work=False) as house:
        for language, names in (("en", ["Nasreddin", "Keloğlan"]), ("ko", ["나스레딘", "켈올란"])):
            ada = replace(house.person(f"Ada {language}"), language=language)
            table = await house.open(ada, words="3")
            for _ in names:
                await house.press(ada, f"computer.{table}.0", private=False)
            shown = plain((await house.look(table)).text, words_for(language))
            assert all(f"{face} 🤖 {name}" in shown for face, name in zip("👳👦", names, strict=True))
            await house.press(ada, f"start.{table}.0", private=False)
            stored = (await kept_of(house, table)).value
            assert [seat.name for seat in stored.seats[1:]] == names
            assert [face_of(seat) for seat in stored.seats] == ["", "👳", "👦"]


@pytest.mark.parametrize("on", [True, False])
async def test_a_computer_player_that_wins_is_glad_where_the_host_likes_it(
    store: Store, on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def id_of_the_deal(*_: object) -> TableId:
        return TableId("keloglan02")  # a deal follows from its table's id too: Keloğlan wins this one

    monkeypatch.setattr("bot.handlers.opening.new_table_id", id_of_the_deal)
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="okey-rounds")
        if not on:
            page = (await house.press(ada, f"rules.{table}.0")).page
            assert page is not None
            (throw,) = offers(page, "emotes")
            await house.press(ada, throw.press)
        await begin(house, table, ada)
        await play_round(house, table)
        shown = await house.look(table)
        assert "Keloğlan finished" in shown.alt
        assert ("👦" in plain(shown.text, words_for("en"))) is on
        assert shown.live is not None
        assert shown.live.outcome is not None
        assert bool(shown.live.outcome.emote) is on


def test_at_a_leagues_table_nobody_is_glad_but_people() -> None:
    table = begun("random", 3)
    table = structs.replace(
        table, seats=tuple(structs.replace(seat, person=None, computer="steady") for seat in table.seats)
    )
    table = table.with_seat(0, name="Nasreddin")
    assert emote_at(table, 0)
    assert emote_at(structs.replace(table, night=AtNight(NightId("abcde-202603122000"), 1, 1)), 0) == ""


async def test_who_chooses_another_level_is_played_for_at_it_from_then_on(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2 clock=5m")
        await house.press(ada, f"start.{table}.0", private=False)
        await house.press(can, "stand_in.me.0.sharp")
        assert [seat.stand_in for seat in (await kept_of(house, table)).value.seats] == ["steady", "sharp"]
