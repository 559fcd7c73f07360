"""League members and places: the list of members, fixed pairs, reminders, and a league's places."""

import re
from dataclasses import replace
from functools import partial
from typing import Final, Literal

from bot.commands import Argument
from bot.errors import Refused, is_allowed
from bot.handlers.arguments import CODE, ON_OFF
from bot.handlers.context import RequestContext
from bot.handlers.declarations import button, no_words
from bot.handlers.league.night_actions import find_member
from bot.handlers.league.targets import (
    LEAGUE,
    LEAGUE_FOUNDER,
    MEMBER,
    PLACE_ORGANISER,
    REFEREE,
    TYPED_LEAGUE,
    about_league,
    carry_out,
    declare_word,
    league_word,
    list_home,
    organiser_of_one,
)
from bot.handlers.who import ORGANISER_HERE
from bot.i18n import LANGUAGES, words_for
from bot.i18n.commands import bare
from bot.ids import LeagueId
from bot.league.acts import change_list, check_room, pair, withdraw
from bot.league.members import (
    Roster,
    change_member,
    find_given_name,
    parse_members,
)
from bot.league.model import ROLES, League, LeagueEvent, Member, Renamed, Role, RoleGiven
from bot.markup import Name, Page, Text
from bot.people.codes import fresh_code, read_code, spell
from bot.people.tokens import HashedTokens, digest_of
from bot.ports import Answer, channel_of
from bot.repository.leagues import LeagueRepository
from bot.screens.league.organising import ShownPlace, places_page
from bot.screens.league.parts import names
from bot.tables.membership import tag
from bot.tables.names import NOBODY, clean_name

LIST: Final = Argument("list", most=4000)
ONE: Final = Argument("one", "member", form="{},", most=32, required=True)
OTHER: Final = Argument("other", "member", most=32, required=True)
NO_ROLE: Final = "none"
ROLE: Final = Argument("role", choices=(*ROLES, NO_ROLE), said="league.role_of.{}", required=True)

_ACCOUNT: Final = re.compile(r"[a-z]+:[0-9]|<@", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"[\n\r,;]+")
_OFF: Final = "-"
"""Stands before the name of a member to remove."""


@league_word("members", on=TYPED_LEAGUE, who=REFEREE, group="organise league", arguments=(LIST,))
async def _members(context: RequestContext, league: League) -> Answer:
    """Show the list of members, or add to it: pasted lines with accounts, as an export has them, or names
    with commas between them; `-Ada` removes one.

    Refused as by `parse_members`. A wrong line rejects the whole list.
    """
    if context.text.strip():
        leaving, roster = read_list(context.text)
        leagues = context.services.leagues
        by, at = (await leagues.organiser(league.id, context.by)).id, leagues.clock()
        change = partial(change_list, roster=roster, leaving=leaving, at=at, by=by)
        league = await leagues.change(league.id, context.action, change)
    on, words = [member.id for member in league.members.values() if member.listed], context.words
    return Answer(notice=words.say("notice.league_members", n=len(on), names=names(league, on, words) or "–"))


@league_word("pair", on=TYPED_LEAGUE, who=REFEREE, group="organise league", arguments=(ONE, OTHER))
async def _pair(context: RequestContext, league: League) -> Answer:
    """Make `Ada, Can` partners from now on, wherever pairs are fixed.

    Refused: `bad_pair`, `unknown_member`.
    """
    one, name = _read_two(context.text, league)
    other = find_member(league, name)
    if one.id == other.id:
        raise Refused("bad_pair")
    await carry_out(context, league, lambda held, now: pair(held, one.id, other.id))
    names = {"who": Name(one.name), "other": Name(other.name)}
    return Answer(notice=context.words.say("notice.league_paired", **names))


@league_word("rename", on=TYPED_LEAGUE, who=REFEREE, group="organise league", arguments=(ONE, OTHER))
async def _rename(context: RequestContext, league: League) -> Answer:
    """Give a member a name of their own: `Mehmet (2), Mehmet Bey`. Refused: `bad_pair`, `unknown_member`."""
    member, name = _read_two(context.text, league)
    wanted = clean_name(name)
    if wanted == NOBODY:
        raise Refused("bad_pair")

    def make(held: League, now: float) -> LeagueEvent:
        known = held.members[member.id]
        return Renamed(known.id, wanted, find_given_name(known), known.named)

    after = await carry_out(context, league, make)
    names = {"who": Name(member.name), "other": Name(after.members[member.id].name)}
    return Answer(notice=context.words.say("notice.league_renamed", **names))


