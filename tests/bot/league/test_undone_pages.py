"""An act that was taken back leaves every page as it was, byte for byte, except the logs."""

import random
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial

import pytest

from bot.delivery.boards import Boards
from bot.i18n import words_for
from bot.league import decide
from bot.league.acts import settings_of
from bot.league.decide import Happening
from bot.league.events import Ended, RoundEnded, TilesPlayed, TilesRound
from bot.league.model import League, LeagueEvent, SettingsChanged
from bot.league.night import Night
from bot.league.visibility import path_of
from bot.markup import Document
from bot.people.communities import Communities
from bot.people.profiles import Profiles
from bot.ports import NotShown
from bot.store import Store
from bot.worker import worker
from tests.bot.house import PLACE, said
from tests.bot.league.leagues import LeagueHouse, MovedClock, Until, league_house, weekly
from tests.bot.league.test_router_evening import FOUR, button, gathered, labels, organise, page_of, pressed
from tests.bot.league.test_router_reading import ask
from tests.bot.rounds import finish_round

pytestmark = pytest.mark.long

EN = words_for("en")
SEED = 7
EIGHT = (*FOUR, "Dan", "Fay", "Gus", "Hal")
CLOCK = re.compile(r"^(SEQUENCE|LAST-MODIFIED|DTSTAMP):.*\r\n", re.MULTILINE)
"""What a calendar says of its own changes."""

LINK = re.compile(r"https://chat\.test/[^']+")
"""The way to a table's message: one that is opened again has a new one."""

Act = Callable[[LeagueHouse], Awaitable[None]]


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker looks more often: no test here is about how long it takes."""
    for often in ("TICK_SECONDS", "PLAYED_SECONDS"):
        monkeypatch.setattr(worker, often, 0.02)


async def pages(evening: LeagueHouse) -> Mapping[str, str]:
    """Everything that people read of the league."""
    app = evening.house.app
    league = await app.leagues.load("abcde")
    people = Profiles(evening.house.store, app.chats)
    boards = Boards(evening.house.store, app.leagues, people, Communities(evening.house.store, people))
    told: dict[str, object] = {"address": path_of(league), "places": league.places}
    for line in ("hub", "dates", "table", "nights", "prizes", "me"):
        told[line] = (await ask(evening, line)).page
    for ref in league.nights:
        board = await boards.board(await app.leagues.load_night(ref.id), PLACE)
        told[f"board of {ref.id}"] = replace(board, version=0)
    try:
        published = await app.published.open(path_of(league), "")
    except NotShown:  # its members alone see them
        return as_text(told)
    assert published is not None
    for season in range(1, league.season + 1):
        told[f"season {season}"] = await published.season(season, EN)
        for name in ("standings.csv", "results.csv", "season.json"):
            told[f"{name} of {season}"] = await published.file(name, season, "")
    for ref in league.nights:
        told[f"night {ref.id}"] = without_log(await published.night(ref.id, EN))
    for page in ("hall", "ratings", *(f"member/{member}" for member in league.members)):
        told[page] = await published.chronicle(page, EN)
    calendar = await published.file("calendar.ics", None, "")
    assert calendar is not None
    told["calendar"] = CLOCK.sub("", calendar.content.decode())
    return as_text(told)


def as_text(told: Mapping[str, object]) -> Mapping[str, str]:
    """The pages that there are, without what may differ."""
    return {name: LINK.sub("", repr(page)) for name, page in told.items() if page is not None}


def without_log(page: Document | None) -> Document | None:
    """A night's page without what organisers did to it."""
    if page is None:
        return None
    title = EN.plain("sheet.acts")
    return replace(page, sections=tuple(each for each in page.sections if each.title != title))


async def undone(evening: LeagueHouse, log: str) -> None:
    """Take the last act of a log back."""
    page = await page_of(evening, log)
    newest = [label for label in labels(page) if label.startswith("↩")][-1]
    with evening.house.runs(
        evening.house.person("Olga"), "mem:annex"
    ):  # nothing comes back to it without them
        answer = await pressed(evening, button(page, newest).press)
    assert not answer.code, said(answer)


