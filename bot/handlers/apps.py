"""Apps: the table as an app: what a person's page shows, and what they do on it.

The session says who they are. Seat and place are checked at every act and every look: seats are found from
the person, and a table that they only watch must be in a place that they can read at that moment.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Final

from bot.background import PeriodicTask
from bot.callback_data import read_callback
from bot.delivery.views import render_watched
from bot.errors import Refused
from bot.handlers.answering import refusal
from bot.handlers.services import Services
from bot.handlers.who import may_watch
from bot.i18n import words_for
from bot.ids import TableId, read_key
from bot.markup import Link
from bot.people.sessions import Session, Watched
from bot.ports import (
    Answer,
    AppView,
    Dispatcher,
    Person,
    Press,
    RetryAfter,
    SessionOver,
    TypedCommand,
    platform_of,
)
from bot.repository.tables import StoredTable
from bot.repository.watch import Follower, TableWatch
from bot.startup import Startup
from bot.store import StoreUnavailable

OPEN_EVERY: Final = 2.0
"""Seconds between two notes of the people who have the app open."""
_NOTED_AT_ONCE: Final = 16
"""The people noted at once. A thousand at once would keep moves waiting."""
LOOK_SECONDS: Final = 5.0
"""Seconds between two looks of a page for new tables and at its session."""


class Apps:
    """All pages in this process that show tables as an app."""

    def __init__(self, services: Services, router: Dispatcher, startup: Startup) -> None:
        self._services = services
        self._router = router
        self._startup = startup
        self._watch = TableWatch(services.store, services.tables)
        self._visits: set[AppVisit] = set()
        self._attending = PeriodicTask("noting open apps", self._attend)

    def homes(self) -> Mapping[str, Link]:
        """Links to the bot in each chat, by the chat's short name."""
        return self._services.people.homes()

    def link(self, platform: str, invitation: str) -> str | None:
        """Return the address that opens a chat's app for a guest of a table."""
        chat = self._services.people.chat_of(platform)
        return None if chat is None else chat.links.app(invitation)

    async def redeem(self, secret: str) -> str | None:
        """Return the token of the session that a personal link begins. A link works once."""
        return await self._services.sessions.redeem(secret)

    async def begin(self, person: Person, place: str = "") -> str:
        """Begin a session for a person whose door has identified them, and return its token."""
        return await self._services.sessions.begin(person, place)

    @asynccontextmanager
    async def visit(self, token: str, table: str) -> AsyncIterator["AppVisit"]:
        """Keep a page open that looks at a table; empty: at none yet. Raises SessionOver."""

        async def find() -> Session:
            session = await self._services.sessions.of(token)
            if session is None:
                raise SessionOver
            return session

        await self._services.sessions.note_opened(token, await find())
        async with self._keep_open(find, table, by_session=True) as visit:
            yield visit

    @asynccontextmanager
    async def visit_as(self, by: Callable[[], Person], place: str, table: str) -> AsyncIterator["AppVisit"]:
        """Keep a page open whose chat itself identifies the person: it shows a place, and looks at a table.

        `by`: the person as they are called now.
        """

        async def name() -> Session:
            person = by()
            return Session(person.key, person.name, person.language, place)

        async with self._keep_open(name, table, by_session=False) as visit:
            yield visit

    @asynccontextmanager
    async def _keep_open(
        self, session: Callable[[], Awaitable[Session]], table: str, *, by_session: bool
    ) -> AsyncIterator["AppVisit"]:
        by = (await session()).by
        await self._startup.until_answered(platform_of(by.key))  # before, they can read no place
        with self._watch.following() as follower:
            visit = AppVisit(self, self._services, self._router, session, follower, by_session)
            await self._services.accounts.follow(by)
            await visit.remember()
            if table:
                visit.wish = TableId(table)
            self._visits.add(visit)
            try:
                with self._attending.keep_going():
                    yield visit
            finally:
                self._visits.discard(visit)
                await self.note_closed(by.key)

    async def _attend(self) -> None:
        """Note the people who see their rack in the app. Their chat need not show each move meanwhile."""
        people = [*{visit.player for visit in self._visits if visit.player}]
        for first in range(0, len(people), _NOTED_AT_ONCE):
            group = people[first : first + _NOTED_AT_ONCE]
            await asyncio.gather(*map(self._services.sessions.note_open, group))
        await asyncio.sleep(OPEN_EVERY)

    async def note_closed(self, person: str) -> None:
        """Note that a person closed or hid a page. If no other page of theirs is open, their chat shows each
        move again."""
        if all(visit.player != person for visit in self._visits):
            with suppress(StoreUnavailable):  # the note expires within seconds anyway
                await self._services.sessions.note_closed(person)


