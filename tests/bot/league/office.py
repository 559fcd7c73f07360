"""A league without its chats. Its worker and its clock move only when the test says so."""

from dataclasses import dataclass, field

from bot.league import decide
from bot.league.events import NightReply
from bot.league.model import League, Member
from bot.league.night import Night
from bot.people.communities import Communities
from bot.people.profiles import Profiles
from bot.ports import Person
from bot.repository.leagues import Decide, LeagueRepository
from bot.repository.tables import TableRepository
from bot.store import Store
from bot.tables import turns
from bot.tables.play import Delays
from bot.tables.table import Change, Table
from bot.worker.league_nights import LeagueNights
from tests.bot.house import PLACE
from tests.bot.league.leagues import START, MovedClock
from tests.bot.rounds import finish_round
from tests.bot.store.waiting import agenda_with_absence, ended

DELAYS = Delays(computer=0.0, next_round=60.0)


@dataclass
class Office:
    """The parts of the program for leagues, on one store."""

    store: Store
    clock: MovedClock
    league: str = "abcde"
    night_id: str = "abcde-202603122000"
    repository: TableRepository = field(init=False)
    leagues: LeagueRepository = field(init=False)
    league_nights: LeagueNights = field(init=False)

    def __post_init__(self) -> None:
        people = Profiles(self.store, {})
        self.repository = TableRepository(self.store)
        self.leagues = LeagueRepository(self.store, self.clock)
        communities = Communities(self.store, people)
        self.league_nights = LeagueNights(
            leagues=self.leagues,
            tables=self.repository,
            communities=communities,
            delays=DELAYS,
            entropy=lambda: bytes([7]) * 64,
            name_round=lambda now: None,
        )

    async def work(self) -> None:
        """Do all due work, until none is left."""
        while True:
            results = await ended(self.store)
            for table, mark in results:
                await self.league_nights.update_from(table)
                await self.store.timers.history_written(table, mark)
            due = await agenda_with_absence(self.store, self.clock())
            for key, away in due:
                await self.league_nights.look(key, away)
            if not results and not due:
                return

    async def at(self, seconds: float) -> Night:
        """The night after all work due this many seconds after its start (negative: before)."""
        self.clock.now = START + seconds
        await self.work()
        return await self.night()

    async def night(self) -> Night:
        """The night in its current state."""
        return await self.leagues.load_night(self.night_id)

    async def found(self, league: League) -> None:
        """Found a league and announce its first night."""
        await self.leagues.create_league(league, "found")
        await self.work()

    async def member(self, name: str, *, chat: str = "mem") -> Member:
        """A person's member."""
        return await self.leagues.member(self.league, person(name, chat=chat))

    async def act(self, decide: Decide, *, action: str | None = None, by: str = "", why: str = "") -> Night:
        """Decide an act on the night as a person, and do the work that follows."""
        await self.leagues.act(self.night_id, action, decide, by=by, why=why)
        await self.work()
        return await self.night()

    async def says(self, name: str, said: NightReply = "yes") -> Member:
        """Reply to the night as a person, and do the work that follows."""
        member = await self._reply(name, said)
        await self.work()
        return member

    async def _reply(self, name: str, said: NightReply) -> Member:
        member = await self.member(name)
        await self.leagues.act(
            self.night_id, None, lambda night, now: decide.reply(night, now, member, said, PLACE)
        )
        return member

    async def checks_in(self, *members: Member) -> None:
        """Check these members in."""
        for member in members:
            await self.leagues.act(
                self.night_id,
                None,
                lambda night, now, m=member: decide.come(night, now, m, PLACE),  # type: ignore[misc]
            )
        await self.work()

    async def begins(self, *names: str, start: float = 0) -> list[Member]:
        """Sign these people up, check them in, and begin the first round at the start: so many seconds after
        the first night's."""
        members = [await self._reply(name, "yes") for name in names]
        await self.at(start - 20 * 60)
        await self.checks_in(*members)
        await self.at(start - 3 * 60)
        await self.at(start)
        return members

    async def tables(self) -> list[Table]:
        """The tables of the running round."""
        night = await self.night()
        assert night.round is not None
        return [await self.table(each.number) for each in night.round.tables]

    async def table(self, number: int) -> Table:
        """A table of the running round."""
        night = await self.night()
        assert night.round is not None
        table = night.round.tables[number - 1]
        stored = await self.repository.load(night.id_of(night.round.number, table))
        assert stored is not None
        return stored.value

    async def touches(self, table: Table, *seats: int) -> None:
        """Note the people on these seats as present."""
        for seat in seats:
            await self.repository.change(
                table.id,
                None,
                lambda stored, s=seat: Change(turns.mark_present(stored.value, s, stored.now, private=True)),  # type: ignore[misc]
            )

    async def everybody_touches(self) -> None:
        """Note everybody at the running tables as present."""
        for table in await self.tables():
            await self.touches(table, *range(len(table.seats)))

    async def plays(self, *numbers: int) -> Night:
        """Play a round of tiles to its end at these tables, or at all."""
        for table in await self.tables():
            assert table.night is not None
            if table.stage == "playing" and (not numbers or table.night.number in numbers):
                await finish_round(self.repository, table.id)
        await self.work()
        return await self.night()


def person(name: str, *, chat: str = "mem") -> Person:
    """A person of a chat."""
    return Person(f"{chat}:{name.lower()}", name, "en")
