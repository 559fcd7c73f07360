"""A table that does not come to its own end: who runs the place ends it, or sends somebody away."""

from dataclasses import replace

from bot.errors import Refused
from bot.tables import lobby, play
from bot.tables.table import Change, Table
from engine.match import broken_off


def stopped(table: Table) -> Change:
    """The table ended with its standing; a round that is being played counts for nobody.

    Refused: `match_over`.
    """
    match table.stage:
        case "lobby":
            return lobby.closed(table)
        case "playing":
            seats = tuple(replace(seat, shelves=((), ()), draft=()) for seat in table.seats)
            return _over(replace(table, match=broken_off(table.match), seats=seats))
        case "between":
            return _over(table)
    raise Refused("match_over")


def _over(table: Table) -> Change:
    seats = tuple(replace(seat, revision=seat.revision + 1) for seat in table.seats)
    after = replace(table, stage="over", stopped=True, seats=seats, game_revision=table.game_revision + 1)
    return Change(replace(after, round_revision=after.revision + 1).touched(), due=play.OVER_SECONDS)
