"""Laws that hold in every round, whatever the rules: tiles and chips are conserved, every legal move is
accepted and no other, and nothing that a viewer may not see changes what they see (RULES 3)."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from engine.errors import NotAllowed
from engine.match import Match
from engine.melds import Placed, tiles_in
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
    Show,
    Take,
    TakeBack,
)
from engine.round import legal_moves, step
from engine.rules import Rules
from engine.scoring import final_chips
from engine.state import Round
from engine.tiles import FACES, FULL_SET, Tile
from engine.view import public_view, seat_view
from tests.engine.laid_out import round_in

EVERY_CLASSIC_MOVE: tuple[Move, ...] = (
    Show(),
    Draw(),
    Take(),
    *(Take(source) for source in range(-1, 5)),
    *(Discard(tile) for tile in FACES),
    *(Finish(tile) for tile in FACES),
)

_FULL = sorted(FULL_SET)


def assert_tiles_are_conserved(match: Match) -> None:
    """The 106 tiles are in the stock, on racks, in piles and on the table, with the indicator."""
    round = round_in(match)
    there = [*round.stock, *tiles_in([laid.meld for laid in round.board.melds])]
    for tiles in (*round.racks, *round.piles):
        there += tiles
    if not match.rules.indicator_last_draw:
        there.append(round.indicator)
    assert sorted(there) == _FULL


def assert_chips_are_conserved(match: Match) -> None:
    """What lies in the bowl was paid in, and partners have one balance (RULES 9, `bowl`)."""
    sides = match.chips[:2] if match.rules.teams else match.chips
    assert sum(sides) + match.bowl == 0
    if match.finished:
        final = final_chips(match.rules, match.chips, match.bowl, match.winners)
        assert sum(final[:2] if match.rules.teams else final) == 0


def meant(round: Round, move: Move) -> Move:
    """`Take()` with the seat that it means."""
    if move == Take():
        return Take(round.seats[round.seats.index(round.turn) - 1])
    if isinstance(move, LayOff) and move.tile == Placed(round.okey):
        return LayOff(Placed(round.okey, wild=True), move.on)
    return move


def every_move(round: Round) -> Iterator[Move]:
    """Every move that can be expressed, except moves that lay whole melds."""
    yield from EVERY_CLASSIC_MOVE
    yield from (Return(), Declare(), Call())
    yield from (TakeBack(count) for count in range(-1, len(round.board.laid_off) + 3))
    for on in range(-1, len(round.board.melds) + 1):
        yield from (LayOff(Placed(tile, wild), on) for tile in FACES[:-1] for wild in (False, True))
        yield LayOff(Placed(Tile.F), on)
        yield from (Reclaim(tile, on) for tile in FACES)


def accepted(rules: Rules, round: Round, seat: int) -> set[Move]:
    moves = set()
    for move in every_move(round):
        try:
            step(rules, round, seat, move)
        except NotAllowed:
            continue
        moves.add(meant(round, move))
    return moves


def assert_legal_moves_are_those_accepted(match: Match) -> None:
    round = round_in(match)
    for seat in range(match.rules.players):
        legal = [meant(round, move) for move in legal_moves(match.rules, round, seat)]
        assert len(legal) == len(set(legal))
        laying = {move for move in legal if isinstance(move, Open | OpenPairs | LayMeld)}
        for move in laying:
            step(match.rules, round, seat, move)
        assert set(legal) - laying == accepted(match.rules, round, seat)


def mixed(round: Round, seen: Callable[[Round], list[tuple[str, int, int]]], chance: random.Random) -> Round:
    """The round with every tile outside the `seen` places dealt again, and with it its secrets."""
    places = [
        *(("racks", seat, i) for seat, rack in enumerate(round.racks) for i in range(len(rack))),
        *(("piles", seat, i) for seat, pile in enumerate(round.piles) for i in range(len(pile))),
        *(("stock", 0, i) for i in range(len(round.stock))),
    ]
    kept = set(seen(round))
    hidden = [place for place in places if place not in kept]
    table = {"racks": [list(r) for r in round.racks], "piles": [list(p) for p in round.piles],
             "stock": [list(round.stock)]}  # fmt: skip
    tiles = [table[kind][seat][i] for kind, seat, i in hidden]
    chance.shuffle(tiles)
    for (kind, seat, i), tile in zip(hidden, tiles, strict=True):
        table[kind][seat][i] = tile
    return replace(
        round,
        racks=tuple(tuple(sorted(rack)) for rack in table["racks"]),
        piles=tuple(map(tuple, table["piles"])),
        stock=tuple(table["stock"][0]),
        twin_dealt_to=chance.choice([None, *round.seats]) if round.shown_by is None else round.shown_by,
    )


def tops(round: Round) -> list[tuple[str, int, int]]:
    return [("piles", seat, len(pile) - 1) for seat, pile in enumerate(round.piles) if pile]


def beside(seat: int, rules: Rules) -> Callable[[Round], list[tuple[str, int, int]]]:
    """The places that RULES 3 lets a seat see: their rack, the tops, their own pile and the one on the left;
    by RULES 9 (`declare_pairs`), all piles for who declared pairs or opened with them."""

    def seen(round: Round) -> list[tuple[str, int, int]]:
        left = round.seats[round.seats.index(seat) - 1]
        with_pairs = seat in round.board.declared or round.board.opened[seat] == "pairs"
        piles = round.seats if rules.declare_pairs and with_pairs else (seat, left)
        return [
            *tops(round),
            *(("racks", seat, i) for i in range(len(round.racks[seat]))),
            *(("piles", pile, i) for pile in piles for i in range(len(round.piles[pile]))),
        ]

    return seen


def assert_what_is_hidden_changes_nothing(match: Match, chance: random.Random) -> None:
    """Nothing that anybody sees changes when the tiles that they may not see are dealt again. The result of a
    round that is over tells what its racks were worth."""
    round = round_in(match)
    if round.phase == "over":
        return

    def shuffled(seen: Callable[[Round], list[tuple[str, int, int]]]) -> Match:
        return replace(match, round=mixed(round, seen, chance))

    assert public_view(shuffled(tops)) == public_view(match)
    for seat in round.seats:
        other = shuffled(beside(seat, match.rules))
        if seat == round.turn and round.drawn is not None:
            other = replace(other, round=replace(round_in(other), drawn=round.drawn))
        elif round.drawn is not None:
            other = replace(other, round=replace(round_in(other), drawn=chance.choice(list(Tile))))
        assert seat_view(other, seat) == seat_view(match, seat)
        without_show = [m for m in legal_moves(match.rules, round_in(other), seat) if not isinstance(m, Show)]
        assert without_show == [m for m in legal_moves(match.rules, round, seat) if not isinstance(m, Show)]
