"""Targets of league requests: the league or night of a button or of a typed line; and `@league_word`, which
declares the words behind `/okey league`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

from bot.commands import DECLARED_COMMANDS, Argument, Audience, Command
from bot.errors import Refused
from bot.handlers.arguments import NAMED_LEAGUE
from bot.handlers.declarations import (
    Check,
    RequestHandler,
    RequestTarget,
    TargetHandler,
    button,
    declare_once,
)
from bot.handlers.request import RequestContext
from bot.league.model import League, Member
from bot.league.night import Night
from bot.ports import RetryAfter, channel_of, platform_of

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
    """The leagues of a place; in private the person's own. Raises Refused `here_only` when they have none."""
    leagues, place = context.services.leagues, context.place
    if place is not None:
        return await leagues.at_place(place, await context.services.communities.whole(place))
    own = await leagues.of_person(context.by.key)
    if not own:
        raise Refused("here_only", where=platform_of(context.by.key))
    return own


async def _typed_league(context: RequestContext) -> League:
    """The league of a place; of several, the one whose id begins the line and is removed from it.

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


TYPED_LEAGUE: Final = RequestTarget(_typed_league)
"""The league of a typed line."""


async def next_night(context: RequestContext, league: League) -> Night | None:
    """The running night, or else the next one; None before it is announced, which comes a moment after its
    league lists it."""
    ref = next((each for each in league.nights if not each.over), None)
    held = None if ref is None else await context.services.leagues.night(ref.id)
    return None if held is None else held.value


async def coming_night(context: RequestContext, league: League) -> LeagueNight:
    """The same. Raises Refused `no_next_night` when there is none."""
    night = await next_night(context, league)
    if night is None:
        raise Refused("no_next_night")
    return LeagueNight(league, night)


async def played_night(context: RequestContext, league: League) -> LeagueNight:
    """The night that was or is played most recently. Raises Refused `no_night_played`."""
    for ref in reversed(league.nights):
        held = await context.services.leagues.night(ref.id)
        if held is not None and held.value.rounds:
            return LeagueNight(league, held.value)
    raise Refused("no_night_played")


async def _typed_coming(context: RequestContext) -> LeagueNight:
    return await coming_night(context, await _typed_league(context))


async def _typed_played(context: RequestContext) -> LeagueNight:
    return await played_night(context, await _typed_league(context))


COMING_NIGHT: Final = RequestTarget(_typed_coming)
PLAYED_NIGHT: Final = RequestTarget(_typed_played)
"""The most recently played night of the league of a typed line; COMING_NIGHT is its next one."""


# Rights


async def organiser(context: RequestContext, of: League | LeagueNight) -> None:
    """Raises Refused as `organiser_of_one` for a league's places."""
    league = of.league if isinstance(of, LeagueNight) else of
    await organiser_of_one(context, league, league.places)


async def organiser_of_one(context: RequestContext, league: League, places: Iterable[str]) -> None:
    """Raises Refused `league_organisers_only` when the person is no organiser of any of these places of a
    league, `cannot_ask` while that can't be found out."""
    unasked = False
    for place in places:
        try:
            return await context.services.organisers.check(context.by.key, place)
        except Refused as refused:
            unasked |= refused.code == "cannot_ask"
    if unasked:
        raise Refused("cannot_ask")
    raise Refused("league_organisers_only", name=league.name)


async def organises(context: RequestContext, league: League) -> bool:
    """Whether the person is an organiser of one of a league's places. A chat that does not answer counts as
    no."""
    try:
        await organiser(context, league)
    except Refused:
        return False
    return True


async def taking_part(context: RequestContext, league: League) -> Member:
    """The person as a member of a league. Who is none yet becomes one if they can read one of its places. The
    chats are asked, unless the request comes from such a place or one of its threads.

    Refused: `reads_no_place`, `cannot_ask` while that can't be found out, `members_only`.
    """
    services, by = context.services, context.by
    known = any(league.member_of(key) for key in (by.key, context.other) if key)
    here = context.place is not None and channel_of(context.place) in map(channel_of, league.places)
    if not (known or here):
        try:
            if await services.readers.readable(by.key, league.places) is None:
                raise Refused("reads_no_place", name=league.name)
        except RetryAfter:
            raise Refused("cannot_ask") from None
    return await services.leagues.member(league.id, by)


# Words

WORDS: Final[dict[str, RequestHandler]] = {}
"""The words behind `/okey league`. `league.word.<word>` of the catalogues are their names."""


def league_word(
    *words: str,
    on: RequestTarget[T],
    needs: Check[T] | None = None,
    group: str = "league",
    arguments: tuple[Argument, ...] = (),
) -> Callable[[TargetHandler[T]], TargetHandler[T]]:
    """Declare that the function answers these words, about the league or night that the line means."""

    def declare(handler: TargetHandler[T]) -> TargetHandler[T]:
        for word in words:
            declare_word(
                word, on.answered_by(handler, needs), group=group, arguments=(NAMED_LEAGUE, *arguments)
            )
        return handler

    return declare


def declare_word(word: str, run: RequestHandler, *, group: str, arguments: tuple[Argument, ...]) -> None:
    """Raises ValueError when the word is declared twice."""
    name = f"league {word}"
    audience: Audience | None = "everybody" if group == "league" else "organisers"
    audience = audience if group else None
    command = Command(name=name, audience=audience, order=len(WORDS), group=group, arguments=arguments)
    declare_once(DECLARED_COMMANDS, name, command)
    declare_once(WORDS, word, run)


def about_league(
    name: str, needs: Check[League] | None = None, *, group: str = "league"
) -> Callable[[TargetHandler[League]], TargetHandler[League]]:
    """Declare that the function answers a word behind `/okey league`, and the button of that name."""

    def declare(handler: TargetHandler[League]) -> TargetHandler[League]:
        button(f"league_{name}", on=LEAGUE, needs=needs)(handler)
        return league_word(name, on=TYPED_LEAGUE, needs=needs, group=group)(handler)

    return declare
