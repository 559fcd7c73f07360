"""The wall: organisers get the address that shows all tables of a night together."""

import secrets
from typing import Final

from bot.errors import Refused
from bot.handlers.declarations import button
from bot.handlers.league.targets import LEAGUE, organiser
from bot.handlers.request import RequestContext
from bot.league.model import League
from bot.markup import Link, Page
from bot.ports import Answer

WALL_HOURS: Final = 24
_BYTES: Final = 32


@button("league_wall", on=LEAGUE, needs=organiser)
async def _wall(context: RequestContext, league: League) -> Answer:
    """Make a new address, valid for a day, and tell it to this organiser alone. Raises Refused
    `unknown_button` where the program's web server has no address."""
    services, words = context.services, context.words
    if not services.web_url:
        raise Refused("unknown_button")
    key = secrets.token_urlsafe(_BYTES)
    await services.codes.put("wall", key, league.id.encode(), WALL_HOURS * 3600.0, owner=context.by.key)
    link = Link(words.plain("league.wall"), f"{services.web_url}/league/wall#{key}")
    text = (*words.say("league.run.wall", n=WALL_HOURS), "\n🖥 ", link)
    return Answer(page=Page(text=text, turns=context.place is None))
