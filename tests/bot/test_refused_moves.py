"""Moves of RULES 9 that are not allowed: each press is answered by a sentence that says why, and changes
nothing."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest

from bot.i18n import LANGUAGES, plain, words_for
from bot.repository.tables import StoredTable
from bot.tables.table import Change, Table
from engine.state import Round
from tests.bot.house import House
from tests.bot.refused_moves import CASES, PAIR, PEOPLE, Case, laid_for, press_of, with_round
from tests.bot.router_101 import ADA, kept_of

ENGLISH: Final = words_for("en")


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
    await change(house, table, lambda table: with_round(table, one_turn_later))
    after = await kept_of(house, table)
    for press in presses:
        assert (await house.press(ADA, press)).code == "old_button", press
    assert (await kept_of(house, table)).match == after.match


def one_turn_later(round: Round) -> Round:
    return replace(round, turns=round.turns + 1)


async def set_up(house: House, case: Case) -> str:
    table = await house.open(*PEOPLE, words=f"{case.rules} {len(PEOPLE)}")
    await house.press(PEOPLE[0], f"start.{table}.0", private=False)
    await change(house, table, lambda held: laid_for(case, held))
    return table


async def change(house: House, table: str, how: Callable[[Table], Table]) -> None:
    def act(stored: StoredTable) -> Change:
        return Change(how(stored.value))

    await house.app.tables.change(table, None, act)  # type: ignore[arg-type]
