"""Context: everything that a deal is bound to before its first tile, in one digest.

What a deal depends on and this digest doesn't cover, whoever runs the server could still choose when they
know how the tiles would fall. So the shuffle depends on nothing but the secret, this digest and the public
beacon (`engine.shuffle`, which says what a *field* is). Every number and name here is part of the formats.
Each digest is SHA-256 over fields:

- Seal: `okey-commitment/2`, secret, table, round number, and the SHA-256 of each of four salts. It is
  published before anybody adds a word. The salts are under it, so that nobody can try salts later.
- Mark of a seat: `okey-seat/1`, the seat's salt, its name, its word. Of somebody who wants to be forgotten
  only the mark stays: without the salt it tells nothing.
- Context: `okey-context/1`, seal, table, round number, the rules (every switch, as JSON with sorted keys and
  without spaces), the dealer (empty in a match's first round: drawn in the way that the rules name), the
  seats that play (`0 1 3`), the beacon's chain and round (empty without one), the digest of the deal before
  at this table (empty before the first), and the mark of every seat, in seat order.
- Deal: `okey-deal/1`, context, the beacon's randomness. The next deal's context includes it.
"""

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine.errors import Unreadable
from engine.rules import Rules, every_switch
from engine.shuffle import DIGEST_BYTES, pack, randomness_of

