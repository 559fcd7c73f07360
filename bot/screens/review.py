"""Review: a person's play in a round that is over, with each decision beside the best one.

It is shown to that person alone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from bot.i18n import Words, join
from bot.live import LiveMove, LiveReplay
from bot.markup import CurvePicture, DrawnReplay, Name, Page, ReplayPicture, Row, Series, Text, TileFace
from bot.screens.games import screens_of
from bot.screens.live import live_replay
from bot.screens.parts import button, curve_alt, face, mark, name_sorted_tiles, press, sign, tile_row
from bot.screens.replay import other_rounds
from bot.screens.table import table_picture
from bot.tables.facts import TableFacts
from engine.melds import read_as_played
from engine.moves import Discard, Draw, Finish, LayMeld, LayOff, Move, Open, OpenPairs, Reclaim, Take
from engine.players.outlook import OpeningChances, Outlook
from engine.review import Review
from engine.review.decision import Decision
from engine.rules import GameName
from engine.tiles import Tile
from engine.view import SeatView, find_taken

_WELL: Final = 0.9
"""The share of the best possible result from which play counts as good."""
_MUCH_LUCK: Final[Mapping[GameName, float]] = {"classic": 1.0, "101": 20.0}
"""The good or bad luck, in the deal and the draws together, from which it is mentioned: tiles, or points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewFacts:
    """A review, and the decision that is shown."""

    table: TableFacts
    rounds: int
    """The number of rounds that are over and in which the player had tiles."""
    review: Review
    winner: int | None
    """The seat that won the round."""
    shown: int
    """The number of the decision, from 1; 0: the verdict."""
    view: SeatView | None = field(default=None, repr=False)
    """The player's view at the decision; None with the verdict."""
    racks: tuple[tuple[Tile, ...], ...] = field(default=(), repr=False)
    """All racks at that moment."""
    sharing: Literal["", "possible", "done"] = ""
    """Whether the player can show everybody their accuracy, or has done so."""


def review_page(facts: ReviewFacts, words: Words, *, turns: bool) -> Page:
    """Return the verdict with the curve of all decisions, or one decision with the rack at that moment."""
    table, round = facts.table, facts.table.round_number
    title = words.say("review.title", table=table.place.called, round=round)
    last = len(facts.review.decisions)
    series = Series(press(table, "review_step", round), facts.shown, last) if last else None
    if facts.view is None:
        curve, told = _curve(facts.review, words)
        return Page(
            text=join([title, *_verdict(facts, words)]),
            picture=curve,
            alt=told,
            buttons=(
                *_rows(facts, words),
                *_sharing(facts, words),
                *other_rounds(table, facts.rounds, words, "review_step", 0),
            ),
            turns=turns,
            series=series,
        )
    decision, view = facts.review.decisions[facts.shown - 1], facts.view
    okey = view.public.okey
    lines = _decision(decision, facts, view, words)
    return Page(
        text=join([title, *lines]),
        picture=_picture(decision, facts, view, words),
        alt=words.plain("alt.your_rack", tiles=name_sorted_tiles(view.rack, okey, words)),
        buttons=_rows(facts, words),
        turns=turns,
        series=series,
        replay=DrawnReplay(_live(decision, facts, view, words), join(lines)),
    )


def _verdict(facts: ReviewFacts, words: Words) -> list[Text]:
    review, game = facts.review, facts.table.rules.game
    lines = [words.say("review.accuracy", percent=round(100 * review.accuracy))]
    if not review.decisions:
        lines = [words.say("review.no_decision")]
    deal, draws = sign(review.luck_of_deal, words), sign(review.luck_of_draws, words)
    lines.append(words.say(f"review.luck_{game}", deal=deal, draws=draws))
    luck = review.luck_of_deal + review.luck_of_draws
    if review.decisions and review.accuracy >= _WELL and abs(luck) >= _MUCH_LUCK[game]:
        lines.append(words.say("review.well_lucky" if luck > 0 else "review.well_unlucky"))
    if review.missed is not None:
        lines.append(words.say("review.missed", n=_number_of(review.missed, review)))
    if review.unopened is not None:
        lines.append(words.say("review.unopened", n=_number_of(review.unopened, review)))
    if review.fed is not None and facts.winner is not None:
        winner = Name(facts.table.seats[facts.winner].name)
        lines.append(words.say("review.fed", n=_number_of(review.fed, review), who=winner))
    if review.costliest is not None:
        lines.append(words.say("review.costliest", n=_number_of(review.costliest, review)))
    if review.best_find is not None:
        lines.append(words.say("review.best_find", n=_number_of(review.best_find, review)))
    if facts.sharing == "done":
        lines.append(words.say("review.shared"))
    return [*lines, words.say(f"review.how_{game}")]


def _curve(review: Review, words: Words) -> tuple[CurvePicture | None, str]:
    """Return the share of the best that each decision kept, with the slips pointed out; and the same in
    words."""
    kept = [100.0 * each.kept for each in review.decisions]
    if len(kept) < 2:
        return None, ""
    curve = CurvePicture(
        title=words.plain("review.curve"),
        values=tuple(kept),
        marks=tuple((_percent(level, words), level) for level in (0.0, 50.0, 100.0)),
        captions=("1", str(len(kept))),
        highlights=tuple(number for number, each in enumerate(review.decisions) if each.cost > 0),
    )
    return curve, curve_alt(curve, [_percent(each, words) for each in kept], words)


def _percent(share: float, words: Words) -> str:
    return words.plain("review.percent", percent=round(share))


