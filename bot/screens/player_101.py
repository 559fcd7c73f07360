"""A turn of Okey 101 in a person's cockpit: draw or take, open, lay, lay off, discard (RULES 5)."""

from collections.abc import Sequence

from bot.callback_data import callback_text
from bot.i18n import Words
from bot.markup import Button, Row, Text, TileMark
from bot.screens.draft_101 import draft_buttons, draft_lines, stand_buttons
from bot.screens.melds import WILD, board_lines, meld_button
from bot.screens.parts import SIGNS, button, label, mark
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
from bot.tables import drafts
from bot.tables.facts import RackFacts
from bot.tables.racks import flat
from engine.arrange import best_opening, most_pairs
from engine.games.okey101.laying import pairs_needed as pairs_to_open
from engine.games.okey101.laying import points_needed as points_to_open
from engine.games.okey101.turn import fine_for_discard
from engine.moves import Discard, Finish, LayMeld, LayOff, Open, OpenPairs, Reclaim, Return, Take, TakeBack
from engine.tiles import Tile
from engine.view import SeatView

_DRAFTING = ("draft", "stand")


def task(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> list[Text]:
    """What he is to do now, what his rack is worth, and what lies on the table."""
    if mode.kind in _DRAFTING:
        return draft_lines(facts, view, words, mode)
    worth_line = [] if _opened(view) else [_worth_line(facts, view, words)]
    if not my_turn(facts, view):
        return [words.say("rack.wait"), *worth_line]
    now = _turn_task(facts, view, words, mode) + until(facts, words)
    return [now, *worth_line, *board_lines(facts.table, view.public, words)]


def _turn_task(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> Text:
    okey = view.public.okey
    if mode.kind == "sure" and mode.tile is not None:
        fine = fine_for_discard(facts.table.rules, view.public.board, okey, mode.tile)
        return words.say(f"rack.sure.{fine}" if fine else "rack.sure_okey", tile=mark(mode.tile, okey))
    if mode.kind == "lay_okey" and _lay_offs(facts, wild=True):
        return words.say("rack.lay_okey")
    if mode.kind == "lay" and _lay_offs(facts, wild=False):
        return words.say("rack.lay")
    if view.public.phase == "draw":
        if Take() in facts.legal:
            return words.say("rack.draw_or_take", tile=mark(view.left_pile[-1], okey))
        return words.say("rack.draw")
    if Return() in facts.legal and view.drawn is not None:
        return words.say("rack.use_taken", tile=mark(view.drawn, okey))
    if len(view.rack) == 1:
        return words.say("rack.last_tile")
    if view.drawn is not None and view.drawn in view.rack:
        return words.say("rack.discard_drawn", tile=mark(view.drawn, okey))
    return words.say("rack.discard")


def _worth_line(facts: RackFacts, view: SeatView, words: Words) -> Text:
    """What his rack could open with; beside it what that takes, which may rise while others play."""
    (points, needed), (pairs, pairs_needed) = _worth(facts, view)
    if not my_turn(facts, view):
        return words.say("rack.worth_meanwhile", points=points, pairs=pairs)
    return words.say(
        "rack.worth", points=points, points_needed=needed, pairs=pairs, pairs_needed=pairs_needed
    )


def _worth(facts: RackFacts, view: SeatView) -> tuple[tuple[int, int], tuple[int, int]]:
    """The most points and the most pairs of his rack, each with how many open."""
    rules, board = facts.table.rules, view.public.board
    meld_rules = rules.meld_rules(view.public.okey)
    points, _ = best_opening(meld_rules, view.rack)
    pairs = len(most_pairs(meld_rules, view.rack))
    return (points, points_to_open(rules, board)), (pairs, pairs_to_open(rules, board))


def pointed(facts: RackFacts, view: SeatView, mode: Mode) -> tuple[Tile, ...]:
    """The tiles to point out: those of his draft while he builds it, else the one that he got."""
    if mode.kind in _DRAFTING:
        return tuple(drafts.tile_of(placed, view.public.okey) for group in facts.draft for placed in group)
    return () if view.drawn is None else (view.drawn,)


def brief(facts: RackFacts, view: SeatView, words: Words) -> str:
    """His tiles by their numbers, neighbours of one colour under one sign: 22 must fit an alert.

    Then what his rack could open with, of what it takes: points and pairs.
    """
    okey = view.public.okey
    said, colour = "", ""
    for place, tile in enumerate(flat(facts.shelves), 1):
        if tile is okey or tile is Tile.F or tile.name[0] != colour:
            said += f" {place}:{short(tile, okey)}"
        else:
            said += f" {place}:{tile.name[1:]}"
        colour = "" if tile is okey or tile is Tile.F else tile.name[0]
    worth = "" if _opened(view) else "".join(f" · {has}/{needs}" for has, needs in _worth(facts, view))
    return f"{said.strip()}\n{short_open(view, words)}{worth}"[:BRIEF]


def buttons(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> tuple[Row, ...]:
    """Everything he may do now."""
    if mode.kind == "stand":
        return stand_buttons(facts, view, words)
    if mode.kind == "draft":
        return draft_buttons(facts, view, words)
    draft = button(words, "draft", facts.table)
    if not my_turn(facts, view):
        return ((draft,), *order_rows(facts, words, away=True))
    if mode.kind == "sure" and mode.tile is not None:
        return (_sure_row(facts, view, words, mode.tile),)
    if mode.kind == "lay" and _lay_offs(facts, wild=False):
        return _lay_rows(facts, words)
    if mode.kind == "lay_okey" and _lay_offs(facts, wild=True):
        return _lay_okey_rows(facts, words)
    if view.public.phase == "draw":
        drawing = draw_row(facts, view, words)
        return (drawing if Take() in facts.legal else drawing[:1], (draft,), *order_rows(facts, words))
    rows = (
        _opening_row(facts, view, words),
        (*_meld_row(facts, view, words), draft),
        _table_row(facts, view, words),
        _discard_row(facts, view, words),
    )
    return (*(row for row in rows if row), *order_rows(facts, words))


def _sure_row(facts: RackFacts, view: SeatView, words: Words, tile: Tile) -> Row:
    table = facts.table
    yes = Button(
        label(words, "button.discard_okey", tile=mark(tile, view.public.okey)),
        callback_text("let_go_anyway", table.id, table.game_revision, tile.name),
        "danger",
    )
    lay = [button(words, "ask_lay", table)] if _lay_offs(facts, wild=False) else []
    return (yes, *lay, button(words, "look", table))


def _opening_row(facts: RackFacts, view: SeatView, words: Words) -> Row:
    """Open with the best arrangement, open with pairs."""
    row = []
    for move in facts.legal:
        if isinstance(move, Open):
            total = drafts.worth(move.melds, facts.table.rules.meld_rules(view.public.okey))
            row.append(button(words, "open_melds", facts.table, style="good", points=total.points))
        elif isinstance(move, OpenPairs):
            row.append(button(words, "open_pairs", facts.table, style="good", n=len(move.pairs)))
    return tuple(row)


def _meld_row(facts: RackFacts, view: SeatView, words: Words) -> Row:
    """The further melds that he can lay."""
    table = facts.table
    offered = [move for move in facts.legal if isinstance(move, LayMeld)]
    melds = drafts.melds_in(tuple(move.tiles for move in offered), table.rules.meld_rules(view.public.okey))
    return tuple(meld_button(table, meld, view.public.okey, words) for meld in melds if meld)


def _table_row(facts: RackFacts, view: SeatView, words: Words) -> Row:
    """Laying off, taking back, reclaiming, giving back."""
    table = facts.table
    row: list[Button] = []
    if Return() in facts.legal and view.drawn is not None:
        fined = table.rules.return_taken == "penalty"
        given = label(words, "button.give_back", tile=mark(view.drawn, view.public.okey))
        row.append(
            Button(
                (*given, *([words.plain("button.fined")] if fined else [])),
                callback_text("give_back", table.id, table.game_revision),
                "danger" if fined else "plain",
            )
        )
    if _lay_offs(facts, wild=False):
        row.append(button(words, "ask_lay", table, style="good"))
    if _lay_offs(facts, wild=True):
        row.append(button(words, "ask_lay_okey", table))
    row += (_reclaim(facts, move, words) for move in facts.legal if isinstance(move, Reclaim))
    row += _take_backs(facts, view, words)
    return tuple(row)


def _reclaim(facts: RackFacts, move: Reclaim, words: Words) -> Button:
    """Labelled with the tile that is put in the okey's place."""
    return Button(
        label(words, "button.reclaim", tile=TileMark(move.tile.name), number=move.on + 1),
        callback_text("reclaim", facts.table.id, facts.table.game_revision, move.tile.name, move.on),
        "good",
    )


def _take_backs(facts: RackFacts, view: SeatView, words: Words) -> list[Button]:
    """Take the last tile back, or all; what it costs stands on the button."""
    counts = sorted(move.count for move in facts.legal if isinstance(move, TakeBack))
    if not counts:
        return []
    fines = "takeback" in facts.table.rules.penalties
    found = []
    for count in dict.fromkeys((counts[0], counts[-1])):
        fined = fines and (count > 1 or view.public.board.took_back)
        words_for_it = words.plain("button.take_back", n=count) + (
            words.plain("button.fined") if fined else ""
        )
        press = callback_text("take_back", facts.table.id, facts.table.game_revision, count)
        found.append(Button((words_for_it,), press, "danger" if fined else "plain"))
    return found


def _discard_row(facts: RackFacts, view: SeatView, words: Words) -> Row:
    """One button a tile that may be discarded; the last one ends the round."""
    if any(isinstance(move, Finish) for move in facts.legal):
        last = view.rack[0]
        return (
            Button(
                label(words, "button.finish_tile", tile=mark(last, view.public.okey)),
                callback_text("finish", facts.table.id, facts.table.game_revision, last.name),
                "good",
            ),
        )
    if not any(isinstance(move, Discard) for move in facts.legal):
        return ()
    return tile_buttons(facts, view, "let_go", "plain")


def _lay_rows(facts: RackFacts, words: Words) -> tuple[Row, ...]:
    """Every tile with every meld on which it fits."""
    table = facts.table
    places = tuple(
        Button(
            (TileMark(move.tile.face.name), f" → #{move.on + 1}"),
            callback_text("lay", table.id, table.game_revision, move.tile.face.name, move.on),
            "good",
        )
        for move in _lay_offs(facts, wild=False)
    )
    return places, (button(words, "look", table),)


def _lay_okey_rows(facts: RackFacts, words: Words) -> tuple[Row, ...]:
    """Every tile for which an okey fits somewhere."""
    table = facts.table
    places = tuple(
        Button(
            (f"{WILD}{SIGNS[move.tile.face.name[0]]}{move.tile.face.number} → #{move.on + 1}",),
            callback_text("lay_wild", table.id, table.game_revision, move.tile.face.name, move.on),
        )
        for move in _lay_offs(facts, wild=True)
    )
    return places, (button(words, "look", table),)


def _lay_offs(facts: RackFacts, *, wild: bool) -> Sequence[LayOff]:
    return [move for move in facts.legal if isinstance(move, LayOff) and move.tile.wild == wild]


def _opened(view: SeatView) -> bool:
    return view.public.board.opened[view.seat] is not None
