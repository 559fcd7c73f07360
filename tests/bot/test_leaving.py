"""Nobody from outside: ids that were found out, and people who left the group or were thrown out."""

from dataclasses import dataclass, field, replace

from bot.ports import Person, Press, RetryAfter
from bot.store import Store
from tests.bot.house import PLACE, House, MemoryChat, MemoryPlaces, offers, open_house, said


@dataclass
class CountingChat(MemoryChat):
    """Notes whom it is asked about."""

    asked: list[str] = field(default_factory=list)
    away: bool = False
    secretive: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.places = CountingPlaces(self)


class CountingPlaces(MemoryPlaces):
    """The places of such a chat."""

    _chat: CountingChat

    async def reads(self, person: str, place: str) -> bool | None:
        self._chat.asked.append(person)
        if self._chat.away:
            raise RetryAfter(5)
        return None if self._chat.secretive else await super().reads(person, place)


def counting(house: House) -> CountingChat:
    """Replace the house's chat by one that counts."""
    house.chat = house.app.chats["mem"] = chat = CountingChat(readers=house.chat.readers)
    return chat


def gone(house: House, person: Person) -> None:
    """Throw a person out of the group, of which the bot is not told."""
    house.chat.readers.discard((person.key, PLACE))
    later(house)


def later(house: House) -> None:
    """Let the time pass for which a chat's answer is believed, as a new process has heard none."""
    readers = house.app.router._services.permissions.readers
    readers._known.clear()


async def begun(house: House, *names: str) -> tuple[str, list[Person]]:
    """A match of these people."""
    people = [house.person(name) for name in names]
    table = await house.open(*people, words=str(len(people)))
    await house.press(people[0], f"start.{table}.0", private=False)
    return table, people


async def test_a_found_out_id_neither_seats_nor_shows_nor_opens_anything(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can, eve = (house.person(name) for name in ("Ada", "Can", "Eve"))
        await house.organise(ada, "invitations", "off")
        table = await house.open(ada, can)
        before = await house.app.tables.load(table)
        for verb in ("join", "another", "rules", "fair", "app", "rack", "replay", "remove", "presets"):
            for private in (True, False):
                made_up = f"{verb}.{table}.0.1"
                answer = await house.press(eve, made_up, private=private, place="mem:elsewhere")
                assert answer.code == "unknown_table", verb
                shown = (answer.page, answer.public, answer.private, answer.open_private)
                assert shown == (None, None, None, None)
        after = await house.app.tables.load(table)
        assert before is not None
        assert after is not None
        assert after.value == before.value
        assert {*await store.index.tables_at(PLACE)} == {table}
        assert await store.index.tables_at("mem:elsewhere") == []


async def test_a_reader_may_sit_down_from_the_private_chat(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, eve = house.person("Ada"), house.person("Eve")
        table = await house.open(ada)
        chat = counting(house)
        house.reads(eve)
        assert not (await house.press(eve, f"join.{table}.0")).code
        assert chat.asked == [eve.key]
        assert offers(await house.look(), "join")


async def test_acts_in_the_tables_place_ask_no_chat(store: Store) -> None:
    async with open_house(store, work=False) as house:
        chat = counting(house)
        table, (ada, can) = await begun(house, "Ada", "Can")
        eve = house.person("Eve")
        for person, verb in ((ada, "rack"), (can, "draw"), (eve, "rules"), (eve, "fair")):
            await house.press(person, f"{verb}.{table}.0", private=False)
        only_eve_sees_it = Press(
            by=eve, place=None, within=PLACE, surface="public", data=f"rules.{table}.0", id="e"
        )
        assert (await house.app.router.press(only_eve_sees_it)).page is not None
        assert chat.asked == []


async def test_moves_from_the_private_chat_ask_once_in_five_minutes(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, (ada, _) = await begun(house, "Ada", "Can")
        chat = counting(house)
        later(house)
        for _ in range(9):
            assert not (await house.press(ada, f"rack.{table}.0")).code
        assert chat.asked == [ada.key]


async def test_who_was_thrown_out_loses_a_running_seat_at_their_next_act(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, (ada, can) = await begun(house, "Ada", "Can")
        gone(house, can)
        answer = await house.press(can, f"rack.{table}.0")
        assert answer.code == "not_seated"
        assert answer.private is not None
        assert answer.private.picture is None
        assert "can no longer read the place" in said(replace(answer, notice=answer.private.text))
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert stored.value.people() == (ada.key,)
        assert stored.value.stage == "playing"
        for verb in ("back_in", "rules", "replay", "again"):
            assert (await house.press(can, f"{verb}.{table}.0.1")).code in ("unknown_table", "not_seated")


async def test_who_was_thrown_out_leaves_a_lobby_and_comes_to_no_other(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        gone(house, can)
        assert (await house.press(can, f"rack.{table}.0")).code == "not_seated"
        assert (await house.press(can, f"join.{table}.0")).code == "unknown_table"
        later(house)
        house.reads(can)
        assert not (await house.press(can, f"join.{table}.0")).code, "back in the group"


async def test_a_reported_departure_takes_the_seat_at_once(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, (ada, can) = await begun(house, "Ada", "Can")
        house.chat.readers.discard((can.key, PLACE))
        for _ in range(2):  # it may be reported twice
            await house.app.router.note_leaver(can.key, PLACE)
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert stored.value.people() == (ada.key,)
        assert (await house.press(can, f"rack.{table}.0")).code == "not_seated"


async def test_a_seat_stays_where_they_still_read_another_place_or_nothing_can_be_found_out(
    store: Store,
) -> None:
    async with open_house(store, work=False) as house:
        table, (_, can) = await begun(house, "Ada", "Can")
        chat = counting(house)
        for away, secretive in ((True, False), (False, True)):
            gone(house, can)
            chat.away, chat.secretive = away, secretive
            await house.app.router.note_leaver(can.key, PLACE)
            assert not (await house.press(can, f"rack.{table}.0")).code
        chat.away = chat.secretive = False
        other = house.person("Ada")
        await house.app.router.note_leaver(can.key, "mem:elsewhere")
        assert not (await house.press(other, f"rack.{table}.0")).code


async def test_an_opening_token_seats_nobody_who_has_left(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        await store.tokens.put("a-token-of-cans", table.encode(), 900.0, owner=can.key)
        await house.press(can, f"leave.{table}.0", private=False)
        gone(house, can)
        assert (await house.type(can, "start", "a-token-of-cans", place=None)).code == "unknown_table"
