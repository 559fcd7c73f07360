"""Community tables: organisers close tables, send them away, and block people."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.handlers.defaults import set_whole
from bot.i18n import fold, words_for
from bot.league.model import League
from bot.league.timers import sign_off
from bot.markup import Page
from bot.people.communities import Blocked, Community
from bot.people.permissions import not_of_nights
from bot.repository.tables import StoredTable
from bot.screens import community as pages
from bot.screens.community import Tagged
from bot.tables import membership
from bot.tables import places as tables_places
from bot.tables.membership import tag
from bot.tables.names import clean_name
from bot.tables.play import Delays, stop
from bot.tables.table import Change

T = TypeVar("T")

_ACCOUNT: Final = re.compile(r"[a-z]+:[0-9]{1,20}", re.ASCII)
"""The key of a person, as a chat sends it for somebody chosen from its list of people."""

SeatedPerson = tuple[str, str]
"""A person's key and their name."""

CommunityAction = Callable[[RequestContext, str, str], Awaitable[None]]
"""An act of an organiser in the community of a place, on a person or a table. The caller has checked their
right."""

_TAG: Final = 8
"""The characters of a person's tag, enough to tell the people of one community apart."""


async def people_page(context: RequestContext, place: str) -> Page:
    """Return the people who may be blocked, and the blocked people. Nobody can block themselves."""
    whole = await context.services.communities.of_whole(place)
    blocked = [Tagged(each.name, each.tag[:_TAG]) for each in whole.blocked]
    kept_out = {each.tag for each in blocked}
    own = (context.by.key, context.other)
    seated = [Tagged(name, _short(key)) for key, name in await _people(context, place) if key not in own]
    return pages.people_page(
        place, [each for each in seated if each.tag not in kept_out], blocked, context.words
    )


async def tables_page(context: RequestContext, place: str) -> Page:
    """Return the open tables: those opened here, and those that came by an invitation."""
    opened: list[Tagged] = []
    guests: list[Tagged] = []
    everywhere = await context.services.permissions.admission.open_tables(place)
    for stored in not_of_nights(everywhere):
        at_home = await _at_home(context, stored, place)
        (opened if at_home else guests).append(Tagged(_call(stored, place), stored.value.id))
    of_nights = len(everywhere) - len(opened) - len(guests)
    return pages.tables_page(place, opened, guests, of_nights, context.words)


def _call(stored: StoredTable, place: str) -> str:
    """Return a table's number and host, which tell it apart: every place of a community numbers its own
    tables."""
    table = stored.value
    host = table.seat_of(table.host)
    return table.number_in(place) + ("" if host is None else f" · {table.seats[host].name}")


# Blocked people


async def _block_called(context: RequestContext, place: str, name: str) -> None:
    """Block a person at the community's tables by name, or anybody by an account and a name. Raises Refused
    `nobody_called`, `same_name`."""
    account, _, called = context.text.partition(" ")
    if _ACCOUNT.fullmatch(account):
        await _block(context, place, (account, clean_name(called)))
        return
    seated = [each for each in await _people(context, place) if fold(each[1]) == name]
    if not seated:
        raise Refused("nobody_called", name=name[:32])
    await _block(context, place, _only(seated))


async def _block_tagged(context: RequestContext, place: str, told: str) -> None:
    """Block the person with this tag. Raises Refused `nobody_there`."""
    seated = [each for each in await _people(context, place) if _short(each[0]) == told]
    await _block(context, place, _only(seated))


async def _block(context: RequestContext, place: str, whom: SeatedPerson) -> None:
    person, name = whom
    if person in (context.by.key, context.other):
        raise Refused("not_yourself")

    def change(now: Community) -> Community:
        others = tuple(each for each in now.blocked if each.tag != tag(person))
        return replace(now, blocked=(*others, Blocked(tag(person), name)))

    services = context.services
    await services.communities.note(person, await services.communities.whole(place))
    await set_whole(context, place, change)
    await _send_off(context, place, person)
    accounts = (person, await services.accounts.other(person))
    for account in filter(None, accounts):
        services.permissions.readers.forget(account)
    for stored in not_of_nights(await services.permissions.admission.open_tables(place)):
        seated = next((each for each in accounts if each in stored.value.people()), None)
        if seated is None:
            continue
        if await _at_home(context, stored, place):
            with suppress(Refused):  # the table ended meanwhile
                await services.tables.change(
                    stored.value.id,
                    None,
                    partial(_unseat, person=seated, delays=services.dealing.delays),
                )
        else:  # they play among others' guests: take the table away instead of spoiling it for them
            await _leave(context, stored, place)


def _unseat(stored: StoredTable, person: str, delays: Delays) -> Change | None:
    return membership.block(stored.value, person, delays)


