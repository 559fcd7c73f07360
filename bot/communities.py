"""What organisers set for a place. A thread or topic lives by its channel's or group's settings, too."""

from dataclasses import dataclass, replace
from typing import Any, Final

from bot.chats import Person
from bot.store import Store
from bot.store.codec import Codec
from bot.tables.display import PLAIN, Display
from bot.tables.names import NOBODY, clean_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Community:
    """The settings of a place, and who changed them last."""

    rules: dict[str, Any] | None = None
    """The switches of what is played when no game is named; None: not set here."""
    invitations: bool = True
    """Whether a table may be shared with other places."""
    display: Display | None = None
    """How new tables look; None: not set here."""
    set_by: str = ""
    """A name, to be shown."""
    set_by_key: str = ""


_CODEC: Final = Codec(Community, 1)


class Communities:
    """The settings of one store's places."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def of(self, place: str) -> tuple[Community, ...]:
        """What is set for a place, then for the channel or group that it belongs to, where anything is."""
        keys = dict.fromkeys((place, place.partition("/")[0]))
        saved = [await self._saved(key) for key in keys]
        return tuple(community for community in saved if community is not None)

    async def display(self, place: str) -> Display:
        """How a place's new tables look."""
        set_here = await self.of(place)
        return next((each.display for each in set_here if each.display is not None), PLAIN)

    async def change(self, place: str, by: Person, **settings: object) -> None:
        """Set something for a place and leave the rest as it is."""
        await self._store.note_settings(by.key, place)
        before = await self._saved(place) or Community()
        who = {"set_by": clean_name(by.name), "set_by_key": by.key}
        await self._save(place, replace(before, **settings, **who))  # type: ignore[arg-type]

    async def moved(self, new_place: str) -> None:
        """A place's settings stand under its new key, too: that is to be found as well."""
        community = await self._saved(new_place)
        if community is not None and community.set_by_key:
            await self._store.note_settings(community.set_by_key, new_place)

    async def forget(self, person: str) -> None:
        """What a person set stays, but nobody knows any more that it was he."""
        for place in await self._store.places_set_by(person):
            community = await self._saved(place)
            if community is not None and community.set_by_key == person:
                await self._save(place, replace(community, set_by=NOBODY, set_by_key=""))

    async def _saved(self, place: str) -> Community | None:
        saved = await self._store.settings_at(place)
        return None if saved is None else _CODEC.decode(saved)

    async def _save(self, place: str, community: Community) -> None:
        await self._store.save_settings(place, _CODEC.encode(community))
