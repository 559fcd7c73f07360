"""Own link: opening the table as an app from a private chat, and signing out everywhere."""

from bot.errors import Refused
from bot.handlers.declarations import TABLE_OR_NONE, button, command
from bot.handlers.request import RequestContext
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.screens.preferences import own_link_page


@command("app", audience="everybody", order=240, group="my", for_app=True)
async def _link(context: RequestContext) -> Answer:
    """Send a link to the person, in private only. Raises Refused `private_only`, `unknown_command`."""
    if not context.services.web_url:
        raise Refused("unknown_command", verb=context.verb)
    if context.place is not None:
        raise Refused("private_only")
    secret = await context.services.sessions.link(context.by)
    return Answer(page=own_link_page(f"{context.services.web_url}/#k={secret}", context.words))


@button("app", on=TABLE_OR_NONE)
async def _open_app(context: RequestContext, stored: StoredTable | None) -> Answer:
    """Open the table as an app, where the chat does that in answer to a press. Such an opening names no
    table, so the table is noted."""
    if stored is None:
        raise Refused("unknown_table")
    await context.services.sessions.wish(context.by.key, stored.value.id)
    return Answer(launch=True)


@button("log_out")
async def _log_out(context: RequestContext) -> Answer:
    """Sign out in every browser and app, under both accounts."""
    await end_sessions(context)
    return Answer(notice=context.words.say("notice.logged_out"))


async def end_sessions(context: RequestContext) -> None:
    """End all sessions of the person."""
    for account in filter(None, (context.by.key, context.other)):
        await context.services.sessions.end_all(account)
