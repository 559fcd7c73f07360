"""Classic Okey: the moves of a seat in a round, their effects, and the scores (RULES 3 and 4).

RULES leave open, and this module decides: the seat that shows the twin need not be on turn; the two tiles of
a face are the same, so neither is thrown back after one of them was taken; a rack that wins both ways wins
with pairs.
"""

from collections.abc import Collection, Container, Iterable
from dataclasses import replace
from typing import Final

from engine.arrange import finishing_discards, winning_arrangements
from engine.errors import NotAllowed
from engine.events import Discarded, Drew, Event, Exhausted, Finished, Shown, Took
from engine.games.game import Game, Stepped
from engine.melds import Way, tiles_in
from engine.moves import Discard, Draw, Finish, Move, Show, Take
from engine.rules import Rules
from engine.state import LAST_TURN, Ending, Round, discard, draw, has_drawn, over, seat_before, take
from engine.tiles import Colour, Tile

_WIN: Final = {"countdown": (0, -2), "penalty": (0, 20), "rounds": (1, 0)}
"""The changes by a win to the winner's score and to each other player's."""
_SHOWN: Final = {"countdown": -1, "penalty": 10, "rounds": 0}
_EXHAUSTED: Final = {"countdown": 0, "penalty": 10, "rounds": 0}


def _legal_moves(rules: Rules, round: Round, seat: int) -> tuple[Move, ...]:
    """Return every move that `_step` accepts from `seat`, each once."""
    moves: list[Move] = []
    if _why_not_show(rules, round, seat) is None:
        moves.append(Show())
    if round.turn != seat:
        return tuple(moves)
    if round.phase == "draw":
        if round.stock:
            moves.append(Draw())
        moves += [Take(None if rules.discard_sources == "left" else s) for s in _sources(rules, round)]
    else:
        barred = _find_barred(rules, round)
        faces = [tile for tile in sorted(set(round.racks[seat])) if tile != barred]
        finishing = _finishing(rules, round)
        moves += [Discard(tile) for tile in faces]
        moves += [Finish(tile) for tile in faces if tile in finishing]
    return tuple(moves)


def _step(rules: Rules, round: Round, seat: int, move: Move) -> Stepped:
    """Carry out a move; with automatic showing the twin shows itself at the end. Raises NotAllowed."""
    after, events = _move(rules, round, seat, move)
    twin = after.twin_dealt_to
    if after.phase == "over" and rules.show == "automatic" and twin is not None:
        return replace(after, shown_by=twin), (Shown(twin), *events)
    return after, events


def _move(rules: Rules, round: Round, seat: int, move: Move) -> Stepped:
    if isinstance(move, Show):
        return _show(rules, round, seat)
    if seat != round.turn:
        raise NotAllowed("not_your_turn", turn=round.turn)
    match move:
        case Draw():
            return draw(round), (Drew(seat),)
        case Take(source):
            return _take(rules, round, source)
        case Discard(tile):
            return _discard(rules, round, tile)
        case Finish(tile):
            return _finish(rules, round, tile)
        case _:
            raise NotAllowed("other_game")


def _show(rules: Rules, round: Round, seat: int) -> Stepped:
    why = _why_not_show(rules, round, seat)
    if why is not None:
        raise NotAllowed(why)
    return replace(round, shown_by=seat), (Shown(seat),)


def _why_not_show(rules: Rules, round: Round, seat: int) -> str | None:
    """Return the code of the refusal; None when they may show. They need not be on turn."""
    if rules.show != "declared":
        return "no_showing"
    if round.shown_by is not None:
        return "already_shown"
    if has_drawn(round, seat):
        return "too_late_to_show"
    return None if round.twin_dealt_to == seat else "not_twin"


def _take(rules: Rules, round: Round, source: int | None) -> Stepped:
    if round.phase != "draw":
        raise NotAllowed("already_drawn")
    if source is None:
        source = seat_before(round, round.turn)
    if source not in _sources(rules, round):
        raise NotAllowed("nothing_to_take", source=source)
    taken = take(round, source)
    assert taken.drawn is not None
    return taken, (Took(round.turn, source, taken.drawn),)


def _sources(rules: Rules, round: Round) -> tuple[int, ...]:
    """Return the seats whose top discard the seat on turn may take."""
    if rules.discard_sources == "left":
        allowed = [seat_before(round, round.turn)]
    else:
        allowed = [seat for seat in round.seats if seat != round.turn]
    return tuple(seat for seat in allowed if round.piles[seat])


def _find_barred(rules: Rules, round: Round) -> Tile | None:
    """Return the face that may not be discarded because it was taken in this turn."""
    return round.drawn if round.source is not None and not rules.rethrow else None


def _discard(rules: Rules, round: Round, tile: Tile) -> Stepped:
    after = _let_go(rules, round, tile)
    events: tuple[Event, ...] = (Discarded(round.turn, tile),)
    if after.turns >= LAST_TURN or not (after.stock or _can_win_by_taking(rules, after)):
        return over(after, Ending("exhausted")), (*events, Exhausted())
    return after, events


