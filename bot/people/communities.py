"""Communities: what organisers set for a place, for the channel or group around it, for all of a community.

A thread or topic lives by its channel's or group's settings where it has none of its own, and these by
their community's: a server, or a group with all its topics (`Chat.community`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from bot.people.profiles import Profiles
from bot.ports import Person, channel_of
from bot.repository.versioned import SettingsRepository
from bot.store import Store
from bot.store.codec import Codec
from bot.tables.membership import tag
from bot.tables.names import NOBODY, clean_name
from bot.tables.table import PLAIN, Display

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Blocked:
    """Somebody who sits nowhere in a community."""

    tag: str
    """Stands for them (`bot.tables.membership.tag`): the block outlasts their being forgotten."""
    name: str
    """As it was when they were blocked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Community:
    """The settings of a place or a whole community, and who changed them last."""

    rules: dict[str, Any] | None = None
    """The switches of what is played when no game is named; None: not set here."""
    turn_seconds: int = 0
    """The clock of new tables; 0: not set here."""
    invitations: bool = True
    """Whether a table may be shared with other places."""
    display: Display | None = None
    """How new tables look; None: not set here."""
    language: str = ""
    """The language of what is public; empty: not set here, so it is the language of who opens a table."""
    rooms: bool | None = None
    """Whether a new table gets a thread or topic of its own; None: not set here."""
    places: tuple[str, ...] = ()
    """Of a whole community: where tables may be opened; empty: everywhere."""
    tables_most: int = 0
    """Of a whole community: so many tables at once; 0: any number."""
    blocked: tuple[Blocked, ...] = ()
    """Of a whole community."""
    set_by: str = ""
    """A name, to be shown."""
    set_by_key: str = ""


@dataclass(frozen=True, slots=True)
class PlaceSettings:
    """Everything that is set around a place, loaded at once."""

    place: str
    whole: str
    """The key of the place's community."""
    set: Mapping[str, Community]
    """What is set for the place, for its channel or group, for its community: where anything is."""

    def nearest(self, wanted: Callable[[Community], T]) -> T:
        """A setting as it holds in the place: the nearest that is set (neither None nor empty nor 0), else
        what is wanted of no settings at all."""
        found = (wanted(community) for community in self.set.values())
        return next((each for each in found if each or each is False), wanted(Community()))

    @property
    def display(self) -> Display:
        """How the place's new tables look."""
        return self.nearest(lambda each: each.display) or PLAIN

    @property
    def community(self) -> Community:
        """What is set for the whole community."""
        return self.set.get(self.whole, Community())


_CODEC: Final = Codec(Community, 1)

CommunityChange = Callable[[Community], Community]


class Communities:
    """The settings of one store's places."""

    def __init__(self, store: Store, people: Profiles) -> None:
        self._store = store
        self._settings = SettingsRepository(store, _CODEC, "place", Community())
        self.people = people

    async def whole(self, place: str) -> str:
        """The key of the community that a place belongs to. Raises RetryAfter."""
        chat = self.people.chat_of(place)
        return channel_of(place) if chat is None else await chat.community(place)

    async def around(self, place: str) -> PlaceSettings:
        """Everything that is set around a place: the newest, in one round trip. It decides who may do it."""
        whole, keys = await self._around(place)
        return _set_around(place, whole, await self._settings.newest(keys))

    async def nearest(self, place: str, wanted: Callable[[Community], T]) -> T:
        """A setting as it holds in a place (`PlaceSettings.nearest`), as it was at most two seconds ago, in
        one round trip or none: so much later a new table looks as was set."""
        whole, keys = await self._around(place)
        return _set_around(place, whole, await self._settings.recent(keys)).nearest(wanted)

    async def at(self, key: str) -> Community:
        """What is set for just this place or community: the newest, which decides who may do what."""
        return (await self._settings.newest([key]))[key]

    async def of_whole(self, place: str) -> Community:
        """What is set for the community that a place belongs to: the newest, as by `at`."""
        return (await self.around(place)).community

    async def display(self, place: str) -> Display:
        """How a place's new tables look."""
        return await self.nearest(place, lambda each: each.display) or PLAIN

    async def change(self, key: str, by: Person, change: CommunityChange) -> None:
        """Set something for a place or community and leave the rest as it is. Raises Refused `busy`, or as
        `change` does."""
        await self._store.note_settings(by.key, key)
        name = clean_name(by.name)
        await self._settings.change(
            key, None, lambda held: replace(change(held.value), set_by=name, set_by_key=by.key)
        )

    async def note(self, person: str, key: str) -> None:
        """Note that something that is set for a place or community names a person."""
        await self._store.note_settings(person, key)

    async def moved(self, new_place: str) -> None:
        """A place's settings stand under its new key, too: that is to be found as well."""
        self._settings.forget(new_place)
        community = await self.at(new_place)
        if community.set_by_key:
            await self._store.note_settings(community.set_by_key, new_place)

    async def forget(self, person: str) -> None:
        """What a person set stays, and so does their being blocked, but nobody knows who they were."""

        def nameless(community: Community) -> Community:
            hidden = tag(person)
            blocked = tuple(replace(b, name=NOBODY) if b.tag == hidden else b for b in community.blocked)
            community = replace(community, blocked=blocked)
            if community.set_by_key != person:
                return community
            return replace(community, set_by=NOBODY, set_by_key="")

        for key in await self._store.places_set_by(person):
            await self._settings.change(key, None, lambda held: nameless(held.value))

    async def _around(self, place: str) -> tuple[str, tuple[str, ...]]:
        """The community of a place, and every key under which something may be set for the place."""
        whole = await self.whole(place)
        return whole, tuple(dict.fromkeys((place, channel_of(place), whole)))


def _set_around(place: str, whole: str, found: Mapping[str, Community]) -> PlaceSettings:
    return PlaceSettings(place, whole, {key: each for key, each in found.items() if each != Community()})
