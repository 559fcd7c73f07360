"""Who is there and who is not: presence, the next host, people removed, matches that everybody left."""

import pytest

from bot.markup import Page
from bot.ports import Person
from bot.store import Store
from bot.tables.table import Table
from bot.tables.worth import of_farewell
from tests.bot.house import House, offers, open_house, page_of, said
from tests.bot.test_turn_clocks import kept_of, playing, read, seconds_left, time_is_up, to_the_result
from tests.conftest import Until


async def table_of(house: House, table: str) -> Table:
    return (await kept_of(house, table)).value


async def host_of(house: House, table: str) -> str:
    return (await table_of(house, table)).host


async def missed(house: House, table: str, person: Person) -> int:
    now = await table_of(house, table)
    seat = now.seat_of(person.key)
    assert seat is not None
    return now.seats[seat].missed


@pytest.mark.parametrize(
    ("verb", "private"),
    [
        ("draw", True),
        ("draw", False),
        ("rules", True),
        ("replay", False),
        ("rack", True),
        ("preferences", True),
    ],
)
async def test_whatever_somebody_presses_counts_as_presence(store: Store, verb: str, private: bool) -> None:
    async with open_house(store, work=False) as house:
        table, on_turn, _ = await playing(house, "clock=60")
        await time_is_up(house, table)
        await time_is_up(house, table)
        assert await missed(house, table, on_turn) == 1
        await house.press(on_turn, f"{verb}.{table}.0", private=private)
        assert await missed(house, table, on_turn) == 0


