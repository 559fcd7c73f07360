"""How people hear that it is their turn: as each of them chose, once for each occasion."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.delivery import in_flight
from bot.markup import Link, Page
from bot.people.notifications import Notifying, is_quiet
from bot.people.profiles import Profiles
from bot.ports import Person, PlaceMoved, RateLimit, RetryAfter
from bot.repository.tables import StoredTable
from bot.store import Store, StoreUnavailable
from bot.tables.table import Change
from bot.worker import worker
from tests.bot.house import PLACE, House, offers, open_house, said
from tests.bot.store.waiting import dirty
from tests.bot.test_turn_clocks import kept_of, playing, read, time_is_up
from tests.bot.two_holders import Everything, StoppedStore
from tests.conftest import Until

LONG_AGO = 150.0


@pytest.fixture(autouse=True)
def _no_waiting_for_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """No chat shows what the router answers here: the post need not wait for that, nor be slow."""
    monkeypatch.setattr(in_flight, "GRACE_SECONDS", 0.0)
    for often in ("TICK_SECONDS", "PLAYED_SECONDS"):
        monkeypatch.setattr(worker, often, 0.02)


async def been_away(house: House, table: str, person: Person, seconds: float = LONG_AGO) -> None:
    """A person has pressed nothing for so long."""

    def act(stored: StoredTable) -> Change:
        seat = stored.value.seat_of(person.key)
        assert seat is not None
        return Change(stored.value.with_seat(seat, seen=stored.now - seconds))

    await house.app.tables.change(table, None, act)


async def discard(house: House, person: Person, table: str) -> None:
    """The person on turn ends it."""
    rack = await house.rack(person, table)
    if draws := offers(rack, "draw"):
        rack_now = (await house.press(person, draws[0].press)).private
        assert rack_now is not None
        rack = rack_now
    answer = await house.press(person, offers(rack, "discard")[0].press)
    if answer.private is not None and (sure := offers(answer.private, "discard")):
        await house.press(person, sure[0].press)


def news_of(house: House, person: Person, since: int) -> list[bool]:
    """For each rack that they were shown: whether it came as a new message."""
    return [notify for who, _, notify in house.chat.racks[since:] if who == person.key]


async def turn_comes(house: House, until: Until, away: float) -> tuple[str, Person]:
    """It becomes the turn of somebody who has been away for so long, and everybody has been told."""
    table, on_turn, other = await playing(house, "clock=5m")
    await been_away(house, table, other, away)
    await _settled(house, until)
    house.chat.racks.clear()
    await discard(house, on_turn, table)
    await been_away(house, table, on_turn, 0.0)
    await _settled(house, until)
    return table, other


async def _settled(house: House, until: Until) -> None:
    async def settled() -> bool:
        return await dirty(house.store) == []

    await until(settled)


@pytest.mark.parametrize(("away", "new_message"), [(LONG_AGO, True), (21.0, True), (10.0, False)])
async def test_by_default_a_new_message_calls_who_is_away(
    store: Store, until: Until, away: float, new_message: bool
) -> None:
    async with open_house(store) as house:
        _, other = await turn_comes(house, until, away)
        assert news_of(house, other, 0) == [new_message]
        assert house.chat.lines == {}


async def test_a_rack_that_has_scrolled_away_comes_anew_though_its_player_is_there(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        house.chat.covered = {"mem:ada", "mem:can"}
        _, other = await turn_comes(house, until, 1.0)
        assert news_of(house, other, 0) == [True]


async def test_people_who_know_of_their_turn_are_not_looked_for(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        table, person = await turn_comes(house, until, 0.0)
        assert person.key in house.chat.looked_for
        house.chat.looked_for.clear()
        await house.press(person, offers(await house.rack(person, table), "draw")[0].press)
        await _settled(house, until)
        assert house.chat.looked_for == []


async def test_a_turn_that_was_shown_calls_nobody_who_thinks_it_over(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        await everybody(house, "mention")
        table, other = await turn_comes(house, until, 1.0)
        house.chat.covered = {other.key}
        await house.app.tables.change(table, None, lambda stored: Change(stored.value))
        await _settled(house, until)
        assert house.chat.lines == {}
        assert news_of(house, other, 0) == [False]


@pytest.mark.parametrize("wish", ["away", "none"])
async def test_the_first_rack_of_a_match_is_a_new_message(store: Store, until: Until, wish: str) -> None:
    async with open_house(store) as house:
        await everybody(house, wish)
        people = [house.person("Ada"), house.person("Can")]
        table = await house.open(*people, words="2")
        lobby = {each.key: await house.rack(each, table) for each in people}
        for key, screen in lobby.items():
            await house.app.delivery.note_shown(key, screen, f"{key} lobby")
        await house.press(people[0], f"start.{table}.0", private=False)
        await _settled(house, until)
        assert [news_of(house, each, 0) for each in people] == [[True], [True]]
        assert set(house.chat.silent) == (set(lobby) if wish == "none" else set())


async def test_who_wants_a_message_each_turn_gets_one_though_they_are_there(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        await everybody(house, "message")
        _, other = await turn_comes(house, until, 0.0)
        assert news_of(house, other, 0) == [True]


@pytest.mark.parametrize("way", ["none", "quiet"])
async def test_who_wants_to_be_left_alone_is(store: Store, until: Until, way: str) -> None:
    async with open_house(store) as house:
        hour = datetime.now(UTC).hour
        await everybody(house, "none" if way == "none" else f"quiet {hour}-{(hour + 2) % 24}")
        _, other = await turn_comes(house, until, LONG_AGO)
        assert news_of(house, other, 0) == [False]
        assert house.chat.lines == {}


async def test_a_mention_calls_by_name_where_the_table_is(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        await everybody(house, "mention")
        table, other = await turn_comes(house, until, LONG_AGO)
        assert news_of(house, other, 0) == [False]
        (((who,), text),) = house.chat.lines.values()
        assert (who.key, who.name) == (other.key, other.name)
        assert read(text).startswith("it is your turn at Table 1")
        shown = (await store.notes.load(table))[PLACE].text
        assert Link("Table 1", f"https://chat.test/{shown}") in text, "it may have scrolled away"
        await house.app.tables.change(table, None, lambda stored: Change(stored.value))
        await _settled(house, until)
        assert len(house.chat.lines) == 1


async def test_a_mention_comes_though_the_tables_have_used_up_their_part(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        await everybody(house, "mention")
        table, on_turn, other = await playing(house, "clock=5m")
        await been_away(house, table, other)
        await _settled(house, until)
        shown = len(house.chat.tables)
        house.chat.limits.places = (RateLimit(PLACE, 1, 600.0),)
        assert await house.app.delivery.spend(house.chat.limits.places) == 0
        await discard(house, on_turn, table)

        async def called() -> bool:
            return [who.key for (who,), _ in house.chat.lines.values()] == [other.key]

        await until(called)
        assert len(house.chat.tables) == shown


async def test_nobody_who_looks_is_mentioned(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        await everybody(house, "mention")
        await turn_comes(house, until, 10.0)
        assert house.chat.lines == {}


async def test_the_warning_calls_again_and_takes_the_first_line_back(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        await everybody(house, "mention")
        table, _ = await turn_comes(house, until, LONG_AGO)
        await time_is_up(house, table)
        await _settled(house, until)
        (first, _), (_, (_, second)) = house.chat.lines.items()
        assert read(second).startswith("⏰ your time at Table 1 is running out")
        assert house.chat.taken_back == [first]


async def test_a_line_is_taken_back_when_its_turn_is_over(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        await everybody(house, "mention")
        table, other = await turn_comes(house, until, LONG_AGO)
        (line,) = house.chat.lines
        assert house.chat.taken_back == []
        await discard(house, other, table)
        await _settled(house, until)
        assert house.chat.taken_back == [line]


async def test_a_line_is_taken_back_though_the_process_was_killed_before_the_next_one(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house(store) as house:
        await everybody(house, "mention")
        table, other = await turn_comes(house, until, LONG_AGO)
        (line,) = house.chat.lines
        killed = asyncio.Event()

        async def kill(*line: object, **how: object) -> str:
            killed.set()
            raise asyncio.CancelledError

        monkeypatch.setattr(house.chat, "post_line", kill)
        await time_is_up(house, table)
        await killed.wait()
    async with open_house(store) as house:
        await discard(house, other, table)

        async def taken_back() -> bool:
            return house.chat.taken_back == [line]

        await until(taken_back)


async def test_the_warning_is_a_new_message_for_who_was_there_when_their_turn_came(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        table, other = await turn_comes(house, until, 10.0)
        await been_away(house, table, other)
        await _settled(house, until)
        before = news_of(house, other, 0)
        assert not any(before)
        await time_is_up(house, table)
        await _settled(house, until)
        assert news_of(house, other, 0) == [*before, True]


async def test_whom_messages_do_not_reach_can_be_mentioned(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        house.chat.closed = {"mem:ada", "mem:can"}
        await everybody(house, "mention")
        _, other = await turn_comes(house, until, LONG_AGO)
        lines = [(who.key, str(text)) for calls, text in house.chat.lines.values() for who in calls]
        assert [who for who, text in lines if "your turn" in text] == [other.key]
        assert sorted(who for who, text in lines if "Privacy Settings" in text) == ["mem:ada", "mem:can"]


async def test_for_whom_a_computer_player_plays_is_not_called(store: Store, until: Until) -> None:
    async with open_house(store, computer=60.0) as house:
        table, on_turn, other = await playing(house, "clock=5m")
        await house.press(other, f"step_out.{table}.0")
        await been_away(house, table, other)
        await _settled(house, until)
        house.chat.racks.clear()
        await discard(house, on_turn, table)
        await _settled(house, until)
        assert news_of(house, other, 0) == []


async def test_a_mention_that_the_chat_puts_off_is_made_once(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        await everybody(house, "mention")
        table, on_turn, other = await playing(house, "clock=5m")
        await _settled(house, until)
        await been_away(house, table, other)
        house.chat.refuse_lines = [RetryAfter(0.05), PlaceMoved("mem:new")]
        await discard(house, on_turn, table)
        await until(lambda: _has_line(house))
        assert list(house.chat.lines) == ["mem:new#line 0"]
        assert (await kept_of(house, table)).value.places == ("mem:new",)


async def test_a_mention_that_was_put_off_is_made_though_the_store_was_away_just_then(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is noted before it is made, and a note that stays says that it was."""
    away = [StoreUnavailable(), StoreUnavailable()]
    drop = store.notes.drop

    async def drop_notes(table: str, *targets: str) -> None:
        if away and targets[0].startswith("call "):
            raise away.pop()
        await drop(table, *targets)

    async with open_house(store) as house:
        await everybody(house, "mention")
        table, on_turn, other = await playing(house, "clock=5m")
        await _settled(house, until)
        await been_away(house, table, other)
        monkeypatch.setattr(store.notes, "drop", drop_notes)
        house.chat.refuse_lines = [RetryAfter(0.05)]
        await discard(house, on_turn, table)
        await until(lambda: _has_line(house))
        await _settled(house, until)
        assert not away
        assert len(house.chat.lines) == 1
        assert len(house.chat.line_names) == 2
        assert len(set(house.chat.line_names) - {""}) == 1, "where it was posted after all it stays one line"


