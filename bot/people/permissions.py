"""Permissions: who may sit down in a community, where and how many tables may be opened, who can read a
place, and who is an organiser."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import Final

from cachetools import TTLCache

from bot.errors import Refused, is_allowed
from bot.i18n import join
from bot.markup import Text
from bot.people.accounts import Accounts
from bot.people.communities import Communities, Community, PlaceSettings
from bot.people.profiles import Profiles
from bot.ports import RetryAfter, channel_of, platform_of
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Store
from bot.tables.membership import tag
from bot.tables.table import Table

_NEVER_CREATED_SECONDS: Final = 3600.0
"""Seconds after which a noted table that was never created is dropped."""

BELIEVED_SECONDS: Final = 20.0
"""Seconds for which a chat's answer whether a person can read a place is used without asking again."""
REMEMBERED_SECONDS: Final = 300.0
"""Seconds for which that answer is kept for a chat that does not reply."""
_MOST_READERS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Admission:
    """The checks before a person opens a table or sits down. They raise Refused."""

    store: Store
    tables: TableRepository
    people: Profiles
    accounts: Accounts
    communities: Communities

    async def open(self, person: str, settings: PlaceSettings) -> None:
        """Check that a person may open a table in a place. Refused: `blocked`, and as by `bring`."""
        await self.let_in(person, settings.community)
        await self.bring(settings)

    async def bring(self, settings: PlaceSettings) -> None:
        """Check that one more table may be shown in a place. A league's tables are not checked and do not
        count.

        Refused: `tables_elsewhere`, `tables_enough`.
        """
        place, whole, community = settings.place, settings.whole, settings.community
        allowed = {place, *({channel_of(place)} - {whole})} & {*community.places}
        if community.places and not allowed:
            raise Refused("tables_elsewhere", where=self.ways_to(community.places))
        tables = not_of_nights(await self.open_tables(place)) if community.tables_most else []
        if community.tables_most and len(tables) >= community.tables_most:
            raise Refused("tables_enough", n=community.tables_most)

    async def sit(self, person: str, stored: StoredTable | None, place: str | None) -> None:
        """Check that a person may sit down at a table, in a place or in private. Refused: `blocked`,
        `removed_here`.

        The community where the table was opened is checked too, besides the place's own.
        """
        homes = () if stored is None else stored.value.places[:1]
        await self.take_part(person, *homes, *(() if place is None else (place,)))
        removed = () if stored is None else stored.value.gone.removed
        if removed and await self.accounts.other(person) in removed:
            raise Refused("removed_here")

    async def take_part(self, person: str, *places: str) -> None:
        """Check that a person may take part in what these places play together. Refused: `blocked`."""
        for place in dict.fromkeys(places):
            await self.let_in(person, await self.communities.of_whole(place))

    async def share(self, *places: str) -> None:
        """Check that these places share their tables with others. Refused: `no_sharing`."""
        for place in dict.fromkeys(places):
            if not (await self.communities.around(place)).shares:
                raise Refused("no_sharing")

    async def watch(self, person: str, table: Table) -> None:
        """Check that a person may watch a table by its invitation. Refused: `no_sharing`, `blocked`."""
        await self.share(*table.places)
        await self.take_part(person, *table.places)

    async def let_in(self, person: str, community: Community) -> None:
        """Check that a person may take part in what a community plays. Refused: `blocked`."""
        blocked = {each.tag for each in community.blocked}
        if blocked and blocked & {tag(person), tag(await self.accounts.other(person) or person)}:
            raise Refused("blocked")

    async def open_tables(self, place: str) -> list[StoredTable]:
        """Return the open tables in a place's community, the newest last."""
        whole = await self.communities.whole(place)
        noted = await self.store.index.tables_in(whole)
        found, gone = [], []
        for table, held in (await self.tables.find(list(noted))).items():
            if held is None:
                gone += [table] if self.store.clock() - noted[table] > _NEVER_CREATED_SECONDS else []
            elif not held.value.is_open:
                gone.append(table)
            elif await self.list_shown_in(held, whole):
                found.append(held)
        if gone:
            await self.store.index.remove_from_community(whole, *gone)
        return sorted(found, key=lambda held: held.value.opened_at)

    async def list_shown_in(self, stored: StoredTable, whole: str) -> list[str]:
        """Return the places of a table that belong to a community. No other chat is asked for its places'
        own."""
        near = (place for place in stored.value.places if platform_of(place) == platform_of(whole))
        return [place for place in near if await self.communities.whole(place) == whole]

    def ways_to(self, places: tuple[str, ...]) -> Text:
        """Links to places, or their keys where there are none."""
        chats = ((place, self.people.chat_of(place)) for place in places)
        links = [(None if chat is None else chat.places.link(place)) or place for place, chat in chats]
        return join(((link,) for link in links), ", ")


