"""Moves: buttons by which a player moves in the game, or reorders their own rack or reacts."""

from collections.abc import Awaitable, Callable

from bot.errors import Refused
from bot.handlers.context import RequestContext, this_move, this_turn
from bot.handlers.presence import mark_presser
from bot.handlers.table_buttons import Confirm, table_button
from bot.handlers.who import SEAT
from bot.i18n import join
from bot.live import Sure
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.screens.games import screens_of
from bot.screens.offer import offers_of
from bot.screens.offers import list_rack_offers
from bot.screens.player import PLAY, Mode
from bot.screens.rack import question
from bot.tables import play, racks, reactions
from bot.tables.facts import rack_facts
from bot.tables.table import Asked, Change, Table
from engine.errors import EngineError
from engine.games import game_of
from engine.moves import Discard, Draw, Finish, Move, Show, Take
from engine.players import choose
from engine.round import legal_moves
from engine.tiles import Tile, tile_from_text
from engine.view import public_view, seat_view

MakeMove = Callable[[RequestContext, StoredTable], Move]
ValidFor = Callable[[RequestContext, StoredTable], None]
"""`this_move` or `this_turn`: how long a button stays valid. Raises Refused `old_button`."""

Arrange = Callable[[RequestContext, StoredTable, racks.Shelves], racks.Shelves]


async def in_brief(context: RequestContext, stored: StoredTable) -> Answer:
    """Return a person's rack in a few words, for people who get alerts only."""
    seat = stored.value.seat_of(context.by.key)
    if seat is None:
        return Answer()
    brief = await context.services.viewing.brief(stored, seat, context.words, context.profile)
    return Answer(notice=(brief,), urgent=True)


def move_button(
    verb: str,
    valid_for: ValidFor = this_move,
    *,
    after: Mode = PLAY,
    refused: Mode = PLAY,
    tells: Callable[[RequestContext, StoredTable], Awaitable[Answer]] | None = None,
) -> Callable[[MakeMove], MakeMove]:
    """Declare the function as the maker of this button's move. The button is valid for this move or turn."""

    def declare(make: MakeMove) -> MakeMove:
        def act(context: RequestContext, stored: StoredTable) -> Change:
            table, seat = admit_player(context, stored, valid_for)
            move, dealing = make(context, stored), context.services.dealing
            if not context.is_sure and question_before(table, seat, move):
                raise Confirm
            return play.move(table, seat, move, dealing.delays, dealing.entropy)

        table_button(verb, who=SEAT, after=after, refused=refused, tells=tells)(act)
        return make

    return declare


def arrange_button(verb: str) -> Callable[[Arrange], Arrange]:
    """Declare the function as this button's new order of the presser's own rack."""

    def declare(arrange: Arrange) -> Arrange:
        @table_button(verb, who=SEAT)
        def act(context: RequestContext, stored: StoredTable) -> Change:
            seat = context.seat(stored)
            if stored.value.match.round is None:
                raise Refused("no_round")
            shelves = arrange(context, stored, stored.value.seats[seat].shelves)
            return Change(mark_presser(context, stored).with_seat(seat, shelves=shelves))

        return arrange

    return declare


def question_before(table: Table, seat: int, move: Move) -> Sure:
    """Return the question before a move; empty: none, or the move is refused anyway."""
    rules, round = table.match.rules, table.match.round
    if round is None or move not in legal_moves(rules, round, seat):
        return ""
    return screens_of(rules).question(rules, public_view(table.match), move)


def admit_player(context: RequestContext, stored: StoredTable, valid_for: ValidFor) -> tuple[Table, int]:
    """Return the table, its presser noted as present, and their seat, if their button is still valid and they
    play themselves. Whose turn it is, the engine checks.

    Raises Refused `not_seated`, `old_button`, `stand_in_plays`.
    """
    seat = context.seat(stored)
    valid_for(context, stored)
    table = mark_presser(context, stored)
    if table.stage == "playing" and table.seats[seat].computer is not None:
        raise Refused("stand_in_plays")
    return table, seat


def read_tile(context: RequestContext) -> Tile:
    """Return the tile that the button names. Raises Refused `unknown_button`."""
    try:
        return tile_from_text(context.argument())
    except EngineError:
        raise Refused("unknown_button") from None


def okey_of(stored: StoredTable) -> Tile:
    """Return the round's okey. Raises Refused `no_round`."""
    if stored.value.match.round is None:
        raise Refused("no_round")
    return stored.value.match.round.okey


@move_button("draw")
@move_button("draw_here", this_turn, tells=in_brief)
def _draw(context: RequestContext, stored: StoredTable) -> Move:
    return Draw()


