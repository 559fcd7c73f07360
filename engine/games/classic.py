"""A classic round: what a seat may do, and what it does (RULES 3).

What RULES leave open: who shows the twin need not be on turn; the two tiles of a face are the same, so
neither is thrown back after one of them was taken; a rack that wins both ways wins with pairs.
"""

from collections.abc import Collection
from dataclasses import replace

from engine.arrange import Kind, finishing_discards, winning_arrangements
from engine.errors import NotAllowed
from engine.events import Discarded, Drew, Event, Exhausted, Finished, Shown, Took
from engine.moves import Discard, Draw, Finish, Move, Show, Take
from engine.rules import Rules
from engine.state import (
    LAST_TURN,
    Ending,
    Round,
    discard,
    draw,
    has_drawn,
    over,
    seat_before,
    take,
)
from engine.tiles import Colour, Tile

Stepped = tuple[Round, tuple[Event, ...]]
Melds = tuple[tuple[Tile, ...], ...]


def legal_moves(rules: Rules, round: Round, seat: int) -> tuple[Move, ...]:
    """Every move that `step` accepts from `seat`, each once."""
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
        barred = _barred(rules, round)
        faces = [tile for tile in sorted(set(round.racks[seat])) if tile != barred]
        finishing = _finishing(rules, round, round.racks[seat])
        moves += [Discard(tile) for tile in faces]
        moves += [Finish(tile) for tile in faces if tile in finishing]
    return tuple(moves)


def step(rules: Rules, round: Round, seat: int, move: Move) -> Stepped:
    """Carry out a move. Raises NotAllowed."""
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
    """The code of the refusal; None when he may show. He need not be on turn."""
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


def _sources(rules: Rules, round: Round) -> list[int]:
    """The seats whose top discard the seat on turn may take."""
    if rules.discard_sources == "left":
        open_to_him = [seat_before(round, round.turn)]
    else:
        open_to_him = [seat for seat in round.seats if seat != round.turn]
    return [seat for seat in open_to_him if round.piles[seat]]


def _barred(rules: Rules, round: Round) -> Tile | None:
    """The face that may not be discarded because it was taken in this turn."""
    return round.drawn if round.source is not None and not rules.rethrow else None


def _discard(rules: Rules, round: Round, tile: Tile) -> Stepped:
    after = _let_go(rules, round, tile)
    events: tuple[Event, ...] = (Discarded(round.turn, tile),)
    if after.turns >= LAST_TURN or not (after.stock or _can_win_by_taking(rules, after)):
        return over(after, Ending("exhausted")), (*events, Exhausted())
    return after, events


def _let_go(rules: Rules, round: Round, tile: Tile) -> Round:
    after = discard(round, tile)
    if tile == _barred(rules, round):
        raise NotAllowed("rethrow", tile=tile.name)
    return after


def _can_win_by_taking(rules: Rules, round: Round) -> bool:
    """Whether the seat on turn, who cannot draw, can finish with a discard (RULES 3, exhausted)."""
    seat = round.turn
    for source in _sources(rules, round):
        taken = take(round, source)
        if any(tile != _barred(rules, taken) for tile in _finishing(rules, taken, taken.racks[seat])):
            return True
    return False


def _finish(rules: Rules, round: Round, tile: Tile) -> Stepped:
    after = _let_go(rules, round, tile)
    seat = round.turn
    arrangements = _winning(rules, round, after.racks[seat])
    if not arrangements:
        raise NotAllowed("no_win", tile=tile.name)
    kind: Kind = "pairs" if "pairs" in arrangements else "melds"  # pairs never pay less
    how = []
    if _of_one_colour(rules, round, after.racks[seat]):
        how.append("color")
    if tile == round.okey:
        how.append("joker")
    if kind == "pairs":
        how.append("pairs")
    ending = Ending("win", seat, tuple(how), arrangements[kind], tile)
    return over(after, ending), (Finished(seat, tile),)


def _winning(rules: Rules, round: Round, rack: tuple[Tile, ...]) -> dict[Kind, Melds]:
    arrangements = winning_arrangements(
        round.okey, rack, pairs_win=rules.pairs_win, one_after_thirteen=rules.one_after_thirteen
    )
    return {
        kind: tuple(tuple(played.tile for played in meld.tiles) for meld in melds)
        for kind, melds in arrangements.items()
    }


def _finishing(rules: Rules, round: Round, rack: tuple[Tile, ...]) -> Collection[Tile]:
    return finishing_discards(
        round.okey, rack, pairs_win=rules.pairs_win, one_after_thirteen=rules.one_after_thirteen
    )


def _of_one_colour(rules: Rules, round: Round, rack: tuple[Tile, ...]) -> bool:
    """Whether a winning rack counts as of one colour (`one_color_double`).

    Where it wins and all but its okeys are of one colour, the okeys can stand for that colour too: a
    set of one plain tile and two okeys may as well be a run.
    """
    if rules.one_color_double == "off":
        return False
    colours = {round.okey.colour if tile is Tile.F else tile.colour for tile in rack if tile != round.okey}
    if len(colours) != 1:
        return False
    return rules.one_color_double == "any" or bool(colours & {Colour.RED, Colour.BLACK})
