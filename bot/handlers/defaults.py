"""Settings of places: an organiser's settings for a place or its community, and the defaults of new tables.

A thread or topic without settings of its own has those of its channel or group, and these have those of their
community.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, get_args

from bot.errors import Refused, as_refusal, nearest_first
from bot.handlers.arguments import CLOCK, EVERYWHERE, GAME, LOOKS, ON_OFF, PLAYERS, SWITCHES
from bot.handlers.context import RequestContext
from bot.handlers.declarations import command
from bot.handlers.services import Services
from bot.handlers.who import ANYBODY, ORGANISER_HERE
from bot.i18n import LANGUAGES, Words, fold, join, words_for
from bot.markup import Name, Text
from bot.people.communities import Community, CommunityChange, PlaceSettings
from bot.ports import Answer, channel_of
from bot.screens.rules import clock_name, rules_lines
from bot.screens.switches import value_of
from bot.tables.clocks import read_named_clock
from bot.tables.table import ON_TABLES, Display
from engine.rules import PRESETS, Deal, Rules, rules_from, switches_of

Switches = Mapping[str, object]

OKEY: Final[Switches] = {"preset": "okey"}
"""The game where nothing is set."""

_PLAIN: Final = "plain"
"""The word that switches every display setting off."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The extent of a setting."""

    place: str
    everywhere: bool = False
    """Whether it applies to the whole community of the place."""


def read_scope(context: RequestContext) -> tuple[Scope, str]:
    """Return the scope that a command names, and its other words in small letters."""
    first, _, rest = fold(context.text).partition(" ")
    if first in {fold(words_for(language).plain("organise.everywhere")) for language in LANGUAGES}:
        return Scope(context.here, everywhere=True), rest.strip()
    return Scope(context.here), fold(context.text)


async def set_at(context: RequestContext, scope: Scope, **settings: object) -> None:
    """Set something, for an organiser. A setting for the whole community replaces the place's own."""
    communities, by = context.services.communities, context.by
    if not scope.everywhere:
        await communities.change(scope.place, by, lambda now: _with(now, settings))
        return
    whole = await communities.whole(scope.place)
    await communities.change(whole, by, lambda now: _with(now, settings))
    unset = {name: getattr(Community(), name) for name in settings}
    for nearer in {scope.place, channel_of(scope.place)} - {whole}:
        if await communities.at(nearer) != Community():
            await communities.change(nearer, by, lambda now: _with(now, unset))


async def set_whole(context: RequestContext, place: str, change: CommunityChange) -> None:
    """Change the settings of a place's community, for an organiser."""
    communities = context.services.communities
    await communities.change(await communities.whole(place), context.by, change)


def _with(now: Community, settings: dict[str, object]) -> Community:
    return replace(now, **settings)  # type: ignore[arg-type]


def _describe(lines: Iterable[Text], settings: PlaceSettings, words: Words) -> Answer:
    """Return these lines, and the person who changed the place's settings last, if anybody did."""
    return Answer(notice=join([*lines, *set_by(settings, words)]))


def set_by(settings: PlaceSettings, words: Words) -> list[Text]:
    """Return the person who last changed the settings nearest to a place."""
    nearest = next(iter(settings.set.values()), None)
    return [] if nearest is None else [words.say("notice.set_by", who=Name(nearest.set_by))]


def language_at(settings: PlaceSettings, words: Words) -> str:
    """Return the language of a place's tables: the community's, else that of the person who asks."""
    return settings.nearest(lambda each: each.language) or words.language


def clock_at(settings: PlaceSettings, services: Services) -> int:
    """Return seconds for a turn at a place's new tables."""
    return settings.nearest(lambda each: each.turn_seconds) or services.dealing.turn_seconds


def rules_at(settings: PlaceSettings, argument: str = "") -> Rules:
    """Return the rules that a command names in a place. Raises as `rules_of`."""
    switches: Switches | None = settings.nearest(lambda each: each.rules)
    return rules_of(argument, switches or OKEY)


