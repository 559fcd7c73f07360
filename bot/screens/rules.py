"""A table's rules in words: the preset, what differs from it, and every switch with its values."""

from collections.abc import Iterator, Mapping
from typing import Final, get_args, get_type_hints

from bot.i18n import Words, joined
from bot.markup import Page, RulesPicture, Text, TileFace, TileMark
from engine.games import CLASSIC, game_of
from engine.rules import Rules, switches_of
from engine.tiles import Tile, okey_of

_HINTS: Final = get_type_hints(Rules)
_IN_THE_LINE: Final = ("players", "start_points", "end", "rounds")
"""Told in the line of every table, so they are no news."""

_NUMBERS: Final[Mapping[str, tuple[int, ...]]] = {
    "players": (2, 3, 4),
    "start_points": (5, 10, 20, 30, 50, 100),
    "rounds": (1, 3, 5, 7, 9, 11, 15, 20),
    "stake": (10, 50, 100, 500, 1000, 10_000),
    "opening_points": (51, 81, 101, 121, 151, 201),
    "opening_pairs": (4, 5, 6, 7, 8, 9, 10),
}
"""What the dialogue offers out of a switch's range; a command may name any other number."""


def choices(switch: str) -> tuple[str | int | bool, ...]:
    """The values that the dialogue offers for a switch; for `penalties`, the members of its list."""
    if switch == "penalties":
        return tuple(get_args(get_args(_HINTS[switch])[0]))
    if _HINTS[switch] is bool:
        return True, False
    return _NUMBERS.get(switch) or get_args(_HINTS[switch])


def rules_lines(rules: Rules, words: Words) -> list[Text]:
    """The rules in a line: the preset, and how long it goes; in another, what differs, if anything does."""
    preset, changed = _told(rules)
    line = words.say(
        "rules.line",
        preset=words.plain(f"preset.{preset}"),
        players=words.plain("rules.players", n=rules.players),
        end=words.plain(f"rules.end.{rules.end}", n=rules.rounds, points=rules.start_points),
    )
    news = [setting(words, name, value) for name, value in changed.items() if name not in _IN_THE_LINE]
    return [line, words.say("rules.differs", switches=", ".join(news))] if news else [line]


def preset_of(rules: Rules) -> str:
    """The preset from which the fewest switches lead to these rules."""
    return _told(rules)[0]


def switch_name(words: Words, switch: str) -> str:
    """A switch by name; what is none, as it is."""
    key = f"switch.{switch}"
    return words.plain(key) if words.has(key) else switch


def value_name(words: Words, switch: str, value: object) -> str:
    """A value of a switch in words."""
    match value:
        case bool():
            return words.plain("value.yes" if value else "value.no")
        case str():
            return words.plain(f"value.{switch}.{value}")
        case list() | tuple():
            return ", ".join(value_name(words, switch, each) for each in value) or words.plain("value.none")
    return str(value)


def setting(words: Words, switch: str, value: object) -> str:
    """A switch and its value: `Players: 3`."""
    return words.plain(
        "rules.setting", switch=switch_name(words, switch), value=value_name(words, switch, value)
    )


def _told(rules: Rules) -> tuple[str, dict[str, object]]:
    changed = switches_of(rules)
    return str(changed.pop("preset")), changed


INDICATOR = Tile.R4
"""Of the examples, where no round is being played."""


def rules_leaflet(rules: Rules, words: Words, indicator: Tile | None = None) -> Page:
    """The rules in words and pictures; indicator and okey are those of the round where there is one."""
    title = words.say("explain.title")
    picture = rules_picture(rules, words, indicator or INDICATOR)
    lines = (_bullet(point) for point in _points(rules, words))
    return Page(
        text=joined([title, *rules_lines(rules, words), *lines]),
        picture=picture,
        alt=rules_alt(picture, words),
    )


def rules_picture(rules: Rules, words: Words, indicator: Tile) -> RulesPicture:
    """A set, a run, a pair, the indicator, the okey and the false joker."""
    okey = okey_of(indicator)
    run = "K12 K13 K1" if rules.one_after_thirteen else "B9 B10 B11 B12"
    examples = {"set": "R7 Y7 K7", "run": run, "pair": "Y5 Y5"}
    shown = [(words.plain(f"word.{name}"), _faces(tiles, okey)) for name, tiles in examples.items()]
    shown.append((words.plain("word.indicator"), _faces(indicator.name, okey)))
    shown.append((words.plain("word.okey"), _faces(okey.name, okey)))
    if okey is not Tile.F:
        shown.append((words.plain("word.false_joker"), (TileFace("F"),)))
    return RulesPicture(examples=tuple(shown))


def _faces(tiles: str, okey: Tile) -> tuple[TileFace, ...]:
    return tuple(TileFace(code, wild=code == okey.name) for code in tiles.split())


def rules_alt(picture: RulesPicture, words: Words) -> str:
    """The examples in words."""
    lines = []
    for caption, faces in picture.examples:
        tiles = ", ".join(words.tile_name(TileMark(face.code, face.wild)) for face in faces)
        lines.append(words.plain("alt.example", caption=caption, tiles=tiles))
    return "\n".join(lines)


def _bullet(point: Text) -> Text:
    return "• ", *point


def _points(rules: Rules, words: Words) -> Iterator[Text]:
    yield from (_classic if game_of(rules) is CLASSIC else _of_101)(rules, words)
    yield words.say(f"explain.okey.{rules.false_joker_indicator}")
    yield words.say("explain.run.after_thirteen" if rules.one_after_thirteen else "explain.run.low_one")
    if rules.teams:
        yield words.say("explain.teams")
    yield words.say(f"explain.end.{rules.end}", n=rules.rounds)


def _classic(rules: Rules, words: Words) -> Iterator[Text]:
    yield words.say("explain.goal.pairs" if rules.pairs_win else "explain.goal.melds")
    yield words.say(f"explain.turn.{rules.discard_sources}")
    if rules.show != "off":
        yield words.say(f"explain.show.{rules.show}")
    yield words.say(f"explain.score.{rules.scoring}", points=rules.start_points)
    if rules.one_color_double != "off" and rules.scoring != "rounds":
        yield words.say(f"explain.color.{rules.one_color_double}")
    if rules.pot:
        yield words.say("explain.pot", stake=rules.stake)


def _of_101(rules: Rules, words: Words) -> Iterator[Text]:
    yield words.say("explain.goal.101")
    yield words.say("explain.open", points=rules.opening_points, pairs=rules.opening_pairs)
    if rules.raising:
        yield words.say("explain.raising")
    yield words.say("explain.lay")
    yield words.say(f"explain.taken.{rules.return_taken}")
    if rules.reclaim_joker:
        yield words.say("explain.reclaim")
    yield words.say("explain.score.101")
    penalties = [each for each in rules.penalties if rules.strict or each != "failed_opening"]
    if penalties:
        yield words.say("explain.penalties", penalties=value_name(words, "penalties", penalties))
    if rules.strict:
        yield words.say("explain.strict")
