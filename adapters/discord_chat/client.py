"""discord.py's client, with what it lacks for us."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

import aiohttp
import discord
import yarl
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket
from discord.http import Route

from adapters.discord_chat.patience import trace
from adapters.discord_chat.readable import bearing

LOG: Final = logging.getLogger(__name__)

API: Final = "https://discord.com/api/v10"

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
"""No warnings about voice, which nobody needs here."""

Acted = Callable[[discord.Interaction], Awaitable[None]]


class _InOneLine(logging.Filter):
    """A gateway that has to be reached again is an everyday matter: no traceback for it."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and record.exc_info[1] and "reconnect" in str(record.msg):
            record.msg = f"{record.msg} ({type(record.exc_info[1]).__name__})"
            record.exc_info = None
        return True


logging.getLogger("discord.client").addFilter(_InOneLine())


class Client(discord.Client):
    """Asks the API for the gateway's address, and bears a first handshake that fails.

    One connection is enough for 2500 servers. No privileged intent is asked for.
    """

    def __init__(self, acted: Acted) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            http_trace=trace(),
        )
        bearing(self._connection.parsers)
        self._acted = acted

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        await self._acted(interaction)

    async def forget_connection(self) -> None:
        """After a login that failed, so that the next one begins with a connection of its own."""
        await self.http.close()
        self.http.connector = discord.utils.MISSING

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay connected until closed. Raises discord.ConnectionClosed when Discord will not have the bot."""
        backoff = ExponentialBackoff[bool]()
        while not self.is_closed():
            try:
                await self._find_gateway()
                await super().connect(reconnect=reconnect)
            except AttributeError:
                # discord.py reaches for its socket after a failed handshake, and there was none before.
                if self.ws is not None:
                    raise
            except (discord.GatewayNotFound, aiohttp.ClientError, OSError) as trouble:
                LOG.warning("Discord's gateway is out of reach (%s), trying again", type(trouble).__name__)
                await asyncio.sleep(backoff.delay())

    async def _find_gateway(self) -> None:
        _, address, _ = await self.http.get_bot_gateway()
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(address)


def use_api(url: str | None) -> None:
    """Speak to the API at `url`, version included: discord.py keeps one address for the whole process."""
    Route.BASE = (url or API).rstrip("/")
