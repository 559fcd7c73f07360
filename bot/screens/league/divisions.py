"""Divisions in words: the parts of a table, the lines between their people, and who plays where."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic

from bot.i18n import Words
from bot.league.divisions import PEOPLE_LEAST, by_division, has_divisions
from bot.league.events import Division
from bot.league.finals import count_above_line
from bot.league.model import Format, League
from bot.league.night import tier_of
from bot.league.standings import AnyTally, SeasonStanding
from bot.markup import Strong, Text
from bot.screens.league.parts import division_name, names


@dataclass(frozen=True, slots=True)
class DivisionTable(Generic[AnyTally]):
    """A division's part of a table, or the whole of one without divisions."""

    title: str
    """The division's name; empty: there are none."""
    table: Sequence[AnyTally]
    lines: Sequence[tuple[int, str]] = ()
    """Lines with words, each with the number of people above it."""


def parts_of(table: Sequence[AnyTally], words: Words) -> list[DivisionTable[AnyTally]]:
    """Return the parts of a table."""
    return [
        DivisionTable(division_name(those[0].division, words) if those[0].division else "", those)
        for those in by_division(table)
    ]


def season_parts(
    format: Format, table: Sequence[SeasonStanding], words: Words
) -> list[DivisionTable[SeasonStanding]]:
    """Return the parts of a season's table, with a line below those who play the final, go up or stay."""
    return [
        DivisionTable(part.title, part.table, tuple(_list_lines(format, part.table, words)))
        for part in parts_of(table, words)
    ]


def _list_lines(format: Format, table: Sequence[SeasonStanding], words: Words) -> Iterator[tuple[int, str]]:
    tier, up, down = table[0].division, count_moving(table, "up"), count_moving(table, "down")
    found = [
        (count_above_line(format, table), words.plain("league.line.cut")),
        (up, words.plain("league.line.up", division=division_name(tier - 1, words))),
        (len(table) - down, words.plain("league.line.down", division=division_name(tier + 1, words))),
    ]
    yield from sorted(each for each in found if 0 < each[0] < len(table))


def count_moving(table: Sequence[SeasonStanding], way: str) -> int:
    """Return how many people at the top of a division's table go up, or at its end go down; 0 where a late
    correction or somebody who was forgotten stands among them."""
    goes = [each.move == way for each in (table if way == "up" else table[::-1])]
    return sum(goes) if all(goes[: sum(goes)]) else 0


def moving_lines(table: Sequence[SeasonStanding], words: Words) -> list[Text]:
    """Return how many people of a division go up and down when the season is over."""
    ways = ((way, count_moving(table, way)) for way in ("up", "down"))
    return [words.say(f"league.moving.{way}", n=n) for way, n in ways if n]


def divisions_line(format: Format, words: Words) -> list[Text]:
    """Return the divisions that a season has by its settings, if it has any."""
    if not has_divisions(format):
        return []
    return [
        words.say("league.divisions", divisions=words.plain(f"league.value.divisions.{format.divisions}"))
    ]


def placing_lines(league: League, format: Format, divisions: Sequence[Division], words: Words) -> list[Text]:
    """Return who will play in which division of a season."""
    if not has_divisions(format) or league.season == 1:
        return []
    if not divisions:
        return [words.say("league.placing.together", least=PEOPLE_LEAST)]
    return [
        *(
            (Strong(division_name(tier, words)), ": ", *names(league, each.members, words))
            for tier, each in enumerate(divisions, start=1)
        ),
        words.say("league.placing.others"),
    ]


def group_members(
    divisions: Sequence[Division], members: Sequence[str], words: Words
) -> list[tuple[Text, tuple[str, ...]]]:
    """Return members by division, each with the beginning of a line about it; together, if there are none."""
    if not divisions:
        return [((), tuple(members))] if members else []
    groups = (
        (tier, tuple(each for each in members if tier_of(divisions, each) == tier))
        for tier in range(1, len(divisions) + 1)
    )
    return [((Strong(division_name(tier, words)), " · "), those) for tier, those in groups if those]
