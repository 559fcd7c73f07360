"""How a match's first dealer was found, and who sits where since (RULES 2, `first_dealer`)."""

from dataclasses import replace

from bot.tables.model import FirstDraw, Table
from engine.events import DiceThrown, Event, SeatsDrawn


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
