"""Records of matches and replays of rounds: what is told, to whom, and that it is what was played."""

import json
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from bot.i18n import plain, words_for
from bot.markup import Page, ReplayPicture, ResultPicture, StandingsPicture
from bot.pictures import draw
from bot.ports import Person
from bot.store import Store
from engine.replay import positions, replay
from engine.verify import verify
from tests.bot.house import House, offers, open_house, page_of, said
from tests.bot.rounds import play_round

ELSEWHERE = "mem:cellar"


@dataclass
class Played:
    """A match of Ada's; `rounds` are over."""

    house: House
    ada: Person
    table: str
    rounds: int

    async def record(self, person: Person | None = None, argument: str = "") -> dict[str, Any]:
        shown_page = (await self.house.type(person or self.ada, "record", argument)).page
        assert shown_page is not None
        assert shown_page.file is not None
        record: dict[str, Any] = json.loads(shown_page.file.content)
        return record

    async def page(self, press: str) -> Page:
        answer = await self.house.press(self.house.person("Onlooker"), press, private=False)
        assert answer.page is not None, said(answer)
        return answer.page

    async def step(self, number: int, round: int = 1) -> Page:
        return await self.page(f"replay_step.{self.table}.0.{round}.{number}")


@asynccontextmanager
async def played(store: Store, words: str, rounds: int = 1, *, on: bool = False) -> AsyncIterator[Played]:
    """A match that has got so far; `on`: and whose next round has been dealt."""
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words=f"quick {words}")
        await house.press(ada, f"start.{table}.0", private=False)
        await play_round(house, table)
        for _ in range(rounds - 1):
            await deal_on(house, ada)
            await play_round(house, table)
        if on:
            await deal_on(house, ada)
        yield Played(house, ada, table, rounds)


async def deal_on(house: House, person: Person) -> None:
    button = offers(await house.look(), "next")[0]
    await house.press(person, button.press, private=False)


def told(shown_page: Page) -> str:
    return plain(shown_page.text, words_for("en"))


def picture(shown_page: Page) -> ReplayPicture:
    assert isinstance(shown_page.picture, ReplayPicture)
    return shown_page.picture


@pytest.mark.parametrize(
    ("words", "rounds"),
    [("okey 2 start_points=4", 1), ("okey101 2 rounds=2", 2), ("turkish-rummy-fast-1 3", 1)],
)
async def test_a_record_replays_to_the_scores_that_the_table_shows(
    store: Store, words: str, rounds: int
) -> None:
    async with played(store, words, rounds) as match:
        record = await match.record()
        shown = await match.house.look()
        screen = shown.alt
        result = verify(record)
        assert len(result["rounds"]) == rounds
        assert isinstance(shown.picture, ResultPicture | StandingsPicture)
        names = [row.name for row in shown.picture.rows]
        if isinstance(shown.picture, StandingsPicture):  # by rank
            assert sorted(record["seats"]) == sorted(names)
        else:
            assert record["seats"] == names
        for score in result["scores"]:
            assert re.search(rf": {score} \(".replace("-", "−"), screen)
        commitments = [entry["commitment"] for entry in record["rounds"]]
        assert result["commitments"] == commitments
        assert record["result"] == replay({k: v for k, v in record.items() if k not in ("result", "digest")})


async def test_the_commitments_are_those_that_were_published(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="2 quick")
        page = (await house.press(ada, f"fair.{table}.0", private=False)).page
        assert page is not None
        told = plain(page.text, words_for("en"))
        await house.type(ada, "word", "mercimek")
        await house.press(ada, f"start.{table}.0", private=False)
        await play_round(house, table)
        (entry,) = (await Played(house, ada, table, 1).record())["rounds"]
        assert entry["commitment"] in told


async def test_of_a_running_round_a_record_tells_nothing(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="2 quick")
        nothing = "No round is finished yet."
        assert said(await house.type(ada, "record")) == nothing
        await house.press(ada, f"start.{table}.0", private=False)
        assert said(await house.type(ada, "record")) == nothing
        for verb in ("record", "replay", "review"):
            for named in ("", "1"):
                assert said(await house.type(ada, verb, named)) == nothing
            assert (await house.type(ada, verb, "99")).code == "unknown_table"
        for press in (f"replay.{table}.0.1", f"replay_last.{table}.0.1", f"replay_step.{table}.0.2.0"):
            answer = await house.press(ada, press)
            assert (answer.code, answer.page) == ("no_record", None)


async def test_the_next_round_stays_secret_while_it_is_played(store: Store) -> None:
    async with played(store, "2 start_points=50", on=True) as match:
        assert not (await match.house.look()).over
        stored = await match.house.app.tables.load(match.table)
        assert stored is not None
        record = await match.record()
        assert [
            entry["seed"].count(stored.value.proof.sealed.secret.hex()) for entry in record["rounds"]
        ] == [0]
        for press in ("replay.{}.0.2", "replay_step.{}.0.2.0", "replay_last.{}.0.0", "replay.{}.0.9"):
            answer = await match.house.press(match.ada, press.format(match.table))
            assert answer.code == "no_record"
        assert len(picture(await match.step(0)).racks) == 2


async def test_a_record_is_for_who_sat_there_and_for_its_place(store: Store) -> None:
    async with played(store, "2 start_points=2") as match:
        house, stranger = match.house, match.house.person("Stranger")
        here = await match.record()
        for person, place, argument in (
            (match.ada, None, ""),
            (match.ada, ELSEWHERE, match.table),
            (stranger, "mem:hall", match.table.upper()),
        ):
            answer = await house.type(person, "record", argument, place=place)
            assert answer.page is not None, (person.name, place)
            assert answer.page.file is not None
            assert json.loads(answer.page.file.content) == here
        assert (await house.type(match.ada, "record", "zzzzzz")).code == "unknown_table"
        for argument in ("", match.table):
            for verb in ("record", "replay"):
                answer = await house.type(stranger, verb, argument, place=ELSEWHERE)
                assert answer.page is None
                assert answer.code


