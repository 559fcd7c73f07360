"""A season from its founding to its champion, and the checks at its end."""

import random
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from itertools import combinations, groupby
from operator import itemgetter
from pathlib import Path

from bot.league.events import RoundSeated
from bot.league.model import NightRef
from tests.evening.faults.judge import NOTED_SECONDS
from tests.evening.season.dates import DAY, HOUR, ZONE, coming_year, moment, thursdays
from tests.evening.season.evening import Cast, Evening
from tests.evening.season.ledger import Line, NightBook, season_standings
from tests.evening.season.plan import Plan
from tests.evening.season.world import ORGANISER, World, a_world, eventually, found_league
from tests.servers.discord_api.client import Discord
from tests.servers.telegram_api.client import Control

NAME = "Season"
BEST = 5
COLUMNS = ("rank", "name", "points", "wins", "score", "opponents", "penalties")


@dataclass
class Season:
    """A season played by its plans."""

    world: World
    plans: Sequence[Plan]
    days: list[date]
    """The days of its nights, and one more after them."""
    rounds: int
    whole: bool
    patient: bool = False
    """Whether people wait until they are called to their tables."""
    chance: random.Random = field(default_factory=lambda: random.Random(20))
    evenings: list[Evening] = field(default_factory=list)

    async def play(self) -> None:
        """All nights, one after the other."""
        days = list(self.days)
        for plan in self.plans:
            evening = await self.evening(plan, days.pop(0))
            await evening.hold()
            if plan.then:
                await self.rearranged(plan.then, days)
        await self.crowned(1)

    async def evening(self, plan: Plan, day: date) -> Evening:
        """The next night, two days before it."""
        ref = await self.announced(day)
        await self.world.time_is(ref.start - 2 * DAY)
        evening = Evening(
            self.world,
            plan,
            self.cast(plan),
            ref.id,
            ref.start,
            rounds=self.rounds,
            whole=self.whole,
            chance=self.chance,
            patient=self.patient,
        )
        self.evenings.append(evening)
        return evening

    async def crowned(self, season: int) -> set[str]:
        """Wait until the league has noted a season's end, which comes after its last night's. Return the
        champions' names."""

        async def names() -> set[str]:
            league = await self.world.held()
            return {league.members[each].name for each in league.champions.get(season, ())}

        return await eventually(names, f"season {season} has no champion")

    async def announced(self, day: date) -> NightRef:
        """The next night, once it is on the calendar, at eight in the evening in local time."""

        held = {evening.id for evening in self.evenings}

        async def next() -> NightRef | None:
            # A night that has just ended is listed until its league has noted that, and the next one a moment
            # before it is there.
            ref = next_of((await self.world.held()).nights)
            there = ref is not None and ref.id not in held and await self.world.leagues.night(ref.id)
            return ref if there else None

        ref = await eventually(next, f"no night is announced for {day}")
        assert ref.start == moment(day), (day, ref)
        return ref

    async def rearranged(self, what: str, days: list[date]) -> None:
        """Skip the next night, or hold it a day later."""
        organiser, ref = self.world.people[ORGANISER], await self.announced(days[0])
        if what == "skip":
            days.pop(0)
            await organiser.write("skip it is a holiday")
        else:
            days[0] += timedelta(days=1)
            await organiser.write(f"move {days[0]} {HOUR}:00")

        async def done() -> bool:
            nights = (await self.world.held()).nights
            following = next_of(nights)
            return following is not None and following.start == moment(days[0])

        await eventually(done, f"{ref.id} was not changed")

    def cast(self, plan: Plan) -> Cast:
        people = self.chance.sample(sorted(self.world.people), plan.coming + 3)
        late, substitute, forgetful, *coming = [self.world.people[name] for name in people]
        return Cast(coming, late, substitute, forgetful)

    # At the end

    @property
    def books(self) -> list[NightBook]:
        return [evening.book for evening in self.evenings]

    async def holds(self) -> None:
        """Check everything that must be true of a finished season."""
        table = season_standings(self.books, BEST)
        told = await self.world.download("standings")
        results, written = await self.results(), self.written()
        assert results == written, (results - written, written - results)
        lines = by_ranks(told)
        expected = [as_downloaded(line) for line in table]
        assert lines == expected, (lines, expected)
        league = await self.world.held()
        assert await self.crowned(1) == {line.name for line in table if line.rank == 1}
        assert league.season == 2
        for evening in self.evenings:
            log = await self.world.leagues.log(evening.id)
            seated = [each.event.round for each in log if isinstance(each.event, RoundSeated)]
            assert seated == list(range(1, self.rounds + 1))
            self.meets_nobody_twice(evening)
        assert await self.announcements() == {
            (place, evening.id): 1 for place in self.world.places for evening in self.evenings
        }

    async def results(self) -> Counter[tuple[str, ...]]:
        """Every seat's result, bye, missed round and penalty in the league's file."""
        lines = await self.world.download("results")
        columns = ("night", "kind", "round", "table", "name", "score", "points")
        return Counter(tuple(line[column] for column in columns) for line in lines)

    def written(self) -> Counter[tuple[str, ...]]:
        """The same from the test's records."""
        lines: list[tuple[str, ...]] = []
        for evening in self.evenings:
            book, night = evening.book, evening.id
            for (round, number), seats in book.tables.items():
                for seat, (name, score) in enumerate(seats):
                    points = "" if (round, number) in book.void or not name else shown(book.at(seats, seat))
                    lines.append((night, "table", str(round), str(number), name, str(score), points))
            lines += [(night, "bye", str(round), "", name, "", "1.5") for round, name in book.byes]
            lines += [(night, "missed", str(round), "", name, "", "0") for round, name in book.late]
            lines += [(night, "penalty", "", "", name, "", shown(-points)) for name, points in book.penalties]
        return Counter(lines)

    def meets_nobody_twice(self, evening: Evening) -> None:
        """Check that nobody has the same opponent in two rounds where that is avoidable: where each of a
        table's people can go to a different table."""
        tables = [people for round in evening.seatings for people in round]
        met = Counter(frozenset(pair) for people in tables for pair in combinations(people, 2))
        if min(map(len, evening.seatings)) >= max(map(len, tables)):
            assert max(met.values()) == 1, met.most_common(3)

    async def announcements(self) -> Counter[tuple[str, str]]:
        """The number of messages in each place that ask who comes to a night. One that was not noted before a
        kill is sent again, as Telegram offers no way to look for it."""
        discord = [
            (0.0, self.world.places[0], press)
            for call in await self.world.discord.calls()
            if call.method == "POST" and call.path.endswith("/messages") and call.status == 200
            for press in call.presses
        ]
        telegram = [
            (call.at, self.world.places[1], button.get("callback_data", ""))
            for call in await self.world.control.calls("sendMessage", "sendPhoto")
            if call.status == 200 and str(call.parameters["chat_id"]) == str(self.world.group.id)
            for row in (call.parameters.get("reply_markup") or {}).get("inline_keyboard", [])
            for button in row
        ]
        held = {evening.id for evening in self.evenings}
        asked = [(at, place, press.split(".")) for at, place, press in (*discord, *telegram)]
        posted = [(at, (place, of[1])) for at, place, of in asked if of[0] == "night_maybe" and of[1] in held]
        last = {night: at for at, night in sorted(posted)}
        return Counter(night for at, night in posted if at == last[night] or not self._unnoted(at))

    def _unnoted(self, at: float) -> bool:
        return any(at <= kill <= at + NOTED_SECONDS for kill in self.world.bot.killed)


