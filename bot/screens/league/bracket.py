"""Bracket: a knockout as a picture, and in words."""

from collections.abc import Sequence

from bot.i18n import Words, join, plain
from bot.league.knockout import KnockoutMatch, list_matches, list_places
from bot.league.model import League
from bot.league.results import NightResult
from bot.markup import BracketHeat, BracketPicture, BracketRow, Name, Text
from bot.screens.league.parts import names, points
from bot.screens.parts import figure


def make_bracket(league: League, night: NightResult, words: Words) -> BracketPicture | None:
    """Return a night's knockout as a picture, its last step on top; None where it has none."""
    if night.final is None or not night.final.heats:
        return None
    heats = []
    for number, heat in enumerate(night.final.heats):
        matches = list_matches(night, number)
        rows = tuple(_list_rows(league, night, number, each, words) for each in matches)
        heats.append(BracketHeat(title=name_heat(len(matches), len(heat.members), words), matches=rows))
    title = words.plain("league.picture.night", name=Name(league.name), number=night.number)
    return BracketPicture(title=title, heats=tuple(heats[::-1]))


def bracket_lines(picture: BracketPicture) -> list[Text]:
    """Return a knockout in words: who came how far, the last step first."""
    lines: list[Text] = []
    for heat in picture.heats:
        lines.append((heat.title,))
        for match in heat.matches:
            told = ((f"{'▲ ' if row.through else ''}", Name(row.name), f" {row.figure}") for row in match)
            lines.append(join(told, " · "))
    return lines


def name_heat(matches: int, people: int, words: Words) -> str:
    """Return the name of a step of a knockout by its size: the final, the semi-finals …"""
    if matches == 1:
        return words.plain("league.heat.final")
    if matches in (2, 4):
        return words.plain(f"league.heat.{matches}")
    return words.plain("league.heat.others", n=people)


def _list_rows(
    league: League, night: NightResult, number: int, match: KnockoutMatch, words: Words
) -> tuple[BracketRow, ...]:
    """Return the players of a match. Whose pair plays on, or has won the final, is through."""
    assert night.final is not None
    heats = night.final.heats
    if number + 1 < len(heats):
        through: Sequence[str] = heats[number + 1].members
    else:
        through = list_places(night)[0] if night.over else ()
    several = night.final.stage.tables_per_match > 1
    rows = []
    for side in match.ranked:
        best = max(side, key=lambda member: (match.points[member], match.scores[member]))
        told = points(match.points[best], words) if several else figure(match.scores[best])
        who = plain(names(league, side, words), words)
        rows.append(BracketRow(who, told, through=any(member in through for member in side)))
    return tuple(rows)
