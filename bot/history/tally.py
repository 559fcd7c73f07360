"""Tally: what the matches of a person or a community add up to, kept beside them.

It follows from the matches alone. A match that goes on is counted anew: what it counted for before is taken
back. Only streaks and ratings depend on the order of the matches, so these take each when it is over.

A round counts for people who played their own seat when it ended, if at least one other person did, too:
computer players never count, and neither does practice against them alone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.history.played import Dated, PlayedMatch
from bot.league.ratings import UNRATED, RatingPool, Strength, rate_sides
from bot.store.codec import Codec
from bot.tables.table import RoundResult

DAY: Final = 24 * 3600.0
DAYS_KEPT: Final = 31
"""The number of days of which a tally knows what was played on each."""

Counts = Mapping[str, int]


@dataclass(slots=True, kw_only=True)
class PersonTally:
    """What one person's matches add up to."""

    name: str = ""
    """Their name in the newest match."""
    counts: dict[str, int] = field(default_factory=dict)
    """Everything that is a sum, by the names that `_count_match` gives it."""
    streak: int = 0
    """The matches that they have won in a row until now."""
    longest: int = 0
    """The most matches that they ever won in a row."""
    strengths: dict[RatingPool, Strength] = field(default_factory=dict)
    """Their strength at the community's casual tables, by pool."""


@dataclass(slots=True, kw_only=True)
class MatchTally:
    """What the matches of a person or a community add up to."""

    persons: dict[str, PersonTally] = field(default_factory=dict)
    """By their keys: that person alone, or everybody who played in the community."""
    names: dict[str, str] = field(default_factory=dict)
    """The newest names of a person's opponents, by their keys."""


TALLIES: Final = Codec(MatchTally, 1)


def tally_matches(owner: str, matches: Iterable[Dated]) -> MatchTally:
    """Return the tally of an owner with these matches, the newest first."""
    tally = MatchTally()
    for dated in reversed([*matches]):
        count_match(tally, owner, None, dated)
    return tally


def count_match(tally: MatchTally, owner: str, before: Dated | None, after: Dated) -> None:
    """Count one of an owner's matches as it is now, in place of what it was before."""
    earlier, now = ({} if each is None else _count_people(owner, each) for each in (before, after))
    for person in earlier.keys() | now.keys():
        held = tally.persons.setdefault(person, PersonTally())
        held.counts = _replace(held.counts, earlier.get(person, {}), now.get(person, {}))
        _drop_old_days(held.counts, after.at)
        if not held.counts:
            del tally.persons[person]
    for player in after.match.players:
        if player.person in now:
            tally.persons[player.person].name = player.name
        elif player.person is not None and any(f"met.{player.person}" in each for each in now.values()):
            tally.names[player.person] = player.name
    if tally.names:
        met = {name for each in tally.persons.values() for name in each.counts if name.startswith("met.")}
        tally.names = {key: name for key, name in tally.names.items() if f"met.{key}" in met}
    if after.match.winners and (before is None or not before.match.winners):
        _end_match(tally, owner, after.match, now)


def forget_person(tally: MatchTally, person: str) -> None:
    """Forget a person: what they count for, their name, and that others met them."""
    tally.persons.pop(person, None)
    tally.names.pop(person, None)
    for other in tally.persons.values():
        other.counts.pop(f"met.{person}", None)


def merge_tallies(tallies: Iterable[MatchTally]) -> MatchTally:
    """Return what several tallies add up to: those of two keys of one community."""
    whole = MatchTally()
    for tally in tallies:
        whole.names |= tally.names
        for key, person in tally.persons.items():
            held = whole.persons.get(key)
            whole.persons[key] = person if held is None else merge_persons((held, person))
    return whole


def merge_persons(persons: Iterable[PersonTally]) -> PersonTally:
    """Return what several tallies of one person add up to: those of their accounts. Of ratings the better
    founded one counts."""
    first, *others = persons
    whole = first
    for other in others:
        whole = PersonTally(
            name=other.name or whole.name,
            counts=_replace(whole.counts, {}, other.counts),
            streak=max(whole.streak, other.streak),
            longest=max(whole.longest, other.longest),
            strengths=_choose_better_founded(whole.strengths, other.strengths),
        )
    return whole


