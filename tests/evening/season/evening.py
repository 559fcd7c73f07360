"""One night of a season, from its announcement to its last table."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from bot.league.night import Night
from bot.tables.model import Table
from engine.ending import fewest_win
from tests.bot.rounds import finish_round
from tests.evening.season.ledger import NightBook
from tests.evening.season.people import Someone
from tests.evening.season.plan import Plan
from tests.evening.season.world import World, eventually

MINUTE = 60.0
HOUR = 60 * MINUTE
GAME_SECONDS = 150.0
ORGANISER = "P01"


@dataclass
class Cast:
    """Who comes to a night."""

    coming: list[Someone]
    late: Someone
    substitute: Someone
    forgetful: Someone


@dataclass
class Evening:
    """A night that is held at `start`. What comes of it is written down in its book."""

    world: World
    plan: Plan
    cast: Cast
    id: str
    start: float
    rounds: int
    by_hand: int | None
    """So many moves of a round's first table are made by presses in the chats, all if None."""
    chance: random.Random
    book: NightBook = field(default_factory=NightBook)
    playing: set[str] = field(default_factory=set)
    """Who is to be seated in the next round."""
    seatings: list[list[list[str]]] = field(default_factory=list)
    """Of each round, the people at each of its tables, as they were seated."""
    killed: set[str] = field(default_factory=set)

    async def hold(self) -> None:
        """All of it."""
        await self.gather()
        for number in range(1, self.rounds + 1):
            await self.round(number)
            if number < self.rounds:
                await self.between(number)

    # Before it begins

    async def gather(self) -> None:
        """People sign up and check in; the first round begins at the start."""
        cast = self.cast
        signed_up = [*cast.coming, *([cast.forgetful] if "forgetful" in self.plan.deeds else [])]
        await self.all_press(signed_up, "night_yes")
        if "leaver" in self.plan.deeds:
            await cast.substitute.press("night_substitute", self.id)
        if "reminders" in self.plan.deeds:
            for number, before in enumerate((24 * HOUR, HOUR), start=1):
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
        self.playing = {each.name for each in cast.coming}
        members = (await self.world.held()).members
        assert {members[each].name for each in night.playing} == self.playing
        await self.passes(0, "playing", moment="seating")

    async def all_press(self, people: Sequence[Someone], verb: str) -> None:
        """Those of one chat one after the other, both chats at once."""
        chats = [[each for each in people if each.key.startswith(chat)] for chat in ("dc:", "tg:")]

        async def press(some: Sequence[Someone]) -> None:
            for person in some:
                await person.press(verb, self.id)

        await asyncio.gather(*map(press, chats))

    async def reminded(self, people: Sequence[Someone], times: int) -> None:
        """Each of them has so many letters about this night, and nobody one too many."""

        async def all_have() -> bool:
            return all([await self.letters_to(person) >= times for person in people])

        await eventually(all_have, f"not everybody is reminded {times} times")
        assert [await self.letters_to(person) for person in people] == [times] * len(people)

    async def letters_to(self, person: Someone) -> int:
        night = await self.world.night(self.id)
        return sum(f"⏰ Season, night {night.number} " in letter for letter in await person.letters())

    # Rounds

    async def round(self, number: int) -> None:
        """A round is played at all tables, at the first one by presses in the chats."""
        tables = await self.open_tables(number)
        seated = [self.seated(table) for table in tables]
        self.seatings.append(seated)
        expected, left_over = set(self.playing), 1 if len(self.playing) == 5 else 0
        out = expected - {name for each in seated for name in each}
        assert {name for each in seated for name in each} <= expected
        assert len(out) == left_over
        self.book.byes += [(number, name) for name in sorted(out)]
        by_hand = min(tables, key=lambda table: (-len(self.chats(table)), table.id))
        for table in tables:
            if table is not by_hand:
                await finish_round(self.world.keeper, table.id)
        if number == 1:
            await self.turns_up_late()
            await self.goes_away(by_hand)
        await self.play(by_hand)
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

    async def turns_up_late(self) -> None:
        """Somebody comes when the first round has begun, and plays from the second one on."""
        if "late" in self.plan.deeds:
            late = self.cast.late
            await late.press("night_late", self.id)
            self.playing.add(late.name)
            self.book.late.append((1, late.name))

    async def goes_away(self, table: Table) -> None:
        """Somebody gets up from a table that is played, or was never there."""
        people = [self.world.people[name] for name in self.seated(table)]
        if "leaver" in self.plan.deeds:
            gone = people[-1]
            await gone.press("night_leave", self.id)
            await gone.press("night_gone", self.id)
            await self.world.time_is(self.start + MINUTE)
            await self.cast.substitute.press("night_sit", self.id)
            await self.sits(table, self.cast.substitute)
            self.playing.add(self.cast.substitute.name)
            self.playing.discard(gone.name)
        if "no-show" in self.plan.deeds:
            gone = people[0]
            for person in people[1:]:
                await person.press("look|sort_runs", table.id)
            await self.touched(table, people[1:])
            await self.world.time_is(self.start + 2 * MINUTE)
            await self.kept_by_computer(table, gone)
            self.playing.discard(gone.name)

    async def sits(self, table: Table, person: Someone) -> None:
        async def there() -> bool:
            return person.name in self.seated(await self.table(table.id))

        await eventually(there, f"{person.name} has no seat")

    async def touched(self, table: Table, people: Sequence[Someone]) -> None:
        async def all_seen() -> bool:
            now = await self.table(table.id)
            keys = {each.key for each in people}
            return all(seat.seen for seat in now.seats if seat.person in keys)

        await eventually(all_seen, "not everybody is there")

    async def kept_by_computer(self, table: Table, person: Someone) -> None:
        async def kept() -> bool:
            return any(
                seat.computer and seat.person == person.key for seat in (await self.table(table.id)).seats
            )

        await eventually(kept, f"nobody plays for {person.name}")

    async def play(self, table: Table) -> None:
        """People play at a table until its match is over."""
        if self.by_hand is not None:
            await finish_round(self.world.keeper, table.id, leave=self.by_hand)
        rounds = 0
        async with asyncio.timeout(GAME_SECONDS):
            while (now := await self.table(table.id)).stage == "playing":
                for name in self.seated(now):
                    await self.world.people[name].play()
                # They take their time, which is not waited for.
                await self.world.time_is(self.world.clock())
                rounds += 1
                if rounds == 5:
                    await self.perhaps_killed("in round")
                await asyncio.sleep(0.05)

    # Between rounds

    async def between(self, number: int) -> None:
        """People complain, organisers act, and the next round begins when the break is over."""
        if number == 1:
            await self.organised()
        night = await self.world.comes(self.id, "break")
        assert night.break_ends is not None
        await self.passes(night.break_ends - self.start, "playing", moment="break")

    async def organised(self) -> None:
        """Disputes, corrections, penalties, tables that count for nobody, a pause: typed in the chats."""
        organiser, deeds = self.world.people[ORGANISER], self.plan.deeds
        first, *_ = self.book.tables
        where, seats = f"{first[0]}.{first[1]}", self.book.tables[first]
        players = [name for name, _ in seats if name]
        if "dispute" in deeds:
            await self.world.people[players[0]].write(f"dispute {where} the last tile was mine")
            await self.until(lambda night: night.rounds[0].tables[first[1] - 1].disputed)
            await organiser.write(f"uphold {where} it was")
            await self.until(lambda night: not night.rounds[0].tables[first[1] - 1].disputed)
        if "correction" in deeds:
            scores = [5 * seat - 7 for seat in range(len(seats))]
            await organiser.write(f"correct {where} {' '.join(map(str, scores))} counted anew")
            await self.until(lambda night: bool(night.rounds[0].tables[first[1] - 1].corrected))
            self.book.correct(first, scores)
        if "penalty" in deeds:
            await organiser.write(f"penalty {players[-1]} 1,5 rude words")
            await self.until(lambda night: bool(night.penalties))
            self.book.penalties.append((players[-1], Fraction(3, 2)))
        if "void" in deeds:
            last = max(self.book.tables)
            await organiser.write(f"void {last[0]}.{last[1]} tiles were missing")
            await self.until(lambda night: night.rounds[0].tables[last[1] - 1].void)
            self.book.void.add(last)
        if "pause" in deeds:
            await organiser.write("pause somebody fell off his chair")
            await self.until(lambda night: night.paused_at is not None)
            await self.world.time_is(self.world.clock() + 30 * MINUTE)
            await organiser.write("go he is well")
            await self.until(lambda night: night.paused_at is None)

    # All through it

    async def passes(self, seconds: float, *stages: str, moment: str = "") -> Night:
        """So long after the start the night comes to one of these stages, killed on the way or not."""
        await self.world.time_is(self.start + seconds)
        await self.perhaps_killed(moment)
        return await self.world.comes(self.id, *stages)

    async def perhaps_killed(self, moment: str) -> None:
        """The program is killed, if this is the moment for it, at whatever it is just doing."""
        if moment in self.plan.kills and moment not in self.killed:
            self.killed.add(moment)
            await asyncio.sleep(self.chance.uniform(0.0, 0.4))
            await self.world.kill()

    async def until(self, holds: Callable[[Night], bool]) -> None:
        """Wait until something holds of the night."""

        async def look() -> bool:
            return holds(await self.world.night(self.id))

        await eventually(look, "the night does not change")

    async def table(self, id: str) -> Table:
        kept = await self.world.keeper.load(id)
        assert kept is not None
        return kept.table

    def seated(self, table: Table) -> list[str]:
        """The people who play at a table, by name."""
        return [self.world.named(seat.person) for seat in table.seats if seat.person and not seat.computer]

    def chats(self, table: Table) -> set[str]:
        return {str(seat.person)[:2] for seat in table.seats if seat.person}

    def write_down(self, round: int, table: Table) -> None:
        """A table's result, as the table itself has it."""
        assert table.night is not None
        assert table.stage in ("over", "closed")
        sign = -1 if fewest_win(table.match.rules) else 1
        changes = zip(*(each.changes for each in table.results), strict=True)
        scores = [sign * sum(each) for each in changes] or [0] * len(table.seats)
        who = ["" if seat.computer else self.world.named(seat.person) for seat in table.seats]
        self.book.tables[round, table.night.number] = list(zip(who, scores, strict=True))
