"""Deals with a public beacon: words close, a round is named, and what that brings enters the deal, once."""

import asyncio
import hashlib
import json
import struct
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.i18n import plain, words_for
from bot.main import main
from bot.ports import Person
from bot.repository.tables import CODEC
from bot.store import Store
from bot.tables import membership, turns
from bot.tables.play import Delays
from bot.tables.table import Change, NamedRound, Table
from bot.worker.beacon import BeaconClient, NoBeacon, beacon_session, open_beacon
from bot.worker.signatures import PUBLIC_KEYS, is_signed
from engine.match import new_match
from engine.replay import make_record
from engine.rules import rules_from
from engine.shuffle import Beacon, BoundSeed, seed_from_text
from engine.verify import verify
from tests.bot.house import House, offers, open_house, page_of, said
from tests.bot.league.leagues import MovedClock, league_house, weekly
from tests.bot.rounds import play_round
from tests.conftest import Until
from tests.engine.many_records import bind
from tests.servers.beacon import CHAIN, BeaconServer, running_beacon, signature

QUICKNET = {"period": 3, "genesis_time": 1692803367}


BEGUN = "The match has already begun. /okey opens another table."


@pytest.fixture
async def beacon() -> AsyncIterator[BeaconServer]:
    async with running_beacon() as running:
        yield running


@asynccontextmanager
async def asking(
    beacon: BeaconServer, patience: float = 20.0, *, ahead: float = 0.05
) -> AsyncIterator[BeaconClient]:
    """A client that knows when the beacon's rounds come."""
    async with beacon_session() as web:
        client = BeaconClient(beacon.url, web, patience=patience, ahead=ahead)
        await client.learn()
        yield client
        await client.close()


def round_of(beacon: BeaconServer, number: int) -> NamedRound:
    at = float(beacon.genesis + number - 1)
    return NamedRound(CHAIN, number, at, at)


# The client


async def test_the_round_that_is_named_is_the_first_that_comes_a_second_later(beacon: BeaconServer) -> None:
    beacon.info = QUICKNET
    async with asking(beacon, ahead=1.0) as client:
        start = 1692803367
        assert client.name_round(start + 10) == NamedRound(CHAIN, 5, start + 10, start + 12)
        assert client.name_round(start + 11) == NamedRound(CHAIN, 5, start + 11, start + 12)
        assert client.name_round(start + 11.25) == NamedRound(CHAIN, 6, start + 11.25, start + 15)
        assert client.name_round(start - 100).number == 1


@pytest.mark.parametrize(
    "info",
    [{"hash": "ab" * 32}, {"period": 0}, {"period": "3"}, {"genesis_time": -1}, {"hash": "x" * 9000}],
    ids=str,
)
async def test_times_that_cannot_be_right_are_not_learned(beacon: BeaconServer, info: dict[str, Any]) -> None:
    beacon.info = info
    async with beacon_session() as web:
        client = BeaconClient(beacon.url, web)
        with pytest.raises(NoBeacon):
            await client.learn()
        assert client.name_round(1000.0) == NamedRound(CHAIN, 0, 1000.0, 1000.0), "none can be named"
        assert await client.brought(client.name_round(1000.0)) == Beacon(CHAIN, 0, b"")


async def test_a_beacon_that_is_away_at_first_is_learned_later(beacon: BeaconServer, until: Until) -> None:
    beacon.info = {"hash": "ab" * 32}
    async with open_beacon(None) as none, open_beacon(beacon.url, pause=0.02) as client:
        assert none is None
        assert client is not None
        assert client.name_round(time.time()).number == 0
        beacon.info = {}

        async def known() -> bool:
            return client.name_round(time.time()).number > 1000

        await until(known)


async def test_all_who_wait_for_a_round_ask_once(beacon: BeaconServer) -> None:
    async with asking(beacon) as client:
        found = await asyncio.gather(*(client.brought(round_of(beacon, 7)) for _ in range(20)))
    assert set(found) == {Beacon(CHAIN, 7, bytes.fromhex(signature(7)))}
    assert beacon.asked == [7]


FAULTS = ("slow", "500", "early", "garbage", "large", "away", "other", "unsigned", "elsewhere")


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_wrong_answer_is_none(beacon: BeaconServer, fault: str) -> None:
    beacon.faults = [f"{fault}*"]
    async with asking(beacon, patience=0.2) as client:
        assert await client.brought(round_of(beacon, 7)) == Beacon(CHAIN, 7, b"")


async def test_the_beacon_is_asked_again_until_it_answers(beacon: BeaconServer) -> None:
    beacon.faults = ["early", "garbage"]
    async with asking(beacon) as client:
        brought = await client.brought(round_of(beacon, 7))
    assert brought.signature.hex() == signature(7)
    assert beacon.asked == [7, 7, 7]


