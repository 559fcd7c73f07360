"""Random leagues, counted by the program and anew: `python -m tests.bot.league.count_leagues`.

Nights have corrections, void tables, penalties, bonuses and acts that are taken back; two accounts of one
person are merged and parted again; settings change in mid-season. A difference is printed with its number.
"""

import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, get_args

import msgspec

from bot.errors import Refused
from bot.league import events as e
from bot.league import revoking
from bot.league.acts import carry_out, check_revocable, settings_of
from bot.league.apply import rebuilt
from bot.league.divisions import has_divisions, mark_moves, place, place_members
from bot.league.events import NightEvent, Recorded
from bot.league.finals import list_seeds, next_step, seed
from bot.league.members import is_named
from bot.league.model import (
    ActRevoked,
    CarryOver,
    Counting,
    Divisions,
    Format,
    League,
    LeagueEvent,
    LoggedAct,
    Member,
    Merged,
    SettingsChanged,
    TieBreak,
)
from bot.league.night import Night
from bot.league.results import divisions_in, result_in
from bot.league.seasons import announcement, with_champions, with_next_night, with_night_over
from bot.league.seating import CannotSeat
from bot.league.standings import SeasonStanding, season_standings
from tests.bot.league.counted_anew import table_of, wrong_steps
from tests.bot.league.leagues import DAY, START, weekly

LEAGUES = 1000
TWINS = (("m1", "m11"), ("m2", "m12"))
"""Two accounts of one person each: never in the same night."""


