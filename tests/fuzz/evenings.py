"""The changes that one press or command may make to a league and its nights.

- A league: organisers of its places change its settings, its address, its places, its end, its list of
  members and their roles, and stand in its log with what they do. Of its places they withdraw only their own,
  those of its community any. Organisers of another place may bring it there by a code, which is used up. Who
  can read one of its places, or organises one, may become a member, and be the one whose name alone is on the
  list. Only members themselves change their language and reminders; their name follows their chat, unless an
  organiser gave it; their bar is changed by no press.
- A night: every event is in its log with the name of the person who caused it, and the night follows from
  the log. Members act for themselves, and take seats that a computer player keeps; the rest is for
  organisers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Final

import msgspec

from bot.ids import league_key, read_key
from bot.league import events
from bot.league.apply import rebuilt
from bot.league.events import Recorded
from bot.league.model import LEAGUE_SCHEMA, League, Member
from bot.league.night import NIGHT_SCHEMA, Night
from bot.ports import channel_of
from bot.store import keys
from bot.store.codec import Codec
from bot.tables.names import clean_name
from tests.fuzz.deeds import Deed
from tests.fuzz.stored import Fact, Facts

_LEAGUES: Final = Codec(League, LEAGUE_SCHEMA)
_NIGHTS: Final = Codec(Night, NIGHT_SCHEMA)

_OF_ORGANISERS: Final = {
    *("name", "schedule", "format", "drafted", "visibility", "page_key"),
    *("places", "languages", "invitation", "ended", "acts"),
}
_OF_JOINING: Final = {"places", "languages", "invitation"}
_OF_A_LIST: Final = {"name", "given", "named", "accounts", "listed", "partner", "role", "into"}
"""The fields of other members that organisers change."""

_OF_HIMSELF: Final = {"name", "given", "accounts", "language", "reminders"}

_MEMBERS_ACTS: Final = (events.Replied, events.CheckedIn, events.Came, events.Disputed, events.SeatTaken)
_ORGANISERS_ACTS: Final = (
    *(events.Rescheduled, events.NightCancelled, events.CheckInClosed, events.Went, events.SeatTaken),
    *(events.Paused, events.WentOn, events.Extended, events.Corrected, events.Voided, events.Replayed),
    *(events.Penalised, events.Decided, events.Ended),
)


def league_in(facts: Facts, league: str) -> League | None:
    """A league as it is stored."""
    state = facts.get((keys.state(league_key(league)), "s"))
    return None if state is None else _LEAGUES.decode(state)


def night_in(facts: Facts, night: str) -> Night | None:
    """A night as it is stored."""
    state = facts.get((keys.state(night), "s"))
    return None if state is None else _NIGHTS.decode(state)


def of_evenings(key: str, touched: set[Fact], before: Facts, after: Facts, deed: Deed) -> Iterator[str]:
    """The forbidden changes of this deed to the league or night that is stored under a key."""
    if any(name == keys.notes(key) for name, _ in touched):
        yield "what was shown of it was changed"
    match read_key(key):
        case "league", league:
            yield from _of_league(league_in(before, league), league_in(after, league), deed)
        case "night", night:
            yield from _of_night(night, before, after, deed)


# Leagues


def _of_league(was: League | None, now: League | None, deed: Deed) -> Iterator[str]:
    if now is None:
        yield "it is gone"
    elif was is None:
        if now.members or not {now.community, *now.places} <= deed.organised:
            yield "it was founded for others"
    else:
        runs = bool(set(was.places) & deed.organised)
        others = _different(was, now) - {"members", "next_member"} - (_OF_ORGANISERS if runs else set())
        if others and not (deed.command and others <= _OF_JOINING and _joined(was, now, deed)):
            yield f"{sorted(others)} of it was changed"
        himself = _members(now, deed)
        if now.acts[: len(was.acts)] != was.acts or any(
            each.by not in himself for each in now.acts[len(was.acts) :]
        ):
            yield "its log was changed, or somebody else stands in it"
        gone = set(was.places) - set(now.places)
        if not (gone <= deed.organised or {channel_of(each) for each in deed.organised} & {was.community}):
            yield f"it was withdrawn from {sorted(gone)}"
        for id in sorted({*was.members, *now.members}):
            yield from _of_member(was.members.get(id), now.members.get(id), deed, runs=runs)
        if _known(now, deed) and not (_known(was, deed) or runs or _reads(was, deed)):
            yield "somebody who reads none of its places became a member"


def _known(league: League, deed: Deed) -> bool:
    return any(league.member_of(account) is not None for account in deed.accounts)


def _reads(league: League, deed: Deed) -> bool:
    """Return whether they can read one of a league's places, or are in one of its threads."""
    here = deed.place is not None and channel_of(deed.place) in map(channel_of, league.places)
    return here or bool(deed.read & {*league.places})


