"""Ids that nobody outside can compute, the same for a request delivered twice."""

import logging
import re
from hashlib import blake2b
from pathlib import Path

import pytest
import redis

from bot.handlers.presence import new_table_id
from bot.ids import league_id
from bot.league.events import Announced
from bot.league.model import Format
from bot.store import Store, keys, open_store
from tests.bot.house import PLACE, open_house
from tests.bot.league.test_night import night_of, seated

MEMBERS = ("m1", "m2", "m3", "m4")


async def test_a_press_that_reaches_two_processes_opens_one_table(
    store: Store, valkey_url: str, tmp_path: Path
) -> None:
    async with (
        open_store(valkey_url, tmp_path) as another,
        open_house(store, work=False) as here,
        open_house(another, work=False) as there,
    ):
        ada = here.person("Ada")
        await here.type(ada, "play", id="100.7")
        await there.type(ada, "play", id="100.7")
        (table,) = await store.index.tables_at(PLACE)
        assert re.fullmatch(r"[a-z2-9]{10}", table)  # 50 bits


async def test_who_lacks_the_secret_cannot_compute_an_id(store: Store, valkey_url: str) -> None:
    """The same messages of the same person give other ids under another secret."""
    messages = [f"100.{number}" for number in range(200)]
    ids = [await new_table_id(store, PLACE, "mem:ada", each) for each in messages]
    with redis.Redis.from_url(valkey_url) as client:
        client.delete(keys.SECRET)
    others = [await new_table_id(store, PLACE, "mem:ada", each) for each in messages]
    assert len({*ids, *others}) == 2 * len(messages)
    alphabet = "23456789abcdefghjkmnpqrstuvwxyz"
    number = int.from_bytes(blake2b(f"{PLACE} mem:ada 100.0".encode(), digest_size=8).digest())
    guessed = "".join(alphabet[number // len(alphabet) ** place % len(alphabet)] for place in range(6))
    assert not any(each.startswith(guessed) for each in ids)


async def test_words_that_read_alike_together_give_different_ids(store: Store) -> None:
    assert await new_table_id(store, "a b", "c", "d") != await new_table_id(store, "a", "b c", "d")


async def test_the_secret_stands_in_the_store_alone_and_in_one_place(
    store: Store, valkey_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with open_house(store) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="okey-rounds")
        await house.press(ada, f"start.{table}.0", private=False)
        record = await house.type(ada, "record")
        shown = repr((record, record.page, await house.rack(ada, table), vars(store), house.app))
    with redis.Redis.from_url(valkey_url) as client:
        secret = client.get(keys.SECRET)
        assert secret is not None
        bare = secret[-32:]
        dumped = {key: client.dump(key) for key in client.scan_iter() if key != keys.SECRET.encode()}
    assert not any(bare in value for value in dumped.values() if value)
    for form in (bare.hex(), repr(bare)[2:-1]):
        assert form not in shown + caplog.text


async def test_all_processes_agree_on_a_secret(store: Store, valkey_url: str, tmp_path: Path) -> None:
    async with open_store(valkey_url, tmp_path) as another:
        assert await store.secret.digest("a") == await another.secret.digest("a")


def test_tables_of_a_night_are_found_by_its_key_alone() -> None:
    event = seated(MEMBERS, ("m5", "m6", "m7", "m8"))
    night = night_of(event)
    other = night_of(event, key=bytes([1]) * 32)
    tables = night.rounds[0].tables
    ids = {each.id_of(1, table) for each in (night, other) for table in tables}
    assert len(ids) == 4
    assert ids == {each.id_of(1, table) for each in (night, other) for table in tables}


def test_the_key_of_a_night_shows_in_no_repr() -> None:
    key = bytes(range(32))
    announced = Announced("abcde-202603052000", "abcde", 1, 1, 0.0, Format(), key)
    night = night_of(seated(MEMBERS), key=key)
    assert repr(key)[2:-1] not in repr((announced, night))


async def test_a_league_has_an_id_of_40_bits(store: Store) -> None:
    assert re.fullmatch(r"[a-z2-9]{8}", league_id(await store.secret.digest("league", "mem:ada 1")))
