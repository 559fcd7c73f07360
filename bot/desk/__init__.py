"""The one door through which everything that people do comes in: presses and commands to answers."""

from bot.desk.door import FrontDesk

__all__ = ["FrontDesk"]
