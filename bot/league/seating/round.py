"""Seating one round of a night."""

from collections.abc import Mapping, Sequence

from bot.league.model import Fill, Seating
from bot.league.seating.drawing import drawn
from bot.league.seating.grouping import by_plan, by_search, by_standing
from bot.league.seating.pairing import paired
from bot.league.seating.past import past_of
from bot.league.seating.seated import Seated, units_at
from bot.league.seating.sitting_out import sitting_out
from bot.league.seating.sizes import sizes_in_units


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
    sizes = sizes_in_units(len(members), len(units), fill, mode)
    lots = drawn(units, seed, past.rounds)
    if mode == "standings":
        rank = {member: place for place, member in enumerate(order)}
        lots.sort(key=lambda unit: rank.get(unit[0], len(rank)))
    out = sitting_out(lots[::-1], len(lots) - sum(sizes), past, season_byes or {})
    playing = [unit for unit in lots if unit not in out]
    rounds = [[units_at(table, mode) for table in seated.tables] for seated in earlier]
    if mode == "standings":
        tables = by_standing(playing, sizes, past)
    else:
        tables = by_plan(playing, sizes, past, mode, rounds) or by_search(playing, sizes, past, mode, seed)
    return Seated(tables, tuple(sorted(set(members).difference(*tables))))
