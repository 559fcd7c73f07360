"""A place's default rules: what `/okey` opens there when no game is named. Its organisers set them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.chats import Answer, Typed
from bot.communities import Communities
from bot.organisers import Organisers
from bot.screens.model import Name, Text
from bot.screens.rules import rules_lines
from bot.tables.changes import Refused, as_refusal
from bot.words import Words, joined
from engine.rules import PRESETS, Rules, rules_from, switches_of

Switches = Mapping[str, object]

PLAIN: Final[Switches] = {"preset": "okey"}


@dataclass(frozen=True, slots=True)
class Defaults:
    """The default rules of places. A thread or topic without its own has those of its channel or group."""

    communities: Communities
    organisers: Organisers

    async def rules(self, place: str | None, argument: str = "") -> Rules:
        """The rules that a command names in a place. Raises as `rules_of`."""
        return rules_of(argument, await self._of(place))

    async def command(self, typed: Typed, argument: str, words: Words) -> Answer:
        """Show a place's default rules, or set them. Raises Refused `organisers_only`, or as `rules_of`."""
        if typed.place is None:
            raise Refused("here_only")
        if argument:
            await self.organisers.check(typed.by.key, typed.place)
            await self.communities.change(typed.place, typed.by, rules=switches_of(rules_of(argument)))
        title = words.say("notice.defaults_set" if argument else "notice.defaults")
        lines = [title, *rules_lines(await self.rules(typed.place), words)]
        return Answer(notice=joined([*lines, *await set_by(self.communities, typed.place, words)]))

    async def _of(self, place: str | None) -> Switches:
        set_here = () if place is None else await self.communities.of(place)
        return next((each.rules for each in set_here if each.rules is not None), PLAIN)


async def set_by(communities: Communities, place: str, words: Words) -> list[Text]:
    """A line that says who changed a place's settings last, if anybody did."""
    set_here = await communities.of(place)
    return [words.say("notice.set_by", who=Name(set_here[0].set_by))] if set_here else []


def rules_of(argument: str, defaults: Switches = PLAIN) -> Rules:
    """The rules that a command names: a preset, a number of players, a way to deal, `switch=value`.

    Without a preset they are changes to `defaults`. Raises Refused `unknown_preset`, or as the engine
    refuses them.
    """
    named: dict[str, object] = {}
    for word in argument.lower().split():
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
