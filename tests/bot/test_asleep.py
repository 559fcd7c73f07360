"""A place that refuses is asleep, not lost: play goes on, people are told once, the table comes back."""

import asyncio
import time

import pytest

from bot.callback_data import callback_text
from bot.delivery import asleep
from bot.delivery.asleep import Sleep
from bot.i18n import plain, words_for
from bot.markup import Link, PublicScreen
from bot.people.notifications import find_awaited
from bot.ports import Person, PlaceDeleted, PlaceRefused, UnknownRefusal
from bot.store import Store
from bot.tables.membership import tag
from tests.bot.house import PLACE, House, open_house
from tests.bot.store.waiting import dirty
from tests.conftest import Until

REFUSED = PlaceRefused("no right to write")


async def test_play_goes_on_in_private_and_each_is_told_once(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asleep, "FIRST_PAUSE", 3600.0)
    async with open_house(store) as house:
        people, table = await refused_while_playing(house, until)
        await until_told(house, until, people)
        for _ in range(3):
            await plays(house, until, people, table)
        refused = house.chat.refused
        assert set(refused) == {PLACE}
        assert len(refused) <= 2, "a sleeping place is left alone; one more try may have been under way"
        told = [page for (_, once), page in house.chat.letters.items() if "asleep" in once]
        assert len(told) == 2
        words = plain(told[0].text, words_for("en"))
        assert words.startswith("I can’t write in the channel right now, so Table 1 isn’t shown there")
        assert f"https://chat.test/{PLACE}" in {part.url for part in told[0].text if isinstance(part, Link)}
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert stored.value.places == (PLACE,)


