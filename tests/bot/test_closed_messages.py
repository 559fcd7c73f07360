"""Whom private messages do not reach: told once how to change that, shown their rack in place, or called."""

from dataclasses import replace

import pytest
from msgspec import structs

from bot.callback_data import callback_text
from bot.delivery.views import Viewing
from bot.history.archive import Archive
from bot.history.records import Records
from bot.i18n import LANGUAGES, plain, words_for
from bot.ids import TableId
from bot.people.notifications import find_awaited
from bot.people.profiles import Profiles
from bot.people.sessions import AppSessions
from bot.people.tokens import HashedTokens
from bot.ports import Person, PlaceMoved
from bot.repository.tables import StoredTable
from bot.store import Store
from bot.tables.table import Change, Table
from tests.bot.house import PLACE, House, offers, open_house, said
from tests.bot.store.waiting import dirty
from tests.conftest import Until

ENGLISH = words_for("en")


async def begun(house: House, *people: Person) -> str:
    """A round of these two, whom no private message reaches."""
    house.chat.closed = {person.key for person in people}
    table = await house.open(*people, words="2")
    await house.press(people[0], f"start.{table}.0", private=False)
    return table


async def kept(house: House, table: str) -> Table:
    stored = await house.app.tables.load(table)
    assert stored is not None
    return stored.value


def called(house: House) -> list[tuple[str, str]]:
    """Who was called in the place, and what they were told."""
    return [(each.key, plain(text, ENGLISH)) for calls, text in house.chat.lines.values() for each in calls]


