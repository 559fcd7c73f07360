"""Player screen: a seated person's rack, and a button for everything that they may do now."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from msgspec import structs

from bot.i18n import Words, join, plain
from bot.markup import RackPicture, ResultPicture, Row, SeatScreen, Text
from bot.screens.games import screens_of
from bot.screens.help import help_button, practice_button
from bot.screens.match import own_place
from bot.screens.offer import Offer, offer_row, offers_of
from bot.screens.offers import list_place_offers, list_rack_offers
from bot.screens.parts import ever_shorter, in_caption, scores, tell_changes, tile_names
from bot.screens.rack import (
    PLAY,
    Mode,
    arrange_buttons,
    away_row,
    head,
    in_alert,
    list_lays,
    open_line,
    order_rows,
    overdue_lines,
    rack_picture,
    stock_lines,
    sure_row,
    waiting_line,
)
from bot.screens.result import (
    breaking_off_lines,
    outcome_text,
    pot_lines,
    result_alt,
    result_picture,
    showing_lines,
    winner_lines,
)
from bot.screens.table import happenings
from bot.tables.facts import RackFacts, TableFacts
from bot.tables.practice import ROUNDS, USUAL
from bot.tables.table import Farewell, FarewellReason
from engine.view import Outcome, SeatView

__all__ = ["PLAY", "Mode", "farewell_screen", "rack_brief", "rack_screen"]

_OVERDUE: Final = ("drew", "took", "discarded", "overdue")
"""The events of a move that the clock made."""

_FAREWELLS: Final[Mapping[FarewellReason, str]] = {
    "left": "notice.left",
    "removed": "refused.removed_here",
    "blocked": "rack.blocked",
    "gone": "rack.gone",
    "passed_on": "rack.passed_on",
}


def rack_screen(facts: RackFacts, words: Words, mode: Mode = PLAY) -> SeatScreen:
    """Return the screen of one seat, for its player alone."""
    view = facts.view
    if view is None:
        ended = breaking_off_lines(facts.table, words) if facts.table.standing.stopped else []
        text = join([*head(facts, words), *(ended or [words.say(f"rack.{facts.table.stage}")])])
        return _seat_screen(facts, text, _lobby_buttons(facts, words))
    if facts.table.practice and facts.table.stage == "over":
        return _practice_over(facts, view, words)
    offers = list_rack_offers(facts)
    mode = _settle(mode, offers)
    picture = _picture(facts, view, words, mode)

    def text_of(table: TableFacts) -> Text:
        cut = facts if table is facts.table else replace(facts, table=table)
        tasks, named = _tasks(cut, view, words, mode), head(cut, words)
        standing = [join([*stock_lines(cut, view, words), _scores(table, view, words)], " · ")]
        if isinstance(picture, ResultPicture):  # which tells the points
            standing = []
        # What a phone's notification shows is the task; only that it is practice comes before it.
        lines = [*named, *tasks] if table.practice else tasks
        return join([*lines, *_news(cut, view, words), *standing, *(() if table.practice else named)])

    return _seat_screen(
        facts,
        in_caption(map(text_of, ever_shorter(facts.table))),
        _buttons(facts, view, offers, words, mode),
        picture=picture,
        alt=_alt(facts, view, words) if facts.dealt_in else "",
    )


def rack_brief(facts: RackFacts, words: Words) -> str:
    """Return the rack and the player's task in at most 200 UTF-16 code units, for a player who gets alerts
    only. While a computer player keeps the seat, how to take it back comes before the tiles."""
    if facts.view is None:
        return in_alert(plain(rack_screen(facts, words).text, words))
    if _is_kept(facts):
        return words.plain("rack.stand_in_brief")
    return screens_of(facts.table.rules).brief(facts, facts.view, words)


def _is_kept(facts: RackFacts) -> bool:
    return facts.table.stage == "playing" and facts.table.seats[facts.seat].stand_in


def farewell_screen(table: str, version: int, said: Farewell, words: Words) -> SeatScreen:
    """Return the screen that replaces the rack of a person who has lost their seat."""
    text = words.say(_FAREWELLS[said.why])
    return SeatScreen(
        table=table,
        version=version,
        text=text,
        picture=None,
        buttons=(),
        known=said.why == "left",
    )


def _seat_screen(
    facts: RackFacts,
    text: Text,
    buttons: tuple[Row, ...],
    *,
    picture: RackPicture | ResultPicture | None = None,
    alt: str = "",
) -> SeatScreen:
    return SeatScreen(
        table=facts.table.id,
        version=facts.table.version,
        text=text,
        picture=picture,
        buttons=buttons,
        alt=alt,
    )


def _lobby_buttons(facts: RackFacts, words: Words) -> tuple[Row, ...]:
    if facts.table.stage != "lobby":
        return ()
    host = facts.table.seats[facts.seat].host
    row = offer_row(list_place_offers(facts.table), words, *(("start", "rules") if host else ()), "leave")
    return (row,) if row else ()


def _tasks(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> list[Text]:
    """Return the player's current task."""
    if view.public.outcome is not None:
        won, ended = winner_lines(facts.table, words), breaking_off_lines(facts.table, words)
        out = [words.say("rack.out")] if facts.table.stage == "between" and _is_out(facts) else []
        if facts.table.is_match_won:
            first = facts.seat in facts.table.standing.winners
            own = own_place(facts.table, facts.seat, words)
            return [own, *(() if first else won), *pot_lines(facts.table, words)]
        return [
            *won,
            *pot_lines(facts.table, words),
            *_round_lines(view.public.outcome, facts, words),
            *showing_lines(facts.table, view.public, words),
            *ended,
            *out,
        ]
    if not facts.dealt_in:
        return [words.say("rack.out"), waiting_line(facts, view, words)]
    if mode.kind == "arrange":
        return [words.say("rack.put" if mode.picked is not None else "rack.pick")]
    if facts.table.seats[facts.seat].stand_in:
        return [*overdue_lines(facts, words), words.say("rack.stand_in")]
    return [*overdue_lines(facts, words), *screens_of(facts.table.rules).task(facts, view, words, mode)]


