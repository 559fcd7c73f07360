"""The parts of a record, to JSON data and back (FORMATS, "Game records").

Dictionaries and lists, never files; `engine.replay` plays a whole record again.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.deal import RACK_SIZE, Dealt, starter_of
from engine.errors import Unreadable
from engine.moves import Discard, Draw, Finish, Move, Show, Take
from engine.rules import Rules, switches_of
from engine.shuffle import Seed
from engine.tiles import FULL_SET, Tile, tile_from_text

FORMAT: Final = "okey-record/1"

Action = dict[str, Any]


def action_of(seat: int, move: Move) -> Action:
    """A move as a record's action."""
    match move:
        case Show():
            return {"seat": seat, "do": "show"}
        case Draw():
            return {"seat": seat, "do": "draw"}
        case Take(source):
            return {"seat": seat, "do": "take"} | ({} if source is None else {"from": source})
        case Discard(tile):
            return {"seat": seat, "do": "discard", "tile": tile.name}
        case Finish(tile):
            return {"seat": seat, "do": "finish", "tile": tile.name}


def move_of(action: Mapping[str, Any]) -> tuple[int, Move]:
    """Seat and move of a record's action. Raises Unreadable `bad_action`, `bad_tile`."""
    seat = _seat(action, "seat")
    match action.get("do"):
        case "show":
            return seat, Show()
        case "draw":
            return seat, Draw()
        case "take":
            return seat, Take(_seat(action, "from") if "from" in action else None)
        case "discard":
            return seat, Discard(_tile(action.get("tile")))
        case "finish":
            return seat, Finish(_tile(action.get("tile")))
    raise Unreadable("bad_action")


def deal_to_json(dealt: Dealt) -> dict[str, Any]:
    """A deal as a record's `deal`."""
    return {
        "indicator": dealt.indicator.name,
        "racks": [[tile.name for tile in rack] for rack in dealt.racks],
        "stock": [tile.name for tile in dealt.stock],
    }


def deal_from_json(rules: Rules, dealer: int, seats: Sequence[int], data: Mapping[str, Any]) -> Dealt:
    """A record's `deal` to `seats`. Raises Unreadable `bad_deal`, `bad_tile`."""
    try:
        indicator = _tile(data["indicator"])
        racks = tuple(tuple(sorted(map(_tile, rack))) for rack in data["racks"])
        stock = tuple(map(_tile, data["stock"]))
    except (KeyError, TypeError):
        raise Unreadable("bad_deal") from None
    starter = starter_of(rules, dealer, seats)
    size = RACK_SIZE[rules.game]
    sizes = [size * (seat in seats) + (seat == starter) for seat in range(rules.players)]
    whole = Counter([indicator, *stock, *(tile for rack in racks for tile in rack)]) == Counter(FULL_SET)
    open_joker = indicator is Tile.F and rules.false_joker_indicator == "reroll"
    if not whole or open_joker or [len(rack) for rack in racks] != sizes:
        raise Unreadable("bad_deal")
    return Dealt(dealer, starter, indicator, (), racks, stock)


def round_entry(dealt: Dealt, actions: Sequence[Action], seed: Seed | None = None) -> dict[str, Any]:
    """A round of a record. With its seed, which must not be given before the round is over, anybody can
    check the deal."""
    proof = {} if seed is None else {"commitment": seed.commitment(), "seed": seed.text()}
    return {"dealer": dealt.dealer, **proof, "deal": deal_to_json(dealt), "actions": list(actions)}


def record_of(rules: Rules, names: Sequence[str], rounds: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A record out of the rounds that `round_entry` made, seats by name in order of play."""
    return {
        "format": FORMAT,
        "rules": switches_of(rules),
        "seats": list(names),
        "rounds": [dict(entry) for entry in rounds],
    }


def _tile(text: object) -> Tile:
    if not isinstance(text, str):
        raise Unreadable("bad_tile", tile=str(text)[:40])
    return tile_from_text(text)


def _seat(action: Mapping[str, Any], key: str) -> int:
    seat = action.get(key)
    if type(seat) is not int:
        raise Unreadable("bad_action")
    return seat
