"""Statistics: people's figures, who leads a community, and the last matches."""

import asyncio
import time
from typing import Final

from bot.errors import Refused
from bot.handlers.declarations import button, command
from bot.handlers.request import RequestContext
from bot.history.archive import ARCHIVE_SECONDS
from bot.history.statistics import MONTH, WEEK, Leader, leaders, of_person
from bot.i18n import LANGUAGES, Words, folded, words_for
from bot.ports import Answer
from bot.screens.statistics import history_page, leaderboards, own_figures
from bot.tables.played import Dated

LEADERS_MOST: Final = 5
_PERIODS: Final = {"week": WEEK, "month": MONTH}


@command("stats", audience="everybody", order=120)
async def _statistics(context: RequestContext) -> Answer:
    """Who leads where it is typed; in private, or with `me`, a person's own figures."""
    if context.place is None or _means_themselves(context.text):
        return await _own_figures(context, turns=False)
    matches = await context.services.history.matches_at(context.place)
    boards = await asyncio.to_thread(_boards, matches, time.time())
    if not any(board for _, board in boards):
        raise Refused("no_stats")
    return Answer(page=leaderboards(boards, context.words))


@command("history", audience="everybody", order=130)
async def _history(context: RequestContext) -> Answer:
    """The last matches where it is typed; in private, or with `me`, a person's own."""
    if context.place is None or _means_themselves(context.text):
        return await _own_history(context, turns=False)
    return _page(await context.services.history.matches_at(context.place), context.words, turns=False)


@button("stats")
async def _turn_statistics(context: RequestContext) -> Answer:
    """Always about whoever presses."""
    return await _own_figures(context, turns=True)


@button("history")
async def _turn_history(context: RequestContext) -> Answer:
    """Always about whoever presses."""
    return await _own_history(context, turns=True)


async def _own_figures(context: RequestContext, *, turns: bool) -> Answer:
    accounts = _accounts_of(context)
    matches = await context.services.history.matches(*accounts)
    standings = await asyncio.to_thread(of_person, accounts, matches)
    if not standings.games:
        raise Refused("no_stats")
    return Answer(page=own_figures(standings, context.words, turns=turns))


async def _own_history(context: RequestContext, *, turns: bool) -> Answer:
    matches = await context.services.history.matches(*_accounts_of(context))
    return _page(matches, context.words, turns=turns)


def _accounts_of(context: RequestContext) -> tuple[str, ...]:
    return (context.by.key,) if context.other is None else (context.by.key, context.other)


def _boards(matches: list[Dated], now: float) -> list[tuple[str, list[Leader]]]:
    since = {name: now - seconds for name, seconds in _PERIODS.items()} | {"ever": 0.0}
    return [(name, leaders(matches, begin, LEADERS_MOST)) for name, begin in since.items()]


def _means_themselves(argument: str) -> bool:
    return folded(argument) in {folded(words_for(language).plain("stats.me")) for language in LANGUAGES}


def _page(matches: list[Dated], words: Words, *, turns: bool) -> Answer:
    if not matches:
        raise Refused("no_matches")
    return Answer(page=history_page(matches, time.time() - ARCHIVE_SECONDS, words, turns=turns))
