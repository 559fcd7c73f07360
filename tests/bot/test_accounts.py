"""Two accounts of one person: linked by a code in private, one person for seats."""

from dataclasses import replace

import pytest
import redis

from bot.i18n import plain, words_for
from bot.ids import TableId
from bot.people.profiles import Profiles
from bot.ports import Person
from bot.repository.leagues import LeagueRepository
from bot.store import Store
from bot.tables.membership import tag
from tests.bot.house import House, offers, page_of, said
from tests.bot.league.leagues import weekly
from tests.bot.two_chats import CHANNEL, GROUP, chat, code_for, code_of, link_accounts, question, two_chats
from tests.conftest import Until

ENGLISH = words_for("en")
ADA_DC = Person("dc:11", "ada_on_discord", "en-US")
ADA_TG = Person("tg:11", "Ada", "tr")
CAN = Person("tg:22", "Can", "en")
ECE = Person("tg:33", "Ece", "en")


async def linked(house: House) -> None:
    page = page_of(await link_accounts(house, ADA_DC, ADA_TG))
    assert "are now one person" in plain(page.text, ENGLISH)


async def test_nobody_sits_twice_at_a_table(store: Store) -> None:
    async with two_chats(store) as house:
        await linked(house)
        await house.type(ADA_DC, "play", place=CHANNEL)
        table = await the_table(house, CHANNEL, ADA_DC)
        assert (await house.press(ADA_TG, f"join.{table}.0", place=GROUP)).code == "already_seated"
        await house.press(ADA_TG, f"start.{table}.0", place=GROUP)
        assert (await house.press(ADA_TG, f"rack.{table}.0")).private is not None
        assert "Nasreddin" in str(await house.look(place=CHANNEL))


async def test_who_was_removed_comes_back_under_neither_account(store: Store) -> None:
    async with two_chats(store) as house:
        await linked(house)
        await house.type(CAN, "play", place=GROUP)
        table = await the_table(house, GROUP, CAN)
        await house.press(ADA_TG, f"join.{table}.0", private=False, place=GROUP)
        await house.press(CAN, f"remove_now.{table}.0.{tag(ADA_TG.key)}")
        for account in (ADA_TG, ADA_DC):
            assert (await house.press(account, f"join.{table}.0")).code == "removed_here"


async def test_who_is_blocked_by_one_account_loses_the_seat_of_the_other(store: Store) -> None:
    async with two_chats(store) as house:
        await linked(house)
        await house.type(CAN, "play", place=GROUP)
        table = await the_table(house, GROUP, CAN)
        await house.press(ADA_TG, f"join.{table}.0", private=False, place=GROUP)
        await house.organise(CAN, "block", f"{ADA_DC.key} Ada", place=GROUP)
        stored = await house.app.tables.load(TableId(table))
        assert stored is not None
        assert stored.value.people() == (CAN.key,)


async def the_table(house: House, place: str, person: Person) -> str:
    screen = await house.look(place=place)
    return screen.table


async def test_their_rack_goes_to_where_they_acted_last(store: Store, until: Until) -> None:
    async with two_chats(store, work=True) as house:
        await linked(house)
        await house.type(ADA_DC, "play", "2", place=CHANNEL)
        table = await the_table(house, CHANNEL, ADA_DC)
        await house.press(ADA_DC, f"start.{table}.0", private=False, place=CHANNEL)
        discord, telegram = chat(house, "dc"), chat(house, "tg")

        async def on_discord() -> bool:
            return any(person == ADA_DC.key for person, _, _ in discord.racks)

        await until(on_discord)
        assert not telegram.racks
        looked = await house.type(ADA_TG, "rack", place=None)
        assert looked.private is not None

        async def on_telegram() -> bool:
            return any(person == ADA_TG.key for person, _, _ in telegram.racks)

        await until(on_telegram)
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert stored.value.people() == (ADA_TG.key,)
        assert stored.value.host == ADA_TG.key
        assert stored.value.seats[0].language == "tr"


