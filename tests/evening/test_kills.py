"""Bot and store are killed at random moments of a match: it goes on where it was, nothing counts twice."""

import asyncio
import random
import re
import signal
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from bot.tables.racks import flat
from engine.shuffle import BoundSeed, seed_from_text
from engine.view import seat_view
from tests.evening.bookkeeping import Entry
from tests.evening.publicity import replayed
from tests.evening.running_bot import AS_SHIPPED
from tests.evening.scene import Evening, an_evening
from tests.evening.telegram_people import Player, buttons_of, start
from tests.patience import PATIENCE
from tests.servers.beacon import CHAIN, BeaconServer, running_beacon, signature
from tests.servers.telegram_api.client import Impossible, Shown, eventually

KILLS = ("bot", "store", "both", "bot", "store", "both")
DOWN_SECONDS = 3.5
HOLDER_UNKNOWN = 2.0
"""Seconds. Only a longer absence counts as one (see `look.lua`)."""

_ROUND = re.compile(r"round (\d+)")


async def test_a_match_survives_kills_at_random_moments(telegram_url: str, tmp_path: Path) -> None:
    async with (
        running_beacon() as beacon,
        an_evening(telegram_url, tmp_path, OKEY_BEACON_URL=beacon.url, **AS_SHIPPED) as evening,
    ):
        beacon.faults = ["slow"]
        lobby = await evening.opened("")
        await evening.can.press(lobby, buttons_of(lobby)["join"][0])
        await start(evening.ada, lobby)
        await eventually(lambda: _asked(beacon), PATIENCE, "the beacon was not asked")
        await _kill(evening, "bot")  # while the deal waits
        players = [Player(person, evening.group) for person in (evening.ada, evening.can)]
        moments = random.Random(106)
        for kill in KILLS:
            await _some_play(players)
            await evening.books.until_noted(f"tg:{evening.group.id}")
            before, messages = await evening.entry(), await _messages(evening)
            await _press_without_waiting(players)
            await asyncio.sleep(moments.uniform(0.0, 0.1))
            await _kill(evening, kill)
            await _back(evening)
            _holds(before, await evening.entry())
            now = await _messages(evening)
            assert {number: now[number] for number in messages} == messages
        assert len(await evening.books.read_all(f"tg:{evening.group.id}")) == 1
        closed, begun = before.log[:2]
        number = beacon.asked[0]
        assert closed["context"]["beacon"] == {"chain": CHAIN, "round": number}, "named before the kill"
        dealt = seed_from_text(begun["seed"])
        assert isinstance(dealt, BoundSeed)
        assert dealt.signature.hex() == signature(number)


async def test_clocks_stand_still_while_nothing_runs_and_old_buttons_work(
    telegram_url: str, tmp_path: Path
) -> None:
    async with an_evening(telegram_url, tmp_path) as evening:
        await evening.begun()
        person = await evening.on_turn()
        rack = await evening.rack(person)
        discards = buttons_of(rack)["discard"]
        await evening.bot.kill()
        stopped = time.monotonic()
        before = await evening.entry()
        await asyncio.sleep(DOWN_SECONDS)
        await evening.bot.start()
        await _back(evening)
        lived = time.monotonic() - stopped - DOWN_SECONDS
        after = await evening.entry()
        assert before.seconds is not None
        assert after.seconds is not None
        assert after.seconds > before.seconds - lived - HOLDER_UNKNOWN
        assert not (await person.press(rack, discards[0])).text
        assert "expired" in (await person.press_old(rack, discards[1])).text
        assert (await evening.entry()).turns == before.turns + 1


async def test_pictures_that_telegram_has_are_not_sent_again_after_a_kill(
    telegram_url: str, tmp_path: Path
) -> None:
    async with an_evening(telegram_url, tmp_path) as evening:
        await evening.begun()
        people = (evening.ada, evening.can)
        for person in people:
            await evening.rack(person)
        await evening.books.until_noted(f"tg:{evening.group.id}")
        await evening.bot.kill()
        await evening.bot.start()
        table = await _table(evening)
        for person in people:  # the new process knows of no message what it shows
            await person.press_old(table, buttons_of(table)["rack"][0])
        assert await evening.control.ask("identical_uploads") == []


async def _asked(beacon: BeaconServer) -> bool | None:
    return bool(beacon.asked) or None


async def _some_play(players: list[Player]) -> None:
    """Let people press a few times."""
    wanted = sum(player.presses for player in players) + 2
    async with asyncio.timeout(PATIENCE):
        while sum(player.presses for player in players) < wanted:
            for player in players:
                await player.play()
            await asyncio.sleep(0.02)


async def _press_without_waiting(players: list[Player]) -> None:
    """Press once for everybody who can act, without waiting for the answers."""
    for player in players:
        racks = [message for message in await player.person.read() if message.from_bot and message.buttons]
        offers = buttons_of(racks[-1])
        for verb in ("draw", "discard"):
            if verb in offers:
                with suppress(Impossible):  # it has disappeared meanwhile
                    await player.person.press_only(racks[-1], offers[verb][-1])
                return


async def _kill(evening: Evening, what: str) -> None:
    if what in ("store", "both"):
        evening.books.signal_server(signal.SIGKILL)
    if what in ("bot", "both"):
        await evening.bot.kill()
        await evening.bot.start()


async def _back(evening: Evening) -> None:
    """Wait until the program answers again: an onlooker asks for a rack."""
    table = await _table(evening)
    said = await evening.eve.press_old(table, buttons_of(table)["rack"][0])
    assert "at this table" in said.text


def _holds(before: Entry, after: Entry) -> None:
    """Check that nothing is lost, nothing counts twice, and nobody's rack has another order."""
    assert after.log[: len(before.log)] == before.log
    table, rules = after.table, after.table.match.rules
    assert list(replayed(after.log, rules))[-1] == table.match
    news = Counter(entry.get("seat") for entry in after.log[len(before.log) :])
    same_round = table.match.round_number == before.table.match.round_number
    for number, seat in enumerate(table.seats):
        assert sorted(flat(seat.shelves)) == sorted(seat_view(table.match, number).rack)
        if seat.person is not None:
            assert news[number] <= 1
            if not news[number] and same_round:
                assert seat.shelves == before.table.seats[number].shelves


async def _messages(evening: Evening) -> Counter[str]:
    """The number of the group's messages about each round."""
    shown = [message for message in await evening.eve.read(evening.group) if message.from_bot]
    return Counter(found[1] for message in shown if (found := _ROUND.search(message.words)))


async def _table(evening: Evening) -> Shown:
    return await evening.eve.sees(lambda message: "rack" in buttons_of(message), evening.group)
