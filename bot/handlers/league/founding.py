"""Founding a league: a draft that outlives a restart, pages to set it, and one commit at the end."""

import re
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from functools import cache
from hashlib import blake2b
from typing import Final

from bot.commands import Argument
from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.handlers.declarations import RequestTarget, button
from bot.handlers.defaults import clock_at, language_at, rules_at, rules_of
from bot.handlers.league.targets import LEAGUE_FOUNDER, declare_word
from bot.handlers.who import ANYBODY, CheckedPeople
from bot.i18n import LANGUAGES, Words, words_for
from bot.i18n.commands import bare
from bot.ids import league_id
from bot.league.founding import (
    LISTS,
    NAMED,
    OPTIONS,
    VISIBILITIES,
    LeagueDraft,
    change_setting,
    create_league,
    edit_settings,
    schedule_of,
    toggle,
    whole_of,
)
from bot.league.local_time import instant
from bot.league.members import change_member, with_member
from bot.league.model import Format, League, SettingsChanged
from bot.league.visibility import PAGE_KEY_LENGTH
from bot.markup import Page
from bot.people.codes import fresh_code
from bot.ports import Answer
from bot.repository.versioned import TRIES
from bot.screens.league.log import preview_lines
from bot.screens.league.settings import (
    GROUPS,
    day_page,
    edit_page,
    every_page,
    game_page,
    group_page,
    make_founded_page,
    option_page,
    summary_page,
    time_page,
    visibility_page,
    zone_page,
)
from bot.store.codec import Codec
from engine.rules import PRESETS, Rules, switches_of

DRAFT_SECONDS: Final = 7 * 24 * 3600.0
"""Seconds after which a draft that nobody works on is deleted."""

NEW_LEAGUE: Final = (
    *(Argument(name, form=f"{name}={{}}") for name in ("name", "start")),
    Argument("zone", "zone", form="zone={}"),
    Argument("every", form="every={}"),
    Argument("rounds", "integer", form="rounds={}", least=1, most=12),
    Argument("cap", "integer", form="cap={}", least=0, most=400),
    Argument("game", form="game={}", choices=tuple(PRESETS), said="preset.{}"),
    Argument("visibility", form="visibility={}", choices=VISIBILITIES, said="league.value.visibility.{}"),
    Argument("options"),
)

_SEATS: Final = 4
_SETTING: Final = re.compile(r"(?:^|\s)([^\s=]+)=")
_GAME: Final = frozenset(field.name for field in fields(Rules))
_DRAFTS: Final = Codec(LeagueDraft, 1)


def read_draft(kept: bytes) -> LeagueDraft | None:
    """Return the draft that these bytes are; None if they are something else."""
    return _DRAFTS.decode_known(kept)


async def _own_draft(context: RequestContext) -> LeagueDraft | None:
    kept = await context.services.store.tokens.look_at(_name(context.by.key))
    return None if kept is None else _DRAFTS.decode(kept)


async def _draft_of_button(context: RequestContext) -> LeagueDraft:
    draft = await _own_draft(context)
    if draft is None or draft.league != context.data.target:
        raise Refused("no_draft")
    return draft


async def _draft_or_league(context: RequestContext) -> LeagueDraft | League:
    draft = await _own_draft(context)
    if draft is not None and draft.league == context.data.target:
        return draft
    held = await context.services.leagues.league(context.league)
    if held is None:
        raise Refused("no_draft")
    return held.value


DRAFT: Final = RequestTarget(_draft_of_button)
"""The draft of a button. Raises Refused `no_draft`."""
DRAFT_OR_LEAGUE: Final[RequestTarget[LeagueDraft | League]] = RequestTarget(_draft_or_league)
"""A draft, or the league that was founded from it."""


async def _founds(context: RequestContext, about: LeagueDraft | League) -> None:
    if isinstance(about, League):
        await LEAGUE_FOUNDER.check(context, about)
    else:
        await context.services.permissions.organisers.check(context.by.key, about.place)


async def _founds_here(context: RequestContext, about: None) -> None:
    draft = await _own_draft(context) if context.place is None else None
    await context.services.permissions.organisers.check(
        context.by.key, context.here if draft is None else draft.place
    )


FOUNDER: Final = CheckedPeople("founder", _founds)
"""Who may found a league in the place of their draft, or organises the league that was founded from it."""
FOUNDER_HERE: Final = CheckedPeople("founder here", _founds_here)
"""Organisers of the place in which they act; in private, of the place of their draft."""


async def begin_league(context: RequestContext) -> Answer:
    """Begin a draft, or go on with one: `name=… start=… zone=…` in any order.

    A draft belongs to a person and to the place where they began it. Refused: `here_only`,
    `no_draft`, `bad_league_line`, `league_twice`, or as `changed` does.
    """
    continued = await _find_draft(context) if context.text else None
    draft = continued or await _begin(context)
    settings, now = read_settings(context.text), context.services.leagues.clock()

    def change(draft: LeagueDraft) -> LeagueDraft:
        for option, text in settings:
            draft = _change_draft(draft, option, text, now)
        return draft

    if continued is None:
        draft = change(draft)
        await keep_draft(context, draft)
    else:
        draft = await _change(context, draft, change)
    return await show_draft(context, draft, _question(draft))


