"""Webhook: interactions posted and signed by Discord. With it the bot needs no gateway.

Nothing of a body is read before its signature is checked. Then it is handled like an event of the gateway,
and answered by a call of its own; for that, Discord asks for status 202.
"""

import json
import time
from collections.abc import Callable
from typing import Any, Final

from aiohttp import web
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

PATH: Final = "/discord/interactions"

OLDEST_SECONDS: Final = 300.0
"""The greatest age of a signature in seconds. An older one may be a replay."""

_PING, _PONG = 1, 1
_SIGNATURE_BYTES: Final = 64


class DiscordWebhook:
    """The endpoint to which Discord posts interactions. They reach the bot while it is logged in."""

    def __init__(self, public_key: str, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._key = VerifyKey(bytes.fromhex(public_key))
        self.receive: Callable[[Any], None] | None = None
        """The function that handles them."""

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
        if self.receive is None:
            raise web.HTTPServiceUnavailable
        self.receive(interaction)
        return web.Response(status=202)

    def _is_genuine(self, signature: str, timestamp: str, body: bytes) -> bool:
        """Whether Discord signed it just now. The check takes equally long whatever is wrong."""
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
