"""Byes: the number and sizes of a round's tables, and who sits out when people are left over."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.errors import Refused
from bot.league.model import Fill, Format, Seating
from bot.league.seating.encounters import Encounters, Party, Seated
from engine.rules import rules_from

_FEWEST: Final[Mapping[Fill, int]] = {"three": 3, "computers": 2, "byes": 4}
"""The fewest people that make a table."""


class CannotSeat(Refused):
    """Raised when these people are too few for a table: `too_few` (`people`, `needed`)."""


def table_sizes(people: int, fill: Fill) -> tuple[int, ...]:
    """Return the members of each table of four, or of three where `fill` allows it; the larger tables first.

    - `three`: as few tables of three as possible. Five people are the only number that cannot be split into
      threes and fours: four of them play and one sits out, instead of two beside a table of three.
    - `computers`: as few tables as seat everybody, people spread evenly over them: two are
      enough for one.
    - `byes`: tables of four only.

    Raises CannotSeat.
    """
    needed = _FEWEST[fill]
    if people < needed:
        raise CannotSeat("too_few", people=people, needed=needed)
    if fill == "byes" or (fill == "three" and people == 5):
        return (4,) * (people // 4)
    tables = -(-people // 4)
    size, more = divmod(people, tables)
    return (size + 1,) * more + (size,) * (tables - more)


def fill_up(seated: Seated, format: Format) -> Seated:
    """Return the tables with computer players on their empty seats, if the format or partners ask for
    four."""
    if format.fill != "computers" and not rules_from(format.rules).teams:
        return seated
    return Seated(tuple((*table, *("",) * (4 - len(table))) for table in seated.tables), seated.byes)


def leftovers(fill: Fill, mode: Seating) -> Fill:
    """Return the way in which people left over are seated. Partners play at tables of four only, so with
    `three` those left over sit out."""
    return "byes" if fill == "three" and mode in ("partners", "pairs") else fill


def sizes_in_parties(people: int, parties: int, fill: Fill, mode: Seating) -> tuple[int, ...]:
    """Return the number of parties at each table."""
    if mode != "pairs":
        return table_sizes(people, leftovers(fill, mode))
    if parties < 2:
        raise CannotSeat("too_few", people=people, needed=3 if fill == "computers" else 4)
    return (2,) * (parties // 2)


def pair(
    members: Sequence[str], pairs: Sequence[tuple[str, str]], past: Encounters, fill: Fill
) -> list[Party]:
    """Members in pairs, by the fixed `pairs`; a single member left over is included only if computer players
    fill up.

    Members without a partner, or whose partner is away, are paired with each other: first those who sat out
    most often.
    """
    alone = dict.fromkeys(sorted(members))
    parties: list[Party] = []
    for one, other in pairs:
        if one != other and one in alone and other in alone:
            parties.append((min(one, other), max(one, other)))
            del alone[one], alone[other]
    rest = sorted(alone, key=lambda member: -past.byes[member])
    parties += [(min(two), max(two)) for two in zip(rest[0::2], rest[1::2], strict=False)]
    if len(rest) % 2 and fill == "computers":
        parties.append((rest[-1],))
    return parties


def sitting_out(
    parties: Sequence[Party], count: int, past: Encounters, season: Mapping[str, int]
) -> tuple[Party, ...]:
    """Return the parties that get a bye; among equals the first of them.

    Those with the fewest byes in this night come first, so nobody has two before everybody has had one. Of
    those, the ones who were there for every round: leaving and coming back brings nobody nearer to a bye. Of
    those, the ones with the fewest byes in the nights before (`season`, by member).
    """

    def claim(party: Party) -> tuple[int, int, int]:
        return (
            max(past.byes[member] for member in party),
            max(past.count_missed(member) for member in party),
            sum(season.get(member, 0) for member in party),
        )

    return tuple(sorted(parties, key=claim)[:count])
