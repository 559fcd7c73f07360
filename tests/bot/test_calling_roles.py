"""Calling a role to a lobby: only where an organiser named one, once a lobby, and seldom."""

import asyncio

import pytest

from bot.i18n import LANGUAGES, plain, words_for
from bot.ids import TableId
from bot.people import subscriptions
from bot.ports import CommunityRole
from bot.store import Store
from bot.tables import lobby
from tests.bot.house import PLACE, House, offers, open_house, page_of, said
from tests.bot.store.waiting import dirty
from tests.conftest import Until

ENGLISH = words_for("en")
PLAYERS = CommunityRole("41", "Okey players")


@pytest.fixture(autouse=True)
def _calls_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "CALL_SECONDS", 0.2)


async def name_role(house: House, label: str = PLAYERS.name) -> str:
    """An organiser chooses a role on the page of settings; what the page says then."""
    boss = house.person("Boss")
    with house.runs(boss):
        page = page_of(await house.press(boss, f"org.{PLACE}.0.roles"))
        (chosen,) = [each for each in offers(page, "org") if plain(each.label, ENGLISH).endswith(label)]
        return plain(page_of(await house.press(boss, chosen.press)).text, ENGLISH)


async def has_called(house: House, until: Until, table: str) -> None:
    """Wait until a lobby has called whom it calls, and everything is delivered."""

    async def called() -> bool:
        stored = await house.app.tables.load(table)  # type: ignore[arg-type]
        return stored is not None and stored.value.calls.has_called

    await until(called)
    await until(lambda: _settled(house))


async def _settled(house: House) -> bool:
    return not house.app.delivery.backlog and not await dirty(house.store)


async def test_a_role_is_mentioned_once_a_lobby_instead_of_private_messages(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        ada, can, ece, zoe = (house.person(name) for name in ("Ada", "Can", "Ece", "Zoe"))
        house.chat.callable = [PLAYERS]
        first = await house.open(ada)
        for person in (can, zoe):
            await house.press(person, f"bell.{first}.0", private=False)
        assert "@Okey players" in await name_role(house)
        assert "a role is mentioned" in said(await house.press(ece, f"bell.{first}.0", private=False))
        assert "no longer" in said(await house.press(can, f"bell.{first}.0", private=False))
        await has_called(house, until, first)
        await house.press(ece, f"join.{first}.0", private=False)
        await until(lambda: _settled(house))
        ((place, role, text),) = house.chat.role_calls
        assert (place, role) == (PLACE, PLAYERS.key)
        assert plain(text, ENGLISH).startswith("Table 1")
        assert plain(text, ENGLISH).endswith("is looking for players.")
        assert not house.chat.letters
        assert not house.chat.lines


async def test_a_process_without_the_chat_knows_whose_place_it_is(store: Store, until: Until) -> None:
    """Else a clock that it keeps would call subscribers, and count the match for the channel alone."""
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        house.chat.callable, house.chat.communities = [PLAYERS], {PLACE: "mem:server"}
        await name_role(house)
        table = await house.open(ada)
        async with open_house(store) as other:
            del other.app.chats["mem"]
            await store.subscriptions.add(can.key, PLACE, "en")

            async def called() -> bool:
                stored = await house.app.tables.load(TableId(table))
                return stored is not None and stored.value.calls.has_called

            await until(called)
        stored = await house.app.tables.load(TableId(table))
        assert stored is not None
        assert (stored.value.calls.called, stored.value.calls.roles) == ((), {PLACE: PLAYERS.key})


async def test_a_role_is_mentioned_at_most_every_half_hour(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house(store) as house:
        ada = house.person("Ada")
        house.chat.callable = [PLAYERS]
        await name_role(house)
        for calls in (1, 1):
            table = await house.open(ada)
            await has_called(house, until, table)
            await house.press(ada, f"cancel.{table}.0", private=False)
            assert len(house.chat.role_calls) == calls
        limit = (f"role {PLACE}", 1, subscriptions.ROLE_AGAIN_SECONDS)
        assert 1700 < await store.calls.wait([limit]) <= 1800

        monkeypatch.setattr(subscriptions, "ROLE_AGAIN_SECONDS", 1.0)
        again = (f"role {PLACE}", 1, 1.0)
        assert await store.calls.spend([again]) == 0

        async def over() -> bool:
            return await store.calls.wait([again]) == 0

        await until(over)
        await has_called(house, until, await house.open(ada))
        assert len(house.chat.role_calls) == 2


async def test_a_kill_between_claim_and_call_mentions_nobody_twice(
    store: Store, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house(store) as house:
        house.chat.callable = [PLAYERS]
        await name_role(house)
        killed = asyncio.Event()

        async def kill(*line: object, **how: object) -> bool:
            killed.set()
            raise asyncio.CancelledError

        monkeypatch.setattr(house.chat, "call_role", kill)
        table = await house.open(house.person("Ada"))
        await killed.wait()
    async with open_house(store) as house:
        house.chat.callable = [PLAYERS]
        await house.press(house.person("Can"), f"join.{table}.0", private=False)
        await until(lambda: _settled(house))
        assert house.chat.role_calls == []


async def test_no_role_is_mentioned_at_a_full_lobby_or_after_it_was_switched_off(
    store: Store, until: Until
) -> None:
    async with open_house(store, full_lobby=60.0) as house:
        ada, can = house.person("Ada"), house.person("Can")
        house.chat.callable = [PLAYERS]
        await name_role(house)
        table = await house.open(ada, can, words="2")
        await house.press(ada, f"hold.{table}.0", private=False)
        await has_called(house, until, table)
        await house.press(ada, f"cancel.{table}.0", private=False)
        assert "no role" in (await name_role(house, "No role")).lower()
        await has_called(house, until, await house.open(ada))
        assert house.chat.role_calls == []


async def test_a_role_that_may_not_be_mentioned_is_told_with_the_right_that_lacks(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        house.chat.callable = [PLAYERS]
        await name_role(house)
        house.chat.callable = []
        await has_called(house, until, await house.open(house.person("Ada")))
        ((calls, text),) = house.chat.lines.values()
        assert not calls
        assert "is looking for players." in plain(text, ENGLISH)
        assert "All Roles" in plain(text, ENGLISH)
        assert house.chat.role_calls == []
        boss = house.person("Boss")
        page = page_of(await house.organise(boss, "organise"))
        assert "can’t mention the role" in plain(page.text, ENGLISH)


async def test_only_a_role_that_may_be_mentioned_is_named(store: Store) -> None:
    async with open_house(store, work=False) as house:
        boss = house.person("Boss")
        house.chat.callable = [PLAYERS]
        with house.runs(boss):
            for tag in ("deadbeef", "", PLAYERS.key):
                assert (await house.press(boss, f"org.{PLACE}.0.role.{tag}")).code == "unknown_button"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_names_the_table(language: str) -> None:
    assert "Masa 3" in words_for(language).plain("call.role", table="Masa 3")
