"""Parts of league screens: pages and their buttons, members' names, and the tables of a round."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from bot.i18n import Words, join
from bot.league.model import League
from bot.league.night import Night, NightRound, NightTable, tier_of
from bot.league.standings import Tally
from bot.markup import (
    BracketPicture,
    Button,
    CurvePicture,
    Link,
    Moment,
    Name,
    Page,
    StandingsPicture,
    Strong,
    Text,
)
from bot.screens.parts import button, figure, length
from bot.tables.names import NOBODY

NAMES_MOST: Final = 40
"""The most members on one line."""

LONGEST: Final = 2600
"""The most UTF-16 code units of a message that its tables may take. A page shows the others."""


def page(
    lines: Iterable[Text],
    *rows: Sequence[Button],
    turns: bool = True,
    picture: StandingsPicture | BracketPicture | CurvePicture | None = None,
    alt: str = "",
) -> Page:
    """Return a page of lines and rows of buttons. A row without buttons is left out."""
    buttons = tuple(tuple(row) for row in rows if row)
    return Page(text=join(lines), picture=picture, alt=alt, buttons=buttons, turns=turns)


def to_hub(league: League, words: Words) -> Button:
    """Return the button to a league's first page."""
    return button(words, "league_hub", league.id)


def division_name(tier: int, words: Words) -> str:
    """Return what a division is called: the highest is the first."""
    return words.plain("league.division", tier=tier)


def member_name(league: League, member: str) -> Name:
    """Return a member's name. A member who was forgotten has none any more."""
    known = league.members.get(league.stands_for(member))
    return Name((known.name if known else "") or NOBODY)


def names(
    league: League,
    members: Sequence[str],
    words: Words,
    *,
    ticked: Collection[str] = (),
    most: int = NAMES_MOST,
) -> Text:
    """Members on one line, some with a tick before their names."""
    shown: list[Text] = [
        (*(("✓ ",) if member in ticked else ()), member_name(league, member)) for member in members[:most]
    ]
    return join([*shown, *more_lines(len(members) - most, words)], ", ")


def more_lines(n: int, words: Words) -> list[Text]:
    """Return the number of the others, if any."""
    return [words.say("league.more", n=n)] if n > 0 else []


def points(value: Fraction | float, words: Words) -> str:
    """Points as the language writes them: `7.5`."""
    return words.number(float(value))


def count_points(value: Fraction | float, words: Words) -> str:
    """Return points with the word for them: `1 point`, `7.5 points`."""
    return words.plain("league.points", n=1 if value == 1 else 2, points=points(value, words))


def tie_words(tally: Tally, words: Words) -> str:
    """Return the tie-break that decided a place, with its figure: `tables won 7`; empty where none was
    needed."""
    if tally.tie in ("", "shared"):
        return words.plain("league.tie.shared") if tally.tie else ""
    name = words.plain(f"league.value.ties.{tally.tie}")
    if tally.tie in ("head_to_head", "seed"):
        return name
    return words.plain("league.tie", name=name, figure=points(getattr(tally, tally.tie), words))


def pause_line(league: League, end: float, words: Words) -> Text:
    """Return until when a league pauses: the day on which that ends by its clocks."""
    return words.say("league.hub.paused", when=words.date(end, league.schedule.zone))


def moment(league: League, at: float, words: Words) -> Moment:
    """Return a moment (seconds since the epoch) by the league's clocks."""
    return words.moment(at, league.schedule.zone)


def round_lines(
    league: League, night: Night, round: NightRound, links: Mapping[int, str], words: Words
) -> list[Text]:
    """Return a round's tables, as many as fit, and the members without one."""
    lines = table_lines(league, night, round.tables, links, words)
    left = len(round.tables) - len(lines)
    if left:
        lines.append(words.say("league.board.more_tables", n=left))
    return [*lines, *bye_lines(league, round, words)]


def table_lines(
    league: League, night: Night, tables: Sequence[NightTable], links: Mapping[int, str], words: Words
) -> list[Text]:
    """Return a line for each of these tables, from the first on, as many as fit. Above the first of each
    division stands its name."""
    lines: list[Text] = []
    room, before = LONGEST, 0
    for table in tables:
        line = table_line(league, table, links.get(table.number), words)
        tier = tier_of(night.divisions, table.members[0]) if table.members else before
        if tier != before:
            line, before = (Strong(division_name(tier, words)), "\n", *line), tier
        room -= length(line) + 1
        if room < 0:
            break
        lines.append(line)
    return lines


def bye_lines(league: League, round: NightRound, words: Words) -> list[Text]:
    """Return the members without a table in a round, if any; not those who took a seat after all."""
    out = [member for member in round.byes if round.seat_of(member) is None]
    return [words.say("league.board.byes", names=names(league, out, words))] if out else []


def table_line(league: League, table: NightTable, url: str | None, words: Words) -> Text:
    """Return a table: its players and its state."""
    seats = join((_seat(league, table, seat, words) for seat in range(len(table.seats))), " · ")
    name = words.plain("league.board.table", number=table.number)
    linked: Text = (name,) if url is None else (Link(name, url),)
    return words.say(f"league.board.seats.{table.state}", table=linked, seats=seats)


def player(league: League, member: str, words: Words) -> Text:
    """Return the player on a seat: a member or a computer player."""
    return (member_name(league, member),) if member else words.say("league.board.computer")


def _seat(league: League, table: NightTable, seat: int, words: Words) -> Text:
    member = table.seats[seat]
    who = player(league, member, words)
    if member and seat in table.free:
        who = words.say("league.board.free", who=who)
    scores = table.scores if table.corrected is None else table.corrected
    if not scores or table.void:
        return who
    return words.say("league.board.scored", who=who, points=figure(scores[seat]))
