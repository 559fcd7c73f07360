"""States as bytes."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.store.codec import Codec, UnknownSchema


@dataclass(frozen=True, slots=True)
class Seat:
    name: str
    rack: tuple[int, ...]


CODEC = Codec(Seat, 3)
SEATS = st.builds(Seat, st.text(), st.lists(st.integers(0, 105)).map(tuple))


@given(SEATS)
def test_a_value_comes_back_from_its_bytes(seat: Seat) -> None:
    assert CODEC.decode(CODEC.encode(seat)) == seat


@given(SEATS, st.integers(0, 1000).filter(lambda schema: schema != 3))
def test_another_schema_is_named_and_not_read(seat: Seat, schema: int) -> None:
    with pytest.raises(UnknownSchema) as unknown:
        CODEC.decode(Codec(Seat, schema).encode(seat))
    assert unknown.value.schema == schema


@given(st.binary())
def test_any_other_bytes_are_unknown_too(data: bytes) -> None:
    with pytest.raises(UnknownSchema) as unknown:
        CODEC.decode(data)
    assert unknown.value.schema is None or unknown.value.schema != 3


def test_bytes_that_break_their_schema_are_not_quoted() -> None:
    broken = Codec(list[str], 3).encode(["R1 R2 R3"])
    with pytest.raises(UnknownSchema) as unknown:
        CODEC.decode(broken)
    assert unknown.value.schema is None
    assert "R1" not in repr(unknown.value)
    assert unknown.value.__cause__ is None
