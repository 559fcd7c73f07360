"""Community settings: a page on which organisers set everything for a community, and the same as commands.

Whether a person is an organiser is checked at each use. A page names the place in which it was asked for.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.commands import Argument
from bot.daily import set_posting
from bot.errors import Refused
from bot.handlers import community_tables
from bot.handlers.arguments import (
    BLOCKED,
    HOUR,
    LANGUAGE,
    MOST_TABLES,
    ON_OFF,
    ON_OFF_ALL,
    PERSON,
    SOME_TABLE,
    ZONE,
)
from bot.handlers.community_tables import CommunityAction
from bot.handlers.context import RequestContext
from bot.handlers.declarations import RequestHandler, RequestTarget, button, command
from bot.handlers.defaults import (
    Scope,
    clock_at,
    language_at,
    read_scope,
    rules_at,
    set_at,
    set_by,
    set_whole,
)
from bot.handlers.league.founding import likely_zones
from bot.handlers.lookup import find_at
from bot.handlers.who import ANYBODY, ORGANISER, ORGANISER_HERE
from bot.i18n import LANGUAGES, words_for
from bot.league.local_time import read_zone
from bot.markup import Name, Page, Text
from bot.people.communities import Community
from bot.people.permissions import not_of_nights
from bot.ports import Answer, CommunityRole, RetryAfter, Roles, Rooms, platform_of
from bot.screens import community as pages
from bot.screens.community import Tagged
from bot.screens.parts import full_hour, say_on
from bot.screens.rules import rules_lines
from bot.tables.clocks import read_clock
from bot.tables.names import clean_name
from engine.rules import PRESETS, rules_from, switches_of

_PLACE: Final = re.compile(r"[a-z]+:[-\w]+(/[-\w]+)?", re.ASCII)

_TABLES_LIMIT: Final = 1000


async def _place(context: RequestContext) -> str:
    if not _PLACE.fullmatch(context.data.target):
        raise Refused("unknown_button")
    return context.data.target


PLACE: Final = RequestTarget(_place)
"""The place in which a page of settings was asked for."""


def _sets_up(verb: str, *arguments: Argument, order: int) -> Callable[[RequestHandler], RequestHandler]:
    return command(
        verb,
        who=ORGANISER_HERE,
        audience="organisers",
        order=order,
        group="organise",
        arguments=arguments,
        in_place=True,
    )


@_sets_up("organise", order=10)
@_sets_up("language", LANGUAGE, order=50)
@_sets_up("rooms", ON_OFF, order=51)
@_sets_up("places", ON_OFF_ALL, order=52)
@_sets_up("tables", MOST_TABLES, order=53)
@_sets_up("dailyhour", HOUR, ZONE, order=54)
@_sets_up("block", PERSON, order=60)
@_sets_up("unblock", BLOCKED, order=61)
@_sets_up("close", SOME_TABLE, order=62)
@_sets_up("evict", SOME_TABLE, order=63)
async def _organise(context: RequestContext) -> Answer:
    """Show the page. Words such as `language de`, `rooms on`, `tables 5`, `places off` or `block Ada` are
    carried out first, for the whole community."""
    (_, named), place = read_scope(context), context.here
    if not named:
        return Answer(page=await _page(context, place, turns=False))
    if context.verb in _TYPED:
        await _TYPED[context.verb](context, place, named)
    return await _confirm(context, place, context.verb, turns=False)


@command("anonymous", who=ANYBODY, in_place=True)
async def _anonymous(context: RequestContext) -> Answer:
    """Answer a command given in the name of a group: what to do instead, in the group's language."""
    settings = await context.services.communities.around(context.here)
    stored = await find_at(context, context.here)  # they have no language of their own
    spoken = context.words if stored is None else words_for(stored.value.language_at(context.here))
    return Answer(notice=words_for(language_at(settings, spoken)).say("notice.anonymous"))


@button(pages.VERB, on=PLACE, who=ORGANISER)
async def _press(context: RequestContext, place: str) -> Answer:
    """Carry out a button of the page. Its action follows the place."""
    what = context.argument(0)
    if what in _PAGES:
        return Answer(page=await _PAGES[what](context, place))
    if what not in _PRESSED:
        raise Refused("unknown_button")
    await _PRESSED[what](context, place, context.argument(1))
    return await _confirm(context, place, what, turns=True)


async def _confirm(context: RequestContext, place: str, what: str, *, turns: bool) -> Answer:
    told = await _tell_rooms(context, place) if what == "rooms" else context.words.say("notice.organised")
    return Answer(notice=told, page=await _page(context, place, turns=turns))


