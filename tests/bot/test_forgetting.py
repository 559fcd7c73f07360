"""After `/okey forget` nothing in the store holds a person's key or name, and the others play on."""

import asyncio
import json
import zlib
from contextlib import suppress
from typing import Any

import pytest
import redis
from lz4.block import LZ4BlockError, decompress

from bot.i18n import plain, words_for
from bot.ports import Person
from bot.store import Store
from bot.tables.membership import tag
from bot.tables.table import Table
from engine.verify import shortcoming, verify
from tests.bot.house import House, offers, open_house, said
from tests.bot.rounds import play_round
from tests.bot.store.waiting import dirty
from tests.bot.two_chats import CHANNEL, GROUP, code_for, link_accounts, question, two_chats
from tests.conftest import Until

ADA = Person("dc:1155711", "Adalet", "en")
ADA_TG = Person("tg:2266822", "Adoş", "en")
CAN = Person("dc:3377933", "Canan", "en")

TRACES = [text.encode() for person in (ADA, ADA_TG) for text in (person.key, person.name)]


def everything(url: str) -> bytes:
    """Every key of the store, and all that is under it."""
    with redis.Redis.from_url(url) as server:
        keys: list[bytes] = list(server.scan_iter(count=1000))
        held = (each for key in sorted(keys) for each in (key, *_under(server, key)))
        return b"\n".join(map(_inflated, held))


def _inflated(value: bytes) -> bytes:
    """What is compressed, as it was before; in a book four bytes stand before it, in a state five."""
    for packed in (value, value[4:]):
        with suppress(zlib.error):
            return zlib.decompress(packed)
    with suppress(ValueError, LZ4BlockError):
        return bytes(decompress(value[5:]))
    return value


def _under(server: Any, key: bytes) -> list[bytes]:
    match server.type(key):
        case b"string":
            return [server.get(key) or b""]
        case b"hash":
            return [each for pair in sorted(server.hgetall(key).items()) for each in pair]
        case b"list":
            return list(server.lrange(key, 0, -1))
        case b"set":
            return sorted(server.smembers(key))
        case b"zset":
            return list(server.zrange(key, 0, -1))
        case b"none":  # it has expired since the keys were listed
            return []
        case kind:
            raise AssertionError(f"{key!r} is of a kind that nobody looked into: {kind!r}")


def traces(url: str) -> list[bytes]:
    held = everything(url)
    return [trace for trace in TRACES if trace in held]


async def table_at(house: House, place: str = CHANNEL) -> Table:
    screen = await house.look(place=place)
    stored = await house.app.tables.load(screen.table)
    assert stored is not None
    return stored.value


async def forget(house: House, person: Person = ADA) -> None:
    page = (await house.press(person, "forget_now.me.0")).page
    assert page is not None
    assert str(page.text[0]).startswith("Done: everything about you is deleted.")


async def test_it_asks_first(store: Store, valkey_url: str) -> None:
    async with two_chats(store) as house:
        await house.type(ADA, "play", place=CHANNEL)
        before = everything(valkey_url)
        page = (await house.type(ADA, "okey", "forget yes", place=None)).page
        assert page is not None
        ((now, keep),) = page.buttons
        assert (now.press, now.style) == ("forget_now.me.0", "danger")
        await house.press(ADA, keep.press)
        assert everything(valkey_url) == before


async def test_in_a_lobby_they_get_up_and_the_next_is_host(store: Store, valkey_url: str) -> None:
    async with two_chats(store) as house:
        await house.type(ADA, "play", place=CHANNEL)
        table = await table_at(house)
        await house.press(CAN, f"join.{table.id}.0", private=False, place=CHANNEL)
        assert traces(valkey_url)
        await forget(house)
        assert traces(valkey_url) == []
        assert not (await house.press(CAN, f"start.{table.id}.0", private=False, place=CHANNEL)).code


async def test_a_lobby_of_theirs_alone_is_closed(store: Store, valkey_url: str) -> None:
    async with two_chats(store) as house:
        await house.type(ADA, "play", place=CHANNEL)
        await forget(house)
        assert traces(valkey_url) == []
        assert (await table_at(house)).stage == "closed"