def not_of_nights(tables: Iterable[StoredTable]) -> list[StoredTable]:
    """Return the tables that people opened, without a league's."""
    return [stored for stored in tables if stored.value.night is None]


@dataclass(slots=True)
class _Told:
    """What a chat said."""

    reads: bool | None
    """Whether a person can read a place; None: it could not tell."""
    at: float
    """The moment when it was last asked, by the monotonic clock."""

    @property
    def is_believed(self) -> bool:
        """Return whether it need not be asked again."""
        return time.monotonic() - self.at < BELIEVED_SECONDS


class Readers:
    """The check whether a person can read a place, which asks the chats."""

    def __init__(self, people: Profiles, accounts: Accounts, admission: Admission) -> None:
        self._people = people
        self._accounts = accounts
        self._admission = admission
        self._known = TTLCache[tuple[str, str], _Told](_MOST_READERS, REMEMBERED_SECONDS)
        """By person and place. Without it every move costs one call to the platform, for which the
        presser waits; with it one in five minutes."""

    async def reads(self, person: str, place: str) -> bool:
        """Return whether a person can read a place under one of their accounts, and is not blocked there.
        Raises RetryAfter while their chat has not answered for long."""
        return bool(await self._newest(person, place))

    async def has_left(self, person: str, places: Iterable[str]) -> bool:
        """Return whether a person can certainly read none of these places. A chat that does not answer or
        can't tell is no reason to believe it."""
        for place in places:
            try:
                if await self._newest(person, place) is not False:
                    return False
            except RetryAfter:
                self._known[person, place] = _Told(None, -inf)  # their next acts need not wait for it
                return False
        return True

    async def _newest(self, person: str, place: str) -> bool | None:
        known = self._known.get((person, place))
        if known is not None and known.is_believed:
            return known.reads
        try:
            self._known[person, place] = known = _Told(await self._ask(person, place), time.monotonic())
        except RetryAfter:
            if known is None:
                raise
            known.at = time.monotonic()
        return known.reads

    def note(self, person: str, place: str) -> None:
        """Note that a platform has just shown that a person reads a place, by what they did there."""
        self._known[person, place] = _Told(True, time.monotonic())

    def believes(self, person: str, places: Iterable[str]) -> bool:
        """Return whether a person could read one of these places, or their chat could not tell, when it was
        last asked, at most REMEMBERED_SECONDS ago. It spares a question at each move: one in five minutes is
        left."""
        known = (self._known.get((person, place)) for place in places)
        return any(each is not None and each.reads is not False for each in known)

    def forget(self, person: str) -> None:
        """Forget what was known of a person, since something has changed: they have left, or are blocked."""
        for key in [each for each in self._known if each[0] == person]:
            self._known.pop(key, None)

    async def readable(self, person: str, places: Iterable[str]) -> str | None:
        """Return the first of these places that a person can read; None: they can read none. Raises
        RetryAfter when only chats that have not answered for long could name one."""
        unanswered = None
        for place in places:
            try:
                if await self.reads(person, place):
                    return place
            except RetryAfter as error:
                unanswered = error
        if unanswered is not None:
            raise unanswered
        return None

    async def _ask(self, person: str, place: str) -> bool | None:
        chat = self._people.chat_of(place)
        accounts = (person, await self._accounts.other(person))
        here = [each for each in accounts if each and platform_of(each) == platform_of(place)]
        if chat is None:
            return None
        reads = await chat.places.reads(here[0], place) if here else False
        return reads and await is_allowed(self._admission.take_part(person, place))


class Organisers:
    """The check for organisers, which asks the chats."""

    def __init__(self, people: Profiles, accounts: Accounts) -> None:
        self._people = people
        self._accounts = accounts

    async def check(self, person: str, place: str) -> None:
        """Raises Refused `organisers_only` when a person is an organiser of a place under none of their
        accounts, `cannot_ask` while its chat does not answer."""
        chat = self._people.chat_of(place)
        try:
            for account in (person, await self._accounts.other(person)):
                if account is None or chat is None or self._people.chat_of(account) is not chat:
                    continue
                if await chat.places.organises(account, place):
                    return
        except RetryAfter:
            raise Refused("cannot_ask") from None
        raise Refused("organisers_only", platform=platform_of(place))
