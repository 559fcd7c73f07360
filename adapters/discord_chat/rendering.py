"""Rendering: screens as Discord's messages, and marked-up text as Discord's markdown.

A public screen is a container of components: its headline (beside it the only button of the first row, if
that is a coloured one), the picture, the words, the other buttons. A private screen is an ordinary message
while up to 25 buttons in five rows are enough, because that also reads well in a notification. A message has
at most 40 components; container, text, picture and each row count too. It cannot be turned back into an
ordinary one.

No name that a person chose can become markup.
"""

import hashlib
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby, pairwise
from typing import Any, Final, Generic, TypeVar

import discord
from discord import ui

from adapters.discord_chat.attached import Attached, find_attached
from adapters.discord_chat.command_names import type_in_discord
from adapters.discord_chat.emojis import TileEmojis
from bot import pictures
from bot.markup import (
    Button,
    Clock,
    Folded,
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
    Typed,
    fold_evenly,
    isolate,
    stands_out,
)

ROW: Final = 5
ROWS: Final = 5
MOST_COMPONENTS: Final = 40
MOST_OPTIONS: Final = 25
LONGEST_TEXT: Final = 2000
LONGEST_V2_TEXT: Final = 4000
LONGEST_HEADLINE: Final = 500
LONGEST_ALT: Final = 1024
LONGEST_LABEL: Final = 80
MENU: Final = "menu"
"""The beginning of a menu's custom_id. The chosen value is the press."""

_FELT: Final = discord.Colour(0x1F7A4D)
"""The colour at a container's side, that of a card table."""
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
"""Arguments for discord.py's methods that send and edit. They hold open files, so they can be used once."""


