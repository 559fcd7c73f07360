"""Changes of what is stored: nothing is lost, nothing is done twice, and nobody tries for ever."""

import asyncio
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from redis.asyncio import Redis

from bot.errors import Refused
from bot.ids import LeagueId, NightId, TableId, league_key, night_id, read_key, start_of
from bot.league.model import League
from bot.people.communities import Communities, Community
from bot.people.notifications import Notifying
from bot.people.profiles import Profile, Profiles
from bot.ports import Person
from bot.repository import versioned
from bot.repository.leagues import LeagueRepository
from bot.repository.tables import StoredTable, TableRepository
from bot.repository.versioned import TRIES
from bot.store import Committed, Note, SettingsOf, Store, StoreUnavailable, keys, open_store
from bot.store.codec import Codec
from bot.tables.table import Change, Display
from tests.bot.house import PLACE, House, open_house
from tests.bot.league.leagues import MovedClock, weekly

ADA = Person("mem:ada", "Ada", "en")


@pytest.fixture
async def other(valkey_url: str, tmp_path: Path, store: Store) -> AsyncIterator[Store]:
    """The same store, as another process has it."""
    async with open_store(valkey_url, tmp_path) as opened:
        yield opened


def profiles(store: Store) -> Profiles:
    return Profiles(store, {})


def one_more(profile: Profile) -> Profile:
    """A setting of which every change counts."""
    return replace(profile, notifying=Notifying(offset=profile.notifying.offset + 1))


