"""What organisers set for their community, on one page and in words, and how it holds from then on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from bot.i18n import plain, words_for
from bot.markup import Page, SeatScreen
from bot.ports import Answer, Person, RetryAfter
from bot.store import Store
from tests.bot.house import PLACE, House, offers, open_house, page_of, said
from tests.bot.rounds import play_round
from tests.bot.test_forgetting import everything
from tests.bot.two_chats import CHANNEL, GROUP, chat, code_of, two_chats
from tests.conftest import Until

ENGLISH = words_for("en")
SERVER = "mem:server/1"
OTHER = "mem:cellar"
THREAD = f"{PLACE}/7"


@asynccontextmanager
async def server(store: Store, *, work: bool = False) -> AsyncIterator[House]:
    """A house whose two channels and thread belong to one server, run by Boss."""
    async with open_house(store, work=work) as house:
        for place in (PLACE, OTHER, THREAD):
            house.chat.communities[place] = SERVER
            house.chat.organisers.add(("mem:boss", place))
        yield house


def boss(house: House) -> Person:
    return house.person("Boss")


async def page(house: House, person: Person, place: str = PLACE) -> Page:
    shown_page = (await house.type(person, "organise", place=place)).page
    assert shown_page is not None
    return shown_page


async def pressed(house: House, person: Person, words: str, *, place: str = PLACE) -> Answer:
    """They press a button of the page, or of one to which it leads, in their private chat."""
    shown_page = await page(house, person, place)
    for step in words.split(" > "):
        found = [b for row in shown_page.buttons for b in row if step in plain(b.label, ENGLISH)]
        assert found, (step, shown_page.buttons)
        answer = await house.press(person, found[0].press)
        assert not answer.code, said(answer)
        assert answer.page is not None
        shown_page = answer.page
    return answer


def told(shown_page: Page | None) -> str:
    assert shown_page is not None
    return plain(shown_page.text, ENGLISH)


async def lobby(house: House, person: Person, place: str) -> str:
    """What a place shows of the table that a person opens there; they close it again."""
    before = set(await house.store.index.tables_at(place))
    answer = await house.type(person, "play", place=place)
    assert not answer.code, said(answer)
    (table,) = set(await house.store.index.tables_at(place)) - before
    screen = await house.look(table, place=place)
    await house.press(person, f"cancel.{table}.0")
    return plain(screen.text, ENGLISH)


async def test_the_page_sets_what_holds_in_every_channel_and_says_who_set_it(store: Store) -> None:
    async with server(store) as house:
        ada = house.person("Ada")
        await pressed(house, boss(house), "Game > Okey 101")
        answer = await pressed(house, boss(house), "Clock > 5 min")
        assert "Last changed by Boss" in told(answer.page)
        for place in (PLACE, OTHER, THREAD):
            shown = await lobby(house, ada, place)
            assert "Okey 101" in shown
            assert "5 min" in shown


async def test_a_channel_s_own_setting_goes_before_the_server_s(store: Store) -> None:
    async with server(store) as house:
        await house.type(boss(house), "defaults", "okey 3 clock=2m", place=OTHER)
        await house.type(boss(house), "defaults", "everywhere okey101")
        assert "Okey 101" in await lobby(house, boss(house), THREAD)
        shown = await lobby(house, boss(house), OTHER)
        assert "Okey · 3 players" in shown
        assert "2 min" in shown
        await house.type(boss(house), "defaults", "everywhere okey101 2", place=OTHER)
        assert "Okey 101 · 2 players" in await lobby(house, boss(house), OTHER)


async def test_a_clock_alone_leaves_the_game_as_it_is(store: Store) -> None:
    async with server(store) as house:
        await house.type(boss(house), "defaults", "okey101")
        answer = await house.type(boss(house), "defaults", "clock=90s")
        assert "Okey 101" in said(answer)
        assert "90 s" in said(answer)
        assert (await house.type(boss(house), "defaults", "clock=1s")).code == "bad_clock"


async def test_a_language_that_is_chosen_during_a_match_is_spoken_from_then_on(
    store: Store, until: Until
) -> None:
    """Whoever chose it saw that it was set, and the table went on in the old one."""
    async with server(store, work=True) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        await house.press(ada, f"start.{table}.0", private=False)

        async def speaks(words: str) -> bool:
            return bool(house.chat.tables) and words in plain(house.chat.tables[-1][1].text, ENGLISH)

        await until(lambda: speaks("Turn: "))
        await house.type(boss(house), "language", "tr", place=OTHER)
        await until(lambda: speaks("Sıra: "))
        await house.type(boss(house), "language", "off")
        assert "Sıra: " in plain((await house.look(table)).text, ENGLISH)


async def test_the_public_language_is_the_community_s(store: Store) -> None:
    async with server(store) as house:
        await pressed(house, boss(house), "Language > Türkçe")
        ada = house.person("Ada")
        assert "boş" in await lobby(house, ada, OTHER)
        await house.type(boss(house), "language", "off")
        assert "free" in await lobby(house, ada, OTHER)
        assert (await house.type(boss(house), "language", "fr")).code == "bad_setting"


async def test_tables_are_opened_where_they_may_be(store: Store) -> None:
    async with server(store) as house:
        ada = house.person("Ada")
        await pressed(house, boss(house), "Only here")
        refused = await house.type(ada, "play", place=OTHER)
        assert refused.code == "tables_elsewhere"
        assert PLACE in said(refused)
        await lobby(house, ada, PLACE)
        await lobby(house, ada, THREAD)
        await house.type(boss(house), "places", "on", place=OTHER)
        await lobby(house, ada, OTHER)
        await house.type(boss(house), "places", "off")
        assert (await house.type(ada, "play", place=PLACE)).code == "tables_elsewhere"
        await house.type(boss(house), "places", "all")
        await lobby(house, ada, PLACE)


async def test_no_more_tables_than_there_may_be_in_all_channels_together(store: Store) -> None:
    async with server(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        await house.type(boss(house), "tables", "2")
        first = await house.open(ada)
        await house.type(can, "play", place=OTHER)
        refused = await house.type(house.person("Ece"), "play", place=THREAD)
        assert (refused.code, "At most 2" in said(refused)) == ("tables_enough", True)
        await house.press(ada, f"cancel.{first}.0")
        assert not (await house.type(house.person("Ece"), "play", place=THREAD)).code
        assert "Open tables: 2, at most: 2" in told(await page(house, boss(house)))
        for wrong in ("-1", "many", "99999"):
            assert (await house.type(boss(house), "tables", wrong)).code == "bad_setting"


async def test_who_is_blocked_opens_and_joins_nothing_and_loses_their_seat_at_once(store: Store) -> None:
    async with server(store) as house:
        ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
        playing = await house.open(ada, can, words="2")
        await house.press(ada, f"start.{playing}.0", private=False)
        waiting = await house.open(ece, can)
        await pressed(house, boss(house), "People > Block Can")
        assert [seat.person for seat in await seats(house, waiting) if not seat.is_free] == [ece.key]
        stored = await seats(house, playing)
        assert [(seat.person, seat.computer is not None) for seat in stored] == [
            (ada.key, False),
            (None, True),
        ]
        assert (await house.type(can, "play", place=OTHER)).code == "blocked"
        assert (await house.press(can, f"join.{waiting}.0", private=False)).code == "blocked"
        assert (await house.press(can, f"join.{waiting}.0")).code == "blocked"
        assert (await house.type(can, "join")).code == "blocked"
        assert "Blocked: Can" in told(await page(house, boss(house)))
        await pressed(house, boss(house), "People > Unblock Can")
        assert not (await house.press(can, f"join.{waiting}.0", private=False)).code


async def seats(house: House, table: str):  # type: ignore[no-untyped-def]
    stored = await house.app.tables.load(table)
    assert stored is not None
    return stored.value.seats


async def test_people_are_blocked_by_name_too_but_only_one_is_meant(store: Store) -> None:
    async with server(store) as house:
        await house.open(house.person("Ada"), Person("mem:x", "Can", "en"), Person("mem:y", "Can", "en"))
        assert (await house.type(boss(house), "block", "can")).code == "same_name"
        nobody = await house.type(boss(house), "block", "Zoe")
        assert (nobody.code, "is called “zoe”." in said(nobody)) == ("nobody_called", True)
        assert (await house.type(boss(house), "unblock", "Zoe")).code == "nobody_blocked"
        await house.type(boss(house), "block", "ADA")
        assert (await house.type(house.person("Ada"), "play")).code == "blocked"
        await house.type(boss(house), "unblock", "Ada")
        assert not (await house.type(house.person("Ada"), "play")).code


async def test_an_organiser_cannot_lock_himself_out(store: Store) -> None:
    async with server(store) as house:
        await house.open(boss(house))
        assert (await house.type(boss(house), "block", "boss")).code == "not_yourself"
        people = await pressed(house, boss(house), "People")
        assert told(people.page) == "Nobody else is at a table here now, and nobody is blocked."


async def test_a_table_is_ended_with_its_standing_and_every_player_is_told(store: Store) -> None:
    async with server(store, work=True) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        await pressed(house, boss(house), "Tables > End 1")
        shown = plain((await house.look(table)).text, ENGLISH)
        assert "An organiser ended table 1." in shown
        assert "Ada 20" in shown
        rack = plain((await house.rack(can, table)).text, ENGLISH)
        assert "An organiser ended table 1." in rack
        assert (await house.press(ada, f"draw.{table}.1")).code
        assert (await house.type(boss(house), "close", table)).code == "unknown_table"


async def after_a_round(house: House) -> tuple[Person, Person, str]:
    """Two people at a table whose first round is over."""
    ada, can = house.person("Ada"), house.person("Can")
    table = await house.open(ada, can, words="2")
    await house.press(ada, f"start.{table}.0", private=False)
    await play_round(house, table)
    return ada, can, table


async def test_a_lobby_that_an_organiser_closes_says_so(store: Store) -> None:
    async with server(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        await house.type(boss(house), "close", "1")
        shown = await house.look(table)
        assert plain(shown.text, ENGLISH) == "An organiser closed table 1."


async def test_a_table_that_is_ended_after_a_round_says_so_to_its_players_too(store: Store) -> None:
    async with server(store) as house:
        _, can, table = await after_a_round(house)
        await pressed(house, boss(house), "Tables > End 1")
        shown = plain((await house.look(table)).text, ENGLISH)
        assert "An organiser ended table 1." in shown
        rack = await house.rack(can, table)
        assert "An organiser ended table 1." in plain(rack.text, ENGLISH)
        assert not offers(rack, "next")


async def test_a_table_that_is_ended_in_a_round_leads_to_the_replay_of_the_one_before(store: Store) -> None:
    async with server(store) as house:
        ada, can, table = await after_a_round(house)
        await house.press(ada, offers(await house.rack(ada, table), "next")[0].press)
        await pressed(house, boss(house), "Tables > End 1")
        shown = await house.look(table)
        assert "An organiser ended table 1." in plain(shown.text, ENGLISH)
        (replay,) = offers(shown, "replay")
        assert "round 1" in told((await house.press(can, replay.press)).page)
        assert offers(shown, "fair")


async def test_a_lobby_is_closed(store: Store) -> None:
    async with server(store) as house:
        table = await house.open(house.person("Ada"))
        assert not (await house.type(boss(house), "close", table)).code
        can = house.person("Can")
        assert (await house.press(can, f"join.{table}.0", private=False)).code == "table_closed"


async def test_an_invited_table_is_thrown_out_and_plays_on_at_home(store: Store) -> None:
    async with two_chats(store) as house:
        ada, can = Person("dc:11", "Ada", "en"), Person("tg:22", "Can", "en")
        await house.type(ada, "play", place=CHANNEL)
        code = code_of(await house.type(ada, "invite", place=CHANNEL))
        await house.type(can, "join", code, place=GROUP)
        (table,) = await house.store.index.tables_at(CHANNEL)
        chat(house, "tg").organisers.add((can.key, GROUP))
        assert (await house.type(can, "close", table, place=GROUP)).code == "unknown_table"
        assert not (await house.type(can, "evict", table, place=GROUP)).code
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert stored.value.places == (CHANNEL,)
        assert stored.value.people() == (ada.key, can.key)


@pytest.mark.parametrize(
    ("verb", "argument"),
    [
        ("organise", ""),
        ("language", "tr"),
        ("rooms", "on"),
        ("places", "on"),
        ("tables", "3"),
        ("block", "Ada"),
        ("unblock", "Ada"),
        ("close", "abc"),
        ("evict", "abc"),
    ],
)
async def test_nobody_else_sets_or_sees_it(store: Store, verb: str, argument: str) -> None:
    async with server(store) as house:
        ada = house.person("Ada")
        assert (await house.type(ada, verb, argument)).code == "organisers_only"
        assert (await house.type(boss(house), verb, argument, place=None)).code == "here_only"
        shown_page = await page(house, boss(house))
        for each in (b.press for row in shown_page.buttons for b in row):
            assert (await house.press(ada, each)).code == "organisers_only"
        assert told(await page(house, boss(house))) == told(shown_page)


@pytest.mark.parametrize(
    "press",
    [
        "org.mem:hall.0",
        "org.mem:hall.0.lang",
        "org.mem:hall.0.lang.fr",
        "org.mem:hall.0.game.zzz",
        "org.mem:hall.0.most.x",
        "org.mem:hall.0.block.zzzz",
        "org.mem:hall.0.stop.zzzzzz",
        "org.mem:hall.0.out.zzzzzz",
        "org.mem:hall.0.fly.1",
        "org.hall.0.main",
        "org.mem:ha ll.0.main",
    ],
)
async def test_a_damaged_button_of_the_page_changes_nothing(store: Store, press: str) -> None:
    async with server(store) as house:
        before = told(await page(house, boss(house)))
        answer = await house.press(boss(house), press)
        assert answer.code
        assert told(await page(house, boss(house))) == before


async def test_a_server_and_a_thread_have_room_in_a_button(store: Store) -> None:
    async with two_chats(store) as house:
        place = f"dc:{2**63}/{2**63 - 1}"
        ada = Person("dc:1", "Ada", "en")
        with house.runs(ada, place):
            await house.type(ada, "play", place=place)
            for words in ("Game", "Clock", "Language", "Table limit", "People", "Tables"):
                answer = await pressed(house, ada, words, place=place)
                assert answer.page is not None
                assert len(answer.page.buttons) > 1 or words == "People"


async def test_who_is_forgotten_stays_blocked_without_their_name(store: Store, valkey_url: str) -> None:
    async with server(store) as house:
        can = Person("mem:4455711", "Cangazi", "en")
        await house.open(house.person("Ada"), can)
        await pressed(house, boss(house), "People > Block Cangazi")
        await house.press(can, "forget_now.me.0")
        held = everything(valkey_url)
        assert b"mem:4455711" not in held
        assert b"Cangazi" not in held
        assert (await house.type(can, "play")).code == "blocked"


async def test_who_is_forgotten_loses_their_name_also_where_the_group_has_moved(
    store: Store, valkey_url: str
) -> None:
    async with two_chats(store) as house:
        can = Person("tg:22", "Can", "en")
        await house.organise(can, "block", "tg:4455711 Cangazi", place=GROUP)
        await house.app.delivery.note_move(GROUP, "tg:-1009")
        cangazi = Person("tg:4455711", "Cangazi", "en")
        await house.press(cangazi, "forget_now.me.0")
        assert b"Cangazi" not in everything(valkey_url)
        assert (await house.type(cangazi, "play", place="tg:-1009")).code == "blocked"


async def test_an_invited_table_comes_where_tables_may_be_in_the_place_s_language(store: Store) -> None:
    async with two_chats(store) as house:
        ada, can = Person("dc:11", "Ada", "en"), Person("tg:22", "Can", "en")
        await house.type(ada, "play", place=CHANNEL)
        code = code_of(await house.type(ada, "invite", place=CHANNEL))
        await house.organise(can, "places", "on", place=GROUP)
        assert (await house.type(can, "join", code, place=f"{GROUP}/5")).code == "tables_elsewhere"
        await house.organise(can, "language", "tr", place=GROUP)
        await house.type(can, "join", code, place=GROUP)
        screen = await house.look(place=GROUP)
        assert "boş" in plain(screen.text, ENGLISH)


async def test_a_chat_that_does_not_answer_keeps_no_tables_from_another_one_s_group(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_chats(store) as house:
        ada, can = Person("dc:11", "Ada", "en"), Person("tg:22", "Can", "en")
        await house.type(ada, "play", place=CHANNEL)
        code = code_of(await house.type(ada, "invite", place=CHANNEL))
        await house.type(can, "join", code, place=GROUP)

        async def away(place: str) -> str:
            raise RetryAfter(5)

        monkeypatch.setattr(house.app.chats["dc"].places, "community", away)
        with house.runs(can, GROUP):
            assert "Open tables: 1" in told(await page(house, can, GROUP))


async def test_who_is_blocked_brings_no_table_to_look_on_at(store: Store) -> None:
    async with two_chats(store) as house:
        ada, can = Person("dc:11", "Ada", "en"), Person("tg:22", "Can", "en")
        await house.type(ada, "play", place=CHANNEL)
        code = code_of(await house.type(ada, "invite", place=CHANNEL))
        await house.organise(can, "block", "tg:33 Ece", place=GROUP)
        ece = Person("tg:33", "Ece", "en")
        assert (await house.type(ece, "join", code, place=GROUP)).code == "blocked"
        assert (await house.type(ece, "watch", code, place=GROUP)).code == "blocked"
        assert await house.store.index.tables_at(GROUP) == []


async def test_the_message_of_a_table_that_was_thrown_out_seats_nobody(store: Store) -> None:
    async with two_chats(store) as house:
        ada, can = Person("dc:11", "Ada", "en"), Person("tg:22", "Can", "en")
        await house.type(ada, "play", place=CHANNEL)
        code = code_of(await house.type(ada, "invite", place=CHANNEL))
        await house.type(can, "watch", code, place=GROUP)
        (table,) = await house.store.index.tables_at(CHANNEL)
        await house.organise(can, "evict", table, place=GROUP)
        pressed = await house.press(can, f"join.{table}.0", private=False, place=GROUP)
        assert pressed.code == "unknown_table"


@pytest.mark.parametrize("playing", [False, True])
async def test_the_message_of_a_table_that_was_thrown_out_says_so_and_offers_nothing(
    store: Store, until: Until, playing: bool
) -> None:
    """In the language of the group, which is not the table's; and not whose turn it was there."""
    async with two_chats(store, work=True) as house:
        ada, can = Person("dc:11", "Ada", "en"), Person("tg:22", "Can", "tr")
        await house.type(ada, "play", place=CHANNEL)
        code = code_of(await house.type(ada, "invite", place=CHANNEL))
        await house.type(can, "watch", code, place=GROUP)
        (table,) = await house.store.index.tables_at(CHANNEL)
        if playing:
            await house.press(ada, f"start.{table}.0", private=False, place=CHANNEL)
        group = chat(house, "tg")

        async def shown() -> bool:
            pictured = bool(group.tables) and group.tables[-1][1].picture is not None
            return GROUP in await house.store.notes.load(table) and pictured == playing

        await until(shown)
        await house.organise(can, "evict", table, place=GROUP)

        async def closed() -> bool:
            return not any(GROUP in name for name in await house.store.notes.load(table))

        await until(closed)
        place, screen, anew = group.tables[-1]
        assert (place, anew, screen.buttons, screen.picture) == (GROUP, False, (), None)
        assert plain(screen.text, words_for("tr")) == "Bu masa artık burada gösterilmiyor."
        assert "gösterilmiyor" not in str(chat(house, "dc").tables)