async def _main(context: RequestContext, place: str) -> Page:
    return await _page(context, place, turns=True)


async def _games(context: RequestContext, place: str) -> Page:
    return pages.games_page(place, context.words)


async def _clocks(context: RequestContext, place: str) -> Page:
    settings = await context.services.communities.around(place)
    return pages.clocks_page(place, clock_at(settings, context.services), context.words)


async def _languages(context: RequestContext, place: str) -> Page:
    settings = await context.services.communities.around(place)
    return pages.languages_page(place, settings.nearest(lambda each: each.language), context.words)


async def _mosts(context: RequestContext, place: str) -> Page:
    settings = await context.services.communities.around(place)
    return pages.most_page(place, settings.community.tables_most, context.words)


async def _hours(context: RequestContext, place: str) -> Page:
    board = await context.services.daily.of(await context.services.communities.whole(place))
    return pages.hours_page(place, board, context.words)


async def _roles(context: RequestContext, place: str) -> Page:
    roles, now = await _callable_roles(context, place), await _role_now(context, place)
    named = [Tagged(clean_name(each.name), pages.short_tag(each.key)) for each in roles]
    return pages.roles_page(place, named, now and pages.short_tag(now), context.words)


async def _callable_roles(context: RequestContext, place: str) -> Sequence[CommunityRole]:
    """Return the roles that may be mentioned in a place. Refused: `cannot_ask`."""
    chat = context.services.people.chat_of(place)
    if not isinstance(chat, Roles):
        return ()
    try:
        return await chat.list_callable_roles(place)
    except RetryAfter:
        raise Refused("cannot_ask") from None


async def _role_now(context: RequestContext, place: str) -> str:
    return (await context.services.communities.around(place)).nearest(lambda each: each.role)


_PAGES: Final[Mapping[str, Callable[[RequestContext, str], Awaitable[Page]]]] = {
    "main": _main,
    "games": _games,
    "clocks": _clocks,
    "langs": _languages,
    "mosts": _mosts,
    "hours": _hours,
    "roles": _roles,
    "people": community_tables.people_page,
    "tables": community_tables.tables_page,
}
"""The pages that the buttons open."""


async def _tell_rooms(context: RequestContext, place: str) -> Text:
    """Return the effect of the setting: whether rooms are opened, and which rights the bot lacks for it."""
    services, words = context.services, context.words
    chat, settings = services.people.chat_of(place), await services.communities.around(place)
    if chat is None or not settings.nearest(lambda each: each.rooms):
        return words.say("notice.organised")
    lacks = await chat.lacks_for_rooms(place) if isinstance(chat, Rooms) else None
    if lacks is None:
        return say_on(platform_of(place), "organise.no_rooms", words)
    if lacks:
        return say_on(platform_of(place), "organise.rooms_lack", words, permissions=", ".join(lacks))
    return words.say("notice.organised")


async def _page(context: RequestContext, place: str, *, turns: bool) -> Page:
    services, words = context.services, context.words
    settings = await services.communities.around(place)
    whole, tables = settings.community, await services.permissions.admission.open_tables(place)
    opened = len(not_of_nights(tables))
    facts = pages.CommunityFacts(
        place=place,
        rules=rules_lines(rules_at(settings), words),
        turn_seconds=clock_at(settings, services),
        language=settings.nearest(lambda each: each.language),
        rooms=bool(settings.nearest(lambda each: each.rooms)),
        shared=settings.shares,
        where=services.permissions.admission.ways_to(whole.places),
        here=place in whole.places,
        tables=opened,
        of_nights=len(tables) - opened,
        tables_most=whole.tables_most,
        daily=await _tell_daily(context, place),
        role=await _tell_role(context, place),
        blocked=[each.name for each in whole.blocked],
        set_by=[words.say("notice.set_by", who=Name(whole.set_by))]
        if whole.set_by
        else set_by(settings, words),
    )
    return pages.settings_page(facts, words, turns=turns)


async def _tell_daily(context: RequestContext, place: str) -> Text:
    services, words = context.services, context.words
    board = await services.daily.of(await services.communities.whole(place))
    if not board.place:
        return words.say("organise.hour_off")
    where = services.permissions.admission.ways_to((board.place,))
    return words.say("organise.hour_on", where=where, hour=full_hour(board.hour), zone=board.zone)


