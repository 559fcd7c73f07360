"""Result: the end of a round or a match, its effect on the scores, and the secrets published of the deal."""

from collections.abc import Iterator

from bot.i18n import Words, join, plain
from bot.live import MatchEnding
from bot.markup import Clock, Name, PublicScreen, ResultPicture, ResultRow, Row, Text, TileFace
from bot.screens.fair import fair_button, list_awaited_lines
from bot.screens.games import of_game, screens_of
from bot.screens.games.melds import meld_faces, meld_names
from bot.screens.match import list_winners, match_screen
from bot.screens.offer import offer_row
from bot.screens.offers import list_place_offers
from bot.screens.parts import (
    balances,
    button,
    face,
    figure,
    mark,
    public_message,
    say_round,
    scores,
    show_change,
    stake_lines,
    table_name,
)
from bot.tables.facts import TableFacts
from engine.scoring import breaks_bowl, payout
from engine.view import Outcome, PublicView


def result_screen(facts: TableFacts, words: Words) -> PublicScreen:
    """Return the result of a round or of the match."""
    view = facts.view
    if view is None or view.outcome is None:
        return public_message(facts, _broken_off(facts, words), _reading_rows(facts, words))
    going_on = offer_row(list_place_offers(facts), words, "next", "again")
    reading = _reading_rows(facts, words)
    buttons = (going_on, *reading) if going_on else reading
    if facts.is_match_won:
        stakes = [*_tell_bowl(view.outcome, facts, words), *_last_chips(facts, words)]
        won = [*winner_lines(facts, words), *pot_lines(facts, words), *stakes]
        return match_screen(facts, words, won, buttons)
    outcome = view.outcome
    lines = [
        *winner_lines(facts, words),
        *pot_lines(facts, words),
        *title_lines(facts, words),
        *emote_lines(outcome, facts),
        *showing_lines(facts, view, words),
        *_beside_picture(outcome, facts, words),
        *_tell_bowl(outcome, facts, words),
        *stake_lines(facts, view, words),
        *_ending(facts, words),
    ]
    picture = result_picture(outcome, facts, view, words)
    return public_message(facts, join(lines), buttons, picture, result_alt(outcome, facts, view, words))


def _reading_rows(facts: TableFacts, words: Words) -> tuple[Row, ...]:
    """Return the buttons to replay and to check the last round that is over, if there is any."""
    if not facts.round_number:
        return ()
    bell = (button(words, "bell", facts),) if facts.standing.playable_again else ()
    clip = button(words, "clip", facts, facts.round_number)
    return ((*offer_row(list_place_offers(facts), words, "replay"), clip, fair_button(facts, words), *bell),)


def winner_lines(facts: TableFacts, words: Words) -> list[Text]:
    """Return the winners of the match, once it is over."""
    if facts.stage != "over" or not facts.standing.winners:
        return []
    winners = ", ".join(facts.seats[i].name for i in list_winners(facts))
    return [words.say("match.won", n=len(facts.standing.winners), who=Name(winners))]


def pot_lines(facts: TableFacts, words: Words) -> list[Text]:
    """Return everybody's share of the pot, if there was one and the match is over."""
    if facts.stage != "over" or not facts.standing.winners or not facts.rules.pot:
        return []
    shares = payout(facts.rules, tuple(seat.score for seat in facts.seats), facts.standing.winners)
    told = (
        words.say("score", who=Name(seat.name), points=words.number(chips))
        for seat, chips in zip(facts.seats, shares, strict=True)
    )
    return [words.say("match.pot", shares=join(told, " · "))]


def _tell_bowl(outcome: Outcome, facts: TableFacts, words: Words) -> list[Text]:
    """Return who took the bowl by this round, if anybody did."""
    if not facts.rules.bowl or outcome.winner is None or not breaks_bowl(outcome.how):
        return []
    return [words.say("result.bowl_taken", who=Name(facts.seats[outcome.winner].name))]


def _last_chips(facts: TableFacts, words: Words) -> list[Text]:
    """Return everybody's chips at the end of a match with a bowl, and what was left in it."""
    if not facts.standing.chips:
        return []
    chips, bowl = balances(facts, words), facts.standing.bowl
    return [
        words.say("match.bowl", bowl=bowl, chips=chips) if bowl else words.say("match.chips", chips=chips)
    ]


def breaking_off_lines(facts: TableFacts, words: Words) -> list[Text]:
    """Return the reason why the match ended without a winner; empty while it goes on or if it has one."""
    return [_describe_end(facts, words)] if ending_of(facts) else []


def ending_of(facts: TableFacts) -> MatchEnding:
    """Why a match ended without a winner; empty while it goes on or if it has one."""
    return "" if facts.stage != "over" or facts.standing.winners else _reason(facts)


def title_lines(facts: TableFacts, words: Words) -> list[Text]:
    """Return the head of a round's result."""
    if facts.night is not None:
        deal = words.say("result.deal", round=facts.round_told)
        return [(Name(table_name(facts, words), strong=True),), deal]
    return [
        words.say(of_game("result.title", facts), table=facts.place.called, round=say_round(facts, words))
    ]


