"""Seating one round of a night."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from bot.league.model import Fill, Seating
from bot.league.seating.costs import meeting_cost, partner_cost, standing_cost
from bot.league.seating.drawing import drawn
from bot.league.seating.following import planned
from bot.league.seating.pairing import paired
from bot.league.seating.past import Past, past_of
from bot.league.seating.plans import plan_of_fours, plan_of_twos
from bot.league.seating.search import Cost, Table, fitted, improved
from bot.league.seating.seated import Group, Seated, Unit, units_at
from bot.league.seating.seats import in_seats
from bot.league.seating.sitting_out import sitting_out
from bot.league.seating.sizes import tables_of_units

WORK: Final = 2000
"""Beginnings of the search times units, where none leads to a seating without fault."""


def seat_round(
    members: Sequence[str],
    earlier: Sequence[Seated],
    *,
    mode: Seating,
    fill: Fill,
    seed: bytes,
    order: Sequence[str] = (),
    pairs: Sequence[tuple[str, str]] = (),
    season_byes: Mapping[str, int] | None = None,
) -> Seated:
    """Seat those who are there for a round.

    - `members`: each once, in any order.
    - `earlier`: the night's rounds as they were really played, the first one first.
    - `seed`: the night's, the same one for all its rounds: lots are drawn from it.
    - `order`: the standing, best first, by which `standings` seats; who is missing there comes last.
    - `pairs`: the fixed partners, for `pairs`.
    - `season_byes`: how many byes members had in the season's nights before.

    Raises CannotSeat.
    """
    past = past_of(earlier)
    units = paired(members, pairs, past, fill) if mode == "pairs" else [(member,) for member in members]
    sizes = tables_of_units(len(units), fill, mode)
    lots = drawn(units, seed, past.rounds)
    if mode == "standings":
        rank = {member: place for place, member in enumerate(order)}
        lots.sort(key=lambda unit: rank.get(unit[0], len(rank)))
    out = sitting_out(lots[::-1], len(lots) - sum(sizes), past, season_byes or {})
    playing = [unit for unit in lots if unit not in out]
    rounds = [[units_at(table, mode) for table in seated.tables] for seated in earlier]
    groups = _grouped(playing, sizes, past, mode, _beginnings(playing, sizes, rounds, mode, seed))
    seated_members = {member for unit in playing for member in unit}
    return Seated(
        tables=tuple(in_seats(group, past, mode) for group in groups),
        byes=tuple(sorted(set(members) - seated_members)),
    )


def _grouped(
    units: Sequence[Unit], sizes: Sequence[int], past: Past, mode: Seating, beginnings: Iterable[list[Group]]
) -> list[Group]:
    """The best tables that the search comes to."""
    numbers = {unit: number for number, unit in enumerate(units)}
    cost = _cost(units, sizes, past, mode)
    best: tuple[int, list[Table]] | None = None
    for groups in beginnings:
        tables = fitted([[numbers[unit] for unit in group] for group in groups], sizes)
        found = improved(tables, cost)
        if best is None or found[0] < best[0]:
            best = found
        if best[0] == 0:
            break
    return [tuple(units[number] for number in table) for table in best[1]] if best else []


def _beginnings(
    units: Sequence[Unit], sizes: Sequence[int], rounds: Sequence[Sequence[Group]], mode: Seating, seed: bytes
) -> Iterator[list[Group]]:
    """Where the search may begin: at the standing, or at the plan, and else at what lots give."""
    if mode == "standings":
        yield _cut(units, sizes)
        return
    plan = plan_of_twos(len(sizes)) if mode == "pairs" else plan_of_fours(len(sizes))
    groups = planned(plan, units, rounds) if plan else None
    if groups:
        yield groups
    for attempt in range(1 + WORK // len(units)):
        yield _cut(drawn(units, seed, len(rounds), attempt), sizes)


def _cost(units: Sequence[Unit], sizes: Sequence[int], past: Past, mode: Seating) -> Cost:
    if mode == "standings":
        return standing_cost(units, past, [table for table, size in enumerate(sizes) for _ in range(size)])
    return partner_cost(units, past) if mode == "partners" else meeting_cost(units, past)


def _cut(units: Sequence[Unit], sizes: Sequence[int]) -> list[Group]:
    rest = iter(units)
    return [tuple(islice(rest, size)) for size in sizes]
