"""The Discord adapter: the only code that uses discord.py."""

from adapters.discord_chat.chat import DiscordChat

__all__ = ["DiscordChat"]
