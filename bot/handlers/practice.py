"""A practice round for whoever asks: in private, one at a time, in nobody's statistics."""

import time
from dataclasses import dataclass
from typing import Final

from bot.delivery.delivery import Delivery
from bot.delivery.views import Viewing
from bot.errors import Refused
from bot.handlers.lookup import Finder
from bot.handlers.request import RequestContext, new_seat, new_table_id
from bot.i18n import Words
from bot.people.profiles import Profiles
from bot.ports import Answer, Person, TypedCommand
from bot.repository.tables import StoredTable, TableRepository
from bot.tables import practice
from bot.tables.play import Delays, Entropy

PRACTISING: Final = frozenset({"practice"})
"""The button that begins a round, or leads back to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Practising:
    """Opens practice rounds. Refusals are raised as Refused."""

    repository: TableRepository
    people: Profiles
    finder: Finder
    viewing: Viewing
    delivery: Delivery
    delays: Delays
    entropy: Entropy

    async def press(self, context: RequestContext, press_id: str) -> Answer:
        """The cockpit, where the button was pressed."""
        table = await self._under_way(context.by) or new_table_id("practice", context.by.key, press_id)
        with self.delivery.answers.answering(context.by.key, table) as reply:
            answer = await self._cockpit(
                await self._begun(table, context.by, press_id), context.by, context.words
            )
            assert answer.private is not None
            reply.revision = answer.private.revision
            return answer

    async def command(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """A new round comes by the post where that can be; the one that is being played is shown at once."""
        person = typed.by
        under_way = await self._under_way(person)
        stored = await self._begun(
            under_way or new_table_id("practice", person.key, typed.id), person, typed.id
        )
        if under_way is not None and typed.place is None:
            return await self._cockpit(stored, person, words)
        token = await self.people.invitation(person.key, stored.value.id)
        if token is not None and typed.place is not None:
            return Answer(notice=words.say("notice.practice_open"), open_private=token)
        if typed.place is None or (await self.people.known(person.key)).private_open:
            return Answer(notice=words.say("notice.practice"))
        return await self._cockpit(stored, person, words)

    async def _begun(self, table: str, person: Person, action: str) -> StoredTable:
        """The table, which is opened when there is none yet. Raises Refused `unknown_table`."""
        if await self.repository.load(table) is None:
            change = practice.begin(
                table_id=table,
                person=new_seat(person, time.time()),
                secret=self.entropy(),
                now=time.time(),
                delays=self.delays,
            )
            await self.repository.create(change, f"{person.key} {action}")
        stored = await self.repository.load(table)
        if stored is None:
            raise Refused("unknown_table")
        return stored

    async def _under_way(self, person: Person) -> str | None:
        try:
            stored = await self.finder.own(person.key, _is_practice)
        except Refused:
            return None
        return stored.value.id

    async def _cockpit(self, stored: StoredTable, person: Person, words: Words) -> Answer:
        seat = stored.value.seat_of(person.key)
        if seat is None:
            raise Refused("not_seated")
        return Answer(private=await self.viewing.private(stored, seat, words))


def _is_practice(stored: StoredTable) -> bool:
    return stored.value.practice and stored.value.stage == "playing"
