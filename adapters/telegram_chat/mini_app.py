"""Mini App: the buttons by which Telegram opens a table as an app.

Private chats take a button with the page's own address. Groups refuse that, so a link there leads to the app
under its short name at @BotFather, and names the table. The name is only a wish: the door checks the person's
right.
"""

from telegram import Bot, InlineKeyboardButton, MenuButtonWebApp, WebAppInfo

from bot.ports import Surface

_MENU = "Okey"


class MiniApp:
    """The app of one bot."""

    def __init__(self, bot: Bot, url: str, short_name: str) -> None:
        self._bot = bot
        self._url = f"{url}/telegram" if url.startswith("https://") else ""
        """The page's address; empty: none. Telegram takes https only."""
        self._short_name = short_name

    @property
    def opens(self) -> frozenset[Surface]:
        """The surfaces on whose messages a button can open it."""
        surfaces: dict[Surface, bool] = {
            "private": bool(self._url),
            "public": bool(self._url and self._short_name),
        }
        return frozenset(surface for surface, offered in surfaces.items() if offered)

    def in_private(self, words: str, table: str) -> InlineKeyboardButton | None:
        """A button in a private chat."""
        if not self._url:
            return None
        return InlineKeyboardButton(words, web_app=WebAppInfo(f"{self._url}?table={table}"))

    def in_group(self, words: str, table: str) -> InlineKeyboardButton | None:
        """A button on a message in a group, public or ephemeral."""
        if not (self._url and self._short_name):
            return None
        return InlineKeyboardButton(words, url=self.link(table))

    def link(self, start: str) -> str | None:
        """The address that opens it anywhere in Telegram, with a table or an invitation to begin with."""
        if not (self._url and self._short_name):
            return None
        return f"https://t.me/{self._bot.username}/{self._short_name}?startapp={start}"

    async def offer_menu(self) -> None:
        """Offer the app beside the chat's input line. Raises TelegramError."""
        if self._url:
            await self._bot.set_chat_menu_button(menu_button=MenuButtonWebApp(_MENU, WebAppInfo(self._url)))
