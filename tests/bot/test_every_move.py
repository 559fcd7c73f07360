"""Every legal move can be made: the buttons of a player's screen, pressed through the real handlers at a
table in memory, reach the engine's legal moves and no others.

Left out are `Open`, `OpenPairs` and `LayMeld`: the engine lists only the best of them, and a draft builds
more (`test_every_opening`).
"""

import asyncio
import random
from collections import Counter
from dataclasses import replace

import pytest
from msgspec import structs

from bot.callback_data import callback_text
from bot.i18n import LANGUAGES, plain, words_for
from bot.markup import TileMark
from bot.screens.player import rack_brief, rack_screen
from bot.screens.table import public_screen
from bot.tables.facts import rack_facts, table_facts
from bot.tables.table import Table
from engine.moves import Call, Declare, Discard, Draw, Finish, LayOff, Reclaim, Return, Show, Take, TakeBack
from engine.round import legal_moves
from engine.rules import PRESETS, Rules, rules_from
from engine.tiles import Tile, tiles_from_text
from engine.view import public_view
from tests.bot.hands import WORDS, Hands, a_match, switched
from tests.bot.openings import seated

pytestmark = pytest.mark.long

RARE = {"Finish", "LayOff", "Reclaim", "Return", "TakeBack", "Declare", "Call"}
KINDS = (Draw, Take, Discard, Finish, Show, LayOff, Reclaim, Return, TakeBack, Declare, Call)


async def holds(table: Table, seat: int) -> Counter[str]:
    """Assert the law for a seat; how many moves of each kind there were."""
    round = table.match.round
    assert round is not None
    legal = {move for move in legal_moves(table.match.rules, round, seat) if isinstance(move, KINDS)}
    hands = Hands(table, seat)
    await hands.press_everything()
    assert hands.refused <= {"no_win"}, "Only a finish is tried: no button tells that the rack is complete."
    assert hands.made == legal
    assert await hands.press_all_acts() == legal
    return Counter(type(move).__name__ for move in legal)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_buttons_reach_every_legal_move(preset: str) -> None:
    async def play_on() -> Counter[str]:
        seen: Counter[str] = Counter()
        for seed in range(6):
            chance = random.Random(f"{preset} {seed}")
            for table in a_match(rules_from({"preset": preset}), chance, steady=1 - seed / 20):
                round = table.match.round
                assert round is not None
                legal = legal_moves(table.match.rules, round, round.turn)
                rare = {type(move).__name__ for move in legal} & RARE
                if chance.random() < (1.0 if any(seen[kind] < 5 for kind in rare) else 0.03):
                    seen += await holds(table, round.turn)
                called = round.board.call_open and chance.random() < 0.1
                if called or chance.random() < 0.02:
                    seen += await holds(table, chance.choice(round.seats))
        return seen

    seen = asyncio.run(play_on())
    laying = {"Return", "LayOff", "TakeBack"} if "101" in preset else set()
    laying |= {"Declare", "Call"} if preset == "okey101-tournament" else set()
    assert {"Draw", "Take", "Discard", "Finish"} | laying <= seen.keys()


@pytest.mark.parametrize("preset", ["okey", "okey101"])
def test_they_do_whatever_the_switches_are(preset: str) -> None:
    async def play_on() -> set[Rules]:
        tried = set()
        for seed in range(32):
            chance = random.Random(f"switched {preset} {seed}")
            rules = switched(preset, chance)
            for table in a_match(rules, chance, steady=0.9):
                round = table.match.round
                assert round is not None
                if chance.random() < 0.08:
                    await holds(table, round.turn)
                    tried.add(rules)
        return tried

    assert len(asyncio.run(play_on())) > 24


def a_turn(preset: str = "turkish-rummy") -> Table:
    """Somebody is to draw, and there is something to take from everybody else."""
    return next(
        table
        for table in a_match(rules_from({"preset": preset}), random.Random(preset), steady=1.0)
        if len(public_view(table.match).sources) == 3 and public_view(table.match).phase == "draw"
    )


def on_turn(table: Table) -> int:
    turn = public_view(table.match).turn
    assert turn is not None
    return turn


