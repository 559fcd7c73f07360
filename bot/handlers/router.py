"""Router: leads a press or a typed command to its declared handler, and returns the answer."""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from pkgutil import walk_packages
from typing import Final

import bot.handlers
from bot import metrics
from bot.callback_data import CallbackData, read_callback
from bot.commands import ArgumentKind
from bot.errors import Refused
from bot.handlers.answering import mend, refusal
from bot.handlers.context import RequestContext
from bot.handlers.declarations import BUTTONS, COMMANDS, DeclaredButton, check_chat, unknown_command
from bot.handlers.fair_share import FairShare
from bot.handlers.help import greet
from bot.handlers.leaving import note_left
from bot.handlers.presence import note_presence
from bot.handlers.replaying import lead_to_private
from bot.handlers.services import Services
from bot.handlers.suggestions import suggestions
from bot.handlers.table_buttons import add_screens
from bot.i18n import fold, words_for
from bot.i18n.commands import read_command
from bot.ports import Answer, Person, Press, RetryAfter, Suggestion, TypedCommand, platform_of
from bot.screens.display import adapt_to_display
from bot.screens.parts import OWN
from bot.store import StoreUnavailable
from bot.store.codec import UnknownSchema

LOG: Final = logging.getLogger(__name__)

for _module in walk_packages(bot.handlers.__path__, "bot.handlers."):
    import_module(_module.name)  # each declares its buttons and commands


class Router:
    """The `bot.ports.Dispatcher` of one application."""

    def __init__(self, services: Services, share: FairShare) -> None:
        self._services = services
        self._share = share

    async def press(self, press: Press) -> Answer:
        """Carry out a button. A refusal is an answer, in the presser's language."""
        press = mend(press)
        data = read_callback(press.data) or CallbackData("", "", 0)
        button = BUTTONS.get(data.verb)
        table = data.target if button is not None and button.at_table else ""
        return await self._in_turn(press.by, "press", table, lambda: self._press(press, data, button))

    async def _press(self, press: Press, data: CallbackData, button: DeclaredButton | None) -> Answer:
        context = RequestContext(
            services=self._services,
            by=press.by,
            place=press.place,
            private=press.surface == "private",
            reads_from=press.place if press.within is None else press.within,
            id=press.id,
            data=data,
            by_session=press.by_session,
            text=press.typed.strip(),
        )
        if button is None:
            return refusal(context.words, Refused("unknown_button"))
        self._services.delivery.wake_sleepers(context.by.key, context.place)
        try:
            check_chat(context, in_chat=button.in_chat)
            await context.load_person()
            if button.on is None and not button.at_table and context.data.target != OWN:
                await note_presence(context)  # it is about the presser alone, but belongs to a table
            answer = _display(await lead_to_private(context, await button.run(context)), context)
        except (Refused, StoreUnavailable, RetryAfter, UnknownSchema) as error:
            answer = await _answer_error(context, error, button)
        return replace(answer, language=context.words.language)

    async def suggest(self, typed: TypedCommand, kind: ArgumentKind) -> list[Suggestion]:
        """Return the suggestions for an argument of this kind; none while the store is away."""
        typed = mend(typed)
        if not self._share.suggests(typed.by.key):
            return []
        context = self._typing(typed, typed.verb, typed.argument)
        try:
            await context.load_person()
            return await suggestions(context, kind)
        except (StoreUnavailable, RetryAfter, UnknownSchema):
            return []

    async def command(self, typed: TypedCommand) -> Answer:
        """Carry out a command. A refusal is an answer, in the language of the person who typed it."""
        typed = mend(typed)
        return await self._in_turn(typed.by, "command", "", lambda: self._command(typed))

    async def note_leaver(self, person: str, place: str) -> None:
        """Note that a person has left the community of a place, or was thrown out. What is not noted, because
        the store is away, is found out when they act next."""
        try:
            await note_left(self._services, person, place)
        except (Refused, StoreUnavailable, RetryAfter, UnknownSchema) as error:
            LOG.warning("that somebody left was not noted: %s", type(error).__name__)

    async def greet(self, place: str, language: str) -> None:
        """Greet a group or server to which the bot was added. Who is not greeted, because something is away,
        can ask for help."""
        try:
            await greet(self._services, place, language)
        except (Refused, StoreUnavailable, RetryAfter, UnknownSchema) as error:
            LOG.warning("a place was not greeted: %s", type(error).__name__)

    async def _command(self, typed: TypedCommand) -> Answer:
        verb, text = _parse(typed)
        context = self._typing(typed, verb, text)
        self._services.delivery.wake_sleepers(context.by.key, context.place)
        try:
            await context.load_person()
            command = COMMANDS.get(verb)
            if command is None:
                raise unknown_command(verb)
            check_chat(context, in_chat=command.in_chat)
            if command.command.in_place and context.place is None:
                raise Refused("here_only", where=platform_of(typed.by.key), verb=verb)
            answer = await lead_to_private(context, await command.run(context), f"{verb} {text}")
            answer = _display(answer, context)
        except (Refused, StoreUnavailable, RetryAfter, UnknownSchema) as error:
            answer = await _answer_error(context, error)
        return replace(answer, language=context.words.language)

    async def _in_turn(
        self, by: Person, kind: str, table: str, answer: Callable[[], Awaitable[Answer]]
    ) -> Answer:
        """Answer within the person's share, and count it."""
        chat = platform_of(by.key)
        with metrics.PRESS_SECONDS.labels(chat).time():
            try:
                with self._share.admit(by.key, table):
                    answered = await answer()
            except Refused as refused:
                answered = await self._hold_back(by, refused)
        metrics.PRESSES.labels(chat, kind, answered.code or "done").inc()
        return answered

    async def _hold_back(self, by: Person, refused: Refused) -> Answer:
        """Return the reason, once and in the person's language; after that nothing."""
        if not self._share.is_told(by.key):
            return Answer(code=refused.code)
        language = by.language
        with suppress(StoreUnavailable, UnknownSchema):
            language = (await self._services.people.load(by.key)).language or language
        return refusal(words_for(language), refused)

    def _typing(self, typed: TypedCommand, verb: str, text: str) -> RequestContext:
        return RequestContext(
            services=self._services,
            by=typed.by,
            place=typed.place,
            private=typed.place is None and not typed.by_session,
            reads_from=typed.place,
            id=typed.id,
            data=CallbackData(verb, "", 0),
            by_session=typed.by_session,
            pressed=False,
            text=text,
        )


