"""Markup as HTML. All text by people or the application is escaped here, once."""

import base64
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from adapters.web.curve import draw_curve
from adapters.web.protocol import PROTOCOL
from adapters.web.server import files_version
from bot.commands import DECLARED_COMMANDS
from bot.i18n import Words, own_name, plain, words_for
from bot.markup import (
    COLOUR_SIGNS,
    JOKER_SIGN,
    OKEY_SIGN,
    Cell,
    Clock,
    CurvePicture,
    Document,
    Folded,
    Link,
    Moment,
    Name,
    Page,
    Part,
    PublicScreen,
    Row,
    Strong,
    Text,
    TileMark,
    Typed,
    Wall,
    stands_out,
)
from bot.pictures import draw_picture

GROUND: Final = (Path(__file__).parent / "static" / "ground.css").read_text("utf-8")
"""The style of the first paint, the only one that stands in a document: the page's."""

_COLOURS: Final = {"R": "red", "Y": "yellow", "B": "blue", "K": "black", "F": "joker"}
_REFUSALS: Final = (
    "refused.already_drawn",
    "refused.already_returned",
    "refused.draw_first",
    "refused.last_tile_finishes",
    "refused.not_playing",
    "refused.not_your_turn",
    "refused.nothing_to_take",
    "refused.rethrow",
    "refused.stock_empty",
    "refused.taken_unused",
)
_PLACES: Final = tuple(f"match.own_{place}" for place in (2, 3, 4))
_FAMILIES: Final = ("level.", "live.", "outcome.", "page.", "preset.", "sure.", "tile.", *_PLACES, *_REFUSALS)
"""The families of messages that the page's scripts use."""
_BLANKS: Final = re.compile("[ \u00a0]+")
_SIGN: Final = re.compile("^(✓ )?(?!✓)[\u2190-\u2bff\U0001f000-\U0001faff\ufe0f]+ | [▶▸]$")
"""A sign before the words of a button or a title, or an arrow after them. A tick tells something: what is
chosen."""
_COMMAND: Final = Markup(
    '<button type="button" class="word" data-do="verb" data-verb="{}" data-argument="{}" data-fields="{}">'
    "{}</button>"
)
_FIELD: Final = Markup(
    '<label>{}<input value="{}" data-form="{}" maxlength="200" autocomplete="off"></label>'
)
_OWN_PATH: Final = re.compile(r"/[a-z]")
"""The beginning of an address on the server itself; browsers take `//` and `/\\` for another host's."""
_PNG_SIZE: Final = slice(16, 24)
"""The bytes of a PNG that hold its width and height, four each."""


