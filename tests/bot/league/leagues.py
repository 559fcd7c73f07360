"""A league in a house, with a clock that the test sets."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

from bot.errors import Refused
from bot.league import decide
from bot.league.events import NightReply
from bot.league.model import Format, League, Schedule
from bot.league.night import Night
from bot.ports import Person
from bot.repository.leagues import Decide
from bot.store import Store
from bot.worker.beacon import BeaconClient
from tests.bot.house import PLACE, House, open_house
from tests.bot.rounds import finish_round

START = 1_773_345_600.0
"""2026-03-12, 20:00 in UTC: a Thursday."""

DAY = 24 * 3600.0
ONE_ROUND_OF_TILES = {"preset": "okey-rounds", "rounds": 1}

Until = Callable[[Callable[[], Awaitable[bool]]], Awaitable[None]]


@dataclass
class MovedClock:
    """A clock that shows the time set by the test."""

    now: float = START - DAY

    def __call__(self) -> float:
        return self.now


def weekly(**settings: object) -> League:
    """A league that meets every Thursday at 20:00, two rounds a night, one round of tiles a match."""
    format = Format(rules=ONE_ROUND_OF_TILES, rounds=2, round_minutes=30, grace_minutes=10, break_minutes=2)
    return League(
        id="abcde",
        name="Thursday",
        community=PLACE,
        places=(PLACE,),
        language="en",
        schedule=Schedule(start="2026-03-12T20:00", zone="UTC", rule="FREQ=WEEKLY;BYDAY=TH"),
        format=replace(format, **settings),  # type: ignore[arg-type]
        visibility="public",
    )


@dataclass
class LeagueHouse:
    """People, their league and its clock."""

    house: House
    clock: MovedClock
    until: Until
    league: str = "abcde"
    night_id: str = "abcde-202603122000"
    people: dict[str, Person] = field(default_factory=dict)
    """The people by their members' ids."""

    async def night(self) -> Night:
        """The night in its current state."""
        return await self.house.app.leagues.load_night(self.night_id)

    async def comes(self, *stages: str) -> Night:
        """Wait until the night is at one of these stages."""

        async def there() -> bool:
            with suppress(Refused):  # not announced yet
                return (await self.night()).stage in stages
            return False

        await self.until(there)
        return await self.night()

    async def at(self, seconds: float, *stages: str) -> Night:
        """Wait until the night is at one of these stages, this many seconds after its start (negative:
        before)."""
        self.clock.now = START + seconds
        return await self.comes(*stages)

    async def told(self) -> None:
        """Wait until the newest board of the night is shown in its place. Boards in between may be
        skipped."""
        night = await self.night()

        async def shown() -> bool:
            boards = [screen for _, screen, _ in self.house.chat.tables if screen.table == night.id]
            return bool(boards) and boards[-1].version >= night.revision

        await self.until(shown)

    async def member(self, name: str, *, place: str = PLACE) -> str:
        """The id of a person's member."""
        person = self.house.person(name)
        member = await self.house.app.leagues.member(self.league, person)
        self.people[member.id] = person
        return member.id

    async def act(self, decide: Decide, *, action: str | None = None, by: str = "", why: str = "") -> Night:
        """Decide an act on the night as a person."""
        return await self.house.app.leagues.act(self.night_id, action, decide, by=by, why=why)

    async def signs_up(self, *names: str, said: NightReply = "yes") -> list[str]:
        """Sign these people up, and return their members' ids."""
        ids = [await self.member(name) for name in names]
        league = await self.house.app.leagues.load(self.league)
        for id in ids:
            member = league.members[id]
            await self.act(lambda night, now, m=member: decide.reply(night, now, m, said, PLACE))  # type: ignore[misc]
        return ids

    async def checks_in(self, *members: str) -> None:
        """Check these members in."""
        league = await self.house.app.leagues.load(self.league)
        for id in members:
            member = league.members[id]
            await self.act(lambda night, now, m=member: decide.come(night, now, m, PLACE))  # type: ignore[misc]

    async def tables(self) -> list[str]:
        """The tables of the running round, once they are open."""
        night = await self.night()
        round = night.round
        assert round is not None
        ids = [night.id_of(round.number, table) for table in round.tables]

        async def open() -> bool:
            return all([await self.house.app.tables.load(id) is not None for id in ids])

        await self.until(open)
        return ids

    async def play_all(self) -> None:
        """Play every table of the running round to its end."""
        for table in await self.tables():
            await finish_round(self.house.app.tables, table)


@asynccontextmanager
async def league_house(
    store: Store,
    until: Until,
    league: League,
    clock: MovedClock,
    *,
    work: bool = True,
    beacon: BeaconClient | None = None,
) -> AsyncIterator[LeagueHouse]:
    """A house with a league, which is founded unless it exists."""
    async with open_house(store, clock=clock, work=work, beacon=beacon) as house:
        await house.app.leagues.create_league(league, "found")
        yield LeagueHouse(house, clock, until)