def _parse(typed: TypedCommand) -> tuple[str, str]:
    """Return the verb and the argument of a command. Words after `/okey` that begin with no verb open a
    table; a private message that is a command's name is that command."""
    argument = typed.argument.strip()
    if typed.verb in ("okey", "play"):
        return read_command(argument) or ("play", argument)
    if typed.verb == "talk":  # a sentence may begin with a command's name, and some do nothing in private
        verb, rest = read_command(argument) or ("", "")
        known = verb and not rest and not COMMANDS[verb].command.in_place
        return (verb, "") if known else ("talk", argument)
    return read_command(f"{typed.verb} {argument}") or (fold(typed.verb), argument)


def _display(answer: Answer, context: RequestContext) -> Answer:
    """Return the answer with its page in the reader's display. A command's page never replaces another."""
    if answer.page is None:
        return answer
    page = replace(answer.page, turns=answer.page.turns and context.pressed)
    return replace(answer, page=adapt_to_display(page, context.profile.display, context.words))


async def _answer_error(
    context: RequestContext, error: Exception, button: DeclaredButton | None = None
) -> Answer:
    """Return the answer to an error. At a table the presser is noted as present and gets its newest
    screens."""
    if isinstance(error, Refused):
        try:
            return await _answer_refusal(context, error, button)
        except (StoreUnavailable, RetryAfter, UnknownSchema) as failed:
            error = failed
    if isinstance(error, UnknownSchema):
        LOG.error("%s %s: written by another version of the program", context.verb, context.data.target)
        return refusal(context.words, Refused("unknown_table"))
    if isinstance(error, StoreUnavailable):
        return refusal(context.words, Refused("store_away"))
    return refusal(context.words, Refused("chat_away"))


async def _answer_refusal(context: RequestContext, refused: Refused, button: DeclaredButton | None) -> Answer:
    answer = refusal(context.words, refused)
    if button is None or not button.at_table:
        return answer
    with context.services.delivery.answers.answering(context.by.key, context.data.target) as reply:
        stored = await note_presence(context)
        if stored is None or button.refused is None:
            return answer
        answer = await add_screens(answer, context, stored, button.refused)
        reply.bring(answer.private)
    return answer