async def test_who_is_on_turn_is_mentioned_once_by_two_processes(store: Store, until: Until) -> None:
    """One is stopped before it notes the mention, and goes on when the other one has told everything."""
    stopping = StoppedStore(store)
    async with open_house(store, work=False) as house, open_house(stopping, work=False) as other:  # type: ignore[arg-type]
        other.app.chats["mem"] = house.chat
        await everybody(house, "mention")
        table, on_turn, late = await playing(house, "clock=5m")
        await been_away(house, table, late)
        await discard(house, on_turn, table)
        for each in (house, other):
            each.app.delivery._shared = replace(each.app.delivery._shared, duties=Everything())

        async def stopped() -> bool:
            other.app.delivery.settle(table)
            return stopping.stopped == 1

        await until(stopped)
        await until(lambda: _told_by(house))
        assert len(house.chat.lines) == 1
        await store.timers.mark_dirty(table)
        stopping.go_on()
        await until(lambda: _told_by(other))
        assert len(house.chat.lines) == 1


async def _told_by(house: House) -> bool:
    """Return whether nothing is left to be told after one more look by this process."""
    for key, mark in await dirty(house.store):
        await house.app.delivery.settle(key, mark)
    return await dirty(house.store) == []


async def _has_line(house: House) -> bool:
    return bool(house.chat.lines)