class RandomLeague:
    """A league that goes through some seasons by chance."""

    def __init__(self, number: int) -> None:
        self.chance = Random(number)
        self.now = START - DAY
        self.people = self.chance.choice((12, 22))
        ids = [f"m{n}" for n in range(1, self.people + 1)]
        members = {id: Member(id=id, name=f"P{id[1:]}", accounts=(f"mem:{id}",)) for id in ids}
        self.league: League = weekly(**self._settings())
        self.league = replace(self.league, members=members, next_member=self.people + 1)
        self.founded = self.league.format
        self.logs: dict[str, list[Recorded]] = {}
        self.moved = 0
        """The earlier ranks that a changed setting moved."""
        self.not_restored = 0
        """The acts after which something was left, though they were taken back."""

    def _settings(self) -> dict[str, Any]:
        ties = list(get_args(TieBreak))
        self.chance.shuffle(ties)
        return {
            "counting": self.chance.choice(get_args(Counting)),
            "best_of": self.chance.randint(1, 3),
            "nights": self.chance.randint(1, 3),
            "ties": tuple(ties[: self.chance.randint(0, len(ties))]),
            "bye_points": self.chance.choice((0.0, 1.5, 2.25)),
            "missed_points": self.chance.choice((0.0, 0.75)),
            "rounds": self.chance.randint(1, 3),
            "finals": self.chance.choice(("none", "cut4", "cut8", "knockout8")),
            "carry": self.chance.choice(get_args(CarryOver)),
            "matches": self.chance.choice((1, 3)),
            "divisions": self.chance.choice(get_args(Divisions)),
        }

    def run(self, nights: int) -> None:
        """Hold some nights, with acts between them."""
        for _ in range(nights):
            self.league = with_next_night(self.league, self.now)
            ref = self.league.nights[-1]
            seeds = list_seeds(self.league, self.table_before(), self.league.settings_of(ref.season))
            people = min(Counter(seed.division for seed in seeds).values(), default=0)
            announced = announcement(self.league, ref, b"key", people)
            divisions = self._divide(ref.season)
            self.now = ref.start
            self.logs[ref.id] = []
            self._log(ref.id, announced)
            for event in place(rebuilt(self.logs[ref.id]), self.now, divisions):
                self._log(ref.id, event)
            for event in seed(rebuilt(self.logs[ref.id]), self.now, seeds):
                self._log(ref.id, event)
            self._play(ref.id, announced.format)
            self._count(ref.id)
            for _ in range(self.chance.randint(0, 4)):
                self._act(self.chance.choice(list(self.logs)))
            if self.chance.random() < 0.4:
                self._league_act()

    def _log(self, night: str, event: NightEvent, why: str = "") -> None:
        self.now += 1
        self.logs[night].append(Recorded(self.now, "m1" if why else "", why, event))

    def table_before(self) -> tuple[SeasonStanding, ...]:
        """The table of the present season, as it stands."""
        results = [result_in(self.league, each) for each in self.nights()]
        return season_standings(results, self.league.format, self.league.season)

    def _divide(self, season: int) -> tuple[e.Division, ...]:
        """The divisions of a season's next night."""
        settings, results = (
            self.league.settings_of(season),
            [result_in(self.league, n) for n in self.nights()],
        )
        held = [each for each in results if each.season == season and each.tables]
        if not has_divisions(settings):
            return ()
        if held:
            return held[-1].divisions
        last, earlier = (
            season_standings(results, self.league.settings_of(each), each)
            for each in (season - 1, season - 2)
        )
        before = divisions_in([each for each in results if each.season == season - 1])
        known = {each.member for each in earlier}
        return place_members(settings, last, before, known, is_there=partial(is_named, self.league))

    def _play(self, id: str, format: Format) -> None:
        """Hold a night, which may be called off."""
        others = [n for n in range(3, self.people + 1) if n not in (11, 12)]
        there = [self.chance.choice(twin) for twin in TWINS] + [f"m{n}" for n in others]
        there = self.chance.sample(there, self.chance.randint(4, len(there)))
        night = rebuilt(self.logs[id])
        if self.chance.random() < 0.1:
            return self._log(id, e.NightCancelled("too_few"))
        there = list(night.admit(tuple(there)))
        if len(there) < 3:
            return self._log(id, e.NightCancelled("too_few"))
        self._log(id, e.CheckInClosed(tuple(there)))
        if night.final is None or night.final.kind == "cut" or night.final.groups:
            for event in self._rounds(format, there):
                self._log(id, event)
        while rebuilt(self.logs[id]).knockout_follows and self._knock_out(id):
            pass
        return self._log(id, e.Ended())

    def _knock_out(self, id: str) -> bool:
        """Play a round of a knockout. Return whether there was one."""
        night = rebuilt(self.logs[id])
        if night.heats and len(night.playing) > 4 and self.chance.random() < 0.2:
            self._log(id, e.Went(self.chance.choice(night.playing)))
        try:
            step = next_step(rebuilt(self.logs[id]))
        except CannotSeat:
            return False
        if step.seated is None:
            return False
        round = len(night.rounds) + 1
        for event in (*step.happened, e.RoundSeated(round, step.seated.tables, step.seated.byes, 0.0, 0.0)):
            self._log(id, event)
        for number, table in enumerate(step.seated.tables, 1):
            self._log(id, self._tiles(round, number, table))
        self._log(id, e.RoundEnded(round))
        return True

    def _rounds(self, format: Format, there: list[str]) -> list[NightEvent]:
        """The rounds that everybody plays."""
        late, told = there.pop() if len(there) > 5 else "", list[NightEvent]()
        for round in range(1, format.rounds + 1):
            if round == 2 and late:
                told.append(e.Came(late, "mem:hall"))
                there.append(late)
            self.chance.shuffle(there)
            size = self.chance.choice((3, 4))
            tables = [tuple(there[n : n + size]) for n in range(0, len(there), size)]
            byes = tuple(who for table in tables if len(table) == 1 for who in table)
            tables = [table for table in tables if len(table) > 1]
            told.append(e.RoundSeated(round, tuple(tables), byes, 0.0, 0.0))
            told += [self._tiles(round, number, table) for number, table in enumerate(tables, 1)]
            told.append(e.RoundEnded(round))
        return told

    def _tiles(self, round: int, table: int, seats: tuple[str, ...]) -> e.TilesPlayed:
        played = []
        for _ in range(self.chance.choice((0, 1, 1, 2))):
            players = tuple("" if self.chance.random() < 0.1 else who for who in seats)
            changes = tuple(self.chance.randint(-3, 3) for _ in seats)
            played.append(e.TilesRound(players, changes, None))
        scores = tuple(map(sum, zip(*(each.changes for each in played), strict=True)))
        return e.TilesPlayed(round, table, tuple(played), scores, over=True)

    def _act(self, night: str) -> None:
        """An organiser's act on a night, which is often taken back."""
        held = rebuilt(self.logs[night])
        who = f"m{self.chance.randint(1, self.people)}"
        acts: list[NightEvent] = [e.Penalised(who, 0.5), e.Awarded(who, 1.25)]
        if held.rounds:
            round = self.chance.choice(held.rounds)
            table = self.chance.choice(round.tables) if round.tables else None
            if table is not None and not table.void:
                scores = tuple(self.chance.randint(-3, 3) for _ in table.seats)
                acts += [
                    e.Corrected(round.number, table.number, scores),
                    e.Voided(round.number, table.number),
                ]
        before = self.tables()
        self._log(night, self.chance.choice(acts), "agreed")
        of = len(self.logs[night])
        if self.chance.random() < 0.5:
            self._log(night, revoking.revoke(self.logs[night], of, self.now)[0])
            self.not_restored += self.tables() != before
        elif self.chance.random() < 0.3:
            with suppress(Refused):  # something else rests on it
                of = self.chance.randint(1, len(self.logs[night]))
                self._log(night, revoking.revoke(self.logs[night], of, self.now)[0])
        self._count(night)

    def _league_act(self) -> None:
        """An act on the league itself."""
        before, acts = self.tables(), len(self.league.acts)
        gone, kept = self.chance.choice(TWINS)[::-1]
        if self.chance.random() < 0.3 and not self.league.members[gone].into:
            self._do(Merged(self.league.members[gone], self.league.members[kept]))
            if self.chance.random() < 0.5:
                self._do(ActRevoked(acts + 1))
                self.not_restored += self.tables() != before
            return
        held = settings_of(self.league)
        after = replace(held, format=replace(held.format, **self._settings()))
        self._do(SettingsChanged(self.league.season, held, after))
        if self.chance.random() < 0.3:
            with suppress(Refused):
                of = self.chance.randint(1, len(self.league.acts))
                if not isinstance(check_revocable(self.league, of, self.now), Merged):
                    self._do(ActRevoked(of))
        self.moved += self.tables() != before

    def _do(self, event: LeagueEvent) -> None:
        self.league = carry_out(self.league, LoggedAct(self.now, "m1", "agreed", event))
        self.league = with_champions(self.league, self.tables())

    def _count(self, night: str) -> None:
        held = rebuilt(self.logs[night])
        results = [result_in(self.league, each) for each in self.nights() if each.season == held.season]
        table = season_standings(results, self.league.settings_of(held.season), held.season)
        self.league = with_night_over(self.league, held, table, self.now)

    def nights(self) -> list[Night]:
        """All nights."""
        return [rebuilt(log) for log in self.logs.values()]

    def tables(self) -> dict[int, tuple[SeasonStanding, ...]]:
        """The tables of all seasons, as the program counts them."""
        results = [result_in(self.league, each) for each in self.nights()]
        seasons = sorted({each.season for each in results})
        return {each: season_standings(results, self.league.settings_of(each), each) for each in seasons}

    def marked(self) -> dict[int, tuple[SeasonStanding, ...]]:
        """The tables of all seasons, with who goes up and down."""
        results = [result_in(self.league, each) for each in self.nights()]
        held = {each: divisions_in([n for n in results if n.season == each]) for each in self.tables()}
        return {
            each: mark_moves(table, held[each], self._divide(each + 1))
            for each, table in self.tables().items()
        }

    def written(self) -> str:
        """The raw events."""
        whole = {"founded": self.founded, "acts": self.league.acts, "nights": list(self.logs.values())}
        return msgspec.json.encode(whole).decode()

    def differences(self) -> int:
        """The lines that the two counts do not share, and the champions that they do not."""
        written, tables = self.written(), self.marked()
        wrong = wrong_steps(written)
        for season, table in tables.items():
            lines = [
                (
                    (
                        *(one.rank, one.member, one.points, one.wins),
                        *(one.score, one.opponents, one.penalties, one.bonuses),
                    ),
                    one.division,
                    one.move,
                )
                for one in table
            ]
            anew = table_of(written, season)
            wrong += lines != anew
            if season in self.league.seasons and self.league.settings_of(season).counting != "average":
                first = tuple(line[1] for line, tier, _ in anew if line[0] == 1 and tier < 2)
                wrong += self.league.champions[season] != first
        return wrong


def count(number: int) -> RandomLeague:
    """A random league after its seasons."""
    league = RandomLeague(number)
    league.run(league.chance.randint(2, 9 if league.people < 20 else 15))
    return league


def main(leagues: int) -> int:
    """Count this many leagues twice; returns the number of differences."""
    lines = wrong = acts = 0
    for number in range(leagues):
        league = count(number)
        found = league.differences() + league.moved + league.not_restored
        if found:
            print(f"league {number}: {found} differences")
        wrong += found
        lines += sum(map(len, league.tables().values()))
        acts += len(league.league.acts) + sum(len(revoking.acts_of(log)) for log in league.logs.values())
    print(f"{leagues} leagues, {lines} lines, {acts} acts: {wrong} differences")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]) if len(sys.argv) > 1 else LEAGUES)))
