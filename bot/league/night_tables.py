"""Night tables: seat and open them, say who owns their seats, and turn their news into events."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from bot.league.events import NightEvent, SeatFreed, SeatTaken, TilesPlayed, TilesRound
from bot.league.model import League
from bot.league.night import Night, NightRound, NightTable, tier_of
from bot.league.results import result_of
from bot.league.seating import CannotSeat, Seated, fill_up, seat_round
from bot.league.standings import SeasonStanding, night_standings
from bot.league.timers import THERE_SECONDS, SeatRound
from bot.ports import channel_of, platform_of
from bot.tables.league_table import Opening, Owner, list_kept_seats
from bot.tables.table import AtNight, Display, Table
from engine.games import game_of
from engine.rules import Rules, rules_from


def seater(league: League, season: Sequence[Night], before: Sequence[SeasonStanding]) -> SeatRound:
    """Return a function that seats the rounds of a league's night; `season` has the nights of its season,
    with or without this one, and `before` is the season's table before it. Each division sits at its own
    tables."""

    def seat_those(night: Night, members: Sequence[str]) -> Seated:
        earlier = [each for each in season if each.id != night.id and each.start < night.start]
        seated = seat_round(
            members,
            [_among(night, members, round) for round in night.rounds],
            mode=night.format.seating,
            fill=night.format.fill,
            seed=night.id.encode(),
            order=_order(night, before),
            pairs=_pairs(league, members),
            season_byes=Counter(member for each in earlier for round in each.rounds for member in round.byes),
            length=night.format.rounds,
        )
        return fill_up(seated, night.format)

    def seat(night: Night, members: Sequence[str]) -> Seated:
        return _seat_divisions(night, members, partial(seat_those, night))

    return seat


def _seat_divisions(night: Night, members: Sequence[str], seat: Callable[[Sequence[str]], Seated]) -> Seated:
    """Return the round in which each division is seated by itself. Those of a division with too few people
    for a table sit with the next lower one, or at the bottom with the next higher one."""
    groups: list[list[str]] = []
    seated: list[Seated] = []
    for tier in range(min(1, len(night.divisions)), len(night.divisions) + 1):
        group = [each for each in members if tier_of(night.divisions, each) == tier]
        if len(groups) > len(seated):
            group = [*groups.pop(), *group]
        groups.append(group)
        with suppress(CannotSeat):
            seated.append(seat(group))
    if len(groups) > len(seated):
        alone = [member for group in groups[-2:] for member in group]
        seated[-1:] = [seat(alone)]
    return Seated(
        tuple(table for each in seated for table in each.tables),
        tuple(member for each in seated for member in each.byes),
    )


def _among(night: Night, members: Sequence[str], round: NightRound) -> Seated:
    """Return a round as it was played; where there are divisions, the tables of these members alone."""
    there = {*members}
    tables = (table.seats for table in round.tables)
    if not night.divisions:
        return Seated(tuple(tables), round.byes)
    own = tuple(table for table in tables if there.intersection(table))
    return Seated(own, tuple(each for each in round.byes if each in there))


def opening(league: League, night: Night, round: NightRound, table: NightTable, display: Display) -> Opening:
    """Return the opening of a table, in the places where its people signed up."""
    places = tuple(dict.fromkeys(_place(league, night, member) for member in table.members))
    at = AtNight(
        night.id,
        round.number,
        table.number,
        league.name,
        table.attempt,
        last=round.soft_ended,
        paused=night.paused_at is not None,
    )
    return Opening(
        id=night.id_of(round.number, table),
        night=at,
        places=places,
        language=league.language,
        languages={place: league.languages[place] for place in places if place in league.languages},
        rules=_rules(night, len(table.seats)),
        turn_seconds=night.format.turn_seconds,
        owners=owners(league, night, table, now=0.0),
        display=display,
        room=night.format.rooms,
    )


def owners(league: League, night: Night, table: NightTable, now: float) -> tuple[Owner, ...]:
    """Return the present owners of a table's seats."""
    return tuple(_owner(league, night, table, seat, now) for seat in range(len(table.seats)))


