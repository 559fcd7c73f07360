"""Okey 101 at the router: numbers where only alerts reach, the clock, and how a round ends."""

import asyncio
from dataclasses import replace

import pytest
from msgspec import structs

from bot.callback_data import callback_text
from bot.markup import PublicScreen, RackPicture, ResultPicture, SeatScreen
from bot.ports import Person
from bot.repository.tables import StoredTable
from bot.store import Store
from bot.tables import turns
from bot.tables.play import Delays
from bot.tables.table import Change
from tests.bot.house import House, offers, open_house, said
from tests.bot.laid_101 import laid_out
from tests.bot.router_101 import (
    ADA,
    CAN,
    ENOUGH,
    LITTLE,
    board_of,
    kept_of,
    labels,
    press_one,
    read,
)
from tests.patience import PATIENCE

DELAYS = Delays(computer=0.0, next_round=60.0)


async def test_the_last_discard_finishes_and_the_result_tells_it(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack="R7", others="R2 R4", melds="B1 B2 B3", opened={0: "melds"})
    rack = await house.rack(ADA, table)
    assert labels(offers(rack, "finish")) == ["🏁 Discard R7 and finish"]
    await press_one(house, ADA, rack, "finish")
    result = await house.look(table)
    assert isinstance(result.picture, ResultPicture)
    assert "round 1/5" in read(result)
    assert "finished" not in read(result), "the picture tells it"
    assert (result.picture.title, result.alt.splitlines()[0]) == ("Ada finished", "Ada finished")
    assert scores_in_alt(await house.look(table)) == ["Ada: −101 (−101)", "Can: 202 (+202)"]


async def test_whoever_finished_is_shown_the_result_in_place_of_an_empty_rack(
    house: House,
) -> None:
    table = await laid_out(house, ADA, CAN, rack="R7", others="R2 R4", melds="B1 B2 B3", opened={0: "melds"})
    await press_one(house, ADA, await house.rack(ADA, table), "finish")
    own, other = await house.rack(ADA, table), await house.rack(CAN, table)
    assert isinstance(own.picture, ResultPicture)
    assert [(row.name, row.score) for row in own.picture.rows] == [("Ada", -101), ("Can", 202)]
    assert read(own).startswith("🏁 You finished: the round is yours!")
    assert "−101" not in read(own), "the picture tells it"
    assert scores_in_alt(own) == ["Ada: −101 (−101)", "Can: 202 (+202)"]
    assert isinstance(other.picture, RackPicture), "they still hold tiles"
    assert "Ada −101 (−101) · Can 202 (+202)" in read(other)


async def test_elden_and_penalties_stand_in_the_result(house: House) -> None:
    rack = "R9 R10 R11 R12 R13 Y10 Y11 Y12 Y13 K4"
    table = await laid_out(house, ADA, CAN, rack=rack, others=LITTLE)
    await press_one(house, ADA, await house.rack(ADA, table), "open_melds", "Best opening (101)")
    await press_one(house, ADA, await house.rack(ADA, table), "finish")
    shown = await house.look(table)
    assert "Ada opened and finished in one turn" in shown.alt
    assert scores_in_alt(shown) == ["Ada: −202 (−202)", "Can: 404 (+404)"]
    other = await laid_out(
        house, ADA, CAN, rack="R7 Y1", others="K1 R2", melds="B1 B2 B3", opened={0: "melds", 1: "melds"}
    )
    await press_one(house, ADA, await house.rack(ADA, other), "discard", "R7")
    await house.app.tables.change(other, None, _with_an_empty_stock)
    await press_one(house, CAN, await house.rack(CAN, other), "discard", "R2")
    shown = await house.look(other)
    assert "nobody finished" in shown.alt
    assert "\nCan · 1 penalty\n" in read(shown), "no picture tells it"
    assert scores_in_alt(shown)[1] == "Can: 101 (+101) · 1 penalty"


