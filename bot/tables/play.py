"""Rounds at a table: start, move, end, next. Each step says what must be shown to whom again."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from bot.errors import Refused, as_refusal
from bot.tables import clocks, drafts, racks
from bot.tables.lobby import filled, only_host
from bot.tables.recent import opened_with, seen
from bot.tables.table import (
    RECENT_MOST,
    Change,
    Due,
    Entry,
    FirstDraw,
    Opened,
    RoundResult,
    Table,
    round_result,
)
from engine import record
from engine.events import DiceThrown, Event, SeatsDrawn
from engine.games import game_of
from engine.match import Match
from engine.match import next_round as deal_next
from engine.match import play as play_in
from engine.moves import Move
from engine.shuffle import Seed
from engine.view import public_view, seat_view

Entropy = Callable[[], bytes]
"""Gives 64 fresh secret bytes."""

OVER_SECONDS: Final = 7 * 24 * 3600.0
"""A finished match can be looked at for a week; then it is forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delays:
    """Waiting times in seconds, from the settings."""

    computer: float
    """Before a computer player plays."""
    next_round: float
    """Between a round's result and the next deal."""


def start(table: Table, person: str, delays: Delays) -> Change:
    """The host begins the match; free seats go to computer players. Refused: `not_host`, `not_seated`."""
    if table.stage == "closed":
        raise Refused("table_closed")
    if table.stage != "lobby":
        raise Refused("already_started")
    only_host(table, person)
    return next_round(replace(filled(table), removed=()), delays)


def next_round(table: Table, delays: Delays) -> Change:
    """Deal the next round from the secret that was committed to and the players' words."""
    words = tuple(seat.word for seat in table.seats)
    seed = Seed(secret=table.secret, words=words, table=table.id, round_number=table.match.round_number + 1)
    dealt, happened = deal_next(table.match, seed)
    table = reseated(table, happened)
    begun = replace(
        table,
        stage="playing",
        match=dealt,
        words=words,
        seats=tuple(
            replace(seat, word="", revision=seat.revision + 1, shelves=_fresh_shelves(dealt, i), draft=())
            for i, seat in enumerate(table.seats)
        ),
        game_revision=table.game_revision + 1,
        revision=table.revision + 1,
        round_revision=table.revision + 1,
        news_revision=table.revision + 1,
        recent=(),
        first=first_draws(happened),
        openings=(0,) * len(table.seats),
    )
    entry: Entry = {"round": dealt.round_number, "seed": seed.text()}
    return Change(begun, (entry,), clock(begun, delays))


def move(table: Table, seat: int, what: Move, delays: Delays, entropy: Entropy) -> Change:
    """One move of one seat. Refused with the engine's code when the rules do not allow it."""
    if table.stage != "playing":
        raise Refused("no_round")
    with as_refusal():
        after, happened = play_in(table.match, seat, what)
    moved = replace(
        table,
        match=after,
        game_revision=table.game_revision + 1,
        recent=(*table.recent, *seen(happened))[-RECENT_MOST:],
        openings=opened_with(table.openings, happened),
    )
    moved = _kept_in_order(moved, seat).seat_touched(seat)
    entry: Entry = record.action_of(seat, what)
    return Change(*_settled(table, moved, entry, delays, entropy))


def clock(table: Table, delays: Delays) -> Due:
    """When somebody must have acted, counted from now."""
    if table.stage == "between":
        return clocks.result_seconds(table, delays.next_round)
    if table.stage == "playing":
        turn = public_view(table.match).turn
        assert turn is not None
        return delays.computer if table.seats[turn].computer else clocks.first_deadline(table)
    return OVER_SECONDS


def _settled(
    before: Table, after: Table, entry: Entry, delays: Delays, entropy: Entropy
) -> tuple[Table, tuple[Entry, ...], Due]:
    """Who must be shown what after a move, and the clock."""
    view = public_view(after.match)
    if view.outcome is not None:
        ended = _ended(after, entropy)
        return ended, (entry,), clock(ended, delays)
    was = public_view(before.match)
    if view.turn != was.turn:
        assert view.turn is not None
        passed = after.seat_touched(view.turn).gone_on()
        return passed, (entry,), clock(passed, delays)
    news = view.shown_by != was.shown_by or after.openings != before.openings
    return (after.gone_on() if news else after), (entry,), "keep"


def _ended(table: Table, entropy: Entropy) -> Table:
    """The round is over: its shuffle is opened, and the next one is committed to."""
    opened = Opened(table.match.round_number, table.secret, table.words)
    return replace(
        table,
        stage="between" if _goes_on(table) else "over",
        opened=opened,
        secret=entropy(),
        seats=tuple(replace(seat, revision=seat.revision + 1) for seat in table.seats),
        revision=table.revision + 1,
        results=table.results + _result(table),
    )


def _goes_on(table: Table) -> bool:
    last = table.night is not None and table.night.last
    return table.attended and not table.match.finished and not last


def _result(table: Table) -> tuple[RoundResult, ...]:
    away = tuple(number for number, seat in enumerate(table.seats) if seat.computer is not None)
    result = round_result(table.match, away, table.openings, _members(table))
    return () if result is None else (result,)


def _members(table: Table) -> tuple[str, ...]:
    if table.night is None:
        return ()
    return tuple("" if seat.computer is not None else seat.member for seat in table.seats)


def _fresh_shelves(dealt: Match, seat: int) -> racks.Shelves:
    view = seat_view(dealt, seat)
    return racks.by_runs(view.rack, view.public.okey, game_of(dealt.rules).shelf_size)


def _kept_in_order(table: Table, seat: int) -> Table:
    most = game_of(table.match.rules).shelf_size
    view = seat_view(table.match, seat)
    shelves = racks.kept(table.seats[seat].shelves, view.rack, most)
    draft = drafts.kept(table.seats[seat].draft, view.rack, view.public.okey)
    return table.with_seat(seat, shelves=shelves, draft=draft)


def reseated(table: Table, happened: tuple[Event, ...]) -> Table:
    """The table with its people on the seats that they drew."""
    for event in happened:
        if isinstance(event, SeatsDrawn):
            return replace(table, seats=tuple(table.seats[old] for old in event.order))
    return table


def first_draws(happened: tuple[Event, ...]) -> tuple[FirstDraw, ...]:
    """What everybody threw or drew for the start, in order, by the seats as they are now."""
    found: list[FirstDraw] = []
    for event in happened:
        if isinstance(event, DiceThrown):
            for throw in event.throws:
                found += [FirstDraw(seat, die=die) for seat, die in enumerate(throw) if die is not None]
        elif isinstance(event, SeatsDrawn):
            for draw in event.draws:
                found += [
                    FirstDraw(event.order.index(old), tile=tile)
                    for old, tile in enumerate(draw)
                    if tile is not None
                ]
    return tuple(found)
