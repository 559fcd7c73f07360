"""Sessions: people who have opened the table as an app, by the token that their page holds, and the personal
links that begin one.

A session says who somebody is, and is no right: what they may see and do is asked each time.
"""

import secrets
from dataclasses import dataclass, field
from typing import Final

from bot.ids import TableId
from bot.people.codes import CodeKind, Codes
from bot.ports import Person
from bot.store import Store
from bot.store.codec import Codec

SESSION_SECONDS: Final = 30 * 24 * 3600.0
LINK_SECONDS: Final = 600.0
WISH_SECONDS: Final = 24 * 3600.0
OPEN_SECONDS: Final = 5.0
"""So long after the last word of it an app counts as open."""
_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody's page."""

    person: str
    name: str
    language: str
    place: str = ""
    """Where they opened it; empty: in private."""

    @property
    def by(self) -> Person:
        """Who it is."""
        return Person(self.person, self.name, self.language)


@dataclass(frozen=True, slots=True)
class Watched:
    """The table that somebody looks on at, by its invitation: as long as it is still that one."""

    table: TableId
    invitation: str = field(repr=False)


_CODEC: Final = Codec(Session, 1)
_WATCHED: Final = Codec(Watched, 1)


class AppSessions:
    """The sessions of one store. They are kept under a digest of their token."""

    def __init__(self, store: Store, codes: Codes) -> None:
        self._store = store
        self._codes = codes

    async def link(self, person: Person) -> str:
        """The secret of a fresh personal link."""
        secret = secrets.token_urlsafe(_BYTES)
        await self._put("personal", secret, _session(person, ""), LINK_SECONDS)
        return secret

    async def redeem(self, secret: str) -> str | None:
        """The token of the session that a personal link begins, once; None when it is used up or old."""
        session = await self._codes.take("personal", secret)
        if session is None:
            return None
        token = secrets.token_urlsafe(_BYTES)
        await self._put("session", token, _CODEC.decode(session), SESSION_SECONDS)
        return token

    async def begin(self, person: Person, place: str = "") -> str:
        """The token of a new session."""
        token = secrets.token_urlsafe(_BYTES)
        await self._put("session", token, _session(person, place), SESSION_SECONDS)
        return token

    async def of(self, token: str) -> Session | None:
        """Whose session a token is; None when it is over."""
        session = await self._codes.look("session", token)
        return None if session is None else _CODEC.decode(session)

    async def wish(self, person: str, table: TableId) -> None:
        """Note the table that a person opens the app for."""
        await self._codes.put("wish", person, table.encode(), WISH_SECONDS, owner=_owner(person))

    async def wished(self, person: str) -> TableId:
        """The table that they opened it for last; empty: none."""
        table = await self._codes.look("wish", person)
        return TableId("" if table is None else table.decode())

    async def watch(self, person: str, watched: Watched) -> None:
        """Note the table that a person was let look on at, and opens the app for."""
        await self._codes.put("watch", person, _WATCHED.encode(watched), WISH_SECONDS, owner=_owner(person))
        await self.wish(person, watched.table)

    async def watched(self, person: str) -> Watched | None:
        """The same, while it is remembered."""
        known = await self._codes.look("watch", person)
        return None if known is None else _WATCHED.decode(known)

    async def note_open(self, person: str) -> None:
        """A person has the table before their eyes as an app, and will have for the next seconds."""
        await self._codes.put("open", person, b"", OPEN_SECONDS)

    async def note_closed(self, person: str) -> None:
        """They have not any more."""
        await self._codes.drop("open", person)

    async def is_open(self, person: str) -> bool:
        """Whether they have: then their rack in the chat can wait."""
        return await self._codes.look("open", person) is not None

    async def end_all(self, person: str) -> None:
        """From now on a person's sessions and links are over."""
        await self._store.drop_tokens_of(_owner(person))

    async def _put(self, kind: CodeKind, secret: str, session: Session, seconds: float) -> None:
        await self._codes.put(kind, secret, _CODEC.encode(session), seconds, owner=_owner(session.person))


def _session(person: Person, place: str) -> Session:
    return Session(person.key, person.name, person.language[:16], place)


def _owner(person: str) -> str:
    """Apart from their other tokens, which outlive their sessions."""
    return f"app {person}"
