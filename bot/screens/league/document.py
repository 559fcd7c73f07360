"""A league's public pages: its season, and one of its nights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.i18n import Words, joined
from bot.league.model import League
from bot.league.prizes import Month
from bot.league.results import NightResult, SeatResult, TableResult, points_at
from bot.league.schedule import Occurrence
from bot.league.standings import SeasonStanding, Standing
from bot.markup import Cell, Column, Document, Grid, Name, Section, Text
from bot.screens.league.parts import member_name, names, points
from bot.screens.league.settings import format_lines, schedule_line
from bot.screens.parts import figure


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonFacts:
    """A league's season as its page tells it."""

    league: League
    season: int
    table: Sequence[SeasonStanding]
    nights: Sequence[tuple[NightResult, Sequence[Standing]]]
    """Its nights in their order, each with its own table."""
    months: Mapping[Month, Sequence[SeasonStanding]]
    """The first three of each month."""
    dates: Sequence[Occurrence]
    """When the next nights are."""


def season_document(facts: SeasonFacts, words: Words) -> Document:
    """A season: its table, its nights, the months' first three, when it goes on, and what is played."""
    league = facts.league
    sections = (
        _season(facts, words),
        _dates(facts, words),
        _nights(facts, words),
        _months(facts, words),
        _champions(league, words),
        Section(
            title=words.plain("sheet.about"),
            lines=(schedule_line(league.schedule, words), *format_lines(league.format, words)),
        ),
    )
    return Document(
        title=league.name,
        lines=(words.say("sheet.season", season=facts.season),),
        sections=tuple(each for each in sections if each.lines or each.grid),
        ways=_season_ways(facts, words),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NightFacts:
    """A league's night as its page tells it."""

    league: League
    night: NightResult
    table: Sequence[Standing]
    replays: bool
    """Whether its matches are still kept."""


def night_document(facts: NightFacts, words: Words) -> Document:
    """A night: its table, and every round with its tables, each with its replay."""
    league, night = facts.league, facts.night
    rounds = sorted({each.round for each in night.tables})
    return Document(
        title=league.name,
        lines=(words.say("sheet.night", number=night.number, when=_when(league, night.start, words)),),
        sections=(
            Section(title=words.plain("sheet.standing"), grid=_night_grid(league, facts.table, words)),
            *(_round(facts, round, words) for round in rounds),
            *_penalties(league, night, words),
        ),
        ways=(_back(league, night.season, words),),
    )


def _season(facts: SeasonFacts, words: Words) -> Section:
    title = words.plain("sheet.table")
    if not facts.table:
        return Section(title=title, lines=(words.say("league.table.empty"),))
    format = facts.league.format
    counted = words.say(
        f"sheet.counts.{format.counting}", best=min(format.best_of, format.nights), nights=format.nights
    )
    lines = (counted, words.say("sheet.dropped")) if _drops(facts.table) else (counted,)
    return Section(title=title, lines=lines, grid=_season_grid(facts, words))


def _drops(table: Sequence[SeasonStanding]) -> bool:
    return any(not night.counted for each in table for night in each.nights)


def _season_grid(facts: SeasonFacts, words: Words) -> Grid:
    played = [night for night, table in facts.nights if table]
    columns = (
        *_columns(words, "rank", "name", "points"),
        *(Column(words.plain("sheet.column.night", number=night.number), figures=True) for night in played),
        *_columns(words, "wins"),
    )
    rows = (
        (
            Cell((str(each.rank),)),
            Cell((member_name(facts.league, each.member),)),
            Cell((points(float(each.points), words),)),
            *_night_cells(each, played, words),
            Cell((str(each.wins),)),
        )
        for each in facts.table
    )
    return Grid(caption=words.plain("sheet.table"), columns=columns, rows=tuple(rows))


def _night_cells(standing: SeasonStanding, nights: Sequence[NightResult], words: Words) -> list[Cell]:
    """What each night brought him; an empty cell where he was not there."""
    own = {each.night: each for each in standing.nights}
    return [
        Cell((points(float(each.points), words),), dropped=not each.counted) if each else Cell(("–",))
        for each in (own.get(night.id) for night in nights)
    ]


def _dates(facts: SeasonFacts, words: Words) -> Section:
    lines = tuple(_when(facts.league, each.at, words) for each in facts.dates)
    return Section(title=words.plain("sheet.dates"), lines=lines)


def _nights(facts: SeasonFacts, words: Words) -> Section:
    league = facts.league
    rows = tuple(
        (
            Cell((str(night.number),)),
            Cell(_when(league, night.start, words), way=f"night/{night.id}"),
            Cell((str(len(table)),)),
            Cell(names(league, [each.member for each in table if each.rank == 1], words)),
        )
        for night, table in facts.nights
        if table
    )
    grid = Grid(
        caption=words.plain("sheet.nights"),
        columns=_columns(words, "number", "night_day", "players", "winner"),
        rows=rows,
    )
    return Section(title=words.plain("sheet.nights"), grid=grid if rows else None)


def _months(facts: SeasonFacts, words: Words) -> Section:
    lines = (
        words.say(
            "league.prizes.month",
            month=words.month(*month),
            who=joined([_leader(facts.league, each, words) for each in leaders], " · "),
        )
        for month, leaders in facts.months.items()
    )
    return Section(title=words.plain("sheet.months"), lines=tuple(lines))


def _leader(league: League, each: SeasonStanding, words: Words) -> Text:
    who = member_name(league, each.member)
    return words.say(
        "league.prizes.leader", rank=each.rank, who=who, points=points(float(each.points), words)
    )


def _champions(league: League, words: Words) -> Section:
    lines = (
        words.say("sheet.champion", season=season, who=names(league, league.champions[season], words))
        for season in sorted(league.champions, reverse=True)
    )
    return Section(title=words.plain("sheet.champions"), lines=tuple(lines))


def _season_ways(facts: SeasonFacts, words: Words) -> tuple[Cell, ...]:
    seasons = (
        Cell(words.say("sheet.season", season=each), way="" if each == facts.season else f"?season={each}")
        for each in range(1, facts.league.season + 1)
    )
    files = ("calendar.ics", f"standings.csv?season={facts.season}", f"results.csv?season={facts.season}")
    named = (Cell(words.say(f"sheet.file.{file.partition('.')[0]}"), way=file) for file in files)
    return (*(seasons if facts.league.season > 1 else ()), *named)


def _night_grid(league: League, table: Sequence[Standing], words: Words) -> Grid:
    rows = tuple(
        (
            Cell((str(each.rank),)),
            Cell((member_name(league, each.member),)),
            Cell((points(float(each.points), words),)),
            Cell((str(each.wins),)),
            Cell((str(each.byes),)),
        )
        for each in table
    )
    columns = _columns(words, "rank", "name", "points", "wins", "byes")
    return Grid(caption=words.plain("sheet.standing"), columns=columns, rows=rows)


def _round(facts: NightFacts, number: int, words: Words) -> Section:
    league, night = facts.league, facts.night
    tables = [each for each in night.tables if each.round == number]
    byes = [member for round, member in night.byes if round == number]
    lines = (
        (words.say("league.board.byes", names=names(league, byes, words, most=len(byes))),) if byes else ()
    )
    title = words.plain("sheet.round", number=number)
    grid = Grid(
        caption=title,
        columns=_columns(words, "table", "name", "score", "points", "replay"),
        rows=tuple(row for each in tables for row in _table(facts, each, words)),
    )
    return Section(title=title, lines=lines, grid=grid)


def _table(facts: NightFacts, table: TableResult, words: Words) -> list[tuple[Cell, ...]]:
    """A row for each seat; beside them the way to the replay, and how the table stands if it is not over."""
    earned = points_at(table) if table.state in ("counted", "disputed") else None
    beside = [*_beside(table, facts.replays, words), *(Cell(()) for _ in table.seats)]
    return [
        (
            Cell((str(table.number),)),
            Cell(_player(facts.league, seat, words)),
            Cell((figure(seat.score),)),
            Cell((points(float(earned[number]), words) if earned and seat.member else "–",)),
            beside[number],
        )
        for number, seat in enumerate(table.seats)
    ]


def _beside(table: TableResult, replays: bool, words: Words) -> list[Cell]:
    way = f"replay/{table.table}"
    replay = Cell(words.say("sheet.replay"), way=way) if replays else Cell(("–",))
    if table.state == "counted":
        return [replay, Cell(words.say("sheet.state.corrected"))] if table.corrected else [replay]
    state = Cell(words.say(f"sheet.state.{table.state}"))
    return [state] if table.state == "running" else [replay, state]


def _player(league: League, seat: SeatResult, words: Words) -> Text:
    return (member_name(league, seat.member),) if seat.member else words.say("league.board.computer")


def _penalties(league: League, night: NightResult, words: Words) -> tuple[Section, ...]:
    lines = tuple(
        words.say("league.results.penalty", who=member_name(league, member), points=points(penalty, words))
        for member, penalty in night.penalties
    )
    return (Section(title=words.plain("sheet.penalties"), lines=lines),) if lines else ()


def _columns(words: Words, *names: str) -> tuple[Column, ...]:
    figures = {"rank", "points", "wins", "byes", "number", "players", "table", "score"}
    return tuple(Column(words.plain(f"sheet.column.{name}"), figures=name in figures) for name in names)


def _when(league: League, at: float, words: Words) -> Text:
    return (words.moment(at, league.schedule.zone),)


def _back(league: League, season: int, words: Words) -> Cell:
    return Cell(words.say("sheet.back", name=Name(league.name)), way=f"?season={season}")
