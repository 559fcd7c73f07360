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
_LETTERS_IN_A_ROW = 44
"""The letters that a phone shows uncut in a row of equally wide buttons, with the space round each label."""
_AROUND_A_LABEL = 2
_SLIM = frozenset(" iıjlI.,:·!|'’")
"""Half as wide as other letters."""
_TICK = "✓"
_VARIATION = "\ufe0f"
"""Follows a sign that is to be drawn as a picture, and takes no room."""
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
    """As few rows as hold the labels: even ones if then no button stands alone, else the least crowded."""
    fewest = len(_filled(row, _LETTERS_IN_A_ROW))
    limits = range(1, _LETTERS_IN_A_ROW + 1)
    least = next(rows for most in limits if len(rows := _filled(row, most)) == fewest)
    even = folded_evenly(row, -(-len(row) // fewest))
    fits = all(len(each) > 1 and _taken(each) <= _LETTERS_IN_A_ROW for each in even)
    return even if fits else least


def _filled(row: Row, most: int) -> list[Row]:
    """Rows of as many buttons as fit, one after the other."""
    rows = [row[:1]]
    for button in row[1:]:
        if len(rows[-1]) == _BUTTONS_IN_A_ROW or _taken((*rows[-1], button)) > most:
            rows.append(())
        rows[-1] = (*rows[-1], button)
    return rows


def _taken(row: Row) -> float:
    """The room that a row takes, in letters."""
    return len(row) * (max(_width(label(button)) for button in row) + _AROUND_A_LABEL)


def _width(words: str) -> float:
    """The width of a label, in letters."""
    return sum(map(_width_of, words))


def _width_of(sign: str) -> float:
    if sign == _VARIATION:
        return 0
    if sign in _SLIM:
        return 0.5
    if "가" <= sign <= "힣":
        return 1.7
    return 2 if sign >= "\u2300" and sign != _TICK else 1


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