def _choose_better_founded(
    one: Mapping[RatingPool, Strength], other: Mapping[RatingPool, Strength]
) -> dict[RatingPool, Strength]:
    pools = one.keys() | other.keys()
    both = {pool: (one.get(pool, UNRATED), other.get(pool, UNRATED)) for pool in pools}
    return {pool: max(each, key=lambda strength: strength.tables) for pool, each in both.items()}


def list_rounds(match: PlayedMatch) -> Iterator[RoundResult]:
    """List the rounds of a match that count for anybody."""
    return (result for result in match.rounds if len(match.players) - len(result.away) > 1)


def _count_people(owner: str, dated: Dated) -> dict[str, Counter[str]]:
    """Count a match for each person for whom its owner's tally has an entry."""
    match, everybody = dated.match, owner in dated.match.communities
    counted: dict[str, Counter[str]] = {}
    for seat, player in enumerate(match.players):
        if player.person is not None and (everybody or player.person == owner):
            counts = _count_seat(dated, seat)
            if counts:
                counted[player.person] = counts if everybody else counts + _count_met(match, seat)
    return counted


def _count_seat(dated: Dated, seat: int) -> Counter[str]:
    """Count a match for the person of a seat; empty if none of its rounds counts for them."""
    match, game, day = dated.match, dated.match.game, f"day.{int(dated.at // DAY)}"
    counts: Counter[str] = Counter()
    for result in list_rounds(match):
        if seat in result.away:
            continue
        counts[f"{game}.rounds"] += 1
        counts[f"{day}.rounds"] += 1
        counts[f"{game}.opened"] += seat in result.opened
        counts[f"{game}.fines"] += result.fines[seat] if result.fines else 0
        if result.winner == seat:
            counts[f"{game}.wins"] += 1
            counts[f"{day}.wins"] += 1
            counts.update(f"{game}.how.{how}" for how in result.how or ("plain",))
        if result.dealt and (rack := result.dealt[seat]) is not None:
            counts[f"dealt.{rack.kind}"] += 1
            counts[f"okeys.{game}"] += rack.okeys
            counts[f"start.{game}"] += rack.start
    if counts and match.over:
        counts["matches"] += 1
        counts["won"] += seat in match.winners
        if match.winners and match.places:
            counts[f"place.{match.places[seat]}"] += 1
    return +counts


def _count_met(match: PlayedMatch, seat: int) -> Counter[str]:
    """Count the people whom the person of a seat met."""
    counted = [result for result in list_rounds(match) if seat not in result.away]
    return Counter(
        f"met.{player.person}"
        for number, player in enumerate(match.players)
        if player.person is not None
        and number != seat
        and any(number not in result.away for result in counted)
    )


def _replace(held: Counts, earlier: Counts, now: Counts) -> dict[str, int]:
    """Return sums with one addend replaced. What was dropped since it was added is not taken back."""
    changed = {
        name: held.get(name, 0) - earlier.get(name, 0) + now.get(name, 0)
        for name in earlier.keys() | now.keys()
    }
    return {name: number for name, number in {**held, **changed}.items() if number > 0}


def _drop_old_days(counts: dict[str, int], now: float) -> None:
    oldest = int(now // DAY) - DAYS_KEPT
    for name in [each for each in counts if each.startswith("day.") and int(each.split(".")[1]) < oldest]:
        del counts[name]


def _end_match(tally: MatchTally, owner: str, match: PlayedMatch, now: Mapping[str, Counts]) -> None:
    """Let a match that has just ended count for streaks, and in a community for ratings."""
    for seat, player in enumerate(match.players):
        if player.person is not None and player.person in now:
            held = tally.persons[player.person]
            held.streak = held.streak + 1 if seat in match.winners else 0
            held.longest = max(held.longest, held.streak)
    if owner not in match.communities or match.league or not match.places:
        return
    count = 2 if match.teams else len(match.players)
    sides: list[tuple[list[PersonTally], int]] = []
    for first in range(count):
        people = [each.person for each in match.players[first::count]]
        members = [tally.persons[each] for each in people if each is not None and each in now]
        if members:
            sides.append((members, match.places[first]))
    pool: RatingPool = "partners" if match.teams else "free"
    strengths = [[each.strengths.get(pool, UNRATED) for each in members] for members, _ in sides]
    rated = rate_sides(strengths, [place for _, place in sides])
    for (members, _), after in zip(sides, rated, strict=True):
        for member, strength in zip(members, after, strict=True):
            member.strengths[pool] = strength
