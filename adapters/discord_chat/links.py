"""Links: the addresses that lead people to the bot on Discord."""

import discord

from bot.markup import Link
from bot.ports import Links


class DiscordLinks(Links):
    """The addresses known since the bot logged in."""

    def __init__(self, client: discord.Client, *, activity: bool) -> None:
        """`activity`: the table can be opened as an app by a press."""
        self._client = client
        self._activity = activity

    @property
    def home(self) -> Link | None:
        user = self._client.user
        return None if user is None else Link("Discord", f"https://discord.com/users/{user.id}")

    @property
    def add(self) -> None:
        return None

    def app(self, invitation: str) -> str | None:
        application = self._client.application_id
        if not self._activity or application is None:
            return None
        return f"https://discord.com/activities/{application}?custom_id={invitation}"

    def start(self, payload: str) -> None:
        return None

    def share(self, payload: str, words: str) -> None:
        return None
