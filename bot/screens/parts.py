"""Pieces that several screens share: tiles, seats, scores."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from bot.callback_data import callback_text
from bot.i18n import Words, joined, plain
from bot.markup import (
    Button,
    Clock,
    Link,
    Moment,
    Name,
    Part,
    PublicScreen,
    ResultPicture,
    Row,
    Strong,
    Style,
    TablePicture,
    Text,
    TileFace,
    TileMark,
)
from bot.tables.facts import SeatFacts, TableFacts
from engine.games import game_of
from engine.tiles import Tile
from engine.view import PublicView

SIGNS: Final = {"R": "🔴", "Y": "⭐", "B": "🔷", "K": "⬛"}
"""The colours, by their letters, where only characters can be shown: four shapes as well."""


def mark(tile: Tile, okey: Tile) -> TileMark:
    """A tile for text and buttons."""
    return TileMark(tile.name, wild=tile is okey)


def face(tile: Tile, okey: Tile, *, marked: bool = False) -> TileFace:
    """A tile for pictures."""
    return TileFace(tile.name, wild=tile is okey, marked=marked)


def label(words: Words, key: str, **values: TileMark | int | str) -> tuple[str | TileMark, ...]:
    """A button's label from a message."""
    return tuple(
        part if isinstance(part, str | TileMark) else plain((part,), words)
        for part in words.say(key, **values)
    )


def button(
    words: Words, verb: str, facts: TableFacts, *arguments: str | int, style: Style = "plain", **values: int
) -> Button:
    """A button labelled `button.<verb>`."""
    return Button(
        label(words, f"button.{verb}", **values),
        callback_text(verb, facts.id, facts.game_revision, *arguments),
        style,
    )


def seat_name(seat: SeatFacts, words: Words) -> Text:
    """A seat's name, with what is to be known of its player."""
    key = "seat.stand_in" if seat.stand_in else "seat.computer" if seat.computer else "seat.person"
    return words.say(key, who=Name(seat.name))


def spoken_name(seat: SeatFacts, words: Words) -> str:
    """A seat's name for pictures and alt texts."""
    return plain(seat_name(seat, words), words)


def scores(facts: TableFacts, words: Words) -> Text:
    """Everybody's score on one line."""
    return joined(
        (words.say("score", who=Name(seat.name), points=figure(seat.score)) for seat in facts.seats), " · "
    )


def figure(points: int) -> str:
    """Points with a true minus."""
    return str(points).replace("-", "−")


def length(text: Text) -> int:
    """How long a text is where tiles are signs and names are isolated: about, in UTF-16 code units."""
    return sum(_length(part) for part in text)


def _length(part: Part) -> int:
    match part:
        case str() as words:
            return _units(words)
        case Strong(words) | Link(words, _) | Moment(_, words):
            return _units(words)
        case Name(words):
            return _units(words) + 2
        case TileMark():
            return 5
        case Clock():
            return 12


def _units(words: str) -> int:
    return len(words.encode("utf-16-le")) // 2


def open_tiles(view: PublicView, words: Words) -> Text:
    """Indicator, okey and stock on one line."""
    return words.say(
        "table.open_tiles",
        indicator=mark(view.indicator, view.okey),
        okey=mark(view.okey, view.okey),
        n=view.stock_left,
    )


def shelf_words(shelf: Sequence[Tile | None], okey: Tile, words: Words) -> str:
    """A shelf read aloud."""
    spoken = (words.tile_name(mark(tile, okey)) for tile in shelf if tile is not None)
    return ", ".join(spoken)


def sorted_words(rack: Iterable[Tile], okey: Tile, words: Words) -> str:
    """A rack that is sorted by colours read aloud, each colour once: `red 1 2 5, blue 3`. Four racks of
    Okey 101 and their table would be too long for a picture's description otherwise."""
    said = []
    for sign, tiles in groupby(rack, key=lambda tile: "" if tile in (okey, Tile.F) else tile.name[0]):
        if sign:
            numbers = " ".join(tile.name[1:] for tile in tiles)
            said.append(f"{words.plain(f'tile.colour.{sign}')} {numbers}")
        else:
            said += [words.tile_name(mark(tile, okey)) for tile in tiles]
    return ", ".join(said)


def tile_row(tiles: Iterable[Tile], okey: Tile) -> Text:
    """Tiles in text, one after the other."""
    parts: list[Part] = []
    for tile in tiles:
        if parts:
            parts.append(" ")
        parts.append(mark(tile, okey))
    return tuple(parts)


def of_game(key: str, facts: TableFacts) -> str:
    """The key of a message that each game has its own words for."""
    return f"{key}.101" if game_of(facts.rules).lays_melds else key


def public_message(
    facts: TableFacts,
    text: Text,
    buttons: tuple[Row, ...] = (),
    picture: TablePicture | ResultPicture | None = None,
    alt: str = "",
) -> PublicScreen:
    """A table's message in a place."""
    return PublicScreen(
        table=facts.id,
        revision=facts.revision,
        text=text,
        picture=picture,
        alt=alt[:1000],
        buttons=buttons,
        over=facts.stage in ("over", "closed"),
    )
