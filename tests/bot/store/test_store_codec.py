"""States as bytes."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import msgpack

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


LONG = Seat("Ada " * 500, tuple(range(106)))


def test_a_long_value_takes_half_the_room_and_one_written_at_full_length_is_read() -> None:
    as_it_was = msgpack.encode((3, LONG))
    assert len(CODEC.encode(LONG)) < len(as_it_was) / 2
    assert CODEC.decode(CODEC.encode(LONG)) == CODEC.decode(as_it_was) == LONG


def test_what_is_kept_for_long_is_as_small_as_can_be() -> None:
    archived = Codec(Seat, 3, archived=True)
    assert len(archived.encode(LONG)) < len(CODEC.encode(LONG))
    assert archived.decode(archived.encode(LONG)) == CODEC.decode(archived.encode(LONG)) == LONG


@given(st.integers(0, 200), st.integers(1, 255))
def test_of_a_long_value_that_was_damaged_nothing_false_is_read(place: int, change: int) -> None:
    damaged = bytearray(CODEC.encode(LONG))
    damaged[place % len(damaged)] ^= change
    with suppress(UnknownSchema):
        assert CODEC.decode(bytes(damaged)) == LONG  # not every bit of it means something


@given(SEATS, st.integers(0, 1000).filter(lambda schema: schema != 3))
def test_another_schema_is_named_and_not_read(seat: Seat, schema: int) -> None:
    with pytest.raises(UnknownSchema) as unknown:
        CODEC.decode(Codec(Seat, schema).encode(seat))
    assert unknown.value.schema == schema


def test_nothing_is_known_of_no_bytes_and_of_those_that_another_version_wrote() -> None:
    seat = Seat("Ada", (1, 2))
    assert CODEC.decode_known(CODEC.encode(seat)) == seat
    assert CODEC.decode_known(None) is None
    assert CODEC.decode_known(Codec(Seat, 4).encode(seat)) is None


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


@dataclass(frozen=True)
class Pile:
    """As a third schema has it."""

    tiles: tuple[str, ...]
    secret: bytes
    owner: str = ""


def _upgrade_1(pile: dict[str, Any]) -> None:
    pile["tiles"] = pile.pop("stones")


def _upgrade_2(pile: dict[str, Any]) -> None:
    pile["owner"] = "Ada"


def test_states_of_older_schemas_are_upgraded_step_by_step() -> None:
    codec = Codec(Pile, 3, {1: _upgrade_1, 2: _upgrade_2})
    first = msgpack.encode((1, {"stones": ["R4"], "secret": b"\0\xff"}))
    second = msgpack.encode((2, {"tiles": ["R4"], "secret": b"\0\xff"}))
    upgraded = Pile(("R4",), b"\0\xff", "Ada")
    assert codec.decode(first) == codec.decode(second) == upgraded
    assert codec.decode(codec.encode(upgraded)) == upgraded


@pytest.mark.parametrize("state", [(0, {}), (4, {}), (1, {"stones": 5, "secret": b""}), (2, {}), (1, [])])
def test_what_no_upgrade_leads_from_is_left_alone(state: object) -> None:
    codec = Codec(Pile, 3, {1: _upgrade_1, 2: _upgrade_2})
    with pytest.raises(UnknownSchema):
        codec.decode(msgpack.encode(state))
