"""Declarations: what each button and command needs, written down beside the function that answers it.

`@button("history")` and `@command("history", audience="everybody", order=130, arguments=(MINE,))` make a
handler of the function under them. A command's names are `verb.<verb>` in the catalogues, and
`command.<verb>` says what it does.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, overload

from bot.commands import DECLARED_COMMANDS, Argument, Audience, Command
from bot.errors import Refused
from bot.handlers.request import RequestContext, note_presence
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.screens.player import Mode

T = TypeVar("T")

RequestHandler = Callable[[RequestContext], Awaitable[Answer]]
TargetHandler = Callable[[RequestContext, T], Awaitable[Answer]]
Check = Callable[[RequestContext, T], Awaitable[None]]
"""What must hold before a handler is called. Raises Refused."""


@dataclass(frozen=True, slots=True)
class RequestTarget(Generic[T]):
    """What a request is about: found by the name on the button, or by what was typed."""

    load: Callable[[RequestContext], Awaitable[T]]
    """Raises Refused when there is no such thing."""

    def answered_by(self, handler: TargetHandler[T], needs: Check[T] | None) -> RequestHandler:
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
    stored = await note_presence(context) or await context.services.archive.load(context.table)
    if stored is None:
        raise Refused("unknown_table")
    return stored


TABLE: Final = RequestTarget(_at_table)
"""A table, its reader noted as present."""
TABLE_OR_NONE: Final = RequestTarget(note_presence)
"""The same; None when there is no such table."""
PLAYED: Final = RequestTarget(_at_played_table)
"""A table, also one of which only the archive knows."""


@dataclass(frozen=True, slots=True)
class DeclaredButton:
    """A declared button."""

    run: RequestHandler
    on: RequestTarget[Any] | None = None
    """None: it is about nothing but who presses it, or the handler finds it out."""
    changes_table: bool = False
    """Whether it acts on a table, and who is refused there is noted as present all the same."""
    refused: Mode | None = None
    """Of a table's own screens: in which mode the player screen comes along with a refusal."""


@dataclass(frozen=True, slots=True)
class DeclaredCommand:
    """A declared command."""

    run: RequestHandler
    command: Command


BUTTONS: Final[dict[str, DeclaredButton]] = {}
COMMANDS: Final[dict[str, DeclaredCommand]] = {}


def declare_once(declared: dict[str, T], name: str, what: T) -> None:
    """Put a declaration among the others. Raises ValueError when there is one of that name."""
    if name in declared:
        raise ValueError(f"declared twice: {name}")
    declared[name] = what


@overload
def button(*verbs: str) -> Callable[[RequestHandler], RequestHandler]: ...
@overload
def button(
    *verbs: str, on: RequestTarget[T], needs: Check[T] | None = None
) -> Callable[[TargetHandler[T]], TargetHandler[T]]: ...
def button(*verbs: str, on: Any = None, needs: Any = None) -> Any:
    """The function answers these buttons. It gets what they are about, loaded, if that is declared."""

    def declare(handler: Any) -> Any:
        run = handler if on is None else on.answered_by(handler, needs)
        for verb in verbs:
            declare_once(BUTTONS, verb, DeclaredButton(run, on))
        return handler

    return declare


def command(
    verb: str,
    *,
    audience: Audience | None = None,
    order: int = 0,
    group: str = "",
    arguments: tuple[Argument, ...] = (),
    in_place: bool = False,
    for_app: bool = False,
) -> Callable[[RequestHandler], RequestHandler]:
    """The function carries out this command."""
    declared = Command(
        name=verb,
        audience=audience,
        order=order,
        group=group,
        arguments=arguments,
        in_place=in_place,
        for_app=for_app,
    )

    def declare(handler: RequestHandler) -> RequestHandler:
        declare_once(DECLARED_COMMANDS, verb, declared)
        declare_once(COMMANDS, verb, DeclaredCommand(handler, declared))
        return handler

    return declare
