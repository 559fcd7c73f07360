"""Statistics: a person's figures, a community's leaders, and past matches.

A picture of figures says the same as the words.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.callback_data import callback_text
from bot.history.matches import Dated
from bot.history.statistics import Figures, Leader, PersonStandings
from bot.i18n import Words, join, plain
from bot.markup import Button, FiguresPicture, FiguresSection, Name, Page, Row, Strong, Text
from bot.screens.games import SCREENS
from bot.screens.parts import figure, in_rows

NO_TABLE: Final = "-"
"""Stands for a table in the press of a button that is about none."""

MATCHES_TOLD: Final = 10

_Line = tuple[Text, str]


@dataclass(frozen=True, slots=True)
class _Section:
    title: str
    lines: Sequence[_Line]


def own_figures(standings: PersonStandings, words: Words, *, turns: bool) -> Page:
    """A person's figures: rounds and wins by kind, their streak, the people they meet."""
    sections = [
        _Section(words.plain(f"stats.game.{game}"), _game_lines(game, figures, words))
        for game, figures in standings.games.items()
    ]
    lines = [
        _count("matches", standings.matches, words),
        _count("matches_won", standings.matches_won, words),
        _count("streak", standings.streak, words),
        *(
            (words.say("stats.opponent", who=Name(name)), words.plain("stats.times", n=times))
            for name, times in standings.opponents
        ),
    ]
    sections.append(_Section(words.plain("stats.in_all"), lines))
    buttons = (_button("history", words),)
    return _figures_page(words.plain("stats.own"), sections, words, buttons, turns=turns)


def leaderboards(boards: Iterable[tuple[str, Sequence[Leader]]], words: Words) -> Page:
    """The people with the most wins: a board for each period, by its name (`week`, `month`, `ever`)."""
    sections = [
        _Section(
            words.plain(f"stats.{period}"), [_leader(i + 1, each, words) for i, each in enumerate(board)]
        )
        for period, board in boards
        if board
    ]
    buttons = (_button("stats", words), _button("history", words))
    return _figures_page(words.plain("stats.here"), sections, words, buttons, turns=False)


def history_page(
    matches: Sequence[Dated], replayed_since: float, words: Words, *, offset: int, turns: bool
) -> Page:
    """The newest of these matches (newest first), dated by a clock that is `offset` minutes ahead of UTC. A
    match that ended before `replayed_since` has no replay."""
    told = list(enumerate(matches[:MATCHES_TOLD], start=1))
    lines = (_line(number, dated, offset, words) for number, dated in told)
    buttons = [
        Button(
            (words.plain("button.replay_match", number=number),),
            callback_text("replay", dated.match.table, 0, 1),
        )
        for number, dated in told
        if dated.at >= replayed_since
    ]
    missing = [words.say("history.no_replay")] if len(buttons) < len(told) else []
    return Page(
        text=join([words.say("history.title"), *lines, *missing]),
        buttons=in_rows(buttons, 5),
        turns=turns,
    )


def _leader(rank: int, leader: Leader, words: Words) -> _Line:
    won = words.plain("stats.won_of", wins=leader.wins, rounds=leader.rounds)
    return words.say("stats.leader", rank=rank, who=Name(leader.name)), won


def _game_lines(game: str, figures: Figures, words: Words) -> list[_Line]:
    screens = SCREENS[game]
    lines = [_count("rounds", figures.rounds, words), _count("wins", figures.wins, words)]
    ways = (*screens.ways, *sorted(figures.how.keys() - {*screens.ways, "plain"}))
    lines += [_count(f"how.{way}", figures.how[way], words) for way in ways]
    return lines + [_count(what, getattr(figures, what), words) for what in screens.figures]


def _count(what: str, number: int, words: Words) -> _Line:
    return words.say(f"stats.{what}"), str(number)


def _button(verb: str, words: Words) -> Button:
    return Button((words.plain(f"button.own_{verb}"),), callback_text(verb, NO_TABLE))


def _figures_page(
    title: str, sections: Sequence[_Section], words: Words, buttons: Row, *, turns: bool
) -> Page:
    body = join(_tell(section) for section in sections)
    picture = FiguresPicture(
        title=title,
        sections=tuple(
            FiguresSection(section.title, tuple((plain(name, words), told) for name, told in section.lines))
            for section in sections
        ),
    )
    heading: Text = ("📊 ", Strong(title))
    return Page(
        text=join([heading, body, words.say("stats.counts")]),
        picture=picture,
        alt=plain(body, words)[:1000],
        buttons=(buttons,),
        turns=turns,
    )


def _tell(section: _Section) -> Text:
    lines = ((*name, ": ", told) for name, told in section.lines)
    return join([(Strong(section.title),), *lines])


def _line(number: int, dated: Dated, offset: int, words: Words) -> Text:
    match = dated.match
    seats = join(_seats(dated, words), " · ")
    state = () if match.over else words.say("history.goes_on")
    return (
        *words.say(
            "history.line",
            number=number,
            date=words.date(dated.at + 60 * offset),
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
