"""What people press and type, on its way to the router, and the router's answers on their way back."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, Final

import discord

from adapters.discord_chat.addresses import Reference, person_key, place_of, reference_to
from adapters.discord_chat.commands import typed
from adapters.discord_chat.layout import LONGEST_TEXT, DiscordPage, drawn, drawn_leaflet
from adapters.discord_chat.markdown import markdown
from adapters.discord_chat.racks import Racks
from adapters.discord_chat.reply import Interaction, Reply, TooLate
from adapters.discord_chat.tiles import Tiles
from bot.i18n import words_for
from bot.logs import way_of
from bot.markup import Page, PublicScreen, SeatScreen, Text
from bot.ports import Answer, DeliveryPort, Dispatcher, Person, Press, PrivateClosed, RetryAfter, TypedCommand

LOG: Final = logging.getLogger(__name__)

SOON: Final = 1.5
"""Seconds the router may take before Discord is told that an answer will come."""

SHOWS_TABLES: Final = ("play", "join", "league")
"""What brings a table, or the board of a league's nights, to the place where it is typed."""

NEEDED: Final = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, attach_files=True
)
NEEDED_IN_THREADS: Final = discord.Permissions(
    view_channel=True, send_messages_in_threads=True, attach_files=True
)


class Answers:
    """The handler of every interaction."""

    def __init__(self, router: Dispatcher, post: DeliveryPort, racks: Racks, tiles: Tiles) -> None:
        self._router = router
        self._post = post
        self._racks = racks
        self._tiles = tiles

    async def acted(self, interaction: Interaction) -> None:
        """A person pressed or typed something."""
        if not _understood(interaction):
            LOG.warning("an interaction does not say who acts, where, or on which message")
            return
        self._racks.met(interaction)
        reply = Reply(interaction)
        try:
            match interaction.type:
                case discord.InteractionType.component:
                    await self._pressed(reply)
                case discord.InteractionType.application_command:
                    await self._typed(reply)
        except (TooLate, RetryAfter, PrivateClosed, discord.HTTPException) as trouble:
            LOG.warning("an answer did not reach a person on Discord: %r", trouble)
        except Exception as error:
            LOG.error("what a person did on Discord could not be answered: %s", way_of(error))

    async def _asked(self, reply: Reply, question: Coroutine[Any, Any, Answer]) -> Answer:
        """The router's answer; Discord is told when it takes long."""
        task = asyncio.create_task(question)
        done, _ = await asyncio.wait({task}, timeout=SOON)
        if not done:
            await self._announced(reply)
        try:
            return await task
        except Exception as error:
            LOG.error("the router failed: %s", way_of(error))
            return Answer(notice=words_for(str(reply.interaction.locale)).say("refused.failed"))

    async def _announced(self, reply: Reply) -> None:
        """What the router is doing goes on even when Discord does not hear of it."""
        try:
            await reply.announce()
        except (TooLate, RetryAfter, discord.HTTPException) as trouble:
            LOG.warning("Discord could not be told that an answer will come: %r", trouble)

    # Presses

    async def _pressed(self, reply: Reply) -> None:
        interaction, message = reply.interaction, _message(reply)
        place = None if message.flags.ephemeral else place_of(interaction)
        press = Press(
            by=_person(interaction),
            place=place,
            surface="private" if place is None else "public",
            data=_pressed_text(interaction),
            id=str(interaction.id),
        )
        answer = await self._asked(reply, self._router.press(press))
        if place is None:
            await self._update_rack(reply, answer.private)
        else:
            await self._update_table(reply, place, answer.public)
            await self._whisper_rack(reply, answer.private)
        await self._show_leaflet(reply, answer.page)
        await self._whisper(reply, answer.notice)
        await reply.finish()

    async def _update_table(self, reply: Reply, place: str, screen: PublicScreen | None) -> None:
        """Bring the message he pressed on up to date. When Discord can't just now, the post will."""
        if screen is None:
            return
        page = await drawn(screen, self._tiles)
        try:
            await reply.update(page)
        except (RetryAfter, discord.HTTPException) as trouble:
            LOG.warning("a table was not brought up to date by a press: %r", trouble)
            return
        reference = _edited_reference(_message(reply), page)
        await self._tell_post(place, page, str(reference))

    async def _update_rack(self, reply: Reply, screen: SeatScreen | None) -> None:
        """Bring his own message up to date; a direct one by an edit when Discord takes no answer any more."""
        if screen is None:
            return
        page, message, user = await drawn(screen, self._tiles), _message(reply), reply.interaction.user.id
        reference = _edited_reference(message, page)
        if message.flags.ephemeral:
            await reply.update(page)
            self._racks.updated(reply, page, v2=reference.v2)
            return
        shown = str(reference)
        try:
            await reply.update(page)
        except TooLate:
            shown = await self._racks.show(user, page, reference_to(message), notify=False)
        await self._tell_post(person_key(user), page, shown)

    async def _tell_post(self, target: str, page: DiscordPage, message: str) -> None:
        """When the post does not hear of it, it shows the same once more: no reason to stop here."""
        try:
            await self._post.shown(target, page.screen.table, message, page.screen.revision)
        except Exception as error:
            LOG.error("the post did not take note of what was shown: %s", way_of(error))

    # Commands

    async def _typed(self, reply: Reply) -> None:
        interaction, place = reply.interaction, place_of(reply.interaction)
        verb, argument = typed(dict(interaction.data or {}))
        obstacle = _obstacle(interaction) if verb in SHOWS_TABLES and place is not None else None
        if obstacle is not None:
            await reply.whisper(lambda: {"content": obstacle})
            return
        command = TypedCommand(
            by=_person(interaction),
            place=place,
            verb=verb,
            argument=argument,
            id=str(interaction.id),
        )
        answer = await self._asked(reply, self._router.command(command))
        if answer.public is not None:
            await reply.whisper((await drawn(answer.public, self._tiles)).new)
        await self._whisper_rack(reply, answer.private)
        await self._show_leaflet(reply, answer.page)
        await self._whisper(reply, answer.notice)
        await reply.finish()

    # What he alone sees

    async def _whisper_rack(self, reply: Reply, screen: SeatScreen | None) -> None:
        if screen is None:
            return
        page = await drawn(screen, self._tiles)
        message = await reply.whisper(page.new)
        await self._racks.whispered(reply, page, message)

    async def _show_leaflet(self, reply: Reply, leaflet: Page | None) -> None:
        if leaflet is None:
            return
        sheet = await drawn_leaflet(leaflet, self._tiles)
        if leaflet.turns:
            await reply.update(sheet)
        else:
            await reply.whisper(sheet.new)

    async def _whisper(self, reply: Reply, notice: Text) -> None:
        if notice:
            words = markdown(notice, self._tiles, LONGEST_TEXT)
            await reply.whisper(lambda: {"content": words})


