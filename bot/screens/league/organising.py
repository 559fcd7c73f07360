"""Organising: a league and its nights as an organiser sees them, and the question for a reason before each
act."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.callback_data import callback_text
from bot.i18n import Words, plain
from bot.league.decide import may_replay
from bot.league.events import Division
from bot.league.founding import VISIBILITIES
from bot.league.local_time import instant
from bot.league.model import League
from bot.league.night import Night, NightTable
from bot.league.schedule import Occurrence
from bot.markup import Button, Moment, Name, Page, Row, Style, Text
from bot.screens.league.divisions import placing_lines
from bot.screens.league.parts import (
    count_points,
    member_name,
    moment,
    names,
    page,
    pause_line,
    player,
    table_line,
    to_hub,
)
from bot.screens.league.settings import about_visibilities, visibility_line, visibility_name
from bot.screens.parts import button, choice, in_rows

REASONS: Final = ("agreed", "absent", "conduct", "mistake", "trouble", "other")
"""The reasons of an act that an organiser can choose instead of typing one."""

EXTENSIONS: Final = (5, 10, 15, 30)
POINTS: Final = ("0,5", "1", "2", "3")

BUTTONS_MOST: Final = 60
"""The most buttons for people, tables or seats on one page."""


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A place of a league."""

    way: Text
    """A link to it, or its key."""
    tag: str
    """The tag of the button that withdraws it; empty if the reader may not."""


# A league


def run_page(
    league: League, night: Night | None, words: Words, *, between: bool, wall: bool, turns: bool
) -> Page:
    """Return an organiser's actions for a league, and the button to its next night. `between`: whether its
    season has not begun; `wall`: whether its tables can be shown together."""
    lines = [
        words.say("league.run.title", name=Name(league.name)),
        words.say("league.run.places", n=len(league.places)),
        words.say("league.run.typed"),
    ]
    next_night: Row = ()
    if night is not None:
        next_night = (
            button(words, "night_run", night.id, style="primary", says="league_night", number=night.number),
        )
    ways = [
        button(words, f"league_{way}", league.id)
        for way in ("log", "skips", "places", "invite", "visibility")
    ]
    ways += [button(words, "league_wall", league.id)] if wall else []
    ways = [button(words, "league_edit", league.id), *ways]
    ways += [button(words, "league_next_season", league.id)] if between else []
    close = button(words, "league_close", league.id, style="danger")
    return page(lines, next_night, ways, (close, to_hub(league, words)), turns=turns)


def places_page(league: League, places: Sequence[ShownPlace], words: Words) -> Page:
    """Return the places of a league, and a button for each that the reader may withdraw."""
    lines = [words.say("league.run.shown", name=Name(league.name))]
    lines += [(f"{number}. ", *each.way) for number, each in enumerate(places, start=1)]
    buttons = [
        button(words, "league_withdraw", league.id, each.tag, style="danger", number=number)
        for number, each in enumerate(places, start=1)
        if each.tag
    ]
    ways = (button(words, "league_invite", league.id), _to_league(league, words))
    return page(lines, *in_rows(buttons, 4), ways)


def visibility_page(league: League, words: Words) -> Page:
    """Return who sees the league's pages on the web, and a button for each who could."""
    lines = [
        words.say("league.run.visibility", name=Name(league.name)),
        visibility_line(league.visibility, words),
        *about_visibilities(words),
        words.say("league.run.new_address"),
    ]
    buttons = [
        choice(
            visibility_name(each, words),
            each == league.visibility,
            callback_text("league_visibility", league.id, 0, each),
        )
        for each in VISIBILITIES
    ]
    return page(lines, *in_rows(buttons, 1), (_to_league(league, words), to_hub(league, words)))


def skips_page(league: League, dates: Sequence[Occurrence], words: Words) -> Page:
    """Return the next nights, one of which can be skipped."""
    lines = [words.say("league.run.skips")]
    lines += [
        words.say("league.nights.line", number=number, when=moment(league, each.at, words))
        for number, each in enumerate(dates, start=1)
    ]
    buttons = [
        button(words, "league_skip", league.id, _digits(each.original), style="danger", number=number)
        for number, each in enumerate(dates, start=1)
    ]
    return page(lines, *in_rows(buttons, 6), (_to_league(league, words),))


def skip_page(league: League, start: str, when: Moment, words: Words) -> Page:
    """Return the question why a night is to be skipped. It confirms the act, which cannot be undone."""
    asked = words.say("league.asked.skip", when=when)
    last = (_to_league(league, words),)
    return _why_page(asked, ("league_skip", league.id, 0, _digits(start)), last, words)


