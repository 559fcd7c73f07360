"""Judge: the worth of a rack, one line of JSON in, one line out (`okey judge`, FORMATS).

FORMATS leaves open, and this module decides: anything wrong with `game` is `bad_rules`; a line without tiles,
or whose tiles are no list, is `bad_json`; `kinds` of fifteen tiles are those of any finishing discard, and
`melds` then arranges the rack after the first of them. `one_color` says that the fourteen tiles are all of
one colour, and where `one_color_double` is `red_black`, that it is red or black.
"""

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, NoReturn

from engine.arrange import (
    best_opening,
    distance,
    finishing_discards,
    pair_count,
    winning_arrangements,
    without,
)
from engine.errors import Unreadable
from engine.games import CLASSIC, GAMES, OKEY101, Game, game_of
from engine.games.classic import of_one_colour
from engine.melds import Meld, MeldRules, Way, words_of
from engine.rules import Rules, rules_from
from engine.tiles import COPIES, Tile, okey_of, tile_from_text

_MESSAGES: Final = {
    "bad_json": "This line is not a JSON object with game, indicator and tiles.",
    "bad_rules": "The game must be classic or 101, and every switch one that it has.",
    "bad_indicator": "The indicator must be a tile; F only where false jokers are wild.",
    "bad_tile": "{tile} is not a tile.",
    "bad_count": "A rack of this game has {fewest} or {most} tiles, not {tiles}.",
    "impossible_tiles": "The set has {copies} tiles of {tile}, the indicator counted.",
}

_LONGEST: Final = 40
"""The most characters of people's own text that an answer repeats."""

_Answer = dict[str, Any]
_Words = list[tuple[str, ...]]


class Verdict(NamedTuple):
    """The line to print, and whether the line that was read was good."""

    line: str
    good: bool


class _Question(NamedTuple):
    rules: Rules
    meld_rules: MeldRules
    tiles: list[Tile]


def judge_line(line: str) -> Verdict:
    """Judge one line. No content of the line makes this raise."""
    asked: _Answer = {}
    try:
        asked = _read(line)
        return Verdict(_write(asked, _answer(_question(asked))), good=True)
    except RecursionError:  # nested so deeply that not even its id can be written back
        asked, error = {}, Unreadable("bad_json")
    except Unreadable as unreadable:
        error = unreadable
    return Verdict(_write(asked, {"error": _explain(error)}), good=False)


def _read(line: str) -> _Answer:
    try:
        asked = json.loads(line, parse_float=_finite, parse_constant=_refuse)
    except ValueError:
        raise Unreadable("bad_json") from None
    if not isinstance(asked, dict):
        raise Unreadable("bad_json")
    return asked


def _refuse(constant: str) -> NoReturn:
    """Refuse NaN and Infinity: they are not JSON, and an `id` with one could not be written back."""
    raise ValueError(constant)


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def _write(asked: _Answer, answer: _Answer) -> str:
    return json.dumps({"id": asked.get("id"), **answer}, separators=(",", ":"))


def _explain(error: Unreadable) -> dict[str, str]:
    shown = {name: str(value)[:_LONGEST] for name, value in error.parameters.items()}
    return {"code": error.code, "message": _MESSAGES[error.code].format(**shown)}


def _question(asked: Mapping[str, Any]) -> _Question:
    rules = _rules(asked.get("game"), asked.get("rules"))
    indicator = _indicator(asked.get("indicator"), rules)
    words = asked.get("tiles")
    if not isinstance(words, list):
        raise Unreadable("bad_json")
    tiles = [tile_from_text(word) for word in words]
    fewest = game_of(rules).rack_size
    if not fewest <= len(tiles) <= fewest + 1:
        raise Unreadable("bad_count", fewest=fewest, most=fewest + 1, tiles=len(tiles))
    for tile, count in Counter([*tiles, indicator]).items():
        if count > COPIES:
            raise Unreadable("impossible_tiles", tile=tile.name, copies=COPIES)
    return _Question(rules, rules.meld_rules(okey_of(indicator)), tiles)


def _rules(game: object, switches: object) -> Rules:
    if not isinstance(game, str) or game not in GAMES or not isinstance(switches, dict | None):
        raise Unreadable("bad_rules")
    return _rules_of(game, json.dumps(switches or {}))


@lru_cache(maxsize=64)
def _rules_of(game: str, switches: str) -> Rules:
    given = json.loads(switches)
    try:
        rules = rules_from(given if "preset" in given else {"game": game, **given})
    except Unreadable:
        raise Unreadable("bad_rules") from None
    if game_of(rules).name != game:
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
    return {"okey": question.meld_rules.okey.name, **_JUDGES[game_of(question.rules)](question)}


def _judge_classic(question: _Question) -> _Answer:
    away = distance(question.meld_rules, question.tiles)
    if len(question.tiles) == CLASSIC.rack_size:
        arranged = {} if away else _arrange(question, question.tiles)
        return _winning(away, arranged, arranged, None)
    finishes = {} if away else finishing_discards(question.meld_rules, question.tiles)
    arranged = _arrange(question, without(question.tiles, next(iter(finishes)))) if finishes else {}
    ways = {way for ways in finishes.values() for way in ways}
    return _winning(away, ways, arranged, [_finish(question, tile, ways) for tile, ways in finishes.items()])


def _winning(
    away: int, ways: Iterable[str], arranged: Mapping[Way, _Words], finishes: list[_Answer] | None
) -> _Answer:
    return {
        "wins": away == 0,
        "kinds": sorted(ways),
        "melds": next(iter(arranged.values()), None),
        "distance": away,
        "finishes": finishes,
    }


def _finish(question: _Question, tile: Tile, ways: Sequence[Way]) -> _Answer:
    okey = question.meld_rules.okey
    return {
        "discard": tile.name,
        "kinds": list(ways),
        "joker": tile is okey,
        "one_color": of_one_colour(question.rules, okey, without(question.tiles, tile)),
    }


def _arrange(question: _Question, tiles: Sequence[Tile]) -> dict[Way, _Words]:
    arrangements = winning_arrangements(question.meld_rules, tiles)
    return {way: _words(melds, question.meld_rules.okey) for way, melds in arrangements.items()}


def _judge_101(question: _Question) -> _Answer:
    points, melds = best_opening(question.meld_rules, question.tiles)
    pairs = pair_count(question.meld_rules, question.tiles)
    return {
        "opening": points,
        "melds": _words(melds, question.meld_rules.okey),
        "pairs": pairs,
        "opens": points >= question.rules.opening_points or pairs >= question.rules.opening_pairs,
    }


def _words(melds: Iterable[Meld], okey: Tile) -> _Words:
    return [words_of(meld, okey) for meld in melds]


_JUDGES: Final[Mapping[Game, Callable[[_Question], _Answer]]] = {
    CLASSIC: _judge_classic,
    OKEY101: _judge_101,
}