@dataclass(slots=True, eq=False)
class AppVisit:
    """One open page. Every method raises SessionOver once its session is over, and StoreUnavailable."""

    _apps: Apps
    _services: Services
    _router: Dispatcher
    session: Callable[[], Awaitable[Session]] = field(repr=False)
    """Return the session of the page. Raises SessionOver."""
    _follower: Follower
    _by_session: bool
    """Whether a session speaks for the person, and not their chat."""
    wish: TableId = TableId("")  # noqa: RUF009 - it never changes
    """The table that the page would like to see; empty: none yet."""
    _watched: Watched | None = None
    """The table that they watch by its invitation."""
    _visible: bool = True
    """Whether the person sees the page. A hidden page calls nobody to their turn."""
    _racks: set[str] = field(default_factory=set)
    """The tables whose racks it shows."""

    @property
    def player(self) -> str:
        """The person who sees their rack on it and not in their chat; empty: nobody."""
        return self._follower.person if self._visible and self._racks and self._by_session else ""

    async def looks(self, *, visible: bool) -> None:
        """Note that the page is shown or hidden."""
        self._visible = visible
        if not visible:
            await self._apps.note_closed(self._follower.person)

    async def remember(self) -> None:
        """Load the tables that the person has asked for."""
        sessions, by = self._services.sessions, (await self.session()).by
        self.wish, self._watched = await sessions.find_wished(by.key), await sessions.find_watched(by.key)

    async def person(self) -> Person:
        """Return the person as their chat knows them, in the language that they chose."""
        by = (await self.session()).by
        profile = await self._services.people.load(by.key)
        return replace(by, language=profile.language or by.language)

    async def opens(self) -> bool:
        """Return whether tables can be opened from here: the page must come from a place that they can
        read."""
        session = await self.session()
        return bool(session.place) and await self._place(session.person, (session.place,)) is not None

    async def news(self) -> None:
        """Wait until there may be something new to see."""
        await self._follower.news(LOOK_SECONDS)

    async def look(self) -> AppView:
        """Return the changes since the last look."""
        session = await self.session()
        by, seen = session.by, self._follower.seen
        self._follower.person, self._follower.place = by.key, session.place
        profile = await self._services.people.load(by.key)
        words = words_for(profile.language or by.language)
        found = {stored.value.id: stored for stored in await self._find_tables(session)}
        news = [stored for id, stored in found.items() if seen.get(id) != stored.version]
        seats = {id: stored.value.seat_of(by.key) for id, stored in found.items()}
        viewing, racks = self._services.viewing, []
        for stored in news:
            seat = seats[stored.value.id]
            if seat is not None:
                racks.append(await viewing.private(stored, seat, words, profile=profile, live=True))
        sits: set[str] = {id for id, seat in seats.items() if seat is not None}
        gone, left = seen.keys() - found.keys(), (self._racks & found.keys()) - sits
        self._racks = sits
        self._follower.seen = {id: stored.version for id, stored in found.items()}
        return AppView(
            tables=tuple(
                render_watched(stored, words, next(iter(stored.value.places), None), live=True)
                for stored in news
                if not stored.value.practice
            ),
            racks=tuple(racks),
            gone=tuple(gone),
            left=tuple(left),
        )

    async def press(self, data: str, id: str, *, public: bool) -> Answer:
        """Carry out a button of a table that they see. `public`: the button belongs to the table's place."""
        session = await self.session()
        by, target = session.by, read_callback(data)
        places: Iterable[str] = (session.place,) if session.place else ()
        match read_key("" if target is None else target.target):
            case "table", table:
                stored = await self._services.tables.load(table)
                if stored is not None:
                    if not await self._sees(by.key, stored):
                        words = words_for((await self.person()).language)
                        return refusal(words, Refused("unknown_table"))
                    places = stored.value.places
        # By a session the surface is public even in private: it does not show that messages reach them.
        answer = await self._router.press(
            Press(
                by=by,
                place=await self._place(by.key, places) if public else None,
                surface="public" if public or self._by_session else "private",
                data=data,
                id=id,
                by_session=self._by_session,
            )
        )
        if answer.launch:
            await self.remember()
        return answer

    async def command(self, verb: str, argument: str, id: str) -> Answer:
        """Carry out a command, in the place where they opened the page if they can read it now."""
        session = await self.session()
        place = await self._place(session.person, (session.place,)) if session.place else None
        return await self._router.command(
            TypedCommand(
                by=session.by,
                place=place,
                verb=verb,
                argument=argument,
                id=id,
                by_session=self._by_session,
            )
        )

    async def _find_tables(self, session: Session) -> list[StoredTable]:
        """Return the tables that they may see: their own, those of their place, and the one they came for."""
        store, person = self._services.store, session.person
        at_place = await store.index.tables_at(session.place) if session.place else []
        asked = [self.wish, *(() if self._watched is None else (self._watched.table,))]
        named = dict.fromkeys([*await store.index.tables_of(person), *at_place, *filter(None, asked)])
        stored = await self._services.tables.load_many(list(named))
        standing = [each for each in stored if each.value.stage != "closed"]
        return [each for each in standing if await self._sees(person, each)]

    async def _sees(self, person: str, stored: StoredTable) -> bool:
        table = stored.value
        if table.seat_of(person) is not None or await self._place(person, table.places) is not None:
            return True
        return await may_watch(self._services, person, table, self._watched)

    async def _place(self, person: str, places: Iterable[str]) -> str | None:
        """Return the first of these places that they can read. A place whose chat does not answer counts as
        unreadable."""
        try:
            return await self._services.permissions.readers.readable(person, places)
        except RetryAfter:
            return None
