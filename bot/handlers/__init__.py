"""Handlers: what each button and command does, and the router."""

from bot.handlers.router import Router

__all__ = ["Router"]
