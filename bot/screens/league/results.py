"""Results: standings of a night and of a season in words and as pictures, and the pages that show them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Final

from bot.i18n import Words, join, plain
from bot.league.finals import count_rounds
from bot.league.model import League
from bot.league.night import Night, NightTable
from bot.league.prizes import Month
from bot.league.standings import AnyTally, SeasonStanding, Standing, Tally
from bot.markup import BracketPicture, Button, Name, Page, Row, StandingRow, StandingsPicture, Strong, Text
from bot.screens.league.divisions import DivisionTable, parts_of, season_parts
from bot.screens.league.parts import (
    bye_lines,
    count_points,
    member_name,
    moment,
    more_lines,
    names,
    page,
    points,
    table_line,
    table_lines,
    tie_words,
    to_hub,
)
from bot.screens.parts import button, length

ROWS_MOST: Final = 20
"""The most rows in a picture: as many as a phone shows at once."""
PODIUM: Final = 3
"""The people on a podium."""
TIED_MORE: Final = 0.5
"""The rows that a line more takes: the tie-break below a name."""

TOLD_MOST: Final = 50
"""The most lines in words: with more, a message would be too long."""
TOLD_LONGEST: Final = 3200
"""The most UTF-16 code units of these lines."""

ALT_MOST: Final = 1000
MONTHS_TOLD: Final = 12


# Standings


def season_lines(
    league: League, season: int, table: Sequence[SeasonStanding], words: Words, most: int = TOLD_MOST
) -> list[Text]:
    """Return a season's standings in words, with the points that count and those that are dropped, and a line
    below those who play the final."""

    def line(each: SeasonStanding) -> Text:
        dropped = _nights(each, words, counted=False)
        return words.say(
            "league.line.season",
            rank=each.rank,
            who=member_name(league, each.member),
            points=count_points(each.points, words),
            nights=words.plain("league.nights", n=sum(night.counted for night in each.nights)),
            counted=_nights(each, words, counted=True),
            dropped=words.say("league.dropped", points=dropped) if dropped else (),
            tie=(*_tell_carried(each, words), *_tell_tie(each, words)),
        )

    lines = _fit(season_parts(league.settings_of(season), table, words), line, words, most)
    return [*knockout_lines(table, words), *lines]


def knockout_lines(table: Sequence[SeasonStanding], words: Words) -> list[Text]:
    """Return what decides the order of a season's table, if that is a knockout."""
    decides = any(each.in_final and each.carried is None for each in table)
    return [words.say("league.table.knockout")] if decides else []


def night_lines(league: League, table: Sequence[Standing], words: Words, most: int = TOLD_MOST) -> list[Text]:
    """Return a night's standings in words."""

    def line(each: Standing) -> Text:
        return words.say(
            "league.line.night",
            rank=each.rank,
            who=member_name(league, each.member),
            points=count_points(each.points, words),
            wins=words.plain("league.wins", n=each.wins),
            tie=_tell_tie(each, words),
        )

    return _fit(parts_of(table, words), line, words, most)


