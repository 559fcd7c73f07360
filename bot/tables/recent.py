"""Happenings: what a table remembers of what its players saw, made from the engine's events."""

from msgspec.structs import replace

from bot.tables.table import FirstDraw, Recent, Table
from engine.events import (
    Called,
    Declared,
    DiceThrown,
    Discarded,
    Drew,
    Event,
    Fined,
    Finished,
    LaidOff,
    MeldLaid,
    Opened,
    Reclaimed,
    Returned,
    SeatsDrawn,
    Shown,
    Took,
    TookBack,
)


def list_public(happened: tuple[Event, ...]) -> tuple[Recent, ...]:
    """Return the events that everybody saw. The end of a round or match is told by its result instead."""
    return tuple(recent for event in happened if (recent := _is_public(event)) is not None)


def find_openings(openings: tuple[int, ...], happened: tuple[Event, ...]) -> tuple[int, ...]:
    """Return the worth of each seat's opening, after these events."""
    for event in happened:
        if isinstance(event, Opened):
            openings = (*openings[: event.seat], event.worth, *openings[event.seat + 1 :])
    return openings


def reseat(table: Table, happened: tuple[Event, ...]) -> Table:
    """Return the table with its people on the seats that they drew."""
    for event in happened:
        if isinstance(event, SeatsDrawn):
            return replace(table, seats=tuple(table.seats[old] for old in event.order))
    return table


def first_draws(happened: tuple[Event, ...]) -> tuple[FirstDraw, ...]:
    """Return everybody's throws or draws for the start, in order, by the seats as they are now."""
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


def _is_public(event: Event) -> Recent | None:
    match event:
        case Shown(seat):
            return Recent("shown", seat)
        case Drew(seat):
            return Recent("drew", seat)
        case Took(seat, source, tile):
            return Recent("took", seat, tile, source)
        case Discarded(seat, tile):
            return Recent("discarded", seat, tile)
        case Finished(seat, tile):
            return Recent("finished", seat, tile)
        case Returned(seat, source, tile):
            return Recent("gave_back", seat, tile, source)
        case Opened(seat, way, worth):
            return Recent("opened_melds" if way == "melds" else "opened_pairs", seat, count=worth)
        case MeldLaid(seat):
            return Recent("melded", seat)
        case LaidOff(seat, played, on):
            return Recent("laid_off", seat, played.tile, count=on + 1)
        case Reclaimed(seat, tile, on):
            return Recent("reclaimed", seat, tile, count=on + 1)
        case TookBack(seat, tiles):
            return Recent("took_back", seat, count=len(tiles))
        case Declared(seat):
            return Recent("declared", seat)
        case Called(seat, discarder, tile, right):
            return Recent("called" if right else "called_wrong", seat, tile, discarder)
        case Fined(seat, reason):
            return Recent("fined", seat, reason=reason)
    return None