async def test_a_group_that_moves_keeps_its_limit_and_its_tables(store: Store) -> None:
    async with two_chats(store) as house:
        can = Person("tg:22", "Can", "en")
        await house.organise(can, "tables", "1", place=GROUP)
        await house.type(can, "play", place=GROUP)
        (table,) = await house.store.index.tables_at(GROUP)
        await house.app.delivery.note_move(GROUP, "tg:-1009")
        zoe = Person("tg:33", "Zoe", "en")
        assert (await house.type(zoe, "play", place="tg:-1009")).page is not None  # the lobby is found there
        await house.press(can, f"start.{table}.0", private=False, place="tg:-1009")
        (another,) = offers(page_of(await house.type(zoe, "play", place="tg:-1009")), "another")
        pressed = await house.press(zoe, another.press, private=False, place="tg:-1009")
        assert pressed.code == "tables_enough"


async def in_a_match(house: House) -> tuple[Person, Person, str]:
    """Two people in the middle of a match, of whom the second reads Turkish; both have their racks."""
    ada, can = house.person("Ada"), replace(house.person("Can"), language="tr")
    table = await house.open(ada, can, words="2 clock=5m")
    await house.press(ada, f"start.{table}.0", private=False)
    return ada, can, table


def last_rack(house: House, person: Person) -> SeatScreen | None:
    """What their private chat shows of their own."""
    return next((screen for key, screen, _ in reversed(house.chat.racks) if key == person.key), None)


