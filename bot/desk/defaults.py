"""A place's default rules: what `/okey` opens there when no game is named. Its organisers set them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from bot.chats import Answer, Typed
from bot.screens.rules import rules_lines
from bot.store import Store
from bot.store.codec import Codec
from bot.tables.changes import Refused, as_refusal
from bot.tables.names import clean_name
from bot.words import Words, joined
from engine.rules import PRESETS, Rules, rules_from, switches_of

Switches = Mapping[str, object]

PLAIN: Final[Switches] = {"preset": "okey"}


@dataclass(frozen=True, slots=True)
class PlaceSettings:
    """What organisers set for a place, and who did it last."""

    rules: dict[str, Any]
    set_by: str


_SETTINGS: Final = Codec(PlaceSettings, 1)


@dataclass(frozen=True, slots=True)
class Defaults:
    """The default rules of places. A thread or topic without its own has those of its channel or group."""

    store: Store

    async def rules(self, place: str | None, argument: str = "") -> Rules:
        """The rules that a command names in a place. Raises as `rules_of`."""
        return rules_of(argument, await self._of(place))

    async def command(self, typed: Typed, argument: str, words: Words) -> Answer:
        """Show a place's default rules, or set them. Raises Refused `organisers_only`, or as `rules_of`."""
        if typed.place is None:
            raise Refused("here_only")
        if argument:
            if not typed.organiser:
                raise Refused("organisers_only")
            settings = PlaceSettings(switches_of(rules_of(argument)), clean_name(typed.by.name))
            await self.store.save_settings(typed.place, _SETTINGS.encode(settings))
        title = words.say("notice.defaults_set" if argument else "notice.defaults")
        return Answer(notice=joined([title, *rules_lines(await self.rules(typed.place), words)]))

    async def _of(self, place: str | None) -> Switches:
        for key in () if place is None else dict.fromkeys((place, place.partition("/")[0])):
            saved = await self.store.settings_at(key)
            if saved is not None:
                return _SETTINGS.decode(saved).rules
        return PLAIN


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
