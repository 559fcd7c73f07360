"""People who have never heard of the game reach the end of a round by what the bot says."""

import dataclasses
import re

import pytest
from msgspec.structs import replace

from bot.i18n import LANGUAGES, join, plain, words_for
from bot.markup import Page, PublicScreen, SeatScreen
from bot.ports import Person
from bot.screens.player import rack_screen
from bot.screens.table import happenings, public_screen
from bot.store import Store
from bot.tables.facts import rack_facts, table_facts
from bot.tables.play import round_result
from bot.tables.table import Recent
from engine.rules import Rules, switches_for
from engine.state import Ending
from engine.tiles import Tile
from engine.view import Outcome
from tests.bot.house import House, offers, open_house, page_of, said
from tests.bot.rounds import begin as begin_round
from tests.bot.rounds import play_round

ENGLISH = words_for("en")


def read(screen: SeatScreen | PublicScreen | Page) -> str:
    return plain(screen.text, ENGLISH)


async def begin(house: House, *people: Person, words: str) -> str:
    """Begin a match, and return its table."""
    table = await house.open(*people, words=words)
    await house.press(people[0], f"start.{table}.0", private=False)
    return table


async def discard(house: House, person: Person, table: str) -> None:
    """Discard a tile, even if it is an okey."""
    answer = await house.press(person, offers(await house.rack(person, table), "discard")[0].press)
    if answer.private is not None and (sure := offers(answer.private, "discard")):
        await house.press(person, sure[0].press)


@pytest.mark.parametrize(
    ("language", "first", "of_five"),
    [
        ("en", "Table 1 · round 1", "Table 2 · round 1/5"),
        ("tr", "Masa 1 · 1. el", "Masa 2 · el 1/5"),
        ("de", "Tisch 1 · Runde 1", "Tisch 2 · Runde 1/5"),
        ("ko", "테이블 1 · 1라운드", "테이블 2 · 1/5라운드"),
    ],
)
async def test_a_round_is_counted_as_each_language_counts(
    store: Store, language: str, first: str, of_five: str
) -> None:
    async with open_house(store, work=False) as house:
        for words, told in (("2", first), ("okey-rounds 2 rounds=5", of_five)):
            ada, can = (dataclasses.replace(house.person(name), language=language) for name in ("Ada", "Can"))
            rack = await house.rack(ada, await begin(house, ada, can, words=words))
            assert plain(rack.text, words_for(language)).splitlines()[-1] == told


HOSTS = {"en": "host", "tr": "masa sahibi", "de": "Gastgeber", "ko": "방장"}
"""Whom *⚙ Host: start…* means."""


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_lobby_says_in_a_word_who_its_host_is(store: Store, language: str) -> None:
    async with open_house(store, work=False) as house:
        ada = dataclasses.replace(house.person("Ada"), language=language)
        can = house.person("Can")
        lobby = await house.look(await house.open(ada, can))
        words = words_for(language)
        assert words.plain("button.unfold").lower().count(HOSTS[language].lower()) == 1
        named = [plain(lobby.text, words).count(f"{who} · {HOSTS[language]}") for who in ("Ada", "Can")]
        assert named == [1, 0]


@pytest.mark.parametrize(("words", "tiles"), [("2", 15), ("okey101 2", 22)])
async def test_who_begins_is_told_why_they_do_not_draw(store: Store, words: str, tiles: int) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begin(house, ada, can, words=words)
        starter = ada if offers(await house.rack(ada, table), "discard") else can
        first = await house.rack(starter, table)
        assert f"you begin with {tiles} tiles, so discard one" in read(first)
        await discard(house, starter, table)
        second = ada if starter == can else can
        await house.press(second, offers(await house.rack(second, table), "draw")[0].press)
        assert "you begin" not in read(await house.rack(second, table))


