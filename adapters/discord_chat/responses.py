"""Responses: the answers to one interaction.

Discord waits three seconds for the first, which does not count against the bot's limits. Further ones are
follow-ups, for fifteen minutes.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeVar

import discord

from adapters.discord_chat.attached import Attached, find_attached
from adapters.discord_chat.rendering import AnyScreen, Fields, Rendered
from adapters.discord_chat.retry import retry
from adapters.discord_chat.sending import (
    UNKNOWN_MESSAGE,
    MessageGone,
    keep_attached,
    meaning,
    reason_of,
    refusals,
    tolerate,
)
from bot.i18n import words_for
from bot.ports import PrivateClosed, RetryAfter

LOG: Final = logging.getLogger(__name__)

LEAST: Final = 0.05
"""Seconds that every answer has before it is announced."""
SOON: Final = 0.4
"""Seconds after which an interaction without an answer gets an announced one, counted from when it was made:
on a busy machine much of them has passed before it is heard. The announcement itself takes a while."""

UNKNOWN_INTERACTION: Final = 10062
UNKNOWN_WEBHOOK: Final = 10015
BAD_TOKEN: Final = 50027
ALREADY_ANSWERED: Final = 40060

T = TypeVar("T")
Interaction = discord.Interaction[Any]


PRESSES: Final = (discord.InteractionType.component, discord.InteractionType.modal_submit)
"""The kinds of interaction that come from a message: a button or menu of it, and a form that one opened."""


class InteractionExpired(Exception):
    """Discord takes no answer to this interaction any more."""


UNDELIVERED: Final = (InteractionExpired, PrivateClosed, RetryAfter, discord.HTTPException)
"""Errors that keep an answer from a person though nothing is wrong with the program."""


async def is_understood(interaction: Interaction) -> bool:
    """Return whether the library recognised the person, the place and the message. In a place of an unknown
    kind, the readers are unknown."""
    pressed = interaction.type in PRESSES
    if interaction.user and interaction.channel is not None and not (pressed and interaction.message is None):
        return True
    LOG.warning("an interaction does not say who acts, where, or on which message")
    with suppress(discord.DiscordException, RetryAfter):
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        else:
            words = words_for(str(interaction.locale)).plain("chat.unreadable")
            await interaction.response.send_message(words, ephemeral=True)
    return False


class Responses:
    """The answers to one interaction. Every method raises InteractionExpired, RetryAfter, and
    discord.HTTPException for what Discord refuses for good."""

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction
        self._answered = False
        self._answering = asyncio.Lock()
        self._attached: dict[int | None, Attached | None] = {}
        """The pictures of the answers."""
        self._announced = False
        """Whether an ephemeral message has been announced and not sent yet."""

    @property
    def message(self) -> discord.Message:
        """The pressed message."""
        assert self.interaction.message is not None
        return self.interaction.message

    @asynccontextmanager
    async def announce_when_slow(self) -> AsyncIterator[None]:
        """Announce an answer to Discord when none has been given soon. The body goes on even when that
        fails."""
        done = asyncio.Event()

        async def announce_when_slow() -> None:
            try:
                await asyncio.wait_for(done.wait(), max(LEAST, SOON - self._age()))
            except TimeoutError:
                try:
                    await self._announce()
                except UNDELIVERED as trouble:
                    LOG.warning("Discord could not be told that an answer will come: %s", reason_of(trouble))

        announcing = asyncio.create_task(announce_when_slow())
        try:
            yield
        finally:
            done.set()
            await announcing

    def _age(self) -> float:
        """Return the seconds since the interaction was made; 0 by a clock that is slow."""
        return max(0.0, (discord.utils.utcnow() - self.interaction.created_at).total_seconds())

    async def update(
        self, rendered: Rendered[AnyScreen], *, v2: bool, attached: Attached | None = None
    ) -> discord.Message | None:
        """Show a screen in the pressed message, which has the `attached` picture as far as is known, and
        return it as it is now, if Discord does. Also raises MessageGone."""
        response = self.interaction.response
        self._attached[None] = attached or find_attached(self.message)
        shown: list[discord.Message] = []

        async def change(kept: Attached | None) -> None:
            fields = rendered.as_edit(v2=v2, attached=kept)
            given = await response.edit_message(**fields)
            if given is not None and isinstance(given.resource, discord.InteractionMessage):
                shown.append(given.resource)

        with refusals(meaning(MessageGone, UNKNOWN_MESSAGE)):
            first = lambda: keep_attached(change, self._attached[None])  # noqa: E731
            if not await self._first(first):
                return await self.edit(None, rendered, v2=v2)
        if not shown:  # the same press was answered before, with what is known of the message
            return None
        self._note(None, shown[0])
        return shown[0]

    async def ask(self, form: discord.ui.Modal) -> bool:
        """Open a form for the presser. Only the first response can do that."""
        return await self._first(lambda: self.interaction.response.send_modal(form))

    async def launch(self) -> bool:
        """Open the application's activity for the presser. Only the first response can do that."""
        return await self._first(self.interaction.response.launch_activity)

    async def send(self, content: Rendered[AnyScreen] | str) -> int | None:
        """Send an ephemeral message. Returns a follow-up's number, None for the first response."""
        interaction = self.interaction
        response, follow_up = interaction.response, interaction.followup
        shown: list[discord.Message] = []

        async def give() -> None:
            given = await response.send_message(**_as_new(content), ephemeral=True)
            if isinstance(given.resource, discord.InteractionMessage):
                shown.append(given.resource)

        if await self._first(give):
            for message in shown:
                self._note(None, message)
            return None
        if self._announced:
            self._announced = False
            self._note(
                None, await self._later(lambda: interaction.edit_original_response(**_as_edit(content)))
            )
            return None
        sent = await self._later(lambda: follow_up.send(**_as_new(content), ephemeral=True, wait=True))
        self._note(sent.id, sent)
        return sent.id

    async def edit(
        self, message: int | None, rendered: Rendered[AnyScreen], *, v2: bool
    ) -> discord.Message | None:
        """Show a screen in an earlier answer, a follow-up, or None for the first response, and return that
        message."""

        async def change(attached: Attached | None) -> discord.Message:
            fields = rendered.as_edit(v2=v2, attached=attached)
            if message is None:
                return await self.interaction.edit_original_response(**fields)
            return await self.interaction.followup.edit_message(message, **fields)

        edited = await self._later(lambda: keep_attached(change, self._attached.get(message)))
        self._note(message, edited)
        return edited

    def _note(self, message: int | None, shown: discord.Message) -> None:
        """Note which picture an answer shows now."""
        self._attached[message] = find_attached(shown)

    async def delete(self, message: int | None) -> None:
        """Delete an earlier ephemeral answer: a follow-up, or None for the first response."""
        if message is None:
            await self._later(self.interaction.delete_original_response)
        else:
            await self._later(lambda: self.interaction.followup.delete_message(message))

    async def finish(self) -> None:
        """Delete an announced message that was never sent."""
        await self._announce()
        if self._announced:
            self._announced = False
            await self.delete(None)

    def leave(self) -> None:
        """Add nothing to the answers that the same interaction has got from somebody else."""
        self._answered, self._announced = True, False

    async def _announce(self) -> None:
        """Announce an answer, if there is none yet; to a command, an ephemeral one."""
        if await self._first(lambda: self.interaction.response.defer(ephemeral=True)):
            self._announced = self.interaction.type is discord.InteractionType.application_command

    async def _first(self, call: Callable[[], Awaitable[object]]) -> bool:
        """Give the first response, unless there is one already. Return whether this call gave it. Calls take
        turns, because Discord takes only one."""
        async with self._answering:
            if self._answered:
                return False
            with tolerate(ALREADY_ANSWERED):
                await self._later(call)
            self._answered = True
            return True

    async def _later(self, call: Callable[[], Awaitable[T]]) -> T:
        with refusals(meaning(InteractionExpired, UNKNOWN_INTERACTION, UNKNOWN_WEBHOOK, BAD_TOKEN)):
            return await retry(call)


def _as_new(content: Rendered[AnyScreen] | str) -> Fields:
    return {"content": content} if isinstance(content, str) else content.as_new()


def _as_edit(content: Rendered[AnyScreen] | str) -> Fields:
    return {"content": content} if isinstance(content, str) else content.as_edit(v2=False)
