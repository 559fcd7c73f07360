"""Okey 101 on screens: draw or take, open, lay, lay off, discard (RULES 5); and its rules in words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from bot.i18n import Value, Words
from bot.live import Sure
from bot.markup import Button, Name, Row, Style, Text, TileMark
from bot.screens.games.game import GameScreens
from bot.screens.games.hints import hint_lines
from bot.screens.games.melds import (
    describe_fines,
    describe_laid,
    draft_buttons,
    draft_lines,
    level_line,
    list_laid_faces,
    list_laid_names,
    meld_button,
    meld_offer,
    okey_as,
    rules_of,
    stand_buttons,
)
from bot.screens.offer import SURE, Offer, make_offer, offer_row, offers_of
from bot.screens.parts import button, mark, tile_row
from bot.screens.rack import (
    Mode,
    brief,
    discard_task,
    draw_offers,
    draw_task,
    list_lays,
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
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import PublicView, SeatView

_DRAFTING: Final = ("draft", "stand")
_LAYING: Final[Mapping[str, Style]] = {"lay": "good", "lay_okey": "plain"}
"""The dialogues in which tiles and okeys are laid off, and how their buttons look."""


def _task(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> list[Text]:
    """Return the current task and the rack's worth; where a tile is laid off, the melds on the table:
    elsewhere they would push the tiles off a phone's screen, and the table's picture shows them."""
    if mode.kind in _DRAFTING:
        return draft_lines(facts, view, words, mode)
    if mode.kind == "piles":
        return _pile_lines(facts, view, words)
    worth = [] if _describe_opened(view) else [_worth_line(facts, view, words)]
    if not my_turn(facts, view):
        return [waiting_line(facts, view, words), *worth]
    now = _turn_task(facts, view, words, mode) + until(facts, words)
    laid = describe_laid(facts.table, view.public, words) if mode.kind in _LAYING else []
    fines = describe_fines(facts.table, view.public, words)
    return [now, *hint_lines(facts, view, words), *worth, *laid, *fines]


def _pile_lines(facts: RackFacts, view: SeatView, words: Words) -> list[Text]:
    """Return every seat's discards, oldest first."""
    return [
        words.say("rack.pile", who=Name(seat.name), tiles=tile_row(pile, view.public.okey))
        for seat, pile in zip(facts.table.seats, view.all_piles, strict=False)
    ]


