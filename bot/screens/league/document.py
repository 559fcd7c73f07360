"""Documents: the public pages of a league's season and of each of its nights."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.i18n import Words
from bot.ids import TableId
from bot.league.model import League
from bot.league.prizes import Month
from bot.league.records import Honour
from bot.league.results import NightResult, TableResult, points_at
from bot.league.revoking import NightAct
from bot.league.schedule import Occurrence
from bot.league.standings import AnyTally, SeasonStanding, Standing, Tally
from bot.markup import SUBSCRIBED, Cell, Column, Document, Grid, Name, Section, Text
from bot.screens.league.bracket import bracket_lines, make_bracket
from bot.screens.league.divisions import DivisionTable, moving_lines, parts_of, season_parts
from bot.screens.league.log import short_log_lines
from bot.screens.league.parts import moment, names, pause_line, player, points, tie_words
from bot.screens.league.remembered import chronicle_ways, honour_lines, member_cell
from bot.screens.league.results import alt_text, knockout_lines, month_lines, penalty_lines
from bot.screens.league.settings import finals_lines, format_lines, schedule_line
from bot.screens.parts import figure


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonFacts:
    """A league's season for its public page."""

    league: League
    season: int
    table: Sequence[SeasonStanding]
    nights: Sequence[tuple[NightResult, Sequence[Standing]]]
    """Its nights in order, each with its own standings."""
    months: Mapping[Month, Sequence[SeasonStanding]]
    """The first three of each month."""
    dates: Sequence[Occurrence]
    """The dates of the next nights."""
    paused: float | None = None
    """When the league's pause ends, if it has one."""
    honours: Sequence[Honour] = ()
    """Its honours, if it is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightFacts:
    """A league's night for its public page."""

    league: League
    night: NightResult
    table: Sequence[Standing]
    replays: Collection[TableId]
    """The tables of which there is something to replay."""
    acts: Sequence[NightAct] = ()
    """What organisers did to it."""


def season_document(facts: SeasonFacts, words: Words) -> Document:
    """Return a season: its standings, its nights, the months' first three, the next dates, and the rules."""
    league = facts.league
    dates = [_when(league, each.at, words) for each in facts.dates]
    if facts.paused is not None:
        dates.insert(0, pause_line(league, facts.paused, words))
    champions = (
        words.say("sheet.champion", season=season, who=names(league, league.champions[season], words))
        for season in sorted(league.champions, reverse=True)
    )
    about = (schedule_line(league.schedule, words), *format_lines(league.format, words))
    sections = (
        Section(
            title=words.plain("sheet.honours"),
            lines=tuple(honour_lines(league, facts.season, facts.honours, words)),
        ),
        *_season(facts, words),
        Section(title=words.plain("sheet.dates"), lines=tuple(dates)),
        _nights(facts, words),
        Section(
            title=words.plain("sheet.months"), lines=tuple(month_lines(league, facts.months.items(), words))
        ),
        Section(title=words.plain("sheet.champions"), lines=tuple(champions)),
        Section(title=words.plain("sheet.about"), lines=about),
    )
    return Document(
        title=league.name,
        lines=(words.say("sheet.season", season=facts.season),),
        sections=tuple(each for each in sections if each.lines or each.grid),
        ways=_season_ways(facts, words),
    )


def night_document(facts: NightFacts, words: Words) -> Document:
    """Return a night: its standings, and every round with its tables, each with its replay."""
    league, night = facts.league, facts.night
    rounds = sorted({each.round for each in night.tables})
    sections = [
        *(
            Section(
                title=(title := _title(part, "sheet.standing", words)),
                grid=_night_grid(league, part.table, title, words),
            )
            for part in parts_of(facts.table, words)
        ),
        *(_round(facts, round, words) for round in rounds),
    ]
    if penalties := penalty_lines(league, night.penalties, words):
        sections.append(Section(title=words.plain("sheet.penalties"), lines=tuple(penalties)))
    if acts := short_log_lines(league, facts.acts, words):
        sections.append(Section(title=words.plain("sheet.acts"), lines=tuple(acts)))
    bracket = make_bracket(league, night, words)
    return Document(
        title=league.name,
        picture=bracket,
        alt=alt_text(bracket_lines(bracket), words) if bracket else "",
        lines=(words.say("sheet.night", number=night.number, when=_when(league, night.start, words)),),
        sections=tuple(sections),
        ways=(Cell(words.say("sheet.back", name=Name(league.name)), way=f"?season={night.season}"),),
    )


def _title(part: DivisionTable[AnyTally], whole: str, words: Words) -> str:
    """Return the title of a part of a table: of the whole one, or with the name of the division."""
    return f"{words.plain(whole)} · {part.title}" if part.title else words.plain(whole)


def _season(facts: SeasonFacts, words: Words) -> list[Section]:
    """Return a season's table, or that of each division."""
    if not facts.table:
        return [Section(title=words.plain("sheet.table"), lines=(words.say("league.table.empty"),))]
    format = facts.league.settings_of(facts.season)
    best = min(format.best_of, format.nights)
    counted = format.nights if format.counting == "sum" else best
    lines = [words.say(f"sheet.counts.{format.counting}", n=counted, nights=format.nights)]
    if any(not night.counted for each in facts.table for night in each.nights):
        lines.append(words.say("sheet.dropped"))
    lines += [*finals_lines(format, words), *knockout_lines(facts.table, words)]
    return [
        Section(
            title=(title := _title(part, "sheet.table", words)),
            lines=(*(() if number else lines), *moving_lines(part.table, words)),
            grid=_season_grid(facts, part, title, words),
        )
        for number, part in enumerate(season_parts(format, facts.table, words))
    ]


