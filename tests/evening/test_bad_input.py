"""Impossible presses and commands: people are told why, and nothing changes.

Through the program and the real library, in a Telegram group.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.callback_data import callback_text
from bot.tables.table import Table
from engine.arrange import finishing_discards
from engine.melds import MeldRules
from engine.tiles import FACES, Tile
from engine.view import public_view, seat_view
from tests.evening.scene import Evening, an_evening, gathered
from tests.evening.telegram_people import buttons_of, start
from tests.servers.telegram_api.client import Said, Shown

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def first(telegram_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Evening]:
    """The program of all tests here."""
    folder = tmp_path_factory.mktemp("evening")
    async with an_evening(telegram_url, folder, OKEY_COMPUTER_SECONDS="0.01") as evening:
        yield evening


@pytest_asyncio.fixture(loop_scope="module")
async def evening(first: Evening) -> Evening:
    """A test's own people and group."""
    return await gathered(first.control, first.bot, first.books)


def refused(said: Said, words: str) -> None:
    """Check that the reason is shown as an alert."""
    assert said.alert
    assert words in said.text


async def test_an_unknown_table_command_or_option_is_a_sentence(evening: Evening) -> None:
    ada, can = evening.ada, evening.can
    await evening.is_refused(ada, "no game called “chess”", "/okey chess")
    await evening.is_refused(ada, "Players must be a number from 2 to 4", "/okey players=9")
    await evening.is_refused(ada, "can’t have that value: colour", "/okey colour=blue")
    await evening.is_refused(ada, "Partners", "/okey 3 teams=true")
    await evening.is_refused(can, "I can’t find that table", "/katil zzzzzz")
    await ada.write(ada.id, "/fly")
    await ada.sees(lambda message: "don’t know “fly”" in message.words)
    await ada.write(ada.id, "/rack")
    await ada.sees(lambda message: "aren’t at a table" in message.words)
    assert not await evening.books.read_all(f"tg:{evening.group.id}")


async def test_an_unknown_tile_or_button_is_a_sentence_and_changes_nothing(evening: Evening) -> None:
    await evening.begun()
    before = await evening.entry()
    person = await evening.on_turn()
    rack = await evening.rack(person)
    id, moves = before.table.id, before.table.moment
    strange = (
        callback_text("discard", id, moves, "R14"),
        callback_text("discard", id, moves),
        callback_text("finish", id, moves, ""),
        callback_text("take", id, moves, "x"),
        callback_text("place", id, moves, 16),
        callback_text("pick", id, moves, "-1"),
        callback_text("fly", id, moves),
        "draw",
        "draw..",
        "Ω.ğ.1",
        "." * 64,
    )
    for data in strange:
        said = await person.press_old(rack, data)
        assert said.text, data
        assert said.alert, data
    refused(await person.press_old(rack, "draw.zzzzzz.1"), "can’t find that table")
    assert (await evening.entry()).untouched_since(before)


async def test_a_turn_out_of_turn_a_tile_of_others_and_a_wrong_finish_are_told_why(evening: Evening) -> None:
    table = await evening.begun()
    before = await evening.entry()
    id, moves, okey = before.table.id, before.table.moment, public_view(before.table.match).okey
    person, waiting = await evening.on_turn(), await evening.waiting()
    rack, waiting_rack = await evening.rack(person), await evening.rack(waiting)
    tiles = _rack_of(before.table)
    other = next(tile for tile in FACES if tile not in tiles)
    no_finish = next(tile for tile in tiles if tile not in finishing_discards(MeldRules(okey), tiles))

    refused(await waiting.press_old(waiting_rack, callback_text("draw", id, moves)), "n’t your turn")
    refused(await person.press_old(rack, callback_text("discard", id, moves, other.name)), "on your rack")
    refused(
        await person.press_old(rack, callback_text("finish", id, moves, no_finish.name)), "finish with that"
    )
    refused(await person.press_old(rack, callback_text("draw", id, moves)), "already have your tile")
    refused(await evening.eve.press(table, buttons_of(table)["rack"][0]), "at this table")
    refused(await evening.eve.press_old(table, callback_text("draw", id, moves)), "at this table")
    assert (await evening.entry()).untouched_since(before)


async def test_of_two_presses_at_once_exactly_one_counts(evening: Evening) -> None:
    await evening.begun()
    before = await evening.entry()
    person = await evening.on_turn()
    rack = await evening.rack(person)
    okey = public_view(before.table.match).okey
    one, other = [tile for tile in dict.fromkeys(_rack_of(before.table)) if tile is not okey][:2]
    presses = [
        await person.press_only(
            rack, callback_text("discard", before.table.id, before.table.moment, tile.name)
        )
        for tile in (one, other)
    ]
    await evening.control.ask("deliver_again", callback_id=presses[0])
    said = await asyncio.gather(*map(person.answered, presses))
    assert sorted(bool(answer.text) for answer in said) == [False, True]
    after = await evening.entry()
    assert len(after.log) == len(before.log) + 1
    assert after.turns == before.turns + 1


async def test_the_button_of_an_old_move_brings_the_newest_screen(evening: Evening) -> None:
    await evening.begun()
    person = await evening.on_turn()
    rack = await evening.rack(person)
    old = buttons_of(rack)["discard"]
    await person.press(rack, old[0])
    after = await evening.entry()
    refused(await person.press_old(rack, old[1]), "That button has expired")
    assert (await evening.entry()).untouched_since(after)
    await person.sees(lambda message: message.id == rack.id and "discard" not in buttons_of(message))


async def test_buttons_of_a_finished_table_change_nothing(evening: Evening) -> None:
    ada = evening.ada
    lobby = await evening.opened("start_points=1")
    await start(ada, lobby)
    rack = await evening.rack(ada)
    # Computer players go on alone, so the match is over soon.
    await ada.press_old(rack, callback_text("step_out", (await evening.entry()).table.id))
    table = await ada.sees(_is_over, evening.group, 40)
    # Her rack may have been sent anew since, and the old message deleted.
    rack = [message for message in await ada.read() if message.from_bot][-1]
    over = await evening.entry()
    id, moves = over.table.id, over.table.moment
    refused(await ada.press_old(rack, callback_text("draw", id, moves)), "No round")
    refused(await ada.press_old(rack, callback_text("discard", id, moves - 1, "R1")), "expired")
    refused(await ada.press_old(table, callback_text("start", id)), "match has ended")
    refused(await ada.press_old(table, callback_text("join", id)), "match has ended")
    refused(await ada.press_old(table, callback_text("next", id, moves)), "No round")
    assert (await evening.entry()).untouched_since(over)


def _is_over(message: Shown) -> bool:
    """In one round of a hundred the stock runs out, and nobody has won."""
    return "🏆" in message.words or "everyone left" in message.words


def _rack_of(table: Table) -> tuple[Tile, ...]:
    """The tiles of the player on turn."""
    turn = public_view(table.match).turn
    assert turn is not None
    return seat_view(table.match, turn).rack
