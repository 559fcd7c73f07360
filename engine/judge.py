"""`okey judge`: what is this rack worth? One line of JSON in, one line out (FORMATS).

What FORMATS leaves open: whatever is wrong with `game` is `bad_rules`; a line that lacks tiles, or whose
tiles are no list, is `bad_json`; `kinds` of fifteen tiles are those of any finishing discard, and `melds`
then arranges the rack after the first of them. `one_color` says that the fourteen tiles are all of one
colour, and where `one_color_double` is `red_black`, that it is red or black.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, NoReturn

from engine.arrange import (
    best_opening,
    distance,
    finishing_discards,
    most_pairs,
    winning_arrangements,
    without,
)
from engine.errors import Unreadable
from engine.melds import Meld, words_of
from engine.rules import Rules, rules_from
from engine.tiles import COPIES, Colour, Tile, okey_of, tile_from_text

_SIZES: Final = {"classic": (14, 15), "101": (21, 22)}

_MESSAGES: Final = {
    "bad_json": "This line is not a JSON object with game, indicator and tiles.",
    "bad_rules": "The game must be classic or 101, and every switch one that it has.",
    "bad_indicator": "The indicator must be a tile; F only where false jokers are wild.",
    "bad_tile": "{tile} is not a tile.",
    "bad_count": "A rack of this game has {fewest} or {most} tiles, not {tiles}.",
    "impossible_tiles": "The set has {copies} tiles of {tile}, the indicator counted.",
}

_LONGEST: Final = 40
"""Characters of his own that a person gets to read again."""

_Answer = dict[str, Any]


class Verdict(NamedTuple):
    """The line to print, and whether the line read was a good one."""

    line: str
    good: bool


class _Question(NamedTuple):
    rules: Rules
    okey: Tile
    tiles: list[Tile]


def judge_line(line: str) -> Verdict:
    """Judge one line. Nothing that it holds makes this raise."""
    asked: _Answer = {}
    try:
        asked = _read(line)
        return Verdict(_written(asked, _answer(_question(asked))), good=True)
    except RecursionError:  # nested so deeply that not even its id can be written back
        asked, error = {}, Unreadable("bad_json")
    except Unreadable as unreadable:
        error = unreadable
    return Verdict(_written(asked, {"error": _explained(error)}), good=False)


def _read(line: str) -> _Answer:
    try:
        asked = json.loads(line, parse_float=_finite, parse_constant=_refuse)
    except ValueError:
        raise Unreadable("bad_json") from None
    if not isinstance(asked, dict):
        raise Unreadable("bad_json")
    return asked


def _refuse(constant: str) -> NoReturn:
    """NaN and Infinity are no JSON, and an `id` that holds one could not be written back."""
    raise ValueError(constant)


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def _written(asked: _Answer, answer: _Answer) -> str:
    return json.dumps({"id": asked.get("id"), **answer}, separators=(",", ":"))


def _explained(error: Unreadable) -> dict[str, str]:
    shown = {name: str(value)[:_LONGEST] for name, value in error.parameters.items()}
    return {"code": error.code, "message": _MESSAGES[error.code].format(**shown)}


def _question(asked: Mapping[str, Any]) -> _Question:
    rules = _rules(asked.get("game"), asked.get("rules"))
    indicator = _indicator(asked.get("indicator"), rules)
    words = asked.get("tiles")
    if not isinstance(words, list):
        raise Unreadable("bad_json")
    tiles = [tile_from_text(word) for word in words]
    fewest, most = _SIZES[rules.game]
    if not fewest <= len(tiles) <= most:
        raise Unreadable("bad_count", fewest=fewest, most=most, tiles=len(tiles))
    for tile, count in Counter([*tiles, indicator]).items():
        if count > COPIES:
            raise Unreadable("impossible_tiles", tile=tile.name, copies=COPIES)
    return _Question(rules, okey_of(indicator), tiles)


def _rules(game: object, switches: object) -> Rules:
    if not isinstance(game, str) or game not in _SIZES or not isinstance(switches, dict | None):
        raise Unreadable("bad_rules")
    return _rules_of(game, json.dumps(switches or {}))


@lru_cache(maxsize=64)
def _rules_of(game: str, switches: str) -> Rules:
    given = json.loads(switches)
    try:
        rules = rules_from(given if "preset" in given else {"game": game, **given})
    except Unreadable:
        raise Unreadable("bad_rules") from None
    if rules.game != game:
        raise Unreadable("bad_rules")
    return rules


def _indicator(word: object, rules: Rules) -> Tile:
    try:
        indicator = tile_from_text(word)  # type: ignore[arg-type]
    except Unreadable:
        raise Unreadable("bad_indicator") from None
    if indicator is Tile.F and rules.false_joker_indicator != "false_jokers_wild":
        raise Unreadable("bad_indicator")
    return indicator


def _answer(question: _Question) -> _Answer:
    judge = _judge_101
    if question.rules.game == "classic":
        judge = _judge_fourteen if len(question.tiles) == 14 else _judge_fifteen
    return {"okey": question.okey.name, **judge(question)}


def _judge_fourteen(question: _Question) -> _Answer:
    away = _distance(question)
    arranged = {} if away else _arranged(question, question.tiles)
    return {
        "wins": away == 0,
        "kinds": sorted(arranged),
        "melds": next(iter(arranged.values()), None),
        "distance": away,
        "finishes": None,
    }


def _judge_fifteen(question: _Question) -> _Answer:
    away = _distance(question)
    finishes = {} if away else _finishes(question)
    arranged = _arranged(question, without(question.tiles, next(iter(finishes)))) if finishes else {}
    return {
        "wins": away == 0,
        "kinds": sorted({kind for kinds in finishes.values() for kind in kinds}),
        "melds": next(iter(arranged.values()), None),
        "distance": away,
        "finishes": [_finish(question, tile, kinds) for tile, kinds in finishes.items()],
    }


def _finishes(question: _Question) -> dict[Tile, tuple[str, ...]]:
    rules = question.rules
    return dict(
        finishing_discards(
            question.okey,
            question.tiles,
            pairs_win=rules.pairs_win,
            one_after_thirteen=rules.one_after_thirteen,
        )
    )


def _finish(question: _Question, tile: Tile, kinds: Sequence[str]) -> _Answer:
    return {
        "discard": tile.name,
        "kinds": list(kinds),
        "joker": tile is question.okey,
        "one_color": _of_one_colour(question, without(question.tiles, tile)),
    }


def _of_one_colour(question: _Question, rack: Iterable[Tile]) -> bool:
    """Okeys can be of the others' colour wherever a rack wins (RULES 4, `one_color_double`)."""
    okey = question.okey
    colours = {okey.colour if tile is Tile.F else tile.colour for tile in rack if tile is not okey}
    doubled = {Colour.RED, Colour.BLACK} if question.rules.one_color_double == "red_black" else set(Colour)
    return len(colours) == 1 and colours <= doubled


def _arranged(question: _Question, tiles: Sequence[Tile]) -> dict[str, list[tuple[str, ...]]]:
    rules = question.rules
    arrangements = winning_arrangements(
        question.okey, tiles, pairs_win=rules.pairs_win, one_after_thirteen=rules.one_after_thirteen
    )
    return {kind: _words(melds, question.okey) for kind, melds in arrangements.items()}


def _distance(question: _Question) -> int:
    rules = question.rules
    return distance(
        question.okey,
        question.tiles,
        pairs_win=rules.pairs_win,
        one_after_thirteen=rules.one_after_thirteen,
    )


def _judge_101(question: _Question) -> _Answer:
    rules = question.rules
    points, melds = best_opening(question.okey, question.tiles, one_after_thirteen=rules.one_after_thirteen)
    pairs = len(most_pairs(question.okey, question.tiles))
    return {
        "opening": points,
        "melds": _words(melds, question.okey),
        "pairs": pairs,
        "opens": points >= rules.opening_points or pairs >= rules.opening_pairs,
    }


def _words(melds: Iterable[Meld], okey: Tile) -> list[tuple[str, ...]]:
    return [words_of(meld, okey) for meld in melds]
