"""Calling people to a lobby: who asked for it, once, and never with a button that leads nowhere."""

from dataclasses import replace

import pytest

from bot.i18n import LANGUAGES, plain, words_for
from bot.markup import Page
from bot.people.notifications import Notifying
from bot.ports import Person
from bot.store import Store
from bot.tables import lobby
from tests.bot.house import PLACE, House, offers, open_house, said
from tests.bot.rounds import begin, play_round
from tests.conftest import Until

ENGLISH = words_for("en")


@pytest.fixture(autouse=True)
def _calls_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "CALL_SECONDS", 0.2)


def letters_to(house: House, person: Person) -> list[Page]:
    return [page for (to, _), page in house.chat.letters.items() if to == person.key]


def read(page: Page) -> str:
    return plain(page.text, ENGLISH)


async def ring(house: House, person: Person, table: str) -> str:
    return said(await house.press(person, f"bell.{table}.0", private=False))


async def has_called(house: House, table: str) -> bool:
    stored = await house.app.tables.load(table)  # type: ignore[arg-type]
    return stored is not None and stored.value.calls.has_called


async def test_who_asked_is_told_once_with_a_seat_and_nobody_else(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can, ece, zoe = (house.person(name) for name in ("Ada", "Can", "Ece", "Zoe"))
        first = await house.open(ada)
        assert "write to you in private" in await ring(house, can, first)
        await ring(house, zoe, first)
        assert "no longer" in await ring(house, zoe, first)
        house.reads(ece)
        await house.press(ada, f"cancel.{first}.0", private=False)
        table = await house.open(ada)

        async def told() -> bool:
            return bool(letters_to(house, can))

        await until(told)
        (page,) = letters_to(house, can)
        assert read(page).startswith("A table is looking for players: table 1 in the channel.")
        (join,) = offers(page, "join")
        assert join.press.startswith(f"join.{table}.")
        assert not letters_to(house, ece)
        assert not letters_to(house, zoe)
        assert not house.chat.lines, "no place is disturbed"
        for person in (ece, zoe):
            await house.press(person, f"join.{table}.0", private=False)
        await house.press(ada, f"players.{table}.0.3", private=False)

        async def closed() -> bool:
            return not letters_to(house, can)[0].buttons

        await until(closed)
        assert read(letters_to(house, can)[0]).endswith("There is no free seat any more.")


async def test_a_person_is_called_once_an_hour_and_not_in_quiet_hours_or_a_match(
    store: Store, until: Until
) -> None:
    async with open_house(store) as house:
        ada, can, ece, zoe = (house.person(name) for name in ("Ada", "Can", "Ece", "Zoe"))
        playing = await house.open(zoe)
        for person in (can, ece, zoe):
            await ring(house, person, playing)
        await begin(house, playing, zoe)
        always = Notifying(quiet=(0, 0))
        await house.app.router._services.people.change(  # type: ignore[attr-defined]
            ece.key, lambda now: replace(now, notifying=replace(always, quiet=(0, 24)))
        )
        for number in range(2):
            table = await house.open(ada)

            async def called(table: str = table) -> bool:
                return await has_called(house, table)

            await until(called)
            if number == 0:
                await until(lambda: _has_letter(house, can))
            await house.press(ada, f"cancel.{table}.0", private=False)
        assert len(letters_to(house, can)) == 1
        assert not letters_to(house, ece)
        assert not letters_to(house, zoe)


async def _has_letter(house: House, person: Person) -> bool:
    return bool(letters_to(house, person))


async def test_playing_again_tells_the_others_of_the_match_in_private(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="okey-rounds 3 rounds=1")
        await begin(house, table, ada)
        await play_round(house, table)
        await house.press(ada, f"again.{table}.0", private=False)
        await until(lambda: _has_letter(house, can))
        (page,) = letters_to(house, can)
        assert read(page).startswith("Ada plays again: table 1 in the channel. Your seat is kept.")
        (leave,) = offers(page, "leave")
        assert not letters_to(house, ada)
        await house.press(can, leave.press)
        (following,) = {each.split(".")[1] for each in [leave.press]}

        async def free() -> bool:
            stored = await house.app.tables.load(following)  # type: ignore[arg-type]
            return stored is not None and stored.value.seat_of(can.key) is None

        await until(free)


async def test_a_host_invites_by_name_only_who_reads_the_place(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), Person("mem:77", "Can", "en")
        table = await house.open(ada)
        assert (await house.type(ada, "invite", "mem:78 Eve")).code == "not_of_this_place"
        house.reads(can)
        assert said(await house.type(ada, "invite", "mem:77 Can")) == "Can is invited in private."
        await until(lambda: _has_letter(house, can))
        (page,) = letters_to(house, can)
        assert read(page).startswith("Ada invites you to table 1 in the channel.")
        assert (await house.type(ada, "invite", "mem:77 Can")).code == "too_many_invited"
        (join,) = offers(page, "join")
        await house.press(can, join.press)
        stored = await house.app.tables.load(table)  # type: ignore[arg-type]
        assert stored is not None
        assert stored.value.seat_of(can.key) == 1
        seated = said(await house.type(ada, "invite", "mem:77 Can"))
        assert seated == "That person already has a seat at this table."
        assert (await house.type(can, "invite", "mem:78 Eve")).code == "not_host"


async def test_a_subscription_goes_with_its_person(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada)
        await ring(house, can, table)
        assert await store.subscriptions.find_people(PLACE) == {can.key: "en"}
        await store.people.move_place(PLACE, "mem:new")
        assert await store.subscriptions.find_people(PLACE) == {}
        assert await store.subscriptions.find_places(can.key) == ["mem:new"]
        await house.app.personal_data.forget(can.key)
        assert await store.subscriptions.find_people("mem:new") == {}
        assert await store.subscriptions.find_places(can.key) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_where_the_table_is(language: str) -> None:
    words = words_for(language)
    for key in ("call.bell", "call.again", "call.again_seated", "call.invited"):
        told = words.plain(key, table="3", where="#okey", who="Ada")
        assert "3" in told
        assert "#okey" in told
