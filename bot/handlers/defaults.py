"""Settings of places: what organisers set for a place or its community, and the defaults of new tables."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.errors import Refused, as_refusal
from bot.i18n import LANGUAGES, Words, folded, joined, words_for
from bot.markup import Name, Text
from bot.people.communities import Communities, Community, CommunityChange
from bot.people.permissions import Organisers
from bot.ports import Answer, Person, TypedCommand, channel_of
from bot.screens.rules import clock_name, rules_lines
from bot.tables.clocks import named_clock
from engine.rules import PRESETS, Rules, rules_from, switches_of


@dataclass(frozen=True, slots=True)
class Meant:
    """What a command is about."""

    place: str
    everywhere: bool
    """Whether it is to hold in the whole community of the place."""
    rest: str
    """The other words, in small letters."""


def meant_by(typed: TypedCommand, argument: str) -> Meant:
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

    async def change_whole(self, by: Person, place: str, change: CommunityChange) -> None:
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


Switches = Mapping[str, object]

PLAIN: Final[Switches] = {"preset": "okey"}


@dataclass(frozen=True, slots=True)
class Defaults:
    """What new tables of a place are like. A thread or topic without its own defaults has those of its
    channel or group, and these those of their community."""

    setting: Setting
    turn_seconds: int
    """The clock where none is set."""

    async def rules(self, place: str | None, argument: str = "") -> Rules:
        """The rules that a command names in a place. Raises as `rules_of`."""
        return rules_of(argument, await self._switches(place))

    async def clock(self, place: str) -> int:
        """Seconds a turn at a place's new tables."""
        return await self.setting.communities.nearest(place, lambda each: each.turn_seconds) or (
            self.turn_seconds
        )

    async def command(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """Show a place's defaults, or set them. Raises as `rules_of`, `read_clock` and `Setting.set`."""
        meant = meant_by(typed, argument)
        if meant.rest:
            await self.setting.set(typed.by, meant, **_named(meant.rest))
        title = words.say("notice.defaults_set" if meant.rest else "notice.defaults")
        clock = words.say("clock.line", clock=clock_name(await self.clock(meant.place), words))
        lines = [title, *rules_lines(await self.rules(meant.place), words), clock]
        return await self.setting.told(meant.place, lines, words)

    async def _switches(self, place: str | None) -> Switches:
        if place is None:
            return PLAIN
        return await self.setting.communities.nearest(place, lambda each: each.rules) or PLAIN


def _named(argument: str) -> dict[str, object]:
    """The settings that a command names: rules, a clock, or both."""
    clock, rules = named_clock(argument)
    named: dict[str, object] = {} if clock is None else {"turn_seconds": clock}
    return {**named, "rules": switches_of(rules_of(rules))} if rules else named


def rules_of(argument: str, defaults: Switches = PLAIN) -> Rules:
    """The rules that a command names: a preset, a number of players, a way to deal, `switch=value`.

    Without a preset they are changes to `defaults`. Raises Refused `unknown_preset`, or as the engine
    refuses them.
    """
    named: dict[str, object] = {}
    for word in folded(argument).split():
        if word in PRESETS:
            named["preset"] = word
        elif word in ("2", "3", "4"):
            named["players"] = int(word)
        elif word in ("quick", "stacks"):
            named["deal"] = word
        elif "=" in word:
            name, _, value = word.partition("=")
            named[name] = value_of(name, value)
        else:
            raise Refused("unknown_preset", name=word[:32], known=", ".join(PRESETS))
    with as_refusal():
        return rules_from(named if "preset" in named else {**defaults, **named})


def value_of(switch: str, text: str) -> object:
    """A switch's value as RULES 8 writes it: a number, true or false, a word, or a list of words."""
    if switch == "penalties":
        return [word for word in text.split(",") if word]
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else text
