"""Commands: what people can type, and the arguments, as values that every chat may use.

A handler declares its command. Chats offer the declared ones, each in its own way, and write a hint
(`bot.markup.Typed`) as it is typed there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Audience = Literal["everybody", "organisers"]
"""The people to whom a command is offered; who may use it is checked at each use."""

ArgumentKind = Literal[
    "text", "integer", "flag", "person", "table", "league", "member", "result", "blocked", "zone"
]
"""Text, whole numbers, flags, people, and the kinds for which a chat may suggest values while they are
typed."""

_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a command. In the catalogues `argument.<name>` is its name and `argument.<name>.about`
    explains it."""

    name: str
    kind: ArgumentKind = "text"
    form: str = "{}"
    """Its form in a line: `{}`, `clock={}`; for a flag the word itself."""
    choices: tuple[str, ...] = ()
    said: str = ""
    """The key of a choice's words, such as `preset.{}`; empty: a choice is its own word."""
    labels: Mapping[str, str] = field(default_factory=dict, hash=False)
    """The words of choices that are the same in every language."""
    least: int = 1
    most: int = _LONGEST
    """The range of a whole number, or the length of a text."""
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command that can be typed. Its name is a verb, after `league` also a word: `join`, `league skip`."""

    name: str
    audience: Audience | None
    """None: it is understood, but offered to nobody."""
    order: int
    """Its position in menus and help."""
    in_place: bool = False
    """Whether it is refused in a private chat."""
    group: str = ""
    """Its subject, for chats that show commands in groups: `table`, `organise night`."""
    arguments: tuple[Argument, ...] = ()
    for_app: bool = False
    """Whether it is offered only where the table can be opened as an app."""

    @property
    def verb(self) -> str:
        """The word by which its handler is found."""
        return self.name.partition(" ")[0]

    def line(self, values: Mapping[str, str]) -> str:
        """Return the text after the verb, with these values of its arguments."""
        given = (each.form.format(values[each.name]) for each in self.arguments if each.name in values)
        return " ".join([*self.name.split()[1:], *given])


DECLARED_COMMANDS: Final[dict[str, Command]] = {}
"""All commands, by their names, as declared by handlers."""

DECLARED_FORMS: Final[dict[str, Argument]] = {}
"""The text that a button asks for where a chat can ask, by the button's verb, as declared by handlers. In the
catalogues `button.<verb>` is the form's title, and `argument.<name>.about` its label."""


def list_offered(audience: Audience, *, app: bool = False) -> tuple[Command, ...]:
    """Return the verbs offered to an audience, in menu order. `app`: whether the table can be opened as an
    app."""
    declared = (each for each in DECLARED_COMMANDS.values() if app or not each.for_app)
    verbs = (each for each in declared if each.name == each.verb)
    return tuple(sorted((each for each in verbs if each.audience == audience), key=lambda each: each.order))
