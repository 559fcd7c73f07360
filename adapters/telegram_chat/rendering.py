"""Rendering: markup as Telegram's HTML or as plain words, and buttons in rows that fit a phone.

Text is never longer than Telegram takes. The menus of commands, and the table as an app, are buttons too.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeDefault,
    CopyTextButton,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    MenuButtonWebApp,
    WebAppInfo,
)

from adapters.telegram_chat.addresses import start_link
from bot.commands import Audience, list_offered
from bot.i18n import Words, words_for
from bot.i18n.commands import about, latin_name_of
from bot.markup import (
    Button,
    Clock,
    Folded,
    Link,
    Moment,
    Name,
    Part,
    PublicScreen,
    Row,
    Strong,
    Text,
    TileMark,
    Typed,
    fold_evenly,
    isolate,
    stands_out,
)
from bot.ports import Surface

TEXT_LIMIT = 4096
CAPTION_LIMIT = 1024
NOTICE_LIMIT = 200
"""Limits in UTF-16 code units, with markup removed. Telegram speaks of characters; units are never fewer."""

_DIRECTIONS = re.compile(r"[\u202a-\u202e\u2066-\u2069]")
_CUT = "…"

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
OKEY = "okey"
_OPENS_TABLES = "play"
"""The verb that the menu calls `/okey`."""
_IN_GROUPS = ("join", "rack", "leave", "rules", "watch", "leaderboard", "daily", "league", "help")
"""The verbs that a group's menu offers besides. All others can be typed there, too."""
_APP = "Okey"
"""The word for the app beside the input line."""

AppButton = Callable[[str, str], InlineKeyboardButton | None]
"""Makes the button that opens a table as an app, from its words and the table."""


def as_html(text: Text, limit: int) -> str:
    """Return the text as HTML whose visible part has at most `limit` units, cut with an ellipsis if need
    be."""
    return "".join(_mark(part, words) for part, words in _fit(text, limit))


def in_words(screen: PublicScreen) -> PublicScreen:
    """Return a screen for a group that takes no pictures: the picture in words, and the missing right."""
    told = _DIRECTIONS.sub("", "".join(map(_words, screen.text))).splitlines()
    unsaid = [line for line in screen.alt.splitlines() if line not in told]
    lacking = words_for(screen.language).say("chat.no_photos")
    text = (*screen.text, *(f"\n{line}" for line in unsaid), "\n\n", *lacking)
    return replace(screen, text=text, picture=None)


def as_mentions(people: Sequence[tuple[int, str]]) -> str:
    """Return people's ids and names as HTML mentions at the beginning of a line; empty for nobody."""
    called = ", ".join(
        f'<a href="tg://user?id={user}">{_escape(_words(Name(name)))}</a>' for user, name in people
    )
    return called and f"{called}: "


def fits_caption(text: Text) -> bool:
    """Return whether the text can stand under a picture."""
    return sum(_units(_words(part)) for part in text) <= CAPTION_LIMIT


def as_plain(text: Text, limit: int, now: float) -> str:
    """Return the text without markup, at most `limit` units. A moment is told in seconds from `now`."""
    return _cut(tuple(_countdown(part, now) if isinstance(part, Clock) else part for part in text), limit)


def _cut(text: Text, limit: int) -> str:
    return "".join(words for _, words in _fit(text, limit))


def label(button: Button) -> str:
    """Return a button's words."""
    return "".join(part.signs if isinstance(part, TileMark) else part for part in button.label)


def _fit(text: Text, limit: int) -> Iterator[tuple[Part, str]]:
    """Yield every part with its visible words, as far as they fit."""
    spoken = [(part, _words(part)) for part in text]
    if sum(_units(words) for _, words in spoken) <= limit:
        yield from spoken
        return
    left = limit - _units(_CUT)
    for part, words in spoken:
        if _units(words) > left:
            yield (part, _first(words, left) + _CUT) if isinstance(part, str | Folded) else ("", _CUT)
            return
        left -= _units(words)
        yield part, words


def _words(part: Part) -> str:
    match part:
        case str():
            return part
        case Strong(words) | Link(words, _) | Moment(_, words) | Typed(words) | Folded(words):
            return words
        case Name(words):
            return isolate(_DIRECTIONS.sub("", words))
        case TileMark():
            return part.signs
        case Clock(at):
            return f"{datetime.fromtimestamp(at, UTC):%H:%M:%S} UTC"


def _countdown(clock: Clock, now: float) -> str:
    return f"{max(0, round(clock.at - now))} s"


def _mark(part: Part, words: str) -> str:
    marked = _link(part, _escape(words))
    return f"<b>{marked}</b>" if stands_out(part) else marked


def _link(part: Part, escaped: str) -> str:
    match part:
        # A tap on `/okey join` would send `/okey` alone; a tap on code copies it.
        case Typed() if " " in escaped:
            return f"<code>{escaped}</code>"
        case Folded():
            return f"<blockquote expandable>{escaped}</blockquote>"
        case Link(_, url):
            return f'<a href="{html.escape(url)}">{escaped}</a>'
        # The app shows the time left and keeps it current; an old app shows the words.
        case Clock(at):
            return f'<tg-time unix="{int(at)}" format="r">{escaped}</tg-time>'
        case Moment(at):
            return f'<tg-time unix="{int(at)}" format="wDt">{escaped}</tg-time>'
        case _:
            return escaped


def _escape(words: str) -> str:
    return html.escape(words, quote=False)


def _units(words: str) -> int:
    return len(words.encode("utf-16-le")) // 2


def _first(words: str, units: int) -> str:
    return words.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore")


