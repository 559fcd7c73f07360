"""What happens in a round, as what a table remembers of it."""

from bot.tables.table import Recent
from engine.events import (
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
    Shown,
    Took,
    TookBack,
)


def seen(happened: tuple[Event, ...]) -> tuple[Recent, ...]:
    """What everybody saw. How a round or match ended is told by its result instead."""
    told = (_seen(event) for event in happened)
    return tuple(recent for recent in told if recent is not None)


def _seen(event: Event) -> Recent | None:
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
        case _:
            return _seen_of_101(event)


def _seen_of_101(event: Event) -> Recent | None:
    match event:
        case Returned(seat, source, tile):
            return Recent("gave_back", seat, tile, source)
        case Opened(seat, "melds", worth):
            return Recent("opened_melds", seat, count=worth)
        case Opened(seat, _, worth):
            return Recent("opened_pairs", seat, count=worth)
        case MeldLaid(seat):
            return Recent("melded", seat)
        case LaidOff(seat, played, on):
            return Recent("laid_off", seat, played.tile, count=on + 1)
        case Reclaimed(seat, tile, on):
            return Recent("reclaimed", seat, tile, count=on + 1)
        case TookBack(seat, tiles):
            return Recent("took_back", seat, count=len(tiles))
        case Fined(seat, reason):
            return Recent("fined", seat, reason=reason)
        case _:
            return None


def opened_with(openings: tuple[int, ...], happened: tuple[Event, ...]) -> tuple[int, ...]:
    """What each seat opened with, after this."""
    for event in happened:
        if isinstance(event, Opened):
            openings = (*openings[: event.seat], event.worth, *openings[event.seat + 1 :])
    return openings
