"""Moves of RULES 9 that are not allowed: each press is answered by a sentence that says why, and changes
nothing."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from string import ascii_letters
from typing import Final

import pytest
from msgspec import structs

from bot.callback_data import callback_text
from bot.i18n import LANGUAGES, plain, words_for
from bot.ports import Person
from bot.repository.tables import StoredTable
from bot.tables.table import Change, Table
from engine.melds import Way
from engine.state import Round
from engine.tiles import tiles_from_text
from tests.bot.house import House
from tests.bot.laid_101 import laid_out
from tests.bot.router_101 import ADA, CAN, kept_of

ENGLISH: Final = words_for("en")
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


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code}-{case.by.name}")
async def test_a_press_that_is_not_allowed_is_told_why(house: House, case: Case) -> None:
    table = await set_up(house, case)
    before = await kept_of(house, table)
    answer = await house.press(case.by, press_of(case, before))
    assert answer.code == case.code
    assert (await kept_of(house, table)).match == before.match
    told = plain(answer.notice, ENGLISH)
    assert told.endswith((".", "!"))
    assert case.code not in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_reason_has_its_own_sentence(language: str) -> None:
    codes = {case.code for case in CASES}
    told = [plain(words_for(language).say(f"refused.{code}", most=2, turn="Can"), ENGLISH) for code in codes]
    assert len({*told}) == len(codes)
    assert not any("refused." in each for each in told)


async def test_a_press_of_a_turn_or_a_round_that_is_over_is_told_so(house: House) -> None:
    table = await set_up(house, Case("", "", called=False))
    kept = await kept_of(house, table)
    presses = [press_of(Case("", each), kept) for each in ("declare", "call", PAIR)]
    await change_round(house, table, lambda round: replace(round, turns=round.turns + 1))
    after = await kept_of(house, table)
    for press in presses:
        assert (await house.press(ADA, press)).code == "old_button", press
    assert (await kept_of(house, table)).match == after.match


def press_of(case: Case, table: Table) -> str:
    verb, _, named = case.press.partition(":")
    moment = table.turn_number if verb == "call" else table.moment
    if verb == "put_down":
        named = "".join(ascii_letters[tile] for tile in tiles_from_text(named))
    return callback_text(verb, table.id, moment, *filter(None, (named,)))


async def set_up(house: House, case: Case) -> str:
    """A table in the middle of a round, as the case has it."""
    table = await laid_out(
        house,
        *PEOPLE,
        rack=RACK,
        others=OTHERS,
        melds=RUN,
        opened={1: "melds"} | ({} if case.opened is None else {0: case.opened}),
        phase="discard" if case.drawn else "draw",
        pile="R3",
        rules=case.rules,
    )

    def as_in_the_case(round: Round) -> Round:
        board = replace(
            round.board,
            declared=(0,) if case.declared else (),
            call_open=not case.called,
            added=case.laid_off,
        )
        return replace(round, board=board)

    await change_round(house, table, as_in_the_case)
    return table


async def change_round(house: House, table: str, change: Callable[[Round], Round]) -> None:
    def act(stored: StoredTable) -> Change:
        held = stored.value
        assert held.match.round is not None
        return Change(structs.replace(held, match=replace(held.match, round=change(held.match.round))))

    await house.app.repository.change(table, None, act)  # type: ignore[arg-type]
