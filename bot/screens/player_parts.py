"""What every seated person's cockpit has, whatever the game: picture, tiles as buttons, own order."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from bot.callback_data import callback_text
from bot.i18n import Words
from bot.markup import Button, Clock, Link, RackPicture, Row, Style, Text, TileFace, TileMark
from bot.screens.parts import SIGNS, button, face, label, mark, open_tiles
from bot.screens.removing import remove_button
from bot.tables.facts import RackFacts
from bot.tables.racks import flat
from engine.games import CLASSIC, game_of
from engine.tiles import Tile
from engine.view import SeatView

BRIEF: Final = 190
"""The characters of a brief: an alert takes 200."""


@dataclass(frozen=True, slots=True)
class Mode:
    """What the cockpit is about: playing, choosing the tile to finish with, asking once more before
    a discard that hurts, or arranging (with the place of the tile that was picked up).

    In Okey 101 also: building a draft, and naming what an okey in it stands for; choosing the meld on
    which a tile (`lay`) or an okey (`lay_okey`) is laid off.
    """

    kind: Literal["play", "finish", "sure", "arrange", "draft", "stand", "lay", "lay_okey"] = "play"
    tile: Tile | None = None
    picked: int | None = None


PLAY: Final = Mode()


def head(facts: RackFacts, words: Words) -> list[Text]:
    """The table's name, which leads to it where it can."""
    if facts.table.practice:
        return [words.say("practice.title")]
    number = facts.table.round_number
    key = "table.name" if number else "table.called"
    name = words.plain(key, table=facts.table.id.upper(), round=facts.table.round_told)
    return [(Link(name, facts.link),) if facts.link else (name,)]


def my_turn(facts: RackFacts, view: SeatView) -> bool:
    """Whether he is to play."""
    return facts.table.stage == "playing" and view.public.turn == facts.seat


def open_line(facts: RackFacts, view: SeatView, words: Words) -> Text:
    """Indicator and okey; the stock only while he plays, because his screen is not shown anew meanwhile."""
    if my_turn(facts, view):
        return open_tiles(view.public, words)
    okey = view.public.okey
    return words.say("rack.open_tiles", indicator=mark(view.public.indicator, okey), okey=mark(okey, okey))


def until(facts: RackFacts, words: Words) -> Text:
    """When the clock acts, or that it stands still."""
    if facts.table.night is not None and facts.table.night.paused:
        return ("\n", *words.say("table.night_paused"))
    if facts.table.deadline is None:
        return ()
    key = "table.hurry" if facts.table.warned else "table.until"
    return words.say(key, when=Clock(facts.table.deadline))


def rack_picture(
    facts: RackFacts, view: SeatView, words: Words, mode: Mode, pointed: Sequence[Tile]
) -> RackPicture:
    """The rack in his own order. What is `pointed` out is marked, or else the tile that he picked up."""
    okey = view.public.okey
    most = game_of(facts.table.rules).shelf_size
    drawn_width = max(CLASSIC.shelf_size, *map(len, facts.shelves))
    left = Counter(pointed if mode.picked is None else ())
    shelves: list[tuple[TileFace | None, ...]] = []
    for row in range(len(facts.shelves) - 1, -1, -1):
        drawn: list[TileFace | None] = []
        places = facts.shelves[row]
        for column in range(drawn_width - 1, -1, -1):
            tile = places[column] if column < len(places) else None
            here = mode.picked == row * most + column
            if tile is not None and left[tile]:
                left[tile] -= 1
                here = True
            drawn.append(None if tile is None else face(tile, okey, marked=here))
        shelves.append(tuple(reversed(drawn)))
    return RackPicture(
        shelves=tuple(reversed(shelves)),
        indicator=face(view.public.indicator, okey),
        okey=face(okey, okey),
        captions=(words.plain("word.indicator"), words.plain("word.okey")),
    )


def short(tile: Tile, okey: Tile) -> str:
    """A tile in a few characters: 🔴4; an okey with a sign."""
    if tile is Tile.F:
        return "🃏" + ("✨" if okey is Tile.F else "")
    return SIGNS[tile.name[0]] + tile.name[1:] + "✨" * (tile is okey)


def short_open(view: SeatView, words: Words) -> str:
    """The okey, and the tile that he may take, for a brief."""
    okey = view.public.okey
    take = f" ⬅ {short(view.left_pile[-1], okey)}" if view.left_pile else ""
    return f"{words.plain('word.okey')} {short(okey, okey)}{take}"


def draw_row(facts: RackFacts, view: SeatView, words: Words) -> Row:
    """Draw, and take where there is something to take."""
    draw = button(words, "draw", facts.table, style="primary")
    if not view.left_pile:
        return (draw,)
    tile = mark(view.left_pile[-1], view.public.okey)
    take = Button(
        label(words, "button.take_tile", tile=tile),
        callback_text("take", facts.table.id, facts.table.game_revision),
    )
    return draw, take


def order_rows(facts: RackFacts, words: Words, *, away: bool = False) -> tuple[Row, ...]:
    """Sorting and moving; while others play (`away`), looking and leaving too."""
    table = facts.table
    rows: tuple[Row, ...] = (
        (
            button(words, "sort_runs", table),
            button(words, "sort_pairs", table),
            button(words, "arrange", table),
            button(words, "preferences", table),
        ),
    )
    if table.practice:
        return (*rows, (button(words, "practice_leave", table),))
    if not away:
        return rows
    refresh = Button(label(words, "button.refresh"), callback_text("look", table.id, table.game_revision))
    removing = remove_button(table, words) if table.seats[facts.seat].host else ()
    return (*rows, (refresh, button(words, "step_out", table), *removing))


def tile_buttons(facts: RackFacts, view: SeatView, verb: str, style: Style) -> Row:
    """One button for each face on the rack, in the player's own order."""
    okey = view.public.okey
    faces = dict.fromkeys(flat(facts.shelves))
    return tuple(
        Button(
            (mark(tile, okey),),
            callback_text(verb, facts.table.id, facts.table.game_revision, tile.name),
            style,
        )
        for tile in faces
    )


def arrange_buttons(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> tuple[Row, ...]:
    """Pick a tile up, then say in front of which tile, or at which end, it goes."""
    most = game_of(facts.table.rules).shelf_size
    okey = view.public.okey
    row: list[Button] = []
    for shelf_number, shelf in enumerate(facts.shelves):
        for column, tile in enumerate(shelf):
            place = shelf_number * most + column
            if tile is not None and place != mode.picked:
                row.append(_place_button(facts, (mark(tile, okey),), place, mode))
    ends: list[Button] = []
    if mode.picked is not None:
        for shelf_number, shelf in enumerate(facts.shelves):
            if len(shelf) < most:
                end = shelf_number * most + min(len(shelf) + (1 if shelf else 0), most - 1)
                words_for_end = words.plain("button.shelf_end", number=shelf_number + 1)
                ends.append(_place_button(facts, (words_for_end,), end, mode))
    return tuple(row), (*ends, button(words, "look", facts.table, style="primary"))


def _place_button(facts: RackFacts, text: tuple[str | TileMark, ...], place: int, mode: Mode) -> Button:
    table = facts.table
    if mode.picked is None:
        return Button(text, callback_text("pick", table.id, table.game_revision, place))
    return Button(text, callback_text("put", table.id, table.game_revision, mode.picked, place))
