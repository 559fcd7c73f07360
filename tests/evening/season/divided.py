"""Seasons in two divisions with a final each, and a tournament of pairs, with a kill again and again."""

import math
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tests.evening.season.dates import coming_year, thursdays
from tests.evening.season.evening import Cast, Evening
from tests.evening.season.ledger import season_standings
from tests.evening.season.plan import Plan
from tests.evening.season.season import BEST, Season, a_league
from tests.evening.season.told import check_told
from tests.evening.season.world import ORGANISER, eventually
from tests.servers.discord_api.client import Discord
from tests.servers.telegram_api.client import Control

NIGHTS = 2
"""The nights of a season: one before its final."""

SEASONS = 3
"""The first is played together, and makes the divisions of the others."""

CUT = 4
"""The people of each division's final."""

KILLED_EVERY = 20.0
"""Seconds."""

READERS = ("P03", "P04")
"""One person in each place, who ask the program for nothing."""

_DIVISION = re.compile(r"^Division \d+: (.+)$", re.MULTILINE)


@dataclass
class Divided(Season):
    """Seasons to which everybody comes every time."""

    def cast(self, plan: Plan) -> Cast:
        *coming, late, substitute, forgetful = self.world.people.values()
        return Cast(coming, late, substitute, forgetful)

    async def play(self) -> None:
        """Play all seasons, and check how each begins and ends."""
        days, plans = list(self.days), list(self.plans)
        for season in range(1, SEASONS + 1):
            first = await self.evening(plans.pop(0), days.pop(0))
            divisions = [{each.name for each in first.cast.coming}]
            if season > 1:
                divisions = await self.previewed(season)
                assert set.union(*divisions) == {each.name for each in first.cast.coming}
            await first.hold()
            for number, round in enumerate(first.seatings, 1):
                for table in round:
                    assert any({*table} <= each for each in divisions), (season, number, table, divisions)
            final = await self.evening(plans.pop(0), days.pop(0))
            await final.hold()
            assert {*final.playing} == {name for each in divisions for name in qualified(first, each)}
            await self.ends(season)
        await self.evening(self.plans[0], days[0])
        assert len(await self.previewed(SEASONS + 1)) == 2

    async def previewed(self, season: int) -> list[set[str]]:
        """The people of each division of a coming season, as its founder reads before it."""
        founder, begins = self.world.people[ORGANISER], f"season {season} has not begun yet"

        async def read() -> list[set[str]]:
            texts = [text for text in await founder.read() if begins in text]
            return [{*those.split(", ")} for text in texts[-1:] for those in _DIVISION.findall(text)]

        async with self.world.undisturbed:
            await founder.write("season")
            return await eventually(read, f"nobody tells the divisions of season {season}")

    async def ends(self, season: int) -> None:
        """Check what a season leaves."""
        champions, readers = await self.crowned(season), [self.world.people[each] for each in READERS]
        held = [evening for evening in self.evenings if len(evening.seatings)]
        await check_told(self.world, held, season, champions, readers)

    async def called(self) -> tuple[int, int]:
        """Check that nobody was called twice. Return how many calls there were, and how many were lost with a
        killed program: each is noted before it is sent."""
        made = lost = 0
        for evening, until in zip(self.evenings, self._ends(), strict=True):
            calls = await self.world.calls(evening.begun, until)
            assert max(calls.values(), default=0) <= 1, [call for call, times in calls.items() if times > 1]
            seats = {
                (round, self.world.people[name].key)
                for round, tables in enumerate(evening.seatings, 1)
                for table in tables
                for name in table
            }
            assert {*calls} <= seats
            made, lost = made + len(calls), lost + len(seats) - len(calls)
        return made, lost

    def _ends(self) -> list[float]:
        return [*(evening.begun for evening in self.evenings[1:]), math.inf]


