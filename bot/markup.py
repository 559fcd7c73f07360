"""Markup: text, tiles, buttons and pictures as values.

Adapters turn these values into messages of their platform; nothing here knows one.
`PublicScreen` and `SeatScreen` are unrelated types on purpose: whoever sends to a channel takes a
`PublicScreen`, so a type checker refuses a rack there.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

from bot.live import LiveRack, LiveTable

COLOUR_SIGNS: Final = {"R": "🔴", "Y": "⭐", "B": "🔷", "K": "⬛"}
"""The tiles' colours, by their letters, where only characters can be shown: four shapes as well."""
JOKER_SIGN: Final = "🃏"


@dataclass(frozen=True, slots=True)
class Strong:
    """Words to stand out."""

    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """What a person calls themself: hostile until escaped; already cleaned and cut to 32 characters."""

    text: str
    strong: bool = False
    """Whether it stands out."""


@dataclass(frozen=True, slots=True)
class TileMark:
    """A tile inside text or on a button.

    `code` is its FORMATS name (`R4`, `F`), `wild` whether it is an okey of this round.
    """

    code: str
    wild: bool = False
    letter: bool = False
    """Whether the colour's letter is said beside its sign."""

    @property
    def signs(self) -> str:
        """Its colour's sign and its number, where only characters can be shown."""
        if self.code == "F":
            return JOKER_SIGN
        colour, number = self.code[0], self.code[1:]
        return f"{COLOUR_SIGNS[colour]}{colour if self.letter else ''}{number}"


@dataclass(frozen=True, slots=True)
class Clock:
    """A moment to count down to, in seconds since the epoch: shown live where a platform can."""

    at: float


