"""What members press on a night's board: whether they come, that they are here, that they go, a dispute."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.delivery.boards import Boards
from bot.errors import Refused
from bot.handlers.request import RequestContext
from bot.i18n import Words
from bot.ids import NightId
from bot.league import decide
from bot.league.decide import DISPUTE_MINUTES, Happening
from bot.league.events import NightReply
from bot.league.model import League, Member
from bot.league.night import Night, NightTable
from bot.markup import Text
from bot.people.leagues import Leagues
from bot.people.permissions import Admission
from bot.people.profiles import Profiles
from bot.ports import Answer, Person
from bot.screens.league.results import dispute_page, leaving_page

Act = Callable[[Night, float, Member, str], Happening]


def _replying(said: NightReply) -> Act:
    return lambda night, now, member, place: decide.reply(night, now, member, said, place)


def _sit(night: Night, now: float, member: Member, place: str) -> Happening:
    """He takes the first seat that a computer player keeps."""
    round = night.round
    free = [] if round is None else [(t.number, s) for t in round.tables if not t.over for s in t.free]
    if not free:
        raise Refused("no_free_seat")
    table, seat = free[0]
    return decide.take_seat(night, now, member, place, table=table, seat=seat)


_ACTS: Final[Mapping[str, Act]] = {
    "night_yes": _replying("yes"),
    "night_maybe": _replying("maybe"),
    "night_no": _replying("no"),
    "night_substitute": _replying("substitute"),
    "night_here": decide.come,
    "night_late": decide.come,
    "night_sit": _sit,
    "night_gone": decide.leave,
}

SIGNING: Final = frozenset({*_ACTS, "night_leave", "night_dispute"})
"""The buttons of members."""

TYPED: Final = tuple(verb.removeprefix("night_") for verb in _ACTS if verb not in ("night_gone", "night_sit"))
"""What of it may be typed as well."""

_COMES: Final = ("night_yes", "night_here", "night_late", "night_sit")
"""Who does that will be shown racks."""

_STAYS_AWAY: Final = ("night_no", "night_gone")

_JOINS: Final = ("night_yes", "night_here", "night_late")
"""What brings somebody into a night, whenever he presses it."""

_TABLE: Final = re.compile(r"([0-9]{1,2})[./]([0-9]{1,3})\s*(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Signing:
    """The handlers of these buttons. Refusals are raised as Refused, as `bot.league.decide` says."""

    leagues: Leagues
    people: Profiles
    boards: Boards
    admission: Admission

    async def press(self, context: RequestContext, press_id: str) -> Answer:
        """Carry out one of the buttons of `SIGNING`, once, and show the board on which it stands."""
        verb, night = context.request.verb, await self.leagues.night(context.night)
        if verb == "night_leave":
            return Answer(page=leaving_page(night, context.words))
        action = f"{context.by.key} {press_id}"
        if verb == "night_dispute":
            return await self._dispute(context, night, action)
        answer = await self.act(verb, night, context.by, context.place, context.words, action)
        return await self._with_board(answer, night.id, context)

    async def act(
        self, verb: str, night: Night, by: Person, place: str | None, words: Words, action: str
    ) -> Answer:
        """One of `_ACTS`, and what is said to whom it is about. Refused also: `blocked`, `members_only`."""
        league = await self.leagues.load(night.league)
        here = _place(league, by, place, night)
        if verb not in _STAYS_AWAY:
            await self.admission.take_part(by.key, league.community, here)
        member = await self.leagues.member(night.league, by)
        after = await self.leagues.act(
            night.id, action, lambda held, now: _ACTS[verb](held, now, member, here), by=member.id
        )
        token = await self.people.invitation(by.key, night.id) if verb in _COMES else None
        notice = _notice(verb, after, member, words)
        if token is not None:
            notice = (*notice, " ", *words.say("notice.night_open"))
        return Answer(notice=notice, open_private=token)

    async def typed_dispute(
        self, night: Night, by: Person, argument: str, words: Words, action: str
    ) -> Answer:
        """`1.3 he laid two tiles`: the round, the table, and what is wrong. Raises `bad_dispute`."""
        found = _TABLE.fullmatch(argument.strip())
        if found is None:
            raise Refused("bad_dispute")
        return await self._disputed(night, by, int(found[1]), int(found[2]), found[3], words, action)

    async def _dispute(self, context: RequestContext, night: Night, action: str) -> Answer:
        if context.request.arguments:
            round, table = context.number(0), context.number(1)
            return await self._disputed(night, context.by, round, table, "", context.words, action)
        member = await self.leagues.member(night.league, context.by)
        tables = _disputable(night, member.id, self.leagues.clock())
        if not tables:
            raise Refused("nothing_to_dispute", minutes=DISPUTE_MINUTES)
        league = await self.leagues.load(night.league)
        return Answer(page=dispute_page(league, night, tables, context.words))

    async def _disputed(
        self, night: Night, by: Person, round: int, table: int, said: str, words: Words, action: str
    ) -> Answer:
        member = await self.leagues.member(night.league, by)
        await self.leagues.act(
            night.id,
            action,
            lambda held, now: decide.dispute(held, now, member, round=round, table=table, words=said),
            by=member.id,
        )
        return Answer(notice=words.say("notice.night_disputed", round=round, number=table))

    async def _with_board(self, answer: Answer, night: NightId, context: RequestContext) -> Answer:
        """The answer with the board on which was pressed, unless the night has a new one coming: that is
        the post's to show, in a message of its own."""
        if context.private or context.place is None:
            return answer
        held = await self.leagues.night(night)
        shown = (await self.boards.store.shown(night)).get(context.place)
        if shown is None or shown.revision < held.phase_revision:
            return answer
        return replace(answer, public=await self.boards.board(held, context.place))


def _place(league: League, by: Person, place: str | None, night: Night) -> str:
    """Where his tables are to be shown: where he pressed; in private, where he said so before, or where his
    chat has a place of the league."""
    if place in league.places:
        return place
    member = league.member_of(by.key)
    entrant = None if member is None else night.entrant(member.id)
    chat = by.key.partition(":")[0]
    near = [each for each in league.places if each.partition(":")[0] == chat]
    if entrant is not None and entrant.place in (near or league.places):
        return entrant.place
    return (*near, *league.places)[0]


def _notice(verb: str, night: Night, member: Member, words: Words) -> Text:
    """What came of a press, as the night now is: the same one means more while it is played."""
    if verb in _JOINS and member.id in night.waiting:
        return words.say("notice.night_waiting", place=night.waiting.index(member.id) + 1)
    if verb in _JOINS and night.stage not in ("announced", "check_in"):
        sits = night.round is not None and night.round.seat_of(member.id) is not None
        return words.say("notice.night_back" if sits and night.stage == "playing" else "notice.night_late")
    if verb == "night_yes" and night.stage == "check_in":
        return words.say("notice.night_yes_now")
    if verb == "night_late" and night.stage == "check_in":
        return words.say("notice.night_here")
    if verb == "night_no" and night.stage not in ("announced", "check_in"):
        return words.say("notice.night_gone")
    return words.say(f"notice.{verb}")


def _disputable(night: Night, member: str, now: float) -> list[tuple[int, NightTable]]:
    """The tables, with their rounds, whose results a member may dispute now."""
    return [
        (round.number, table)
        for round in night.rounds
        for table in round.tables
        if member in table.seats
        and table.over
        and not table.void
        and table.dispute is None
        and table.ended_at is not None
        and now - table.ended_at <= DISPUTE_MINUTES * 60
    ]