SALTS: Final = 4
"""One for each seat of the largest table: nobody knows yet how many will play."""
SALT_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Sealed:
    """A secret and salts for one deal, under the seal that is published."""

    seal: bytes
    secret: bytes = field(repr=False)
    """64 bytes."""
    salts: tuple[bytes, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ClosedWord:
    """A seat's word when the words were closed, with the name that stood there; an empty word is none."""

    name: str
    word: str
    salt: bytes = field(repr=False)

    def mark(self) -> bytes:
        """Return the digest that stands for them in the context."""
        return _digest("okey-seat/1", self.salt, self.name, self.word)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Everything that a deal is bound to. `digest` covers all of it."""

    seal: bytes
    table: str
    round_number: int
    salts: tuple[bytes, ...]
    """The SHA-256 of each salt under the seal."""
    rules: Mapping[str, object]
    """Every switch, in the form of a record."""
    dealer: int | None
    """None: drawn by this deal's own numbers."""
    playing: tuple[int, ...]
    """The seats that play, in order of play."""
    marks: tuple[bytes, ...]
    """One for each seat of the table."""
    chain: str = ""
    """The hash of the chain of the beacon that is to have a part; empty: none is."""
    beacon_round: int = 0
    """The beacon's round; 0: none could be named."""
    previous: bytes = b""
    """The digest of the deal before at this table."""

    def digest(self) -> bytes:
        """Return the digest that is published, recorded and checked."""
        return _digest(
            "okey-context/1",
            self.seal,
            self.table,
            str(self.round_number),
            json.dumps(dict(self.rules), sort_keys=True, separators=(",", ":")),
            "" if self.dealer is None else str(self.dealer),
            " ".join(map(str, self.playing)),
            self.chain,
            str(self.beacon_round) if self.chain else "",
            self.previous,
            *self.marks,
        )


def seal_of(secret: bytes, table: str, round_number: int, salts: Sequence[bytes]) -> bytes:
    """Return the seal of a secret; `salts` are the SHA-256 of each salt."""
    return _digest("okey-commitment/2", secret, table, str(round_number), *salts)


def seal_from(entropy: bytes, table: str, round_number: int) -> Sealed:
    """Return a secret and its salts, both made from 64 fresh bytes so that neither tells the other."""
    secret, salty = (hmac.digest(entropy, purpose, "sha512") for purpose in (b"secret", b"salts"))
    salts = tuple(salty[start : start + SALT_BYTES] for start in range(0, SALTS * SALT_BYTES, SALT_BYTES))
    return Sealed(seal_of(secret, table, round_number, hashes_of(salts)), secret, salts)


def without_salts(sealed: Sealed) -> Sealed:
    """Return the secret alone, once the words are closed and each seat has its salt."""
    return replace(sealed, salts=())


def close_words(
    sealed: Sealed,
    rules: Rules,
    words: Sequence[tuple[str, str]],
    *,
    table: str,
    round_number: int,
    dealer: int | None,
    playing: Sequence[int],
    beacon: tuple[str, int] | None = None,
    previous: bytes = b"",
) -> tuple[Context, tuple[ClosedWord, ...]]:
    """Close the words for a deal: its context, and each seat's word. `words`: name and word of every seat.
    `beacon`: the chain and the round that is to have a part."""
    closed = tuple(
        ClosedWord(name, word, salt) for (name, word), salt in zip(words, sealed.salts, strict=False)
    )
    chain, number = beacon or ("", 0)
    context = Context(
        seal=sealed.seal,
        table=table,
        round_number=round_number,
        salts=hashes_of(sealed.salts),
        rules=every_switch(rules),
        dealer=dealer,
        playing=tuple(playing),
        marks=tuple(each.mark() for each in closed),
        chain=chain,
        beacon_round=number,
        previous=previous,
    )
    return context, closed


def deal_digest(context: bytes, signature: bytes) -> bytes:
    """Return the digest of a deal: of its context and of what the beacon brought."""
    return _digest("okey-deal/1", context, randomness_of(signature))


def hashes_of(salts: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the SHA-256 of each salt."""
    return tuple(hashlib.sha256(salt).digest() for salt in salts)


def context_to_json(context: Context, words: Mapping[int, ClosedWord]) -> dict[str, Any]:
    """Return the `context` of a record. `words`: those that are told, by seat; of the others only the mark
    is."""
    return {
        "digest": context.digest().hex(),
        "seal": context.seal.hex(),
        "table": context.table,
        "round": context.round_number,
        "rules": dict(context.rules),
        "dealer": context.dealer,
        "playing": list(context.playing),
        "seats": [_describe_seat(mark, words.get(seat)) for seat, mark in enumerate(context.marks)],
        "salts": [salt.hex() for salt in context.salts],
        "beacon": {"chain": context.chain, "round": context.beacon_round} if context.chain else None,
        "previous": context.previous.hex(),
    }


def context_from_json(data: object) -> tuple[Context, dict[int, ClosedWord]]:
    """Read a record's `context`. Raises Unreadable `bad_context`."""
    try:
        return _read_context(data)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Unreadable("bad_context") from None


def _read_context(data: Any) -> tuple[Context, dict[int, ClosedWord]]:
    if len(data["salts"]) != SALTS:
        raise ValueError("one salt for each seat of the largest table")
    beacon = data["beacon"] or {"chain": "", "round": 0}
    words = {
        seat: ClosedWord(_text(told["name"]), _text(told["word"]), bytes.fromhex(told["salt"]))
        for seat, told in enumerate(data["seats"])
        if "salt" in told
    }
    context = Context(
        seal=_bytes(data["seal"]),
        table=_text(data["table"]),
        round_number=_number(data["round"]),
        salts=tuple(map(_bytes, data["salts"])),
        rules=dict(data["rules"].items()),
        dealer=None if data["dealer"] is None else _number(data["dealer"]),
        playing=tuple(map(_number, data["playing"])),
        marks=tuple(_bytes(told["mark"]) for told in data["seats"]),
        chain=_text(beacon["chain"]),
        beacon_round=_number(beacon["round"]),
        previous=bytes.fromhex(data["previous"]),
    )
    return context, words


def _describe_seat(mark: bytes, word: ClosedWord | None) -> dict[str, str]:
    if word is None:
        return {"mark": mark.hex()}
    return {"mark": mark.hex(), "name": word.name, "word": word.word, "salt": word.salt.hex()}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    value.encode()  # half of a surrogate pair has no bytes: ValueError
    return value


def _number(value: object) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _bytes(value: str) -> bytes:
    digest = bytes.fromhex(value)
    if len(digest) != DIGEST_BYTES:
        raise ValueError(value)
    return digest


def _digest(*values: str | bytes) -> bytes:
    return hashlib.sha256(pack(*values)).digest()
