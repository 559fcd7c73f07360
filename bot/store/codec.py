"""Codec of states: msgpack with a schema number, so that no version misreads another's states.

Long states are compressed: half of a table's state is the names of its fields.
"""

import zlib
from collections.abc import Callable, Mapping
from typing import Any, Final, Generic, TypeVar

from lz4.block import LZ4BlockError, compress, decompress  # type: ignore[import-untyped]
from msgspec import DecodeError, Raw, ValidationError, convert, msgpack

T = TypeVar("T")

_LONG: Final = 1024
"""Bytes from which a state is compressed; a shorter one would gain little."""

_SMALL: Final = 128
"""Bytes from which what is kept for long is compressed."""

COMPRESSED: Final = b"\xc1"
"""Stands before a compressed state, and before its checksum, which LZ4's blocks don't have. It is the one
byte with which no msgpack begins."""

_ZLIB: Final = b"\x78"
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
    schemas are read through `upgrades`, by the schema from which each starts. States are compressed quickly,
    by LZ4; those that are `archived`, written once and kept for long, as small as zlib makes them.
    """

    def __init__(
        self,
        type: type[T],
        schema: int,
        upgrades: Mapping[int, Upgrade] | None = None,
        *,
        archived: bool = False,
    ) -> None:
        self._type = type
        self._schema = schema
        self._upgrades = upgrades or {}
        self._archived = archived
        self._encoder = msgpack.Encoder()
        self._head: msgpack.Decoder[tuple[int, Raw]] = msgpack.Decoder(tuple[int, Raw])
        self._body: msgpack.Decoder[T] = msgpack.Decoder(type)

    def encode(self, value: T) -> bytes:
        """Return the bytes of a value with the schema number."""
        data = self._encoder.encode((self._schema, value))
        if len(data) < (_SMALL if self._archived else _LONG):
            return data
        return zlib.compress(data) if self._archived else COMPRESSED + _checksum(data) + compress(data)

    def decode(self, data: bytes) -> T:
        """Return the value of these bytes. Raises `UnknownSchema`, which reveals nothing of their
        contents."""
        schema: int | None = None
        try:
            data = _decompress(data)
            schema, body = self._head.decode(data)
            if schema == self._schema:
                return self._body.decode(body)
            if schema in self._upgrades:
                return self._upgrade(schema, msgpack.decode(body, type=dict[str, Any]))
        except (DecodeError, ValidationError, KeyError, ValueError, LZ4BlockError, zlib.error):
            schema = None
        raise UnknownSchema(schema)

    def decode_known(self, data: bytes | None) -> T | None:
        """Return the value of these bytes; None for nothing, and for what another version of the program
        wrote."""
        try:
            return None if data is None else self.decode(data)
        except UnknownSchema:
            return None

    def _upgrade(self, schema: int, state: dict[str, Any]) -> T:
        for older in range(schema, self._schema):
            self._upgrades[older](state)
        return convert(state, self._type, builtin_types=(bytes,))


def is_whole(data: bytes, *, if_compressed: bool = False) -> bool:
    """Return whether some version of the program may have encoded these bytes, as far as their checksum or
    their form tells. With `if_compressed`, bytes without a checksum always pass."""
    if if_compressed and not data.startswith((COMPRESSED, _ZLIB)):
        return True
    try:
        msgpack.decode(_decompress(data), type=tuple[int, Any])
    except (DecodeError, ValidationError, ValueError, LZ4BlockError, zlib.error):
        return False
    return True


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4)


def _decompress(data: bytes) -> bytes:
    """Return the bytes as they were. Raises ValueError, LZ4BlockError, zlib.error."""
    if data.startswith(COMPRESSED):
        whole: bytes = decompress(memoryview(data)[5:])
        if _checksum(whole) != data[1:5]:
            raise ValueError
        return whole
    return zlib.decompress(data) if data.startswith(_ZLIB) else data
