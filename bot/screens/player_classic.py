"""A classic turn in a person's cockpit: draw or take, show, discard or finish."""

from bot.callback_data import callback_text
from bot.i18n import Words
from bot.markup import Button, Row, Text
from bot.screens.parts import button, label, mark
from bot.screens.player_parts import (
    BRIEF,
    Mode,
    draw_row,
    my_turn,
    order_rows,
    short,
    short_open,
    tile_buttons,
    until,
)
from bot.tables.facts import RackFacts
from bot.tables.hints import Hint
from bot.tables.racks import flat
from engine.tiles import Tile
from engine.view import SeatView


def task(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> list[Text]:
    """What he is to do now."""
    if not my_turn(facts, view):
        return [words.say("rack.wait")]
    told = [_turn_task(view, words, mode) + until(facts, words)]
    return told if facts.hint is None else [*told, hint_line(facts.hint, view.public.okey, words)]


def _turn_task(view: SeatView, words: Words, mode: Mode) -> Text:
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


def pointed(facts: RackFacts, view: SeatView, mode: Mode) -> tuple[Tile, ...]:
    """The tiles to point out: the one that he got."""
    return () if view.drawn is None else (view.drawn,)


def brief(facts: RackFacts, view: SeatView, words: Words) -> str:
    """His tiles by their numbers, for an alert: the numbered buttons at the table mean these."""
    tiles = " ".join(
        f"{place}:{short(tile, view.public.okey)}" for place, tile in enumerate(flat(facts.shelves), 1)
    )
    return f"{tiles}\n{short_open(view, words)}"[:BRIEF]


def buttons(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> tuple[Row, ...]:
    """Everything he may do now."""
    table = facts.table
    if not my_turn(facts, view):
        return (*_show_row(facts, words), *order_rows(facts, words, away=True))
    if mode.kind == "sure" and mode.tile is not None:
        yes = Button(
            label(words, "button.discard_okey", tile=mark(mode.tile, view.public.okey)),
            callback_text("discard_okey", table.id, table.game_revision),
            "danger",
        )
        return ((yes, button(words, "look", table)),)
    if mode.kind == "finish":
        return (tile_buttons(facts, view, "finish", "good"), (button(words, "look", table),))
    if view.public.phase == "draw":
        return (draw_row(facts, view, words), *_show_row(facts, words), *order_rows(facts, words))
    finish = button(words, "ask_finish", table, style="good")
    show = _show_row(facts, words)
    return (
        tile_buttons(facts, view, "discard", "plain"),
        (finish, *(show[0] if show else ())),
        *order_rows(facts, words),
    )


def _show_row(facts: RackFacts, words: Words) -> tuple[Row, ...]:
    return ((button(words, "show", facts.table, style="good"),),) if facts.can_show else ()


def hint_line(hint: Hint, okey: Tile, words: Words) -> Text:
    """The advice in a sentence, with its reason."""
    if hint.tile is None:
        return words.say("hint.draw_first", n=hint.missing)
    key = "take_to_finish" if hint.kind == "take" and not hint.missing else hint.kind
    return words.say(f"hint.{key}", tile=mark(hint.tile, okey), n=hint.missing)