async def test_it_is_tried_at_once_when_somebody_acts_there(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        people, table = await refused_while_playing(house, until)
        await until_told(house, until, people)
        house.chat.refusing.clear()
        shown, letters = len(house.chat.tables), len(house.chat.letters)
        before = (await store.notes.load(table))[PLACE].text
        await house.press(people[0], f"rack.{table}.0", private=False)
        await until_shown_anew(house, until, shown)
        await plays(house, until, people, table)

        async def removed() -> bool:  # it would say for ever whose turn it was
            return [message for _, _, message in house.chat.last].count(before) == 1

        await until(removed)
        assert before not in house.chat.disarmed
        assert len(house.chat.letters) == letters
        assert [anew for _, _, anew in house.chat.tables[shown:]].count(True) == 1


async def test_a_lobby_loses_its_buttons_when_the_place_is_awake_again(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It refuses just then: the lobby stays in sight, with *Start*."""
    monkeypatch.setattr(asleep, "FIRST_PAUSE", 3600.0)
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        house.chat.refuse_buttons = [REFUSED]
        table = await house.open(ada, can, words="2")
        await house.press(ada, f"start.{table}.0", private=False)

        async def asleep_there() -> bool:
            return await house.app.delivery.sleeping.among([PLACE]) == {PLACE: True}

        await until(asleep_there)
        assert house.chat.last == []
        await house.press(can, f"rack.{table}.0", private=False)

        async def closed() -> bool:
            return (f"{PLACE}#1", ()) in [(message, shown.buttons) for _, shown, message in house.chat.last]

        await until(closed)
        await until(lambda: nothing_sleeps(store))


async def test_it_is_tried_at_once_when_the_platform_reports_a_change(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        people, table = await refused_while_playing(house, until)
        await until_told(house, until, people)
        house.chat.refusing.clear()
        shown = len(house.chat.tables)
        await house.app.delivery.note_reopened({"mem:elsewhere"})
        await plays(house, until, people, table)
        assert len(house.chat.tables) == shown
        await house.app.delivery.note_reopened({PLACE})
        await until_shown_anew(house, until, shown)


@pytest.mark.parametrize("slept", [False, True])
async def test_a_call_of_before_the_change_that_is_refused_after_it_puts_nothing_to_sleep(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch, slept: bool
) -> None:
    """The platform reports a change once: nobody would wake the place again."""
    monkeypatch.setattr(asleep, "FIRST_PAUSE", 3600.0)
    async with open_house(store) as house:
        people, table = await playing(house, until)
        show_table, under_way, reopened = house.chat.show_table, asyncio.Event(), asyncio.Event()

        async def show_late(place: str, screen: PublicScreen, message: str | None, *, anew: bool) -> str:
            if not reopened.is_set():
                under_way.set()
                await reopened.wait()
                raise REFUSED
            return await show_table(place, screen, message, anew=anew)

        if slept:
            house.chat.refusing[PLACE] = REFUSED
            await plays(house, until, people, table)
            await until_told(house, until, people)
            monkeypatch.setattr(house.chat, "show_table", show_late)
            await house.press(people[0], f"rack.{table}.0", private=False)
        else:
            monkeypatch.setattr(house.chat, "show_table", show_late)
            await plays(house, until, people, table)
        await under_way.wait()
        house.chat.refusing.clear()
        shown = len(house.chat.tables)
        await house.app.delivery.note_reopened({PLACE})
        reopened.set()

        async def is_shown() -> bool:
            return len(house.chat.tables) > shown

        await until(is_shown)
        await until(lambda: nothing_sleeps(store))


async def test_a_clock_that_was_set_back_does_not_keep_a_refusing_place_awake(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be tried without a pause."""
    now = store.clock()
    async with open_house(store, work=False) as house:
        sleeping = house.app.delivery.sleeping
        monkeypatch.setattr(store, "clock", lambda: now + 3600)
        await sleeping.note_refusal(PLACE, "no right", asked=now + 3599)
        await sleeping.wake_in({PLACE})
        monkeypatch.setattr(store, "clock", lambda: now)
        await sleeping.note_refusal(PLACE, "no right", asked=now - 1)
        assert await sleeping.among([PLACE]) == {PLACE: True}


async def test_it_is_tried_again_by_itself_after_growing_pauses(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses = [Sleep(refusals=refusals, until=0.0).pause for refusals in (1, 2, 3, 30)]
    assert pauses == [15.0, 30.0, 60.0, 3600.0]
    monkeypatch.setattr(asleep, "FIRST_PAUSE", 0.2)
    async with open_house(store) as house:
        await refused_while_playing(house, until)

        async def tried() -> bool:
            return len(house.chat.refused) >= 3

        await until(tried)
        house.chat.refusing.clear()
        await until_shown_anew(house, until, len(house.chat.tables))
        await until(lambda: nothing_sleeps(store))


async def test_another_process_knows_that_it_sleeps(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        people, table = await refused_while_playing(house, until)
        await until_told(house, until, people)
    async with open_house(store) as house:
        house.chat.refusing[PLACE] = REFUSED
        await plays(house, until, people, table)
        assert house.chat.refused == []
        assert house.chat.letters == {}
        house.chat.refusing.clear()
        await house.app.delivery.note_reopened({PLACE})
        await until_shown_anew(house, until, 0)


async def test_who_refuses_a_process_that_did_not_know_is_left_alone_from_then_on(store: Store) -> None:
    async with open_house(store, work=False) as one, open_house(store, work=False) as other:
        assert await one.app.delivery.sleeping.among([PLACE]) == {}
        await other.app.delivery.sleeping.note_refusal(PLACE, "no right")
        await one.app.delivery.sleeping.note_refusal(PLACE, "no right")
        assert await one.app.delivery.sleeping.among([PLACE]) == {PLACE: True}


async def test_a_pause_ends_when_the_clock_is_set_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is to wait for it to come there again."""
    now = store.clock()
    async with open_house(store, work=False) as house:
        sleeping = house.app.delivery.sleeping
        monkeypatch.setattr(store, "clock", lambda: now + 3600)
        await sleeping.note_refusal(PLACE, "no right")
        assert await sleeping.among([PLACE]) == {PLACE: True}
        monkeypatch.setattr(store, "clock", lambda: now)
        assert await sleeping.among([PLACE]) == {PLACE: False}
        await sleeping.note_refusal(PLACE, "no right")
        assert await sleeping.among([PLACE]) == {PLACE: True}
        monkeypatch.setattr(store, "clock", lambda: now + 30)
        assert await sleeping.among([PLACE]) == {PLACE: False}, "twice the first pause"


async def test_its_pause_is_the_same_for_a_machine_whose_clock_is_right(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was put to sleep by one whose clock is an hour ahead."""
    monkeypatch.setattr(asleep, "FIRST_PAUSE", 0.2)
    async with open_house(store, work=False) as house:
        with monkeypatch.context() as ahead:
            true = time.time
            ahead.setattr(time, "time", lambda: true() + 3600)
            await house.app.worker.shares.attend()
            await house.app.delivery.sleeping.note_refusal(PLACE, "no right")
        await house.app.worker.shares.attend()

        async def due() -> bool:
            return await house.app.delivery.sleeping.among([PLACE]) == {PLACE: False}

        await until(due)


async def test_who_asks_while_a_place_falls_asleep_does_not_take_it_for_awake(store: Store) -> None:
    async with open_house(store, work=False) as house:
        sleeping = house.app.delivery.sleeping
        await asyncio.gather(
            sleeping.note_refusal(PLACE, "no right"), *(sleeping.among([PLACE]) for _ in range(9))
        )
        assert PLACE in await sleeping.among([PLACE])


async def test_a_refusal_that_nobody_knows_is_one_warning(
    store: Store, until: Until, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asleep, "FIRST_PAUSE", 0.1)
    async with open_house(store) as house:
        people, table = await playing(house, until)
        house.chat.refusing[PLACE] = UnknownRefusal("status 400, code 50008")
        stored = await house.app.tables.load(table)
        assert stored is not None
        waits = people[0].key if find_awaited(stored.value) == 1 else people[1].key
        house.chat.refusing[waits] = UnknownRefusal("status 400, code 50008")

        async def tried() -> bool:
            return house.chat.refused.count(PLACE) > 1 and house.chat.refused.count(waits) > 1

        await plays(house, until, people, table)
        await until(tried)
    said = [f"{record.levelname} {record.getMessage()}" for record in caplog.records]
    for recipient in (PLACE, waits):
        assert len([line for line in said if f"{recipient} refuses" in line]) == 1
    assert not [line for line in said if line.startswith("ERROR")]


async def test_who_was_removed_and_refuses_is_left_alone_for_a_pause(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asleep, "FIRST_PAUSE", 3600.0)
    async with open_house(store) as house:
        (ada, can), table = await playing(house, until)
        house.chat.refusing[can.key] = UnknownRefusal("status 400, code 50008")
        await house.press(ada, f"remove_now.{table}.0.{tag(can.key)}")

        async def asleep_and_settled() -> bool:
            return await store.refusals.list_all() == [can.key] and not await dirty(store)

        await until(asleep_and_settled)
        assert len(house.chat.refused) <= 2, "one more try may have been under way"


async def test_a_deleted_thread_gives_its_table_back_to_the_channel(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        await house.organise(house.person("Boss"), "rooms", "on")
        people, table = await playing(house, until)
        thread = f"{PLACE}/1"
        (line,) = house.chat.lines
        house.chat.refusing[thread] = PlaceDeleted("unknown channel")
        shown = len(house.chat.tables)
        await plays(house, until, people, table)
        await until_told(house, until, people)
        await until_shown_anew(house, until, shown)

        async def taken_back() -> bool:
            return house.chat.taken_back == [line]

        await until(taken_back)
        assert {place for place, _, _ in house.chat.tables[shown:]} == {PLACE}
        assert house.chat.refused == [thread]
        assert thread not in await store.notes.load(table)
        await plays(house, until, people, table)
        assert len(house.chat.letters) == 2


async def playing(house: House, until: Until) -> tuple[list[Person], str]:
    """Two people who have played before are at a table, and have their racks."""
    people = [house.person("Ada"), house.person("Can")]
    for person in people:
        await house.type(person, "guide", place=None)
    await house.type(people[0], "play", "2")
    (table,) = await house.store.index.tables_of(people[0].key)
    await house.press(people[1], f"join.{table}.0", private=False)
    await house.press(people[0], f"start.{table}.0", private=False)

    async def begun() -> bool:
        return len(house.chat.racks) == 2 and any(screen.picture for _, screen, _ in house.chat.tables)

    await until(begun)
    return people, table


async def refused_while_playing(house: House, until: Until) -> tuple[list[Person], str]:
    """The same, and their place refuses what one move has to show there."""
    people, table = await playing(house, until)
    house.chat.refusing[PLACE] = REFUSED
    await plays(house, until, people, table)
    return people, table


async def plays(house: House, until: Until, people: list[Person], table: str) -> None:
    """Whoever is on turn discards, in private, and the next one gets their rack."""
    sent, verbs = len(house.chat.racks), ["draw", "discard"]
    while verbs:
        stored = await house.app.tables.load(table)
        assert stored is not None
        round, seat = stored.value.match.round, find_awaited(stored.value)
        assert round is not None
        assert seat is not None
        rack, verb = round.racks[seat], verbs.pop(0)
        if verb == "draw" and len(rack) > 14:
            continue
        tile = next(tile for tile in rack if tile is not round.okey)
        tiles = [tile.name] if verb == "discard" else []
        pressed = callback_text(verb, table, stored.value.moment, *tiles)
        screen = (await house.press(people[seat], pressed)).private
        assert screen is not None
        await house.app.delivery.note_shown(people[seat].key, screen, "rack")
    other = people[1 - seat].key

    async def theirs() -> bool:
        return other in house.chat.refusing or other in {each for each, _, _ in house.chat.racks[sent:]}

    await until(theirs)


async def until_told(house: House, until: Until, people: list[Person]) -> None:
    async def told() -> bool:
        letters = {person for person, once in house.chat.letters if "asleep" in once}
        return letters == {person.key for person in people}

    await until(told)


async def until_shown_anew(house: House, until: Until, before: int) -> None:
    async def shown() -> bool:
        return any(anew for _, _, anew in house.chat.tables[before:])

    await until(shown)


async def nothing_sleeps(store: Store) -> bool:
    return await store.refusals.list_all() == []
