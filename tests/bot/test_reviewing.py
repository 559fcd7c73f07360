"""Reviews in a chat: to the player alone, once a round is over, with the way through the decisions."""

import re
from typing import Any

import pytest

from bot.i18n import plain, words_for
from bot.markup import CurvePicture, Page, ReplayPicture
from bot.pictures import draw
from bot.pool import POOL
from bot.ports import Answer
from bot.store import Store, keys
from engine.review import review
from tests.bot.house import House, offers, open_house, said
from tests.bot.rounds import play_round
from tests.bot.test_history import ADA, CAN, begun
from tests.bot.test_looking_back import ECE

WORDS = words_for("en")


def page_of(answer: Answer) -> Page:
    assert answer.page is not None, said(answer)
    return answer.page


def ways(page: Page) -> list[str]:
    """What its buttons ask for."""
    return [each.press for row in page.buttons for each in row]


async def reviewed(house: House, store: Store) -> tuple[str, Page]:
    """A round between Ada and Can that is over, and what Ada is told of hers."""
    table = await begun(house, "2")
    await play_round(house, table)
    return table, page_of(await house.press(ADA, f"review.{table}.0.1"))


async def test_the_verdict_leads_through_every_decision(store: Store) -> None:
    async with open_house(store, work=False) as house:
        _, verdict = await reviewed(house, store)
        told = plain(verdict.text, WORDS)
        assert "Your play" in told
        assert "Accuracy: " in told
        assert "Luck in tiles: deal " in told
        page, seen = verdict, 0
        while (onward := ways(page)[2]) != ways(verdict)[0] and not onward.endswith(f".{seen}"):
            page, seen = page_of(await house.press(ADA, onward)), seen + 1
            text = plain(page.text, WORDS)
            assert f"Decision {seen} of " in text
            assert text.count("Nothing was better.") + text.count("Better: ") == 1
            assert isinstance(page.picture, ReplayPicture)
            assert page.turns
        assert seen > 5
        assert f"Decision {seen} of {seen}" in plain(page.text, WORDS)
        assert draw(page.picture).startswith(b"\x89PNG")


async def test_the_curve_has_each_decision_and_points_out_the_slips(store: Store) -> None:
    async with open_house(store, work=False) as house:
        _, verdict = await reviewed(house, store)
        curve, series = verdict.picture, verdict.series
        assert isinstance(curve, CurvePicture)
        assert series is not None
        assert len(curve.values) == series.last
        slips = []
        for number, kept in enumerate(curve.values):
            text = plain(page_of(await house.press(ADA, f"{series.press}.{number + 1}")).text, WORDS)
            cost = re.search(r"It cost (\d+) % of a draw", text)
            assert kept == pytest.approx(100 - (int(cost[1]) if cost else 0), abs=0.51)
            slips += [number] if cost else []
        assert curve.highlights == tuple(slips)
        told = ", ".join(f"{round(kept)}%" for kept in curve.values)
        assert verdict.alt == f"Each decision against the best one. From 1 to {series.last}: {told}."
        assert draw(curve).startswith(b"\x89PNG")


async def test_a_round_is_judged_in_another_process(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    done = []
    run = POOL.run

    async def counted(function: Any, *arguments: Any) -> Any:
        done.append(function)
        return await run(function, *arguments)

    monkeypatch.setattr(POOL, "run", counted)
    async with POOL.processes(1), open_house(store, work=False) as house:
        _, verdict = await reviewed(house, store)
        assert "Accuracy: " in plain(verdict.text, WORDS)
    assert done == [review]


async def test_a_review_leads_to_the_rounds_beside_it(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, verdict = await reviewed(house, store)
        assert f"review_step.{table}.0.2.0" not in " ".join(ways(verdict))
        (onward,) = offers(await house.rack(ADA, table), "next")
        await house.press(ADA, onward.press)
        await play_round(house, table)
        first = page_of(await house.press(ADA, f"review.{table}.0.1"))
        (onward,) = (way for way in ways(first) if way.endswith(".2.0"))
        second = page_of(await house.press(ADA, onward))
        assert "round 2" in plain(second.text, WORDS)
        assert any(way.endswith(".1.0") and way.startswith("review_step") for way in ways(second))


async def test_only_whoever_played_is_told_and_only_of_what_is_over(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house, "2")
        assert (await house.press(ADA, f"review.{table}.0.1")).code == "no_record"
        await play_round(house, table)
        assert (await house.press(ECE, f"review.{table}.0.1")).code == "not_seated"
        assert (await house.press(ADA, f"review.{table}.0.2")).code == "no_record"
        live = (await house.rack(ADA, table)).live
        assert live is not None
        (act,) = (each for each in live.acts if each.kind == "review")
        assert "Your play" in plain(page_of(await house.press(ADA, act.press)).text, WORDS)
        by_command = page_of(await house.type(CAN, "review"))
        assert "Your play" in plain(by_command.text, WORDS)
        assert offers(await house.rack(ADA, table), "review")


async def test_turning_pages_neither_plays_nor_judges_the_round_again(store: Store) -> None:
    """What was read once is all that is needed: the match is no longer to be found."""
    async with open_house(store, work=False) as house:
        table, verdict = await reviewed(house, store)
        await store._server.call("DEL", keys.log(table))
        page = page_of(await house.press(ADA, ways(verdict)[2]))
        assert "Decision 1 of " in plain(page.text, WORDS)
        replay = page_of(await house.press(ADA, f"replay_step.{table}.0.1.3"))
        assert isinstance(replay.picture, ReplayPicture)
    async with open_house(store, work=False) as house:
        assert (await house.press(ADA, f"review.{table}.0.1")).code == "no_record"


async def test_okey_101_has_none(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await house.open(ADA, CAN, words="okey101 2")
        await house.press(ADA, f"start.{table}.0", private=False)
        assert (await house.press(ADA, f"review.{table}.0.1")).code == "no_review"
