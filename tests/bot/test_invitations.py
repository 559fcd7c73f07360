"""A table that people of several places sit at: codes, languages, withdrawal, and who forbids it."""

import asyncio

import pytest
import redis

from bot.i18n import plain, words_for
from bot.ids import TableId
from bot.markup import PublicScreen
from bot.people.codes import ALPHABET, fresh_code, read_code, spell
from bot.people.tokens import TRIES, HashedTokens
from bot.ports import Answer, Person, Press
from bot.store import Store
from tests.bot.house import House, offers, page_of, said
from tests.bot.two_chats import CHANNEL, GROUP, chat, code_of, two_chats
from tests.conftest import Until

ADA = Person("dc:11", "Ada", "en-US")
BEN = Person("dc:12", "Ben", "en-US")
CAN = Person("tg:22", "Can", "tr")
ECE = Person("tg:33", "Ece", "tr")


def in_turkish(screen: PublicScreen) -> str:
    return plain(screen.text, words_for("tr"))


async def invited(house: House, *people: Person, words: str = "") -> tuple[str, str]:
    """Ada opens a table in the channel and asks for a code; the table's id, and the code."""
    await house.type(ADA, "play", words, place=CHANNEL)
    public = await house.look(place=CHANNEL)
    return public.table, code_of(await house.type(ADA, "okey", "invite", place=CHANNEL))


async def shown(house: House, place: str) -> PublicScreen | None:
    return await house.look(place=place) if await house.store.index.tables_at(place) else None


async def test_a_code_brings_the_table_to_another_chat_in_its_language(store: Store) -> None:
    async with two_chats(store) as house:
        table, code = await invited(house)
        answer = await house.type(CAN, "join", code, place=GROUP)
        assert (
            plain(answer.notice, words_for("tr"))
            == "Masaya oturdun. Oyun başlayınca taşların sana özelden gelir."
        )
        there, here = await shown(house, GROUP), await shown(house, CHANNEL)
        assert there is not None
        assert here is not None
        assert there.table == here.table == table
        assert "– boş –" in in_turkish(there)
        assert "– free –" in plain(here.text, words_for("en"))
        assert "Can" in plain(here.text, words_for("en"))
        assert offers(there, "join")
        await house.press(ECE, f"join.{table}.0", private=False, place=GROUP)
        here = await shown(house, CHANNEL)
        assert here is not None
        assert "Ece" in plain(here.text, words_for("en"))


async def test_every_place_is_sent_the_table_by_the_post(store: Store, until: Until) -> None:
    async with two_chats(store, work=True) as house:
        table, code = await invited(house)
        await house.type(CAN, "join", code, place=GROUP)
        discord, telegram = chat(house, "dc"), chat(house, "tg")

        async def both_show_him() -> bool:
            return any(
                place == CHANNEL and "Can" in plain(screen.text, words_for("en"))
                for place, screen, _ in discord.tables
            ) and any(
                place == GROUP and screen.table == table and "boş" in in_turkish(screen)
                for place, screen, _ in telegram.tables
            )

        await until(both_show_him)


async def test_a_code_is_read_however_it_is_typed(store: Store) -> None:
    async with two_chats(store) as house:
        _, code = await invited(house)
        answer = await house.type(CAN, "join", f" {code.lower().replace('-', ' ')} ", place=GROUP)
        assert not answer.code


async def test_two_who_ask_for_a_code_at_once_are_told_the_same(store: Store) -> None:
    async with two_chats(store) as house:
        table, first = await invited(house)
        await house.press(BEN, f"join.{table}.0", private=False, place=CHANNEL)
        await house.type(ADA, "uninvite", place=CHANNEL)
        asked = (house.type(each, "okey", "invite", place=CHANNEL) for each in (ADA, BEN))
        one, other = [code_of(answer) for answer in await asyncio.gather(*asked)]
        assert one == other != first
        assert not (await house.type(CAN, "join", one, place=GROUP)).code


async def test_who_types_a_code_in_private_is_told_what_leads_to_a_seat_there(store: Store) -> None:
    async with two_chats(store) as house:
        table, code = await invited(house)
        refused = await house.type(CAN, "join", code, place=None)
        assert refused.code == "here_only"
        assert "/okey izle" in plain(refused.notice, words_for("tr"))
        page = page_of(await house.type(CAN, "watch", code, place=None))
        (join,) = [each for row in page.buttons for each in row if each.press.startswith("join.")]
        assert not (await house.press(CAN, join.press)).code
        (stored,) = await house.app.tables.load_many([TableId(table)])
        assert stored.value.seat_of(CAN.key) is not None


