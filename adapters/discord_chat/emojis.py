"""Tile emojis: a tile in a message is the application's emoji of its face, or a mark and its number."""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from typing import Final

import discord

from adapters.discord_chat.retry import retry
from bot import pictures
from bot.markup import OKEY_SIGN, TileMark
from bot.ports import RetryAfter

LOG: Final = logging.getLogger(__name__)

CODES: Final = (*(f"{colour}{number}" for colour in "RYBK" for number in range(1, 14)), "F")

_COLOURS: Final = {"R": "red", "Y": "yellow", "B": "blue", "K": "black"}

BREATH: Final = 0.05
"""Seconds between uploads, so that they leave room for the game."""


class TileEmojis:
    """The emojis once all are uploaded; until then, marks."""

    def __init__(self) -> None:
        self._emojis: Mapping[str, discord.PartialEmoji] = {}
        self.mentions: Mapping[str, str] = {}
        """How a text mentions the application's commands, by their names in `bot.commands`."""

    def in_text(self, mark: TileMark) -> str:
        emoji = self._emojis.get(mark.code)
        return mark.signs if emoji is None else f"{_crown(mark)}{emoji}{_spell(mark)}"

    def on_button(self, label: tuple[str | TileMark, ...]) -> tuple[discord.PartialEmoji | None, str]:
        """Return the emoji and the words of a label. A button takes one emoji, before its words: the first
        tile's. Further tiles become marks."""
        emoji: discord.PartialEmoji | None = None
        words = ""
        for part in label:
            if isinstance(part, str):
                words += part
            elif emoji is None and part.code in self._emojis:
                emoji = self._emojis[part.code]
                words += _crown(part) + _spell(part)
            else:
                words += part.signs
        return emoji, " ".join(words.split())

    async def load(self, client: discord.Client) -> None:
        """Fetch the application's emojis and upload, once, those that are missing.

        Discord takes them slowly. Until it has all, tiles stay marks. Without the permission or the room for
        emojis they stay marks for good.
        """
        present: dict[str, discord.Emoji] = {}
        at_last_refusal = -1
        while any(name_emoji(code) not in present for code in CODES):
            try:
                present = {emoji.name: emoji for emoji in await retry(client.fetch_application_emojis)}
                for code in CODES:
                    if name_emoji(code) not in present:
                        image = await asyncio.to_thread(pictures.emoji_png, code)
                        upload = partial(client.create_application_emoji, name=name_emoji(code), image=image)
                        present[name_emoji(code)] = await retry(upload, hurried=False)
                        await asyncio.sleep(BREATH)
            except RetryAfter as later:
                await asyncio.sleep(later.seconds)
            except discord.HTTPException as refused:
                # Another worker may have uploaded the same one just before.
                if len(present) == at_last_refusal:
                    LOG.warning("Discord takes no tile emojis: %s, code %s", refused.status, refused.code)
                    return
                at_last_refusal = len(present)
        self._emojis = {
            code: discord.PartialEmoji(name=name_emoji(code), id=present[name_emoji(code)].id)
            for code in CODES
        }


def name_emoji(code: str) -> str:
    """Return the name of a tile's emoji, which screen readers read aloud."""
    return "false_joker" if code == "F" else f"{_COLOURS[code[0]]}_{code[1:]}"


def _crown(mark: TileMark) -> str:
    """Return an okey's sign, which no emoji shows."""
    return OKEY_SIGN if mark.wild else ""


def _spell(mark: TileMark) -> str:
    """Return a tile in letters beside its emoji, for readers who want them."""
    return mark.code if mark.letter and mark.code != "F" else ""
