"""One open lobby a place, the numbers by which tables are called, and names that follow."""

import asyncio

import pytest
from msgspec.structs import replace

from bot.delivery import feed
from bot.errors import Refused
from bot.handlers.presence import new_table_id
from bot.i18n import plain, words_for
from bot.ids import TableId
from bot.markup import Clock, Link, Page, PublicScreen, TablePicture
from bot.people.numbers import TableNumbers
from bot.ports import Answer, Person, Suggestion, TypedCommand
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Store
from bot.tables import lobby, places
from bot.tables.table import Change, Seat, Table
from engine.rules import rules_from
from tests.bot.house import PLACE, House, offers, open_house, page_of, said
from tests.bot.rounds import play_round
from tests.bot.store.waiting import dirty
from tests.bot.two_chats import CHANNEL, GROUP, code_of, two_chats
from tests.conftest import Until
from tests.patience import PATIENCE

ENGLISH = words_for("en")
YARD = "mem:yard"


def read(page: Page | None) -> str:
    assert page is not None
    return plain(page.text, ENGLISH)


async def tables_at(house: House, place: str = PLACE) -> list[Table]:
    """The tables of a place, the oldest first."""
    found = await house.app.tables.load_many(await house.store.index.tables_at(place))
    return sorted((stored.value for stored in found), key=lambda table: table.opened_at)


async def later(house: House, table: str, seconds: float = places.POSTED_SECONDS) -> None:
    """As if a lobby had been posted so long ago."""

    def act(stored: StoredTable) -> Change:
        table = stored.value
        posted = max(0.0, table.postings.posted - seconds)
        return Change(
            replace(
                table, opened_at=table.opened_at - seconds, postings=replace(table.postings, posted=posted)
            )
        )

    await house.app.tables.change(table, None, act)  # type: ignore[arg-type]


async def test_okey_shows_the_open_lobby_again_at_the_bottom_and_offers_a_seat(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada)

        async def shown(times: int) -> bool:
            return len(house.chat.tables) == times

        await until(lambda: shown(1))
        await later(house, table)
        answer = await house.type(can, "okey")
        assert read(answer.page).startswith("Table 1 is waiting for players here.")
        await until(lambda: shown(2))
        place, screen, anew = house.chat.tables[-1]
        assert (place, screen.table, anew) == (PLACE, table, True)
        assert offers(screen, "another")
        (seat,) = offers(answer.page, "join")  # type: ignore[arg-type]
        await house.press(can, seat.press)
        (only,) = await tables_at(house)
        assert only.people() == (ada.key, can.key)
        again = await house.type(can, "okey")
        assert read(again.page).startswith("You are already at table 1.")
        await until(lambda: _idle(store))
        assert [anew for _, _, anew in house.chat.tables[2:]] == [False] * (len(house.chat.tables) - 2)
        assert [(message, lines(screen), screen.buttons) for _, screen, message in house.chat.last] == [
            (f"{PLACE}#1", ["Table 1 is further down ↓"], ())
        ], "one lobby is enough"
        assert house.chat.last[0][1].text == (
            Link("Table 1 is further down ↓", f"https://chat.test/{PLACE}#2"),
        )


def lines(screen: PublicScreen) -> list[str]:
    """A screen's words, line by line."""
    return plain(screen.text, ENGLISH).splitlines()


async def test_a_host_who_types_okey_again_is_not_left_without_a_button(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada)
        page = page_of(await house.type(ada, "okey"))
        pressed = [button.press.split(".")[:2] for row in page.buttons for button in row]
        assert pressed == [["start", table], ["leave", table]]


