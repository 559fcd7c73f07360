"""Lots, drawn from a night's seed: an order that nobody chose and that anybody can draw again."""

from collections.abc import Iterable
from hashlib import blake2b

from bot.league.seating.seated import Unit


def drawn(units: Iterable[Unit], seed: bytes, *purpose: int) -> list[Unit]:
    """Units in an order drawn by lot, another one for every purpose."""
    key = blake2b(repr((seed, purpose)).encode()).digest()
    return sorted(units, key=lambda unit: blake2b(" ".join(unit).encode(), key=key).digest())
