"""League visibility: who sees a league's pages on the web, and the way there for its own people."""

from typing import Final

from bot.commands import Argument
from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.handlers.declarations import button
from bot.handlers.league.founding import fresh_page_key
from bot.handlers.league.pages import turns
from bot.handlers.league.targets import LEAGUE, LEAGUE_FOUNDER, MEMBER, TYPED_LEAGUE, carry_out, league_word
from bot.handlers.published import sees_league
from bot.league.founding import VISIBILITIES, read_visibility
from bot.league.model import League, Visibility
from bot.league.visibility import change_visibility, path_of
from bot.markup import Link, Name, Page
from bot.ports import Answer
from bot.screens.league.organising import visibility_page
from bot.screens.league.settings import visibility_name

SEEN_BY: Final = Argument("visibility", choices=VISIBILITIES, said="league.value.visibility.{}")


@button("league_visibility", on=LEAGUE, who=LEAGUE_FOUNDER)
async def _press(context: RequestContext, league: League) -> Answer:
    """Show who sees the league's pages; with a button's word, change it. Raises Refused `league_word`."""
    if context.data.arguments:
        return await _change(context, league, read_visibility(context.argument()))
    return Answer(page=visibility_page(league, context.words))


@league_word("visibility", on=TYPED_LEAGUE, who=LEAGUE_FOUNDER, group="organise league", arguments=(SEEN_BY,))
async def _type(context: RequestContext, league: League) -> Answer:
    """Do the same. Raises Refused `league_word`."""
    if context.text:
        return await _change(context, league, read_visibility(context.text.strip()))
    return Answer(page=visibility_page(league, context.words))


async def _change(context: RequestContext, league: League, visibility: Visibility) -> Answer:
    """Change who sees the league's pages. If it is not public, its address changes, too."""
    key, words = fresh_page_key(), context.words
    after = await carry_out(context, league, lambda held, now: change_visibility(held, visibility, key))
    notice = words.say("notice.league_visibility", visibility=visibility_name(visibility, words))
    return Answer(notice=notice, page=visibility_page(after, words))


@button("league_page", on=LEAGUE, who=MEMBER, in_chat=True)
async def _way_in(context: RequestContext, league: League) -> Answer:
    """Tell the person alone a link of their own to the pages of a league that is for its own people.

    Raises Refused `unknown_button` where there are no such pages, `reads_no_place`.
    """
    services, words = context.services, context.words
    path = path_of(league)
    if not (services.installation.web_url and path and league.visibility == "members"):
        raise Refused("unknown_button")
    if not await sees_league(services, context.by.key, league):
        raise Refused("reads_no_place", name=league.name)
    secret = await services.sessions.link(context.by)
    link = Link(words.plain("league.hub.page"), f"{services.installation.web_url}/league/{path}#k={secret}")
    text = (*words.say("league.own_link", name=Name(league.name)), "\n🔗 ", link)
    return Answer(page=Page(text=text, turns=turns(context)))
