"""Review of Okey 101: choices of a source and the ends of turns, counted in penalties of 101 points.

Until it opens, a seat's choice is worth its chance to open: whoever does not open pays 202 points. The chance
is an estimate from random futures, so that only a lead counts which is clearer than chance. After that, a
choice is worth what the seat would pay for tiles that it could have laid, times the risk that the round ends
before its next turn. Fines, finishes and the last turn of a round count exactly. All of it is judged as far
as the seat can see.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import Final

from engine.arrange import ARRANGER, opening_points
from engine.games.okey101.scoring import FINE, NOT_OPENED, own_points
from engine.games.okey101.turn import fine_for_discard
from engine.match import Match, new_match
from engine.melds import Way
from engine.moves import Discard, Draw, Finish, LayMeld, LayOff, Move, Open, OpenPairs, Return, Take
from engine.players import choose
from engine.players.okey101 import NEARLY_OUT, can_use
from engine.players.outlook import OPENING_WORTH, OpeningChances, futures, opens, opens_without, unseen_by
from engine.players.rng import PlayerRng
from engine.replay import Position
from engine.review.decision import Decision, judge
from engine.round import legal_moves, step
from engine.rules import Rules
from engine.state import Ending, Round, over
from engine.tiles import Tile
from engine.view import SeatView, seat_view

_TRIES: Final = 80 if ARRANGER == "c" else 12
"""The number of random futures that choose between discards, and of as many others that measure the lead."""
_CLEAR: Final = 2.0
"""The standard errors from which a lead counts."""
_LAST_TURN: Final = 0.9
"""The risk that the round ends first if the stock ends before the seat's next turn: somebody may take."""
_NEAR: Final = 0.25
"""The risk if another rack is nearly empty. These risks were measured in rounds of steady players."""
_FAR: Final = 0.02
"""The risk otherwise."""
SEED: Final = bytes(32)
"""A fixed seed, so that a round is always judged alike."""

MoveWorth = tuple[dict[Move, float], Mapping[Move, OpeningChances]]
"""The worth of each move in points, compared with paying for not having opened; and chances to open."""
DiscardWorth = tuple[dict[Tile, float], Mapping[Tile, OpeningChances]]
"""The worth of each discard, by its tile; and chances to open."""
_NOTHING: Final[MoveWorth] = ({}, {})


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that a steady player ended in our seat's place."""

    moves: tuple[Move, ...]
    before: Round
    """The round before its last move."""
    after: Round
    way: Way | None
    """The way in which the seat had opened by its end."""
    worth: float
    """Exact if the round is over, else what having opened is worth."""


def as_seen(rules: Rules, view: SeatView) -> Round:
    """Return a round in which the seat on turn sees what it sees now. The hidden tiles lie in a fixed order,
    so that nothing can depend on where they really are."""
    public, hidden = view.public, unseen_by(view).elements()
    racks = [
        view.rack if seat == view.seat else tuple(islice(hidden, size))
        for seat, size in enumerate(public.rack_sizes)
    ]
    piles: list[tuple[Tile, ...]] = [() if top is None else (top,) for top in public.discard_tops]
    piles[view.seat - 1], piles[view.seat] = view.left_pile, view.own_pile
    piles = list(view.all_piles) or piles
    return Round(
        dealer=public.dealer,
        starter=public.dealer,
        indicator=public.indicator,
        dice=public.dice,
        seats=tuple(range(rules.players)),
        racks=tuple(racks),
        stock=tuple(islice(hidden, public.stock_left)),
        piles=tuple(piles),
        turn=view.seat,
        phase=public.phase,
        drawn=view.drawn,
        source=view.source,
        turns=public.turns,
        board=public.board,
        factor=public.factor,
        riziko=public.riziko,
    )


def worth_of_sources(rules: Rules, view: SeatView) -> MoveWorth:
    """Return the worth of drawing and of taking, where there is a choice and the discard can be used."""
    round, seat = as_seen(rules, view), view.seat
    if {Draw(), Take()} - set(legal_moves(rules, round, seat)) or not can_use(
        rules, view, view.left_pile[-1]
    ):
        return _NOTHING
    turn = rest_of_turn(rules, view, Take())
    if Return() in turn.moves:
        return _NOTHING
    if round.board.opened[seat] is None:
        return _worth_before_opening(rules, view, turn)
    share = _share_that_can_be_used(rules, view)
    owed = _points_owed(rules, round, seat)
    stays = _worth_of(view, turn.way) - _risk(view, len(round.stock) - 1) * owed
    # A tile taken to reclaim an okey may leave more to pay for: nobody could say what the okey is worth.
    taken = turn.worth - _risk(view, len(round.stock)) * min(owed, _points_owed(rules, turn.after, seat))
    return {Take(): taken, Draw(): share * taken + (1 - share) * stays}, {}


