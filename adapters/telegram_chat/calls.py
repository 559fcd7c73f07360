"""Calls to Telegram: their budgets and spacing, repeats after network trouble, and what refusals mean."""

import asyncio
import logging
import math
import os
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from typing import Final, TypeVar

import stamina
from cachetools import TLRUCache
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Forbidden,
    InvalidToken,
    NetworkError,
    TelegramError,
)
from telegram.error import RetryAfter as FloodControl

from adapters.telegram_chat.addresses import PREFIX, place_key
from adapters.telegram_chat.limits import GROUP_PACE
from bot import metrics
from bot.logs import shorten_records, warn_seldom
from bot.ports import (
    NotPermitted,
    PlaceDeleted,
    PlaceMoved,
    PlaceRefused,
    PrivateClosed,
    RateLimit,
    RetryAfter,
    SharedStatePort,
    UnknownRefusal,
)

# Tells the library that its newer type for waits is known; it warns at every refusal otherwise.
os.environ.setdefault("PTB_TIMEDELTA", "1")

LOG: Final = logging.getLogger(__name__)

T = TypeVar("T")

CALLS_A_SECOND: Final = 20.0
"""Calls of one process a second. Telegram takes 30 messages and edits a second of one bot; a third is kept
for calls that arrive late."""

MOST_UNDER_WAY: Final = 10
"""The most calls under way. After a pause of the process or the network, they arrive together with those of
the next second."""

_MOST_SILENT: Final = 10_000
MOMENT: Final = 2.0
"""Seconds that an answer may wait for its budget."""
PACED: Final = GROUP_PACE[1]
"""Seconds that an answer may wait which reaches its person in no other way: by then the pace lets it
through."""


def _in_one_line(record: logging.LogRecord) -> str | None:
    """Return the line for a page that is no API answer, such as an overloaded server's: without the page."""
    no_answer = "invalid JSON" in str(record.msg)
    return "Telegram's server sent a page instead of an answer" if no_answer else None


shorten_records("telegram.request.BaseRequest", _in_one_line)

_PATIENCE = 2.0
"""Seconds during which a call that failed on its way is repeated."""
_PAUSE = 0.3
_AWAY = 2.0
"""Seconds to wait when Telegram cannot be reached and names no time."""

_LONGEST_AWAY = 30.0
"""The longest of the growing pauses of a call that is made until it succeeds."""

_REVOKED = 30.0
"""Seconds to wait when the bot's token was taken back: only a restart with a new one helps."""

_NO_CHANGE = "message is not modified"
_MESSAGE_GONE = (
    "message to edit not found",
    "message can't be edited",
    "message to pin not found",
    "message to delete not found",
    "message_id_invalid",
    "there is no text in the message",
    "there is no caption in the message",
)
_NO_RIGHT = ("not enough rights", "have no rights", "administrator rights", "admin_required")
_CHAT_CLOSED = (
    "chat not found",
    "user not found",
    "peer_id_invalid",
    "channel_private",
    *_NO_RIGHT,
    "_forbidden",
    "chat_restricted",
    "topic_closed",
)
_NO_PHOTOS = (
    "rights to send photos",
    "rights to send media",
    "send_photos_forbidden",
    "send_media_forbidden",
)
_TOPIC_DELETED = ("message thread not found", "topic_deleted", "topic_id_invalid")
_CODE: Final = re.compile(r"[a-z]+(_[a-z]+)+")
_FILE_GONE = (
    *("wrong file identifier", "wrong remote file", "wrong file_id", "invalid file_id"),
    *("file_reference", "file_id_invalid", "photo_id_invalid", "media_empty"),
)


class FloodControlled(RetryAfter):
    """Telegram's own request to wait, for the chat of the call."""


async def retry(call: Callable[[], Awaitable[T]], seconds: float | None = None) -> T:
    """Make a call, and repeat it while the way to Telegram fails; for 2 s by default.

    Raises FloodControlled when Telegram asks to wait, RetryAfter when it is away. Other refusals come
    through.
    """
    tries = stamina.AsyncRetryingCaller(
        attempts=None, timeout=seconds or _PATIENCE, wait_initial=_PAUSE, wait_exp_base=1, wait_jitter=0
    )
    try:
        return await tries(_on_its_way, call)
    except FloodControl as error:
        metrics.RATE_LIMITED.labels(PREFIX.rstrip(":")).inc()
        raise FloodControlled(seconds_of(error)) from None
    except NetworkError as error:
        if not _on_its_way(error):
            raise
        raise RetryAfter(_AWAY) from None


async def persist(call: Callable[[], Awaitable[T]], seconds: float = math.inf) -> T:
    """Make a call, and again whenever Telegram allows it or can be reached, for at most these seconds.

    Raises RetryAfter when that is too long, and what Telegram refuses.
    """
    end, pause = asyncio.get_running_loop().time() + seconds, _AWAY
    while True:
        try:
            return await retry(call)
        except RetryAfter as later:
            wait = later.seconds if isinstance(later, FloodControlled) else pause
            if asyncio.get_running_loop().time() + wait > end:
                raise
            await asyncio.sleep(wait)
            pause = min(2 * pause, _LONGEST_AWAY)


