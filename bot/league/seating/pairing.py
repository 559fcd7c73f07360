"""Fixed partners, and those whose partner is away."""

from collections.abc import Sequence

from bot.league.model import Fill
from bot.league.seating.past import Past
from bot.league.seating.seated import Unit


def paired(members: Sequence[str], pairs: Sequence[tuple[str, str]], past: Past, fill: Fill) -> list[Unit]:
    """Those who are there, two by two; a member who is left alone comes only where computers are to fill up.

    Whose partner is away, or who has none, plays with another such one: first those who sat out most often.
    """
    alone = dict.fromkeys(sorted(members))
    units: list[Unit] = []
    for one, other in pairs:
        if one != other and one in alone and other in alone:
            units.append((min(one, other), max(one, other)))
            del alone[one], alone[other]
    rest = sorted(alone, key=lambda member: -past.byes[member])
    units += [(min(two), max(two)) for two in zip(rest[0::2], rest[1::2], strict=False)]
    if len(rest) % 2 and fill == "computers":
        units.append((rest[-1],))
    return units
