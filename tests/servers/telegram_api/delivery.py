"""Updates for the bot: long polling, or a webhook with its secret token."""

import asyncio
import logging
import re
import time
from typing import Any

import aiohttp

from tests.servers.telegram_api.errors import Refused, bad_request
from tests.servers.telegram_api.requests import ApiRequest
from tests.servers.telegram_api.world import Updates, World

_SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}\Z")
_AGAIN = 0.3
"""Seconds until a failed webhook is called again (Telegram waits longer)."""
_NOT_BY_DEFAULT = {"chat_member", "message_reaction", "message_reaction_count"}

logger = logging.getLogger(__name__)


class Delivery:
    """The queue of updates, which the bot gets by polling or webhook."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._updates = Updates()
        self._news = asyncio.Event()
        self._allowed: list[str] = []
        self._webhook = ""
        self._secret = ""
        self._poll = 0
        self._pushing: asyncio.Task[None] | None = None
        self.pushed: list[int] = []
        """The HTTP status of every delivery to the webhook."""

    @property
    def waiting(self) -> int:
        """The number of updates that the bot has not confirmed."""
        return len(self._updates.waiting)

    def tell(self, kind: str, content: dict[str, Any]) -> None:
        """Queue an update, if the bot has asked for its kind."""
        wanted = kind in self._allowed if self._allowed else kind not in _NOT_BY_DEFAULT
        if wanted:
            self._updates.add(kind, content)
            self._news.set()

    def tell_anything(self, updates: list[dict[str, Any]]) -> None:
        """Queue made-up updates, valid or not. Only their numbers are set here."""
        for content in updates:
            self._updates.add_whole(content)
        self._news.set()

    async def get_updates(self, request: ApiRequest) -> list[dict[str, Any]]:
        """Long polling: confirm, then wait for new updates. A second poll ends the first."""
        if self._webhook:
            raise Refused(
                409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook first"
            )
        if request.json("allowed_updates") is not None:
            self._allowed = request.json("allowed_updates")
        self._poll += 1
        mine = self._poll
        # Wakes a running poll, which then sees that it is no longer the latest.
        self._news.set()
        self._updates.confirm(request.number("offset") or 0)
        end = time.monotonic() + (request.number("timeout") or 0)
        while not self._updates.waiting and time.monotonic() < end:
            self._news.clear()
            try:
                await asyncio.wait_for(self._news.wait(), end - time.monotonic())
            except TimeoutError:
                break
            if mine != self._poll:
                raise Refused(
                    409,
                    "Conflict: terminated by other getUpdates request; "
                    "make sure that only one bot instance is running",
                )
        batch = list(self._updates.waiting)[: request.number("limit") or 100]
        for update in batch:
            self._delivered(update)
        return batch

    def set_webhook(self, request: ApiRequest) -> bool:
        """Push updates from now on. Plain http is allowed here, as the bot is on the same machine."""
        secret = request.text("secret_token")
        if secret and not _SECRET.match(secret):
            raise bad_request("secret token contains unallowed characters")
        if request.flag("drop_pending_updates"):
            self._updates.waiting.clear()
        self.stop_pushing()
        self._webhook, self._secret = request.text("url"), secret
        self._allowed = request.json("allowed_updates") or []
        if self._webhook:
            self._pushing = asyncio.create_task(self._push())
        return True

    def delete_webhook(self, request: ApiRequest) -> bool:
        """Return to polling."""
        if request.flag("drop_pending_updates"):
            self._updates.waiting.clear()
        self.stop_pushing()
        self._webhook = ""
        return True

    def webhook_info(self, _: ApiRequest) -> dict[str, Any]:
        """The API's `WebhookInfo`."""
        return {"url": self._webhook, "has_custom_certificate": False, "pending_update_count": self.waiting}

    def stop_pushing(self) -> None:
        """Call the webhook no more."""
        if self._pushing is not None:
            self._pushing.cancel()
            self._pushing = None

    async def _push(self) -> None:
        async with aiohttp.ClientSession() as session:
            while True:
                while self._updates.waiting:
                    await self._push_one(session, self._updates.waiting[0])
                self._news.clear()
                await self._news.wait()

    async def _push_one(self, session: aiohttp.ClientSession, update: dict[str, Any]) -> None:
        headers = {"X-Telegram-Bot-Api-Secret-Token": self._secret} if self._secret else {}
        self._delivered(update)
        try:
            timeout = aiohttp.ClientTimeout(total=10)
            async with session.post(self._webhook, json=update, headers=headers, timeout=timeout) as answer:
                status = answer.status
        except (aiohttp.ClientError, TimeoutError) as error:
            logger.info("webhook: %s", type(error).__name__)
            status = 0
        self.pushed.append(status)
        if 200 <= status < 300:
            self._updates.confirm(update["update_id"] + 1)
        else:
            await asyncio.sleep(_AGAIN)

    def _delivered(self, update: dict[str, Any]) -> None:
        query = update.get("callback_query")
        callback = self._world.callbacks.get(str(query.get("id"))) if isinstance(query, dict) else None
        if callback is not None:
            callback.delivered = callback.delivered or time.monotonic()
            callback.deliveries += 1
