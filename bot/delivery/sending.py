"""Sending: one attempt to send an item whose turn has come, and the notes of what became of it."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from bot import metrics
from bot.delivery.asleep import SleepingRecipients
from bot.delivery.background import STORE_SECONDS
from bot.delivery.items import Claim, Item
from bot.delivery.notes import NoteKind, Notes, is_screen
from bot.delivery.outbox import is_shown_to
from bot.delivery.refusals import FOR_GOOD, Refusals
from bot.delivery.repositories import Repositories
from bot.ids import read_key
from bot.ports import PlaceMoved, PlaceRefused
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
        if (claim := item.claim) is not None:
            # Whoever changes the note sends it: another process may have found it due, too.
            store = self.repositories.store
            if not await store.swap_notes(item.of, claim.keys, claim.earlier, claim.note):
                return True
            noted(claim.notes)
        asked = self.repositories.store.clock()
        try:
            with metrics.CALL_SECONDS.labels(item.chat).time():
                notes = await item.send()
        except Exception as error:
            leads_on = await self._note_failure(item, error, asked, noted) or item.leads_on
        else:
            await self._note_success(item, notes, noted)
            leads_on = item.leads_on
        if item.leads_on:
            await self.repositories.store.mark_dirty(item.of)  # other processes may have something due now
        return leads_on

    async def keep(self, of: str, notes: Notes, version: int = 0) -> bool:
        """Note everything in one step, with the message that a new one replaces. False if nothing was noted:
        the screen was of a table, and the place or person has left it, or was forgotten meanwhile. `version`
        is one of the table in which they belong to it."""
        first, store = next(iter(notes)), self.repositories.store
        match is_screen(first), read_key(of):
            case True, ("table", table):
                while not await store.set_notes(of, notes, at=version, replaced=NoteKind.REPLACED):
                    stored = await self.repositories.tables.load(table)
                    if stored is None or not is_shown_to(stored.value, first):
                        return False
                    version = stored.version
            case _:
                await store.set_notes(of, notes)
        return True

    async def _note_success(self, item: Item, notes: Notes, noted: Callable[[Notes], None]) -> None:
        metrics.CALLS.labels(item.chat, "done").inc()
        if item.calls:
            await self.sleeping.note_reached(item.recipient)
        # In the version that a screen shows, the recipient belongs to its table.
        screen = notes.get(item.key)
        version = screen.number if screen is not None and is_screen(item.key) else 0
        kept = bool(notes) and await self.keep(item.of, notes, version)
        noted(notes)
        if kept and item.opens:
            with suppress(StoreUnavailable):  # the next rack that reaches them tells it, too
                await self.repositories.people.note_reached(item.recipient)

    async def _note_failure(
        self, item: Item, error: Exception, asked: float, noted: Callable[[Notes], None]
    ) -> bool:
        """Do what a failure of the call that began at `asked` asks for; return whether others may have
        something due now."""
        metrics.CALLS.labels(item.chat, type(error).__name__).inc()
        as_done = _as_done(item, error)
        # Not if the program is being stopped: then nobody knows whether people were told.
        if as_done is None and item.claim is not None:
            await self._take_back(item.of, item.claim)
            noted(item.claim.notes_before)
        leads_on = await self.refusals.accept(item, error, asked)
        if as_done is not None:
            await self.keep(item.of, as_done)
            noted(as_done)
        return leads_on

    async def _take_back(self, of: str, claim: Claim) -> None:
        """Take back a note that was made before a failed send, as soon as the store is there: it says that
        people were told, and nobody else knows better."""
        store = self.repositories.store
        while True:
            try:
                await store.drop_notes(of, *claim.keys)
                if claim.earlier is not None:
                    await self.keep(of, claim.notes_before)
                # Another process may have seen the note, and taken the mark away.
                return await store.mark_dirty(of)
            except StoreUnavailable:
                await asyncio.sleep(STORE_SECONDS)


def _as_done(item: Item, error: Exception) -> Notes | None:
    """Return the notes by which an item that failed counts as done; None: it doesn't. A line for people is
    told where their place has moved to; a replaced message is closed when its place is awake again."""
    moved = item.claim is not None and isinstance(error, PlaceMoved)
    asleep = item.key.startswith(NoteKind.REPLACED.of("")) and isinstance(error, PlaceRefused)
    return item.otherwise if isinstance(error, FOR_GOOD) and not (moved or asleep) else None