async def test_they_are_called_once_and_told_what_to_switch_on(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        await begun(house, ada, can)

        async def both() -> bool:
            return len(called(house)) == 2

        await until(both)
    async with open_house(store) as again:
        again.chat.closed = {ada.key, can.key}
        await again.type(ada, "rack")
        assert called(again) == []
    assert {person for person, _ in called(house)} == {ada.key, can.key}
    assert all("Privacy Settings → Direct Messages" in words for _, words in called(house))


async def test_one_line_calls_all_of_them(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        await begun(house, ada, can)
        await until(lambda: is_told(house))
        assert [{each.key for each in calls} for calls, _ in lines(house)] == [{ada.key, can.key}]


async def test_the_line_does_not_wait_for_those_whose_rack_comes(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        house.chat.closed = {ada.key}
        table = await house.open(ada, can, words="2")
        await house.press(ada, f"start.{table}.0", private=False)

        async def told() -> bool:
            return [{each.key for each in calls} for calls, _ in lines(house)] == [{ada.key}]

        await until(told)


async def test_the_line_does_not_wait_for_who_plays_in_the_app(store: Store, until: Until) -> None:
    async with open_house(store, web_url="https://okey.example") as house:
        ada, can = house.person("Ada"), house.person("Can")
        house.chat.closed = {can.key}
        table = await house.open(ada, can, words="2")
        sessions = AppSessions(store, HashedTokens(store))
        await sessions.note_open(ada.key)
        await house.press(ada, f"start.{table}.0", private=False)
        on_turn = ada if find_awaited(await kept(house, table)) == 0 else can
        await discard(house, on_turn, table)

        async def told() -> bool:
            await sessions.note_open(ada.key)
            return [{each.key for each in calls} for calls, _ in lines(house)] == [{can.key}]

        await until(told)


async def test_they_are_told_where_the_place_has_moved_to(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        house.chat.refuse_lines = [PlaceMoved("mem:new")]
        await begun(house, ada, can)

        async def both() -> bool:
            return {person for person, _ in called(house)} == {ada.key, can.key}

        await until(both)
        assert any(line.startswith("mem:new#") for line in house.chat.lines)


async def test_who_takes_a_seat_over_is_told_it_too(store: Store, until: Until) -> None:
    """A substitute on a league night, or the same person under their account on another platform."""
    async with open_house(store) as house:
        ada, can, zoe = (house.person(name) for name in ("Ada", "Can", "Zoe"))
        table = await begun(house, ada, can)
        await until(lambda: is_told(house))
        house.chat.closed.add(zoe.key)

        def act(stored: StoredTable) -> Change:
            after = stored.value.with_seat(1, person=zoe.key, name="Zoe", private_closed=False)
            return Change(after.with_seat(1))

        await house.app.tables.change(TableId(table), None, act)

        async def told() -> bool:
            return zoe.key in {person for person, words in called(house) if "Privacy Settings" in words}

        await until(told)


async def test_a_button_opens_the_private_chat_where_people_do_that_themselves(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        house.chat.bot_name = "okey_bot"
        ada, can = house.person("Ada"), house.person("Can")
        table = await begun(house, ada, can)

        async def told() -> bool:
            return list(house.chat.opening.values()) == [table]

        await until(told)
        (line,) = house.chat.opening
        assert plain(house.chat.lines[line][1], ENGLISH) == ENGLISH.plain("private.closed_link", n=2)
        house.chat.closed = set()
        started = await house.type(can, "start", table, place=None)
        assert started.private is not None
        assert not (await kept(house, table)).seats[1].private_closed
        stranger = await house.type(house.person("Eve"), "start", table, place=None)
        assert stranger.code == "expired_link"


async def test_it_is_told_in_that_line_alone_which_goes_once_all_have_opened_their_chats(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begun(house, ada, can)
        await until(lambda: is_told(house))
        (line,) = house.chat.opening
        assert "Privacy Settings" not in plain((await house.look(table)).text, ENGLISH)

        async def settled() -> bool:
            return not house.app.delivery.backlog and not await dirty(store)

        house.chat.closed = set()
        await house.type(can, "start", place=None)
        await until(settled)
        assert line not in house.chat.taken_back
        await house.type(ada, "start", place=None)

        async def gone() -> bool:
            return line in house.chat.taken_back

        await until(gone)
        await until(settled)
        assert len(lines(house)) == 1


def ended(stored: StoredTable) -> Change:
    return Change(structs.replace(stored.value, stage="closed"), due=None)


async def test_the_line_goes_with_the_match(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begun(house, ada, can)
        await until(lambda: is_told(house))

        (line,) = house.chat.opening
        await house.app.tables.change(TableId(table), None, ended)

        async def gone() -> bool:
            return line in house.chat.taken_back

        await until(gone)


async def test_a_plain_start_in_private_brings_the_rack_that_did_not_come(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begun(house, ada, can)
        await until(lambda: is_told(house))
        house.chat.closed = set()
        await house.type(can, "start", place=None)
        assert not (await kept(house, table)).seats[1].private_closed

        async def came() -> bool:
            return any(person == can.key for person, _, _ in house.chat.racks)

        await until(came)


async def test_a_start_during_the_match_is_answered_with_the_rack_and_no_page_to_read(
    store: Store, until: Until
) -> None:
    """By the program's name or by the table's link, and again when the chat has long been open."""
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begun(house, ada, can)
        await until(lambda: is_told(house))
        await house.press(can, "guide.me.0.1")
        house.chat.closed = set()
        for payload in ("", "", table):
            started = await house.type(can, "start", payload, place=None)
            assert (started.page, started.notice) == (None, ())
            assert started.private is not None
            assert started.private.table == table


async def test_a_start_after_the_match_or_before_it_is_answered_with_help(house: House) -> None:
    ada = house.person("Ada")
    table = await house.open(ada, words="2")
    assert (await house.type(ada, "start", place=None)).page is not None
    await house.press(ada, f"cancel.{table}.0", private=False)
    assert (await house.type(ada, "start", place=None)).page is not None


async def test_a_plain_start_brings_nothing_of_matches_that_are_over(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begun(house, ada, can)
        await until(lambda: is_told(house))

        await house.app.tables.change(TableId(table), None, ended)
        before = await kept(house, table)
        house.chat.closed = set()
        await house.type(can, "start", place=None)
        assert await kept(house, table) == before


async def test_who_opens_their_chat_between_two_matches_is_written_to_in_the_next(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begun(house, ada, can)
        await until(lambda: is_told(house))

        def end(stored: StoredTable) -> Change:
            won = replace(stored.value.match, winners=(0,))
            return Change(structs.replace(stored.value, stage="over", match=won), due=None)

        await house.app.tables.change(TableId(table), None, end)
        house.chat.closed = set()
        await house.press(ada, f"again.{table}.0", private=False)
        (lobby,) = set(await store.index.tables_at(PLACE)) - {table}
        await house.press(ada, f"start.{lobby}.0", private=False)

        async def both() -> bool:
            return {person for person, screen, _ in house.chat.racks if screen.table == lobby} == {
                ada.key,
                can.key,
            }

        await until(both)


async def whispered_to(house: House, until: Until) -> Person:
    """Whoever waits for the other's turn, and sees their rack only in the place; the other has discarded."""
    people = house.person("Ada"), house.person("Can")
    table = await begun(house, *people)
    await until(lambda: is_told(house))
    turn = find_awaited(await kept(house, table))
    assert turn is not None
    house.chat.whispering = {people[1 - turn].key}
    await discard(house, people[turn], table)
    return people[1 - turn]


async def test_a_rack_that_a_place_shows_to_them_alone_follows_the_game(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        waits = await whispered_to(house, until)

        async def brought() -> bool:  # perhaps once before the discard, too
            return {person for person, _, _ in house.chat.racks} == {waits.key}

        await until(brought)


async def test_a_rack_shown_in_place_does_not_mean_that_private_messages_arrive(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        waits = await whispered_to(house, until)

        async def shown_in_place() -> bool:
            return bool(house.chat.racks) and not house.app.delivery.backlog

        await until(shown_in_place)
        house.chat.whispering = set()
        answer = await house.type(waits, "practice")
        assert answer.private is not None, said(answer)


@pytest.mark.parametrize("in_place", [False, True])
async def test_whom_no_new_message_reaches_is_called_to_their_turn(
    store: Store, until: Until, *, in_place: bool
) -> None:
    """A rack that the place shows to them alone changes without a sound."""
    async with open_house(store) as house:
        people = house.person("Ada"), house.person("Can")
        for person in people:
            await house.type(person, "notify", "message")
        table = await begun(house, *people)
        await until(lambda: is_told(house))
        before = len(called(house))
        turn = find_awaited(await kept(house, table))
        assert turn is not None
        house.chat.whispering = {people[1 - turn].key} if in_place else set()
        await discard(house, people[turn], table)

        async def called_to_turn() -> bool:
            return people[1 - turn].key in {person for person, _ in called(house)[before:]}

        await until(called_to_turn)


async def test_a_number_discards_an_okey_at_the_second_press_and_no_button_tells_of_it(store: Store) -> None:
    async with open_house(store, work=False) as house:
        house.chat.private_everywhere = False
        people = house.person("Ada"), house.person("Can")
        table = await begun(house, *people)
        turn = find_awaited(await kept(house, table))
        assert turn is not None
        await house.app.tables.change(table, None, lambda stored: Change(with_okey(stored.value, turn)))
        screen = await house.look(table)
        assert offers(screen, "okey_here") == []
        number = offers(screen, "place")[0].press
        asked = await house.press(people[turn], number, private=False)
        assert "press the same number again" in said(asked)
        assert asked.urgent
        assert (await house.look(table)).buttons == screen.buttons
        await house.press(people[turn], number, private=False)
        assert find_awaited(await kept(house, table)) == 1 - turn


async def test_whom_only_alerts_reach_takes_the_seat_back_at_the_table(store: Store) -> None:
    async with open_house(store, work=False) as house:
        house.chat.private_everywhere = False
        people = house.person("Ada"), house.person("Can")
        table = await begun(house, *people)

        def act(stored: StoredTable) -> Change:
            closed = stored.value.with_seat(1, private_closed=True, alerts_only=True)
            return Change(closed.with_seat(0, private_closed=False))

        await house.app.tables.change(TableId(table), None, act)
        assert offers(await house.look(table), "back_in") == []
        await house.press(people[1], f"step_out.{table}.0", private=False)
        asked = await house.press(people[1], f"rack.{table}.0", private=False)
        assert asked.brief == ENGLISH.plain("rack.stand_in_brief")
        stored = await house.app.tables.load(TableId(table))
        assert stored is not None
        profiles, records = Profiles(store, house.app.chats), Records(store, Archive(store))
        lobby = Viewing(profiles, records).full_lobby(stored, PLACE)
        assert "computer" not in plain(lobby.text, ENGLISH), "it tells who sat down"
        (back,) = offers(await house.look(table), "back_in")
        await house.press(people[1], back.press, private=False)
        assert (await kept(house, table)).seats[1].computer is None
        assert offers(await house.look(table), "back_in") == []


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_alert_says_what_the_numbers_do(store: Store, language: str) -> None:
    async with open_house(store, work=False) as house:
        house.chat.private_everywhere = False
        people = house.person("Ada"), house.person("Can")
        table = await begun(house, *people)
        turn = find_awaited(await kept(house, table))
        assert turn is not None
        for person in people:
            reader = replace(person, language=language)
            told = await house.press(reader, f"rack.{table}.0", private=False)
            last = words_for(language).plain("rack.numbers")
            assert told.brief.endswith(last) == (person is people[turn])
            assert len(told.brief.encode("utf-16-le")) // 2 <= 200


def with_okey(table: Table, seat: int) -> Table:
    """The player has an okey first on their rack, and only alerts reach them."""
    round = table.match.round
    assert round is not None
    rack = (round.okey, *round.racks[seat][1:])
    racks = tuple(rack if number == seat else each for number, each in enumerate(round.racks))
    match = replace(table.match, round=replace(round, racks=racks))
    shelves = (rack[:8], rack[8:])
    table = table.with_seat(seat, private_closed=True, alerts_only=True, shelves=shelves)
    return structs.replace(table, match=match)


async def discard(house: House, person: Person, table: str) -> None:
    """Whoever begins discards, in the place."""
    held = await kept(house, table)
    round = held.match.round
    assert round is not None
    tile = next(tile for tile in round.racks[held.seat_of(person.key) or 0] if tile is not round.okey)
    await house.press(person, callback_text("discard", table, held.moment, tile.name), private=False)


def lines(house: House) -> list[tuple[tuple[Person, ...], str]]:
    """The lines that say why racks do not come in private, and those whom they call."""
    told = [(tuple(calls), plain(text, ENGLISH)) for calls, text in house.chat.lines.values()]
    return [(calls, text) for calls, text in told if "Privacy Settings" in text]


async def is_told(house: House) -> bool:
    """Return whether both know why their racks do not come in private."""
    return len({person for person, words in called(house) if "Privacy Settings" in words}) == 2


async def test_whom_no_place_can_show_a_rack_just_now_plays_by_numbers(store: Store) -> None:
    """The chat shows racks privately in places, but this one did not come: nobody is left without a move."""
    async with open_house(store, work=False) as house:
        people = house.person("Ada"), house.person("Can")
        table = await begun(house, *people)
        turn = find_awaited(await kept(house, table))
        assert turn is not None
        person = people[turn]
        await house.app.tables.private_closed(TableId(table), person.key, alerts=False)
        assert not offers(await house.look(table), "blind")
        await house.app.delivery.note_alerts_only(person.key, table)
        sits = (await kept(house, table)).seats[turn]
        assert (sits.private_closed, sits.alerts_only) == (True, True)
        assert len([b for row in (await house.look(table)).buttons for b in row]) > 10
        await house.app.delivery.note_alerts_only(person.key, "no table")
