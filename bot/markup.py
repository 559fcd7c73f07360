"""Markup: text, tiles, buttons and pictures as values.

Adapters turn these values into messages of their platform. Nothing here knows a platform. `PublicScreen` and
`SeatScreen` are unrelated types on purpose: a function that sends to a channel takes a `PublicScreen`, so a
type checker refuses a rack there.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal, TypeVar

from msgspec import Struct

from bot.live import LivePuzzle, LiveRack, LiveReplay, LiveTable

T = TypeVar("T")

COLOUR_SIGNS: Final = {"R": "🔴", "Y": "⭐", "B": "🔷", "K": "⬛"}
"""The signs of the tiles' colours, by letter, for text. Their shapes differ as well."""
JOKER_SIGN: Final = "🃏"
OKEY_SIGN: Final = "👑"
"""Stands before an okey, as pictures draw it with a crown."""


@dataclass(frozen=True, slots=True)
class Strong:
    """Words that stand out."""

    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name for themself: cleaned and cut to 32 characters, but hostile until escaped."""

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
    """Whether the colour's letter follows its sign."""

    @property
    def signs(self) -> str:
        """The colour's sign and the number, for text; an okey with its sign."""
        crown = OKEY_SIGN if self.wild else ""
        if self.code == "F":
            return crown + JOKER_SIGN
        colour, number = self.code[0], self.code[1:]
        return f"{crown}{COLOUR_SIGNS[colour]}{colour if self.letter else ''}{number}"


@dataclass(frozen=True, slots=True)
class Clock:
    """A moment to count down to, in seconds since the epoch: shown live where a platform can."""

    at: float


@dataclass(frozen=True, slots=True)
class Moment:
    """A date and time, in seconds since the epoch: shown in each reader's own time where a platform can."""

    at: float
    words: str
    """The moment in the time zone of the event, with its offset, for other platforms."""
    strong: bool = False
    """Whether it stands out."""


@dataclass(frozen=True, slots=True)
class Link:
    """A link with its words."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class Typed:
    """A command to be typed. A chat that does not take lines writes it in its own form."""

    line: str
    """The line that people type: `/okey join KM7-4RT`."""
    command: str
    """The command's name in `bot.commands`."""
    arguments: tuple[tuple[str, str], ...]
    """Names and values of its arguments."""
    language: str


@dataclass(frozen=True, slots=True)
class Folded:
    """Words at the end of a text, folded away where a chat can do that."""

    text: str


def isolate(words: str) -> str:
    """Isolate words, so that right-to-left text cannot reorder the text around it."""
    return f"\u2068{words}\u2069"


Part = str | Strong | Name | TileMark | Clock | Moment | Link | Typed | Folded
Text = tuple[Part, ...]
"""Parts in reading order. Line breaks are `\\n` inside plain strings."""


def stands_out(part: Part) -> bool:
    """Return whether a part is shown in bold."""
    return isinstance(part, Strong) or (isinstance(part, Name | Moment) and part.strong)


Style = Literal["plain", "primary", "good", "danger"]


class Button(Struct, frozen=True):
    """A button. `press` (1 to 64 bytes of ASCII) carries its whole meaning and survives a restart."""

    label: tuple[str | TileMark, ...]
    press: str
    style: Style = "plain"
    app: str = ""
    """The id of the table that it opens as an app; empty: none. A chat that opens apps by address uses it;
    the others send the press."""
    link: str = ""
    """The address that it opens; empty: none. Such a button, and one that copies, has no press."""
    copy: str = ""
    """The text that it copies; empty: none."""
    step: bool = False
    """Whether it only turns a series to another page. An app has its own ways to do that."""


Row = tuple[Button, ...]
"""Buttons that belong together. A row may be longer than a platform allows: the adapter folds it, keeping the
order."""


