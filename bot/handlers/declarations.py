"""Declarations: what each button and command needs, written down beside the function that answers it.

`@button("history")` and `@command("history", audience="everybody", order=130)` make a handler of the function
under them. A command's names are `verb.<verb>` in the catalogues, and `command.<verb>` says what it does.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, overload

from bot.errors import Refused
from bot.handlers.request import RequestContext, note_presence
from bot.ports import Answer, Audience
from bot.repository.tables import StoredTable
from bot.screens.player import Mode

T = TypeVar("T")

Run = Callable[[RequestContext], Awaitable[Answer]]
Handler = Callable[[RequestContext, T], Awaitable[Answer]]
Need = Callable[[RequestContext, T], Awaitable[None]]
"""What must hold before a handler is called. Raises Refused."""


@dataclass(frozen=True, slots=True)
class Target(Generic[T]):
    """What a request is about: found by the name on the button, or by what was typed."""

    load: Callable[[RequestContext], Awaitable[T]]
    """Raises Refused when there is no such thing."""

    def answered_by(self, handler: Handler[T], needs: Need[T] | None) -> Run:
        """From a request alone to the handler's answer."""

        async def run(context: RequestContext) -> Answer:
            about = await self.load(context)
            if needs is not None:
                await needs(context, about)
            return await handler(context, about)

        return run


async def _at_table(context: RequestContext) -> StoredTable:
    stored = await note_presence(context)
    if stored is None:
        raise Refused("unknown_table")
    return stored


async def _at_played_table(context: RequestContext) -> StoredTable:
    stored = await note_presence(context) or await context.services.archive.load(context.data.target)
    if stored is None:
        raise Refused("unknown_table")
    return stored


TABLE: Final = Target(_at_table)
"""A table, its reader noted as present."""
TABLE_OR_NONE: Final = Target(note_presence)
"""The same; None when there is no such table."""
PLAYED: Final = Target(_at_played_table)
"""A table, also one of which only the archive knows."""


@dataclass(frozen=True, slots=True)
class Button:
    """A declared button."""

    run: Run
    on: Target[Any] | None = None
    """None: it is about nothing but who presses it, or the handler finds it out."""
    acts_at_table: bool = False
    """Whether it acts on a table, and who is refused there is noted as present all the same."""
    refused: Mode | None = None
    """Of a table's own screens: in which mode the player screen comes along with a refusal."""


@dataclass(frozen=True, slots=True)
class Command:
    """A declared command."""

    run: Run
    audience: Audience | None
    """None: it is understood, and offered to nobody."""
    order: int
    """Its place in menus and help."""
    in_place: bool
    """Whether it is refused in a private chat."""


BUTTONS: Final[dict[str, Button]] = {}
COMMANDS: Final[dict[str, Command]] = {}


def add_button(verb: str, declared: Button) -> None:
    """Raises ValueError when the verb is another button's."""
    if verb in BUTTONS:
        raise ValueError(f"two buttons of one verb: {verb}")
    BUTTONS[verb] = declared


@overload
def button(*verbs: str) -> Callable[[Run], Run]: ...
@overload
def button(
    *verbs: str, on: Target[T], needs: Need[T] | None = None
) -> Callable[[Handler[T]], Handler[T]]: ...
def button(*verbs: str, on: Any = None, needs: Any = None) -> Any:
    """The function answers these buttons. It gets what they are about, loaded, if that is declared."""

    def declare(handler: Any) -> Any:
        run = handler if on is None else on.answered_by(handler, needs)
        for verb in verbs:
            add_button(verb, Button(run, on))
        return handler

    return declare


def command(
    *verbs: str, audience: Audience | None = None, order: int = 0, in_place: bool = False
) -> Callable[[Run], Run]:
    """The function carries out these commands: the first in its audience's `order`, the others behind it."""

    def declare(handler: Run) -> Run:
        for number, verb in enumerate(verbs):
            if verb in COMMANDS:
                raise ValueError(f"two commands of one verb: {verb}")
            COMMANDS[verb] = Command(handler, audience, order + number, in_place)
        return handler

    return declare


def commands(audience: Audience) -> tuple[str, ...]:
    """The verbs that an audience is offered, in the order in which menus show them."""
    offered = ((each.order, verb) for verb, each in COMMANDS.items() if each.audience == audience)
    return tuple(verb for _, verb in sorted(offered))
