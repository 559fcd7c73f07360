"""Pairing: form the tables of a round by plan, by the standing or by search."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from typing import Final

from bot.league.model import Fill, Seating
from bot.league.seating.byes import pair, sitting_out, sizes_in_parties
from bot.league.seating.encounters import Encounters, Parties, Party, Seated, encounters_in, parties_at
from bot.league.seating.plan import Plan, follow, plan_of_fours, plan_of_twos
from bot.league.seating.search import (
    Cost,
    improve,
    in_seats,
    least_seat_cost,
    meeting_cost,
    partner_cost,
    seat_cost,
    shuffle,
    standing_cost,
    total_cost,
)

WORK: Final = 1500
"""The number of starts of the search, divided by the number of parties."""
REACH: Final = 12
"""With seating by standings, the most tables between two people who swap: farther away it does not pay."""


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
    length: int = 0,
) -> Seated:
    """Seat the members who are present for a round.

    - `members`: each once, in any order.
    - `earlier`: the night's rounds as they were really played, the first one first.
    - `seed`: the night's, the same for all its rounds: lots are drawn from it.
    - `order`: the standing, best first, for `standings`; members who are missing there come last.
    - `pairs`: the fixed partners, for `pairs`.
    - `season_byes`: how many byes members had in the season's earlier nights.
    - `length`: the number of rounds in the night; 0: unknown.

    Raises CannotSeat.
    """
    past = encounters_in(earlier)
    parties = pair(members, pairs, past, fill) if mode == "pairs" else [(member,) for member in members]
    sizes = sizes_in_parties(len(members), len(parties), fill, mode)
    parties = shuffle(parties, seed, past.rounds)
    if mode == "standings":
        rank = {member: place for place, member in enumerate(order)}
        parties.sort(key=lambda party: rank.get(party[0], len(rank)))
    out = sitting_out(parties[::-1], len(parties) - sum(sizes), past, season_byes or {})
    playing = [party for party in parties if party not in out]
    if mode == "standings":
        groups = _by_standing(playing, sizes, past)
    else:
        rounds = [[parties_at(table, mode) for table in seated.tables] for seated in earlier]
        planned, good = _by_plan(playing, sizes, past, mode, rounds, length)
        groups = planned[-1] if good else _by_search(playing, sizes, past, mode, seed, planned)
    tables = tuple(in_seats(group, past, mode) for group in groups)
    return Seated(tables, tuple(sorted(set(members).difference(*tables))))


def _by_plan(
    parties: Sequence[Party],
    sizes: Sequence[int],
    past: Encounters,
    mode: Seating,
    rounds: Sequence[Sequence[Parties]],
    length: int,
) -> tuple[list[list[Parties]], bool]:
    """Return the tables of the plans that fit, and whether the last of these is good enough without a search.

    It is if nobody meets again. It also is if exactly those are present who began, and they meet again no
    more often than in the plan itself. The plan for those who began is tried first; if others have come, the
    one for full tables, which has room.
    """
    began = {party for table in rounds[0] for party in table} if rounds else set(parties)
    plans = [plan_of_fours(len(began), length), plan_of_fours(len(began))]
    if len(parties) > len(began):
        plans.reverse()
    found = []
    for plan in [plan_of_twos(len(began))] if mode == "pairs" else plans:
        tables = follow(plan, parties, rounds) if plan else None
        if plan and tables and sorted(map(len, tables), reverse=True) == list(sizes):
            found.append(tables)
            allowed = _cost_of_plan(plan, len(rounds), len(began)) if began == set(parties) else 0
            if total_cost(tables, _cost(parties, past, mode), parties) <= allowed:
                return found, True
    return found, False


def _by_standing(parties: Sequence[Party], sizes: Sequence[int], past: Encounters) -> list[Parties]:
    """Return tables of neighbours in the standing (the order of `parties`), unless they met before."""
    homes = [table for table, size in enumerate(sizes) for _ in range(size)]
    return improve(_cut(parties, sizes), standing_cost(parties, past, homes), parties, REACH)[1]


def _by_search(
    parties: Sequence[Party],
    sizes: Sequence[int],
    past: Encounters,
    mode: Seating,
    seed: bytes,
    planned: Sequence[list[Parties]],
) -> list[Parties]:
    """Return the best of many attempts: first by repeated meetings, then by seats.

    The search begins with the `planned` tables, and then with random ones.
    """
    cost = _cost(parties, past, mode)
    ideal = least_seat_cost(parties, past)
    best: tuple[tuple[int, int], list[Parties]] | None = None
    lots = (
        _cut(shuffle(parties, seed, past.rounds, attempt), sizes)
        for attempt in range(1 + WORK // len(parties))
    )
    for beginning in chain(planned, lots):
        repeats, tables = improve(beginning, cost, parties, len(sizes))
        if best and repeats > best[0][0]:
            continue
        value = repeats, sum(seat_cost(in_seats(table, past, mode), past) for table in tables)
        best = best if best and best[0] <= value else (value, tables)
        if best[0] <= (0, ideal):
            break
    assert best
    return best[1]


def _cost(parties: Sequence[Party], past: Encounters, mode: Seating) -> Cost:
    return (partner_cost if mode == "partners" else meeting_cost)(parties, past)


@cache
def _cost_of_plan(plan: Plan, number: int, people: int) -> int:
    """Return the cost of a plan's own round for that many people: 0, unless so few people have to meet
    again."""
    rounds = [
        tuple(tuple(str(place) for place in table if place < people) for table in tables)
        for tables in plan.rounds[: number + 1]
    ]
    tables = [parties_at(table, "rotation") for table in rounds[number]]
    parties = [party for table in tables for party in table]
    past = encounters_in([Seated(tables) for tables in rounds[:number]])
    return total_cost(tables, meeting_cost(parties, past), parties)


def _cut(parties: Iterable[Party], sizes: Sequence[int]) -> list[Parties]:
    rest = iter(parties)
    return [tuple(islice(rest, size)) for size in sizes]