async def test_nothing_leads_to_a_table_that_is_forgotten_from_either_account(store: Store) -> None:
    async with two_chats(store) as house:
        await linked(house)
        await house.type(ADA_DC, "play", place=CHANNEL)
        table = await the_table(house, CHANNEL, ADA_DC)
        await house.press(ADA_TG, f"rack.{table}.0")
        assert await store.index.tables_of(ADA_DC.key) == await store.index.tables_of(ADA_TG.key) == [table]
        stored = await house.app.tables.load(TableId(table))
        assert stored is not None
        await house.app.tables.forget(stored.value)
        assert await store.index.tables_of(ADA_DC.key) == await store.index.tables_of(ADA_TG.key) == []


async def test_nothing_leads_somebody_removed_to_a_table_that_is_forgotten(store: Store) -> None:
    async with two_chats(store) as house:
        await house.type(CAN, "play", place=GROUP)
        table = await the_table(house, GROUP, CAN)
        await house.press(ADA_TG, f"join.{table}.0", private=False, place=GROUP)
        await house.press(CAN, f"remove_now.{table}.0.{tag(ADA_TG.key)}")
        stored = await house.app.tables.load(TableId(table))
        assert stored is not None
        await house.app.tables.forget(stored.value)
        assert await store.index.tables_of(ADA_TG.key) == []


async def test_his_old_rack_still_works_where_it_is(store: Store) -> None:
    async with two_chats(store) as house:
        await linked(house)
        await house.type(ADA_DC, "play", "2", place=CHANNEL)
        table = await the_table(house, CHANNEL, ADA_DC)
        await house.press(ADA_DC, f"start.{table}.0", private=False, place=CHANNEL)
        await house.press(ADA_TG, f"rack.{table}.0")
        sorted_there = await house.press(ADA_DC, f"sort_pairs.{table}.0")
        assert sorted_there.private is not None
        assert (await house.type(ADA_TG, "rack", place=None)).private is not None


async def test_a_stranger_gains_nothing(store: Store) -> None:
    async with two_chats(store) as house:
        await linked(house)
        await house.type(ADA_DC, "play", place=CHANNEL)
        table = await the_table(house, CHANNEL, ADA_DC)
        await house.press(ADA_DC, f"start.{table}.0", private=False, place=CHANNEL)
        assert (await house.press(CAN, f"rack.{table}.0")).code == "unknown_table"


async def test_a_code_is_good_once_and_for_ten_minutes(store: Store, valkey_url: str) -> None:
    async with two_chats(store) as house:
        code = await code_for(house, ADA_DC)
        with redis.Redis.from_url(valkey_url) as server:
            (token,) = server.keys("token:*")
            assert 590 < server.ttl(token) <= 600
        assert not (await house.type(ADA_TG, "link", code, place=None)).code
        assert (await house.type(CAN, "link", code, place=None)).code == "wrong_code"
        assert (await house.type(CAN, "link", "AAAA-AAAA", place=None)).code == "wrong_code"


async def test_a_code_is_told_as_it_is_typed_on_the_other_platform(store: Store) -> None:
    async with two_chats(store) as house:
        chat(house, "dc").commands = "/my"
        to_discord = await house.type(CAN, "okey", "link", place=None)
        assert f"/my link {code_of(to_discord)}" in said(to_discord)
        to_telegram = await house.type(ADA_DC, "okey", "link", place=None)
        assert f"on the other platform: /okey link {code_of(to_telegram)}\n" in said(to_telegram)


@pytest.mark.parametrize("argument", ["", "CODE"])
async def test_linking_is_for_private_chats_and_a_code_told_in_public_is_void(
    store: Store, argument: str
) -> None:
    async with two_chats(store) as house:
        code = await code_for(house, ADA_DC)
        typed = code if argument else ""
        assert (await house.type(ADA_TG, "link", typed, place=GROUP)).code == "private_only"
        again = await house.type(CAN, "link", code, place=None)
        assert again.code == ("wrong_code" if argument else "")


