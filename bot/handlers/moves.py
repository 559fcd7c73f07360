"""What each button does to a table: pure functions from a visit and a table to a change."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.errors import Refused
from bot.handlers.request import Visit, new_seat, this_move, this_turn
from bot.repository.tables import Kept
from bot.tables import lobby, play, practice, racks, turns
from bot.tables.table import Change, Table
from engine.errors import EngineError
from engine.moves import Discard, Draw, Finish, Move, Show, Take
from engine.round import legal_moves
from engine.tiles import Tile, tile_from_text
from engine.view import public_view, seat_view

Act = Callable[[Visit, Kept], Change]


class Asked(Exception):
    """Before this is done the presser is asked once more: discarding `tile` hurts."""

    def __init__(self, tile: Tile) -> None:
        super().__init__()
        self.tile = tile


def _join(visit: Visit, kept: Kept) -> Change:
    return lobby.join(kept.table, new_seat(visit.by, kept.now))


def _leave(visit: Visit, kept: Kept) -> Change:
    return lobby.leave(kept.table, visit.by.key)


def _computer(visit: Visit, kept: Kept) -> Change:
    return lobby.add_computer(kept.table, visit.by.key, "steady")


def _fewer(visit: Visit, kept: Kept) -> Change:
    return lobby.remove_computer(kept.table, visit.by.key)


def _players(visit: Visit, kept: Kept) -> Change:
    return lobby.change_rules(kept.table, visit.by.key, players=visit.number())


def _start(visit: Visit, kept: Kept) -> Change:
    return play.start(kept.table, visit.by.key, visit.delays)


def _cancel(visit: Visit, kept: Kept) -> Change:
    return lobby.cancel(kept.table, visit.by.key)


def _next(visit: Visit, kept: Kept) -> Change:
    visit.seat(kept)
    this_move(visit, kept)
    if kept.table.stage != "between":
        raise Refused("no_round")
    return play.next_round(there(visit, kept), visit.delays)


def _step_out(visit: Visit, kept: Kept) -> Change:
    return turns.step_out(kept.table, visit.by.key, visit.delays)


def _practice_leave(visit: Visit, kept: Kept) -> Change:
    return practice.leave(kept.table, visit.by.key)


def _back_in(visit: Visit, kept: Kept) -> Change:
    if kept.table.stage not in ("playing", "between"):
        raise Refused("no_round")
    table = turns.returned(there(visit, kept), visit.seat(kept))
    on_turn = table.stage == "playing" and public_view(table.match).turn == visit.seat(kept)
    return Change(table, due=play.clock(table, visit.delays) if on_turn else "keep")


def moving(make: Callable[[Visit, Kept], Move], fresh: Callable[[Visit, Kept], None] = this_move) -> Act:
    """A button that makes a move in the game, as long as it is `fresh`."""

    def act(visit: Visit, kept: Kept) -> Change:
        seat = visit.seat(kept)
        fresh(visit, kept)
        table = there(visit, kept)
        if table.stage == "playing" and table.seats[seat].computer is not None:
            raise Refused("stand_in_plays")
        return play.move(table, seat, make(visit, kept), visit.delays, visit.entropy)

    return act


def ordering(arrange: Callable[[Visit, Kept, racks.Shelves], racks.Shelves]) -> Act:
    """A button that puts the person's own rack in another order."""

    def act(visit: Visit, kept: Kept) -> Change:
        seat = visit.seat(kept)
        if kept.table.match.round is None:
            raise Refused("no_round")
        shelves = arrange(visit, kept, kept.table.seats[seat].shelves)
        return Change(there(visit, kept).with_seat(seat, shelves=shelves).seat_touched(seat))

    return act


def there(visit: Visit, kept: Kept) -> Table:
    """The table, its presser noted as present."""
    return turns.present(kept.table, visit.seat(kept), kept.now, private=visit.private)


