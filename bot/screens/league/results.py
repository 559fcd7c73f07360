"""A season's table, a night's results, and the tables that one may dispute."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.callback_data import callback_text
from bot.i18n import Words, joined
from bot.ids import table_id
from bot.league.model import League
from bot.league.night import Night, NightTable
from bot.league.prizes import Month
from bot.league.standings import SeasonStanding, Standing
from bot.markup import Button, Name, Page, Row, Text
from bot.screens.league.parts import (
    bye_lines,
    league_button,
    member_name,
    names,
    night_lines,
    night_picture,
    points,
    season_lines,
    season_picture,
    table_line,
    table_lines,
    told,
)

MONTHS_TOLD: Final = 12


def table_page(
    league: League, season: int, table: Sequence[SeasonStanding], words: Words, *, turns: bool
) -> Page:
    """A season's table, with every night that counts and every one that is dropped."""
    lines = season_lines(league, table, words)
    picture = season_picture(league, season, table, words) if table else None
    title = words.say("league.table.title", name=Name(league.name), season=season)
    others = [each for each in (season - 1, season + 1) if 1 <= each <= league.season]
    seasons = (_season_button(league, each, words) for each in others)
    return Page(
        text=joined([title, *(lines or [words.say("league.table.empty")])]),
        picture=picture,
        alt=told(lines, words),
        buttons=((*seasons, league_button("hub", league.id, words)),),
        turns=turns,
    )


def _season_button(league: League, season: int, words: Words) -> Button:
    label = words.plain("button.league_season", season=season)
    return Button((label,), callback_text("league_table", league.id, 0, season))


def results_page(
    league: League,
    night: Night,
    standings: Sequence[Standing],
    pot: Mapping[str, int],
    words: Words,
    *,
    organises: bool = False,
    turns: bool,
) -> Page:
    """A night's table, penalties and the pot (chips by member) beside it, and ways to its rounds; for an
    organiser also to what he may do about it."""
    lines = night_lines(league, standings, words)
    run: Row = ()
    if organises:
        run = (Button((words.plain("button.league_run"),), callback_text("night_run", night.id), "primary"),)
    return Page(
        text=joined(
            [
                *_heading(league, night, words),
                *(lines or [words.say("league.table.empty")]),
                *_penalties(league, night, words),
                *_pot(league, pot, words),
            ]
        ),
        picture=night_picture(league, night.number, standings, words) if lines else None,
        alt=told(lines, words),
        buttons=tuple(filter(None, (_round_buttons(night, words), run, _back(league, words)))),
        turns=turns,
    )


def round_page(league: League, night: Night, round: int, first: int, words: Words) -> Page:
    """The tables of one of a night's rounds, from one of them on, each with its replay."""
    played = night.rounds[round - 1]
    tables = played.tables[first:]
    told = table_lines(league, tables, {}, words)
    lines = [
        *_heading(league, night, words),
        words.say("league.board.round", round=round, n=night.format.rounds),
        *told,
        *bye_lines(league, played, words),
    ]
    rows = (
        _replays(night, round, tables[: len(told)], words),
        _turning(night, round, first, len(told), words),
        _round_buttons(night, words),
        _back(league, words),
    )
    return Page(text=joined(lines), buttons=tuple(filter(None, rows)), turns=True)


def _turning(night: Night, round: int, first: int, told: int, words: Words) -> Row:
    """To the beginning and to the next tables of a round that does not fit."""
    following = first + told
    ways = {"first": 0} if first else {}
    if following < len(night.rounds[round - 1].tables):
        ways["next"] = following
    return tuple(
        Button((words.plain(f"button.night_{way}"),), callback_text("night_results", night.id, 0, round, at))
        for way, at in ways.items()
    )


def prizes_page(
    league: League, months: Mapping[Month, Sequence[SeasonStanding]], words: Words, *, turns: bool
) -> Page:
    """The champions of all seasons, the latest first, and the first three of each month."""
    lines = [
        words.say("league.prizes.season", season=season, who=names(league, league.champions[season], words))
        for season in sorted(league.champions, reverse=True)
    ]
    for (year, month), leaders in list(months.items())[:MONTHS_TOLD]:
        told = joined((_leader(league, each, words) for each in leaders), " · ")
        lines.append(words.say("league.prizes.month", month=words.month(year, month), who=told))
    title = words.say("league.prizes.title", name=Name(league.name))
    text = joined([title, *(lines or [words.say("league.table.empty")])])
    return Page(text=text, buttons=((league_button("hub", league.id, words),),), turns=turns)


def _leader(league: League, standing: SeasonStanding, words: Words) -> Text:
    return words.say(
        "league.prizes.leader",
        rank=standing.rank,
        who=member_name(league, standing.member),
        points=points(float(standing.points), words),
    )


def leaving_page(night: Night, words: Words) -> Page:
    """Whether somebody really plays no more rounds."""
    gone = Button((words.plain("button.night_gone"),), callback_text("night_gone", night.id), "danger")
    return Page(text=words.say("league.leaving"), buttons=((gone,),))


def dispute_page(
    league: League, night: Night, tables: Sequence[tuple[int, NightTable]], words: Words
) -> Page:
    """The tables whose results a player may dispute now, with their rounds."""
    lines = [words.say("league.dispute.which"), *(_of_round(league, *each, words) for each in tables)]
    buttons = tuple(
        Button(
            (words.plain("button.night_disputed", round=round, number=table.number),),
            callback_text("night_dispute", night.id, 0, round, table.number),
            "danger",
        )
        for round, table in tables
    )
    return Page(text=joined(lines), buttons=(buttons,))


def _of_round(league: League, round: int, table: NightTable, words: Words) -> Text:
    return words.say("league.dispute.table", round=round, table=table_line(league, table, None, words))


def _heading(league: League, night: Night, words: Words) -> list[Text]:
    when = words.moment(night.start, league.schedule.zone)
    return [
        words.say("league.results.title", name=Name(league.name), number=night.number, season=night.season),
        words.say("league.board.when", when=when),
    ]


def _penalties(league: League, night: Night, words: Words) -> list[Text]:
    return [
        words.say("league.results.penalty", who=member_name(league, member), points=points(taken, words))
        for member, taken in night.penalties
    ]


def _pot(league: League, pot: Mapping[str, int], words: Words) -> list[Text]:
    """Who got how many chips out of the pot."""
    shares = [
        words.say("score", who=member_name(league, member), points=words.number(chips))
        for member, chips in sorted(pot.items(), key=lambda share: -share[1])
        if chips
    ]
    return [words.say("league.results.pot", shares=joined(shares, " · "))] if shares else []


def _round_buttons(night: Night, words: Words) -> Row:
    return tuple(
        Button(
            (words.plain("button.night_round", round=round.number),),
            callback_text("night_results", night.id, 0, round.number),
        )
        for round in night.rounds
    )


def _replays(night: Night, round: int, tables: Sequence[NightTable], words: Words) -> Row:
    return tuple(
        Button(
            (words.plain("button.night_replay", number=table.number),),
            callback_text("replay", table_id(night.id, round, table.number, table.attempt), 0, 1),
        )
        for table in tables
        if table.tiles
    )


def _back(league: League, words: Words) -> Row:
    return (league_button("nights", league.id, words), league_button("hub", league.id, words))
