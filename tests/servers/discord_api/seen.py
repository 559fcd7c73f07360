"""A message as a person sees it, and the exception for impossible acts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.servers.discord_api.bodies import ACTION_ROW as ROW
from tests.servers.discord_api.bodies import BUTTON, GALLERY, TEXT, walk
from tests.servers.discord_api.world import EPHEMERAL, LOADING


class Impossible(Exception):
    """An act that no person could do: press a button that they don't see, run a command that does not
    exist."""


_MENTION = re.compile(r"</([^:>]+):\d+>")
"""A mention of a command, which a person sees as they would type it."""


@dataclass(frozen=True)
class Picture:
    """An attachment of a message."""

    filename: str
    alt: str
    url: str


@dataclass(frozen=True)
class Shown:
    """A button of a message."""

    label: str
    emoji: str
    """Its name; empty when there is none."""
    custom_id: str
    style: int
    disabled: bool
    row: int


@dataclass(frozen=True)
class Seen:
    """A message as a person sees it."""

    id: int
    channel: int
    text: str
    buttons: tuple[Shown, ...]
    pictures: tuple[Picture, ...]
    ephemeral: bool
    loading: bool
    edited: bool
    raw: dict[str, Any]

    def button(self, words: str) -> Shown:
        """The first enabled button whose label or press text holds the words."""
        for button in self.buttons:
            if not button.disabled and (words in button.label or words in button.custom_id):
                return button
        raise Impossible(f"no button {words!r} among {[b.label for b in self.buttons]}")


def seen_from(raw: dict[str, Any]) -> Seen:
    components = list(walk(raw["components"]))
    texts = [raw["content"], *(c["content"] for c in components if c["type"] == TEXT)]
    return Seen(
        id=int(raw["id"]),
        channel=int(raw["channel_id"]),
        text=_MENTION.sub(r"/\1", "\n".join(text for text in texts if text)),
        buttons=tuple(_buttons(raw["components"])),
        pictures=tuple(_pictures(raw["attachments"], components)),
        ephemeral=bool(raw["flags"] & EPHEMERAL),
        loading=bool(raw["flags"] & LOADING),
        edited=raw["edited_timestamp"] is not None,
        raw=raw,
    )


def _pictures(attachments: list[dict[str, Any]], components: list[dict[str, Any]]) -> Iterator[Picture]:
    """The attached pictures, and those among components."""
    for each in attachments:
        yield Picture(each["filename"], each.get("description", ""), each["url"])
    for gallery in (each for each in components if each["type"] == GALLERY):
        for item in gallery["items"]:
            url = item["media"]["url"]
            yield Picture(url.rpartition("/")[2], item["description"] or "", url)


def _buttons(components: list[dict[str, Any]]) -> list[Shown]:
    """The buttons. A section's button is a row of its own."""
    rows = [c for c in walk(components) if c["type"] == ROW or c.get("accessory")]
    return [
        Shown(
            label=button.get("label") or "",
            emoji=(button.get("emoji") or {}).get("name") or "",
            custom_id=button.get("custom_id") or "",
            style=button["style"],
            disabled=bool(button.get("disabled")),
            row=number,
        )
        for number, row in enumerate(rows)
        for button in (row["components"] if row["type"] == ROW else [row["accessory"]])
        if button["type"] == BUTTON
    ]
