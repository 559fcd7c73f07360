"""The first words: in a new group or server, in private, and to whoever has not opened the private chat."""

import pytest
from msgspec.structs import replace

from bot.handlers import help
from bot.i18n import LANGUAGES, plain, words_for
from bot.ids import TableId
from bot.markup import Page
from bot.ports import Person
from bot.repository.tables import StoredTable
from bot.store import Store
from bot.tables.table import Change, Table
from tests.bot.house import PLACE, MemoryChat, offers, open_house, page_of, said
from tests.bot.rounds import play_round
from tests.bot.two_chats import GROUP, chat, two_chats
from tests.conftest import Until

ENGLISH = words_for("en")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_new_place_is_greeted_once_in_its_language(store: Store, language: str) -> None:
    async with open_house(store, work=False) as house:
        for _ in range(3):
            await house.app.router.greet(PLACE, language)
        ((place, screen, anew),) = house.chat.tables
        assert (place, anew, screen.picture) == (PLACE, True, None)
        assert plain(screen.text, words_for(language)) == words_for(language).plain("greeting")
        presses = [button.press for row in screen.buttons for button in row]
        assert presses == ["open_table.me.0", "guide.me.0.1", "help.me.0", f"org.{PLACE}.0.langs"]
        ada = house.person("Ada")
        await house.press(ada, presses[0], private=False)
        (table,) = await store.index.tables_at(PLACE)
        assert page_of(await house.press(ada, presses[1], private=False))
        with house.runs(ada):
            assert page_of(await house.press(ada, presses[3], private=False))
        assert table


