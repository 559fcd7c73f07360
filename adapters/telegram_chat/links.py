"""Links: the addresses that lead people to the bot on Telegram."""

from contextlib import suppress
from urllib.parse import quote, urlencode

from telegram import Bot

from adapters.telegram_chat.addresses import start_link
from adapters.telegram_chat.rendering import MiniApp
from bot.markup import Link
from bot.ports import Links


class TelegramLinks(Links):
    """The addresses of a bot, by its name."""

    def __init__(self, bot: Bot, app: MiniApp) -> None:
        self._bot = bot
        self._app = app

    @property
    def home(self) -> Link | None:
        with suppress(RuntimeError):  # the bot has not been introduced to Telegram yet
            return Link("Telegram", f"https://t.me/{self._bot.username}")
        return None

    @property
    def add(self) -> str:
        return f"https://t.me/{self._bot.username}?startgroup=okey"

    def app(self, invitation: str) -> str | None:
        return self._app.link(invitation)

    def start(self, payload: str) -> str:
        return start_link(self._bot.username, payload)

    def share(self, payload: str, words: str) -> str:
        shared = {"url": self.start(payload), "text": words}
        return f"https://t.me/share/url?{urlencode(shared, quote_via=quote)}"
