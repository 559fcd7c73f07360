"""Remembered: a member's page, the hall of fame and the list of ratings; and the same in a few words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.i18n import Words, join
from bot.league.bounds import Bounds
from bot.league.model import League
from bot.league.ratings import POOLS, Rating, RatingPool
from bot.league.records import Honour, MemberRecord
from bot.league.standings import SeasonStanding
from bot.markup import Cell, Column, CurvePicture, Document, Grid, Name, Section, Text
from bot.screens.league.pages import CURVE_LEAST, RatingFacts, rating_alt, rating_curve, rating_line
from bot.screens.league.parts import count_points, division_name, member_name, moment, names, points
from bot.tables.names import NOBODY

OPPONENTS_TOLD: Final = 6
"""The most opponents in a message."""

HALL: Final = "hall"
RATINGS: Final = "ratings"

Honours = Mapping[int, Sequence[Honour]]
"""The honours of each finished season."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberFacts:
    """A member for their public page."""

    league: League
    member: str
    record: MemberRecord
    seasons: Sequence[tuple[int, SeasonStanding]]
    """Their line in each season's table, the latest first."""
    bounds: Bounds | None
    ratings: Sequence[RatingFacts]
    honours: Honours


@dataclass(frozen=True, slots=True, kw_only=True)
class HallFacts:
    """A league's past for its hall of fame."""

    league: League
    records: Mapping[str, MemberRecord]
    honours: Honours


def bounds_lines(bounds: Bounds | None, words: Words, *, final: bool) -> list[Text]:
    """Return where somebody can still finish, or arrive at the `final` if there is one; nothing where that is
    open."""
    lines = _bounds_lines(bounds, words)
    return [words.say("league.bounds.before_final", line=each) for each in lines] if final else lines


def _bounds_lines(bounds: Bounds | None, words: Words) -> list[Text]:
    if bounds is None or (bounds.best == 1 and bounds.worst is None):
        return []
    if bounds.worst is None:
        return [words.say("league.bounds.best", best=bounds.best)]
    if bounds.best == bounds.worst:
        return [words.say("league.bounds.sure", rank=bounds.best)]
    return [words.say("league.bounds.between", best=bounds.best, worst=bounds.worst)]


def record_lines(league: League, record: MemberRecord, words: Words) -> list[Text]:
    """Return what somebody has done so far."""
    lines = []
    if (best := record.best_night) is not None:
        told = count_points(best.points, words)
        lines.append(
            words.say("league.record.best_night", number=best.number, season=best.season, points=told)
        )
    if record.tables:
        lines.append(words.say("league.record.tables", won=record.wins, n=record.tables, deals=record.deals))
    if record.streak > 1:
        lines.append(words.say("league.record.streak", n=record.streak))
    if record.okeys:
        lines.append(words.say("league.record.okeys", n=record.okeys))
    return lines


def opponents_line(league: League, record: MemberRecord, words: Words) -> list[Text]:
    """Return the results against those who were met most often."""
    told = [
        words.say(
            "league.record.opponent",
            who=member_name(league, each.opponent),
            ahead=each.ahead,
            even=each.even,
            behind=each.behind,
        )
        for each in record.encounters[:OPPONENTS_TOLD]
    ]
    return [words.say("league.record.opponents", list=join(told, " · "))] if told else []


def honour_lines(league: League, season: int, honours: Sequence[Honour], words: Words) -> list[Text]:
    """Return who won a season, and its other honours."""
    champions = league.champions.get(season, ())
    title = [words.say("league.honour.champion", who=names(league, champions, words))] if champions else []
    return title + tell_honours(league, honours, words)


def tell_honours(league: League, honours: Sequence[Honour], words: Words) -> list[Text]:
    """Return a season's honours besides its title."""
    return [
        words.say(f"league.honour.{each.kind}", who=names(league, each.members, words), n=each.figure)
        for each in honours
    ]


