"""Match: its end, which is another screen than a round's: who won, the places and why, the best moment."""

from collections.abc import Iterator
from typing import Final

from bot.i18n import Words, join, plain
from bot.markup import Name, PublicScreen, Row, StandingRow, StandingsPicture, Text
from bot.screens.games import of_game
from bot.screens.parts import figure, public_message, show_change
from bot.tables.facts import TableFacts
from bot.tables.table import RoundResult
from engine.scoring import rank_seats

_ROUNDS_MOST: Final = 8
"""The most rounds that are told one by one."""


def match_screen(facts: TableFacts, words: Words, won: list[Text], buttons: tuple[Row, ...]) -> PublicScreen:
    """Return the end of a match that somebody won: `won` says who."""
    text = join([*won, *_rounds(facts, words), *_best_moment(facts, words)])
    alt = "\n".join(plain(line, words) for line in (*won, *_places(facts, words)))
    return public_message(facts, text, buttons, _picture(facts, words), alt)


def own_place(facts: TableFacts, seat: int, words: Words) -> Text:
    """Return what the end of a match means to the person on a seat."""
    place = 1 if seat in facts.standing.winners else max(_places_of(facts)[seat], 2)
    return words.say(f"match.own_{place}")


def _places_of(facts: TableFacts) -> tuple[int, ...]:
    """Return everybody's place; a place that is shared leaves the next one out."""
    return rank_seats(facts.rules, tuple(seat.score for seat in facts.seats))


def _in_order(facts: TableFacts) -> list[tuple[int, int]]:
    """Return places and seats, the winners first."""
    places = _places_of(facts)
    told = [1 if i in facts.standing.winners else max(place, 2) for i, place in enumerate(places)]
    return [(told[i], i) for i in sorted(range(len(told)), key=lambda i: (told[i], places[i]))]


def list_winners(facts: TableFacts) -> list[int]:
    """Return the seats of the match's winners, the one with the best score first."""
    return [seat for _, seat in _in_order(facts) if seat in facts.standing.winners]


def _change(facts: TableFacts, seat: int) -> int:
    return sum(result.changes[seat] for result in facts.standing.results)


def _places(facts: TableFacts, words: Words) -> Iterator[Text]:
    """Yield everybody's place and points, as the picture tells them."""
    for place, number in _in_order(facts):
        seat = facts.seats[number]
        yield words.say(
            "match.place",
            place=place,
            who=Name(seat.name),
            points=figure(seat.score),
            change=show_change(_change(facts, number)),
        )


def _rounds(facts: TableFacts, words: Words) -> Iterator[Text]:
    """Yield each round's reason for the points, the last ones if there were many."""
    results = facts.standing.results
    left_out = max(len(results) - _ROUNDS_MOST, 0)
    if left_out:
        yield words.say("match.earlier", n=left_out)
    for number, result in enumerate(results[left_out:], left_out + 1):
        changes = [
            words.say("score", who=Name(facts.seats[seat].name), points=show_change(change))
            for seat, change in enumerate(result.changes)
            if change
        ]
        told = words.say("match.round", round=number, what=_how(result, facts, words))
        yield join([told, *changes], " · ")


def _how(result: RoundResult, facts: TableFacts, words: Words) -> Text:
    """Return how a round ended, with what else changed the points."""
    what = _what(result, facts, words)
    if result.shown_by is None:
        return what
    if result.shown_by == result.winner:
        return words.say("match.shown_too", what=what)
    return words.say("match.shown", what=what, who=Name(facts.seats[result.shown_by].name))


def _what(result: RoundResult, facts: TableFacts, words: Words) -> Text:
    if result.winner is None:
        return words.say("match.nobody")
    key = of_game("outcome.win" + "".join(f"_{how}" for how in result.how), facts)
    return words.say(key, who=Name(facts.seats[result.winner].name))


def _best_moment(facts: TableFacts, words: Words) -> list[Text]:
    """Return the rarest finish of the match, among equals the dearest; nothing if all were plain, or if a
    line above tells the only one."""
    results = facts.standing.results
    finishes = [result for result in results if result.how]
    if not finishes or len(results) == 1:
        return []
    best = max(finishes, key=lambda result: (len(result.how), sum(map(abs, result.changes))))
    return [words.say("match.best", what=_what(best, facts, words))]


def _picture(facts: TableFacts, words: Words) -> StandingsPicture:
    winners = " + ".join(facts.seats[i].name for i in list_winners(facts))
    # Where everybody began at 0, what the match changed is the points themselves.
    told_twice = all(_change(facts, number) == seat.score for number, seat in enumerate(facts.seats))
    rows = tuple(
        StandingRow(
            rank=f"{place}.",
            name=facts.seats[number].name,
            detail="" if told_twice else show_change(_change(facts, number)),
            points=figure(facts.seats[number].score),
            first=number in facts.standing.winners,
        )
        for place, number in _in_order(facts)
    )
    rounds = words.plain("match.rounds_played", n=len(facts.standing.results))
    return StandingsPicture(headline=winners, title=rounds, subtitle="", rows=rows)