def _round_lines(outcome: Outcome, facts: RackFacts, words: Words) -> list[Text]:
    """Return how the round ended: to its winner in their own person; their picture says how."""
    if outcome.winner == facts.seat:
        kept = facts.table.seats[facts.seat].stand_in
        return [words.say("rack.finished_for_you" if kept else "rack.finished")]
    return [outcome_text(outcome, facts.table, words)]


def _scores(table: TableFacts, view: SeatView, words: Words) -> Text:
    """Return everybody's score; between two rounds also what the last one cost: the rack's picture does not
    say."""
    outcome = view.public.outcome
    if outcome is None or table.stage != "between":
        return scores(table, words)
    return tell_changes(table, outcome.changes, words)


def _is_out(facts: RackFacts) -> bool:
    return facts.table.seats[facts.seat].out


def _news(facts: RackFacts, view: SeatView, words: Words) -> list[Text]:
    """Return the last moves, for a player who waits; without what is told above: the move that the clock made
    for them, and that the computer has their seat, or that of whoever is on turn."""
    table, turn = facts.table, view.public.turn
    if table.stage != "playing" or turn == facts.seat:
        return []
    above = {(facts.seat, kind) for kind in _OVERDUE} if overdue_lines(facts, words) else set()
    above |= {
        (seat, "replaced") for seat in (facts.seat, turn) if seat is not None and table.seats[seat].stand_in
    }
    if above:
        told = tuple(each for each in table.news.recent if (each.seat, each.kind) not in above)
        table = structs.replace(table, news=structs.replace(table.news, recent=told))
    return happenings(table, words)


def _picture(
    facts: RackFacts, view: SeatView, words: Words, mode: Mode
) -> RackPicture | ResultPicture | None:
    """Return the rack, to whoever finished the round their melds and everybody's points."""
    if not facts.dealt_in:
        return None
    if (outcome := _own_finish(facts, view)) is not None:
        return result_picture(outcome, facts.table, view.public, words)
    return rack_picture(facts, view, words, mode, screens_of(facts.table.rules).pointed(facts, view, mode))


def _own_finish(facts: RackFacts, view: SeatView) -> Outcome | None:
    """Return how the round ended if the player finished it."""
    outcome = view.public.outcome
    return outcome if outcome is not None and outcome.winner == facts.seat else None


def _alt(facts: RackFacts, view: SeatView, words: Words) -> str:
    if (outcome := _own_finish(facts, view)) is not None:
        return result_alt(outcome, facts.table, view.public, words)
    shelves = [
        words.plain("alt.shelf", number=number, tiles=tile_names(shelf, view.public.okey, words))
        for number, shelf in enumerate(facts.shelves, 1)
        if any(tile is not None for tile in shelf)
    ]
    # The picture of a rack has no melds of the table: only where words stand for it are they told here.
    laid = screens_of(facts.table.rules).laid_names(view.public, words) if facts.table.display.words else []
    return "\n".join([*shelves, plain(open_line(view, words), words), *laid])[:1000]


def _settle(mode: Mode, offers: Sequence[Offer]) -> Mode:
    """Return the mode with what it asks about, or, where that is not possible any more, that of playing."""
    kind = mode.kind
    if kind == "sure":
        asked = next((offer for offer in offers if offer.sure and offer.asking == mode.asked), None)
        return PLAY if asked is None else replace(mode, offer=asked)
    gone = kind in ("lay", "lay_okey") and not list_lays(offers, kind)
    gone = gone or (kind == "finish" and not offers_of(offers, "finish"))
    return PLAY if gone else mode


def _buttons(
    facts: RackFacts, view: SeatView, offers: Sequence[Offer], words: Words, mode: Mode
) -> tuple[Row, ...]:
    back = offer_row(offers, words, "back_in")
    if view.public.outcome is not None:
        onward = (*back, *offer_row(list_place_offers(facts.table), words, "next", "again"))
        return tuple(row for row in (onward, offer_row(offers, words, "review", "step_out")) if row)
    if back:
        return (back,)
    if not facts.dealt_in:
        return (away_row(facts, offers, words),)
    if mode.kind == "arrange":
        return arrange_buttons(facts, view, words, mode)
    if mode.kind == "order":
        return order_rows(facts, offers, words)
    if mode.offer is not None:
        return (sure_row(facts, mode.offer, offers, words),)
    return screens_of(facts.table.rules).buttons(facts, view, offers, words, mode)


def _practice_over(facts: RackFacts, view: SeatView, words: Words) -> SeatScreen:
    """Return the round's result, or that its player left it; and the next steps."""
    outcome, table = view.public.outcome, facts.table
    preset = next((each for each, rules in ROUNDS.items() if rules == table.rules), USUAL)
    again = (practice_button(words, "" if preset == USUAL else preset), help_button(words))
    title = words.say("practice.title")
    if outcome is None:
        return _seat_screen(facts, join([title, words.say("practice.left")]), (again,))
    return _seat_screen(
        facts,
        join([title, outcome_text(outcome, table, words), words.say("practice.over")]),
        (
            (
                *offer_row(list_place_offers(table), words, "replay"),
                *offer_row(list_rack_offers(facts), words, "review"),
            ),
            again,
        ),
        picture=result_picture(outcome, table, view.public, words),
        alt=result_alt(outcome, table, view.public, words),
    )
