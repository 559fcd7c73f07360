"""Errors of the engine: a code and its parameters, never a sentence.

The sentences belong to the application, in every language; `docs/errors.md` lists the codes.
"""

from typing import Self


class EngineError(Exception):
    """A code for the program, with the values that a sentence about it needs."""

    def __init__(self, code: str, /, **parameters: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.parameters = parameters

    def at(self, **place: int) -> Self:
        """Return the error with its position: round and action of a record."""
        return type(self)(self.code, **{**self.parameters, **place})


class Unreadable(EngineError):
    """Text or data that the engine does not understand: `bad_tile`, `bad_rules`, …"""


class NotAllowed(EngineError):
    """A move that the rules refuse here. The code names the rule; nothing has changed."""
