"""Who is shown what, and when: every place and person the newest, once, whatever goes wrong."""

import re
from dataclasses import replace

import pytest
import redis

from bot.callback_data import callback_text
from bot.delivery import latest, messages
from bot.i18n import plain, words_for
from bot.ids import TableId
from bot.markup import PublicScreen, ResultPicture
from bot.ports import Answer, Person, PlaceMoved, PlaceRefused, PrivateClosed, RateLimit, RetryAfter
from bot.store import Store, table_hints
from bot.store.codec import Codec
from bot.tables.facts import table_facts
from bot.tables.play import TOLD_LATER
from bot.tables.table import SCHEMA, Table
from bot.tables.worth import of_player
from tests.bot.house import PLACE, House, offers, open_house, said, without_clock
from tests.bot.rounds import play_round
from tests.bot.store.waiting import count_reads, dirty
from tests.conftest import Until


async def test_a_new_table_is_posted_and_then_edited(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada)
        await until(lambda: _up_to_date(house, ada, table))
        await house.press(can, f"join.{table}.0", private=False)
        await until(lambda: _up_to_date(house, ada, table))
        assert [anew for _, _, anew in house.chat.tables][:1] == [True]
        assert not any(anew for _, _, anew in house.chat.tables[1:])


async def test_each_round_has_a_message_of_its_own(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2")
        await until(lambda: _up_to_date(house, ada, table))
        await house.press(ada, f"start.{table}.0", private=False)
        await until(lambda: _up_to_date(house, ada, table))
        assert house.chat.tables[-1][2]
        assert house.chat.tables[-1][1].picture is not None


async def test_racks_come_at_the_start_and_only_to_their_owners(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        people, _ = await _playing(house, until)
        assert sorted(person for person, _, _ in house.chat.racks) == sorted(each.key for each in people)
        for person, screen, _ in house.chat.racks:
            owner = next(each for each in people if each.key == person)
            assert screen.picture == (await house.rack(owner, screen.table)).picture


async def test_the_answer_to_a_press_is_not_sent_again(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        people, table = await _playing(house, until)
        starter = await house.on_turn(table, *people)
        other = next(person for person in people if person is not starter)
        sent = len(house.chat.racks)
        answer = await _discards(house, starter, table)
        assert answer.private is not None
        await house.app.delivery.note_shown(starter.key, answer.private, "their message")
        await until(lambda: _has_rack(house, other, sent))
        await until(lambda: _settled(store))
        assert [person for person, _, _ in house.chat.racks[sent:]] == [other.key]


async def test_a_table_out_of_sight_is_posted_anew_though_its_players_press_in_the_place(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that edited the message would leave delivery nothing to post."""
    monkeypatch.setattr(messages, "MOVED_SECONDS", 0.0)
    async with open_house(store) as house:
        people, table = await _playing(house, until, "clock=5m")  # longer than a test waits
        starter = await house.on_turn(table, *people)
        press = offers(await house.rack(starter, table), "discard")[0].press
        posted, house.chat.below = len(house.chat.tables), 11
        answer = await house.press(starter, press, private=False)
        if answer.public is not None:  # as a chat does
            await house.app.delivery.note_shown(PLACE, answer.public, answer.public_message)
        await until(lambda: _is_posted_anew(house, posted))


async def _is_posted_anew(house: House, before: int) -> bool:
    return any(anew for _, _, anew in house.chat.tables[before:])


async def test_an_answer_that_never_arrived_is_made_good(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        people, table = await _playing(house, until)
        starter = await house.on_turn(table, *people)
        sent = len(house.chat.racks)
        await house.press(starter, f"sort_pairs.{table}.0")
        await until(lambda: _has_rack(house, starter, sent))


async def test_an_answer_that_comes_after_newer_news_is_brought_up_to_date(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="2")
        await house.press(ada, f"start.{table}.0", private=False)

        async def sees_the_newest_in(message: str) -> bool:
            stored = await house.app.tables.load(table)
            assert stored is not None
            shown = (await store.notes.load(table)).get(ada.key)
            return shown is not None and (shown.text, shown.worth) == (
                message,
                str(of_player(stored.value, 0)),
            )

        async def all_is_told() -> bool:
            return await dirty(store) == []

        await until(lambda: sees_the_newest_in("mem:ada#1"))
        await until(all_is_told)
        await house.app.delivery.note_shown(ada.key, replace(await house.rack(ada, table), version=0), "late")
        await until(lambda: sees_the_newest_in("late"))


async def test_an_answer_goes_on_when_what_it_showed_cannot_be_noted(store: Store, valkey_url: str) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada)
        with redis.Redis.from_url(valkey_url) as server:
            server.config_set("maxmemory", 1)
            try:
                await house.app.delivery.note_shown(PLACE, await house.look(table), "message")
            finally:
                server.config_set("maxmemory", 0)
        assert await store.notes.load(table) == {}


async def test_closed_messages_are_tried_once_and_said_where_the_table_is(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        house.chat.closed = {can.key}
        table = await house.open(ada, can, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        await until(lambda: _tells_how_to_open(house, can))
        await until(lambda: _settled(store))
        assert can.key not in {person for person, _, _ in house.chat.racks}
        rack = await house.press(can, f"rack.{table}.1", private=False)
        assert rack.private is not None
        assert rack.private.picture is not None


async def test_who_acts_in_private_is_written_to_again(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        house.chat.closed = {can.key}
        table = await house.open(ada, can, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        await until(lambda: _tells_how_to_open(house, can))
        house.chat.closed = set()
        sent = len(house.chat.racks)
        await house.press(can, f"rack.{table}.1")
        await house.press(can, f"sort_pairs.{table}.1")
        await until(lambda: _has_rack(house, can, sent))


async def test_whom_only_alerts_reach_plays_by_numbers(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        house.chat.private_everywhere = False
        people = [house.person("Ada"), house.person("Can")]
        house.chat.closed = {each.key for each in people}
        table = await house.open(*people, words="2")
        await house.press(people[0], f"start.{table}.0", private=False)

        async def numbered() -> bool:
            return len(offers(await house.look(table), "place")) == 15

        await until(numbered)
        starter = await house.on_turn(table, *people, private=False)
        other = next(person for person in people if person is not starter)
        await until(lambda: _tells_how_to_open(house, *people))
        await _discard_by_number(house, starter, table)
        (draw,) = offers(await house.look(table), "draw_here")
        drawn = await house.press(other, draw.press, private=False)
        assert drawn.urgent
        assert "15:" in str(drawn.notice)
        assert len(str(drawn.notice)) < 200
        await _discard_by_number(house, other, table)
        refused = await house.press(other, draw.press, private=False)
        assert said(refused) == "That button has expired. Here is the current table."


async def test_a_turn_that_the_table_tells_needs_no_part_of_the_other_tables(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        house.chat.private_everywhere = False
        people = [house.person("Ada"), house.person("Can")]
        house.chat.closed = {each.key for each in people}
        table = await house.open(*people, words="2")
        await house.press(people[0], f"start.{table}.0", private=False)

        async def numbered() -> bool:
            return len(offers(await house.look(table), "place")) == 15

        await until(numbered)
        await until(lambda: _settled(store))
        house.chat.limits.places = (RateLimit(PLACE, 1, 600.0),)
        assert await house.app.delivery.spend(house.chat.limits.places) == 0
        await _discard_by_number(house, await house.on_turn(table, *people, private=False), table)
        await until(lambda: _up_to_date(house, people[0], table))


async def _discard_by_number(house: House, person: Person, table: str) -> None:
    """Press the first number; again, when the tile is an okey."""
    button = offers(await house.look(table), "place")[0]
    for _ in range(2):
        answer = await house.press(person, button.press, private=False)
        if not answer.notice:
            return
    raise AssertionError(answer)


async def test_patience_is_kept_for_one_target_alone(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada = house.person("Ada")
        house.chat.refuse = [RetryAfter(0.05), RetryAfter(0.05)]
        table = await house.open(ada)
        await until(lambda: _up_to_date(house, ada, table))
        assert not house.chat.refuse


async def test_budgets_are_kept(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        house.chat.limits.places = (RateLimit("mem:hall", 2, 600.0),)
        for name in ("Ada", "Can", "Ece"):
            await house.open(house.person(name))

        async def two_shown() -> bool:
            return len(house.chat.tables) == 2

        await until(two_shown)
        assert await house.app.delivery.spend(house.chat.limits.places) > 500
        assert len(house.chat.tables) == 2


async def test_what_has_waited_is_shown_once_and_at_its_newest(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
        house.chat.limits.places = (RateLimit("mem:hall", 1, 2.0),)
        await house.app.delivery.spend(house.chat.limits.places)
        table = await house.open(ada, can, ece)
        assert house.chat.tables == []
        await until(lambda: _up_to_date(house, ada, table))
        await until(lambda: _settled(store))
        assert len(house.chat.tables) == 1


async def test_the_way_to_people_is_opened_while_they_gather(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        people = [house.person(name) for name in ("Ada", "Can")]
        house.chat.shut = {"mem:ada", "mem:can", "mem:eve"}
        await house.open(*people)

        async def opened() -> bool:
            return house.chat.shut == {"mem:eve"}

        await until(opened)
        await until(lambda: _settled(store))
        assert house.chat.racks == []


async def test_a_way_that_may_not_be_opened_yet_holds_up_nobody_else(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        house.chat.shut, house.chat.openings = {can.key}, 1
        assert await house.app.delivery.spend(house.chat.opening_limits(can.key)) == 0
        table = await house.open(ada, can, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        await until(lambda: _has_rack(house, ada, 0))
        await until(lambda: _up_to_date(house, ada, table))
        assert {person for person, _, _ in house.chat.racks} == {ada.key}


async def test_a_place_that_moves_takes_its_tables_along(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada = house.person("Ada")
        house.chat.refuse = [PlaceMoved("mem:new")]
        await house.type(ada, "play")

        async def shown_there() -> bool:
            shown = [place for place, _, _ in house.chat.tables] == ["mem:new"]
            return shown and await store.index.tables_at(PLACE) == []

        await until(shown_there)
        assert await store.index.tables_at("mem:new") == [house.chat.tables[0][1].table]


async def test_a_table_that_is_opened_while_its_place_moves_moves_too(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    async with open_house(store) as house:
        await house.open(house.person("Ada"))
        move = house.app.tables.move_place

        async def slowly(table: TableId, place: str, new_place: str) -> None:
            monkeypatch.undo()
            opened.append(await house.open(house.person("Can")))
            await move(table, place, new_place)

        monkeypatch.setattr(house.app.tables, "move_place", slowly)
        await house.app.delivery.note_move(PLACE, "mem:new")
        house.chat.refusing[PLACE] = PlaceMoved("mem:new")
        await house.press(house.person("Ece"), f"join.{opened[0]}.0", private=False)

        async def shown_there() -> bool:
            return ("mem:new", opened[0]) in {(place, seen.table) for place, seen, _ in house.chat.tables}

        await until(shown_there)
        assert await store.index.tables_at(PLACE) == []


async def test_a_table_of_another_version_keeps_nothing_else_from_moving(store: Store) -> None:
    future = Codec(int, SCHEMA + 1).encode(1)
    hints = table_hints("future", places=[PLACE])
    await store.documents.commit("future", expected=0, state=future, action=None, hints=hints)
    async with open_house(store, work=False) as house:
        table = await house.open(house.person("Ada"))
        await house.organise(house.person("Ada"), "defaults", "okey101")
        await house.app.delivery.note_move(PLACE, "mem:new")
        assert await store.index.tables_at("mem:new") == [table]
        assert await store.index.tables_at(PLACE) == ["future"], "found when it can be read"
        assert (await store.people.settings("place", ["mem:new"])) != [None]


async def test_a_place_that_moves_onto_itself_keeps_its_tables(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await house.open(house.person("Ada"))
        await house.app.delivery.note_move(PLACE, PLACE)
        assert await store.index.tables_at(PLACE) == [table]


async def test_news_while_a_chat_starts_anew_is_told_when_it_is_back(store: Store, until: Until) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        await house.app.worker.shares.attend()
        table = await house.open(ada)

        async def delivered() -> bool:
            return not await _left_by_a_look(house)

        await until(delivered)
        del house.app.chats["mem"]  # the other processes do not know it yet
        await house.press(can, f"join.{table}.0", private=False)
        assert await _left_by_a_look(house) == [table]
        house.app.chats["mem"] = house.chat
        await until(delivered)
        assert "Can" in str(house.chat.tables[-1][1].text)


async def _left_by_a_look(house: House) -> list[str]:
    """What is still marked after one look at everything that was, such as a worker begins."""
    for key, mark in await dirty(house.store):
        await house.app.delivery.settle(key, mark)
    return [key for key, _ in await dirty(house.store)]


async def test_what_one_process_left_unsaid_another_says(store: Store, until: Until) -> None:
    async with open_house(store, work=False) as house:
        house.chat.refuse = [RetryAfter(3600)]
        ada = house.person("Ada")
        table = await house.open(ada)
        assert house.chat.tables == []
    async with open_house(store) as house:
        await until(lambda: _up_to_date(house, ada, table))
    async with open_house(store) as house:
        await until(lambda: _settled(store))
        assert house.chat.tables == []


async def test_what_a_chat_that_is_not_there_yet_has_to_say_is_kept_for_it(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        chat, ada = house.app.chats.pop("mem"), house.person("Ada")
        table = await house.open(ada)
        for name, mark in await dirty(store):
            await house.app.delivery.settle(name, mark)
        assert [name for name, _ in await dirty(store)] == [table]
        house.app.chats["mem"] = chat
        await until(lambda: _up_to_date(house, ada, table))
        await until(lambda: _settled(store))


async def test_what_this_process_has_changed_is_shown_and_settled_without_being_read(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latest, "KNOWN_SECONDS", 600.0)  # on a slow machine, too
    async with open_house(store) as house:
        people, table = await _playing(house, until)
        await until(lambda: _settled(store))
        stored = await house.app.tables.load(TableId(table))
        assert stored is not None
        assert stored.value.turn is not None
        on_turn, sent = people[stored.value.turn], len(house.chat.tables)
        reads = count_reads(monkeypatch)
        answer = await _discards(house, on_turn, table)
        assert answer.private is not None

        async def is_shown() -> bool:
            return len(house.chat.tables) > sent

        await until(is_shown)  # a note in the middle of a look would have the rack looked for once more
        await house.app.delivery.note_shown(on_turn.key, answer.private, answer.private_message)
        await until(lambda: _settled(store))
        assert reads == []
        assert len(house.chat.tables) == sent + 1
        assert await _up_to_date(house, on_turn, table)


async def test_a_change_by_another_process_is_not_overlooked(store: Store, until: Until) -> None:
    async with open_house(store) as house, open_house(store, work=False) as other:
        people, table = await _playing(house, until)
        first = await house.on_turn(table, *people)
        answer = await _discards(house, first, table)
        assert answer.private is not None
        await house.app.delivery.note_shown(first.key, answer.private, answer.private_message)
        await other.organise(other.person("Zoe"), "close", table)
        await until(lambda: _settled(store))
        assert "ended" in plain(house.chat.tables[-1][1].text, words_for("en"))


async def test_a_message_that_is_sent_while_the_last_one_is_read_is_the_last_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house(store) as house:
        delivery, read = house.app.delivery, store.people.last_message
        await store.people.set_last_message("mem:ada", "first")

        async def slowly(person: str) -> str:
            found = await read(person)
            await delivery.wrote(person, "second")
            return found

        monkeypatch.setattr(store.people, "last_message", slowly)
        assert await delivery.last_message("mem:ada") == "second"


async def _playing(house: House, until: Until, rules: str = "") -> tuple[list[Person], str]:
    """A table of two people who have got their racks."""
    people = [house.person("Ada"), house.person("Can")]
    table = await house.open(*people, words=f"2 {rules}")
    await house.press(people[0], f"start.{table}.0", private=False)

    async def both() -> bool:
        return len(house.chat.racks) == 2

    await until(both)
    return people, table


async def _discards(house: House, person: Person, table: str) -> Answer:
    """They discard a tile, even if it is an okey."""
    answer = await house.press(person, offers(await house.rack(person, table), "discard")[0].press)
    if answer.private is not None and (sure := offers(answer.private, "discard")):
        answer = await house.press(person, sure[0].press)
    return answer


async def _up_to_date(house: House, person: Person, table: str) -> bool:
    newest, shown = await house.look(table), [screen for _, screen, _ in house.chat.tables[-1:]]
    return [without_clock(screen) for screen in shown] == [without_clock(newest)]


async def _has_rack(house: House, person: Person, since: int) -> bool:
    return person.key in {each for each, _, _ in house.chat.racks[since:]}


async def _says(house: House, words: str) -> bool:
    return bool(house.chat.tables) and words in str(house.chat.tables[-1][1].text)


async def _tells_how_to_open(house: House, *people: Person) -> bool:
    """Return whether the newest line in a place says to these people alone that messages do not reach
    them."""
    calls, text = [*house.chat.lines.values()][-1] if house.chat.lines else ((), ())
    return {each.key for each in calls} == {each.key for each in people} and "write to you" in str(text)


async def _settled(store: Store) -> bool:
    """Return whether nobody has anything left to be shown."""
    return await dirty(store) == []


async def test_a_start_leaves_one_table_and_a_lobby_without_buttons(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2")
        await until(lambda: _settled(store))
        house.chat.refuse_buttons = [RetryAfter(0.05), PlaceRefused()]
        started = await house.press(ada, f"start.{table}.0", private=False)
        assert started.public is None, "the lobby's message is not to become a second table"
        await until(lambda: _settled(store))
        assert not house.chat.refuse_buttons
        assert await store.index.tables_at(PLACE) == [table]
        asked = await house.press(can, f"rack.{table}.0", private=False)
        assert asked.public is not None
        assert asked.public_message == (await store.notes.load(table))[PLACE].text != f"{PLACE}#1"


async def test_a_lobby_keeps_no_buttons_when_the_process_changes_meanwhile(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2")
        await until(lambda: _settled(store))
        house.chat.refuse_buttons = [RetryAfter(3600.0)]
        await house.press(ada, f"start.{table}.0", private=False)
        await until(lambda: _refused_buttons(house))
    async with open_house(store) as house:
        await until(lambda: _settled(store))
        assert [(message, screen.buttons) for _, screen, message in house.chat.last] == [(f"{PLACE}#1", ())]


async def test_a_lobby_stays_with_everybody_who_sits_down_at_last(store: Store, until: Until) -> None:
    """Computer players sit down with the start, and those who came just before it have not been shown."""
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, words="3")
        await until(lambda: _settled(store))
        house.chat.refusing[PLACE] = RetryAfter(0.2)
        await house.press(can, f"join.{table}.0", private=False)
        await house.press(ada, f"start.{table}.0", private=False)
        del house.chat.refusing[PLACE]
        await until(lambda: _settled(store))
        ((place, screen, message),) = house.chat.last
        assert (place, message, screen.buttons) == (PLACE, f"{PLACE}#1", ())
        told = plain(screen.text, words_for("en"))
        assert "1. Ada" in told
        assert "2. Can" in told
        assert "🤖" in told
        assert "free" not in told
        stored = await house.app.tables.load(TableId(table))
        assert stored is not None
        assert f"fingerprint {table_facts(stored.value, None).deal.context[:16]}" in told


@pytest.mark.parametrize("closed", [False, True])
async def test_a_rack_that_a_newer_one_replaced_is_removed_though_the_process_changes_meanwhile(
    store: Store, until: Until, closed: bool
) -> None:
    async with open_house(store, turn=3600) as house:  # nobody is told to hurry
        people, table = await _playing(house, until)
        await until(lambda: _settled(store))
        starter = await house.on_turn(table, *people)
        (other,) = (person for person in people if person is not starter)
        before = (await store.notes.load(table))[other.key].text
        house.chat.covered = {other.key}
        house.chat.refuse_buttons = [RetryAfter(3600.0)]
        await _discards(house, starter, table)
        await until(lambda: _refused_buttons(house))
        now = (await store.notes.load(table))[other.key].text
        assert now != before
        assert before not in house.chat.disarmed
    async with open_house(store) as house:
        house.chat.refuse_buttons = [PrivateClosed()] if closed else []
        await until(lambda: _settled(store))
        assert house.chat.disarmed == ([] if closed else [before])
        assert not house.chat.refuse_buttons
        assert (await store.notes.load(table))[other.key].text == now


@pytest.mark.parametrize("rounds", [1, 2, TOLD_LATER + 1])
async def test_a_round_that_people_leave_at_once_still_tells_its_result(
    store: Store, until: Until, rounds: int
) -> None:
    async with open_house(store, turn=3600, next_round=3600) as house:
        people, table = await _playing(house, until, "end=rounds rounds=9")
        await until(lambda: _settled(store))
    left = (await store.notes.load(table))[PLACE].text
    async with open_house(store, turn=3600, next_round=3600) as house:
        house.chat.refusing[PLACE] = RetryAfter(3600.0)
        ended: list[Table] = []
        for _ in range(rounds):
            ended.append(await _round_and_next(house, table, people[0]))
    async with open_house(store, turn=3600, next_round=3600) as house:
        await until(lambda: _settled(store))
    assert [screen.text for _, screen, _ in house.chat.tables] == [(await house.look(table)).text]
    if rounds > TOLD_LATER:  # the table no longer knows how its first round ended
        assert (house.chat.disarmed, house.chat.last) == ([left], [])
        return
    ((place, screen, message),) = house.chat.last
    assert (place, message, screen.buttons) == (PLACE, left, ())
    told = plain(screen.text, words_for("en"))
    assert "result of round 1/9" in told
    assert isinstance(screen.picture, ResultPicture)
    assert [row.score for row in screen.picture.rows] == list(ended[0].match.scores)
    assert [row.change for row in screen.picture.rows] == list(ended[0].results[0].changes)
    assert house.chat.disarmed == []


@pytest.mark.parametrize("rounds", [1, 2])
async def test_a_result_that_was_shown_stays_without_the_time_of_a_round_that_has_begun(
    store: Store, until: Until, rounds: int
) -> None:
    """Also when the place was shown nothing of the round after it. What that was bound to is added."""
    async with open_house(store, turn=3600, next_round=3600) as house:
        people, table = await _playing(house, until, "end=rounds rounds=9")
        await until(lambda: _settled(store))  # the lobby's message belongs to the first round alone
        await play_round(house, table)
        await until(lambda: _settled(store))
        left, shown = (await store.notes.load(table))[PLACE].text, house.chat.tables[-1][1]
        clocked = [line for line in as_lines(shown) if line.startswith("Next round")]
        assert len(clocked) == 1
        house.chat.last.clear()
        house.chat.refusing[PLACE] = RetryAfter(0.2)
        await _next(house, table, people[0])
        for _ in range(rounds - 1):
            await _round_and_next(house, table, people[0])
        del house.chat.refusing[PLACE]
        await until(lambda: _settled(store))
        ((_, screen, message),) = house.chat.last
        assert (message, screen.buttons) == (left, ())
        *told, bound = as_lines(screen)
        assert told == [line for line in as_lines(shown) if line not in clocked]
        assert BOUND.fullmatch(bound)
        assert (screen.picture, screen.alt) == (shown.picture, shown.alt)
        assert house.chat.disarmed == []


async def test_a_cancelled_round_keeps_no_time_of_the_next_one_either(store: Store, until: Until) -> None:
    """Both open with pairs more often than not where sets and runs need 201 points."""
    async with open_house(store, turn=3600, next_round=3600) as house:
        people, table = await _playing(house, until, "quick okey101 opening_points=201 rounds=20")
        cancelled = False
        while not cancelled:
            await play_round(house, table)
            await until(lambda: _settled(store))
            left, shown = (await store.notes.load(table))[PLACE].text, house.chat.tables[-1][1]
            ended = await _next(house, table, people[0])
            cancelled = len(ended.results) < ended.match.round_number
            await until(lambda: _settled(store))
        _, screen, message = house.chat.last[-1]
        assert message == left
        *told, bound = as_lines(screen)
        assert told == [line for line in as_lines(shown) if not line.startswith("Next round")]
        assert BOUND.fullmatch(bound)


BOUND = re.compile("🔒 Fair deal · fingerprint [0-9a-f]{16}")


def as_lines(screen: PublicScreen) -> list[str]:
    return plain(screen.text, words_for("en")).split("\n")


async def _round_and_next(house: House, table: str, person: Person) -> Table:
    """Play a round and have the next one dealt at once; the table as the round left it."""
    await play_round(house, table)
    return await _next(house, table, person)


async def _next(house: House, table: str, person: Person) -> Table:
    stored = await house.app.tables.load(TableId(table))
    assert stored is not None
    button = callback_text("next", table, stored.value.moment)
    await house.press(person, button, private=False, id=button)  # another house has numbered its presses
    return stored.value


async def _refused_buttons(house: House) -> bool:
    return not house.chat.refuse_buttons


async def test_a_table_that_waits_for_a_slow_chat_is_not_read_again_and_again(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house(store) as house:
        house.chat.refuse = [RetryAfter(3600)]
        table = await house.open(house.person("Ada"))

        async def waits() -> bool:
            return house.chat.refuse == []

        await until(waits)
        reads = count_reads(monkeypatch)
        for _ in range(20):
            for name, mark in await dirty(store):
                await house.app.delivery.settle(name, mark)
        assert [name for name, _ in await dirty(store)] == [table]
        assert len(reads) < 20
