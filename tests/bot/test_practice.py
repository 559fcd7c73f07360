"""A practice round: alone against computer players, in private, without hurry, in nobody's books."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

import pytest
from msgspec import structs

from bot.delivery.views import Hints
from bot.i18n import LANGUAGES, plain, words_for
from bot.ids import NightId
from bot.markup import RackPicture, ResultPicture, SeatScreen
from bot.pool import POOL
from bot.ports import Answer, Person
from bot.screens.games.hints import tell_classic
from bot.store import Store
from bot.tables.clocks import LONGEST
from bot.tables.table import AtNight, Change
from engine.hints import hint
from engine.hints.classic import ClassicHint
from engine.melds import empty_board
from engine.moves import Discard, Draw, Finish, Take
from engine.rules import Rules, rules_from
from engine.tiles import Tile, tiles_from_text
from engine.view import PublicView, SeatView
from tests.bot.house import PLACE, House, offers, open_house, said
from tests.bot.rounds import finish_round
from tests.bot.store.waiting import ended
from tests.patience import PATIENCE, found

T = TypeVar("T")
OPEN_TILES = PublicView(
    indicator=Tile.K13,
    okey=Tile.K1,
    dealer=3,
    turn=0,
    phase="draw",
    discard_tops=(None, None, None, Tile.R4),
    rack_sizes=(14, 14, 14, 14),
    stock_left=40,
    shown_by=None,
    turns=4,
    outcome=None,
    board=empty_board(4),
    sources=(3,),
)
THREE_RUNS = "R1 R2 R3 Y5 Y6 Y7 B8 B9 B10 B11 K8"
"""Eleven tiles of which the last stands alone."""


def screen_of(answer: Answer) -> SeatScreen:
    assert answer.private is not None
    return answer.private


def read(screen: SeatScreen) -> str:
    return plain(screen.text, words_for("en"))


async def begun(house: House, person: Person) -> SeatScreen:
    return screen_of(await house.press(person, "practice.me.0"))


async def soon(what: Callable[[], Awaitable[T | None]]) -> T:
    """What comes about while the worker works."""
    async with asyncio.timeout(PATIENCE):
        return await found(what)


async def his_turn(house: House, person: Person, table: str) -> SeatScreen:
    """Their rack as soon as the computer players have played."""

    async def there() -> SeatScreen | None:
        screen = await house.rack(person, table)
        return screen if offers(screen, "draw", "discard", "practice") else None

    return await soon(there)


async def test_a_round_begins_in_private_with_the_whole_cockpit(store: Store) -> None:
    async with open_house(store) as house:
        ada = house.person("Ada")
        screen = await begun(house, ada)
        assert isinstance(screen.picture, RackPicture)
        assert read(screen).startswith("🎓 Practice round")
        screen = await his_turn(house, ada, screen.table)
        (more,) = offers(screen, "order")
        behind = (await house.press(ada, more.press)).private
        assert behind is not None
        assert all(offers(behind, verb) for verb in ("sort_runs", "arrange", "practice_leave"))
        assert not offers(screen, "step_out", "remove")
        assert "💡" in read(screen)
        assert "⏱" not in read(screen)
        assert house.chat.tables == [], "no place sees anything of it"


async def test_one_round_at_a_time(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        first = await begun(house, ada)
        assert (await begun(house, ada)).table == first.table
        assert screen_of(await house.type(ada, "practice", place=None)).table == first.table
        await house.press(ada, f"practice_leave.{first.table}.0")
        assert (await begun(house, ada)).table != first.table


async def test_one_round_of_each_game_at_a_time(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        classic = (await begun(house, ada)).table
        newer = screen_of(await house.press(ada, "practice.me.0.okey101")).table
        assert newer != classic
        assert screen_of(await house.press(ada, "practice.me.0.okey101")).table == newer
        for typed, expected in (("okey101", newer), ("okey", classic), ("", newer)):
            answer = await house.type(ada, "practice", typed, place=None)
            assert screen_of(answer).table == expected
        assert (await house.type(ada, "practice", "chess", place=None)).code == "unknown_preset"


async def test_the_same_command_delivered_twice_begins_one_round(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        for _ in range(2):
            await house.type(ada, "practice", id="twice")
        assert len(await store.index.tables_of(ada.key)) == 1


async def test_typed_in_private_it_comes_by_the_post(store: Store) -> None:
    async with open_house(store) as house:
        ada = house.person("Ada")
        told = said(await house.type(ada, "practice", place=None))
        assert told == "The practice round begins: your rack comes below."

        async def brought() -> list[tuple[str, SeatScreen, bool]]:
            return house.chat.racks

        person, screen, _ = (await soon(brought))[0]
        assert (person, read(screen)[:17]) == (ada.key, "🎓 Practice round\n")


async def test_typed_in_a_place_it_leads_to_the_private_chat(store: Store) -> None:
    async with open_house(store, work=False) as house:
        house.chat.private_everywhere = False
        ada = house.person("Ada")
        answer = await house.type(ada, "practice")
        assert answer.private is None
        assert answer.open_private is not None
        started = await house.type(ada, "start", answer.open_private, place=None)
        assert read(screen_of(started)).startswith("🎓 Practice round")


async def test_where_private_messages_are_closed_it_is_shown_to_them_alone_in_the_place(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        assert read(screen_of(await house.type(ada, "practice", place=PLACE))).startswith("🎓 Practice round")


async def test_it_ends_with_its_result_and_counts_nowhere(store: Store) -> None:
    async with open_house(store) as house:
        ada = house.person("Ada")
        table = (await begun(house, ada)).table
        await his_turn(house, ada, table)
        await finish_round(house.app.tables, table)
        screen = await house.rack(ada, table)
        assert isinstance(screen.picture, ResultPicture)
        assert "This round doesn’t count." in read(screen)
        assert "finished" in screen.alt or "nobody finished" in screen.alt
        assert all(offers(screen, verb) for verb in ("practice", "help"))
        (replay,) = offers(screen, "replay")
        assert (await house.press(ada, replay.press)).page is not None
        assert await ended(store) == [], "nothing is to be written into the books"
        assert (await house.press(ada, "stats.me.0")).code == "no_stats"
        assert (await house.type(ada, "history", "me")).code == "no_matches"


async def test_it_can_be_left_at_any_time(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = (await begun(house, ada)).table
        screen = screen_of(await house.press(ada, f"practice_leave.{table}.0"))
        assert "You ended the practice." in read(screen)
        assert screen.picture is None
        assert offers(screen, "practice")
        assert not offers(screen, "draw", "discard", "replay")
        assert (await house.press(ada, f"draw.{table}.1")).code in ("old_button", "no_round")
        assert (await house.press(ada, f"practice_leave.{table}.0")).code == "no_round"


async def test_only_its_player_can_leave_it_and_no_table_of_others_is_left_so(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = (await begun(house, ada)).table
        assert (await house.press(can, f"practice_leave.{table}.0")).code == "unknown_table"
        real = await house.open(ada, can)
        await house.press(ada, f"start.{real}.0", private=False)
        assert (await house.press(ada, f"practice_leave.{real}.0")).code == "no_round"


async def test_nothing_hurries_and_nobody_is_called(store: Store) -> None:
    async with open_house(store) as house:
        ada = house.person("Ada")
        table = (await begun(house, ada)).table
        await his_turn(house, ada, table)
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert stored.deadline is not None
        assert stored.deadline - stored.now > LONGEST - 60
        assert all(not notify for _, _, notify in house.chat.racks)


async def test_who_is_away_for_a_day_has_left_it(store: Store) -> None:
    async with open_house(store) as house:
        ada = house.person("Ada")
        table = (await begun(house, ada)).table
        await his_turn(house, ada, table)
        await house.app.tables.change(table, None, lambda stored: Change(stored.value, due=0.0))

        async def left() -> bool:
            return "You ended the practice." in read(await house.rack(ada, table))

        assert await soon(left)


async def test_it_stands_in_no_other_table_s_way(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        real = await house.open(ada, can)
        await house.press(ada, f"start.{real}.0", private=False)
        practice = (await begun(house, ada)).table
        assert screen_of(await house.type(ada, "rack")).table == real
        assert said(await house.type(ada, "invite")).startswith("The code is")
        stored = await house.app.tables.load(practice)
        assert stored is not None
        assert stored.value.calls.invitation == ""


def seen(rack: str, *, drawn: Tile | None = None, left: str = "R4") -> SeatView:
    """What the first seat sees with these tiles; the okey is black 1."""
    tiles = tiles_from_text(rack)
    left_pile, phase = tiles_from_text(left), "draw" if drawn is None else "discard"
    return SeatView(
        public=replace(OPEN_TILES, phase=phase, discard_tops=(None, None, None, *(left_pile or (None,)))),
        seat=0,
        rack=tuple(sorted(tiles)),
        own_pile=(),
        left_pile=left_pile,
        drawn=drawn,
    )


@pytest.mark.parametrize(
    ("rack", "left", "advice"),
    [
        # Three tiles in hand stand alone, and a fourth run wants two of them exchanged.
        (f"{THREE_RUNS} Y12 Y13 K5", "R4", ClassicHint("take", Tile.R4, 1)),
        (f"{THREE_RUNS} Y12 Y13 R9", "K4", ClassicHint("draw", Tile.K4, 2)),
        (f"{THREE_RUNS} Y12 Y13 R9", "", ClassicHint("draw", None, 2)),
    ],
)
def test_a_hint_says_whether_to_take_and_how_far_it_is(rack: str, left: str, advice: ClassicHint) -> None:
    view = seen(rack, left=left)
    legal = (Draw(), *((Take(None),) if left else ()))
    told = hint(Rules(), view, legal)
    assert isinstance(told, ClassicHint)
    assert (told.kind, told.tile, told.missing) == (advice.kind, advice.tile, advice.missing)
    assert bool(told.unseen) == (advice.kind == "draw")


@pytest.mark.parametrize(
    ("across", "advice"), [(Tile.R4, ("take", Tile.R4, 1)), (Tile.B4, ("draw", None, 2))]
)
def test_where_any_discard_can_be_taken_a_hint_names_the_one_that_helps(
    across: Tile, advice: tuple[str, Tile | None, int]
) -> None:
    view = seen(f"{THREE_RUNS} Y12 Y13 K5", left="K4")
    public = replace(view.public, discard_tops=(None, None, across, Tile.K4), sources=(2, 3))
    told = hint(
        replace(Rules(), discard_sources="any"), replace(view, public=public), [Draw(), Take(2), Take(3)]
    )
    assert isinstance(told, ClassicHint)
    assert (told.kind, told.tile, told.missing) == advice


def test_a_hint_names_the_tile_to_let_go_and_the_finish() -> None:
    lonely = seen("R1 R2 R3 R4 Y5 Y6 Y7 B8 B9 B10 B11 Y12 Y13 K7 K9", drawn=Tile.K9)
    told = hint(Rules(), lonely, [Discard(tile) for tile in dict.fromkeys(lonely.rack)])
    assert isinstance(told, ClassicHint)
    assert (told.kind, told.missing) == ("discard", 1)
    assert told.tile in (Tile.K7, Tile.K9)
    done = seen("R1 R2 R3 R4 Y5 Y6 Y7 B8 B9 B10 B11 Y11 Y12 Y13 K7", drawn=Tile.Y11)
    assert hint(Rules(), done, [Discard(Tile.R1), Finish(Tile.K7)]) == ClassicHint("finish", Tile.K7, 0)


def test_where_nobody_draws_any_more_a_hint_counts_no_tiles_that_would_help() -> None:
    view = seen("R1 R2 R3 R4 Y5 Y6 Y7 B8 B9 B10 B11 Y12 Y13 K7 K9", drawn=Tile.K9)
    last = replace(view, public=replace(view.public, stock_left=0))
    discards = [Discard(tile) for tile in dict.fromkeys(view.rack)]
    words, whys = words_for("en"), []
    for each in (view, last):
        told = hint(Rules(), each, discards)
        assert isinstance(told, ClassicHint)
        assert (told.kind, told.missing) == ("discard", 1)
        whys.append(plain(tell_classic(told, Rules(), Tile.K1, words).why, words))
    assert "unseen tiles help" in whys[0]
    assert whys[1] == ""


def test_whoever_went_on_with_a_complete_rack_is_told_that_any_draw_finishes() -> None:
    told = hint(Rules(), seen("R1 R2 R3 R4 Y5 Y6 Y7 B8 B9 B10 B11 Y11 Y12 Y13"), [Draw(), Take()])
    assert isinstance(told, ClassicHint)
    words = words_for("en")
    move, why = tell_classic(told, Rules(), Tile.K1, words)[1:3]
    assert plain(move, words) == "Draw: then you can finish!"
    assert plain(why, words) == ""


def test_nobody_is_told_what_to_do_when_it_is_not_their_turn() -> None:
    view = seen(f"{THREE_RUNS} Y12 Y13 R9")
    assert hint(Rules(), replace(view, public=replace(view.public, turn=2)), [Draw()]) is None
    assert hint(Rules(), view, []) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_hint_names_its_tile_in_every_language(language: str) -> None:
    words = words_for(language)
    for kind in ("finish", "show", "take", "draw", "discard"):
        for missing in (0, 1, 5):
            told = tell_classic(ClassicHint(kind, Tile.R4, missing), Rules(), Tile.K1, words)
            assert words.plain("tile.colour.R") in plain(told.move, words)
    assert "5" in plain(tell_classic(ClassicHint("draw", None, 5), Rules(), Tile.K1, words).move, words)


def test_a_hint_to_show_says_what_that_is_worth() -> None:
    words, show = words_for("en"), ClassicHint("show", Tile.R4, 3)
    usual = tell_classic(show, Rules(), Tile.R5, words)
    assert plain(usual.why, words) == "The others lose 1 point."
    penalty = rules_from({"preset": "turkish-rummy", "show": "declared"})
    assert "10 penalty points" in plain(tell_classic(show, penalty, Tile.R5, words).why, words)


def test_a_hint_says_how_many_unseen_tiles_help_and_what_the_next_best_would_leave() -> None:
    view = seen("R1 R2 R3 R4 Y5 Y6 Y7 B8 B9 B10 B11 K4 K5 R9 K13", drawn=Tile.R9)
    told = hint(Rules(), view, [Discard(tile) for tile in dict.fromkeys(view.rack)])
    assert isinstance(told, ClassicHint)
    assert told.kind == "discard"
    assert told.rather is None or told.rather_live < told.live
    words = words_for("en")
    sentence = plain(tell_classic(told, Rules(), Tile.K1, words).why, words)
    assert f"{told.live} of {told.unseen} unseen tiles help" in sentence


async def test_a_table_has_hints_where_its_host_wants_them_and_all_can_see_that(store: Store) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2")
        assert (await house.press(can, f"hints.{table}.0.on")).code == "not_host"
        await house.press(ada, f"hints.{table}.0.on")
        assert "💡 Everyone gets hints" in plain((await house.look(table)).text, words_for("en"))
        await house.press(ada, f"start.{table}.0", private=False)
        on_turn = await house.on_turn(table, ada, can)
        assert "💡" in read(await house.rack(on_turn, table))


async def test_at_okey_101_the_player_on_turn_alone_gets_a_hint_computed_once_in_another_process(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[object] = []
    run = POOL.run

    async def counted(function: Callable[..., T], *arguments: object) -> T:
        done.append(function)
        return await run(function, *arguments)

    monkeypatch.setattr(POOL, "run", counted)
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="okey101 2")
        await house.press(ada, f"hints.{table}.0.on")
        assert "💡 Everyone gets hints" in plain((await house.look(table)).text, words_for("en"))
        await house.press(ada, f"start.{table}.0", private=False)
        done.clear()
        screens = [await house.rack(each, table) for each in (ada, can, ada, can)]
        lives = [each.live for each in screens if each.live]
        (turn,) = {each.table.turn for each in lives}
        for each, screen in zip(lives, screens, strict=True):
            assert (each.hint is not None) == (each.seat == turn) == ("💡" in read(screen))
            if each.hint:
                assert f"{each.hint.move} {each.hint.why}" in read(screen), "the same words everywhere"
        assert done.count(hint) <= 1


async def test_a_league_night_has_no_hints(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = (await begun(house, house.person("Ada"))).table
        stored = await house.app.tables.load(table)
        assert stored is not None
        match = stored.value.match
        assert match.round is not None
        mine = structs.replace(stored.value, match=replace(match, round=replace(match.round, turn=0)))
        assert await Hints().of(mine, 0) is not None
        assert await Hints().of(structs.replace(mine, night=AtNight(NightId("n"), 1, 1)), 0) is None


async def test_every_game_can_be_practised_with_hints(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
        assert (await house.type(ece, "practice", "okey102", place=None)).code == "unknown_preset"
        assert (await house.press(ece, "practice.me.0.okey102")).code == "unknown_preset"
        await house.type(can, "practice", "okey-partners", place=None)
        typed = screen_of(await house.type(can, "practice", place=None))
        pressed = screen_of(await house.press(ada, "practice.me.0.okey101"))
        tiles = [len([tile for tile in each.live.places if tile]) for each in (typed, pressed) if each.live]
        assert [count in sizes for count, sizes in zip(tiles, ((14, 15), (21, 22)), strict=True)] == [
            True
        ] * 2
        stored = await house.app.tables.load(pressed.table)
        assert stored is not None
        round = stored.value.match.round
        assert ("💡" in read(pressed)) == (round is not None and round.turn == 0)
        left = screen_of(await house.press(ada, f"practice_leave.{pressed.table}.0"))
        assert [button.press for button in offers(left, "practice")] == ["practice.me.0.okey101"]


async def test_no_other_table_with_a_place_has_hints(store: Store) -> None:
    async with open_house(store) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        assert "💡" not in read(await his_turn(house, ada, table))