def _worth_before_opening(rules: Rules, view: SeatView, turn: Turn) -> MoveWorth:
    """Return the worth of opening with the discard, and that of drawing with all that may still come."""
    draws = futures(view, PlayerRng(SEED), 2 * _TRIES)
    ways = [opens(rules, view, (*view.rack, *future)) for future in draws]
    worth = [_worth_of(view, way) for way in ways]
    lead = turn.worth - fmean(worth)
    # Nobody is told that they should have waited for a better opening: futures cannot show what that costs.
    clear = lead > _CLEAR * stdev(worth) / sqrt(len(worth))
    return {Take(): turn.worth, Draw(): turn.worth - lead * clear}, {Draw(): _chances(ways)}


def worth_of_discards(
    rules: Rules, view: SeatView, turns: Sequence[Turn], made: Tile | None = None
) -> DiscardWorth:
    """Return the worth of each discard; `turns` are those that would lay something first. A doubt is decided
    for the discard that was `made`."""
    round = as_seen(rules, view)
    tiles = [move.tile for move in legal_moves(rules, round, view.seat) if isinstance(move, Discard)]
    if not round.stock:
        return {tile: rest_of_turn(rules, view, Discard(tile)).worth for tile in tiles}, {}
    if round.board.opened[view.seat] is None:
        return _worth_by_chances(rules, view, tiles, made)
    return _worth_by_tiles_kept(rules, round, view, turns), {}


def _worth_by_chances(rules: Rules, view: SeatView, tiles: Sequence[Tile], made: Tile | None) -> DiscardWorth:
    """Return the worth of the discards of a seat that has not opened."""
    tried = [
        opens_without(rules, view, future, tiles) for future in futures(view, PlayerRng(SEED), 2 * _TRIES)
    ]
    lasts = 1 - _risk(view, view.public.stock_left)
    fines = {tile: _fine(rules, view, tile) for tile in tiles}

    def worth(tile: Tile, part: Sequence[Mapping[Tile, Way | None]]) -> float:
        return lasts * fmean(_worth_of(view, ways[tile]) for ways in part) - fines[tile]

    # One half of the futures chooses the best, the other measures its lead: else luck would choose it.
    chosen, measured = tried[::2], tried[1::2]
    by_chance = {tile: worth(tile, chosen) for tile in tiles}
    equals = [tile for tile in tiles if by_chance[tile] == max(by_chance.values())]
    best = find_spare(rules, view, equals)
    made = best if made is None else made
    leads = [lasts * (_worth_of(view, ways[best]) - _worth_of(view, ways[made])) for ways in measured]
    lead = fmean(leads) + fines[made] - fines[best]
    if lead <= _CLEAR * stdev(leads) / sqrt(len(leads)):
        best = made
    most = worth(best, measured)
    return (
        {tile: min(most, worth(tile, measured)) for tile in tiles},
        {tile: _chances([ways[tile] for ways in measured]) for tile in tiles},
    )


def find_spare(rules: Rules, view: SeatView, tiles: Sequence[Tile]) -> Tile:
    """Return, of tiles whose discard is worth the same, the one that a steady player can spare best."""
    move = choose("steady", rules, view, [Discard(tile) for tile in tiles], SEED)
    assert isinstance(move, Discard)
    return move.tile


def _worth_by_tiles_kept(
    rules: Rules, round: Round, view: SeatView, turns: Sequence[Turn]
) -> dict[Tile, float]:
    """Return the worth of the discards of a seat that has opened: fines, and tiles kept that could be
    laid."""
    seat, way = view.seat, round.board.opened[view.seat]
    risk, owed = _risk(view, len(round.stock)), _points_owed(rules, round, seat)
    spared = max((owed - _points_owed(rules, turn.before, seat) for turn in turns), default=0)
    return {tile: _worth_of(view, way) - _fine(rules, view, tile) - risk * spared for tile in set(view.rack)}


def turns_that_lay(rules: Rules, view: SeatView) -> Iterator[Turn]:
    """Yield the turns that would lay something before the discard."""
    if view.public.board.opened[view.seat] is None:
        for move in legal_moves(rules, as_seen(rules, view), view.seat):
            if isinstance(move, Open | OpenPairs):
                yield rest_of_turn(rules, view, move)
        return
    for okeys in (True, False):
        turn = rest_of_turn(rules, view, okeys=okeys)
        if len(turn.moves) > 1:
            yield turn


def rest_of_turn(rules: Rules, view: SeatView, *first: Move, okeys: bool = True) -> Turn:
    """Return a turn that begins with these moves, and that a steady player ends, who may lay okeys or keeps
    them."""
    match, seat = new_match(rules), view.seat
    begun = before = round = as_seen(rules, view)
    moves: list[Move] = []
    while round.turn == seat and round.phase != "over":
        if len(moves) < len(first):
            move = first[len(moves)]
        else:
            view = seat_view(replace(match, round=round), seat)
            legal = [each for each in legal_moves(rules, round, seat) if okeys or not _lays_okey(each)]
            move = choose("steady", rules, view, legal, SEED)
        before, (round, _) = round, step(rules, round, seat, move)
        moves.append(move)
    way = round.board.opened[seat]
    worth: float
    if round.phase == "over":
        worth = (
            _cost_of_never_opening(view)
            - own_points(rules, round, seat)
            + _a_fine(begun) * begun.board.fines[seat]
        )
    else:
        worth = _worth_of(view, way) - _a_fine(begun) * (round.board.fines[seat] - begun.board.fines[seat])
    return Turn(tuple(moves), before, round, way, worth)