@pytest.mark.parametrize("host_first", [True, False])
async def test_in_a_match_a_computer_player_has_their_seat_for_good(
    store: Store,
    valkey_url: str,
    until: Until,
    host_first: bool,
) -> None:
    """Whoever's turn it is: the match goes on without them, and nobody has to wait for their clock."""
    async with two_chats(store, work=True) as house:
        opener, guest = (ADA, CAN) if host_first else (CAN, ADA)
        # Nothing is scored before the end: the computer player may play at once.
        await house.type(opener, "play", "2 show=off", place=CHANNEL)
        table = await table_at(house)
        await house.press(guest, f"join.{table.id}.0", private=False, place=CHANNEL)
        await house.press(opener, f"start.{table.id}.0", private=False, place=CHANNEL)

        async def racks_are_shown() -> bool:
            return {ADA.key, CAN.key} <= set(await store.notes.load(table.id))

        await until(racks_are_shown)
        scores = (await table_at(house)).match.scores
        await forget(house)
        assert traces(valkey_url) == []
        now = await table_at(house)
        assert now.people() == (CAN.key,)
        assert now.host == CAN.key
        assert now.match.scores == scores
        his = next(seat for seat in now.seats if seat.person is None)
        assert his.name == "Nasreddin"
        assert his.computer is not None
        assert (await house.press(ADA, f"back_in.{table.id}.0")).code == "not_seated"

        async def it_is_her_turn() -> bool:
            return bool(offers(await house.rack(CAN, table.id), "draw", "ask_finish"))

        await until(it_is_her_turn)


