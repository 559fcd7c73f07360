"""Finals: which night is a season's final, who may play it, and how a knockout goes on."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from bot.league import events
from bot.league.events import NightEvent, SeededMember
from bot.league.knockout import (
    choose_advancing,
    count_heats,
    first_in,
    is_decided,
    list_matches,
    seat_heat,
)
from bot.league.model import Format, League, Stage
from bot.league.night import Night, take_first
from bot.league.results import result_of
from bot.league.seating import CannotSeat, Seated, fill_up, partners_at
from bot.league.standings import SeasonStanding, Tally, night_standings
from engine.rules import rules_from

SIZES: Final = (32, 16, 8, 4)
"""The sizes of finals: with too few people for one, the next smaller one is played."""

_WORD: Final = re.compile("(cut|knockout)([0-9]+)")


def stage_of(format: Format, people: int) -> Stage | None:
    """Return the final by which a season is decided, with that many members in its table; None: its table
    decides. A season of one night has its knockout in the same evening."""
    found = _WORD.fullmatch(format.finals)
    groups = format.rounds if format.nights == 1 else 0
    if found is None or (groups and found[1] == "cut"):
        return None
    wanted = int(found[2])
    size = wanted if groups else next((each for each in SIZES if each <= min(wanted, people)), 0)
    if not size:
        return None
    if found[1] == "cut":
        return Stage(kind="cut", size=size, carry_over=format.carry)
    return Stage(kind="knockout", size=size, tables_per_match=format.matches, groups=groups)


def list_seeds(league: League, table: Sequence[Tally], format: Format) -> tuple[SeededMember, ...]:
    """Return who may play a final, in the order of the table before it. Where partners stay the same, pairs
    are ordered by the points of both. Each division has a cut, and the highest a knockout."""
    lowest = 1 if format.finals.startswith("knockout") else len(table)
    known = [
        each
        for each in table
        if each.division <= lowest and (member := league.members.get(each.member)) and member.accounts
    ]
    partners = {id: league.members[id].partner for id in (each.member for each in known)}
    return order_seeds(known, partners if plays_in_pairs(format) else None)


def order_seeds(table: Sequence[Tally], partners: Mapping[str, str] | None) -> tuple[SeededMember, ...]:
    """Return the seeds of a table; with partners, only those who name each other, by the points of
    both, and of equal pairs by the ranks of both, which the tie-breaks decide."""
    if partners is None:
        return tuple(
            SeededMember(each.member, each.rank, str(each.points), division=each.division) for each in table
        )
    own = {each.member: each for each in table}
    sides = [
        (each, own[other])
        for place, each in enumerate(table)
        if (other := partners.get(each.member, "")) in own
        and partners.get(other) == each.member
        and other not in [earlier.member for earlier in table[:place]]
    ]
    sides.sort(key=_place)
    places = [_place(side) for side in sides]
    return tuple(
        SeededMember(one.member, 1 + 2 * places.index(_place(side)), str(one.points), other.member)
        for side in sides
        for one, other in (side, side[::-1])
    )


def _place(side: tuple[Tally, Tally]) -> tuple[Fraction, int, int]:
    """Return what a pair is ranked by, the least first."""
    one, other = side
    return -one.points - other.points, min(one.rank, other.rank), max(one.rank, other.rank)


def _find_partners(night: Night) -> dict[str, str]:
    """Return who sat opposite whom in the last round before a knockout."""
    tables = night.rounds[-1].tables if night.rounds else ()
    pairs = [pair for table in tables if len(table.seats) == 4 for pair in partners_at(table.seats)]
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


def plays_in_pairs(format: Format) -> bool:
    """Return whether partners stay the same."""
    return format.seating == "pairs"


def count_above_line(format: Format, table: Sequence[SeasonStanding]) -> int:
    """Return how many lines of a division's or a season's table are above its cut line: of those who play the
    final, or would play it now. 0: there is none."""
    played = sum(each.in_final for each in table)
    if played:
        return played if played < len(table) else 0
    stage = stage_of(format, len(table))
    if stage is None or plays_in_pairs(format) or (stage.kind == "knockout" and table[0].division > 1):
        return 0
    above = sum(each.rank <= stage.size for each in table)
    return above if above < len(table) else 0


def seed(night: Night, now: float, seeds: tuple[SeededMember, ...]) -> tuple[NightEvent, ...]:
    """Take over the table before a final, if it has changed and the final has not begun."""
    if night.final is None or night.final.groups or night.rounds or night.seeds == seeds:
        return ()
    return () if night.stage in ("over", "cancelled") else (events.StageSeeded(seeds),)


def find_changed(night: Night, seeds: tuple[SeededMember, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who would be in a final by another table before it, and who would not, if all of them came."""
    before, after = (
        held.admit(tuple(each.member for each in held.seeds)) for held in (night, replace(night, seeds=seeds))
    )
    came = tuple(each for each in after if each not in before)
    return came, tuple(each for each in before if each not in after)