async def test_an_account_is_linked_to_one_on_another_platform_and_to_no_more(store: Store) -> None:
    async with two_chats(store) as house:
        code = await code_for(house, ADA_TG)
        assert (await house.type(CAN, "link", code, place=None)).code == "same_chat"
        can = await code_for(house, CAN)
        await linked(house)
        assert (await house.type(ADA_DC, "link", can, place=None)).code == "already_linked"
        assert (await house.type(ADA_DC, "link", place=None)).code == "already_linked"
        late = Person("dc:55", "Late", "en")
        late_code, early_code = await code_for(house, late), await code_for(house, late)
        assert (await house.type(ADA_TG, "link", late_code, place=None)).code == "already_linked"
        await link_accounts(house, CAN, late)
        assert (await house.type(ECE, "link", early_code, place=None)).code == "already_linked"


async def test_two_who_sit_at_one_table_are_not_made_one(store: Store) -> None:
    async with two_chats(store) as house:
        await house.type(ADA_DC, "play", place=CHANNEL)
        table = await the_table(house, CHANNEL, ADA_DC)
        await house.press(ADA_TG, f"join.{table}.0", private=False, place=CHANNEL)
        code = await code_for(house, ADA_DC)
        assert (await house.type(ADA_TG, "link", code, place=None)).code == "both_seated"
        await house.press(ADA_TG, f"leave.{table}.0", private=False, place=CHANNEL)
        await linked(house)


async def prefers_words(house: House, person: Person) -> bool:
    page = (await house.type(person, "settings", place=None)).page
    assert page is not None
    return any(button.press == "prefer.me.0.words.0" for row in page.buttons for button in row)


async def test_settings_are_one_person_s(store: Store) -> None:
    """Those that one of the accounts had before are kept, and what is set later holds in both."""
    async with two_chats(store) as house:
        await house.press(ADA_TG, "prefer.me.0.words.1")
        await house.press(ADA_TG, "notify_way.me.0.none")
        await house.press(ADA_DC, "notify_way.me.0.mention")
        await linked(house)
        assert await prefers_words(house, ADA_DC)
        people = Profiles(house.store, house.app.chats)
        ways = [(await people.load(key)).notifying.way for key in ("dc:11", "tg:11")]
        assert ways == ["mention", "mention"], "the one who asked for the code is asked first"
        await house.press(ADA_DC, "prefer.me.0.words.0")
        assert not await prefers_words(house, ADA_TG)
        await house.type(ADA_TG, "unlink", place=None)
        await house.press(ADA_DC, "prefer.me.0.words.1")
        assert not await prefers_words(house, ADA_TG)


async def test_what_was_just_set_in_another_process_is_shared_when_they_are_linked(store: Store) -> None:
    here, there = Profiles(store, {}), Profiles(store, {})
    for account in (ADA_DC, ADA_TG):
        await here.load(account.key)
    await there.change(ADA_DC.key, lambda held: replace(held, language="ko"))
    await store.people.link(ADA_DC.key, ADA_TG.key)
    await here.share(ADA_DC.key, ADA_TG.key)
    shared = await Profiles(store, {}).of([ADA_DC.key, ADA_TG.key])
    assert [each.language for each in shared.values()] == ["ko", "ko"]


async def test_unlinked_they_are_two_people(store: Store) -> None:
    async with two_chats(store) as house:
        assert (await house.type(ADA_DC, "unlink", place=None)).code == "not_linked"
        await linked(house)
        assert (await house.type(ADA_DC, "unlink", "Telegram", place=None)).code == "unknown_command"
        assert not (await house.type(ADA_DC, "unlink", place=None)).code
        await house.type(ADA_DC, "play", place=CHANNEL)
        table = await the_table(house, CHANNEL, ADA_DC)
        assert not (await house.press(ADA_TG, f"join.{table}.0", private=False, place=CHANNEL)).code


async def test_forgetting_one_account_spares_the_other_that_another_process_has_just_unlinked(
    store: Store,
) -> None:
    async with two_chats(store) as here, two_chats(store) as there:
        await linked(here)
        await there.type(ADA_TG, "settings", place=None)
        await here.type(ADA_DC, "unlink", place=None)
        await here.type(ADA_DC, "notify", "mention", place=None)
        await there.press(ADA_TG, "forget_now.me.0")
        left = await Profiles(store, {}).load(ADA_DC.key)
        assert left.notifying.way == "mention"


