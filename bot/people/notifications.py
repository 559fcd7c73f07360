"""Notifications: when and how somebody hears that it is their turn. An edited message notifies nobody."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from bot.tables.clocks import warning_seconds
from bot.tables.table import Table

NotificationWay = Literal["away", "message", "mention", "none"]
WAYS: Final[tuple[NotificationWay, ...]] = ("away", "message", "mention", "none")

Call = Literal["message", "mention"]
"""A new private message with their rack, or their name in a line at the table's place."""

AWAY_SECONDS: Final = 20.0
"""Anyone who has pressed nothing for so long when their turn comes may be looking elsewhere."""

EAST_MOST: Final = 14 * 60
WEST_MOST: Final = -12 * 60
"""Minutes by which clocks anywhere differ from UTC's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notifying:
    """How a person wants to hear of their turn."""

    way: NotificationWay = "away"
    """`away`: a new private message when they may be looking elsewhere; `message`: one each turn;
    `mention`: in the place, when they may be looking elsewhere; `none`: never."""
    quiet: tuple[int, int] | None = None
    """Full hours of their own day, from and to, in which all is quiet; the second may be after midnight."""
    offset: int = 0
    """By how many minutes their clock is ahead of UTC's."""


DEFAULT: Final = Notifying()


def local_time(notifying: Notifying, now: float) -> datetime:
    """What a person's own clock shows at `now`, in seconds since the epoch."""
    return datetime.fromtimestamp(now, UTC) + timedelta(minutes=notifying.offset)


def is_quiet(notifying: Notifying, now: float) -> bool:
    """Whether it is one of a person's quiet hours."""
    if notifying.quiet is None:
        return False
    begin, end = notifying.quiet
    hour = local_time(notifying, now).hour
    return begin <= hour < end if begin <= end else hour >= begin or hour < end


def awaited(table: Table) -> int | None:
    """The seat of the person for whom everybody waits; None while a computer player is on turn."""
    turn = None if table.practice else table.turn
    return None if turn is None or table.seats[turn].computer is not None else turn


def is_silent(notifying: Notifying, now: float) -> bool:
    """Whether nothing is to make a sound for a person now."""
    return notifying.way == "none" or is_quiet(notifying, now)


def call_for(
    table: Table, seat: int, notifying: Notifying, *, began: float, now: float, in_sight: bool
) -> Call | None:
    """How the person on turn is to be called now, if at all.

    `began`: when there was reason to (see `occasion`); `in_sight`: whether they see their rack as soon as
    they open the chat.
    """
    if is_silent(notifying, now):
        return None
    if notifying.way == "message":
        return "message"
    if in_sight and not looks_away(table, seat, began):
        return None
    return "mention" if notifying.way == "mention" else "message"


def occasion(table: Table, deadline: float | None) -> float | None:
    """When the turn of whoever is on turn began, or their warning was given; None while no clock runs."""
    if deadline is None:
        return None
    warning = warning_seconds(table.turn_seconds)
    return deadline - (warning if table.warned == table.turn_number else table.turn_seconds - warning)


def looks_away(table: Table, seat: int, began: float) -> bool:
    """Whether a person had pressed nothing for some time when their turn began or they were warned."""
    least = AWAY_SECONDS
    if table.warned == table.turn_number:
        least = min(least, warning_seconds(table.turn_seconds))
    return began - table.seats[seat].seen >= least


def ping_revision(table: Table) -> int:
    """Grows with every occasion to call somebody: their turn, and the warning that it ends."""
    return 2 * table.turn_number + (table.warned == table.turn_number)
