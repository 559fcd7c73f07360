"""How a tile looks in a message: the application's own emoji of its face, or a mark and its number."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Final

import discord

from adapters.discord_chat.patience import persistently
from bot import pictures
from bot.screens.model import TileMark

LOG: Final = logging.getLogger(__name__)

CODES: Final = (*(f"{colour}{number}" for colour in "RYBK" for number in range(1, 14)), "F")
WILD: Final = "★"

_MARKS: Final = {"R": "🔴", "Y": "⭐", "B": "🔷", "K": "⬛", "F": "🃏"}
"""Apart by shape too, not by colour alone."""


class Tiles:
    """The emojis, once they are all there; until then, marks."""

    def __init__(self) -> None:
        self._emojis: Mapping[str, discord.PartialEmoji] = {}

    def in_text(self, mark: TileMark) -> str:
        emoji = self._emojis.get(mark.code)
        return _marked(mark) if emoji is None else f"{emoji}{WILD if mark.wild else ''}"

    def on_button(self, label: tuple[str | TileMark, ...]) -> tuple[discord.PartialEmoji | None, str]:
        """A button takes one emoji, before its words: the first tile's. Further tiles become marks."""
        emoji: discord.PartialEmoji | None = None
        words = ""
        for part in label:
            if isinstance(part, str):
                words += part
            elif emoji is None and part.code in self._emojis:
                emoji = self._emojis[part.code]
                words += WILD if part.wild else ""
            else:
                words += _marked(part)
        return emoji, " ".join(words.split())

    async def load(self, client: discord.Client) -> None:
        """Fetch the application's emojis and upload, once, those that are missing.

        Discord takes them slowly; until it has them all, tiles stay marks. Without the right or the room
        for emojis they stay marks for good.
        """
        try:
            present = {emoji.name: emoji for emoji in await persistently(client.fetch_application_emojis)}
            for code in CODES:
                if _name(code) not in present:
                    present[_name(code)] = await self._upload(client, code)
        except discord.HTTPException as refused:
            LOG.warning("Discord takes no tile emojis: status %s, code %s", refused.status, refused.code)
            return
        self._emojis = {
            code: discord.PartialEmoji(name=_name(code), id=present[_name(code)].id) for code in CODES
        }

    async def _upload(self, client: discord.Client, code: str) -> discord.Emoji:
        image = await asyncio.to_thread(pictures.emoji, code)
        return await persistently(lambda: client.create_application_emoji(name=_name(code), image=image))


def _name(code: str) -> str:
    return f"okey_{code}"


def _marked(mark: TileMark) -> str:
    number = mark.code[1:]
    return f"{_MARKS[mark.code[0]]}{number}{WILD if mark.wild else ''}"
