"""Rounds laid out by hand: states from a few words of text, and deals with chosen dice and order."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from engine.deal import Dealt, starter_of
from engine.games import game_of
from engine.match import Match, begin_round, new_match, next_round, play
from engine.melds import Laid, MeldRules, Placed, Way, meld_of, read_as_played
from engine.moves import Discard, Move, Return, TakeBack
from engine.record import read_placed
from engine.round import legal_moves
from engine.rules import Rules, rules_from
from engine.shuffle import Rng, Seed
from engine.state import Phase, Round
from engine.tiles import FULL_SET, Tile, tile_from_text, tiles_from_text

Item = TypeVar("Item")

SOME_SEED = Seed(bytes(range(64)), ("elma", "göl"), "tbl1", 1)

WINS_IN_MELDS = "R1 R2 R3 Y1 Y2 Y3 B1 B2 B3 K7 K8 K9 K10 K11"
WINS_IN_PAIRS = "R1 R1 R3 R3 Y6 Y6 B8 B8 B10 B10 K2 K2 K12 K12"
HOPELESS = "R1 R4 R9 R12 Y1 Y5 Y8 Y12 B2 B5 B10 B13 K2 K6"


def rules_of(**switches: object) -> Rules:
    """Rules from switches; `okey` if no preset is named."""
    return rules_from({"preset": "okey", **switches})


class Scripted(Rng):
    """A shuffle that leaves (or makes) a chosen order, and dice with chosen throws."""

    def __init__(self, tiles: Sequence[Tile], dice: Sequence[int] = ()) -> None:
        self.tiles = list(tiles)
        self.dice = list(dice)

    def shuffle(self, items: Sequence[Item]) -> list[Item]:
        assert Counter(items) == Counter(self.tiles)
        return list(self.tiles)  # type: ignore[arg-type]

    def die(self) -> int:
        return self.dice.pop(0)


def dealt(
    rules: Rules,
    racks: Mapping[int, str],
    *,
    indicator: str = "K13",
    dealer: int = 0,
    stock: str = "",
    seats: Sequence[int] | None = None,
) -> Dealt:
    """A whole deal in which some seats have the named racks and the stock begins with the named tiles.

    All other places are filled with the remaining tiles of the 106, in their order.
    """
    seats = tuple(range(rules.players)) if seats is None else tuple(seats)
    starter = starter_of(rules, dealer, seats)
    shown = tile_from_text(indicator)
    left = Counter(FULL_SET)
    left.subtract([shown, *tiles_from_text(stock)])
    named = {seat: list(tiles_from_text(text)) for seat, text in racks.items()}
    for rack in named.values():
        left.subtract(rack)
    assert min(left.values()) >= 0, "more copies than the set has"
    rest = sorted(left.elements())
    size = game_of(rules).rack_size
    full = []
    for seat in range(rules.players):
        rack = named.get(seat, [])
        while seat in seats and len(rack) < size + (seat == starter):
            rack.append(rest.pop())
        full.append(tuple(sorted(rack)))
    return Dealt(dealer, starter, shown, (), tuple(full), tiles_from_text(stock) + tuple(rest))


def match_of(
    rules: Rules,
    racks: Mapping[int, str],
    *,
    indicator: str = "K13",
    dealer: int = 0,
    stock: str = "",
    scores: tuple[int, ...] | None = None,
) -> Match:
    """A match whose round has just been dealt in this way."""
    match = new_match(rules)
    if scores is not None:
        match = replace(match, scores=scores)
    return begin_round(match, dealt(rules, racks, indicator=indicator, dealer=dealer, stock=stock))[0]


def turn_of(
    match: Match,
    seat: int,
    *,
    rack: str,
    phase: Phase = "discard",
    stock: str | None = None,
    piles: Mapping[int, str] | None = None,
    turns: int = 40,
) -> Match:
    """The match in the middle of its round, with `seat` on turn, as if its earlier turns were unknown."""
    round = match.round
    assert round is not None
    racks = list(round.racks)
    racks[seat] = tuple(sorted(tiles_from_text(rack)))
    heaps = tuple(tiles_from_text((piles or {}).get(each, "")) for each in range(len(racks)))
    left = round.stock if stock is None else tiles_from_text(stock)
    moved = replace(
        round, racks=tuple(racks), stock=left, piles=heaps, turn=seat, phase=phase, drawn=None, turns=turns
    )
    return replace(match, round=moved)


def round_in(match: Match) -> Round:
    """The match's round, which must exist."""
    assert match.round is not None
    return match.round


def played_for_a_while(rules: Rules, number: int, moves: int) -> Match:
    """A match some moves after its start: random legal moves, rounds dealt as needed."""
    chance = random.Random(number)
    match = new_match(rules)
    for _ in range(moves + 1):
        if match.round is None or (match.round.phase == "over" and not match.finished):
            match = next_round(match, Seed(chance.randbytes(64), (), "law", match.round_number + 1))[0]
        if match.finished or moves == 0:
            break
        round = round_in(match)
        seat = chance.choice(round.seats)
        options = legal_moves(rules, round, seat)
        if not options:
            seat, options = round.turn, legal_moves(rules, round, round.turn)
        match = play(match, seat, boldly(options, chance))[0]
        moves -= 1
    return match


def placed(text: str) -> tuple[Placed, ...]:
    """A meld such as `B6 *B7 B8`, in the notation of moves."""
    return tuple(read_placed(word) for word in text.split())


def on_table(match: Match, *melds: str, opened: Mapping[int, Way]) -> Match:
    """The match with melds on the table (all laid by seat 0) and the seats that have opened."""
    round = round_in(match)
    laid = []
    for text in melds:
        meld = meld_of(MeldRules(round.okey), [read_as_played(each, round.okey) for each in placed(text)])
        assert meld is not None, text
        laid.append(Laid(0, meld))
    ways = tuple(opened.get(seat) for seat in range(match.rules.players))
    board = replace(round.board, melds=(*round.board.melds, *laid), opened=ways)
    return replace(match, round=replace(round, board=board))


def boldly(options: Sequence[Move], chance: random.Random) -> Move:
    """A random move; showing, taking, opening, laying and finishing are more likely than a discard."""
    bold = [move for move in options if not isinstance(move, Discard | Return | TakeBack)]
    return chance.choice(bold if bold and chance.random() < 0.7 else options)
