"""Okey in Discord: the only home of discord.py."""

from adapters.discord_chat.chat import DiscordChat

__all__ = ["DiscordChat"]
