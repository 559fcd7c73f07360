"""What is to be done for a night besides its board: a line, a letter, something that a platform shows.

Whether it is done already is noted where it is kept what boards were shown, under the night or its league.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from bot.ids import NightId
from bot.league.model import League
from bot.league.night import Night
from bot.people.profiles import Profiles
from bot.ports import Chat, RateLimit
from bot.repository.tables import TableRepository
from bot.store import Shown, Store

Do = Callable[[Chat, str], Awaitable[str]]
"""Does it, given what it gave the last time; what it gives is noted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Something that is still to be done."""

    night: NightId
    league: League
    name: str
    """Under which it is noted."""
    kept_by: str
    """The night or league in whose name that is."""
    before: str | None
    """What is noted there now."""
    version: str
    """What is noted once it is done, without a space; what `do` gave follows after one."""
    chat: Chat
    target: str
    """The place or person."""
    limits: tuple[RateLimit, ...]
    do: Do
    once: bool = False
    """Whether it is noted before it is done: a repeat after a kill would disturb people."""

    @property
    def earlier(self) -> str:
        """What `do` gave the last time."""
        return (self.before or "").partition(" ")[2]


@dataclass(frozen=True, slots=True)
class Still:
    """What is still to be done."""

    deeds: tuple[Deed, ...] = ()
    waits: bool = False
    """Whether there will be more as soon as tables are shown."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A night as it stands, what was noted of it, and where to look further."""

    store: Store
    people: Profiles
    repository: TableRepository
    league: League
    night: Night
    noted: Mapping[str, Shown]
    now: float

    def deed(
        self,
        name: str,
        target: str,
        version: str,
        do: Do,
        *,
        noted: Mapping[str, Shown] | None = None,
        kept_by: str = "",
        charged: tuple[RateLimit, ...] | None = None,
        once: bool = False,
    ) -> Iterator[Deed]:
        """It, unless it is noted as done or its chat is not running here."""
        chat = self.people.chat_of(target)
        held = (self.noted if noted is None else noted).get(name)
        before = None if held is None else held.message
        if chat is None or (before or "").partition(" ")[0] == version:
            return
        yield Deed(
            night=self.night.id,
            league=self.league,
            name=name,
            kept_by=kept_by or self.night.id,
            before=before,
            version=version,
            chat=chat,
            target=target,
            limits=chat.public_limits(target) if charged is None else charged,
            do=do,
            once=once,
        )


def digest(wanted: object) -> str:
    """A short name of what is wanted, the same in every process."""
    return blake2b(repr(wanted).encode(), digest_size=8).hexdigest()