async def test_where_all_seats_are_taken_the_place_looks_on(store: Store) -> None:
    async with two_chats(store) as house:
        table, code = await invited(house, words="2")
        await house.type(CAN, "join", code, place=GROUP)
        answer = await house.type(ECE, "join", code, place="tg:-10")
        assert "izleyicisin" in said(answer)
        there = await shown(house, "tg:-10")
        assert there is not None
        assert there.table == table


async def test_while_a_match_goes_on_a_place_looks_on(store: Store) -> None:
    async with two_chats(store) as house:
        table, code = await invited(house)
        await house.press(ADA, f"start.{table}.0", private=False, place=CHANNEL)
        answer = await house.type(CAN, "join", code, place=GROUP)
        assert "izleyicisin" in said(answer)
        there = await shown(house, GROUP)
        assert there is not None
        assert there.picture is not None
        refused = await house.press(CAN, f"rack.{table}.0", private=False, place=GROUP)
        assert refused.code == "not_seated"
        assert refused.private is None


async def test_numbers_for_whom_only_alerts_reach_stand_where_they_can_press_them(
    store: Store, until: Until
) -> None:
    async with two_chats(store, work=True) as house:
        chat(house, "tg").private_everywhere = False
        chat(house, "tg").closed.add(CAN.key)
        table, code = await invited(house, words="2")
        await house.type(CAN, "join", code, place=GROUP)
        await house.press(ADA, f"start.{table}.0", private=False, place=CHANNEL)
        first = (await house.press(ADA, f"rack.{table}.0")).private
        assert first is not None
        for button in offers(first, "discard"):  # none when it is their turn; an okey asks first
            await house.press(ADA, button.press)

        async def he_has_numbers() -> bool:
            there = await shown(house, GROUP)
            return there is not None and len(offers(there, "place")) == 15

        await until(he_has_numbers)
        here = await shown(house, CHANNEL)
        assert here is not None
        assert not offers(here, "place", "draw_here")


async def test_the_same_code_is_told_again_and_leads_nobody_to_another_table(store: Store) -> None:
    async with two_chats(store) as house:
        table, code = await invited(house)
        assert code_of(await house.type(ADA, "invite", place=CHANNEL)) == code
        assert code_of(await house.type(ADA, "invite", place=None)) == code
        await house.type(CAN, "play", place=GROUP)
        other = await shown(house, GROUP)
        assert other is not None
        assert other.table != table


async def test_a_withdrawn_code_is_wrong_and_who_came_stays(store: Store) -> None:
    async with two_chats(store) as house:
        table, code = await invited(house)
        await house.type(CAN, "join", code, place=GROUP)
        meant_another = await house.type(ADA, "okey", "uninvite 2", place=CHANNEL)
        assert said(meant_another) == "I don’t know “2”. /okey help lists all commands."
        assert code_of(await house.type(ADA, "invite", place=CHANNEL)) == code
        assert said(await house.type(ADA, "okey", "uninvite", place=CHANNEL)).startswith(
            "The code no longer works"
        )
        assert (await house.type(ECE, "join", code, place="tg:-10")).code == "wrong_code"
        assert await shown(house, "tg:-10") is None
        there = await shown(house, GROUP)
        assert there is not None
        assert there.table == table
        assert (await house.type(ADA, "uninvite", place=CHANNEL)).code == "no_invitation"
        await HashedTokens(store).put("invitation", str(read_code(code)), table.encode(), 60)  # not yet gone
        assert (await house.type(ECE, "join", code, place="tg:-10")).code == "wrong_code"
        assert code_of(await house.type(ADA, "invite", place=CHANNEL)) != code


async def test_a_code_is_good_for_a_day(store: Store, valkey_url: str) -> None:
    async with two_chats(store) as house:
        _, code = await invited(house)
        with redis.Redis.from_url(valkey_url) as server:
            (token,) = server.keys("token:*")
            assert 23.9 * 3600 < server.ttl(token) <= 24 * 3600
            server.pexpire(token, 0)
        assert (await house.type(CAN, "join", code, place=GROUP)).code == "wrong_code"
        assert code_of(await house.type(ADA, "invite", place=CHANNEL)) != code


async def test_a_code_of_a_closed_table_says_that_it_is_closed(store: Store) -> None:
    async with two_chats(store) as house:
        table, code = await invited(house)
        await house.press(ADA, f"cancel.{table}.0", private=False, place=CHANNEL)
        assert (await house.type(CAN, "join", code, place=GROUP)).code == "table_closed"
        assert (await house.type(CAN, "watch", code, place=GROUP)).code == "table_closed"
        assert (await house.type(ADA, "word", "tea", place=CHANNEL)).code == "no_table"
        assert (await house.type(ADA, "invite", place=CHANNEL)).code == "no_table"


