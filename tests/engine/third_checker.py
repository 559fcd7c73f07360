"""A third checker, written from docs/verify.md alone: it shares no code with the engine, the page or
check.py.

`reason_against` gives why a record is refused; `None` says that each deal follows from what it was bound to.
"""

import hashlib
import hmac
import itertools
import json
import struct
from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]
Draw = Callable[[int], int]

COLOURS = ("R", "Y", "B", "K")
TILES = [f"{colour}{number}" for colour in COLOURS for number in range(1, 14) for _ in "12"] + ["F", "F"]


class Unfit(Exception):
    """Raised with the reason for which a record is refused."""


def sha(*parts: bytes) -> bytes:
    """The digest of fields."""
    hashed = hashlib.sha256()
    for part in parts:
        hashed.update(struct.pack(">I", len(part)))
        hashed.update(part)
    return hashed.digest()


def t(value: object) -> bytes:
    """A text or a number as bytes."""
    return str(value).encode("utf-8")


def split_fields(raw: bytes) -> list[bytes]:
    """The values of fields that stand one after the other."""
    found: list[bytes] = []
    rest = raw
    while rest:
        (length,) = struct.unpack(">I", rest[:4])
        found.append(rest[4 : 4 + length])
        if len(found[-1]) != length:
            raise Unfit("a field is cut off")
        rest = rest[4 + length :]
    return found


def drawing(secret: bytes, purpose: bytes, fingerprint: bytes, randomness: bytes) -> Draw:
    """The draws of numbers below a bound, from the stream of one purpose."""

    def blocks() -> Iterator[int]:
        for n in itertools.count():
            parts = (b"okey-shuffle/3", purpose, t(n), fingerprint, randomness)
            message = b"".join(struct.pack(">I", len(part)) + part for part in parts)
            yield from hmac.new(secret, message, "sha512").digest()

    stream = blocks()

    def draw(bound: int) -> int:
        if bound == 1:
            return 0
        low = (1 << (bound - 1).bit_length()) - 1
        return next(number for byte in stream if (number := byte & low) < bound)

    return draw


def mix(tiles: list[str], draw: Draw) -> list[str]:
    """The tiles in their new order."""
    mixed = tiles[:]
    for place in reversed(range(1, len(mixed))):
        with_place = draw(place + 1)
        mixed[place], mixed[with_place] = mixed[with_place], mixed[place]
    return mixed


def dealer_and_order(rules: Json, draw: Draw) -> tuple[int, list[int]]:
    """The first dealer, and who sits on each seat after the draw."""
    everybody = list(range(rules["players"]))
    way = rules["first_dealer"]
    if way == "random":
        return draw(len(everybody)), everybody
    if way == "highest_die":
        left = everybody
        while len(left) != 1:
            dice = [(draw(6) + 1, seat) for seat in left]
            left = [seat for die, seat in dice if die == max(dice)[0]]
        starts, order = left[0], everybody
    else:
        history: dict[int, tuple[int, ...]] = dict.fromkeys(everybody, ())
        while True:
            values = list(history.values())
            equal = [seat for seat in everybody if values.count(history[seat]) > 1]
            if not equal:
                break
            for seat, tile in zip(equal, mix(TILES[:104], draw), strict=False):
                history[seat] = (*history[seat], int(tile[1:]))
        ranked = sorted(everybody, key=lambda seat: history[seat])[::-1]
        starts, order = (ranked[0], everybody) if rules["teams"] else (0, ranked)
    before = (starts - 1) % len(everybody)
    return (starts if rules["starter"] == "dealer" else before), order


def tiles_dealt(rules: Json, dealer: int, playing: list[int], draw: Draw) -> tuple[str, Json, list[str]]:
    """Indicator, racks by seat, and stock of a deal."""
    start = playing.index(dealer) if rules["starter"] == "dealer" else playing.index(dealer) + 1
    turns = [playing[(start + i) % len(playing)] for i in range(len(playing))]
    is_101 = rules["game"] == "101"
    need = {seat: (21 if is_101 else 14) + (i == 0) for i, seat in enumerate(turns)}
    joker_may = rules["false_joker_indicator"] == "false_jokers_wild"
    mixed = mix(TILES, draw)
    racks: dict[int, list[str]] = {seat: [] for seat in turns}
    if rules["deal"] == "quick":
        for seat in turns:
            racks[seat] = [mixed.pop(0) for _ in range(need[seat])]
        at = 0
        while mixed[at] == "F" and not joker_may:
            at += 1
        return mixed.pop(at), racks, mixed
    high = 7 if is_101 else 5
    count = 105 // high
    stacks = [mixed[i * high : i * high + high] for i in range(count)]
    first = draw(6)
    tower = [*stacks[first], mixed[105]]
    while True:
        second = draw(6) + 1
        at = second - 1 if rules["die_counts_from"] == "bottom" else len(tower) - second
        if tower[at] != "F" or joker_may:
            break
    indicator = tower.pop(at)
    around = [stacks[(first + 1 + i) % count] for i in range(count - 1)]
    rounds = [turns] * 3 if is_101 else [turns, turns, turns[:1]]
    for seat in itertools.chain.from_iterable(rounds):
        racks[seat].extend(around.pop(0))
    loose = [tile for stack in around for tile in stack[::-1]]
    for seat in turns:
        while len(racks[seat]) < need[seat]:
            racks[seat].append(loose.pop(0))
    return indicator, racks, loose + tower[::-1]