def account_of(night: Night, member: str, accounts: tuple[str, ...]) -> str | None:
    """Return the member's account on the platform where they signed up; if they have none there, their
    first."""
    entrant = night.entrant(member)
    chat = "" if entrant is None else platform_of(entrant.place)
    return next((each for each in accounts if platform_of(each) == chat), accounts[0] if accounts else None)


def table_events(night: Night, table: Table) -> tuple[NightEvent, ...]:
    """Return the events by which a night learns a table's state; empty: nothing new, or not the night's
    table."""
    at = table.night
    known = None if at is None else night.table(at.round, at.number)
    if at is None or known is None or known.void:
        return ()
    if table.id != night.id_of(at.round, known):
        return ()
    played = _play(at.round, table, known)
    before = TilesPlayed(at.round, at.number, known.tiles, known.scores, known.settled)
    return (*_seat_events(night, at.round, table, known), *([played] if played != before else []))


# Seating


def _order(night: Night, before: Sequence[SeasonStanding]) -> list[str]:
    """Return the order of the night's standing; before its first round that of the season."""
    if night.rounds:
        return [each.member for each in night_standings(result_of(night), night.format.ties)]
    return [each.member for each in before]


def _pairs(league: League, members: Sequence[str]) -> list[tuple[str, str]]:
    """Return the pairs of members who name each other as their partner."""
    partner = {id: league.members[id].partner for id in members if id in league.members}
    return [(one, other) for one, other in partner.items() if one < other and partner.get(other) == one]


# Places, rules and owners


def _rules(night: Night, players: int) -> Rules:
    """Return the rules of a table for that many players. Seats are never drawn, since the seating decides
    them."""
    wanted = {**night.format.rules, "players": players}
    rules = rules_from(wanted)
    return rules if rules.first_dealer != "highest_tile" else rules_from({**wanted, "first_dealer": "random"})


def _owner(league: League, night: Night, table: NightTable, seat: int, now: float) -> Owner:
    id = table.seats[seat]
    member = league.members.get(id)
    if member is None:
        return Owner(member=id, person=None, taken=table.taken[seat])
    gone = seat in table.free and id not in night.playing
    return Owner(
        member=id,
        person=None if gone else account_of(night, id, member.accounts),
        name=member.name,
        language=member.language,
        taken=table.taken[seat],
        late=now >= table.since[seat] + THERE_SECONDS,
    )


def _place(league: League, night: Night, member: str) -> str:
    """Return the place of the league that shows a member's table: where they signed up, or one on their
    platform."""
    entrant, known = night.entrant(member), league.members.get(member)
    said = "" if entrant is None else entrant.place
    for place in (said, channel_of(said)):
        if place in league.places:
            return place
    chats = (platform_of(said), *map(platform_of, () if known is None else known.accounts))
    return next(
        (place for chat in chats for place in league.places if platform_of(place) == chat), league.places[0]
    )


# News of a table


def _play(round: int, table: Table, known: NightTable) -> TilesPlayed:
    sign = -1 if game_of(table.match.rules).fewest_win(table.match.rules) else 1
    tiles = tuple(
        TilesRound(
            result.members,
            tuple(sign * change for change in result.changes),
            result.winner,
            "joker" in result.how,
        )
        for result in table.results
    )
    scores = tuple(map(sum, zip(*(each.changes for each in tiles), strict=True)))
    return TilesPlayed(round, known.number, tiles, scores, table.is_over)


def _seat_events(night: Night, round: int, table: Table, known: NightTable) -> Iterator[NightEvent]:
    """Events for members who left a running table or came back. The night decides who owns the seat."""
    if known.over or table.stage not in ("playing", "between"):
        return
    kept = list_kept_seats(table)
    for seat, member in enumerate(known.seats):
        if not member or table.seats[seat].taken != known.taken[seat]:
            continue
        if seat in kept and seat not in known.free:
            yield SeatFreed(round, known.number, seat)
        elif seat not in kept and seat in known.free and member in night.playing:
            yield SeatTaken(round, known.number, seat, member)
