"""Questions to a chat's HTTP interface. No error here repeats an address, which may hold a token."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final

from aiohttp import ClientError, ClientSession

PATIENCE: Final = 8.0
"""Seconds that a chat may take to answer."""


class NoAnswer(Exception):
    """Nothing came back in time."""


async def ask(
    web: ClientSession, url: str, headers: Mapping[str, str] | None = None, patience: float = PATIENCE
) -> tuple[int, Any]:
    """The status and the JSON that a GET brings; None for what is no JSON. Raises NoAnswer."""
    try:
        async with asyncio.timeout(patience), web.get(url, headers=headers) as response:
            body = await response.read()
    except (ClientError, TimeoutError):
        raise NoAnswer from None
    try:
        return response.status, json.loads(body)
    except ValueError:
        return response.status, None