# Its signature

QUICKNET_CHAIN = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
ROUND, SIGNED = (
    657413,
    bytes.fromhex(
        "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
    ),
)
"""A round of quicknet as drand published it."""
can_check = pytest.mark.skipif(
    find_spec("pyblst") is None, reason="there is no wheel of pyblst for this platform"
)
FORGED = {
    "of another round": (ROUND + 1, SIGNED),
    "no point": (ROUND, hashlib.sha384(SIGNED).digest()),
    "no point of the group": (ROUND, b"\x80" + bytes(46) + b"\x04"),
    "zero": (ROUND, b"\xc0" + bytes(47)),
    "short": (ROUND, SIGNED[:-1]),
    "no round": (1 << 64, SIGNED),
}


@can_check
def test_a_published_signature_is_the_chains_own() -> None:
    assert is_signed(QUICKNET_CHAIN, ROUND, SIGNED)
    assert is_signed(CHAIN, ROUND, SIGNED) is None, "nobody knows that chain's key"


@can_check
@pytest.mark.parametrize(("number", "given"), FORGED.values(), ids=FORGED)
def test_a_forged_signature_is_not(number: int, given: bytes) -> None:
    assert is_signed(QUICKNET_CHAIN, number, given) is False


def test_the_known_key_is_the_one_that_the_chains_hash_names() -> None:
    """drand: a chain's hash is that of its period, genesis, key, group and name."""
    group = bytes.fromhex("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e")
    times = struct.pack(">Iq", QUICKNET["period"], QUICKNET["genesis_time"])
    key = bytes.fromhex(PUBLIC_KEYS[QUICKNET_CHAIN])
    told = times + key + group + b"quicknet"
    assert hashlib.sha256(told).hexdigest() == QUICKNET_CHAIN


@can_check
@pytest.mark.parametrize(("number", "counts"), [(ROUND, True), (ROUND + 1, False)])
async def test_only_a_round_that_the_chain_signed_counts(number: int, counts: bool) -> None:
    async def tell(request: web.Request) -> web.Response:
        told = {"round": number, "randomness": hashlib.sha256(SIGNED).hexdigest(), "signature": SIGNED.hex()}
        return web.json_response(told)

    app = web.Application()
    app.router.add_get(f"/{QUICKNET_CHAIN}/public/{number}", tell)
    async with TestServer(app) as server, beacon_session() as session:
        client = BeaconClient(str(server.make_url(f"/{QUICKNET_CHAIN}")), session, patience=0.2)
        brought = await client.brought(NamedRound(QUICKNET_CHAIN, number, 0.0, 0.0))
    assert brought.signature == (SIGNED if counts else b"")