async def test_who_asks_for_their_rack_by_a_command_is_there(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, on_turn, _ = await playing(house, "clock=60")
        await time_is_up(house, table)
        await time_is_up(house, table)
        await house.type(on_turn, "rack")
        assert await missed(house, table, on_turn) == 0


async def test_who_is_no_player_is_not_noted(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, _, _ = await playing(house, "clock=60")
        before = await kept_of(house, table)
        await house.press(house.person("Passer"), f"rules.{table}.0", private=False)
        assert (await kept_of(house, table)).version == before.version


async def test_when_the_host_leaves_a_lobby_the_next_in_seat_order_is_host(store: Store) -> None:
    async with open_house(store, work=False) as house:
        people = [house.person(name) for name in ("Ada", "Can", "Ece")]
        table = await house.open(*people)
        await house.press(people[0], f"leave.{table}.0", private=False)
        assert await host_of(house, table) == people[1].key
        await house.press(people[2], f"leave.{table}.0", private=False)
        assert await host_of(house, table) == people[1].key


async def test_leaving_can_be_typed_in_a_lobby(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        assert said(await house.type(can, "ayrıl")) == "You left the table."
        assert (await table_of(house, table)).people() == (ada.key,)
        assert (await house.type(can, "leave")).code == "no_table"


async def test_of_several_tables_the_one_here_is_left_or_the_one_that_is_named_and_the_answer_names_it(
    store: Store,
) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        first = await house.open(ada, can)
        await house.press(ada, f"start.{first}.0", private=False)
        second = await house.open(house.person("Ece"), can)
        await house.type(house.person("Ali"), "play", place="mem:cellar")
        (third,) = await store.index.tables_at("mem:cellar")
        await house.press(can, f"join.{third}.0", private=False, place="mem:cellar")
        assert (await house.type(can, "leave", "9")).code == "unknown_table"
        assert said(await house.type(can, "leave", place="mem:cellar")) == "Table 1: You left the table."
        assert can.key not in (await table_of(house, third)).people()
        assert said(await house.type(can, "leave", "2")) == "Table 2: You left the table."
        assert can.key not in (await table_of(house, second)).people()
        last = said(await house.type(can, "leave", place=None))
        assert last.startswith("The computer plays for you now.")


async def test_a_table_is_named_by_its_id_in_capitals_too(store: Store) -> None:
    """As a phone writes the first letter, and as a table without a number is called."""
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        first = await house.open(ada, can)
        await house.open(house.person("Ece"), can)
        assert said(await house.type(can, "leave", first.upper())) == "Table 1: You left the table."
        assert can.key not in (await table_of(house, first)).people()


async def test_leaving_that_is_delivered_twice_leaves_one_table(store: Store) -> None:
    """Also when the process that was told first is gone, and with it what it remembers."""
    async with open_house(store, work=False) as house, open_house(store, work=False) as other:
        ada, can = house.person("Ada"), house.person("Can")
        first = await house.open(ada, can)
        second = await house.open(house.person("Ece"), can)
        told = [said(await each.type(can, "leave", "2", id="once")) for each in (house, house, other)]
        assert told == ["Table 2: You left the table."] * 3
        assert can.key not in (await table_of(house, second)).people()
        assert can.key in (await table_of(house, first)).people()


async def test_leaving_can_be_typed_on_ones_own_turn_and_taken_back(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, on_turn, _ = await playing(house, "clock=60")
        for _ in range(2):
            assert "The computer plays for you now." in said(await house.type(on_turn, "verlassen"))
        now = await table_of(house, table)
        seat = now.seat_of(on_turn.key)
        assert seat is not None
        assert now.seats[seat].computer is not None
        assert [happening.kind for happening in now.news.recent].count("replaced") == 1
        await house.type(on_turn, "rack")
        await house.press(on_turn, f"back_in.{table}.0")
        assert (await table_of(house, table)).seats[seat].computer is None


async def test_leaving_can_be_typed_in_a_practice_round(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        await house.type(ada, "practice", place=None)
        assert said(await house.type(ada, "leave", place=None)) == "You left the table."
        assert (await house.type(ada, "leave", place=None)).code == "no_table"


async def test_when_the_host_leaves_a_match_the_next_who_plays_himself_is_host(store: Store) -> None:
    async with open_house(store, work=False) as house:
        people = [house.person(name) for name in ("Ada", "Can", "Ece")]
        table = await house.open(*people)
        await house.press(people[0], f"start.{table}.0", private=False)
        await house.press(people[1], f"step_out.{table}.0")
        await house.press(people[0], f"step_out.{table}.0")
        assert await host_of(house, table) == people[2].key
        await house.press(people[0], f"back_in.{table}.0")
        assert await host_of(house, table) == people[2].key


async def test_coming_back_gives_no_new_clock_to_whoever_was_there_all_the_time(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, on_turn, _ = await playing(house, "clock=60")
        warned = await time_is_up(house, table)
        await house.press(on_turn, f"back_in.{table}.0")
        assert (await kept_of(house, table)).deadline == warned.deadline


async def test_who_comes_back_in_the_same_turn_has_the_rest_of_their_clock(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, on_turn, waiting = await playing(house, "clock=5m")
        before = await kept_of(house, table)
        for _ in range(2):
            await house.press(on_turn, f"step_out.{table}.0")
            await house.press(on_turn, f"back_in.{table}.0")
        back = await kept_of(house, table)
        assert back.deadline == pytest.approx(before.deadline, abs=1)
        warned = await time_is_up(house, table)
        await house.press(on_turn, f"step_out.{table}.0")
        await house.press(on_turn, f"back_in.{table}.0")
        late = await kept_of(house, table)
        assert late.deadline == pytest.approx(warned.deadline, abs=1)
        played = await time_is_up(house, table)  # not warned again
        assert played.value.turn == played.value.seat_of(waiting.key)


async def test_who_stepped_out_in_an_earlier_turn_has_a_whole_clock(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, on_turn, _ = await playing(house, "clock=5m")
        await time_is_up(house, table)
        await house.press(on_turn, f"step_out.{table}.0")
        await time_is_up(house, table)
        for _ in range(2):  # the warning, and the other player's whole turn
            await time_is_up(house, table)
        await house.press(on_turn, f"back_in.{table}.0")
        assert seconds_left(await kept_of(house, table)) == pytest.approx(225, abs=1)


async def test_a_host_removes_somebody_from_the_lobby_after_one_question(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
        table = await house.open(ada)
        assert not offers(await house.look(table), "remove")
        await house.press(can, f"join.{table}.0", private=False)
        await house.press(ece, f"join.{table}.0", private=False)
        question = await _question(house, ada, table, "Can")
        assert "Really remove Can?" in read(question.text)
        assert len((await table_of(house, table)).people()) == 3
        done = await house.press(ada, offers(question, "remove_now")[0].press)
        assert said(done) == "Can was removed."
        assert [seat.name for seat in (await table_of(house, table)).seats] == ["Ada", "", "Ece", ""]
        refused = await house.press(can, f"join.{table}.0", private=False)
        assert said(refused) == "The host has removed you from this table."
        again = await house.press(ada, offers(question, "remove_now")[0].press)
        assert again.code == "nobody_there"
        assert (await table_of(house, table)).gone.removed == (can.key,)
        await house.press(ada, f"start.{table}.0", private=False)
        assert (await table_of(house, table)).gone.removed == ()  # nobody can sit down any more


async def test_a_host_who_types_a_name_is_asked_about_them_at_once(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
        await house.open(ada, can, ece)
        question = page_of(await house.type(ada, "remove", "can"))
        assert "Really remove Can?" in read(question.text)
        assert said(await house.press(ada, offers(question, "remove_now")[0].press)) == "Can was removed."
        for nobody in ("", "Ada", "Zoe"):
            (only,) = offers(page_of(await house.type(ada, "remove", nobody)), "remove_ask")
            assert only.label == ("Ece",)


async def test_in_a_match_a_computer_player_goes_on_for_whom_the_host_removed(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2 clock=5m")
        await house.press(ada, f"start.{table}.0", private=False)
        if await house.on_turn(table, ada, can) is ada:
            await _let_the_clock_play(house, table)
        (more,) = offers(await house.rack(ada, table), "order")
        waiting = (await house.press(ada, more.press)).private
        assert waiting is not None
        assert offers(waiting, "remove")
        question = await _question(house, ada, table, "Can")
        await house.press(ada, offers(question, "remove_now")[0].press)
        stored = await kept_of(house, table)
        number = next(i for i, seat in enumerate(stored.value.seats) if seat.person is None)
        assert (stored.value.seats[number].computer, stored.value.people()) == ("steady", (ada.key,))
        assert seconds_left(stored) <= 0.0
        assert "replaces a removed player" in read((await house.look(table)).text)
        back = await house.press(can, f"back_in.{table}.0")
        assert said(back) == "You aren’t at this table."


async def test_the_last_rack_of_somebody_who_was_removed_says_so(store: Store, until: Until) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2 clock=5m")
        await house.press(ada, f"start.{table}.0", private=False)

        async def rack_of_can() -> bool:
            return any(person == can.key for person, _, _ in house.chat.racks)

        await until(rack_of_can)
        question = await _question(house, ada, table, "Can")
        await house.press(ada, offers(question, "remove_now")[0].press)

        async def told() -> bool:
            last = [screen for person, screen, _ in house.chat.racks if person == can.key][-1]
            return read(last.text) == "The host has removed you from this table." and last.buttons == ()

        await until(told)

        async def noted() -> bool:
            said = (await table_of(house, table)).farewell_to(can.key)
            assert said is not None
            return (await store.notes.load(table))[can.key].worth == str(of_farewell(said))

        await until(noted)


async def test_nobody_but_the_host_removes_anybody(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can, ece = (house.person(name) for name in ("Ada", "Can", "Ece"))
        table = await house.open(ada, can, ece)
        question = await _question(house, ada, table, "Ece")
        for press in (f"remove.{table}.0", offers(question, "remove_now")[0].press):
            refused = await house.press(can, press)
            assert said(refused) == "Only the host, Ada, can do that."
        refused = await house.type(can, "remove", place=None)
        assert said(refused) == "Only the host, Ada, can do that."
        assert len((await table_of(house, table)).people()) == 3
        page = (await house.type(ada, "remove", place=None)).page
        assert page is not None
        assert [b.label for b in offers(page, "remove_ask")] == [("Can",), ("Ece",)]


async def test_a_slow_match_that_everybody_left_ends_soon_and_tells_its_standing(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, on_turn, other = await playing(house, "clock=12h")
        stored = await to_the_result(house, table)
        await house.press(on_turn, f"step_out.{table}.0")
        assert seconds_left(await kept_of(house, table)) > 3600.0
        await house.press(other, f"step_out.{table}.0")
        stored = await kept_of(house, table)
        assert stored.value.stage == "between"
        assert seconds_left(stored) == pytest.approx(60.0, abs=5)
        ended = await time_is_up(house, table)
        assert ended.value.stage == "over"
        shown = await house.look(table)
        assert "everyone left, so the match is over" in read(shown.text)
        for person, points in zip(("Ada", "Can"), ended.value.match.scores, strict=True):
            assert f"{person}: {points} (" in shown.alt


async def _question(house: House, host: Person, table: str, name: str) -> Page:
    """What a host is asked before somebody goes."""
    page = (await house.press(host, f"remove.{table}.0")).page
    assert page is not None
    (ask,) = (b for b in offers(page, "remove_ask") if b.label == (name,))
    question = (await house.press(host, ask.press)).page
    assert question is not None
    return question


async def _let_the_clock_play(house: House, table: str) -> None:
    await time_is_up(house, table)
    await time_is_up(house, table)
