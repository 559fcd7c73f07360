"""Live tables: the values with which an app draws a table by itself, tile by tile.

A screen carries one of these beside the text and the picture that a chat shows. Nothing but a hint is in a
language: tiles and seats have codes and numbers, which the app puts into its reader's words. `LiveTable` is
what everybody may know, `LiveRack` what one seat may know: unrelated types, like their screens.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

ActKind = Literal[
    "join",
    "sit",
    "leave",
    "computer",
    "fewer",
    "players",
    "level",
    "rules",
    "remove",
    "shuffle",
    "start",
    "hold",
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
    "meld",
    "put_down",
    "open_melds",
    "open_pairs",
    "lay",
    "reclaim",
    "give_back",
    "take_back",
    "declare",
    "call",
    "keep",
    "sort_melds",
    "sort_runs",
    "sort_pairs",
    "preferences",
    "step_out",
    "back_in",
    "practice_leave",
    "react",
    "number",
    "finish_best",
    "open_best",
    "lay_all",
]
"""The acts. `keep` and `put_down` have an argument after their press: a dot, then the tiles of the rack place
by place, or of the melds: a letter a tile (`a` is R1, `z` B13, `0` the false joker), a star before the face
that an okey stands for, and `-` for a gap. The argument of `react` is the kind of the reaction. The last four
are for players in a chat who get alerts only."""

Sure = Literal[
    "", "finish", "okey", "joker_discard", "playable_discard", "playable_called", "fined", "declare"
]
"""The reason for a question before an act; empty: no question."""


MatchEnding = Literal["", "abandoned", "stopped", "night_over"]
"""Why a match ended without a winner: everyone left, an organiser ended it, or its league's night is over."""


@dataclass(frozen=True, slots=True)
class Act:
    """An act that is possible now, and the press that carries it out."""

    kind: ActKind
    press: str = field(repr=False)
    tile: str = field(default="", repr=False)
    """The tile of the rack that it is about; for `lay`, the face as which it is laid."""
    on: int = -1
    """The seat that is chosen or whose discard is taken, the meld that gets a tile, or a number: of tiles
    taken back, of points or pairs that open, of a table's players, of a level from 0."""
    sure: Sure = ""
    wild: bool = False
    """Whether an okey is laid, as `tile`."""
    wins: bool = False
    """Of `finish`: whether it wins the round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSeat:
    """A seat as everybody sees it."""

    name: str
    """Empty for a free seat, in a lobby."""
    score: int
    computer: bool
    stand_in: bool
    host: bool
    tiles: int
    """The number of tiles on the rack."""
    discard: str
    """The top of the discard pile; empty: there is none."""
    shown: bool
    opened: str
    """Okey 101: the points or pairs of the opening: `118 melds`, `5 pairs`; empty: not opened."""
    declared: bool = False
    """Okey 101: whether it declared pairs."""
    fines: int
    reaction: str = ""
    """The kind of their last reaction; empty: there is none."""
    reacted: float = 0.0
    """The moment of that reaction: seconds since the epoch."""
    accuracy: int | None = None
    """How well they played the round that is over, in percent, if they have shown it to everybody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveMeld:
    """A meld on the table: its tiles, each with the face as which it is played."""

    by: int
    kind: str
    tiles: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class LiveHappening:
    """One thing that everybody saw in this round: see `bot.tables.table.Recent`."""

    kind: str
    seat: int
    tile: str = ""
    source: int = -1
    count: int = 0


@dataclass(frozen=True, slots=True)
class LiveFirstDraw:
    """A throw or a drawn tile that decided who starts the match."""

    seat: int
    die: int
    """0: a tile was drawn."""
    tile: str


