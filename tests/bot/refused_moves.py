"""Presses of the moves of RULES 9 that are refused, at a table that is laid out for each."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from string import ascii_letters
from typing import Final

from msgspec import structs

from bot.callback_data import callback_text
from bot.ports import Person
from bot.tables.table import Table
from engine.melds import Way
from engine.state import Round
from engine.tiles import tiles_from_text
from tests.bot.laid_101 import lay_out
from tests.bot.router_101 import ADA, CAN

TOURNAMENT: Final = "okey101-tournament"
ECE, ZOE = Person("mem:ece", "Ece", "en"), Person("mem:zoe", "Zoe", "en")
PEOPLE: Final = (ADA, CAN, ECE, ZOE)
RACK: Final = "R7 R8 R9 B9 K3 K3 K5 Y2"
OTHERS: Final = "R2 R4 Y3 Y5 B2 B6 K2 K6"
RUN: Final = "R4 R5 R6"
PAIR: Final = "meld:K3-K3"


@dataclass(frozen=True)
class Case:
    """A press at a table that is on Ada's turn, and the code that it is refused with."""

    code: str
    press: str
    """The verb, and after a colon what it names."""
    by: Person = ADA
    rules: str = TOURNAMENT
    opened: Way | None = None
    """How Ada has opened. Can has opened with a run."""
    drawn: bool = False
    declared: bool = False
    called: bool = True
    """Whether Zoe's discard can no longer be called."""
    laid_off: int = 0


CASES: Final = (
    Case("no_declaring", "declare", rules="okey101"),
    Case("not_your_turn", "declare", by=CAN),
    Case("too_late_to_declare", "declare", drawn=True),
    Case("already_declared", "declare", declared=True),
    Case("already_opened", "declare", opened="melds"),
    Case("declared_pairs", "put_down:R7 R8 R9", drawn=True, declared=True),
    Case("no_calling", "call", rules="okey101"),
    Case("nothing_to_call", "call"),
    Case("own_discard", "call", by=ZOE, called=False),
    Case("own_discard", "call", by=CAN, called=False),
    Case("laid_off_enough", "lay:R7.0", opened="pairs", drawn=True, laid_off=2),
    Case("no_pairs_yet", PAIR, opened="melds", drawn=True),
    Case("wrong_kind", PAIR, rules="okey101", opened="melds", drawn=True),
    Case("wrong_kind", "meld:R7-R8-R9", opened="pairs", drawn=True),
    Case("no_reclaiming", "reclaim:R5.0", rules="okey101", opened="melds", drawn=True),
)


def press_of(case: Case, table: Table) -> str:
    """The text of the button that is pressed."""
    verb, _, named = case.press.partition(":")
    moment = table.turn_number if verb == "call" else table.moment
    if verb == "put_down":
        named = "".join(ascii_letters[tile] for tile in tiles_from_text(named))
    return callback_text(verb, table.id, moment, *filter(None, (named,)))


def laid_for(case: Case, table: Table) -> Table:
    """A table in the middle of a round, as the case has it."""
    table = lay_out(
        table,
        rack=RACK,
        others=OTHERS,
        melds=RUN,
        opened={1: "melds"} | ({} if case.opened is None else {0: case.opened}),
        phase="discard" if case.drawn else "draw",
        pile="R3",
    )

    def as_in_the_case(round: Round) -> Round:
        board = replace(
            round.board,
            declared=(0,) if case.declared else (),
            call_open=not case.called,
            added=case.laid_off,
        )
        return replace(round, board=board)

    return with_round(table, as_in_the_case)


def with_round(table: Table, change: Callable[[Round], Round]) -> Table:
    """The table with another round."""
    assert table.match.round is not None
    return structs.replace(table, match=replace(table.match, round=change(table.match.round)))