@can_check
@pytest.mark.parametrize(
    ("chain", "number", "signed", "status"),
    [(QUICKNET_CHAIN, ROUND, True, 0), (QUICKNET_CHAIN, ROUND + 1, False, 1), (CHAIN, ROUND, None, 0)],
)
def test_okey_verify_checks_the_signature(
    chain: str,
    number: int,
    signed: bool | None,
    status: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    match, names = new_match(rules_from({"preset": "okey"})), ["Ada", "Can", "Ece", "Ali"]
    said = [(name, "") for name in names]
    record = make_record(
        match.rules, names, [bind(match, bytes(64), said, [], Beacon(chain, number, SIGNED))]
    )
    (tmp_path / "record.json").write_text(json.dumps(record))
    assert main(["verify", str(tmp_path / "record.json"), "--json"]) == status
    (told,) = json.loads(capsys.readouterr().out)["beacons"]
    assert told["signed"] is signed


# At tables


async def table_of(store: Store, table: str) -> Table:
    stored = await store.documents.load(table)
    assert stored is not None
    return CODEC.decode(stored.state)


async def dealt(store: Store, until: Until, table: str) -> Table:
    async def playing() -> bool:
        return (await table_of(store, table)).stage == "playing"

    await until(playing)
    return await table_of(store, table)


async def started(house: House, *names: str, words: str = "") -> str:
    """People have sat down, the first one has started, and the words are closed."""
    people = [house.person(name) for name in names]
    table = await house.open(*people, words=words)
    await house.type(people[0], "word", "elma")
    await house.press(people[0], f"start.{table}.0", private=False)
    return table


def said_at(table: Table, deal: int) -> list[str]:
    """The closed words for a deal, by seat."""
    return [each.word for each in table.list_closed_words(deal).values()]


def signature_in(begun: dict[str, Any]) -> bytes:
    """The beacon's signature in the log's line of a deal."""
    seed = seed_from_text(begun["seed"])
    assert isinstance(seed, BoundSeed)
    return seed.signature


async def page(house: House, table: str) -> str:
    answer = await house.press(house.person("Onlooker"), f"fair.{table}.0", private=False)
    assert answer.page is not None
    return plain(answer.page.text, words_for("en"))


async def brought(house: House, table: str) -> NamedRound:
    """What a table waits for has come, and the round is dealt."""
    waiting = await table_of(house.store, table)
    assert waiting.proof.awaited is not None
    await house.app.worker.deal(waiting.id, waiting.proof.awaited)
    assert (await table_of(house.store, table)).stage == "playing"
    return waiting.proof.awaited


async def proof(house: House, person: Person) -> object:
    """What the record of a match proves of its only round's beacon."""
    shown = (await house.type(person, "record")).page
    assert shown is not None
    assert shown.file is not None
    (told,) = verify(json.loads(shown.file.content))["beacons"]
    return told


async def log(store: Store, table: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in await store.documents.log(table)]


async def test_a_lobby_whose_first_deal_waits_holds_up_no_other_table(
    store: Store, beacon: BeaconServer
) -> None:
    """It has begun for everybody: it takes nobody in, and its host and its place can open another table."""
    async with asking(beacon) as client, open_house(store, work=False, beacon=client) as house:
        ada, can = house.person("Ada"), house.person("Can")
        first = await started(house, "Ada")
        assert not offers(page_of(await house.type(can, "help")), "join")
        brought = page_of(await house.type(can, "okey"))
        assert not offers(brought, "join")
        (another,) = offers(brought, "another")
        opened = await house.press(can, another.press, private=False)
        assert "The table is open" in said(opened)
        assert not (await house.type(ada, "okey", place="mem:yard")).code
        ece = house.person("Ece")
        assert not (await house.type(ece, "join")).code
        assert (await table_of(store, first)).seat_of(ece.key) is None


async def test_the_words_close_and_the_round_is_named_before_the_deal(
    store: Store, beacon: BeaconServer, until: Until
) -> None:
    async with asking(beacon) as client, open_house(store, work=False, beacon=client) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await started(house, "Ada", "Can")
        waiting = await table_of(store, table)
        named = waiting.proof.awaited
        assert named is not None
        assert (waiting.stage, waiting.match.round, said_at(waiting, 1)) == (
            "lobby",
            None,
            ["elma", "", "", ""],
        )
        assert beacon.genesis + named.number - 1 > named.named_at, "nobody can know it yet"
        shown = await house.look()
        text = plain(shown.text, words_for("en"))
        assert (
            "No more words: Ada: elma · Can: (no word) · Nasreddin: (no word) · Keloğlan: (no word)"
            f" · fingerprint {waiting.proof.context.hex()[:16]}\n"
            f"⏳ The deal waits for number {named.number} of the beacon {CHAIN[:16]}"
        ) in text
        assert not offers(shown, "start", "join", "leave", "rules", "cancel")
        assert said(await house.press(ada, f"start.{table}.0", private=False)) == BEGUN
        assert said(await house.press(can, f"leave.{table}.0", private=False)) == BEGUN
        await house.type(can, "word", "late")
        assert said_at(await table_of(store, table), 1) == ["elma", "", "", ""], "it is for the round after"

        assert await brought(house, table) == named
        playing = await table_of(store, table)
        assert playing.proof.awaited is None
        assert [seat.word for seat in playing.seats] == ["", "late", "", ""]
        closed, begun = await log(store, table)
        assert closed["context"]["beacon"] == {"chain": CHAIN, "round": named.number}
        assert signature_in(begun) == bytes.fromhex(signature(named.number))
        assert signature(named.number) in await page(house, table)


async def test_every_round_waits_for_its_own_and_the_record_proves_it(
    store: Store, beacon: BeaconServer
) -> None:
    async with asking(beacon) as client, open_house(store, work=False, beacon=client) as house:
        ada = house.person("Ada")
        table = await started(house, "Ada", words="quick 2")
        first = await brought(house, table)
        await play_round(house, table)
        over, named = await table_of(store, table), round_of(beacon, 5000)
        by_clock = turns.due(over, Delays(computer=0.0, next_round=1.0), bytes, 0.0, named)
        assert by_clock is not None
        assert (by_clock.table.proof.awaited, by_clock.table.stage) == (named, "between")
        (going_on,) = offers(await house.look(), "next")
        await house.press(ada, going_on.press, private=False)
        await house.press(ada, going_on.press, private=False)
        waiting = await table_of(store, table)
        assert waiting.proof.awaited is not None
        assert waiting.match.round_number == 1
        shown = await house.look()
        assert f"number {waiting.proof.awaited.number} of the beacon" in plain(shown.text, words_for("en"))
        assert not offers(shown, "next")
        # The page tells of the round that is over, besides.
        assert f"number {first.number} of chain {CHAIN}" in await page(house, table)

        assert (await brought(house, table)).number > first.number
        signed = signature(first.number)
        assert await proof(house, ada) == {
            "chain": CHAIN,
            "round": first.number,
            "signature": signed,
            "randomness": hashlib.sha256(bytes.fromhex(signed)).hexdigest(),
        }


async def test_without_an_answer_the_deal_goes_on_and_says_so(
    store: Store, beacon: BeaconServer, until: Until
) -> None:
    beacon.faults = ["500*"]
    async with asking(beacon, patience=0.1) as client, open_house(store, beacon=client) as house:
        table = await started(house, "Ada", words="quick 2")
        playing = await dealt(store, until, table)
        assert playing.proof.beacon is not None
        assert playing.proof.beacon.signature == b""
        assert "didn’t answer in time, so it had no part in this deal" in await page(house, table)
        await play_round(house, table)
        told = {"chain": CHAIN, "round": playing.proof.beacon.round, "signature": None, "randomness": None}
        assert await proof(house, house.person("Ada")) == told


async def test_a_process_that_is_killed_while_it_waits_loses_nothing(
    store: Store, beacon: BeaconServer, until: Until
) -> None:
    beacon.faults = ["slow"]
    async with asking(beacon) as client, open_house(store, beacon=client) as house:
        table = await started(house, "Ada", "Can")
        named = (await table_of(store, table)).proof.awaited
        assert named is not None

        async def asked() -> bool:
            return bool(beacon.asked)

        await until(asked)
    assert (await table_of(store, table)).proof.awaited == named
    async with asking(beacon) as client, open_house(store, beacon=client):
        playing = await dealt(store, until, table)
    assert playing.proof.beacon == Beacon(CHAIN, named.number, bytes.fromhex(signature(named.number)))
    assert said_at(playing, 1) == ["elma", "", "", ""]


async def test_two_processes_deal_once(store: Store, beacon: BeaconServer) -> None:
    """One hears the beacon, the other does not: what is dealt is one of the two, and once."""
    async with (
        asking(beacon) as hears,
        asking(beacon, patience=0.0) as does_not,
        open_house(store, work=False, beacon=hears) as one,
        open_house(store, work=False, beacon=does_not) as other,
    ):
        table = await started(one, "Ada", "Can")
        waiting = await table_of(store, table)
        assert waiting.proof.awaited is not None
        deals = [
            each.app.worker.deal(waiting.id, waiting.proof.awaited) for each in (one, other) for _ in range(3)
        ]
        await asyncio.gather(*deals)
        _, begun = await log(store, table)
        dealt_with = (await table_of(store, table)).proof.beacon
        assert dealt_with is not None
        assert signature_in(begun) == dealt_with.signature


async def test_no_beacon_any_more(store: Store, beacon: BeaconServer, until: Until) -> None:
    """The operator took it out while a deal waited for it."""
    async with asking(beacon) as client, open_house(store, work=False, beacon=client) as house:
        table = await started(house, "Ada", "Can")
    async with open_house(store):
        playing = await dealt(store, until, table)
    assert playing.proof.beacon is not None
    assert playing.proof.beacon.signature == b""


async def test_who_is_forgotten_while_the_deal_waits_is_replaced(store: Store, beacon: BeaconServer) -> None:
    async with asking(beacon) as client, open_house(store, work=False, beacon=client) as house:
        table = await started(house, "Ada", "Can")

        def forget(stored: Any) -> Change | None:
            return membership.forget_person(stored.value, "mem:can", Delays(computer=0.0, next_round=1.0))

        await house.app.tables.change((await table_of(store, table)).id, None, forget)
        await brought(house, table)
        playing = await table_of(store, table)
        assert [seat.person for seat in playing.seats] == ["mem:ada", None, None, None]


async def test_a_league_nights_tables_wait_too(store: Store, beacon: BeaconServer, until: Until) -> None:
    async with (
        asking(beacon) as client,
        league_house(store, until, weekly(), MovedClock(), beacon=client) as evening,
    ):
        await evening.comes("announced")
        members = await evening.signs_up("Ada", "Bea", "Cem", "Deniz")
        await evening.at(-20 * 60, "check_in")
        await evening.checks_in(*members)
        await evening.at(-3 * 60, "ready")
        await evening.at(0, "playing")
        (table,) = await evening.tables()
        playing = await dealt(store, until, table)
        assert playing.proof.beacon is not None
        assert playing.proof.beacon.signature.hex() == signature(playing.proof.beacon.round)
