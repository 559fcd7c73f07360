"""Logs: one line a record on standard error, without secrets.

Redaction is applied to the finished text, so that it covers a record's message, its arguments and its
traceback alike, whatever logged it.
"""

import logging
import math
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from bot.settings import Secret

ExceptionInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]

HIDDEN: Final = "[hidden]"

_TALKATIVE: Final = (
    "aiohttp.access",
    "apscheduler",
    "asyncio",
    "discord",
    "PIL",
    "telegram",
)
"""Libraries that log every request; only their warnings are kept, whatever LOG_LEVEL says."""

_LOOKS_SECRET: Final = (
    re.compile(r"\d{5,}:[\w-]{30,}"),  # Telegram: the bot's id and 35 characters
    re.compile(r"\b[\w-]{20,}\.[\w-]{6,}\.[\w-]{27,}"),  # Discord: three parts in base64
    re.compile(r"(?<=://)[^\s/@]*:[^\s/@]*(?=@)"),  # user and password in any address
    re.compile(r"(?<=password=)[^\s&]+"),
)
_SELDOM_SECONDS: Final = 600.0
_WARNED: Final[dict[str, float]] = {}
"""When each of the warnings that are not to be repeated soon was logged last, by the monotonic clock."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def set_up_logging(level: str, secrets: Iterable[Secret]) -> None:
    """Send everything from `level` up to standard error, including uncaught exceptions and warnings."""
    handler = logging.StreamHandler()
    handler.setFormatter(DiscreetFormatter(secrets))
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.captureWarnings(True)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("stamina").setLevel(logging.ERROR)  # it warns before every further try
    sys.excepthook = _log_uncaught


def shorten_records(logger: str, told: Callable[[logging.LogRecord], str | None]) -> None:
    """Turn a library's records into warnings of one line without a traceback. `told` returns the line; None:
    the record stays as it is."""

    def shorten(record: logging.LogRecord) -> bool:
        line = told(record)
        if line is not None:
            record.msg, record.args, record.exc_info = line, (), None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True

    logging.getLogger(logger).addFilter(shorten)


class DiscreetFormatter(logging.Formatter):
    """`2026-01-31 20:15:00 INFO    bot.worker.worker: …`; a traceback follows, each of its lines indented.

    Text that a person put into a message (a name with a line break, say) can't start a new line.
    """

    def __init__(self, secrets: Iterable[Secret]) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S")
        known = {form for secret in secrets for form in _forms(secret.reveal())}
        self._known = [re.compile(re.escape(form)) for form in sorted(known, key=len, reverse=True)]

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        for pattern in (*self._known, *_LOOKS_SECRET):
            text = pattern.sub(HIDDEN, text)
        return text

    def formatMessage(self, record: logging.LogRecord) -> str:
        return _CONTROL.sub(_escape, super().formatMessage(record))

    def formatException(self, ei: ExceptionInfo) -> str:
        return _set_in(super().formatException(ei))

    def formatStack(self, stack_info: str) -> str:
        return _set_in(super().formatStack(stack_info))


def _set_in(text: str) -> str:
    return "\n".join(f"    {_CONTROL.sub(_escape, line)}" for line in text.splitlines())


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()


def _forms(secret: str) -> Iterable[str]:
    """Yield the texts in which a secret may appear; for an address, its password alone."""
    if "://" not in secret:
        yield from {secret, quote(secret, safe="")}
    elif password := urlsplit(secret).password:
        yield from {password, unquote(password)}


def _log_uncaught(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, traceback)
    else:
        logging.getLogger("bot").critical("Stopped by an error", exc_info=(kind, error, traceback))


def warn_seldom(log: logging.Logger, warning: str) -> None:
    """Log a warning, at most once in ten minutes: everything that fails for one reason would repeat it."""
    now = time.monotonic()
    if now - _WARNED.get(warning, -math.inf) >= _SELDOM_SECONDS:
        _WARNED[warning] = now
        log.warning(warning)


def way_of(error: BaseException) -> str:
    """Return the type and place of an error, without its own words, which may repeat a screen or a rack."""
    frames = traceback.extract_tb(error.__traceback__)
    way = " > ".join(f"{Path(frame.filename).stem}.{frame.name}:{frame.lineno}" for frame in frames)
    return f"{type(error).__name__} at {way}"
