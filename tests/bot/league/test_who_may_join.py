"""Who may join a league: whoever reads one of its places. The chat is asked about nobody else's presses."""

from dataclasses import dataclass, field, replace

import pytest

from bot.ports import Person, RetryAfter
from bot.store import Store
from tests.bot.house import PLACE, MemoryChat, MemoryPlaces, said
from tests.bot.league.leagues import LeagueHouse, MovedClock, Until, league_house, weekly
from tests.bot.league.test_router_evening import organise

ACTS = (
    *("night_yes", "night_maybe", "night_no", "night_substitute", "night_here", "night_late", "night_gone"),
    *("night_sit", "night_dispute", "league_remind"),
)


@dataclass
class CountingChat(MemoryChat):
    """Notes whom it is asked about."""

    asked: list[tuple[str, str]] = field(default_factory=list)
    away: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.places = CountingPlaces(self)


class CountingPlaces(MemoryPlaces):
    """The places of such a chat."""

    _chat: CountingChat

    async def reads(self, person: str, place: str) -> bool | None:
        self._chat.asked.append((person, place))
        if self._chat.away:
            raise RetryAfter(5)
        return await super().reads(person, place)


async def asked_at(evening: LeagueHouse) -> CountingChat:
    """The chat of the league's place, from now on with notes, when the night is announced."""
    await evening.comes("announced")
    chat = CountingChat()
    evening.house.app.chats["mem"] = evening.house.chat = chat
    return chat


def act(evening: LeagueHouse, verb: str) -> str:
    """The button of the night or the league."""
    return f"{verb}.{evening.night_id}.0" if verb.startswith("night") else f"{verb}.{evening.league}.0.on"


def unknown(verb: str) -> str:
    """The refusal of a league or night that does not exist, which is what a stranger is told."""
    return f"unknown_{verb.partition('_')[0]}"


async def known(evening: LeagueHouse) -> set[str]:
    """The accounts of all members but the organiser, who stands in the log."""
    league = await evening.house.app.leagues.load(evening.league)
    accounts = {account for member in league.members.values() for account in member.accounts}
    return accounts - {"mem:olga"}


@pytest.mark.parametrize("verb", ACTS)
async def test_an_id_alone_opens_no_league(store: Store, until: Until, verb: str) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await asked_at(evening)
        eve = evening.house.person("Eve")
        answer = await evening.house.press(eve, act(evening, verb))
        assert answer.code == unknown(verb)
        assert "Thursday" not in said(answer)
        elsewhere = await evening.house.press(eve, act(evening, verb), private=False, place="mem:garden")
        assert elsewhere.code == unknown(verb)
        assert await known(evening) == set()
        assert (await evening.night()).entrants == ()


async def test_who_reads_one_of_its_places_signs_up_in_private(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        chat = await asked_at(evening)
        chat.readers.add(("mem:eve", PLACE))
        eve = evening.house.person("Eve")
        for verb in ("night_yes", "night_no", "league_remind"):
            assert not (await evening.house.press(eve, act(evening, verb))).code
        assert await known(evening) == {"mem:eve"}
        assert chat.asked == [("mem:eve", PLACE)], "who is a member is not asked about again"


async def test_in_its_places_and_their_threads_nobody_is_asked_about(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        chat, house = await asked_at(evening), evening.house
        for name, place in (("Ada", PLACE), ("Can", f"{PLACE}/7")):
            yes = act(evening, "night_yes")
            assert not (await house.press(house.person(name), yes, private=False, place=place)).code
        assert not (await house.type(house.person("Eve"), "okey", "league yes")).code
        assert await known(evening) == {"mem:ada", "mem:can", "mem:eve"}
        assert chat.asked == []


async def test_a_name_on_the_list_is_claimed_only_by_who_reads_a_place(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(entry="members"), MovedClock()) as evening:
        chat, yes = await asked_at(evening), act(evening, "night_yes")
        await organise(evening, "members Ada\nCan, mem:can\nEve")
        await organise(evening, "members Ada, Eve")
        false = Person("mem:thief", "Ada", "en")
        assert (await evening.house.press(false, yes)).code == "unknown_night"
        chat.readers |= {("mem:ada", PLACE), ("mem:bob", PLACE)}
        assert not (await evening.house.press(evening.house.person("Ada"), yes)).code
        assert (await evening.house.press(evening.house.person("Bob"), yes)).code == "members_only"
        assert await known(evening) == {"mem:ada"}


async def test_an_account_on_the_list_and_a_linked_one_are_not_asked_about(
    store: Store, until: Until
) -> None:
    async with league_house(store, until, weekly(entry="members"), MovedClock()) as evening:
        chat, house = await asked_at(evening), evening.house
        house.app.chats["tg"] = other = CountingChat(name="tg")
        await organise(evening, "members Ada, tg:4711")
        await store.people.link("tg:4711", "mem:ada")
        for person in (Person("mem:ada", "Ada", "en"), Person("tg:4711", "Ada", "en")):
            assert not (await house.press(person, act(evening, "night_yes"))).code
        assert await known(evening) == {"mem:ada", "tg:4711"}
        assert chat.asked == other.asked == []


async def test_a_linked_account_reads_for_both(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        chat = await asked_at(evening)
        evening.house.app.chats["oth"] = MemoryChat(name="oth")
        await store.people.link("oth:eve", "mem:eve")
        chat.readers.add(("mem:eve", PLACE))
        assert not (await evening.house.press(Person("oth:eve", "Eve", "en"), act(evening, "night_yes"))).code


async def test_a_league_in_two_chats_asks_the_persons_own(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        here, there = await asked_at(evening), CountingChat(name="oth", readers={("oth:zoe", "oth:hall")})
        evening.house.app.chats["oth"] = there
        await evening.house.app.leagues.change(
            "abcde", None, lambda now: replace(now, places=(*now.places, "oth:hall"))
        )
        assert not (await evening.house.press(Person("oth:zoe", "Zoe", "en"), act(evening, "night_yes"))).code
        assert here.asked == []
        assert there.asked == [("oth:zoe", "oth:hall")]


async def test_while_the_chat_does_not_answer_it_says_so(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        chat = await asked_at(evening)
        chat.away = True
        eve = evening.house.person("Eve")
        assert (await evening.house.press(eve, act(evening, "night_yes"))).code == "cannot_ask"
        chat.away = False
        chat.readers.add((eve.key, PLACE))
        assert not (await evening.house.press(eve, act(evening, "night_yes"))).code


async def test_organisers_who_run_a_night_are_not_asked_about(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        chat = await asked_at(evening)
        assert not (await organise(evening, "cancel rain")).code
        assert chat.asked == []
