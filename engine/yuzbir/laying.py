"""Adding to melds on the table in 101, taking back, and reclaiming an okey (RULES 5)."""

from dataclasses import replace

from engine.board import Board, fitting, played_as
from engine.errors import NotAllowed
from engine.events import Event, LaidOff, Reclaimed, TookBack
from engine.melds import Meld, Played
from engine.moves import Placed
from engine.rules import Rules
from engine.state import Round, with_tiles, without
from engine.tiles import Tile
from engine.yuzbir.turn import Stepped, board_of, fined, like_taken, off_rack, way_opened


def lay_off(rules: Rules, round: Round, placed: Placed, on: int) -> Stepped:
    """Add a tile to a meld. Raises NotAllowed."""
    way_opened(round)
    board, played = board_of(round), played_as(placed, round.okey)
    meld = _meld_on(board, on)
    fits = fitting(meld, rules.one_after_thirteen)
    if played.face not in fits:
        raise NotAllowed("does_not_fit", tile=str(placed), on=on)
    front = fits[played.face]
    tiles = (played, *meld.tiles) if front else (*meld.tiles, played)
    board = _with_meld(board, on, tiles)
    board = replace(board, laid_off=(*board.laid_off, (on, front)), took_back=False)
    return off_rack(replace(round, board=board), (played.tile,)), (LaidOff(round.turn, played, on),)


def take_back(rules: Rules, round: Round, count: int) -> Stepped:
    """Take the last tiles laid off in this turn back: the very last is free. Raises NotAllowed."""
    board = board_of(round)
    if not 1 <= count <= len(board.laid_off):
        raise NotAllowed("nothing_to_take_back", count=count)
    costs = (count > 1 or board.took_back) and "takeback" in rules.penalties
    back = []
    for on, front in board.laid_off[: -count - 1 : -1]:
        tiles = board.melds[on].meld.tiles
        back.append(tiles[0 if front else -1].tile)
        board = _with_meld(board, on, tiles[1:] if front else tiles[:-1])
    used = board.used - like_taken(round, back)
    after = replace(
        round,
        racks=with_tiles(round.racks, round.turn, tuple(sorted((*round.racks[round.turn], *back)))),
        board=replace(board, laid_off=board.laid_off[:-count], used=used, took_back=True),
    )
    events: tuple[Event, ...] = (TookBack(round.turn, tuple(back)),)
    return fined(after, round.turn, "takeback", events) if costs else (after, events)


def reclaim(rules: Rules, round: Round, tile: Tile, on: int) -> Stepped:
    """Put a tile in the place of the okey that stands for it, and take the okey. Raises NotAllowed."""
    if not rules.reclaim_joker:
        raise NotAllowed("no_reclaiming")
    way_opened(round)
    board = board_of(round)
    meld, put = _meld_on(board, on), played_as(Placed(tile), round.okey)
    place = okey_place(meld, put.face, round.okey)
    if place is None or tile == round.okey:
        raise NotAllowed("nothing_to_reclaim", tile=tile.name, on=on)
    rack = without(round.racks[round.turn], (tile,))
    board = replace(
        _with_meld(board, on, (*meld.tiles[:place], put, *meld.tiles[place + 1 :])),
        laid_off=(),  # tiles laid before may be what made room for this: they stay
        used=board.used + like_taken(round, (tile,)),
    )
    racks = with_tiles(round.racks, round.turn, tuple(sorted((*rack, round.okey))))
    return replace(round, racks=racks, board=board), (Reclaimed(round.turn, tile, on),)


def okey_place(meld: Meld, face: Tile, okey: Tile) -> int | None:
    """Where in a meld an okey stands for a face."""
    wanted = Played(okey, face)
    return meld.tiles.index(wanted) if wanted in meld.tiles else None


def _meld_on(board: Board, on: int) -> Meld:
    if not 0 <= on < len(board.melds):
        raise NotAllowed("no_such_meld", on=on)
    return board.melds[on].meld


def _with_meld(board: Board, on: int, tiles: tuple[Played, ...]) -> Board:
    laid = board.melds[on]
    grown = replace(laid, meld=replace(laid.meld, tiles=tiles))
    return replace(board, melds=(*board.melds[:on], grown, *board.melds[on + 1 :]))
