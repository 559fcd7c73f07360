"""Rounds at a table: start, move, end, next, break off."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as replace_result
from typing import Final

from msgspec.structs import replace

from bot.errors import Refused, as_refusal
from bot.tables import clocks, drafts, lobby, racks
from bot.tables.recent import find_openings, first_draws, list_public, reseat
from bot.tables.table import (
    Change,
    ClosedAt,
    Due,
    EndedRound,
    NamedRound,
    OpenedShuffle,
    RoundResult,
    Seat,
    Table,
)
from engine import record
from engine.context import close_words, context_to_json, deal_digest, seal_from, without_salts
from engine.deal import deal as deal_tiles
from engine.games import game_of
from engine.luck import DealtRack, judge_deal
from engine.match import Match, break_off, next_dealer
from engine.match import next_round as deal_next
from engine.match import play as play_in
from engine.moves import Call, Move
from engine.players import calls, closeness
from engine.shuffle import Beacon, BoundSeed, Rng
from engine.state import Round, at_seat
from engine.view import public_view, seat_view

Entropy = Callable[[], bytes]
"""A source of 64 fresh secret bytes."""

NameRound = Callable[[float], NamedRound | None]
"""Names the beacon's round that a deal waits for, given the moment at which its words are closed; None: the
deal waits for none."""

_QUICK: Final = 0.55
_SLOW: Final = 2.7
"""Factors of the usual time to think: 0.8 and 4 seconds when that is 1.5."""

TOLD_LATER: Final = 3
"""The number of rounds whose results can still be told in their messages while others are played."""

OVER_SECONDS: Final = 7 * 24 * 3600.0
"""A finished match can be looked at for a week and is then forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delays:
    """Waiting times in seconds, from the settings."""

    computer: float
    """The wait before a computer player's turn."""
    next_round: float
    """The wait between a round's result and the next deal."""
    full_lobby: float = 0.0
    """The wait before a full lobby starts by itself; 0: it never does."""


def start(table: Table, person: str, delays: Delays, named: NamedRound | None = None) -> Change:
    """Begin the match for its host, as `next_round` does; free seats go to computer players. Refused:
    `not_host`, `not_seated`."""
    lobby.host_in_lobby(table, person)
    full = replace(
        lobby.fill(table),
        gone=replace(table.gone, removed=()),
        clock=replace(table.clock, counts_down=False),
        postings=replace(table.postings, unfolded=False),
    )
    return next_round(full, delays, named)


def next_round(table: Table, delays: Delays, named: NamedRound | None = None) -> Change:
    """Close the words for the next round, and bind its deal to them and to all else that it depends on. Deal
    it, or if a beacon's round is named, wait for that."""
    number = table.match.round_number + 1
    context, words = close_words(
        table.proof.sealed,
        table.match.rules,
        [(seat.name, seat.word) for seat in table.seats],
        table=table.id,
        round_number=number,
        dealer=next_dealer(table.match),
        playing=table.match.seats,
        beacon=None if named is None else (named.chain, named.number),
        previous=table.proof.dealt,
    )
    seats = tuple(
        replace(seat, word="", closed=(*seat.closed, ClosedAt(number, i, word)))
        for i, (seat, word) in enumerate(zip(table.seats, words, strict=True))
    )
    closed = replace(
        table,
        seats=seats,
        proof=replace(
            table.proof, context=context.digest(), sealed=without_salts(table.proof.sealed), awaited=named
        ),
    )
    bound = ({"round": number, "context": context_to_json(context, {})},)
    if named is None:
        change = deal(closed, None, delays)
        return Change(change.table, bound + change.entries, change.due)
    return Change(closed, bound, clock(closed, delays))


def deal(table: Table, beacon: Beacon | None, delays: Delays) -> Change:
    """Deal the next round from the committed secret, the context to which it is bound and the beacon's
    value."""
    signature = b"" if beacon is None else beacon.signature
    seed = BoundSeed(table.proof.sealed.secret, table.proof.context, signature)
    dealt, happened = deal_next(table.match, seed)
    table = reseat(table, happened)
    begun = replace(
        table,
        stage="playing",
        match=dealt,
        proof=replace(
            table.proof, awaited=None, beacon=beacon, dealt=deal_digest(table.proof.context, signature)
        ),
        seats=tuple(
            replace(seat, shelves=_fresh_shelves(dealt, i), draft=()) for i, seat in enumerate(table.seats)
        ),
        news=replace(table.news, recent=(), first=first_draws(happened), openings=(0,) * len(table.seats)),
    )
    return Change(begun, ({"round": dealt.round_number, "seed": seed.text()},), clock(begun, delays))


def move(table: Table, seat: int, what: Move, delays: Delays, entropy: Entropy) -> Change:
    """Play one move of one seat. Refused with the engine's code when the rules do not allow it."""
    if table.stage != "playing":
        raise Refused("no_round")
    with as_refusal():
        after, happened = play_in(table.match, seat, what)
    entries = [record.action_of(seat, what)]
    caller = _computer_that_calls(table, after)
    if caller is not None:
        after, told = play_in(after, caller, Call())
        happened += told
        entries.append(record.action_of(caller, Call()))
    mover = _keep_in_order(table.seats[seat], after, seat)
    moved = table.note(
        *list_public(happened),
        match=after,
        seats=at_seat(table.seats, seat, mover),
        news=replace(table.news, openings=find_openings(table.news.openings, happened)),
    )
    due: Due = "keep"
    if moved.turn != table.turn:
        moved = _end(moved, entropy) if moved.turn is None else moved
        due = clock(moved, delays)
    return Change(moved, tuple(entries), due)