async def test_only_who_sits_at_the_table_invites(store: Store) -> None:
    async with two_chats(store) as house:
        await invited(house)
        assert (await house.type(Person("dc:66", "Eve", "en"), "invite", place=CHANNEL)).code == "no_table"
        assert (await house.type(Person("dc:66", "Eve", "en"), "uninvite", place=CHANNEL)).code == "no_table"


async def test_guessing_is_stopped(store: Store) -> None:
    async with two_chats(store) as house:
        _, code = await invited(house)
        for _ in range(TRIES):
            assert (await house.type(CAN, "join", "AAA-AAA", place=GROUP)).code == "wrong_code"
        assert (await house.type(CAN, "join", code, place=GROUP)).code == "too_many_tries"
        assert not (await house.type(ECE, "join", code, place=GROUP)).code


async def test_a_table_is_shown_in_eight_places_at_most(store: Store) -> None:
    async with two_chats(store) as house:
        _, code = await invited(house)
        for number in range(7):
            person = Person(f"tg:{number}", f"P{number}", "en")
            assert not (await house.type(person, "join", code, place=f"tg:-{number}")).code
        assert (await house.type(CAN, "join", code, place="tg:-100")).code == "too_many_places"
        assert await shown(house, "tg:-100") is None


async def test_the_same_command_delivered_twice_is_carried_out_once(store: Store) -> None:
    async with two_chats(store) as house:
        _, code = await invited(house)
        await house.type(CAN, "guide", place=None)
        first = await house.type(CAN, "join", code, place=GROUP, id="once")
        assert await house.type(CAN, "join", code, place=GROUP, id="once") == first


async def switch(house: House, text: str, *, place: str, organiser: bool = True) -> Answer:
    boss = Person(f"{place[:2]}:99", "Boss", "en")
    act = house.organise if organiser else house.type
    return await act(boss, "invitations", text, place=place)


@pytest.mark.parametrize("forbids", [CHANNEL, GROUP])
async def test_a_place_can_keep_to_itself(store: Store, forbids: str) -> None:
    async with two_chats(store) as house:
        _, code = await invited(house)
        assert "switched" not in said(await switch(house, "off", place=forbids))
        assert (await house.type(CAN, "join", code, place=f"{GROUP}/5")).code == "no_sharing"
        assert await shown(house, f"{GROUP}/5") is None
        asked = await house.type(ADA, "invite", place=CHANNEL)
        assert asked.code == ("no_sharing" if forbids == CHANNEL else "")
        await switch(house, "on", place=forbids)
        assert not (await house.type(CAN, "join", code, place=f"{GROUP}/5")).code


async def test_only_who_runs_a_place_switches_and_their_name_is_told(store: Store) -> None:
    async with two_chats(store) as house:
        assert (await switch(house, "off", place=GROUP, organiser=False)).code == "organisers_only"
        assert "can be shared" in said(await switch(house, "", place=GROUP, organiser=False))
        await switch(house, "off", place=GROUP)
        told = said(await switch(house, "", place=GROUP, organiser=False))
        assert "not shared" in told
        assert "Boss" in told


async def test_switching_leaves_the_default_rules_alone(store: Store) -> None:
    async with two_chats(store) as house:
        await house.organise(ADA, "defaults", "okey101", place=CHANNEL)
        await switch(house, "off", place=CHANNEL)
        await house.type(ADA, "play", place=CHANNEL)
        lobby = await shown(house, CHANNEL)
        assert lobby is not None
        assert "101" in plain(lobby.text, words_for("en"))
        await house.organise(ADA, "defaults", "okey", place=CHANNEL)
        assert "not shared" in said(await switch(house, "", place=CHANNEL))


async def test_a_place_that_moves_keeps_its_language_at_the_table(store: Store) -> None:
    async with two_chats(store) as house:
        table, code = await invited(house)
        await house.type(CAN, "join", code, place=GROUP)
        await house.app.delivery.note_move(GROUP, "tg:-1009")
        screen = (
            await house.app.router.press(
                Press(by=ECE, place="tg:-1009", surface="public", data=f"join.{table}.0", id="m")
            )
        ).public
        assert screen is not None
        assert "boş" in in_turkish(screen)


def test_codes_hold_nothing_that_looks_or_sounds_alike() -> None:
    assert not set("0O1IL5S8B2ZGVWQ") & set(ALPHABET)
    assert len(set(ALPHABET)) == len(ALPHABET) == 21


def test_a_code_is_read_as_it_is_spelled() -> None:
    for _ in range(50):
        code = fresh_code(6)
        assert read_code(spell(code)) == code
        assert read_code(spell(code).lower()) == code
    for text in ("", "-", "ABC123", "AÇE", "AC\u200bD", "zzzzzz"):
        assert read_code(text) is None
