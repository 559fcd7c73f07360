"""Targets of league requests: the league or night of a button or of a typed line; and `@league_word`, which
declares the words behind `/okey league`; and the people who may ask for them."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from bot.commands import DECLARED_COMMANDS, Argument, Audience, Command
from bot.errors import Refused, is_allowed
from bot.handlers.arguments import NAMED_LEAGUE
from bot.handlers.context import RequestContext
from bot.handlers.declarations import (
    DeclaredCommand,
    RequestHandler,
    RequestTarget,
    TargetHandler,
    button,
    check_before,
    declare_once,
)
from bot.handlers.who import CheckedPeople, Who
from bot.league.model import ROLES, League, Member, Role
from bot.league.night import Night
from bot.ports import RetryAfter, channel_of, platform_of
from bot.repository.leagues import MakeEvent

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LeagueNight:
    """A night, and its league."""

    league: League
    night: Night


async def _league(context: RequestContext) -> League:
    return await context.services.leagues.load(context.league)


async def _night(context: RequestContext) -> LeagueNight:
    night = await context.services.leagues.load_night(context.night)
    return LeagueNight(await context.services.leagues.load(night.league), night)


LEAGUE: Final = RequestTarget(_league)
"""The league of a button. Raises Refused `unknown_league`."""
NIGHT: Final = RequestTarget(_night)
"""The night of a button. Raises Refused `unknown_night`."""


async def leagues_here(context: RequestContext) -> list[League]:
    """Return the leagues of a place; in private the person's own. Raises Refused `here_only` when they have
    none."""
    leagues, place = context.services.leagues, context.place
    if place is not None:
        return await leagues.at_place(place, await context.services.communities.whole(place))
    own = await leagues.of_person(context.by.key)
    if not own:
        raise Refused("here_only", where=platform_of(context.by.key))
    return own


async def _find_typed_league(context: RequestContext) -> League:
    """Return the league of a place; of several, the one whose id begins the line and is removed from it.

    Raises Refused `no_league`, `which_league`.
    """
    here = await leagues_here(context)
    if not here:
        raise Refused("no_league")
    first, *others = context.text.split(maxsplit=1) or [""]
    for league in here:
        if first.lower() == league.id:
            context.text = "".join(others)
            return league
    going = [league for league in here if not league.ended] or here[:1]
    if len(going) > 1:
        raise Refused("which_league", leagues=", ".join(f"{each.id} ({each.name})" for each in going))
    return going[0]


TYPED_LEAGUE: Final = RequestTarget(_find_typed_league)
"""The league of a typed line."""


async def next_night(context: RequestContext, league: League) -> Night | None:
    """Return the running night, or else the next one; None before it is announced, which comes a moment after
    its league lists it."""
    ref = next((each for each in league.nights if not each.over), None)
    held = None if ref is None else await context.services.leagues.night(ref.id)
    return None if held is None else held.value


async def coming_night(context: RequestContext, league: League) -> LeagueNight:
    """Return the next night. Raises Refused `no_next_night` when there is none."""
    night = await next_night(context, league)
    if night is None:
        raise Refused("no_next_night")
    return LeagueNight(league, night)


async def find_played(context: RequestContext, league: League) -> LeagueNight:
    """Return the night that was or is played most recently. Raises Refused `no_night_played`."""
    for ref in reversed(league.nights):
        held = await context.services.leagues.night(ref.id)
        if held is not None and held.value.rounds:
            return LeagueNight(league, held.value)
    raise Refused("no_night_played")


async def _find_typed_coming(context: RequestContext) -> LeagueNight:
    return await coming_night(context, await _find_typed_league(context))


async def _find_typed_played(context: RequestContext) -> LeagueNight:
    return await find_played(context, await _find_typed_league(context))


COMING_NIGHT: Final = RequestTarget(_find_typed_coming)
PLAYED_NIGHT: Final = RequestTarget(_find_typed_played)
"""The most recently played night of the league of a typed line; COMING_NIGHT is its next one."""


# People


def _of(about: League | LeagueNight) -> League:
    return about.league if isinstance(about, LeagueNight) else about


async def _takes_part(context: RequestContext, about: League | LeagueNight) -> None:
    """Check that they take part. The chats are asked about nobody who is on the list of members, or who acts
    in one of the places. Who was blocked there keeps to the nights in which they are: they may leave, but not
    sign up."""
    league, here = _of(about), context.reads_from
    member = _find_member(context, league)
    if member is not None and member.listed:
        return
    if here is not None and channel_of(here) in map(channel_of, league.places):
        entered = isinstance(about, LeagueNight) and member is not None and about.night.entrant(member.id)
        if not entered:
            await context.services.permissions.admission.take_part(context.by.key, here)
        return
    try:
        reads = await context.services.permissions.readers.readable(context.by.key, league.places)
    except RetryAfter:
        if member is None:
            raise Refused("cannot_ask") from None
        return
    if reads is None:
        raise _unknown(about) if member is None else Refused("reads_no_place", name=league.name)


def _find_member(context: RequestContext, league: League) -> Member | None:
    keys = filter(None, (context.by.key, context.other))
    return next(filter(None, map(league.member_of, keys)), None)


async def check_role(context: RequestContext, league: League, least: Role) -> None:
    """Check that the person has a role in a league, or one that may do more. A league without a founder who
    can be reached is run by the organisers of the community that founded it.

    Raises Refused `league_organisers_only`, `league_role_only`, `cannot_ask` while that can't be found out.
    """
    if not league.founders:
        await organiser_of_one(context, league, await list_home(context, league))
        return
    member = _find_member(context, league)
    role = "" if member is None else member.role
    if not role:
        raise Refused("league_organisers_only", name=league.name)
    if ROLES.index(role) < ROLES.index(least):
        raise Refused("league_role_only", name=league.name, role=least)


def _has_role(least: Role) -> Callable[[RequestContext, League | LeagueNight], Awaitable[None]]:
    async def check(context: RequestContext, about: League | LeagueNight) -> None:
        try:
            await check_role(context, _of(about), least)
        except Refused as refused:
            if refused.code == "league_organisers_only":
                await _takes_part(context, about)  # nobody else may know that there is such a league
            raise

    return check


async def _runs_a_place(context: RequestContext, about: League | LeagueNight) -> None:
    league = _of(about)
    try:
        await organiser_of_one(context, league, league.places)
    except Refused as refused:
        if refused.code == "league_organisers_only":
            await _takes_part(context, about)
        raise


async def list_home(context: RequestContext, league: League) -> tuple[str, ...]:
    """Return the places of the community that founded a league."""
    whole = context.services.communities.whole
    return tuple([each for each in league.places if await whole(each) == league.community])


def _unknown(about: League | LeagueNight) -> Refused:
    return Refused("unknown_night" if isinstance(about, LeagueNight) else "unknown_league")


MEMBER: Final = CheckedPeople("member", _takes_part)
"""Members of a league: who is on its list, and who can read one of its places and so may become one. Refused:
`reads_no_place` for members who can no longer; for everybody else `unknown_league` or `unknown_night`,
`cannot_ask` while that can't be found out."""
HOST: Final = CheckedPeople("league host", _has_role("host"))
REFEREE: Final = CheckedPeople("league referee", _has_role("referee"))
LEAGUE_FOUNDER: Final = CheckedPeople("league founder", _has_role("founder"))
"""Who has this role in a league, or one that may do more. Refused as by `check_role`."""
PLACE_ORGANISER: Final = CheckedPeople("organiser of one of its places", _runs_a_place)
"""Organisers of one of a league's places, and its founders. Refused: `league_organisers_only`, `cannot_ask`
while that can't be found out."""


