"""Findings: a grade, a code for programs and a sentence for people; and how the doctor asks a chat."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from aiohttp import ClientError, ClientSession

Grade = Literal["good", "advice", "wrong", "by hand"]

PATIENCE: Final = 8.0
"""Seconds that a chat may take to answer."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was examined. `wrong` prevents a game, or loses or betrays one."""

    grade: Grade
    code: str
    sentence: str

    def __str__(self) -> str:
        return f"{'ok' if self.grade == 'good' else self.grade:<7} {self.sentence}"


class NoAnswer(Exception):
    """Raised when no answer came in time."""


def good(code: str, sentence: str) -> Finding:
    """Something that is as it should be."""
    return Finding("good", code, sentence)


def advice(code: str, sentence: str) -> Finding:
    """Something that works and could be better, or that may not be intended."""
    return Finding("advice", code, sentence)


def wrong(code: str, sentence: str) -> Finding:
    """Something that prevents a game, or lets one be lost or be seen by others."""
    return Finding("wrong", code, sentence)


def by_hand(code: str, sentence: str) -> Finding:
    """Something that no program can ask for: it counts neither as good nor as an open point."""
    return Finding("by hand", code, sentence)


def open_points(findings: Sequence[Finding]) -> str:
    """Return what is left to do, for the end of a report: what is wrong first, a line each."""
    left = [each for grade in ("wrong", "advice") for each in findings if each.grade == grade]
    lines = [f"{number}. {each.sentence}" for number, each in enumerate(left, 1)]
    return "\n".join((f"{len(left)} open point{'' if len(left) == 1 else 's'}{':' if left else ''}", *lines))


def printable(text: object) -> str:
    """Return a name from outside, safe to print: without control characters, at most 60 characters."""
    return "".join(char for char in str(text) if char.isprintable())[:60]


async def ask(
    web: ClientSession, url: str, headers: Mapping[str, str] | None = None, patience: float = PATIENCE
) -> tuple[int, Any]:
    """Return the status and the JSON of a GET's answer; None for a body that is not JSON. Raises NoAnswer."""
    try:
        async with asyncio.timeout(patience), web.get(url, headers=headers) as response:
            body = await response.read()
    except (ClientError, TimeoutError):
        raise NoAnswer from None
    try:
        return response.status, json.loads(body)
    except ValueError:
        return response.status, None
