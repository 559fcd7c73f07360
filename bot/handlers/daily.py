"""The daily rack: everybody answers the day's puzzle once, and sees their community's results."""

import asyncio
import re
from dataclasses import replace
from typing import Final

from bot.daily import DailyStanding, day_of, is_open, week_table, with_answer, with_result
from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.handlers.declarations import button, command
from bot.handlers.who import ANYBODY
from bot.ports import Answer
from bot.screens.daily import DailyFacts, daily_page, daily_puzzle
from bot.tables.names import clean_name

_DAY: Final = re.compile(r"[0-9]{6}", re.ASCII)


@command("daily", who=ANYBODY, audience="everybody", order=95, group="table")
async def _daily(context: RequestContext) -> Answer:
    """Show today's rack, or the person's answer. Raises as `Admission.take_part`."""
    return await _show(context, _today(context), turns=False)


@button("daily", who=ANYBODY)
async def _answer(context: RequestContext) -> Answer:
    """Record an answer. Only the first counts. Refused: `daily_over`, `unknown_button`."""
    text, today = context.argument(0), _today(context)
    if not _DAY.fullmatch(text) or not is_open(day := int(text), today):
        raise Refused("daily_over")
    puzzle, choice = await asyncio.to_thread(daily_puzzle, day), context.number(1)
    if choice >= len(puzzle.choices):
        raise Refused("unknown_button")
    right = puzzle.choices[choice] == puzzle.best
    await context.change_profile(
        lambda held: replace(held, daily=with_answer(held.daily, day, choice, right=right))
    )
    if context.profile.daily.day != day:
        raise Refused("daily_over")
    return await _show(context, day, turns=context.private)


async def _show(context: RequestContext, day: int, *, turns: bool) -> Answer:
    puzzle, record = await asyncio.to_thread(daily_puzzle, day), context.profile.daily
    week = None
    if context.place is not None and record.day == day:
        await context.services.permissions.admission.take_part(context.by.key, context.place)
        week = await _enter(context, day, right=puzzle.choices[record.choice] == puzzle.best)
    facts = DailyFacts(day=day, today=_today(context), record=record, week=week)
    page = await asyncio.to_thread(daily_page, facts, context.words, turns=turns)
    return Answer(page=page)


async def _enter(context: RequestContext, day: int, *, right: bool) -> list[DailyStanding]:
    """Enter a person, under one of their accounts, in the community's week, and return its standings."""
    services = context.services
    person, name = min(context.by.key, context.other or context.by.key), clean_name(context.by.name)
    board = await services.daily.update(
        await services.communities.whole(context.here),
        lambda board, now: with_result(board, person, name, day, right=right),
    )
    return week_table(board, day)


def _today(context: RequestContext) -> int:
    return day_of(context.services.daily.clock())
