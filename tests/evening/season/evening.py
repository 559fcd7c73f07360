"""One night of a season, from its announcement to its last table."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.league.night import Night
from bot.tables.model import Table
from engine.ending import fewest_win
from tests.bot.rounds import finish_round
from tests.evening.season.ledger import NightBook
from tests.evening.season.people import Someone
from tests.evening.season.world import World, eventually

MINUTE = 60.0
CHECK_IN_OPENS = -20 * MINUTE
CHECK_IN_CLOSES = -3 * MINUTE
GAME_SECONDS = 90.0


@dataclass
class Evening:
    """A night that is held at `start`; kills happen at the moments that are named."""

    world: World
    id: str
    start: float
    kills: Sequence[str] = ()
    chance: random.Random = field(default_factory=lambda: random.Random(7))
    book: NightBook = field(default_factory=NightBook)

    async def passes(self, seconds: float, *stages: str, moment: str = "") -> Night:
        """So long after the start the night comes to one of these stages, killed on the way or not."""
        self.world.clock.set(self.start + seconds)
        await self.perhaps_killed(moment)
        return await self.world.comes(self.id, *stages)

    async def perhaps_killed(self, moment: str) -> None:
        """The program is killed, if this is the moment for it, at whatever it is just doing."""
        if moment in self.kills:
            await asyncio.sleep(self.chance.uniform(0.0, 0.4))
            await self.world.kill()

    async def sign_up(self, people: Sequence[Someone], verb: str = "night_yes") -> None:
        for person in people:
            await person.press(verb, self.id)

    async def check_in(self, people: Sequence[Someone]) -> None:
        await self.passes(CHECK_IN_OPENS, "check_in")
        half = len(people) // 2
        for person in people[:half]:
            await person.press("night_here", self.id)
        await self.perhaps_killed("check-in")
        for person in people[half:]:
            await person.press("night_here", self.id)

    async def round(self, number: int, *, by_hand: int = 1) -> None:
        """A round is played at all tables, the first ones by presses in the chats."""
        tables = await self.open_tables(number)
        for table in tables[by_hand:]:
            await finish_round(self.world.keeper, table.id)
        await self.perhaps_killed("in round")
        for table in tables[:by_hand]:
            await self.play(table)
        await self.perhaps_killed("round end")
        await self.world.comes(self.id, "break", "over")
        for table in await self.world.tables(self.id, number):
            self.write_down(number, table)

    async def open_tables(self, number: int) -> list[Table]:
        """The tables of the round, once all are open."""

        async def opened() -> list[Table]:
            night = await self.world.night(self.id)
            tables = await self.world.tables(self.id, number)
            return (
                tables if len(night.rounds) == number and len(tables) == len(night.rounds[-1].tables) else []
            )

        return await eventually(opened, f"the tables of round {number} are not open")

    async def play(self, table: Table) -> None:
        """People play at a table until its match is over."""
        seated = [self.world.people[name] for seat in table.seats if (name := self.world.named(seat.person))]

        async def over() -> bool:
            for person in seated:
                await person.play()
            kept = await self.world.keeper.load(table.id)
            return kept is not None and kept.table.stage in ("over", "closed")

        await eventually(over, f"the match at table {table.id} does not end", GAME_SECONDS)

    def write_down(self, round: int, table: Table) -> None:
        """A table's result, as the table itself has it."""
        assert table.night is not None
        assert table.stage in ("over", "closed")
        sign = -1 if fewest_win(table.match.rules) else 1
        scores = [
            sign * sum(changes) for changes in zip(*(each.changes for each in table.results), strict=True)
        ]
        who = ["" if seat.computer else self.world.named(seat.person) for seat in table.seats]
        self.book.tables[round, table.night.number] = list(zip(who, scores or [0] * len(who), strict=True))
