"""Documents: tables, nights and leagues under a version, their logs, and what chats show of them."""

from collections.abc import Mapping, Sequence
from random import randbytes
from typing import Any

from bot.store import keys
from bot.store.index import hint_words, note
from bot.store.scripts import script
from bot.store.server import Server, together
from bot.store.values import (
    KEEP,
    Committed,
    Conflict,
    IndexHint,
    Keep,
    Note,
    Repeated,
    Stored,
    action_digest,
    stamp_of,
)

_LOAD = script("load")
_COMMIT = script("commit")
_FORGET = script("forget")
_SET_NOTES = script("set_notes")
_SWAP_NOTES = script("swap_notes")


class Documents:
    """The stored tables, nights and leagues. The state is bytes, whose meaning only the application knows."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def load(self, table: str) -> Stored | None:
        """Return a table; None when there is none."""
        (found,) = await self._server.run(_LOAD, _read_keys(table), table)
        return _read_found(found)

    async def load_many(self, tables: Sequence[str]) -> list[Stored | None]:
        """Several tables, in their order and in one call; in a cluster one call for each."""
        calls = (
            self._server.run(_LOAD, [key for table in group for key in _read_keys(table)], *group)
            for group in self._server.in_one_call(tables)
        )
        return [_read_found(each) for found in await together(calls) for each in found]

    async def versions(self, tables: Sequence[str]) -> list[int]:
        """Return the versions of several tables, in their order; 0: there is none."""
        calls = (self._server.call("HGET", keys.state(table), "v") for table in tables)
        return [int(version or 0) for version in await together(calls)]

    async def stamps(self, tables: Sequence[str]) -> list[bytes]:
        """Return for each of several tables what tells its present state from every other, in their order;
        empty: there is none. Much less is read than with `load_many`."""
        calls = (self._server.call("HMGET", keys.state(table), "v", "a") for table in tables)
        found = await together(calls)
        return [b"" if not version else stamp_of(int(version), actions or b"") for version, actions in found]

    async def commit(
        self,
        table: str,
        *,
        expected: int,
        made_by: bytes = b"",
        state: bytes,
        action: str | None,
        entries: Sequence[bytes] = (),
        due: Keep | float | None = KEEP,
        dirty: bool = True,
        ended: bool = False,
        agenda: Keep | float | None = KEEP,
        hints: Sequence[IndexHint] = (),
        beyond: int = 0,
    ) -> Committed | Conflict | Repeated:
        """Carry out one change of a table, completely or not at all, and at most once.

        `expected` is the version on which it is based, 0 for a table that must not exist yet, and `made_by`
        the call that made that version: a server that took over from another may count a number twice.
        `action` names the act (such as the press's id): the last 32 actions of a table are never carried out
        again; a call that had to be sent twice is still answered as one. `entries` are appended to the log,
        `due` sets the deadline in seconds from now (None: no deadline), `dirty` has the chats updated,
        `ended` has its results written to the match history, `agenda` is the moment of its next look (see
        `Timers`), and `hints` lead to it: in a cluster they are noted first. The new version is above
        `beyond`."""
        partition = keys.partition_of(table)
        call = (randbytes(8) if action is None else action_digest(action)) + randbytes(4)
        if self._server.splits:
            await note(self._server, hints)
            hints = ()
        reply = await self._server.run_in_time(
            _COMMIT,
            (
                keys.state(table),
                keys.log(table),
                keys.deadlines(partition),
                keys.alive(partition),
                keys.dirty(partition),
                keys.ended(partition),
                keys.agenda(partition),
                keys.notes(table),
                *(hint.key for hint in hints),
            ),
            table,
            expected,
            call,
            state,
            in_milliseconds(due),
            int(dirty),
            int(ended),
            in_milliseconds(agenda),
            made_by,
            beyond,
            *hint_words(hints),
            *entries,
        )
        match reply:
            case [b"committed", version, now, at, notes, mark]:
                return Committed(version, now / 1000, _seconds(at), _read_notes(notes), mark, call)
            case [b"repeated", version]:
                return Repeated(version)
            case [_, version]:
                return Conflict(version)
        raise AssertionError("commit.lua answers in one of three ways")

    async def bytes_of(self, table: str) -> int:
        """Return the server's memory for all keys of a table, in bytes."""
        sizes = [await self._server.call("MEMORY", "USAGE", key) for key in _own_keys(table)]
        return sum(size or 0 for size in sizes)

    async def log(self, table: str) -> list[bytes]:
        """Return a table's log entries, oldest first."""
        entries: list[bytes] = await self._server.call("LRANGE", keys.log(table), 0, -1)
        return entries

    async def on_disk(self, table: str) -> None:
        """Wait until everything committed of a table is on disk, if the store keeps its data there."""
        await self._server.on_disk(keys.synced(keys.partition_of(table)))

    async def forget(self, table: str) -> None:
        """Delete everything of a table; the indexes of places and persons keep their stale hints."""
        partition = keys.partition_of(table)
        hashes = (keys.delivered, keys.unattended)
        marks = (keys.deadlines, keys.moved, keys.dirty, keys.ended, keys.agenda)
        named = (of(partition) for of in (*hashes, *marks))
        await self._server.run(_FORGET, (*_own_keys(table), *named), table)


class DocumentNotes:
    """Notes of tables, nights, leagues and daily boards: what readers see of them, and what was done."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def load(self, table: str) -> dict[str, Note]:
        """Return everything that is noted of a table, night or league, by its key."""
        held: dict[bytes, bytes] = await self._server.call("HGETALL", keys.notes(table))
        return {target.decode(): _read_note(value) for target, value in held.items()}

    async def set(
        self,
        table: str,
        notes: Mapping[str, Note | None],
        *,
        at: int | None = None,
        replaced: str = "",
    ) -> bool:
        """Note what targets see, in one step. None removes a note. Nothing changes for a lower version in
        the same message, or if the table is gone.

        A lower version in another message has the target updated. With `at`, nothing is noted if the first
        target is new and the table has another version: then the result is False. With a word for what is
        `replaced`, the message that the first target saw before is noted by that word, the target and the
        message, with the version that it shows and its worth as the message, and the table is marked; and a
        lower version in the same message has the first target updated, too, since nobody knows which edit
        came last."""
        dirty = keys.dirty(keys.partition_of(table))
        noted = await self._server.run(
            _SET_NOTES,
            (keys.state(table), keys.notes(table), dirty),
            table,
            "any" if at is None else at,
            replaced,
            *(word for target, each in notes.items() for word in (target, _as_kept(each))),
        )
        return bool(noted)

    async def swap(self, table: str, targets: Sequence[str], before: Note | None, note: Note) -> bool:
        """Note the same of all these targets, if each has the note `before`, None for none. False if not
        (nothing is noted), or if the table is gone. As with `commit`, a call that had to be sent twice is
        answered as one, and one that was given up is not carried out later.
        """
        names = (keys.state(table), keys.notes(table), keys.note_key(table, randbytes(8).hex()))
        words = (_as_kept(before), _as_kept(note), *targets)
        (noted,) = await self._server.run_in_time(_SWAP_NOTES, names, *words)
        return bool(noted)

    async def drop(self, table: str, *targets: str) -> None:
        """Remove these notes; there must be at least one."""
        await self._server.call("HDEL", keys.notes(table), *targets)


def _read_keys(table: str) -> tuple[str, str, str, str]:
    partition = keys.partition_of(table)
    return keys.state(table), keys.notes(table), keys.deadlines(partition), keys.alive(partition)


def _read_found(reply: Any) -> Stored | None:
    if reply is None:
        return None
    state, version, actions, due, now, notes = reply
    return Stored(state, version, _seconds(due), now / 1000, actions, _read_notes(notes))


def _read_notes(flat: list[bytes]) -> dict[str, Note]:
    return {target.decode(): _read_note(value) for target, value in zip(flat[::2], flat[1::2], strict=True)}


def _own_keys(table: str) -> tuple[str, str, str]:
    return keys.state(table), keys.log(table), keys.notes(table)


def in_milliseconds(due: Keep | float | None) -> str | int:
    """Return a deadline or a moment in the form that the scripts take."""
    if due is KEEP:
        return "keep"
    return "none" if due is None else round(due * 1000)


def _seconds(milliseconds: int | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1000


def _as_kept(note: Note | None) -> str:
    return "" if note is None else f"{note.number} {note.worth} {note.text}"


def _read_note(value: bytes) -> Note:
    version, worth, message = value.decode().split(" ", 2)
    return Note(message, int(version), worth)