async def test_without_a_name_ones_own_table_here_is_meant_before_others_here(store: Store) -> None:
    async with played(store, "2 start_points=2") as match:
        house, ece = match.house, match.house.person("Ece")
        newer = await house.open(ece, words="2 start_points=50")
        await house.press(ece, f"start.{newer}.0", private=False)
        await play_round(house, newer)
        for person, table in ((match.ada, match.table), (ece, newer)):
            steps = offers(page_of(await house.type(person, "replay")), "replay_last")
            assert [each.press.split(".")[1] for each in steps] == [table]
            assert not (await house.type(person, "review")).code  # another table's could tell them nothing


async def test_the_result_offers_to_page_through_the_round(store: Store) -> None:
    async with played(store, "2 start_points=2") as match:
        screen = await match.house.look()
        (replay_button,) = offers(screen, "replay")
        assert screen.over
        answer = await match.house.press(match.house.person("Onlooker"), replay_button.press, private=False)
        assert answer.page is not None
        assert not answer.page.turns
        assert "round 1 · 0 of" in told(answer.page)
        assert "The tiles are dealt." in told(answer.page)


async def test_every_step_shows_the_table_and_all_racks_as_they_were(store: Store) -> None:
    async with played(store, "okey 3 start_points=2") as match:
        walked = list(positions(await match.record()))
        for number in {0, 1, 2, len(walked) // 2, len(walked) - 1}:
            page = await match.step(number)
            round = walked[number].match.round
            assert round is not None
            shown = picture(page)
            assert [[face.code for face in rack] for rack in shown.racks] == [
                [tile.name for tile in rack] for rack in round.racks
            ]
            tops = [None if seat.top is None else seat.top.code for seat in shown.table.seats]
            assert tops == [pile[-1].name if pile else None for pile in round.piles]
            assert shown.table.stock_left == len(round.stock)
            assert [seat.score for seat in shown.table.seats] == list(walked[number].match.scores)
            assert page.turns
            assert page.replay is not None
            live = page.replay.live
            assert [list(rack) for rack in live.racks] == [
                [face.code for face in rack] for rack in shown.racks
            ]
            assert [seat.discard or None for seat in live.table.seats] == tops
            assert (live.table.acts, live.table.deadline, live.best) == ((), None, None)
            assert draw(shown).startswith(b"\x89PNG")


async def test_four_buttons_lead_to_every_step_and_stay_where_they_are(store: Store) -> None:
    async with played(store, "2 start_points=2") as match:
        page, steps = await match.step(0), 0
        while f" {steps} of " in told(page):
            ways = page.buttons[0]
            assert [way.label[0] for way in ways] == ["⏮", "◀", "▶", "⏭"]
            assert len({way.press for way in ways}) == 4
            assert all(len(way.press) <= 64 for way in ways)
            page, steps = await match.page(ways[2].press), steps + 1
        assert steps == len(list(positions(await match.record())))
        last = told(page)
        assert last == told(await match.page(page.buttons[0][3].press)) == told(await match.step(999))
        assert f"· {steps - 1} of {steps - 1}" in last
        assert "finished" in last or "nobody finished" in last
        assert f"· {steps - 2} of" in told(await match.page(page.buttons[0][1].press))
        assert " 0 of" in told(await match.page(page.buttons[0][0].press))


async def test_a_step_says_what_was_done(store: Store) -> None:
    async with played(store, "2 start_points=2") as match:
        record = await match.record()
        words = words_for("en")
        for number, action in enumerate(record["rounds"][0]["actions"][:6], start=1):
            name = record["seats"][action["seat"]]
            verb = {"draw": "drew", "take": "took", "discard": "discarded", "show": "showed"}[action["do"]]
            line = plain((await match.step(number)).text, words).split("\n")[1]
            assert line.startswith(f"{name} {verb}")


async def test_rounds_lead_to_each_other(store: Store) -> None:
    async with played(store, "2 start_points=60", rounds=3) as match:
        page = await match.step(4, round=2)
        assert [button.label[0] for button in page.buttons[1]] == ["Round 1", "Round 3"]
        assert "round 3 · 0 of" in told(await match.page(page.buttons[1][1].press))
        assert len((await match.step(0, round=1)).buttons[1]) == 1
        replayed = (await match.house.type(match.ada, "replay")).page
        assert replayed is not None
        assert "round 3 · 0 of" in told(replayed)


async def test_nobody_s_words_break_a_record(store: Store) -> None:
    async with open_house(store, work=False) as house:
        nasty = Person("mem:nasty", '"}]{<b>\u202e🦆', "en")
        table = await house.open(nasty, words="2 quick start_points=2")
        await house.type(nasty, "word", '\\"]},\u2028')
        await house.press(nasty, f"start.{table}.0", private=False)
        await play_round(house, table)
        assert verify(await Played(house, nasty, table, 1).record())["finished"]


async def test_a_made_up_page_is_refused(store: Store) -> None:
    async with played(store, "2 start_points=2") as match:
        chance = random.Random(3)
        scraps = ["", "x", "-1", "1e9", "0", "99999", "²"]
        for _ in range(60):
            verb = chance.choice(["replay", "replay_first", "replay_step", "replay_last"])
            arguments = [chance.choice(scraps) for _ in range(chance.randrange(3))]
            answer = await match.house.press(match.ada, ".".join([verb, match.table, "0", *arguments]))
            assert answer.code in ("unknown_button", "no_record"), arguments
            assert answer.page is None