def _computer_that_calls(table: Table, match: Match) -> int | None:
    """Return the first computer player who calls the discard that was just made; None: nobody does.

    People may call what computer players miss, until the next player moves.
    """
    if match.round is None or not match.round.board.call_open or match.turn == table.turn:
        return None
    for number, seat in enumerate(table.seats):
        seed = hashlib.sha256(table.proof.sealed.secret + table.moment.to_bytes(8) + bytes([number])).digest()
        if seat.computer is not None and calls(seat.computer, match.rules, seat_view(match, number), seed):
            return number
    return None


def stop(table: Table) -> Change:
    """End the table with its present standing; a round in progress counts for nobody.

    Refused: `match_over`.
    """
    match table.stage:
        case "lobby":
            return lobby.close_lobby(replace(table, stopped=True))
        case "playing":
            seats = tuple(replace(seat, shelves=((), ()), draft=()) for seat in table.seats)
            table = replace(table, match=break_off(table.match), seats=seats)
        case "over" | "closed":
            raise Refused("match_over")
    return Change(
        replace(table, stage="over", stopped=True, proof=replace(table.proof, awaited=None)), due=OVER_SECONDS
    )


def clock(table: Table, delays: Delays) -> Due:
    """Return the time until the table's clock acts, counted from now."""
    if table.proof.awaited is not None:
        return max(0.0, table.proof.awaited.at - table.proof.awaited.named_at)
    if table.stage == "between":
        return clocks.result_seconds(table, delays.next_round)
    if (turn := table.turn) is not None:
        return thinking(table, turn, delays) if table.seats[turn].computer else clocks.first_deadline(table)
    return OVER_SECONDS


def clock_without(before: Table, after: Table, seat: int, delays: Delays) -> Due:
    """Return the clock after a computer player has taken a person's seat: it plays a turn that was the
    person's. A result that nobody looks at any more stands no longer than usual."""
    if before.stage == "between" and before.proof.awaited is None and before.attended and not after.attended:
        return delays.next_round
    waited_for = before.turn == seat and before.seats[seat].computer is None
    return delays.computer if waited_for else "keep"


def thinking(table: Table, seat: int, delays: Delays) -> float:
    """Return seconds that a seat's computer player seems to think: longer when the choice is close."""
    view = seat_view(table.match, seat)
    someone = any(each.computer is None for number, each in enumerate(table.seats) if number != seat)
    callable_now = view.public.board.call_open and someone  # people need a moment to see and to call it
    close = 1.0 if callable_now else closeness(table.match.rules, view)
    return delays.computer * (_QUICK + (_SLOW - _QUICK) * close)


def _end(table: Table, entropy: Entropy) -> Table:
    """Return the table after its round: the shuffle is opened, and the next one is committed to."""
    number, result = table.match.round_number, _result(table)
    last = EndedRound(result=result, number=number)
    return replace(
        table,
        stage="between" if _goes_on(table) else "over",
        proof=replace(
            table.proof,
            opened=OpenedShuffle(number, table.proof.sealed, table.proof.context, table.proof.beacon),
            sealed=seal_from(entropy(), table.id, number + 1),
            context=b"",
        ),
        results=table.results if result is None else (*table.results, result),
        news=replace(table.news, ended=(*table.news.ended, last)[-TOLD_LATER:]),
    )


def _goes_on(table: Table) -> bool:
    last = table.night is not None and table.night.last
    return table.attended and not table.match.finished and not last


def _result(table: Table) -> RoundResult | None:
    round = table.match.round
    assert round is not None
    by_people = [seat.computer is None for seat in table.seats]
    away = tuple(seat for seat, there in enumerate(by_people) if not there or seat not in round.seats)
    members = [seat.member * there for seat, there in zip(table.seats, by_people, strict=True)]
    result = round_result(table.match, away, table.news.openings, tuple(members) if table.night else ())
    return None if result is None else replace_result(result, dealt=_judge_deal(table, round))


def _judge_deal(table: Table, round: Round) -> tuple[DealtRack | None, ...]:
    """Return what each seat was dealt in a round that is over, by dealing it once more."""
    signature = b"" if table.proof.beacon is None else table.proof.beacon.signature
    rng = Rng(BoundSeed(table.proof.sealed.secret, table.proof.context, signature), "deal")
    dealt = deal_tiles(table.match.rules, round.dealer, round.seats, rng)
    return judge_deal(table.match.rules, dealt) if dealt.indicator == round.indicator else ()


def round_result(
    match: Match, away: tuple[int, ...], openings: tuple[int, ...], members: tuple[str, ...] = ()
) -> RoundResult | None:
    """Return the result of a match's last round; None for a cancelled one, which counts for nobody."""
    view = public_view(match)
    outcome = view.outcome
    assert outcome is not None
    if outcome.kind == "cancelled":
        return None
    return RoundResult(
        winner=outcome.winner,
        how=outcome.how,
        changes=outcome.changes,
        away=away,
        opened=tuple(seat for seat, worth in enumerate(openings) if worth),
        fines=outcome.fines if any(outcome.fines) else (),
        shown_by=view.shown_by if outcome.price_of_showing else None,
        members=members,
    )


def _fresh_shelves(dealt: Match, seat: int) -> racks.Shelves:
    view = seat_view(dealt, seat)
    return racks.by_runs(view.rack, view.public.okey, game_of(dealt.rules).shelf_size, rows=0)


def _keep_in_order(seat: Seat, match: Match, number: int) -> Seat:
    """Return the seat after a move of its player."""
    round = match.round
    assert round is not None
    rack = round.racks[number]
    return replace(
        seat,
        shelves=racks.keep(seat.shelves, rack, game_of(match.rules).shelf_size),
        draft=drafts.keep(seat.draft, rack, round.okey) if seat.draft else (),
    )
