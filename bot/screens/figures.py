"""Standings to read: a person's own figures, and who leads a community. The picture says what the words
say."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.presses import press_text
from bot.screens.model import Button, FiguresPicture, FiguresSection, Leaflet, Name, Row, Strong, Text
from bot.standings import Figures, Leader, PersonStandings
from bot.words import Words, joined, plain

WAYS: Final = ("plain", "joker", "pairs", "color")
"""The kinds of a win that are told even when there was none; `elden` only when there was one."""

NO_TABLE: Final = "-"
"""In a button that is about no table."""

Line = tuple[Text, str]


@dataclass(frozen=True, slots=True)
class _Section:
    title: str
    lines: Sequence[Line]


def own_figures(standings: PersonStandings, words: Words, *, turns: bool) -> Leaflet:
    """What a person has played: rounds and wins by kind, his streak, whom he meets."""
    sections = [
        _Section(words.plain(f"stats.game.{game}"), _game_lines(game, figures, words))
        for game, figures in standings.games.items()
    ]
    lines = [
        _counted("matches", standings.matches, words),
        _counted("matches_won", standings.matches_won, words),
        _counted("streak", standings.streak, words),
        *(
            (words.say("stats.opponent", who=Name(name)), words.plain("stats.times", n=times))
            for name, times in standings.opponents
        ),
    ]
    sections.append(_Section(words.plain("stats.in_all"), lines))
    buttons = (_button("history", words),)
    return _leaflet(words.plain("stats.own"), sections, words, buttons, turns=turns)


def leaderboards(boards: Iterable[tuple[str, Sequence[Leader]]], words: Words) -> Leaflet:
    """Who won the most rounds: a board for each period, by its name (`week`, `month`, `ever`)."""
    sections = [
        _Section(
            words.plain(f"stats.{period}"), [_leader(i + 1, each, words) for i, each in enumerate(board)]
        )
        for period, board in boards
        if board
    ]
    buttons = (_button("stats", words), _button("history", words))
    return _leaflet(words.plain("stats.here"), sections, words, buttons, turns=False)


def _leader(rank: int, leader: Leader, words: Words) -> Line:
    won = words.plain("stats.won_of", wins=leader.wins, rounds=leader.rounds)
    return words.say("stats.leader", rank=rank, who=Name(leader.name)), won


def _game_lines(game: str, figures: Figures, words: Words) -> list[Line]:
    lines = [_counted("rounds", figures.rounds, words), _counted("wins", figures.wins, words)]
    told = WAYS if game == "classic" else ()
    ways = (*told, *sorted(figures.how.keys() - {*told, "plain"}))
    lines += [_counted(f"how.{way}", figures.how[way], words) for way in ways]
    if game == "101":
        lines += [_counted("opened", figures.opened, words), _counted("fines", figures.fines, words)]
    return lines


def _counted(what: str, number: int, words: Words) -> Line:
    return words.say(f"stats.{what}"), str(number)


def _button(verb: str, words: Words) -> Button:
    return Button((words.plain(f"button.own_{verb}"),), press_text(verb, NO_TABLE))


def _leaflet(title: str, sections: Sequence[_Section], words: Words, buttons: Row, *, turns: bool) -> Leaflet:
    body = joined(_told(section) for section in sections)
    picture = FiguresPicture(
        title=title,
        sections=tuple(
            FiguresSection(section.title, tuple((plain(name, words), told) for name, told in section.lines))
            for section in sections
        ),
    )
    heading: Text = ("📊 ", Strong(title))
    return Leaflet(
        text=joined([heading, body, words.say("stats.counts")]),
        picture=picture,
        alt=plain(body, words)[:1000],
        buttons=(buttons,),
        turns=turns,
    )


def _told(section: _Section) -> Text:
    lines = ((*name, ": ", told) for name, told in section.lines)
    return joined([(Strong(section.title),), *lines])
