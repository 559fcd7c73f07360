"""Rendering: screens as Discord's messages, and marked-up text as Discord's markdown.

Up to 25 buttons in five rows stand under the text and the picture of an ordinary message, which also
reads well in a notification. More need a message made of components only (at most 40, of which text,
picture and each row are one too); it cannot be turned back into an ordinary one.

Nothing that a person called themselves can become markup.
"""

import asyncio
import io
import re
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, Generic, TypeVar

import discord
from discord import ui

from adapters.discord_chat.emojis import TileEmojis
from bot import pictures
from bot.markup import (
    Button,
    Clock,
    Link,
    Moment,
    Name,
    Page,
    Part,
    PublicScreen,
    Row,
    SeatScreen,
    Strong,
    Style,
    Text,
    TileMark,
    folded_evenly,
    isolated,
)

ROW: Final = 5
ROWS: Final = 5
MOST_COMPONENTS: Final = 40
MOST_OPTIONS: Final = 25
LONGEST_TEXT: Final = 2000
LONGEST_V2_TEXT: Final = 4000
LONGEST_ALT: Final = 1024
LONGEST_LABEL: Final = 80
MENU: Final = "menu"
"""What the custom_id of a menu begins with: what was chosen in it is the press."""

_FILE: Final = "okey.png"
_STYLES: Final[dict[Style, discord.ButtonStyle]] = {
    "plain": discord.ButtonStyle.secondary,
    "primary": discord.ButtonStyle.primary,
    "good": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}

AnyScreen = PublicScreen | SeatScreen | Page
ScreenT = TypeVar("ScreenT", bound=AnyScreen)
ScreenT_co = TypeVar("ScreenT_co", bound=AnyScreen, covariant=True)

Fields = dict[str, Any]
"""Arguments for discord.py's methods that send and edit. They hold open files: good for one call."""


@dataclass(frozen=True, repr=False)
class Rendered(Generic[ScreenT_co]):
    """A screen with its picture drawn, ready to be sent any number of times.

    It shows nothing of itself: it may be a rack.
    """

    screen: ScreenT_co
    png: bytes | None
    emojis: TileEmojis

    @property
    def needs_v2(self) -> bool:
        """Whether it needs a message made of components only: for its buttons, or for a picture in words."""
        long = len(self._text(LONGEST_V2_TEXT)) > LONGEST_TEXT and not self._keeps_file
        return long or sum(map(len, _distinct(self.screen.buttons))) > ROW * ROWS

    @property
    def _keeps_file(self) -> bool:
        """Whether it comes with a file to keep, which only an ordinary message has."""
        return isinstance(self.screen, Page) and self.screen.file is not None

    def as_new(self) -> Fields:
        """For a message that is sent."""
        if self.needs_v2:
            return {"view": self._layout(), "files": self._files()}
        fields: Fields = {"content": self._text(LONGEST_TEXT), "files": self._files()}
        return fields | ({"view": self._view()} if self.screen.buttons else {})

    def as_edit(self, *, v2: bool) -> Fields:
        """For the edit of a message, which may be one of components only. Its attachments are replaced."""
        if v2 or self.needs_v2:
            return {"content": None, "view": self._layout(), "attachments": self._files()}
        view = self._view() if self.screen.buttons else None
        return {"content": self._text(LONGEST_TEXT), "view": view, "attachments": self._files()}

    def _text(self, longest: int) -> str:
        return markdown(self.screen.text, self.emojis, longest)

    def _files(self) -> list[discord.File]:
        if isinstance(self.screen, Page) and self.screen.file is not None:
            return [discord.File(io.BytesIO(self.screen.file.content), self.screen.file.name)]
        if self.png is None:
            return []
        return [discord.File(io.BytesIO(self.png), _FILE, description=self._alt())]

    def _alt(self) -> str | None:
        return self.screen.alt[:LONGEST_ALT] or None

    def _view(self) -> ui.View:
        view = ui.View(timeout=None)
        for number, row in enumerate(rows(self.screen.buttons, ROWS)):
            for button in row:
                view.add_item(self._button(button, number))
        view.stop()
        return view

    def _layout(self) -> ui.LayoutView:
        view = ui.LayoutView(timeout=None)
        if self.screen.text:
            view.add_item(ui.TextDisplay(self._text(LONGEST_V2_TEXT)))
        if self.png is not None:
            picture = discord.MediaGalleryItem(f"attachment://{_FILE}", description=self._alt())
            view.add_item(ui.MediaGallery(picture))
        for row in self._component_rows(MOST_COMPONENTS - len(view.children)):
            view.add_item(row)
        view.stop()
        return view

    def _component_rows(self, room: int) -> list[ui.ActionRow[Any]]:
        """The buttons in at most `room` components; if need be, the longest rows as menus."""
        source, menus = list(_distinct(self.screen.buttons)), list[ui.ActionRow[Any]]()
        while (most := _rows_left(source, room - 2 * len(menus))) is None:
            longest = max(source, key=len)
            source.remove(longest)
            for start in range(0, len(longest), MOST_OPTIONS):
                part = longest[start : start + MOST_OPTIONS]
                menus.append(ui.ActionRow(self._menu(f"{MENU}{len(menus)}", part)))
        folded = rows(tuple(source), most)
        return [*menus, *(ui.ActionRow(*(self._button(button) for button in row)) for row in folded)]

    def _button(self, button: Button, row: int | None = None) -> ui.Button[Any]:
        emoji, words = self.emojis.on_button(button.label)
        return ui.Button(
            style=_STYLES[button.style],
            label=words[:LONGEST_LABEL] or None,
            emoji=emoji,
            custom_id=button.press,
            row=row,
        )

    def _menu(self, name: str, buttons: Row) -> ui.Select[Any]:
        menu: ui.Select[Any] = ui.Select(custom_id=name)
        for button in buttons:
            emoji, words = self.emojis.on_button(button.label)
            menu.add_option(label=words[:LONGEST_LABEL] or "·", value=button.press, emoji=emoji)
        return menu