async def everybody(house: House, wish: str) -> None:
    for name in ("Ada", "Can"):
        assert (await house.type(house.person(name), "notify", wish, place=None)).page is not None


@pytest.mark.parametrize(
    ("quiet", "offset", "utc", "expected"),
    [
        ((23, 8), 0, "23:00", True),
        ((23, 8), 0, "07:59", True),
        ((23, 8), 0, "08:00", False),
        ((23, 8), 0, "22:59", False),
        ((9, 17), 0, "12:00", True),
        ((9, 17), 0, "17:00", False),
        ((23, 8), 180, "20:00", True),
        ((23, 8), 180, "05:00", False),
        ((23, 8), -330, "04:45", True),
        (None, 0, "03:00", False),
    ],
)
def test_quiet_hours_are_hours_of_one_s_own_clock(
    quiet: tuple[int, int] | None, offset: int, utc: str, expected: bool
) -> None:
    now = datetime.fromisoformat(f"2026-03-04T{utc}:00+00:00").timestamp()
    assert is_quiet(Notifying(quiet=quiet, offset=offset), now) is expected


async def test_notifications_are_one_tap_from_the_settings(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        page = await _press(house, ada, "preferences.me.0")
        page = await _press(house, ada, offers(page, "notify")[0].press)
        assert _chosen(page) == {"When away", "No quiet hours"}
        page = await _press(house, ada, _button(page, "By name"))
        page = await _press(house, ada, _button(page, "🌙 23:00–08:00"))
        assert _chosen(page) == {"By name", "🌙 23:00–08:00"}
        zones = await _press(house, ada, _button(page, "🕓 My time…"))
        assert len(offers(zones, "notify_offset")) == 24
        page = await _press(house, ada, "notify_offset.me.0.180")
        assert await _notifying(house, ada) == Notifying(way="mention", quiet=(23, 8), offset=180)
        assert _chosen(await _press(house, ada, "notify_zone.me.0")) != set()
        assert offers(page, "preferences")


async def test_notifications_are_set_by_a_command(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        await house.type(ada, "okey", "notify message quiet 22-7 +5:30")
        assert await _notifying(house, ada) == Notifying(way="message", quiet=(22, 7), offset=330)
        await house.type(ada, "notify", "quiet off -3")
        assert await _notifying(house, ada) == Notifying(way="message", offset=-180)


@pytest.mark.parametrize(
    "wish", ["loud", "quiet", "quiet 8", "quiet 8-8", "quiet 25-8", "quiet 0-24", "+15", "-12:30", "way"]
)
async def test_what_cannot_be_meant_is_refused_and_changes_nothing(store: Store, wish: str) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        refused = await house.type(ada, "notify", f"mention {wish}")
        assert refused.code == "bad_notify"
        assert said(refused).startswith("I didn’t understand that.")
        assert await _notifying(house, ada) == Notifying()


async def _notifying(house: House, person: Person) -> Notifying:
    return (await Profiles(house.store, {}).load(person.key)).notifying


async def _press(house: House, person: Person, press: str) -> Page:
    page = (await house.press(person, press)).page
    assert page is not None
    return page


def _button(page: Page, label: str) -> str:
    (press,) = (b.press for row in page.buttons for b in row if b.label == (label,))
    return press


def _chosen(page: Page) -> set[str]:
    labels = (str(b.label[0]) for row in page.buttons for b in row)
    return {label.removeprefix("✓ ") for label in labels if label.startswith("✓")}
