"""Live tables: what an app draws of a table by itself, tile by tile, as plain values.

Beside the text and the picture that a chat shows, a screen carries one of these. Nothing in it is in a
language: tiles and seats have their codes and numbers, and the app says them in its reader's words.
`LiveTable` is what everybody may know, `LiveRack` what one seat may know: unrelated types, as their screens.
"""

from dataclasses import dataclass, field
from typing import Literal

ActKind = Literal[
    "join",
    "leave",
    "computer",
    "fewer",
    "players",
    "level",
    "rules",
    "remove",
    "start",
    "cancel",
    "next",
    "again",
    "replay",
    "review",
    "draw",
    "take",
    "show",
    "discard",
    "finish",
    "put_down",
    "open_melds",
    "open_pairs",
    "lay",
    "reclaim",
    "give_back",
    "take_back",
    "keep",
    "sort_melds",
    "sort_runs",
    "sort_pairs",
    "preferences",
    "step_out",
    "back_in",
    "practice_leave",
]
"""What can be done. `keep` and `put_down` take what they are about behind their press: a dot, then the tiles
of the rack place by place, or of the melds: a letter a tile (`a` is R1, `z` B13, `0` the false joker), a star
before the face that an okey stands for, and `-` for a gap."""

Sure = Literal["", "finish", "okey", "joker_discard", "playable_discard", "fined"]
"""Why somebody is asked once more before an act; empty: they are not."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something that can be done now, and the press that does it."""

    kind: ActKind
    press: str = field(repr=False)
    tile: str = field(default="", repr=False)
    """The tile of the rack that it is about; of `lay`, the face that it is laid as."""
    on: int = -1
    """The seat whose discard is taken, the meld that is laid on, how many are taken back."""
    sure: Sure = ""
    wild: bool = False
    """Whether an okey is laid, as `tile`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSeat:
    """A seat, as everybody sees it."""

    name: str
    score: int
    computer: bool
    face: str
    """A computer player's own; empty for everybody else."""
    stand_in: bool
    host: bool
    tiles: int
    """How many are on the rack."""
    discard: str
    """The top of the discard pile; empty: there is none."""
    shown: bool
    opened: str
    """Okey 101: with how many points or pairs, and which: `118 melds`, `5 pairs`."""
    fines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveMeld:
    """A meld on the table: its tiles, each with the face that it is played as."""

    by: int
    kind: str
    tiles: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveOutcome:
    """How a round ended."""

    kind: str
    winner: int | None
    how: tuple[str, ...]
    changes: tuple[int, ...]
    melds: tuple[tuple[tuple[str, str], ...], ...]
    """The winning arrangement, as on the table."""
    finishing: str
    emote: str
    """How a computer player looks that has won."""
    fines: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveTable:
    """A table, as everybody sees it."""

    id: str
    revision: int
    """Of the public screen."""
    moves: int
    """Counts what changed the game: of two views of a table the one with more is newer."""
    stage: str
    game: str
    preset: str
    clockwise: bool
    players: int
    level: str
    """Of the computer players that are seated in the lobby."""
    round: str
    """Such as `3`, or `2/5`."""
    seats: tuple[LiveSeat, ...]
    turn: int | None
    phase: str
    indicator: str
    okey: str
    stock: int
    deadline: float | None
    """When the clock acts: seconds since the epoch."""
    turn_seconds: int
    sources: tuple[int, ...]
    """The seats whose discard can be taken now."""
    melds: tuple[LiveMeld, ...]
    needed: tuple[int, int]
    """Okey 101: the points, and the pairs, that open now."""
    outcome: LiveOutcome | None
    winners: tuple[int, ...]
    practice: bool
    acts: tuple[Act, ...]
    """What the place's buttons do: sit down, begin, go on."""


@dataclass(frozen=True, slots=True)
class LiveHint:
    """The advice of a practice round: a move, its tile, and how many are then missing to finish."""

    kind: str
    tile: str
    missing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRack:
    """A table, as one seat sees it."""

    table: LiveTable
    seat: int
    places: tuple[str, ...] = field(repr=False)
    """The tiles place by place, shelf after shelf; empty: a gap."""
    shelf: int
    """How many places a shelf has."""
    drawn: int = field(repr=False)
    """The place of the tile that was drawn or taken in this turn; -1: none was."""
    acts: tuple[Act, ...] = field(repr=False)
    wrap: bool
    """Whether a 1 may stand behind a 13."""
    hint: LiveHint | None = field(repr=False)
    invitation: str = field(default="", repr=False)
    """The code that brings others to the table; empty: none has been given."""
    letters: bool = False
    """Whether tiles show their colour's letter."""
    contrast: bool = False
    """Whether tiles are drawn in few strong colours."""