async def _tell_role(context: RequestContext, place: str) -> Text:
    words, role = context.words, await _role_now(context, place)
    if not isinstance(context.services.people.chat_of(place), Roles):
        return ()
    if not role:
        return words.say("organise.role_off")
    names = [each.name for each in await _callable_roles(context, place) if each.key == role]
    if not names:
        return words.say("organise.role_lacks")
    return words.say("organise.role_on", name=Name(clean_name(names[0])))


def _sets(read: Callable[[str], dict[str, object]]) -> CommunityAction:
    """Make an action that sets something for the whole community, as read from the typed or pressed text."""

    async def action(context: RequestContext, place: str, text: str) -> None:
        await set_at(context, Scope(place, everywhere=True), **read(text))

    return action


def _language(text: str) -> dict[str, object]:
    if text not in (*LANGUAGES, "off"):
        raise Refused("bad_setting")
    return {"language": "" if text == "off" else text}


async def _speak(context: RequestContext, place: str, text: str) -> None:
    """Set the community's language, also for tables that are open; `off`: that of whoever opens the next."""
    await set_at(context, Scope(place, everywhere=True), **_language(text))
    if text != "off":
        await community_tables.speak(context, place, text)


def _rooms(text: str) -> dict[str, object]:
    if text not in ("on", "off"):
        raise Refused("bad_setting")
    return {"rooms": text == "on"}


def _most(text: str) -> dict[str, object]:
    most = 0 if text == "off" else int(text) if re.fullmatch("[0-9]{1,4}", text) else -1
    if not 0 <= most <= _TABLES_LIMIT:
        raise Refused("bad_setting")
    return {"tables_most": most}


def _game(tag: str) -> dict[str, object]:
    preset = next((each for each in PRESETS if pages.short_tag(each) == tag), None)
    if preset is None:
        raise Refused("unknown_button")
    return {"rules": switches_of(rules_from({"preset": preset}))}


async def _name_role(context: RequestContext, place: str, tag: str) -> None:
    """Have a role mentioned when a table looks for players; `off`: none."""
    roles = [each.key for each in await _callable_roles(context, place)]
    named = [""] if tag == "off" else [each for each in roles if pages.short_tag(each) == tag]
    if not named:
        raise Refused("unknown_button")
    await set_at(context, Scope(place, everywhere=True), role=named[0])


async def _allow(context: RequestContext, place: str, word: str) -> None:
    """Allow tables in this place, or no longer; with `all`, allow them everywhere again."""
    if word not in ("on", "off", "all"):
        raise Refused("bad_setting")

    def change(now: Community) -> Community:
        others = () if word == "all" else tuple(each for each in now.places if each != place)
        return replace(now, places=(*others, place) if word == "on" else others)

    await set_whole(context, place, change)


async def _allow_here(context: RequestContext, place: str, on: str) -> None:
    await _allow(context, place, "on" if on == "1" else "off")


async def _post_daily(context: RequestContext, place: str, text: str) -> None:
    """Post each day's rack in this place from now on, at `18` or `18 Europe/Berlin`; `off`: nowhere. An hour
    alone keeps the zone."""
    said, _, zone = text.partition(" ")
    if said != "off" and not re.fullmatch("[01]?[0-9]|2[0-3]", said):
        raise Refused("bad_setting")
    services, on = context.services, said != "off"
    named = read_zone(zone) if zone else ""
    likely = next(iter(await likely_zones(context, place)))
    await services.daily.update(
        await services.communities.whole(place),
        lambda board, now: set_posting(
            board,
            place if on else "",
            int(said) if on else 0,
            named or (board.zone if board.since else likely),
            context.words.language,
            now,
        ),
    )


_TYPED: Final[Mapping[str, CommunityAction]] = {
    "language": _speak,
    "rooms": _sets(_rooms),
    "tables": _sets(_most),
    "places": _allow,
    "dailyhour": _post_daily,
    **community_tables.TYPED,
}
"""The actions of the commands, by verb."""

_PRESSED: Final[Mapping[str, CommunityAction]] = {
    "lang": _speak,
    "rooms": _sets(lambda on: {"rooms": on == "1"}),
    "share": _sets(lambda on: {"invitations": on == "1"}),
    "most": _sets(_most),
    "clock": _sets(lambda text: {"turn_seconds": read_clock(text)}),
    "game": _sets(_game),
    "here": _allow_here,
    "hour": _post_daily,
    "role": _name_role,
    **community_tables.PRESSED,
}
"""The actions of the page's buttons."""