async def test_a_read_that_is_answered_after_an_own_change_does_not_undo_it_here(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    people, read = profiles(store), store.people.settings
    answered, changed = asyncio.Event(), asyncio.Event()

    async def late(of: SettingsOf, ids: Sequence[str]) -> list[bytes | None]:
        found = await read(of, ids)
        answered.set()
        await changed.wait()
        return found

    with monkeypatch.context() as slow:
        slow.setattr(store.people, "settings", late)
        reading = asyncio.create_task(people.load(ADA.key))
        await answered.wait()
    await people.change(ADA.key, lambda profile: replace(profile, language="tr"))
    changed.set()
    await reading
    assert (await people.load(ADA.key)).language == "tr"


def longer(league: League) -> League:
    return replace(league, name=league.name + "!")


def counted(part: object, name: str, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The answers to all calls of a method of a store's from now on."""
    answers: list[object] = []
    method = getattr(part, name)

    async def call(*given: object, **named: object) -> object:
        answers.append(await method(*given, **named))
        return answers[-1]

    monkeypatch.setattr(part, name, call)
    return answers


# Settings


async def test_six_hundred_changes_of_one_persons_settings_are_all_kept(store: Store) -> None:
    """A hundred at once: on a slow machine more would wait for their turn until they are refused."""
    people = profiles(store)
    for _ in range(6):
        await asyncio.gather(
            *(people.change(ADA.key, one_more) for _ in range(98)),
            people.change(ADA.key, lambda held: replace(held, guided=True)),
            people.note_reached(ADA.key),
        )
    assert await profiles(store).load(ADA.key) == Profile(
        private_open=True, guided=True, notifying=Notifying(offset=6 * 98)
    )


async def test_settings_changed_by_several_processes_at_once_are_all_kept(store: Store, other: Store) -> None:
    both = profiles(store), profiles(other)
    await asyncio.gather(*(both[number % 2].change(ADA.key, one_more) for number in range(60)))
    assert (await profiles(store).load(ADA.key)).notifying.offset == 60


async def test_settings_that_were_stored_before_they_had_versions_are_read_and_changed(store: Store) -> None:
    """Plain values, as they were written then."""
    old = Codec(Profile, 1).encode(Profile(private_open=True, display=Display(letters=True)))
    set_there = Codec(Community, 1).encode(Community(turn_seconds=90, set_by="Can"))
    assert await store.people.swap_settings("person", ADA.key, 0, old)
    assert await store.people.swap_settings("place", PLACE, 0, set_there)
    people = profiles(store)
    await people.change(ADA.key, lambda held: replace(held, guided=True))
    assert await people.load(ADA.key) == Profile(
        private_open=True, display=Display(letters=True), guided=True
    )
    communities = Communities(store, people)
    await communities.change(PLACE, ADA, lambda held: replace(held, invitations=False))
    assert await communities.at(PLACE) == Community(
        turn_seconds=90, invitations=False, set_by="Ada", set_by_key=ADA.key
    )


async def test_both_accounts_of_a_person_keep_what_is_set_at_the_same_time(store: Store) -> None:
    people = profiles(store)
    await people.note_reached("mem:ada")
    await store.people.link("mem:ada", "dc:ada")
    await asyncio.gather(
        people.change("mem:ada", lambda held: replace(held, guided=True)),
        people.change("dc:ada", lambda held: replace(held, display=Display(contrast=True))),
        *(people.change(key, one_more) for key in ("mem:ada", "dc:ada") * 20),
    )
    newest = await profiles(store).of(["mem:ada", "dc:ada"])
    common = Profile(guided=True, display=Display(contrast=True), notifying=Notifying(offset=40))
    assert newest == {"mem:ada": replace(common, private_open=True), "dc:ada": common}


async def test_several_profiles_are_read_in_one_call_and_soon_again_in_none(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    people, calls = profiles(store), counted(store.people, "settings", monkeypatch)
    assert await people.of(["mem:a", "mem:b", "mem:a"]) == {"mem:a": Profile(), "mem:b": Profile()}
    assert await people.load("mem:b") == Profile()
    assert len(calls) == 1
    await people.change("mem:b", one_more)
    assert (await people.load("mem:b")).notifying.offset == 1
    assert len(calls) == 1, "to be changed, they are read with their link"


async def test_a_place_whose_settings_others_always_change_first_is_busy(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = 0

    async def quicker(*swap: object) -> bool:
        nonlocal tries
        tries += 1
        return False

    monkeypatch.setattr(store.people, "swap_settings", quicker)
    communities = Communities(store, profiles(store))
    with pytest.raises(Refused) as refused:
        await communities.change(PLACE, ADA, lambda held: replace(held, turn_seconds=60))
    assert (refused.value.code, tries) == ("busy", TRIES)


async def test_settings_of_another_version_of_the_program_are_left_alone(store: Store) -> None:
    future = Codec(int, 99).encode(1)
    assert await store.people.swap_settings("person", ADA.key, 0, future)
    with pytest.raises(Exception, match="99"):
        await profiles(store).change(ADA.key, one_more)
    assert await store.people.settings("person", [ADA.key]) == [future]


# Leagues


async def test_the_same_league_press_delivered_twice_at_once_gets_the_same_newest_league(
    store: Store, other: Store
) -> None:
    first, second = LeagueRepository(store, MovedClock()), LeagueRepository(other, MovedClock())
    league = await first.create_league(weekly(), "found")
    for number in range(10):
        one, same = await asyncio.gather(
            *(each.change(league.id, f"press {number}", longer) for each in (first, second))
        )
        assert one == same
        assert one.name == league.name + "!" * (number + 1)


async def test_a_press_that_was_carried_out_is_not_refused_when_it_comes_again(store: Store) -> None:
    repository = LeagueRepository(store, MovedClock())
    league = await repository.create_league(weekly(), "found")

    def once(held: League) -> League:
        if held.ended:
            raise Refused("ended")
        return replace(held, ended=True)

    assert (await repository.change(league.id, "press", once)).ended
    await repository.change(league.id, "later", longer)
    again = await repository.change(league.id, "press", once)
    assert (again.ended, again.name) == (True, league.name + "!")
    with pytest.raises(Refused):
        await repository.change(league.id, "another press", once)


async def test_a_table_that_was_read_does_not_hold_the_bytes_that_it_was_read_from(house: House) -> None:
    table = await house.open(house.person("Ada"))
    stored = await house.store.documents.load(table)
    assert stored is not None
    state, held_by_nobody_else = bytes(bytearray(stored.state)), bytes(bytearray(stored.state))
    read = house.app.tables._read(replace(stored, state=state))
    assert sys.getrefcount(state) == sys.getrefcount(held_by_nobody_else)
    assert not read.is_repeated("another press")


@pytest.mark.parametrize("asked", ["to be forgotten", "to be two people"])
async def test_who_joins_a_league_again_while_it_loses_them_is_found_by_it(
    store: Store, other: Store, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    first, second = LeagueRepository(store, MovedClock()), LeagueRepository(other, MovedClock())
    league, ada_too = await first.create_league(weekly(), "found"), Person("tg:7", "Ada", "en")
    await other.people.link(ADA.key, ada_too.key)
    await first.member(league.id, ADA)
    await other.people.unlink(ADA.key, ada_too.key)
    remove = store.index.remove_league

    async def remove_late(person: str, of: str) -> None:
        await second.member(league.id, ada_too)
        await remove(person, of)

    monkeypatch.setattr(store.index, "remove_league", remove_late)
    if asked == "to be forgotten":
        await first.forget(ada_too.key)
    else:
        await first.part(ADA.key, ada_too.key)
    assert [each.id for each in await first.of_person(ada_too.key)] == [league.id]


# Tables


async def test_thirty_people_who_act_at_one_table_at_once_are_all_heard(house: House) -> None:
    table = TableId(await house.open(house.person("Ada")))
    repository = TableRepository(house.store)
    await asyncio.gather(*(repository.change(table, f"press {number}", word) for number in range(30)))
    assert await words_at(repository, table) == "." * 30


def word(stored: StoredTable, more: str = ".") -> Change:
    """A change of which every one counts."""
    return Change(stored.value.with_seat(0, word=stored.value.seats[0].word + more))


async def words_at(repository: TableRepository, table: TableId) -> str:
    stored = await repository.load(table)
    assert stored is not None
    return stored.value.seats[0].word


async def test_a_press_meets_what_another_process_has_changed_since(house: House, other: Store) -> None:
    table = TableId(await house.open(house.person("Ada")))
    ours, theirs = TableRepository(house.store), TableRepository(other)
    seen: list[str] = []

    def refused_without_theirs(stored: StoredTable) -> Change:
        seen.append(stored.value.seats[0].word)
        if not seen[-1].endswith("!"):
            raise Refused("not_host")
        return word(stored)

    def only_after_theirs(stored: StoredTable) -> Change | None:
        return word(stored) if stored.value.seats[0].word.endswith("?") else None

    for number in range(3):
        await ours.change(table, f"press {number}", word)
    await theirs.change(table, "theirs", lambda stored: word(stored, "!"))
    await ours.change(table, "now allowed", refused_without_theirs)
    assert seen == ["...!"]
    for number in range(3, 6):
        await ours.change(table, f"press {number}", word)
    await theirs.change(table, "theirs again", lambda stored: word(stored, "?"))
    await ours.change(table, "now possible", only_after_theirs)
    assert await words_at(ours, table) == "...!....?."


async def test_processes_that_change_a_table_in_turn_commit_nothing_in_vain(
    house: House, other: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = TableId(await house.open(house.person("Ada")))
    both = TableRepository(house.store), TableRepository(other)
    commits = [counted(store.documents, "commit", monkeypatch) for store in (house.store, other)]
    for number in range(20):
        await both[number % 2].change(table, f"in turn {number}", word)
    assert all(isinstance(answer, Committed) for answers in commits for answer in answers)
    assert await words_at(both[0], table) == "." * 20


async def test_a_press_after_a_failover_loses_nothing_that_was_done_since(
    house: House, other: Store, valkey_url: str
) -> None:
    """The server that took over has missed our last commit, and has counted its number for another one."""
    table = TableId(await house.open(house.person("Ada")))
    ours, theirs = TableRepository(house.store), TableRepository(other)
    for number in range(3):
        await ours.change(table, f"press {number}", word)
    server = Redis.from_url(valkey_url)
    replicated = await server.dump(keys.state(table))
    assert replicated is not None
    lost = await ours.change(table, "not replicated", word)
    await server.restore(keys.state(table), 0, replicated, replace=True)
    await server.aclose()
    since = await theirs.change(table, "since", lambda stored: word(stored, "!"))
    assert since.version == lost.version
    await ours.change(table, "next", word)
    assert await words_at(ours, table) == "...!."


async def test_what_the_store_has_lost_is_made_good_once_above_every_lost_version(
    house: House, valkey_url: str
) -> None:
    table, repository = TableId(await house.open(house.person("Ada"))), TableRepository(house.store)
    await repository.change(table, "kept", word)
    async with Redis.from_url(valkey_url) as server:
        replicated = await server.dump(keys.state(table))
        assert replicated is not None
        lost = await repository.change(table, "lost", word)
        await server.restore(keys.state(table), 0, replicated, replace=True)
    one, other = await asyncio.gather(repository.load(table), repository.load(table))
    assert one is not None
    assert other is not None
    assert one.value.recovered == other.value.recovered == lost.version
    assert one.version == other.version > lost.version
    assert (await repository.change(table, "next", word)).version == one.version + 1


async def test_a_press_that_comes_again_is_carried_out_once(house: House) -> None:
    table = TableId(await house.open(house.person("Ada")))
    repository = TableRepository(house.store)
    for press in ("1", "2", "3", "3", "4", "1", "5"):
        await repository.change(table, press, word)
    assert await words_at(repository, table) == "....."


async def test_whoever_waits_for_a_change_that_finds_no_store_is_told_at_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or the last of many would be told after as many times two seconds."""
    table = TableId(await house.open(house.person("Ada")))
    repository, tries = TableRepository(house.store), 0

    async def away(table: str) -> None:
        nonlocal tries
        tries += 1
        await asyncio.sleep(0.05)
        raise StoreUnavailable("no answer")

    with monkeypatch.context() as broken:
        broken.setattr(house.store.documents, "load", away)
        outcomes = await asyncio.gather(
            *(repository.change(table, None, lambda stored: None) for _ in range(50)), return_exceptions=True
        )
    assert {type(outcome) for outcome in outcomes} == {StoreUnavailable}
    assert tries == 1
    assert (await repository.change(table, None, lambda stored: None)).value.id == table


async def test_whoever_has_waited_too_long_for_the_changes_of_others_is_asked_to_press_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versioned, "QUEUE_SECONDS", 0.05)
    table = TableId(await house.open(house.person("Ada")))
    repository, load = TableRepository(house.store), house.store.documents.load
    is_refused = asyncio.Event()

    async def slow(table: str) -> object:
        await is_refused.wait()
        return await load(table)

    monkeypatch.setattr(house.store.documents, "load", slow)
    first = asyncio.create_task(repository.change(table, None, lambda stored: None))
    await asyncio.sleep(0)
    with pytest.raises(Refused) as refused:
        await repository.change(table, None, lambda stored: None)
    assert refused.value.code == "busy"
    is_refused.set()
    assert (await first).value.id == table


async def test_a_table_is_read_with_what_is_shown_of_it(store: Store) -> None:
    async with open_house(store) as house:
        table = TableId(await house.open(house.person("Ada")))
        screen = await house.rack(house.person("Ada"), table)
        await house.app.delivery.note_shown("mem:ada", replace(screen, version=3, worth="w"), "mem:ada#1")
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert stored.notes["mem:ada"] == Note("mem:ada#1", 3, "w")
        changed = await house.app.tables.change(
            table,
            None,
            lambda held: Change(
                structs.replace(held.value, choices=structs.replace(held.value.choices, emotes=False))
            ),
        )
        assert changed.notes["mem:ada"] == Note("mem:ada#1", 3, "w")


# Identifiers


def test_a_key_says_what_it_is_the_key_of() -> None:
    league = LeagueId("abcde")
    night = night_id(league, "2026-03-12T20:00")
    assert read_key("k7xw2q") == ("table", "k7xw2q")
    assert read_key(night) == ("night", "abcde-202603122000")
    assert read_key(league_key(league)) == ("league", "abcde")
    assert start_of(night) == "2026-03-12T20:00"


async def test_a_nights_name_on_a_tables_button_is_no_table(house: House) -> None:
    committed = await house.store.documents.commit("abcde-202603122000", expected=0, state=b"?", action=None)
    assert isinstance(committed, Committed)
    answer = await house.press(house.person("Ada"), "draw.abcde-202603122000.0")
    assert answer.code == "unknown_table"
    assert await LeagueRepository(house.store).night(NightId("abcde-200001010000")) is None


async def test_an_end_that_is_sent_again_waits_for_the_disk_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = TableId(await house.open(house.person("Ada")))
    repository, waits = TableRepository(house.store), 0

    def ends(stored: StoredTable) -> Change:
        return Change(structs.replace(stored.value, stage="over"))

    async def never(table: str) -> None:
        nonlocal waits
        waits += 1
        raise StoreUnavailable("no answer")

    with monkeypatch.context() as broken:
        broken.setattr(house.store.documents, "on_disk", never)
        for tries in (1, 2):
            with pytest.raises(StoreUnavailable):
                await repository.change(table, "the end", ends)
            assert waits == tries
    assert (await repository.change(table, "the end", ends)).value.stage == "over"
