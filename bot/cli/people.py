"""People at a terminal: `okey mydata`, `okey forget`, for an operator whom somebody has asked."""

import asyncio
import os
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable
from typing import Final

from bot.app import application, delays_of
from bot.cli.stored import on_store
from bot.handlers.personal_data import PersonalData
from bot.settings import Settings
from bot.store import Store

_ANY_SIZE: Final = sys.maxsize

_REWRITTEN: Final = {
    "done": "The store's file has been written anew, without them.",
    "asked": "The store is writing its file anew; until that is done, it still has them.",
    "refused": "The user of REDIS_URL may not call BGREWRITEAOF: call it as another one, or the store's file "
    "has them until it is rewritten.",
    "failed": "The store could not write its file anew, so it still has them: see its log.",
    "no_file": "The store keeps no append-only file; a snapshot has them until the next one.",
}
"""Sentences by how far the rewriting is."""


def run_my_data(arguments: Namespace) -> int:
    """Write everything about a person into a file that only its owner can read; the exit status."""
    content = b""

    async def gather(data: PersonalData) -> None:
        nonlocal content
        content = await data.file(arguments.person, most=_ANY_SIZE)

    status = _on_people(gather)
    if status == 0 and arguments.output is None:
        sys.stdout.buffer.write(content)
    elif status == 0:
        private = os.open(arguments.output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(private, "wb") as file:
            file.write(content)
    return status


def run_forget(arguments: Namespace) -> int:
    """Delete everything about a person, and say how far the store's file is; the exit status."""

    async def forget(data: PersonalData) -> None:
        how_far = await data.forget(arguments.person)
        print(f"Everything about {arguments.person} and a linked account is deleted. {_REWRITTEN[how_far]}")

    return _on_people(forget)


def _on_people(act: Callable[[PersonalData], Awaitable[None]]) -> int:
    """Act on a store as a program does that serves no chat."""

    async def with_application(store: Store, settings: Settings) -> None:
        app = application(store, delays=delays_of(settings), turn_seconds=round(settings.turn_seconds))
        try:
            await act(app.personal_data)
        finally:
            await app.delivery.close()

    return asyncio.run(on_store(with_application))
