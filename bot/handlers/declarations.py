"""Declarations: the needs of each button and command, written beside the function that answers it.

`@button("fair", on=TABLE, who=READER)` and `@command("history", who=ANYBODY, audience="everybody", order=130,
arguments=(MINE,))` make a handler of the function under them. `who` is checked before the handler runs. A
command's names are `verb.<verb>` in the catalogues, and `command.<verb>` says what it does.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, overload

from bot.commands import DECLARED_COMMANDS, DECLARED_FORMS, Argument, Audience, Command
from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.handlers.presence import note_presence
from bot.handlers.who import Who
from bot.i18n.commands import is_button, likely_command
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.screens.player import Mode

T = TypeVar("T")

RequestHandler = Callable[[RequestContext], Awaitable[Answer]]
TargetHandler = Callable[[RequestContext, T], Awaitable[Answer]]


@dataclass(frozen=True, slots=True)
class RequestTarget(Generic[T]):
    """The subject of a request, found by the name on the button or by the typed words."""

    load: Callable[[RequestContext], Awaitable[T]]
    """Load the subject. Raises Refused when there is none."""

    def answer_by(self, handler: TargetHandler[T], who: Who[T]) -> RequestHandler:
        """Return a handler that loads the subject, checks the person and calls `handler`."""

        async def run(context: RequestContext) -> Answer:
            about = await self.load(context)
            await who.check(context, about)
            return await handler(context, about)

        return run


def check_before(handler: RequestHandler, who: Who[None]) -> RequestHandler:
    """Return a handler that checks the person and calls `handler`."""

    async def run(context: RequestContext) -> Answer:
        await who.check(context, None)
        return await handler(context)

    return run


async def _at_table(context: RequestContext) -> StoredTable:
    stored = await note_presence(context)
    if stored is None:
        raise Refused("unknown_table")
    return stored


async def _at_played_table(context: RequestContext) -> StoredTable:
    stored = await note_presence(context) or await context.services.played.archive.load(context.table)
    if stored is None:
        raise Refused("unknown_table")
    return stored


TABLE: Final = RequestTarget(_at_table)
"""A table. Its reader is noted as present."""
TABLE_OR_NONE: Final = RequestTarget(note_presence)
"""A table whose reader is noted as present; None when there is no such table."""
PLAYED: Final = RequestTarget(_at_played_table)
"""A table, or one that is in the archive only."""


@dataclass(frozen=True, slots=True)
class DeclaredButton:
    """A declared button."""

    run: RequestHandler
    who: Who[Any]
    on: RequestTarget[Any] | None = None
    """The subject to load; None: none, or the handler loads it."""
    at_table: bool = False
    """Whether it stands on a table's own screens. The presser is noted as present there even if they are
    refused."""
    refused: Mode | None = None
    """The mode of the player screen that comes with a refusal; None: no screen comes with it."""
    in_chat: bool = False
    """Whether it is refused to a session of the app: it changes who the person is, or lets somebody in as
    them. A stolen session must be over once its owner has logged out everywhere."""


@dataclass(frozen=True, slots=True)
class DeclaredCommand:
    """A declared command."""

    run: RequestHandler
    who: Who[Any]
    command: Command
    in_chat: bool = False
    """As for a button."""


BUTTONS: Final[dict[str, DeclaredButton]] = {}
COMMANDS: Final[dict[str, DeclaredCommand]] = {}


def unknown_command(typed: str) -> Refused:
    """Return the refusal of a word that is no command's name. It says where the button is that the word
    names, or names the command that the word is like."""
    if is_button(typed):
        return Refused("unknown_command", verb=typed[:32], is_button=1)
    likely = likely_command(typed)
    named = {} if likely is None else {"command": likely}
    return Refused("unknown_command", verb=typed[:32], **named)


def check_chat(context: RequestContext, *, in_chat: bool) -> None:
    """Check that the person's own chat asks for what a session of the app may not do. Raises Refused
    `private_only`."""
    if in_chat and context.by_session:
        raise Refused("private_only")


def no_words(context: RequestContext) -> None:
    """Check that nothing was typed after a command that takes nothing, since it may be meant otherwise and
    acts at once on what can't be brought back. Raises Refused `unknown_command`."""
    if context.text:
        raise unknown_command(context.text)


def declare_once(declared: dict[str, T], name: str, what: T) -> None:
    """Add a declaration. Raises ValueError when the name is taken."""
    if name in declared:
        raise ValueError(f"declared twice: {name}")
    declared[name] = what


@overload
def button(
    *verbs: str, who: Who[None], in_chat: bool = False
) -> Callable[[RequestHandler], RequestHandler]: ...
@overload
def button(
    *verbs: str, on: RequestTarget[T], who: Who[T], in_chat: bool = False, asks: Argument | None = None
) -> Callable[[TargetHandler[T]], TargetHandler[T]]: ...
def button(*verbs: str, on: Any = None, who: Any, in_chat: bool = False, asks: Argument | None = None) -> Any:
    """Declare that the function answers these buttons, for these people. It gets the loaded subject, if one
    is declared. `asks`: the text that a chat asks for first, which is then the request's text; such a button
    is shown only where `RequestContext.can_be_asked`, and elsewhere the page names the command to type."""

    def declare(handler: Any) -> Any:
        run = check_before(handler, who) if on is None else on.answer_by(handler, who)
        for verb in verbs:
            declare_once(BUTTONS, verb, DeclaredButton(run, who, on, in_chat=in_chat))
            if asks is not None:
                DECLARED_FORMS[verb] = asks
        return handler

    return declare


def command(
    verb: str,
    *,
    who: Who[None],
    audience: Audience | None = None,
    order: int = 0,
    group: str = "",
    arguments: tuple[Argument, ...] = (),
    in_place: bool = False,
    for_app: bool = False,
    in_chat: bool = False,
) -> Callable[[RequestHandler], RequestHandler]:
    """Declare that the function carries out this command, for these people."""
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
        declare_once(COMMANDS, verb, DeclaredCommand(check_before(handler, who), who, declared, in_chat))
        return handler

    return declare