def _joined(was: League, now: League, deed: Deed) -> bool:
    """Return whether only their own place was added to a league's places, and the code is used up."""
    if deed.place not in deed.organised or now.places != (*was.places, deed.place) or now.invitation:
        return False
    return {place: now.languages.get(place) for place in was.languages} == dict(was.languages)


def _of_member(was: Member | None, now: Member | None, deed: Deed, *, runs: bool) -> Iterator[str]:
    if now is None:
        yield "a member is gone"
    elif was is None:
        if not runs and (now.listed or not set(now.accounts) <= deed.accounts or not now.accounts):
            yield "somebody else became a member"
    elif set(was.accounts) & deed.accounts or (was.listed and not was.accounts and not runs):
        others = _different(was, now) - _OF_HIMSELF - (_OF_A_LIST if runs else set())
        if others - ({"listed"} if deed.forgets else set()):
            yield f"{sorted(others)} of their membership was changed"
        if now.name != was.name and not (deed.forgets or runs or _follows_chat(was, now, deed)):
            yield f"they were renamed from {was.name!r} to {now.name!r} ({now.given!r})"
        if not set(now.accounts) <= {*was.accounts, *deed.accounts} and not runs:
            yield "others' accounts became theirs"
    elif others := _different(was, now) - (_OF_A_LIST if runs else set()):
        yield f"{sorted(others)} of {was.name} was changed"


def _follows_chat(was: Member, now: Member, deed: Deed) -> bool:
    """Return whether their new name is the one that they have in their chat, which no organiser's gives way
    to."""
    return not was.named and now.given == clean_name(deed.name)


def _members(league: League, deed: Deed) -> frozenset[str]:
    """Return the ids under which a league knows them."""
    return frozenset(each.id for each in league.members.values() if set(each.accounts) & deed.accounts)


def _different(was: League | Member, now: League | Member) -> set[str]:
    return {each.name for each in fields(was) if getattr(was, each.name) != getattr(now, each.name)}


# Nights


@dataclass(frozen=True)
class _Acts:
    """The events added to a night's log, and the person who caused them."""

    was: Night
    news: tuple[Recorded, ...]
    himself: frozenset[str]
    """The ids under which they are known."""
    runs: bool

    def wrong(self) -> Iterator[str]:
        for each in self.news:
            if each.by not in self.himself:
                yield f"{each.event} stands in another name, {each.by}"
            elif not (self._of_his_own(each.event) or (self.runs and self._of_organisers(each.event))):
                yield f"{each.event} was no affair of {each.by}"

    def _of_his_own(self, event: events.NightEvent) -> bool:
        if isinstance(event, events.SeatTaken):
            return event.member in self.himself and self._kept(event)
        if isinstance(event, events.Went):
            return event.member in self.himself or any(
                isinstance(each.event, events.SeatTaken) and self._owner(each.event) == event.member
                for each in self.news
            )
        return isinstance(event, _MEMBERS_ACTS) and event.member in self.himself

    def _of_organisers(self, event: events.NightEvent) -> bool:
        return isinstance(event, _ORGANISERS_ACTS)

    def _kept(self, event: events.SeatTaken) -> bool:
        """Return whether a computer player keeps the seat."""
        table = self.was.table(event.round, event.table)
        return table is not None and event.seat in table.free

    def _owner(self, event: events.SeatTaken) -> str:
        table = self.was.table(event.round, event.table)
        return "" if table is None else table.seats[event.seat]


def _of_night(night: str, before: Facts, after: Facts, deed: Deed) -> Iterator[str]:
    was, now = night_in(before, night), night_in(after, night)
    league = None if now is None else league_in(after, now.league)
    if was is None or now is None or league is None:
        yield "it came or went by itself"
        return
    old, new = _log(before, night), _log(after, night)
    news = new[len(old) :]
    if new[: len(old)] != old:
        yield "what happened was changed"
    if not news:
        yield "it was touched"
    if now != rebuilt(new):
        yield "it is not what follows from its log"
    himself = _members(league, deed)
    runs = bool(set(league.places) & deed.organised)
    yield from _Acts(was, tuple(news), himself, runs).wrong()


def _log(facts: Mapping[Fact, bytes], night: str) -> list[Recorded]:
    entries = {int(number): entry for (key, number), entry in facts.items() if key == keys.log(night)}
    return [msgspec.json.decode(entries[number], type=Recorded) for number in sorted(entries)]
