"""What organisers set, and for where: their place, or with one word more all of its community."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bot.chats import Answer, Person, Typed
from bot.communities import Change, Communities, Community, channel_of
from bot.organisers import Organisers
from bot.screens.model import Name, Text
from bot.tables.changes import Refused
from bot.words import LANGUAGES, Words, folded, joined, words_for


@dataclass(frozen=True, slots=True)
class Meant:
    """What a command is about."""

    place: str
    everywhere: bool
    """Whether it is to hold in the whole community of the place."""
    rest: str
    """The other words, in small letters."""


def meant_by(typed: Typed, argument: str) -> Meant:
    """For where a command sets something. Raises Refused `here_only` in a private chat."""
    if typed.place is None:
        raise Refused("here_only")
    first, _, rest = folded(argument).partition(" ")
    if first in {folded(words_for(language).plain("organise.everywhere")) for language in LANGUAGES}:
        return Meant(typed.place, everywhere=True, rest=rest.strip())
    return Meant(typed.place, everywhere=False, rest=folded(argument))


@dataclass(frozen=True, slots=True)
class Setting:
    """Sets it for who runs the place. Refusals are raised as Refused."""

    communities: Communities
    organisers: Organisers

    async def set(self, by: Person, meant: Meant, **settings: object) -> None:
        """Set something. What is set everywhere holds in the place itself, too, whatever was set there.

        Raises as `Organisers.check`.
        """
        await self.organisers.check(by.key, meant.place)
        if not meant.everywhere:
            await self.communities.change(meant.place, by, lambda now: _with(now, settings))
            return
        whole = await self.communities.whole(meant.place)
        await self.communities.change(whole, by, lambda now: _with(now, settings))
        unset = {name: getattr(Community(), name) for name in settings}
        for nearer in {meant.place, channel_of(meant.place)} - {whole}:
            if await self.communities.at(nearer) != Community():
                await self.communities.change(nearer, by, lambda now: _with(now, unset))

    async def change_whole(self, by: Person, place: str, change: Change) -> None:
        """Change what a place's community has set. Raises as `Organisers.check`."""
        await self.organisers.check(by.key, place)
        await self.communities.change(await self.communities.whole(place), by, change)

    async def language(self, place: str, words: Words) -> str:
        """The language in which a place is shown its tables: the community's, else that of who asks."""
        return await self.communities.nearest(place, lambda each: each.language) or words.language

    async def told(self, place: str, lines: Iterable[Text], words: Words) -> Answer:
        """These lines, and one that says who changed the place's settings last, if anybody did."""
        return Answer(notice=joined([*lines, *await self.set_by(place, words)]))

    async def set_by(self, place: str, words: Words) -> list[Text]:
        """Who changed the settings last that are nearest to a place."""
        set_here = await self.communities.of(place)
        return [words.say("notice.set_by", who=Name(set_here[0].set_by))] if set_here else []


def _with(now: Community, settings: dict[str, object]) -> Community:
    return replace(now, **settings)  # type: ignore[arg-type]
