"""What `/okey` opens in a place when no game or clock is named. Its organisers set it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.chats import Answer, Typed
from bot.desk.setting import Setting, meant_by
from bot.screens.clock_page import clock_name
from bot.screens.rules import rules_lines
from bot.tables.changes import Refused, as_refusal
from bot.tables.clocks import named_clock
from bot.words import Words, folded
from engine.rules import PRESETS, Rules, rules_from, switches_of

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

    async def command(self, typed: Typed, argument: str, words: Words) -> Answer:
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
