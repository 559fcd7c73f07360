"""Who runs a place is asked at each use, of the place's own chat."""

from bot.ports import Person, RetryAfter
from bot.store import Store
from tests.bot.house import PLACE, open_house, said
from tests.bot.two_chats import CHANNEL, GROUP, chat, link_accounts, two_chats


async def test_who_ran_a_place_yesterday_does_not_run_it_today(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        assert not (await house.organise(ada, "invitations", "off")).code
        assert (await house.type(ada, "invitations", "on")).code == "organisers_only"
        assert "not shared" in said(await house.type(ada, "invitations"))


async def test_who_runs_one_place_runs_no_other(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        with house.runs(ada, "mem:elsewhere"):
            assert (await house.type(ada, "defaults", "3")).code == "organisers_only"


async def test_nothing_changes_while_the_chat_does_not_say_who_runs_it(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        house.chat.organisers.add((ada.key, PLACE))
        house.chat.refuse_asking.append(RetryAfter(5.0))
        answer = await house.type(ada, "invitations", "off")
        assert answer.code == "cannot_ask"
        assert "try again" in said(answer)
        assert "can be shared" in said(await house.type(ada, "invitations"))
        assert not (await house.type(ada, "invitations", "off")).code


async def test_linked_accounts_are_one_organiser(store: Store) -> None:
    async with two_chats(store) as house:
        ada, boss = Person("tg:22", "Ada", "en"), Person("dc:11", "Ada", "en")
        chat(house, "dc").organisers.add((boss.key, CHANNEL))
        refused = await house.type(ada, "defaults", "3", place=CHANNEL)
        assert said(refused).endswith("anyone who may manage this server.")
        refused = await house.type(ada, "defaults", "3", place=GROUP)
        assert said(refused).endswith("the administrators of this group.")
        await link_accounts(house, boss, ada)
        assert not (await house.type(ada, "defaults", "3", place=CHANNEL)).code
