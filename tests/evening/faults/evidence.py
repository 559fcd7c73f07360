"""Evidence of an evening: messages, presses, commits, and faults."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bot.callback_data import CallbackData, read_callback
from tests.evening import discord_people, telegram_people
from tests.evening.crowd_people import COUNTS_TURNS
from tests.evening.crowd_witness import Commit
from tests.servers.discord_api import client as discord_client
from tests.servers.telegram_api import client as telegram_client

RETRY_SECONDS = 4.0
"""Seconds without calls to a chat after a refusal that names no time."""

LOST = "lost answer"

_MESSAGE = re.compile(r"/channels/(\d+)/messages(?:/(\d+))?")


@dataclass(frozen=True, slots=True)
class Sent:
    """A message that a platform was asked to post or edit, and whether it did."""

    at: float
    """Seconds since the epoch."""
    to: str
    """The key of the person or place."""
    new: bool
    message: int
    words: str
    presses: tuple[str, ...]
    notifies: tuple[str, ...] = ()
    """The keys of the people whom it notifies."""
    lost: bool = False
    """Whether it was carried out without an answer to the program."""

    @property
    def buttons(self) -> Iterator[CallbackData]:
        """The data of its buttons."""
        return (read for press in self.presses if (read := read_callback(press)) is not None)

    def shows(self, table: str) -> int:
        """The newest count of moves that its buttons about this table were made for; -1: it has none."""
        counted = (
            each.moment
            for each in self.buttons
            if each.target == table and not COUNTS_TURNS.fullmatch(each.verb)
        )
        return max(counted, default=-1)


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press of a button."""

    at: float
    who: str
    verb: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """A fault, with its beginning and end."""

    kind: str
    begin: float
    end: float
    where: str = ""
    """The key of a person or a place; empty: everywhere."""


@dataclass(frozen=True, slots=True)
class Stands:
    """A message as a person sees it at the end."""

    to: str
    message: int
    words: str
    presses: tuple[str, ...]


@dataclass
class Evidence:
    """The evidence of one match in one place."""

    table: str
    place: str
    people: tuple[str, ...]
    closed: frozenset[str]
    """People whom no private message reaches."""
    turn_seconds: float
    commits: list[Commit] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    pressed: list[Pressed] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    stands: list[Stands] = field(default_factory=list)
    known: dict[int, set[Any]] = field(default_factory=dict)
    """By round, the tiles that were public."""

    @cached_property
    def history(self) -> list[Commit]:
        """The commits of this table, earliest first."""
        own = (commit for commit in self.commits if commit.table.id == self.table)
        return sorted(own, key=lambda commit: (commit.table.moment, commit.at))


def telegram_evidence(
    calls: Sequence[telegram_client.Call], group: int, place: str
) -> tuple[list[Sent], list[Trouble]]:
    """The messages of a Telegram server, and the calls that it refused or lost."""
    sent, troubles = [], []
    for call in calls:
        parameters = call.parameters
        to = place if parameters.get("chat_id") == group else f"tg:{parameters.get('chat_id')}"
        if call.status == 429 or call.status >= 500 or call.lost or not call.status:
            kind = LOST if call.lost else str(call.status)
            troubles.append(Trouble(kind, call.at, call.at + RETRY_SECONDS, to))
        verb = re.match("send|edit", call.method)
        if verb is None or call.message is None:
            continue
        media = parameters.get("media") or {}
        words = parameters.get("text") or parameters.get("caption") or media.get("caption") or ""
        rows = (parameters.get("reply_markup") or {}).get("inline_keyboard", [])
        presses = tuple(button.get("callback_data", "") for row in rows for button in row)
        sent.append(
            Sent(
                call.at,
                to,
                verb[0] == "send",
                call.message,
                words,
                presses,
                telegram_people.notified(call),
                call.lost,
            )
        )
    return sent, troubles


def discord_evidence(
    calls: Sequence[discord_client.Call], channels: dict[int, str]
) -> tuple[list[Sent], list[Trouble]]:
    """The same of a Discord server. Its channels belong to the keys given by their numbers."""
    sent, troubles = [], []
    for call in calls:
        path = _MESSAGE.search(call.path)
        to = "" if path is None else channels.get(int(path[1]), path[1])
        refused = call.status is None or call.status == 429 or call.status >= 500
        lost = refused and call.message is not None
        if refused and path is not None:
            kind = LOST if lost else str(call.status)
            troubles.append(Trouble(kind, call.at, call.at + RETRY_SECONDS, to))
        if path is None or call.message is None:
            continue
        presses = tuple(call.presses)
        new = call.method == "POST"
        called = discord_people.notified(call)
        sent.append(Sent(call.at, to, new, call.message, call.words, presses, called, lost))
    return sent, troubles
