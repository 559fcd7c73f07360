"""Communities: organisers' settings of a place, of the channel or group around it, and of a whole community.

A thread or topic without settings of its own has its channel's or group's, and these have their community's:
a server, or a group with all its topics (`Chat.community`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from bot.people.profiles import Profiles
from bot.ports import Person, channel_of
from bot.repository.settings import SettingsRepository
from bot.store import Store
from bot.store.codec import Codec
from bot.tables.membership import tag
from bot.tables.names import NOBODY, clean_name
from bot.tables.table import PLAIN, Display

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Blocked:
    """A person who may not sit down in a community."""

    tag: str
    """Identifies them (`bot.tables.membership.tag`). The block survives their being forgotten."""
    name: str
    """Their name when they were blocked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Community:
    """The settings of a place or a whole community, and the person who changed them last."""

    rules: dict[str, Any] | None = None
    """The switches of the game where none is named; None: not set here."""
    turn_seconds: int = 0
    """Seconds for a turn at new tables; 0: not set here."""
    invitations: bool = True
    """Whether a table may be shared with other places."""
    display: Display | None = None
    """The display of new tables; None: not set here."""
    language: str = ""
    """The language of public messages; empty: not set here, so it is the language of the person who opens a
    table."""
    rooms: bool | None = None
    """Whether a new table gets a thread or topic of its own; None: not set here."""
    places: tuple[str, ...] = ()
    """Of a whole community: the places where tables may be opened; empty: everywhere."""
    tables_most: int = 0
    """Of a whole community: the most tables at once; 0: any number."""
    role: str = ""
    """Of a whole community: the role that is mentioned when a table looks for players, as its chat refers to
    it; empty: none."""
    blocked: tuple[Blocked, ...] = ()
    """Of a whole community: the people who may not sit down."""
    set_by: str = ""
    """The name of the person who changed the settings last."""
    set_by_key: str = ""


@dataclass(frozen=True, slots=True)
class PlaceSettings:
    """All settings that apply to a place, loaded at once."""

    place: str
    whole: str
    """The key of the place's community."""
    set: Mapping[str, Community]
    """The existing settings of the place, of its channel or group, and of its community, in this order."""

    def nearest(self, wanted: Callable[[Community], T]) -> T:
        """Return a setting that applies to the place: the nearest that is set (neither None nor empty nor 0),
        else the default."""
        found = (wanted(community) for community in self.set.values())
        return next((each for each in found if each or each is False), wanted(Community()))

    @property
    def display(self) -> Display:
        """The display of the place's new tables."""
        return self.nearest(lambda each: each.display) or PLAIN

    @property
    def shares(self) -> bool:
        """Return whether the place shares its tables with others: no setting that applies to it forbids
        it."""
        return all(each.invitations for each in self.set.values())

    @property
    def community(self) -> Community:
        """The settings of the whole community."""
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
        """Return the key of a place's community. Raises RetryAfter."""
        chat = self.people.chat_of(place)
        if chat is not None:
            return await chat.places.community(place)
        return await self._store.index.load_community(place) or channel_of(place)

    async def of_new_places(self, *places: str) -> tuple[str, ...]:
        """Return the communities of places that get a table, and note them for processes to which the places'
        chats can't tell them. Raises RetryAfter."""
        wholes = {place: await self.whole(place) for place in places}
        for place, whole in wholes.items():
            if whole != channel_of(place):
                await self._store.index.note_community(place, whole)
        return tuple(dict.fromkeys(wholes.values()))

    async def around(self, place: str) -> PlaceSettings:
        """Return all settings that apply to a place: the newest, in one round trip. Permissions depend on
        them."""
        whole, keys = await self._around(place)
        return _set_around(place, whole, await self._settings.newest(keys))

    async def nearest(self, place: str, wanted: Callable[[Community], T]) -> T:
        """Return a setting that applies to a place (`PlaceSettings.nearest`), at most two seconds old, in one
        round trip or none. A change of looks takes effect that much later."""
        whole, keys = await self._around(place)
        return _set_around(place, whole, await self._settings.recent(keys)).nearest(wanted)

    async def at(self, key: str) -> Community:
        """Return the settings of just this place or community: the newest, as permissions depend on them."""
        return (await self._settings.newest([key]))[key]

    async def of_whole(self, place: str) -> Community:
        """Return the settings of a place's whole community: the newest, as by `at`."""
        return (await self.around(place)).community

    async def display(self, place: str) -> Display:
        """Return the display of a place's new tables."""
        return await self.nearest(place, lambda each: each.display) or PLAIN

    async def change(self, key: str, by: Person, change: CommunityChange) -> None:
        """Change some settings of a place or community. Raises Refused `busy`, or as `change` does."""
        await self._store.index.note_settings(by.key, key)
        name = clean_name(by.name)
        await self._settings.change(
            key, None, lambda held: replace(change(held.value), set_by=name, set_by_key=by.key)
        )

    async def note(self, person: str, key: str) -> None:
        """Note that a setting of a place or community names a person: under their tag, by which it names them
        and by which it can be noted again when the place moves."""
        await self._store.index.note_settings(tag(person), key)

    async def move(self, new_place: str) -> None:
        """Index a place's settings under its new key as well."""
        self._settings.forget(new_place)
        community = await self.at(new_place)
        for named in (community.set_by_key, *(each.tag for each in community.blocked)):
            if named:
                await self._store.index.note_settings(named, new_place)

    async def forget(self, person: str) -> None:
        """Remove the person's name. Their settings and their blocks stay."""

        def nameless(community: Community) -> Community:
            hidden = tag(person)
            blocked = tuple(replace(b, name=NOBODY) if b.tag == hidden else b for b in community.blocked)
            community = replace(community, blocked=blocked)
            if community.set_by_key != person:
                return community
            return replace(community, set_by=NOBODY, set_by_key="")

        # Under their key is what they set, under their tag where they are blocked.
        noted = {key for each in (person, tag(person)) for key in await self._store.index.places_set_by(each)}
        for key in sorted(noted):
            await self._settings.change(key, None, lambda held: nameless(held.value))

    async def _around(self, place: str) -> tuple[str, tuple[str, ...]]:
        """Return the community of a place, and all keys with settings that apply to it."""
        whole = await self.whole(place)
        return whole, tuple(dict.fromkeys((place, channel_of(place), whole)))


def _set_around(place: str, whole: str, found: Mapping[str, Community]) -> PlaceSettings:
    return PlaceSettings(place, whole, {key: each for key, each in found.items() if each != Community()})