declare_word("new", begin_league, who=FOUNDER_HERE, group="organise league", arguments=NEW_LEAGUE)


@button("league_draft", on=DRAFT, who=ANYBODY)
async def _show(context: RequestContext, draft: LeagueDraft) -> Answer:
    return await show_draft(context, draft, context.argument())


@button("league_choose", on=DRAFT, who=ANYBODY)
async def _choose(context: RequestContext, draft: LeagueDraft) -> Answer:
    option, word, now = context.argument(0), context.argument(1), context.services.leagues.clock()

    def change(draft: LeagueDraft) -> LeagueDraft:
        text = toggle(draft.format, option, word) if option in LISTS else word
        return _change_draft(draft, option, text, now)

    draft = await _change(context, draft, change)
    return await show_draft(context, draft, _after(option, draft))


async def _write(context: RequestContext, draft: LeagueDraft) -> Answer:
    """Change the setting of the button to what was typed. Refused as by `change_setting`."""
    option, now = context.data.verb.removeprefix("draft_"), context.services.leagues.clock()
    draft = await _change(context, draft, lambda held: _change_draft(held, option, context.text, now))
    return await show_draft(context, draft, _after(option, draft))


for _argument in NEW_LEAGUE:
    if _argument.name in ("name", "start", "zone"):
        button(f"draft_{_argument.name}", on=DRAFT, who=ANYBODY, asks=replace(_argument, required=True))(
            _write
        )


@button("league_drop", on=DRAFT, who=ANYBODY)
async def _drop(context: RequestContext, draft: LeagueDraft) -> Answer:
    await drop_draft(context)
    said = "league.draft.dropped" if draft.edits is None else "league.edit.dropped"
    return Answer(page=Page(text=context.words.say(said), turns=True))


async def drop_draft(context: RequestContext) -> None:
    """Delete the person's draft."""
    await context.services.store.tokens.drop(_name(context.by.key))


@button("league_found", on=DRAFT_OR_LEAGUE, who=FOUNDER)
async def _establish(context: RequestContext, draft: LeagueDraft | League) -> Answer:
    """Found the league in one commit, then delete the draft. Founding it once more finds the same league."""
    services = context.services
    if isinstance(draft, League):
        return _announce(draft, context.words)
    if draft.edits is not None or _question(draft) != "summary":
        return await show_draft(context, draft, _question(draft))
    community = await services.communities.whole(draft.place)
    league = create_league(draft, community, services.leagues.clock())
    league = with_member(league, context.by, context.other, anyway=True)
    league = change_member(league, next(iter(league.members)), role="founder")
    await services.leagues.create_league(league, context.action)
    await services.store.tokens.drop(_name(context.by.key))
    return _announce(league, context.words)


def _question(draft: LeagueDraft) -> str:
    """Return the page of the first open question; the summary when there is none."""
    return "summary" if draft.zone and draft.start else "day" if draft.zone else "zone"


async def show_draft(context: RequestContext, draft: LeagueDraft, page: str) -> Answer:
    now, asks = context.services.leagues.clock(), context.can_be_asked
    if page == "zone":
        likely = await likely_zones(context, draft.place)
        return Answer(page=zone_page(draft, likely, now, context.words, asks=asks))
    return Answer(page=_page(draft, page, now, context.words, asks=asks))


async def likely_zones(context: RequestContext, place: str) -> list[str]:
    """Return the zones of a place's leagues first, then those of its language and of the person's."""
    services = context.services
    leagues = await services.leagues.at_place(place, await services.communities.whole(place))
    spoken = language_at(await services.communities.around(place), context.words)
    known = (zone for words in (words_for(spoken), context.words) for zone in likely_zones_of(words))
    return [*(league.schedule.zone for league in leagues), *known]


def likely_zones_of(words: Words) -> list[str]:
    """Return the time zones in which a language is likely spoken."""
    return words.plain("league.zones").split()


def _change_draft(draft: LeagueDraft, option: str, text: str, now: float) -> LeagueDraft:
    if option != "game":
        return change_setting(draft, option, text, now)
    rules = rules_of(text, draft.format.rules)
    return replace(draft, format=replace(draft.format, rules=_switches(rules)))


