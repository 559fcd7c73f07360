"""Reviewing: a person's play in a round that is over, for them alone."""

from typing import Literal

from bot.errors import Refused
from bot.handlers.arguments import NAMED_TABLE
from bot.handlers.context import RequestContext
from bot.handlers.declarations import PLAYED, button, command
from bot.handlers.reading import find_played
from bot.handlers.who import ANYBODY, SEAT
from bot.history.records import rounds_over
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.screens.review import ReviewFacts, review_page
from bot.tables import reviews
from bot.tables.facts import table_facts


@command("review", who=ANYBODY, audience="everybody", order=105, group="table", arguments=(NAMED_TABLE,))
async def _review(context: RequestContext) -> Answer:
    """Return the last round that is over at a table where the person sits or sat. Raises Refused `no_record`,
    and as `_find_review`."""
    stored = await find_played(context)
    return await _find_review(context, stored, rounds_over(stored.value), 0, turns=False)


@button("review", "review_step", on=PLAYED, who=SEAT)
async def _turn(context: RequestContext, stored: StoredTable) -> Answer:
    """Return the verdict, or one decision."""
    shown = context.number(1) if context.verb == "review_step" else 0
    return await _find_review(context, stored, context.number(0), shown, turns=context.verb != "review")


@button("review_share", on=PLAYED, who=SEAT)
async def _share(context: RequestContext, stored: StoredTable) -> Answer:
    """Show the table how accurately the person played the last round. Raises as `_find_review`."""
    played, seat = context.number(0), context.seat(stored)
    if reviews.can_share(stored.value, seat, played):
        judged = await context.services.played.records.review(stored, played, seat)
        percent = round(100 * judged.review.accuracy)
        stored = await context.services.tables.change(
            stored.value.id, context.action, lambda now: reviews.share(now.value, seat, played, percent)
        )
    return await _find_review(context, stored, played, 0, turns=True)


async def _find_review(
    context: RequestContext, stored: StoredTable, round: int, shown: int, *, turns: bool
) -> Answer:
    """Return the review of the person's play; of their last round, if they were out by then. Raises Refused
    `not_seated`, `no_record`."""
    seat = stored.value.seat_of(context.by.key)
    if seat is None:
        raise Refused("not_seated")
    round = await context.services.played.records.last_played(stored, round, seat)
    judged = await context.services.played.records.review(stored, round, seat)
    shown = min(shown, len(judged.review.decisions))
    facts = ReviewFacts(
        table=table_facts(judged.at(shown), None, context.find_view_place(stored.value)),
        rounds=rounds_over(stored.value) if judged.goes_on(seat) else round,
        review=judged.review,
        winner=judged.winner,
        shown=shown,
        view=judged.see(seat, shown) if shown else None,
        racks=judged.racks(shown),
        sharing=_sharing(stored, seat, round),
    )
    return Answer(page=review_page(facts, context.words, turns=turns))


def _sharing(stored: StoredTable, seat: int, round: int) -> Literal["", "possible", "done"]:
    if reviews.can_share(stored.value, seat, round):
        return "possible"
    last = round == stored.value.match.round_number
    return "done" if last and reviews.find_shared(stored.value, seat) is not None else ""
