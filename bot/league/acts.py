"""Acts: what organisers do to a league itself, and how an act is taken back.

A later act rests on one if it has touched the same thing. What a season or a night has begun by stays.
"""

from collections.abc import Collection, Iterator
from dataclasses import fields, replace
from typing import Final

from bot.errors import Refused
from bot.league.local_time import instant
from bot.league.members import Roster, change_member, give_name, off_list, with_pair, with_roster
from bot.league.model import (
    COUNTED,
    ActRevoked,
    Format,
    League,
    LeagueEnded,
    LeagueEvent,
    LeagueSettings,
    ListChanged,
    LoggedAct,
    Member,
    Merged,
    NightMoved,
    NightSkipped,
    Paired,
    PlaceWithdrawn,
    Renamed,
    RoleGiven,
    SeasonPaused,
    SettingsChanged,
    VisibilityChanged,
)
from bot.league.undoing import find_undoable
from bot.tables.names import NOBODY

PLACES_MOST: Final = 20
"""The most places of a league."""


def check_room(league: League) -> None:
    """Check that a league may come to one more place. Raises Refused `too_many_places`."""
    if len(league.places) >= PLACES_MOST:
        raise Refused("too_many_places", n=PLACES_MOST)


def carry_out(league: League, act: LoggedAct) -> League:
    """Return the league after one more act, which stands last in its log. Nothing is checked here."""
    event = act.event
    if isinstance(event, ActRevoked):
        after = _take_back(league, league.acts[event.of - 1].event)
    else:
        after = _apply(league, event)
    return replace(after, acts=(*league.acts, act))


def find_revoked(league: League) -> dict[int, int]:
    """Return the numbers, from 1, of the acts that were taken back, each with that of the act that did it."""
    return {
        act.event.of: number
        for number, act in enumerate(league.acts, start=1)
        if isinstance(act.event, ActRevoked)
    }


def check_revocable(league: League, of: int, now: float) -> LeagueEvent:
    """Return what an act did, if it can be taken back. Raises Refused `no_such_act`, `undone_already`,
    `act_rests` with the number of the act that rests on it, `act_began` when a season or a night has begun by
    it, `too_many_places` when others have come to where it was."""
    event = find_undoable(
        league.acts,
        of,
        is_undoable=lambda act: not isinstance(act.event, ActRevoked),
        taken_back=find_revoked(league),
        rests_on=_rests_on,
    ).event
    match event:
        case SettingsChanged() if event.season < league.season and list_counted_changes(event):
            raise Refused("act_began")
        case NightSkipped() | NightMoved() if instant(_find_date(event), league.schedule.zone) <= now:
            raise Refused("act_began")
        case PlaceWithdrawn() if not event.place:
            raise Refused("no_such_act")
        case PlaceWithdrawn() if event.place not in league.places:
            check_room(league)
        case SeasonPaused() if _has_resumed(league, event, now):
            raise Refused("act_began")
    return event


def pair(league: League, one: str, other: str) -> Paired:
    """Return the act that makes two members partners."""
    after = with_pair(league, one, other).members
    changed = (each for each in league.members.values() if each.partner != after[each.id].partner)
    return Paired(one, other, {each.id: each.partner for each in changed})


def withdraw(league: League, place: str) -> PlaceWithdrawn:
    """Return the act that withdraws a league from one of its places. Raises Refused `last_place`,
    `old_button` when it is not there."""
    if place not in league.places:
        raise Refused("old_button")
    if len(league.places) == 1:
        raise Refused("last_place")
    return PlaceWithdrawn(place, league.places.index(place))


def change_list(league: League, roster: Roster, leaving: Collection[str], *, at: float, by: str) -> League:
    """Return the league after an organiser changed its list. If nothing has changed, it is no act."""
    after = off_list(with_roster(league, roster), leaving)
    known = league.members
    changed = [each for each in after.members.values() if known.get(each.id) != each]
    if not changed:
        return league
    was = {each.id: known.get(each.id, Member(id=each.id, name=NOBODY)) for each in changed}
    event = ListChanged(
        tuple(each.id for each in changed if each.listed and not was[each.id].listed),
        tuple(each.id for each in changed if was[each.id].listed and not each.listed),
        tuple(each.id for each in changed if each.id not in known),
        {
            each.id: (len(was[each.id].accounts), len(each.accounts))
            for each in changed
            if each.accounts != was[each.id].accounts
        },
    )
    return carry_out(after, LoggedAct(at, by, "", event))