def scores_in_alt(screen: PublicScreen | SeatScreen) -> list[str]:
    """Everybody's points as a result's picture is described: its words do not repeat them."""
    assert not any(line.startswith(("Ada:", "Can:")) for line in read(screen).splitlines())
    lines = (line.replace("\u00a0", " ") for line in screen.alt.splitlines())
    return [line for line in lines if line.startswith(("Ada:", "Can:"))]


async def test_a_player_whom_only_alerts_reach_plays_with_numbers(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=ENOUGH[:-3], others=LITTLE, phase="draw", stock="B1 B2 B4")
    await house.app.tables.change(
        table,
        None,
        lambda stored: Change(stored.value.with_seat(0, private_closed=True, alerts_only=True)),
    )
    look = await house.look(table)
    assert len(offers(look, "place")) == 22
    drawn = await house.press(ADA, offers(look, "draw_here")[0].press, private=False)
    assert said(drawn).startswith("1:🔴1 2:3 3:5 4:10 5:11 6:12 7:13")
    assert said(drawn).endswith(" · 116/101 · 0/5\n⬇ Numbers below: discard that tile")
    assert drawn.private is None
    await house.press(ADA, offers(look, "open_here")[0].press, private=False)
    assert (await board_of(house, table)).opened == ("melds", None)
    nothing = await house.press(ADA, offers(look, "lay_here")[0].press, private=False)
    assert said(nothing) == "You can’t lay anything right now."
    too_far = await house.press(ADA, offers(look, "place")[20].press, private=False)
    assert said(too_far) == "You have only 11 tiles."
    await house.press(ADA, offers(look, "place")[0].press, private=False)
    round = (await kept_of(house, table)).match.round
    assert round is not None
    assert round.turn == 1


async def test_numbers_lay_what_fits_and_ask_before_what_is_fined(house: House) -> None:
    table = await laid_out(
        house,
        ADA,
        CAN,
        rack="R7 R8 Y1 Y6",
        others=LITTLE,
        melds="R4 R5 R6",
        opened={0: "melds", 1: "melds"},
    )
    here = (await kept_of(house, table)).turn_number
    digits = _base36(here)
    asked = await house.press(ADA, f"place.{table}.{digits}.1", private=False)
    assert said(asked) == (
        "red 7 fits a meld on the table: discarding it costs 101 points. Do it anyway? "
        "To discard it, press the same number again."
    )
    await house.press(ADA, f"lay_here.{table}.{digits}", private=False)
    assert "1: red 4, 5, 6, 7, 8" in (await house.look(table)).alt
    await house.press(ADA, f"place.{table}.{digits}.2", private=False)
    assert (await board_of(house, table)).fines == (0, 0)


async def test_the_same_number_pressed_again_discards_what_is_fined(house: House) -> None:
    """Another tile that costs something is asked about on its own."""
    fitting = "R4 R5 R6/K9 K10 K11"
    opened = {0: "melds", 1: "melds"}
    table = await laid_out(house, ADA, CAN, rack="R7 K8 Y1 Y6", others=LITTLE, melds=fitting, opened=opened)
    digits = _base36((await kept_of(house, table)).turn_number)
    for place, tile in ((1, "red 7"), (4, "black 8"), (1, "red 7")):
        asked = await house.press(ADA, f"place.{table}.{digits}.{place}", private=False)
        assert said(asked).startswith(f"{tile} fits a meld on the table")
    await house.press(ADA, f"place.{table}.{digits}.1", private=False)
    assert (await board_of(house, table)).fines == (1, 0)


@pytest.mark.parametrize(
    ("rack", "rules", "fines"),
    [
        ("R7 Y1 K1", "okey101", (0, 0)),
        ("R7 K1", "okey101", (1, 0)),
        ("K1", "okey101", (0, 0)),
    ],
    ids=["keeps okeys and what fits", "cannot do better", "finishes when it must"],
)
async def test_the_clock_never_takes_a_penalty_that_can_be_avoided(
    house: House, rack: str, rules: str, fines: tuple[int, int]
) -> None:
    table = await laid_out(
        house,
        ADA,
        CAN,
        rack=rack,
        others=LITTLE,
        melds="R4 R5 R6",
        opened={0: "melds", 1: "melds"},
        rules=rules,
    )
    change = turns.overdue_turn(await kept_of(house, table), 0, DELAYS, lambda: bytes(64))
    round = change.table.match.round
    assert round is not None
    assert round.board.fines == fines
    assert round.turn == 1 or round.phase == "over"


