"""What the buttons of the arranging mode do to a person's own draft. Nobody else is shown anything."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.desk.acts import Act, named_tile, okey_of, there
from bot.desk.visit import Visit
from bot.keeper import Kept
from bot.screens.rack import PLAY, Mode
from bot.tables import drafts
from bot.tables.changes import Change, Refused
from bot.tables.model import Draft
from engine.arrange import best_opening, most_pairs
from engine.moves import Move, Open, OpenPairs, Placed
from engine.round import legal_moves
from engine.tiles import Tile
from engine.view import seat_view
from engine.yuzbir.opening import pairs_needed, points_needed

_DRAFT: Final = Mode("draft")

LOOKS_101: Final[Mapping[str, Mode]] = {
    "draft": _DRAFT,
    "ask_stand": Mode("stand"),
    "ask_lay": Mode("lay"),
    "ask_lay_okey": Mode("lay_okey"),
}
"""Buttons that only turn the cockpit to something else."""


def _drafting(change: Callable[[Visit, Kept, Draft], Draft]) -> Act:
    """A button that changes the person's draft; whose turn it is does not matter."""

    def act(visit: Visit, kept: Kept) -> Change:
        seat = visit.seat(kept)
        if kept.table.match.round is None or kept.table.match.rules.game != "101":
            raise Refused("no_round")
        draft = change(visit, kept, kept.table.seats[seat].draft)
        return Change(there(visit, kept).with_seat(seat, draft=draft).seat_touched(seat))

    return act


def _add(visit: Visit, kept: Kept, draft: Draft) -> Draft:
    return _put(visit, kept, draft, Placed(named_tile(visit)))


def _stand(visit: Visit, kept: Kept, draft: Draft) -> Draft:
    tile = named_tile(visit)
    if tile is Tile.F:
        raise Refused("unknown_button")
    return _put(visit, kept, draft, Placed(tile, wild=True))


def _put(visit: Visit, kept: Kept, draft: Draft, placed: Placed) -> Draft:
    """Raises Refused `not_on_rack` when no such tile is left beside the draft."""
    okey = okey_of(kept)
    rack = seat_view(kept.table.match, visit.seat(kept)).rack
    if drafts.tile_of(placed, okey) not in drafts.left(rack, draft, okey):
        raise Refused("not_on_rack")
    return drafts.added(draft, placed, okey, one_after_thirteen=kept.table.match.rules.one_after_thirteen)


def _new_group(visit: Visit, kept: Kept, draft: Draft) -> Draft:
    return drafts.with_new_group(draft)


def _undo(visit: Visit, kept: Kept, draft: Draft) -> Draft:
    return drafts.undone(draft)


def _drop(visit: Visit, kept: Kept, draft: Draft) -> Draft:
    return drafts.without_group(draft, visit.number())


def _best(visit: Visit, kept: Kept, draft: Draft) -> Draft:
    """The best arrangement, to change from there: an opening if he has one, else of the kind that is
    nearer to one."""
    for move in _legal(visit, kept):
        if isinstance(move, Open):
            return move.melds
        if isinstance(move, OpenPairs):
            return move.pairs
    view, rules = seat_view(kept.table.match, visit.seat(kept)), kept.table.match.rules
    okey, board = view.public.okey, view.public.board
    assert board is not None
    points, melds = best_opening(okey, view.rack, one_after_thirteen=rules.one_after_thirteen)
    pairs = most_pairs(okey, view.rack)
    nearer = len(pairs) * points_needed(rules, board) > points * pairs_needed(rules, board)
    way = board.opened[view.seat] or ("pairs" if nearer else "melds")
    return drafts.of_melds(pairs if way == "pairs" else melds, okey)


def _legal(visit: Visit, kept: Kept) -> tuple[Move, ...]:
    round = kept.table.match.round
    assert round is not None
    return legal_moves(kept.table.match.rules, round, visit.seat(kept))


ACTS_DRAFT: Final[Mapping[str, Act]] = {
    "add": _drafting(_add),
    "stand": _drafting(_stand),
    "new_group": _drafting(_new_group),
    "undo": _drafting(_undo),
    "drop": _drafting(_drop),
    "best_draft": _drafting(_best),
}


def mode_after(verb: str, *, refused: bool = False) -> Mode:
    """What the presser's cockpit is about after this button: he goes on with what he was doing."""
    if verb in ACTS_DRAFT or (refused and verb == "open_draft"):
        return _DRAFT
    return Mode("lay") if verb == "lay" and not refused else PLAY