def list_changes(event: SettingsChanged) -> list[str]:
    """Return the settings that an act changed: `name`, `start`, `zone`, `rule`, and fields of the format."""
    own = (name for name in ("name", "start", "zone", "rule"))
    plain = [name for name in own if getattr(event.before, name) != getattr(event.after, name)]
    before, after = event.before.format, event.after.format
    names = (field.name for field in fields(Format))
    return [*plain, *(name for name in names if getattr(before, name) != getattr(after, name))]


def list_counted_changes(event: SettingsChanged) -> list[str]:
    """Return those among them that hold from the next season on."""
    return [name for name in list_changes(event) if name in COUNTED]


def settings_of(league: League) -> LeagueSettings:
    """Return the settings of a league as they will be in its next season."""
    schedule = league.schedule
    return LeagueSettings(
        name=league.name,
        start=schedule.start,
        zone=schedule.zone,
        rule=schedule.rule,
        format=league.drafted or league.format,
    )


def _apply(league: League, event: LeagueEvent) -> League:
    match event:
        case SettingsChanged():
            return _change_settings(league, list_changes(event), event.after)
        case Renamed():
            return give_name(league, event.member, event.name, named=True)
        case RoleGiven():
            return change_member(league, event.member, role=event.role)
        case Merged():
            return _merge(league, event)
        case NightSkipped():
            skipped = dict.fromkeys((*league.schedule.skipped, event.start))
            return replace(league, schedule=replace(league.schedule, skipped=tuple(skipped)))
        case NightMoved():
            return _move(league, event.start, event.to)
        case SeasonPaused():
            return _resume(league, event.until)
        case PlaceWithdrawn():
            places = tuple(each for each in league.places if each != event.place)
            return replace(league, places=places, invitation="")
        case Paired():
            return with_pair(league, event.one, event.other)
        case VisibilityChanged():
            return replace(league, visibility=event.after, page_key=event.page_key)
        case LeagueEnded():
            return replace(league, ended=True)
    return league


def _take_back(league: League, event: LeagueEvent) -> League:
    match event:
        case SettingsChanged():
            return _change_settings(league, list_changes(event), event.before)
        case Renamed():
            return give_name(league, event.member, event.before, named=event.was_named)
        case RoleGiven():
            return change_member(league, event.member, role=event.before)
        case Merged():
            return _part(league, event)
        case NightSkipped():
            skipped = tuple(each for each in league.schedule.skipped if each != event.start)
            return replace(league, schedule=replace(league.schedule, skipped=skipped))
        case NightMoved():
            return _move(league, event.start, event.before)
        case SeasonPaused():
            return _resume(league, event.before)
        case ListChanged():
            return _undo_list(league, event)
        case PlaceWithdrawn():
            others = [each for each in league.places if each != event.place]
            others.insert(event.index, event.place)
            return replace(league, places=tuple(others))
        case Paired():
            for member, partner in event.before.items():
                league = change_member(league, member, partner=partner)
            return league
        case VisibilityChanged():
            key = event.key_before if event.page_key else league.page_key
            return replace(league, visibility=event.before, page_key=key)
        case LeagueEnded():
            return _reopen(league)
    return league


def _rests_on(later: LoggedAct, act: LoggedAct) -> bool:
    return not {*_list_touched(act.event)}.isdisjoint(_list_touched(later.event))


