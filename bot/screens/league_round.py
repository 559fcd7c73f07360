"""A round's tables in words: who sits where, and how it stands."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.league.model import League
from bot.league.night import NightRound, NightTable
from bot.screens.league_standings import member_name, names
from bot.screens.model import Link, Text
from bot.screens.parts import figure, length
from bot.words import Words, joined

LONGEST: Final = 2600
"""In UTF-16 code units: so much of a message may be tables; a page tells the others."""


def round_lines(league: League, round: NightRound, links: Mapping[int, str], words: Words) -> list[Text]:
    """A round's tables, as many as fit, and who has none."""
    lines = table_lines(league, round.tables, links, words)
    left = len(round.tables) - len(lines)
    if left:
        lines.append(words.say("league.board.more_tables", n=left))
    return [*lines, *bye_lines(league, round, words)]


def table_lines(
    league: League, tables: Sequence[NightTable], links: Mapping[int, str], words: Words
) -> list[Text]:
    """A line for each of these tables, from the first on, as many as fit."""
    lines: list[Text] = []
    room = LONGEST
    for table in tables:
        line = table_line(league, table, links.get(table.number), words)
        room -= length(line) + 1
        if room < 0:
            break
        lines.append(line)
    return lines


def bye_lines(league: League, round: NightRound, words: Words) -> list[Text]:
    """Who has no table in a round, if anybody."""
    if not round.byes:
        return []
    return [words.say("league.board.byes", names=names(league, round.byes, words))]


def table_line(league: League, table: NightTable, url: str | None, words: Words) -> Text:
    """A table: who sits there, and how it stands."""
    seats = joined((_seat(league, table, seat, words) for seat in range(len(table.seats))), " · ")
    name = words.plain("league.board.table", number=table.number)
    linked: Text = (name,) if url is None else (Link(name, url),)
    return words.say(f"league.board.seats.{_state(table)}", table=linked, seats=seats)


def _state(table: NightTable) -> str:
    if table.void:
        return "void"
    if table.disputed:
        return "disputed"
    return "over" if table.over else "running"


def _seat(league: League, table: NightTable, seat: int, words: Words) -> Text:
    member = table.seats[seat]
    who: Text = (member_name(league, member),) if member else words.say("league.board.computer")
    if member and seat in table.free:
        who = words.say("league.board.free", who=who)
    scores = table.scores if table.corrected is None else table.corrected
    if not scores or table.void:
        return who
    return words.say("league.board.scored", who=who, points=figure(scores[seat]))