@dataclass(frozen=True, repr=False)
class Rendered(Generic[ScreenT_co]):
    """A screen with its picture drawn, ready to be sent any number of times.

    Its `repr` shows nothing, as it may be a rack.
    """

    screen: ScreenT_co
    png: bytes | None
    emojis: TileEmojis

    @cached_property
    def needs_v2(self) -> bool:
        """Return whether it needs a message made of components only: because it is public, for its buttons,
        or for a picture in words."""
        if isinstance(self.screen, PublicScreen):
            return True
        long = len(self._text(LONGEST_V2_TEXT)) > LONGEST_TEXT and not self._keeps_file
        return long or rows(self.screen.buttons, ROWS) is None

    @property
    def _keeps_file(self) -> bool:
        """Return whether it has a file to save, which only an ordinary message can have."""
        return isinstance(self.screen, Page) and self.screen.file is not None

    def as_new(self) -> Fields:
        """Return the arguments for a new message."""
        if self.needs_v2:
            return {"view": self._layout(), "files": self._files()}
        fields: Fields = {"content": self._text(LONGEST_TEXT), "files": self._files()}
        return fields | ({"view": self._view()} if self.screen.buttons else {})

    def as_announcement(self) -> Fields:
        """Return the arguments for a new message that somebody is to be notified of: the words alone, if the
        screen needs a message of components, whose notification would be empty; an edit then shows the
        rest."""
        if isinstance(self.screen, SeatScreen) and self.needs_v2:
            return {"content": self._text(LONGEST_TEXT)}
        return self.as_new()

    def find_same(self, *attached: Attached | None) -> Attached | None:
        """Return the one of these that is its picture; None: none is."""
        own = () if self.png is None else (each for each in attached if each and each.filename == self._file)
        return next(iter(own), None)

    def as_edit(self, *, v2: bool, attached: Attached | None = None) -> Fields:
        """Return the arguments for an edit of a message, which may be one of components only. The picture
        that is `attached` stays if it is the same, otherwise its attachments are replaced."""
        same = self.find_same(attached)
        attachments = self._files() if same is None else [same]
        if v2 or self.needs_v2:
            return {"content": None, "view": self._layout(), "attachments": attachments}
        view = self._view() if self.screen.buttons else None
        return {"content": self._text(LONGEST_TEXT), "view": view, "attachments": attachments}

    @cached_property
    def _file(self) -> str:
        """The picture's file name, which tells its content and description."""
        digest = hashlib.blake2s(f"{self._alt()}".encode(), digest_size=8, key=b"okey")
        digest.update(self.png or b"")
        return f"okey-{digest.hexdigest()}.png"

    def _text(self, longest: int) -> str:
        return markdown(self.screen.text, self.emojis, longest)

    def _files(self) -> list[discord.File]:
        if isinstance(self.screen, Page) and self.screen.file is not None:
            return [discord.File(io.BytesIO(self.screen.file.content), self.screen.file.name)]
        if self.png is None:
            return []
        return [discord.File(io.BytesIO(self.png), self._file, description=self._alt())]

    def _alt(self) -> str | None:
        return self.screen.alt[:LONGEST_ALT] or None

    def _view(self) -> ui.View:
        view = ui.View(timeout=None)
        for number, row in enumerate(rows(self.screen.buttons, ROWS) or ()):
            for button in row:
                view.add_item(self._button(button, number))
        view.stop()
        return view

    def _layout(self) -> ui.LayoutView:
        view = ui.LayoutView(timeout=None)
        if isinstance(self.screen, PublicScreen):
            view.add_item(ui.Container(*self._public_items(), accent_colour=_FELT))
        else:
            texts = [ui.TextDisplay[Any](self._text(LONGEST_V2_TEXT))] if self.screen.text else []
            above = [*texts, *self._gallery()]
            for item in (*above, *self._component_rows(self.screen.buttons, MOST_COMPONENTS - len(above))):
                view.add_item(item)
        view.stop()
        return view

    def _public_items(self) -> Iterator[ui.Item[Any]]:
        """Yield the items in the container of a public screen."""
        headline, words = _at_first_line(self.screen.text)
        first, *others = self.screen.buttons or ((),)
        room = MOST_COMPONENTS - 4
        if len(first) == 1 and first[0].style != "plain":
            beside, under, room = first[0], tuple(others), room - 2
            yield ui.Section(self._display(headline), accessory=self._button(beside))
        else:
            under = self.screen.buttons
            yield self._display(headline)
        yield from self._gallery()
        if words:
            yield self._display(words, LONGEST_V2_TEXT - LONGEST_HEADLINE)
        yield from self._component_rows(under, room)

    def _display(self, text: Text, longest: int = LONGEST_HEADLINE) -> ui.TextDisplay[Any]:
        return ui.TextDisplay(markdown(text, self.emojis, longest) or "\u200b")

    def _gallery(self) -> list[ui.MediaGallery[Any]]:
        if self.png is None:
            return []
        return [
            ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{self._file}", description=self._alt()))
        ]

    def _component_rows(self, source: tuple[Row, ...], room: int) -> list[ui.ActionRow[Any]]:
        """Return the buttons in at most `room` components; if need be, the longest rows become menus."""
        left, menus = list(_distinct(source)), list[ui.ActionRow[Any]]()
        while (folded := rows(tuple(left), room - 2 * len(menus) - sum(map(len, left)))) is None:
            longest = max(left, key=len)
            left.remove(longest)
            for start in range(0, len(longest), MOST_OPTIONS):
                part = longest[start : start + MOST_OPTIONS]
                menus.append(ui.ActionRow(self._menu(f"{MENU}{len(menus)}", part)))
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
    """Return the screen as messages show it, with its picture."""
    png = None if screen.picture is None else await pictures.draw_picture(screen.picture)
    return Rendered(screen, png, emojis)


def without_buttons(message: discord.Message) -> ui.LayoutView:
    """Return a message of components that the bot has sent, without its buttons."""
    view = ui.LayoutView(timeout=None)
    attached = find_attached(message)
    picture = "" if attached is None else f"attachment://{attached.filename}"
    view.add_item(ui.Container(*_to_read(message.components, picture), accent_colour=_FELT))
    view.stop()
    return view


def _to_read(components: Iterable[object], picture: str) -> Iterator[ui.Item[Any]]:
    for component in components:
        match component:
            case discord.Container() | discord.SectionComponent():
                yield from _to_read(component.children, picture)
            case discord.TextDisplay():
                yield ui.TextDisplay(component.content)
            case discord.MediaGalleryComponent() if picture:
                alt = component.items[0].description
                yield ui.MediaGallery(discord.MediaGalleryItem(picture, description=alt))


def rows(source: tuple[Row, ...], most: int) -> list[Row] | None:
    """Return the buttons in rows of at most five, each source row folded evenly by itself. If that makes more
    than `most` rows, neighbours are joined, the first that fit into one row, and then all. None when they do
    not fit.

    Tiles share no row with other buttons: a finger that slips would discard one.
    """
    parts = [tuple(part) for row in _distinct(source) for _, part in groupby(row, _is_tile)]
    joined = (tuple(chain(*same)) for _, same in groupby(parts, lambda part: _is_tile(part[0])))
    for each in (parts, joined):
        folded = [row for part in each for row in fold_evenly(part, ROW)]
        while len(folded) > most and (at := _joinable(folded)) is not None:
            folded[at : at + 2] = [folded[at] + folded[at + 1]]
        if len(folded) <= most:
            return folded
    return None


