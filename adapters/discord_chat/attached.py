"""Attached pictures: an edit that shows the same picture keeps the one that is there.

A picture's file name tells its content. It stands in the message's reference, so whoever edits the message,
also after a restart or in another process, knows what it shows.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import urlsplit

import discord


@dataclass(frozen=True, slots=True)
class Attached:
    """A picture attached to a message."""

    id: int
    filename: str

    def to_dict(self) -> dict[str, int]:
        """Return what an edit lists to keep it; the library asks for this."""
        return {"id": self.id}


def find_attached(message: discord.Message) -> Attached | None:
    """Return the picture attached to a message; None: there is none."""
    if message.attachments:
        return Attached(message.attachments[0].id, message.attachments[0].filename)
    return _find_shown(message.components)


def _find_shown(components: Iterable[object]) -> Attached | None:
    """Return the picture shown among components: Discord lists the attachments of such a message nowhere
    else."""
    for component in components:
        found = None
        match component:
            case discord.Container():
                found = _find_shown(component.children)
            case discord.MediaGalleryComponent() if (media := component.items[0].media).attachment_id:
                found = Attached(media.attachment_id, PurePosixPath(urlsplit(media.url).path).name)
        if found is not None:
            return found
    return None
