"""The books: what was played is written down once, whatever happens, and forgotten when it must be."""

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import redis

from bot.history.archive import Archive
from bot.history.matches import MatchHistory
from bot.history.played import Dated
from bot.history.statistics import Leader, PersonStandings, describe_person, rank_leaders
from bot.history.tally import tally_matches
from bot.ids import TableId
from bot.people.communities import Communities
from bot.people.profiles import Profiles
from bot.ports import Person
from bot.repository.tables import CODEC
from bot.store import Committed, Store, keys, open_store
from bot.store.history import KeptMatch, MatchEntry
from bot.store.schedule import Work
from bot.tables import membership
from bot.tables.play import stop
from bot.tables.table import Change
from engine.deal import Dealt
from engine.luck import DealtRack, judge_deal
from engine.rules import Rules
from engine.state import Round
from tests.bot.house import PLACE, House, offers, open_house
from tests.bot.rounds import DELAYS, begin, play_round
from tests.bot.store.waiting import ended
from tests.bot.test_forgetting import everything
from tests.conftest import Until

ADA, CAN = Person("mem:ada", "Adalet", "en"), Person("mem:can", "Canan", "en")


def books(store: Store) -> MatchHistory:
    return MatchHistory(store, Archive(store), Communities(store, Profiles(store, {})))


async def begun(house: House, words: str = "2 quick start_points=2", *people: Person) -> str:
    """A match of Ada's and Can's whose first round has been dealt."""
    table = await house.open(ADA, CAN, *people, words=words)
    await begin(house, table, ADA)
    return table


async def written(store: Store) -> list[str]:
    """What a worker does about results; the tables that had some."""
    marked = await ended(store)
    for table, mark in marked:
        await books(store).write(table)
        await store.timers.history_written(table, mark)
    return [table for table, _ in marked]


async def leaders_of(store: Store, owner: str) -> list[Leader]:
    return rank_leaders(await books(store).tally([owner]), 0.0)


async def standings_of(store: Store, owner: str) -> PersonStandings:
    tally = await books(store).tally([owner])
    return describe_person(tally.persons[owner], tally.names)


async def match_of(store: Store, owner: str) -> Dated:
    (dated,) = await books(store).matches(owner)
    return dated


