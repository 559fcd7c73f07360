"""Revoking: what organisers did to a night, as its log tells, and how an act is taken back.

An act is an event for which a reason was given, or the end of a night whose season was put off. It can be
taken back as long as nothing later rests on it: then the night is rebuilt from its log without it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.errors import Refused
from bot.league import events
from bot.league.apply import rebuilt
from bot.league.decide import Happening
from bot.league.events import NightEvent, Recorded
from bot.league.night import Night
from bot.league.undoing import find_undoable

REOPENED_WITHIN: Final = 3600.0
"""Seconds in which the end of a night that had begun can be taken back: later, people have gone home."""

_OF_RESULTS: Final = (events.Corrected, events.Voided, events.Replayed, events.Decided)
_REVOCABLE: Final = (
    *(events.Penalised, events.Awarded, *_OF_RESULTS, events.Went, events.Extended),
    *(events.CheckInClosed, events.NightCancelled, events.Ended),
)
"""What can be taken back. The others have an act that does the opposite: going on after a pause, moving a
person or the night back."""

_WITH_LEAGUE: Final = (events.NightCancelled("paused"), events.NightCancelled("ended"))
"""What becomes of a night by an act on its league."""

_APART: Final = (
    *(events.Replied, events.Relocated, events.Penalised, events.Awarded),
    *(events.Unattended, events.Renumbered, events.MembersPlaced, events.Revoked),
)
"""Events that never rest on another one."""


@dataclass(frozen=True, slots=True)
class NightAct:
    """An organiser's act in a night's log."""

    number: int
    """From 1."""
    recorded: Recorded
    revoked_by: Recorded | None
    """The entry that took it back."""


def acts_of(log: Sequence[Recorded]) -> list[NightAct]:
    """Return what organisers did, in order."""
    taken_back = _find_revoked(log)
    return [
        NightAct(number, each, taken_back.get(number))
        for number, each in enumerate(log, start=1)
        if _is_act(each)
    ]


def is_revocable(event: NightEvent) -> bool:
    """Return whether an act of this kind can be taken back."""
    return isinstance(event, _REVOCABLE)


def _is_act(entry: Recorded) -> bool:
    """Return whether an organiser did it: a reason was given, or it followed from an act on the league."""
    if isinstance(entry.event, events.Revoked | events.Disputed):
        return False
    return bool(entry.why) or entry.event in _WITH_LEAGUE


def _find_revoked(log: Sequence[Recorded]) -> dict[int, Recorded]:
    """Return the entries that took another one back, by its number."""
    return {each.event.of: each for each in log if isinstance(each.event, events.Revoked)}


def _rests(event: NightEvent, act: NightEvent) -> bool:
    match act:
        case events.Penalised() | events.Awarded():
            return False
        case events.Corrected() | events.Voided() | events.Decided():
            return _is_at(event, act) and isinstance(event, (*_OF_RESULTS, events.Disputed))
        case events.Replayed():
            return _is_at(event, act) or isinstance(event, events.RoundEvent | events.Ended)
        case events.Went():
            return not isinstance(event, (*_APART, events.TilesPlayed, events.Disputed))
        case events.Extended():
            return isinstance(event, (events.RoundEvent, events.Ended, events.NightCancelled))
        case events.Ended() | events.NightCancelled():  # the last news of its tables come after it
            return not isinstance(event, (*_APART, events.TilesPlayed))
    return not isinstance(event, _APART)


def _is_at(event: NightEvent, act: NightEvent) -> bool:
    """Return whether an event is at the table of an act."""
    return (
        isinstance(event, events.TableEvent)
        and isinstance(act, events.TableEvent)
        and (event.round, event.table) == (act.round, act.table)
    )


def revoke(log: Sequence[Recorded], of: int, now: float) -> Happening:
    """Return the events that take an act back.

    Raises Refused `no_such_act`, `undone_already`, `act_rests` with the number of what rests on it,
    `act_began` when the time has passed.
    """
    act = find_undoable(
        log,
        of,
        is_undoable=lambda each: _is_act(each) and is_revocable(each.event),
        taken_back=_find_revoked(log),
        rests_on=lambda later, each: _rests(later.event, each.event),
    )
    revoked = events.Revoked(of)
    if not isinstance(act.event, events.NightCancelled | events.Ended):
        return (revoked,)
    before, after = rebuilt(log[: of - 1]), rebuilt([*log, Recorded(now, "", "", revoked)])
    if now > (act.at + REOPENED_WITHIN if before.rounds else before.start):
        raise Refused("act_began")
    goes_on = (events.WentOn(max(0.0, now - act.at)),) if before.rounds else ()
    return (revoked, *_open_again(before, after), *goes_on)


def _open_again(before: Night, night: Night) -> Happening:
    """Return the events by which the tables that were cut off in their first deal, when the night ended, are
    played after all."""
    if before.running is None or night.running is None:
        return ()
    number, tables = night.running.number, zip(before.running.tables, night.running.tables, strict=True)
    return tuple(
        events.Replayed(number, table.number) for was, table in tables if not (was.over or table.tiles)
    )
