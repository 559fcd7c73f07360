"""The plan of a season: who comes to which night, and what goes wrong there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

Moment = Literal["end", "check-in opens", "check-in", "seating", "in round", "round end", "break"]
"""The moment of a kill. `end` is right after a night's last table, when the next night is announced."""

Deed = Literal[
    "late",
    "leaver",
    "no-show",
    "forgetful",
    "dispute",
    "correction",
    "penalty",
    "void",
    "pause",
    "reminders",
    "partners",
]


@dataclass(frozen=True)
class Plan:
    """The plan of one night. People who come late or as substitutes are in addition to those in time."""

    coming: int
    kills: tuple[Moment, ...] = ()
    deeds: tuple[Deed, ...] = ()
    then: Literal["", "skip", "move"] = ""
    """The change to the next night before it is played."""


FULL: Final[Sequence[Plan]] = (
    Plan(22, ("check-in opens", "round end"), ("late", "dispute", "reminders")),
    Plan(37, ("seating", "in round"), ("no-show", "forgetful", "correction")),
    Plan(5, ("end", "break"), ("late", "penalty"), then="skip"),
    Plan(30, ("check-in", "round end"), ("leaver", "void", "reminders")),
    Plan(6, ("in round", "end"), ("dispute", "correction", "penalty")),
    Plan(26, ("seating", "break"), ("late", "no-show", "pause"), then="move"),
    Plan(7, ("check-in opens", "in round"), ("leaver", "late")),
    Plan(9, ("check-in", "end"), ("forgetful", "dispute", "reminders")),
)
"""Eight nights. The clocks change between the fifth and the sixth, if the fourth Thursday is skipped."""

SHORT: Final[Sequence[Plan]] = (
    Plan(7, ("check-in", "round end"), ("late", "dispute", "correction", "reminders"), then="skip"),
    Plan(9, ("seating", "end"), ("leaver", "penalty")),
    Plan(5, ("in round", "break"), ("no-show", "forgetful")),
)