def _joinable(folded: list[Row]) -> int | None:
    """Return the first of two neighbours that fit into one row."""
    for number, (row, after) in enumerate(pairwise(folded)):
        if len(row) + len(after) <= ROW and _is_tile(row[0]) == _is_tile(after[0]):
            return number
    return None


def _is_tile(button: Button) -> bool:
    """Return whether a button shows a tile and nothing else."""
    return len(button.label) == 1 and isinstance(button.label[0], TileMark)


def _distinct(source: tuple[Row, ...]) -> tuple[Row, ...]:
    """Return the rows without buttons that repeat an earlier press: Discord takes each custom_id once in a
    message."""
    new = {button.press: True for button in chain.from_iterable(source)}
    kept = [tuple(button for button in row if new.pop(button.press, False)) for row in source]
    return tuple(row for row in kept if row)


def _at_first_line(text: Text) -> tuple[Text, Text]:
    """Return a text's first line, and the others."""
    for number, part in enumerate(text):
        if isinstance(part, str) and "\n" in part:
            before, _, behind = part.partition("\n")
            return (*text[:number], before), (behind, *text[number + 1 :])
    return text, ()


# Markdown

_ANYWHERE: Final = re.compile(r"[\\*_~`|<>\[\]@]")
_LINE_START: Final = re.compile(r"^(\s*)([-+#]|\d+(?=[.)]\s))", re.MULTILINE)
_PUNCTUATION: Final = re.compile(r"[!-/:-@\[-`{-~]")
_UNSEEN: Final = re.compile(r"[\x00-\x1f\x7f\u200e\u200f\u2028-\u202e\u2066-\u2069]+")


_BOLD: Final = "**"


def markdown(text: Text, emojis: TileEmojis, longest: int) -> str:
    """Return the text in at most `longest` characters, cut with an ellipsis."""
    done, strong = "", False
    for part in text:
        if not (piece := _piece(part, emojis)):
            continue
        if stands_out(part):  # bold that continues is not closed: Discord shows four stars as text
            longer = f"{done.removesuffix(_BOLD) if strong else done + _BOLD}{piece}{_BOLD}"
        else:
            longer = done + piece
        if len(longer) > longest - 1:
            return f"{done}{_cut(part, longest - 1 - len(done))}…"
        done, strong = longer, stands_out(part)
    return done


def _piece(part: Part, emojis: TileEmojis) -> str:
    match part:
        case str():
            return _escape(part)
        case Strong(text):
            return _escape(text)
        case Name(text):
            return _escape_name(text)
        case TileMark():
            return emojis.in_text(part)
        case Folded(text):
            return f"> {_escape(text)}".replace("\n", "\n> ")
        case Clock(at):
            return f"<t:{round(at)}:R>"
        case Moment(at):
            return f"<t:{round(at)}:F>"
        case Typed(arguments=()) if mention := emojis.mentions.get(part.command):
            return mention  # a tap writes it into the line
        case Typed():
            return f"`{type_in_discord(part).replace('`', '’')}`"
        case Link(text, url):
            return f"[{_escape(text)}](<{url.replace('>', '%3E').replace(' ', '%20')}>)"


def _escape(text: str) -> str:
    """Return the application's words, with all of Discord's markup escaped."""
    text = _ANYWHERE.sub(r"\\\g<0>", text)
    return _LINE_START.sub(_escape_start, text)


def _escape_start(found: re.Match[str]) -> str:
    space, mark = found[1], found[2]
    return f"{space}{mark}\\" if mark.isdigit() else f"{space}\\{mark}"


def _escape_name(text: str) -> str:
    """Return a name with every sign escaped: no markup, mention, link or line break."""
    return isolate(_PUNCTUATION.sub(r"\\\g<0>", _UNSEEN.sub(" ", text)))


def _cut(part: Part, room: int) -> str:
    """Return the beginning of a plain string, which does not end within an escape; empty for any other
    part."""
    return _escape(part)[: max(room, 0)].rstrip("\\") if isinstance(part, str) else ""
