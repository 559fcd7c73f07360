"""Classic Okey on screens: draw or take, show, discard or finish; and its rules in words."""

from collections.abc import Iterator
from typing import Final

from bot.i18n import Words, join
from bot.live import Act
from bot.markup import Row, Text
from bot.screens.games.game import GameScreens
from bot.screens.games.hints import hint_lines
from bot.screens.parts import button, mark, press
from bot.screens.rack import (
    Mode,
    blind_button,
    blind_numbers,
    blind_takes,
    brief,
    discard_task,
    draw_acts,
    draw_row,
    draw_task,
    my_turn,
    order_rows,
    short,
    short_open,
    tile_buttons,
    until,
    waiting_line,
)
from bot.tables.facts import RackFacts, TableFacts
from bot.tables.racks import flat
from engine.moves import Discard, Finish, Show
from engine.review.decision import Decision
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import PublicView, SeatView

RACK_TILES: Final = 14
"""The tiles on a rack between turns."""


def _task(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> list[Text]:
    if not my_turn(facts, view):
        return [waiting_line(facts, view, words)]
    told = [_turn_task(facts, view, words, mode) + until(facts, words)]
    return [*told, *hint_lines(facts, view, words)]


def _turn_task(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> Text:
    okey = view.public.okey
    if mode.kind == "finish":
        return words.say("rack.finish_with")
    if mode.kind == "sure" and mode.tile is not None:
        return words.say("rack.sure_okey", tile=mark(mode.tile, okey))
    if view.public.phase == "discard":
        return discard_task(view, words)
    return draw_task(facts, view, words)


def _point(facts: RackFacts, view: SeatView, mode: Mode) -> tuple[Tile, ...]:
    if mode.kind == "sure" and mode.tile is not None:
        return (mode.tile,)
    return () if view.drawn is None else (view.drawn,)


def _brief(facts: RackFacts, view: SeatView, words: Words) -> str:
    tiles = " ".join(
        f"{place}:{short(tile, view.public.okey)}" for place, tile in enumerate(flat(facts.shelves), 1)
    )
    return brief(facts, view, words, f"{tiles}\n{short_open(facts, view, words)}")


def _buttons(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> tuple[Row, ...]:
    table = facts.table
    look = button(words, "look", table)
    show = (button(words, "show", table, style="good"),) if Show() in facts.legal else ()
    if not my_turn(facts, view):
        rows = (show, *order_rows(facts, words, away=True))
    elif mode.kind == "sure" and mode.tile is not None:
        okey = mark(mode.tile, view.public.okey)
        rows = ((button(words, "discard_okey", table, style="danger", tile=okey), look),)
    elif mode.kind == "finish":
        rows = (tile_buttons(facts, view, "finish", "good"), (look,))
    elif view.public.phase == "draw":
        rows = (draw_row(facts, view, words), show, *order_rows(facts, words))
    else:
        wins = any(isinstance(move, Finish) for move in facts.legal)
        finish = button(words, "ask_finish", table, style="good" if wins else "plain")
        tiles = tile_buttons(facts, view, "discard", "plain")
        rows = (tiles, (finish, *show), *order_rows(facts, words))
    return tuple(row for row in rows if row)


def _acts(facts: RackFacts, view: SeatView) -> Iterator[Act]:
    table, okey = facts.table, view.public.okey
    yield from draw_acts(facts, view)
    for move in facts.legal:
        match move:
            case Show():
                yield Act("show", press(table, "show"))
            case Discard(tile) if tile is okey:
                yield Act("discard", press(table, "discard_okey"), tile.name, sure="okey")
                yield _finish(facts, tile)
            case Discard(tile):
                yield Act("discard", press(table, "discard", tile.name), tile.name)
                yield _finish(facts, tile)


def _finish(facts: RackFacts, tile: Tile) -> Act:
    data = press(facts.table, "finish", tile.name)
    return Act("finish", data, tile.name, sure="finish", wins=Finish(tile) in facts.legal)


def _blind_buttons(facts: TableFacts, view: PublicView, words: Words) -> tuple[Row, ...]:
    """The table's message need not be edited between a draw and its discard."""
    starting = view.phase == "discard" and view.turns == 0
    draw = blind_button(facts, "draw_here", words.plain("button.draw"))
    finish = blind_button(facts, "finish_here", words.plain("button.finish_best"))
    return (
        () if starting else (draw, *blind_takes(facts, view, words)),
        blind_numbers(facts, "place", RACK_TILES + 1),
        (finish,),
    )


def _explain(rules: Rules, words: Words) -> Iterator[Text]:
    yield words.say("explain.goal.pairs" if rules.pairs_win else "explain.goal.melds")
    yield words.say(f"explain.turn.{rules.discard_sources}")
    if not rules.last_take:
        yield words.say("explain.last_take")
    if rules.show != "off":
        told, worth = f"explain.show.{rules.show}", f"explain.shown.{rules.scoring}"
        spares = [words.say("explain.show_spares", points=rules.show_spares)] if rules.show_spares else []
        yield join([words.say(told), words.say(worth), *spares], " ")
    score = f"explain.score.{rules.scoring}"
    if not rules.pairs_win and rules.scoring != "rounds":
        score += ".melds"
    yield words.say(score, points=rules.start_points)
    if rules.one_color_double != "off" and rules.scoring != "rounds":
        yield words.say(f"explain.color.{rules.one_color_double}")
    if rules.bowl:
        yield words.say("explain.bowl", bowl=rules.bowl)
    if rules.pot:
        yield words.say("explain.pot", stake=rules.stake)


def _cost(decision: Decision, view: SeatView, words: Words) -> list[Text]:
    return [words.say("review.cost", percent=round(100 * decision.cost))]


CLASSIC: Final = GameScreens(
    name="classic",
    explained=_explain,
    task=_task,
    pointed=_point,
    brief=_brief,
    buttons=_buttons,
    acts=_acts,
    blind_buttons=_blind_buttons,
    cost=_cost,
    ways=("plain", "joker", "pairs", "color"),
)
