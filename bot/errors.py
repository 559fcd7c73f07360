"""Refusals: a code for the program, with the values that the sentence for it needs."""

from collections.abc import Awaitable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Self

from bot.markup import Text
from engine.errors import EngineError


class CannotStart(Exception):
    """Raised when the program cannot start. Its text is a sentence for the person who started it."""


class Refused(Exception):
    """Raised when a request can't be carried out. The code is for the program, the sentence is in `bot.i18n`.

    Raised by code that acts on a table and answered by the router: it never reaches a chat as an exception.
    """

    def __init__(self, code: str, /, **values: str | int | Text) -> None:
        super().__init__(code)
        self.code = code
        self.values = values
        self.way_out: tuple[tuple[str, str, str], ...] = ()
        """Buttons by which its person can change what stands in the way: their verbs and tables, and the keys
        of their words."""

    def with_way_out(self, *buttons: tuple[str, str, str]) -> Self:
        """Return it with these buttons."""
        self.way_out = buttons
        return self


def sentence_key(code: str, values: Mapping[str, object]) -> str:
    """Return the key of the sentence for a code. A bad number has a sentence with its range, factors one that
    says how many there are, a wrong finish one without pairs, where they don't win, a seat that is taken
    already one for a table that still waits and one about somebody who is invited, an unknown command one
    with the command that it is like, or about the button that it names, opening a table in private one
    with what can be played there, and setting the language or sitting down there one with what can be done
    instead."""
    if code == "bad_rules" and values.get("switch") == "factors":
        return "refused.bad_rules.factors"
    if code == "bad_rules" and "least" in values:
        return "refused.bad_rules.range"
    if code == "no_win" and not values.get("pairs_win", True):
        return "refused.no_win.melds"
    if code == "already_seated" and values.get("other"):
        return "refused.already_seated.other"
    if code == "already_seated" and values.get("waits"):
        return "refused.already_seated.waits"
    if code == "unknown_command" and "is_button" in values:
        return "refused.unknown_command.button"
    if code == "unknown_command" and "command" in values:
        return "refused.unknown_command.like"
    if code == "here_only" and values.get("verb") == "play":
        return "refused.here_only.play"
    if code == "here_only" and values.get("verb") == "join":
        return "refused.here_only.join"
    if code == "here_only" and values.get("verb") == "language":
        return "refused.here_only.language"
    return f"refused.{code}"


def nearest_first(typed: str, known: Iterable[str]) -> str:
    """Return all words that are known, for a refusal of an unknown one: those that are like it come first."""
    words = list(known)
    near = get_close_matches(typed[:32], words, n=len(words))
    return ", ".join(dict.fromkeys((*near, *words)))


async def is_allowed(check: Awaitable[object]) -> bool:
    """Return whether a check refuses nothing."""
    try:
        await check
    except Refused:
        return False
    return True


@contextmanager
def as_refusal() -> Iterator[None]:
    """Turn the engine's refusals inside into Refused with the same code."""
    try:
        yield
    except EngineError as error:
        raise Refused(error.code, **error.parameters) from error
