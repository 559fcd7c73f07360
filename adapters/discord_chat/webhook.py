"""Webhook: interactions posted and signed by Discord. With it the bot needs no gateway.

Nothing of a body is read before its signature is checked. Then it is handled like an event of the gateway,
and answered by a call of its own; for that, Discord asks for status 202.
"""

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from aiohttp import web
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

PATH: Final = "/discord/interactions"

OLDEST_SECONDS: Final = 300.0
"""The greatest age of a signature in seconds. An older one may be a replay."""

OPENED_WITHIN: Final = 1.5
"""Seconds for which an interaction waits for the bot to log in, as just after a start: Discord posts it once,
and gives up after three."""

_PING, _PONG = 1, 1
_SIGNATURE_BYTES: Final = 64


class DiscordWebhook:
    """The endpoint to which Discord posts interactions. They reach the bot while it is logged in."""

    def __init__(self, public_key: str, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._key = VerifyKey(bytes.fromhex(public_key))
        self._receive: Callable[[Any], None] | None = None
        self._opened = asyncio.Event()

    def open(self, receive: Callable[[Any], None]) -> None:
        """Have this function handle interactions from now on."""
        self._receive = receive
        self._opened.set()

    def close(self) -> None:
        """Handle none until it is opened again."""
        self._receive = None
        self._opened.clear()

    async def handle(self, request: web.Request) -> web.Response:
        """Handle one interaction."""
        body = await request.read()
        headers = request.headers
        if not self._is_genuine(
            headers.get("X-Signature-Ed25519", ""), headers.get("X-Signature-Timestamp", ""), body
        ):
            raise web.HTTPUnauthorized
        try:
            interaction = json.loads(body)
        except (ValueError, RecursionError):
            raise web.HTTPBadRequest from None
        if isinstance(interaction, dict) and interaction.get("type") == _PING:
            return web.json_response({"type": _PONG})
        with suppress(TimeoutError):
            async with asyncio.timeout(OPENED_WITHIN):
                await self._opened.wait()
        if self._receive is None:
            raise web.HTTPServiceUnavailable
        self._receive(interaction)
        return web.Response(status=202)

    def _is_genuine(self, signature: str, timestamp: str, body: bytes) -> bool:
        """Return whether Discord signed it just now. The check takes equally long whatever is wrong."""
        try:
            given = bytes.fromhex(signature).ljust(_SIGNATURE_BYTES, b"\0")[:_SIGNATURE_BYTES]
        except ValueError:
            given = bytes(_SIGNATURE_BYTES)
        try:
            # Bytes that are no text come as halves of characters.
            self._key.verify(timestamp.encode(errors="surrogateescape") + body, given)
        except BadSignatureError:
            return False
        return timestamp.isdecimal() and abs(self._clock() - int(timestamp)) <= OLDEST_SECONDS
