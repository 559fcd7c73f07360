"""Opening in 101, and laying further melds (RULES 5)."""

from dataclasses import replace

from engine.board import Board, Laid, Way, meld_of, played_as, points_of
from engine.errors import NotAllowed
from engine.events import Cancelled, MeldLaid, Opened
from engine.melds import Meld
from engine.moves import Placed
from engine.rules import Rules
from engine.state import Ending, Round, over
from engine.tiles import Tile
from engine.yuzbir.turn import Stepped, board_of, fined, must_use, off_rack, rack_less, way_opened

Named = tuple[tuple[Placed, ...], ...]


def points_needed(rules: Rules, board: Board) -> int:
    """What sets and runs must be worth to open now."""
    return max(rules.opening_points, board.points + 1) if rules.raising else rules.opening_points


def pairs_needed(rules: Rules, board: Board) -> int:
    """How many pairs it takes to open now."""
    return max(rules.opening_pairs, board.pairs + 1) if rules.raising else rules.opening_pairs


def open_with_melds(rules: Rules, round: Round, named: Named) -> Stepped:
    """Lay sets and runs worth enough, all at once. Raises NotAllowed."""
    melds = _checked(rules, round, named)
    if any(meld.kind == "pair" for meld in melds):
        raise NotAllowed("wrong_kind")
    board = board_of(round)
    points, needed = sum(map(points_of, melds)), points_needed(rules, board)
    if points < needed:
        missing = needed - points
        too_low = NotAllowed("opening_too_low", points=points, needed=needed, missing=missing)
        return _failed(rules, round, too_low)
    board = replace(board, points=max(points, board.points))
    opened = _opened(replace(round, board=board), "melds", melds)
    return opened, (Opened(round.turn, "melds", points, melds),)


def open_with_pairs(rules: Rules, round: Round, named: Named) -> Stepped:
    """Lay enough pairs, all at once; when everybody has, the round is cancelled. Raises NotAllowed."""
    pairs = _checked(rules, round, named)
    if any(meld.kind != "pair" for meld in pairs):
        raise NotAllowed("wrong_kind")
    board = board_of(round)
    count, needed = len(pairs), pairs_needed(rules, board)
    if count < needed:
        missing = needed - count
        too_few = NotAllowed("too_few_pairs", pairs=count, needed=needed, missing=missing)
        return _failed(rules, round, too_few)
    board = replace(board, pairs=max(count, board.pairs))
    opened = _opened(replace(round, board=board), "pairs", pairs)
    told = Opened(round.turn, "pairs", count, pairs)
    if all(board_of(opened).opened[seat] == "pairs" for seat in round.seats):
        return over(opened, Ending("cancelled")), (told, Cancelled())
    return opened, (told,)


def lay_meld(rules: Rules, round: Round, named: tuple[Placed, ...]) -> Stepped:
    """Lay a further meld of the kind that the seat opened with. Raises NotAllowed."""
    way = way_opened(round)
    meld = _meld(rules, round, named)
    if (meld.kind == "pair") != (way == "pairs"):
        raise NotAllowed("wrong_kind")
    return _onto_table(round, (meld,)), (MeldLaid(round.turn, meld),)


def _checked(rules: Rules, round: Round, named: Named) -> tuple[Meld, ...]:
    """The melds that a seat wants to open with, before their worth is looked at. Raises NotAllowed."""
    if board_of(round).opened[round.turn] is not None:
        raise NotAllowed("already_opened")
    melds = tuple(_meld(rules, round, tiles) for tiles in named)
    tiles = _tiles_of(melds)
    rack_less(round, tiles)
    taken = must_use(round)
    if taken is not None and taken not in tiles:
        raise NotAllowed("open_with_taken", tile=taken.name)
    return melds


def _failed(rules: Rules, round: Round, refusal: NotAllowed) -> Stepped:
    """Too little to open: refused, or at a strict table the tiles go back and it costs a fine."""
    if not rules.strict or "failed_opening" not in rules.penalties:
        raise refusal
    return fined(round, round.turn, "failed_opening", ())


def _meld(rules: Rules, round: Round, named: tuple[Placed, ...]) -> Meld:
    meld = meld_of([played_as(tile, round.okey) for tile in named], rules.one_after_thirteen)
    if meld is None:
        raise NotAllowed("no_meld", tiles=" ".join(map(str, named)))
    return meld


def _opened(round: Round, way: Way, melds: tuple[Meld, ...]) -> Round:
    board, seat = board_of(round), round.turn
    opened = (*board.opened[:seat], way, *board.opened[seat + 1 :])
    return _onto_table(replace(round, board=replace(board, opened=opened, opened_now=True)), melds)


def _onto_table(round: Round, melds: tuple[Meld, ...]) -> Round:
    board = board_of(round)
    laid = (*board.melds, *(Laid(round.turn, meld) for meld in melds))
    return off_rack(replace(round, board=replace(board, melds=laid)), _tiles_of(melds))


def _tiles_of(melds: tuple[Meld, ...]) -> tuple[Tile, ...]:
    return tuple(played.tile for meld in melds for played in meld.tiles)