async def test_who_was_away_in_the_middle_of_a_match_is_not_greeted_as_new(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        await house.open(ada, can)
        await house.app.router.greet(PLACE, "en")
        assert house.chat.tables == []


async def test_the_language_that_organisers_chose_comes_before_the_platform_s(store: Store) -> None:
    async with open_house(store, work=False) as house:
        await house.organise(house.person("Ada"), "language", "de")
        await house.app.router.greet(PLACE, "tr")
        assert plain(house.chat.tables[0][1].text, words_for("de")).startswith("Okey ist da!")


async def test_the_link_that_adds_the_bot_greets_the_group_and_not_its_user(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        for _ in range(2):
            answer = await house.type(ada, "start", "okey")
            assert (answer.notice, answer.page, answer.private) == ((), None, None)
        assert len(house.chat.tables) == 1


async def test_okey_in_private_deals_a_practice_round_or_shows_the_own_table(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        assert not (await house.type(ada, "okey", place=None)).code
        assert len(await store.index.tables_of(ada.key)) == 1
        assert (await house.type(ada, "okey", "okey101 3", place=None)).code == "here_only"
        table = await house.open(can)
        assert offers(page_of(await house.type(can, "okey", place=None)), "leave")
        await house.press(can, f"start.{table}.0", private=False)
        rack = (await house.type(can, "okey", place=None)).private
        assert rack is not None
        assert rack.table == table


async def test_hello_is_answered_with_buttons_and_a_mention_too_but_not_all_the_time(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        page = page_of(await house.type(ada, "talk", "hello", place=None))
        assert (len(offers(page, "practice")), len(offers(page, "guide"))) == (1, 1)
        mentioned = page_of(await house.type(ada, "mention"))
        assert offers(mentioned, "open_table")
        assert (await house.type(ada, "mention")).page is None


async def test_a_mention_brings_the_table_back_or_says_how_it_stands(
    store: Store, monkeypatch: pytest.MonkeyPatch, until: Until
) -> None:
    monkeypatch.setattr(help, "MENTION_SECONDS", 0.001)  # of the limit is another test
    async with open_house(store, turn=3600, next_round=3600, work=False) as house:
        ada, can, eve = house.person("Ada"), house.person("Can"), house.person("Eve")
        table = await house.open(ada, can, words="2 end=rounds rounds=9")

        async def post(seconds_ago: float) -> Table:
            """Have it posted some time ago."""

            def act(stored: StoredTable) -> Change:
                at = stored.now - seconds_ago
                postings = replace(stored.value.postings, posted=at)
                return Change(replace(stored.value, opened_at=at, postings=postings))

            return (await house.app.tables.change(TableId(table), None, act)).value

        async def how_it_stands(before: Table) -> Page | None:
            """What a mention says, unless it brings the table back."""
            pages: list[Page | None] = []

            async def is_heard() -> bool:
                """Mention the bot; the limit may still be closed by the mention before."""
                pages.append((await house.type(eve, "mention")).page)
                stored = await house.app.tables.load(TableId(table))
                assert stored is not None
                is_back = stored.value.postings.posted > before.postings.posted
                assert not (is_back and pages[-1])
                return is_back or pages[-1] is not None

            await until(is_heard)
            return pages[-1]

        for stage, verbs in (
            ("lobby", ("another",)),
            ("playing", ("rack", "another")),
            ("between", ("next", "rack", "another")),
        ):
            if stage == "playing":
                await house.press(ada, f"start.{table}.0", private=False)
            elif stage == "between":
                await play_round(house, table)
            assert await how_it_stands(await post(3600.0)) is None
            near = await post(0.0)
            assert near.stage == stage
            page = await how_it_stands(near)
            assert page is not None
            pressed = [button.press.split(".")[0] for row in page.buttons for button in row]
            assert pressed == list(verbs)
            turn = near.match.turn
            assert ("Turn: " in plain(page.text, ENGLISH)) == (turn is not None)
            assert turn is None or f"Turn: {near.seats[turn].name}" in plain(page.text, ENGLISH)


async def test_a_stranger_s_press_and_command_go_on_in_the_private_chat(store: Store) -> None:
    async with two_chats(store) as house:
        telegram = chat(house, "tg")
        telegram.private_everywhere = False
        host, eve, zoe = (Person(f"tg:{n}", name, "en") for n, name in enumerate(("Ada", "Eve", "Zoe")))
        await house.type(host, "play", place=GROUP)
        (table,) = await store.index.tables_at(GROUP)
        pressed = await house.press(eve, f"rules.{table}.0", private=False, place=GROUP)
        typed = await house.type(eve, "help", place=GROUP)
        assert said(typed) == "Eve: open our private chat below, and it goes on there."
        for answer, words in ((pressed, "Okey"), (typed, "Okey")):
            assert answer.page is None
            token = answer.open_private
            assert token is not None
            assert (await house.type(zoe, "start", token, place=None)).code == "expired_link", "another's"
            page = page_of(await house.type(eve, "start", token, place=None))
            assert words in plain(page.text, ENGLISH)
            assert (await house.type(eve, "start", token, place=None)).code == "expired_link"
        again = await house.press(eve, f"rules.{table}.0", private=False, place=GROUP)
        assert again.page is not None, "the chat is open by now"


@pytest.mark.parametrize("started", [False, True])
async def test_a_stranger_who_asks_for_a_table_where_none_has_room_opens_another(
    store: Store, started: bool
) -> None:
    """They were told nothing, since a lobby is the answer to whoever opens one."""
    async with two_chats(store) as house:
        chat(house, "tg").private_everywhere = False
        ada, can, eve = (Person(f"tg:{n}", name, "en") for n, name in enumerate(("Ada", "Can", "Eve")))
        await house.type(ada, "play", "2", place=GROUP)
        (table,) = await store.index.tables_at(GROUP)
        await house.press(can, f"join.{table}.0", private=False, place=GROUP)
        if started:
            await house.press(ada, f"start.{table}.0", private=False, place=GROUP)
        answer = await house.type(eve, "okey", place=GROUP)
        assert "open another table" in plain(page_of(answer).text, ENGLISH)
        assert [each.press for each in offers(page_of(answer), "another")] == [f"another.{table}.0"]
        assert answer.open_private is not None
        await house.type(eve, "start", answer.open_private, place=None)
        hosts = [
            stored.value.host
            for stored in await house.app.tables.load_many(await store.index.tables_at(GROUP))
        ]
        assert sorted(hosts) == [ada.key, eve.key]


def test_the_memory_chat_can_be_one_that_leads_to_its_private_chat() -> None:
    assert not MemoryChat().features.leads_to_private
    assert MemoryChat(private_everywhere=False).features.leads_to_private