async def test_members_part_who_were_linked_in_another_process_just_now(store: Store) -> None:
    async with two_chats(store) as here, two_chats(store) as there:
        await LeagueRepository(store).create_league(weekly(), "found")
        await there.type(ADA_TG, "settings", place=None)
        await linked(here)
        member = await here.app.leagues.member("abcde", ADA_DC)
        await here.app.leagues.member("abcde", ADA_TG)
        await there.type(ADA_TG, "unlink", place=None)
        assert (await here.app.leagues.load("abcde")).members[member.id].accounts == (ADA_DC.key,)


@pytest.mark.parametrize("asks", [ADA_DC, ADA_TG])
async def test_unlinked_they_are_two_members_and_one_may_be_forgotten(store: Store, asks: Person) -> None:
    async with two_chats(store) as house:
        leagues = house.app.leagues
        await LeagueRepository(store).create_league(weekly(), "found")
        await linked(house)
        member = await leagues.member("abcde", ADA_DC)
        assert (await leagues.member("abcde", ADA_TG)).id == member.id
        await house.type(asks, "unlink", place=None)
        league = await leagues.load("abcde")
        assert league.members[member.id].accounts == (ADA_DC.key,), "with the account that they had first"
        assert [each.id for each in await leagues.of_person(ADA_DC.key)] == ["abcde"]
        assert await leagues.of_person(ADA_TG.key) == []
        await house.press(ADA_TG, "forget_now.me.0")
        assert (await leagues.load("abcde")).members == league.members
        again = await leagues.member("abcde", ADA_TG)
        assert again.id != member.id
        await house.press(ADA_DC, "forget_now.me.0")
        assert (await leagues.load("abcde")).members[again.id] == again


async def test_guessing_codes_is_stopped(store: Store) -> None:
    async with two_chats(store) as house:
        for _ in range(10):
            assert (await house.type(CAN, "link", "AAAA-AAAA", place=None)).code == "wrong_code"
        code = await code_for(house, ADA_DC)
        assert (await house.type(CAN, "link", code, place=None)).code == "too_many_tries"


async def test_a_link_code_is_no_start_link_and_no_invitation(store: Store) -> None:
    async with two_chats(store) as house:
        code = await code_for(house, ADA_DC)
        for text in (code, code.replace("-", "")):
            assert (await house.type(ADA_TG, "start", text, place=None)).code == "wrong_code"
        assert (await house.type(ADA_TG, "join", code, place=GROUP)).code == "wrong_code"
        assert not (await house.type(ADA_TG, "link", code, place=None)).code


async def test_linking_asks_both_and_says_with_whom_and_what_comes_along(store: Store) -> None:
    async with two_chats(store) as house:
        code = await code_for(house, ADA_DC)
        asked = await question(house, Person("tg:11", "Ada", "en"), code)
        text = plain(asked.text, ENGLISH)
        assert text.startswith("Link with ada_on_discord on Discord?")
        for word in ("seats", "racks", "Statistics", "/okey forget", "/okey unlink"):
            assert word in text
        assert await store.people.find_linked("tg:11") is None
        (yes,) = offers(asked, "link_yes")
        waits = page_of(await house.press(Person("tg:11", "Ada", "en"), yes.press))
        assert "in the private chat of ada_on_discord with me on Discord" in plain(waits.text, ENGLISH)
        assert await store.people.find_linked("tg:11") is None
        ((_, sent),) = chat(house, "dc").letters.items()
        assert plain(sent.text, ENGLISH).startswith("Link with Ada on Telegram?")
        (yes,) = offers(sent, "link_yes")
        assert "are now one person" in plain(page_of(await house.press(ADA_DC, yes.press)).text, ENGLISH)
        assert await store.people.find_linked("tg:11") == "dc:11"
        ((_, told),) = chat(house, "tg").letters.items()
        assert "ada_on_discord" in plain(told.text, ENGLISH)