def next_of(nights: Sequence[NightRef]) -> NightRef | None:
    """The first night that is still ahead."""
    return next((ref for ref in nights if not ref.over), None)


def by_ranks(told: Iterable[Mapping[str, str]]) -> list[dict[str, str]]:
    """A downloaded table's lines in their order, but those of a shared rank by name, as in the ledger. The
    program puts those first who joined first: nobody can know whose press that was."""
    lines = [{column: line[column] for column in COLUMNS} for line in told]
    ranks = groupby(lines, itemgetter("rank"))
    return [line for _, equals in ranks for line in sorted(equals, key=itemgetter("name"))]


def as_downloaded(line: Line) -> dict[str, str]:
    """A line in the form of a spreadsheet's row."""
    return {column: shown(getattr(line, column)) for column in COLUMNS}


def shown(value: object) -> str:
    """A value as text. Fractions have at most four decimals."""
    return f"{float(value):.4f}".rstrip("0").rstrip(".") if isinstance(value, Fraction) else str(value)


@asynccontextmanager
async def a_league(
    discord: Discord, control: Control, folder: Path, *, people: int, first: date, settings: Sequence[str]
) -> AsyncIterator[World]:
    """A league founded some days before the first of its nights."""
    async with a_world(discord, control, folder, people=people, now=moment(first) - 3 * DAY) as world:
        when = (f"start={first} {HOUR}:00", f"zone={ZONE}")
        await found_league(world, (f"name={NAME}", *when, *settings))
        yield world


@asynccontextmanager
async def a_season(
    discord: Discord,
    control: Control,
    folder: Path,
    plans: Sequence[Plan],
    *,
    before: int,
    rounds: int,
    whole: bool,
) -> AsyncIterator[Season]:
    """A season of such a league. `before`: the number of Thursdays before the change of clocks."""
    skipped = sum(plan.then == "skip" for plan in plans)
    days = thursdays(coming_year(), before, len(plans) + skipped + 1 - before)
    people = max(plan.coming for plan in plans) + 3
    settings = (f"rounds={rounds}", f"nights={len(plans)}", f"best={BEST}", "game=turkish-rummy-fast-1")
    league = a_league(discord, control, folder, people=people, first=days[0], settings=settings)
    async with league as world:
        yield Season(world, plans, days, rounds, whole)