@league_word("merge", on=TYPED_LEAGUE, who=REFEREE, group="organise league", arguments=(ONE, OTHER))
async def _merge(context: RequestContext, league: League) -> Answer:
    """Make two members one person: the results of the first count for the second.

    Refused: `bad_pair`, `unknown_member`, `same_member`, `met_each_other`.
    """
    gone, name = _read_two(context.text, league)
    kept = find_member(league, name)
    leagues = context.services.leagues
    by = (await leagues.organiser(league.id, context.by)).id
    await leagues.merge(league, gone.id, kept.id, context.action, by=by)
    names = {"who": Name(gone.name), "other": Name(kept.name)}
    return Answer(notice=context.words.say("notice.league_merged", **names))


@league_word("role", on=TYPED_LEAGUE, who=LEAGUE_FOUNDER, group="organise league", arguments=(ONE, ROLE))
async def _give_role(context: RequestContext, league: League) -> Answer:
    """Give a member a role, or take it: `Ada, referee`, `Ada, none`. Refused: `bad_pair`, `unknown_member`,
    `league_word`, `last_founder`."""
    member, word = _read_two(context.text, league)
    role = _read_role(word)
    if role != "founder" and [each.id for each in league.founders] == [member.id]:
        raise Refused("last_founder")

    def make(held: League, now: float) -> LeagueEvent:
        return RoleGiven(member.id, role, held.members[member.id].role)

    await carry_out(context, league, make)
    words = context.words
    said = words.plain(f"league.role_of.{role or NO_ROLE}")
    return Answer(notice=words.say("notice.league_role", who=Name(member.name), role=said))


def _read_role(word: str) -> Role | Literal[""]:
    """Read a role, in any language. Raises Refused `league_word`."""
    roles: tuple[Role | Literal[""], ...] = (*ROLES, "")
    for role in roles:
        key = f"league.role_of.{role or NO_ROLE}"
        named = {bare(words_for(language).plain(key)) for language in LANGUAGES}
        if bare(word) in {role or NO_ROLE, *named}:
            return role
    raise Refused("league_word", option="role", word=word[:32], known=", ".join((*ROLES, NO_ROLE)))


def _read_two(text: str, league: League) -> tuple[Member, str]:
    """Return the member that begins a line, and what follows the comma. Refused: `bad_pair`,
    `unknown_member`."""
    name, comma, rest = text.partition(",")
    if not (comma and rest.strip()):
        raise Refused("bad_pair")
    return find_member(league, name), rest.strip()


@button("league_remind", on=LEAGUE, who=MEMBER)
async def _press_reminders(context: RequestContext, league: League) -> Answer:
    return await _remind(context, league, context.argument() == "on")


@league_word("reminders", on=TYPED_LEAGUE, who=MEMBER, arguments=(ON_OFF,))
async def _type_reminders(context: RequestContext, league: League) -> Answer:
    off = {bare(words_for(language).plain("league.off")) for language in LANGUAGES}
    return await _remind(context, league, bare(context.text) not in off)


async def _remind(context: RequestContext, league: League, wanted: bool) -> Answer:
    """Turn the person's reminders of nights on or off. Raises Refused `members_only`."""
    id = (await context.services.leagues.member(league.id, context.by)).id
    await context.services.leagues.change(
        league.id, None, lambda now: change_member(now, id, reminders=wanted)
    )
    return Answer(notice=context.words.say(f"notice.league_reminders_{'on' if wanted else 'off'}"))


def read_names(text: str) -> list[str]:
    """Return the names in pasted text."""
    return [name for piece in _BETWEEN.split(text) if (name := " ".join(piece.split()))]


def read_list(text: str) -> tuple[list[str], Roster]:
    """Return the names to remove, and the members to add. One line is names alone, unless it names an
    account. Raises Refused as `parse_members`, also for its first wrong line."""
    lines = text.splitlines()
    if len(lines) == 1 and not _ACCOUNT.search(text):
        lines = read_names(text)
    leaving = [line.strip().removeprefix(_OFF).strip() for line in lines if line.strip().startswith(_OFF)]
    roster = parse_members("\n".join(line for line in lines if not line.strip().startswith(_OFF)))
    if roster.wrong:
        raise roster.wrong[0]
    return leaving, roster


CODE_LENGTH: Final = 6
CODE_SECONDS: Final = 7 * 24 * 3600.0
"""Seconds for which a code that brings a league to one other place is valid."""