def _list_touched(event: LeagueEvent) -> Iterator[str]:
    """Yield names of the things that an act touched."""
    match event:
        case SettingsChanged():
            yield from (f"setting {name}" for name in list_changes(event))
        case Renamed():
            yield f"name {event.member}"
        case RoleGiven():
            yield f"role {event.member}"
        case Merged():
            for member in (event.gone.id, event.kept.id):
                yield from (f"{what} {member}" for what in ("accounts", "list", "name", "role", "partner"))
        case ListChanged():
            yield from (f"list {member}" for member in (*event.on, *event.off))
            yield from (f"accounts {member}" for member in event.accounts)
            yield from (f"{what} {member}" for what in ("name", "role", "partner") for member in event.new)
        case PlaceWithdrawn():
            yield f"place {event.place}"
        case Paired():
            yield from (f"partner {member}" for member in event.before)
        case VisibilityChanged():
            yield "visibility"
        case NightSkipped() | NightMoved():
            yield f"night {event.start}"
        case SeasonPaused():
            yield "pause"
        case LeagueEnded():
            yield "end"


def _find_date(event: NightSkipped | NightMoved) -> str:
    return event.start if isinstance(event, NightSkipped) else event.before or event.start


def _has_resumed(league: League, event: SeasonPaused, now: float) -> bool:
    """Return whether a pause is over, or the night after it has been announced."""
    end = instant(event.until, league.schedule.zone)
    announced = any(not ref.over and ref.start >= end for ref in league.nights)
    return announced or now >= end or event.season < league.season


def _resume(league: League, local: str) -> League:
    return replace(league, schedule=replace(league.schedule, resumes=local))


def _undo_list(league: League, event: ListChanged) -> League:
    """Return the league with its list as it was. Who became a member by it and has done nothing since has
    no name any more, as nobody's id is given to another."""
    for member, (before, after) in event.accounts.items():
        accounts = league.members[member].accounts
        if len(accounts) == after:
            league = change_member(league, member, accounts=accounts[:before])
    for member in (*event.on, *event.off):
        league = change_member(league, member, listed=member in event.off)
    for member in event.new:
        held = league.members[member]
        if not (held.accounts or held.language):
            league = change_member(league, member, name=NOBODY, given="", named=False)
    return league


def _change_settings(league: League, names: list[str], wanted: LeagueSettings) -> League:
    """Return the league with these settings as they are wanted; those that count, from its next season on."""
    held = settings_of(league)
    own = {name: getattr(wanted, name) for name in names if hasattr(wanted, name)}
    of_format = {name: getattr(wanted.format, name) for name in names if name not in own}
    of_nights = {name: value for name, value in of_format.items() if name not in COUNTED}
    name = own.pop("name", league.name)
    now, following = replace(league.format, **of_nights), replace(held.format, **of_format)
    return replace(
        league,
        name=name,
        schedule=replace(league.schedule, **own),
        format=now,
        drafted=None if following == now else following,
    )


def _move(league: League, start: str, to: str) -> League:
    moved = {each: local for each, local in league.schedule.moved.items() if each != start}
    return replace(league, schedule=replace(league.schedule, moved={**moved, start: to} if to else moved))


def _merge(league: League, event: Merged) -> League:
    gone, kept = league.members[event.gone.id], league.members[event.kept.id]
    league = change_member(league, gone.id, accounts=(), into=kept.id, listed=False, role="", partner="")
    return change_member(
        league,
        kept.id,
        accounts=(*kept.accounts, *gone.accounts),
        listed=kept.listed or gone.listed,
        role=kept.role or gone.role,
    )


def _part(league: League, event: Merged) -> League:
    """Return the league with two merged members apart again. An account that the person has given up since
    goes back to nobody."""
    kept = league.members[event.kept.id]
    back = tuple(each for each in event.gone.accounts if each in kept.accounts)
    stay = tuple(each for each in kept.accounts if each not in back)
    before = event.gone
    league = change_member(league, kept.id, accounts=stay, listed=event.kept.listed, role=event.kept.role)
    return change_member(
        league,
        before.id,
        accounts=back,
        into="",
        listed=before.listed,
        role=before.role,
        partner=before.partner,
    )


def _reopen(league: League) -> League:
    """Return the league as it goes on after all. A season that only its end had closed is open again."""
    open = league.season in league.seasons
    seasons = {number: each for number, each in league.seasons.items() if number != league.season}
    return replace(league, ended=False, seasons=seasons if open else league.seasons)
