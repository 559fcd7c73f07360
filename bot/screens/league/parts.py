"""Parts that several league screens share: standings, buttons, rounds."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from bot.callback_data import callback_text
from bot.i18n import Words, joined, plain
from bot.league.model import League
from bot.league.night import Night, NightRound, NightTable
from bot.league.standings import SeasonStanding, Standing
from bot.markup import Button, Link, Name, Row, StandingRow, StandingsPicture, Style, Text
from bot.screens.parts import figure, length
from bot.tables.names import NOBODY

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


def league_button(
    verb: str, league: str, words: Words, *arguments: int | str, style: Style = "plain"
) -> Button:
    """A button about a league, labelled `button.league_<verb>`."""
    label = words.plain(f"button.league_{verb}")
    return Button((label,), callback_text(f"league_{verb}", league, 0, *arguments), style)


def night_button(verb: str, night: Night, words: Words, style: Style = "plain") -> Button:
    """A button about a night, labelled `button.night_<verb>`."""
    return Button((words.plain(f"button.night_{verb}"),), callback_text(f"night_{verb}", night.id), style)


def in_rows(buttons: Sequence[Button], width: int) -> tuple[Row, ...]:
    """Buttons side by side, so many in a row."""
    return tuple(tuple(buttons[at : at + width]) for at in range(0, len(buttons), width))


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
