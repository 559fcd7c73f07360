"""Okey 101 on screens: draw or take, open, lay, lay off, discard (RULES 5); and its rules in words."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from bot.callback_data import callback_text
from bot.i18n import Words
from bot.live import Act, Sure
from bot.markup import Button, Name, Row, Text, TileMark
from bot.screens.games.game import GameScreens
from bot.screens.games.hints import hint_lines
from bot.screens.games.melds import (
    describe_laid,
    draft_buttons,
    draft_lines,
    level_line,
    list_laid_faces,
    list_laid_names,
    meld_button,
    okey_as,
    rules_of,
    stand_buttons,
)
from bot.screens.parts import button, label, mark, press, tile_row
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
from bot.screens.switches import value_name
from bot.tables import drafts
from bot.tables.facts import RackFacts, TableFacts
from bot.tables.racks import flat
from engine.arrange import opening_points, pair_count
from engine.games.okey101.laying import pairs_needed, points_needed
from engine.games.okey101.scoring import FINE
from engine.games.okey101.turn import fine_for_discard
from engine.moves import (
    Call,
    Declare,
    Discard,
    Draw,
    Finish,
    LayMeld,
    LayOff,
    Move,
    Open,
    OpenPairs,
    Reclaim,
    Return,
    Take,
    TakeBack,
)
from engine.review.decision import Decision
from engine.rules import Penalty, Rules
from engine.tiles import Tile
from engine.view import PublicView, SeatView

_DRAFTING: Final = ("draft", "stand")
_LAYING: Final = ("lay", "lay_okey")


def _task(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> list[Text]:
    """The current task, the rack's worth, and the melds on the table."""
    if mode.kind in _DRAFTING:
        return draft_lines(facts, view, words, mode)
    if mode.kind == "piles":
        return _pile_lines(facts, view, words)
    worth = [] if _describe_opened(view) else [_worth_line(facts, view, words)]
    if not my_turn(facts, view):
        return [waiting_line(facts, view, words), *worth]
    now = _turn_task(facts, view, words, mode) + until(facts, words)
    return [now, *hint_lines(facts, view, words), *worth, *describe_laid(facts.table, view.public, words)]


def _pile_lines(facts: RackFacts, view: SeatView, words: Words) -> list[Text]:
    """Every seat's discards, oldest first."""
    return [
        words.say("rack.pile", who=Name(seat.name), tiles=tile_row(pile, view.public.okey))
        for seat, pile in zip(facts.table.seats, view.all_piles, strict=False)
    ]


