"""A damaged store is cut to what is whole, with everything as it was put aside; or nothing is changed."""

import asyncio
import hashlib
import os
import random
import re
import shutil
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest
import redis

from bot.bench.moves import one_move, open_tables
from bot.main import main
from bot.repository.tables import TableRepository
from bot.store import NoStore, open_store
from bot.store.append_only import Reading, read_append_only
from bot.store.repair import RepairRefused, repair
from tests.bot.store.conftest import StartValkey

pytestmark = pytest.mark.long

TABLES, MOVES = 6, 120
DAMAGED = 50


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A DATA_DIR in which some tables were played, and whose server has ended."""
    folder = tmp_path_factory.mktemp("played")

    async def play() -> None:
        async with open_store(None, folder) as store:
            repository, chance = TableRepository(store), random.Random(7)
            tables = await open_tables(store, TABLES)
            for number in range(MOVES):
                await repository.change(chance.choice(tables), f"move {number}", one_move)

    asyncio.run(play())
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """A copy of it, to damage."""
    shutil.copytree(played / "valkey", tmp_path / "valkey", ignore=shutil.ignore_patterns("*.sock"))
    return tmp_path


def newest(folder: Path) -> Path:
    (file,) = (folder / "valkey" / "appendonlydir").glob("*.incr.aof")
    return file


def digest(folder: Path) -> dict[str, str]:
    files = [file for file in (folder / "appendonlydir").iterdir() if file.is_file()]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def flip(data: bytearray, chance: random.Random) -> str:
    place = chance.randrange(len(data))
    data[place] ^= 1 << chance.randrange(8)
    return f"a bit of byte {place}"


def cut(data: bytearray, chance: random.Random) -> str:
    place = chance.randrange(len(data))
    del data[place:]
    return f"cut at {place}"


def overwrite(data: bytearray, chance: random.Random) -> str:
    place = chance.randrange(len(data))
    rubbish = chance.randbytes(chance.randint(1, 600))
    data[place : place + len(rubbish)] = rubbish
    return f"{len(rubbish)} bytes of rubbish at {place}"


def zeros(data: bytearray, chance: random.Random) -> str:
    """As a file system may leave the end after a loss of power."""
    place = chance.randrange(len(data))
    data[place:] = bytes(len(data) - place)
    return f"zeros from {place}"


def leave_out(data: bytearray, chance: random.Random) -> str:
    place = chance.randrange(len(data))
    count = chance.randint(1, 5000)
    del data[place : place + count]
    return f"without {count} bytes from {place}"


DAMAGES: tuple[Callable[[bytearray, random.Random], str], ...] = (flip, cut, overwrite, zeros, leave_out)


@pytest.mark.parametrize("seed", range(DAMAGED))
def test_of_a_damaged_file_the_whole_beginning_is_kept(folder: Path, seed: int) -> None:
    chance, file = random.Random(seed), newest(folder)
    before, spoil = file.read_bytes(), DAMAGES[seed % len(DAMAGES)]
    data = bytearray(before)
    what = spoil(data, chance)
    file.write_bytes(data)
    damaged = digest(folder / "valkey")
    pairs = enumerate(zip(before, data, strict=False))
    first = next((at for at, (old, new) in pairs if old != new), min(len(before), len(data)))
    done = repair(folder)
    kept = file.read_bytes()
    if spoil is flip and first < len(kept):
        # Nobody can tell that a bit of a text or a number was another one. No command is lost by it.
        assert kept == data[: len(kept)]
        assert whole(kept).commands == whole(before[: len(kept)]).commands
        return
    assert kept == before[: len(kept)], what
    assert len(kept) == whole(before[:first]).whole, f"{what}: all that is whole before it is kept"
    assert done.lost == len(data) - len(kept)
    assert done.lost == 0 or digest(done.copy) == damaged
    assert repair(folder).damage == ""


def test_the_report_says_what_was_lost_and_where_everything_is(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATA_DIR", str(folder))
    assert main(["repair"]) == 0
    assert capsys.readouterr().out.startswith("Nothing is damaged")
    file = newest(folder)
    data = file.read_bytes()
    place = data.index(b"$4\r\nHSET", len(data) // 2)
    file.write_bytes(data[:place] + b"?" + data[place + 1 :])
    assert main(["repair"]) == 0
    told = capsys.readouterr().out
    (copy,) = (folder / "valkey").glob("before-repair-*")
    (key,) = re.findall(rb"\{p\d\d\}t:(\w+)", data[place : place + 80])
    assert f"Everything as it was: {copy}" in told
    assert f"{len(data) - len(file.read_bytes())} bytes, at most " in told
    assert key.decode() in told
    with pytest.raises(PermissionError) if os.geteuid() else nullcontext():
        (copy / "appendonlydir" / file.name).open("r+b")


async def test_a_running_server_is_left_alone(data_dir: Path) -> None:
    async with open_store(None, data_dir):
        with pytest.raises(RepairRefused) as refused:
            await asyncio.to_thread(repair, data_dir)
    assert refused.value.code == "running"


def test_a_server_of_ones_own_that_runs_is_left_alone(start_valkey: StartValkey, tmp_path: Path) -> None:
    start_valkey("--port", "0", "--unixsocket", "s", "--save", "", "--appendonly", "yes")
    with redis.Redis(
        unix_socket_path=str(tmp_path / "s"),
        retry=redis.retry.Retry(redis.backoff.ConstantBackoff(0.05), 200),
    ) as client:
        client.ping()
    with pytest.raises(RepairRefused) as refused:
        repair(tmp_path)
    assert refused.value.code == "running"


@pytest.mark.parametrize("spoilt", ["*.base.rdb", "*.manifest"])
def test_damage_before_the_newest_file_is_refused_and_nothing_is_changed(folder: Path, spoilt: str) -> None:
    (file,) = (folder / "valkey" / "appendonlydir").glob(spoilt)
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0x40
    file.write_bytes(data)
    before = digest(folder / "valkey")
    with pytest.raises(RepairRefused) as refused:
        repair(folder)
    assert refused.value.code == ("manifest" if spoilt == "*.manifest" else "older_damage")
    assert digest(folder / "valkey") == before


async def test_a_start_on_a_damaged_store_names_the_command_that_repairs_it(folder: Path) -> None:
    file = newest(folder)
    data = file.read_bytes()
    place = data.index(b"$4\r\nHSET", len(data) // 2)
    file.write_bytes(data[:place] + b"$9999999" + data[place + 2 :])  # the rest looks like one long word
    before = file.read_bytes()
    with pytest.raises(NoStore) as refused:
        async with open_store(None, folder):
            pass
    assert (refused.value.code, "okey repair" in str(refused.value)) == ("damaged", True)
    assert file.read_bytes() == before
    assert (await asyncio.to_thread(repair, folder)).kept < place
    async with open_store(None, folder):
        pass


async def test_a_write_that_was_half_on_disk_is_cut_off_with_one_warning(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = newest(folder)
    data = file.read_bytes()
    place = data.rindex(b"$1\r\ns\r\n")  # in the last state that was written
    file.write_bytes(data[: place + 40])
    async with open_store(None, folder):
        pass
    warned = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert len(warned) == 1
    lost = place + 40 - whole(data[: place + 40]).whole
    assert f"{lost} bytes were cut off" in warned[0]


def whole(data: bytes) -> Reading:
    return read_append_only(data, None)