def member_document(facts: MemberFacts, words: Words) -> Document:
    """Return a member's page: seasons, nights, opponents, records and ratings."""
    league, record = facts.league, facts.record
    shown = [each for each in facts.ratings if each.shown is not None]
    curve: CurvePicture | None = next(
        (rating_curve(each, league, words) for each in shown if len(each.curve) >= CURVE_LEAST), None
    )
    own = [
        words.say("sheet.season_honour", season=season, honour=line)
        for season in sorted(facts.honours, reverse=True)
        for line in _list_own(facts, season, words)
    ]
    lines = (*record_lines(league, record, words), *(rating_line(each, words) for each in facts.ratings))
    sections = (
        Section(title=words.plain("sheet.honours"), lines=tuple(own)),
        Section(title=words.plain("sheet.records"), lines=lines),
        _seasons(facts, words),
        _opponents(facts, words),
        _nights(facts, words),
    )
    return Document(
        title=league.name,
        lines=(
            (member_name(league, facts.member),),
            *bounds_lines(facts.bounds, words, final=league.format.finals != "none"),
        ),
        picture=curve,
        alt="" if curve is None else rating_alt(curve, words),
        sections=tuple(each for each in sections if each.lines or each.grid),
        ways=_ways(league, "", words),
    )


def hall_document(facts: HallFacts, words: Words) -> Document:
    """Return the hall of fame: every finished season, and the records of all time."""
    league = facts.league
    seasons = [
        Section(
            title=words.plain("sheet.season", season=season),
            lines=tuple(honour_lines(league, season, facts.honours.get(season, ()), words)),
        )
        for season in sorted(league.champions, reverse=True)
    ]
    of_all = Section(title=words.plain("sheet.all_time"), lines=tuple(_all_time(facts, words)))
    sections = [each for each in (of_all, *seasons) if each.lines]
    lines = () if sections else (words.say("league.table.empty"),)
    return Document(
        title=league.name,
        lines=(words.say("sheet.hall"), *lines),
        sections=tuple(sections),
        ways=_ways(league, HALL, words),
    )


def ratings_document(
    league: League, rated: Mapping[tuple[RatingPool, str], Rating], words: Words
) -> Document:
    """Return everybody whose rating is shown, the best first, by pool."""
    sections = []
    for pool in POOLS:
        known = [
            (rating.shown, rating.tables, member)
            for (of, member), rating in rated.items()
            if of == pool and rating.shown is not None and _is_known(league, member)
        ]
        ranked = sorted(known, key=lambda each: (-each[0], len(each[2]), each[2]))
        rows = tuple(
            (
                _cell(1 + sum(other > value for other, _, _ in ranked)),
                member_cell(league, member),
                _cell(value),
                _cell(tables),
            )
            for value, tables, member in ranked
        )
        title = words.plain(f"league.pool.{pool}")
        columns = _columns(words, "rank", "name", "rating", "tables")
        if rows:
            sections.append(Section(title=title, grid=Grid(caption=title, columns=columns, rows=rows)))
    lines = () if sections else (words.say("sheet.unrated"),)
    return Document(
        title=league.name,
        lines=(words.say("sheet.ratings"), words.say("sheet.about_ratings"), *lines),
        sections=tuple(sections),
        ways=_ways(league, RATINGS, words),
    )


def member_cell(league: League, member: str) -> Cell:
    """Return a member's name, with the way to their page. Who was forgotten has none."""
    way = f"member/{member}" if _is_known(league, member) else ""
    return Cell((member_name(league, member),), way=way)


def chronicle_ways(words: Words) -> tuple[Cell, ...]:
    """Return the ways to the pages of what is remembered of a whole league."""
    return tuple(Cell(words.say(f"sheet.{page}"), way=page) for page in (HALL, RATINGS))


def _ways(league: League, here: str, words: Words) -> tuple[Cell, ...]:
    back = Cell(words.say("sheet.back", name=Name(league.name)), way=f"?season={league.season}")
    others = (Cell(each.text, way="" if each.way == here else each.way) for each in chronicle_ways(words))
    return (back, *others)


