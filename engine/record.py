"""Record: the conversion of its parts to JSON data and back (FORMATS, "Game records").

It handles dictionaries and lists, never files; `engine.replay` replays a whole record.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine import moves
from engine.context import ClosedWord, Context, context_to_json
from engine.deal import Dealt, starter_of
from engine.errors import Unreadable
from engine.games import game_of
from engine.melds import Placed
from engine.rules import Rules, every_switch
from engine.shuffle import AnySeed, Seed
from engine.tiles import FULL_SET, Tile, tile_from_text

FORMAT: Final = "okey-record/1"

Action = dict[str, Any]


def action_of(seat: int, move: moves.Move) -> Action:
    """Return the action of a record for a move."""
    return {"seat": seat, **_write_move(move)}


def _write_move(move: moves.Move) -> Action:
    match move:
        case moves.Show() | moves.Draw() | moves.Return() | moves.Declare() | moves.Call():
            return {"do": type(move).__name__.lower()}
        case moves.Take(source):
            return {"do": "take"} | ({} if source is None else {"from": source})
        case moves.Discard(tile) | moves.Finish(tile):
            return {"do": type(move).__name__.lower(), "tile": tile.name}
        case moves.Open(melds):
            return {"do": "open", "melds": [_words(meld) for meld in melds]}
        case moves.OpenPairs(pairs):
            return {"do": "open", "pairs": [_words(pair) for pair in pairs]}
        case moves.LayMeld(tiles):
            return {"do": "meld", "tiles": _words(tiles)}
        case moves.LayOff(placed, on):
            return {"do": "lay", "tile": str(placed), "on": on}
        case moves.Reclaim(tile, on):
            return {"do": "reclaim", "tile": tile.name, "on": on}
        case moves.TakeBack(count):
            return {"do": "takeback", "count": count}


def move_of(action: Mapping[str, Any]) -> tuple[int, moves.Move]:
    """Seat and move of a record's action. Raises Unreadable `bad_action`, `bad_tile`."""
    seat = _number(action, "seat")
    match action.get("do"):
        case "show":
            return seat, moves.Show()
        case "draw":
            return seat, moves.Draw()
        case "take":
            return seat, moves.Take(_number(action, "from") if "from" in action else None)
        case "return":
            return seat, moves.Return()
        case "declare":
            return seat, moves.Declare()
        case "call":
            return seat, moves.Call()
        case "discard":
            return seat, moves.Discard(_tile(action.get("tile")))
        case "finish":
            return seat, moves.Finish(_tile(action.get("tile")))
        case "open":
            return seat, _opening(action)
        case "meld":
            return seat, moves.LayMeld(_read_in_order(action.get("tiles")))
        case "lay":
            return seat, moves.LayOff(read_placed(action.get("tile")), _number(action, "on"))
        case "reclaim":
            return seat, moves.Reclaim(_tile(action.get("tile")), _number(action, "on"))
        case "takeback":
            return seat, moves.TakeBack(_number(action, "count"))
    raise Unreadable("bad_action")


def _opening(action: Mapping[str, Any]) -> moves.Open | moves.OpenPairs:
    if ("melds" in action) == ("pairs" in action):
        raise Unreadable("bad_action")
    if "melds" in action:
        return moves.Open(melds_from(action["melds"]))
    return moves.OpenPairs(melds_from(action["pairs"]))


def melds_from(told: object) -> tuple[tuple[Placed, ...], ...]:
    """Read melds from lists of `R9`, `*R9` and `F`. Raises Unreadable `bad_action`, `bad_tile`."""
    if not isinstance(told, list | tuple):
        raise Unreadable("bad_action")
    return tuple(_read_in_order(meld) for meld in told)


def _read_in_order(told: object) -> tuple[Placed, ...]:
    if not isinstance(told, list | tuple):
        raise Unreadable("bad_action")
    return tuple(read_placed(word) for word in told)


def read_placed(text: object) -> Placed:
    """Read `R9`, `F`, or `*R9`: an okey that stands for R9. Raises Unreadable `bad_tile`."""
    if not isinstance(text, str) or not text.startswith("*"):
        return Placed(_tile(text))
    tile = _tile(text[1:])
    if tile is Tile.F:
        raise Unreadable("bad_tile", tile=text)
    return Placed(tile, wild=True)


def _words(tiles: tuple[Placed, ...]) -> list[str]:
    return [str(placed) for placed in tiles]


def deal_to_json(dealt: Dealt) -> dict[str, Any]:
    """Return the `deal` of a record. `riziko` says that a false joker was turned first, where that counts."""
    return {
        "indicator": dealt.indicator.name,
        "racks": [[tile.name for tile in rack] for rack in dealt.racks],
        "stock": [tile.name for tile in dealt.stock],
        **({"riziko": True} if dealt.riziko else {}),
    }


def deal_from_json(rules: Rules, dealer: int, seats: Sequence[int], data: Mapping[str, Any]) -> Dealt:
    """Read a record's `deal` to `seats`. Raises Unreadable `bad_deal`, `bad_tile`."""
    try:
        indicator = _tile(data["indicator"])
        racks = tuple(tuple(sorted(map(_tile, rack))) for rack in data["racks"])
        stock = tuple(map(_tile, data["stock"]))
        riziko = data.get("riziko", False)
    except (KeyError, TypeError):
        raise Unreadable("bad_deal") from None
    starter = starter_of(rules, dealer, seats)
    size = game_of(rules).rack_size
    sizes = [size * (seat in seats) + (seat == starter) for seat in range(rules.players)]
    whole = Counter([indicator, *stock, *(tile for rack in racks for tile in rack)]) == Counter(FULL_SET)
    open_joker = indicator is Tile.F and rules.false_joker_indicator != "false_jokers_wild"
    wrong_riziko = not isinstance(riziko, bool) or (riziko and not rules.riziko)
    if not whole or open_joker or wrong_riziko or [len(rack) for rack in racks] != sizes:
        raise Unreadable("bad_deal")
    return Dealt(dealer, starter, indicator, (), racks, stock, riziko)


def round_entry(
    dealt: Dealt,
    actions: Sequence[Action],
    seed: AnySeed | None = None,
    context: tuple[Context, Mapping[int, ClosedWord]] | None = None,
) -> dict[str, Any]:
    """Return a round of a record. With its seed, which must not be given before the round is over, and the
    context of the deal with the words that are told, anybody can check the deal."""
    proof: dict[str, Any] = {}
    if isinstance(seed, Seed):
        proof["commitment"] = seed.commitment()
    if context is not None:
        proof |= {"commitment": context[0].seal.hex(), "context": context_to_json(*context)}
    if seed is not None:
        proof["seed"] = seed.text()
    return {"dealer": dealt.dealer, **proof, "deal": deal_to_json(dealt), "actions": list(actions)}


def record_of(rules: Rules, names: Sequence[str], rounds: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a record of the rounds that `round_entry` made, seats by name in order of play."""
    return {
        "format": FORMAT,
        "rules": every_switch(rules),
        "seats": list(names),
        "rounds": [dict(entry) for entry in rounds],
    }


def digest_of(record: Mapping[str, Any]) -> str:
    """SHA-256 in hex over a record without its digest, as JSON with sorted keys and no spaces."""
    content = {key: value for key, value in record.items() if key != "digest"}
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _tile(text: object) -> Tile:
    if not isinstance(text, str):
        raise Unreadable("bad_tile", tile=str(text)[:40])
    return tile_from_text(text)


def _number(action: Mapping[str, Any], key: str) -> int:
    number = action.get(key)
    if type(number) is not int:
        raise Unreadable("bad_action")
    return number
