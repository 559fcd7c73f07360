"""`/okey mydata` gives a person everything about them, and nothing about others but their names."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import redis

from bot.handlers.personal_data import FORMAT
from bot.i18n import plain, words_for
from bot.main import main
from bot.ports import Answer, Person
from bot.store import Store, open_store
from tests.bot.house import House, page_of
from tests.bot.rounds import finish_round
from tests.bot.test_forgetting import everything, table_at
from tests.bot.two_chats import CHANNEL, chat, code_for, link_accounts, question, two_chats
from tests.conftest import Until

ADA = Person("dc:1155711", "Adalet", "en")
ADA_TG = Person("tg:2266822", "Adoş", "en")
CAN = Person("dc:3377933", "Canan", "en")


def read(answer: Answer) -> dict[str, Any]:
    page = page_of(answer)
    assert page.file is not None
    assert page.file.name == "okey-my-data.json"
    whole: dict[str, Any] = json.loads(page.file.content)
    assert whole["format"] == FORMAT
    return whole


async def ask(house: House, person: Person) -> dict[str, Any]:
    return read(await house.type(person, "okey", "mydata", place=None))


async def plays(house: House, *people: Person) -> str:
    """A table of these people, whose first round has been played; its id."""
    host, *others = people
    await house.type(host, "play", place=CHANNEL)
    table = (await table_at(house)).id
    for each in others:
        await house.press(each, f"join.{table}.0", private=False, place=CHANNEL)
    await house.press(host, f"start.{table}.0", private=False, place=CHANNEL)
    await finish_round(house.app.tables, table)
    return table


async def test_it_has_what_was_played_set_and_linked(store: Store, until: Until) -> None:
    async with two_chats(store, work=True, web_url="https://okey.example") as house:
        table = await plays(house, ADA, CAN)

        async def counted() -> bool:
            return len((await ask_again(house, ADA))["accounts"][0]["matches"]) == 1

        await until(counted)
        await house.press(ADA, "prefer.me.0.letters.1")
        await house.app.apps.begin(ADA, CHANNEL)
        whole = await ask_again(house, ADA)
        (account,) = whole["accounts"]
        assert account["key"] == ADA.key
        assert account["profile"]["display"]["letters"] is True
        (played,) = account["tables"]
        assert (played["table"], played["places"], played["host"]) == (table, [CHANNEL], True)
        assert played["seat"]["name"] == "Adalet"
        assert {"Adalet", "Canan"} <= set(played["players"])
        (match,) = account["matches"]
        assert match["table"] == table
        assert match["players"][match["your_seat"]] == "Adalet"
        whole, here = account["statistics"]
        assert (whole["where"], here["where"]) == ("", CHANNEL)
        assert whole["met"] == {"Canan": 1}
        assert whole["counts"]["classic.rounds"] == here["counts"]["classic.rounds"] == 1
        (record,) = account["records"]
        assert record["record"]["format"] == "okey-record/1"
        assert account["records_left_out"] == 0
        assert {"session or its link"} <= {each["what"] for each in account["links"]}


async def ask_again(house: House, person: Person) -> dict[str, Any]:
    """As often as wanted, without the pause between two files."""
    whole: dict[str, Any] = json.loads(await house.app.personal_data.file(person.key))
    return whole


async def test_it_has_both_accounts(store: Store) -> None:
    async with two_chats(store) as house:
        await house.type(ADA, "settings", place=None)
        await link_accounts(house, ADA_TG, ADA)
        whole = await ask(house, ADA)
        assert [each["key"] for each in whole["accounts"]] == [ADA.key, ADA_TG.key]
        assert [each["linked"] for each in whole["accounts"]] == [ADA_TG.key, ADA.key]


async def test_nobody_else_is_in_it_but_by_name(store: Store, until: Until) -> None:
    async with two_chats(store) as house:
        await plays(house, ADA, CAN)
        await house.press(CAN, "prefer.me.0.letters.1")
        text = json.dumps(await ask(house, ADA))
        assert "Canan" in text
        assert CAN.key not in text


async def test_a_question_whether_to_link_is_in_it_with_the_name_of_the_other(store: Store) -> None:
    async with two_chats(store) as house:
        await question(house, ADA, await code_for(house, ADA_TG))
        (account,) = (await ask(house, ADA))["accounts"]
        (asked,) = [each for each in account["links"] if "with" in each]
        assert asked["with"] == ADA_TG.name
        assert ADA_TG.key not in json.dumps(account)


async def test_it_is_given_in_private_alone_and_not_again_at_once(store: Store) -> None:
    async with two_chats(store) as house:
        refused = await house.type(ADA, "okey", "mydata", place=CHANNEL)
        assert (refused.code, refused.page) == ("private_only", None)
        await ask(house, ADA)
        assert (await house.type(ADA, "okey", "mydata", place=None)).code == "had_data"
        await ask(house, CAN)


async def test_who_never_played_gets_an_empty_file_and_leaves_no_trace(store: Store, valkey_url: str) -> None:
    async with two_chats(store) as house:
        (account,) = (await ask(house, ADA))["accounts"]
        empty = (
            "linked",
            "last_message",
            "tables",
            "matches",
            "statistics",
            "records",
            "leagues",
            "places",
            "daily_boards",
        )
        assert not any(account[name] for name in empty)
        await house.press(ADA, "forget_now.me.0")
        assert ADA.name.encode() not in everything(valkey_url)


async def test_it_has_what_an_organiser_set_for_a_place(store: Store) -> None:
    async with two_chats(store) as house:
        chat(house, "dc").organisers.add((ADA.key, CHANNEL))
        await plays(house, ADA, CAN)
        await house.type(ADA, "okey", "invitations off", place=CHANNEL)
        (account,) = (await ask_again(house, ADA))["accounts"]
        (place,) = account["places"]
        assert place["set_by_you"]["set_by"] == "Adalet"
        assert "blocked" not in place["set_by_you"]


@asynccontextmanager
async def kept_on_disk(data_dir: Path) -> AsyncIterator[tuple[House, redis.Redis]]:
    """A house on a store with an append-only file, and a way to that store past the house."""
    async with open_store(None, data_dir) as store, two_chats(store) as house:
        with redis.Redis(unix_socket_path=str(data_dir / "valkey" / "valkey.sock")) as server:
            yield house, server


def on_disk(data_dir: Path) -> bytes:
    """Everything that the store has in files."""
    return b"".join(path.read_bytes() for path in data_dir.rglob("*.aof"))


async def forgotten(house: House) -> str:
    page = page_of(await house.press(ADA, "forget_now.me.0"))
    return plain(page.text, words_for("en"))


async def test_forgetting_rewrites_the_file_and_says_so(data_dir: Path, until: Until) -> None:
    async def written() -> bool:
        return ADA.key.encode() in on_disk(data_dir)

    async with kept_on_disk(data_dir) as (house, _):
        await house.type(ADA, "play", place=CHANNEL)
        await until(written)  # a slow disk has the store write later
        assert "The database file has been rewritten, too." in await forgotten(house)
        assert ADA.key.encode() not in on_disk(data_dir)
        assert ADA.name.encode() not in on_disk(data_dir)


async def test_two_who_are_forgotten_at_once_are_both_out_of_the_file(data_dir: Path) -> None:
    async with kept_on_disk(data_dir) as (house, _):
        for person in (ADA, CAN):
            await house.type(person, "settings", place=None)
            await house.press(person, "prefer.me.0.letters.1")
        told = await asyncio.gather(*(house.app.personal_data.forget(each.key) for each in (ADA, CAN)))
        assert told == ["done", "done"]
        for person in (ADA, CAN):
            assert person.key.encode() not in on_disk(data_dir)


async def test_a_server_that_does_not_allow_it_is_told_of(data_dir: Path) -> None:
    async with kept_on_disk(data_dir) as (house, server):
        server.execute_command("ACL", "SETUSER", "default", "-bgrewriteaof")
        assert "I may not have the database file rewritten." in await forgotten(house)


async def test_a_server_without_a_file_is_told_of(store: Store) -> None:
    async with two_chats(store) as house:
        assert "The database keeps no file." in await forgotten(house)


def test_operators_have_the_same_at_a_terminal(
    data_dir: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def plays_once() -> None:
        async with kept_on_disk(data_dir) as (house, _):
            await house.type(ADA, "play", place=CHANNEL)

    asyncio.run(plays_once())
    monkeypatch.setenv("DATA_DIR", str(data_dir))
    file = data_dir / "ada.json"
    assert main(["mydata", ADA.key, "--output", str(file)]) == 0
    (account,) = json.loads(file.read_bytes())["accounts"]
    assert account["tables"][0]["seat"]["name"] == "Adalet"
    assert file.stat().st_mode & 0o777 == 0o600, "it is for one person"
    assert main(["forget", ADA.key]) == 0
    said = capfd.readouterr().out
    assert "The store's file has been written anew, without them." in said
    assert ADA.key.encode() not in on_disk(data_dir)
    assert main(["mydata", ADA.key]) == 0
    assert json.loads(capfd.readouterr().out)["accounts"][0]["tables"] == []


def test_what_is_no_key_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["forget", "Ada"])
    assert "it looks like tg:4711" in capfd.readouterr().err
