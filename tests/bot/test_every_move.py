"""Every legal move can be made: the buttons of a player's screen, pressed through the real handlers at a
table in memory, reach the engine's legal moves and no others.

Left out are `Open`, `OpenPairs` and `LayMeld`: the engine lists only the best of them, and a draft builds
more.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.callback_data import callback_text, read_callback
from bot.errors import Refused
from bot.handlers.request import RequestContext
from bot.i18n import LANGUAGES, Words, plain, words_for
from bot.markup import SeatScreen, TileMark
from bot.ports import Person
from bot.repository.tables import StoredTable
from bot.screens.player import PLAY, Mode, rack_screen
from bot.screens.rack import BRIEF
from bot.screens.switches import choices
from bot.screens.table import public_screen
from bot.tables import lobby, play
from bot.tables.facts import rack_facts, table_facts
from bot.tables.play import Delays
from bot.tables.table import Change, Seat, Table
from engine.errors import NotAllowed, Unreadable
from engine.moves import Discard, Draw, Finish, LayOff, Move, Reclaim, Return, Show, Take, TakeBack
from engine.players import choose
from engine.record import move_of
from engine.round import legal_moves
from engine.rules import PRESETS, Rules, rules_from, switches_for, switches_of
from engine.view import public_view, seat_view
from tests.offered import BUTTONS

DELAYS = Delays(computer=1.0, next_round=1.0)
NAMES = ("Ada", "Can", "Ece", "Ali")
WORDS = words_for("en")
MOVES = {
    *("draw", "take", "show", "discard", "discard_okey", "finish", "let_go", "let_go_anyway"),
    *("lay", "lay_wild", "reclaim", "take_back", "give_back"),
}
"""The verbs that make a move of the kinds below."""
DIALOGUES = {"ask_finish", "ask_lay", "ask_lay_okey"}
RARE = {"Finish", "LayOff", "Reclaim", "Return", "TakeBack"}
KINDS = (Draw, Take, Discard, Finish, Show, LayOff, Reclaim, Return, TakeBack)


class Hands:
    """A person at a table in memory, whose presses change nothing and are told as moves."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self.made: set[Move] = set()
        self.refused: set[str] = set()
        """The codes of refusals."""
        self._stored = cast(StoredTable, SimpleNamespace(value=table, now=0.0, deadline=None, shown={}))
        self._services: Any = SimpleNamespace(
            repository=self,
            viewing=self,
            delivery=SimpleNamespace(
                answers=SimpleNamespace(answering=lambda *_: nullcontext(SimpleNamespace(revision=None)))
            ),
            delays=DELAYS,
            entropy=lambda: bytes(64),
        )

    async def change(self, table: str, action: str | None, act: Any) -> StoredTable:
        """Stands for the repository: what would be committed is told, and is not kept."""
        change: Change | None = act(self._stored)
        for entry in () if change is None else change.entries:
            seat, move = move_of(entry)
            assert seat == self.seat
            self.made.add(move)
        return self._stored

    async def private(
        self, stored: StoredTable, seat: int, words: Words, mode: Mode = PLAY, **_: Any
    ) -> SeatScreen:
        """Stands for the views."""
        return rack_screen(rack_facts(stored.value, seat, None, None), words, mode)

    async def press(self, data: str) -> SeatScreen | None:
        """Press a button; the own screen that answers."""
        read = read_callback(data)
        assert read is not None
        person = Person(self.table.seats[self.seat].person or "", "", "en")
        context = RequestContext(
            services=self._services, by=person, place=None, private=True, id="p", data=read
        )
        try:
            return (await BUTTONS[read.verb].run(context)).private
        except (Refused, NotAllowed) as refusal:
            self.refused.add(refusal.code)
            return None

    async def press_everything(self) -> None:
        """Every button of the screen that makes a move, and of the dialogues to which they lead."""
        screens, pressed = [rack_screen(rack_facts(self.table, self.seat, None, None), WORDS)], set[str]()
        while screens:
            for data in [button.press for row in screens.pop().buttons for button in row]:
                verb = data.split(".")[0]
                if data not in pressed and verb in MOVES | DIALOGUES:
                    pressed.add(data)
                    made = len(self.made)
                    shown = await self.press(data)
                    if shown is not None and len(self.made) == made:
                        screens.append(shown)


