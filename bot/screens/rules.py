"""Rules in words: a table's in a line, with its clock; and the page that explains them with pictures."""

from collections.abc import Iterator
from typing import Final

from bot.i18n import Words, join
from bot.markup import Button, Page, RulesPicture, Text, TileFace, TileMark
from bot.screens.games import screens_of
from bot.screens.parts import CAPTION, length
from bot.screens.switches import difference, tell_factors
from bot.tables.clocks import in_units
from engine.rules import LENGTH_TOLD, PRESETS, Rules, switches_for, switches_of
from engine.tiles import Tile, okey_of

INDICATOR: Final = Tile.R4
"""The indicator in the examples when no round is being played."""

_IN_THE_LINE: Final = ("players", "start_points", "end", "rounds")
"""Switches that every table's line tells, so they are not listed as differences."""

_NAMELESS_LENGTH: Final = tuple(preset for preset in PRESETS if preset not in LENGTH_TOLD)
"""The presets whose names do not tell the length of a match."""


def rules_lines(rules: Rules, words: Words, *, of_league: bool = False) -> list[Text]:
    """Return the rules in a line: the preset and the length of a match, unless the preset's name tells it; in
    a second line the differences that have an effect, if any.

    `of_league`: a league night has rounds of its own, so the parts of a match are called deals, and no preset
    is named after its rounds.
    """
    changed = switches_of(rules, _NAMELESS_LENGTH if of_league else PRESETS)
    preset = changed.pop("preset")
    named = preset not in _NAMELESS_LENGTH
    end = "league.deals" if of_league and rules.end == "rounds" else f"rules.end.{rules.end}"
    line = words.say(
        "rules.line_named" if named else "rules.line",
        preset=words.plain(f"preset.{preset}"),
        players=words.plain("rules.players", n=rules.players),
        end=words.plain(end, n=rules.rounds, points=rules.start_points),
    )
    told = {*switches_for(rules)} - {*_IN_THE_LINE}
    news = [difference(words, name, value) for name, value in changed.items() if name in told]
    return [line, words.say("rules.differs", switches=" · ".join(news))] if news else [line]


def preset_of(rules: Rules) -> str:
    """Return the preset from which these rules differ in the fewest switches."""
    return str(switches_of(rules)["preset"])


def clock_name(seconds: int, words: Words) -> str:
    """Return a clock in words: `5 min`."""
    unit, n = in_units(seconds)
    return words.plain(f"clock.{unit}", n=n)


def clock_line(seconds: int, words: Words) -> Text:
    """Return the time for a turn."""
    return words.say("clock.line", clock=clock_name(seconds, words))


def rules_page(rules: Rules, words: Words, indicator: Tile | None = None, more: str = "") -> Page:
    """Return the rules in words and pictures. Indicator and okey are those of the current round, if there is
    one.

    What does not fit under a picture is on `more_rules_page`; `more` is the press of the button that leads
    there.
    """
    picture = rules_picture(rules, words, INDICATOR if indicator is None else indicator)
    lines, rest = _split_explanation(rules, words)
    button = Button((words.plain("button.more_rules"),), more)
    return Page(
        text=join(lines),
        picture=picture,
        alt=rules_alt(picture, words),
        buttons=((button,),) if more and rest else (),
    )


def more_rules_page(rules: Rules, words: Words) -> Page:
    """Return the rules that don't fit on `rules_page`."""
    return Page(text=join([words.say("explain.more"), *_split_explanation(rules, words)[1]]))


def _split_explanation(rules: Rules, words: Words) -> tuple[list[Text], list[Text]]:
    """Return the lines that fit under a picture, and the others."""
    lines = [words.say("explain.title"), *rules_lines(rules, words)]
    points: list[Text] = [("• ", *point) for point in _points(rules, words)]
    fit = len(points)
    while fit and length(join([*lines, *points[:fit]])) > CAPTION:
        fit -= 1
    return lines + points[:fit], points[fit:]


def rules_picture(rules: Rules, words: Words, indicator: Tile) -> RulesPicture:
    """Return a set, a run, a pair where pairs win, the indicator, the okey and the false joker."""
    okey = okey_of(indicator)
    run = "K12 K13 K1" if rules.one_after_thirteen else "B9 B10 B11 B12"
    examples = {
        "set": "R7 Y7 K7",
        "run": run,
        "pair": "Y5 Y5",
        "indicator": indicator.name,
        "okey": okey.name,
    }
    if not rules.pairs_win:
        del examples["pair"]
    if okey is not Tile.F:
        examples["false_joker"] = "F"
    return RulesPicture(
        examples=tuple(
            (
                words.plain(f"word.{name}"),
                tuple(TileFace(code, wild=code == okey.name) for code in tiles.split()),
            )
            for name, tiles in examples.items()
        )
    )


def rules_alt(picture: RulesPicture, words: Words) -> str:
    """Return the examples in words."""
    lines = []
    for caption, faces in picture.examples:
        tiles = ", ".join(words.tile_name(TileMark(face.code)) for face in faces)
        named = tiles.casefold() == caption.casefold()
        lines.append(caption if named else words.plain("alt.example", caption=caption, tiles=tiles))
    return "\n".join(lines)


def _points(rules: Rules, words: Words) -> Iterator[Text]:
    yield from screens_of(rules).explained(rules, words)
    yield words.say(f"explain.okey.{rules.false_joker_indicator}")
    if rules.riziko:
        yield words.say("explain.riziko")
    if set(rules.factors) != {1}:
        yield words.say("explain.factors", factors=tell_factors(rules.factors))
    yield words.say("explain.run.after_thirteen" if rules.one_after_thirteen else "explain.run.low_one")
    if rules.teams:
        yield words.say("explain.teams")
    yield words.say(f"explain.end.{rules.end}", n=rules.rounds)
    if rules.last_factor > 1:
        yield words.say("explain.last_factor", factor=rules.last_factor)
    if rules.extend_within:
        yield words.say("explain.extend_within", points=rules.extend_within)