@command(
    "defaults",
    who=ANYBODY,
    audience="organisers",
    order=20,
    group="organise",
    arguments=(EVERYWHERE, GAME, PLAYERS, CLOCK, SWITCHES),
    in_place=True,
)
async def _defaults(context: RequestContext) -> Answer:
    """Show a place's defaults, or set them. Raises as `rules_of` and `read_clock`, and Refused
    `organisers_only`."""
    (scope, named), words = read_scope(context), context.words
    if named:
        await ORGANISER_HERE.check(context, None)
        await set_at(context, scope, **_read_settings(named))
    settings = await context.services.communities.around(scope.place)
    clock = clock_name(clock_at(settings, context.services), words)
    title = words.say("notice.defaults_set" if named else "notice.defaults")
    lines = [title, *rules_lines(rules_at(settings), words), words.say("clock.line", clock=clock)]
    return _describe(lines, settings, words)


@command(
    "display",
    who=ANYBODY,
    audience="organisers",
    order=30,
    group="organise",
    arguments=(EVERYWHERE, *LOOKS),
    in_place=True,
)
async def _display(context: RequestContext) -> Answer:
    """Show the display of a place's new tables, or set it. Refused: `organisers_only`, `unknown_display`."""
    (scope, named), words = read_scope(context), context.words
    if named:
        await ORGANISER_HERE.check(context, None)
        await set_at(context, scope, display=_read_display(named))
    settings = await context.services.communities.around(scope.place)
    names = [words.plain(f"display.{name}") for name in ON_TABLES if getattr(settings.display, name)]
    line = words.say("notice.display", names=", ".join(names) or words.plain("display.plain"))
    return _describe([line], settings, words)


@command(
    "invitations",
    who=ANYBODY,
    audience="organisers",
    order=40,
    group="organise",
    arguments=(EVERYWHERE, ON_OFF),
    in_place=True,
)
async def _invitations(context: RequestContext) -> Answer:
    """Show whether a place shares tables with others, or set it. Refused: `organisers_only`."""
    (scope, word), words = read_scope(context), context.words
    if word in ("on", "off"):
        await ORGANISER_HERE.check(context, None)
        await set_at(context, scope, invitations=word == "on")
    settings = await context.services.communities.around(scope.place)
    line = words.say(f"notice.invitations_{'on' if settings.shares else 'off'}")
    return _describe([line], settings, words)


def _read_display(argument: str) -> Display:
    """Return the display that a command names: `letters contrast`, or `plain`. Refused: `unknown_display`."""
    names = argument.lower().split()
    for name in names:
        if name not in (*ON_TABLES, _PLAIN):
            raise Refused("unknown_display", name=name[:32], known=nearest_first(name, (*ON_TABLES, _PLAIN)))
    return Display(**{name: True for name in names if name != _PLAIN})


def _read_settings(argument: str) -> dict[str, object]:
    """Return the settings that a command names: rules, a clock, or both."""
    clock, rules = read_named_clock(argument)
    named: dict[str, object] = {} if clock is None else {"turn_seconds": clock}
    return {**named, "rules": switches_of(rules_of(rules))} if rules else named


def rules_of(argument: str, defaults: Switches = OKEY) -> Rules:
    """Return the rules that a command names: a preset, a number of players, a way to deal, `switch=value`.

    Without a preset they are changes to `defaults`. Raises Refused `unknown_preset`, or as the engine
    refuses them.
    """
    named: dict[str, object] = {}
    for typed in argument.split():
        word = fold(typed)
        if word in PRESETS:
            named["preset"] = word
        elif word.isascii() and word.isdigit() and len(word) < 9:  # the engine refuses a wrong number
            named["players"] = int(word)
        elif word in get_args(Deal):
            named["deal"] = word
        elif "=" in word:
            name, _, value = word.partition("=")
            named[name] = value_of(name, value)
        else:
            raise Refused("unknown_preset", name=typed[:32], known=nearest_first(word, PRESETS))
    if "rounds" in named:  # whoever says how many means that the match ends after them
        named.setdefault("end", "rounds")
    with as_refusal():
        return rules_from(named if "preset" in named else {**defaults, **named})
