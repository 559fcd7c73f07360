"""The bot's limits: measured as the documentation states them, answered with 429, and recorded."""

import math
import time
from collections import deque
from dataclasses import dataclass

from tests.servers.telegram_api.errors import Refused

_ON_ITS_WAY = 0.5
"""Seconds in which a request may still arrive that was sent before the refusal was known."""


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `calls` messages and edits in any `seconds` seconds."""

    calls: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits in force. A chat takes 1 a second on average, with bursts."""

    group: Limit = Limit(20, 60)
    private: Limit = Limit(30, 30)
    alone: Limit = Limit(40, 60)
    """Messages in a group that one person alone sees."""
    whole: Limit = Limit(30, 1)


class Meter:
    """Counts the messages and edits to each chat and of the bot in all."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._sent: dict[object, deque[float]] = {}
        self._silences: dict[object, tuple[float, float]] = {}
        self.findings: list[str] = []

    def charge(self, chat_id: int, *, alone: bool = False) -> None:
        """Count one message or edit to a chat, or to one person `alone` there. Raises 429 beyond a limit, or
        before an announced wait is over."""
        now = time.monotonic()
        scope = f"one person in {chat_id}" if alone else chat_id
        self._obeyed(scope, now)
        limit = self._limits.group if chat_id < 0 else self._limits.private
        for key, allowed in ((scope, self._limits.alone if alone else limit), (None, self._limits.whole)):
            wait = self._wait(key, allowed, now)
            if wait > 0:
                whose = "in all" if key is None else f"for chat {key}"
                self.findings.append(
                    f"more than {allowed.calls} messages and edits in {allowed.seconds:g} s {whose}"
                )
                raise self.silence(scope, wait)
        for key in (scope, None):
            self._sent.setdefault(key, deque()).append(now)

    def silence(self, chat_id: object, seconds: float) -> Refused:
        """Tell the bot to wait. For one chat, it is recorded whether the bot does."""
        whole = math.ceil(seconds)
        if chat_id is not None:
            told = time.monotonic()
            self._silences[chat_id] = (told, told + whole)
        return Refused(429, f"Too Many Requests: retry after {whole}", retry_after=whole)

    def _obeyed(self, chat_id: object, now: float) -> None:
        told, until = self._silences.get(chat_id, (0.0, 0.0))
        if now >= until:
            return
        if now > told + _ON_ITS_WAY:
            self.findings.append(
                f"chat {chat_id} was written to {until - now:.1f} s before retry_after was over"
            )
        whole = math.ceil(until - now)
        raise Refused(429, f"Too Many Requests: retry after {whole}", retry_after=whole)

    def _wait(self, key: object, limit: Limit, now: float) -> float:
        sent = self._sent.setdefault(key, deque())
        while sent and sent[0] <= now - limit.seconds:
            sent.popleft()
        return sent[0] + limit.seconds - now if len(sent) >= limit.calls else 0.0
