"""Night: the state of a league night, which is only ever made from its events (`bot.league.apply`)."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bot.ids import LeagueId, NightId, TableId, table_id
from bot.league.events import Division, NightReply, SeededMember, TilesRound
from bot.league.model import Format, Stage

NIGHT_SCHEMA: Final = 4

NightStage = Literal["announced", "check_in", "ready", "playing", "break", "over", "cancelled"]
"""`ready`: check-in is closed, the first round not seated yet; `break`: between two rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A member who replied to a night."""

    member: str
    reply: NightReply
    place: str
    """The place where they last did so, and where their tables are shown."""
    here: bool = False
    """Whether they have checked in, or come late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """A player's dispute of a table's result."""

    member: str
    words: str
    at: float
    attempt: int = 1
    """The attempt at the table whose result it is about."""
    upheld: bool | None = None
    """None: not decided yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightTable:
    """A table of a round. Tuples by seat."""

    number: int
    seats: tuple[str, ...]
    """The member who owns each seat; empty: a computer player from the beginning."""
    since: tuple[float, ...]
    """The moment from which each seat has its owner: seconds since the epoch, postponed by every pause."""
    taken: tuple[int, ...]
    """How often each seat was given to another player after the first."""
    free: tuple[int, ...] = ()
    """The seats that a computer player keeps, and a substitute may have."""
    attempt: int = 1
    """The attempt that counts: 2 when it was played again."""
    attempts: int = 1
    """The number of attempts so far, with those that were taken back."""
    tiles: tuple[TilesRound, ...] = ()
    scores: tuple[int, ...] = ()
    over: bool = False
    settled: bool = False
    """Whether the table itself reported that it is over."""
    ended_at: float | None = None
    corrected: tuple[int, ...] | None = None
    """The scores that an organiser set."""
    void: bool = False
    disputes: tuple[Dispute, ...] = ()
    """In the order in which they came."""

    @property
    def open_disputes(self) -> tuple[Dispute, ...]:
        """The disputes that wait for their decision, which is one for all of them."""
        return tuple(each for each in self.disputes if each.upheld is None)

    @property
    def disputed(self) -> bool:
        """Return whether a dispute waits for its decision."""
        return bool(self.open_disputes)

    @property
    def state(self) -> Literal["running", "over", "disputed", "unfinished", "void"]:
        """The table's state: `disputed` until that is decided, except while it is played again; `unfinished`
        when the table was cut off before a deal was finished and no organiser has set its scores."""
        if self.void or not self.over:
            return "void" if self.void else "running"
        if not self.tiles and self.corrected is None:
            return "unfinished"
        return "disputed" if self.disputed else "over"

    def seat_of(self, member: str) -> int | None:
        """Return the seat that a member owns, whoever plays it now."""
        return self.seats.index(member) if member in self.seats else None

    @property
    def members(self) -> tuple[str, ...]:
        """The members who own the seats, without computer players."""
        return tuple(filter(None, self.seats))


@dataclass(frozen=True, slots=True, kw_only=True)
class NightRound:
    """A round of a night."""

    number: int
    tables: tuple[NightTable, ...]
    byes: tuple[str, ...]
    soft_end: float
    """Seconds since the epoch, like the hard end."""
    hard_end: float
    soft_ended: bool = False
    ended_at: float | None = None

    def knows(self, member: str) -> bool:
        """Return whether a member had a seat or a bye in it, at least for a time."""
        if member in self.byes or self.seat_of(member) is not None:
            return True
        return any(member in tiles.players for table in self.tables for tiles in table.tiles)

    def seat_of(self, member: str) -> tuple[NightTable, int] | None:
        """Return the table and the seat of a member; of several, the one where they still play."""
        for table in sorted(self.tables, key=lambda table: table.over):
            if (seat := table.seat_of(member)) is not None:
                return table, seat
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heat:
    """A step of a knockout: members who play at the same time until half of them are out."""

    round: int
    """Its first round of the night."""
    members: tuple[str, ...]
    """The best seeded first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """The state of a league night."""

    id: NightId
    league: LeagueId
    season: int
    number: int
    """The night's number in its season, from 1."""
    start: float
    """Seconds since the epoch."""
    format: Format
    key: bytes
    """Random: the ids of its tables are made with it, so that nobody can compute them."""
    final: Stage | None = None
    """The final that is played on this night."""
    divisions: tuple[Division, ...] = ()
    """The divisions of its season, the highest first."""
    seeds: tuple[SeededMember, ...] = ()
    """Those who may play it, in the order before it."""
    heats: tuple[Heat, ...] = ()
    """The steps of a knockout so far."""
    stage: NightStage = "announced"
    cancelled: Literal["", "organiser", "too_few", "too_late", "paused", "early", "ended"] = ""
    entrants: tuple[Entrant, ...] = ()
    """The entrants in the order of their present replies."""
    check_in_closes: float | None = None
    """The end of check-in: seconds since the epoch; None before it opens."""
    playing: tuple[str, ...] = ()
    """The members to be seated in the next round, in the order in which they came."""
    rounds: tuple[NightRound, ...] = ()
    break_ends: float | None = None
    """The moment when the next round is seated; None: unknown, or no round follows."""
    missed: tuple[tuple[int, str], ...] = ()
    """(round, member) for rounds before a late member came."""
    absent: tuple[str, ...] = ()
    """The members who had checked in, or come, and then were absent."""
    penalties: tuple[tuple[str, float], ...] = ()
    """(member, points) that were taken from members' seasons, in order."""
    bonuses: tuple[tuple[str, float], ...] = ()
    """(member, points) that were given to them."""
    paused_at: float | None = None
    unattended: float = 0.0
    """The seconds in which no process was at work, as far as they have been made good."""
    interrupted: bool = False
    """Whether some of them were lost to the night itself: then nobody counts as absent."""
    revision: int = 0
    """The number of events that made this night; its board is shown by it."""
    phase_revision: int = 0
    """The revision at which the phase with the present message began: announcement, start, end; or a move or
    a cancellation of which people must hear."""

    def __repr__(self) -> str:
        return f"Night({self.id!r}, {self.stage!r}, revision={self.revision})"

    @property
    def round(self) -> NightRound | None:
        """The round in progress, or the last one."""
        return self.rounds[-1] if self.rounds else None

    @property
    def running(self) -> NightRound | None:
        """The round in progress; None: there is none."""
        return self.round if self.stage == "playing" else None

    def table(self, round: int, number: int) -> NightTable | None:
        """Return a table by its numbers, from 1; None when there is none."""
        if not 1 <= round <= len(self.rounds):
            return None
        tables = self.rounds[round - 1].tables
        return tables[number - 1] if 1 <= number <= len(tables) else None

    def is_for(self, table: NightTable, member: str) -> bool:
        """Return whether a table is one of a member's division."""
        own = tier_of(self.divisions, member)
        return any(tier_of(self.divisions, each) == own for each in table.members)

    def id_of(self, round: int, table: NightTable) -> TableId:
        """Return the id under which one of its tables is played, in the round of that number."""
        return self._id_of(round, table.number, table.attempt)

    def other_ids(self, round: int, table: NightTable) -> list[TableId]:
        """Return the ids of a table's attempts that do not count: those before the one that does, and those
        that were taken back."""
        others = (each for each in range(1, table.attempts + 1) if each != table.attempt)
        return [self._id_of(round, table.number, each) for each in others]

    def _id_of(self, round: int, number: int, attempt: int) -> TableId:
        words = f"{self.id} {round} {number} {attempt}"
        return table_id(hmac.digest(self.key, words.encode(), "sha256"))

    def has_played(self, member: str) -> bool:
        """Return whether a member has played a round of tiles to its end themselves."""
        tables = (table for round in self.rounds for table in round.tables)
        return any(member in tiles.players for table in tables for tiles in table.tiles)

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody of the night: its players, those who had a seat or a bye, and those who never came."""
        sat = (member for round in self.rounds for table in round.tables for member in table.members)
        byes = (member for round in self.rounds for member in round.byes)
        return tuple(dict.fromkeys((*self.playing, *sat, *byes, *self.absent)))

    def entrant(self, member: str) -> Entrant | None:
        """Return a member's reply; None: they gave none."""
        return next((each for each in self.entrants if each.member == member), None)

    @property
    def signed_up(self) -> tuple[str, ...]:
        """The members who said yes, in that order."""
        return tuple(each.member for each in self.entrants if each.reply == "yes")

    @property
    def coming(self) -> tuple[str, ...]:
        """The members among them who would have a seat now."""
        return self.admit(self.signed_up)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The members waiting for a seat: those present first, then those who have not checked in."""
        if self.stage in ("announced", "check_in"):
            coming = self.coming
            return tuple(each for each in self._in_order(self.signed_up) if each not in coming)
        out = [each for each in self.entrants if each.reply == "yes" and each.member not in self.playing]
        return tuple(each.member for each in sorted(out, key=lambda each: not each.here))

    @property
    def promoted(self) -> tuple[Entrant, ...]:
        """Those who are present and wait, and for whom there is room now."""
        here = {each.member: each for each in self.entrants if each.here and each.reply == "yes"}
        out = [each for each in self._in_order(tuple(here)) if each not in self.playing]
        rivals: dict[int, list[str]] = {}
        for each in out:
            rivals.setdefault(self._final_division(each), []).append(each)
        first = {each for those in rivals.values() for each in those[: self.room_for(those[0])]}
        return tuple(here[each] for each in out if each in first)

    @property
    def is_seeded(self) -> bool:
        """Return whether it is for the first of a table from its beginning on."""
        return self.final is not None and not self.final.groups and bool(self.seeds)

    @property
    def knockout_follows(self) -> bool:
        """Return whether a further round would be part of a knockout."""
        final = self.final
        return final is not None and final.kind == "knockout" and len(self.rounds) >= final.groups

    @property
    def settled(self) -> tuple[str, ...]:
        """The players if check-in closed now: those present, as far as there are seats."""
        return self.admit(tuple(each.member for each in self.entrants if each.here and each.reply == "yes"))

    def admit(self, members: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of these members who get seats, in order: those who answered first, up to the cap; in
        a final the first of its table, and who shares the last rank among them."""
        ordered = self._in_order(members)
        if not self.is_seeded or self.final is None:
            return ordered[: self.format.cap or None]
        return take_first([seed for seed in self.seeds if seed.member in ordered], self.final.size)

    def _in_order(self, members: tuple[str, ...]) -> tuple[str, ...]:
        """Return members in the order in which they get seats; of a final, only those in its table."""
        if not self.is_seeded:
            return members
        there = {*members, *self.playing}
        return tuple(
            seed.member
            for seed in self.seeds
            if seed.member in members and (not seed.partner or seed.partner in there)
        )

    def find_kept(self, member: str) -> tuple[NightTable, int] | None:
        """Return the table of the running round, and the seat there that a computer player keeps for a
        member. At a table that is over, they are back for the next round."""
        if self.round is None or self.stage not in ("playing", "break"):
            return None
        found = self.round.seat_of(member)
        if found is None or found[1] not in found[0].free:
            return None
        return found if not found[0].over or member in self.playing else None

    @property
    def lets_in(self) -> bool:
        """Return whether members may still come late: until more than half of its rounds have begun, or a
        knockout."""
        return not self.knockout_follows and 2 * len(self.rounds) <= self.format.rounds

    def room_for(self, member: str) -> int | None:
        """Return how many members may still be added with whom a member vies for the same seats; None: no
        limit."""
        if self.heats:
            return 0
        most = self.final.size if self.final is not None and self.is_seeded else self.format.cap
        return max(0, most - sum(self.is_rival(each, member) for each in self.playing)) if most else None

    def is_rival(self, one: str, other: str) -> bool:
        """Return whether two members vie for the same seats: in a final, those of their division."""
        return self._final_division(one) == self._final_division(other)

    def _final_division(self, member: str) -> int:
        if not self.is_seeded:
            return 0
        return next((seed.division for seed in self.seeds if seed.member == member), 0)


def tier_of(divisions: Sequence[Division], member: str) -> int:
    """Return the number of a member's division, from 1; 0: there are none."""
    tiers = (tier for tier, each in enumerate(divisions, start=1) if member in each.members)
    return next(tiers, len(divisions))


def take_first(seeds: Sequence[SeededMember], size: int) -> tuple[str, ...]:
    """Return the first of these seeds, with all who share the last rank among them; of each division."""
    taken: list[str] = []
    for division in dict.fromkeys(seed.division for seed in seeds):
        own = [seed for seed in seeds if seed.division == division]
        last = max(seed.rank for seed in own[:size])
        taken += [seed.member for seed in own if seed.rank <= last]
    return tuple(taken)