@dataclass(frozen=True, slots=True)
class Moment:
    """A date and time, in seconds since the epoch: shown in each reader's own time where a platform can."""

    at: float
    words: str
    """The same in the time of where it happens, with the offset: for everywhere else."""
    strong: bool = False
    """Whether it stands out."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link with its words."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Typed:
    """A command to be typed. A chat that does not take lines writes it in its own way."""

    line: str
    """As it is typed where people type lines: `/okey join KM7-4RT`."""
    command: str
    """Its name, as of `bot.commands`."""
    arguments: tuple[tuple[str, str], ...]
    """Names and values."""
    language: str


def isolated(words: str) -> str:
    """Words set apart, so that what is written from right to left cannot turn its neighbours round."""
    return f"\u2068{words}\u2069"


Part = str | Strong | Name | TileMark | Clock | Moment | Link | Typed
Text = tuple[Part, ...]
"""Read in order; line breaks are `\\n` inside plain strings."""


def stands_out(part: Part) -> bool:
    """Whether a part is to be shown in bold."""
    return isinstance(part, Strong) or (isinstance(part, Name | Moment) and part.strong)


Style = Literal["plain", "primary", "good", "danger"]


@dataclass(frozen=True, slots=True)
class Button:
    """A button. `press` (1 to 64 bytes of ASCII) carries its whole meaning and survives a restart."""

    label: tuple[str | TileMark, ...]
    press: str
    style: Style = "plain"
    app: str = ""
    """The table that it opens as an app, for chats that do so by an address; the others hear of the press."""


Row = tuple[Button, ...]
"""Buttons that belong together. A screen may hold a row longer than a platform allows: the adapter
folds it, keeping the order."""


def folded_evenly(row: Row, most: int) -> list[Row]:
    """Rows of nearly equal length, at most `most` each: so that no button stands alone, six of five are
    three and three."""
    count = -(-len(row) // most)
    short, longer = divmod(len(row), count) if count else (0, 0)
    bounds = [number * short + min(number, longer) for number in range(count + 1)]
    return [row[start:end] for start, end in pairwise(bounds)]


@dataclass(frozen=True, slots=True)
class TileFace:
    """A tile as drawn: its FORMATS code, whether it is an okey, whether it is pointed out."""

    code: str
    wild: bool = False
    marked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RackPicture:
    """A player's rack: shelves from top to bottom, left to right, None for a gap."""

    shelves: tuple[tuple[TileFace | None, ...], ...] = field(repr=False)
    indicator: TileFace
    okey: TileFace
    captions: tuple[str, str]
    """The words for indicator and okey, in the reader's language."""
    letters: bool = False
    """Write the colour's letter beside its shape."""
    contrast: bool = False
    """Draw it in black, white and few strong colours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnSeat:
    """One seat round the table."""

    name: str
    score: int
    on_turn: bool
    computer: bool
    top: TileFace | None
    """The top of their discard pile."""
    shown: bool
    """Whether they have shown the indicator's twin in this round."""
    note: str = ""
    """Okey 101: with what they opened, such as `118`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePicture:
    """The table: what everybody may see."""

    seats: tuple[DrawnSeat, ...]
    """In order of play; the first is drawn at the bottom."""
    clockwise: bool
    indicator: TileFace
    okey: TileFace
    stock_left: int
    title: str
    """Such as `Round 3`."""
    captions: tuple[str, str, str]
    """The words for indicator, okey and stock."""
    melds: tuple[tuple[TileFace, ...], ...] | None = None
    """Okey 101: every meld on the table, numbered from 1; an okey as the tile it stands for. None for a
    classic table."""
    level: str = ""
    """What opening takes, where that rises."""
    letters: bool = False
    contrast: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A seat's line in a result."""

    name: str
    change: int
    score: int
    winner: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPicture:
    """A round's or a match's result with the winning arrangement."""

    title: str
    melds: tuple[tuple[TileFace, ...], ...]
    """Empty when nobody won."""
    finishing: TileFace | None
    rows: tuple[ResultRow, ...]
    letters: bool = False
    contrast: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPicture:
    """The table at one step of a round that is over, and everybody's rack, which is no secret any more."""

    table: TablePicture
    racks: tuple[tuple[TileFace, ...], ...]
    """In the order of the table's seats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPicture:
    """What tiles make: examples of a set, a run, a pair, the indicator and the okey, with their names."""

    examples: tuple[tuple[str, tuple[TileFace, ...]], ...]
    """At most six, of at most five tiles each; two stand side by side."""
    letters: bool = False
    contrast: bool = False


@dataclass(frozen=True, slots=True)
class PuzzlePicture:
    """The rack of a puzzle: nobody plays with it, so everybody may see it."""

    rack: RackPicture


@dataclass(frozen=True, slots=True)
class FiguresSection:
    """Lines under a heading: what each is about, and its figure."""

    title: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FiguresPicture:
    """Standings and statistics."""

    title: str
    sections: tuple[FiguresSection, ...]
    contrast: bool = False


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A line of a standing."""

    rank: str
    name: str
    detail: str
    """Such as `5 nights, 2 dropped`."""
    points: str
    first: bool = False
    """Whether they lead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsPicture:
    """Who stands where after a night, or in a season."""

    title: str
    subtitle: str
    rows: tuple[StandingRow, ...]
    """At most 20: a phone shows them at once."""
    more: str = ""
    """What is said of those who do not fit."""
    contrast: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePicture:
    """How a figure went, from left to right at even distances."""

    title: str
    values: tuple[float, ...]
    """At least two."""
    marks: tuple[tuple[str, float], ...]
    """Words for levels, written at the side."""
    captions: tuple[str, str]
    """Below the first and the last value."""
    highlights: tuple[int, ...] = ()
    """The values that are pointed out, counted from 0."""
    contrast: bool = False


PagePicture = (
    TablePicture
    | ResultPicture
    | ReplayPicture
    | PuzzlePicture
    | RulesPicture
    | FiguresPicture
    | StandingsPicture
    | CurvePicture
)
Picture = RackPicture | PagePicture


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file to keep."""

    name: str
    """Letters, digits, `-` and one dot: good on every system."""
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Series:
    """Which of several pages one is, for an app in which people slide through them."""

    press: str
    """With a dot and a number from 0 behind it, asks for another."""
    at: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Something to read for the one who asked: what any reader of it may know, so it holds no rack that
    is still being played. It belongs to no revision and is never brought up to date."""

    text: Text
    picture: PagePicture | None = None
    alt: str = ""
    buttons: tuple[Row, ...] = ()
    file: Attachment | None = None
    """Comes instead of a picture."""
    turns: bool = False
    """Whether it takes the place of the page whose button was pressed."""
    series: Series | None = None
    """None: it stands alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicScreen:
    """What everybody in a place sees of a table, of a league's night, or of a day's rack."""

    table: str
    revision: int
    """Grows with every change that the place must see; equal revisions are equal screens."""
    text: Text
    picture: TablePicture | ResultPicture | StandingsPicture | PuzzlePicture | None
    alt: str
    """The whole picture in words, at most 1000 characters."""
    buttons: tuple[Row, ...]
    over: bool = False
    """Whether nothing more will be played at the table."""
    live: LiveTable | None = None
    """The same for an app that draws tables by itself; a night or a day's rack has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatScreen:
    """What one seated person sees, and nobody else: no log and no traceback either."""

    table: str
    revision: int
    text: Text = field(repr=False)
    picture: RackPicture | ResultPicture | None = field(repr=False)
    """A result ends a practice round, which has no place that could show it."""
    alt: str = field(repr=False)
    brief: str = field(repr=False)
    """The rack and what is to be done, in at most 190 characters, where only an alert reaches them."""
    buttons: tuple[Row, ...] = field(repr=False)
    live: LiveRack | None = field(default=None, repr=False)
    """The same for an app that draws racks by itself; who was removed has none."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One field of a table."""

    text: Text
    way: str = ""
    """Where it leads, as of the page's root: `night/k7xq3-202603052000`; empty: nowhere."""
    dropped: bool = False
    """Whether it is shown though it does not count."""


@dataclass(frozen=True, slots=True)
class Column:
    """What a table's column is about."""

    title: str
    figures: bool = False
    """Whether it holds numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table. Each row has a cell for each column; its second one says whom or what it is about."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Something under a heading. Lines first, then the table."""

    title: str
    lines: tuple[Text, ...] = ()
    grid: Grid | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A page."""

    title: str
    lines: tuple[Text, ...] = ()
    """Under the title."""
    picture: ReplayPicture | None = None
    alt: str = ""
    sections: tuple[Section, ...] = ()
    ways: tuple[Cell, ...] = ()
    """To other pages and files; one without a way is where one is."""


@dataclass(frozen=True, slots=True)
class WallTable:
    """A table among others, as everybody sees it."""

    screen: PublicScreen
    replay: str = ""
    """The path of the replay of its last round; empty: none is over."""


@dataclass(frozen=True, slots=True)
class Wall:
    """The tables of a night, shown together."""

    title: str
    tables: tuple[WallTable, ...]
