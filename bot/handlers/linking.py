"""Linking: two accounts of one person become one, once both have said yes in their own private chats; and
become two again."""

from bot.errors import Refused
from bot.handlers.arguments import CODE_OR_NONE
from bot.handlers.context import RequestContext
from bot.handlers.declarations import button, command, no_words
from bot.handlers.personal import end_sessions
from bot.handlers.who import ANYBODY
from bot.i18n import Words, words_for
from bot.markup import Page
from bot.people.accounts import Proposal
from bot.people.codes import spell
from bot.ports import Answer, Person
from bot.screens.linking import no_page, question_page, waiting_page, yes_page


@command(
    "link", who=ANYBODY, audience="everybody", order=210, group="my", arguments=(CODE_OR_NONE,), in_chat=True
)
async def _link(context: RequestContext) -> Answer:
    """Ask whether to link with the account that a code came from; without a code, the question that waits for
    the person, or else a code for their other account. In private only."""
    accounts, words = context.services.accounts, context.words
    if context.place is not None:
        await accounts.burn(context.text)
        raise Refused("private_only")
    if context.text:
        return Answer(page=question_page(await accounts.propose(context.text, context.by), words))
    waits = await accounts.find_proposal(context.by.key)
    if waits is not None and await accounts.other(context.by.key) is None:
        return Answer(page=waiting_page(waits, words) if waits.agreed else question_page(waits, words))
    code = spell(await accounts.offer(context.by))
    typed = context.services.people.type_elsewhere(context.by.key, words.type_command("link", {"code": code}))
    return Answer(notice=words.say("notice.link_code", code=code, typed=typed))


@button("link_yes", who=ANYBODY, in_chat=True)
async def _agree(context: RequestContext) -> Answer:
    """Say yes. The first one leads to the question in the other account, the second one links them."""
    _check_private(context)
    proposal, linked = await context.services.accounts.agree(context.by, context.argument())
    other, mirrored = proposal.other, Proposal(context.by)
    if linked:
        _tell(context, other, yes_page(mirrored, await _words_of(context, other)), "linked")
        return Answer(page=yes_page(proposal, context.words))
    _tell(context, other, question_page(mirrored, await _words_of(context, other)), "asked")
    return Answer(page=waiting_page(proposal, context.words))


@button("link_no", who=ANYBODY, in_chat=True)
async def _decline(context: RequestContext) -> Answer:
    """Say no, or take a yes back before the other one has come."""
    _check_private(context)
    proposal = await context.services.accounts.decline(context.by.key, context.argument())
    other = proposal.other
    _tell(context, other, no_page(await _words_of(context, other)), "declined")
    return Answer(page=no_page(context.words))


@command("unlink", who=ANYBODY, audience="everybody", order=220, group="my", in_chat=True)
async def _unlink(context: RequestContext) -> Answer:
    """Separate the two accounts again. Leagues come first, so that an interrupted request can be repeated.

    Raises Refused `not_linked`, and as `no_words`.
    """
    no_words(context)
    other = await context.services.accounts.other(context.by.key)
    if other is not None:
        await context.services.leagues.part(context.by.key, other)
    await context.services.accounts.unlink(context.by.key)
    await end_sessions(context)
    return Answer(notice=context.words.say("notice.unlinked"))


def _check_private(context: RequestContext) -> None:
    """Raises Refused `private_only`."""
    if context.place is not None:
        raise Refused("private_only")


def _tell(context: RequestContext, other: Person, page: Page, news: str) -> None:
    context.services.delivery.tell(other.key, page, f"{news} {context.by.key} {context.id}")


async def _words_of(context: RequestContext, other: Person) -> Words:
    """Return the words in the language of the other account."""
    profile = await context.services.people.load(other.key)
    return words_for(profile.language or other.language)