def types(line: str) -> Act:
    """An act that is typed."""

    async def act(evening: LeagueHouse) -> None:
        answer = await organise(evening, line)
        assert not answer.code, (line, said(answer))

    return act


def changes(**fields: object) -> Act:
    """A change of settings."""

    def make(league: League, now: float) -> LeagueEvent:
        held = settings_of(league)
        plain = {name: value for name, value in fields.items() if hasattr(held, name)}
        others = {name: value for name, value in fields.items() if name not in plain}
        after = replace(held, **plain, format=replace(held.format, **others))  # type: ignore[arg-type]
        return SettingsChanged(league.season, held, after)

    async def act(evening: LeagueHouse) -> None:
        await evening.house.app.leagues.carry_out("abcde", None, make, by="m1")

    return act


async def withdraws(evening: LeagueHouse) -> None:
    page = await page_of(evening, "league_places.abcde.0")
    assert not (await pressed(evening, button(page, "Remove place 2").press)).code


async def ends(evening: LeagueHouse) -> None:
    assert not (await pressed(evening, "league_end.abcde.0")).code


LEAGUE_ACTS: Mapping[str, Act] = {
    "name": changes(name="Friday"),
    "night": changes(rounds=5, cap=8, seating="standings"),
    "day": changes(start="2026-03-20T21:00", rule="FREQ=WEEKLY;BYDAY=FR"),
    "count": changes(best_of=2, ties=("score",), divisions="two2", finals="cut4"),
    "rename": types("rename Ada, Ada Lovelace"),
    "same name": types("rename Ada, Can"),
    "role": types("role Ada, referee"),
    "merge": types("merge Zoe, Ada"),
    "pair": types("pair Ada, Can"),
    "list": types("members Zoe, Yan"),
    "visibility": types("visibility members"),
    "skip": types("skip a holiday"),
    "move": types("move Friday 20:00"),
    "pause": types("season 2026-06-01"),
    "withdrawal": withdraws,
    "end": ends,
}


def table_of(night: Night) -> tuple[int, tuple[int, ...]]:
    return 1, tuple(range(len(night.rounds[0].tables[0].seats)))


def corrects(night: Night, now: float) -> Happening:
    number, scores = table_of(night)
    return decide.correct(night, now, round=1, table=number, scores=scores)


NIGHT_ACTS: Mapping[str, Callable[[Night, float], Happening]] = {
    "penalty": partial(decide.penalise, member="m2", points=1.5),
    "bonus": partial(decide.award, member="m3", points=2.0),
    "correct": corrects,
    "void": partial(decide.void, round=1, table=1),
}


ROUND_ACTS: Mapping[str, Callable[[Night, float], Happening]] = {
    "extend": partial(decide.extend, minutes=10),
    "away": partial(decide.send_away, member="m2"),
    "penalty": partial(decide.penalise, member="m2", points=1.5),
    "void": partial(decide.void, round=1, table=1),
    "replay": partial(decide.replay, round=1, table=1),
    "finish": decide.end,
    "cancel": decide.cancel,
}
"""On a round in which a table is over and the other is played."""

BREAK_ACTS: Mapping[str, Callable[[Night, float], Happening]] = {
    "bonus": partial(decide.award, member="m3", points=2.0),
    "correct": corrects,
    "uphold": partial(decide.settle_dispute, round=1, table=2, upheld=True),
    "void": partial(decide.void, round=1, table=1),
    "away": partial(decide.send_away, member="m2"),
    "finish": decide.end,
    "cancel": decide.cancel,
}
"""In the break after it, in which the other table's result is disputed."""


async def one_season(evening: LeagueHouse) -> None:
    """A season of one night is over, and the next one's night is announced and has answers."""
    for name in ("Olga", "Zoe"):
        await evening.member(name)
    await gathered(evening, *FOUR)
    night = await evening.night()
    seats = night.rounds[0].tables[0].seats
    played = TilesRound(seats, (4, 3, 2, 1), 0)
    over = (TilesPlayed(1, 1, (played,), (4, 3, 2, 1), over=True), RoundEnded(1), Ended())
    await evening.act(lambda night, now: over)
    evening.night_id = "abcde-202603192000"
    await evening.comes("announced")
    await evening.signs_up("Ada", "Can")
    await evening.signs_up("Eve", said="maybe")
    await settled(evening)