def fold_evenly(row: Row, most: int) -> list[Row]:
    """Fold a row into rows of nearly equal length, at most `most` each. No button stands alone: with `most`
    of five, six buttons are three and three."""
    count = -(-len(row) // most)
    short, longer = divmod(len(row), count) if count else (0, 0)
    bounds = [number * short + min(number, longer) for number in range(count + 1)]
    return [row[start:end] for start, end in pairwise(bounds)]


class TileFace(Struct, frozen=True):
    """A tile to draw: its FORMATS code, whether it is an okey, whether it is pointed out.

    A picture has dozens: structs are handed to another process in a tenth of the time of dataclasses.
    """

    code: str
    wild: bool = False
    marked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RackPicture:
    """A player's rack: shelves from top to bottom, tiles from left to right, None for a gap."""

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
    """Okey 101: what they opened with, such as `118`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePicture:
    """The table as everybody may see it."""

    seats: tuple[DrawnSeat, ...]
    """In order of play; the first is drawn at the bottom."""
    clockwise: bool
    indicator: TileFace
    okey: TileFace
    stock_left: int
    title: str
    """The heading, such as `Round 3`."""
    captions: tuple[str, str, str]
    """The words for indicator, okey and stock."""
    melds: tuple[tuple[TileFace, ...], ...] | None = None
    """Okey 101: every meld on the table, numbered from 1, with an okey as the tile it stands for. None at a
    classic table."""
    level: str = ""
    """The points or pairs that open now, under rules where that number rises; else empty."""
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
    """The winner's melds; empty when nobody won."""
    finishing: TileFace | None
    rows: tuple[ResultRow, ...]
    letters: bool = False
    contrast: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPicture:
    """The table at one step of a round that is over, with every rack, which is secret no more."""

    table: TablePicture
    racks: tuple[tuple[TileFace, ...], ...]
    """The racks in the order of the table's seats."""

    @property
    def contrast(self) -> bool:
        return self.table.contrast


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesPicture:
    """Examples of a set, a run, a pair, the indicator and the okey, with their names."""

    examples: tuple[tuple[str, tuple[TileFace, ...]], ...]
    """At most six examples of at most five tiles each, drawn two side by side."""
    letters: bool = False
    contrast: bool = False


@dataclass(frozen=True, slots=True)
class PuzzlePicture:
    """The rack of a puzzle. Nobody plays with it, so everybody may see it."""

    rack: RackPicture

    @property
    def contrast(self) -> bool:
        return self.rack.contrast


@dataclass(frozen=True, slots=True)
class FiguresSection:
    """Lines under a heading, each a label and its figure."""

    title: str
    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FiguresPicture:
    """Statistics. What they are of stands beside the picture."""

    sections: tuple[FiguresSection, ...]
    contrast: bool = False


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A line of a standing."""

    rank: str
    name: str
    detail: str
    """A remark, such as `5 nights, 2 dropped`."""
    points: str
    first: bool = False
    """Whether they lead."""
    tie: str = ""
    """The tie-break that decided their place, in words; empty: none was needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsPicture:
    """The standings after a night, or of a season."""

    title: str
    subtitle: str
    rows: tuple[StandingRow, ...]
    """At most 20 rows: as many as a phone shows at once."""
    more: str = ""
    """Words about the people who do not fit."""
    lines: tuple[tuple[int, str], ...] = ()
    """Lines between the rows, in order: the number of the rows above each, and the words on it."""
    podium: bool = False
    """Whether the first three stand on a podium: a season is over."""
    headline: str = ""
    """The winner's name, large above the title; empty: nobody's."""
    contrast: bool = False


@dataclass(frozen=True, slots=True)
class BracketRow:
    """A player, or a pair, of a knockout's match."""

    name: str
    figure: str
    through: bool
    """Whether they play on, or have won the final."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketHeat:
    """A step of a knockout: its matches, each with its players, the best first."""

    title: str
    matches: tuple[tuple[BracketRow, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketPicture:
    """A knockout, its last step on top."""

    title: str
    heats: tuple[BracketHeat, ...]
    contrast: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CurvePicture:
    """A figure's course over time, from left to right at even distances."""

    title: str
    values: tuple[float, ...]
    """The values, at least two."""
    marks: tuple[tuple[str, float], ...]
    """Levels with their words, written at the side."""
    captions: tuple[str, str]
    """The captions below the first and the last value."""
    highlights: tuple[int, ...] = ()
    """Indexes of the values that are pointed out, from 0."""
    contrast: bool = False


PagePicture = (
    TablePicture
    | ResultPicture
    | ReplayPicture
    | PuzzlePicture
    | RulesPicture
    | FiguresPicture
    | StandingsPicture
    | BracketPicture
    | CurvePicture
)
Picture = RackPicture | PagePicture


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file for people to save."""

    name: str
    """The file name, of letters, digits, `-` and one dot, valid on every system."""
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Series:
    """A page's position in a series, for an app in which people swipe through pages."""

    press: str
    """The press of another page of the series, without its last part: a dot and the page's number, from 0."""
    at: int
    last: int


@dataclass(frozen=True, slots=True)
class DrawnPuzzle:
    """A puzzle for an app that draws it itself, in place of a page's picture, text and buttons."""

    live: LivePuzzle
    text: Text
    """What is said below it."""


@dataclass(frozen=True, slots=True)
class DrawnReplay:
    """A moment of a round that is over, for an app that draws it itself, in place of a page's picture and
    text."""

    live: LiveReplay
    text: Text
    """What is said below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page to read for the person who asked for it. Any of its readers may know its contents, so it holds
    no rack that is still being played. It belongs to no version of a table and is never updated."""

    text: Text
    picture: PagePicture | None = None
    alt: str = ""
    buttons: tuple[Row, ...] = ()
    file: Attachment | None = None
    """A file, sent instead of a picture."""
    turns: bool = False
    """Whether it replaces the page whose button was pressed."""
    series: Series | None = None
    """Its position in a series; None: it stands alone."""
    puzzle: DrawnPuzzle | None = None
    replay: DrawnReplay | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicScreen:
    """A screen for everybody in a place: of a table, of a league's night, of a day's rack, or what somebody
    shows there."""

    table: str
    version: int = field(compare=False)
    """The version of the table, night or day that it shows: a higher one in the same message is newer."""
    text: Text
    picture: TablePicture | ResultPicture | FiguresPicture | StandingsPicture | PuzzlePicture | None
    alt: str
    """The whole picture in words, at most 1000 characters."""
    buttons: tuple[Row, ...]
    over: bool = False
    """Whether nothing more will be played at the table."""
    language: str = field(default="", compare=False)
    """Its language, for what a chat has to add; empty: the default one."""
    worth: str = field(default="", repr=False, compare=False)
    """What it shows of a table as far as that is worth an edit (`bot.tables.worth`): of two screens of equal
    worth the second need not be sent."""
    live: LiveTable | None = field(default=None, repr=False, compare=False)
    """The table for an app that draws it by itself; None: its reader has none, or it is no table. It holds a
    version too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatScreen:
    """A screen for one seated person and nobody else. No log and no traceback shows it."""

    table: str
    version: int = field(compare=False)
    """The version of the table, as in `PublicScreen`."""
    text: Text = field(repr=False)
    picture: RackPicture | ResultPicture | None = field(repr=False)
    """The picture. A result ends a practice round, which has no place that could show it."""
    buttons: tuple[Row, ...] = field(repr=False)
    alt: str = field(default="", repr=False)
    """The whole picture in words, at most 1000 characters."""
    live: LiveRack | None = field(default=None, repr=False, compare=False)
    """The rack for an app that draws it by itself; None: its reader has none, or has lost their seat."""
    worth: str = field(default="", repr=False, compare=False)
    """As in `PublicScreen`."""
    known: bool = False
    """Whether it only says what its person has just done: nothing calls their attention to it."""
    celebrates: bool = field(default=False, compare=False)
    """Whether it is the news that its person has won the match."""


SUBSCRIBED: Final = "webcal:"
"""The beginning of a way to a file that a calendar subscribes to."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One field of a table."""

    text: Text
    way: str = ""
    """A link, relative to the page's root: `night/k7xq3-202603052000`; after SUBSCRIBED one that a calendar
    opens; empty: none."""
    dropped: bool = False
    """Whether it is shown though it does not count."""


@dataclass(frozen=True, slots=True)
class Column:
    """The heading of a table's column."""

    title: str
    figures: bool = False
    """Whether it holds numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table. Each row has a cell for each column. The second cell says whom or what the row is about."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    lines: tuple[tuple[int, str], ...] = ()
    """Lines with words that part rows from the others, each with the number of rows above it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Content under a heading: lines first, then the table."""

    title: str
    lines: tuple[Text, ...] = ()
    grid: Grid | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A web page."""

    title: str
    lines: tuple[Text, ...] = ()
    """Lines under the title."""
    picture: ReplayPicture | CurvePicture | BracketPicture | None = None
    alt: str = ""
    sections: tuple[Section, ...] = ()
    ways: tuple[Cell, ...] = ()
    """Links to other pages and files. One without an address is the current page."""


@dataclass(frozen=True, slots=True)
class WallTable:
    """A table among others, as everybody sees it."""

    screen: PublicScreen
    replay: str = ""
    """The path of the replay of its last round; empty: no round is over."""


@dataclass(frozen=True, slots=True)
class Wall:
    """The tables of a night, shown together."""

    title: str
    tables: tuple[WallTable, ...]