@move_button("take")
@move_button("take_here", this_turn, tells=in_brief)
def _take(context: RequestContext, stored: StoredTable) -> Move:
    return Take(context.number() if context.data.arguments else None)


@move_button("show")
def _show(context: RequestContext, stored: StoredTable) -> Move:
    return Show()


@move_button("discard")
def _discard(context: RequestContext, stored: StoredTable) -> Move:
    return Discard(read_tile(context))


@move_button("finish")
def _finish(context: RequestContext, stored: StoredTable) -> Move:
    return Finish(read_tile(context))


async def _ask(context: RequestContext, stored: StoredTable) -> Answer:
    """Ask for a second press, if the first was the one to be asked about. The table's button can't ask, as
    nobody else may learn what its number means."""
    number = context.seat(stored)
    asked = stored.value.seats[number].asked
    if asked is None or not asked.turn == stored.value.turn_number == context.data.moment:
        return Answer()
    offers = list_rack_offers(rack_facts(stored.value, number, None, None))
    offer = next(offer for offer in offers_of(offers, "discard") if offer.tile is asked.tile)
    again = context.words.say("notice.press_again")
    return Answer(notice=join([question(offer, context.words), again], " "), urgent=True)


@table_button("place", who=SEAT, tells=_ask)
def _place(context: RequestContext, stored: StoredTable) -> Change:
    """Discard the tile at a position of the presser's own rack, from 1, or finish with it. Where there
    is a question before it, a second press in the same turn answers it. Raises Refused `no_such_place`."""
    table, seat = admit_player(context, stored, this_turn)
    tiles, place, dealing = racks.flat(table.seats[seat].shelves), context.number(), context.services.dealing
    if not 1 <= place <= len(tiles):
        raise Refused("no_such_place", n=len(tiles))
    tile = tiles[place - 1]
    asked = Asked(table.turn_number, tile)
    move = Finish(tile) if len(tiles) == 1 else Discard(tile)
    if question_before(table, seat, move) and table.seats[seat].asked != asked:
        return Change(table.with_seat(seat, asked=asked))
    return play.move(table, seat, move, dealing.delays, dealing.entropy)


@move_button("finish_here", this_turn)
def _finish_best(context: RequestContext, stored: StoredTable) -> Move:
    """Return the finish that pays most, for people who get alerts only."""
    seat = context.seat(stored)
    match = stored.value.match
    if match.round is None:
        raise Refused("no_round")
    view = seat_view(match, seat)
    finishes = [move for move in legal_moves(match.rules, match.round, seat) if isinstance(move, Finish)]
    if not finishes:  # the rules say why not; who is out of the match has no tiles
        return Finish(next(iter(view.rack), match.round.okey))
    return choose("steady", match.rules, view, finishes, bytes(32))


@arrange_button("sort_runs")
def _runs(context: RequestContext, stored: StoredTable, shelves: racks.Shelves) -> racks.Shelves:
    return racks.by_runs(racks.flat(shelves), okey_of(stored), _width(stored), _rows(context))


@arrange_button("sort_pairs")
def _pairs(context: RequestContext, stored: StoredTable, shelves: racks.Shelves) -> racks.Shelves:
    return racks.by_pairs(racks.flat(shelves), okey_of(stored), _width(stored), _rows(context))


@arrange_button("sort_melds")
def _melds(context: RequestContext, stored: StoredTable, shelves: racks.Shelves) -> racks.Shelves:
    rules = stored.value.match.rules.meld_rules(okey_of(stored))
    return racks.by_melds(racks.flat(shelves), rules, _width(stored), _rows(context))


@arrange_button("put")
def _put(context: RequestContext, stored: StoredTable, shelves: racks.Shelves) -> racks.Shelves:
    this_move(context, stored)
    return racks.move_tile(shelves, context.number(0), context.number(1), _width(stored))


@arrange_button("keep")
def _keep(context: RequestContext, stored: StoredTable, shelves: racks.Shelves) -> racks.Shelves:
    """Return the order that an app shows. Tiles that have come since are placed; tiles that have gone leave
    gaps."""
    most = _width(stored)
    try:
        order = racks.read_order(context.argument(), most)
    except ValueError:
        raise Refused("unknown_button") from None
    return racks.keep(order, seat_view(stored.value.match, context.seat(stored)).rack, most)


def _rows(context: RequestContext) -> int:
    """Return the rows in which the presser sees their rack: an app in a narrow window says 3."""
    return 3 if context.number_or_0(0) == 3 else 2


def _width(stored: StoredTable) -> int:
    return game_of(stored.value.match.rules).shelf_size


@table_button("react", who=SEAT)
def _react(context: RequestContext, stored: StoredTable) -> Change:
    seat = context.seat(stored)
    return reactions.react(mark_presser(context, stored), seat, context.argument(), stored.now)