def _fit(
    parts: Sequence[DivisionTable[AnyTally]], line: Callable[[AnyTally], Text], words: Words, most: int
) -> list[Text]:
    """Return as many whole lines as a message has room for, as many of each part, with the lines between
    them, and the number of the people left out."""
    lines: list[Text] = []
    room, left, share = TOLD_LONGEST, 0, -(-most // max(1, len(parts)))
    for part in parts:
        told = [line(each) for each in part.table[:share]]
        ends = accumulate(length(each) + 1 for each in told)
        told = [each for each, end in zip(told, ends, strict=True) if end <= room]
        room -= sum(length(each) + 1 for each in told)
        left += len(part.table) - len(told)
        for number, between in reversed(part.lines):
            if number < len(told):
                told.insert(number, (between,))
        lines += [(Strong(part.title),)] * bool(part.title and told) + told
    return [*lines, *more_lines(left, words)]


def month_lines(
    league: League, months: Iterable[tuple[Month, Sequence[SeasonStanding]]], words: Words
) -> list[Text]:
    """Return the first three of each month."""
    return [
        words.say(
            "league.prizes.month",
            month=words.month(*month),
            who=join((_leader(league, each, words) for each in leaders), " · "),
        )
        for month, leaders in months
    ]


def penalty_lines(league: League, penalties: Iterable[tuple[str, float]], words: Words) -> list[Text]:
    """Return the points that members lost as penalties on a night."""
    return [
        words.say(
            "league.results.penalty", who=member_name(league, member), points=count_points(taken, words)
        )
        for member, taken in penalties
    ]


def season_picture(
    league: League, season: int, table: Sequence[SeasonStanding], words: Words, *, podium: bool = False
) -> StandingsPicture:
    """Return a season's standings, the first twenty; with a podium when it is over."""
    format = league.settings_of(season)
    parts = season_parts(format, table, words)
    title = words.plain("league.picture.season", name=Name(league.name), season=season)
    best = min(format.best_of, format.nights)
    counted = best if format.counting == "average" else format.nights
    counting = words.plain(f"league.picture.{format.counting}", n=counted, best=best)
    subtitle = "".join(plain(line, words) for line in knockout_lines(table, words)) or counting

    def detail(each: SeasonStanding) -> str:
        counted = sum(night.counted for night in each.nights)
        dropped = len(each.nights) - counted
        return words.plain("league.nights", n=counted) + (f" (+{dropped})" if dropped else "")

    picture = _picture(league, title, subtitle, parts, detail, words)
    return replace(picture, podium=podium and (len(parts) < 2 or len(parts[0].table) >= PODIUM))


def night_picture(league: League, number: int, table: Sequence[Standing], words: Words) -> StandingsPicture:
    """Return a night's standings, the first twenty."""
    title = words.plain("league.picture.night", name=Name(league.name), number=number)
    subtitle = words.plain("league.picture.wins")
    return _picture(league, title, subtitle, parts_of(table, words), partial(_tell_wins, words), words)


def alt_text(lines: Sequence[Text], words: Words) -> str:
    """Return a picture's alternative text: as many whole lines as it may hold."""
    text = ""
    for line in lines:
        longer = f"{text}{plain(line, words)}\n"
        if len(longer) > ALT_MOST:
            break
        text = longer
    return text.rstrip()


def _tell_tie(tally: Tally, words: Words) -> Text:
    """Return the tie-break that decided a place among equals, as the end of their line."""
    return words.say("league.line.tie", tie=told) if (told := tie_words(tally, words)) else ()


def _tell_carried(standing: SeasonStanding, words: Words) -> Text:
    """Return the points that somebody took into the final, if they took some."""
    carried = standing.carried
    return words.say("league.line.carried", points=points(carried, words)) if carried else ()


def _nights(standing: SeasonStanding, words: Words, *, counted: bool) -> str:
    return " · ".join(points(night.points, words) for night in standing.nights if night.counted == counted)


def _leader(league: League, each: SeasonStanding, words: Words) -> Text:
    who = member_name(league, each.member)
    return words.say("league.prizes.leader", rank=each.rank, who=who, points=count_points(each.points, words))


def _tell_wins(words: Words, each: Standing) -> str:
    return words.plain("league.wins", n=each.wins)


def _picture(
    league: League,
    title: str,
    subtitle: str,
    parts: Sequence[DivisionTable[AnyTally]],
    detail: Callable[[AnyTally], str],
    words: Words,
) -> StandingsPicture:
    rows: list[StandingRow] = []
    lines: list[tuple[int, str]] = []
    room, left = 0.0, 0
    for part in parts:
        room += ROWS_MOST / len(parts)
        above = len(rows)
        for each in part.table:
            tie = tie_words(each, words)
            high = 1 + TIED_MORE if tie else 1
            if high > room:
                break
            room -= high
            name = plain((member_name(league, each.member),), words)
            figures = (str(each.rank), name, detail(each), points(each.points, words))
            rows.append(StandingRow(*figures, first=each.rank == 1, tie=tie))
        left += len(part.table) - (len(rows) - above)
        lines += [(above, part.title)] if part.title else []
        lines += [(above + number, line) for number, line in part.lines if above + number < len(rows)]
    more = words.plain("league.more", n=left) if left > 0 else ""
    return StandingsPicture(title=title, subtitle=subtitle, rows=tuple(rows), lines=tuple(lines), more=more)


# Pages


def table_page(
    league: League, season: int, table: Sequence[SeasonStanding], words: Words, *, turns: bool
) -> Page:
    """Return a season's standings, with every night that counts and every one that is dropped."""
    lines = season_lines(league, season, table, words)
    seasons = [
        button(words, "league_table", league.id, each, says="league_season", season=each)
        for each in (season - 1, season + 1)
        if 1 <= each <= league.season
    ]
    return page(
        [words.say("league.table.title", name=Name(league.name), season=season), *_or_empty(lines, words)],
        (*seasons, to_hub(league, words)),
        picture=season_picture(league, season, table, words) if table else None,
        alt=alt_text(lines, words),
        turns=turns,
    )


def results_page(
    league: League,
    night: Night,
    standings: Sequence[Standing],
    pot: Mapping[str, int],
    words: Words,
    *,
    bracket: BracketPicture | None = None,
    organises: bool = False,
    turns: bool,
) -> Page:
    """Return a night's standings with penalties and the pot (chips by member), and buttons to its rounds; for
    an organiser also one to their actions. A knockout has its bracket as the picture."""
    lines = night_lines(league, standings, words)
    run: Row = ()
    if organises:
        run = (button(words, "night_run", night.id, style="primary", says="league_run"),)
    return page(
        [
            *_heading(league, night, words),
            *_or_empty(lines, words),
            *penalty_lines(league, night.penalties, words),
            *_pot(league, pot, words),
        ],
        _to_rounds(night, words),
        run,
        _back(league, words),
        picture=bracket or (night_picture(league, night.number, standings, words) if lines else None),
        alt=alt_text(lines, words),
        turns=turns,
    )


def round_page(league: League, night: Night, round: int, first: int, words: Words) -> Page:
    """Return the tables of one of a night's rounds, from index `first` on, each with its replay."""
    played = night.rounds[round - 1]
    tables = played.tables[first:]
    told = table_lines(league, night, tables, {}, words)
    return page(
        [
            *_heading(league, night, words),
            words.say("league.board.round", round=round, n=count_rounds(night)),
            *told,
            *bye_lines(league, played, words),
        ],
        [_replay(night, round, table, words) for table in tables[: len(told)] if table.tiles],
        _turning(night, round, first, len(told), words),
        _to_rounds(night, words),
        _back(league, words),
    )


def prizes_page(
    league: League,
    months: Mapping[Month, Sequence[SeasonStanding]],
    honours: Sequence[Text],
    words: Words,
    *,
    turns: bool,
) -> Page:
    """Return the champions of all seasons, the latest first and with its other honours, and the first three
    of each month."""
    lines = [
        words.say("league.prizes.season", season=season, who=names(league, league.champions[season], words))
        for season in sorted(league.champions, reverse=True)
    ]
    lines[1:1] = honours
    lines += month_lines(league, list(months.items())[:MONTHS_TOLD], words)
    title = words.say("league.prizes.title", name=Name(league.name))
    return page([title, *_or_empty(lines, words)], (to_hub(league, words),), turns=turns)


def leaving_page(night: Night, words: Words) -> Page:
    """Return the question whether somebody really wants to play no more rounds."""
    gone = button(words, "night_gone", night.id, style="danger")
    return page([words.say("league.leaving")], (gone,), turns=False)


def dispute_page(
    league: League, night: Night, tables: Sequence[tuple[int, NightTable]], words: Words, *, asks: bool
) -> Page:
    """Return the tables whose results a player may dispute now, with their rounds. `asks`: whether a button
    can ask for the reason."""
    lines = [words.say("league.dispute.which")]
    buttons = []
    for round, table in tables:
        line = table_line(league, table, None, words)
        lines.append(words.say("league.dispute.table", round=round, table=line))
        press = (words, "night_complain" if asks else "night_dispute", night.id, round, table.number)
        buttons.append(
            button(*press, style="danger", says="night_disputed", round=round, number=table.number)
        )
    return page(lines, buttons, turns=False)


def _or_empty(lines: Sequence[Text], words: Words) -> Sequence[Text]:
    return lines or [words.say("league.table.empty")]


def _heading(league: League, night: Night, words: Words) -> list[Text]:
    return [
        words.say("league.results.title", name=Name(league.name), number=night.number, season=night.season),
        words.say("league.board.when", when=moment(league, night.start, words)),
    ]


def _pot(league: League, pot: Mapping[str, int], words: Words) -> list[Text]:
    """Return the chips that each member got out of the pot."""
    shares = [
        words.say("score", who=member_name(league, member), points=words.number(chips))
        for member, chips in sorted(pot.items(), key=lambda share: -share[1])
        if chips
    ]
    return [words.say("league.results.pot", shares=join(shares, " · "))] if shares else []


def _to_rounds(night: Night, words: Words) -> Row:
    return tuple(
        button(words, "night_results", night.id, each.number, says="night_round", round=each.number)
        for each in night.rounds
    )


def _turning(night: Night, round: int, first: int, told: int, words: Words) -> Row:
    """Return the buttons to the first and the next tables of a round that does not fit."""
    following = first + told
    ways = {"first": 0} if first else {}
    if following < len(night.rounds[round - 1].tables):
        ways["next"] = following
    return tuple(
        button(words, "night_results", night.id, round, at, says=f"night_{way}") for way, at in ways.items()
    )


def _replay(night: Night, round: int, table: NightTable, words: Words) -> Button:
    return button(words, "replay", night.id_of(round, table), 1, says="night_replay", number=table.number)


def _back(league: League, words: Words) -> Row:
    return (button(words, "league_nights", league.id), to_hub(league, words))
