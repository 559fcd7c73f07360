"""Log: what organisers did to a night or a league, who, why and when, and the button that undoes it."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.i18n import Value, Words, join
from bot.league import events
from bot.league.acts import find_revoked, list_changes
from bot.league.events import NightEvent
from bot.league.founding import OPTIONS
from bot.league.local_time import instant
from bot.league.model import (
    COUNTED,
    ActRevoked,
    League,
    LeagueEnded,
    LeagueEvent,
    ListChanged,
    LoggedAct,
    Merged,
    NightMoved,
    NightSkipped,
    Paired,
    PlaceWithdrawn,
    Renamed,
    RoleGiven,
    Schedule,
    SeasonPaused,
    SettingsChanged,
    VisibilityChanged,
)
from bot.league.night import Night
from bot.league.revoking import NightAct, is_revocable
from bot.markup import Button, Name, Page, Text
from bot.screens.league.parts import count_points, member_name, moment, page, pause_line, to_hub
from bot.screens.league.settings import option_name, option_value, schedule_line, visibility_name
from bot.screens.parts import button, in_rows

SHOWN: Final = 20
"""The newest acts that a page lists."""

_OPTION_OF: Final = {option.field: name for name, option in OPTIONS.items()}


def night_log_page(league: League, night: Night, acts: Sequence[NightAct], words: Words) -> Page:
    """Return the newest acts on a night, and a button for each that can be undone."""
    shown = list(reversed(acts))[:SHOWN]
    lines: list[Text] = []
    for each in shown:
        what = _tell_event(league, each.recorded.event, words)
        line = _line(league, each.number, each.recorded, what, words)
        if each.revoked_by is not None:
            line += _undone(league, each.revoked_by.by, words)
        lines.append(line)
    buttons = [
        button(words, "night_undo", night.id, each.number, style="danger", number=each.number)
        for each in shown
        if each.revoked_by is None and is_revocable(each.recorded.event)
    ]
    title = words.say("league.log.night", name=Name(league.name), number=night.number)
    back = button(words, "night_run", night.id, style="primary")
    return _page(title, lines, buttons, back, words)


def short_log_lines(league: League, acts: Sequence[NightAct], words: Words) -> list[Text]:
    """Return what organisers did to a night, for everybody: without who it was and why."""
    return [
        words.say(
            "sheet.act" if each.revoked_by is None else "sheet.act_undone",
            when=moment(league, each.recorded.at, words),
            act=_tell_event(league, each.recorded.event, words),
        )
        for each in acts
    ]


def league_log_page(league: League, words: Words) -> Page:
    """Return the newest acts on a league, and a button for each that can be undone."""
    taken_back = find_revoked(league)
    numbered = [
        (number, act)
        for number, act in enumerate(league.acts, start=1)
        if not isinstance(act.event, ActRevoked)
    ]
    shown = list(reversed(numbered))[:SHOWN]
    lines: list[Text] = []
    for number, act in shown:
        line = _line(league, number, act, _tell_act(league, act.event, words), words)
        if number in taken_back:
            line += _undone(league, league.acts[taken_back[number] - 1].by, words)
        lines.append(line)
    buttons = [
        button(words, "league_undo", league.id, number, style="danger", number=number)
        for number, _ in shown
        if number not in taken_back
    ]
    title = words.say("league.log.league", name=Name(league.name))
    return _page(title, lines, buttons, button(words, "league_run", league.id), words, to_hub(league, words))


def _page(
    title: Text, lines: Sequence[Text], buttons: Sequence[Button], back: Button, words: Words, *more: Button
) -> Page:
    told = lines or [words.say("league.log.empty")]
    return page([title, *told], *in_rows(buttons, 5), (back, *more))


def _line(league: League, number: int, act: events.Recorded | LoggedAct, what: Text, words: Words) -> Text:
    who: Text = (member_name(league, act.by),) if act.by else words.say("league.log.program")
    key = "league.log.line" if act.why else "league.log.line_without_reason"
    when = moment(league, act.at, words)
    reason = {"why": Name(act.why)} if act.why else {}
    return words.say(key, number=number, when=when, who=who, act=what, **reason)


def _undone(league: League, by: str, words: Words) -> Text:
    return (" ", *words.say("league.log.undone", who=member_name(league, by)))


def _tell_event(league: League, event: NightEvent, words: Words) -> Text:
    name, values = _name_event(league, event, words)
    return words.say(f"league.done.{name}", **values)


def _name_event(league: League, event: NightEvent, words: Words) -> tuple[str, Mapping[str, Value]]:
    """Return the act of an event, and the values of its sentence."""
    match event:
        case events.Penalised() | events.Awarded():
            act = "penalty" if isinstance(event, events.Penalised) else "bonus"
            who = member_name(league, event.member)
            return act, {"who": who, "points": count_points(event.points, words)}
        case events.Corrected():
            scores = " · ".join(map(str, event.scores))
            return "correct", {"round": event.round, "number": event.table, "scores": scores}
        case events.Voided():
            return "void", {"round": event.round, "number": event.table}
        case events.Replayed():
            return "replay", {"round": event.round, "number": event.table}
        case events.Decided():
            return "uphold" if event.upheld else "reject", {"round": event.round, "number": event.table}
        case events.Extended():
            return "extend", {"n": round(event.seconds / 60)}
        case events.Went():
            return "away", {"who": member_name(league, event.member)}
        case events.SeatTaken():
            return "move", {"who": member_name(league, event.member), "number": event.table}
        case events.Rescheduled():
            return "reschedule", {"when": moment(league, event.start, words)}
    return _PLAIN[type(event)], {}


_PLAIN: Final[Mapping[type, str]] = {
    events.Paused: "pause",
    events.WentOn: "go",
    events.CheckInClosed: "close",
    events.NightCancelled: "cancel",
    events.Ended: "finish",
}


def _tell_act(league: League, event: LeagueEvent, words: Words) -> Text:
    zone = league.schedule.zone
    match event:
        case SettingsChanged():
            changes = join(_describe(event, list_changes(event), words), " · ")
            return words.say("league.act.settings", changes=changes)
        case Renamed():
            return words.say("league.act.renamed", who=Name(event.before), other=Name(event.name))
        case RoleGiven():
            role = words.plain(f"league.role_of.{event.role or 'none'}")
            return words.say("notice.league_role", who=member_name(league, event.member), role=role)
        case Merged():
            names = {"who": Name(event.gone.name), "other": Name(event.kept.name)}
            return words.say("notice.league_merged", **names)
        case NightSkipped():
            return words.say("league.act.skipped", when=words.moment(instant(event.start, zone), zone))
        case NightMoved():
            before, to = (words.moment(instant(each, zone), zone) for each in (event.start, event.to))
            return words.say("league.act.moved", when=before, to=to)
        case ListChanged():
            return words.say("league.act.list", on=len(event.on), off=len(event.off))
        case PlaceWithdrawn():
            return words.say("league.act.withdrawn")
        case Paired():
            names = {"who": member_name(league, event.one), "other": member_name(league, event.other)}
            return words.say("notice.league_paired", **names)
        case VisibilityChanged():
            return words.say("notice.league_visibility", visibility=visibility_name(event.after, words))
        case SeasonPaused():
            return pause_line(league, instant(event.until, zone), words)
        case LeagueEnded():
            return words.say("league.act.ended")
        case ActRevoked():
            return ()


def preview_lines(event: SettingsChanged, words: Words) -> list[Text]:
    """Return what an act changes at once, from the next announcement on, and from the next season on."""
    fields = list_changes(event)
    counted = [field for field in fields if field in COUNTED]
    others = [field for field in fields if field not in (*counted, "name")]
    groups = {
        "now": [field for field in fields if field == "name"],
        "announcement": others,
        "season": counted,
    }
    lines = [
        words.say(f"league.edit.{when}", changes=join(_describe(event, those, words), " · "))
        for when, those in groups.items()
        if those
    ]
    return lines or [words.say("league.edit.nothing")]


def _describe(event: SettingsChanged, fields: Sequence[str], words: Words) -> list[Text]:
    """Return these settings with the values that an act gave them."""
    told: list[Text] = []
    for field in fields:
        if field in ("start", "zone", "rule"):
            continue
        if field == "name":
            told.append((Name(event.after.name),))
        elif option := _OPTION_OF.get(field):
            value = option_value(option, event.after.format, words)
            told.append((words.plain("rules.setting", switch=option_name(option, words), value=value),))
        else:
            told.append(words.say("league.edit.game"))
    if {"start", "zone", "rule"} & {*fields}:
        schedule = Schedule(start=event.after.start, zone=event.after.zone, rule=event.after.rule)
        told.append(schedule_line(schedule, words))
    return told
