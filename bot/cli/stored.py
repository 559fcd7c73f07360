"""Commands on what is stored: they open the store as the program does, and say what went wrong."""

import sys
from collections.abc import Awaitable, Callable
from typing import Final

from bot.errors import CannotStart, Refused
from bot.i18n import words_for
from bot.settings import Settings, read_settings
from bot.store import Store, StoreUnavailable, open_store
from bot.store.codec import UnknownSchema
from bot.store.embedded import is_kept_in

_AT_TERMINAL: Final = {
    "unknown_league": "There is no such league: the address of its page ends with its eight characters.",
}
"""Sentences that differ here from those in a chat, by code."""


async def on_store(act: Callable[[Store, Settings], Awaitable[None]]) -> int:
    """Act on the program's store; the exit status, 1 with sentences on standard error. Raises CannotStart."""
    settings = read_settings()
    redis = None if settings.redis_url is None else settings.redis_url.reveal()
    if redis is None and not is_kept_in(settings.data_dir):
        words = "call this where the program runs, or set DATA_DIR or REDIS_URL as it has them."
        raise CannotStart(f"Nothing has been kept in {settings.data_dir}: {words}")
    wrong: list[str] = []
    async with open_store(redis, settings.data_dir, settings.durability) as store:
        try:
            await act(store, settings)
        except* Refused as refused:
            wrong += map(_sentence, refused.exceptions)
        except* StoreUnavailable:
            wrong.append("The store stopped answering: try again.")
        except* UnknownSchema:
            wrong.append("This was written by another version of the program: use that one.")
    for sentence in wrong:
        print(f"okey: {sentence}", file=sys.stderr)
    return 1 if wrong else 0


def _sentence(refused: BaseException) -> str:
    import bot.handlers.router  # noqa: F401 - declares the commands that sentences name

    assert isinstance(refused, Refused)
    said = words_for("en").plain(f"refused.{refused.code}", **refused.values)
    return _AT_TERMINAL.get(refused.code, said)