def next_season_page(
    league: League,
    first: Occurrence | None,
    paused: float | None,
    until: Sequence[str],
    divisions: Sequence[Division],
    words: Words,
) -> Page:
    """Return the choice before a season: keep its settings, change them, or put it off until one of these
    local times. `first`: its first night; `divisions`: those that it would have by now."""
    zone = league.schedule.zone
    lines = [words.say("league.season.title", name=Name(league.name), season=league.season)]
    if paused is not None:
        lines.append(pause_line(league, paused, words))
    if first is not None:
        lines.append(words.say("league.season.first", when=moment(league, first.at, words)))
    lines += placing_lines(league, league.format, divisions, words)
    lines.append(words.say("league.season.choice"))
    buttons = [
        button(
            words,
            "league_next_season",
            league.id,
            _digits(each),
            says="league_pause_until",
            when=words.date(instant(each, zone), zone),
        )
        for each in until
    ]
    change = button(words, "league_edit", league.id)
    return page(lines, (change,), *in_rows(buttons, 2), (_to_league(league, words), to_hub(league, words)))


def ending_page(league: League, words: Words) -> Page:
    """Return the question whether the league is really to end."""
    end = button(words, "league_end", league.id, style="danger")
    asked = words.say("league.run.ending", name=Name(league.name))
    return page([asked], (end,), (_to_league(league, words),))


# A night


def night_run_page(
    league: League,
    night: Night,
    words: Words,
    *,
    changed: tuple[Sequence[str], Sequence[str]] | None = None,
    turns: bool,
) -> Page:
    """Return an organiser's actions for a night in its current stage. `changed`: who would be in its final by
    the table as it is now, and who would not."""
    when, paused = moment(league, night.start, words), _describe_pause(night)
    lines = [
        words.say("league.run.night", name=Name(league.name), number=night.number, when=when),
        words.say("league.board.paused" if paused else f"league.stage.{night.stage}"),
        *_disputes(league, night, words),
        *_tell_changed(league, changed, words),
    ]
    extensions = EXTENSIONS if night.stage == "playing" and not paused else ()
    pages = ("tables", "people", "log") if night.rounds else ("log",)
    return page(
        lines,
        [_ask(night, act, words) for act in _offer(night)],
        *in_rows([_extend(night, minutes, words) for minutes in extensions]),
        [_to(each, night, words) for each in pages],
        (_to_league(league, words), to_hub(league, words)),
        turns=turns,
    )


def tables_page(night: Night, first: int, words: Words) -> Page:
    """Return every table of the night, the newest round first, from index `first` on."""
    buttons = [
        button(
            words,
            "night_table",
            night.id,
            round.number,
            table.number,
            style="danger" if table.disputed else "plain",
            says="night_disputed",
            round=round.number,
            number=table.number,
        )
        for round in reversed(night.rounds)
        for table in round.tables
    ]
    shown = _page(buttons, first, night, "tables", words)
    return page([words.say("league.run.tables")], *shown, (_to("run", night, words),))


def table_run_page(
    league: League, night: Night, round: int, table: NightTable, words: Words, *, asks: bool
) -> Page:
    """Return an organiser's actions for one table. `asks`: whether a button can ask for scores, which
    otherwise are typed after a command."""
    acts: list[str] = [*(("uphold", "reject") if table.disputed else ()), *(() if table.void else ("void",))]
    if may_replay(night, round):
        acts.append("replay")
    lines = [words.say("league.dispute.table", round=round, table=table_line(league, table, None, words))]
    asked = [_ask(night, act, words, f"{round}_{table.number}") for act in acts]
    if asks:
        asked.append(button(words, "night_scores", night.id, round, table.number, style="danger"))
    else:
        lines.append(words.say("league.run.correct", round=round, number=table.number, n=len(table.seats)))
    return page(lines, asked, (_to("tables", night, words), _to("run", night, words)))


def people_page(league: League, night: Night, members: Sequence[str], first: int, words: Words) -> Page:
    """Return the people for whom an organiser can act, from index `first` on."""
    buttons = [_person(league, night, "person", member, words) for member in members]
    shown = _page(buttons, first, night, "people", words)
    return page([words.say("league.run.people")], *shown, (_to("run", night, words),))


def person_run_page(league: League, night: Night, member: str, words: Words) -> Page:
    """Return an organiser's actions for one person: take or give points, send away, replace, reseat."""
    penalties = [_give_points(night, "penalty", member, each, words) for each in POINTS]
    bonuses = [_give_points(night, "bonus", member, each, words) for each in POINTS]
    acts: list[Button] = []
    if member in night.playing:
        seated = night.running and night.running.seat_of(member)
        acts.append(_ask(night, "away", words, member))
        acts += [button(words, f"night_{verb}", night.id, member) for verb in ("replace", "reseat") if seated]
    asked = words.say("league.run.person", who=member_name(league, member))
    return page([asked], penalties, bonuses, acts, (_to("people", night, words), _to("run", night, words)))


def replace_page(
    league: League, night: Night, out: str, others: Sequence[str], first: int, words: Words
) -> Page:
    """Return the people who can take somebody's place."""
    asked = words.say(
        "league.run.replace" if others else "league.run.nobody_else", who=member_name(league, out)
    )
    buttons = [_person(league, night, "ask", each, words, "put", out) for each in others]
    return page([asked], *_page(buttons, first, night, "replace", words, out), (_to("people", night, words),))


