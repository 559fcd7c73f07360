"""Append-only file: every write of a server in its order, as commands of the Redis protocol, and between them
lines with the time (`#TS:` and seconds since the epoch).

The file has no checksums. A command is known to be whole by its lengths and ends, by its name and number of
words, and by what the program never writes: a table in another's partition, a version that is not the next,
a state whose own checksum is wrong, an entry of a log that is no JSON. Commands between `MULTI` and `EXEC`
count together or not at all. https://valkey.io/topics/persistence/ and https://valkey.io/topics/protocol/
describe the format.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from msgspec import DecodeError, json

from bot.store import keys
from bot.store.codec import is_whole

Arities = Mapping[bytes, int]
"""The number of words of each command that writes, by its name in lower case; below 0: at least as many."""

LONGEST_TAIL: Final = 1 << 16
"""Bytes that a write may have to be cut off without being asked about. A state takes four thousand; with
a wrong length in the middle of a file everything after it would look like one long write."""

_AROUND: Final = {b"select": 2, b"multi": 1, b"exec": 1}
"""The commands that change nothing, with their numbers of words."""
_COUNT: Final = re.compile(rb"\*([1-9]\d{0,5})\r\n")
_LENGTH: Final = re.compile(rb"\$(0|[1-9]\d{0,8})\r\n")
_TIME: Final = re.compile(rb"#TS:(\d{10})\r\n")
_LONGEST_HEAD: Final = 18
"""Bytes of the longest line that one of the three matches."""
_OF_TABLE: Final = re.compile(rb"\{p(\d\d)\}[tls]:(.+)", re.DOTALL)
_TABLE: Final = re.compile(rb"\{p(\d\d)\}[tl]:([0-9A-Za-z_-]{1,64})")
_IN_ONE_VALUE: Final = re.compile(rb"(?:person|settings|match):")
"""The beginnings of keys whose value is an encoded one, which may be compressed."""
_ACTION, _ACTIONS = 16, 16 * 32
"""Bytes of an action, and of all that are kept, by `commit.lua`."""


class Damage(Exception):
    """What comes at an offset is no command of a server. `cut`: one begins there, and the file ends in it."""

    def __init__(self, offset: int, why: str, *, cut: bool = False) -> None:
        super().__init__(why)
        self.offset = offset
        self.why = why
        self.cut = cut


@dataclass(slots=True)
class Reading:
    """How far a file is whole."""

    size: int
    """Bytes of the file."""
    whole: int = 0
    """Bytes up to the end of the last whole command, or of the last `EXEC`."""
    commands: int = 0
    newest: int = 0
    """Seconds since the epoch at the last line with the time in the whole part; 0: there is none."""
    damage: Damage | None = None
    """What comes after the whole part; None: nothing."""


def read_append_only(data: bytes, arities: Arities | None, database: int = 0) -> Reading:
    """Read a file from its beginning to the first damage, or to its end. `database` is the only one that the
    program uses. Without `arities` only the form is read."""
    reading = Reading(len(data))
    try:
        _Reader(data, arities, str(database).encode(), reading).read()
    except Damage as damage:
        reading.damage = damage
    return reading


def cut_tail(file: Path) -> int:
    """Cut off the write that ends a file and is not whole, as after a loss of power. Return its bytes; 0:
    nothing was done, because the damage is another one."""
    reading = read_append_only(file.read_bytes(), None)
    tail = reading.size - reading.whole
    if reading.damage is None or not reading.damage.cut or tail > LONGEST_TAIL:
        return 0
    os.truncate(file, reading.whole)
    return tail


def read_lost_part(data: bytes, reading: Reading) -> tuple[int, list[str]]:
    """Return what the part that is not whole still shows: the latest time in it, 0 without one, and the ids
    of the tables that it changed."""
    times = [int(each[1]) for each in _TIME.finditer(data, reading.whole)]
    tables = {each[2] for each in _TABLE.finditer(data, reading.whole) if _is_in_its_partition(each)}
    return max(times, default=0), sorted(table.decode() for table in tables)


@dataclass
class _Reader:
    """Reads one file, and checks each command against those before it."""

    data: bytes
    arities: Arities | None
    database: bytes
    reading: Reading
    actions: dict[bytes, bytes] = field(default_factory=dict)
    """The last actions of each table that was changed, the newest first: each change adds one before them."""

    def read(self) -> None:
        """Read on to the end. Raises Damage."""
        offset, began = 0, None
        while offset < len(self.data):
            if time := _TIME.match(self.data, offset):
                self.reading.newest, offset = int(time[1]), time.end()
            else:
                words, end = self._command(offset)
                name = words[0].lower()
                if (name == b"exec") != (began is not None) and name in (b"multi", b"exec"):
                    raise Damage(offset, "half a transaction")
                began = {b"multi": offset, b"exec": None}.get(name, began)
                self._check(name, words, offset)
                offset = end
                self.reading.commands += 1
            if began is None:
                self.reading.whole = offset
        if began is not None:
            raise Damage(began, "a transaction without an end", cut=True)

    def _command(self, offset: int) -> tuple[list[bytes], int]:
        """Return the words of the command at an offset, and the offset after it."""
        head = self._match(_COUNT, offset, offset)
        words, at = [], head.end()
        for _ in range(int(head[1])):
            length = self._match(_LENGTH, at, offset)
            end = length.end() + int(length[1])
            if end + 2 > len(self.data):
                raise Damage(offset, "a command without an end", cut=True)
            if self.data[end : end + 2] != b"\r\n":
                raise Damage(offset, "a word of another length")
            words.append(self.data[length.end() : end])
            at = end + 2
        return words, at

    def _match(self, line: re.Pattern[bytes], at: int, command: int) -> re.Match[bytes]:
        if found := line.match(self.data, at):
            return found
        rest = self.data[at : at + _LONGEST_HEAD]
        cut = len(rest) < _LONGEST_HEAD and b"\n" not in rest and rest[:1] in (b"", b"*", b"$")
        raise Damage(command, "a command without an end" if cut else "no command", cut=cut)

    def _check(self, name: bytes, words: list[bytes], offset: int) -> None:
        if self.arities is None:
            return
        arity = _AROUND.get(name) or self.arities.get(name, 0)
        if arity == 0 or (len(words) != arity if arity > 0 else len(words) < -arity):
            raise Damage(offset, "a command that no server knows")
        if name == b"select" and words[1] != self.database:
            raise Damage(offset, "another database")
        if name in (b"flushall", b"flushdb"):
            self.actions.clear()
        if len(words) > 1 and (table := _OF_TABLE.fullmatch(words[1])):
            if not _is_in_its_partition(table):
                raise Damage(offset, "a table in another's partition")
            if name in (b"del", b"unlink"):
                self.actions.pop(table[2], None)
            elif not self._is_sound(name, words, table):
                raise Damage(offset, "what no version of the program writes")
        if name == b"set" and _IN_ONE_VALUE.match(words[1]) and not is_whole(words[2], if_compressed=True):
            raise Damage(offset, "a value with a wrong checksum")

    def _is_sound(self, name: bytes, words: list[bytes], table: re.Match[bytes]) -> bool:
        """Return whether a table's key may be changed like that."""
        kind = words[1][5:6]
        if kind == b"l":
            return name == b"rpush" and all(map(_is_json, words[2:]))
        if kind != b"t" or name not in (b"hset", b"hmset"):
            return kind == b"s" and name in (b"hset", b"hmset", b"hdel")
        values = dict(zip(words[2::2], words[3::2], strict=False))
        if {*values} != {b"v", b"s", b"a"} or not is_whole(values[b"s"]):
            return False
        version, actions = values[b"v"], values[b"a"]
        before = self.actions.get(table[2])
        self.actions[table[2]] = actions
        if not version.isdigit() or len(actions) % _ACTION or _version_of(actions) != int(version):
            return False
        return before is None or (
            _version_of(before) == int(version) - 1 and actions[_ACTION:] == before[: _ACTIONS - _ACTION]
        )


def _version_of(actions: bytes) -> int:
    """Return the version that the newest of a table's actions made."""
    return int.from_bytes(actions[_ACTION - 4 : _ACTION])


def _is_in_its_partition(table: re.Match[bytes]) -> bool:
    """Return whether a table's key names the partition that follows from its id."""
    return keys.partition_of(table[2].decode(errors="replace")) == int(table[1])


def _is_json(entry: bytes) -> bool:
    try:
        json.decode(entry)
    except (DecodeError, UnicodeDecodeError):
        return False
    return True
