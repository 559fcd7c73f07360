"""League places: where a league is played; other places are invited by a code, and withdrawn."""

from dataclasses import replace
from hashlib import blake2b
from typing import Final

from bot.errors import Refused
from bot.handlers.declarations import button
from bot.handlers.inviting import allow_sharing
from bot.handlers.league.targets import (
    LEAGUE,
    MEANT_LEAGUE,
    add_word,
    league_word,
    organiser,
    organiser_of_one,
)
from bot.handlers.request import RequestContext
from bot.league.model import League
from bot.markup import Name, Page, Text
from bot.people.codes import fresh_code, read_code, spelled
from bot.ports import Answer, channel_of
from bot.screens.league.managing import Shown, places_page
from bot.tables.membership import tag

CODE_LENGTH: Final = 6
CODE_SECONDS: Final = 7 * 24 * 3600.0
"""A code that brings a league to one other place is good for so long."""

PLACES_MOST: Final = 20

# A code is a hint: the league itself knows which one is good, and forgets it when a place comes with it.


@league_word("invite", on=MEANT_LEAGUE, needs=organiser)
@button("league_invite", on=LEAGUE, needs=organiser)
async def _invite(context: RequestContext, league: League) -> Answer:
    """A new code; the one before it is good no more."""
    code, services = fresh_code(CODE_LENGTH), context.services
    await services.codes.put("league", code, league.id.encode(), CODE_SECONDS)
    await services.leagues.change(league.id, None, lambda now: replace(now, invitation=_digest(code)))
    text = context.words.say("notice.league_code", name=Name(league.name), code=spelled(code))
    return Answer(notice=text)


@button("league_places", on=LEAGUE, needs=organiser)
async def _places(context: RequestContext, league: League) -> Answer:
    return Answer(page=await _page(context, league))


@button("league_withdraw", on=LEAGUE, needs=organiser)
async def _withdraw(context: RequestContext, league: League) -> Answer:
    told = context.argument()
    left = next((each for each in league.places if tag(each) == told), None)
    if left is None:
        raise Refused("old_button")
    after = await _withdrawn(context, league, left)
    return replace(_told_withdrawn(context, league, left), page=await _page(context, after))


@league_word("withdraw", on=MEANT_LEAGUE)
async def _type_withdraw(context: RequestContext, league: League) -> Answer:
    """Where a league is a guest it goes from there; at home it is asked which place is meant. In a topic the
    channel or group is, unless the league meets right there. Refused: `no_league`, `last_place`."""
    place = context.place
    if place is not None:
        await context.services.organisers.check(context.by.key, place)
        left = next((each for each in (place, channel_of(place)) if each in league.places), None)
        if left is None:
            raise Refused("no_league")
        if len(league.places) == 1 or left not in await _home(context, league):
            await _withdrawn(context, league, left)
            return _told_withdrawn(context, league, left)
    await organiser(context, league)
    return Answer(page=await _page(context, league))


async def _join(context: RequestContext) -> Answer:
    """The place of an organiser takes part in the league of a code. Refused: `here_only`, `wrong_code`,
    `too_many_tries`, `no_sharing`, `too_many_places`."""
    services, place, words = context.services, context.here, context.words
    await services.organisers.check(context.by.key, place)
    await services.codes.charge(context.by.key)
    code = read_code(context.text)
    found = None if code is None else await services.codes.look("league", code)
    if code is None or found is None:
        raise Refused("wrong_code")
    await allow_sharing(context, (place,))

    def act(league: League) -> League:
        if place in league.places:
            return league
        if league.invitation != _digest(code):
            raise Refused("wrong_code")
        if len(league.places) >= PLACES_MOST:
            raise Refused("too_many_places", n=PLACES_MOST)
        languages = {**league.languages, place: words.language}
        return replace(league, places=(*league.places, place), languages=languages, invitation="")

    league = await services.leagues.change(found.decode(), context.action, act)
    return Answer(notice=words.say("notice.league_joined", name=Name(league.name)))


add_word("join", _join)


async def _withdrawn(context: RequestContext, league: League, left: str) -> League:
    """The league goes from a place; a code that is out is good no more. Raises Refused `last_place`."""
    await organiser_of_one(context, (left, *await _home(context, league)))

    def act(now: League) -> League:
        places = tuple(each for each in now.places if each != left)
        if not places:
            raise Refused("last_place")
        return replace(now, places=places, invitation="")

    return await context.services.leagues.change(league.id, None, act)


def _told_withdrawn(context: RequestContext, league: League, left: str) -> Answer:
    where = _way(context, left)
    return Answer(notice=context.words.say("notice.league_withdrawn", name=Name(league.name), where=where))


async def _page(context: RequestContext, league: League) -> Page:
    home = await _home(context, league)
    shown = []
    for place in league.places:
        try:
            await organiser_of_one(context, (place, *home))
            may = len(league.places) > 1
        except Refused:
            may = False
        shown.append(Shown(_way(context, place), tag(place) if may else ""))
    return places_page(league, shown, context.words)


def _way(context: RequestContext, place: str) -> Text:
    return context.services.admission.ways_to((place,))


async def _home(context: RequestContext, league: League) -> tuple[str, ...]:
    """The places of the community that founded a league: its organisers may withdraw any."""
    whole = context.services.communities.whole
    return tuple([each for each in league.places if await whole(each) == league.community])


def _digest(code: str) -> str:
    return blake2b(f"league {code}".encode(), digest_size=16).hexdigest()
