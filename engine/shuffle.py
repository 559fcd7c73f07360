"""Shuffle: from a secret to an order of tiles and to dice, by an algorithm that anybody can recompute.

Every number below is part of the formats and never changes. A *field* is a byte string with its
length before it, as four bytes, big-endian; text is UTF-8; a number is its decimal digits as text.

- Commitment: SHA-256 over the fields `okey-commitment/1`, secret, table, round number; in hex.
- Stream of a purpose (`deal` or `seats`): block 0, block 1, … one after the other, where block n is
  HMAC-SHA-512 with the secret as key over the fields `okey-shuffle/1`, purpose, table, round number,
  n, and then one field a word, in order.
- A number below `n` (1 to 256): take the stream's next byte, keep as many of its low bits as
  n − 1 has; if that is n or more, throw it away and take the next byte. Below 1 takes no byte.
- Where a public beacon was to have a part, the stream's message is other fields: `okey-shuffle/2`, purpose,
  table, round number, n, the beacon's chain (hex), the number of the round that was named, its
  randomness (SHA-256 of its signature; an empty field where none came in time), and then the words.
- Shuffle: for i from the last place down to 1, swap the items at i and at (a number below i + 1).
- Die: a number below 6, plus 1.

`docs/verify.md` holds a stand-alone checker that follows from this text.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeVar

from engine.errors import Unreadable

_Item = TypeVar("_Item")
Purpose = Literal["deal", "seats"]

SECRET_BYTES: Final = 64

_WITH_BEACON: Final = b"okey-seed/2"
"""The first field of a seed in which a beacon was to have a part; in any other that is the secret."""


@dataclass(frozen=True, slots=True)
class Beacon:
    """A public beacon's part (drand) in a shuffle: a round named before its value was known."""

    chain: str
    """The hash of the beacon's chain: hex."""
    round: int
    """0: none could be named."""
    signature: bytes
    """Empty: none came in time. It is not checked here, since that takes more than the standard library."""

    @property
    def randomness(self) -> bytes:
        """The round's randomness as drand defines it; empty without a signature."""
        return hashlib.sha256(self.signature).digest() if self.signature else b""


@dataclass(frozen=True, slots=True)
class Seed:
    """Everything that determines the chance of a round. The secret stays secret until the round is over."""

    secret: bytes = field(repr=False)
    """64 bytes."""
    words: tuple[str, ...]
    """The words that players added after the commitment was published, in that order."""
    table: str
    round_number: int
    beacon: Beacon | None = None
    """None: no beacon was to have a part."""

    def commitment(self) -> str:
        """The commitment that is published before the first tile is dealt, and before any word is known."""
        return hashlib.sha256(
            _fields("okey-commitment/1", self.secret, self.table, str(self.round_number))
        ).hexdigest()

    def text(self) -> str:
        """The whole seed in hex, for records: the fields secret, table, round number, words. With a beacon:
        `okey-seed/2`, secret, table, round number, chain, the beacon's round, signature, words."""
        bound = (self.secret, self.table, str(self.round_number))
        if self.beacon is None:
            return _fields(*bound, *self.words).hex()
        entered = (self.beacon.chain, str(self.beacon.round), self.beacon.signature)
        return _fields(_WITH_BEACON, *bound, *entered, *self.words).hex()


def seed_from_text(text: str) -> Seed:
    """Read a seed that `Seed.text` wrote. Raises Unreadable `bad_seed`."""
    try:
        first, *rest = _unpacked(bytes.fromhex(text))
        beacon = None
        if first == _WITH_BEACON:
            first, table, number, chain, round, signature, *words = rest
            beacon = Beacon(chain.decode(), int(round), signature)
        else:
            table, number, *words = rest
        texts = tuple(word.decode() for word in words)
        seed = Seed(first, texts, table.decode(), int(number), beacon)
    except (ValueError, TypeError):
        raise Unreadable("bad_seed") from None
    if len(seed.secret) != SECRET_BYTES or seed.text() != text.lower():
        raise Unreadable("bad_seed")
    return seed


class Rng:
    """Numbers drawn one after the other from a seed, for one purpose."""

    def __init__(self, seed: Seed, purpose: Purpose) -> None:
        self._bytes = _stream(seed, purpose)

    def below(self, bound: int) -> int:
        """A number from 0 to bound − 1, all equally likely. `bound` is 1 to 256."""
        mask = (1 << (bound - 1).bit_length()) - 1
        if mask == 0:
            return 0
        while True:
            number = next(self._bytes) & mask
            if number < bound:
                return number

    def shuffle(self, items: Sequence[_Item]) -> list[_Item]:
        """The items in a new order (Fisher–Yates, from the end)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def die(self) -> int:
        """A throw of a die, 1 to 6."""
        return self.below(6) + 1


def _stream(seed: Seed, purpose: Purpose) -> Iterator[int]:
    beacon, number = seed.beacon, 0
    version: str = "okey-shuffle/1"
    entered: tuple[str | bytes, ...] = ()
    if beacon is not None:
        version, entered = "okey-shuffle/2", (beacon.chain, str(beacon.round), beacon.randomness)
    while True:
        bound = (purpose, seed.table, str(seed.round_number), str(number))
        message = _fields(version, *bound, *entered, *seed.words)
        yield from hmac.digest(seed.secret, message, "sha512")
        number += 1


def _fields(*values: str | bytes) -> bytes:
    encoded = [value.encode() if isinstance(value, str) else value for value in values]
    return b"".join(len(value).to_bytes(4, "big") + value for value in encoded)


def _unpacked(data: bytes) -> Iterator[bytes]:
    """The values of `_fields`. Raises ValueError when the lengths do not add up."""
    position = 0
    while position < len(data):
        start = position + 4
        position = start + int.from_bytes(data[position:start], "big")
        if position > len(data):
            raise ValueError("the last field is cut off")
        yield data[start:position]
