"""The last matches, each with a way into its replay."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.presses import press_text
from bot.screens.model import Button, Leaflet, Name, Text
from bot.screens.parts import figure
from bot.tables.played import Dated
from bot.words import Words, joined

MATCHES_TOLD: Final = 10
_IN_A_ROW: Final = 5


def history_page(matches: Sequence[Dated], replayed_since: float, words: Words, *, turns: bool) -> Leaflet:
    """The newest of these matches (newest first); what ended before `replayed_since` has no replay."""
    told = list(enumerate(matches[:MATCHES_TOLD], start=1))
    lines = (_line(number, dated, words) for number, dated in told)
    buttons = [
        Button(
            (words.plain("button.replay_match", number=number),),
            press_text("replay", dated.match.table, 0, 1),
        )
        for number, dated in told
        if dated.at >= replayed_since
    ]
    missing = [words.say("history.no_replay")] if len(buttons) < len(told) else []
    return Leaflet(
        text=joined([words.say("history.title"), *lines, *missing]),
        buttons=tuple(tuple(buttons[at : at + _IN_A_ROW]) for at in range(0, len(buttons), _IN_A_ROW)),
        turns=turns,
    )


def _line(number: int, dated: Dated, words: Words) -> Text:
    match = dated.match
    seats = joined(_seats(dated, words), " · ")
    state = () if match.over else words.say("history.goes_on")
    return (
        *words.say(
            "history.line",
            number=number,
            date=words.date(dated.at),
            game=words.plain(f"stats.game.{match.game}"),
            n=len(match.rounds),
            seats=seats,
        ),
        *state,
    )


def _seats(dated: Dated, words: Words) -> Iterator[Text]:
    match = dated.match
    for seat, player in enumerate(match.players):
        score = words.say("score", who=Name(player.name), points=figure(match.scores[seat]))
        yield ("🏆 ", *score) if seat in match.winners else score
