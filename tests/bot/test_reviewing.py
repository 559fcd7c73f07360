"""Reviews in a chat: to the player alone, once a round is over, with the way through the decisions."""

import re
from dataclasses import replace
from typing import Any

import pytest

from bot.app import fresh_secret
from bot.history.archive import Archive
from bot.history.judgements import Judgements, PlayedSeat
from bot.history.records import Records, ReviewedRound
from bot.i18n import LANGUAGES, plain, words_for
from bot.ids import TableId
from bot.markup import CurvePicture, Page, ReplayPicture
from bot.pictures import draw
from bot.pool import POOL
from bot.screens.review import ReviewFacts, review_page
from bot.store import Store, keys
from bot.tables import turns
from bot.tables.facts import table_facts
from bot.tables.table import Table
from engine.match import Match
from engine.moves import Draw, Move
from engine.review import review
from tests.bot.house import House, offers, open_house, page_of
from tests.bot.rounds import DELAYS, begin, play_round
from tests.bot.test_history import ADA, CAN, begun
from tests.bot.test_looking_back import ECE
from tests.engine.test_review_okey101 import FAR, LONELY, OPENS, discard, in_turn, played

WORDS = words_for("en")


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
            cost = re.search(r"It set you back by (\d+)% of one draw", text)
            assert kept == pytest.approx(100 - (int(cost[1]) if cost else 0), abs=0.51)
            slips += [number] if cost else []
        assert curve.highlights == tuple(slips)
        assert len(verdict.buttons) == 2 + bool(slips)
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


async def one_is_out(house: House) -> tuple[str, int]:
    """A match of three that goes on, in which one is out and the others have then played a round; and the
    seat that is out."""
    for _ in range(20):  # the others may be out soon, too
        table = await begun(house, "3 quick okey-elimination start_points=7", ECE)
        left: tuple[int, ...] = (0, 1, 2)
        while True:
            await play_round(house, table)
            match = (await loaded(house, table)).match
            if match.finished:
                break
            if len(left) == 2:
                return table, ({0, 1, 2} - set(left)).pop()
            left = match.seats
            (onward,) = offers(await house.rack(ADA, table), "next")
            await house.press(ADA, onward.press)
    raise AssertionError("nobody was ever out before the end")


async def loaded(house: House, table: str) -> Table:
    stored = await house.app.tables.load(table)
    assert stored is not None
    return stored.value


