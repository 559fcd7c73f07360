"""Hands: a person at a table in memory who presses buttons through the real handlers; and rounds at such
tables."""

import random
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from types import SimpleNamespace
from typing import Any, cast

from bot.callback_data import read_callback
from bot.delivery.in_flight import InFlightAnswer
from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.i18n import Words, words_for
from bot.live import LiveRack
from bot.markup import SeatScreen
from bot.ports import Person
from bot.repository.tables import StoredTable
from bot.screens.live import live_rack
from bot.screens.player import PLAY, Mode, rack_brief, rack_screen
from bot.screens.switches import choices, with_value
from bot.tables import lobby, play
from bot.tables.facts import rack_facts
from bot.tables.play import Delays
from bot.tables.table import Change, Seat, Table
from engine.errors import NotAllowed, Unreadable
from engine.moves import Move
from engine.players import choose
from engine.record import move_of
from engine.round import legal_moves
from engine.rules import Rules, rules_from, switches_for, switches_of
from engine.view import seat_view
from tests.offered import BUTTONS

DELAYS = Delays(computer=1.0, next_round=1.0)
NAMES = ("Ada", "Can", "Ece", "Ali")
WORDS = words_for("en")
MOVES = {
    *("draw", "take", "show", "discard", "finish"),
    *("lay", "lay_wild", "reclaim", "take_back", "give_back", "declare", "call"),
}
"""The verbs that make moves of the types below."""
DIALOGUES = {"ask_finish", "ask_lay", "ask_lay_okey"}


class Hands:
    """A person at a table in memory. Their moves are recorded and not made. Their presses change only their
    own data: the order of their rack, and their draft."""

    def __init__(self, table: Table, seat: int) -> None:
        self.seat = seat
        self.made: set[Move] = set()
        self.made_by: dict[str, Move] = {}
        """By the button that was pressed."""
        self.refused: set[str] = set()
        """The codes of refusals."""
        self._keep(table)
        self._services: Any = SimpleNamespace(
            tables=self,
            viewing=self,
            permissions=SimpleNamespace(readers=SimpleNamespace(believes=lambda *_: True)),
            store=SimpleNamespace(notes=SimpleNamespace(set=_nothing, drop=_nothing)),
            delivery=SimpleNamespace(
                answers=SimpleNamespace(answering=lambda *_: nullcontext(InFlightAnswer(until=0.0)))
            ),
            dealing=SimpleNamespace(delays=DELAYS, entropy=lambda: bytes(64)),
        )

    @property
    def table(self) -> Table:
        return self._stored.value

    def screen(self, mode: Mode = PLAY) -> SeatScreen:
        """The person's own screen."""
        return rack_screen(rack_facts(self.table, self.seat, None, None), WORDS, mode)

    def live(self) -> LiveRack:
        """Return their rack as an app draws it."""
        return live_rack(rack_facts(self.table, self.seat, None, None), WORDS)

    async def change(self, table: str, action: str | None, act: Any) -> StoredTable:
        """The repository's stand-in. A move that would be committed is recorded instead."""
        change: Change | None = act(self._stored)
        if change is not None and not change.entries:
            self._keep(change.table)
        for entry in () if change is None else change.entries:
            seat, move = move_of(entry)
            assert seat == self.seat
            self.made.add(move)
            self.made_by[self._pressed] = move
        return self._stored

    def _keep(self, table: Table) -> None:
        self._stored = cast(StoredTable, SimpleNamespace(value=table, now=0.0, deadline=None, notes={}))

    async def private(
        self, stored: StoredTable, seat: int, words: Words, mode: Mode = PLAY, **_: Any
    ) -> SeatScreen:
        """The views' stand-in."""
        return rack_screen(rack_facts(stored.value, seat, None, None), words, mode)

    async def brief(self, stored: StoredTable, seat: int, words: Words, profile: object) -> str:
        """The views' stand-in."""
        return rack_brief(rack_facts(stored.value, seat, None, None), words)

    async def press(self, data: str) -> SeatScreen | None:
        """Press a button, and return the person's own screen in the answer."""
        read, self._pressed = read_callback(data), data
        assert read is not None
        person = Person(self.table.seats[self.seat].person or "", "", "en")
        context = RequestContext(
            services=self._services, by=person, place=None, private=True, reads_from=None, id="p", data=read
        )
        try:
            return (await BUTTONS[read.verb].run(context)).private
        except (Refused, NotAllowed) as refusal:
            self.refused.add(refusal.code)
            return None

    async def press_all_acts(self) -> set[Move]:
        """What an app can do: everything of their live table that makes a move, but putting melds down."""
        acts = [act.press for act in self.live().acts if act.press.split(".")[0] in MOVES]
        for press in acts:
            if press not in self.made_by:
                await self.press(press)
        return {self.made_by[press] for press in acts if press in self.made_by}

    async def press_everything(self) -> None:
        """Press every button of the screen that makes a move, and those of the dialogues it opens."""
        screens, pressed = [self.screen()], set[str]()
        while screens:
            for data in [button.press for row in screens.pop().buttons for button in row]:
                verb = data.split(".")[0]
                if data not in pressed and verb in MOVES | DIALOGUES:
                    pressed.add(data)
                    made = len(self.made)
                    shown = await self.press(data)
                    if shown is not None and len(self.made) == made:
                        screens.append(shown)


async def _nothing(*_: object) -> None:
    """What the store would note of a dialogue."""


def a_match(rules: Rules, chance: random.Random, *, steady: float) -> Iterator[Table]:
    """A round of people, after every move of it. `steady` is the share of moves that a steady player
    chooses."""
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


def switched(preset: str, chance: random.Random) -> Rules:
    """A preset with six switches set at random to values that the dialogue offers."""
    rules = rules_from({"preset": preset})
    for switch in chance.sample(switches_for(rules), 6):
        value = chance.choice(choices(switch, rules))
        with suppress(Unreadable):  # the value conflicts with another, or has no effect any more
            given = with_value(rules, switch, value) if switch == "factors" else value  # type: ignore[arg-type]
            given = [given] if switch == "penalties" else given
            rules = rules_from({**switches_of(rules), switch: given})
    return rules
