"""Leaving: somebody who has left a group or server, or was thrown out, loses the seats that they had there.

The platform reports it, or their chat says so when they act from elsewhere. Their seat goes as when the host
removes somebody: in a lobby it becomes free, in a match a computer player takes it for good. They may sit
down at a later table once they can read its place again.
"""

from contextlib import suppress
from functools import partial

from bot.errors import Refused
from bot.handlers.services import Services
from bot.league.model import League
from bot.league.timers import sign_off
from bot.repository.tables import StoredTable
from bot.tables import membership
from bot.tables.table import Change, Table


async def note_left(services: Services, person: str, place: str) -> None:
    """Take the seats of a person who has left the community of a place, at tables of which they can read no
    other place, and withdraw them from the nights of its leagues. Raises StoreUnavailable, RetryAfter."""
    whole = await services.communities.whole(place)
    for account in filter(None, (person, await services.accounts.other(person))):
        services.permissions.readers.forget(account)
        for place in await services.store.subscriptions.find_places(account):
            if await services.communities.whole(place) == whole:
                await services.store.subscriptions.remove(account, place)
        for table in await services.store.index.tables_of(account):
            stored = await services.tables.load(table)
            if stored is not None and await services.permissions.admission.list_shown_in(stored, whole):
                await _leave_table(services, account, stored)
    for league in await services.leagues.of_person(person):
        wholes = [await services.communities.whole(each) for each in league.places]
        if whole in wholes:
            await _leave_league(services, person, league)


async def _leave_table(services: Services, person: str, stored: StoredTable) -> None:
    places = places_of(stored.value)
    if depends_on_reading(stored.value, person) and await services.permissions.readers.has_left(
        person, places
    ):
        await lose_seat(services, person, stored)


async def _leave_league(services: Services, person: str, league: League) -> None:
    """Withdraw a member from the nights of a league, unless the organisers have put them on its list."""
    member = league.member_of(person)
    if (
        member is None
        or member.listed
        or not await services.permissions.readers.has_left(person, league.places)
    ):
        return
    away = partial(sign_off, nobody={member.id})
    for night in await services.leagues.nights(league):
        with suppress(Refused):  # it ended meanwhile
            await services.leagues.act(night.id, None, away, by=member.id)


def places_of(table: Table) -> tuple[str, ...]:
    """Return the places of a table, and those in which its rooms were opened."""
    return tuple(dict.fromkeys((*table.places, *table.postings.rooms.values())))


def depends_on_reading(table: Table, person: str) -> bool:
    """Return whether a person keeps their seat only while they can read one of the table's places: not where
    they came by an invitation, and not at a league's table, whose night says who plays."""
    seat = table.seat_of(person)
    if seat is None or table.is_over or table.night is not None or not table.places:
        return False
    return not table.seats[seat].guest


async def lose_seat(services: Services, person: str, stored: StoredTable) -> None:
    """Take a person's seat at a table, whose places they can no longer read."""

    def act(now: StoredTable) -> Change | None:
        if not depends_on_reading(now.value, person):
            return None
        return membership.let_go(now.value, person, services.dealing.delays)

    await services.tables.change_if_there(stored.value.id, None, act)