async def test_a_host_whose_table_is_full_is_told_that_they_start_it(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        await house.open(ada, can, words="2")
        for person, said in ((ada, "you can start the match"), (can, "the host can start the match")):
            assert said in read(page_of(await house.type(person, "okey", place=None)))
        (start,) = offers(page_of(await house.type(ada, "okey", place=None)), "start")
        assert not (await house.press(ada, start.press)).code
        assert [each.stage for each in await tables_at(house)] == ["playing"]


async def test_okey_during_a_match_posts_it_again_and_another_table_is_a_choice(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
        table = await house.open(ada, can)
        await house.press(ada, f"start.{table}.0", private=False)

        async def posted() -> list[PublicScreen]:
            return [screen for _, screen, anew in house.chat.tables if anew and screen.picture is not None]

        await until(posted)
        await later(house, table)
        before = (await store.notes.load(table))[PLACE].text
        page = page_of(await house.type(ece, "okey", "okey101"))
        assert read(page).startswith("Table 1 is being played here.")
        assert [button.press for button in offers(page, "another")] == [f"another.{table}.0.okey101"]
        assert not offers(page, "join")

        async def again() -> bool:
            return len(await posted()) == 2

        await until(again)

        async def closed() -> bool:
            return before in [message for _, _, message in house.chat.last]

        await until(closed)
        (stub,) = [screen for _, screen, message in house.chat.last if message == before]
        assert (lines(stub), stub.buttons, stub.picture) == (["Table 1 is further down ↓"], (), None)
        seated = page_of(await house.type(can, "okey"))
        assert read(seated).startswith("You are playing at table 1 here.")
        assert (len(offers(seated, "rack")), len(offers(seated, "another"))) == (1, 1)
        assert len(await tables_at(house)) == 1
        for another in offers(seated, "another"):
            await house.press(can, another.press, private=False)
        assert [each.host for each in await tables_at(house)] == [ada.key, can.key]


async def test_a_lobby_that_has_begun_leads_to_its_table(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)

        async def shown() -> bool:
            return len(house.chat.tables) > 0

        await until(shown)
        await house.press(ada, f"start.{table}.0", private=False)

        async def told() -> bool:
            return len(house.chat.last) > 0

        await until(told)
        _, screen, message = house.chat.last[0]
        now = (await store.notes.load(table))[PLACE].text
        assert (message, screen.text[-1]) == (f"{PLACE}#1", Link("Started ↓", f"https://chat.test/{now}"))


async def test_a_first_rack_leads_to_the_table_and_never_past_it_to_the_lobby(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is on turn gets theirs at once, without a link; the others' comes after the table's message."""
    monkeypatch.setattr(feed, "LINK_SECONDS", PATIENCE)  # on a slow machine, too
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        show, may_come = house.chat.show_table, asyncio.Event()

        async def when_it_may(place: str, screen: PublicScreen, message: str | None, *, anew: bool) -> str:
            await may_come.wait()
            return await show(place, screen, message, anew=anew)

        async def has_rack(number: int) -> bool:
            return len(house.chat.racks) == number

        await until(lambda: _idle(store))
        monkeypatch.setattr(house.chat, "show_table", when_it_may)
        await house.press(ada, f"start.{table}.0", private=False)
        await until(lambda: has_rack(1))
        may_come.set()
        await until(lambda: has_rack(2))
        now = (await store.notes.load(table))[PLACE].text
        links = [
            [part.url for part in rack.text if isinstance(part, Link)] for _, rack, _ in house.chat.racks
        ]
        assert links == [[], [f"https://chat.test/{now}"]]


async def test_the_host_s_own_screen_counts_the_free_seats_as_others_sit_down(
    store: Store, until: Until
) -> None:
    """What its button promised when it came would be false later."""
    async with open_house(store) as house:
        ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
        table = await house.open(ada)

        async def show_own(person: Person) -> str:
            screen = await house.rack(person, table)
            message = await house.chat.show_rack(person.key, screen, None, notify=True)
            await house.app.delivery.note_shown(person.key, screen, message)
            return message

        def starts(message: str) -> list[str]:
            shown = house.chat.messages[message]
            return [plain(button.label, ENGLISH) for button in offers(shown, "start")]

        message = await show_own(ada)
        assert starts(message) == ["▶ Start with 3 🤖"]
        await house.press(can, f"join.{table}.0", private=False)

        async def counted() -> bool:
            return starts(message) == ["▶ Start with 2 🤖"]

        await until(counted)
        own = await show_own(can)
        await house.press(ada, f"leave.{table}.0", private=False)

        async def handed_on() -> bool:
            return starts(own) == ["▶ Start with 3 🤖"]

        await until(handed_on)
        shown = len(house.chat.racks)
        await house.press(ece, f"join.{table}.0", private=False)
        await until(lambda: _idle(store))
        told = {person for person, _, _ in house.chat.racks[shown:]}
        assert told == {can.key}, "who joins is told by the answer"


async def _idle(store: Store) -> bool:
    return await dirty(store) == []


async def test_a_full_lobby_offers_no_seat_when_it_is_shown_again(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
        table = await house.open(ada, can, words="2")
        page = page_of(await house.type(ece, "okey"))
        assert read(page).startswith("All seats at table 1 are taken.")
        assert (len(offers(page, "join")), len(offers(page, "another"))) == (0, 1)
        assert "All its seats are taken" in read((await house.type(can, "okey")).page)
        asked = page_of(await house.type(ece, "help"))
        assert "All seats at table 1 are taken." in read(asked)
        assert not offers(asked, "join")
        await house.press(can, f"leave.{table}.0")
        assert offers(page_of(await house.type(ece, "okey")), "join")
        assert offers(page_of(await house.type(ece, "help")), "join")


@pytest.mark.parametrize(
    ("game", "seated", "sizes"),
    [
        ("okey", 1, [3, 2, 4]),
        ("okey", 3, [3, 4]),
        ("okey", 4, []),
        ("2", 2, [4, 3]),
        ("okey-partners", 1, []),
        ("okey101-partners", 2, []),
    ],
)
async def test_a_lobby_offers_only_numbers_of_players_that_it_can_have(
    store: Store, game: str, seated: int, sizes: list[int]
) -> None:
    async with open_house(store, work=False) as house:
        people = [house.person(name) for name in ("Ada", "Can", "Ece", "Deniz")][:seated]
        table = await house.open(*people, words=game)
        await house.press(people[0], f"unfold.{table}.0.on", private=False)
        for size in sizes:
            (resize,) = offers(await house.look(), "players")
            assert resize.press.endswith(f".{size}")
            assert not (await house.press(people[0], resize.press, private=False)).code
        assert sizes or not offers(await house.look(), "players")
        assert all((await house.look()).buttons)


def verbs(screen: PublicScreen) -> list[list[str]]:
    """The verbs of a screen's buttons, row by row."""
    return [[button.press.split(".")[0] for button in row] for row in screen.buttons]


async def test_a_lobby_has_three_buttons_and_the_host_s_behind_one(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada)
        assert verbs(await house.look()) == [["join", "rules", "bell"], ["unfold"]]
        refused = await house.press(can, f"unfold.{table}.0.on", private=False)
        assert refused.code == "not_host"
        unfolded = (await house.press(ada, f"unfold.{table}.0.on", private=False)).public
        assert unfolded is not None
        assert {"start", "cancel", "computer", "leave", "fair", "players"} <= {
            verb for row in verbs(unfolded) for verb in row
        }
        for _ in range(2):
            await house.press(ada, f"unfold.{table}.0.off", private=False)
        assert verbs(await house.look()) == [["join", "rules", "bell"], ["unfold"]]


async def test_who_joins_twice_is_offered_to_leave(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        twice = await house.press(can, f"join.{table}.0", private=False)
        assert twice.code == "already_seated"
        (leave,) = offers(page_of(twice), "leave")
        await house.press(can, leave.press)
        (left,) = await tables_at(house)
        assert left.people() == (ada.key,)


async def test_a_partner_leaves_by_their_seat_s_button_or_by_one_of_its_own(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, words="okey-partners")
        assert (await house.press(can, f"sit.{table}.0.2", private=False)).code == ""
        again = await house.press(can, f"sit.{table}.0.2", private=False)
        assert again.code == "already_seated"
        (leave,) = offers(page_of(again), "leave")
        await house.press(can, leave.press)
        assert (await tables_at(house))[0].people() == (ada.key,)
        await house.press(can, f"sit.{table}.0.1", private=False)
        (leave,) = offers(await house.look(), "leave")
        await house.press(can, leave.press, private=False)
        assert (await tables_at(house))[0].people() == (ada.key,)
        await house.press(ada, f"unfold.{table}.0.on", private=False)
        assert len(offers(await house.look(), "leave")) == 1


async def test_a_full_lobby_starts_by_itself(store: Store, until: Until) -> None:
    async with open_house(store, full_lobby=0.1) as house:
        ada, can = house.person("Ada"), house.person("Can")
        await house.open(ada, can, words="2")

        async def begun() -> bool:
            return [table.stage for table in await tables_at(house)] == ["playing"]

        await until(begun)


async def test_a_countdown_is_told_and_stops_when_the_host_says_so_or_a_seat_is_free(store: Store) -> None:
    async with open_house(store, full_lobby=30.0, work=False) as house:
        ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
        table = await house.open(ada, words="2")
        assert not offers(await house.look(), "hold")
        for person, press in ((ada, "hold"), (can, "leave"), (ada, "clock.{}.0.300")):
            await house.press(can, f"join.{table}.0", private=False)
            screen = await house.look()
            assert any(isinstance(part, Clock) for part in screen.text)
            assert len(offers(screen, "hold")) == 1
            stored = await house.app.tables.load(TableId(table))
            assert stored is not None
            assert stored.deadline is not None
            assert stored.deadline - stored.now <= 30
            assert (await house.press(ece, f"hold.{table}.0", private=False)).code == "not_host"
            asked = press.format(table) if "{}" in press else f"{press}.{table}.0"
            await house.press(person, asked, private=False)
            stopped = await house.app.tables.load(TableId(table))
            assert stopped is not None
            assert stopped.deadline is not None
            assert not stopped.value.clock.counts_down
            assert stopped.deadline - stopped.now > 30
            assert not offers(await house.look(), "hold")
            await house.press(can, f"leave.{table}.0", private=False)


async def test_another_table_is_a_choice_of_its_own_with_what_was_typed(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
        await house.open(ada)
        answer = await house.type(can, "okey", "okey101 3 clock=5m")
        (another,) = offers(answer.page, "another")  # type: ignore[arg-type]
        pressed = await house.press(can, another.press, private=False, id="twice")
        assert "The table is open" in said(pressed)
        await house.press(can, another.press, private=False, id="twice")
        first, second = await tables_at(house)
        assert (first.host, second.host) == (ada.key, can.key)
        assert (second.match.rules.game, second.match.rules.players, second.clock.turn_seconds) == (
            "101",
            3,
            300,
        )
        assert (first.number_in(PLACE), second.number_in(PLACE)) == ("1", "2")
        # the first lobby with a free seat is shown, and its message leads to a further one, too
        assert read((await house.type(ece, "okey")).page).startswith("Table 1 is waiting")
        await later(house, first.id)
        await house.type(ece, "okey")
        (public,) = offers(await house.look("1"), "another")
        await house.press(ece, public.press, private=False)
        assert [table.number_in() for table in await tables_at(house)] == ["1", "2", "3"]


async def test_a_button_that_cannot_hold_what_was_typed_says_so(store: Store) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        await house.open(ada)
        held = page_of(await house.type(can, "okey", "okey101 4 clock=90s reclaim_joker=true"))
        (another,) = offers(held, "another")
        assert plain(another.label, words_for("en")) == "➕ Open another table"
        assert another.press.endswith(".reclaim_joker=true")
        typed = "okey101 4 clock=90s reclaim_joker=true return_taken=penalty"
        (another,) = offers(page_of(await house.type(can, "okey", typed)), "another")
        assert plain(another.label, words_for("en")) == "➕ Open with usual rules"
        assert "The table is open" in said(await house.press(can, another.press, private=False))
        assert [table.match.rules.game for table in await tables_at(house)] == ["classic", "classic"]


async def test_who_becomes_host_because_the_host_left_is_told_so_once(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can, ece = house.person("Ada"), house.person("Can"), house.person("Ece")

        async def told(people: int) -> bool:
            return len(house.chat.letters) == people

        async def shown() -> bool:
            return bool(house.chat.tables)

        table = await house.open(ada)
        await until(shown)
        for person in (can, ece):
            await house.press(person, f"join.{table}.0", private=False)
        await house.press(ada, f"leave.{table}.0", private=False)
        await until(lambda: told(1))
        await house.press(can, f"leave.{table}.0", private=False)
        await until(lambda: told(2))
        await until(lambda: _idle(store))
        assert [person for person, _ in house.chat.letters] == [can.key, ece.key]
        letter = read(next(iter(house.chat.letters.values())))
        assert letter.startswith("You are the host of Table 1 in the channel now")


@pytest.mark.parametrize("game", ["okey-partners", "okey101-partners"])
async def test_partners_read_whose_partner_they_are(store: Store, game: str) -> None:
    async with open_house(store, work=False) as house:
        people = [house.person(name) for name in ("Ada", "Can", "Ece", "Zed")]
        table = await house.open(*people, words=game)
        assert "Partners: 1 and 3, 2 and 4" in plain((await house.look()).text, ENGLISH)
        await house.press(people[0], f"start.{table}.0", private=False)
        score = 0 if game == "okey101-partners" else 20
        pairs = f"Ada + Ece {score} · Can + Zed {score}"
        shown = await house.look()
        assert isinstance(shown.picture, TablePicture)
        assert [seat.score for seat in shown.picture.seats] == [score] * 4
        assert pairs in shown.alt.splitlines()
        assert pairs in plain((await house.rack(people[1], table)).text, ENGLISH)


async def test_who_hosts_an_open_lobby_opens_no_other(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada)
        assert offers((await house.type(ada, "okey")).page, "another", "join") == []  # type: ignore[arg-type]
        refused = await house.press(ada, f"another.{table}.0", private=False)
        assert said(refused) == (
            "Your table 1 is still waiting for players. Start or cancel it before you open another one."
        )
        elsewhere = await house.type(ada, "okey", place=YARD)
        assert elsewhere.code == "hosts_lobby_at"
        (cancel,), (leave,) = (offers(page_of(elsewhere), verb) for verb in ("cancel", "leave"))
        assert (cancel.label, leave.label) == (("Cancel",), ("Leave there",))
        assert PLACE in said(elsewhere)
        assert await house.store.index.tables_at(YARD) == []
        await house.press(ada, f"start.{table}.0", private=False)
        assert not (await house.type(ada, "okey", place=YARD)).code
        assert len(await tables_at(house, YARD)) == 1
        assert not (await house.type(can, "okey")).code


@pytest.mark.parametrize("turn", range(4))
async def test_two_people_in_the_same_second_open_one_lobby(store: Store, turn: int) -> None:
    """In two processes, which share nothing but the store."""
    async with open_house(store, work=False) as one, open_house(store, work=False) as other:
        ada, can = one.person("Ada"), one.person("Can")
        asked = ((one, ada), (other, can)) if turn % 2 else ((other, can), (one, ada))
        answers: list[Answer] = await asyncio.gather(
            *(
                house.type(person, "okey", id=f"{person.name} {time}")
                for house, person in asked
                for time in "12"
            )
        )
        (table,) = await tables_at(one)
        assert table.people() == (table.host,)
        assert not [answer.code for answer in answers if answer.code]
        waiting = [answer for answer in answers if answer.page is not None and "waiting" in read(answer.page)]
        assert len(waiting) == 3  # all but the answer to the one that opened it
        joins = [bool(offers(answer.page, "join")) for answer in waiting if answer.page is not None]
        assert joins.count(True) == 2  # the host is offered no second seat


async def test_a_lobby_that_opens_while_another_is_refused_is_found_instead(store: Store) -> None:
    async with open_house(store, work=False) as house:
        tables: list[str] = []

        async def hosts_one_by_now() -> None:
            tables.append(await house.open(house.person("Ada")))
            raise Refused("hosts_lobby")

        numbers = TableNumbers(store, TableRepository(store))
        given = await numbers.give(PLACE, "other", asked_by="mem:can", may_open=hosts_one_by_now)
        assert [given.table] == tables


async def test_a_number_is_given_once_whoever_asks_at_the_same_time(store: Store) -> None:
    repositories = [TableRepository(store) for _ in range(2)]
    numbers = [TableNumbers(store, repository) for repository in repositories]
    given = await asyncio.gather(*(numbers[i % 2].give(PLACE, f"table{i}") for i in range(8)))  # type: ignore[arg-type]
    assert sorted(each.number for each in given) == list(range(1, 9))
    again = await numbers[0].give(PLACE, given[3].table)
    assert again.number == given[3].number


async def test_a_request_that_opened_a_table_shows_nothing_of_it_once_it_has_left_the_place(
    store: Store,
) -> None:
    """A page chooses the ids of its requests, and may send an old one again."""
    async with open_house(store) as house:
        ada, eve = house.person("Ada"), house.person("Eve")
        id = await new_table_id(store, YARD, eve.key, "chosen")
        theirs = lobby.open_table(
            table_id=id,
            place=PLACE,
            host=Seat(person=ada.key, name=ada.name),
            rules=rules_from({}),
            language="en",
            turn_seconds=60,
            secret=bytes(64),
            now=house.store.clock(),
        )
        await house.app.tables.create(theirs.table.id, theirs, "theirs")
        typed = TypedCommand(by=eve, place=YARD, verb="play", argument="", id="chosen")
        answer = await house.app.router.command(typed)
        assert (answer.code, answer.public, answer.page, answer.private) == ("busy", None, None, None)


async def test_a_lobby_that_never_came_keeps_nobody_waiting(store: Store) -> None:
    """A process that died between the number and the table: whoever types next is the host of that table."""
    async with open_house(store, work=False) as house:
        numbers = TableNumbers(store, house.app.tables)
        given = await numbers.give(PLACE, "ghosts", asked_by="mem:can")  # type: ignore[arg-type]
        await house.type(house.person("Ada"), "okey")
        (table,) = await tables_at(house)
        assert (table.id, table.host, table.number_in(PLACE)) == (given.table, "mem:ada", "1")


async def test_numbers_are_used_again_once_a_table_is_over(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
        first = await house.open(ada)
        second = await house.open(can)
        await house.press(ada, f"cancel.{first}.0", private=False)
        third = await house.open(ece)
        called = {table.id: table.number_in(PLACE) for table in await tables_at(house)}
        assert (called[second], called[third]) == ("2", "1")  # type: ignore[index]


async def test_tables_are_called_by_their_numbers_and_typed_so(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        await house.open(ada)
        table = await house.open(can, words="2 okey-rounds")
        await house.press(can, f"start.{table}.0", private=False)
        screen = await house.look("2")
        assert isinstance(screen.picture, TablePicture)
        assert screen.picture.title == "Table 2 · round 1/5"
        assert screen.alt.startswith("Table 2 · round 1/5\n")
        rack = await house.rack(can, table)
        assert plain(rack.text, ENGLISH).endswith("\nTable 2 · round 1/5")
        assert table.upper() not in plain(screen.text, ENGLISH) + plain(rack.text, ENGLISH)
        assert "Okey by rounds" in read((await house.type(ada, "rules", "2")).page)
        assert "2 players" in read((await house.type(ada, "rules", "2")).page)
        assert "4 players" in read((await house.type(ada, "rules", "1")).page)
        await house.organise(ada, "close", "2")
        stages = {each.id: each.stage for each in await tables_at(house)}
        assert sorted(stages.values()) == ["lobby", "over"]
        assert stages[table] == "over"  # type: ignore[index]


async def test_every_place_calls_a_shared_table_by_a_number_of_its_own(store: Store) -> None:
    async with two_chats(store) as house:
        ada, can, ece = (
            Person("dc:11", "Ada", "en"),
            Person("tg:22", "Can", "en"),
            Person("tg:33", "Ece", "en"),
        )
        await house.type(ece, "play", place=GROUP)
        await house.type(ada, "play", place=CHANNEL)
        await house.type(can, "join", code_of(await house.type(ada, "invite", place=CHANNEL)), place=GROUP)
        (table,) = await tables_at(house, CHANNEL)
        assert (table.number_in(CHANNEL), table.number_in(GROUP)) == ("1", "2")
        for place, number in ((CHANNEL, 1), (GROUP, 2)):
            shown = await house.look(str(number), place=place)
            assert plain(shown.text, ENGLISH).startswith(f"Table {number}\n")
        await house.press(ada, f"start.{table.id}.0", private=False, place=CHANNEL)
        for person, number in ((ada, 1), (can, 2)):
            rack = (await house.press(person, f"rack.{table.id}.0")).private
            assert rack is not None
            assert plain(rack.text, ENGLISH).splitlines()[-1].startswith(f"Table {number} · round 1")


async def test_a_new_name_follows_at_the_next_press(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        renamed = Person(can.key, "Canan", "en")
        await house.press(renamed, f"look.{table}.0", private=False)
        assert "2. Canan" in plain((await house.look()).text, ENGLISH)


async def test_pages_call_an_invited_table_as_the_place_and_the_rack_do(store: Store) -> None:
    """Home's number is another table's in the place to which the table came."""
    async with two_chats(store) as house:
        ada, can = Person("dc:1", "Ada", "en"), Person("tg:2", "Can", "en")
        await house.type(Person("tg:7", "Ece", "en"), "okey", place=GROUP)
        await house.type(ada, "okey", "2 quick start_points=2", place=CHANNEL)
        (table,) = await house.store.index.tables_at(CHANNEL)
        code = code_of(await house.type(ada, "invite", place=CHANNEL))
        await house.type(can, "join", code, place=GROUP)
        assert plain((await house.rack(can, table)).text, ENGLISH).startswith("Table 2")
        for place in (GROUP, None):
            assert "You are at table 2." in read((await house.type(can, "help", place=place)).page)
        await house.press(ada, f"leave.{table}.0")  # Can hosts it now
        for verb, says in (
            ("rules", "Rules · table 2"),
            ("presets", "Rules · table 2"),
            ("remove", "Table 2"),
        ):
            assert says in read((await house.press(can, f"{verb}.{table}.0")).page)
        await house.press(can, f"start.{table}.0")
        await play_round(house, table)
        for place, named in ((GROUP, ""), (None, ""), (None, "2")):
            for verb in ("replay", "record", "review"):
                page = (await house.type(can, verb, named, place=place)).page
                assert "table 2" in read(page).lower(), (verb, place)


async def test_a_table_from_before_there_were_numbers_is_called_by_its_id(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await house.open(house.person("Ada"))
        stored = await house.app.tables.load(table)  # type: ignore[arg-type]
        assert stored is not None
        assert (
            replace(stored.value, postings=replace(stored.value.postings, numbers={})).number_in(PLACE)
            == table.upper()
        )


async def test_who_joins_without_a_name_sits_down_where_a_seat_is_free(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can, zoe = (house.person(name) for name in ("Ada", "Can", "Zoe"))
        played = await house.open(ada, words="2")
        await house.press(ada, f"start.{played}.0", private=False)
        waits = await house.open(can)
        assert not (await house.type(zoe, "join")).code
        stored = await house.app.tables.load(TableId(waits))
        assert stored is not None
        assert stored.value.seat_of(zoe.key) is not None
        await house.press(can, f"cancel.{waits}.0", private=False)
        assert (await house.type(zoe, "join")).code == "already_started"


async def test_a_table_is_suggested_by_the_number_that_people_call_it_by(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        for person in (ada, can):
            table = await house.open(person)
        typing = TypedCommand(by=ada, place=PLACE, verb="", argument="table 2", id="t")
        suggested = await house.app.router.suggest(typing, "table")
        assert suggested == [Suggestion(table, "Table 2: Can")]


async def test_who_must_open_the_private_chat_first_is_offered_another_table_too(store: Store) -> None:
    """Where a link leads to the private chat, the answer is read in the place, with its buttons."""
    async with open_house(store, work=False) as house:
        house.chat.private_everywhere = False
        ada, can = house.person("Ada"), house.person("Can")
        await house.open(ada)
        answer = await house.type(can, "okey", "okey101")
        assert answer.open_private is not None
        assert answer.page is not None
        assert read(answer.page).startswith(
            "Table 1 is waiting for players here. Take a seat, or open another"
        )
        assert offers(answer.page, "join")
        (another,) = offers(answer.page, "another")
        assert not (await house.press(can, another.press, private=False)).code
        assert len(await store.index.tables_at(PLACE)) == 2


@pytest.mark.parametrize("first", [0, 1])
async def test_of_two_who_take_one_seat_at_once_one_sits_and_the_other_is_told(
    store: Store, first: int
) -> None:
    """In two processes, which share nothing but the store."""
    async with open_house(store, work=False) as one, open_house(store, work=False) as other:
        ada, can, ece = (one.person(name) for name in ("Ada", "Can", "Ece"))
        table = await one.open(ada, words="okey-partners")
        asked = [(one, can), (other, ece)]
        answers = await asyncio.gather(
            *(
                house.press(person, f"sit.{table}.0.2", private=False)
                for house, person in (asked[first], asked[1 - first])
            )
        )
        (told,) = await tables_at(one)
        winner = told.seats[2]
        assert winner.person in (can.key, ece.key)
        assert told.people() == (ada.key, winner.person)
        assert sorted(answer.code for answer in answers) == ["", "seat_taken"]
        (late,) = (answer for answer in answers if answer.code)
        assert said(late) == f"{winner.name} has seat 3 already. Choose another one."
        loser = ece if winner.person == can.key else can
        again = await one.press(loser, f"sit.{table}.0.3", private=False)
        assert again.code == ""
        assert [seat.person for seat in (await tables_at(one))[0].seats][3] == loser.key


async def test_partners_choose_a_seat_by_its_button_and_others_just_join(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, words="okey-partners")
        lobby = await house.look(table)
        seats = {plain(each.label, ENGLISH): each.press for each in offers(lobby, "sit")}
        assert list(seats) == ["🪑 Seat 2", "🪑 3 · with Ada", "🪑 Seat 4"]
        assert not offers(lobby, "join")
        await house.press(can, seats["🪑 3 · with Ada"], private=False)
        assert [seat.name for seat in (await tables_at(house))[0].seats] == ["Ada", "", "Can", ""]
        shuffled = await house.press(can, f"shuffle.{table}.0", private=False)
        assert shuffled.code == "not_host"
        alone = await house.look(await house.open(can, words="okey"))
        assert offers(alone, "join")
        assert not offers(alone, "sit")
        opened = await house.type(house.person("Ece"), "play", "okey-partners", place="mem:garden")
        assert said(opened) == "The table is open. Others press a free seat; you, its host, start the match."


async def test_a_host_whom_the_link_led_away_starts_from_their_private_chat(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        assert not offers(await house.rack(can, table), "start")
        (start,) = offers(await house.rack(ada, table), "start")
        await house.press(ada, start.press)
        assert [each.stage for each in await tables_at(house)] == ["playing"]
