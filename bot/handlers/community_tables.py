"""Community tables: where tables may be opened, closing them, blocking people, and the nights that go on."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from bot.errors import Refused
from bot.handlers.defaults import Meant, Setting
from bot.handlers.request import RequestContext
from bot.i18n import Words, folded, words_for
from bot.league.model import League
from bot.league.timers import signed_off
from bot.markup import Page
from bot.people.communities import Blocked, Communities, Community
from bot.people.leagues import Leagues
from bot.people.permissions import Admission, not_of_nights
from bot.ports import Person, TypedCommand
from bot.repository.tables import StoredTable, TableRepository
from bot.screens.community import Tagged, people_page, tables_page
from bot.tables import membership
from bot.tables.membership import tag
from bot.tables.play import Delays, stopped
from bot.tables.table import Change


@dataclass(frozen=True, slots=True)
class OrganisingNights:
    """What organisers of a community do to the nights of the leagues that meet there."""

    leagues: Leagues
    communities: Communities

    async def send_away(self, by: Person, place: str, person: str) -> None:
        """A person goes from every night of the community's leagues that is not over, and comes to none."""
        whole = await self.communities.whole(place)
        for league in await self.leagues.of_person(person):
            if whole in [await self.communities.whole(each) for each in league.places]:
                await self._out_of(league, person, by)

    async def _out_of(self, league: League, person: str, by: Person) -> None:
        member = league.member_of(person)
        assert member is not None
        organiser = await self.leagues.organiser(league.id, by)
        away = partial(signed_off, nobody={member.id})
        why = words_for(league.language).plain("league.reason.blocked")
        for night in await self.leagues.nights(league.id):
            await self.leagues.act(night.id, None, away, by=organiser.id, why=why)


T = TypeVar("T")

Seated = tuple[str, str]
"""A person's key and his name."""

_TAG = 8
"""Letters of a person's tag: enough among those of one community."""