async def _send_off(context: RequestContext, place: str, person: str) -> None:
    """Remove a person from every unfinished night of the community's leagues."""
    leagues, communities = context.services.leagues, context.services.communities
    whole = await communities.whole(place)
    for league in await leagues.of_person(person):
        if whole in [await communities.whole(each) for each in league.places]:
            await _send_off_nights(context, league, person)


async def _send_off_nights(context: RequestContext, league: League, person: str) -> None:
    member, services = league.member_of(person), context.services
    assert member is not None
    organiser = await services.leagues.organiser(league.id, context.by)
    away = partial(sign_off, nobody={member.id})
    why = words_for(league.language).plain("league.reason.blocked")
    for night in await services.leagues.nights(league):
        await services.leagues.act(night.id, None, away, by=organiser.id, why=why)


async def _unblock_called(context: RequestContext, place: str, name: str) -> None:
    """Unblock a person by name. Raises Refused `nobody_blocked`, `same_name`."""
    whole = await context.services.communities.of_whole(place)
    same = [each for each in whole.blocked if fold(each.name) == name]
    if not same:
        raise Refused("nobody_blocked", name=name[:32])
    await _unblock(context, place, _only(same).tag)


async def _unblock(context: RequestContext, place: str, told: str) -> None:
    """Unblock the person with this tag. Raises Refused `nobody_there`."""

    def change(now: Community) -> Community:
        left = tuple(each for each in now.blocked if not each.tag.startswith(told))
        if left == now.blocked:
            raise Refused("nobody_there")
        return replace(now, blocked=left)

    await set_whole(context, place, change)


# Tables


async def _close(context: RequestContext, place: str, table: str) -> None:
    """End a table that was opened in the community. Refused: `unknown_table`, `of_a_night`, `match_over`."""
    found = await _one(context, place, table)
    if not await _at_home(context, found, place):
        raise Refused("unknown_table")
    await context.services.tables.change(found.value.id, context.action, lambda stored: stop(stored.value))


async def _evict(context: RequestContext, place: str, table: str) -> None:
    """Show a table from elsewhere no longer in the community. Refused: `unknown_table`, `of_a_night`."""
    stored = await _one(context, place, table)
    if await _at_home(context, stored, place):
        raise Refused("unknown_table")
    await _leave(context, stored, place)


async def speak(context: RequestContext, place: str, language: str) -> None:
    """Have the community's open tables shown there in a language from now on. Those of nights speak the
    league's."""
    admission, communities = context.services.permissions.admission, context.services.communities
    for stored in not_of_nights(await admission.open_tables(place)):
        shown = await admission.list_shown_in(stored, await communities.whole(place))
        spoken = partial(_spoken, places=shown, language=language)
        await context.services.tables.change(stored.value.id, None, spoken)


def _spoken(stored: StoredTable, places: Sequence[str], language: str) -> Change:
    return Change(tables_places.speak(stored.value, places, language))


TYPED: Final[Mapping[str, CommunityAction]] = {
    "block": _block_called,
    "unblock": _unblock_called,
    "close": _close,
    "evict": _evict,
}
PRESSED: Final[Mapping[str, CommunityAction]] = {
    "block": _block_tagged,
    "free": _unblock,
    "stop": _close,
    "out": _evict,
}


async def _one(context: RequestContext, place: str, table: str) -> StoredTable:
    """Return a table of the community. A night's table is refused: it is handled on the night's pages, which
    record who acted and why."""
    tables = await context.services.permissions.admission.open_tables(place)
    found = [each for each in tables if table in (each.value.id, each.value.number_in(place))]
    here = [each for each in found if place in each.value.places] or found
    if not here:
        raise Refused("unknown_table")
    if here[0].value.night is not None:
        raise Refused("of_a_night")
    return here[0]


async def _at_home(context: RequestContext, stored: StoredTable, place: str) -> bool:
    """Return whether a table was opened in the community of a place."""
    whole = await context.services.communities.whole(place)
    return stored.value.places[0] in await context.services.permissions.admission.list_shown_in(stored, whole)


async def _leave(context: RequestContext, stored: StoredTable, place: str) -> None:
    whole = await context.services.communities.whole(place)
    for each in await context.services.permissions.admission.list_shown_in(stored, whole):
        await context.services.tables.leave_place(stored.value.id, each)
        await context.services.delivery.note_left_place(stored.value.id, each)


async def _people(context: RequestContext, place: str) -> list[SeatedPerson]:
    """Return the people at the community's tables."""
    seats = [
        seat
        for stored in await context.services.permissions.admission.open_tables(place)
        for seat in stored.value.seats
    ]
    return list({seat.person: seat.name for seat in seats if seat.person}.items())


def _only(found: Sequence[T]) -> T:
    """Return the only person found. Refused: `nobody_there`; `same_name` when there are several."""
    if not found:
        raise Refused("nobody_there")
    if len(found) > 1:
        raise Refused("same_name")
    return found[0]


def _short(person: str) -> str:
    return tag(person)[:_TAG]
