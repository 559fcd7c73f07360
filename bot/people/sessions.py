"""Sessions: people who have the table open as an app, by their page's token, and the personal links that
begin one.

A session identifies a person and gives no right: access is checked each time.
"""

import secrets
from dataclasses import dataclass, field, replace
from typing import Final

from bot.ids import TableId
from bot.people.tokens import HashedTokens, TokenKind, digest_of
from bot.ports import Person
from bot.store import Store
from bot.store.codec import Codec

SESSION_SECONDS: Final = 30 * 24 * 3600.0
LINK_SECONDS: Final = 600.0
WISH_SECONDS: Final = 24 * 3600.0
OPEN_SECONDS: Final = 5.0
"""Seconds after its last sign during which an app counts as open."""
_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Session:
    """The session of a person's page."""

    person: str
    name: str
    language: str
    place: str = ""
    """The place where they opened it; empty: in private."""
    by_link: bool = False
    """Whether it began by their own link, in whichever browser; else in the app of their chat."""
    since: float = 0.0
    """When it began: seconds since the epoch; 0: it is a link that nobody has used yet."""
    seen: float = 0.0
    """When a page was last opened by it: its beginning, or the hour of the last opening in another hour."""

    @property
    def by(self) -> Person:
        """The person."""
        return Person(self.person, self.name, self.language)


@dataclass(frozen=True, slots=True)
class Watched:
    """The table that a person watches, with the invitation. It counts only while the table still has that
    one."""

    table: TableId
    invitation: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class OwnSession:
    """A session, as its person sees it among theirs."""

    id: str
    """Names it among theirs, and opens nothing."""
    session: Session


_HOUR: Final = 3600.0
_ID_LENGTH: Final = 12
_CODEC: Final = Codec(Session, 2)
_WATCHED: Final = Codec(Watched, 1)


class AppSessions:
    """The sessions of one store. They are kept under digests of their tokens."""

    def __init__(self, store: Store, tokens: HashedTokens) -> None:
        self._store = store
        self._tokens = tokens

    async def link(self, person: Person) -> str:
        """Create a personal link, and return its secret."""
        secret = secrets.token_urlsafe(_BYTES)
        await self._put("personal", secret, _session(person, ""), LINK_SECONDS)
        return secret

    async def redeem(self, secret: str) -> str | None:
        """Return the token of the session that a personal link begins; None when the link is used up or
        expired."""
        session = await self._tokens.take("personal", secret)
        return None if session is None else await self._begin(replace(_CODEC.decode(session), by_link=True))

    async def begin(self, person: Person, place: str = "") -> str:
        """Begin a session, and return its token."""
        return await self._begin(_session(person, place))

    async def _begin(self, session: Session) -> str:
        token, now = secrets.token_urlsafe(_BYTES), self._store.clock()
        await self._put("session", token, replace(session, since=now, seen=now), SESSION_SECONDS)
        return token

    async def note_opened(self, token: str, session: Session) -> None:
        """Note that a page was opened by a session. One that has ended meanwhile stays so."""
        now = self._store.clock()
        if _hour(now) > session.seen:
            await self._store.tokens.put(
                digest_of("session", token),
                _CODEC.encode(replace(session, seen=_hour(now))),
                session.since + SESSION_SECONDS - now,
                owner=_owner(session.person),
                before=_CODEC.encode(session),
            )

    async def own(self, person: str) -> list[OwnSession]:
        """Return a person's sessions, the one that was opened last first."""
        found = []
        for digest, value, _ in await self._store.tokens.find(_owner(person)):
            session = _CODEC.decode_known(value)
            if session is not None and session.since:
                found.append(OwnSession(digest[:_ID_LENGTH], session))
        return sorted(found, key=lambda each: (each.session.seen, each.session.since), reverse=True)

    async def end(self, person: str, id: str) -> None:
        """End one of a person's sessions, if they have it."""
        for digest, _, _ in await self._store.tokens.find(_owner(person)):
            if digest.startswith(id) and len(id) == _ID_LENGTH:
                await self._store.tokens.drop(digest)

    async def of(self, token: str) -> Session | None:
        """Return the session of a token; None when it is over."""
        session = await self._tokens.look_at("session", token)
        return None if session is None else _CODEC.decode(session)

    async def wish(self, person: str, table: TableId) -> None:
        """Note the table that a person opens the app for."""
        await self._tokens.put("wish", person, table.encode(), WISH_SECONDS, owner=_owner(person))

    async def find_wished(self, person: str) -> TableId:
        """Return the table that they last opened the app for; empty: none."""
        table = await self._tokens.look_at("wish", person)
        return TableId("" if table is None else table.decode())

    async def watch(self, person: str, watched: Watched) -> None:
        """Note the table that a person may watch, and for which they open the app."""
        await self._tokens.put("watch", person, _WATCHED.encode(watched), WISH_SECONDS, owner=_owner(person))
        await self.wish(person, watched.table)

    async def find_watched(self, person: str) -> Watched | None:
        """Return what a person may watch, while it is noted."""
        known = await self._tokens.look_at("watch", person)
        return None if known is None else _WATCHED.decode(known)

    async def note_open(self, person: str) -> None:
        """Note that a person sees the table as an app now and for the next seconds."""
        await self._tokens.put("open", person, b"", OPEN_SECONDS)

    async def note_closed(self, person: str) -> None:
        """Note that they do not any more."""
        await self._tokens.drop("open", person)

    async def is_open(self, person: str) -> bool:
        """Return whether a person sees the table as an app, so that their rack in the chat can wait."""
        return await self._tokens.look_at("open", person) is not None

    async def list_held(self, person: str) -> list[tuple[Session | Watched | bytes, float]]:
        """Return a person's sessions and links, the table that they watch, and the values of their other
        tokens, each with its end: seconds since the epoch."""
        theirs = [*await self._store.tokens.find(_owner(person)), *await self._store.tokens.find(person)]
        return [
            (_CODEC.decode_known(value) or _WATCHED.decode_known(value) or value, end)
            for _, value, end in theirs
        ]

    async def end_all(self, person: str) -> None:
        """End all sessions and links of a person."""
        await self._store.tokens.drop_all(_owner(person))

    async def _put(self, kind: TokenKind, secret: str, session: Session, seconds: float) -> None:
        await self._tokens.put(kind, secret, _CODEC.encode(session), seconds, owner=_owner(session.person))


def _session(person: Person, place: str) -> Session:
    return Session(person.key, person.name, person.language[:16], place)


def _owner(person: str) -> str:
    """Return a key apart from their other tokens, which outlive their sessions."""
    return f"app {person}"


def _hour(now: float) -> float:
    """Return the beginning of the hour. Nobody needs to know more exactly, so no more is kept."""
    return now - now % _HOUR
