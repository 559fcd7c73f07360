"""Round: its beginning, the moves of a seat, and one step from state to state."""

from engine.deal import Dealt
from engine.errors import NotAllowed
from engine.events import Event
from engine.games import game_of
from engine.melds import empty_board
from engine.moves import Move
from engine.rules import Rules
from engine.state import Round
from engine.tiles import Tile


def begin(
    rules: Rules, dealt: Dealt, seats: tuple[int, ...], factor: int = 1, spared: tuple[int, ...] = ()
) -> Round:
    """Return the round that a deal to `seats` opens: the starter is to discard.

    `factor` multiplies its changes, and a shown indicator costs those `spared` nothing.
    """
    last_draw = (dealt.indicator,) if rules.indicator_last_draw else ()
    return Round(
        dealer=dealt.dealer,
        starter=dealt.starter,
        indicator=dealt.indicator,
        dice=dealt.dice,
        seats=seats,
        racks=dealt.racks,
        stock=dealt.stock + last_draw,
        piles=((),) * rules.players,
        turn=dealt.starter,
        phase="discard",
        twin_dealt_to=_holder_of_twin(dealt),
        board=empty_board(rules.players),
        factor=factor,
        riziko=dealt.riziko,
        spared=spared,
    )


def _holder_of_twin(dealt: Dealt) -> int | None:
    if dealt.indicator is Tile.F:  # the other false joker is an okey, and an okey is never shown
        return None
    return next((seat for seat, rack in enumerate(dealt.racks) if dealt.indicator in rack), None)


def legal_moves(rules: Rules, round: Round, seat: int) -> tuple[Move, ...]:
    """Exactly the moves that `step` accepts from `seat` now, each once a face; empty when there are none.

    `Take()` stands for the same move with the previous player's seat. In Okey 101 there are too many ways to
    lay melds: only the best of them are listed.
    """
    if round.phase == "over" or seat not in round.seats:
        return ()
    return game_of(rules).legal_moves(rules, round, seat)


def step(rules: Rules, round: Round, seat: int, move: Move) -> tuple[Round, tuple[Event, ...]]:
    """Return the state after `seat` made a move, and the events that everybody saw.

    Raises NotAllowed with the code of the broken rule (`docs/errors.md`); then nothing has changed.
    """
    if round.phase == "over":
        raise NotAllowed("round_over")
    if seat not in round.seats:
        raise NotAllowed("not_playing")
    return game_of(rules).step(rules, round, seat, move)


def find_refusal(rules: Rules, round: Round, seat: int, move: Move) -> str:
    """Return the code with which `step` refuses a move; empty: it accepts it."""
    try:
        step(rules, round, seat, move)
    except NotAllowed as refusal:
        return refusal.code
    return ""
