"""What each button does to a table: pure functions from a visit and a table to a change."""

from collections.abc import Callable, Mapping
from typing import Final

from bot.errors import Refused
from bot.handlers.request import RequestContext, new_seat, this_move, this_turn
from bot.repository.tables import StoredTable
from bot.tables import lobby, play, practice, racks, turns
from bot.tables.table import Change, Table
from engine.errors import EngineError
from engine.games import game_of
from engine.moves import Discard, Draw, Finish, Move, Show, Take
from engine.round import legal_moves
from engine.tiles import Tile, tile_from_text
from engine.view import public_view, seat_view

Act = Callable[[RequestContext, StoredTable], Change]


class Asked(Exception):
    """Before this is done the presser is asked once more: discarding `tile` hurts."""

    def __init__(self, tile: Tile) -> None:
        super().__init__()
        self.tile = tile


def _join(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.join(stored.value, new_seat(context.by, stored.now))


def _leave(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.leave(stored.value, context.by.key)


def _computer(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.add_computer(stored.value, context.by.key, "steady")


def _fewer(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.remove_computer(stored.value, context.by.key)


def _players(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.change_rules(stored.value, context.by.key, players=context.number())


def _start(context: RequestContext, stored: StoredTable) -> Change:
    return play.start(stored.value, context.by.key, context.delays)


def _cancel(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.cancel(stored.value, context.by.key)


def _next(context: RequestContext, stored: StoredTable) -> Change:
    context.seat(stored)
    this_move(context, stored)
    if stored.value.stage != "between":
        raise Refused("no_round")
    return play.next_round(there(context, stored), context.delays)


def _step_out(context: RequestContext, stored: StoredTable) -> Change:
    return turns.step_out(stored.value, context.by.key, context.delays)


def _practice_leave(context: RequestContext, stored: StoredTable) -> Change:
    return practice.leave(stored.value, context.by.key)


def _back_in(context: RequestContext, stored: StoredTable) -> Change:
    if stored.value.stage not in ("playing", "between"):
        raise Refused("no_round")
    table = turns.returned(there(context, stored), context.seat(stored))
    on_turn = table.stage == "playing" and public_view(table.match).turn == context.seat(stored)
    return Change(table, due=play.clock(table, context.delays) if on_turn else "keep")


def moving(
    make: Callable[[RequestContext, StoredTable], Move],
    fresh: Callable[[RequestContext, StoredTable], None] = this_move,
) -> Act:
    """A button that makes a move in the game, as long as it is `fresh`."""

    def act(context: RequestContext, stored: StoredTable) -> Change:
        seat = context.seat(stored)
        fresh(context, stored)
        table = there(context, stored)
        if table.stage == "playing" and table.seats[seat].computer is not None:
            raise Refused("stand_in_plays")
        return play.move(table, seat, make(context, stored), context.delays, context.entropy)

    return act


def ordering(arrange: Callable[[RequestContext, StoredTable, racks.Shelves], racks.Shelves]) -> Act:
    """A button that puts the person's own rack in another order."""

    def act(context: RequestContext, stored: StoredTable) -> Change:
        seat = context.seat(stored)
        if stored.value.match.round is None:
            raise Refused("no_round")
        shelves = arrange(context, stored, stored.value.seats[seat].shelves)
        return Change(there(context, stored).with_seat(seat, shelves=shelves).seat_touched(seat))

    return act


def there(context: RequestContext, stored: StoredTable) -> Table:
    """The table, its presser noted as present."""
    return turns.present(stored.value, context.seat(stored), stored.now, private=context.private)


def named_tile(context: RequestContext) -> Tile:
    """The tile that the button names. Raises Refused `unknown_button`."""
    try:
        return tile_from_text(context.argument())
    except EngineError:
        raise Refused("unknown_button") from None


def _draw(context: RequestContext, stored: StoredTable) -> Move:
    return Draw()


def _take(context: RequestContext, stored: StoredTable) -> Move:
    return Take(context.number() if context.request.arguments else None)


def _show(context: RequestContext, stored: StoredTable) -> Move:
    return Show()


def _discard(context: RequestContext, stored: StoredTable) -> Move:
    """Raises Asked when the tile is an okey: discarding it by a slip of the finger hurts."""
    tile = named_tile(context)
    if tile is okey_of(stored):
        raise Asked(tile)
    return Discard(tile)


def _discard_okey(context: RequestContext, stored: StoredTable) -> Move:
    return Discard(okey_of(stored))


def _finish(context: RequestContext, stored: StoredTable) -> Move:
    return Finish(named_tile(context))


def _place(context: RequestContext, stored: StoredTable) -> Move:
    """The tile at a numbered place of the presser's own rack, counted from 1; an okey has a button of
    its own. Raises Refused `okey_asks`."""
    tiles = racks.flat(stored.value.seats[context.seat(stored)].shelves)
    place = context.number()
    if not 1 <= place <= len(tiles):
        raise Refused("unknown_button")
    tile = tiles[place - 1]
    if tile is okey_of(stored):
        raise Refused("okey_asks")
    return Discard(tile)


def _finish_best(context: RequestContext, stored: StoredTable) -> Move:
    """A finish for whom only alerts reach: with an okey when he can, else with the first tile that does."""
    seat = context.seat(stored)
    match = stored.value.match
    if match.round is None:
        raise Refused("no_round")
    finishes = [move for move in legal_moves(match.rules, match.round, seat) if isinstance(move, Finish)]
    if not finishes:
        view = seat_view(match, seat)
        return Finish(view.rack[0])
    okey = match.round.okey
    return next((move for move in finishes if move.tile is okey), finishes[0])


def _runs(context: RequestContext, stored: StoredTable, shelves: racks.Shelves) -> racks.Shelves:
    return racks.by_runs(racks.flat(shelves), okey_of(stored), _width(stored))


def _pairs(context: RequestContext, stored: StoredTable, shelves: racks.Shelves) -> racks.Shelves:
    return racks.by_pairs(racks.flat(shelves), okey_of(stored), _width(stored))


def okey_of(stored: StoredTable) -> Tile:
    """The round's okey. Raises Refused `no_round`."""
    if stored.value.match.round is None:
        raise Refused("no_round")
    return stored.value.match.round.okey


def _put(context: RequestContext, stored: StoredTable, shelves: racks.Shelves) -> racks.Shelves:
    this_move(context, stored)
    return racks.moved(shelves, context.number(0), context.number(1), _width(stored))


def _width(stored: StoredTable) -> int:
    return game_of(stored.value.match.rules).shelf_size


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