def _turn_task(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> Text:
    okey = view.public.okey
    if mode.kind == "sure" and mode.tile is not None:
        fine = _fine_asked(facts.table.rules, view, mode.tile)
        return words.say(f"rack.sure.{fine}" if fine else "rack.sure_okey", tile=mark(mode.tile, okey))
    if mode.kind in _LAYING and _lay_offs(facts, mode.kind):
        return words.say(f"rack.{mode.kind}")
    if view.public.phase == "draw":
        return draw_task(facts, view, words)
    if Return() in facts.legal and view.drawn is not None:
        return words.say("rack.use_taken", tile=mark(view.drawn, okey))
    if len(view.rack) == 1:
        return words.say("rack.last_tile")
    return discard_task(view, words)


def _worth_line(facts: RackFacts, view: SeatView, words: Words) -> Text:
    """The rack's most points and pairs, beside the numbers that open, which may rise while others play."""
    (points, points_open), (pairs, pairs_open) = _worth(facts, view)
    key = "rack.worth" if my_turn(facts, view) else "rack.worth_meanwhile"
    return words.say(key, points=points, points_needed=points_open, n=pairs, pairs_needed=pairs_open)


def _worth(facts: RackFacts, view: SeatView) -> tuple[tuple[int, int], tuple[int, int]]:
    """The most points and the most pairs of the rack, each with the number that opens."""
    rules, board, meld_rules = facts.table.rules, view.public.board, rules_of(facts, view)
    points, pairs = opening_points(meld_rules, view.rack), pair_count(meld_rules, view.rack)
    return (points, points_needed(rules, board)), (pairs, pairs_needed(rules, board))


def _point(facts: RackFacts, view: SeatView, mode: Mode) -> tuple[Tile, ...]:
    """The tiles of the draft while it is being built, the tile whose discard is to be confirmed, else the
    tile that was drawn or taken."""
    if mode.kind == "sure" and mode.tile is not None:
        return (mode.tile,)
    if mode.kind in _DRAFTING:
        return tuple(drafts.tile_of(placed, view.public.okey) for group in facts.draft for placed in group)
    return () if view.drawn is None else (view.drawn,)


def _brief(facts: RackFacts, view: SeatView, words: Words) -> str:
    """A rack of 22 tiles that fits an alert: neighbours of one colour share one sign.

    After it, what the rack could open with and what opening takes: points and pairs.
    """
    okey = view.public.okey
    said, before = [], ""
    for place, tile in enumerate(flat(facts.shelves), 1):
        colour = "" if tile is okey or tile is Tile.F else tile.name[0]
        said.append(f"{place}:{tile.name[1:] if colour and colour == before else short(tile, okey)}")
        before = colour
    worth = (
        "" if _describe_opened(view) else "".join(f" · {has}/{needs}" for has, needs in _worth(facts, view))
    )
    return brief(facts, view, words, f"{' '.join(said)}\n{short_open(facts, view, words)}{worth}")


def _buttons(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> tuple[Row, ...]:
    if mode.kind == "stand":
        return stand_buttons(facts, view, words)
    if mode.kind == "draft":
        return draft_buttons(facts, view, words)
    draft, look = button(words, "draft", facts.table), button(words, "look", facts.table)
    if mode.kind == "piles":
        return ((look,),)
    if not my_turn(facts, view):
        return (*_declaring_row(facts, view, words), (draft,), *order_rows(facts, words, away=True))
    if mode.kind == "sure" and mode.tile is not None:
        return (_sure_row(facts, view, words, mode.tile),)
    if mode.kind in _LAYING and (lay_offs := _lay_offs(facts, mode.kind)):
        return tuple(_lay_button(facts, move, words) for move in lay_offs), (look,)
    if view.public.phase == "draw":
        extra = _declaring_row(facts, view, words)
        return (draw_row(facts, view, words), *extra, (draft,), *order_rows(facts, words))
    rows = (
        _opening_row(facts, view, words),
        (*_meld_row(facts, view, words), draft),
        _table_row(facts, view, words),
        _discard_row(facts, view, words),
        *_declaring_row(facts, view, words),
    )
    return (*(row for row in rows if row), *order_rows(facts, words))


def _declaring_row(facts: RackFacts, view: SeatView, words: Words) -> tuple[Row, ...]:
    """The buttons to call the last discard, to declare pairs and to look through all piles, for who may."""
    row = list(_call_row(facts.table, view.public, words)) if Call() in facts.legal else []
    if Declare() in facts.legal:
        row.append(button(words, "declare", facts.table))
    if view.all_piles:
        row.append(button(words, "piles", facts.table))
    return (tuple(row),) if row else ()


def _call_row(facts: TableFacts, view: PublicView, words: Words) -> Row:
    """The button to call the last discard playable, while anybody may. It stays valid for the whole turn, so
    that a late call is told that it is late."""
    if not view.board.call_open or view.turn is None:
        return ()
    tile = view.discard_tops[view.turn - 1]
    assert tile is not None
    said = label(words, "button.call", tile=mark(tile, view.okey))
    return (Button(said, callback_text("call", facts.id, facts.turn_number)),)


def _acts(facts: RackFacts, view: SeatView) -> Iterator[Act]:
    table, rules, board = facts.table, facts.table.rules, view.public.board
    yield from draw_acts(facts, view)
    if my_turn(facts, view) and view.public.phase == "discard":
        yield Act("put_down", press(table, "put_down"))
    for move in facts.legal:
        match move:
            case Open(melds):
                points = drafts.worth(melds, rules_of(facts, view)).points
                yield Act("open_melds", press(table, "open_melds"), on=points)
            case OpenPairs(pairs):
                yield Act("open_pairs", press(table, "open_pairs"), on=len(pairs))
            case LayOff(placed, on):
                verb = "lay_wild" if placed.wild else "lay"
                name = placed.face.name
                yield Act("lay", press(table, verb, name, on), name, on=on, wild=placed.wild)
            case Reclaim(tile, on):
                yield Act("reclaim", press(table, "reclaim", tile.name, on), tile.name, on=on)
            case Declare():
                yield Act("declare", press(table, "declare"))
            case Call():
                yield Act("call", callback_text("call", table.id, table.turn_number))
            case Return():
                fined: Sure = "fined" if rules.return_taken == "penalty" else ""
                yield Act("give_back", press(table, "give_back"), sure=fined)
            case TakeBack(count):
                costs = "takeback" in rules.penalties and (count > 1 or board.took_back)
                yield Act(
                    "take_back", press(table, "take_back", count), on=count, sure="fined" if costs else ""
                )
            case Finish(tile):
                yield Act("finish", press(table, "finish", tile.name), tile.name, wins=True)
            case Discard(tile):
                yield _discard_act(facts, view, tile)


def _discard_act(facts: RackFacts, view: SeatView, tile: Tile) -> Act:
    """The act that discards a tile. Discarding an okey, or a tile with a penalty, asks
    first, but not at a strict table."""
    table, okey = facts.table, view.public.okey
    fine = _fine_asked(table.rules, view, tile)
    sure: Sure = "okey" if tile is okey and fine is None else ""
    if fine == "joker_discard" or fine == "playable_discard" or fine == "playable_called":
        sure = fine
    if table.rules.strict or not sure:
        return Act("discard", press(table, "let_go", tile.name), tile.name)
    return Act("discard", press(table, "let_go_anyway", tile.name), tile.name, sure=sure)


def _fine_asked(rules: Rules, view: SeatView, tile: Tile) -> Penalty | Literal["playable_called"] | None:
    """Return the reason to ask before this discard: its penalty, or that an opponent may call it."""
    fine = fine_for_discard(rules, view.public.board, view.public.okey, tile)
    return "playable_called" if fine == "playable_discard" and rules.playable_called else fine


def _sure_row(facts: RackFacts, view: SeatView, words: Words, tile: Tile) -> Row:
    table = facts.table
    yes = button(
        words,
        "let_go_anyway",
        table,
        tile.name,
        style="danger",
        says="discard_okey",
        tile=mark(tile, view.public.okey),
    )
    lay = [button(words, "ask_lay", table)] if _lay_offs(facts, "lay") else []
    return (yes, *lay, button(words, "look", table))


def _opening_row(facts: RackFacts, view: SeatView, words: Words) -> Row:
    """The buttons to open with the best arrangement and to open with pairs."""
    row = []
    for move in facts.legal:
        if isinstance(move, Open):
            points = drafts.worth(move.melds, rules_of(facts, view)).points
            row.append(button(words, "open_melds", facts.table, style="good", points=points))
        elif isinstance(move, OpenPairs):
            row.append(button(words, "open_pairs", facts.table, style="good", n=len(move.pairs)))
    return tuple(row)


def _meld_row(facts: RackFacts, view: SeatView, words: Words) -> Row:
    """A button for each further meld that can be laid."""
    offered = tuple(move.tiles for move in facts.legal if isinstance(move, LayMeld))
    melds = drafts.melds_in(offered, rules_of(facts, view))
    return tuple(meld_button(facts.table, meld, view.public.okey, words) for meld in melds if meld)


def _table_row(facts: RackFacts, view: SeatView, words: Words) -> Row:
    """The buttons for laying off, taking back, reclaiming and giving back."""
    table = facts.table
    row: list[Button] = []
    if Return() in facts.legal and view.drawn is not None:
        given = label(words, "button.give_back", tile=mark(view.drawn, view.public.okey))
        if table.rules.return_taken == "penalty":
            fined = (*given, words.plain("button.fined"))
            row.append(Button(fined, press(table, "give_back"), "danger"))
        else:
            row.append(Button(given, press(table, "give_back")))
    if _lay_offs(facts, "lay"):
        row.append(button(words, "ask_lay", table, style="good"))
    if _lay_offs(facts, "lay_okey"):
        row.append(button(words, "ask_lay_okey", table))
    for move in facts.legal:
        if isinstance(move, Reclaim):  # labelled with the tile that replaces the okey
            tile, where = TileMark(move.tile.name), (move.tile.name, move.on)
            row.append(button(words, "reclaim", table, *where, style="good", tile=tile, number=move.on + 1))
    return (*row, *_take_backs(facts, view, words))


def _take_backs(facts: RackFacts, view: SeatView, words: Words) -> Iterator[Button]:
    """The buttons that take back the last tile or more of them, each with its price."""
    counts = sorted(move.count for move in facts.legal if isinstance(move, TakeBack))
    fines = "takeback" in facts.table.rules.penalties
    for count in counts:
        fined = fines and (count > 1 or view.public.board.took_back)
        said = words.plain("button.take_back", n=count) + words.plain("button.fined") * fined
        yield Button((said,), press(facts.table, "take_back", count), "danger" if fined else "plain")


def _discard_row(facts: RackFacts, view: SeatView, words: Words) -> Row:
    """A button for each tile that may be discarded; the last tile ends the round."""
    if any(isinstance(move, Finish) for move in facts.legal):
        last = view.rack[0]
        tile = mark(last, view.public.okey)
        return (button(words, "finish", facts.table, last.name, style="good", says="finish_tile", tile=tile),)
    if any(isinstance(move, Discard) for move in facts.legal):
        return tile_buttons(facts, view, "let_go", "plain")
    return ()


def _lay_button(facts: RackFacts, move: LayOff, words: Words) -> Button:
    """The button that lays off a tile, or an okey as a tile, on a meld."""
    face, on = move.tile.face, f" → #{move.on + 1}"
    if move.tile.wild:
        said = okey_as(facts.table, face, words) + on
        return Button((said,), press(facts.table, "lay_wild", face.name, move.on))
    return Button((TileMark(face.name), on), press(facts.table, "lay", face.name, move.on), "good")


def _lay_offs(facts: RackFacts, kind: str) -> Sequence[LayOff]:
    """The possible lay-offs: of tiles (`lay`) or of okeys (`lay_okey`)."""
    wild = kind == "lay_okey"
    return [move for move in facts.legal if isinstance(move, LayOff) and move.tile.wild == wild]


def _describe_opened(view: SeatView) -> bool:
    return view.public.board.opened[view.seat] is not None


def _blind_buttons(facts: TableFacts, view: PublicView, words: Words) -> tuple[Row, ...]:
    assert view.turn is not None
    most = view.rack_sizes[view.turn] + (view.phase == "draw")
    draw = [blind_button(facts, "draw_here", words.plain("button.draw"))] if view.turns else []
    if facts.rules.declare_pairs and view.board.opened[view.turn] is None:
        if view.turn in view.board.declared:
            draw += blind_takes(facts, view, words)
        else:
            draw.append(blind_button(facts, "declare_here", words.plain("button.declare")))
    open_here, lay_here = (
        blind_button(facts, verb, words.plain(f"button.{verb}")) for verb in ("open_here", "lay_here")
    )
    return (*draw, open_here), blind_numbers(facts, "spot", most), (lay_here,)


def _opening(seat: int, facts: TableFacts, view: PublicView, words: Words) -> str:
    way = view.board.opened[seat]
    if way is None and seat in view.board.declared:
        return words.plain("note.declared")
    return "" if way is None else words.plain(f"note.opened_{way}", count=facts.openings[seat])


def _explain(rules: Rules, words: Words) -> Iterator[Text]:
    yield words.say("explain.goal.101")
    yield words.say("explain.open", points=rules.opening_points, pairs=rules.opening_pairs)
    if rules.raising:
        yield words.say("explain.raising")
    yield words.say("explain.lay")
    if rules.pairs_lay_off == "2":
        yield words.say("explain.pairs_lay_off")
    if rules.lay_pairs == "once_opened":
        yield words.say("explain.lay_pairs")
    if rules.declare_pairs:
        yield words.say("explain.declare")
    if rules.elden_below:
        yield words.say("explain.elden_below")
    yield words.say(f"explain.taken.{rules.return_taken}")
    if rules.reclaim_joker:
        yield words.say("explain.reclaim")
    yield words.say("explain.score.101")
    if rules.openers_pay == "uncombined":
        yield words.say("explain.uncombined")
    penalties = [each for each in rules.penalties if rules.strict or each != "failed_opening"]
    if penalties:
        yield words.say("explain.penalties", penalties=value_name(words, "penalties", penalties))
    if rules.playable_called:
        yield words.say("explain.called")
    if rules.partner_penalties == "wiped":
        yield words.say("explain.wiped")
    if rules.strict:
        yield words.say("explain.strict")


def _fine(tile: Tile, rules: Rules, view: SeatView, words: Words) -> list[Text]:
    fine = fine_for_discard(rules, view.public.board, view.public.okey, tile)
    return [] if fine is None else [words.say(f"review.{fine}", tile=mark(tile, view.public.okey))]


def _cost(decision: Decision, view: SeatView, words: Words) -> list[Text]:
    points = round(FINE * decision.cost)
    cost = words.say("review.cost_points", n=points) if points else words.say("review.cost_little")
    return [*_reason(decision.best, view, words), cost]


def _reason(best: Move, view: SeatView, words: Words) -> list[Text]:
    """The reason for a better move, where the move itself does not tell it."""
    if isinstance(best, Finish):
        return [words.say("review.why_finish")]
    if isinstance(best, Take):
        return [words.say("review.why_take_lay" if _describe_opened(view) else "review.why_take_open")]
    if isinstance(best, Discard | Draw):
        return []
    return [words.say("review.why_wait" if view.public.stock_left else "review.why_last")]


OKEY101: Final = GameScreens(
    name="101",
    suffix=".101",
    explained=_explain,
    task=_task,
    pointed=_point,
    brief=_brief,
    buttons=_buttons,
    acts=_acts,
    blind_buttons=_blind_buttons,
    fine=_fine,
    cost=_cost,
    level=level_line,
    laid_lines=describe_laid,
    opening=_opening,
    laid_faces=list_laid_faces,
    laid_names=list_laid_names,
    call_row=_call_row,
    figures=("opened", "fines"),
)