@dataclass
class Tournament(Divided):
    """A league of one evening for pairs: rounds for everybody, then a knockout, best of three."""

    async def play(self) -> None:
        evening = await self.evening(self.plans[0], self.days[0])
        await evening.hold()
        names = [each.name for each in evening.cast.coming]
        partner = {
            one: other
            for pair in zip(names[::2], names[1::2], strict=True)
            for one, other in (pair, pair[::-1])
        }
        for round in evening.seatings:
            for table in round:
                assert all(partner[name] == table[(seat + 2) % 4] for seat, name in enumerate(table))
        winners = await self.knocked_out(evening, partner)
        assert await self.crowned(1) == winners
        assert {partner[each] for each in winners} == winners
        await self.ends(1)

    async def knocked_out(self, evening: Evening, partner: dict[str, str]) -> set[str]:
        """Check who came into the knockout, and that the pair with more tables won of each match played on,
        or sat out. Return who won the last one."""
        heats = (await self.world.night(evening.id)).heats
        begins = [heat.round for heat in heats]
        winners = self.first_in(evening, await evening.named(heats[0].members))
        for number, (first, after) in enumerate(pairwise([*begins, len(evening.seatings) + 1])):
            assert await evening.named(heats[number].members) == winners
            there = {name for table in evening.seatings[first - 1] for name in table}
            assert there <= winners
            assert len(winners - there) == (2 if len(winners) % 4 else 0)
            on = await evening.named(heats[number + 1].members) if number + 1 < len(heats) else None
            winners = winners - there
            for match in evening.seatings[first - 1]:
                tables = [
                    seats
                    for (round, _), seats in evening.book.tables.items()
                    if first <= round < after and {name for name, _ in seats} == {*match}
                ]
                won = wins(tables)
                for played in range(1, len(tables)):
                    assert max(wins(tables[:played]).values(), default=0) < 2
                assert len(tables) <= 3
                one, other = {*match[::2]}, {*match[1::2]}
                through = one if (one <= on if on is not None else one <= await self.crowned(1)) else other
                out = other if through is one else one
                assert won[min(through)] >= won[min(out)]
                winners |= through
        return winners

    def first_in(self, evening: Evening, members: set[str]) -> set[str]:
        """Check that these are the first of the rounds for everybody: nobody who is not has won more tables
        there. Return them."""
        tables = [seats for (round, _), seats in evening.book.tables.items() if round <= self.rounds]
        won, everybody = wins(tables), {name for seats in tables for name, _ in seats}
        assert len(members) >= len(everybody) // 2
        assert min(won[name] for name in members) >= max(won[name] for name in everybody - members)
        return members


def wins(tables: Sequence[Sequence[tuple[str, int]]]) -> Counter[str]:
    """The tables that each person has won."""
    return Counter(
        name for seats in tables for name, score in seats if score > min(other for _, other in seats)
    )


def qualified(night: Evening, people: set[str]) -> list[str]:
    """The first of a division after the only night before its final."""
    lines = season_standings([night.book.among(people)], BEST)
    return [line.name for line in lines if line.rank <= lines[CUT - 1].rank]


@asynccontextmanager
async def divided_seasons(
    discord: Discord, control: Control, folder: Path, people: int, rounds: int
) -> AsyncIterator[Divided]:
    """A league whose seasons end with a final of each division."""
    days = thursdays(coming_year(), NIGHTS, NIGHTS * (SEASONS - 1) + 1)
    settings = (
        *(f"rounds={rounds}", f"nights={NIGHTS}", f"finals=cut{CUT}", "divisions=two2"),
        "game=turkish-rummy-fast-1",
    )
    league = a_league(discord, control, folder, people=people + 3, first=days[0], settings=settings)
    async with league as world:
        await control.ask("let_bot_pin", chat_id=world.group.id)
        plans = [Plan(people)] * (NIGHTS * SEASONS)
        async with world.killed_every(KILLED_EVERY):
            yield Divided(world, plans, days, rounds, whole=False, patient=True)


@asynccontextmanager
async def a_tournament(
    discord: Discord, control: Control, folder: Path, pairs: int, rounds: int
) -> AsyncIterator[Tournament]:
    """Such a tournament, in which half of the pairs play the knockout."""
    days = thursdays(coming_year(), 1, 1)
    settings = (
        *("every=once", f"rounds={rounds}", "nights=1", "seating=pairs", f"finals=knockout{pairs}"),
        *("matches=3", "game=okey-partners", "deals=1"),
    )
    league = a_league(discord, control, folder, people=2 * pairs + 3, first=days[0], settings=settings)
    async with league as world:
        await control.ask("let_bot_pin", chat_id=world.group.id)
        async with world.killed_every(KILLED_EVERY):
            plans = [Plan(2 * pairs, deeds=("partners",))]
            yield Tournament(world, plans, days, rounds, whole=False, patient=True)