@dataclass(frozen=True, slots=True)
class OrganisingTables:
    """What organisers do to a community's tables. Who asks has been found to run the place."""

    setting: Setting
    admission: Admission
    repository: TableRepository
    nights: OrganisingNights
    delays: Delays

    async def press(self, context: RequestContext, place: str, what: str, press_id: str) -> None:
        """Carry out a button. Refused: `unknown_button`, `nobody_there`, and as by `stop`."""
        told = context.argument(1)
        match what:
            case "block":
                seated = [each for each in await self._people(place) if _short(each[0]) == told]
                await self._block(context.by, place, _only(seated))
            case "free":
                await self._free(context.by, place, told)
            case "stop":
                await self.stop(place, told, f"{context.by.key} {press_id}")
            case "out":
                await self.send_away(place, told)
            case _:
                raise Refused("unknown_button")

    async def people_page(self, place: str, words: Words) -> Page:
        """Who may be blocked, and who is."""
        whole = await self.setting.communities.of_whole(place)
        kept_out = {each.tag[:_TAG] for each in whole.blocked}
        seated = [Tagged(name, _short(person)) for person, name in await self._people(place)]
        blocked = [Tagged(each.name, each.tag[:_TAG]) for each in whole.blocked]
        return people_page(place, [each for each in seated if each.tag not in kept_out], blocked, words)

    async def tables_page(self, place: str, words: Words) -> Page:
        """The open tables: those that were opened here, and those that came by an invitation."""
        opened: list[Tagged] = []
        guests: list[Tagged] = []
        everywhere = await self.admission.tables(place)
        for stored in not_of_nights(everywhere):
            at_home = await self._at_home(stored, place)
            (opened if at_home else guests).append(Tagged(stored.value.id.upper(), stored.value.id))
        of_nights = len(everywhere) - len(opened) - len(guests)
        return tables_page(place, opened, guests, of_nights, words)

    async def command(self, typed: TypedCommand, meant: Meant, verb: str) -> None:
        """`block Ada`, `unblock Ada`, `close K7X`, `evict K7X`. Raises as `press`, and `same_name`,
        `nobody_called`, `nobody_blocked`."""
        match verb:
            case "block":
                seated = [each for each in await self._people(meant.place) if folded(each[1]) == meant.rest]
                if not seated:
                    raise Refused("nobody_called", name=meant.rest[:32])
                await self._block(typed.by, meant.place, _only(seated))
            case "unblock":
                whole = await self.setting.communities.of_whole(meant.place)
                same = [each for each in whole.blocked if folded(each.name) == meant.rest]
                if not same:
                    raise Refused("nobody_blocked", name=meant.rest[:32])
                await self._free(typed.by, meant.place, _only(same).tag)
            case "close":
                await self.stop(meant.place, meant.rest, f"{typed.by.key} {typed.id}")
            case "evict":
                await self.send_away(meant.place, meant.rest)

    async def stop(self, place: str, table: str, action: str) -> None:
        """End a table that was opened in the community. Refused: `unknown_table`, `of_a_night`,
        `match_over`."""
        stored = await self._one(place, table)
        if not await self._at_home(stored, place):
            raise Refused("unknown_table")
        await self.repository.change(stored.value.id, action, lambda stored: stopped(stored.value))

    async def send_away(self, place: str, table: str) -> None:
        """A table from elsewhere is no longer shown in the community. Refused: `unknown_table`,
        `of_a_night`."""
        stored = await self._one(place, table)
        if await self._at_home(stored, place):
            raise Refused("unknown_table")
        await self._leave(stored, place)

    # People kept out

    async def _block(self, by: Person, place: str, whom: Seated) -> None:
        person, name = whom
        if person == by.key:
            raise Refused("not_himself")

        def change(now: Community) -> Community:
            others = tuple(each for each in now.blocked if each.tag != tag(person))
            return replace(now, blocked=(*others, Blocked(tag(person), name)))

        communities = self.setting.communities
        await communities.note(person, await communities.whole(place))
        await self.setting.change_whole(by, place, change)
        await self.nights.send_away(by, place, person)
        for stored in not_of_nights(await self._all(place)):
            if stored.value.seat_of(person) is None:
                continue
            if await self._at_home(stored, place):
                await self._unseat(stored, person)
            else:  # he plays among others' guests: the table goes, and is not spoilt for them
                await self._leave(stored, place)

    async def _free(self, by: Person, place: str, told: str) -> None:
        def change(now: Community) -> Community:
            left = tuple(each for each in now.blocked if not each.tag.startswith(told))
            if left == now.blocked:
                raise Refused("nobody_there")
            return replace(now, blocked=left)

        await self.setting.change_whole(by, place, change)

    async def _unseat(self, stored: StoredTable, person: str) -> None:
        """A computer player has his seat from now on; in a lobby it is free."""

        def act(now: StoredTable) -> Change | None:
            return membership.forgotten(now.value, person, self.delays)

        with suppress(Refused):  # the table is over meanwhile
            await self.repository.change(stored.value.id, None, act)

    # Who and what there is

    async def _all(self, place: str) -> list[StoredTable]:
        return await self.admission.tables(place)

    async def _one(self, place: str, table: str) -> StoredTable:
        """A table that stands in the community. What becomes of a night's table is the night's affair, where
        it is recorded who did it and why."""
        for stored in await self._all(place):
            if stored.value.id == table:
                if stored.value.night is not None:
                    raise Refused("of_a_night")
                return stored
        raise Refused("unknown_table")

    async def _at_home(self, stored: StoredTable, place: str) -> bool:
        """Whether a table was opened in the community of a place."""
        whole = await self.setting.communities.whole(place)
        return stored.value.places[0] in await self.admission.shown_in(stored, whole)

    async def _leave(self, stored: StoredTable, place: str) -> None:
        whole = await self.setting.communities.whole(place)
        for each in await self.admission.shown_in(stored, whole):
            await self.repository.leave_place(stored.value.id, each)

    async def _people(self, place: str) -> list[Seated]:
        """Who sits at the community's tables."""
        seats = [seat for stored in await self._all(place) for seat in stored.value.seats]
        return list({seat.person: seat.name for seat in seats if seat.person}.items())


def _only(found: Sequence[T]) -> T:
    """The one who was found. Refused: `nobody_there`; `same_name` when there are several."""
    if not found:
        raise Refused("nobody_there")
    if len(found) > 1:
        raise Refused("same_name")
    return found[0]


def _short(person: str) -> str:
    return tag(person)[:_TAG]
