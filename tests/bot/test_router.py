"""What people press and type, from the lobby to the next round, through the real store."""

import asyncio

import pytest

from bot.handlers.opening import TABLES_MOST
from bot.i18n import plain, words_for
from bot.ids import TableId
from bot.markup import Button, RackPicture, TileMark
from bot.ports import Person
from bot.store import Store
from bot.store.codec import Codec
from bot.tables.table import SCHEMA
from engine.scoring import payout
from tests.bot.house import PLACE, House, offers, open_house, page_of, said
from tests.bot.rounds import play_round
from tests.bot.store.hints import note_table


async def test_two_taps_and_a_match_is_played(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        await house.press(ada, f"start.{table}.0", private=False)
        starter = offers(await house.rack(ada, table), "ask_finish") or offers(
            await house.rack(can, table), "ask_finish"
        )
        screen = await house.look(table)
        assert "Nasreddin" in screen.alt
        assert "Keloğlan" in screen.alt
        assert offers(screen, "rack")
        assert len(starter) <= 1


async def test_a_full_lobby_offers_no_seat(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, words="2")
        await house.press(ada, f"computer.{table}.0", private=False)
        assert offers(await house.look(table), "join"), "A computer player makes way."
        await house.press(can, f"join.{table}.0", private=False)
        await house.press(ada, f"unfold.{table}.0.on", private=False)
        screen = await house.look(table)
        assert not offers(screen, "join")
        (players,) = offers(screen, "players")
        assert players.label == ("→ ", "4", " players")


async def test_a_discard_passes_the_turn(store: Store) -> None:
    async with open_house(store, work=False) as house:
        people = [house.person(name) for name in ("Ada", "Can")]
        table = await house.open(*people, words="2")
        await house.press(people[0], f"start.{table}.0", private=False)
        starter = await house.on_turn(table, *people)
        other = next(person for person in people if person is not starter)
        button = offers(await house.rack(starter, table), "discard")[0]
        answer = await house.press(starter, button.press)
        assert answer.private is not None
        assert not offers(answer.private, "discard", "draw")
        draws = offers(await house.rack(other, table), "draw", "take")
        assert [b.press.split(".")[0] for b in draws] == ["draw", "take"]
        taken = draws[1].label[-1]
        assert isinstance(taken, TileMark)
        assert taken.code == button.press.split(".")[-1]


@pytest.mark.parametrize(("verb", "told"), [("take", "you took"), ("draw", "you drew")])
async def test_the_rack_says_which_tile_came_and_how(store: Store, verb: str, told: str) -> None:
    async with open_house(store, work=False) as house:
        people = [house.person(name) for name in ("Ada", "Can")]
        table = await house.open(*people, words="2")
        await house.press(people[0], f"start.{table}.0", private=False)
        starter = await house.on_turn(table, *people)
        await house.press(starter, offers(await house.rack(starter, table), "discard")[0].press)
        other = next(person for person in people if person is not starter)
        answer = await house.press(other, offers(await house.rack(other, table), verb)[0].press)
        assert answer.private is not None
        assert f"Your turn: {told} " in plain(answer.private.text, words_for("en"))


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("", "I don’t understand that button."),
        ("join", "I don’t understand that button."),
        ("fly.{table}.0", "I don’t understand that button."),
        ("rack.{table}.zz!", "I don’t understand that button."),
        ("draw.nosuch.0", "I can’t find that table. /okey opens a new one."),
        ("players.{table}.0.5", "Players must be a number from 2 to 4."),
        ("players.{table}.0.x", "I don’t understand that button."),
        ("players.{table}.0", "I don’t understand that button."),
        ("fewer.{table}.0", "There is no computer player to remove."),
        ("join.{table}.0", "You already have a seat at this table. Your tiles come when the match begins."),
        ("draw.{table}.0", "No round is being played at this table."),
        ("sort_runs.{table}.0", "No round is being played at this table."),
        ("next.{table}.0", "No round is being played at this table."),
        ("back_in.{table}.0", "No round is being played at this table."),
        ("discard.{table}.0.Q9", "I don’t understand that button."),
    ],
)
async def test_a_wrong_button_says_what_is_wrong_and_changes_nothing(
    store: Store, data: str, sentence: str
) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada)
        before = await store.documents.load(table)
        answer = await house.press(ada, data.format(table=table), private=False)
        assert said(answer) == sentence
        assert answer.urgent
        after = await store.documents.load(table)
        assert before is not None
        assert after is not None
        assert (after.version, after.state) == (before.version, before.state)


