"""Classic Okey on screens: draw or take, show, discard or finish; and its rules in words."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.i18n import Words, join
from bot.live import Sure
from bot.markup import Row, Text
from bot.screens.games.game import GameScreens
from bot.screens.games.hints import hint_lines
from bot.screens.offer import Offer, make_offer, offer_row
from bot.screens.parts import button, mark
from bot.screens.rack import (
    Mode,
    brief,
    discard_task,
    draw_offers,
    draw_task,
    more_row,
    my_turn,
    number_offers,
    question,
    short,
    short_open,
    take_offers,
    tile_buttons,
    until,
    waiting_line,
)
from bot.tables.facts import RackFacts, TableFacts
from bot.tables.racks import flat
from engine.moves import Discard, Finish, Move, Show
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
    if mode.offer is not None:
        return question(mode.offer, words)
    if mode.kind == "finish":
        return words.say("rack.finish_with" if facts.table.rules.pairs_win else "rack.finish_with.melds")
    if view.public.phase == "discard":
        return discard_task(view, words)
    return draw_task(facts, view, words)


def _point(facts: RackFacts, view: SeatView, mode: Mode) -> tuple[Tile, ...]:
    if mode.offer is not None and mode.offer.tile is not None:
        return (mode.offer.tile,)
    return () if view.drawn is None else (view.drawn,)


def _brief(facts: RackFacts, view: SeatView, words: Words) -> str:
    tiles = " ".join(
        f"{place}:{short(tile, view.public.okey)}" for place, tile in enumerate(flat(facts.shelves), 1)
    )
    return brief(facts, view, words, f"{tiles}\n{short_open(facts, view, words)}")


def _offers(facts: RackFacts, view: SeatView) -> Iterator[Offer]:
    table, public = facts.table, view.public
    yield from draw_offers(facts, view)
    for move in facts.legal:
        match move:
            case Show():
                yield make_offer(table, "show", style="good")
            case Discard(tile):
                told = {"tile": mark(tile, public.okey)}
                sure = _question(table.rules, public, move)
                yield make_offer(table, "discard", tile.name, tile=tile, sure=sure, values=told)
                # Any tile may be tried: no button tells that the rack is complete.
                claim = Finish(tile)
                yield make_offer(
                    table,
                    "finish",
                    tile.name,
                    tile=tile,
                    sure=_question(table.rules, public, claim),
                    wins=claim in facts.legal,
                    style="good",
                    values=told,
                )


def _question(rules: Rules, view: PublicView, move: Move) -> Sure:
    if isinstance(move, Finish):
        return "finish"
    return "okey" if move == Discard(view.okey) else ""


def _buttons(
    facts: RackFacts, view: SeatView, offers: Sequence[Offer], words: Words, mode: Mode
) -> tuple[Row, ...]:
    table = facts.table
    look, show = button(words, "look", table), offer_row(offers, words, "show")
    if not my_turn(facts, view):
        rows = (show, more_row(facts, words, away=True))
    elif mode.kind == "finish":
        rows = (tile_buttons(facts, view, offers, "finish"), (look,))
    elif view.public.phase == "draw":
        rows = (offer_row(offers, words, "draw", "take"), (*show, *more_row(facts, words)))
    else:
        wins = any(offer.wins for offer in offers)
        finish = button(words, "ask_finish", table, style="good" if wins else "plain")
        tiles = tile_buttons(facts, view, offers, "discard")
        rows = (tiles, (finish, *show, *more_row(facts, words)))
    return tuple(row for row in rows if row)


def _numbers(facts: TableFacts, view: PublicView) -> Iterator[Offer]:
    """Offer the moves by number. The message need not be edited between a draw and its discard."""
    turn = facts.turn_number
    if view.phase != "discard" or view.turns:
        yield make_offer(facts, "draw", verb="draw_here", moment=turn)
        if facts.rules.discard_sources == "left":
            yield make_offer(facts, "take", verb="take_here", moment=turn)
        else:
            yield from take_offers(facts, view, "take_here", turn)
    yield from number_offers(facts, RACK_TILES + 1)
    yield make_offer(facts, "finish_best", verb="finish_here", moment=turn, sure="finish")


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
    offers=_offers,
    question=_question,
    numbers=_numbers,
    buttons=_buttons,
    cost=_cost,
    ways=("plain", "joker", "pairs", "color"),
)