def keyboard(rows: Sequence[Row], app: AppButton | None = None) -> InlineKeyboardMarkup | None:
    """Return the rows, in order, folded where they are too long; None when there are no buttons. `app` makes
    the buttons that open a table as an app; None: they are left out."""
    folded: list[list[InlineKeyboardButton]] = []
    left = _MOST
    for part in (part for row in rows for part in _fold(row)):
        if shown := [made for button in part[:left] if (made := _button(button, app))]:
            folded.append(shown)
            left -= len(shown)
    return InlineKeyboardMarkup(folded) if folded else None


def private_chat_button(bot: str, payload: str, rows: Sequence[Row] = ()) -> InlineKeyboardMarkup:
    """Return a button that opens the private chat with this bot and starts it with a payload, and these rows
    below it."""
    below = keyboard(rows)
    opens = (InlineKeyboardButton(f"💬 @{bot}", url=start_link(bot, payload)),)
    return InlineKeyboardMarkup([opens, *(below.inline_keyboard if below else ())])


def command_menus(words: Words, *, app: bool = False) -> tuple[tuple[BotCommandScope, list[BotCommand]], ...]:
    """Return the commands of each scope: a short list in groups, with the organisers' for administrators, and
    everything in private. Telegram takes Latin letters only.

    `app`: the table can be opened as an app.
    """
    opens = BotCommand(OKEY, about("okey", words))
    offered = _verbs("everybody", app=app)
    in_groups = [opens, *_commands((verb for verb in offered if verb in _IN_GROUPS), words)]
    organisers = [*in_groups, *_commands(_verbs("organisers", app=app), words)]
    return (
        (BotCommandScopeDefault(), [opens, *_commands(offered, words)]),
        (BotCommandScopeAllGroupChats(), in_groups),
        (BotCommandScopeAllChatAdministrators(), organisers),
    )


def _button(button: Button, app: AppButton | None) -> InlineKeyboardButton | None:
    if button.app:
        return None if app is None else app(label(button), button.app)
    if button.link:
        return InlineKeyboardButton(label(button), url=button.link)
    if button.copy:
        return InlineKeyboardButton(label(button), copy_text=CopyTextButton(button.copy))
    return InlineKeyboardButton(label(button), callback_data=button.press, style=_STYLES[button.style])


def _fold(row: Row) -> Iterable[Row]:
    narrow = all(len(label(button)) <= _NARROW for button in row)
    return fold_evenly(row, _NARROW_IN_A_ROW) if narrow else _fold_by_width(row)


def _fold_by_width(row: Row) -> Sequence[Row]:
    """Return as few rows as hold the labels: even ones if then no button stands alone, else the least
    crowded."""
    fewest = len(_fill_rows(row, _LETTERS_IN_A_ROW))
    limits = range(1, _LETTERS_IN_A_ROW + 1)
    least = next(rows for most in limits if len(rows := _fill_rows(row, most)) == fewest)
    even = fold_evenly(row, -(-len(row) // fewest))
    fits = all(len(each) > 1 and _measure(each) <= _LETTERS_IN_A_ROW for each in even)
    return even if fits else least


def _fill_rows(row: Row, most: int) -> list[Row]:
    """Rows of as many buttons as fit, one after the other."""
    rows = [row[:1]]
    for button in row[1:]:
        if len(rows[-1]) == _BUTTONS_IN_A_ROW or _measure((*rows[-1], button)) > most:
            rows.append(())
        rows[-1] = (*rows[-1], button)
    return rows


def _measure(row: Row) -> float:
    """Return the room that a row takes, in letters."""
    return len(row) * (max(_width(label(button)) for button in row) + _AROUND_A_LABEL)


def _width(words: str) -> float:
    """Return the width of a label, in letters."""
    return sum(map(_width_of, words))


def _width_of(sign: str) -> float:
    if sign == _VARIATION:
        return 0
    if sign in _SLIM:
        return 0.5
    if "가" <= sign <= "힣":
        return 1.7
    return 2 if sign >= "\u2300" and sign != _TICK else 1


def menu_verbs() -> frozenset[str]:
    """Return the verbs of the menus, besides `/okey`. A person who taps one sends it without this bot's name,
    unless the group has several bots."""
    return frozenset(_verbs("everybody", app=True) + _verbs("organisers", app=True))


def _verbs(audience: Audience, *, app: bool) -> list[str]:
    return [each.verb for each in list_offered(audience, app=app) if each.verb != _OPENS_TABLES]


def _commands(verbs: Iterable[str], words: Words) -> list[BotCommand]:
    return [BotCommand(latin_name_of(verb, words), about(verb, words)) for verb in verbs]


def type_in_menu(typed: Typed) -> str:
    """Return a command without arguments as the menus have it, so that one tap sends all of it."""
    name = OKEY if typed.command == _OPENS_TABLES else latin_name_of(typed.command, words_for(typed.language))
    return f"/{name}"


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
        """Return a button in a private chat."""
        if not self._url:
            return None
        return InlineKeyboardButton(words, web_app=WebAppInfo(f"{self._url}?table={table}"))

    def in_group(self, words: str, table: str) -> InlineKeyboardButton | None:
        """Return a button on a message in a group, public or ephemeral."""
        url = self.link(table)
        return None if url is None else InlineKeyboardButton(words, url=url)

    def link(self, start: str) -> str | None:
        """Return the address that opens it anywhere in Telegram, with a table or an invitation to begin
        with."""
        if not (self._url and self._short_name):
            return None
        return f"https://t.me/{self._bot.username}/{self._short_name}?startapp={start}"

    async def offer_menu(self) -> None:
        """Offer the app beside the chat's input line. Raises TelegramError."""
        if self._url:
            await self._bot.set_chat_menu_button(menu_button=MenuButtonWebApp(_APP, WebAppInfo(self._url)))