def _understood(interaction: Interaction) -> bool:
    """Whether the library made out the person, the place and the message. In a place of an unknown kind
    nobody knows who reads along."""
    pressed = interaction.type is discord.InteractionType.component
    placed = interaction.channel is not None
    return bool(interaction.user) and placed and not (pressed and interaction.message is None)


def _message(reply: Reply) -> discord.Message:
    """The message that was pressed on."""
    message = reply.interaction.message
    assert message is not None
    return message


def _edited_reference(message: discord.Message, page: DiscordPage) -> Reference:
    """The reference to a message once it shows the page."""
    return Reference(message.channel.id, message.id, message.flags.components_v2 or page.many)


def _person(interaction: Interaction) -> Person:
    return Person(
        key=person_key(interaction.user.id),
        name=interaction.user.display_name,
        language=str(interaction.locale),
    )


def _pressed_text(interaction: Interaction) -> str:
    """A button's text, or what was chosen in a menu."""
    data: dict[str, Any] = dict(interaction.data or {})
    chosen = data.get("values") or [data["custom_id"]]
    return str(chosen[0])


def _obstacle(interaction: Interaction) -> str | None:
    """Why no table can be played where a command was typed, in his language; None when it can."""
    words = words_for(str(interaction.locale))
    if interaction.is_user_integration() and not interaction.is_guild_integration():
        scopes = ("bot", "applications.commands")
        link = discord.utils.oauth_url(interaction.application_id, permissions=NEEDED, scopes=scopes)
        return words.plain("chat.not_here", link=link)
    lacking = _lacking(interaction)
    return words.plain("chat.lacks", permissions=", ".join(lacking)) if lacking else None


def _lacking(interaction: Interaction) -> list[str]:
    """The permissions missing in the channel, by the names that Discord's settings give them."""
    thread = isinstance(interaction.channel, discord.Thread)
    granted = interaction.app_permissions
    if granted.administrator or not granted.value:
        return []
    return [
        name.replace("_", " ").title()
        for name, needed in (NEEDED_IN_THREADS if thread else NEEDED)
        if needed and not getattr(granted, name)
    ]