async def says_blocked(house: House, person: Person) -> bool:
    """Return whether the last screen of whoever reads Turkish says that they were blocked, and has no
    buttons."""
    screen = last_rack(house, person)
    said_so = screen is not None and "engelledi" in plain(screen.text, words_for("tr"))
    assert not said_so or (screen is not None and screen.buttons == () and screen.picture is None)
    return said_so


async def test_who_is_blocked_in_a_match_is_told_so_and_the_table_says_who_plays_on(
    store: Store, until: Until
) -> None:
    async with server(store, work=True) as house:
        _, can, table = await in_a_match(house)

        async def dealt() -> bool:
            return last_rack(house, can) is not None

        await until(dealt)
        await pressed(house, boss(house), "People > Block Can")
        await until(lambda: says_blocked(house, can))

        async def told_at_the_table() -> bool:
            return "replaces a removed player" in plain(house.chat.tables[-1][1].text, ENGLISH)

        await until(told_at_the_table)
        late = await house.press(can, f"draw.{table}.1")
        assert late.code == "not_seated"
        assert late.private is not None
        assert "engelledi" in plain(late.private.text, words_for("tr"))


async def test_a_block_is_told_after_a_restart(store: Store, until: Until) -> None:
    async with server(store, work=True) as house:
        _, can, table = await in_a_match(house)

        async def noted() -> bool:
            return can.key in await store.notes.load(table)

        await until(noted)
    async with server(store) as killed:  # it commits, and tells nobody
        await killed.type(boss(killed), "block", "Can")
        assert killed.chat.racks == []
    async with server(store, work=True) as successor:
        await until(lambda: says_blocked(successor, can))
        assert [key for key, _, _ in successor.chat.racks].count(can.key) == 1