def a_match(rules: Rules, chance: random.Random, *, steady: float) -> Iterator[Table]:
    """A round of people, at every move of it; so many of their moves are a steady player's."""
    seats = [Seat(person=f"mem:{name}", name=name) for name in NAMES]
    table = lobby.open_table(
        table_id="tttttt",
        place="mem:hall",
        host=seats[0],
        rules=rules,
        language="en",
        turn_seconds=60,
        secret=chance.randbytes(64),
        now=0.0,
    ).table
    for seat in seats[1 : rules.players]:
        table = lobby.join(table, seat).table
    table = play.start(table, seats[0].person or "", DELAYS).table
    while table.stage == "playing":
        yield table
        round = table.match.round
        assert round is not None
        legal = legal_moves(rules, round, round.turn)
        move = chance.choice(legal)
        if chance.random() < steady:
            move = choose("steady", rules, seat_view(table.match, round.turn), legal, chance.randbytes(32))
        table = play.move(table, round.turn, move, DELAYS, lambda: chance.randbytes(64)).table


async def holds(table: Table, seat: int) -> Counter[str]:
    """Assert the law for a seat; how many moves of each kind there were."""
    round = table.match.round
    assert round is not None
    legal = {move for move in legal_moves(table.match.rules, round, seat) if isinstance(move, KINDS)}
    hands = Hands(table, seat)
    await hands.press_everything()
    assert hands.refused <= {"no_win"}, "Only a finish is tried: no button tells that the rack is complete."
    assert hands.made == legal
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
                if chance.random() < 0.02:
                    seen += await holds(table, chance.choice(round.seats))
        return seen

    seen = asyncio.run(play_on())
    laying = {"Return", "LayOff", "TakeBack"} if "101" in preset else set()
    assert {"Draw", "Take", "Discard", "Finish"} | laying <= seen.keys()


def switched(preset: str, chance: random.Random) -> Rules:
    """A preset with six switches set by chance, each to one of the values that the dialogue offers."""
    rules = rules_from({"preset": preset})
    for switch in chance.sample(switches_for(rules), 6):
        value = chance.choice(choices(switch, rules))
        with suppress(Unreadable):  # it clashes with another, or no longer does anything
            given = [value] if switch == "penalties" else value
            rules = rules_from({**switches_of(rules), switch: given})
    return rules


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
        screen = rack_screen(rack_facts(table, seat, None, None), words)
        labels = [button.label for row in screen.buttons for button in row if button.press[:5] == "take."]
        assert len(labels) == 3
        for other, label in zip(others, labels, strict=True):
            top = view.discard_tops[other]
            assert top is not None
            assert table.seats[other].name in plain(label, words)
            assert words.tile_name(TileMark(top.name, wild=top is view.okey)) in plain(label, words)
            assert table.seats[other].name in plain(screen.text, words)
            assert table.seats[other].name in screen.brief
        assert len(screen.brief) <= BRIEF


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


@pytest.mark.parametrize("verb", ["take", "take_here"])
def test_a_pile_is_taken_only_by_who_is_on_turn_and_only_now(verb: str) -> None:
    table = a_turn()
    seat = on_turn(table)
    revision = table.game_revision if verb == "take" else table.turn_number
    other = (seat + 2) % 4

    def refused(by: int, *, revision: int, source: str) -> set[str]:
        hands = Hands(table, by)
        asyncio.run(hands.press(callback_text(verb, table.id, revision, source)))
        assert not hands.made
        return hands.refused

    assert refused(seat, revision=revision - 1, source=str(other)) == {"old_button"}
    assert refused(other, revision=revision, source=str(seat)) == {"not_your_turn"}
    assert refused(seat, revision=revision, source=str(seat)) == {"nothing_to_take"}
    assert refused(seat, revision=revision, source="9") == {"nothing_to_take"}
    assert refused(seat, revision=revision, source="-1") == {"unknown_button"}


def test_nothing_is_drawn_from_an_empty_stock() -> None:
    table = a_turn()
    round, seat = table.match.round, on_turn(table)
    assert round is not None
    table = replace(table, match=replace(table.match, round=replace(round, stock=())))
    screen = rack_screen(rack_facts(table, seat, None, None), WORDS)
    verbs = [button.press.split(".")[0] for row in screen.buttons for button in row]
    assert (verbs.count("draw"), verbs.count("take")) == (0, 3)
    assert "the stock is empty, but you can take" in plain(screen.text, WORDS)
    asyncio.run(holds(table, seat))
