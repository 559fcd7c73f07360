"""Telegram as a chat of the application."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from aiohttp import web
from telegram import Bot
from telegram.error import InvalidToken, TelegramError
from telegram.request import HTTPXRequest

from adapters.telegram_chat.doors import Doors
from adapters.telegram_chat.groups import Groups
from adapters.telegram_chat.incoming import Incoming
from adapters.telegram_chat.keys import PREFIX, Reference, place_key, reference, spot
from adapters.telegram_chat.links import link_to, message_link
from adapters.telegram_chat.menus import menus
from adapters.telegram_chat.messages import Messages, Overtaken
from adapters.telegram_chat.readable import LegibleUpdates
from adapters.telegram_chat.refusals import insist, message_gone, pin_refusal, public_refusal
from adapters.telegram_chat.topics import Topics
from adapters.telegram_chat.updates import Hearing, Webhook, poll
from adapters.telegram_chat.whispers import Whispers
from bot.i18n import DEFAULT_LANGUAGE, LANGUAGES, words_for
from bot.markup import Link, Page, PublicScreen, SeatScreen, Text
from bot.ports import Chat, ChatRefused, DeliveryPort, Dispatcher, Person, RateLimit, RetryAfter

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

_GROUP = (16, 60.0)
"""Calls and seconds."""
_GROUP_URGENT = (18, 60.0)
"""Telegram takes 20; two are kept for what was on its way for long, and two for what cannot wait."""
_GROUP_PACE = (3, 8.0)
"""So that a quick beginning does not leave the rest of the minute without a word."""
_PRIVATE = (9, 10.0)
"""Telegram takes 1 a second on average; some are kept for what was on its way for long."""
_WHOLE = RateLimit(PREFIX, 4, 0.2)
"""Telegram takes 30 a second from one bot. In small portions: who goes next is then settled often."""

_GIVE_UP_SECONDS = 5.0
_CONNECTIONS = 64
_START_TRIES = 3

logger = logging.getLogger(__name__)


class TelegramChat(Chat):
    """One bot. Polls for updates, or takes them at `webhook_route` when it has a `webhook_url`."""

    def __init__(
        self,
        *,
        router: Dispatcher,
        post: DeliveryPort,
        token: str,
        api_url: str,
        webhook_url: str | None = None,
    ) -> None:
        self._router, self._post = router, post
        self._bot = Bot(
            token,
            base_url=f"{api_url.rstrip('/')}/bot",
            base_file_url=f"{api_url.rstrip('/')}/file/bot",
            request=_connections(_CONNECTIONS),
            get_updates_request=_connections(1, LegibleUpdates),
        )
        self._messages = Messages(self._bot)
        self._doors = Doors()
        self._groups = Groups(self._bot)
        self._topics = Topics(self._bot)
        self._whispers = Whispers(self._bot, self._messages, self, post)
        incoming = Incoming(
            bot=self._bot,
            messages=self._messages,
            doors=self._doors,
            whispers=self._whispers,
            chat=self,
            router=router,
            post=post,
        )
        self._hearing = Hearing(incoming)
        self._webhook = Webhook(webhook_url, token, self._bot, self._hearing) if webhook_url else None

    @property
    def name(self) -> str:
        return PREFIX.rstrip(":")

    @property
    def private_everywhere(self) -> bool:
        return self._whispers.offered

    @property
    def leads_to_private(self) -> bool:
        return True

    # Coming and going

    async def start(self) -> None:
        """Introduce the bot to Telegram. Raises ChatRefused: `bad_token`, `unreachable`."""
        try:
            await self._initialize()
            await self._whispers.look(self._bot.id)
            await self._offer_commands()
            if self._webhook is not None:
                await self._webhook.set_up()
            else:
                await insist(self._bot.delete_webhook)
        except (TelegramError, RetryAfter) as error:
            await self._bot.shutdown()
            # Not as its cause: the library's words for a refused token repeat the token.
            raise ChatRefused("bad_token" if isinstance(error, InvalidToken) else "unreachable") from None
        logger.info("Telegram: @%s is ready", self._bot.username)

    async def run(self) -> None:
        """Hear updates until cancelled. Raises ChatRefused when the token is taken back."""
        if self._webhook is None:
            await poll(self._bot, self._hearing)
        else:
            await asyncio.Event().wait()

    async def stop(self) -> None:
        """Tell people what is still to be told, then close the connections."""
        await self._hearing.close()
        await self._bot.shutdown()

    def webhook_route(self) -> tuple[str, Handler] | None:
        """Path and handler for the application's web server; None when updates are polled."""
        return None if self._webhook is None else (self._webhook.path, self._webhook.handle)

    async def _initialize(self) -> None:
        for tries_left in reversed(range(_START_TRIES)):
            try:
                await insist(self._bot.initialize)
            except RetryAfter as later:
                if not tries_left:
                    raise
                await asyncio.sleep(later.seconds)
            else:
                return

    async def _offer_commands(self) -> None:
        for language in LANGUAGES:
            code = None if language == DEFAULT_LANGUAGE else language
            for scope, commands in menus(self._router, words_for(language)):
                await insist(partial(self._bot.set_my_commands, commands, scope=scope, language_code=code))

    # What the post asks

    def public_limits(self, place: str) -> tuple[RateLimit, ...]:
        group = place_key(spot(place).chat)
        return RateLimit(group, *_GROUP), RateLimit(group, *_GROUP_PACE), _WHOLE

    def urgent_limits(self, place: str) -> tuple[RateLimit, ...]:
        return RateLimit(place_key(spot(place).chat), *_GROUP_URGENT), _WHOLE

    def private_limits(self, person: str) -> tuple[RateLimit, ...]:
        return RateLimit(person, *_PRIVATE), _WHOLE

    async def show_table(self, place: str, screen: PublicScreen, message: str | None, *, anew: bool) -> str:
        old = None if message is None else reference(message)
        try:
            if old is not None and not anew:
                return str(await self._edit_table(place, screen, old))
            shown = await self._messages.post(spot(place), screen)
            if old is not None and await self._post.spend(self.public_limits(place)) == 0:
                await self._messages.disarm(old)
        except TelegramError as error:
            raise public_refusal(error) from None
        return str(shown)

    async def _edit_table(self, place: str, screen: PublicScreen, old: Reference) -> Reference:
        try:
            edited = await self._messages.edit(old, screen)
        except Overtaken:
            return old
        if edited is not None:
            return edited
        wait = await self._post.spend(self.public_limits(place))
        if wait > 0:
            raise RetryAfter(wait)
        posted = await self._messages.post(spot(place), screen)
        await self._messages.remove(old)
        return posted

    async def show_rack(self, person: str, screen: SeatScreen, message: str | None, *, notify: bool) -> str:
        old = None if message is None else reference(message)
        try:
            with self._doors.through(person):
                shown = await self._messages.show(spot(person), screen, None if notify else old)
        except Overtaken:
            return str(old)
        if notify and old is not None:
            await self._messages.remove(old)
        return str(shown)

    async def send_direct(self, person: str, page: Page, once: str) -> None:
        """Telegram cannot tell that a page comes twice."""
        with self._doors.through(person):
            await self._messages.hand(spot(person), page, None)

    async def post_line(self, place: str, text: Text, *, calls: Sequence[Person] = ()) -> str:
        try:
            return str(await self._messages.say(spot(place), text, calls=calls))
        except TelegramError as error:
            raise public_refusal(error) from None

    async def delete_line(self, place: str, message: str) -> None:
        await self._messages.remove(reference(message))

    async def pin(self, place: str, message: str) -> None:
        try:
            await self._messages.pin(reference(message))
        except TelegramError as error:
            if not message_gone(error):
                raise pin_refusal(error) from None

    async def unpin(self, place: str, message: str) -> None:
        await self._messages.unpin(reference(message))

    async def organises(self, person: str, place: str) -> bool:
        return await self._groups.runs(person, place)

    async def community(self, place: str) -> str:
        return place_key(spot(place).chat)

    async def open_room(self, place: str, name: str) -> str | None:
        return await self._topics.open(place, name)

    async def close_room(self, place: str) -> None:
        await self._topics.close(place)

    async def lacks_for_rooms(self, place: str) -> tuple[str, ...] | None:
        return await self._topics.lacks(place)

    def place_link(self, place: str) -> Link | None:
        return link_to(spot(place))

    def link(self, place: str, message: str) -> str | None:
        return message_link(spot(place), reference(message))


def _connections(size: int, kind: type[HTTPXRequest] = HTTPXRequest) -> HTTPXRequest:
    return kind(
        connection_pool_size=size,
        read_timeout=_GIVE_UP_SECONDS,
        media_write_timeout=_GIVE_UP_SECONDS,
    )
