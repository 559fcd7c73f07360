"""Worth: what a reader of a table must be shown, as a value. A reader is due an edit exactly when it differs.

This module is the policy of what an edit is worth. A chat limits edits, and each one disturbs whoever reads,
so a place and a player who waits are shown the game turn by turn, not move by move:

- **A place** is shown each turn, round and result, an opening, declared pairs, a shown indicator, a discard
  that may be called, who sits where, while a round is played also who plays for whom, the warning that a
  clock ends, and that it was put off. Not: that somebody drew, took or laid within their turn, the melds of
  an opening after its first, a word for the shuffle, a reaction, an arrival, the second at which a clock
  ends.
- **A player on turn** is shown each change of their rack, the indicator, the warning, and whether their
  clock runs.
- **A player who waits** is shown the change of their own rack, a discard that they may call, and each turn
  of a person. A computer player's turn is over before they could read of it, so the last turn of a person
  stands for those after it.
- **A host who has a lobby's screen of their own** is shown how many seats are free.
- **A player whose seat a computer player keeps** is shown what it has done with their rack.
- **Whoever has lost their seat** is shown why.

Whoever must be shown something again for another reason (their language, their display) has what they see
forgotten: see `bot.delivery.delivery.Delivery.show_again`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

import msgspec

from bot.tables.facts import SeatFacts, TableFacts
from bot.tables.lobby import can_be_played_again
from bot.tables.table import FREE, Farewell, Seat, Table
from engine.state import Round

_ENCODER: Final = msgspec.msgpack.Encoder()


@dataclass(frozen=True, slots=True)
class Worth:
    """What a message shows of a table, as far as that is worth an edit."""

    round: int
    """The round whose message it is; 0 for the lobby's, one more than the last round for the match's end."""
    posting: int
    """When the table was last posted again: seconds since the epoch; 0: never."""
    ended: bool
    """Whether the round's result is told."""
    game: str
    """A digest of the game."""
    rest: str = ""
    """A digest of clocks, presence and settings, whose change alone is shown when nothing is more urgent."""

    @property
    def message(self) -> tuple[int, int]:
        """The message that it belongs to, as by `message_of`."""
        return self.round, self.posting

    def __str__(self) -> str:
        return f"{self.round}.{self.posting}.{self.ended:d}.{self.game}.{self.rest}"


def read_worth(text: str) -> Worth | None:
    """Return the worth that was noted as `text`; None: nobody knows what the message shows."""
    if text.count(".") != 4:
        return None
    round, posting, ended, game, rest = text.split(".")
    return Worth(int(round), int(posting), ended == "1", game, rest)


def of_place(facts: TableFacts, language: str) -> Worth:
    """Return the worth of a table to a place, by the facts of which its screen is made there."""
    view, playing = facts.view, facts.stage == "playing"
    board = None if view is None else (view.shown_by, view.board.declared, view.board.call_open)
    game = (facts.stage, facts.turn_number, facts.news.openings, board)
    rest = (
        facts.recovered,
        facts.clock.moved,
        language,
        facts.place.called,
        facts.standing.stopped,
        facts.deal.awaited,
        facts.night,
        facts.clock.warned,
        facts.place.numbered and playing,
        facts.place.seat_kept and playing,
        () if playing else _settings(facts),
        tuple(_sitting(seat, facts) for seat in facts.seats),
    )
    round = facts.round_number + facts.is_match_won
    return Worth(*_message(facts.stage, round, facts.place.posted), _digest(game), _digest(rest))


def message_of(table: Table) -> tuple[int, int]:
    """Return what tells a table's message in its places from those before: each round, each posting and the
    end of the match have one of their own."""
    return table.match.round_number + can_be_played_again(table), int(table.postings.posted)


def of_player(table: Table, number: int) -> Worth:
    """Return the worth of a table to the person on a seat."""
    seat, round = table.seats[number], table.match.round
    game: object = table.stopped
    if table.stage == "playing" and round is not None:
        mover = table.turn == number and seat.computer is None
        showed = round.shown_by == number
        game = showed, _to_mover(table, round) if mover else _to_waiting(table, round, seat)
    elif table.stage == "lobby" and table.host == seat.person:
        game = table.seats.count(FREE)
    kept = None if table.is_over else seat.computer  # then nobody can take the seat back
    own = (table.recovered, seat.language, kept, seat.shelves, seat.draft, table.choices.hints)
    return Worth(*_message(table.stage, table.match.round_number, 0.0), _digest((table.stage, game, own)))


def of_farewell(said: Farewell) -> Worth:
    """Return the worth of a table to a person who has lost their seat."""
    return Worth(0, 0, False, _digest(("farewell", said.why, said.language)))


def _message(stage: str, round: int, posted: float) -> tuple[int, int, bool]:
    return round, int(posted), stage in ("between", "over")


def _sitting(seat: SeatFacts, facts: TableFacts) -> object:
    """Return who sits somewhere, and what else a table's message tells of them: in the lobby who is host,
    while a round is played who plays for them, after it their shown accuracy."""
    match facts.stage:
        case "lobby":
            return seat.name, seat.level, seat.stand_in, seat.host
        case "playing":
            return seat.name, seat.level, seat.stand_in
        case _:
            return seat.name, seat.accuracy


def _settings(facts: TableFacts) -> object:
    """Return what the host chooses, as a lobby shows it."""
    return (
        facts.rules,
        facts.clock.turn_seconds,
        facts.choices.hints,
        facts.choices.counts_down,
        facts.choices.unfolded,
    )


def _to_mover(table: Table, round: Round) -> object:
    paused = table.night is not None and table.night.paused
    clock = (table.clock.hurried == table.turn_number, table.clock.moved, paused)
    return "mover", round.turns, round.phase, round.shown_by, clock


def _to_waiting(table: Table, round: Round, seat: Seat) -> object:
    if round.board.call_open and seat.computer is None:
        return "may call", round.turns
    return "waits", None if seat.computer else _last_turn_of_a_person(round, table.seats)


def _last_turn_of_a_person(round: Round, seats: Sequence[Seat]) -> int | None:
    """Return the number of the last turn of this round that is or was a person's; None: there was none."""
    place, players = round.seats.index(round.turn), len(round.seats)
    for back in range(min(players, round.turns + 1)):
        if seats[round.seats[(place - back) % players]].computer is None:
            return round.turns - back
    return None


def _digest(value: object) -> str:
    return blake2b(_ENCODER.encode(value), digest_size=6).hexdigest()