class Renderer:
    """Draws screens as HTML for readers of one language."""

    def __init__(self, language: str) -> None:
        self._words: Words = words_for(language)
        colours = {sign: self._words.plain(f"tile.colour.{code}") for code, sign in COLOUR_SIGNS.items()}
        joker, okey = map(self._words.plain, ("tile.false_joker", "tile.okey"))
        self._signs = {**colours, JOKER_SIGN: joker, OKEY_SIGN: okey}
        self._templates = Environment(
            loader=PackageLoader("adapters.web", "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters |= {
            "marked_up": self.text,
            "label": self.label,
            "pressable": self.pressable,
            "title": self.title,
            "plain": self.plain,
            "lines": lines_of,
            "colour": colour_of,
        }
        self._templates.globals |= {
            "say": self._words.plain,
            "language": self._words.language,
            "own_name": own_name,
            "tile_name": self._words.tile_name,
        }

    @property
    def page_words(self) -> dict[str, str]:
        """The words of the page's scripts, by key."""
        return self._words.templates(*_FAMILIES)

    @property
    def language(self) -> str:
        """The language of these words."""
        return self._words.language

    def page(self, door: str = "local", client: str = "", homes: Sequence[Link] = (), link: str = "") -> str:
        """Return the whole page, without a table yet, with the words of its scripts. `door`: the way in;
        `client`: the application's id on Discord; `homes`: the chats that lead here; `link`: the part before
        an invitation in an address that opens it in a chat."""
        known = [{"name": home.text, "url": home.url} for home in homes]
        words = self.page_words
        return self._render(
            "page.html",
            files=f"/static/{files_version()}/",
            ground=Markup(GROUND),
            words=words,
            protocol=PROTOCOL,
            door=door,
            client=client,
            homes=known,
            link=link,
        )

    def board(self, screen: PublicScreen, png: bytes | None) -> str:
        """Return a league's night as everybody sees it, with its picture."""
        return self._render("board.html", png, screen=screen)

    async def reading(self, page: Page) -> str:
        """Return a page to read, with its picture and its file. A curve is drawn as SVG.

        A puzzle or a replay is drawn by the page itself, above what is said of it.
        """
        if page.puzzle is not None:
            page = Page(text=page.puzzle.text)
        elif page.replay is not None:
            page = Page(text=page.replay.text, buttons=page.buttons)
        page = replace(page, buttons=_without_steps(page.buttons))
        file = page.file and _data_url(page.file.content, "application/octet-stream")
        curve, png = None, None
        match page.picture:
            case CurvePicture() as picture:
                curve = draw_curve(picture, page.series)
            case picture if picture is not None:
                png = await draw_picture(picture)
        return self._render("reading.html", png, page=page, file=file, drawn_curve=curve)

    def document(
        self,
        document: Document,
        png: bytes | None,
        address: Callable[[str], str],
        languages: Mapping[str, str],
        *,
        indexed: bool,
    ) -> str:
        """Return a page of a league. `address` makes a link of a cell's `way`; `languages` are links to the
        same page in each language. `indexed`: whether search engines may have it."""
        return self._render(
            "league.html",
            png,
            document=document,
            address=address,
            languages=languages,
            indexed=indexed,
            field=lambda cell: self._field(cell, address),
        )

    def wall_page(self) -> str:
        """Return the page that shows a wall."""
        return self._render("wall.html")

    def wall(self, wall: Wall, pngs: Sequence[bytes | None]) -> str:
        """Return the tables of a wall, each with its picture."""
        tables = []
        for table, png in zip(wall.tables, pngs, strict=True):
            title = self.plain(table.screen.text).split("\n", 1)[0]
            picture, size = (_data_url(png), _size_of(png)) if png else (None, (0, 0))
            tables.append((table, title, picture, size))
        return self._render("tables.html", wall=wall, tables=tables)

    def notice(self, key: str) -> str:
        """Return a paragraph with one sentence."""
        return str(Markup('<p class="lead">{}</p>').format(self._words.plain(key)))

    def sentence(self, key: str, script: str = "") -> str:
        """Return a page with one sentence, and the address of the script that may lead on from it."""
        return self._render("sentence.html", sentence=self._words.plain(key), script=script)

    def _render(self, template: str, png: bytes | None = None, **values: object) -> str:
        picture = _data_url(png) if png else None
        size = _size_of(png) if png else (0, 0)
        return self._templates.get_template(template).render(picture=picture, size=size, **values)

    def _field(self, cell: Cell, address: Callable[[str], str]) -> Markup:
        text = self.text(cell.text)
        if cell.dropped:
            told = self._words.plain("sheet.counted_out")
            return Markup('<span class="dropped">(<s>{}</s>)<span class="unseen"> {}</span></span>').format(
                text, told
            )
        return Markup('<a href="{}">{}</a>').format(address(cell.way), text) if cell.way else text

    def plain(self, text: Text) -> str:
        """Text without markup."""
        return plain(text, self._words)

    def spoken(self, text: Text) -> str:
        """Text as a screen reader says it: the signs of melds are words, too, and nothing is to be typed."""
        said = self.plain(tuple(self._name(part) if isinstance(part, Typed) else part for part in text))
        for sign, words in self._signs.items():
            said = said.replace(sign, f"{words} ")
        return _BLANKS.sub(" ", said)

    def text(self, text: Text) -> Markup:
        """Marked-up text as HTML."""
        return Markup("").join(
            Markup("<strong>{}</strong>").format(self._part(part)) if stands_out(part) else self._part(part)
            for part in text
        )

    def label(self, text: Text) -> Markup:
        """Return the words of a button, without the sign that they begin with in chats, or the arrow after
        them: a page can't count on a font that draws it."""
        return self.text(_without_sign(text))

    def title(self, text: Text) -> Markup:
        """Return the first line of a screen like any other, but without the sign that it begins with."""
        return self.pressable(_without_sign(text))

    def pressable(self, text: Text) -> Markup:
        """Marked-up text for the page, on which nothing can be typed: a command is a button."""
        return Markup("").join(
            self._command(part) if isinstance(part, Typed) else self.text((part,)) for part in text
        )

    def _command(self, typed: Typed) -> Markup:
        """Return the button of a command. It asks for the arguments that are named with it, or needed."""
        command, values = DECLARED_COMMANDS[typed.command], dict(typed.arguments)
        fields = [
            _FIELD.format(
                self._words.plain(f"argument.{each.name}.about"), values.get(each.name, ""), each.form
            )
            for each in command.arguments
            if each.kind != "flag" and (each.name in values or each.required)
        ]
        flags = {each.name: "" for each in command.arguments if each.kind == "flag" and each.name in values}
        return _COMMAND.format(
            command.verb, command.line(flags), str(Markup("").join(fields)), self._name(typed)
        )

    def _name(self, typed: Typed) -> str:
        """Return what a command is called, as the label of its button."""
        return typed.line.removeprefix("/okey").strip() or self._words.plain("verb.play")

    def _part(self, part: Part) -> Markup:
        match part:
            case str():
                return Markup("<br>").join(part.split("\n"))
            case Strong(text):
                return escape(text)
            case Name(text):
                return Markup("<bdi>{}</bdi>").format(text)
            case TileMark():
                return self._small_tile(part)
            case Clock(at):
                return _clock(at)
            case Typed(line):
                return Markup("<code>{}</code>").format(line)
            case Moment(at, words):
                return _moment(at, words)
            case Link(text, url):
                return _link(text, url)
            case Folded(text):
                return self._part(text)

    def _small_tile(self, mark: TileMark) -> Markup:
        macros = self._templates.get_template("tile.html").module
        return Markup(macros.small(mark))  # type: ignore[attr-defined]


def _without_steps(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return buttons without those that turn a series: the page has its own for that."""
    kept = [tuple(each for each in row if not each.step) for row in rows]
    return tuple(row for row in kept if row)


def renderer_for(language: str) -> Renderer:
    """Return the renderer for a language tag, in one of the languages that the application speaks."""
    return _renderer(words_for(language).language)


@cache
def _renderer(language: str) -> Renderer:
    return Renderer(language)


def _without_sign(text: Text) -> Text:
    first = text[0] if text else ""
    if not isinstance(first, str):
        return text
    return (_SIGN.sub(r"\1", first.replace("➕", "+").replace("➖", "−")), *text[1:])


def lines_of(text: Text) -> list[Text]:
    """Return the lines of a text, without their ends."""
    lines: list[list[Part]] = [[]]
    for part in text:
        pieces: list[Part] = [*part.split("\n")] if isinstance(part, str) else [part]
        lines[-1].append(pieces[0])
        lines.extend([piece] for piece in pieces[1:])
    return [tuple(line) for line in lines]


def colour_of(code: str) -> str:
    """Return the style class of a tile's colour."""
    return _COLOURS[code[0]]


def _clock(at: float) -> Markup:
    moment = datetime.fromtimestamp(at, UTC)
    return Markup('<time class="clock" datetime="{}" data-at="{}" role="timer">{}</time>').format(
        moment.isoformat(timespec="seconds"), at, f"{moment:%H:%M:%S} UTC"
    )


def _moment(at: float, words: str) -> Markup:
    """Return a moment in words, for browsers without scripts. A script replaces them by the reader's own
    time."""
    moment = datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
    return Markup('<time class="moment" datetime="{}" title="{}">{}</time>').format(moment, words, words)


def _link(text: str, url: str) -> Markup:
    parts = urlsplit(url)
    of_ours = _OWN_PATH.match(url) is not None
    if parts.scheme not in ("http", "https") and not of_ours:
        return escape(text)
    return Markup('<a href="{}" target="_blank" rel="noopener noreferrer">{}</a>').format(url, text)


def _data_url(content: bytes, kind: str = "image/png") -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def _size_of(png: bytes) -> tuple[int, int]:
    size = png[_PNG_SIZE]
    return int.from_bytes(size[:4]), int.from_bytes(size[4:])
