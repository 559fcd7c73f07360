"""Signing up: members say that they come, are here or leave, and dispute a result."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.errors import Refused
from bot.handlers.arguments import RESULT, WHY
from bot.handlers.context import RequestContext
from bot.handlers.declarations import button
from bot.handlers.league.targets import (
    COMING_NIGHT,
    MEMBER,
    NIGHT,
    PLAYED_NIGHT,
    LeagueNight,
    league_word,
)
from bot.i18n import Words
from bot.league import decide
from bot.league.decide import DISPUTE_MINUTES, Happening
from bot.league.events import NightReply
from bot.league.model import League, Member
from bot.league.night import Night
from bot.markup import Text
from bot.ports import Answer, Person, platform_of
from bot.screens.league.results import dispute_page, leaving_page

SignUp = Callable[[Night, float, Member, str], Happening]

_COMES: Final = ("yes", "here", "late", "sit")
"""Replies of people who will get racks to see."""

_STAYS_AWAY: Final = ("no", "gone")

_JOINS: Final = ("yes", "here", "late")
"""Replies that bring a member into a night at any stage."""

_TABLE: Final = re.compile(r"([0-9]{1,2})[./]([0-9]{1,3})\s*(.*)", re.DOTALL)


def _sign_up(name: str, act: SignUp, *, typed: bool = True) -> None:
    """Declare a reply: a button of a night's board and, if `typed`, a word. `act` changes the night."""

    async def run(context: RequestContext, of: LeagueNight) -> Answer:
        return await _carry_out_reply(context, of, name, act)

    button(f"night_{name}", on=NIGHT, who=MEMBER)(run)
    if typed:
        league_word(name, on=COMING_NIGHT, who=MEMBER)(run)


def _replying(said: NightReply) -> SignUp:
    return lambda night, now, member, place: decide.reply(night, now, member, said, place)


def _sit(night: Night, now: float, member: Member, place: str) -> Happening:
    """Take the first seat that a computer player keeps for a person; their own, if one is."""
    tables = () if night.round is None else night.round.tables
    free = [(table, seat) for table in tables if not table.over for seat in table.free]
    if not free:
        raise Refused("no_free_seat")
    own = (each for each in free if each[0].seats[each[1]] == member.id)
    table, seat = next(own, free[0])
    return decide.take_seat(night, now, member, place, table=table.number, seat=seat)


_sign_up("yes", _replying("yes"))
_sign_up("maybe", _replying("maybe"))
_sign_up("no", _replying("no"))
_sign_up("substitute", _replying("substitute"))
_sign_up("here", decide.come)
_sign_up("late", decide.come)
_sign_up("gone", decide.leave, typed=False)
_sign_up("sit", _sit, typed=False)


@button("night_leave", on=NIGHT, who=MEMBER)
async def _ask_to_leave(context: RequestContext, of: LeagueNight) -> Answer:
    return Answer(page=leaving_page(of.night, context.words))


@button("night_dispute", on=NIGHT, who=MEMBER)
async def _dispute(context: RequestContext, of: LeagueNight) -> Answer:
    """Dispute a table's result, or show the tables whose results may be disputed. Raises Refused
    `nothing_to_dispute`."""
    if context.data.arguments:
        return await _dispute_result(context, of, context.number(0), context.number(1), "")
    member = await context.services.leagues.member(of.league.id, context.by)
    tables = decide.disputable(of.night, context.services.leagues.clock(), member)
    if not tables:
        raise Refused("nothing_to_dispute", minutes=DISPUTE_MINUTES)
    return Answer(page=dispute_page(of.league, of.night, tables, context.words, asks=context.can_be_asked))


@button("night_complain", on=NIGHT, who=MEMBER, asks=WHY)
async def _complain(context: RequestContext, of: LeagueNight) -> Answer:
    """Dispute a table's result for the reason that was typed, if any was."""
    return await _dispute_result(context, of, context.number(0), context.number(1), context.text)


@league_word("dispute", on=PLAYED_NIGHT, who=MEMBER, arguments=(RESULT, WHY))
async def _type_dispute(context: RequestContext, of: LeagueNight) -> Answer:
    """Dispute `1.3 they laid two tiles`: the round, the table, and the complaint. Raises Refused
    `bad_dispute`."""
    found = _TABLE.fullmatch(context.text.strip())
    if found is None:
        raise Refused("bad_dispute")
    return await _dispute_result(context, of, int(found[1]), int(found[2]), found[3])


async def _carry_out_reply(context: RequestContext, of: LeagueNight, name: str, act: SignUp) -> Answer:
    """Carry out a reply. Refused, besides what `act` refuses: `blocked`, `members_only`."""
    services, by = context.services, context.by
    here = _place(of.league, by, context.place, of.night)
    if name not in _STAYS_AWAY:
        await services.permissions.admission.take_part(by.key, of.league.community, here)
    member = await services.leagues.member(of.league.id, by)
    after = await services.leagues.act(
        of.night.id, context.action, lambda night, now: act(night, now, member, here), by=member.id
    )
    token = await context.opening_token(of.night.id) if name in _COMES else None
    notice = _notice(name, after, member, context.words)
    if token is not None:
        notice = (*notice, " ", *context.words.say("notice.night_open"))
    return await _with_board(context, after, Answer(notice=notice, open_private=token))


async def _dispute_result(
    context: RequestContext, of: LeagueNight, round: int, table: int, said: str
) -> Answer:
    member = await context.services.leagues.member(of.league.id, context.by)
    await context.services.leagues.act(
        of.night.id,
        context.action,
        lambda night, now: decide.dispute(night, now, member, round=round, table=table, words=said),
        by=member.id,
    )
    return Answer(notice=context.words.say("notice.night_disputed", round=round, number=table))


async def _with_board(context: RequestContext, night: Night, answer: Answer) -> Answer:
    """Return the answer with the board whose button was pressed. If a new board is due, delivery sends it as
    its own message instead."""
    if not context.pressed or context.private or context.place is None:
        return answer
    shown = (await context.services.store.notes.load(night.id)).get(context.place)
    if shown is None or shown.number < night.phase_revision:
        return answer
    return replace(answer, public=await context.services.boards.board(night, context.place))


def _place(league: League, by: Person, place: str | None, night: Night) -> str:
    """Return the place of a member's tables: where they pressed; in private, the place that they used before,
    or one in their chat."""
    if place in league.places:
        return place
    member = league.member_of(by.key)
    entrant = None if member is None else night.entrant(member.id)
    near = [each for each in league.places if platform_of(each) == platform_of(by.key)]
    if entrant is not None and entrant.place in (near or league.places):
        return entrant.place
    return (*near, *league.places)[0]


def _notice(name: str, night: Night, member: Member, words: Words) -> Text:
    """Return the notice after a reply, by the night's stage: the same reply means more while the night is
    played."""
    if name in _JOINS and member.id in night.waiting:
        return words.say("notice.night_waiting", place=night.waiting.index(member.id) + 1)
    if name in _JOINS and night.stage not in ("announced", "check_in"):
        if member.id not in night.playing:  # a substitute, while the night is full
            return words.say("notice.night_substitute")
        found = None if night.round is None else night.round.seat_of(member.id)
        sits = found is not None and not found[0].over
        return words.say("notice.night_back" if sits else "notice.night_late")
    if name == "yes" and night.stage == "check_in":
        return words.say("notice.night_yes_now")
    if name == "late" and night.stage == "check_in":
        return words.say("notice.night_here")
    if name == "no" and night.stage not in ("announced", "check_in"):
        return words.say("notice.night_gone")
    return words.say(f"notice.night_{name}")
