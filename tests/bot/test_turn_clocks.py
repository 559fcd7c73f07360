"""Clocks: chosen for a table, told, warned of once a turn; and slow tables, which nobody hurries."""

import re
from itertools import chain

import pytest
import redis

from bot.app import fresh_secret
from bot.i18n import plain, words_for
from bot.markup import Clock, Text, TileMark
from bot.ports import Person
from bot.repository.tables import StoredTable
from bot.store import Store, keys
from bot.tables import turns
from bot.tables.play import Delays
from bot.tables.table import Change
from bot.tables.worth import of_player
from engine.match import play
from engine.moves import Discard, Move, Take
from engine.round import legal_moves
from engine.view import seat_view
from tests.bot.house import PLACE, House, offers, open_house, said
from tests.engine.laid_out import WINS_IN_MELDS, match_of, rules_of, turn_of

DELAYS = Delays(computer=1.0, next_round=20.0)
EN = words_for("en")


def read(text: Text) -> str:
    return plain(text, EN)


async def kept_of(house: House, table: str) -> StoredTable:
    stored = await house.app.tables.load(table)
    assert stored is not None
    return stored


async def playing(house: House, words: str) -> tuple[str, Person, Person]:
    """A table of two, whom nobody has seen since; who is on turn comes first."""
    ada, can = house.person("Ada"), house.person("Can")
    table = await house.open(ada, can, words=f"2 {words}")
    await house.press(ada, f"start.{table}.0", private=False)
    starter = await house.on_turn(table, ada, can)
    return table, starter, can if starter is ada else ada


async def time_is_up(house: House, table: str, *, seen_before: float = 1e6) -> StoredTable:
    """The deadline has come, so many seconds after anybody was seen last."""

    def due(stored: StoredTable) -> Change | None:
        latest = max(seat.seen for seat in stored.value.seats)
        return turns.due(stored.value, DELAYS, fresh_secret, latest + seen_before)

    return await house.app.tables.change(table, None, due)


def seconds_left(stored: StoredTable) -> float:
    """The seconds that were left on the clock when a table was committed or read."""
    assert stored.deadline is not None
    return round(stored.deadline - stored.now, 1)


@pytest.mark.parametrize(
    ("words", "seconds", "told"),
    [
        ("clock=30", 30, "30 seconds"),
        ("clock=90s", 90, "90 seconds"),
        ("okey101 clock=5M", 300, "5 minutes"),
        ("clock=1h 3", 3600, "1 hour"),
        ("clock=1d", 86400, "24 hours"),
        ("", 60, "1 minute"),
    ],
)
async def test_a_clock_is_named_where_a_table_is_opened(
    store: Store, words: str, seconds: int, told: str
) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words=words)
        assert (await kept_of(house, table)).value.clock.turn_seconds == seconds
        assert f"⏱ {told} per turn\n" in read((await house.look(table)).text)


@pytest.mark.parametrize("words", ["clock=29", "clock=25h", "clock=", "clock=soon", "clock=-60"])
async def test_a_clock_that_nobody_can_play_by_is_refused(store: Store, words: str) -> None:
    async with open_house(store, work=False) as house:
        refused = await house.type(house.person("Ada"), "play", words)
        assert refused.code == "bad_clock"
        assert said(refused).startswith("A turn can take from 30 seconds to 24 hours")