async def test_a_result_is_in_everybodys_book_as_soon_as_a_worker_looks(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        table = await begun(house)
        await play_round(house, table)

        async def noted() -> bool:
            return bool(await books(store).matches(ADA.key)) and not await ended(store)

        await until(noted)
        for owner in (ADA.key, CAN.key, PLACE):
            match = (await match_of(store, owner)).match
            assert match.table == table
            assert [player.name for player in match.players] in (["Adalet", "Canan"], ["Canan", "Adalet"])
            assert len(match.rounds) == 1
        assert await books(store).matches("mem:ece") == []


async def test_a_result_that_is_found_again_while_it_is_written_is_not_written_twice(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the two, its place may have come into another community: it would be in both books. It is found
    again, by a look whose answer comes when all is written."""
    write, look, looks, writings = MatchHistory.write, store.timers.look, list[TableId](), list[TableId]()
    came_late, later = asyncio.Event(), asyncio.Event()

    async def look_late(partitions: Iterable[int], worker: str, *about: Any) -> dict[int, Work]:
        found = await look(partitions, worker, *about)
        if worker != house.app.worker.shares.name:
            return found
        if came_late.is_set():
            later.set()
        looks.extend(table for work in found.values() for table, _ in work.ended)
        if len(looks) == 2 and not came_late.is_set():
            await until(lambda: _noted(store, PLACE))
            came_late.set()
        return found

    async def found_again() -> bool:
        return len(looks) > 1

    async def write_late(history: MatchHistory, table: TableId) -> None:
        writings.append(table)
        await until(found_again)
        await write(history, table)

    async with open_house(store) as house:
        monkeypatch.setattr(store.timers, "look", look_late)
        monkeypatch.setattr(MatchHistory, "write", write_late)
        table = await begun(house)
        await play_round(house, table)
        await later.wait()
    assert writings == [table]


async def test_the_commit_that_ends_a_round_leaves_its_mark_with_no_worker_about(store: Store) -> None:
    """Killed right after that commit, the program finds the mark when it is back."""
    async with open_house(store, work=False) as house:
        table = await begun(house, "2 quick start_points=20")
        await play_round(house, table, leave=1)
        assert await ended(store) == []
        await play_round(house, table)
        assert [each for each, _ in await ended(store)] == [table]
    assert await written(store) == [table]
    assert await written(store) == []
    assert len((await match_of(store, ADA.key)).match.rounds) == 1


async def test_a_table_that_cannot_be_read_keeps_no_other_out_of_the_books(
    store: Store, until: Until
) -> None:
    strange = await store.documents.commit("zzzzzz", expected=0, state=b"?", action=None, ended=True)
    assert isinstance(strange, Committed)
    async with open_house(store) as house:
        await play_round(house, await begun(house))

        async def noted() -> bool:
            """The mark goes a moment after the match has come."""
            marked = [table for table, _ in await ended(store)]
            return bool(await books(store).matches(ADA.key)) and marked == ["zzzzzz"]

        await until(noted)
    assert [table for table, _ in await ended(store)] == ["zzzzzz"]


async def test_after_a_round_only_what_the_history_holds_marks_a_table(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house, "2 quick start_points=20")
        await play_round(house, table)
        assert await written(store) == [table]
        repository = house.app.tables
        for change in (
            lambda stored: Change(stored.value),
            lambda stored: Change(stored.value.with_seat(0, seen=stored.now, word="x")),
        ):
            await repository.change(table, None, change)
            assert await ended(store) == []
        await repository.change(
            table, None, lambda stored: membership.forget_person(stored.value, ADA.key, DELAYS)
        )
        assert await written(store) == [table]
        await repository.change(table, None, lambda stored: stop(stored.value))
        assert await written(store) == [table]
        assert (await match_of(store, CAN.key)).match.over


async def test_killed_while_it_writes_it_writes_again_and_counts_once(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house, "2 quick start_points=20")
        await play_round(house, table)
        await books(store).write(table)  # and the mark stays
        before = await match_of(store, PLACE)
        assert await written(store) == [table]
        assert await match_of(store, PLACE) == before
        (leader, other) = await leaders_of(store, PLACE)
        assert (leader.rounds, leader.wins + other.wins) == (1, 1)


async def test_a_worker_that_was_left_behind_takes_nothing_back(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house, "2 quick start_points=20")
        await play_round(house, table)
        await written(store)
        (old,) = await store.history.matches(PLACE)
        await house.press(ADA, offers(await house.look(), "next")[0].press, private=False)
        await play_round(house, table)
        await written(store)
        newest = await match_of(store, PLACE)
        assert len(newest.match.rounds) == 2
        tallied = await store.history.load_tally(PLACE)
        assert await store.history.keep_match(PLACE, old, tallied, b"old")
        assert await match_of(store, PLACE) == newest
        assert await store.history.load_tally(PLACE) == tallied


async def test_a_book_holds_so_many_matches_the_newest(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.store.history.MATCHES_MOST", 3)
    for number in range(5):
        before = await store.history.load_tally("mem:x")
        entry = MatchEntry(f"t{number}", 1, float(number), b"v")
        assert await store.history.keep_match("mem:x", entry, before, b"%d" % number)
    assert [entry.table for entry in await store.history.matches("mem:x")] == ["t4", "t3", "t2"]
    assert await store.history.match("mem:x", "t1") is None


async def test_what_follows_a_match_does_not_move_it_in_time(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house)
        await play_round(house, table)
        await written(store)
        (entry,) = await store.history.matches(PLACE)
        later = MatchEntry(table, entry.progress, entry.at + 60, entry.value)
        before = await store.history.load_tally(PLACE)
        assert before is not None
        assert await store.history.keep_match(PLACE, later, before, before)
        assert (await store.history.matches(PLACE))[0].at == entry.at


async def test_a_group_that_becomes_a_supergroup_takes_its_book_along(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house)
        await play_round(house, table)
        await written(store)
        before = await match_of(store, PLACE)
        await house.app.delivery.note_move(PLACE, "mem:super")
        await house.app.delivery.note_move(PLACE, "mem:super")
        assert await books(store).matches(PLACE) == []
        assert (await match_of(store, "mem:super")).at == before.at
        await written(store)
        assert await books(store).matches(PLACE) == []


async def test_a_match_is_in_the_book_of_a_group_that_moves_while_a_worker_writes(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, moves = store.history.match, [(PLACE, "mem:super")]

    async def read_late(owner: str, table: str) -> bytes | None:
        if moves:
            await house.app.delivery.note_move(*moves.pop())
        return await read(owner, table)

    async with open_house(store, work=False) as house:
        table = await begun(house)
        await play_round(house, table)
        monkeypatch.setattr(store.history, "match", read_late)
        await written(store)
        assert (await match_of(store, "mem:super")).match.table == table


async def test_the_topics_of_a_group_share_its_book(store: Store) -> None:
    async with open_house(store, work=False) as house:
        for topic in ("mem:g/1", "mem:g/2"):
            await house.type(ADA, "play", "2 quick start_points=2", place=topic)
            (table,) = await store.index.tables_at(topic)
            await house.press(CAN, f"join.{table}.0", private=False, place=topic)
            await begin(house, table, ADA)
            await play_round(house, table)
        await written(store)
        assert len(await books(store).matches("mem:g")) == 2


async def test_a_forgotten_person_is_in_no_history_and_the_others_keep_their_results(
    store: Store, valkey_url: str
) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house)
        await play_round(house, table)
        await written(store)
        before = await standings_of(store, CAN.key)
        assert before.opponents == (("Adalet", 1),)
        await house.press(ADA, "forget_now.me.0")
        await written(store)
        held = everything(valkey_url)
        assert b"mem:ada" not in held
        assert b"Adalet" not in held
        for owner in (CAN.key, PLACE):
            match = (await match_of(store, owner)).match
            assert sorted(player.name for player in match.players) == ["?", "Canan"]
            assert ADA.key not in repr(match)
        assert await books(store).matches(ADA.key) == []
        after = await standings_of(store, CAN.key)
        assert after.games == before.games
        assert after.opponents == ()
        archived = await Archive(store).load(table)
        assert archived is not None
        assert ADA.key.encode() not in CODEC.encode(archived.value)
        assert sorted(seat.name for seat in archived.value.seats) == ["?", "Canan"]


async def test_whoever_is_forgotten_while_a_worker_writes_is_forgotten(
    store: Store, valkey_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker has read the table with them on it, and writes when everything of them has been deleted."""
    read, requests = store.history.match, ["forget_now.me.0"]

    async def read_late(owner: str, table: str) -> bytes | None:
        if requests:
            await house.press(ADA, requests.pop())
        return await read(owner, table)

    async with open_house(store, work=False) as house:
        table = await begun(house)
        await play_round(house, table)
        monkeypatch.setattr(store.history, "match", read_late)
        await written(store)
        await written(store)
        held = everything(valkey_url)
        assert b"mem:can" in held
        assert b"mem:ada" not in held
        assert b"Adalet" not in held


async def test_two_who_are_forgotten_at_the_same_moment_are_both_forgotten(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house)
        await play_round(house, table)
        await written(store)
    history = books(store)
    await asyncio.gather(history.forget(ADA.key), history.forget(CAN.key))
    match = (await match_of(store, PLACE)).match
    assert [player.name for player in match.players] == ["?", "?"]
    archived = await Archive(store).load(table)
    assert archived is not None
    assert [seat.name for seat in archived.value.seats] == ["?", "?"]
    for person in (ADA, CAN):
        assert await history.matches(person.key) == []


@pytest.mark.parametrize("read", ["matches", "match", "load_archived"])
async def test_who_is_forgotten_by_another_process_is_not_written_back(
    store: Store, valkey_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: str
) -> None:
    """Another process forgets Can while one that forgets Ada has read what it is about to change."""
    async with open_house(store, work=False) as house:
        table = await begun(house)
        await play_round(house, table)
        await written(store)
    reads, others = getattr(store.history, read), [CAN.key]

    async def read_before(*asked: str) -> object:
        found = await reads(*asked)
        if others:
            await books(other).forget(others.pop())
        return found

    async with open_store(valkey_url, tmp_path) as other:
        monkeypatch.setattr(store.history, read, read_before)
        await books(store).forget(ADA.key)
        assert not others
        match = (await match_of(other, PLACE)).match
        assert [player.name for player in match.players] == ["?", "?"]
        archived = await Archive(other).load(table)
        with redis.Redis.from_url(valkey_url) as raw:
            assert raw.ttl(keys.archived(table)) > 0, "not kept for ever"
        assert archived is not None
        assert [seat.name for seat in archived.value.seats] == ["?", "?"]
        for person in (ADA, CAN):
            assert await books(other).matches(person.key) == []


async def test_who_is_forgotten_while_a_group_moves_is_not_written_back(
    store: Store, valkey_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house)
        await play_round(house, table)
        await written(store)
    reads, others = store.history.matches, [CAN.key]

    async def read_before(owner: str) -> list[MatchEntry]:
        found = await reads(owner)
        if others:
            await books(other).forget(others.pop())
        return found

    async with open_store(valkey_url, tmp_path) as other:
        monkeypatch.setattr(store.history, "matches", read_before)
        await books(store).move(PLACE, "mem:new")
        for owner in (ADA.key, "mem:new"):
            match = (await match_of(other, owner)).match
            assert sorted(player.name for player in match.players) == ["?", "Adalet"]
            assert set(match.owners) == {ADA.key, "mem:new"}
        assert await books(other).matches(CAN.key) == []


async def test_given_up_by_all_it_is_over_in_the_books_too(store: Store, until: Until) -> None:
    async with open_house(store, next_round=0.0) as house:
        table = await begun(house, "2 quick start_points=20")
        for person in (ADA, CAN):
            await house.press(person, f"step_out.{table}.0")

        async def over() -> bool:
            return any(dated.match.over for dated in await books(store).matches(PLACE))

        await until(over)
        match = (await match_of(store, PLACE)).match
        assert match.winners == ()
        assert len(match.rounds) == 1
        assert await leaders_of(store, PLACE) == []


async def test_all_channels_of_a_server_have_one_book_and_old_channel_books_stay(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        table = await begun(house)
        await play_round(house, table)
        await until(lambda: _noted(store, PLACE))
        for place in (PLACE, "mem:cellar"):
            house.chat.communities[place] = "mem:server/1"
        later = await begun(house)
        await play_round(house, later)
        await until(lambda: _noted(store, "mem:server/1"))
        assert [dated.match.table for dated in await books(store).matches(PLACE)] == [table]
        both = await house.type(ADA, "history")
        assert both.page is not None
        assert {table.upper(), later.upper()} <= _tables_in(str(both.page))
        other = await house.type(ADA, "history", place="mem:cellar")
        assert {table.upper(), later.upper()} & _tables_in(str(other.page)) == {later.upper()}


async def _noted(store: Store, owner: str) -> bool:
    return bool(await books(store).matches(owner)) and not await ended(store)


def _tables_in(text: str) -> set[str]:
    """Whatever could be a table's name in what was shown."""
    return {word.upper() for word in re.findall(r"\b[A-Za-z0-9]{10}\b", text)}


async def test_what_was_kept_beside_the_matches_is_what_they_add_up_to(store: Store) -> None:
    async with open_house(store, work=False) as house:
        for _ in range(2):
            table = await begun(house, "2 quick start_points=20")
            for _ in range(2):
                await play_round(house, table)
                await written(store)
                await house.press(ADA, offers(await house.look(table), "next")[0].press, private=False)
        for owner in (PLACE, ADA.key, CAN.key):
            kept = await books(store).tally([owner])
            assert kept == tally_matches(owner, await books(store).matches(owner))
            assert await store.history.load_tally(owner) is not None
            await store.history.drop_tally(owner)
            assert await books(store).tally([owner]) == kept


async def test_of_two_that_count_at_once_none_is_lost(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process has kept a match between the reading and the keeping of this one."""
    async with open_house(store, work=False) as house:
        tables = [await begun(house) for _ in range(3)]
        for table in tables:
            await play_round(house, table)
        await books(store).write(TableId(tables[2]))
        read, others = store.history.load_kept, [tables[1]]

        async def read_late(owner: str, table: str) -> KeptMatch:
            held = await read(owner, table)
            if owner == PLACE and others:
                await books(store).write(TableId(others.pop()))
            return held

        monkeypatch.setattr(store.history, "load_kept", read_late)
        await books(store).write(TableId(tables[0]))
        kept = await books(store).tally([PLACE])
        anew = tally_matches(PLACE, await books(store).matches(PLACE))
        # The order of the two is known to streaks and ratings, which took them as they came.
        assert [kept.persons[each.key].counts for each in (ADA, CAN)] == [
            anew.persons[each.key].counts for each in (ADA, CAN)
        ]
        assert sum(leader.rounds for leader in await leaders_of(store, PLACE)) == 6


async def test_ten_matches_are_read_to_show_ten(store: Store) -> None:
    for number in range(30):
        before = await store.history.load_tally("mem:x")
        entry = MatchEntry(f"t{number}", 1, float(number), b"v")
        await store.history.keep_match("mem:x", entry, before, b"%d" % number)
    newest = await store.history.recent_matches("mem:x", 10)
    assert [entry.table for entry in newest] == [f"t{number}" for number in range(29, 19, -1)]
    assert await store.history.recent_matches("mem:y", 10) == []


async def test_everybody_gets_what_was_dealt_to_them_counted(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house)
        stored = await house.app.tables.load(TableId(table))
        assert stored is not None
        round = stored.value.match.round
        assert round is not None
        dealt = judge_racks(stored.value.match.rules, round)
        await play_round(house, table)
        await written(store)
        match = (await match_of(store, PLACE)).match
        assert match.rounds[0].dealt == dealt
        persons = (await books(store).tally([PLACE])).persons
        for seat, player in enumerate(match.players):
            rack = dealt[seat]
            assert rack is not None
            assert player.person is not None
            counts = persons[player.person].counts
            assert counts[f"dealt.{rack.kind}"] == 1
            assert counts.get("okeys.classic", 0) == rack.okeys
            assert counts.get("start.classic", 0) == rack.start


def judge_racks(rules: Rules, round: Round) -> tuple[DealtRack | None, ...]:
    """What each seat was dealt in a round in which nobody has moved."""
    dealt = Dealt(round.dealer, round.starter, round.indicator, round.dice, round.racks, round.stock)
    return judge_deal(rules, dealt)
