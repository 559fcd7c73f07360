"""The store says whether its server keeps what it is given."""

from pathlib import Path

import pytest

from bot.store import Durability, open_store
from tests.bot.store.conftest import StartValkey


async def keeping(start_valkey: StartValkey, folder: Path, *arguments: str) -> Durability:
    """What a server says that was started with these arguments."""
    start_valkey("--port", "0", "--unixsocket", "s", "--save", "", *arguments)
    async with open_store(f"unix://{folder}/s", folder) as store:
        return await store.durability()


async def test_the_embedded_server_appends_and_evicts_nothing(tmp_path: Path) -> None:
    async with open_store(None, tmp_path) as store:
        assert await store.durability() == Durability(append_only=True, evicts=False)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--appendonly", "no"], Durability(append_only=False, evicts=False)),
        (
            ["--appendonly", "yes", "--maxmemory-policy", "allkeys-lru"],
            Durability(append_only=True, evicts=False),
        ),
        (
            ["--appendonly", "yes", "--maxmemory-policy", "allkeys-lru", "--maxmemory", "100mb"],
            Durability(append_only=True, evicts=True),
        ),
        (
            ["--appendonly", "yes", "--maxmemory-policy", "noeviction", "--maxmemory", "100mb"],
            Durability(append_only=True, evicts=False),
        ),
    ],
)
async def test_a_server_of_ones_own_is_asked(
    start_valkey: StartValkey, tmp_path: Path, arguments: list[str], expected: Durability
) -> None:
    assert await keeping(start_valkey, tmp_path, *arguments) == expected