def _season_grid(facts: SeasonFacts, part: DivisionTable[SeasonStanding], title: str, words: Words) -> Grid:
    played = [night for night, table in facts.nights if table]
    columns = (
        *_columns(words, "rank", "name", "points", *_tie_column(facts.table)),
        *(Column(words.plain("sheet.column.night", number=night.number), figures=True) for night in played),
        *_columns(words, "wins"),
    )
    rows = (
        (
            *_standing(facts.league, each, words),
            *_tie_cells(each, facts.table, words),
            *_night_cells(each, played, words),
            _cell(each.wins),
        )
        for each in part.table
    )
    return Grid(caption=title, columns=columns, rows=tuple(rows), lines=tuple(part.lines))


def _night_cells(standing: SeasonStanding, nights: Sequence[NightResult], words: Words) -> list[Cell]:
    """Return a member's points of each night; an empty cell for a night they missed."""
    own = {each.night: each for each in standing.nights}
    return [
        Cell((points(each.points, words),), dropped=not each.counted) if each else Cell(("–",))
        for each in (own.get(night.id) for night in nights)
    ]


def _nights(facts: SeasonFacts, words: Words) -> Section:
    league = facts.league
    rows = tuple(
        (
            _cell(night.number),
            Cell(_when(league, night.start, words), way=f"night/{night.id}"),
            _cell(len(table)),
            Cell(names(league, [each.member for each in table if each.rank == 1], words)),
        )
        for night, table in facts.nights
        if table
    )
    title = words.plain("sheet.nights")
    columns = _columns(words, "number", "night_day", "players", "winner")
    return Section(title=title, grid=Grid(caption=title, columns=columns, rows=rows) if rows else None)


def _season_ways(facts: SeasonFacts, words: Words) -> tuple[Cell, ...]:
    seasons = (
        Cell(words.say("sheet.season", season=each), way="" if each == facts.season else f"?season={each}")
        for each in range(1, facts.league.season + 1)
    )
    files = ("calendar.ics", f"standings.csv?season={facts.season}", f"results.csv?season={facts.season}")
    named = (Cell(words.say(f"sheet.file.{file.partition('.')[0]}"), way=file) for file in files)
    reads_alone = facts.league.visibility != "members"  # a calendar has no session
    ways = (Cell(words.say("sheet.subscribe"), way=f"{SUBSCRIBED}calendar.ics") for _ in range(reads_alone))
    return (*(seasons if facts.league.season > 1 else ()), *chronicle_ways(words), *ways, *named)


def _night_grid(league: League, table: Sequence[Standing], title: str, words: Words) -> Grid:
    rows = (
        (
            *_standing(league, each, words),
            *_tie_cells(each, table, words),
            _cell(each.wins),
            _cell(each.byes),
        )
        for each in table
    )
    columns = _columns(words, "rank", "name", "points", *_tie_column(table), "wins", "byes")
    return Grid(caption=title, columns=columns, rows=tuple(rows))


def _round(facts: NightFacts, number: int, words: Words) -> Section:
    league, night = facts.league, facts.night
    byes = [member for round, member in night.byes if round == number]
    lines: tuple[Text, ...] = ()
    if byes:
        lines = (words.say("league.board.byes", names=names(league, byes, words, most=len(byes))),)
    title = words.plain("sheet.round", number=number)
    rows = (row for each in night.tables if each.round == number for row in _table(facts, each, words))
    columns = _columns(words, "table", "name", "score", "points", "replay")
    return Section(title=title, lines=lines, grid=Grid(caption=title, columns=columns, rows=tuple(rows)))


def _table(facts: NightFacts, table: TableResult, words: Words) -> Iterable[tuple[Cell, ...]]:
    """Yield a row for each seat. Beside them are the link to the replay and, if the table is not over, its
    state."""
    earned = points_at(table) if table.counts else None
    beside = [*_beside(table, table.table in facts.replays, words), *(Cell(()) for _ in table.seats)]
    for number, seat in enumerate(table.seats):
        yield (
            _cell(table.number),
            Cell(player(facts.league, seat.member, words)),
            Cell((figure(seat.score),)),
            Cell((points(earned[number], words) if earned and seat.member else "–",)),
            beside[number],
        )


def _beside(table: TableResult, kept: bool, words: Words) -> list[Cell]:
    way = f"replay/{table.table}"
    replay = Cell(words.say("sheet.replay"), way=way) if kept else Cell(("–",))
    if table.state == "counted":
        return [replay, Cell(words.say("sheet.state.corrected"))] if table.corrected else [replay]
    state = Cell(words.say(f"sheet.state.{table.state}"))
    return [state] if table.state == "running" else [replay, state]


def _standing(league: League, each: Standing | SeasonStanding, words: Words) -> tuple[Cell, ...]:
    return _cell(each.rank), member_cell(league, each.member), Cell((points(each.points, words),))


def _tie_column(table: Sequence[Tally]) -> tuple[str, ...]:
    """Return the column of the tie-breaks that decided, where one had to."""
    return ("tie",) if any(each.tie for each in table) else ()


def _tie_cells(each: Tally, table: Sequence[Tally], words: Words) -> tuple[Cell, ...]:
    return tuple(Cell((tie_words(each, words) or "–",)) for _ in _tie_column(table))


def _cell(number: int) -> Cell:
    return Cell((str(number),))


def _columns(words: Words, *names: str) -> tuple[Column, ...]:
    figures = {"rank", "points", "wins", "byes", "number", "players", "table", "score"}
    return tuple(Column(words.plain(f"sheet.column.{name}"), figures=name in figures) for name in names)


def _when(league: League, at: float, words: Words) -> Text:
    return (moment(league, at, words),)
