"""Codec of states: msgpack with a schema number, so that no version misreads another's states.

Long states are compressed: half of a table's state is the names of its fields.
"""

import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, TypeVar

from msgspec import DecodeError, Raw, ValidationError, convert, msgpack

T = TypeVar("T")

_LONG: Final = 1024
"""Bytes from which a state is compressed; a shorter one would gain little."""

_QUICKLY: Final = 1
"""The level of zlib: 50 µs for a table, and only 2 % longer than at the best level."""

_COMPRESSED: Final = b"\x78"
"""The first byte of zlib's output; msgpack of a schema number and a value begins with another one."""

Upgrade = Callable[[dict[str, Any]], None]
"""Changes a decoded state in place, from one schema to the next."""


class UnknownSchema(Exception):
    """These bytes were written by another version of the program: leave them alone.

    `schema` is the number that they carry; None when they carry none, or their contents do not match it.
    """

    def __init__(self, schema: int | None) -> None:
        super().__init__(schema)
        self.schema = schema


class Codec(Generic[T]):
    """Turns values of one type into bytes and back.

    A change of the type needs a new schema number and an upgrade from the schema before it. States of older
    schemas are read through `upgrades`, by the schema from which each starts.
    """

    def __init__(self, type: type[T], schema: int, upgrades: Mapping[int, Upgrade] | None = None) -> None:
        self._type = type
        self._schema = schema
        self._upgrades = upgrades or {}
        self._encoder = msgpack.Encoder()
        self._head: msgpack.Decoder[tuple[int, Raw]] = msgpack.Decoder(tuple[int, Raw])
        self._body: msgpack.Decoder[T] = msgpack.Decoder(type)

    def encode(self, value: T) -> bytes:
        """The bytes of a value with the schema number."""
        data = self._encoder.encode((self._schema, value))
        return data if len(data) < _LONG else zlib.compress(data, _QUICKLY)

    def decode(self, data: bytes) -> T:
        """The value of these bytes. Raises `UnknownSchema`, which reveals nothing of their contents."""
        schema: int | None = None
        try:
            if data.startswith(_COMPRESSED):
                data = zlib.decompress(data)
            schema, body = self._head.decode(data)
            if schema == self._schema:
                return self._body.decode(body)
            if schema in self._upgrades:
                return self._upgraded(schema, msgpack.decode(body, type=dict[str, Any]))
        except (DecodeError, ValidationError, KeyError, zlib.error):
            schema = None
        raise UnknownSchema(schema)

    def _upgraded(self, schema: int, state: dict[str, Any]) -> T:
        for older in range(schema, self._schema):
            self._upgrades[older](state)
        return convert(state, self._type, builtin_types=(bytes,))


def renamed(state: dict[str, Any], names: Mapping[str, str]) -> None:
    """Rename the fields of a state; `names` maps old names to new ones."""
    for old, new in names.items():
        if old in state:
            state[new] = state.pop(old)
