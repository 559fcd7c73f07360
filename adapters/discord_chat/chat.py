"""Discord as a chat: the methods that the application calls, and the bot's life from login to farewell."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import discord

from adapters.discord_chat.addresses import CHAT, ChannelMessage, channel_of, user_of
from adapters.discord_chat.command_names import type_in_discord
from adapters.discord_chat.commands import SlashCommands
from adapters.discord_chat.directory import Directory
from adapters.discord_chat.emojis import TileEmojis
from adapters.discord_chat.gateway import GatewayClient, Reopenings
from adapters.discord_chat.greetings import Greetings
from adapters.discord_chat.guilds import ScheduledEvents
from adapters.discord_chat.interactions import Interactions
from adapters.discord_chat.limits import LIMITS, OPENING
from adapters.discord_chat.links import DiscordLinks
from adapters.discord_chat.places import GuildPlaces
from adapters.discord_chat.private_messages import PrivateMessages
from adapters.discord_chat.profile import fill_profile
from adapters.discord_chat.rendering import LONGEST_TEXT, markdown, render
from adapters.discord_chat.sending import (
    LONGEST_MENTION,
    MessageGone,
    Sender,
    in_place,
    in_private,
    reason_of,
    refusals,
)
from adapters.discord_chat.webhook import DiscordWebhook
from bot.markup import Page, PublicScreen, SeatScreen, Text, Typed
from bot.ports import (
    Chat,
    DeliveryPort,
    Dispatcher,
    Features,
    Limits,
    Links,
    Person,
    Places,
    RateLimit,
    RetryAfter,
)

LOG: Final = logging.getLogger(__name__)

FAREWELL: Final = 2.0
"""Seconds for answers under way to end when the chat is stopped."""


class DiscordChat(ScheduledEvents, Chat):
    """The bot on Discord. `api_url` None is the real API. A process speaks to one API only.

    `bot.ports.Chat` describes its methods.
    """

    name = CHAT
    limits: Limits = LIMITS

    def __init__(
        self,
        *,
        router: Dispatcher,
        delivery: DeliveryPort,
        token: str,
        api_url: str | None = None,
        webhook: DiscordWebhook | None = None,
        app: bool = False,
        activity: bool = False,
    ) -> None:
        """`app`: the table can be opened as an app by a link; `activity`: by a press, too."""
        client = GatewayClient(api_url)
        directory = Directory(client, delivery)
        places = GuildPlaces(client, directory, delivery)
        super().__init__(client, directory, places, delivery)
        self.places: Places = places
        self._features = Features(
            private_everywhere=True,
            leads_to_private=False,
            has_forms=True,
            draws_tables=False,
            opens_app=frozenset(("public",)) if activity else frozenset(),
        )
        self.links: Links = DiscordLinks(client, activity=activity)
        self._gateway = client
        self._token = token
        self._webhook = webhook
        self._emojis = TileEmojis()
        self._loading: tuple[asyncio.Task[None], ...] = ()
        """What goes on while people play already."""
        self._sender = Sender(client)
        self._private = PrivateMessages(client, self._sender, delivery)
        self._interactions = Interactions(
            router, delivery, self._sender, self._private, self._emojis, places.note_rights
        )
        self._commands = SlashCommands(client, self._interactions, app=app)
        client.event(self._interactions.on_interaction)
        greetings = Greetings(client, router, delivery, self._sender, self._private, directory, self._emojis)
        Reopenings(delivery, greetings.greet).listen(client)
        client.event(greetings.on_message)
        client.event(self._sender.on_last_message)

    @property
    def received_by_one(self) -> bool:
        """A gateway belongs to one process. Posted interactions may reach any."""
        return self._webhook is None

    @property
    def features(self) -> Features:
        return self._features

    # Start, run, stop

    async def start(self) -> None:
        """Log in and register the commands. Raises ChatRefused `bad_token` or `unreachable`."""
        try:
            await self._gateway.log_in(self._token)
            loads = (self._emojis.load(self._client), fill_profile(self._client))
            self._loading = tuple(map(asyncio.create_task, loads))
            try:
                await self._commands.register()
                self._emojis.mentions = self._commands.mentions
            except (RetryAfter, discord.HTTPException) as trouble:
                LOG.warning("the commands could not be registered with Discord: %s", reason_of(trouble))
        except BaseException:  # also when the program is stopped meanwhile
            await self.stop()
            raise

    async def run(self) -> None:
        """Receive events until cancelled. Raises ChatRefused when Discord ends the connection for good."""
        if self._webhook is None:
            await self._gateway.stay_connected()
        else:
            self._webhook.open(self._gateway.receive)
            await asyncio.Event().wait()

    async def stop(self) -> None:
        """Finish the answers under way and disconnect."""
        if self._webhook is not None:
            self._webhook.close()
        for task in self._loading:
            task.cancel()
        await asyncio.gather(*self._loading, return_exceptions=True)
        await self._interactions.finish(FAREWELL)
        await self._client.close()

    def type_command(self, typed: Typed) -> str:
        return type_in_discord(typed)

    # Private messages

    def opening_limits(self, person: str) -> tuple[RateLimit, ...]:
        return () if self._private.is_known(user_of(person)) else (OPENING,)

    async def open_private(self, person: str) -> None:
        await self._private.open(user_of(person))

    async def show_rack(
        self, person: str, screen: SeatScreen, message: str | None, *, notify: bool, silent: bool = False
    ) -> str:
        rendered, shown = await render(screen, self._emojis), ChannelMessage.parse(message)
        return await self._private.show(user_of(person), rendered, shown, notify=notify, silent=silent)

    async def show_rack_in_place(
        self, person: str, screen: SeatScreen, message: str | None, *, silent: bool = False
    ) -> str:
        rendered, shown = await render(screen, self._emojis), ChannelMessage.parse(message)
        return await self._private.show_in_place(user_of(person), rendered, shown, silent=silent)

    async def remove_rack(self, person: str, message: str) -> None:
        if old := ChannelMessage.parse(message):
            await self._private.remove(old)

    def same_message(self, one: str, other: str) -> bool:
        first, second = ChannelMessage.parse(one), ChannelMessage.parse(other)
        return first is not None and second is not None and first.message == second.message

    async def in_sight(self, person: str, message: str) -> bool:
        return await self._private.in_sight(user_of(person), message)

    def shows_rack(self, person: str, table: str) -> bool:
        return self._private.shows(user_of(person), table)

    async def send_direct(self, person: str, page: Page, once: str) -> str:
        return await self._private.send(user_of(person), await render(page, self._emojis), once)

    async def edit_direct(self, person: str, page: Page, message: str) -> None:
        if old := ChannelMessage.parse(message):
            with refusals(in_private), suppress(MessageGone):
                await self._sender.edit(old, await render(page, self._emojis))

    # Messages in channels

    async def show_table(self, place: str, screen: PublicScreen, message: str | None, *, anew: bool) -> str:
        rendered, old = await render(screen, self._emojis), ChannelMessage.parse(message)
        with refusals(in_place):
            if old is not None and not anew:
                with suppress(MessageGone):
                    return (await self._sender.edit(old, rendered)).reference
            new = await self._sender.send(channel_of(place), rendered, f"{screen.table} {old}")
            return new.reference

    def count_below(self, place: str, message: str) -> int:
        shown = ChannelMessage.parse(message)
        return 0 if shown is None else self._sender.count_below(shown)

    async def take_buttons(self, place: str, message: str) -> None:
        if old := ChannelMessage.parse(message):
            with refusals(in_place):
                await self._sender.disarm(old)

    async def show_last(self, place: str, screen: PublicScreen, message: str) -> None:
        if old := ChannelMessage.parse(message):
            with refusals(in_place), suppress(MessageGone):
                await self._sender.edit(old, await render(screen, self._emojis))

    async def remove_table(self, place: str, message: str) -> None:
        if old := ChannelMessage.parse(message):
            with refusals(in_place):
                await self._sender.delete(old)

    async def post_line(
        self,
        place: str,
        text: Text,
        *,
        calls: Sequence[Person] = (),
        opens: str | None = None,
        once: str = "",
    ) -> str:
        words = markdown(text, self._emojis, LONGEST_TEXT - len(calls) * LONGEST_MENTION)
        called = [user_of(person.key) for person in calls]
        with refusals(in_place):
            return str(await self._sender.say(channel_of(place), words, calls=called, once=once))

    async def call_role(self, place: str, role: str, text: Text, *, once: str) -> bool:
        if role not in [each.key for each in await self.list_callable_roles(place)]:
            return False
        words = markdown(text, self._emojis, LONGEST_TEXT - LONGEST_MENTION)
        with refusals(in_place):
            await self._sender.say(channel_of(place), words, roles=[int(role)], once=once)
        return True

    async def delete_line(self, place: str, message: str) -> None:
        if line := ChannelMessage.parse(message):
            with suppress(discord.HTTPException, RetryAfter):
                await self._sender.delete(line)