def reseat_page(league: League, night: Night, member: str, first: int, words: Words) -> Page:
    """Return every seat of the running round to move somebody to. The person there gets theirs in
    exchange."""
    assert night.round is not None
    buttons = [
        _move(league, night, member, table, seat, words)
        for table in night.round.tables
        if not table.over
        for seat in range(len(table.seats))
        if table.seats[seat] != member
    ]
    asked = words.say("league.run.reseat", who=member_name(league, member))
    return page(
        [asked], *_page(buttons, first, night, "reseat", words, member), (_to("people", night, words),)
    )


def reason_page(night: Night, asked: Text, act: Sequence[str], words: Words, *, asks: bool) -> Page:
    """Return the act that is about to be done to a night, and the question for its reason. `asks`: whether a
    button can ask for one in the organiser's own words."""
    own = (button(words, "night_why", night.id, *act, style="danger"),) if asks else ()
    return _why_page(asked, ("night_do", night.id, 0, *act), (*own, _to("run", night, words)), words)


def _why_page(asked: Text, press: tuple[str, str, int, *tuple[str, ...]], last: Row, words: Words) -> Page:
    """Return an act about to be done, and its possible reasons: choosing one confirms it. It stands last in
    the press."""
    buttons = [
        Button((words.plain(f"league.reason.{reason}"),), callback_text(*press, reason), "danger")
        for reason in REASONS
    ]
    return page([asked, words.say("league.run.why")], *in_rows(buttons), last)


def _tell_changed(
    league: League, changed: tuple[Sequence[str], Sequence[str]] | None, words: Words
) -> list[Text]:
    if changed is None or not any(changed):
        return []
    came, gone = (names(league, each, words) if each else ("–",) for each in changed)
    return [words.say("league.run.final_changed", came=came, gone=gone)]


def _disputes(league: League, night: Night, words: Words) -> list[Text]:
    return [
        words.say(
            "league.run.disputed",
            round=round.number,
            number=table.number,
            who=member_name(league, dispute.member),
            words=Name(dispute.words) if dispute.words else "–",
        )
        for round in night.rounds
        for table in round.tables
        for dispute in table.open_disputes
    ]


def _describe_pause(night: Night) -> bool:
    return night.paused_at is not None and night.stage != "cancelled"


def _offer(night: Night) -> tuple[str, ...]:
    match night.stage:
        case "announced" | "ready":
            return ("cancel",)
        case "check_in":
            return ("close", "cancel")
        case "playing" | "break":
            return ("go" if _describe_pause(night) else "pause", "finish", "cancel")
    return ()


def _page(
    buttons: Sequence[Button], first: int, night: Night, verb: str, words: Words, *about: str
) -> tuple[Sequence[Button], Sequence[Button]]:
    """Return the buttons that fit on one page, and those that lead to the first and the next ones."""
    following = first + BUTTONS_MOST
    ways = [*([("first", 0)] if first else []), *([("next", following)] if following < len(buttons) else [])]
    turning = [button(words, f"night_{verb}", night.id, *about, at, says=f"page_{way}") for way, at in ways]
    return buttons[first:following], turning


def _move(league: League, night: Night, member: str, table: NightTable, seat: int, words: Words) -> Button:
    who = Name(plain(player(league, table.seats[seat], words), words))
    where = f"{table.number}_{seat}"
    press = (words, "night_ask", night.id, "move", member, where)
    return button(*press, says="night_seat", number=table.number, who=who)


def _person(league: League, night: Night, verb: str, member: str, words: Words, *before: str) -> Button:
    label = plain((member_name(league, member),), words)
    return Button((label,), callback_text(f"night_{verb}", night.id, 0, *before, member))


def _ask(night: Night, act: str, words: Words, *arguments: str) -> Button:
    style: Style = "good" if act in ("go", "reject") else "danger"
    return button(words, "night_ask", night.id, act, *arguments, style=style, says=f"night_act.{act}")


def _give_points(night: Night, act: str, member: str, points: str, words: Words) -> Button:
    style: Style = "good" if act == "bonus" else "danger"
    shown = count_points(float(points.replace(",", ".")), words)
    press = (words, "night_ask", night.id, act, member, points)
    return button(*press, style=style, says=f"night_{act}", points=shown)


def _extend(night: Night, minutes: int, words: Words) -> Button:
    return button(words, "night_ask", night.id, "extend", minutes, says="night_extend", n=minutes)


def _to(verb: str, night: Night, words: Words) -> Button:
    return button(words, f"night_{verb}", night.id, style="primary")


def _to_league(league: League, words: Words) -> Button:
    return button(words, "league_run", league.id)


def _digits(start: str) -> str:
    """Return a local start in the form that a button holds."""
    return "".join(filter(str.isdigit, start))
