"""Help: a first page that fits the reader, the pages behind it, and the guide at a person's first seat."""

from contextlib import suppress
from dataclasses import replace
from typing import Final

from bot.commands import Audience, list_offered
from bot.errors import Refused, is_allowed
from bot.handlers.context import RequestContext
from bot.handlers.declarations import button, command, unknown_command
from bot.handlers.hosting import explain_rules
from bot.handlers.lookup import find_at, find_own
from bot.handlers.personal import show_anew
from bot.handlers.services import Services
from bot.handlers.who import ANYBODY
from bot.i18n import LANGUAGES, words_for
from bot.i18n.commands import is_button
from bot.markup import Page
from bot.ports import Answer, FinalRefusal, platform_of
from bot.repository.tables import StoredTable
from bot.screens.greeting import as_public, greeting_page, hello_page
from bot.screens.help import STEPS, HelpFacts, commands_page, guide_page, help_button, help_page
from bot.screens.table import present_publicly
from bot.tables.facts import table_facts
from bot.tables.places import post_again
from engine.rules import Rules

MENTION_SECONDS: Final = 20.0
"""Seconds between two answers to mentions in one place."""

GREETED_SECONDS: Final = 30 * 24 * 3600.0
"""Seconds for which a community that was greeted is not greeted again, however often the bot is added."""

_AUDIENCES: Final[dict[str, Audience]] = {"commands": "everybody", "organisers": "organisers"}
"""The audience whose commands a page lists."""


@command("help", who=ANYBODY, audience="everybody", order=70)
async def show_help(context: RequestContext) -> Answer:
    """Return the first page."""
    return Answer(page=await _first_page(context, turns=False))


@button("help", who=ANYBODY)
async def _turn_help(context: RequestContext) -> Answer:
    """Show one of its pages. Raises Refused `unknown_button`."""
    if not context.data.arguments:
        return Answer(page=await _first_page(context, turns=True))
    page = context.argument()
    if page == "rules":
        rules, back = await explain_rules(context), help_button(context.words)
        return Answer(page=replace(rules, turns=True, buttons=((back,),)))
    if page not in _AUDIENCES:
        raise Refused("unknown_button")
    commands = list_offered(_AUDIENCES[page], app=bool(context.services.installation.web_url))
    return Answer(page=commands_page(page, commands, platform_of(context.by.key), context.words))


@button("speak", who=ANYBODY)
async def _speak(context: RequestContext) -> Answer:
    """Use this language for the person from now on. Raises Refused `unknown_button`."""
    language = context.argument()
    if language not in LANGUAGES:
        raise Refused("unknown_button")
    await context.change_profile(lambda held: replace(held, language=language))
    context.by = replace(context.by, language=language)
    await show_anew(context)
    return Answer(page=await _first_page(context, turns=True))


@command("talk", who=ANYBODY)
async def _talk(context: RequestContext) -> Answer:
    """Answer a private message that is no command. Raises Refused `unknown_command` for words of a button."""
    if is_button(context.text):
        raise unknown_command(context.text)
    return Answer(page=hello_page(await _find_situation(context), context.words))


@command("mention", who=ANYBODY, in_place=True)
async def _mention(context: RequestContext) -> Answer:
    """Answer somebody who mentions the bot in a place, once in a while: the table that waits or is played
    there comes to the bottom, or, if it lies there already, it is said how it stands."""
    services, place = context.services, context.here
    if await services.store.calls.spend([(f"mention {place}", 1, MENTION_SECONDS)]) > 0:
        return Answer()
    stored = await find_at(context, place, wanted=_goes_on)
    if stored is None:
        return Answer(page=greeting_page(place, context.words))
    settings = await services.communities.around(place)
    if not await is_allowed(services.permissions.admission.let_in(context.by.key, settings.community)):
        return Answer()
    before = stored.value.postings.posted
    stored = await services.tables.change(
        stored.value.id, context.action, lambda now: post_again(now.value, now.now)
    )
    if stored.value.postings.posted != before and place in stored.value.places:
        return Answer()
    return Answer(page=present_publicly(table_facts(stored.value, stored.deadline, place), context.words))


async def greet(services: Services, place: str, language: str) -> None:
    """Greet a community to which the bot was just added, in one of its places: one message, once, and none
    where it is back at a table that is open. Raises RetryAfter, StoreUnavailable."""
    chat, whole = services.people.chat_of(place), await services.communities.whole(place)
    if await services.permissions.admission.open_tables(place):
        return
    if chat is None or await services.store.calls.spend([(f"greeted {whole}", 1, GREETED_SECONDS)]) > 0:
        return
    chosen = await services.communities.nearest(place, lambda each: each.language)
    page = greeting_page(place, words_for(chosen or language))
    with suppress(FinalRefusal):  # they may write to it all the same
        await chat.show_table(place, as_public(page), None, anew=True)


async def _first_page(context: RequestContext, *, turns: bool) -> Page:
    return help_page(await _find_situation(context), context.words, turns=turns)


async def _find_situation(context: RequestContext) -> HelpFacts:
    """Return the situation of a person, at the table at which they sit, else at the table of the place."""
    stored = await find_own(context, lambda stored: stored.value.is_open and not stored.value.practice)
    if stored is None and context.place is not None:
        stored = await find_at(context, context.place, wanted=_goes_on)
    table = seat = None
    if stored is not None:
        table = context.facts(stored)
        seat = stored.value.seat_of(context.by.key)
    chat = context.services.people.chat_of(context.by.key)
    add = None if chat is None or context.place is not None else chat.links.add
    return HelpFacts(
        table, seat, private=context.place is None, platform=platform_of(context.by.key), add=add
    )


def _goes_on(stored: StoredTable) -> bool:
    return not stored.value.is_over


@command("guide", who=ANYBODY, audience="everybody", order=80)
async def _guide(context: RequestContext) -> Answer:
    return await _find_step(context, 1, await find_own(context, _goes_on), turns=False)


@button("guide", who=ANYBODY)
async def _turn_guide(context: RequestContext) -> Answer:
    if not context.data.arguments:  # pressed on a screen that is not to be turned over
        return await _guide(context)
    return await _find_step(context, context.number(), await find_own(context, _goes_on), turns=True)


async def add_guide(context: RequestContext, answer: Answer, stored: StoredTable) -> Answer:
    """Add the guide to the answer to a person who has just come to a table, the first time it can
    reach them.

    A person who must open their private chat first gets it there.
    """
    if answer.open_private is not None or context.profile.guided:
        return answer
    return replace(answer, page=(await _find_step(context, 1, stored, turns=False)).page)


async def _find_step(
    context: RequestContext, step: int, stored: StoredTable | None, *, turns: bool
) -> Answer:
    """Return a step of the guide to a table's game, or to classic Okey."""
    if not 1 <= step <= STEPS:
        raise Refused("unknown_button")
    if not context.profile.guided:
        await context.change_profile(lambda held: replace(held, guided=True))
    rules = Rules() if stored is None else stored.value.match.rules
    return Answer(page=guide_page(step, context.words, turns=turns, rules=rules))