@pytest.mark.parametrize("drawn", ["R7", "K1"], ids=["fits the table", "okey"])
async def test_the_clock_does_not_throw_away_what_it_drew_if_that_is_fined(house: House, drawn: str) -> None:
    table = await laid_out(
        house,
        ADA,
        CAN,
        rack="Y1 Y6 B3",
        others=LITTLE,
        melds="R4 R5 R6",
        opened={1: "melds"},
        phase="draw",
        stock=f"{drawn} R1",
    )
    change = turns.overdue_turn(await kept_of(house, table), 0, DELAYS, lambda: bytes(64))
    assert [entry["do"] for entry in change.entries] == ["draw", "discard"]
    assert change.entries[1]["tile"] != drawn
    round = change.table.match.round
    assert round is not None
    assert drawn in [tile.name for tile in round.racks[0]]


async def test_a_player_is_told_what_the_clock_discarded_even_with_a_penalty(house: House) -> None:
    table = await laid_out(
        house,
        ADA,
        CAN,
        rack="R7 K1",
        others=LITTLE,
        melds="R4 R5 R6",
        opened={0: "melds", 1: "melds"},
    )

    def overdue(stored: StoredTable) -> Change:
        return turns.overdue_turn(stored.value, 0, DELAYS, lambda: bytes(64))

    await house.app.tables.change(table, None, overdue)
    rack = read(await house.rack(ADA, table))
    assert "Your time was up: red 7 was discarded for you." in rack
    assert rack.count("red 7") == 1


async def test_the_clock_gives_a_taken_discard_back(house: House) -> None:
    table = await laid_out(house, ADA, CAN, rack=LITTLE, others=ENOUGH, phase="draw", pile="R13")
    await press_one(house, ADA, await house.rack(ADA, table), "take")
    change = turns.overdue_turn(await kept_of(house, table), 0, DELAYS, lambda: bytes(64))
    assert [entry["do"] for entry in change.entries] == ["return", "draw", "discard"]


@pytest.mark.parametrize("preset", ["okey101", "okey101-raise", "okey101-partners"])
async def test_a_whole_round_with_computer_players(store: Store, preset: str) -> None:
    async with open_house(store) as house, asyncio.timeout(PATIENCE):
        ada = house.person("Ada")
        table = await house.open(ada, words=preset)
        await house.press(ada, f"start.{table}.0", private=False)
        while (await kept_of(house, table)).stage == "playing":
            await _play_simply(house, ada, table)
            await asyncio.sleep(0.01)
        assert "result of round 1/5" in read(await house.look(table))


def _with_an_empty_stock(stored: StoredTable) -> Change:
    """The table as if the seat on turn had drawn the last tile."""
    round = stored.value.match.round
    assert round is not None
    match = replace(stored.value.match, round=replace(round, stock=(), phase="discard"))
    return Change(structs.replace(stored.value, match=match))


def _base36(number: int) -> str:
    return callback_text("x", "t", number).split(".")[2]


async def _play_simply(house: House, person: Person, table: str) -> None:
    """One press of somebody who draws, opens with what is offered, and discards the first tile."""
    screen = await house.rack(person, table)
    for verb in (
        "discard",
        "finish",
        "open_melds",
        "open_pairs",
        "draw",
        "meld",
        "give_back",
        "discard",
    ):
        found = offers(screen, verb)
        if found:
            answer = await house.press(person, found[0].press)
            if answer.private is not None and (sure := offers(answer.private, "discard")):
                await house.press(person, sure[0].press)
            return
