"""Sending: one attempt to send an item whose turn has come, and the notes of what became of it."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from bot import metrics
from bot.background import STORE_SECONDS
from bot.delivery.asleep import SleepingRecipients
from bot.delivery.items import Item
from bot.delivery.notes import NoteKind, Notes, is_screen
from bot.delivery.outbox import is_shown_to
from bot.delivery.refusals import Refusals
from bot.delivery.repositories import Repositories
from bot.ids import read_key
from bot.store import StoreUnavailable


@dataclass(frozen=True, slots=True)
class ItemSender:
    """Sends items, and notes in the store what was shown and told."""

    repositories: Repositories
    sleeping: SleepingRecipients
    refusals: Refusals

    async def send(self, item: Item, noted: Callable[[Notes], None]) -> bool:
        """Send an item; return whether others may have something due now. `noted` hears of each note that is
        made. Raises RetryAfter, StoreUnavailable, and whatever a chat should not raise."""
        store = self.repositories.store
        if item.is_once:
            # Another process may have found it due, too.
            note = next(iter(item.done.values()))
            assert note is not None
            if not await store.notes.swap(item.of, tuple(item.done), item.earlier, note):
                return True
            noted(item.done)
        asked = store.clock()
        try:
            with metrics.CALL_SECONDS.labels(item.chat).time():
                brought = await item.send() or {}
        except Exception as error:
            leads_on = await self._note_failure(item, error, asked, noted) or item.leads_on
        else:
            await self._note_success(item, brought if item.is_once else {**item.done, **brought}, noted)
            leads_on = item.leads_on
        if item.leads_on:
            await store.timers.mark_dirty(item.of)  # other processes may have something due now
        return leads_on

    async def keep(self, of: str, notes: Notes, version: int = 0) -> bool:
        """Note everything in one step, with the message that a new one replaces. False if nothing was noted:
        the screen was of a table, and the place or person has left it, or was forgotten meanwhile. `version`
        is one of the table in which they belong to it."""
        first, store = next(iter(notes)), self.repositories.store
        match is_screen(first), read_key(of):
            case True, ("table", table):
                while not await store.notes.set(of, notes, at=version, replaced=NoteKind.REPLACED):
                    stored = await self.repositories.tables.load(table)
                    if stored is None or not is_shown_to(stored.value, first):
                        return False
                    version = stored.version
            case _:
                await store.notes.set(of, notes)
        return True

    async def _note_success(self, item: Item, notes: Notes, noted: Callable[[Notes], None]) -> None:
        metrics.CALLS.labels(item.chat, "done").inc()
        await self.sleeping.note_reached(item.recipient)
        # In the version that a screen shows, the recipient belongs to its table.
        screen = notes.get(item.key)
        version = screen.number if screen is not None and is_screen(item.key) else 0
        kept = bool(notes) and await self.keep(item.of, notes, version)
        noted(notes)
        if kept and item.opens:  # who was forgotten meanwhile leaves no trace
            with suppress(StoreUnavailable):  # the next rack that reaches them tells it, too
                await self.repositories.people.note_reached(item.recipient)

    async def _note_failure(
        self, item: Item, error: Exception, asked: float, noted: Callable[[Notes], None]
    ) -> bool:
        """Do what a failure of the call that began at `asked` asks for; return whether others may have
        something due now."""
        metrics.CALLS.labels(item.chat, type(error).__name__).inc()
        is_done = item.is_done_by(error)
        # Not if the program is being stopped: then nobody knows whether people were told.
        if item.is_once and not is_done:
            await self._take_back(item)
            noted(dict.fromkeys(item.done, item.earlier))
        leads_on = await self.refusals.accept(item, error, asked)
        if is_done and not item.is_once:
            await self.keep(item.of, item.done)
            noted(item.done)
        return leads_on

    async def _take_back(self, item: Item) -> None:
        """Take back the note that was made before a failed send, as soon as the store is there: it says that
        people were told, and nobody else knows better."""
        store = self.repositories.store
        while True:
            try:
                await store.notes.drop(item.of, *item.done)
                if item.earlier is not None:
                    await self.keep(item.of, dict.fromkeys(item.done, item.earlier))
                # Another process may have seen the note, and taken the mark away.
                return await store.timers.mark_dirty(item.of)
            except StoreUnavailable:
                await asyncio.sleep(STORE_SECONDS)
