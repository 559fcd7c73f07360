"""Hands: rounds of a seeded match, state by state, as the program plays them."""

import random
from collections.abc import Iterator
from typing import Final

from bot.i18n import words_for
from bot.markup import PublicScreen, SeatScreen
from bot.screens.player import rack_screen
from bot.screens.table import public_screen
from bot.tables import lobby, play, racks
from bot.tables.facts import rack_facts, table_facts
from bot.tables.table import Seat, Table
from engine.games import game_of
from engine.moves import Move
from engine.players import choose
from engine.round import legal_moves
from engine.rules import rules_from
from engine.view import seat_view

ADA: Final = 0
"""The seat from which everything is seen."""

DELAYS: Final = play.Delays(computer=1.0, next_round=20.0)
_NAMES: Final = ("Ada", "Can", "Ece")
TURN_ENDS: Final = 43.0


def states(preset: str, seed: int) -> Iterator[Table]:
    """A table from its lobby to the end of its first round, after every move."""
    return (table for table, _ in moves(preset, seed))


def moves(preset: str, seed: int) -> Iterator[tuple[Table, tuple[int, Move] | None]]:
    """The same, with the seat that has just moved and its move."""
    chance = random.Random(seed)
    seats = [Seat(person=f"tg:{number}", name=name) for number, name in enumerate(_NAMES, 1)]
    table = lobby.open_table(
        table_id="k7xq3m",
        place="tg:-1",
        host=seats[0],
        rules=rules_from({"preset": preset}),
        language="en",
        turn_seconds=60,
        secret=chance.randbytes(64),
        now=0.0,
    ).table
    for seat in seats[1:]:
        table = lobby.join(table, seat).table
    yield table, None
    by: tuple[int, Move] | None = None
    table = play.start(table, "tg:1", DELAYS).table
    while table.stage == "playing":
        yield table, by
        round = table.match.round
        assert round is not None
        rules, turn = table.match.rules, round.turn
        legal = legal_moves(rules, round, turn)
        move = choose("steady", rules, seat_view(table.match, turn), legal, chance.randbytes(32))
        by = (turn, move)
        table = play.move(table, turn, move, DELAYS, lambda: chance.randbytes(64)).table
    yield table, by


def on_turn(table: Table) -> bool:
    """Return whether Ada has to act."""
    round = table.match.round
    return table.stage == "playing" and round is not None and round.turn == ADA


def has_drawn(table: Table) -> bool:
    """Return whether Ada holds the tile that she has drawn."""
    round = table.match.round
    return on_turn(table) and round is not None and round.phase == "discard"


def sorted_by_runs(table: Table) -> Table:
    """The table after Ada pressed *⇅ Runs*."""
    round = table.match.round
    assert round is not None
    most = game_of(table.match.rules).shelf_size
    return table.with_seat(ADA, shelves=racks.by_runs(round.racks[ADA], round.okey, most))


def shown(table: Table, language: str = "en") -> PublicScreen:
    """What the group sees."""
    return public_screen(table_facts(table, TURN_ENDS), words_for(language))


def rack(table: Table, language: str = "en") -> SeatScreen:
    """What Ada sees."""
    return rack_screen(rack_facts(table, ADA, TURN_ENDS, None), words_for(language))
