"""Interactions: people's presses and commands, and the answers to them."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

import discord

from adapters.discord_chat.addresses import ChannelMessage, person_key, place_of
from adapters.discord_chat.emojis import TileEmojis
from adapters.discord_chat.forms import make_form, read_typed
from adapters.discord_chat.guilds import lacking_permissions
from adapters.discord_chat.limits import LIMITS
from adapters.discord_chat.private_messages import PrivateMessages
from adapters.discord_chat.rendering import LONGEST_TEXT, AnyScreen, Rendered, markdown, render
from adapters.discord_chat.responses import (
    PRESSES,
    UNDELIVERED,
    Interaction,
    InteractionExpired,
    Responses,
    is_understood,
)
from adapters.discord_chat.sending import INVALID_BODY, MessageGone, Sender, reason_of
from bot.commands import ArgumentKind
from bot.i18n import words_for
from bot.logs import way_of
from bot.markup import Link, PublicScreen, SeatScreen, Text
from bot.ports import (
    Answer,
    DeliveryPort,
    Dispatcher,
    Person,
    Press,
    RetryAfter,
    StoreUnavailable,
    Suggestion,
    Surface,
    TypedCommand,
)

LOG: Final = logging.getLogger(__name__)

SHOWS_TABLES: Final = ("play", "join", "league")
"""Commands that show a table, or the board of a league's night, in the channel where they are typed."""

NEEDED: Final = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, attach_files=True
)
NEEDED_IN_THREADS: Final = NEEDED & ~discord.Permissions(send_messages=True)
NEEDED_IN_VOICE: Final = discord.Permissions(connect=True)
"""Needed besides, since who may not enter a voice channel does not see its chat."""

TableScreen = PublicScreen | SeatScreen