def _turn_task(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> Text:
    okey = view.public.okey
    if mode.offer is not None:
        return question(mode.offer, words)
    if mode.kind in _LAYING:
        return words.say(f"rack.{mode.kind}")
    if view.public.phase == "draw":
        return draw_task(facts, view, words)
    if Return() in facts.legal and view.drawn is not None:
        return words.say("rack.use_taken", tile=mark(view.drawn, okey))
    if len(view.rack) == 1:
        return words.say("rack.last_tile")
    return discard_task(view, words)


def _worth_line(facts: RackFacts, view: SeatView, words: Words) -> Text:
    """Return the rack's most points and pairs, beside the numbers that open, which may rise while others
    play; only pairs, if they declared them."""
    *melds, (pairs, pairs_open) = _worth(facts, view)
    if not melds:
        return words.say("rack.worth_declared", n=pairs, pairs_needed=pairs_open)
    ((points, points_open),) = melds
    key = "rack.worth" if my_turn(facts, view) else "rack.worth_meanwhile"
    return words.say(key, points=points, points_needed=points_open, n=pairs, pairs_needed=pairs_open)


def _worth(facts: RackFacts, view: SeatView) -> list[tuple[int, int]]:
    """Return the most points and the most pairs of the rack, each with the number that opens; only the pairs,
    if the seat has declared them."""
    rules, board, meld_rules = facts.table.rules, view.public.board, rules_of(facts, view)
    pairs = (pair_count(meld_rules, view.rack), pairs_needed(rules, board))
    if view.seat in board.declared:
        return [pairs]
    return [(opening_points(meld_rules, view.rack), points_needed(rules, board)), pairs]


def _point(facts: RackFacts, view: SeatView, mode: Mode) -> tuple[Tile, ...]:
    """Return the tiles of the draft while it is being built, the tile whose discard is to be confirmed, else
    the tile that was drawn or taken."""
    if mode.offer is not None and mode.offer.tile is not None:
        return (mode.offer.tile,)
    if mode.kind in _DRAFTING:
        return tuple(drafts.tile_of(placed, view.public.okey) for group in facts.draft for placed in group)
    return () if view.drawn is None else (view.drawn,)


def _brief(facts: RackFacts, view: SeatView, words: Words) -> str:
    """Return a rack of 22 tiles that fits an alert: neighbours of one colour share one sign.

    After it, what the rack could open with and what opening takes: points and pairs, or only pairs.
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


def _offers(facts: RackFacts, view: SeatView) -> Iterator[Offer]:
    table, public, rules = facts.table, view.public, facts.table.rules
    yield from draw_offers(facts, view)
    if my_turn(facts, view) and public.phase == "discard":
        yield make_offer(table, "put_down")
    told: dict[str, Value]
    style: Style
    for move in facts.legal:
        sure = _question(rules, public, move)
        match move:
            case Call():
                yield from _calls(table, public)
            case Declare():
                yield make_offer(table, "declare", sure=sure)
            case Open(melds):
                points = drafts.worth(melds, rules_of(facts, view)).points
                told = {"points": points}
                yield make_offer(table, "open_melds", on=points, style="good", values=told)
            case OpenPairs(pairs):
                told = {"n": len(pairs)}
                yield make_offer(table, "open_pairs", on=len(pairs), style="good", values=told)
            case LayMeld(tiles):
                (meld,) = drafts.melds_in((tiles,), rules_of(facts, view))
                assert meld is not None
                yield meld_offer(table, meld, public.okey)
            case LayOff(placed, on):
                face, wild = placed.face, placed.wild
                verb, style = ("lay_wild", "plain") if wild else ("lay", "good")
                yield make_offer(
                    table, "lay", face.name, on, verb=verb, tile=face, on=on, wild=wild, style=style
                )
            case Reclaim(tile, on):  # labelled with the tile that replaces the okey
                told = {"tile": TileMark(tile.name), "number": on + 1}
                yield make_offer(table, "reclaim", tile.name, on, tile=tile, on=on, style="good", values=told)
            case TakeBack(count):
                yield make_offer(table, "take_back", count, on=count, sure=sure, values={"n": count})
            case Return():
                assert view.drawn is not None
                yield make_offer(
                    table, "give_back", sure=sure, values={"tile": mark(view.drawn, public.okey)}
                )
            case Finish(tile):
                told = {"tile": mark(tile, public.okey)}
                yield make_offer(
                    table,
                    "finish",
                    tile.name,
                    tile=tile,
                    wins=True,
                    style="good",
                    says="finish_tile",
                    values=told,
                )
            case Discard(tile):
                told = {"tile": mark(tile, public.okey)}
                yield make_offer(table, "discard", tile.name, tile=tile, sure=sure, values=told)


def _question(rules: Rules, view: PublicView, move: Move) -> Sure:
    """Return a strict table asks about penalties that its buttons tell, and about no discard."""
    match move:
        case Declare():
            return "declare"
        case Return() if rules.return_taken == "penalty":
            return "fined"
        case TakeBack(count) if "takeback" in rules.penalties and (count > 1 or view.board.took_back):
            return "fined"
        case Discard(tile) if not rules.strict:
            fine = fine_for_discard(rules, view.board, view.okey, tile)
            if fine == "playable_discard":
                return "playable_called" if rules.playable_called else fine
            return "joker_discard" if fine == "joker_discard" else "okey" if tile is view.okey else ""
    return ""


def _calls(facts: TableFacts, view: PublicView) -> Iterator[Offer]:
    """Offer the call. It stays valid for the whole turn, so that a late call is told that it is late."""
    if not view.board.call_open or view.turn is None:
        return
    tile = view.discard_tops[view.turn - 1]
    assert tile is not None
    yield make_offer(facts, "call", moment=facts.turn_number, values={"tile": mark(tile, view.okey)})


def _numbers(facts: TableFacts, view: PublicView) -> Iterator[Offer]:
    assert view.turn is not None
    turn = facts.turn_number
    if view.turns:
        yield make_offer(facts, "draw", verb="draw_here", moment=turn)
    if facts.rules.declare_pairs and view.board.opened[view.turn] is None:
        if view.turn not in view.board.declared:
            yield make_offer(
                facts, "declare", SURE, verb="declare_here", moment=turn
            )  # an alert asks nothing
        elif facts.rules.discard_sources == "left":
            yield make_offer(facts, "take", verb="take_here", moment=turn)
        else:
            yield from take_offers(facts, view, "take_here", turn)
    yield make_offer(facts, "open_best", verb="open_here", moment=turn, says="open_here")
    yield from number_offers(facts, view.rack_sizes[view.turn] + (view.phase == "draw"))
    yield make_offer(facts, "lay_all", verb="lay_here", moment=turn, says="lay_here")


def _buttons(
    facts: RackFacts, view: SeatView, offers: Sequence[Offer], words: Words, mode: Mode
) -> tuple[Row, ...]:
    if mode.kind == "stand":
        return stand_buttons(facts, view, words)
    if mode.kind == "draft":
        return draft_buttons(facts, view, words)
    table, public = facts.table, view.public
    draft, look = button(words, "draft", table), button(words, "look", table)
    if mode.kind == "piles":
        return ((look,),)
    piles = (button(words, "piles", table),) if view.all_piles else ()
    declaring = (*offer_row(offers, words, "call", "declare"), *piles)
    rows: tuple[Row, ...]
    if not my_turn(facts, view):
        rows = (declaring, (draft, *more_row(facts, words, away=True)))
    elif mode.kind in _LAYING:
        rows = (_lay_row(facts, offers, mode.kind, words), (look,))
    elif public.phase == "draw":
        drawing = offer_row(offers, words, "draw", "take")
        rows = (drawing, declaring, (draft, *more_row(facts, words)))
    else:
        rows = (
            offer_row(offers, words, "open_melds", "open_pairs"),
            tuple(meld_button(table, offer, public.okey, words) for offer in offers_of(offers, "meld")),
            _table_row(facts, offers, words),
            offer_row(offers, words, "finish") or tile_buttons(facts, view, offers, "discard"),
            declaring,
            (draft, *more_row(facts, words)),
        )
    return tuple(row for row in rows if row)


def _table_row(facts: RackFacts, offers: Sequence[Offer], words: Words) -> Row:
    """Return the buttons for giving back, laying off, reclaiming and taking back."""
    laying = [
        button(words, f"ask_{kind}", facts.table, style=style)
        for kind, style in _LAYING.items()
        if list_lays(offers, kind)
    ]
    backward = offer_row(sorted(offers, key=lambda offer: offer.on), words, "take_back")
    return (*offer_row(offers, words, "give_back"), *laying, *offer_row(offers, words, "reclaim"), *backward)


def _lay_row(facts: RackFacts, offers: Sequence[Offer], kind: str, words: Words) -> Row:
    """Return a button for each tile (`lay`) or okey (`lay_okey`) that can be laid off, with its meld."""
    return tuple(_lay_button(facts, offer, words) for offer in list_lays(offers, kind))


def _lay_button(facts: RackFacts, offer: Offer, words: Words) -> Button:
    assert offer.tile is not None
    face = okey_as(facts.table, offer.tile, words) if offer.wild else TileMark(offer.tile.name)
    return Button((face, f" → #{offer.on + 1}"), offer.press, offer.style)


def _describe_opened(view: SeatView) -> bool:
    return view.public.board.opened[view.seat] is not None


def _opening(seat: int, facts: TableFacts, view: PublicView, words: Words) -> str:
    way = view.board.opened[seat]
    if way is None and seat in view.board.declared:
        return words.plain("note.declared")
    return "" if way is None else words.plain(f"note.opened_{way}", count=facts.news.openings[seat])


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
    """Return the reason for a better move, where the move itself does not tell it."""
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
    offers=_offers,
    question=_question,
    numbers=_numbers,
    calls=_calls,
    buttons=_buttons,
    fine=_fine,
    cost=_cost,
    level=level_line,
    fine_lines=describe_fines,
    opening=_opening,
    laid_faces=list_laid_faces,
    laid_names=list_laid_names,
    figures=("opened", "fines"),
)