def named_tile(visit: Visit) -> Tile:
    """The tile that the button names. Raises Refused `unknown_button`."""
    try:
        return tile_from_text(visit.argument())
    except EngineError:
        raise Refused("unknown_button") from None


def _draw(visit: Visit, kept: Kept) -> Move:
    return Draw()


def _take(visit: Visit, kept: Kept) -> Move:
    return Take(visit.number() if visit.request.arguments else None)


def _show(visit: Visit, kept: Kept) -> Move:
    return Show()


def _discard(visit: Visit, kept: Kept) -> Move:
    """Raises Asked when the tile is an okey: discarding it by a slip of the finger hurts."""
    tile = named_tile(visit)
    if tile is okey_of(kept):
        raise Asked(tile)
    return Discard(tile)


def _discard_okey(visit: Visit, kept: Kept) -> Move:
    return Discard(okey_of(kept))


def _finish(visit: Visit, kept: Kept) -> Move:
    return Finish(named_tile(visit))


def _place(visit: Visit, kept: Kept) -> Move:
    """The tile at a numbered place of the presser's own rack, counted from 1; an okey has a button of
    its own. Raises Refused `okey_asks`."""
    tiles = racks.flat(kept.table.seats[visit.seat(kept)].shelves)
    place = visit.number()
    if not 1 <= place <= len(tiles):
        raise Refused("unknown_button")
    tile = tiles[place - 1]
    if tile is okey_of(kept):
        raise Refused("okey_asks")
    return Discard(tile)


def _finish_best(visit: Visit, kept: Kept) -> Move:
    """A finish for whom only alerts reach: with an okey when he can, else with the first tile that does."""
    seat = visit.seat(kept)
    match = kept.table.match
    if match.round is None:
        raise Refused("no_round")
    finishes = [move for move in legal_moves(match.rules, match.round, seat) if isinstance(move, Finish)]
    if not finishes:
        view = seat_view(match, seat)
        return Finish(view.rack[0])
    okey = match.round.okey
    return next((move for move in finishes if move.tile is okey), finishes[0])


def _runs(visit: Visit, kept: Kept, shelves: racks.Shelves) -> racks.Shelves:
    return racks.by_runs(racks.flat(shelves), okey_of(kept), _width(kept))


def _pairs(visit: Visit, kept: Kept, shelves: racks.Shelves) -> racks.Shelves:
    return racks.by_pairs(racks.flat(shelves), okey_of(kept), _width(kept))


def okey_of(kept: Kept) -> Tile:
    """The round's okey. Raises Refused `no_round`."""
    if kept.table.match.round is None:
        raise Refused("no_round")
    return kept.table.match.round.okey


def _put(visit: Visit, kept: Kept, shelves: racks.Shelves) -> racks.Shelves:
    this_move(visit, kept)
    return racks.moved(shelves, visit.number(0), visit.number(1), _width(kept))


def _width(kept: Kept) -> int:
    return racks.width(kept.table.match.rules.game)


ACTS: Final[Mapping[str, Act]] = {
    "join": _join,
    "leave": _leave,
    "computer": _computer,
    "fewer": _fewer,
    "players": _players,
    "start": _start,
    "cancel": _cancel,
    "next": _next,
    "step_out": _step_out,
    "practice_leave": _practice_leave,
    "back_in": _back_in,
    "draw": moving(_draw),
    "take": moving(_take),
    "show": moving(_show),
    "discard": moving(_discard),
    "discard_okey": moving(_discard_okey),
    "finish": moving(_finish),
    "draw_here": moving(_draw, this_turn),
    "take_here": moving(_take, this_turn),
    "place": moving(_place, this_turn),
    "okey_here": moving(_discard_okey, this_turn),
    "finish_here": moving(_finish_best, this_turn),
    "sort_runs": ordering(_runs),
    "sort_pairs": ordering(_pairs),
    "put": ordering(_put),
}
