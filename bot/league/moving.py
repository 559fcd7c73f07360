"""Going up and down: what becomes of the members of divisions when a season is over."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal

from bot.league.events import Division

PEOPLE_LEAST: Final = 6
"""The fewest people of a division."""

Movement = Literal["", "up", "down"]
"""`up`, `down`: into the next higher or lower division; empty: they stay."""

_STEPS: Final[Mapping[Movement, int]] = {"down": 1, "": 0, "up": -1}


def find_moves(
    ranks: Mapping[str, tuple[int, int, bool]], divisions: Sequence[Division]
) -> dict[str, Movement]:
    """Return what becomes of everybody in a table, in its order: of each their division, their rank in it,
    and whether they may go up.

    Of equals on the line, all go up and none goes down, and at most half go down. Where a division would
    then be too small, all are divided anew in their order; where they are too few for that, nobody moves.
    """
    people = Counter(tier for tier, _, _ in ranks.values())
    moves: dict[str, Movement] = {}
    for member, (tier, rank, may_rise) in ranks.items():
        held = divisions[tier - 1]
        last = people[tier] - min(held.relegate, people[tier] // 2)
        moves[member] = "up" if may_rise and rank <= held.promote else "down" if rank > last else ""
    tiers = {member: tier for member, (tier, _, _) in ranks.items()}
    placed = exchange(tiers, moves, [each.members for each in divisions])
    if all(len(each) >= PEOPLE_LEAST for each in placed):
        return moves
    placed = split([member for each in placed for member in each], len(divisions))
    if len(placed) < len(divisions):
        return dict.fromkeys(tiers, "")
    own = {member: tier for tier, each in enumerate(placed, start=1) for member in each}
    return {
        member: "up" if own[member] < tier else "down" if own[member] > tier else ""
        for member, tier in tiers.items()
    }


def exchange(
    tiers: Mapping[str, int], moves: Mapping[str, Movement], held: Sequence[Sequence[str]]
) -> list[list[str]]:
    """Return everybody by their new division: those who come down first, then those who stay, those who come
    up, and those of the division `held` who are not in the table. `tiers`: their old ones, in its order."""
    placed, there = [], {*tiers}
    for tier, members in enumerate(held, start=1):
        came = [
            member
            for way, step in _STEPS.items()
            for member, old in tiers.items()
            if moves[member] == way and old + step == tier
        ]
        absent = [member for member in members if member not in there]
        there.update(absent)
        placed.append([*came, *absent])
    return placed


def split(members: Sequence[str], number: int) -> list[list[str]]:
    """Return people in order as equal divisions, as many as there are people for; the lowest has the rest."""
    number = max(1, min(number, len(members) // PEOPLE_LEAST))
    size = len(members) // number
    cuts = [*(size * each for each in range(number)), len(members)]
    return [list(members[begin:end]) for begin, end in pairwise(cuts)]
