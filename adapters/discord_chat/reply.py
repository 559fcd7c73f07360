"""The answers to one interaction.

Discord waits three seconds for the first, the response; it costs nothing of the bot's limits. Further ones
follow up, for fifteen minutes.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

import discord

from adapters.discord_chat.layout import Fields, Sheet
from adapters.discord_chat.patience import patiently

UNKNOWN_INTERACTION: Final = 10062
UNKNOWN_WEBHOOK: Final = 10015
BAD_TOKEN: Final = 50027
ALREADY_ANSWERED: Final = 40060

T = TypeVar("T")
Interaction = discord.Interaction[Any]


class TooLate(Exception):
    """Discord takes no answer to this interaction any more."""


class Reply:
    """Every method raises TooLate, RetryAfter, and discord.HTTPException for what is refused for good."""

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        self._answered = False
        self._announced = False
        """A message that he alone will see has been announced and not come yet."""

    async def announce(self) -> None:
        """Say that an answer will come: to a command, one that he alone will see."""
        self._announced = self.interaction.type is discord.InteractionType.application_command
        await self._first(lambda: self.interaction.response.defer(ephemeral=True))

    async def update(self, page: Sheet) -> None:
        """Show the page in the message that was pressed on."""
        message = self.interaction.message
        assert message is not None
        v2 = message.flags.components_v2
        if self._answered:
            await self.change(None, page, v2=v2)
        else:
            await self._first(lambda: self.interaction.response.edit_message(**page.change(v2=v2)))

    async def whisper(self, fields: Callable[[], Fields]) -> int | None:
        """Show him something that nobody else sees. Returns the message, None for the response itself."""
        if self._announced:
            self._announced = False
            await self._later(lambda: self.interaction.edit_original_response(**_as_change(fields())))
            return None
        if not self._answered:
            await self._first(lambda: self.interaction.response.send_message(**fields(), ephemeral=True))
            return None
        sent = await self._later(
            lambda: self.interaction.followup.send(**fields(), ephemeral=True, wait=True)
        )
        return sent.id

    async def change(self, message: int | None, page: Sheet, *, v2: bool) -> None:
        """Show the page in an earlier answer: a follow-up, or None for the response."""
        if message is None:
            await self._later(lambda: self.interaction.edit_original_response(**page.change(v2=v2)))
        else:
            followup = self.interaction.followup
            await self._later(lambda: followup.edit_message(message, **page.change(v2=v2)))

    async def remove(self, message: int | None) -> None:
        """Take an earlier answer that he alone sees away: a follow-up, or None for the response."""
        if message is None:
            await self._later(self.interaction.delete_original_response)
        else:
            followup = self.interaction.followup
            await self._later(lambda: followup.delete_message(message))

    async def finish(self) -> None:
        """Leave nothing open: what was announced and did not come is taken back."""
        if not self._answered:
            await self.announce()
        if self._announced:
            self._announced = False
            await self.remove(None)

    async def _first(self, call: Callable[[], Awaitable[object]]) -> None:
        try:
            await patiently(call)
        except discord.HTTPException as refused:
            if refused.code == UNKNOWN_INTERACTION:
                raise TooLate from None
            if refused.code != ALREADY_ANSWERED:
                raise
        self._answered = True

    async def _later(self, call: Callable[[], Awaitable[T]]) -> T:
        try:
            return await patiently(call)
        except discord.HTTPException as refused:
            if refused.code in (UNKNOWN_WEBHOOK, BAD_TOKEN):
                raise TooLate from None
            raise


def _as_change(fields: Fields) -> Fields:
    """What is sent as a new message, said as an edit of the announced one."""
    return {("attachments" if name == "files" else name): value for name, value in fields.items()}