def _decision(decision: Decision, facts: ReviewFacts, view: SeatView, words: Words) -> list[Text]:
    game = screens_of(facts.table.rules)
    lines = [words.say("review.decision", n=facts.shown, last=len(facts.review.decisions))]
    later = None if isinstance(decision.best, Open | OpenPairs) else decision.outlook
    lines.append(_tell("made", decision.made, later, view, words))
    if isinstance(decision.made, Discard):
        lines += game.fine(decision.made.tile, facts.table.rules, view, words)
    if decision.made == decision.best:
        return [*lines, words.say("review.nothing_better")]
    lines.append(_tell("best", decision.best, decision.best_outlook, view, words))
    return [*lines, *game.cost(decision, view, words)]


def _tell(
    which: str, move: Move, outlook: Outlook | OpeningChances | None, view: SeatView, words: Words
) -> Text:
    """Return a move that was made, or a better one: `review.<which>_<move>`; and the prospects that it
    leaves."""
    return _move(which, move, view, words) + _prospects(outlook, words)


def _prospects(outlook: Outlook | OpeningChances | None, words: Words) -> Text:
    if isinstance(outlook, OpeningChances):
        melds, pairs = round(100 * outlook.melds), round(100 * outlook.pairs)
        return words.say("review.chances", melds=melds, pairs=pairs)
    if outlook is None:
        return ()
    return words.say("review.outlook", n=outlook.distance, live=outlook.live, unseen=outlook.unseen)


def _move(which: str, move: Move, view: SeatView, words: Words) -> Text:
    okey = view.public.okey
    match move:
        case Discard(tile):
            return words.say(f"review.{which}_discard", tile=mark(tile, okey))
        case Take():
            return words.say(f"review.{which}_take", tile=mark(find_taken(view.public, move), okey))
        case Finish(tile):
            return words.say(f"review.{which}_finish", tile=mark(tile, okey))
        case Open(melds):
            points = sum(read_as_played(placed, okey).face.number or 0 for meld in melds for placed in meld)
            return words.say("review.best_open", points=points)
        case OpenPairs(pairs):
            return words.say("review.best_open_pairs", n=len(pairs))
        case LayMeld():
            return words.say("review.best_lay", tiles=tile_row(_tiles_of(move, okey), okey))
        case LayOff(placed):
            return words.say("review.best_lay_off", tile=mark(read_as_played(placed, okey).tile, okey))
        case Reclaim(tile):
            return words.say("review.best_reclaim", tile=mark(tile, okey))
    assert isinstance(move, Draw)
    return words.say(f"review.{which}_draw")


def _tiles_of(move: Move, okey: Tile) -> list[Tile]:
    """Return the tiles of the rack that a move uses."""
    match move:
        case Discard(tile) | Finish(tile) | Reclaim(tile):
            return [tile]
        case Open(groups) | OpenPairs(groups):
            return [read_as_played(placed, okey).tile for group in groups for placed in group]
        case LayMeld(group):
            return [read_as_played(placed, okey).tile for placed in group]
        case LayOff(placed):
            return [read_as_played(placed, okey).tile]
    return []


def _picture(decision: Decision, facts: ReviewFacts, view: SeatView, words: Words) -> ReplayPicture:
    """Return the table at that moment, with every rack, as the round is over. The best move's tiles are
    marked."""
    okey = view.public.okey
    racks = [tuple(face(tile, okey) for tile in rack) for rack in facts.racks]
    racks[view.seat] = _mark(facts.racks[view.seat], _tiles_of(decision.best, okey), okey)
    return ReplayPicture(table=table_picture(facts.table, view.public, words), racks=tuple(racks))


def _live(decision: Decision, facts: ReviewFacts, view: SeatView, words: Words) -> LiveReplay:
    """Return the same for an app, with the move that was made where another one was better."""
    made = None if decision.made == decision.best else _live_move(decision.made, view)
    best = _live_move(decision.best, view)
    return live_replay(facts.table, facts.racks, words, seat=view.seat, made=made, best=best)


def _live_move(move: Move, view: SeatView) -> LiveMove:
    match move:
        case Draw():
            return LiveMove("draw")
        case Take(source):
            return LiveMove("take", on=view.public.sources[-1] if source is None else source)
    tiles = tuple(tile.name for tile in _tiles_of(move, view.public.okey))
    return LiveMove("tiles", tiles)


def _mark(rack: Sequence[Tile], tiles: list[Tile], okey: Tile) -> tuple[TileFace, ...]:
    """Return a rack, with as many of each tile marked as the tiles have."""
    faces, left = [], Counter(tiles)
    for tile in rack:
        faces.append(face(tile, okey, marked=left[tile] > 0))
        left[tile] -= 1
    return tuple(faces)


def _rows(facts: ReviewFacts, words: Words) -> tuple[Row, ...]:
    """Return the buttons to the verdict, the previous and the next decision, and to the next slip if there is
    any in the round. They keep their positions."""
    last, round = len(facts.review.decisions), facts.table.round_number
    slips = [number for number, each in enumerate(facts.review.decisions, 1) if each.cost > 0]
    slip = next((number for number in slips if number > facts.shown), 0)
    ways = (("first", 0), ("step", max(facts.shown - 1, 0)), ("next", min(facts.shown + 1, last)))
    steps = tuple(
        button(words, "review_step", facts.table, round, number, says=f"replay_{way}", step=True)
        for way, number in ways
    )
    if not slips:
        return (steps,)
    return steps, (button(words, "review_step", facts.table, round, slip, says="review_slip"),)


def _sharing(facts: ReviewFacts, words: Words) -> tuple[Row, ...]:
    """Return the button that shows everybody the accuracy."""
    if facts.sharing != "possible" or not facts.review.decisions:
        return ()
    return ((button(words, "review_share", facts.table, facts.table.round_number),),)


def _number_of(decision: Decision, review: Review) -> int:
    return review.decisions.index(decision) + 1
