"""Review: a person's play in a round that is over, with each decision beside the best one.

It is shown to that person alone.
"""

from dataclasses import dataclass, field
from typing import Final

from bot.i18n import Words, joined
from bot.markup import Button, CurvePicture, Name, Page, ReplayPicture, Row, Series, Text
from bot.screens.parts import button, curve_alt, face, mark, press, signed, sorted_tile_names
from bot.screens.replay import other_rounds
from bot.screens.table import table_picture
from bot.tables.facts import TableFacts
from engine.moves import Discard, Draw, Finish, Move, Take
from engine.players.outlook import Outlook
from engine.review import Decision, Review
from engine.tiles import Tile
from engine.view import SeatView

_WELL: Final = 0.9
"""The share of the best possible result from which play counts as good."""
_MUCH_LUCK: Final = 1.0
"""The tiles of good or bad luck, in the deal and the draws together, from which luck is mentioned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewFacts:
    """A review, and the decision that is shown."""

    table: TableFacts
    rounds: int
    """The number of rounds that are over."""
    review: Review
    winner: int | None
    """The seat that won the round."""
    shown: int
    """The number of the decision, from 1; 0: the verdict."""
    view: SeatView | None = field(default=None, repr=False)
    """The player's view at the decision; None with the verdict."""
    racks: tuple[tuple[Tile, ...], ...] = field(default=(), repr=False)
    """All racks at that moment."""


def review_page(facts: ReviewFacts, words: Words, *, turns: bool) -> Page:
    """The verdict with the curve of all decisions, or one decision with the rack at that moment."""
    table, round = facts.table, facts.table.round_number
    title = words.say("review.title", table=table.called, round=round)
    series = Series(press(table, "review_step", round), facts.shown, len(facts.review.decisions))
    if facts.view is None:
        curve, told = _curve(facts.review, words)
        return Page(
            text=joined([title, *_verdict(facts, words)]),
            picture=curve,
            alt=told,
            buttons=(*_rows(facts, words), *other_rounds(table, facts.rounds, words, "review_step", 0)),
            turns=turns,
            series=series,
        )
    decision, view = facts.review.decisions[facts.shown - 1], facts.view
    okey = view.public.okey
    return Page(
        text=joined([title, *_decision(decision, facts, view, words)]),
        picture=_picture(decision, facts, view, words),
        alt=words.plain("alt.your_rack", tiles=sorted_tile_names(view.rack, okey, words)),
        buttons=_rows(facts, words),
        turns=turns,
        series=series,
    )


def review_button(table: TableFacts, words: Words) -> Button:
    """The button to the review of the round that is over."""
    return button(words, "review", table, table.round_number)


def _verdict(facts: ReviewFacts, words: Words) -> list[Text]:
    review = facts.review
    lines = [words.say("review.accuracy", percent=round(100 * review.accuracy))]
    lines.append(
        words.say(
            "review.luck",
            deal=signed(review.luck_of_deal, words),
            draws=signed(review.luck_of_draws, words),
        )
    )
    luck = review.luck_of_deal + review.luck_of_draws
    if review.accuracy >= _WELL and abs(luck) >= _MUCH_LUCK:
        lines.append(words.say("review.well_lucky" if luck > 0 else "review.well_unlucky"))
    if review.missed is not None:
        lines.append(words.say("review.missed", n=_number_of(review.missed, review)))
    if review.fed is not None and facts.winner is not None:
        winner = Name(facts.table.seats[facts.winner].name)
        lines.append(words.say("review.fed", n=_number_of(review.fed, review), who=winner))
    if review.costliest is not None:
        lines.append(words.say("review.costliest", n=_number_of(review.costliest, review)))
    if review.best_find is not None:
        lines.append(words.say("review.best_find", n=_number_of(review.best_find, review)))
    return [*lines, words.say("review.how")]


def _curve(review: Review, words: Words) -> tuple[CurvePicture | None, str]:
    """The share of the best that each decision kept, with the slips pointed out; and the same in words."""
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
    head = words.say("review.decision", n=facts.shown, last=len(facts.review.decisions))
    made = _told("made", decision.made, decision.outlook, view, words)
    if decision.made == decision.best:
        return [head, made, words.say("review.nothing_better")]
    best = _told("best", decision.best, decision.best_outlook, view, words)
    return [head, made, best, words.say("review.cost", percent=round(100 * decision.cost))]


def _told(which: str, move: Move, outlook: Outlook | None, view: SeatView, words: Words) -> Text:
    """A move that was made, or a better one: `review.<which>_<move>`."""
    match move:
        case Discard(tile) if outlook is not None:
            sentence = words.say(f"review.{which}_discard", tile=mark(tile, view.public.okey))
            return sentence + words.say(
                "review.outlook", n=outlook.distance, live=outlook.live, unseen=outlook.unseen
            )
        case Take():
            taken = view.public.discard_tops[view.public.sources[-1] if move.source is None else move.source]
            assert taken is not None
            return words.say(f"review.{which}_take", tile=mark(taken, view.public.okey))
        case Finish(tile):
            return words.say(f"review.{which}_finish", tile=mark(tile, view.public.okey))
    assert isinstance(move, Draw)
    return words.say(f"review.{which}_draw")


def _picture(decision: Decision, facts: ReviewFacts, view: SeatView, words: Words) -> ReplayPicture:
    """The table at that moment, with every rack, as the round is over. The best discard is marked."""
    okey, best = view.public.okey, decision.best
    marked = best.tile if isinstance(best, Discard | Finish) else None
    racks = []
    for seat, rack in enumerate(facts.racks):
        at = rack.index(marked) if seat == view.seat and marked in rack else None
        racks.append(tuple(face(tile, okey, marked=place == at) for place, tile in enumerate(rack)))
    return ReplayPicture(table=table_picture(facts.table, view.public, words), racks=tuple(racks))


def _rows(facts: ReviewFacts, words: Words) -> tuple[Row, ...]:
    """The buttons to the verdict, the previous, the next decision and the next slip. They keep their
    positions."""
    last, round = len(facts.review.decisions), facts.table.round_number
    slips = (number for number, each in enumerate(facts.review.decisions, 1) if each.cost > 0)
    slip = next((number for number in slips if number > facts.shown), 0)
    ways = (("first", 0), ("step", max(facts.shown - 1, 0)), ("next", min(facts.shown + 1, last)))
    steps = tuple(
        button(words, "review_step", facts.table, round, number, says=f"replay_{way}") for way, number in ways
    )
    return steps, (button(words, "review_step", facts.table, round, slip, says="review_slip"),)


def _number_of(decision: Decision, review: Review) -> int:
    return review.decisions.index(decision) + 1