# A code is a hint: the league itself knows the valid one, and drops it when a place has joined by it.


@about_league("invite", who=LEAGUE_FOUNDER, group="organise league")
async def _invite(context: RequestContext, league: League) -> Answer:
    """Make a new code. The previous one becomes invalid. Raises Refused as `no_words`."""
    no_words(context)
    code = await put_invitation(context.services.tokens, context.services.leagues, league)
    return Answer(notice=context.words.say("notice.league_code", name=Name(league.name), code=code))


async def put_invitation(tokens: HashedTokens, leagues: LeagueRepository, league: League) -> str:
    """Make the code that brings a league to one other place, instead of the one before."""
    code = fresh_code(CODE_LENGTH)
    await tokens.put("league", code, league.id.encode(), CODE_SECONDS)
    await leagues.change(league.id, None, lambda now: replace(now, invitation=digest_of("league", code)))
    return spell(code)


@button("league_places", on=LEAGUE, who=PLACE_ORGANISER)
async def _places(context: RequestContext, league: League) -> Answer:
    return Answer(page=await _page(context, league))


@button("league_withdraw", on=LEAGUE, who=PLACE_ORGANISER)
async def _withdraw(context: RequestContext, league: League) -> Answer:
    told = context.argument()
    left = next((each for each in league.places if tag(each) == told), None)
    if left is None:
        raise Refused("old_button")
    after = await _withdraw_league(context, league, left)
    return replace(_tell_withdrawn(context, league, left), page=await _page(context, after))


@league_word("withdraw", on=TYPED_LEAGUE, who=PLACE_ORGANISER, group="organise league")
async def _type_withdraw(context: RequestContext, league: League) -> Answer:
    """Withdraw the league from a place where it is a guest. At home, ask which place is meant. A topic stands
    for its channel or group, unless the league meets in the topic itself. Refused: `no_league`,
    `last_place`, and as by `no_words`."""
    no_words(context)
    place = context.place
    if place is not None:
        left = next((each for each in (place, channel_of(place)) if each in league.places), None)
        if left is None:
            raise Refused("no_league")
        if len(league.places) == 1 or left not in await list_home(context, league):
            await _withdraw_league(context, league, left)
            return _tell_withdrawn(context, league, left)
    return Answer(page=await _page(context, league))


async def _join(context: RequestContext) -> Answer:
    """Bring the league of a code to the organiser's place. Refused: `here_only`, `wrong_code`,
    `too_many_tries`, `no_sharing`, `too_many_places`."""
    services, place, words = context.services, context.here, context.words
    await services.tokens.charge_try(context.by.key)
    code = read_code(context.text)
    found = None if code is None else await services.tokens.look_at("league", code)
    if code is None or found is None:
        raise Refused("wrong_code")
    await services.permissions.admission.share(place)
    community = await services.communities.whole(place)

    def act(league: League) -> League:
        if place in league.places:
            return league
        if league.invitation != digest_of("league", code):
            raise Refused("wrong_code")
        check_room(league)
        languages = {**league.languages, place: words.language}
        home = league.community or community  # of one that came from another host
        places = (*league.places, place)
        return replace(league, community=home, places=places, languages=languages, invitation="")

    league = await services.leagues.change(LeagueId(found.decode()), context.action, act)
    return Answer(notice=words.say("notice.league_joined", name=Name(league.name)))


declare_word("join", _join, who=ORGANISER_HERE, group="organise league", arguments=(CODE,))


async def _withdraw_league(context: RequestContext, league: League, left: str) -> League:
    """Withdraw the league from a place. Its current code becomes invalid. Raises Refused `last_place`."""
    await organiser_of_one(context, league, (left, *await list_home(context, league)))

    return await carry_out(context, league, lambda held, now: withdraw(held, left))


def _tell_withdrawn(context: RequestContext, league: League, left: str) -> Answer:
    where = _way(context, left)
    return Answer(notice=context.words.say("notice.league_withdrawn", name=Name(league.name), where=where))


async def _page(context: RequestContext, league: League) -> Page:
    home = await list_home(context, league)
    shown = []
    for place in league.places:
        may = len(league.places) > 1 and await is_allowed(organiser_of_one(context, league, (place, *home)))
        shown.append(ShownPlace(_way(context, place), tag(place) if may else ""))
    return places_page(league, shown, context.words)


def _way(context: RequestContext, place: str) -> Text:
    return context.services.permissions.admission.ways_to((place,))
