"""Whatever people, organisers, tables and the clock do in whatever order, a night stays in order."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

from bot.errors import Refused
from bot.league import decide, timers
from bot.league import events as e
from bot.league.apply import after, rebuilt
from bot.league.events import NightEvent, Recorded, TilesRound
from bot.league.model import Format, Member
from bot.league.night import Night, NightTable
from bot.league.results import result_of
from bot.league.seating import CannotSeat, Seated
from bot.league.standings import night_standings
from tests.bot.league.test_night import KEY, START

pytestmark = pytest.mark.long

PLACES = ("tg:-100", "dc:200")
MEMBERS = tuple(Member(id=f"m{n}", name=f"M{n}") for n in range(1, 15))


def in_fours(night: Night, members: Sequence[str]) -> Seated:
    """Tables of four, and three or four for the rest; one or two sit out."""
    if len(members) < 3:
        raise CannotSeat("too_few", people=len(members), needed=3)
    tables = [tuple(members[at : at + 4]) for at in range(0, len(members), 4)]
    byes = tables.pop() if len(tables[-1]) < 3 else ()
    return Seated(tuple(tables), byes)


@dataclass
class Walk:
    """One night, of which anything may become."""

    chance: random.Random
    log: list[Recorded] = field(default_factory=list)
    now: float = START - 3600

    def __post_init__(self) -> None:
        format = Format(
            rounds=self.chance.randint(1, 4),
            cap=self.chance.choice((0, 4, 8)),
            break_minutes=self.chance.choice((0, 2)),
        )
        self._record([e.Announced("abcde-202603052000", "abcde", 1, 1, START, format, KEY)])

    @property
    def night(self) -> Night:
        return rebuilt(self.log)

    def step(self) -> None:
        """Time goes by, the clock does its work, and somebody does something."""
        self.now += self.chance.choice((1.0, 30.0, 119.0, 300.0, 900.0))
        while happened := timers.due(self.night, self.now, in_fours):
            self._record(happened)
        act = self.chance.choice((self._member, self._member, self._member, self._table, self._organiser))
        try:
            self._record(act(self.night))
        except Refused:
            return

    def _record(self, happened: Sequence[NightEvent]) -> None:
        self.log += [Recorded(self.now, "", "", event) for event in happened]

    def _member(self, night: Night) -> Sequence[NightEvent]:
        member, place = self.chance.choice(MEMBERS), self.chance.choice(PLACES)
        said = self.chance.choice(("yes", "yes", "maybe", "no", "substitute"))
        numbers = {"round": self.chance.randint(0, 5), "table": self.chance.randint(0, 4)}
        acts: list[Callable[[], Sequence[NightEvent]]] = [
            lambda: decide.reply(night, self.now, member, said, place),
            lambda: decide.come(night, self.now, member, place),
            lambda: decide.come(night, self.now, member, place),
            lambda: decide.come(night, self.now, member, place),
            lambda: decide.leave(night, self.now, member, place),
            lambda: decide.dispute(night, self.now, member, words="!", **numbers),
            lambda: decide.take_seat(
                night, self.now, member, place, table=numbers["table"], seat=self.chance.randint(0, 4)
            ),
        ]
        return self.chance.choice(acts)()

    def _organiser(self, night: Night) -> Sequence[NightEvent]:
        member, other = self.chance.sample(MEMBERS, 2)
        round, table = self.chance.randint(0, 5), self.chance.randint(0, 4)
        scores = tuple(self.chance.randint(-9, 9) for _ in range(self.chance.choice((3, 4))))
        acts: list[Callable[[], Sequence[NightEvent]]] = [
            lambda: decide.pause(night, self.now),
            lambda: decide.go_on(night, self.now),
            lambda: decide.go_on(night, self.now),
            lambda: decide.extend(night, self.now, self.chance.randint(0, 30)),
            lambda: decide.move(night, self.now, member, table=table, seat=self.chance.randint(0, 4)),
            lambda: decide.put_in(night, self.now, other.id, member, PLACES[0]),
            lambda: decide.send_away(night, self.now, member.id),
            lambda: decide.correct(night, self.now, round=round, table=table, scores=scores),
            lambda: decide.void(night, self.now, round=round, table=table),
            lambda: decide.replay(night, self.now, round=round, table=table),
            lambda: decide.penalise(night, self.now, member.id, 1.5),
            lambda: decide.settle_dispute(night, self.now, round=round, table=table, upheld=True),
            lambda: timers.note_unattended(night, night.unattended + 100.0),
        ]
        return self.chance.choice(acts)()

    def _table(self, night: Night) -> Sequence[NightEvent]:
        """A table is played on, or somebody gets up from it."""
        if night.stage != "playing" or night.round is None:
            return ()
        table = self.chance.choice(night.round.tables)
        if table.over:
            return ()
        seat = self.chance.randrange(len(table.seats))
        if table.seats[seat] and seat not in table.free and self.chance.random() < 0.3:
            return (e.SeatFreed(night.round.number, table.number, seat),)
        return (self._played(night.round.number, table),)

    def _played(self, round: int, table: NightTable) -> e.TilesPlayed:
        size = len(table.seats)
        players = tuple("" if seat in table.free else table.seats[seat] for seat in range(size))
        tiles = (*table.tiles, TilesRound(players, (size - 1, *(-1,) * (size - 1)), 0))
        scores = tuple(map(sum, zip(*(each.changes for each in tiles), strict=True)))
        return e.TilesPlayed(round, table.number, tiles, scores, self.chance.random() < 0.5)


@pytest.mark.parametrize("seed", range(30))
def test_a_night_stays_in_order(seed: int) -> None:
    walk = Walk(random.Random(seed))
    stages = []
    for _ in range(120):
        walk.step()
        night = walk.night
        stages.append(night.stage)
        in_order(night)
        wakes = timers.wakes_at(night, walk.now)
        if night.stage not in ("over", "cancelled") and night.paused_at is None:
            assert wakes is not None, "somebody looks at it again"
    if "over" in stages:
        assert set(stages[stages.index("over") :]) == {"over"}


def in_order(night: Night) -> None:
    assert len(set(night.playing)) == len(night.playing)
    assert len(night.rounds) <= night.format.rounds
    assert len({each.member for each in night.entrants}) == len(night.entrants)
    for round in night.rounds:
        running = [table for table in round.tables if not table.over]
        sitting = Counter(member for table in running for member in table.members)
        assert max(sitting.values(), default=1) == 1, "nobody sits at two tables that are played"
        assert round.soft_end <= round.hard_end
        assert all(table.ended_at is not None for table in round.tables if table.over)
    for earlier in night.rounds[:-1]:
        assert earlier.ended_at is not None
        assert all(table.over for table in earlier.tables)
    result = result_of(night)
    for number in range(1, len(night.rounds) + 1):
        earning = [seat.member for table in result.tables if table.round == number for seat in table.seats]
        assert max(Counter(filter(None, earning)).values(), default=1) == 1, "nobody earns twice in a round"
    missed = Counter(night.missed)
    assert max(missed.values(), default=1) == 1
    night_standings(result, night.format.ties)


def test_a_night_comes_to_its_end_by_the_clock_alone() -> None:
    """Whatever has happened, what nobody stops ends: no night hangs."""
    for seed in range(30):
        walk = Walk(random.Random(seed))
        for _ in range(40):
            walk.step()
        if walk.night.paused_at is not None:
            walk._record(decide.go_on(walk.night, walk.now))
        for _ in range(200):
            night = walk.night
            while happened := timers.due(night, walk.now, in_fours):
                for event in happened:
                    recorded = Recorded(walk.now, "", "", event)
                    walk.log.append(recorded)
                    night = after(night, recorded)
            wakes = timers.wakes_at(night, walk.now)
            if wakes is None:
                break
            walk.now = max(wakes, walk.now)
        assert walk.night.stage in ("over", "cancelled")