def outcome_text(outcome: Outcome, facts: TableFacts, words: Words) -> Text:
    """Return the winner of the round, and the kind of win."""
    if outcome.winner is None:
        return words.say(of_game(f"outcome.{outcome.kind}", facts))
    who = Name(facts.seats[outcome.winner].name)
    return words.say(of_game("outcome.win" + "".join(f"_{how}" for how in outcome.how), facts), who=who)


def showing_lines(facts: TableFacts, view: PublicView, words: Words) -> list[Text]:
    """Return who showed the indicator in a round that is over, and what the others paid for that: a reason
    for points that the ending does not explain."""
    price = 0 if view.outcome is None else view.outcome.price_of_showing
    if view.shown_by is None or not price:
        return []
    who, change = Name(facts.seats[view.shown_by].name), show_change(price)
    return [words.say("result.shown", who=who, change=change)]


def emote_lines(outcome: Outcome, facts: TableFacts) -> list[Text]:
    """Return the emote of the computer player that won; empty if none did or emotes are off."""
    winner = None if outcome.winner is None else facts.seats[outcome.winner]
    return [(f"{winner.face}{winner.emote}",)] if winner is not None and winner.emote else []


def result_picture(
    outcome: Outcome, facts: TableFacts, view: PublicView | None, words: Words
) -> ResultPicture:
    """Return the winning arrangement, if the round can still be seen, and everybody's points as a picture."""
    rows = tuple(
        ResultRow(name=seat.name, change=outcome.changes[i], score=seat.score, winner=outcome.winner == i)
        for i, seat in enumerate(facts.seats)
    )
    return ResultPicture(
        title=plain(outcome_text(outcome, facts, words), words),
        melds=() if view is None else _winning(outcome, facts, view),
        finishing=None
        if view is None or outcome.finishing_tile is None
        else face(outcome.finishing_tile, view.okey),
        rows=rows,
    )


def _winning(outcome: Outcome, facts: TableFacts, view: PublicView) -> tuple[tuple[TileFace, ...], ...]:
    """Return the melds on the table, in classic Okey those of the winner."""
    laid = screens_of(facts.rules).laid_faces(view)
    return laid or tuple(meld_faces(meld, view.okey) for meld in outcome.winning_melds)


def result_alt(outcome: Outcome, facts: TableFacts, view: PublicView | None, words: Words) -> str:
    """Return the result's picture in words."""
    lines = [plain(outcome_text(outcome, facts, words), words)]
    # Before the melds: of many the last ones are cut.
    lines += [plain(_result_line(i, outcome, facts, words), words) for i in range(len(facts.seats))]
    if view is not None:
        lines += [meld_names(meld, view.okey, words) for meld in outcome.winning_melds]
        if outcome.finishing_tile is not None:
            tile = words.tile_name(mark(outcome.finishing_tile, view.okey))
            lines.append(words.plain("alt.finishing", tile=tile))
        lines += screens_of(facts.rules).laid_names(view, words)
    return "\n".join(lines)


def _result_line(number: int, outcome: Outcome, facts: TableFacts, words: Words) -> Text:
    seat, change = facts.seats[number], outcome.changes[number]
    line = words.say(
        "result.line",
        who=Name(seat.name),
        change=show_change(change),
        points=figure(seat.score),
    )
    return line + _remarks(number, outcome, facts, words)


def _remarks(number: int, outcome: Outcome, facts: TableFacts, words: Words) -> Text:
    """Return a seat's penalties and the accuracy that its person shows, which no picture tells."""
    fines, accuracy = outcome.fines[number] if outcome.fines else 0, facts.seats[number].accuracy
    fined = words.say("result.fines", n=fines) if fines else ()
    return fined if accuracy is None else fined + words.say("result.accuracy", percent=accuracy)


def _beside_picture(outcome: Outcome, facts: TableFacts, words: Words) -> Iterator[Text]:
    """Yield the remarks on everybody of whom there are any. Their points stand in the picture."""
    for number, seat in enumerate(facts.seats):
        if remarks := _remarks(number, outcome, facts, words):
            yield (Name(seat.name), *remarks)


def _ending(facts: TableFacts, words: Words) -> list[Text]:
    lines = breaking_off_lines(facts, words)
    if facts.stage == "between" and facts.clock.deadline is not None and facts.deal.awaited is None:
        lines.append(words.say("result.next", when=Clock(facts.clock.deadline)))
    return [*lines, *list_awaited_lines(facts, words)]


def _broken_off(facts: TableFacts, words: Words) -> Text:
    """Return an end without a result: before the first round's, or in the middle of a round."""
    standing = words.say(of_game("table.scores", facts), scores=scores(facts, words))
    return join([_describe_end(facts, words), standing])


def _describe_end(facts: TableFacts, words: Words) -> Text:
    table = facts.place.called if facts.night is None else table_name(facts, words)
    return words.say(f"match.{_reason(facts)}", table=table)


def _reason(facts: TableFacts) -> MatchEnding:
    if facts.night is not None:
        return "night_over"
    return "stopped" if facts.standing.stopped else "abandoned"
