"""Seating trial: seat nights of many sizes and measure the seating (`okey league seating`)."""

from argparse import Namespace
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from time import process_time
from typing import Final

from bot.league.model import Fill, Seating
from bot.league.seating.encounters import Encounters, Pair, Seated, encounters_in
from bot.league.seating.pairing import seat_round
from bot.league.seating.search import shuffle

SEED: Final = b"okey league seating"

COLUMNS: Final = (
    "people", "tables", "of three", "byes", "rounds",
    "repeats", "(at least)", "at once", "partners again", "seat spread", "ms",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SeatingFigures:
    """The quality of a night's rounds. A repeat is a meeting of two members who have met before."""

    repeats: int
    unavoidable: int
    """Repeats that no seating can avoid: more meetings than pairs of people. A lower bound."""
    at_once: int
    """Repeats in two consecutive rounds."""
    partners_again: int
    """Pairs that are partners again."""
    seat_spread: int
    """The largest difference between how often a member sat in one seat and in another, among the seats that
    all of their tables had."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A night to which everybody comes and stays."""

    people: int
    mode: Seating
    rounds: tuple[Seated, ...]
    seconds: float
    """Processor time of the slowest round."""
    figures: SeatingFigures

    def row(self) -> tuple[object, ...]:
        """Return the cells of a row, by column."""
        tables = self.rounds[0].tables
        threes = sum(len(table) == 3 for table in tables)
        byes = len(self.rounds[0].byes)
        found = self.figures
        return (
            *(self.people, len(tables), threes, byes, len(self.rounds)),
            *(found.repeats, found.unavoidable, found.at_once),
            found.partners_again if self.mode == "partners" else "–",
            found.seat_spread,
            f"{1000 * self.seconds:.1f}",
        )


def run_seating(arguments: Namespace) -> int:
    """Print a line for every number of people and of rounds, and a summary of the worst."""
    print("  ".join(COLUMNS))
    trials = []
    for people, rounds in product(arguments.people, arguments.rounds):
        trial = try_night(people, rounds, arguments.mode, arguments.fill)
        trials.append(trial)
        print("  ".join(str(cell).rjust(len(head)) for head, cell in zip(COLUMNS, trial.row(), strict=True)))
    longest = max(trials, key=lambda trial: trial.seconds)
    repeats = [trial for trial in trials if trial.figures.repeats]
    print(
        f"\n{len(trials)} nights, {len(repeats)} of them with repeats"
        + (f", none with more than {max(trial.people for trial in repeats)} people" if repeats else "")
        + f"; the longest round took {1000 * longest.seconds:.0f} ms"
        f" ({longest.people} people, {len(longest.rounds)} rounds)."
    )
    return 0


def try_night(people: int, rounds: int, mode: Seating, fill: Fill) -> Trial:
    """Seat a night and measure it. For seating by standings, the standing changes at random."""
    members = [f"m{number}" for number in range(1, people + 1)]
    pairs = list(zip(members[0::2], members[1::2], strict=False)) if mode == "pairs" else []
    fixed: Sequence[Pair] = [(min(two), max(two)) for two in pairs]
    night: list[Seated] = []
    seconds = 0.0
    for number in range(rounds):
        order = [member for (member,) in shuffle([(member,) for member in members], SEED, number)]
        begin = process_time()
        seated = seat_round(
            members, night, mode=mode, fill=fill, seed=SEED, order=order, pairs=pairs, length=rounds
        )
        seconds = max(seconds, process_time() - begin)
        night.append(seated)
    return Trial(people, mode, tuple(night), seconds, figures(night, fixed))


def figures(earlier: Sequence[Seated], fixed: Collection[Pair] = ()) -> SeatingFigures:
    """Measure rounds in which the same people play throughout; `fixed` partners do not count as meeting."""
    past = encounters_in(earlier)
    met = {pair: times for pair, times in past.met.items() if pair not in fixed}
    people = len(past.played)
    meetings = [encounters_in([seated]).last - frozenset(fixed) for seated in earlier]
    return SeatingFigures(
        repeats=sum(met.values()) - len(met),
        unavoidable=max(0, sum(met.values()) - (people * (people - 1) // 2 - len(fixed))),
        at_once=sum(len(before & after) for before, after in pairwise(meetings)),
        partners_again=sum(past.partnered.values()) - len(past.partnered),
        seat_spread=max(_spread(past, earlier, member) for member in past.played),
    )


def _spread(past: Encounters, earlier: Sequence[Seated], member: str) -> int:
    seats = min(len(table) for seated in earlier for table in seated.tables if member in table)
    times = [past.sat[member, seat] for seat in range(seats)]
    return max(times) - min(times)
