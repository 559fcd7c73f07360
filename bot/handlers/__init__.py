"""The one door through which everything that people do comes in: presses and commands to answers."""

from bot.handlers.router import Router

__all__ = ["Router"]
