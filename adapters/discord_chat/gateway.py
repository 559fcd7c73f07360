"""Gateway: the connection to Discord, which survives failed handshakes and unreadable events, and the events
after which the bot may have access to a channel again.

Uses of discord.py's private parts are here and in `commands.SlashCommands`, each with its reason.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Annotated, Any, Final, Literal

import aiohttp
import discord
import msgspec
import yarl
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket
from discord.http import HTTPClient, Route
from msgspec import Meta, Struct

from adapters.discord_chat.addresses import CHAT
from adapters.discord_chat.retry import overload_trace, retry
from bot.i18n import DEFAULT_LANGUAGE, words_for
from bot.logs import shorten_records, way_of
from bot.ports import ChatRefused, DeliveryPort, RetryAfter

LOG: Final = logging.getLogger(__name__)

API: Final = "https://discord.com/api/v10"

LOGIN_TRIES: Final = 5

_BEGINNING: Final = ("READY", "RESUMED")
"""Events without which there is no connection."""

_BAD_TOKEN_CLOSE: Final = 4004

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
"""Voice is not used, so its warnings are off."""


def _in_one_line(record: logging.LogRecord) -> str | None:
    """Return the line for frequent records: a gateway that has to be reached again, and a suggestion that
    arrives after the person has typed on."""
    said, error = record.getMessage(), record.exc_info and record.exc_info[1]
    frequent = "reconnect" in said or "autocomplete" in said
    return f"{said} ({type(error).__name__})" if error and frequent else None


for _name in ("discord.client", "discord.app_commands.tree"):
    shorten_records(_name, _in_one_line)


class _UsedUp(Exception):
    """Raised when Discord lets the bot begin no further session for now."""


class GatewayClient(discord.Client):
    """A client with one connection, which is enough for 2500 servers. It asks for no privileged intent.
    `api_url` None is the real API. A process speaks to one API only."""

    def __init__(self, api_url: str | None) -> None:
        presence = words_for(DEFAULT_LANGUAGE).plain("profile.presence", command="/okey")
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            activity=discord.CustomActivity(presence),
            http_trace=overload_trace(),
        )
        self._api = (api_url or API).rstrip("/")
        # The library does not validate events, and an exception while it handles one ends the connection.
        # These guards stand in between.
        parsers = self._connection.parsers
        self._excuses = set[asyncio.Task[None]]()
        guarded = {name: parsers[name] for name in parsers if name not in _BEGINNING}
        parsers.update(
            {name: _guard(name, parse, self._note_last, self._excuse) for name, parse in guarded.items()}
        )
        self._connection._update_references = self._hold  # type: ignore[method-assign]

    def _note_last(self, channel: "_Channel | None") -> None:
        """Have it heard which message is the last one in the channel of an interaction: the library tells
        what the gateway said of the channel earlier."""
        if channel is not None and channel.last_message_id is not None:
            self.dispatch("last_message", int(channel.id), int(channel.last_message_id))

    def _excuse(self, interaction: Any) -> None:
        """Begin to answer an interaction that can't be read, so that its person is not left waiting."""
        task = asyncio.create_task(excuse(self.http, interaction))
        self._excuses.add(task)
        task.add_done_callback(self._excuses.discard)

    def _hold(self, ws: DiscordWebSocket) -> None:
        """Called by the library with each new connection, which it holds itself only once a session is begun
        there: one that stays without must be closed, too."""
        self.ws = ws

    async def log_in(self, token: str) -> None:
        """Log in. Raises ChatRefused `bad_token` or `unreachable`."""
        Route.BASE = self._api  # the address of the whole process: no parameter sets it
        for attempt in range(LOGIN_TRIES):
            try:
                return await self.login(token)
            except discord.LoginFailure:
                await self.close()
                raise ChatRefused("bad_token") from None
            except (aiohttp.ClientError, OSError, discord.HTTPException) as trouble:
                LOG.warning("Discord can't be reached: %s", type(trouble).__name__)
                # A second login opens a second session over the first one's connector, even a closed one.
                await self.http.close()
                self.http.connector = discord.utils.MISSING
                await asyncio.sleep(2**attempt / 2)
        raise ChatRefused("unreachable")

    def receive(self, interaction: Any) -> None:
        """Handle an interaction that did not come by the gateway, as if it had."""
        self._connection.parsers["INTERACTION_CREATE"](interaction)

    async def stay_connected(self) -> None:
        """Keep the connection until the client is closed. Raises ChatRefused when Discord refuses the bot."""
        backoff = ExponentialBackoff[bool]()
        while not self.is_closed():
            try:
                # The library's address of the gateway is a constant, but another API has its own.
                address, wait = await self._next_session()
                if wait:
                    LOG.warning("Discord lets the bot begin no session for %.0f s", wait)
                    await asyncio.sleep(wait)
                    continue
                DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(address)
                await self.connect()
            except _UsedUp:
                await self.ws.close()
            except discord.PrivilegedIntentsRequired:
                raise ChatRefused("missing_intent") from None
            except discord.ConnectionClosed as closed:
                refusal = "bad_token" if closed.code == _BAD_TOKEN_CLOSE else "unreachable"
                raise ChatRefused(refusal) from None
            except AttributeError:
                # After a failed handshake discord.py uses its socket, even if there was none before.
                if self.ws is not None:
                    raise
            # aiohttp asserts that a connection outlives its handshake, but closing or Discord may have ended
            # it.
            except (discord.GatewayNotFound, aiohttp.ClientError, OSError, AssertionError) as trouble:
                LOG.warning("Discord's gateway is out of reach (%s), trying again", type(trouble).__name__)
                await asyncio.sleep(backoff.delay())

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Called by the library before it begins a session: also another one in the same connection, because
        Discord has forgotten the last."""
        await super().before_identify_hook(shard_id, initial=initial)
        if not initial and (await self._next_session())[1]:
            raise _UsedUp

    async def _next_session(self) -> tuple[str, float]:
        """Return the address of the gateway, and the seconds to wait before a session is begun there: Discord
        takes back the token of a bot that begins too many. Raises discord.GatewayNotFound."""
        _, address, starts = await self.http.get_bot_gateway()
        return address, 0.0 if starts["remaining"] else starts["reset_after"] / 1000


# Readable events

_Parse = Callable[[Any], None]
"""The library's function for an event's data."""

_Snowflake = Annotated[str, Meta(pattern=r"^[0-9]{1,20}\Z")]
_Token = Annotated[str, Meta(pattern=r"^[^/?#\s]*[^/?#\s.]\Z")]
"""A token. It becomes a part of an address, and must not change which one is called."""


class _User(Struct):
    id: _Snowflake
    username: str
    global_name: str | None = None


class _Member(Struct):
    user: _User
    nick: str | None = None


class _Channel(Struct):
    id: _Snowflake
    type: int
    last_message_id: _Snowflake | None = None


class _Message(Struct):
    id: _Snowflake
    channel_id: _Snowflake
    flags: int = 0


class _Written(Struct):
    """A message that somebody wrote."""

    author: _User


class _Text(Struct, tag_field="type", tag=3):
    name: str
    value: str


class _Number(Struct, tag_field="type", tag=4):
    name: str
    value: int | str
    """The value of an option. An unfinished one is text."""


class _Flag(Struct, tag_field="type", tag=5):
    name: str
    value: bool


class _Mention(Struct, tag_field="type", tag=6):
    name: str
    value: _Snowflake


_Option = _Text | _Number | _Flag | _Mention


class _Subcommand(Struct, tag_field="type", tag=1):
    name: str
    options: list[_Option] = []


class _Subgroup(Struct, tag_field="type", tag=2):
    name: str
    options: list[_Subcommand] = []


class _Command(Struct):
    """A slash command with options of the registered types."""

    name: str
    type: Literal[1] = 1
    options: list[_Option | _Subcommand | _Subgroup] = []


class _AboutUser(Struct):
    """A command from the menu of a person's name."""

    name: str
    target_id: _Snowflake
    type: Literal[2]


