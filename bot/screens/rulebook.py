"""A table's actual rules explained shortly, with pictures of what tiles make."""

from collections.abc import Iterator

from bot.screens.model import Leaflet, RulesPicture, Text, TileFace, TileMark
from bot.screens.rules import rules_lines, value_name
from bot.words import Words, joined
from engine.rules import Rules
from engine.tiles import Tile, okey_of

INDICATOR = Tile.R4
"""Of the examples, where no round is being played."""


def rules_leaflet(rules: Rules, words: Words, indicator: Tile | None = None) -> Leaflet:
    """The rules in words and pictures; indicator and okey are those of the round where there is one."""
    title = words.say("explain.title")
    picture = rules_picture(rules, words, indicator or INDICATOR)
    lines = (_bullet(point) for point in _points(rules, words))
    return Leaflet(
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
    yield from (_classic if rules.game == "classic" else _of_101)(rules, words)
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