@dataclass(eq=False)
class Interactions:
    """The handler of every press and every command."""

    _router: Dispatcher
    _delivery: DeliveryPort
    _sender: Sender
    _private: PrivateMessages
    _emojis: TileEmojis
    _met: Callable[[Interaction], None]
    """Called with every interaction."""
    _under_way: set[asyncio.Task[Any] | None] = field(default_factory=set)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Handle a button, a menu or a form. Commands go to `run` instead."""
        if interaction.type not in PRESSES or not await is_understood(interaction):
            return
        async with self._answer(interaction) as responses:
            data = _read_pressed(interaction)
            if interaction.type is discord.InteractionType.component and (
                form := make_form(interaction, data)
            ):
                await self._open(responses, responses.ask(form))
                return
            within = place_of(interaction)
            place = None if responses.message.flags.ephemeral else within
            by, id, typed = _person(interaction), str(interaction.id), read_typed(interaction)
            surface: Surface = "private" if interaction.guild_id is None else "public"
            press = Press(by=by, place=place, surface=surface, data=data, id=id, typed=typed, within=within)
            answer = await self._router.press(press)
            if answer.launch:
                await self._open(responses, responses.launch())
            if place is None:
                await self._update_rack(responses, answer.private)
            else:
                await self._update_table(responses, place, answer)
                await self._send_rack(responses, answer)
            await self._send_rest(responses, answer)

    async def run(self, interaction: Interaction, verb: str, argument: str) -> None:
        """Carry out a typed command."""
        async with self._answer(interaction) as responses:
            place = place_of(interaction)
            obstacle = _obstacle(interaction) if verb in SHOWS_TABLES and place is not None else None
            if _is_without_bot(interaction):
                place = None  # nothing that a place offers can be had there
            by, id = _person(interaction), str(interaction.id)
            typed = TypedCommand(by=by, place=place, verb=verb, argument=argument, id=id)
            answer = Answer() if obstacle is not None else await self._router.command(typed)
            if not await self._delivery.claim_answer(typed):
                responses.leave()
                return
            if obstacle is not None:
                await responses.send(obstacle)
            if answer.public is not None:
                await responses.send(await render(answer.public, self._emojis))
            await self._send_rack(responses, answer)
            await self._send_rest(responses, answer)

    async def suggest(self, interaction: Interaction, kind: ArgumentKind, typed: str) -> list[Suggestion]:
        """Return suggestions for a command's argument while it is typed."""
        by, id = _person(interaction), str(interaction.id)
        so_far = TypedCommand(by=by, place=place_of(interaction), verb="", argument=typed, id=id)
        return list(await self._router.suggest(so_far, kind))

    async def finish(self, seconds: float) -> None:
        """Wait some seconds for the answers under way."""
        if under_way := set(filter(None, self._under_way)):
            await asyncio.wait(under_way, timeout=seconds)

    @asynccontextmanager
    async def _answer(self, interaction: Interaction) -> AsyncIterator[Responses]:
        """Answer in time, whatever happens. An error of the program is reported to the person, too."""
        task, responses = asyncio.current_task(), Responses(interaction)
        self._under_way.add(task)
        self._private.note_channel(interaction)
        self._met(interaction)
        try:
            async with responses.announce_when_slow():
                yield responses
                await responses.finish()
        except UNDELIVERED as trouble:
            LOG.warning("an answer did not reach a person on Discord: %s", reason_of(trouble))
        except StoreUnavailable:
            LOG.warning("what a person did on Discord could not be answered: the store is away")
            await self._excuse(responses, "refused.store_away")
        except Exception as error:
            LOG.error("what a person did on Discord could not be answered: %s", way_of(error))
            await self._excuse(responses, "refused.failed")
        finally:
            self._under_way.discard(task)

    async def _excuse(self, responses: Responses, key: str) -> None:
        """Say why a person gets no answer, if they can be told."""
        with suppress(*UNDELIVERED):
            await self._send_notice(responses, words_for(str(responses.interaction.locale)).say(key))
            await responses.finish()

    # Messages for everybody

    async def _update_table(self, responses: Responses, place: str, answer: Answer) -> None:
        """Edit the pressed message, if it is the table's own. When Discord can't take it now, or delivery is
        editing it, delivery will do it."""
        if answer.public is None:
            return
        known, pressed = ChannelMessage.parse(answer.public_message), responses.message.id
        if known is not None and known.message != pressed:
            return
        if self._sender.already_shows(pressed, answer.public):
            return  # a press that changes nothing public edits nothing public
        rendered = await render(answer.public, self._emojis)
        if self._sender.is_editing(pressed):
            return
        try:
            async with self._sender.turn(pressed, answer.public) as due:
                if not due:
                    return
                await self._update_pressed(responses, rendered, v2=True)
        except (RetryAfter, MessageGone, discord.HTTPException) as trouble:
            LOG.warning("a table was not brought up to date by a press: %s", reason_of(trouble))
            return
        await self._tell_post(place, rendered, self._refer_to(responses.message, v2=True).reference)

    async def _tell_post(self, target: str, rendered: Rendered[TableScreen], message: str) -> None:
        """Report a message to delivery. If that fails, delivery shows the same once more, so the answer goes
        on."""
        try:
            await self._delivery.note_shown(target, rendered.screen, message)
        except Exception as error:
            LOG.error("delivery did not take note of what was shown: %s", way_of(error))

    # Messages for one person

    async def _update_rack(self, responses: Responses, screen: SeatScreen | None) -> None:
        """Edit a person's own message. If the press has expired, a direct one is edited as a message, which
        counts as one; when there is no room for it, delivery does that."""
        if screen is None:
            return
        rendered, user = await render(screen, self._emojis), responses.interaction.user.id
        ephemeral, v2, reference = responses.message.flags.ephemeral, False, ""
        try:
            async with self._sender.turn(user if ephemeral else responses.message.id, screen) as due:
                if not due:
                    return
                v2 = await self._answer_rack(responses, rendered)
        except MessageGone:  # a newer rack has replaced it meanwhile, and delivery edits that
            return
        except InteractionExpired:
            if ephemeral:
                raise
            if await self._delivery.spend(LIMITS.private(person_key(user))) > 0:
                return
            message = ChannelMessage.of(responses.message)
            reference = await self._private.show(user, rendered, message, notify=False)
        if ephemeral:
            self._private.note_shown(responses, rendered, None, v2=v2)
        else:
            reference = reference or self._refer_to(responses.message, v2=v2).reference
            await self._tell_post(person_key(user), rendered, reference)

    async def _answer_rack(self, responses: Responses, rendered: Rendered[SeatScreen]) -> bool:
        """Show a rack in the pressed message; whether that is one of components only now. Another process may
        have made it one during the press: then it takes no ordinary screen."""
        v2 = self._v2_after(responses, rendered)
        try:
            await self._update_pressed(responses, rendered, v2=v2)
        except discord.HTTPException as refused:
            if v2 or refused.code != INVALID_BODY:
                raise
            v2 = True
            await self._update_pressed(responses, rendered, v2=v2)
        return v2

    async def _update_pressed(self, responses: Responses, rendered: Rendered[AnyScreen], *, v2: bool) -> None:
        """Show a screen in the pressed message. Raises as `Responses.update`."""
        pressed = responses.message.id
        shown = await responses.update(rendered, v2=v2, attached=self._sender.find_picture(pressed))
        if shown is not None:
            self._sender.note_picture(ChannelMessage.of(shown))

    def _refer_to(self, edited: discord.Message, *, v2: bool) -> ChannelMessage:
        """Return the reference to a message after an edit, by which it may have become one of components
        only."""
        return ChannelMessage(edited.channel.id, edited.id, v2, self._sender.find_picture(edited.id))

    def _v2_after(self, responses: Responses, rendered: Rendered[AnyScreen]) -> bool:
        return self._private.v2_after(responses.interaction.user.id, responses.message, rendered)

    async def _send_rack(self, responses: Responses, answer: Answer) -> None:
        """Show a rack to one person alone; if they have it in private already, link to it."""
        if answer.private is None:
            return
        interaction = responses.interaction
        link = self._private.rack_link(interaction.user.id, answer.private_message)
        if link is not None:
            words = words_for(answer.language or str(interaction.locale))
            text = words.say("notice.rack_at", where=Link(words.plain("button.rack"), link))
            await self._send_notice(responses, text)
            return
        rendered = await render(answer.private, self._emojis)
        message = await responses.send(rendered)
        await self._private.note_sent(responses, rendered, message)

    async def _send_rest(self, responses: Responses, answer: Answer) -> None:
        """Send the page and the notice, in one message if the page is a new one; on a message that others see
        too, it always is. A notice that their own screen repeats is not sent."""
        page, notice = answer.page, answer.notice
        if answer.private is not None and answer.private.text == notice:
            notice = ()
        in_private = responses.interaction.guild_id is None
        if in_private and (page or notice):
            await self._private.note_covered(responses.interaction.user.id)
        if page is not None and page.turns and (in_private or responses.message.flags.ephemeral):
            rendered = await render(page, self._emojis)
            with suppress(MessageGone):  # they have closed the page
                await responses.update(rendered, v2=self._v2_after(responses, rendered))
        elif (new := answer.page_with_notice) is not None:
            await responses.send(await render(new, self._emojis))
            return
        if notice:
            await self._send_notice(responses, notice)

    async def _open(self, responses: Responses, opening: Awaitable[bool]) -> None:
        """Open a form, or the table as an app. If an answer was announced already, the person has to press
        again."""
        if not await opening:
            locale = str(responses.interaction.locale)
            await self._send_notice(responses, words_for(locale).say("refused.busy"))

    async def _send_notice(self, responses: Responses, notice: Text) -> None:
        await responses.send(markdown(notice, self._emojis, LONGEST_TEXT))