async def test_only_the_host_starts_and_only_once(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        refused = await house.press(can, f"start.{table}.0", private=False)
        assert said(refused) == "Only the host, Ada, can do that."
        await house.press(ada, f"start.{table}.0", private=False)
        again = await house.press(ada, f"start.{table}.0", private=False)
        assert said(again) == "The match has already begun. /okey opens another table."


async def test_a_foreigner_sees_no_rack(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, eve = house.person("Ada"), house.person("Eve")
        table = await house.open(ada)
        await house.press(ada, f"start.{table}.0", private=False)
        for private in (True, False):
            for verb in ("rack", "look", "draw", "ask_finish", "sort_runs", "arrange"):
                answer = await house.press(eve, f"{verb}.{table}.1", private=private)
                assert answer.private is None
                assert answer.code == ("unknown_table" if private else "not_seated")


async def test_an_old_button_is_answered_with_the_newest_screen(store: Store) -> None:
    async with open_house(store, work=False) as house:
        starter, table, button = await _first_discard(house)
        await house.press(starter, button)
        answer = await house.press(starter, button)
        assert said(answer) == "That button has expired. Here is the current table."
        assert answer.private is not None
        assert not offers(answer.private, "discard")
        assert table in answer.private.table


async def test_what_an_old_button_is_answered_with_is_not_delivered_beside_it(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        refused = await house.press(ada, f"draw.{table}.9")
        assert refused.code == "old_button"
        assert refused.private is not None
        answers, recipient = house.app.delivery.answers, (table, ada.key)
        assert answers.is_expected(recipient)
        answers.note_arrival(recipient, refused.private.version)
        assert not answers.is_expected(recipient)


async def test_the_same_press_delivered_twice_is_done_once_and_answered_alike(store: Store) -> None:
    async with open_house(store, work=False) as house:
        starter, _, button = await _first_discard(house)
        first = await house.press(starter, button, id="once")
        second = await house.press(starter, button, id="once")
        assert second == first
        assert not second.notice


async def test_of_two_presses_at_once_exactly_one_counts(store: Store) -> None:
    async with open_house(store, work=False) as house:
        starter, table, _ = await _first_discard(house)
        buttons = offers(await house.rack(starter, table), "discard")[:6]
        answers = await asyncio.gather(*(house.press(starter, button.press) for button in buttons))
        assert sorted(said(answer) for answer in answers) == [""] + [
            "That button has expired. Here is the current table."
        ] * (len(buttons) - 1)
        assert (await house.look(table)).text


async def test_a_wrong_finish_is_refused_and_changes_nothing(store: Store) -> None:
    async with open_house(store, work=False) as house:
        starter, table, _ = await _first_discard(house)
        before = await house.rack(starter, table)
        ask = offers(before, "ask_finish")[0]
        choice = (await house.press(starter, ask.press)).private
        assert choice is not None
        tile = offers(choice, "finish")[0]
        answer = await house.press(starter, tile.press)
        assert said(answer).startswith("You can’t finish with that:")
        assert (await house.rack(starter, table)).picture == before.picture


async def test_the_same_command_delivered_twice_opens_one_table(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        await house.type(ada, "play", id="same")
        await house.type(ada, "play", id="same")
        assert len(await store.index.tables_at(PLACE)) == 1


@pytest.mark.parametrize(
    ("verb", "argument", "sentence"),
    [
        ("play", "chess", "There is no game called “chess”."),
        ("okey", "chess", "There is no game called “chess”."),
        (
            "okey",
            "okey102",
            "There is no game called “okey102”. Choose one of these: okey101, okey,",
        ),
        ("okey", "jion", "I don’t know “jion”. Did you mean /okey join?"),
        ("okey", "katıll", "I don’t know “katıll”. Did you mean /okey join?"),
        ("istatisik", "", "I don’t know “istatisik”. Did you mean /okey leaderboard?"),
        ("play", "players=9", "Players must be a number from 2 to 4."),
        ("play", "show=loud", "There is no such rule, or it can’t have that value: Showing the indicator."),
        ("dance", "", "I don’t know “dance”."),
        ("rack", "", "You aren’t at a table. /okey opens one."),
        ("join", "zzzzzz", "I can’t find that table."),
        ("start", "made-up-token", "That link has expired or isn’t yours. Press Join"),
        ("word", " ", "Write your word after the command: /okey word tulip"),
        ("word", "x" * 65, "A word for the shuffle has at most 64 characters."),
    ],
)
async def test_a_wrong_command_is_answered_with_a_sentence(
    store: Store, verb: str, argument: str, sentence: str
) -> None:
    async with open_house(store, work=False) as house:
        assert said(await house.type(house.person("Ada"), verb, argument)).startswith(sentence)


async def test_the_end_of_a_fast_game_tells_everybodys_share_of_the_pot(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="turkish-rummy-fast-1 2 stake=1000")
        await house.press(ada, f"start.{table}.0", private=False)
        await play_round(house, table)
        stored = await house.app.tables.load(TableId(table))
        assert stored is not None
        match = stored.value.match
        shares = payout(match.rules, match.scores, match.winners)
        assert sum(shares) == 2000
        seats = zip(stored.value.seats, shares, strict=True)
        told = " · ".join(f"{seat.name} {chips:,}" for seat, chips in seats)
        for screen in (await house.look(), await house.rack(can, table)):
            assert f"🪙 Chips from the pot: {told}" in plain(screen.text, words_for("en"))


async def test_the_host_leaves_and_the_next_one_is_host(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can)
        assert said(await house.press(ada, f"leave.{table}.0", private=False)) == "You left the table."
        await house.press(can, f"start.{table}.0", private=False)
        assert offers(await house.look(table), "rack")


async def test_an_okey_discard_asks_once(store: Store) -> None:
    async with open_house(store, work=False) as house:
        person, okey = await _starter_with_an_okey(house)
        asked = (await house.press(person, okey)).private
        assert asked is not None
        assert len(offers(asked, "discard", "look")) == 2
        assert isinstance(asked.picture, RackPicture)
        marked = [face for shelf in asked.picture.shelves for face in shelf if face and face.marked]
        assert [face.wild for face in marked] == [True]
        back = (await house.press(person, offers(asked, "look")[0].press)).private
        assert back is not None
        assert offers(back, "discard")
        done = (await house.press(person, offers(asked, "discard")[0].press)).private
        assert done is not None
        assert not offers(done, "discard")


async def _started(house: House, *, id: str = "") -> tuple[Person, str]:
    """A table of two in its first round; whose turn it is, and the table."""
    people = [house.person(name + id) for name in ("Ada", "Can")]
    table = await house.open(*people, words="2")
    await house.press(people[0], f"start.{table}.0", private=False)
    return await house.on_turn(table, *people), table


async def _first_discard(house: House) -> tuple[Person, str, str]:
    """Whose turn it is at a table of two, the table, and a button of theirs that discards."""
    starter, table = await _started(house)
    discards = offers(await house.rack(starter, table), "discard")
    return starter, table, next(button.press for button in discards if not _wild(button))


async def _starter_with_an_okey(house: House) -> tuple[Person, str]:
    """Somebody who is to discard and holds an okey, which one of four racks does; and its button."""
    for number in range(100):
        starter, table = await _started(house, id=str(number))
        for button in offers(await house.rack(starter, table), "discard"):
            if _wild(button):
                return starter, button.press
    raise AssertionError("a hundred racks without an okey")


def _wild(button: Button) -> bool:
    return isinstance(button.label[0], TileMark) and button.label[0].wild


async def test_one_person_opens_only_so_many_tables(store: Store) -> None:
    async with open_house(store) as house:
        ada, can = house.person("Ada"), house.person("Can")
        tables = []
        for _ in range(TABLES_MOST):
            tables.append(await house.open(ada))
            await house.press(ada, f"start.{tables[-1]}.0", private=False)
        (another,) = offers(page_of(await house.type(ada, "play")), "another")
        refused = await house.press(ada, another.press, private=False)
        assert "already have 5 open tables" in said(refused)
        assert len(await store.index.tables_at(PLACE)) == TABLES_MOST
        await house.open(can)
        await house.organise(ada, "close", tables[0])
        await house.open(ada)


async def test_a_table_of_another_version_hides_no_other(store: Store) -> None:
    async with open_house(store) as house:
        ada = house.person("Ada")
        await note_table(store, "future", persons=[ada.key], places=[PLACE])
        await store.documents.commit(
            "future", expected=0, state=Codec(int, SCHEMA + 1).encode(1), action=None
        )
        table = await house.open(ada)
        assert (await house.look()).table == table
        await house.press(ada, f"start.{table}.0", private=False)
        assert (await house.type(ada, "rack")).private is not None