@dataclass(frozen=True, slots=True)
class LiveRound:
    """The result of a round that is over."""

    winner: int | None
    changes: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveOutcome:
    """The end of a round."""

    kind: str
    winner: int | None
    how: tuple[str, ...]
    changes: tuple[int, ...]
    melds: tuple[tuple[tuple[str, str], ...], ...]
    """The winning arrangement, in the form of melds on the table."""
    finishing: str
    emote: str
    """The emote of a computer player that has won."""
    fines: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveTable:
    """A table as everybody sees it."""

    id: str
    version: int
    """The table's version: of two views of it the one with the higher is newer."""
    turns: int
    """Grows with every turn of the match."""
    moment: int
    """Differs from one move of the game to the next."""
    stage: str
    game: str
    preset: str
    rules: tuple[str, ...] = field(default=(), repr=False)
    """In a lobby: the rules in its reader's words, what differs from the preset in a line of its own."""
    clockwise: bool
    players: int
    teams: bool
    """Whether those who sit opposite each other are partners."""
    level: str
    """The level of the computer players in the lobby."""
    round: str
    """The round's number, such as `3` or `2/5`."""
    seats: tuple[LiveSeat, ...]
    turn: int | None
    phase: str
    indicator: str
    okey: str
    stock: int
    deadline: float | None
    """The moment when the clock acts: seconds since the epoch."""
    turn_seconds: int
    sources: tuple[int, ...]
    """The seats whose discard can be taken now."""
    melds: tuple[LiveMeld, ...]
    needed: tuple[int, int]
    """Okey 101: the points, and the pairs, needed to open now."""
    happened: tuple[LiveHappening, ...]
    """The last moves of the round, oldest first."""
    first: tuple[LiveFirstDraw, ...]
    """How the starting seat was found, before the first round."""
    outcome: LiveOutcome | None
    rounds: tuple[LiveRound, ...]
    """The rounds of the match that are over."""
    fewest_win: bool
    """Whether points are penalties."""
    winners: tuple[int, ...]
    ending: MatchEnding
    practice: bool
    hints: bool
    """Whether the player on turn gets advice."""
    acts: tuple[Act, ...]
    """The acts of the place's buttons: sit down, start, go on."""
    riziko: bool = False
    """Whether everything counts twice in this round."""
    factor: int = 1
    """What multiplies the changes by this round."""
    bowl: int = 0
    """The chips in the bowl."""
    chips: tuple[int, ...] = ()
    """Every seat's balance of chips; empty: the table has no bowl."""


@dataclass(frozen=True, slots=True)
class LiveHint:
    """The advice for a player on turn: a move, and its tile."""

    kind: str
    """The kind of an act, or `lay_off`."""
    tile: str
    missing: int | None
    """Classic Okey: the number of tiles then missing to finish."""
    move: str
    """The move in its reader's words, for an app that has no words of its own for it."""
    why: str
    """The reason in its reader's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveRack:
    """A table as one seat sees it."""

    table: LiveTable
    seat: int
    places: tuple[str, ...] = field(repr=False)
    """The tiles position by position, shelf after shelf; empty: a gap."""
    shelf: int
    """The number of positions on a shelf."""
    drawn: int = field(repr=False)
    """The position of the tile that was drawn or taken in this turn; -1: none was."""
    acts: tuple[Act, ...] = field(repr=False)
    refused: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The codes of the refusals that `draw`, `take` and `discard` would get now."""
    piles: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    """Every seat's discards, oldest first, for a seat that may look through them; empty for others."""
    wrap: bool
    """Whether a 1 may follow a 13."""
    hint: LiveHint | None = field(repr=False)
    own_pile: tuple[str, ...] = field(default=(), repr=False)
    """The seat's own discards, oldest first."""
    left_pile: tuple[str, ...] = field(default=(), repr=False)
    """The discards of the player before."""
    invitation: str = field(default="", repr=False)
    """The code that brings others to the table; empty: none has been made."""
    letters: bool = False
    """Whether tiles show their colour's letter."""
    contrast: bool = False
    """Whether tiles are drawn in a few strong colours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveChoice:
    """An answer to a puzzle, and the press that gives it; no press: it has been answered."""

    press: str = field(repr=False)
    tile: str
    """The tile that it is; empty: it is said in words."""
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LivePuzzle:
    """A rack and a question about it."""

    kind: str
    """`discard`: which tile of the rack? `finish`: which of others completes it? `open`: with what?"""
    title: str
    question: str
    """Both in their reader's words."""
    rack: tuple[str, ...]
    indicator: str
    okey: str
    choices: tuple[LiveChoice, ...]
    chosen: int = -1
    """The answer that was given, and the right one, by their numbers; -1: not answered."""
    best: int = -1


@dataclass(frozen=True, slots=True)
class LiveMove:
    """A move that is marked on a table that is looked at again."""

    kind: str
    """`draw`, `take`, or `tiles` for what is done with tiles of the rack."""
    tiles: tuple[str, ...] = ()
    on: int = -1
    """The seat whose discard is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveReplay:
    """A table at one moment of a round that is over, with every rack, which is secret no more."""

    table: LiveTable
    racks: tuple[tuple[str, ...], ...]
    seat: int = -1
    """The seat that it is about; -1: about none."""
    made: LiveMove | None = None
    best: LiveMove | None = None
    """What that seat did then, and the best that it could have done."""
