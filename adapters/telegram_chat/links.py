"""Addresses within Telegram. Only supergroups have them; they open for their members."""

from adapters.telegram_chat.keys import Reference, Spot
from bot.markup import Link

_SUPERGROUP = "-100"
"""How a supergroup's id begins; what follows is its number in links."""


def message_link(to: Spot, message: Reference) -> str | None:
    """The address of a message."""
    address = _address(message.chat)
    topic = "" if to.topic is None else f"/{to.topic}"
    return None if address is None else f"https://{address}{topic}/{message.message}"


def link_to(place: Spot) -> Link | None:
    """The address of a topic. A group has none of its own; its General topic has the number 1."""
    address = _address(place.chat)
    if address is None:
        return None
    topic = f"{address}/{place.topic or 1}"
    return Link(topic, f"https://{topic}")


def _address(chat: int) -> str | None:
    number = str(chat)
    return f"t.me/c/{number.removeprefix(_SUPERGROUP)}" if number.startswith(_SUPERGROUP) else None