class _Component(Struct):
    custom_id: str
    component_type: int
    values: list[str] = []


class _Field(Struct):
    custom_id: str
    value: str = ""


class _Labelled(Struct):
    component: _Field


class _Form(Struct):
    custom_id: str
    components: list[_Labelled]


class _Interaction(Struct):
    """The fields used of every interaction that has them. `responses` checks whether they suffice."""

    id: _Snowflake
    application_id: _Snowflake
    type: int
    token: _Token
    locale: str = "en-US"
    guild_id: _Snowflake | None = None
    channel: _Channel | None = None
    member: _Member | None = None
    user: _User | None = None
    message: _Message | None = None


def _guard(event: str, parse: _Parse, note_last: Callable[[_Channel | None], None], excuse: _Parse) -> _Parse:
    """Return a function made safe against any contents of an event. `note_last` gets the channel of each
    interaction, `excuse` answers one that can't be read."""

    def guard(data: Any) -> None:
        try:
            if event == "INTERACTION_CREATE":
                note_last(_check(data))
            elif event == "MESSAGE_CREATE":
                msgspec.convert(data, _Written)
            parse(data)
        except Exception as error:
            LOG.warning("an event %s can't be read: %s", event, way_of(error))
            if event == "INTERACTION_CREATE":
                excuse(data)

    return guard


