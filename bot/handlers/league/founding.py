"""Founding a league: a draft that outlives a restart, pages to set it, and one commit at the end."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from typing import Final

from bot.errors import Refused
from bot.handlers.defaults import Defaults, rules_of
from bot.handlers.request import RequestContext
from bot.i18n import Words
from bot.ids import LeagueId
from bot.league.founding import LISTS, NAMED, OPTIONS, LeagueDraft, changed, founded, schedule_of, toggled
from bot.league.local_time import instant
from bot.league.model import Format, League
from bot.markup import Page
from bot.people.codes import fresh_code
from bot.people.leagues import Leagues
from bot.people.permissions import Organisers
from bot.ports import Answer, TypedCommand
from bot.screens.league.settings import (
    GROUPS,
    day_page,
    every_page,
    founded_page,
    game_page,
    group_page,
    option_page,
    summary_page,
    time_page,
    zone_page,
)
from bot.store import Store
from bot.store.codec import Codec
from engine.rules import Rules, switches_of

FOUNDING: Final = frozenset({"league_draft", "league_choose", "league_found", "league_drop"})
"""The buttons of the dialogue."""

DRAFT_SECONDS: Final = 7 * 24 * 3600.0
"""A draft on which nobody works is forgotten after so long."""

ZONES: Final = {"tr": "Europe/Istanbul", "de": "Europe/Berlin", "ko": "Asia/Seoul"}
"""Where most who speak a language live; others say where they do."""

_SEATS: Final = 4
_ID_LENGTH: Final = 5
_SETTING: Final = re.compile(r"(?:^|\s)([^\s=]+)=")
_GAME: Final = frozenset(field.name for field in fields(Rules))
_DRAFTS: Final = Codec(LeagueDraft, 1)


@dataclass(frozen=True, slots=True)
class Founding:
    """The handlers of `league new` and of its pages' buttons. Refusals are raised as Refused."""

    store: Store
    leagues: Leagues
    organisers: Organisers
    defaults: Defaults

    async def command(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """Begin a draft, or go on with one: `name=… start=… zone=…` in any order.

        A draft belongs to a person and to the place where he began it. Refused: `here_only`,
        `organisers_only`, `no_draft`, `bad_league_line`, or as `changed` does.
        """
        draft = await self._continued(typed) if argument else None
        draft = draft or await self._begun(typed, words)
        await self.organisers.check(typed.by.key, draft.place)
        now = self.leagues.clock()
        for option, text in named(argument):
            draft = await self._changed(draft, option, text, now)
        await self._keep(typed.by.key, draft)
        return Answer(page=self._page(draft, "summary" if draft.start else "day", words, turns=False))

    async def press(self, context: RequestContext, press_id: str) -> Answer:
        """Carry out one of the buttons of `FOUNDING`. Refused: `no_draft`, or as `command`."""
        draft = await self._of(context.by.key)
        if draft is None or draft.league != context.request.table:
            return await self._gone(context)
        match context.request.verb:
            case "league_drop":
                await self.store.drop_token(_name(context.by.key))
                return Answer(page=Page(text=context.words.say("league.draft.dropped"), turns=True))
            case "league_found":
                return await self._found(context, draft, press_id)
            case "league_choose":
                return await self._chosen(context, draft)
        return Answer(page=self._page(draft, context.argument(), context.words, turns=True))

    async def _found(self, context: RequestContext, draft: LeagueDraft, press_id: str) -> Answer:
        """One commit; then the draft goes. Founding it once more finds the same league."""
        await self.organisers.check(context.by.key, draft.place)
        if not draft.start:
            raise Refused("no_start")
        community = await self.defaults.setting.communities.whole(draft.place)
        league = founded(draft, community, self.leagues.clock())
        await self.leagues.found(league, f"{context.by.key} {press_id}")
        await self.store.drop_token(_name(context.by.key))
        return _told(league, context.words)

    async def _gone(self, context: RequestContext) -> Answer:
        """A draft is gone when it has become a league, or is old. Raises Refused `no_draft`."""
        try:
            league = await self.leagues.load(context.league)
        except Refused:
            raise Refused("no_draft") from None
        if context.request.verb != "league_found":
            raise Refused("no_draft")
        return _told(league, context.words)

    async def _chosen(self, context: RequestContext, draft: LeagueDraft) -> Answer:
        option, word = context.argument(0), context.argument(1)
        text = toggled(draft.format, option, word) if option in LISTS else word
        draft = await self._changed(draft, option, text, self.leagues.clock())
        await self._keep(context.by.key, draft)
        return Answer(page=self._page(draft, _after(option), context.words, turns=True))

    async def _changed(self, draft: LeagueDraft, option: str, text: str, now: float) -> LeagueDraft:
        if option != "game":
            return changed(draft, option, text, now)
        rules = rules_of(text, draft.format.rules)
        return replace(draft, format=replace(draft.format, rules=_switches(rules)))

    def _page(self, draft: LeagueDraft, page: str, words: Words, *, turns: bool) -> Page:
        """A page of the dialogue by its name. Raises Refused `unknown_button`."""
        now = self.leagues.clock()
        if page == "day":
            return day_page(draft, words, turns=turns)
        if page == "summary":
            return summary_page(draft, schedule_of(draft, now), words, turns=turns)
        if page == "every":
            return every_page(draft, schedule_of(draft, now), words)
        if page in GROUPS:
            return group_page(draft, page, words)
        if page in OPTIONS:
            return option_page(draft, page, words)
        if page in _PAGES:
            return _PAGES[page](draft, words)
        raise Refused("unknown_button")

    async def _begun(self, typed: TypedCommand, words: Words) -> LeagueDraft:
        if typed.place is None:
            raise Refused("here_only")
        rules = await self.defaults.rules(typed.place)
        return LeagueDraft(
            league=LeagueId(fresh_code(_ID_LENGTH).lower()),
            place=typed.place,
            language=words.language,
            name=words.plain("league.draft.name"),
            zone=ZONES.get(words.language, "UTC"),
            format=Format(rules=_switches(rules), turn_seconds=await self.defaults.clock(typed.place)),
        )

    async def _continued(self, typed: TypedCommand) -> LeagueDraft | None:
        """The draft on which he works here; in private, wherever he began it."""
        draft = await self._of(typed.by.key)
        return draft if draft is not None and typed.place in (None, draft.place) else None

    async def _of(self, person: str) -> LeagueDraft | None:
        kept = await self.store.look_at_token(_name(person))
        return None if kept is None else _DRAFTS.decode(kept)

    async def _keep(self, person: str, draft: LeagueDraft) -> None:
        await self.store.put_token(_name(person), _DRAFTS.encode(draft), DRAFT_SECONDS, owner=person)


_PAGES: Final[Mapping[str, Callable[[LeagueDraft, Words], Page]]] = {
    "time": time_page,
    "zone": zone_page,
    "game": game_page,
}


def named(argument: str) -> list[tuple[str, str]]:
    """The settings of a line: `name=Thursday League start=2026-03-05 20:00`, a value may have blanks. What
    names a switch of the game belongs to the game. The zone comes first: a start is read in it.

    Raises Refused `bad_league_line` for anything else.
    """
    if not argument:
        return []
    found = list(_SETTING.finditer(argument))
    if not found or argument[: found[0].start()].strip():
        raise Refused("bad_league_line")
    ends = [*(each.start() for each in found[1:]), len(argument)]
    settings = []
    for each, end in zip(found, ends, strict=True):
        option, text = each[1].lower(), argument[each.end() : end].strip()
        of_game = option not in NAMED and option in _GAME
        settings.append(("game", f"{option}={text}") if of_game else (option, text))
    return sorted(settings, key=lambda each: each[0] != "zone")


def _told(league: League, words: Words) -> Answer:
    """That the league is there, and when it meets."""
    start = instant(league.schedule.start, league.schedule.zone)
    when = words.moment(start, league.schedule.zone)
    return Answer(page=founded_page(league, when, words))


def _after(option: str) -> str:
    """The page that follows a choice."""
    if option == "day":
        return "time"
    if option in LISTS:
        return option
    return next((group for group, options in GROUPS.items() if option in options), "summary")


def _switches(rules: Rules) -> dict[str, object]:
    """The switches of a league's matches: its tables have four seats."""
    return switches_of(replace(rules, players=_SEATS))


def _name(person: str) -> str:
    return "league draft " + blake2b(person.encode(), digest_size=16).hexdigest()
