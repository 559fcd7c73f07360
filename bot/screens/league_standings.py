"""A league's standings in a picture and in words: of a night, and of a season."""

from collections.abc import Collection, Sequence
from typing import Final

from bot.league.model import League
from bot.league.standings import SeasonStanding, Standing
from bot.screens.model import Name, StandingRow, StandingsPicture, Text
from bot.tables.names import NOBODY
from bot.words import Words, joined, plain

ROWS_MOST: Final = 20
"""In a picture: a phone shows so many at once."""

TOLD_MOST: Final = 60
"""In words: with more a message would be too long."""

ALT_MOST: Final = 1000


def member_name(league: League, member: str) -> Name:
    """A member as he is shown; who was forgotten has no name any more."""
    known = league.members.get(member)
    return Name((known.name if known else "") or NOBODY)


def points(value: float, words: Words) -> str:
    """Points as the language writes them: `7.5`."""
    return words.number(value)


def season_picture(
    league: League, season: int, table: Sequence[SeasonStanding], words: Words
) -> StandingsPicture:
    """A season's table, its first twenty."""
    format = league.format
    key = f"league.picture.{format.counting}"
    return StandingsPicture(
        title=words.plain("league.picture.season", name=Name(league.name), season=season),
        subtitle=words.plain(key, n=format.nights, best=min(format.best_of, format.nights)),
        rows=tuple(_row(league, each, _nights(each, words), words) for each in table[:ROWS_MOST]),
        more=_more(len(table) - ROWS_MOST, words),
    )


def night_picture(league: League, number: int, table: Sequence[Standing], words: Words) -> StandingsPicture:
    """A night's table, its first twenty."""
    return StandingsPicture(
        title=words.plain("league.picture.night", name=Name(league.name), number=number),
        subtitle=words.plain("league.picture.wins"),
        rows=tuple(
            _row(league, each, words.plain("league.wins", n=each.wins), words) for each in table[:ROWS_MOST]
        ),
        more=_more(len(table) - ROWS_MOST, words),
    )


def season_lines(
    league: League, table: Sequence[SeasonStanding], words: Words, most: int = TOLD_MOST
) -> list[Text]:
    """A season's table in words: what counts and what is dropped, both."""
    lines = [
        words.say(
            "league.line.season",
            rank=each.rank,
            who=member_name(league, each.member),
            points=points(float(each.points), words),
            nights=words.plain("league.nights", n=sum(night.counted for night in each.nights)),
            counted=_told(each, words, counted=True),
            dropped=words.say("league.dropped", points=dropped)
            if (dropped := _told(each, words, counted=False))
            else (),
        )
        for each in table[:most]
    ]
    return [*lines, *_told_more(len(table) - most, words)]


def night_lines(league: League, table: Sequence[Standing], words: Words, most: int = TOLD_MOST) -> list[Text]:
    """A night's table in words."""
    lines = [
        words.say(
            "league.line.night",
            rank=each.rank,
            who=member_name(league, each.member),
            points=points(float(each.points), words),
            wins=words.plain("league.wins", n=each.wins),
        )
        for each in table[:most]
    ]
    return [*lines, *_told_more(len(table) - most, words)]


def told(lines: Sequence[Text], words: Words) -> str:
    """A picture's alternative text: as many whole lines as it may hold."""
    text = ""
    for line in lines:
        longer = f"{text}{plain(line, words)}\n"
        if len(longer) > ALT_MOST:
            break
        text = longer
    return text.rstrip()


def _row(league: League, each: Standing | SeasonStanding, detail: str, words: Words) -> StandingRow:
    name = plain((member_name(league, each.member),), words)
    return StandingRow(str(each.rank), name, detail, points(float(each.points), words), each.rank == 1)


def _nights(standing: SeasonStanding, words: Words) -> str:
    counted = sum(night.counted for night in standing.nights)
    dropped = len(standing.nights) - counted
    told = words.plain("league.nights", n=counted)
    return f"{told} (+{dropped})" if dropped else told


def _told(standing: SeasonStanding, words: Words, *, counted: bool) -> str:
    return " · ".join(
        points(float(night.points), words) for night in standing.nights if night.counted == counted
    )


def _more(n: int, words: Words) -> str:
    return words.plain("league.more", n=n) if n > 0 else ""


def _told_more(n: int, words: Words) -> list[Text]:
    return [words.say("league.more", n=n)] if n > 0 else []


def names(
    league: League, members: Sequence[str], words: Words, *, ticked: Collection[str] = (), most: int = 40
) -> Text:
    """Members on one line, with a tick before some of them."""
    shown: list[Text] = [
        (*(("✓ ",) if member in ticked else ()), member_name(league, member)) for member in members[:most]
    ]
    return joined([*shown, *_told_more(len(members) - most, words)], ", ")