async def render(screen: ScreenT, emojis: TileEmojis) -> Rendered[ScreenT]:
    """The screen as messages show it; its picture is drawn in a thread."""
    png = None if screen.picture is None else await asyncio.to_thread(pictures.draw, screen.picture)
    return Rendered(screen, png, emojis)


def without_buttons(message: discord.Message) -> ui.LayoutView:
    """What a message made of components only shows, without its rows of buttons and menus."""
    view = ui.LayoutView.from_message(message, timeout=None)
    for part in tuple(view.walk_children()):
        if isinstance(part, ui.ActionRow):
            holder = part.parent if isinstance(part.parent, ui.Container) else view
            holder.remove_item(part)
        elif isinstance(part, ui.MediaGallery):
            for picture in part.items:  # the message's own, under the name by which it keeps it
                picture.media.url = f"attachment://{picture.media.url.partition('?')[0].rpartition('/')[2]}"
    view.stop()
    return view


def _rows_left(source: list[Row], room: int) -> int | None:
    """How many rows there may be when buttons and rows share `room`; None when they do not fit."""
    buttons = sum(map(len, source))
    left = room - buttons
    return left if left * ROW >= buttons else None


def rows(source: tuple[Row, ...], most: int) -> list[Row]:
    """The buttons in rows of at most five, each source row folded evenly for itself.

    Where that makes more than `most` rows, the source's rows run into each other.
    """
    source = _distinct(source)
    folded = [part for row in source for part in folded_evenly(row, ROW)]
    return folded if len(folded) <= most else folded_evenly(tuple(chain.from_iterable(source)), ROW)


def _distinct(source: tuple[Row, ...]) -> tuple[Row, ...]:
    """Without buttons that repeat an earlier one's press: Discord takes each custom_id once a message."""
    new = {button.press: True for button in chain.from_iterable(source)}
    kept = [tuple(button for button in row if new.pop(button.press, False)) for row in source]
    return tuple(row for row in kept if row)


# Text

_ANYWHERE: Final = re.compile(r"[\\*_~`|<>\[\]@]")
_LINE_START: Final = re.compile(r"^(\s*)([-+#]|\d+(?=[.)]\s))", re.MULTILINE)
_PUNCTUATION: Final = re.compile(r"[!-/:-@\[-`{-~]")
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f\u200e\u200f\u2028-\u202e\u2066-\u2069]+")


def markdown(text: Text, emojis: TileEmojis, longest: int) -> str:
    """The text in at most `longest` characters; what does not fit gives way to an ellipsis."""
    done = ""
    for part in text:
        piece = _piece(part, emojis)
        if len(done) + len(piece) > longest - 1:
            return f"{done}{_cut(part, longest - 1 - len(done))}…"
        done += piece
    return done


def _piece(part: Part, emojis: TileEmojis) -> str:
    match part:
        case str():
            return _escaped(part)
        case Strong(text):
            return f"**{_escaped(text)}**" if text else ""
        case Name(text):
            return _escaped_name(text)
        case TileMark():
            return emojis.in_text(part)
        case Clock(at):
            return f"<t:{round(at)}:R>"
        case Moment(at):
            return f"<t:{round(at)}:F>"
        case Link(text, url):
            return f"[{_escaped(text)}](<{url.replace('>', '%3E').replace(' ', '%20')}>)"


def _escaped(text: str) -> str:
    """The application's words, without anything that Discord would take for markup."""
    text = _ANYWHERE.sub(r"\\\g<0>", text)
    return _LINE_START.sub(_escaped_start, text)


def _escaped_start(found: re.Match[str]) -> str:
    space, mark = found[1], found[2]
    return f"{space}{mark}\\" if mark.isdigit() else f"{space}\\{mark}"


def _escaped_name(text: str) -> str:
    """A name with every sign escaped: no markup, no mention, no link, no line of its own."""
    return isolated(_PUNCTUATION.sub(r"\\\g<0>", _UNSEEN.sub(" ", text)))


def _cut(part: Part, room: int) -> str:
    """The beginning of a plain string, not ending within an escape; nothing of any other part."""
    return _escaped(part)[: max(room, 0)].rstrip("\\") if isinstance(part, str) else ""
