"""A seated person's cockpit: his rack, and a button for everything that he may do now."""

from dataclasses import dataclass
from typing import Literal

from bot.presses import press_text
from bot.screens.facts import RackFacts
from bot.screens.model import (
    Button,
    Clock,
    Link,
    RackPicture,
    Row,
    SeatScreen,
    Style,
    Text,
    TileFace,
    TileMark,
)
from bot.screens.parts import button, face, label, mark, open_tiles, scores, shelf_words
from bot.screens.public import outcome_text
from bot.tables.racks import flat, width
from bot.words import Words, joined, plain
from engine.tiles import Tile
from engine.view import SeatView

BRIEF = 190


@dataclass(frozen=True, slots=True)
class Mode:
    """What the cockpit is about: playing, choosing the tile to finish with, asking once more before
    a discard that hurts, or arranging (with the place of the tile that was picked up)."""

    kind: Literal["play", "finish", "sure", "arrange"] = "play"
    tile: Tile | None = None
    picked: int | None = None


PLAY = Mode()


def rack_screen(facts: RackFacts, words: Words, mode: Mode = PLAY) -> SeatScreen:
    """The screen of one seat, for its player alone."""
    view = facts.view
    if view is None:
        return _without_rack(facts, words)
    lines = [*_head(facts, words), _task(facts, view, words, mode), _open_tiles(facts, view, words)]
    lines.append(scores(facts.table, words))
    return SeatScreen(
        table=facts.table.id,
        stamp=facts.stamp,
        text=joined(lines),
        picture=_picture(facts, view, words, mode),
        alt=_alt(facts, view, words),
        brief=_brief(facts, view, words),
        buttons=_buttons(facts, view, words, mode),
    )


def _without_rack(facts: RackFacts, words: Words) -> SeatScreen:
    text = joined([*_head(facts, words), words.say(f"rack.{facts.table.stage}")])
    return SeatScreen(
        table=facts.table.id,
        stamp=facts.stamp,
        text=text,
        picture=None,
        alt="",
        brief=plain(text, words)[:BRIEF],
        buttons=((button(words, "leave", facts.table),),) if facts.table.stage == "lobby" else (),
    )


def _head(facts: RackFacts, words: Words) -> list[Text]:
    number = facts.table.round_number
    key = "table.name" if number else "table.called"
    name = words.plain(key, table=facts.table.id.upper(), round=number)
    return [(Link(name, facts.link),) if facts.link else (name,)]


def _my_turn(facts: RackFacts, view: SeatView) -> bool:
    return facts.table.stage == "playing" and view.public.turn == facts.seat


