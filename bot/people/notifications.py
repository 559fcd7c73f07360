"""Notifications: when and how a person hears that it is their turn. An edited message notifies nobody."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from bot.tables.clocks import warning_seconds
from bot.tables.table import Table

NotificationWay = Literal["away", "message", "mention", "none"]
WAYS: Final[tuple[NotificationWay, ...]] = ("away", "message", "mention", "none")

TurnCall = Literal["message", "mention"]
"""A new private message with their rack, or a mention in a line at the table's place."""

AWAY_SECONDS: Final = 20.0
"""Seconds without a press after which a person may be looking elsewhere when their turn comes."""

EAST_MOST: Final = 14 * 60
WEST_MOST: Final = -12 * 60
"""The limits of the world's UTC offsets, in minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notifying:
    """A person's choice of notifications."""

    way: NotificationWay = "away"
    """`away`: a new private message when they may be looking elsewhere; `message`: one each turn;
    `mention`: in the place, when they may be looking elsewhere; `none`: never."""
    quiet: tuple[int, int] | None = None
    """Full hours of their own day, from and to, without notifications. The second may be after midnight."""
    offset: int = 0
    """Minutes by which their clock is ahead of UTC."""


DEFAULT: Final = Notifying()


def local_time(notifying: Notifying, now: float) -> datetime:
    """Return a person's local time at `now`, in seconds since the epoch."""
    return datetime.fromtimestamp(now, UTC) + timedelta(minutes=notifying.offset)


def is_quiet(notifying: Notifying, now: float) -> bool:
    """Return whether it is one of a person's quiet hours."""
    if notifying.quiet is None:
        return False
    begin, end = notifying.quiet
    hour = local_time(notifying, now).hour
    return begin <= hour < end if begin <= end else hour >= begin or hour < end


def find_awaited(table: Table) -> int | None:
    """Return the seat of the person who is to move; None while a computer player is on turn."""
    turn = None if table.practice else table.turn
    return None if turn is None or table.seats[turn].computer is not None else turn


def is_silent(notifying: Notifying, now: float) -> bool:
    """Return whether notifications to a person make no sound now."""
    return notifying.way == "none" or is_quiet(notifying, now)


def call_for(
    table: Table, seat: int, notifying: Notifying, *, began: float, now: float, in_sight: bool
) -> TurnCall | None:
    """Return the call that the player on turn gets now; None: none.

    `began`: the time of the reason (see `occasion`); `in_sight`: whether they see their rack as soon as they
    open the chat.
    """
    if is_silent(notifying, now):
        return None
    if notifying.way == "message":
        return "message"
    if in_sight and not looks_away(table, seat, began):
        return None
    return "mention" if notifying.way == "mention" else "message"


def occasion(table: Table, deadline: float | None) -> float | None:
    """Return the time when the current turn began, or its warning was given; None while no clock runs."""
    if deadline is None:
        return None
    warning = warning_seconds(table.clock.turn_seconds)
    return deadline - (
        warning if table.clock.warned == table.turn_number else table.clock.turn_seconds - warning
    )


def looks_away(table: Table, seat: int, began: float) -> bool:
    """Return whether a person had pressed nothing for some time when their turn or its warning came."""
    least = AWAY_SECONDS
    if table.clock.warned == table.turn_number:
        least = min(least, warning_seconds(table.clock.turn_seconds))
    return began - table.seats[seat].seen >= least


def call_number(table: Table) -> int:
    """Return a number that grows with every reason to call somebody: a turn, and the warning that it ends."""
    return 2 * table.turn_number + (table.clock.warned == table.turn_number)
