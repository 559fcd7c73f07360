"""Addresses: keys of people and places, and references to messages, as text and back."""

from dataclasses import dataclass, field
from typing import Final, Self

import discord

from adapters.discord_chat.attached import Attached, find_attached

CHAT: Final = "dc"


@dataclass(frozen=True, slots=True)
class ChannelMessage:
    """A message that the bot has sent: `channel/message`, with `/v2` when it is made of components only.

    Such a message can never become an ordinary one, so an edit must know its kind.
    """

    channel: int
    message: int
    v2: bool = False
    picture: Attached | None = field(default=None, compare=False)
    """The picture that it shows, if that is known."""

    def __str__(self) -> str:
        return f"{self.channel}/{self.message}" + ("/v2" if self.v2 else "")

    @property
    def reference(self) -> str:
        """The message and its picture, as the application keeps them: so the picture need not be uploaded
        again by another process, or by this one after a restart."""
        return str(self) if self.picture is None else f"{self} {self.picture.id} {self.picture.filename}"

    @classmethod
    def parse(cls, text: str | None) -> Self | None:
        """Read the reference in a text; None when it holds none."""
        address, *shows = (text or "").split(" ")
        channel, _, rest = address.partition("/")
        message, _, kind = rest.partition("/")
        if not (channel.isdecimal() and message.isdecimal()):
            return None
        picture = Attached(int(shows[0]), shows[1]) if shows else None
        return cls(int(channel), int(message), kind == "v2", picture)

    @classmethod
    def of(cls, message: discord.Message) -> Self:
        """Return the reference to a message in its current state."""
        return cls(message.channel.id, message.id, message.flags.components_v2, find_attached(message))


def person_key(user: int) -> str:
    """`dc:123`."""
    return f"{CHAT}:{user}"


def user_of(person: str) -> int:
    """Return the user's number in `dc:123`."""
    return int(person.removeprefix(f"{CHAT}:"))


def place_of(interaction: discord.Interaction) -> str | None:
    """`dc:channel` or `dc:channel/thread`; None in a direct message."""
    channel = interaction.channel
    if interaction.guild_id is None or channel is None:
        return None
    if isinstance(channel, discord.Thread):
        return f"{CHAT}:{channel.parent_id}/{channel.id}"
    return f"{CHAT}:{channel.id}"


def channel_of(place: str) -> int:
    """Return the channel to write in. A thread is a channel of its own."""
    return int(place.removeprefix(f"{CHAT}:").rpartition("/")[2])