async def test_a_message_under_way_meanwhile_leaves_no_note(
    store: Store, valkey_url: str, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_chats(store, work=True) as house:
        await house.type(ADA, "play", "2", place=CHANNEL)
        table = await table_at(house)
        await house.press(CAN, f"join.{table.id}.0", private=False, place=CHANNEL)
        chat, sending, sent = house.app.chats["dc"], asyncio.Event(), asyncio.Event()
        show_rack = chat.show_rack

        async def slow(person: str, *arguments: Any, **named: Any) -> str:
            if person == ADA.key:
                sending.set()
                await sent.wait()
            return await show_rack(person, *arguments, **named)

        monkeypatch.setattr(chat, "show_rack", slow)
        await house.press(ADA, f"start.{table.id}.0", private=False, place=CHANNEL)
        await asyncio.wait_for(sending.wait(), 10)
        late = await house.rack(ADA, table.id)
        await forget(house)
        sent.set()
        await house.app.delivery.note_shown(ADA.key, late, "a late answer")

        async def told() -> bool:
            return await dirty(store) == []

        await until(told)
        assert CAN.key in await store.notes.load(table.id)
        assert traces(valkey_url) == []


async def test_a_result_stays_without_their_name(store: Store, valkey_url: str, until: Until) -> None:
    async with two_chats(store, work=True) as house:
        await house.type(ADA, "play", "2 start_points=2", place=CHANNEL)
        table = await table_at(house)
        await house.press(CAN, f"join.{table.id}.0", private=False, place=CHANNEL)
        await house.press(ADA, f"start.{table.id}.0", private=False, place=CHANNEL)
        for person in (ADA, CAN):
            await house.press(person, f"step_out.{table.id}.0")

        async def over() -> bool:
            return (await table_at(house)).stage == "over"

        async def told() -> bool:
            return await dirty(store) == []

        await until(over)
        await until(told)
        before = await table_at(house)
        await forget(house)
        assert traces(valkey_url) == []
        after = await table_at(house)
        assert after.match == before.match
        assert [seat.name for seat in after.seats] == ["?", "Canan"]
        shown = await house.look(place=CHANNEL)
        assert "Canan" in plain(shown.text, words_for("en"))


@pytest.mark.parametrize("over", [False, True])
async def test_the_deals_can_still_be_checked_and_their_words_are_gone(
    store: Store, valkey_url: str, over: bool
) -> None:
    """The marks stay, and nothing with which a name could be guessed."""
    async with two_chats(store) as house:
        await house.type(ADA, "play", "2 turkish-rummy rounds=2", place=CHANNEL)
        table = await table_at(house)
        await house.press(CAN, f"join.{table.id}.0", private=False, place=CHANNEL)
        await house.type(ADA, "word", "leylak", place=CHANNEL)
        await house.press(ADA, f"start.{table.id}.0", private=False, place=CHANNEL)
        await play_round(house, table.id)
        before = verify(await record_of(house, CAN, table))
        closed = {each["name"]: each["word"] for each in before["closed"][0]}
        assert closed == {"Adalet": "leylak", "Canan": ""}
        assert b"leylak" in everything(valkey_url)
        salts = [each.word.salt for seat in (await table_at(house)).seats for each in seat.closed]
        if over:
            shown = await house.look(place=CHANNEL)
            (following,) = offers(shown, "next")
            await house.press(CAN, following.press, private=False, place=CHANNEL)
            await play_round(house, table.id)
        await forget(house)
        held = everything(valkey_url)
        assert traces(valkey_url) == []
        assert b"leylak" not in held
        assert sum(salt in held for salt in salts) == 1, "only the other player's is left"
        after = verify(await record_of(house, CAN, table))
        assert shortcoming(after) is None
        assert after["contexts"][0] == before["contexts"][0]
        assert sorted(each["name"] if each else "?" for each in after["closed"][0]) == ["?", "Canan"]


async def record_of(house: House, person: Person, table: Table) -> dict[str, Any]:
    """The record of a table, as a person gets it."""
    page = (await house.type(person, "record", table.number_in(CHANNEL), place=CHANNEL)).page
    assert page is not None
    assert page.file is not None
    record: dict[str, Any] = json.loads(page.file.content)
    return record


async def test_a_match_that_went_on_without_them_keeps_no_key_of_whom_its_host_removed(
    store: Store, valkey_url: str, until: Until
) -> None:
    async with two_chats(store, work=True) as house:
        await house.type(CAN, "play", "2 start_points=2", place=CHANNEL)
        table = await table_at(house)
        await house.press(ADA, f"join.{table.id}.0", private=False, place=CHANNEL)
        await house.press(CAN, f"start.{table.id}.0", private=False, place=CHANNEL)
        await house.press(CAN, f"remove_now.{table.id}.0.{tag(ADA.key)}")
        await house.press(CAN, f"step_out.{table.id}.0")

        async def kept() -> bool:
            return await store.history.load_archived(table.id) is not None

        async def told() -> bool:
            return await dirty(store) == []

        await until(kept)
        await until(told)
        await forget(house)
        assert traces(valkey_url) == []


async def test_the_rack_of_a_match_that_goes_on_is_deleted_from_their_chat(
    store: Store, valkey_url: str, until: Until
) -> None:
    async with open_house(store) as house:
        ada, can = Person("mem:1155711", "Adalet", "en"), house.person("Can")
        table = await house.open(ada, can, words="2 clock=5m")
        await house.press(ada, f"start.{table}.0", private=False)

        async def rack() -> bool:
            return ada.key in await store.notes.load(table)

        await until(rack)
        message = (await store.notes.load(table))[ada.key].text
        await forget(house, ada)
        assert message in house.chat.disarmed
        assert b"mem:1155711" not in everything(valkey_url)


async def test_links_codes_and_pending_links_go_too(store: Store, valkey_url: str) -> None:
    async with two_chats(store) as house:
        await link_accounts(house, ADA, ADA_TG)
        await house.type(ADA, "start", place=None)
        await house.type(ADA, "play", place=CHANNEL)
        await house.press(ADA, f"start.{(await table_at(house)).id}.0", private=False, place=CHANNEL)
        await house.type(ADA_TG, "play", place=GROUP)
        await code_for(house, CAN)
        assert len(traces(valkey_url)) == len(TRACES)
        await forget(house, ADA_TG)
        assert traces(valkey_url) == []
        assert (await house.type(ADA, "unlink", place=None)).code == "not_linked"


@pytest.mark.parametrize("who", [ADA, ADA_TG])
async def test_a_link_that_waits_for_an_answer_is_forgotten_on_both_sides(
    store: Store, valkey_url: str, who: Person
) -> None:
    async with two_chats(store) as house:
        (yes,) = offers(await question(house, ADA_TG, await code_for(house, ADA)), "link_yes")
        await house.press(ADA_TG, yes.press)
        await forget(house, who)
        with redis.Redis.from_url(valkey_url) as client:
            assert [each for each in client.keys("token:*") if not client.hexists(each, "by")] == []


async def test_an_unused_code_of_theirs_is_void(store: Store, valkey_url: str) -> None:
    async with two_chats(store) as house:
        code = await code_for(house, ADA)
        await forget(house)
        assert traces(valkey_url) == []
        assert (await house.type(ADA_TG, "link", code, place=None)).code == "wrong_code"


async def test_an_unused_way_into_their_private_chat_is_void(store: Store, valkey_url: str) -> None:
    async with open_house(store, work=False) as house:
        house.chat.private_everywhere = False
        ada = Person("mem:1155711", "Adalet", "en")
        opened = await house.type(ada, "play")
        assert opened.open_private
        await house.press(ada, "forget_now.me.0")
        assert b"mem:1155711" not in everything(valkey_url)
        assert (await house.type(ada, "start", opened.open_private, place=None)).code == "expired_link"


async def test_what_they_set_for_a_place_stays_but_not_who_set_it(store: Store, valkey_url: str) -> None:
    async with two_chats(store) as house:
        for person, place in ((ADA, CHANNEL), (ADA, "dc:8"), (CAN, "dc:8"), (ADA_TG, GROUP)):
            await house.organise(person, "invitations", "off", place=place)
        await house.app.delivery.note_move(GROUP, "tg:-1009")
        await forget(house)
        await forget(house, ADA_TG)
        assert traces(valkey_url) == []
        assert "not shared" in said(await house.type(CAN, "invitations", place="tg:-1009"))
        told = said(await house.type(CAN, "invitations", place=CHANNEL))
        assert "not shared" in told
        assert "Canan" in said(await house.type(CAN, "invitations", place="dc:8"))


async def test_a_forgotten_person_may_come_again_as_a_stranger(store: Store) -> None:
    async with two_chats(store) as house:
        await house.type(ADA, "play", place=CHANNEL)
        await forget(house)
        await forget(house)
        await house.type(ADA, "play", place=CHANNEL)
        assert (await table_at(house)).people() == (ADA.key,)
