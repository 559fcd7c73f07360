"""Repair of a store's folder whose newest append-only file is damaged.

The files are put aside first; the copy is compared, made read-only and never touched again. The newest file
is cut after its last whole command, and takes the damaged one's place once a server has loaded it. Everything
older must be whole: later files build on it, so damage there is refused.
"""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from filecmp import cmp
from pathlib import Path
from subprocess import DEVNULL
from typing import Any, Final

from redis import Redis
from redis.exceptions import RedisError

from bot.errors import CannotStart
from bot.store.append_only import Arities, Reading, read_append_only, read_lost_part
from bot.store.embedded import data_folder, server_lock, valkey_binary

_APPEND_ONLY: Final = "appendonlydir"
_LINE: Final = re.compile(r"file (\S+) seq (\d+) type ([bih])(?: .*)?")
_LOAD_SECONDS: Final = 600.0
"""Seconds for a server to load the data."""


class RepairRefused(CannotStart):
    """Raised when nothing was changed, with a sentence why. Codes: `nothing_kept`, `running`, `manifest`,
    `older_damage`, `no_room`, `not_loaded`."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Repair:
    """What a repair did."""

    file: Path
    """The newest file."""
    damage: str
    """The damage in words; empty: there was none, and nothing was changed."""
    copy: Path
    """The folder with everything as it was."""
    kept: int
    lost: int
    """Bytes of the newest file."""
    kept_until: int
    """Seconds since the epoch at the last time that is kept; 0: the file tells no times."""
    lost_until: int
    """The latest time in what was lost, or else when the file was last written."""
    tables: tuple[str, ...]
    """The ids of tables, nights and leagues that the lost part changed, as far as it can still be read."""
    keys: int
    """The number of keys that a server loads now."""


def repair(folder: Path, database: int = 0) -> Repair:
    """Repair the store in a folder: that of a server, or DATA_DIR. Raises RepairRefused, NoStore, OSError."""
    folder = _data_folder(folder)
    with server_lock(folder) as held:
        if not held:
            raise RepairRefused("running", f"A server runs in {folder}: stop the program first.")
        files = _files(folder)
        _refuse_while_open(files)
        arities = _ask_commands(folder)
        for older in files[:-1]:
            _check_older(older, arities, database)
        data = files[-1].read_bytes()
        reading = read_append_only(data, arities, database)
        return _cut(folder, files, data, reading)


def _cut(folder: Path, files: list[Path], data: bytes, reading: Reading) -> Repair:
    newest, damage, written = files[-1], reading.damage, int(files[-1].stat().st_mtime)
    prefix = data[: reading.whole]
    loaded = _load(folder, files, prefix)
    copy = folder / time.strftime("before-repair-%Y%m%d-%H%M%S", time.gmtime())
    if damage is not None:
        _put_aside(newest.parent, copy)
        _replace(newest, prefix)
    latest, tables = read_lost_part(data, reading) if damage else (0, [])
    return Repair(
        file=newest,
        damage=damage.why if damage else "",
        copy=copy,
        kept=reading.whole,
        lost=reading.size - reading.whole,
        kept_until=reading.newest,
        lost_until=max(latest, reading.newest) or written,
        tables=tuple(tables),
        keys=loaded,
    )


def _put_aside(kept: Path, copy: Path) -> None:
    """Copy a folder, compare each byte and make the copy read-only. Raises RepairRefused if that fails."""
    try:
        shutil.copytree(kept, copy / kept.name)
    except OSError as error:
        shutil.rmtree(copy, ignore_errors=True)
        words = (
            f"There is no room for a copy in {copy.parent} ({error.strerror or 'a file can not be copied'})."
        )
        raise RepairRefused("no_room", f"{words} Nothing was changed.") from None
    for file in kept.iterdir():
        twin = copy / kept.name / file.name
        if not cmp(file, twin, shallow=False):
            raise RepairRefused("no_room", f"{twin} is not what was copied. Nothing was changed.")
        _sync(twin)
        twin.chmod(0o400)
    _sync(copy / kept.name)


def _replace(file: Path, content: bytes) -> None:
    """Put a file with this content in the place of another, of which it has the owner and the rights."""
    before, anew = file.stat(), file.with_name(f"{file.name}.repaired")
    try:
        anew.write_bytes(content)
        anew.chmod(before.st_mode)
        os.chown(anew, before.st_uid, before.st_gid)
        _sync(anew)
        anew.replace(file)
    finally:
        anew.unlink(missing_ok=True)
    _sync(file.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _data_folder(folder: Path) -> Path:
    for each in (folder, data_folder(folder)):
        if (each / _APPEND_ONLY).is_dir():
            return each.absolute()
    words = f"name the store's folder, the one with {_APPEND_ONLY} in it"
    raise RepairRefused("nothing_kept", f"There is no append-only file in {folder}: {words}.")


def _manifest(folder: Path) -> Path:
    """Return the list of a folder's files; the name of one that is not there if it can't be known."""
    found = [*(folder / _APPEND_ONLY).glob("*.manifest")]
    return found[0] if len(found) == 1 else folder / _APPEND_ONLY / "appendonly.aof.manifest"


def _files(folder: Path) -> list[Path]:
    """Return the files with the data, the base first and the newest last."""
    kept = folder / _APPEND_ONLY
    manifest = _manifest(folder)
    lines = manifest.read_text("utf-8", "replace").splitlines() if manifest.is_file() else []
    named = [_LINE.fullmatch(line) for line in lines]
    known = [each for each in named if each is not None]
    data = [kept / each[1] for each in known if each[3] != "h"]
    sequence = [int(each[2]) for each in known if each[3] == "i"]
    whole = len(known) == len(lines) and sequence == sorted(set(sequence)) and bool(sequence)
    if not whole or not all(file.parent == kept and file.is_file() for file in data):
        words = "It can't be known which files count, and in which order: restore a backup."
        raise RepairRefused("manifest", f"The list of files in {kept} is damaged. {words}")
    return data


def _refuse_while_open(files: list[Path]) -> None:
    """Refuse files that a process of this machine has open, as far as this user may see that."""
    held = {(file.stat().st_dev, file.stat().st_ino) for file in files}
    for process in Path("/proc").glob("[0-9]*"):
        if not held.isdisjoint(_list_open(process)):
            raise RepairRefused("running", f"The process {process.name} uses {files[-1]}: stop it first.")


def _list_open(process: Path) -> Iterator[tuple[int, int]]:
    """Yield device and number of each file that a process has open, as far as this user may see that. It may
    end meanwhile."""
    with suppress(OSError):
        for link in os.scandir(process / "fd"):
            with suppress(OSError):
                there = os.stat(link.path)
                yield there.st_dev, there.st_ino


def _check_older(file: Path, arities: Arities, database: int) -> None:
    """Refuse to go on when a file before the newest is damaged: a snapshot by its checksum."""
    if file.suffix == ".rdb":
        check = subprocess.run(
            ["valkey-check-rdb", str(file)], executable=valkey_binary(), capture_output=True, check=False
        )
        damaged = check.returncode != 0
    else:
        damaged = read_append_only(file.read_bytes(), arities, database).damage is not None
    if damaged:
        words = "Only the newest can be cut: restore a backup."
        raise RepairRefused("older_damage", f"{file} is damaged, and later files build on it. {words}")


def _load(folder: Path, files: list[Path], newest: bytes) -> int:
    """Have a server load the files with another content of the newest. Return the number of keys."""
    *older, last = files
    with _own_folder(folder) as own:
        (kept := own / _APPEND_ONLY).mkdir()
        for file in (*older, _manifest(folder)):
            shutil.copy(file, kept)
        (kept / last.name).write_bytes(newest)
        with _running(own, _manifest(folder).stem) as client:
            if client is not None:
                return sum(int(each["keys"]) for each in client.info("keyspace").values())
    words = "Nothing was changed: restore a backup."
    raise RepairRefused("not_loaded", f"A server does not load what is whole of {last}. {words}")


def _ask_commands(folder: Path) -> Arities:
    """Ask a server for the commands that write."""
    with _own_folder(folder) as own, _running(own, "none") as client:
        if client is None:
            raise RepairRefused("not_loaded", f"No server can be started in {folder}.")
        told: list[Any] = client.execute_command("COMMAND")  # type: ignore[no-untyped-call]
    return {
        name.lower().encode(): int(each["arity"])
        for name, each in dict(told).items()
        if "write" in each["flags"]
    }


@contextmanager
def _own_folder(folder: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=folder, prefix="trying-") as own:
        yield Path(own)


@contextmanager
def _running(folder: Path, name: str) -> Iterator[Redis | None]:
    """Run a server on append-only files of this name in a folder; None: it does not load them."""
    with tempfile.TemporaryDirectory(prefix="okey-") as short, Redis(unix_socket_path=f"{short}/s") as client:
        settings = {"port": "0", "save": "", "appendonly": "yes", "appendfilename": name}
        settings |= {"aof-load-truncated": "no", "unixsocket": f"{short}/s"}
        words = [word for setting in settings.items() for word in (f"--{setting[0]}", setting[1])]
        process = subprocess.Popen([valkey_binary(), *words], cwd=folder, stdout=DEVNULL, stderr=DEVNULL)
        try:
            yield client if _answers(client, process) else None
        finally:
            process.kill()
            process.wait()


def _answers(client: Redis, process: subprocess.Popen[bytes]) -> bool:
    """Wait until a server has loaded its data; False: it ended."""
    deadline = time.monotonic() + _LOAD_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        with suppress(RedisError):
            if client.ping():
                return True
        time.sleep(0.05)
    return False