@dataclass(frozen=True, slots=True)
class KnockoutStep:
    """What comes next in a knockout."""

    happened: tuple[NightEvent, ...] = ()
    """What is known before the next round."""
    seated: Seated | None = None
    """The next round; None: there is none."""
    waits: bool = False
    """Whether an organiser has to decide a dispute first."""


def next_step(night: Night) -> KnockoutStep:
    """Return what comes next in a night's knockout, after a round or before the first one. Raises CannotSeat
    when too few people are there for its first table."""
    assert night.final is not None
    if any(table.state == "disputed" for round in night.rounds for table in round.tables):
        return KnockoutStep(waits=True)
    if not night.heats:
        return _begin(night)
    result, number = result_of(night), len(night.heats) - 1
    heat, matches = night.heats[number], list_matches(result, number)
    round = len(night.rounds) + 1
    open = [match for match in matches if not is_decided(match, night.final, night.playing)]
    if open:
        tables = tuple(_seats_of(night, heat.round, match.number) for match in open)
        return KnockoutStep(seated=Seated(tables, ()))
    resting = night.rounds[heat.round - 1].byes
    if len(matches) + bool(resting) < 2:
        return KnockoutStep()
    on = choose_advancing(matches, resting, night.playing, night.seeds)
    on = first_in(on, night.seeds, pairs=plays_in_pairs(night.format))
    return _play_on(night, round, on)


def _begin(night: Night) -> KnockoutStep:
    """Return the first heat: of the table before it, or of the rounds of the same evening."""
    assert night.final is not None
    seeds, members = night.seeds, night.playing
    happened: tuple[NightEvent, ...] = ()
    if night.final.groups:
        partners = _find_partners(night) if plays_in_pairs(night.format) else None
        seeds = order_seeds(night_standings(result_of(night), night.format.ties), partners)
        happened = (events.StageSeeded(seeds),)
        members = _first_of(seeds, night.playing, night.final.size)
    on = first_in(members, seeds, pairs=plays_in_pairs(night.format))
    step = _play_on(night, len(night.rounds) + 1, on, seeds)
    if step.seated is None:
        raise CannotSeat("too_few", people=len(on), needed=4 if plays_in_pairs(night.format) else 3)
    return KnockoutStep((*happened, *step.happened), step.seated)


def _play_on(
    night: Night, round: int, members: tuple[str, ...], seeds: tuple[SeededMember, ...] | None = None
) -> KnockoutStep:
    known, pairs = night.seeds if seeds is None else seeds, plays_in_pairs(night.format)
    teams = rules_from(night.format.rules).teams
    seated = seat_heat(members, known, pairs=pairs, teams=teams)
    if seated is None:
        return KnockoutStep()
    return KnockoutStep((events.Advanced(round, members),), fill_up(seated, night.format))


def _first_of(seeds: Sequence[SeededMember], there: Sequence[str], size: int) -> tuple[str, ...]:
    """Return the first of those who are there, with all who share the last rank among them."""
    present = [seed for seed in seeds if seed.member in there and (not seed.partner or seed.partner in there)]
    return take_first(present, size)


def _seats_of(night: Night, round: int, number: int) -> tuple[str, ...]:
    """Return the seats of a match at its first table, as they are owned now."""
    table = night.table(round, number)
    assert table is not None
    return tuple(seat if seat in night.playing or not seat else "" for seat in table.seats)


def count_rounds(night: Night) -> int:
    """Return the most rounds that a night may have."""
    if not night.heats or night.final is None:
        return night.format.rounds
    last = night.heats[-1]
    heats = count_heats(len(last.members), pairs=plays_in_pairs(night.format))
    return last.round - 1 + heats * night.final.tables_per_match
