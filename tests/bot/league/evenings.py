"""A league of made-up people and its nights, as input for screens."""

from collections.abc import Sequence

from bot.league.apply import rebuilt
from bot.league.events import (
    CheckedIn,
    CheckInClosed,
    CheckInOpened,
    Ended,
    NightEvent,
    NightReply,
    Recorded,
    Replied,
    RoundEnded,
    RoundSeated,
    TilesPlayed,
    TilesRound,
)
from bot.league.model import Format, League, Member, NightRef, Schedule
from bot.league.night import Night
from bot.league.seasons import announcement

START = 1_772_730_000.0
"""Thursday, 5 March 2026, 20:00 in Istanbul."""

NIGHT = "abcde-202603052000"
KEY = bytes(32)
PLACE = "mem:hall"
NAMES = ("Ada", "Can", "Eve", "Bob", "Gül", "Han", "Ida", "Jon", "Kim")


def league(names: Sequence[str] = NAMES, **settings: object) -> League:
    """A league that meets every Thursday; its members are m1, m2, … in order."""
    return League(
        id="abcde",
        name="Thursday League",
        community=PLACE,
        places=(PLACE,),
        language="en",
        schedule=Schedule(start="2026-03-05T20:00", zone="Europe/Istanbul", rule="FREQ=WEEKLY"),
        format=Format(**settings),  # type: ignore[arg-type]
        members={
            f"m{n}": Member(id=f"m{n}", name=name, accounts=(f"mem:{name.lower()}",))
            for n, name in enumerate(names, start=1)
        },
        next_member=len(names) + 1,
        visibility="public",
    )


def announced(held: League) -> list[NightEvent]:
    return [announcement(held, NightRef(id=NIGHT, start=START, season=1), KEY)]


def replied(members: Sequence[str], reply: NightReply = "yes") -> list[NightEvent]:
    return [Replied(member=member, reply=reply, place=PLACE) for member in members]


def checked_in(members: Sequence[str]) -> list[NightEvent]:
    return [
        CheckInOpened(closes=START - 180),
        *(CheckedIn(member=member, place=PLACE) for member in members),
    ]


def seated(*tables: Sequence[str], byes: Sequence[str] = (), round: int = 1) -> list[NightEvent]:
    """The events of a round that begins with these tables."""
    soft = START + 1800.0
    return [
        RoundSeated(
            round=round,
            tables=tuple(map(tuple, tables)),
            byes=tuple(byes),
            soft_end=soft,
            hard_end=soft + 600,
        )
    ]


def played(round: int, table: int, members: Sequence[str], scores: Sequence[int]) -> list[NightEvent]:
    """The events of a table at which one round of tiles was played: the best score won it."""
    winner = max(range(len(scores)), key=lambda seat: scores[seat])
    tiles = TilesRound(players=tuple(members), changes=tuple(scores), winner=winner)
    return [TilesPlayed(round=round, table=table, tiles=(tiles,), scores=tuple(scores), over=True)]


def evening(held: League, *parts: Sequence[NightEvent]) -> Night:
    """The night of these events, a second apart."""
    events = [*announced(held), *(event for part in parts for event in part)]
    return rebuilt([Recorded(START + n, "", "", event) for n, event in enumerate(events)])


def whole_evening(held: League) -> Night:
    """Two tables, one round, played to the end."""
    one, other = ("m1", "m2", "m3", "m4"), ("m5", "m6", "m7", "m8")
    return evening(
        held,
        replied([*one, *other]),
        checked_in([*one, *other]),
        [CheckInClosed(playing=(*one, *other))],
        seated(one, other),
        played(1, 1, one, (10, 4, -2, 0)),
        played(1, 2, other, (3, 3, 8, -9)),
        [RoundEnded(round=1), Ended()],
    )
