"""One night of a season, from its announcement to its last table."""

import asyncio
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from bot.league.night import Night
from bot.tables.table import Table
from engine.games import game_of
from tests.bot.rounds import finish_round
from tests.evening.season import troubles
from tests.evening.season.dates import DAY, MINUTE
from tests.evening.season.ledger import NightBook
from tests.evening.season.people import Someone
from tests.evening.season.plan import Plan
from tests.evening.season.world import World, eventually

LAST_MOVES = 4
"""The moves of one table in each round that are made in the chats. A whole round takes half a minute."""

GAME_SECONDS = 600.0
"""Seconds to wait for a match, much longer than one takes even on a busy machine."""


@dataclass
class Cast:
    """The people of a night."""

    coming: list[Someone]
    late: Someone
    substitute: Someone
    forgetful: Someone


@dataclass
class Evening:
    """A night that starts at `start`. Its results are recorded in its book."""

    world: World
    plan: Plan
    cast: Cast
    id: str
    start: float
    rounds: int
    whole: bool
    """Whether a table of the first round is played in the chats from its first move on."""
    chance: random.Random
    patient: bool = False
    """Whether people wait until they are called to their tables, before anybody plays."""
    book: NightBook = field(default_factory=NightBook)
    playing: set[str] = field(default_factory=set)
    """The people to be seated in the next round."""
    seatings: list[list[list[str]]] = field(default_factory=list)
    """For each round, the people at each of its tables."""
    killed: set[str] = field(default_factory=set)
    begun: float = field(default_factory=time.time)

    async def hold(self) -> None:
        """Play the night from beginning to end."""
        await self.gather()
        await self.round(1)
        while await self.goes_on():
            await self.round(len(self.seatings) + 1)
        night = await self.world.night(self.id)
        assert len(self.seatings) == self.rounds or night.heats

    # Before the night

    async def gather(self) -> None:
        """Sign people up and check them in, and begin the first round at the start."""
        cast = self.cast
        signed_up = [*cast.coming, *([cast.forgetful] if "forgetful" in self.plan.deeds else [])]
        await self.all_press(signed_up, "night_yes")
        if "partners" in self.plan.deeds:
            await troubles.become_partners(self, cast.coming)
        if "leaver" in self.plan.deeds:
            await cast.substitute.press("night_substitute", self.id)
            await self.world.replied(self.id, [cast.substitute])
        if "reminders" in self.plan.deeds:
            for number, before in enumerate((DAY, 60 * MINUTE), start=1):
                await self.world.time_is(self.start - before)
                await self.reminded(signed_up, number)
        await self.passes(-20 * MINUTE, "check_in", moment="check-in opens")
        half = len(cast.coming) // 2
        await self.all_press(cast.coming[:half], "night_here")
        await self.perhaps_killed("check-in")
        await self.all_press(cast.coming[half:], "night_here")
        if "reminders" in self.plan.deeds:
            await self.world.time_is(self.start - 10 * MINUTE)
            await self.reminded(signed_up, 3)
        night = await self.passes(-3 * MINUTE, "ready")
        came = {each.name for each in cast.coming}
        self.playing = await self.named(night.playing)
        # In a final only the first of the table play.
        assert self.playing <= came if night.seeds else self.playing == came
        await self.passes(0, "playing", moment="seating")

    async def all_press(self, people: Sequence[Someone], verb: str) -> None:
        """Press a button as these people, one after the other in each chat, both chats at once."""
        chats = [[each for each in people if each.key.startswith(chat)] for chat in ("dc:", "tg:")]

        async def press(some: Sequence[Someone]) -> None:
            for person in some:
                await person.press(verb, self.id)

        await asyncio.gather(*map(press, chats))
        await self.world.replied(self.id, people, here=verb == "night_here")

    async def reminded(self, people: Sequence[Someone], times: int) -> None:
        """Check that each of these people has this many letters about the night."""

        async def all_have() -> bool:
            return all([await self.letters_to(person) >= times for person in people])

        await eventually(all_have, f"not everybody is reminded {times} times")
        assert [await self.letters_to(person) for person in people] == [times] * len(people)

    async def letters_to(self, person: Someone) -> int:
        night = await self.world.night(self.id)
        return sum(f"⏰ Season, night {night.number} " in letter for letter in await person.letters())

    # Rounds

    async def round(self, number: int) -> None:
        """Play a round at all tables, at the first one by presses in the chats."""
        tables = await self.open_tables(number)
        seated = [self.seated(table) for table in tables]
        self.seatings.append(seated)
        names = [name for each in seated for name in each]
        assert len(names) == len(set(names))
        assert set(names) <= self.playing
        night = await self.world.night(self.id)
        if not night.heats:
            out = self.playing - set(names)
            divisions = [await self.named(each.members) for each in night.divisions] or [self.playing]
            assert len(out) == sum(len(self.playing & those) == 5 for those in divisions)
            self.book.byes += [(number, name) for name in sorted(out)]
        if self.patient:
            await self.called(number, set(names))
        by_hand = min(tables, key=lambda table: (-len(self.chats(table)), table.id))
        for table in tables:
            if table is not by_hand:
                await finish_round(self.world.repository, table.id)
        if number == 1:
            await troubles.turns_up_late(self)
            await troubles.goes_away(self, by_hand)
        await self.play(by_hand, whole=self.whole and number == 1)
        await self.perhaps_killed("round end")
        if number == self.rounds:
            await self.perhaps_killed("end")
        await self.world.comes(self.id, "break", "over")
        for table in await self.world.tables(self.id, number):
            self.write_down(number, table)

    async def open_tables(self, number: int) -> list[Table]:
        """The tables of the round, once all are open."""

        async def opened() -> list[Table]:
            night, tables = await self.world.night(self.id), await self.world.tables(self.id, number)
            done = len(night.rounds) == number and len(tables) == len(night.rounds[-1].tables)
            return tables if done else []

        return await eventually(opened, f"the tables of round {number} are not open")

    async def called(self, number: int, people: set[str]) -> None:
        """Wait until all these people are called to a round. A call may be lost with a killed program, as it
        is noted before it is sent: after two kills nobody waits any more."""
        kills, keys = len(self.world.bot.killed), {self.world.people[name].key for name in people}

        async def all_called() -> bool:
            calls = await self.world.calls(self.begun)
            missing = keys - {key for round, key in calls if round == number}
            return not missing or len(self.world.bot.killed) > kills + 1

        await eventually(all_called, f"not everybody is called to round {number}")

    async def play(self, table: Table, *, whole: bool) -> None:
        """Play at a table until its match is over: all of it, or its last moves."""
        if not whole:
            await finish_round(self.world.repository, table.id, leave=LAST_MOVES)
        rounds = 0
        async with asyncio.timeout(GAME_SECONDS):
            while (now := await self.table(table.id)).stage == "playing":
                for name in self.seated(now):
                    await self.world.people[name].play()
                # People take their time; the test does not wait for it.
                await self.world.time_is(self.world.clock())
                rounds += 1
                if rounds == 5:
                    await self.perhaps_killed("in round")
                await asyncio.sleep(0.05)

    # Between rounds

    async def goes_on(self) -> bool:
        """Handle disputes and organisers' acts after the first round, and begin the next one after the break.
        Return whether there is one: a knockout that is decided ends in its break, at once."""
        await self.until(lambda night: night.stage == "over" or night.break_ends is not None)
        if len(self.seatings) == 1:
            await troubles.organised(self)
        night = await self.world.night(self.id)
        if night.break_ends is not None:
            night = await self.passes(night.break_ends - self.start, "playing", "over", moment="break")
        return night.stage == "playing"

    # Throughout the night

    async def passes(self, seconds: float, *stages: str, moment: str = "") -> Night:
        """Move the clock to this many seconds after the start, and wait for one of these stages, with a kill
        if planned."""
        await self.world.time_is(self.start + seconds)
        await self.perhaps_killed(moment)

        async def there() -> Night | None:
            night = await self.world.night(self.id)
            if night.stage in stages:
                return night
            # While nobody was at work, what was still to come was put off.
            ends = night.check_in_closes if night.stage == "check_in" else night.break_ends
            if ends is not None and ends > self.world.clock():
                await self.world.time_is(ends)
            return None

        return await eventually(there, f"{self.id} is not {stages}")

    async def perhaps_killed(self, moment: str) -> None:
        """Kill the program if a kill is planned for this moment, whatever it is doing."""
        if moment in self.plan.kills and moment not in self.killed:
            self.killed.add(moment)
            await asyncio.sleep(self.chance.uniform(0.0, 0.4))
            await self.world.kill()

    async def until(self, holds: Callable[[Night], bool]) -> None:
        """Wait until a condition is true of the night."""

        async def look() -> bool:
            return holds(await self.world.night(self.id))

        await eventually(look, "the night does not change")

    async def named(self, members: Iterable[str]) -> set[str]:
        """The names of members."""
        known = (await self.world.held()).members
        return {known[each].name for each in members}

    async def table(self, id: str) -> Table:
        kept = await self.world.repository.load(id)
        assert kept is not None
        return kept.value

    def seated(self, table: Table) -> list[str]:
        """The names of the people at a table."""
        return [self.world.named(seat.person) for seat in table.seats if seat.person and not seat.computer]

    def chats(self, table: Table) -> set[str]:
        return {str(seat.person)[:2] for seat in table.seats if seat.person}

    def write_down(self, round: int, table: Table) -> None:
        """Record a table's result, from the table itself."""
        assert table.night is not None
        assert table.stage in ("over", "closed")
        sign = -1 if game_of(table.match.rules).fewest_win(table.match.rules) else 1
        changes = zip(*(each.changes for each in table.results), strict=True)
        scores = [sign * sum(each) for each in changes] or [0] * len(table.seats)
        who = ["" if seat.computer else self.world.named(seat.person) for seat in table.seats]
        self.book.tables[round, table.night.number] = list(zip(who, scores, strict=True))
