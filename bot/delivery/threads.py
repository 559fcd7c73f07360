"""Threads and topics of tables' own: opened before a table is first shown, closed when it is over.

What was done is kept where screens are kept, so that it is done once: a room is opened, the place is told
where the table is, and the table moves in.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from bot.i18n import words_for
from bot.people.profiles import Profiles
from bot.ports import Chat, RateLimit
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Shown, Store
from bot.tables.table import Table

_OPENED: Final = "room "
_TOLD: Final = "way "
_CLOSED: Final = "left "

_NONE: Final = "-"
"""Noted in place of a room where there can be none."""


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be done next for a table's rooms, in a place or in one of the rooms."""

    what: Literal["open", "tell", "enter", "close"]
    place: str
    chat: Chat

    @property
    def limits(self) -> tuple[RateLimit, ...]:
        """What it is charged to: to move in, nothing is asked of the chat."""
        return () if self.what == "enter" else self.chat.public_limits(self.place)


class Rooms:
    """Opens and closes them, one step at a time."""

    def __init__(self, store: Store, repository: TableRepository, people: Profiles) -> None:
        self._store = store
        self._repository = repository
        self._people = people

    def next(self, stored: StoredTable, shown: Mapping[str, Shown]) -> Step | None:
        """The next step; None when nothing is left to do, or the chats that it takes do not run here."""
        table = stored.value
        if table.awaits_room:
            return self._inwards(table, shown)
        if table.stage in ("over", "closed"):
            return self._outwards(table, shown)
        return None

    def _inwards(self, table: Table, shown: Mapping[str, Shown]) -> Step | None:
        last = None
        for place in table.places:
            chat, opened = self._people.chat_of(place), shown.get(_OPENED + place)
            if chat is None:
                continue
            if opened is None:
                return Step("open", place, chat)
            if opened.message != _NONE and _TOLD + place not in shown:
                return Step("tell", place, chat)
            last = Step("enter", place, chat)
        return last

    def _outwards(self, table: Table, shown: Mapping[str, Shown]) -> Step | None:
        for room in table.rooms:
            chat, screen = self._people.chat_of(room), shown.get(room)
            ended = screen is not None and screen.revision >= table.revision
            if chat is not None and ended and _CLOSED + room not in shown:
                return Step("close", room, chat)
        return None

    async def carry_out(self, stored: StoredTable, step: Step) -> None:
        """Do a step. Raises what `Chat.open_room` and `Chat.post_line` raise."""
        table, place = stored.value, step.place
        match step.what:
            case "open":
                name = words_for(table.language_at(place)).plain("room.name", table=table.id.upper())
                await self._note(table, _OPENED + place, await step.chat.open_room(place, name) or _NONE)
            case "tell":
                await self._note(table, _TOLD + place, await self._tell(table, step))
            case "enter":
                await self._enter(table)
            case "close":
                await step.chat.close_room(place)
                await self._note(table, _CLOSED + place, _NONE)

    async def _tell(self, table: Table, step: Step) -> str:
        """Tell a place where its table is; the line's reference."""
        room = (await self._store.shown(table.id))[_OPENED + step.place].message
        way = step.chat.place_link(room)
        words = words_for(table.language_at(step.place))
        key = "room.opened" if way is None else "room.opened_at"
        where = {} if way is None else {"where": way}
        line = words.say(key, table=table.id.upper(), **where)
        return await step.chat.post_line(step.place, line) or _NONE

    async def _enter(self, table: Table) -> None:
        shown = await self._store.shown(table.id)
        opened = {place: shown[_OPENED + place].message for place in table.places if _OPENED + place in shown}
        await self._repository.enter(
            table.id, {place: room for place, room in opened.items() if room != _NONE}
        )

    async def _note(self, table: Table, what: str, message: str) -> None:
        await self._store.set_shown(table.id, what, Shown(message, 0))