@contextmanager
def refusals(meant: Callable[[TelegramError], Exception]) -> Iterator[None]:
    """Replace a refusal inside by the error that it means to the application."""
    try:
        yield
    except InvalidToken:  # it is the bot that is refused, not a place or person: nothing of theirs is done
        warn_seldom(LOG, "Telegram refuses the bot's token: check TELEGRAM_TOKEN")
        raise RetryAfter(_REVOKED) from None
    except TelegramError as error:
        raise meant(error) from None


def pin_refusal(error: TelegramError) -> Exception:
    """Return the meaning of a refusal to pin a message."""
    return NotPermitted("pins") if _among(error, _NO_RIGHT) else public_refusal(error)


def public_refusal(error: TelegramError) -> Exception:
    """Return the meaning of a refusal for a place."""
    if isinstance(error, ChatMigrated):
        return PlaceMoved(place_key(error.new_chat_id))
    if _among(error, _TOPIC_DELETED):
        return PlaceDeleted(_reason(error))
    return (PlaceRefused if _says_closed(error) else UnknownRefusal)(_reason(error))


def private_refusal(error: TelegramError) -> Exception:
    """Return the meaning of a refusal for a person."""
    return PrivateClosed() if _says_closed(error) else UnknownRefusal(_reason(error))


def says_unchanged(error: BadRequest) -> bool:
    """Return whether an edit was refused because the message shows the same already."""
    return _NO_CHANGE in error.message.lower()


def is_message_gone(error: TelegramError) -> bool:
    """Return whether the message to edit, pin or delete does not exist."""
    return _among(error, _MESSAGE_GONE)


def is_too_old_to_delete(error: TelegramError) -> bool:
    """Return whether a message is too old to be deleted, at more than two days."""
    return _among(error, ("can't be deleted",))


def refuses_photos(error: TelegramError) -> bool:
    """Return whether a group takes no pictures from the bot. It may take words."""
    return _among(error, _NO_PHOTOS)


def is_file_gone(error: BadRequest) -> bool:
    """Return whether Telegram no longer knows a picture by its id."""
    return _among(error, _FILE_GONE)


def is_query_expired(error: BadRequest) -> bool:
    """Return whether the app has stopped waiting for the answer to a press."""
    return _among(error, ("query is too old", "query id is invalid", "query_id_invalid"))


def _on_its_way(error: Exception) -> bool:
    """Return whether a call failed on its way. The library also counts Telegram's refusals as network
    errors."""
    return isinstance(error, NetworkError) and not isinstance(error, BadRequest)


def _says_closed(error: TelegramError) -> bool:
    return isinstance(error, Forbidden) or (isinstance(error, BadRequest) and _among(error, _CHAT_CLOSED))


def _reason(error: TelegramError) -> str:
    """Return a short form of Telegram's reason. Its own words stay out of the log: they may repeat ours."""
    said, code = error.message.lower(), _CODE.search(error.message.lower())
    known = next((words for words in (*_TOPIC_DELETED, *_CHAT_CLOSED) if words in said), "")
    return code[0] if code else known or type(error).__name__


def _among(error: TelegramError, words: tuple[str, ...]) -> bool:
    said = error.message.lower()
    return any(word in said for word in words)


def seconds_of(error: FloodControl) -> float:
    """Return the seconds until Telegram allows another try."""
    wait = error.retry_after
    return wait.total_seconds() if isinstance(wait, timedelta) else wait


async def afford(shared: SharedStatePort, limits: tuple[RateLimit, ...], *, seconds: float = MOMENT) -> None:
    """Charge a call, waiting at most `seconds`. Raises RetryAfter when its budget stays empty."""
    end = asyncio.get_running_loop().time() + seconds
    while (wait := await shared.spend(limits)) > 0:
        if asyncio.get_running_loop().time() + wait > end:
            raise RetryAfter(wait)
        await asyncio.sleep(wait)


class Throttle:
    """Spaces the calls of this process, because calls that the budgets allow at once would also arrive at
    once. It makes no call to a chat while Telegram asks to wait: writing there again would prolong the
    wait."""

    def __init__(self) -> None:
        self._next = 0.0
        self._under_way = asyncio.Semaphore(MOST_UNDER_WAY)
        self._silent = TLRUCache[tuple[int, bool], float](_MOST_SILENT, lambda chat, end, now: end)
        """The end of each chat's silence, and of that of messages there which one person alone sees."""

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait until a call may begin, and hold its place until it is made. The budgets keep the wait
        short."""
        async with self._under_way:
            now = asyncio.get_running_loop().time()
            begin = max(now, self._next)
            self._next = begin + 1 / CALLS_A_SECOND
            await asyncio.sleep(begin - now)
            yield

    async def call(self, chat: int, call: Callable[[], Awaitable[T]], *, alone: bool = False) -> T:
        """Make a call to a chat, or about a message there that one person sees `alone`. Every try waits
        for its turn. Raises what `retry` raises."""
        if (end := self._silent.get((chat, alone))) is not None:
            raise RetryAfter(end - time.monotonic())

        async def in_turn() -> T:
            async with self.turn():
                return await call()

        try:
            return await retry(in_turn)
        except FloodControlled as flood:
            self._silent[chat, alone] = time.monotonic() + flood.seconds
            raise
