"""What organisers set: for a place, for the channel or group around it, for the whole community.

A thread or topic lives by its channel's or group's settings where it has none of its own, and these by
their community's: a server, or a group with all its topics (`Chat.community`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from bot.people.profiles import Profiles
from bot.ports import Person, channel_of
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
    """Stands for him (`bot.tables.hosts.tag`): the block outlasts his being forgotten."""
    name: str
    """As it was when he was blocked."""


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

Change = Callable[[Community], Community]


class Communities:
    """The settings of one store's places."""

    def __init__(self, store: Store, people: Profiles) -> None:
        self._store = store
        self.people = people

    async def whole(self, place: str) -> str:
        """The key of the community that a place belongs to. Raises RetryAfter."""
        chat = self.people.chat_of(place)
        return channel_of(place) if chat is None else await chat.community(place)

    async def around(self, place: str) -> PlaceSettings:
        """Everything that is set around a place."""
        whole = await self.whole(place)
        keys = dict.fromkeys((place, channel_of(place), whole))
        saved = {key: await self._saved(key) for key in keys}
        return PlaceSettings(place, whole, {key: each for key, each in saved.items() if each is not None})

    async def nearest(self, place: str, wanted: Callable[[Community], T]) -> T:
        """A setting as it holds in a place (`PlaceSettings.nearest`)."""
        return (await self.around(place)).nearest(wanted)

    async def at(self, key: str) -> Community:
        """What is set for just this place or community."""
        return await self._saved(key) or Community()

    async def of_whole(self, place: str) -> Community:
        """What is set for the community that a place belongs to."""
        return await self.at(await self.whole(place))

    async def display(self, place: str) -> Display:
        """How a place's new tables look."""
        return (await self.around(place)).display

    async def change(self, key: str, by: Person, change: Change) -> None:
        """Set something for a place or community and leave the rest as it is."""
        await self._store.note_settings(by.key, key)
        name = clean_name(by.name)
        await self._swap(key, lambda now: replace(change(now), set_by=name, set_by_key=by.key))

    async def note(self, person: str, key: str) -> None:
        """Note that something that is set for a place or community names a person."""
        await self._store.note_settings(person, key)

    async def moved(self, new_place: str) -> None:
        """A place's settings stand under its new key, too: that is to be found as well."""
        community = await self._saved(new_place)
        if community is not None and community.set_by_key:
            await self._store.note_settings(community.set_by_key, new_place)

    async def forget(self, person: str) -> None:
        """What a person set stays, and so does his being blocked, but nobody knows any more who he was."""

        def nameless(community: Community) -> Community:
            hidden = tag(person)
            blocked = tuple(replace(b, name=NOBODY) if b.tag == hidden else b for b in community.blocked)
            community = replace(community, blocked=blocked)
            if community.set_by_key != person:
                return community
            return replace(community, set_by=NOBODY, set_by_key="")

        for key in await self._store.places_set_by(person):
            await self._swap(key, nameless)

    async def _saved(self, key: str) -> Community | None:
        saved = await self._store.settings_at(key)
        return None if saved is None else _CODEC.decode(saved)

    async def _swap(self, key: str, change: Change) -> None:
        """Change what is set, and again when somebody else was quicker."""
        while True:
            saved = await self._store.settings_at(key)
            before = Community() if saved is None else _CODEC.decode(saved)
            if await self._store.swap_settings(key, saved, _CODEC.encode(change(before))):
                return