async def stays(
    evening: LeagueHouse, name: str, log: str, do: Callable[[], Awaitable[object]], before: Mapping[str, str]
) -> None:
    """Check that nothing is left of an act in the pages when it is undone."""
    await do()
    await settled(evening)
    await undone(evening, log)
    left: list[str] = []

    async def same() -> bool:
        after = await pages(evening)
        left[:] = [each for each in {*before, *after} if before.get(each) != after.get(each)]
        return not left

    try:
        await evening.until(same)
    except TimeoutError:
        raise AssertionError(f"{name} leaves {left}") from None


async def settled(evening: LeagueHouse) -> None:
    """Wait until what follows from an act has happened, most likely. Where it has not, the undoing is a race
    with it, which must end alike."""
    leagues, seen = evening.house.app.leagues, list[object]()

    async def quiet() -> bool:
        league = await leagues.load("abcde")
        seen.append((league, await leagues.nights(league)))
        return len(seen) > 1 and seen[-1] == seen[-2]

    await evening.until(quiet)


async def test_acts_on_a_league_that_are_undone_leave_nothing(store: Store, until: Until) -> None:
    league = replace(weekly(rounds=1, nights=1), places=(PLACE, "mem:annex"))
    async with league_house(store, until, league, MovedClock()) as evening:
        await one_season(evening)
        before = await pages(evening)
        names = random.Random(SEED).sample(sorted(LEAGUE_ACTS), len(LEAGUE_ACTS))
        for name in names:
            await stays(evening, name, "league_log.abcde.0", partial(LEAGUE_ACTS[name], evening), before)


async def test_acts_on_a_night_that_are_undone_leave_nothing(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(rounds=1, nights=1), MovedClock()) as evening:
        await one_season(evening)
        before = await pages(evening)
        held = "abcde-202603122000"
        act = partial(evening.house.app.leagues.act, held, None, by="m1", why="agreed")
        for name, how in NIGHT_ACTS.items():
            await stays(evening, name, f"night_log.{held}.0", partial(act, how), before)
        cancel = partial(evening.act, decide.cancel, by="m1", why="rain")
        await stays(evening, "cancel", f"night_log.{evening.night_id}.0", cancel, before)


async def test_acts_on_a_running_night_that_are_undone_leave_nothing(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        log, act = f"night_log.{evening.night_id}.0", partial(evening.act, by="m1", why="agreed")
        await evening.member("Olga")
        await gathers(evening, log, act)
        await evening.at(0, "playing")
        first, _ = await evening.tables()
        await finish_round(evening.house.app.tables, first)
        await evening.until(lambda: is_over(evening, 1))
        await settled(evening)
        before = await pages(evening)
        for name, how in ROUND_ACTS.items():
            await stays(evening, name, log, partial(act, how), before)
        _, again = await evening.tables()
        await finish_round(evening.house.app.tables, again)
        await evening.comes("break")
        league = await evening.house.app.leagues.load("abcde")
        member = league.members[(await evening.night()).rounds[0].tables[1].seats[0]]
        await evening.act(partial(decide.dispute, member=member, round=1, table=2, words="mine"))
        await settled(evening)
        before = await pages(evening)
        for name, how in BREAK_ACTS.items():
            await stays(evening, name, log, partial(act, how), before)


async def gathers(evening: LeagueHouse, log: str, act: Callable[..., Awaitable[Night]]) -> None:
    """Eight people check in, and closing check-in before its time leaves nothing when it is undone."""
    await evening.comes("announced")
    members = await evening.signs_up(*EIGHT)
    await evening.at(-20 * 60, "check_in")
    await evening.checks_in(*members)
    await settled(evening)
    before = await pages(evening)
    await stays(evening, "close", log, partial(act, decide.close_check_in), before)
    await evening.at(-3 * 60, "ready")


async def is_over(evening: LeagueHouse, number: int) -> bool:
    """Return whether a table of the running round is over."""
    return (await evening.night()).rounds[-1].tables[number - 1].over