def _person(interaction: Interaction) -> Person:
    return Person(
        key=person_key(interaction.user.id),
        name=interaction.user.display_name,
        language=str(interaction.locale),
    )


def _read_pressed(interaction: Interaction) -> str:
    """Return the text of a button, or the choice in a menu."""
    data: dict[str, Any] = dict(interaction.data or {})
    chosen = data.get("values") or [data["custom_id"]]
    return str(chosen[0])


def _is_without_bot(interaction: Interaction) -> bool:
    """Return whether the person alone has installed the application, so that the bot sees no channel
    there."""
    return interaction.is_user_integration() and not interaction.is_guild_integration()


def _obstacle(interaction: Interaction) -> str | None:
    """Return the reason why no table can be played in a command's channel, in the person's language; None
    when it can."""
    words = words_for(str(interaction.locale))
    if _is_without_bot(interaction):
        scopes = ("bot", "applications.commands")
        link = discord.utils.oauth_url(interaction.application_id, permissions=NEEDED, scopes=scopes)
        return words.plain("chat.not_here", link=link)
    granted, thread = interaction.app_permissions, isinstance(interaction.channel, discord.Thread)
    if granted.administrator or not granted.value:
        return None
    needed = NEEDED_IN_THREADS if thread else NEEDED
    if isinstance(interaction.channel, discord.VoiceChannel | discord.StageChannel):
        needed |= NEEDED_IN_VOICE
    lacking = lacking_permissions(needed, granted)
    return words.plain("chat.lacks", permissions=", ".join(lacking)) if lacking else None
