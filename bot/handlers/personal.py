"""Personal data: linked accounts, and deleting everything about a person."""

from bot.errors import Refused
from bot.handlers.declarations import command
from bot.handlers.request import RequestContext, Services
from bot.i18n import LANGUAGES, folded, words_for
from bot.markup import Name
from bot.people.codes import spelled
from bot.ports import Answer
from bot.tables import membership


@command("link", audience="everybody", order=210)
async def _link(context: RequestContext) -> Answer:
    """A code for the other account, or the link to the one that the code came from; in private only."""
    accounts, words = context.services.accounts, context.words
    if context.place is not None:
        await accounts.burn(context.text)
        raise Refused("private_only")
    if not context.text:
        code = spelled(await accounts.offer(context.by))
        return Answer(notice=words.say("notice.link_code", code=code))
    name = await accounts.accept(context.text, context.by)
    return Answer(notice=words.say("notice.linked", who=Name(name)))


@command("unlink", audience="everybody", order=220)
async def _unlink(context: RequestContext) -> Answer:
    """Two people again, in leagues too: these first, so that what breaks off can be asked for again.

    Raises Refused `not_linked`.
    """
    if context.other is not None:
        await context.services.league_repository.part(context.by.key, context.other)
    await context.services.accounts.unlink(context.by.key)
    return Answer(notice=context.words.say("notice.unlinked"))


@command("forget", audience="everybody", order=230)
async def _forget(context: RequestContext) -> Answer:
    """Asks once more, then deletes everything."""
    agreed = {folded(words_for(language).plain("forget.yes")) for language in LANGUAGES}
    if folded(context.text) not in agreed:
        return Answer(notice=context.words.say("notice.forget_asks"))
    for account in (context.by.key,) if context.other is None else (context.other, context.by.key):
        await forget(context.services, account)
    return Answer(notice=context.words.say("notice.forgotten"))


async def forget(services: Services, account: str) -> None:
    """Delete everything about an account. What breaks off in the middle can be asked for again: what leads to
    the rest is deleted last. Raises Refused `busy`, StoreUnavailable, UnknownSchema."""
    for table in await services.store.tables_of(account):
        await _forget_at(services, table, account)
    await services.communities.forget(account)
    await services.history.forget(account)
    await services.league_repository.forget(account)
    await services.store.drop_tokens_of(account)
    await services.store.forget_person(account)


async def _forget_at(services: Services, table: str, account: str) -> None:
    try:
        await services.repository.change(
            table, None, lambda stored: membership.forgotten(stored.value, account, services.delays)
        )
    except Refused as refused:
        if refused.code != "unknown_table":
            raise
    await services.store.drop_shown(table, account)