def _task(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> Text:
    """What he is to do now, in a line."""
    if view.public.outcome is not None:
        return outcome_text(view.public.outcome, facts.table, words)
    if mode.kind == "arrange":
        return words.say("rack.put" if mode.picked is not None else "rack.pick")
    if facts.table.seats[facts.seat].stand_in:
        return words.say("rack.stand_in")
    if not _my_turn(facts, view):
        return words.say("rack.wait")
    return _turn_task(facts, view, words, mode) + _until(facts, words)


def _turn_task(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> Text:
    okey = view.public.okey
    if mode.kind == "finish":
        return words.say("rack.finish_with")
    if mode.kind == "sure" and mode.tile is not None:
        return words.say("rack.sure_okey", tile=mark(mode.tile, okey))
    if view.public.phase == "discard":
        if view.drawn is not None:
            return words.say("rack.discard_drawn", tile=mark(view.drawn, okey))
        return words.say("rack.discard")
    if view.left_pile:
        return words.say("rack.draw_or_take", tile=mark(view.left_pile[-1], okey))
    return words.say("rack.draw")


def _open_tiles(facts: RackFacts, view: SeatView, words: Words) -> Text:
    """Indicator and okey; the stock only while he plays, because his screen is not shown anew meanwhile."""
    if _my_turn(facts, view):
        return open_tiles(view.public, words)
    okey = view.public.okey
    return words.say("rack.open_tiles", indicator=mark(view.public.indicator, okey), okey=mark(okey, okey))


def _until(facts: RackFacts, words: Words) -> Text:
    if facts.table.deadline is None:
        return ()
    return words.say("table.until", when=Clock(facts.table.deadline))


def _picture(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> RackPicture:
    okey = view.public.okey
    most = width(facts.table.rules.game)
    pointed = view.drawn
    shelves: list[tuple[TileFace | None, ...]] = []
    for row in range(len(facts.shelves) - 1, -1, -1):
        drawn: list[TileFace | None] = []
        places = facts.shelves[row]
        for column in range(most - 1, -1, -1):
            tile = places[column] if column < len(places) else None
            here = mode.picked == row * most + column if mode.picked is not None else tile is pointed
            if tile is not None and here and mode.picked is None:
                pointed = None
            drawn.append(None if tile is None else face(tile, okey, marked=here))
        shelves.append(tuple(reversed(drawn)))
    return RackPicture(
        shelves=tuple(reversed(shelves)),
        indicator=face(view.public.indicator, okey),
        okey=face(okey, okey),
        captions=(words.plain("word.indicator"), words.plain("word.okey")),
    )


def _alt(facts: RackFacts, view: SeatView, words: Words) -> str:
    shelves = [
        words.plain("alt.shelf", number=i + 1, tiles=shelf_words(shelf, view.public.okey, words))
        for i, shelf in enumerate(facts.shelves)
    ]
    return "\n".join([*shelves, plain(_open_tiles(facts, view, words), words)])[:1000]


def _brief(facts: RackFacts, view: SeatView, words: Words) -> str:
    """His tiles by their numbers, for an alert: the numbered buttons at the table mean these."""
    tiles = " ".join(
        f"{place}:{short(tile, view.public.okey)}" for place, tile in enumerate(flat(facts.shelves), 1)
    )
    return f"{tiles}\n{_short_open(view, words)}"[:BRIEF]


def short(tile: Tile, okey: Tile) -> str:
    """A tile in a few characters: 🔴4; an okey with a sign."""
    if tile is Tile.F:
        return "🃏" + ("✨" if okey is Tile.F else "")
    return {"R": "🔴", "Y": "⭐", "B": "🔷", "K": "⬛"}[tile.name[0]] + tile.name[1:] + "✨" * (tile is okey)


def _short_open(view: SeatView, words: Words) -> str:
    okey = view.public.okey
    take = f" ⬅ {short(view.left_pile[-1], okey)}" if view.left_pile else ""
    return f"{words.plain('word.okey')} {short(okey, okey)}{take}"


def _buttons(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> tuple[Row, ...]:
    table = facts.table
    if view.public.outcome is not None:
        return ((button(words, "next", table, style="primary"),),) if table.stage == "between" else ()
    if table.seats[facts.seat].stand_in:
        return ((button(words, "back_in", table, style="primary"),),)
    if mode.kind == "arrange":
        return _arrange_buttons(facts, view, words, mode)
    if not _my_turn(facts, view):
        return (*_show_row(facts, words), *_order_rows(facts, words, away=True))
    if mode.kind == "sure" and mode.tile is not None:
        yes = Button(
            label(words, "button.discard_okey", tile=mark(mode.tile, view.public.okey)),
            press_text("discard_okey", table.id, table.moves),
            "danger",
        )
        return ((yes, button(words, "look", table)),)
    if mode.kind == "finish":
        return (_tiles(facts, view, "finish", "good"), (button(words, "look", table),))
    if view.public.phase == "draw":
        return (_draw_row(facts, view, words), *_show_row(facts, words), *_order_rows(facts, words))
    finish = button(words, "ask_finish", table, style="good")
    show = _show_row(facts, words)
    return (
        _tiles(facts, view, "discard", "plain"),
        (finish, *(show[0] if show else ())),
        *_order_rows(facts, words),
    )


def _draw_row(facts: RackFacts, view: SeatView, words: Words) -> Row:
    draw = button(words, "draw", facts.table, style="primary")
    if not view.left_pile:
        return (draw,)
    tile = mark(view.left_pile[-1], view.public.okey)
    take = Button(
        label(words, "button.take_tile", tile=tile), press_text("take", facts.table.id, facts.table.moves)
    )
    return draw, take


def _show_row(facts: RackFacts, words: Words) -> tuple[Row, ...]:
    return ((button(words, "show", facts.table, style="good"),),) if facts.can_show else ()


def _order_rows(facts: RackFacts, words: Words, *, away: bool = False) -> tuple[Row, ...]:
    table = facts.table
    rows: tuple[Row, ...] = (
        (
            button(words, "sort_runs", table),
            button(words, "sort_pairs", table),
            button(words, "arrange", table),
        ),
    )
    return (*rows, (button(words, "look", table), button(words, "step_out", table))) if away else rows


def _tiles(facts: RackFacts, view: SeatView, verb: str, style: Style) -> Row:
    """One button for each face on the rack, in the player's own order."""
    okey = view.public.okey
    faces = dict.fromkeys(flat(facts.shelves))
    return tuple(
        Button((mark(tile, okey),), press_text(verb, facts.table.id, facts.table.moves, tile.name), style)
        for tile in faces
    )


def _arrange_buttons(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> tuple[Row, ...]:
    """Pick a tile up, then say in front of which tile, or at which end, it goes."""
    most = width(facts.table.rules.game)
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
            end = shelf_number * most + min(len(shelf) + (1 if shelf else 0), most - 1)
            words_for_end = words.plain("button.shelf_end", number=shelf_number + 1)
            ends.append(_place_button(facts, (words_for_end,), end, mode))
    return tuple(row), (*ends, button(words, "look", facts.table, style="primary"))


def _place_button(facts: RackFacts, text: tuple[str | TileMark, ...], place: int, mode: Mode) -> Button:
    table = facts.table
    if mode.picked is None:
        return Button(text, press_text("pick", table.id, table.moves, place))
    return Button(text, press_text("put", table.id, table.moves, mode.picked, place))
