"""Discord as a chat: what the post asks of it, and its life from login to farewell."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import aiohttp
import discord

from adapters.discord_chat import commands
from adapters.discord_chat.addresses import CHAT, channel_of, reference_from, user_of
from adapters.discord_chat.answers import Answers
from adapters.discord_chat.calendar import Calendar
from adapters.discord_chat.client import Client, use_api
from adapters.discord_chat.layout import LONGEST_TEXT, drawn, drawn_leaflet
from adapters.discord_chat.markdown import markdown
from adapters.discord_chat.racks import Racks
from adapters.discord_chat.roles import Roles
from adapters.discord_chat.rooms import Rooms
from adapters.discord_chat.sending import LONGEST_MENTION, MessageGone, Sender, place_refusal
from adapters.discord_chat.servers import Servers
from adapters.discord_chat.tiles import Tiles
from bot.markup import Link, Page, PublicScreen, SeatScreen, Text
from bot.ports import (
    Chat,
    ChatRefused,
    DeliveryPort,
    Dispatcher,
    Person,
    RateLimit,
    RetryAfter,
    ScheduledEvent,
)

LOG: Final = logging.getLogger(__name__)

LOGIN_TRIES: Final = 5

FAREWELL: Final = 2.0
"""Seconds for answers under way when the chat is stopped."""

EVERYTHING: Final = RateLimit(CHAT, 9, 0.2)
"""Discord takes 50 calls a second of one bot, answers to interactions not counted. In small portions: who
goes next is then settled often."""

OPENING: Final = RateLimit(f"{CHAT} opening", 9, 10.0)
"""Direct channels that are opened: Discord punishes who opens many at once."""

BAD_TOKEN_CLOSE: Final = 4004


class DiscordChat(Chat):
    """The bot on Discord. `api_url` None is the real API; a process speaks to one API only."""

    def __init__(
        self, *, router: Dispatcher, post: DeliveryPort, token: str, api_url: str | None = None
    ) -> None:
        self._router, self._token = router, token
        self._api_url = api_url
        self._client = Client(self._acted)
        self._tiles = Tiles()
        self._sender = Sender(self._client)
        self._racks = Racks(self._client, self._sender)
        self._servers = Servers(self._client)
        self._rooms = Rooms(self._client)
        self._calendar = Calendar(self._client, self._servers)
        self._roles = Roles(self._servers)
        self._answers = Answers(router, post, self._racks, self._tiles)
        self._under_way: set[asyncio.Task[None]] = set()
        self._loading: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        return CHAT

    @property
    def private_everywhere(self) -> bool:
        return True

    # Its life

    async def start(self) -> None:
        """Log in and register the commands. Raises ChatRefused `bad_token` or `unreachable`."""
        use_api(self._api_url)
        await self._log_in()
        try:
            await commands.sync(self._client, self._router)
        except (RetryAfter, discord.HTTPException) as trouble:
            LOG.warning("the commands could not be registered with Discord: %r", trouble)

    async def _log_in(self) -> None:
        for attempt in range(LOGIN_TRIES):
            try:
                return await self._client.login(self._token)
            except discord.LoginFailure:
                await self._client.close()
                raise ChatRefused("bad_token") from None
            except (aiohttp.ClientError, OSError, discord.HTTPException) as trouble:
                LOG.warning("Discord can't be reached: %s", type(trouble).__name__)
                await self._client.forget_connection()
                await asyncio.sleep(2**attempt / 2)
        raise ChatRefused("unreachable")

    async def run(self) -> None:
        """Stay connected until cancelled or stopped. Raises ChatRefused when Discord ends it for good."""
        self._loading = asyncio.create_task(self._tiles.load(self._client))
        try:
            await self._client.connect()
        except discord.PrivilegedIntentsRequired:
            raise ChatRefused("missing_intent") from None
        except discord.ConnectionClosed as closed:
            raise ChatRefused("bad_token" if closed.code == BAD_TOKEN_CLOSE else "unreachable") from None
        finally:
            await self._stop_loading()

    async def _stop_loading(self) -> None:
        if self._loading is not None:
            self._loading.cancel()
            await asyncio.wait({self._loading})

    async def stop(self) -> None:
        """Finish the answers under way and leave."""
        await self._stop_loading()
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=FAREWELL)
        await self._client.close()

    async def _acted(self, interaction: discord.Interaction[Any]) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        await self._answers.acted(interaction)

    # What the post asks

    def public_limits(self, place: str) -> tuple[RateLimit, ...]:
        """Discord takes five edits in five seconds of a channel; after the fifth discord.py would wait."""
        return (RateLimit(place, 4, 5.0), EVERYTHING)

    def urgent_limits(self, place: str) -> tuple[RateLimit, ...]:
        return (RateLimit(place, 5, 5.0), EVERYTHING)

    def private_limits(self, person: str) -> tuple[RateLimit, ...]:
        return (RateLimit(person, 4, 5.0), EVERYTHING)

    def opening_limits(self, person: str) -> tuple[RateLimit, ...]:
        return () if self._racks.is_known(user_of(person)) else (OPENING,)

    async def open_private(self, person: str) -> None:
        """See `bot.ports.Chat.open_private`."""
        await self._racks.open(user_of(person))

    async def show_table(self, place: str, screen: PublicScreen, message: str | None, *, anew: bool) -> str:
        """See `bot.ports.Chat.show_table`."""
        page = await drawn(screen, self._tiles)
        old = reference_from(message)
        try:
            if old is not None and not anew:
                with suppress(MessageGone):
                    return str(await self._sender.edit(old, page))
            once = f"{screen.table} {message}"
            new = await self._sender.send(channel_of(place), page, once)
        except discord.HTTPException as refused:
            raise place_refusal(refused) from None
        if old is not None and anew:
            with suppress(discord.HTTPException, RetryAfter):
                await self._sender.disarm(old)
        return str(new)

    async def show_rack(self, person: str, screen: SeatScreen, message: str | None, *, notify: bool) -> str:
        """See `bot.ports.Chat.show_rack`."""
        page = await drawn(screen, self._tiles)
        return await self._racks.show(user_of(person), page, reference_from(message), notify=notify)

    async def send_direct(self, person: str, page: Page, once: str) -> None:
        """See `bot.ports.Chat.send_direct`."""
        await self._racks.hand(user_of(person), await drawn_leaflet(page, self._tiles), once)

    def link(self, place: str, message: str) -> str | None:
        """See `bot.ports.Chat.link`; None while the bot does not know the channel's server."""
        reference = reference_from(message)
        channel = self._client.get_channel(channel_of(place))
        if reference is None or not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return None
        return f"https://discord.com/channels/{channel.guild.id}/{channel.id}/{reference.message}"

    async def post_line(self, place: str, text: Text, *, calls: Sequence[Person] = ()) -> str:
        """See `bot.ports.Chat.post_line`."""
        words = markdown(text, self._tiles, LONGEST_TEXT - len(calls) * LONGEST_MENTION)
        called = [user_of(person.key) for person in calls]
        try:
            return str(await self._sender.say(channel_of(place), words, calls=called))
        except discord.HTTPException as refused:
            raise place_refusal(refused) from None

    async def delete_line(self, place: str, message: str) -> None:
        """See `bot.ports.Chat.delete_line`."""
        line = reference_from(message)
        if line is not None:
            with suppress(discord.HTTPException, RetryAfter):
                await self._sender.remove(line)

    async def set_scheduled_event(self, place: str, event: ScheduledEvent, known: str) -> str:
        """See `bot.ports.Chat.set_scheduled_event`."""
        return await self._calendar.set(place, event, known)

    async def give_role(self, place: str, name: str, holders: Sequence[str], former: Sequence[str]) -> None:
        """See `bot.ports.Chat.give_role`."""
        await self._roles.give(place, name, holders, former)

    async def organises(self, person: str, place: str) -> bool:
        """See `bot.ports.Chat.organises`."""
        return await self._servers.manages(user_of(person), place)

    async def community(self, place: str) -> str:
        """See `bot.ports.Chat.community`."""
        return await self._servers.community(place)

    async def open_room(self, place: str, name: str) -> str | None:
        """See `bot.ports.Chat.open_room`."""
        return await self._rooms.open(place, name)

    async def close_room(self, place: str) -> None:
        """See `bot.ports.Chat.close_room`."""
        await self._rooms.close(place)

    async def lacks_for_rooms(self, place: str) -> tuple[str, ...] | None:
        """See `bot.ports.Chat.lacks_for_rooms`."""
        return self._rooms.lacks(place)

    def place_link(self, place: str) -> Link | None:
        """See `bot.ports.Chat.place_link`."""
        return self._servers.place_link(place)