async def test_whoever_is_out_of_the_match_is_told_of_the_last_round_that_they_played(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, out = await one_is_out(house)
        person, now = (ADA, CAN, ECE)[out], await loaded(house, table)
        last = now.match.round_number
        page = page_of(await house.press(person, f"review.{table}.0.{last}"))
        assert f"round {last - 1}" in plain(page.text, WORDS)
        assert f"round {last - 1}" in plain(page_of(await house.type(person, "review")).text, WORDS)
        assert [result.away for result in now.results] == [()] * (last - 1) + [(out,)]


async def test_a_season_sums_up_the_scored_rounds_past_cancelled_ones(store: Store) -> None:
    """Both open with pairs more often than not where sets and runs need 201 points."""
    async with open_house(store, work=False) as house:
        table, deals = await begun(house, "2 quick okey101 opening_points=201 rounds=20"), [0]
        while deals[-1] == len(deals) - 1:
            await play_round(house, table)
            now = await loaded(house, table)
            deals += [now.match.round_number] * (len(now.results) == len(deals))
            (onward,) = offers(await house.rack(ADA, table), "next")
            await house.press(ADA, onward.press)
        stored = await house.app.tables.load(table)
        assert stored is not None
        archive = Archive(store)
        records = Records(store, archive)
        judgements = Judgements(store, archive, house.app.tables, records)
        last = list(enumerate(deals))[1:][-2:]  # there may be many, which take long to judge
        for number, deal in last:
            summary = await judgements.of([PlayedSeat(TableId(table), number, 0)])
            luck = 0.0 if summary is None else summary.luck
            judged = (await records.review(stored, deal, 0)).review
            assert not judged.decisions or luck == judged.luck_of_deal + judged.luck_of_draws


async def test_only_whoever_played_is_told_and_only_of_what_is_over(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house, "2")
        assert (await house.press(ADA, f"review.{table}.0.1")).code == "no_record"
        await play_round(house, table)
        house.reads(ECE)
        assert (await house.press(ECE, f"review.{table}.0.1")).code == "not_seated"
        assert (await house.press(ADA, f"review.{table}.0.2")).code == "no_record"
        live = (await house.rack(ADA, table)).live
        assert live is not None
        (act,) = (each for each in live.acts if each.kind == "review")
        assert "Your play" in plain(page_of(await house.press(ADA, act.press)).text, WORDS)
        by_command = page_of(await house.type(CAN, "review"))
        assert "Your play" in plain(by_command.text, WORDS)
        assert offers(await house.rack(ADA, table), "review")


async def test_the_accuracy_is_shown_to_everybody_once_its_player_chooses_so(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, verdict = await reviewed(house, store)
        (percent,) = re.findall(r"Accuracy: (\d+)%", plain(verdict.text, WORDS))

        async def public() -> str:
            return plain((await house.look(table)).text, WORDS)

        assert "accuracy" not in await public()
        (share,) = (way for way in ways(verdict) if way.startswith("review_share"))
        assert (await house.press(ECE, share)).code == "unknown_table"
        for _ in range(2):  # a second press changes nothing
            shared = page_of(await house.press(ADA, share))
            assert "Everyone at the table can see your accuracy." in plain(shared.text, WORDS)
            assert share not in ways(shared)
        assert (await public()).count(f"accuracy {percent}%") == 1
        live = (await house.rack(CAN, table)).live
        assert live is not None
        assert sorted(filter(None, (each.accuracy for each in live.table.seats))) == [int(percent)]
        (onward,) = offers(await house.rack(ADA, table), "next")
        await house.press(ADA, onward.press)
        await play_round(house, table)
        assert "accuracy" not in await public(), "it was the round before"
        late = page_of(await house.press(ADA, share))
        assert "Everyone" not in plain(late.text, WORDS)
        assert "accuracy" not in await public()


async def test_how_well_a_computer_player_played_is_not_shown_as_its_persons_accuracy(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house, "2")
        await house.press(ADA, f"step_out.{table}.0")
        await play_round(house, table)
        page = page_of(await house.press(ADA, f"review.{table}.0.1"))
        assert "Accuracy" in plain(page.text, WORDS)
        assert not offers(page, "review_share")
        await house.press(ADA, f"review_share.{table}.0.1")
        assert "accuracy" not in plain((await house.look(table)).text, WORDS)
        assert offers(page_of(await house.press(CAN, f"review.{table}.0.1")), "review_share")


async def test_moves_that_the_clock_or_the_computer_made_are_nobody_s_decisions(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await begun(house, "2")
        await play_round(house, table, leave=12)
        own = len(await store.documents.log(table)) - 2  # the words were closed, and the tiles dealt
        await house.press(ADA, f"step_out.{table}.0")
        while (await loaded(house, table)).stage == "playing":
            await house.app.tables.change(
                table, None, lambda stored: turns.due(stored.value, DELAYS, fresh_secret, stored.now)
            )
        stored = await house.app.tables.load(TableId(table))
        assert stored is not None
        records, theirs = Records(store, Archive(store)), 0
        for seat in (0, 1):
            judged = await records.review(stored, 1, seat)
            every = review(judged.positions, seat).decisions
            assert judged.review.decisions == tuple(each for each in every if each.step <= own)
            theirs += len(every) - len(judged.review.decisions)
        assert theirs > 0
        (round,) = (await records.record(stored))["rounds"]
        assert not [action for action in round["actions"] if "instead" in action]


async def test_the_rack_says_who_is_out_of_the_match_and_offers_only_to_look_on(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table, out = await one_is_out(house)
        person, now = (ADA, CAN, ECE)[out], await loaded(house, table)
        rack = await house.rack(person, table)
        assert "so you are out" in plain(rack.text, WORDS)
        last = page_of(await house.press(person, offers(rack, "review")[0].press))
        assert not [each for each in ways(last) if each.endswith(f".{now.match.round_number}.0")]
        other = (ADA, CAN, ECE)[now.match.seats[0]]
        assert "so you are out" not in plain((await house.rack(other, table)).text, WORDS)
        await house.press(person, offers(rack, "next")[0].press)
        rack = await house.rack(person, table)
        assert "so you are out" in plain(rack.text, WORDS)
        assert rack.picture is None
        assert offers(rack, "look", "step_out")
        assert not offers(rack, "sort_melds", "arrange", "draw", "ask_finish")
        assert rack.live is not None
        assert not {"keep", "sort_runs"} & {act.kind for act in rack.live.acts}
        assert "You are watching." in plain(page_of(await house.type(person, "help")).text, WORDS)


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


async def test_a_round_of_okey_101_is_reviewed_on_the_same_pages(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await house.open(ADA, CAN, words="okey101 2")
        await begin(house, table, ADA)
        await play_round(house, table)
        assert offers(await house.rack(ADA, table), "review")
        house.reads(ECE)
        assert (await house.press(ECE, f"review.{table}.0.1")).code == "not_seated"
        verdict, number = page_of(await house.press(ADA, f"review.{table}.0.1")), 1
        while "There was nothing to decide." in plain(verdict.text, WORDS):
            (onward,) = offers(await house.rack(ADA, table), "next")
            await house.press(ADA, onward.press)
            await play_round(house, table)
            number += 1
            verdict = page_of(await house.press(ADA, f"review.{table}.0.{number}"))
        told = plain(verdict.text, WORDS)
        assert "Accuracy: " in told
        assert "Luck in points to open with: deal " in told
        first = page_of(await house.press(ADA, f"review_step.{table}.0.{number}.1"))
        assert "Decision 1 of " in plain(first.text, WORDS)
        start = page_of(await house.press(ADA, f"replay_first.{table}.0.{number}"))
        assert start.series is not None
        every = range(start.series.last + 1)
        steps = [page_of(await house.press(ADA, f"replay_step.{table}.0.{number}.{step}")) for step in every]
        tables = [each.picture.table for each in steps if isinstance(each.picture, ReplayPicture)]
        assert isinstance(first.picture, ReplayPicture)
        assert first.picture.table in tables, "the table as it was then"


MISSED: dict[str, tuple[Match, Move, tuple[str, ...]]] = {
    "an opening": (
        in_turn(f"{OPENS} {LONELY}", stock="Y1 Y3"),
        discard("K4"),
        (
            "You discarded black 4.\n",
            "Better: open with 104 points.\nThe round may end before your next turn.",
            "It cost about ",
        ),
    ),
    "pairs": (
        in_turn("R1 R1 Y4 Y4 B7 B7 K10 K10 R13 R13 R3 R6 R9 Y2 Y5 Y8 Y11 K7 B12 B13 K4 K2", stock=""),
        discard("K4"),
        ("Better: open with 5 pairs.\nThis was the last turn of the round.\nIt cost about 64 points.",),
    ),
    "a meld": (
        in_turn("R6 R7 R8 B8 Y9 K12", stock="", way="melds"),
        discard("K12"),
        ("Better: first lay red 6 red 7 red 8.", "It cost about 21 points."),
    ),
    "a tile to lay off": (
        in_turn("R6 B8 Y9 K12", "R3 R4 R5", stock="", way="melds"),
        discard("K12"),
        ("Better: first lay off red 6 on the table.", "It cost about 6 points."),
    ),
    "an okey to reclaim": (
        in_turn("R6 B8 Y9", "R5 *R6 R7", stock="", way="melds", reclaim_joker=True),
        discard("B8"),
        ("Better: first put red 6 in the place of a laid okey, and take the okey.",),
    ),
    "a finish": (
        in_turn("R6 R7 K9", "R3 R4 R5", stock="", way="melds"),
        discard("K9"),
        ("Better: finish with black 9.", "You could have laid everything else.", "It cost about 114 points."),
    ),
    "a take": (
        in_turn("B8 Y9 K12", "R3 R4 R5", stock="Y1 Y3 Y7 Y9 B2", left="R6", way="melds"),
        Draw(),
        ("You drew.", "Better: take red 6.", "You can lay it at once.", "It cost less than a point."),
    ),
    "a tile that fits": (
        in_turn(FAR.replace("K9", "R7"), "R4 R5 R6", stock=""),
        discard("R7"),
        ("red 7 fits a meld on the table: discarding it costs 101 points.", "It cost about 101 points."),
    ),
    "the okey": (
        in_turn(FAR.replace("K9", "K1"), stock=""),
        discard("K1"),
        ("Discarding an okey costs 101 points.", "It cost about 101 points."),
    ),
}


async def facts_of(store: Store, match: Match, made: Move, *, shown: int) -> ReviewFacts:
    """The review of seat 1's move in this match."""
    async with open_house(store, work=False) as house:
        table = await house.open(ADA, words="okey101")
        await begin(house, table, ADA)
        stored = await house.app.tables.load(table)
    assert stored is not None
    positions = played(match, (1, made))
    judged = ReviewedRound(stored.value, review(positions, 1), positions)
    return ReviewFacts(
        table=table_facts(judged.at(shown), None),
        rounds=1,
        review=judged.review,
        winner=None,
        shown=shown,
        view=judged.see(1, shown) if shown else None,
        racks=judged.racks(shown),
    )


@pytest.mark.parametrize("missed", MISSED)
async def test_what_was_missed_at_okey_101_is_told_with_its_cost_in_points(store: Store, missed: str) -> None:
    """In words for people who are new to it, in every language."""
    match, made, told = MISSED[missed]
    facts = await facts_of(store, match, made, shown=1)
    text = plain(review_page(facts, WORDS, turns=True).text, WORDS)
    for sentence in told:
        assert sentence in text
    for language in LANGUAGES:
        words = words_for(language)
        for shown in (0, 1):
            page = review_page(
                replace(facts, shown=shown, view=facts.view if shown else None), words, turns=True
            )
            assert plain(page.text, words)
    page = review_page(facts, WORDS, turns=True)
    assert isinstance(page.picture, ReplayPicture)
    marked = [face for face in page.picture.racks[1] if face.marked]
    assert bool(marked) == (missed != "a take")
    assert page.replay is not None
    live = page.replay.live
    assert live.best is not None
    assert live.seat == 1
    assert bool(live.best.tiles) == (live.best.kind == "tiles") == bool(marked)


async def test_a_round_without_a_choice_says_so_and_claims_no_accuracy(store: Store) -> None:
    match = in_turn("B8 Y9 K12", "R3 R4 R5", stock="Y1 Y3 Y7 Y9 B2", way="melds")
    page = review_page(await facts_of(store, match, discard("B8"), shown=0), WORDS, turns=True)
    text = plain(page.text, WORDS)
    assert "There was nothing to decide." in text
    assert "Accuracy" not in text
    assert page.series is None
    assert page.picture is None
