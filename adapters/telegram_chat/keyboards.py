"""Keyboards: a screen's buttons in rows that fit a phone, the menus of commands, and the table as an app."""

from collections.abc import Callable, Iterable, Sequence

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeDefault,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MenuButtonWebApp,
    WebAppInfo,
)

from adapters.telegram_chat.markup import label
from bot.commands import Audience, offered
from bot.i18n import Words
from bot.i18n.commands import about, latin_name_of
from bot.markup import Button, Row, folded_evenly
from bot.ports import Surface

_NARROW = 4
"""The most letters of a narrow label, such as a tile or a number. Its buttons stand in even rows."""
_NARROW_IN_A_ROW = 5
_BUTTONS_IN_A_ROW = 8
_LETTERS_IN_A_ROW = 36
"""The letters of a row's labels that a phone shows uncut, with the space round each label counted."""
_AROUND_A_LABEL = 4
_LETTERS_OF_EQUALS = 46
"""The same where one label is longer than the others: a row's buttons are equally wide. Less space is counted
round a label: only the longest needs all of it."""
_AROUND_THE_LONGEST = 2
_WIDE = 1.5
"""The width of a Korean syllable in letters."""
_MOST = 100

_STYLES = {"plain": None, "primary": "primary", "good": "success", "danger": "danger"}
_OPENS_TABLES = "play"
"""The verb that the menu calls `/okey`."""
_APP = "Okey"
"""The word for the app beside the input line."""

AppButton = Callable[[str, str], InlineKeyboardButton | None]
"""Makes the button that opens a table as an app, from its words and the table."""


def keyboard(rows: Sequence[Row], app: AppButton | None = None) -> InlineKeyboardMarkup | None:
    """The rows, in order, folded where they are too long; None when there are no buttons. `app` makes the
    buttons that open a table as an app; None: they are left out."""
    folded: list[list[InlineKeyboardButton]] = []
    left = _MOST
    for part in (part for row in rows for part in _folded(row)):
        if shown := [made for button in part[:left] if (made := _button(button, app))]:
            folded.append(shown)
            left -= len(shown)
    return InlineKeyboardMarkup(folded) if folded else None


def link_button(words: str, url: str) -> InlineKeyboardMarkup:
    """One button that opens a link."""
    return InlineKeyboardMarkup([[InlineKeyboardButton(words, url=url)]])


def command_menus(words: Words, *, app: bool = False) -> tuple[tuple[BotCommandScope, list[BotCommand]], ...]:
    """The commands of each scope. Telegram takes Latin letters only. Administrators see their own menu alone.

    `app`: the table can be opened as an app.
    """
    everybodys = [BotCommand("okey", about("okey", words)), *_commands("everybody", words, app=app)]
    organisers = [*everybodys, *_commands("organisers", words, app=app)]
    return (
        (BotCommandScopeDefault(), everybodys),
        (BotCommandScopeAllChatAdministrators(), organisers),
    )


def _button(button: Button, app: AppButton | None) -> InlineKeyboardButton | None:
    if button.app:
        return None if app is None else app(label(button), button.app)
    return InlineKeyboardButton(label(button), callback_data=button.press, style=_STYLES[button.style])


def _folded(row: Row) -> Iterable[Row]:
    narrow = all(len(label(button)) <= _NARROW for button in row)
    return folded_evenly(row, _NARROW_IN_A_ROW) if narrow else _folded_by_width(row)


def _folded_by_width(row: Row) -> Sequence[Row]:
    """As few rows as hold the labels; as even ones as that allows."""
    parts = [row[:0]]
    for button in row:
        if parts[-1] and not _fits((*parts[-1], button)):
            parts.append(())
        parts[-1] = (*parts[-1], button)
    even = list(folded_evenly(row, -(-len(row) // len(parts))))
    return even if len(even) == len(parts) and all(map(_fits, even)) else parts


def _fits(row: Row) -> bool:
    widths = [_width(label(button)) for button in row]
    return (
        len(row) <= _BUTTONS_IN_A_ROW
        and sum(widths) + len(row) * _AROUND_A_LABEL <= _LETTERS_IN_A_ROW
        and len(row) * (max(widths) + _AROUND_THE_LONGEST) <= _LETTERS_OF_EQUALS
    )


def _width(words: str) -> float:
    return sum(_WIDE if "가" <= letter <= "힣" else 1 for letter in words)


def _commands(audience: Audience, words: Words, *, app: bool) -> list[BotCommand]:
    verbs = (each.verb for each in offered(audience, app=app))
    return [
        BotCommand(latin_name_of(verb, words), about(verb, words)) for verb in verbs if verb != _OPENS_TABLES
    ]


class MiniApp:
    """The table as an app, and the buttons that open it.

    Private chats take a button with the page's own address. Groups refuse that, so a link there leads to the
    app under its short name at @BotFather, and names the table. The name is only a wish: the door checks the
    person's right.
    """

    def __init__(self, bot: Bot, url: str, short_name: str) -> None:
        self._bot = bot
        self._url = f"{url}/telegram" if url.startswith("https://") else ""
        """The page's address; empty: none. Telegram takes https only."""
        self._short_name = short_name

    @property
    def opens(self) -> frozenset[Surface]:
        """The surfaces on whose messages a button can open it."""
        if not self._url:
            return frozenset()
        return frozenset[Surface](("private", "public") if self._short_name else ("private",))

    def in_private(self, words: str, table: str) -> InlineKeyboardButton | None:
        """A button in a private chat."""
        if not self._url:
            return None
        return InlineKeyboardButton(words, web_app=WebAppInfo(f"{self._url}?table={table}"))

    def in_group(self, words: str, table: str) -> InlineKeyboardButton | None:
        """A button on a message in a group, public or ephemeral."""
        url = self.link(table)
        return None if url is None else InlineKeyboardButton(words, url=url)

    def link(self, start: str) -> str | None:
        """The address that opens it anywhere in Telegram, with a table or an invitation to begin with."""
        if not (self._url and self._short_name):
            return None
        return f"https://t.me/{self._bot.username}/{self._short_name}?startapp={start}"

    async def offer_menu(self) -> None:
        """Offer the app beside the chat's input line. Raises TelegramError."""
        if self._url:
            await self._bot.set_chat_menu_button(menu_button=MenuButtonWebApp(_APP, WebAppInfo(self._url)))
