"""Followers of tables: who looks at one hears of it, whatever has failed before."""

import asyncio

import pytest

from bot.people.sessions import AppSessions
from bot.people.tokens import HashedTokens
from bot.repository.tables import TableRepository
from bot.repository.versioned import Versioned
from bot.repository.watch import TableWatch
from bot.store import Store
from bot.tables.table import Change, Table
from tests.bot.house import open_house
from tests.conftest import Until
from tests.patience import PATIENCE


def say(stored: Versioned[Table]) -> Change:
    return Change(stored.value.with_seat(0, word="x"))


async def test_after_an_error_followers_still_hear_of_what_others_do(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bot.background.MISHAP_SECONDS", 0.01)
    monkeypatch.setattr("bot.repository.watch.POLL_SECONDS", 0.01)
    async with open_house(store) as house:
        table = await house.open(house.person("Ada"))
        (stored,) = await house.app.tables.load_many([table])
        watch, versions, failed = (
            TableWatch(store, TableRepository(store)),
            store.documents.versions,
            asyncio.Event(),
        )

        async def fail_once(tables: list[str]) -> list[int]:
            if not failed.is_set():
                failed.set()
                raise ZeroDivisionError
            return await versions(tables)

        monkeypatch.setattr(store.documents, "versions", fail_once)
        with watch.following() as follower:
            follower.seen = {table: stored.version}
            await asyncio.wait_for(failed.wait(), PATIENCE)
            await house.app.tables.change(table, None, say)
            await asyncio.wait_for(follower.news(10 * PATIENCE), PATIENCE)
    assert "ZeroDivisionError at" in caplog.text


async def test_after_an_error_it_is_still_noted_who_has_the_app_open(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, until: Until
) -> None:
    monkeypatch.setattr("bot.background.MISHAP_SECONDS", 0.01)
    monkeypatch.setattr("bot.handlers.apps.OPEN_EVERY", 0.01)
    note_open, failed = AppSessions.note_open, asyncio.Event()

    async def fail_once(sessions: AppSessions, person: str) -> None:
        if not failed.is_set():
            failed.set()
            raise ZeroDivisionError
        await note_open(sessions, person)

    monkeypatch.setattr(AppSessions, "note_open", fail_once)
    async with open_house(store, web_url="https://okey.example") as house:
        ada = house.person("Ada")
        table = await house.open(ada)
        async with house.app.apps.visit(await house.app.apps.begin(ada), table) as visit:
            await visit.look()
            await asyncio.wait_for(failed.wait(), PATIENCE)
            await until(lambda: AppSessions(store, HashedTokens(store)).is_open(ada.key))
    assert "ZeroDivisionError at" in caplog.text
