"""Gateway events that can be read. The library believes whatever it is told, and one event at which it
stumbles would end the connection. So what is used of an interaction is looked at first, and no event ends
anything."""

import logging
from collections.abc import Callable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from bot.logs import way_of

LOG: Final = logging.getLogger(__name__)

Parse = Callable[[Any], None]
"""What the library does with an event's data."""

Snowflake = Annotated[str, Meta(pattern=r"^[0-9]{1,20}\Z")]
Token = Annotated[str, Meta(pattern=r"^[^/?#\s]*[^/?#\s.]\Z")]
"""It becomes a part of an address, and may be no way to another one."""

_COMMAND: Final = 2
_COMPONENT: Final = 3
_BEGINNING: Final = ("READY", "RESUMED")
"""Without these there is no connection."""


class _User(Struct):
    id: Snowflake
    username: str
    global_name: str | None = None


class _Member(Struct):
    user: _User
    nick: str | None = None


class _Place(Struct):
    id: Snowflake
    type: int


class _Message(Struct):
    id: Snowflake
    channel_id: Snowflake
    flags: int = 0


class _Option(Struct):
    name: str
    value: str | int | float | bool | None = None
    options: "list[_Option]" = []


class _Command(Struct):
    name: str
    options: list[_Option] = []


class _Component(Struct):
    custom_id: str
    component_type: int
    values: list[str] = []


class _Somewhere(Struct):
    """What is used of every interaction."""

    id: Snowflake
    application_id: Snowflake
    type: int
    token: Token
    locale: str = "en-US"


class _Private(_Somewhere, kw_only=True):
    user: _User


class _InGuild(_Somewhere, kw_only=True):
    guild_id: Snowflake
    channel: _Place
    member: _Member


def look(interaction: Any) -> None:
    """Raises msgspec.ValidationError, UnicodeEncodeError when an interaction can't be read."""
    msgspec.json.encode(interaction)  # half a character is written by nobody
    kind = _Private if msgspec.convert(interaction, dict).get("guild_id") is None else _InGuild
    type = msgspec.convert(interaction, kind).type
    if type == _COMMAND:
        msgspec.convert(interaction.get("data"), _Command)
    if type == _COMPONENT:
        msgspec.convert(interaction.get("data"), _Component)
        msgspec.convert(interaction.get("message"), _Message)


def bearing(parsers: dict[str, Parse]) -> None:
    """Have what the library does with events bear whatever they hold."""
    for event, parse in parsers.items():
        if event not in _BEGINNING:
            parsers[event] = _bearing(event, parse)


def _bearing(event: str, parse: Parse) -> Parse:
    def bear(data: Any) -> None:
        try:
            if event == "INTERACTION_CREATE":
                look(data)
            parse(data)
        except Exception as error:
            LOG.warning("an event %s can't be read: %s", event, way_of(error))

    return bear
