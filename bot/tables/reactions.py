"""Reactions: emotes that players show at their seats for a moment. Only the app shows them.

They are kept with the seat, like the order of its rack, and are worth no edit: no chat edits a message for
one. The seat keeps a minute of them, so that the limit holds whichever process is asked, and a press that is
delivered twice counts once.
"""

from typing import Final

from bot.errors import Refused
from bot.tables.table import REACTION_KINDS, Change, Reaction, Table

PAUSE_SECONDS: Final = 3.0
"""The least seconds between two reactions of a player; an app shows each for as long."""

MOST: Final = 5
MOST_SECONDS: Final = 60.0
"""The most reactions of a player within this many seconds."""


def are_possible(table: Table) -> bool:
    """Return whether players may react: never in leagues, nor in practice, where nobody would see it."""
    return table.night is None and not table.practice and table.stage in ("playing", "between", "over")


def react(table: Table, seat: int, kind: str, now: float) -> Change:
    """Show a reaction at a seat. Refused: `no_reactions`, `unknown_button`, `many_reactions`.

    `now` is the store's clock, in seconds since the epoch.
    """
    if not are_possible(table):
        raise Refused("no_reactions")
    known = next((each for each in REACTION_KINDS if each == kind), None)
    if known is None:
        raise Refused("unknown_button")
    recent = [each for each in table.seats[seat].reactions if each.at > now - MOST_SECONDS]
    if len(recent) >= MOST or any(each.at > now - PAUSE_SECONDS for each in recent):
        raise Refused("many_reactions")
    return Change(table.with_seat(seat, reactions=(*recent, Reaction(known, now))))
