"""A round's tables in words: who sits where, and how it stands."""

from collections.abc import Mapping
from typing import Final

from bot.league.model import League
from bot.league.night import NightRound, NightTable
from bot.screens.league_standings import member_name, names
from bot.screens.model import Link, Text
from bot.screens.parts import figure
from bot.words import Words, joined

TABLES_MOST: Final = 40
"""With more a message would be too long; a page tells them all."""


def round_lines(
    league: League, round: NightRound, links: Mapping[int, str], words: Words, *, first: int = 0
) -> list[Text]:
    """A round's tables from one of them on, and who has none."""
    shown = round.tables[first : first + TABLES_MOST]
    lines = [table_line(league, table, links.get(table.number), words) for table in shown]
    left = len(round.tables) - first - len(shown)
    if left:
        lines.append(words.say("league.board.more_tables", n=left))
    if round.byes:
        lines.append(words.say("league.board.byes", names=names(league, round.byes, words)))
    return lines


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