async def test_the_host_chooses_a_clock_in_the_dialogue_and_nobody_else(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        page = (await house.press(ada, f"rules.{table}.0")).page
        assert page is not None
        (clocks,) = offers(page, "clocks")
        page = (await house.press(ada, clocks.press)).page
        assert page is not None
        chosen = [b for b in offers(page, "clock") if str(b.label[0]) == "6 hours"]
        refused = await house.press(can, chosen[0].press)
        assert refused.code == "not_host"
        page = (await house.press(ada, chosen[0].press)).page
        assert page is not None
        assert "✓ 6 hours" in {str(b.label[0]) for b in offers(page, "clock")}
        assert "6 hours per turn" in read((await house.look(table)).text)


@pytest.mark.parametrize(
    ("words", "first", "last"),
    [("clock=30", 20, 10), ("clock=60", 45, 15), ("clock=5m", 225, 75), ("clock=24h", 82800, 3600)],
)
async def test_the_player_is_warned_before_the_clock_ends_and_then_played_for(
    store: Store, words: str, first: float, last: float
) -> None:
    async with open_house(store, work=False) as house:
        table, on_turn, _ = await playing(house, words)
        begun = await kept_of(house, table)
        assert seconds_left(begun) == pytest.approx(first, abs=5)
        warned = await time_is_up(house, table)
        assert (warned.value.moment, seconds_left(warned)) == (begun.value.moment, last)
        assert "time is running out" in read((await house.look(table)).text)
        assert "time is running out" in read((await house.rack(on_turn, table)).text)
        played = await time_is_up(house, table)
        assert played.value.moment > begun.value.moment
        assert "a move was made for" in read((await house.look(table)).text)
        assert "running out" not in read((await house.look(table)).text)


async def test_whoever_waits_reads_whose_turn_it_is_and_what_the_clock_played(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, on_turn, waiting = await playing(house, "clock=5m")
        rack = await house.rack(waiting, table)
        assert read(rack.text).splitlines() == [
            f"⏳ Waiting for {on_turn.name}",
            "76 tiles in the stock · Ada 20 · Can 20",
            "Table 1 · round 1",
        ]
        assert re.fullmatch(r"Indicator \S.* · okey \S+ \d+", rack.alt.splitlines()[2])

        before = await time_is_up(house, table)
        hurried = await house.rack(waiting, table)
        assert f"⏳ Waiting for {on_turn.name} · ⏰ time is running out\n" in read(hurried.text)
        assert _clock_in(hurried.text) == pytest.approx(before.deadline, abs=5)
        left = (await time_is_up(house, table)).value.match.round
        assert left is not None
        (tile,) = chain(*left.piles)
        told = EN.tile_name(TileMark(tile.name, wild=tile is left.okey))
        overdue, turn, *news, _, _ = read((await house.rack(on_turn, table)).text).splitlines()
        assert overdue == f"⏰ Your time was up: {told} was discarded for you."
        assert turn == f"⏳ Waiting for {waiting.name}"
        assert news == []
        assert "Your time was up" not in read((await house.rack(waiting, table)).text)


async def test_whoever_waits_for_an_absent_player_reads_that_the_computer_plays(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, on_turn, waiting = await playing(house, "clock=5m")
        await house.press(on_turn, f"step_out.{table}.0")
        told = read((await house.rack(waiting, table)).text)
        assert f"⏳ 🤖 The computer plays for {on_turn.name}\n" in told


async def test_the_clock_that_people_see_is_the_whole_one(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, _, _ = await playing(house, "clock=5m")
        before = _clock_in((await house.look(table)).text)
        now = (await kept_of(house, table)).now
        assert before - now == pytest.approx(300, abs=5)
        warned = await time_is_up(house, table)
        assert _clock_in((await house.look(table)).text) == pytest.approx(warned.now + 75, abs=5)


async def test_who_was_there_just_now_is_not_alarmed(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, _, _ = await playing(house, "clock=5m")
        before = (await kept_of(house, table)).value
        worth = [of_player(before, seat) for seat in range(2)]
        after = (await time_is_up(house, table, seen_before=74.0)).value
        assert [of_player(after, seat) for seat in range(2)] == worth
        assert after.clock.hurried == 0
        played = await time_is_up(house, table)
        assert played.value.moment > before.moment


async def test_a_slow_table_s_result_stands_until_somebody_goes_on(store: Store) -> None:
    async with open_house(store, work=False) as house:
        for words, wait in (("clock=2h", 7200.0), ("clock=5m", DELAYS.next_round)):
            table, _, _ = await playing(house, words)
            stored = await to_the_result(house, table)
            assert seconds_left(stored) == wait


async def test_a_table_that_goes_on_for_long_is_still_found(store: Store, valkey_url: str) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        await house.open(ada, can, words="2 clock=24h")
        (table,) = await store.index.tables_of(ada.key)
        indexes = [keys.tables_of(ada.key), keys.tables_of(can.key), keys.tables_at(PLACE)]
        with redis.Redis.from_url(valkey_url) as client:
            for index in indexes:
                client.expire(index, 100)
            await house.press(ada, f"start.{table}.0", private=False)
            assert min(client.ttl(index) for index in indexes) > 80 * 24 * 3600


async def to_the_result(house: House, table: str) -> StoredTable:
    """Both people are there again and again, and let the clock play, until the round is over."""
    stored = await kept_of(house, table)
    while stored.value.stage == "playing":
        await house.app.tables.change(table, None, _everybody_there)
        stored = await time_is_up(house, table)
    return stored


def _everybody_there(stored: StoredTable) -> Change:
    table = stored.value
    for number in range(len(table.seats)):
        table = turns.mark_present(table, number, stored.now, private=True)
    return Change(table)


def _clock_in(text: Text) -> float:
    (clock,) = (part for part in text if isinstance(part, Clock))
    return clock.at


def test_with_the_stock_empty_the_clock_takes_the_discard_and_does_not_win_with_it() -> None:
    """RULES 3, exhausted: a discard that wins may still be taken, and is then the only legal move."""
    rack = WINS_IN_MELDS.replace("Y2", "Y13")
    match = turn_of(match_of(rules_of(), {2: rack}), 2, rack=rack, phase="draw", stock="", piles={1: "Y2"})
    moves: list[Move] = []
    while match.round is not None and match.round.phase != "over" and match.round.turn == 2:
        move = turns.safe_move(match.rules, seat_view(match, 2), legal_moves(match.rules, match.round, 2))
        moves.append(move)
        match, _ = play(match, 2, move)
    assert moves[0] == Take()
    assert [type(move) for move in moves] == [Take, Discard]
