"""What people ask about the past: their figures, who leads a community, and the last matches."""

import asyncio
import time
from dataclasses import dataclass
from typing import Final

from bot.errors import Refused
from bot.handlers.request import RequestContext
from bot.history.archive import ARCHIVE_SECONDS
from bot.history.matches import MatchHistory
from bot.history.played import Dated
from bot.history.statistics import MONTH, WEEK, Leader, leaders, of_person
from bot.i18n import LANGUAGES, Words, folded, words_for
from bot.people.accounts import Accounts
from bot.ports import Answer, TypedCommand
from bot.screens.statistics import history_page, leaderboards, own_figures

LOOKING_BACK: Final = frozenset({"stats", "history"})
"""The buttons of these leaflets: always about whoever presses them."""

LEADERS_MOST: Final = 5
_PERIODS: Final = {"week": WEEK, "month": MONTH}


@dataclass(frozen=True, slots=True)
class LookingBack:
    """Answers with figures and histories. Refusals are raised as Refused."""

    history: MatchHistory
    accounts: Accounts

    async def stats(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """Who leads where it is typed; in private, or with `me`, a person's own figures."""
        if typed.place is None or _means_himself(argument):
            return await self._own_figures(typed.by.key, words, turns=False)
        matches = await self.history.matches_at(typed.place)
        boards = await asyncio.to_thread(_boards, matches, time.time())
        if not any(board for _, board in boards):
            raise Refused("no_stats")
        return Answer(page=leaderboards(boards, words))

    async def matches(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """The last matches where it is typed; in private, or with `me`, a person's own."""
        if typed.place is None or _means_himself(argument):
            return await self._own_history(typed.by.key, words, turns=False)
        matches = await self.history.matches_at(typed.place)
        return _page(matches, words, turns=False)

    async def press(self, context: RequestContext) -> Answer:
        """Carry out one of the buttons of `LOOKING_BACK`."""
        if context.request.verb == "stats":
            return await self._own_figures(context.by.key, context.words, turns=True)
        return await self._own_history(context.by.key, context.words, turns=True)

    async def _own_figures(self, person: str, words: Words, *, turns: bool) -> Answer:
        accounts = await self._accounts_of(person)
        matches = await self.history.matches(*accounts)
        standings = await asyncio.to_thread(of_person, accounts, matches)
        if not standings.games:
            raise Refused("no_stats")
        return Answer(page=own_figures(standings, words, turns=turns))

    async def _own_history(self, person: str, words: Words, *, turns: bool) -> Answer:
        return _page(await self.history.matches(*await self._accounts_of(person)), words, turns=turns)

    async def _accounts_of(self, person: str) -> tuple[str, ...]:
        other = await self.accounts.other(person)
        return (person,) if other is None else (person, other)


def _boards(matches: list[Dated], now: float) -> list[tuple[str, list[Leader]]]:
    since = {name: now - seconds for name, seconds in _PERIODS.items()} | {"ever": 0.0}
    return [(name, leaders(matches, begin, LEADERS_MOST)) for name, begin in since.items()]


def _means_himself(argument: str) -> bool:
    return folded(argument) in {folded(words_for(language).plain("stats.me")) for language in LANGUAGES}


def _page(matches: list[Dated], words: Words, *, turns: bool) -> Answer:
    if not matches:
        raise Refused("no_matches")
    return Answer(page=history_page(matches, time.time() - ARCHIVE_SECONDS, words, turns=turns))