def _is_known(league: League, member: str) -> bool:
    known = league.members.get(member)
    return known is not None and known.name != NOBODY and league.stands_for(member) == member


def _list_own(facts: MemberFacts, season: int, words: Words) -> list[Text]:
    """Return a member's own honours of a season."""
    champion = facts.member in facts.league.champions.get(season, ())
    kinds = ["champion"] if champion else []
    kinds += [each.kind for each in facts.honours[season] if facts.member in each.members]
    return [words.say(f"sheet.honour.{kind}") for kind in kinds]


def _seasons(facts: MemberFacts, words: Words) -> Section:
    title = words.plain("sheet.seasons")
    rows = tuple(
        (
            _cell(season),
            Cell(words.say("sheet.season", season=season), way=f"?season={season}"),
            Cell((_rank(each, words),)),
            Cell((points(each.points, words),)),
            _cell(len(each.nights)),
            _cell(each.wins),
        )
        for season, each in facts.seasons
    )
    columns = _columns(words, "number", "season", "rank", "points", "nights", "wins")
    return Section(title=title, grid=Grid(caption=title, columns=columns, rows=rows) if rows else None)


def _rank(standing: SeasonStanding, words: Words) -> str:
    """Return a rank, with the division in which it is one."""
    rank = str(standing.rank)
    return f"{rank} · {division_name(standing.division, words)}" if standing.division else rank


def _opponents(facts: MemberFacts, words: Words) -> Section:
    title = words.plain("sheet.head_to_head")
    rows = tuple(
        (
            _cell(number),
            member_cell(facts.league, each.opponent),
            _cell(each.met),
            _cell(each.ahead),
            _cell(each.even),
            _cell(each.behind),
        )
        for number, each in enumerate(facts.record.encounters, start=1)
    )
    columns = _columns(words, "number", "opponent", "met", "ahead", "even", "behind")
    return Section(title=title, grid=Grid(caption=title, columns=columns, rows=rows) if rows else None)


def _nights(facts: MemberFacts, words: Words) -> Section:
    title = words.plain("sheet.nights")
    rows = tuple(
        (
            _cell(each.number),
            Cell((moment(facts.league, each.start, words),), way=f"night/{each.id}"),
            _cell(each.rank),
            Cell((points(each.points, words),)),
            _cell(each.wins),
        )
        for each in reversed(facts.record.nights)
    )
    columns = _columns(words, "number", "night_day", "rank", "points", "wins")
    return Section(title=title, grid=Grid(caption=title, columns=columns, rows=rows) if rows else None)


def _all_time(facts: HallFacts, words: Words) -> Iterable[Text]:
    """Return who leads in each of the figures of all time."""
    league = facts.league
    known = {member: record for member, record in facts.records.items() if _is_known(league, member)}
    titles = [member for each in league.champions.values() for member in each]
    figures = {
        "titles": {member: titles.count(member) for member in known},
        "nights": {member: len(record.nights) for member, record in known.items()},
        "wins": {member: record.wins for member, record in known.items()},
        "streak": {member: record.streak for member, record in known.items()},
        "okeys": {member: record.okeys for member, record in known.items()},
    }
    for name, counted in figures.items():
        most = max(counted.values(), default=0)
        if most:
            leaders = (member for member, figure in counted.items() if figure == most)
            first = sorted(leaders, key=lambda member: (len(member), member))
            yield words.say(f"sheet.most.{name}", who=names(league, first, words), n=most)


def _cell(number: int) -> Cell:
    return Cell((str(number),))


def _columns(words: Words, *wanted: str) -> tuple[Column, ...]:
    titled = {"name", "opponent", "season", "night_day"}
    return tuple(Column(words.plain(f"sheet.column.{name}"), figures=name not in titled) for name in wanted)
