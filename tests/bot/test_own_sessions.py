"""People see where they are logged in, and end one session or all."""

import pytest
import redis

from bot.i18n import plain, words_for
from bot.markup import Page
from bot.people.sessions import AppSessions
from bot.ports import Person
from bot.screens.preferences import SESSIONS_SHOWN
from bot.store import Store
from tests.bot.house import House, offers, page_of
from tests.bot.two_chats import link_accounts, two_chats

ENGLISH = words_for("en")
ADA = Person("dc:11", "Ada", "en")
ADA_TG = Person("tg:11", "Ada", "en")
CAN = Person("dc:22", "Can", "en")
URL = "https://okey.example.org"


def read(page: Page) -> str:
    return plain(page.text, ENGLISH)


async def seen_by(house: House, person: Person) -> Page:
    """What the button below their own link shows."""
    page = page_of(await house.type(person, "app", place=None))
    (button,) = offers(page, "sessions")
    return page_of(await house.press(person, button.press))


async def by_link(house: House, person: Person) -> str:
    sessions = house.app.apps._services.sessions
    token = await sessions.redeem(await sessions.link(person))
    assert token is not None
    return token


async def test_who_is_logged_in_nowhere_reads_that(store: Store) -> None:
    async with two_chats(store, web_url=URL) as house:
        # Their link is none before it is used.
        assert read(await seen_by(house, ADA)) == "You aren’t logged in anywhere."


async def test_each_session_is_shown_with_where_and_since_when_in_both_accounts(store: Store) -> None:
    async with two_chats(store, web_url=URL) as house:
        await link_accounts(house, ADA, ADA_TG)
        await house.app.apps.begin(ADA)
        await house.app.apps.begin(ADA_TG)
        await by_link(house, ADA)
        await house.app.apps.begin(CAN)
        for account in (ADA, ADA_TG):
            title, *lines = read(await seen_by(house, account)).split("\n")
            assert title == "Where you are logged in"
            where = {line.split(":")[0][3:] for line in lines}
            assert where == {"Discord", "Telegram", "browser, by your own link"}
            assert all("since" in line and "last opened" in line for line in lines)


async def test_one_is_ended_and_the_others_go_on(store: Store) -> None:
    async with two_chats(store, web_url=URL) as house:
        tokens = [await house.app.apps.begin(ADA) for _ in range(3)]
        sessions = house.app.apps._services.sessions
        first, *_ = offers(await seen_by(house, ADA), "session_end")
        for _ in range(2):  # delivered twice it ends one
            left = page_of(await house.press(ADA, first.press, id="once"))
            assert len(offers(left, "session_end")) == 2
        assert sum([await sessions.of(token) is not None for token in tokens]) == 2


async def test_nobody_ends_another_persons_session(store: Store) -> None:
    async with two_chats(store, web_url=URL) as house:
        token = await house.app.apps.begin(ADA)
        (end,) = offers(await seen_by(house, ADA), "session_end")
        await house.press(CAN, end.press)
        await house.press(ADA, "session_end.me.0.")
        assert await house.app.apps._services.sessions.of(token) is not None


async def test_a_session_that_has_ended_is_not_begun_again_by_a_page_that_opens(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_chats(store, web_url=URL) as house:
        sessions: AppSessions = house.app.apps._services.sessions
        token = await house.app.apps.begin(ADA)
        session = await sessions.of(token)
        assert session is not None
        later = session.since + 2 * 3600.0
        monkeypatch.setattr(store, "clock", lambda: later)
        await sessions.note_opened(token, session)
        noted = await sessions.of(token)
        assert noted is not None
        assert (noted.since, noted.seen) == (session.since, later - later % 3600.0)
        await sessions.end_all(ADA.key)
        await sessions.note_opened(token, session)
        assert await sessions.of(token) is None


async def test_an_opening_lets_a_session_last_no_longer(store: Store, valkey_url: str) -> None:
    async with two_chats(store, web_url=URL) as house:
        sessions: AppSessions = house.app.apps._services.sessions
        token = await house.app.apps.begin(ADA)
        session = await sessions.of(token)
        assert session is not None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(store, "clock", lambda: session.since + 10 * 24 * 3600.0)
            await sessions.note_opened(token, session)
        with redis.Redis.from_url(valkey_url) as client:
            (name,) = client.keys("token:*")
            assert client.ttl(name) <= 20 * 24 * 3600


async def test_of_many_the_last_are_shown(store: Store) -> None:
    async with two_chats(store, web_url=URL) as house:
        for _ in range(SESSIONS_SHOWN + 3):
            await house.app.apps.begin(ADA)
        page = await seen_by(house, ADA)
        assert read(page).endswith("and 3 more")
        assert len(offers(page, "session_end")) == SESSIONS_SHOWN
        (everywhere,) = offers(page, "log_out")
        await house.press(ADA, everywhere.press)
        assert read(await seen_by(house, ADA)) == "You aren’t logged in anywhere."