def test_every_pile_has_its_owner_s_name() -> None:
    table = a_turn()
    seat, view = on_turn(table), public_view(table.match)
    others = [each for each in range(4) if each != seat]
    for language in LANGUAGES:
        words = words_for(language)
        facts = rack_facts(table, seat, None, None)
        screen, brief = rack_screen(facts, words), rack_brief(facts, words)
        labels = [button.label for row in screen.buttons for button in row if button.press[:5] == "take."]
        assert len(labels) == 3
        for other, label in zip(others, labels, strict=True):
            top = view.discard_tops[other]
            assert top is not None
            assert table.seats[other].name in plain(label, words)
            assert words.tile_name(TileMark(top.name, wild=top is view.okey)) in plain(label, words)
            assert table.seats[other].name in plain(screen.text, words)
            assert table.seats[other].name in brief
        assert len(brief.encode("utf-16-le")) // 2 <= 200


def test_who_is_reached_by_alerts_only_may_take_from_every_pile_too() -> None:
    table = a_turn()
    seat = on_turn(table)
    table = table.with_seat(seat, alerts_only=True, private_closed=True)
    screen = public_screen(table_facts(table, None), WORDS)
    presses = [button.press for row in screen.buttons for button in row if "_here" in button.press]
    draws = [press for press in presses if press.split(".")[0] in ("draw_here", "take_here")]
    hands = Hands(table, seat)
    for press in draws:
        asyncio.run(hands.press(press))
    round = table.match.round
    assert round is not None
    assert hands.made == set(legal_moves(table.match.rules, round, seat))
    assert len(hands.made) == len(draws) == 4


def test_who_is_reached_by_alerts_only_finishes_in_the_way_that_pays_most() -> None:
    """Without the yellow four all tiles are red; the okey, red five, would count once only."""
    table = a_turn()
    match = replace(table.match, rules=replace(table.match.rules, one_color_double="any"))
    rack = tiles_from_text("R1 R2 R3 R4 R6 R7 R8 R9 R10 R11 R12 R13 F R5 Y4")
    table = seated(structs.replace(table, match=match), rack, phase="discard", indicator=Tile.R4, source=None)
    hands = Hands(table, on_turn(table))
    asyncio.run(hands.press(callback_text("finish_here", table.id, table.turn_number, "sure")))
    assert hands.made == {Finish(Tile.Y4)}


def test_who_is_out_of_the_match_finishes_nothing() -> None:
    table = a_turn()
    seat = next(seat for seat in range(4) if seat != on_turn(table))
    round = table.match.round
    assert round is not None
    left = tuple(() if each == seat else rack for each, rack in enumerate(round.racks))
    seats = tuple(each for each in round.seats if each != seat)
    match = replace(table.match, round=replace(round, racks=left, seats=seats))
    hands = Hands(structs.replace(table, match=match), seat)
    asyncio.run(hands.press(callback_text("finish_here", table.id, table.turn_number)))
    assert hands.refused == {"not_playing"}


@pytest.mark.parametrize("verb", ["take", "take_here"])
def test_a_pile_is_taken_only_by_who_is_on_turn_and_only_now(verb: str) -> None:
    table = a_turn()
    seat = on_turn(table)
    moment = table.moment if verb == "take" else table.turn_number
    other = (seat + 2) % 4

    def refused(by: int, *, moment: int, source: str) -> set[str]:
        hands = Hands(table, by)
        asyncio.run(hands.press(callback_text(verb, table.id, moment, source)))
        assert not hands.made
        return hands.refused

    assert refused(seat, moment=moment - 1, source=str(other)) == {"old_button"}
    assert refused(other, moment=moment, source=str(seat)) == {"not_your_turn"}
    assert refused(seat, moment=moment, source=str(seat)) == {"nothing_to_take"}
    assert refused(seat, moment=moment, source="9") == {"nothing_to_take"}
    assert refused(seat, moment=moment, source="-1") == {"unknown_button"}


def test_nothing_is_drawn_from_an_empty_stock() -> None:
    table = a_turn()
    round, seat = table.match.round, on_turn(table)
    assert round is not None
    table = structs.replace(table, match=replace(table.match, round=replace(round, stock=())))
    screen = rack_screen(rack_facts(table, seat, None, None), WORDS)
    verbs = [button.press.split(".")[0] for row in screen.buttons for button in row]
    assert (verbs.count("draw"), verbs.count("take")) == (0, 3)
    assert "the stock is empty, but you can take" in plain(screen.text, WORDS)
    asyncio.run(holds(table, seat))
