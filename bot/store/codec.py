"""Codec of states: msgpack behind a schema number, so that no version misreads another's states. What is long
is compressed: the names of a table's fields take half of it."""

import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, TypeVar

from msgspec import DecodeError, Raw, ValidationError, convert, msgpack

T = TypeVar("T")

_LONG: Final = 1024
"""Bytes. A shorter state would gain little."""

_QUICKLY: Final = 1
"""zlib's level: 50 µs for a table, and only 2 % longer than with the best."""

_COMPRESSED: Final = b"\x78"
"""How zlib begins; msgpack of a schema number and a value begins with another byte."""

Upgrade = Callable[[dict[str, Any]], None]
"""Changes a decoded state, in place, from one schema to the next."""


class UnknownSchema(Exception):
    """These bytes were written by another version of the program: leave them alone.

    `schema` is the number they carry, None when they carry none or do not hold what it promises.
    """

    def __init__(self, schema: int | None) -> None:
        super().__init__(schema)
        self.schema = schema


class Codec(Generic[T]):
    """Turns values of one type into bytes and back.

    A change of the type needs a new schema number, and an upgrade from the schema before it: states of older
    schemas are read through `upgrades`, by the schema that each one starts from.
    """

    def __init__(self, type: type[T], schema: int, upgrades: Mapping[int, Upgrade] | None = None) -> None:
        self._type = type
        self._schema = schema
        self._upgrades = upgrades or {}
        self._encoder = msgpack.Encoder()
        self._head: msgpack.Decoder[tuple[int, Raw]] = msgpack.Decoder(tuple[int, Raw])
        self._body: msgpack.Decoder[T] = msgpack.Decoder(type)

    def encode(self, value: T) -> bytes:
        """Bytes that carry the schema number and the value."""
        data = self._encoder.encode((self._schema, value))
        return data if len(data) < _LONG else zlib.compress(data, _QUICKLY)

    def decode(self, data: bytes) -> T:
        """The value. Raises `UnknownSchema`, which tells nothing of what the bytes hold."""
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
    """Give a state's fields their new names, by their old ones."""
    for old, new in names.items():
        if old in state:
            state[new] = state.pop(old)