def _lays_okey(move: Move) -> bool:
    match move:
        case LayMeld(tiles):
            return any(placed.wild for placed in tiles)
        case LayOff(placed):
            return placed.wild
    return False


def _worth_of(view: SeatView, way: Way | None) -> float:
    """Return the points that having opened in this way saves."""
    return _cost_of_never_opening(view) * OPENING_WORTH[way]


def _cost_of_never_opening(view: SeatView) -> int:
    """Return what a seat that never opens pays in this round."""
    return NOT_OPENED * view.public.factor * (1 + view.public.riziko)


def _a_fine(round: Round) -> int:
    """Return what a penalty costs in this round."""
    return FINE * (1 + round.riziko)


def _points_owed(rules: Rules, round: Round, seat: int) -> int:
    """Return the points that a seat which has opened would pay for its rack now; 0 once the round is over."""
    if round.phase == "over":
        return 0
    ended = over(round, Ending("exhausted"))
    return own_points(rules, ended, seat) - _a_fine(round) * round.board.fines[seat]


def _fine(rules: Rules, view: SeatView, tile: Tile) -> int:
    fine = fine_for_discard(rules, view.public.board, view.public.okey, tile)
    return 0 if fine is None else FINE * (1 + view.public.riziko)


def _risk(view: SeatView, stock_left: int) -> float:
    """Return the risk that the round ends before the seat's next turn."""
    sizes = view.public.rack_sizes
    if not stock_left:
        return 1.0
    if stock_left < len(sizes):
        return _LAST_TURN
    others = (size for seat, size in enumerate(sizes) if seat != view.seat)
    return _NEAR if min(others) <= NEARLY_OUT else _FAR


def _share_that_can_be_used(rules: Rules, view: SeatView) -> float:
    unseen = unseen_by(view)
    used = sum(count for tile, count in unseen.items() if can_use(rules, view, tile))
    return used / sum(unseen.values())


def _chances(ways: Sequence[Way | None]) -> OpeningChances:
    return OpeningChances(ways.count("melds") / len(ways), ways.count("pairs") / len(ways))


def decisions(rules: Rules, played: Sequence[Position], seat: int) -> Iterator[Decision]:
    """Yield each choice of a source, and each end of a turn, that made a difference."""
    for number, (before, after) in enumerate(pairwise(played), 1):
        if after.by is None or after.by[0] != seat:
            continue
        made = after.by[1]
        if isinstance(made, Draw | Take):
            worth, chances = worth_of_sources(rules, seat_view(before.match, seat))
        elif isinstance(made, Discard):
            worth, chances = _worth_of_ends(rules, seat_view(before.match, seat), made.tile)
        else:
            continue  # to finish with the last tile is no choice
        if len(set(worth.values())) > 1:
            yield judge(number, made, {move: points / FINE for move, points in worth.items()}, chances)


def luck_of_deal(rules: Rules, dealt: Match, seat: int) -> float:
    """Return the points by which its sets and runs were worth more than the others' on average."""
    assert dealt.round is not None
    meld_rules = rules.meld_rules(dealt.round.okey)
    points = [opening_points(meld_rules, rack) for rack in dealt.round.racks]
    return points[seat] - fmean(points[other] for other in dealt.seats if other != seat)


def luck_of_draw(rules: Rules, before: Match, after: Match) -> float:
    """Return the points that a draw added to its sets and runs, minus the expected number; 0 after
    opening."""
    assert before.round is not None
    assert after.round is not None
    seat = before.round.turn
    if before.round.board.opened[seat] is not None:
        return 0.0
    view, meld_rules = seat_view(before, seat), rules.meld_rules(before.round.okey)
    unseen = unseen_by(view)
    expected = sum(
        count * opening_points(meld_rules, (*view.rack, tile)) for tile, count in unseen.items()
    ) / sum(unseen.values())
    return opening_points(meld_rules, after.round.racks[seat]) - expected


def _worth_of_ends(rules: Rules, view: SeatView, made: Tile) -> MoveWorth:
    """Return the worth of each discard, and of what could have been laid first."""
    turns = sorted(turns_that_lay(rules, view), key=lambda turn: turn.worth)
    worth: dict[Move, float] = {_name_of(turn): turn.worth for turn in turns}
    discards, chances = worth_of_discards(rules, view, turns, made)
    worth |= {Discard(tile): points for tile, points in discards.items()}
    return worth, {Discard(tile): chance for tile, chance in chances.items()}


def _name_of(turn: Turn) -> Move:
    """Return the move that stands for a turn: the finish that it leads to, else its first."""
    return turn.moves[-1] if isinstance(turn.moves[-1], Finish) else turn.moves[0]
