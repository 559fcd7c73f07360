"""Reviews at a table: the accuracy that players have chosen to show to everybody, beside a round's result."""

from bot.tables.table import Change, SharedAccuracy, Table


def can_share(table: Table, seat: int, round: int) -> bool:
    """Return whether a seat can show how it played a round: the last one, until the next begins, unless a
    computer player played its end."""
    shown = table.stage in ("between", "over") and round == table.match.round_number
    away = any(seat in each.result.away for each in table.news.ended if each.result and each.number == round)
    return shown and not away and bool(table.places) and find_shared(table, seat) is None


def share(table: Table, seat: int, round: int, percent: int) -> Change | None:
    """Show everybody a seat's accuracy in a round; None when it cannot be shown or already is."""
    if not can_share(table, seat, round):
        return None
    return Change(table.with_seat(seat, shared=SharedAccuracy(round, percent)))


def find_shared(table: Table, seat: int) -> int | None:
    """Return the accuracy in percent that a seat has shown in the round whose result is to be seen."""
    shared = table.seats[seat].shared
    current = shared is not None and shared.round == table.match.round_number and table.stage != "playing"
    return shared.percent if shared is not None and current else None
