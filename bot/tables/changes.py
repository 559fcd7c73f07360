"""What acting on a table comes to: a change to commit, or a refusal with a code."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from bot.screens.model import Text
from bot.tables.model import Table
from engine.errors import EngineError

Due = float | Literal["keep", "never"]
"""When the clock acts next: in so many seconds from now, as it stands, or not at all."""

Entry = Mapping[str, object]
"""One line of a table's history: a round's beginning, or an action as FORMATS writes it."""


@dataclass(frozen=True, slots=True)
class Change:
    """A table as it is to be, what goes into its history, and its clock."""

    table: Table
    entries: tuple[Entry, ...] = ()
    due: Due = "keep"


class Refused(Exception):
    """What was asked can't be done. The code is the program's, the sentence is in `bot.words`.

    Raised by what acts on a table and answered by the desk: it never reaches a chat as an exception.
    """

    def __init__(self, code: str, /, **values: str | int | Text) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


@contextmanager
def as_refusal() -> Iterator[None]:
    """What the engine refuses inside, the table refuses with the same code."""
    try:
        yield
    except EngineError as error:
        raise Refused(error.code, **error.parameters) from error