@pytest.mark.parametrize(("words", "said"), [("2", "or be seven pairs"), ("okey-rounds 2", "sets and runs.")])
async def test_who_is_about_to_finish_is_told_what_finishes(store: Store, words: str, said: str) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begin(house, ada, can, words=words)
        starter = await house.on_turn(table, ada, can)
        (ask,) = offers(await house.rack(starter, table), "ask_finish")
        asked = (await house.press(starter, ask.press)).private
        assert asked is not None
        (task, *_) = read(asked).split(" · ")
        assert task.startswith("Finish: which tile do you discard? The other 14 must all be in sets and runs")
        assert said in task


async def test_who_asks_during_a_match_is_told_how_it_stands_there(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2")
        waiting = page_of(await house.type(can, "talk", "what now?", place=None))
        assert read(waiting) == "You are at table 1. The host starts the match: Ada"
        await house.press(ada, f"start.{table}.0", private=False)
        starter = await house.on_turn(table, ada, can)
        told = page_of(await house.type(starter, "talk", "what now?", place=None))
        assert read(told).startswith("It is your turn at table 1:")
        (rack,) = offers(told, "rack")
        assert (await house.press(starter, rack.press)).private is not None
        (guide,) = offers(told, "guide")
        assert read(page_of(await house.press(starter, guide.press))).startswith("1/3")
        other = can if starter == ada else ada
        assert "You are playing at table 1." in read(
            page_of(await house.type(other, "talk", "?", place=None))
        )


async def test_who_practises_is_greeted_and_not_told_of_a_table_without_a_number(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        await house.type(ada, "practice", place=None)
        assert read(page_of(await house.type(ada, "talk", "hi", place=None))).startswith("Hello!")
        assert "You aren’t at a table." in read(page_of(await house.type(ada, "help", place=None)))


async def test_a_host_can_read_the_rules_that_they_choose(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="2")
        games = page_of(await house.press(ada, f"rules.{table}.0"))
        assert "Which game do you want to play?" in read(games)
        (how,) = offers(games, "rules")
        rules = page_of(await house.press(ada, how.press))
        assert "How it is played here" in read(rules)
        assert not rules.turns, "the games to choose from stay"


async def test_who_has_a_seat_is_told_what_comes_next(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, words="3")
        joined = said(await house.press(can, f"join.{table}.0", private=False))
        assert joined == "You have a seat. When the match begins, your tiles come to you in private."
        twice = said(await house.press(can, f"join.{table}.0", private=False))
        assert twice.startswith("You already have a seat at this table.")
        await house.press(ada, f"start.{table}.0", private=False)
        late = said(await house.press(can, f"join.{table}.0", private=False))
        assert late == "You are already at this table. /okey rack shows your rack."


async def test_a_shown_indicator_says_what_it_costs(store: Store) -> None:
    """By the rules the others lose a point at once: their scores must not fall without a reason."""
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        for words, costs in (("2", True), ("okey-rounds 2", False)):
            table = await begin(house, ada, can, words=words)
            stored = await house.app.tables.load(table)
            assert stored is not None
            facts = table_facts(stored.value, None)
            facts = replace(facts, news=replace(facts.news, recent=(Recent("shown", 1),)))
            told = plain(join(happenings(facts, ENGLISH)), ENGLISH)
            assert told == "Can showed the indicator" + ": the others lose 1 point" * costs


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("2 end=rounds rounds=1", "−1"),
        ("2 scoring=penalty end=rounds rounds=1", "+10"),
        ("okey-rounds 2", ""),
    ],
)
async def test_a_result_says_why_its_winner_paid(store: Store, words: str, change: str) -> None:
    """Where a shown indicator costs nothing, nothing is said of it."""
    async with open_house(store, work=False) as house:
        table = await begin(house, house.person("Ada"), house.person("Can"), words=words)
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert stored.value.match.round is not None
        ending = Ending("win", 0, tile=Tile.R1)
        round = dataclasses.replace(stored.value.match.round, shown_by=1, phase="over", ending=ending)
        match = dataclasses.replace(stored.value.match, round=round)
        between = replace(stored.value, stage="between", match=match)
        told = "Can showed the indicator"
        line = f"{told}: {change} for the others" if change else ""
        for screen in (
            public_screen(table_facts(between, None), ENGLISH),
            rack_screen(rack_facts(between, 0, None, None), ENGLISH),
        ):
            assert [each for each in read(screen).splitlines() if told in each] == ([line] if change else [])
        result = round_result(match, (), ())
        assert result is not None
        over = replace(
            between, stage="over", results=(result,), match=dataclasses.replace(match, winners=(0,))
        )
        shown = read(public_screen(table_facts(over, None), ENGLISH))
        assert ("Round 1: Ada finished, Can showed the indicator" in shown) == bool(change)
        own = replace(over, results=(dataclasses.replace(result, shown_by=0),))
        assert "Round 1: Ada finished and showed the indicator" in read(
            public_screen(table_facts(own, None), ENGLISH)
        )