async def organiser_of_one(context: RequestContext, league: League, places: Iterable[str]) -> None:
    """Check that the person is an organiser of one of these places of a league, or a founder of it. Raises
    Refused `league_organisers_only`, `cannot_ask` while that can't be found out."""
    member = _find_member(context, league)
    if member is not None and member.role == "founder":
        return None
    unasked = False
    for place in places:
        try:
            return await context.services.permissions.organisers.check(context.by.key, place)
        except Refused as refused:
            unasked |= refused.code == "cannot_ask"
    if unasked:
        raise Refused("cannot_ask")
    raise Refused("league_organisers_only", name=league.name)


async def organises(context: RequestContext, league: League) -> bool:
    """Return whether the person is an organiser of one of a league's places. A chat that does not answer
    counts as no."""
    return await is_allowed(check_role(context, league, "host"))


# Words

WORDS: Final[dict[str, DeclaredCommand]] = {}
"""The words behind `/okey league`. `league.word.<word>` of the catalogues are their names."""


def league_word(
    *words: str,
    on: RequestTarget[T],
    who: Who[T],
    group: str = "league",
    arguments: tuple[Argument, ...] = (),
) -> Callable[[TargetHandler[T]], TargetHandler[T]]:
    """Declare that the function answers these words, for these people, about the league or night that the
    line means."""

    def declare(handler: TargetHandler[T]) -> TargetHandler[T]:
        for word in words:
            run = on.answer_by(handler, who)
            _declare(word, run, who, group=group, arguments=(NAMED_LEAGUE, *arguments))
        return handler

    return declare


def declare_word(
    word: str, run: RequestHandler, *, who: Who[None], group: str, arguments: tuple[Argument, ...]
) -> None:
    """Declare a word that is about no league yet. Raises ValueError when the word is declared twice."""
    _declare(word, check_before(run, who), who, group=group, arguments=arguments)


def _declare(
    word: str, run: RequestHandler, who: Who[Any], *, group: str, arguments: tuple[Argument, ...]
) -> None:
    name = f"league {word}"
    audience: Audience | None = "everybody" if group == "league" else "organisers"
    audience = audience if group else None
    command = Command(name=name, audience=audience, order=len(WORDS), group=group, arguments=arguments)
    declare_once(DECLARED_COMMANDS, name, command)
    declare_once(WORDS, word, DeclaredCommand(run, who, command))


def about_league(
    name: str, *, who: Who[League], group: str = "league"
) -> Callable[[TargetHandler[League]], TargetHandler[League]]:
    """Declare that the function answers a word behind `/okey league`, and the button of that name."""

    def declare(handler: TargetHandler[League]) -> TargetHandler[League]:
        button(f"league_{name}", on=LEAGUE, who=who)(handler)
        return league_word(name, on=TYPED_LEAGUE, who=who, group=group)(handler)

    return declare


async def carry_out(context: RequestContext, league: League, make: MakeEvent) -> League:
    """Carry out an act on a league in the name of the person who asks; return the new league. Raises Refused
    as `make`."""
    leagues = context.services.leagues
    by = (await leagues.organiser(league.id, context.by)).id
    return await leagues.carry_out(league.id, context.action, make, by=by)