def fingerprint_of(told: Json, seal: bytes) -> bytes:
    """The fingerprint of what a record says that a deal was bound to."""
    beacon = told["beacon"]
    parts = [b"okey-context/1", seal, t(told["table"]), t(told["round"])]
    parts.append(t(json.dumps(told["rules"], separators=(",", ":"), sort_keys=True)))
    parts.append(b"" if told["dealer"] is None else t(told["dealer"]))
    parts.append(b" ".join(map(t, told["playing"])))
    parts += [t(beacon["chain"]), t(beacon["round"])] if beacon else [b"", b""]
    parts.append(bytes.fromhex(told["previous"]))
    parts += [bytes.fromhex(seat["mark"]) for seat in told["seats"]]
    return sha(*parts)


class Checker:
    """Goes through the rounds of a record."""

    def __init__(self, record: Json) -> None:
        self.record = record
        self.before: Json | None = None

    def demand(self, right: object, reason: str) -> None:
        if not right:
            raise Unfit(reason)

    def run(self) -> None:
        rounds = self.record["rounds"]
        self.demand(rounds, "no rounds")
        for number, entry in enumerate(rounds, 1):
            order = self.one(number, entry)
        seats = rounds[-1]["context"]["seats"]
        self.demand([seats[seat].get("name", "?") for seat in order] == self.record["seats"], "names")

    def one(self, number: int, entry: Json) -> list[int]:
        for key in ("seed", "commitment", "context"):
            self.demand(key in entry, f"no {key}")
        told = entry["context"]
        kind, secret, bound, signature = split_fields(bytes.fromhex(entry["seed"]))
        self.demand(kind == b"okey-seed/3" and len(secret) == 64, "seed")
        self.bound(number, entry, told, secret)
        fingerprint = fingerprint_of(told, bytes.fromhex(told["seal"]))
        self.demand(fingerprint.hex() == told["digest"], "fingerprint")
        self.demand(fingerprint == bound, "seed of another fingerprint")
        self.demand(told["beacon"] or not signature, "signature")
        randomness = hashlib.sha256(signature).digest() if signature else b""
        order = list(range(told["rules"]["players"]))
        if self.before is None:
            dealer, order = dealer_and_order(
                told["rules"], drawing(secret, b"seats", fingerprint, randomness)
            )
            self.demand(dealer == entry["dealer"], "first dealer")
        if "deal" in entry:
            draw = drawing(secret, b"deal", fingerprint, randomness)
            self.same_tiles(entry["deal"], tiles_dealt(told["rules"], entry["dealer"], told["playing"], draw))
        self.before = {"deal": sha(b"okey-deal/1", fingerprint, randomness).hex(), "table": told["table"]}
        return order

    def bound(self, number: int, entry: Json, told: Json, secret: bytes) -> None:
        before = self.before
        self.demand(told["rules"] == self.record["rules"], "rules")
        self.demand(len(told["seats"]) == told["rules"]["players"], "one word a seat")
        self.demand(len(self.record["seats"]) == len(told["seats"]), "one name a seat")
        self.demand(told["round"] == number, "round number")
        salts = [bytes.fromhex(salt) for salt in told["salts"]]
        seal = sha(b"okey-commitment/2", secret, t(told["table"]), t(number), *salts).hex()
        self.demand(len(salts) == 4 and seal == told["seal"] == entry["commitment"], "seal")
        if before is None:
            self.demand(told["previous"] == "" and told["dealer"] is None, "a deal before the first")
        else:
            self.demand(told["previous"] == before["deal"], "the deal before")
            self.demand(told["dealer"] == entry["dealer"], "dealer")
            self.demand(told["table"] == before["table"], "table")
        for seat, sealed in zip(told["seats"], salts, strict=False):
            if "salt" in seat:
                salt = bytes.fromhex(seat["salt"])
                mark = sha(b"okey-seat/1", salt, t(seat["name"]), t(seat["word"]))
                self.demand(hashlib.sha256(salt).digest() == sealed, "salt")
                self.demand(mark.hex() == seat["mark"], "name or word")

    def same_tiles(self, told: Json, made: tuple[str, Json, list[str]]) -> None:
        indicator, racks, stock = made
        self.demand(told["indicator"] == indicator and told["stock"] == stock, "tiles")
        for seat, rack in enumerate(told["racks"]):
            self.demand(sorted(rack) == sorted(racks.get(seat, [])), "tiles of a rack")


def reason_against(record: Json) -> str | None:
    """Why a record is refused; None: each deal follows from what it was bound to."""
    try:
        Checker(record).run()
    except Unfit as unfit:
        return str(unfit)
    return None