async def test_one_yes_links_nobody_and_another_person_cannot_give_the_other(store: Store) -> None:
    async with two_chats(store) as house:
        (yes,) = offers(await question(house, ADA_TG, await code_for(house, ADA_DC)), "link_yes")
        mallory = Person("dc:66", "Mallory", "en")
        for _ in range(2):
            await house.press(ADA_TG, yes.press)
            assert (await house.press(mallory, yes.press)).code == "no_proposal"
            assert (await house.press(ADA_DC, yes.press)).code == "no_proposal"
        assert await store.people.find_linked(ADA_TG.key) is None


async def test_a_yes_that_is_delivered_twice_links_once(store: Store) -> None:
    async with two_chats(store) as house:
        (first,) = offers(await question(house, ADA_TG, await code_for(house, ADA_DC)), "link_yes")
        for _ in range(2):
            await house.press(ADA_TG, first.press, id="the first yes")
        assert len(chat(house, "dc").letters) == 1
        (second,) = offers(await question(house, ADA_DC), "link_yes")
        answers = [await house.press(ADA_DC, second.press, id="the second yes") for _ in range(2)]
        assert answers[0] == answers[1]
        assert len(chat(house, "tg").letters) == 1
        assert await store.people.find_linked(ADA_DC.key) == ADA_TG.key


@pytest.mark.parametrize("who", [ADA_TG, ADA_DC])
async def test_either_may_say_no_until_both_have_said_yes(store: Store, who: Person) -> None:
    async with two_chats(store) as house:
        (yes,) = offers(await question(house, ADA_TG, await code_for(house, ADA_DC)), "link_yes")
        waits = page_of(await house.press(ADA_TG, yes.press))
        asked = await question(house, ADA_DC)
        (no,) = offers(waits if who == ADA_TG else asked, "link_no")
        await house.press(who, no.press)
        for person, page in ((ADA_TG, waits), (ADA_DC, asked)):
            (late,) = offers(page, "link_yes") or (yes,)
            assert (await house.press(person, late.press)).code == "no_proposal"
        assert await store.people.find_linked(ADA_TG.key) is None
        assert code_of(await house.type(ADA_DC, "link", place=None))


async def test_a_question_is_good_for_ten_minutes(store: Store, valkey_url: str) -> None:
    async with two_chats(store) as house:
        (yes,) = offers(await question(house, ADA_TG, await code_for(house, ADA_DC)), "link_yes")
        await house.press(ADA_TG, yes.press)
        with redis.Redis.from_url(valkey_url) as server:
            tokens = [each for each in server.keys("token:*") if not server.hexists(each, "by")]
            assert len(tokens) == 2, "besides the code, which is used"
            assert all(590 < server.ttl(token) <= 600 for token in tokens)
            server.delete(*tokens)
        assert (await house.press(ADA_TG, yes.press)).code == "no_proposal"


async def test_a_question_is_answered_in_the_private_chat_alone(store: Store) -> None:
    async with two_chats(store) as house:
        (yes,) = offers(await question(house, ADA_TG, await code_for(house, ADA_DC)), "link_yes")
        answer = await house.press(ADA_TG, yes.press, private=False, place=GROUP)
        assert answer.code == "private_only"


async def test_two_who_sat_down_together_meanwhile_are_not_made_one(store: Store) -> None:
    async with two_chats(store) as house:
        (yes,) = offers(await question(house, ADA_TG, await code_for(house, ADA_DC)), "link_yes")
        await house.press(ADA_TG, yes.press)
        (last,) = offers(await question(house, ADA_DC), "link_yes")
        await house.type(ADA_DC, "play", place=CHANNEL)
        table = await the_table(house, CHANNEL, ADA_DC)
        await house.press(ADA_TG, f"join.{table}.0", private=False, place=CHANNEL)
        assert (await house.press(ADA_DC, last.press)).code == "both_seated"


async def test_who_cannot_be_written_to_finds_the_question_by_typing(store: Store) -> None:
    async with two_chats(store) as house:
        chat(house, "dc").closed.add(ADA_DC.key)
        (yes,) = offers(await question(house, ADA_TG, await code_for(house, ADA_DC)), "link_yes")
        await house.press(ADA_TG, yes.press)
        assert chat(house, "dc").letters == {}
        assert offers(await question(house, ADA_DC), "link_yes", "link_no")