async def test_who_is_unblocked_sits_down_at_the_same_table_and_gets_their_rack(
    store: Store, until: Until
) -> None:
    async with server(store, work=True) as house:
        ada, can = house.person("Ada"), replace(house.person("Can"), language="tr")
        table = await house.open(ada, can, words="2")
        screen = await house.rack(can, table)
        await house.app.delivery.note_shown(can.key, screen, "lobby")
        await house.type(boss(house), "block", "Can")
        await until(lambda: says_blocked(house, can))
        await house.type(boss(house), "unblock", "Can")
        await house.press(can, f"join.{table}.0", private=False)
        await house.press(ada, f"start.{table}.0", private=False)

        async def dealt() -> bool:
            screen = last_rack(house, can)
            return screen is not None and screen.picture is not None

        await until(dealt)


async def test_a_rack_that_only_a_place_shows_loses_its_buttons_too(store: Store, until: Until) -> None:
    async with server(store, work=True) as house:
        house.chat.closed = {"mem:can"}
        _, can, table = await in_a_match(house)

        async def closed() -> bool:
            return any(seat.private_closed for seat in await seats(house, table))

        await until(closed)
        house.chat.whispering = {can.key}
        await pressed(house, boss(house), "People > Block Can")
        await until(lambda: says_blocked(house, can))


async def test_a_private_lobby_loses_its_buttons_when_its_person_leaves_elsewhere(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        screen = await house.rack(can, table)
        assert offers(screen, "leave")
        await house.app.delivery.note_shown(can.key, screen, "lobby")
        assert said(await house.press(can, f"leave.{table}.0", private=False)) == "You left the table."

        async def said_there() -> bool:
            screen = last_rack(house, can)
            return screen is not None and (plain(screen.text, ENGLISH), screen.buttons) == (
                "You left the table.",
                (),
            )

        await until(said_there)


async def test_the_private_lobby_that_was_pressed_says_that_its_person_left(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        answer = await house.press(can, f"leave.{table}.0")
        assert answer.private is not None
        assert (plain(answer.private.text, ENGLISH), answer.private.buttons) == ("You left the table.", ())
        assert said(answer) == "You left the table."


async def test_who_sets_the_language_in_private_is_told_which_is_spoken_there(store: Store) -> None:
    async with open_house(store, work=False) as house:
        answer = await house.type(house.person("Ada"), "language", "ko", place=None)
        assert (answer.code, "You choose your own right here, with /okey help" in said(answer)) == (
            "here_only",
            True,
        )
