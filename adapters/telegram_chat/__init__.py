"""Telegram adapter: updates become presses and commands, screens become messages."""

from adapters.telegram_chat.chat import TelegramChat

__all__ = ["TelegramChat"]
