"""Commands: what people can type, and what each takes, as values that every chat may use.

A handler declares its command. Chats offer the declared ones, each in its own way, and write a hint
(`bot.markup.Typed`) as it is typed there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Audience = Literal["everybody", "organisers"]
"""To whom a command is offered; who may use it is asked at each use."""

ArgumentKind = Literal["text", "integer", "flag", "person", "table", "league", "member", "result", "blocked"]
"""Besides text, whole numbers, what is said or not, and people: what a chat may suggest while it is typed."""

_LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Argument:
    """What a command takes. `argument.<name>` of the catalogues is what it is called, `argument.<name>.about`
    says what it is."""

    name: str
    kind: ArgumentKind = "text"
    form: str = "{}"
    """How it stands in a line: `{}`, `clock={}`; of a flag the word itself."""
    choices: tuple[str, ...] = ()
    said: str = ""
    """The key of a choice's words, such as `preset.{}`; without one, a choice is its own word."""
    least: int = 1
    most: int = _LONGEST
    """The range of a whole number, or the length of a text."""
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What can be typed. Its name is a verb, and behind `league` a word too: `join`, `league skip`."""

    name: str
    audience: Audience | None
    """None: it is understood, and offered to nobody."""
    order: int
    """Its place in menus and help."""
    in_place: bool = False
    """Whether it is refused in a private chat."""
    group: str = ""
    """What it is about, for chats that show commands in groups: `table`, `organise night`."""
    arguments: tuple[Argument, ...] = ()
    for_app: bool = False
    """Whether it is offered only where the table can be opened as an app."""

    @property
    def verb(self) -> str:
        """What handlers are found by."""
        return self.name.partition(" ")[0]

    def line(self, values: Mapping[str, str]) -> str:
        """What is typed behind the verb, with these values of its arguments."""
        given = (each.form.format(values[each.name]) for each in self.arguments if each.name in values)
        return " ".join([*self.name.split()[1:], *given])


DECLARED_COMMANDS: Final[dict[str, Command]] = {}
"""All commands, by their names: handlers declare them."""


def offered(audience: Audience, *, app: bool = False) -> tuple[Command, ...]:
    """The verbs that an audience is offered, in the order in which menus show them. `app`: where the table
    can be opened as one."""
    declared = (each for each in DECLARED_COMMANDS.values() if app or not each.for_app)
    verbs = (each for each in declared if each.name == each.verb)
    return tuple(sorted((each for each in verbs if each.audience == audience), key=lambda each: each.order))