def _check(interaction: Any) -> _Channel | None:
    """Return the channel of an interaction. Raises msgspec.ValidationError, UnicodeEncodeError when it can't
    be read."""
    msgspec.json.encode(interaction)  # half a character cannot be encoded
    read = msgspec.convert(interaction, _Interaction)
    match read.type:
        case discord.InteractionType.application_command.value | discord.InteractionType.autocomplete.value:
            data = interaction.get("data")
            about_user = isinstance(data, dict) and data.get("type") == discord.AppCommandType.user.value
            msgspec.convert(data, _AboutUser if about_user else _Command)
        case discord.InteractionType.component.value:
            msgspec.convert(interaction.get("data"), _Component)
        case discord.InteractionType.modal_submit.value:
            msgspec.convert(interaction.get("data"), _Form)
    return read.channel


class _Addressed(Struct):
    """As much of an interaction as an answer needs."""

    id: _Snowflake
    token: _Token
    type: int = discord.InteractionType.application_command.value


async def excuse(http: HTTPClient, interaction: Any) -> None:
    """Answer an interaction that can't be read, without the library: to its person alone, in their
    language."""
    try:
        to = msgspec.convert(interaction, _Addressed)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return
    answer: dict[str, Any] = {"type": discord.InteractionResponseType.autocomplete_result.value}
    answer["data"] = {"choices": []}
    if to.type != discord.InteractionType.autocomplete.value:
        words = words_for(str(interaction.get("locale", ""))).plain("chat.unreadable")
        answer["type"] = discord.InteractionResponseType.channel_message.value
        answer["data"] = {"content": words, "flags": discord.MessageFlags(ephemeral=True).value}
    route = Route("POST", "/interactions/{id}/{token}/callback", id=to.id, token=to.token)
    try:
        await retry(lambda: http.request(route, json=answer))
    except (discord.DiscordException, RetryAfter) as trouble:
        LOG.warning("an interaction that can't be read got no answer: %s", type(trouble).__name__)


class Reopenings:
    """Reports to delivery the channels that an event concerns. Each method is the event of its name."""

    def __init__(self, delivery: DeliveryPort, greet: Callable[[discord.Guild], Awaitable[None]]) -> None:
        """`greet`: called with each server that the bot has joined."""
        self._delivery = delivery
        self._greet = greet

    def listen(self, client: discord.Client) -> None:
        """Register these events."""
        for event in (
            *(self.on_guild_join, self.on_guild_available, self.on_guild_role_update),
            *(self.on_member_update, self.on_guild_channel_update, self.on_raw_thread_update),
            self.on_thread_join,
        ):
            client.event(event)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self._report_reopened(guild)
        await self._greet(guild)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        await self._report_reopened(guild)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        await self._report_reopened(after.guild)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Note the bot's own roles: without the intent for members, nobody else is reported."""
        await self._report_reopened(after.guild)

    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        await self._find_reopened([after.id])

    async def on_raw_thread_update(self, update: discord.RawThreadUpdateEvent) -> None:
        await self._find_reopened([update.parent_id])

    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Note that the bot was added to a private thread, or sees one again that was archived."""
        await self._find_reopened([thread.parent_id])

    async def _report_reopened(self, guild: discord.Guild) -> None:
        await self._find_reopened(channel.id for channel in guild.channels)

    async def _find_reopened(self, channels: Iterable[int]) -> None:
        await self._delivery.note_reopened({f"{CHAT}:{channel}" for channel in channels})
