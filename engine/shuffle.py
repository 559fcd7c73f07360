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
- Where the deal was bound to its context (`engine.context`), the message is: `okey-shuffle/3`, purpose, n,
  the digest of the context (32 bytes), and the beacon's randomness (an empty field where there is none).
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

DIGEST_BYTES: Final = 32

_WITH_BEACON: Final = b"okey-seed/2"
_BOUND: Final = b"okey-seed/3"
"""The first fields of a seed in which a beacon was to have a part, and of a bound one; in any other that is
the secret."""


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
        """The round's randomness; see `randomness_of`."""
        return randomness_of(self.signature)


def randomness_of(signature: bytes) -> bytes:
    """Return the randomness of a beacon's signature as drand defines it; empty without one."""
    return hashlib.sha256(signature).digest() if signature else b""


@dataclass(frozen=True, slots=True)
class Seed:
    """Everything that determines the chance of a deal that is bound to no context: a simulation's, a
    puzzle's, or one of an older record. The secret stays secret until the round is over."""

    secret: bytes = field(repr=False)
    """64 bytes."""
    words: tuple[str, ...]
    """The words that players added after the commitment was published, in that order."""
    table: str
    round_number: int
    beacon: Beacon | None = None
    """None: no beacon was to have a part."""

    def commitment(self) -> str:
        """Return the commitment that is published before the first tile is dealt, and before any word is
        known."""
        return hashlib.sha256(
            pack("okey-commitment/1", self.secret, self.table, str(self.round_number))
        ).hexdigest()

    def text(self) -> str:
        """Return the whole seed in hex, for records: the fields secret, table, round number, words. With a
        beacon: `okey-seed/2`, secret, table, round number, chain, the beacon's round, signature, words."""
        bound = (self.secret, self.table, str(self.round_number))
        if self.beacon is None:
            return pack(*bound, *self.words).hex()
        entered = (self.beacon.chain, str(self.beacon.round), self.beacon.signature)
        return pack(_WITH_BEACON, *bound, *entered, *self.words).hex()

    def message(self, purpose: Purpose, number: int) -> bytes:
        """Return the message of a block of the stream."""
        bound = (purpose, self.table, str(self.round_number), str(number))
        if self.beacon is None:
            return pack("okey-shuffle/1", *bound, *self.words)
        entered = (self.beacon.chain, str(self.beacon.round), self.beacon.randomness)
        return pack("okey-shuffle/2", *bound, *entered, *self.words)


@dataclass(frozen=True, slots=True)
class BoundSeed:
    """Everything that determines the chance of a deal that was bound to its context before the first tile.
    The secret stays secret until the round is over."""

    secret: bytes = field(repr=False)
    """64 bytes."""
    context: bytes
    """The digest of the context: 32 bytes."""
    signature: bytes = b""
    """The beacon's signature; empty where no beacon has a part, or it didn't answer in time."""

    def text(self) -> str:
        """Return the seed in hex, for records: the fields `okey-seed/3`, secret, digest, signature."""
        return pack(_BOUND, self.secret, self.context, self.signature).hex()

    def message(self, purpose: Purpose, number: int) -> bytes:
        """Return the message of a block of the stream."""
        return pack("okey-shuffle/3", purpose, str(number), self.context, randomness_of(self.signature))


AnySeed = Seed | BoundSeed


def seed_from_text(text: str) -> AnySeed:
    """Read a seed that its `text` wrote. Raises Unreadable `bad_seed`."""
    try:
        seed = _read_seed(*unpack(bytes.fromhex(text)))
    except (ValueError, TypeError):
        raise Unreadable("bad_seed") from None
    if len(seed.secret) != SECRET_BYTES or seed.text() != text.lower():
        raise Unreadable("bad_seed")
    return seed


def _read_seed(first: bytes, *rest: bytes) -> AnySeed:
    """Read a seed's fields. Raises ValueError."""
    if first == _BOUND:
        secret, context, signature = rest
        if len(context) != DIGEST_BYTES:
            raise ValueError("not a digest")
        return BoundSeed(secret, context, signature)
    beacon = None
    if first == _WITH_BEACON:
        first, table, number, chain, round, signature, *words = rest
        beacon = Beacon(chain.decode(), int(round), signature)
    else:
        table, number, *words = rest
    return Seed(first, tuple(word.decode() for word in words), table.decode(), int(number), beacon)


class Rng:
    """Numbers drawn one after the other from a seed, for one purpose."""

    def __init__(self, seed: AnySeed, purpose: Purpose) -> None:
        self._bytes = _stream(seed, purpose)

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound − 1, all equally likely. `bound` is 1 to 256."""
        mask = (1 << (bound - 1).bit_length()) - 1
        if mask == 0:
            return 0
        while True:
            number = next(self._bytes) & mask
            if number < bound:
                return number

    def shuffle(self, items: Sequence[_Item]) -> list[_Item]:
        """Return the items in a new order (Fisher–Yates, from the end)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def die(self) -> int:
        """Return a throw of a die, 1 to 6."""
        return self.below(6) + 1


def _stream(seed: AnySeed, purpose: Purpose) -> Iterator[int]:
    number = 0
    while True:
        yield from hmac.digest(seed.secret, seed.message(purpose, number), "sha512")
        number += 1


def pack(*values: str | bytes) -> bytes:
    """Return the values as fields, one after the other."""
    encoded = [value.encode() if isinstance(value, str) else value for value in values]
    return b"".join(len(value).to_bytes(4, "big") + value for value in encoded)


def unpack(data: bytes) -> Iterator[bytes]:
    """Yield the values of `pack`. Raises ValueError when the lengths do not add up."""
    position = 0
    while position < len(data):
        start = position + 4
        position = start + int.from_bytes(data[position:start], "big")
        if position > len(data):
            raise ValueError("the last field is cut off")
        yield data[start:position]
