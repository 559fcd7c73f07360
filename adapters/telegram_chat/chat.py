"""Telegram as a chat of the application."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from aiohttp import web
from telegram import LinkPreviewOptions
from telegram.error import InvalidToken, TelegramError
from telegram.ext import Defaults, ExtBot

from adapters.telegram_chat.addresses import PREFIX, chat_address, message_address
from adapters.telegram_chat.answers import TelegramAnswers
from adapters.telegram_chat.calls import (
    afford,
    is_message_gone,
    persist,
    pin_refusal,
    public_refusal,
    refusals,
)
from adapters.telegram_chat.ephemeral import EphemeralMessages
from adapters.telegram_chat.events import CheckedUpdates
from adapters.telegram_chat.groups import Groups
from adapters.telegram_chat.http import AiohttpRequest
from adapters.telegram_chat.introduction import introduce
from adapters.telegram_chat.limits import LIMITS
from adapters.telegram_chat.links import TelegramLinks
from adapters.telegram_chat.messages import Messages
from adapters.telegram_chat.private_chats import PrivateChats
from adapters.telegram_chat.rendering import MiniApp, private_chat_button
from adapters.telegram_chat.topics import Topics
from adapters.telegram_chat.updates import BadWebhook, TelegramWebhook, UpdateHandler, poll
from bot.markup import Page, PublicScreen, SeatScreen, Text, Typed
from bot.ports import (
    Chat,
    ChatRefused,
    DeliveryPort,
    Dispatcher,
    Features,
    Limits,
    Links,
    Person,
    Places,
    RetryAfter,
)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_GIVE_UP_SECONDS = 5.0
_CONNECTIONS = 64
_DEFAULTS = Defaults(link_preview_options=LinkPreviewOptions(is_disabled=True))
"""Not the parse mode: the library would also send it with edits of a picture, which do not take it."""
_START_SECONDS = 8.0
"""Seconds of trying after which Telegram counts as unreachable."""

LOG: Final = logging.getLogger(__name__)


class TelegramChat(Topics, Chat):
    """One bot. It polls for updates, or takes them at `webhook_route` if it has a `webhook_url`."""

    name = PREFIX.rstrip(":")
    limits: Limits = LIMITS

    def __init__(
        self,
        *,
        router: Dispatcher,
        delivery: DeliveryPort,
        token: str,
        api_url: str,
        webhook_url: str | None = None,
        app_url: str = "",
        app_name: str = "",
    ) -> None:
        bot = ExtBot(
            token,
            base_url=f"{api_url.rstrip('/')}/bot",
            base_file_url=f"{api_url.rstrip('/')}/file/bot",
            request=AiohttpRequest(_CONNECTIONS, _GIVE_UP_SECONDS),
            get_updates_request=CheckedUpdates(1, _GIVE_UP_SECONDS),
            defaults=_DEFAULTS,
        )
        super().__init__(bot)
        self._router, self._delivery = router, delivery
        self._app = app = MiniApp(bot, app_url, app_name)
        self._messages = messages = Messages(bot, delivery, app)
        self.links: Links = TelegramLinks(bot, app)
        self.places: Places = Groups(bot, messages)
        self._private_chats = private = PrivateChats(messages, delivery)
        self._ephemeral = ephemeral = EphemeralMessages(bot, messages, delivery, app)
        answers = TelegramAnswers(bot, messages, private, ephemeral, delivery)
        self._handler = UpdateHandler(bot, router, delivery, messages, private, answers)
        self._webhook = TelegramWebhook(webhook_url, token, bot, self._handler) if webhook_url else None

    @property
    def received_by_one(self) -> bool:
        """Polled updates go to one process. A webhook may have any number of processes behind it."""
        return self._webhook is None

    @property
    def features(self) -> Features:
        return Features(
            private_everywhere=self._ephemeral.offered,
            leads_to_private=True,
            has_forms=False,
            draws_tables=False,
            opens_app=self._app.opens,
        )

    # Start, run, stop

    async def start(self) -> None:
        """Connect to Telegram. Raises ChatRefused: `bad_token`, `bad_webhook`, `unreachable`."""
        try:
            await persist(self._bot.initialize, _START_SECONDS)
            await persist(partial(self._ephemeral.probe, self._bot.id), _START_SECONDS)
            if self._webhook is not None:
                await persist(self._webhook.set_up, _START_SECONDS)
            else:
                await persist(self._bot.delete_webhook, _START_SECONDS)
        except BadWebhook:
            await self._bot.shutdown()
            raise ChatRefused("bad_webhook") from None
        except (TelegramError, RetryAfter) as error:
            await self._bot.shutdown()
            # Not as its cause: the library's message for a refused token repeats the token.
            raise ChatRefused("bad_token" if isinstance(error, InvalidToken) else "unreachable") from None
        LOG.info("Telegram: @%s is ready", self._bot.username)

    async def run(self) -> None:
        """Receive updates until cancelled. Raises ChatRefused when the token is revoked."""
        introducing = asyncio.create_task(introduce(self._bot, self._app))
        try:
            if self._webhook is None:
                await poll(self._bot, self._handler)
            else:
                await asyncio.Event().wait()
        finally:
            introducing.cancel()
            await asyncio.gather(introducing, return_exceptions=True)

    async def stop(self) -> None:
        """Send what people are still to be told, then close the connections."""
        await self._handler.close()
        await self._bot.shutdown()

    def webhook_route(self) -> tuple[str, Handler] | None:
        """Path and handler for the application's web server; None when updates are polled."""
        return None if self._webhook is None else (self._webhook.path, self._webhook.handle)

    # Delivery

    def type_command(self, typed: Typed) -> str:
        return typed.line

    async def show_table(self, place: str, screen: PublicScreen, message: str | None, *, anew: bool) -> str:
        to, old = chat_address(place), None if message is None else message_address(message)

        async def charge() -> None:
            await afford(self._delivery, LIMITS.public(place), seconds=0)

        with refusals(public_refusal):
            shown = await self._messages.show(to, screen, old, anew=anew, charge=charge) or old
            assert shown is not None
            return shown.reference

    def count_below(self, place: str, message: str) -> int:
        return self._messages.count_below(message_address(message), chat_address(place).topic)

    async def take_buttons(self, place: str, message: str) -> None:
        with refusals(public_refusal):
            await self._messages.disarm(message_address(message))

    async def show_last(self, place: str, screen: PublicScreen, message: str) -> None:
        with refusals(public_refusal):
            await self._messages.show_last(screen, message_address(message))

    async def remove_table(self, place: str, message: str) -> None:
        with refusals(public_refusal):
            await self._messages.delete(message_address(message))

    async def show_rack(
        self, person: str, screen: SeatScreen, message: str | None, *, notify: bool, silent: bool = False
    ) -> str:
        old = None if message is None else message_address(message)
        shown = await self._private_chats.show_rack(person, screen, old, anew=notify, silent=silent) or old
        assert shown is not None
        return shown.reference

    def shows_rack(self, person: str, table: str) -> bool:
        return self._ephemeral.shows(person, table)

    async def show_rack_in_place(
        self, person: str, screen: SeatScreen, message: str | None, *, silent: bool = False
    ) -> str:
        await self._ephemeral.change(person, screen)
        return message or ""

    async def remove_rack(self, person: str, message: str) -> None:
        await self._private_chats.remove_rack(person, message_address(message))

    def same_message(self, one: str, other: str) -> bool:
        return _without_kind(one) == _without_kind(other)

    async def in_sight(self, person: str, message: str) -> bool:
        return await self._private_chats.in_sight(person, message_address(message))

    async def send_direct(self, person: str, page: Page, once: str) -> str:
        """Telegram cannot recognise a page that is sent twice."""
        return str(await self._private_chats.send_page(person, page))

    async def edit_direct(self, person: str, page: Page, message: str) -> None:
        await self._private_chats.edit_page(person, page, message_address(message))

    async def post_line(
        self,
        place: str,
        text: Text,
        *,
        calls: Sequence[Person] = (),
        opens: str | None = None,
        once: str = "",
    ) -> str:
        buttons = None if opens is None else private_chat_button(self._bot.username, opens)
        with refusals(public_refusal):
            return str(await self._messages.say(chat_address(place), text, calls=calls, buttons=buttons))

    async def delete_line(self, place: str, message: str) -> None:
        await self._messages.remove(message_address(message))

    async def celebrate(self, place: str, message: str) -> None:
        await self._messages.react(message_address(message))

    async def pin(self, place: str, message: str) -> None:
        with refusals(pin_refusal):
            try:
                await self._messages.pin(message_address(message))
            except TelegramError as error:
                if not is_message_gone(error):
                    raise

    async def unpin(self, place: str, message: str) -> None:
        await self._messages.unpin(message_address(message))


def _without_kind(reference: str) -> str:
    """Return a reference without what its message is made of and shows."""
    return reference.partition(" ")[0].rpartition(":")[0]
