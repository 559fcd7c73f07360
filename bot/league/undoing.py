"""Undoing: which act in a log can be taken back, the same for a league's log and a night's.

An act is never deleted: one more entry names the act that it takes back. That is possible as long as nothing
later rests on it.
"""

from collections.abc import Callable, Container, Sequence
from typing import TypeVar

from bot.errors import Refused

E = TypeVar("E")


def find_undoable(
    log: Sequence[E],
    of: int,
    *,
    is_undoable: Callable[[E], bool],
    taken_back: Container[int],
    rests_on: Callable[[E, E], bool],
) -> E:
    """Return the entry of a number, from 1, if it can be taken back. `taken_back` are the numbers of those
    that were; `rests_on` tells whether a later entry rests on an earlier one.

    Raises Refused `no_such_act`, `undone_already`, `act_rests` with the number of the first that rests on it.
    """
    if not 1 <= of <= len(log) or not is_undoable(log[of - 1]):
        raise Refused("no_such_act")
    if of in taken_back:
        raise Refused("undone_already")
    act = log[of - 1]
    for number, later in enumerate(log[of:], start=of + 1):
        if number not in taken_back and rests_on(later, act):
            raise Refused("act_rests", number=number)
    return act
