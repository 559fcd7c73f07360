"""States as bytes: msgpack behind a schema number, so that no version misreads another's states."""

from typing import Generic, TypeVar

from msgspec import DecodeError, Raw, ValidationError, msgpack

T = TypeVar("T")


class UnknownSchema(Exception):
    """These bytes were written by another version of the program: leave them alone.

    `schema` is the number they carry, None when they carry none or do not hold what it promises.
    """

    def __init__(self, schema: int | None) -> None:
        super().__init__(schema)
        self.schema = schema


class Codec(Generic[T]):
    """Turns values of one type into bytes and back. A change of the type needs a new schema number."""

    def __init__(self, type: type[T], schema: int) -> None:
        self._schema = schema
        self._encoder = msgpack.Encoder()
        self._head: msgpack.Decoder[tuple[int, Raw]] = msgpack.Decoder(tuple[int, Raw])
        self._body: msgpack.Decoder[T] = msgpack.Decoder(type)

    def encode(self, value: T) -> bytes:
        """Bytes that carry the schema number and the value."""
        return self._encoder.encode((self._schema, value))

    def decode(self, data: bytes) -> T:
        """The value. Raises `UnknownSchema`, which tells nothing of what the bytes hold."""
        schema: int | None = None
        try:
            schema, body = self._head.decode(data)
            if schema == self._schema:
                return self._body.decode(body)
        except (DecodeError, ValidationError):
            schema = None
        raise UnknownSchema(schema)