def _page(draft: LeagueDraft, page: str, now: float, words: Words, *, asks: bool) -> Page:
    """Return a page of the dialogue by its name. Raises Refused `unknown_button`."""
    if page in GROUPS:
        return group_page(draft, page, words)
    if page in OPTIONS:
        return option_page(draft, page, words)
    match page:
        case "day":
            return day_page(draft, words, asks=asks)
        case "summary":
            if draft.edits is not None:
                change = SettingsChanged(0, draft.edits, edit_settings(draft, draft.edits, now))
                preview = preview_lines(change, words)
                return edit_page(draft, schedule_of(draft, now), preview, words, asks=asks)
            return summary_page(whole_of(draft, now), schedule_of(draft, now), words, asks=asks)
        case "every":
            return every_page(draft, schedule_of(draft, now), words)
        case "time":
            return time_page(draft, words, asks=asks)
        case "game":
            return game_page(draft, words)
        case "visibility":
            return visibility_page(draft, words)
    raise Refused("unknown_button")


async def _begin(context: RequestContext) -> LeagueDraft:
    settings = await context.services.communities.around(context.here)
    turn_seconds = clock_at(settings, context.services)
    return LeagueDraft(
        league=league_id(await context.services.store.secret.digest("league", context.action)),
        place=context.here,
        language=language_at(settings, context.words),
        name=context.words.plain("league.draft.name"),
        format=Format(rules=_switches(rules_at(settings)), turn_seconds=turn_seconds),
        page_key=fresh_page_key(),
    )


async def _find_draft(context: RequestContext) -> LeagueDraft | None:
    """Return the draft that they work on in this place; in private, their draft from any place."""
    draft = await _own_draft(context)
    return draft if draft is not None and context.place in (None, draft.place) else None


async def _change(
    context: RequestContext, draft: LeagueDraft, change: Callable[[LeagueDraft], LeagueDraft]
) -> LeagueDraft:
    """Change a draft as it is stored now: a press at the same moment may have changed it. Raises Refused
    `no_draft` when it is gone, `busy`, or as `change` does."""
    for _ in range(TRIES):
        kept = await context.services.store.tokens.look_at(_name(context.by.key))
        held = None if kept is None else _DRAFTS.decode(kept)
        if held is None or held.league != draft.league:
            raise Refused("no_draft")
        after = change(held)
        if await keep_draft(context, after, before=kept):
            return after
    raise Refused("busy")


async def keep_draft(context: RequestContext, draft: LeagueDraft, *, before: bytes | None = None) -> bool:
    """Store a draft of the person; only in place of `before`, if that is given. Whether it was stored."""
    state, owner = _DRAFTS.encode(draft), context.by.key
    return await context.services.store.tokens.put(
        _name(owner), state, DRAFT_SECONDS, owner=owner, before=before
    )


@cache
def _option_names() -> Mapping[str, str]:
    """Return the settings that are also a command's arguments, by their names in every language."""
    return {
        bare(words_for(language).plain(f"argument.{argument.name}")): argument.name
        for language in LANGUAGES
        for argument in NEW_LEAGUE
        if argument.form != "{}"
    }


def read_settings(argument: str) -> list[tuple[str, str]]:
    """Return the settings in a line: `name=Thursday League start=2026-03-05 20:00`. A value may contain
    blanks. The zone comes first, because a start is read in it. The game is one setting with its switches, of
    which `deals` is its `rounds`.

    Raises Refused `league_twice` for a setting that occurs twice, `bad_league_line` for anything else.
    """
    if not argument:
        return []
    found = list(_SETTING.finditer(argument))
    if not found or argument[: found[0].start()].strip():
        raise Refused("bad_league_line")
    ends = [*(each.start() for each in found[1:]), len(argument)]
    names = [_option_names().get(bare(each[1]), each[1].lower()) for each in found]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Refused("league_twice", option=twice[:32])
    settings, game = [], []
    for name, each, end in zip(names, found, ends, strict=True):
        switch = "rounds" if name == "deals" else name if name not in NAMED and name in _GAME else ""
        text = argument[each.end() : end].strip()
        if switch or name == "game":
            game.append(f"{switch}={text}" if switch else text)
        else:
            settings.append((name, text))
    settings.sort(key=lambda each: each[0] != "zone")
    return [*settings, *([("game", " ".join(game))] if game else [])]


def _announce(league: League, words: Words) -> Answer:
    """Return the answer that the league is founded, and when it meets."""
    start = instant(league.schedule.start, league.schedule.zone)
    when = words.moment(start, league.schedule.zone)
    return Answer(page=make_founded_page(league, when, words))


def _after(option: str, draft: LeagueDraft) -> str:
    """Return the page that follows a choice."""
    if option == "day":
        return "time"
    if option in ("time", "start") and draft.visibility is None:
        return "visibility"
    if option == "zone":
        return _question(draft)
    if option in LISTS:
        return option
    return next((group for group, options in GROUPS.items() if option in options), "summary")


def fresh_page_key() -> str:
    """Return random characters for the address of a league's pages."""
    return fresh_code(PAGE_KEY_LENGTH).lower()


def _switches(rules: Rules) -> dict[str, object]:
    """Return the switches of a league's matches. Its tables have four seats."""
    return switches_of(replace(rules, players=_SEATS))


def _name(person: str) -> str:
    return "league draft " + blake2b(person.encode(), digest_size=16).hexdigest()
