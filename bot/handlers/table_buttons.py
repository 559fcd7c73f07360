"""Table buttons: buttons on a table's own screens. They act on the table or change the player screen. The
answer is the newest screens, also after a refusal."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.delivery.messages import is_in_sight
from bot.delivery.notes import NoteKind, is_anew
from bot.handlers.context import RequestContext
from bot.handlers.declarations import BUTTONS, DeclaredButton, declare_once
from bot.handlers.presence import notice_person
from bot.handlers.who import SEAT, AtTable, ask_first
from bot.markup import PublicScreen, SeatScreen
from bot.people.notifications import find_awaited
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.screens.player import PLAY, Mode
from bot.store import Note
from bot.tables.table import Change

TableAction = Callable[[RequestContext, StoredTable], Change]
"""The change that a button makes to a table, as a pure function. Raises Refused, Confirm."""


class Confirm(Exception):
    """Raised by an act whose presser is asked first whether they mean it: see `bot.screens.offer.SURE`."""


def table_button(
    verb: str,
    *,
    who: AtTable,
    after: Mode = PLAY,
    refused: Mode = PLAY,
    needs: Callable[[RequestContext], Awaitable[None]] | None = None,
    tells: Callable[[RequestContext, StoredTable], Awaitable[Answer]] | None = None,
) -> Callable[[TableAction], TableAction]:
    """Declare the function as this button's act, for these people. `needs` runs first; `tells` returns a
    notice beside the screens. `after` and `refused` are the player screen's modes after the act and after a
    refusal."""

    def declare(act: TableAction) -> TableAction:
        async def run(context: RequestContext) -> Answer:
            services, table = context.services, context.table
            with services.delivery.answers.answering(context.by.key, table) as reply:
                try:
                    if needs is not None:
                        await needs(context)
                    stored = await change_as(context, who, act, action=context.action)
                    told = Answer() if tells is None else await tells(context, stored)
                    answer = await add_screens(told, context, stored, after)
                except Confirm:
                    answer = await _look(context, Mode("sure", asked=context.press))
                reply.bring(answer.private)
                return answer

        declare_once(BUTTONS, verb, DeclaredButton(run, who, at_table=True, refused=refused))
        return act

    return declare


async def change_as(
    context: RequestContext,
    who: AtTable,
    act: Callable[[RequestContext, StoredTable], Change | None],
    *,
    action: str | None,
) -> StoredTable:
    """Act on the button's table, if the person is one of these people on the very state that is changed.

    Raises as `ask_first`, and as `Repository.change`.
    """

    def act_if_allowed(stored: StoredTable) -> Change | None:
        who.require(context, stored)
        return act(context, stored)

    change = context.services.tables.change
    return await ask_first(context, lambda: change(context.table, action, act_if_allowed))


def look_button(verb: str, mode: Mode = PLAY, *, picks: bool = False) -> None:
    """Declare a button that shows a seat's player screen in a mode. `picks`: it names a tile's place."""

    async def run(context: RequestContext) -> Answer:
        with context.services.delivery.answers.answering(context.by.key, context.table) as reply:
            answer = await _look(context, replace(mode, picked=context.number()) if picks else mode)
            reply.bring(answer.private)
            return answer

    declare_once(BUTTONS, verb, DeclaredButton(run, SEAT, at_table=True, refused=PLAY))


async def add_screens(
    answer: Answer, context: RequestContext, stored: StoredTable, mode: Mode = PLAY, *, rack: bool = False
) -> Answer:
    """Return the answer with the presser's screens: the place's, if the table is shown there, and their own
    in private or if `rack` is set. If they have lost their seat, that says so."""
    place, private, brief = None if context.private else context.place, None, ""
    if rack or place is None:
        private = await own_screen(context, stored, mode)
        if place is not None and (seat := stored.value.seat_of(context.by.key)) is not None:
            brief = await context.services.viewing.brief(stored, seat, context.words, context.profile)
        private = private or context.services.viewing.farewell(stored, context.by.key)
        await _note_dialogue(context, stored, mode)
    shown = None if place is None else stored.notes.get(place)
    public = None if place is None else _edit_table(context, stored, place, shown)
    return replace(
        answer,
        private=private,
        brief=brief,
        private_message=rack_message(context, stored),
        public=public,
        public_message="" if shown is None else shown.text,
    )


def _edit_table(
    context: RequestContext, stored: StoredTable, place: str, shown: Note | None
) -> PublicScreen | None:
    """Return the table's screen for its message in a place, if the answer edits that. A message that delivery
    may replace by a new one is left to it: edited, it would have nothing due."""
    services = context.services
    if place not in stored.value.places:
        return None
    if shown is not None:
        chat = services.people.chat_of(place)
        if is_anew(shown, stored.value) or (chat and not is_in_sight(chat, place, shown.text)):
            return None
    return services.viewing.public(stored, place)


def rack_message(context: RequestContext, stored: StoredTable) -> str:
    """Return the message with the person's rack, if private messages reach them."""
    seat, shown = stored.value.seat_of(context.by.key), stored.notes.get(context.by.key)
    reached = seat is not None and not stored.value.seats[seat].private_closed
    return shown.text if reached and shown is not None else ""


async def _note_dialogue(context: RequestContext, stored: StoredTable, mode: Mode) -> None:
    """Note that the person is asked something on their rack, so that news of others does not interrupt
    them."""
    seat = stored.value.seat_of(context.by.key)
    if seat is None or find_awaited(stored.value) == seat:
        return
    store, table = context.services.store, stored.value.id
    name = NoteKind.DIALOGUE.of(seat)
    if mode != PLAY:
        await store.notes.set(table, {name: Note(number=stored.version)})
    elif name in stored.notes:
        await store.notes.drop(table, name)


async def own_screen(context: RequestContext, stored: StoredTable, mode: Mode = PLAY) -> SeatScreen | None:
    """Return the person's own screen; None if they have no seat there."""
    seat = stored.value.seat_of(context.by.key)
    if seat is None:
        return None
    return await context.services.viewing.private(stored, seat, context.words, mode, profile=context.profile)


async def _look(context: RequestContext, mode: Mode) -> Answer:
    """Return the screens of a person who looks at their rack, which notes them as present. Raises as
    `change_as`."""
    stored = await change_as(context, SEAT, notice_person, action=None)
    return await add_screens(Answer(), context, stored, mode, rack=True)


look_button("rack")
look_button("look")
look_button("ask_finish", Mode("finish"))
look_button("order", Mode("order"))
look_button("arrange", Mode("arrange"))
look_button("pick", Mode("arrange"), picks=True)