async def test_the_end_of_a_round_is_told_in_each_player_s_own_person(store: Store) -> None:
    won = Outcome(kind="win", winner=0, how=("pairs",), changes=(-1, -5))
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await house.open(ada, can, words="2")
        await begin_round(house, table, ada)
        await play_round(house, table)
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert stored.value.stage == "between"

        def told(seat: int, outcome: Outcome) -> list[str]:
            facts = rack_facts(stored.value, seat, None, None)
            assert facts.view is not None
            view = dataclasses.replace(
                facts.view, public=dataclasses.replace(facts.view.public, outcome=outcome)
            )
            scores = [
                replace(each, score=score) for each, score in zip(facts.table.seats, (19, 15), strict=True)
            ]
            played = replace(facts.table, seats=tuple(scores))
            changed = dataclasses.replace(facts, view=view, table=played)
            return read(rack_screen(changed, ENGLISH)).splitlines()

        for how in (won.how, ()):
            own = told(0, dataclasses.replace(won, how=how))
            assert own[0] == "🏁 You finished: the round is yours!"
            assert not any("Ada" in line for line in own), "the picture tells how, and the points"
        await house.type(ada, "leave")
        stored = await house.app.tables.load(table)
        assert stored is not None
        assert told(0, won)[0] == "🏁 The computer finished for you: the round is yours!"
        assert told(1, won)[:2] == ["Ada finished with seven pairs", "Ada 19 (−1) · Can 15 (−5)"]


async def test_who_left_a_match_is_told_once_that_the_computer_plays(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begin(house, ada, can, words="2")
        away = can if await house.on_turn(table, ada, can) == ada else ada  # who is on turn reads no news
        await house.type(away, "leave")
        assert read(await house.rack(away, table)).count("computer") == 1
        assert f"A computer player plays for {away.name}" in read(await house.look(table))


async def test_who_waits_for_somebody_who_left_is_told_once_that_the_computer_plays(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begin(house, ada, can, words="2")
        away = await house.on_turn(table, ada, can)
        await house.type(away, "leave")
        told = read(await house.rack(can if away == ada else ada, table))
        assert told.lower().count("computer") == 1
        assert told.startswith(f"⏳ 🤖 The computer plays for {away.name}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_example_of_single_rules_changes_the_usual_game(language: str) -> None:
    """Rounds, for one, have no effect there: what people copy would be passed over in silence."""
    example = re.findall(r"(\w+)=\w+", words_for(language).plain("argument.switches.about"))
    assert example
    assert set(example) <= set(switches_for(Rules()))


async def test_the_guide_is_at_hand_during_a_round_and_leaves_the_rack_where_it_is(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can = house.person("Ada"), house.person("Can")
        table = await begin(house, ada, can, words="okey101 2")
        behind = (await house.press(ada, f"order.{table}.0")).private
        assert behind is not None
        (guide,) = offers(behind, "guide")
        page = page_of(await house.press(ada, guide.press))
        assert not page.turns
        assert read(page).startswith("1/3")
        assert "21 tiles" in read(page), "it is of the game that is played"
        assert page_of(await house.press(ada, offers(page, "guide")[0].press)).turns