def _let_go(rules: Rules, round: Round, tile: Tile) -> Round:
    after = discard(round, tile)
    if tile == _find_barred(rules, round):
        raise NotAllowed("rethrow", tile=tile.name)
    return after


def _can_win_by_taking(rules: Rules, round: Round) -> bool:
    """Return whether the seat on turn, which cannot draw, may take a discard and finish (RULES 3,
    exhausted)."""
    if not rules.last_take:
        return False
    for source in _sources(rules, round):
        taken = take(round, source)
        if any(tile != _find_barred(rules, taken) for tile in _finishing(rules, taken)):
            return True
    return False


def _finishing(rules: Rules, round: Round) -> Collection[Tile]:
    """Return the tiles with whose discard the seat on turn would win."""
    return finishing_discards(rules.meld_rules(round.okey), round.racks[round.turn])


def _finish(rules: Rules, round: Round, tile: Tile) -> Stepped:
    after = _let_go(rules, round, tile)
    seat, rack = round.turn, after.racks[round.turn]
    arrangements = winning_arrangements(rules.meld_rules(round.okey), rack)
    if not arrangements:
        raise NotAllowed("no_win", tile=tile.name, pairs_win=rules.pairs_win)
    way: Way = "pairs" if "pairs" in arrangements else "melds"  # pairs never pay less
    how = doublings(rules, round.okey, rack, tile, arrangements)
    melds = tuple(tiles_in([meld]) for meld in arrangements[way])
    return over(after, Ending("win", seat, how, melds, tile)), (Finished(seat, tile),)


def doublings(
    rules: Rules, okey: Tile, rack: Iterable[Tile], tile: Tile, ways: Container[Way]
) -> tuple[str, ...]:
    """Return all that doubles a win, by the fourteen tiles left after the finishing discard, and all ways in
    which they win (RULES 4)."""
    marks = {
        "color": rules.one_color_double != "off" and of_one_colour(rules, okey, rack),
        "joker": tile == okey,
        "pairs": "pairs" in ways,
    }
    return tuple(mark for mark, holds in marks.items() if holds)


def of_one_colour(rules: Rules, okey: Tile, rack: Iterable[Tile]) -> bool:
    """Return whether a winning rack counts as of one colour; under `red_black`, as red or as black.

    If it wins and all its tiles but the okeys are of one colour, the okeys can stand for that colour too: a
    set of one plain tile and two okeys can as well be a run.
    """
    doubled = {Colour.RED, Colour.BLACK} if rules.one_color_double == "red_black" else set(Colour)
    colours = {okey.colour if tile is Tile.F else tile.colour for tile in rack if tile != okey}
    return len(colours) == 1 and colours <= doubled


def _changes(rules: Rules, round: Round) -> tuple[int, ...]:
    """Return the changes of the scores by a shown indicator and by the ending. A shown indicator counts at
    once only in the countdown with declared showing."""
    changes = [0] * rules.players
    if round.shown_by is not None and _is_paid(rules, round):
        _pay(changes, rules, round, round.shown_by, 0, _SHOWN[rules.scoring], round.spared)
    if round.ending is not None and round.ending.winner is not None:
        winner, other = _WIN[rules.scoring]
        _pay(
            changes, rules, round, round.ending.winner, winner, other * rules.multiply(len(round.ending.how))
        )
    elif round.ending is not None:
        _pay(changes, rules, round, None, 0, _EXHAUSTED[rules.scoring])
    return tuple(change * _times(round) for change in changes)


def _price_of_showing(rules: Rules, round: Round) -> int:
    return _SHOWN[rules.scoring] * _times(round) if _is_paid(rules, round) else 0


def _is_paid(rules: Rules, round: Round) -> bool:
    """Return whether an indicator was shown, and counts by now."""
    at_once = rules.show == "declared" and rules.scoring == "countdown"
    return round.shown_by is not None and (at_once or round.ending is not None)


def _times(round: Round) -> int:
    """Return by what the round multiplies every change."""
    return round.factor * (1 + round.riziko)


def _pay(
    changes: list[int],
    rules: Rules,
    round: Round,
    seat: int | None,
    own: int,
    other: int,
    spared: Container[int] = (),
) -> None:
    """Add `own` for a seat's side and `other` for everybody else who plays and is not `spared`."""
    for each in round.seats:
        if seat is not None and rules.same_side(seat, each):
            changes[each] += own
        elif each not in spared:
            changes[each] += other


def _no_fines(rules: Rules, round: Round) -> tuple[int, ...]:
    return ()


CLASSIC: Final = Game(
    name="classic",
    rack_size=14,
    shelf_size=12,
    stack_size=5,
    stacks_each=2,
    stacks_more=1,
    legal_moves=_legal_moves,
    step=_step,
    sources=_sources,
    changes=_changes,
    fines=_no_fines,
    price_of_showing=_price_of_showing,
    starting_score=lambda rules: rules.start_points if rules.scoring == "countdown" else 0,
    fewest_win=lambda rules: rules.scoring == "penalty",
)
