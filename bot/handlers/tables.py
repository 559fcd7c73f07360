"""Tables: sitting down and getting up, starting and continuing, and practice rounds."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

from bot.callback_data import callback_text
from bot.errors import Refused
from bot.handlers.arguments import GAME, NAMED_TABLE, WORD
from bot.handlers.context import RequestContext, read_level, this_move
from bot.handlers.declarations import TABLE, button, command
from bot.handlers.help import add_guide, greet, show_help
from bot.handlers.lookup import (
    call_table,
    find_own,
    list_meant,
    own_table,
    own_tables,
    tables_of,
)
from bot.handlers.presence import joining_seat, mark_presser, new_seat, new_table_id, notice_person
from bot.handlers.replaying import replay
from bot.handlers.table_buttons import own_screen, rack_message, table_button
from bot.handlers.watching import find_invited, show_watched
from bot.handlers.who import ANYBODY, HOST, READER, SEAT
from bot.ids import TableId, read_key
from bot.markup import Button, Page, SeatScreen
from bot.people.codes import read_code
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.screens.parts import in_rows, table_name
from bot.tables import clocks, lobby, play, practice, turns
from bot.tables.table import Change

WORD_LONGEST: Final = 64

ADDED: Final = "okey"
"""The payload of the link that adds the bot to a group. It leads to no table."""


@command("rack", who=ANYBODY, audience="everybody", order=50, group="table")
async def _rack(context: RequestContext) -> Answer:
    meant = await list_meant(context, _is_open)
    if len(meant) > 1:
        return _ask_which(context, meant, lambda each: "rack")
    stored = meant[0] if meant else await own_table(context)
    if notice_person(context, stored) is not None:
        stored = await context.services.tables.change(stored.value.id, None, partial(notice_person, context))
    screen = await own_screen(context, stored)
    if screen is None:
        raise Refused("no_table")
    return Answer(private=screen, private_message=rack_message(context, stored))


def _ask_which(
    context: RequestContext, tables: Sequence[StoredTable], verb: Callable[[StoredTable], str]
) -> Answer:
    """Ask which of several tables is meant, with a button for each."""
    buttons = [
        Button((call_table(context, each),), callback_text(verb(each), each.value.id)) for each in tables
    ]
    return Answer(page=Page(text=context.words.say("tables.which"), buttons=in_rows(buttons, 1)))


@command("start", who=ANYBODY, in_chat=True)
async def _start(context: RequestContext) -> Answer:
    """Answer the opening of the private chat, perhaps by one of our links: a personal one, a table's, or an
    invitation. Who sits at a table may use an old one as the way to their private chat."""
    services, person = context.services, context.by.key
    if context.place is not None and context.text == ADDED:
        await greet(services, context.place, context.words.language)
        return Answer()
    token = context.text
    table = await services.people.accept(token, person) if token else None
    if token and table is None and await _sits_at(context, token):
        table = token
    if context.place is None:  # the link that adds the bot has this typed in the group
        await services.people.note_reached(person)
    if token and table is None and context.place is None and read_code(token) is not None:
        return await show_watched(context, await find_invited(context, token), turns=False)
    if token and table is None and await find_own(context, _is_open) is None:
        raise Refused("expired_link")
    if table is not None and (carried_on := await replay(context, table)) is not None:
        return carried_on
    if table is None:
        racks = None if context.place is not None else await _racks(context)
        return racks or await show_help(context)
    match read_key(table):
        case "table", id:
            stored = await services.tables.load(id)
            if stored is not None:
                await READER.check(context, stored)
            await services.permissions.admission.sit(person, stored, context.place)
        case _:
            return Answer(notice=context.words.say("notice.night_reached"))
    with services.delivery.answers.answering(person, id) as reply:
        stored = await services.tables.change(id, context.action, partial(_sat, context))
        screen = await own_screen(context, stored)
        if screen is None:
            raise Refused("table_full")
        reply.bring(screen)
    return await add_guide(context, Answer(private=screen), stored)


async def _racks(context: RequestContext) -> Answer | None:
    """Have the racks come that could not be sent while the person's private chat was closed. The answer is
    that of the match under way, which they come for; None: they play nowhere."""
    services, person, reached = context.services, context.by.key, partial(_note_reached, context)
    playing = await find_own(context, _plays)
    for each in await tables_of(context, person):
        if _waits(context, each) and (playing is None or each.value.id != playing.value.id):
            await services.tables.change(each.value.id, context.action, reached)
            await services.delivery.show_again(each.value.id, person)
    if playing is None:
        return None
    with services.delivery.answers.answering(person, playing.value.id) as reply:
        stored = await services.tables.change(playing.value.id, context.action, reached)
        screen = await own_screen(context, stored)
        if screen is None:
            return None
        reply.bring(screen)
    return Answer(private=screen, private_message=rack_message(context, stored))


def _is_open(stored: StoredTable) -> bool:
    return stored.value.is_open


def _plays(stored: StoredTable) -> bool:
    return stored.value.stage in ("playing", "between") and not stored.value.practice


def _waits(context: RequestContext, stored: StoredTable) -> bool:
    """Return whether the person's rack could not be sent. Those of matches that are over stay where they were
    shown."""
    seat = stored.value.seat_of(context.by.key)
    return seat is not None and stored.value.seats[seat].private_closed and not stored.value.is_over


def _note_reached(context: RequestContext, stored: StoredTable) -> Change | None:
    """Return the table with the person present in private: a rack that could not be sent comes."""
    if not _waits(context, stored):
        return notice_person(context, stored)
    seat = context.seat(stored)
    there = turns.mark_present(stored.value, seat, stored.now, private=True)
    return Change(there)


@command("word", who=ANYBODY, audience="everybody", order=170, group="table", arguments=(WORD,))
async def _word(context: RequestContext) -> Answer:
    """Add a word to the next shuffle. A practice round has no next one."""
    _check_word(context)
    return await _keep_word(context, await own_table(context, lambda stored: stored.value.is_open))


@button("add_word", on=TABLE, who=SEAT, asks=WORD)
async def _add_word(context: RequestContext, stored: StoredTable) -> Answer:
    """Add the word that was typed to the table's next shuffle."""
    _check_word(context)
    return await _keep_word(context, stored)


def _check_word(context: RequestContext) -> None:
    """Raises Refused `no_word`, `word_long`."""
    if not context.text:
        raise Refused("no_word")
    if len(context.text) > WORD_LONGEST:
        raise Refused("word_long")


async def _keep_word(context: RequestContext, stored: StoredTable) -> Answer:

    def act(now: StoredTable) -> Change:
        return Change(now.value.with_seat(context.seat(now), word=context.text))

    await context.services.tables.change(stored.value.id, context.action, act)
    return Answer(notice=context.words.say("notice.word_kept"))


async def _sits_at(context: RequestContext, table: str) -> bool:
    match read_key(table):
        case "table", id:
            stored = await context.services.tables.load(id)
            return stored is not None and stored.value.seat_of(context.by.key) is not None
    return False


def _sat(context: RequestContext, stored: StoredTable) -> Change | None:
    """Seat the person of a link if they have no seat and one is free. Private messages reach them."""
    seat = stored.value.seat_of(context.by.key)
    if seat is not None:
        return Change(turns.mark_present(stored.value, seat, stored.now, private=True))
    return _sit_down(context, stored)


async def _may_sit(context: RequestContext) -> None:
    """Check the place and the person. A button may remain in a place that no longer shows the table."""
    stored = await context.services.tables.load(context.table)
    if stored is not None and context.place is not None and context.place not in stored.value.places:
        raise Refused("unknown_table")
    await context.services.permissions.admission.sit(context.by.key, stored, context.place)


async def tell_joined(context: RequestContext, stored: StoredTable) -> Answer:
    """Return the notice to people who have just sat down, with the way to their rack."""
    token = await context.opening_token(stored.value.id)
    key = "notice.joined" if token is None else "notice.joined_open"
    return await add_guide(context, Answer(notice=context.words.say(key), open_private=token), stored)


async def _tell_gone(context: RequestContext, stored: StoredTable) -> Answer:
    return Answer(notice=context.words.say("notice.left"))


def _sit_down(context: RequestContext, stored: StoredTable) -> Change:
    """Return the lobby with the person on a seat. Raises as `lobby.join`."""
    with _offering_to_leave(stored):
        return lobby.join(stored.value, joining_seat(context, stored), starts_in=context.starts_in)


@contextmanager
def _offering_to_leave(stored: StoredTable) -> Iterator[None]:
    """Offer whoever sits in a lobby already to leave it."""
    try:
        yield
    except Refused as refused:
        if refused.code == "already_seated" and stored.value.waits_for_people:
            refused.with_way_out(("leave", stored.value.id, "leave"))
        raise


@table_button("join", who=READER, needs=_may_sit, tells=tell_joined)
def _join(context: RequestContext, stored: StoredTable) -> Change:
    return _sit_down(context, stored)


@table_button("sit", who=READER, needs=_may_sit, tells=tell_joined)
def _sit(context: RequestContext, stored: StoredTable) -> Change:
    """Take the chosen seat: from somebody who has none, or from the one that they have."""
    seat = joining_seat(context, stored)
    with _offering_to_leave(stored):
        return lobby.sit(stored.value, seat, context.number(), starts_in=context.starts_in)


@table_button("shuffle", who=HOST)
def _shuffle(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.shuffle_seats(stored.value, context.by.key, context.services.dealing.entropy())


@table_button("leave", who=SEAT, tells=_tell_gone)
def _leave(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.leave(stored.value, context.by.key)


@table_button("computer", who=HOST)
def _computer(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.add_computer(stored.value, context.by.key)


@table_button("level", who=HOST)
def _level(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.change_level(stored.value, context.by.key, read_level(context.argument()))


@table_button("fewer", who=HOST)
def _fewer(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.remove_computer(stored.value, context.by.key)


@table_button("players", who=HOST)
def _players(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.change_rules(stored.value, context.by.key, players=context.number())


async def _tell_started(context: RequestContext, stored: StoredTable) -> Answer:
    """Lead a host to their private chat who has not opened it: their rack comes there."""
    return Answer(open_private=await context.opening_token(stored.value.id))


@table_button("start", who=HOST, tells=_tell_started)
def _begin(context: RequestContext, stored: StoredTable) -> Change:
    dealing = context.services.dealing
    return play.start(stored.value, context.by.key, dealing.delays, dealing.name_round(stored.now))


@table_button("hold", who=HOST)
def _hold(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.hold(stored.value, context.by.key)


@table_button("unfold", who=HOST)
def _unfold(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.unfold(stored.value, context.by.key, context.argument() == "on")


@table_button("cancel", who=HOST)
def _cancel(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.cancel(stored.value, context.by.key)


@table_button("next", who=SEAT)
def _next(context: RequestContext, stored: StoredTable) -> Change:
    services = context.services
    context.seat(stored)
    this_move(context, stored)
    if stored.value.stage != "between":
        raise Refused("no_round")
    table = mark_presser(context, stored)
    if table.proof.awaited is not None:
        return Change(table)
    return play.next_round(table, services.dealing.delays, services.dealing.name_round(stored.now))


@table_button("step_out", who=SEAT)
def _step_out(context: RequestContext, stored: StoredTable) -> Change:
    ends = clocks.ends_at(stored.value, stored.deadline)
    left = None if ends is None else ends - stored.now
    return turns.step_out(
        stored.value, context.by.key, context.profile.stand_in, context.services.dealing.delays, left
    )


@command("leave", who=ANYBODY, audience="everybody", order=55, group="table", arguments=(NAMED_TABLE,))
async def _type_leave(context: RequestContext) -> Answer:
    """Take the person out of a lobby, or out of a match, in which a computer player keeps their seat; also on
    their own turn, when their rack has no button for it. Of several tables the named one is meant, or one in
    this place, and the answer names it; where that leaves several, they are asked. Raises as `own_tables` and
    `lobby.leave`."""
    stored, *others = await own_tables(context, context.text, lambda stored: not stored.value.is_over)
    unclear = not context.text and not stored.is_repeated(context.action)
    meant = await list_meant(context, _is_open) if unclear else []
    if len(meant) > 1:
        return _ask_which(context, meant, lambda each: "leave" if each.value.stage == "lobby" else "step_out")

    def act(now: StoredTable) -> Change | None:
        if now.value.practice:
            return _practice_leave(context, now)
        if now.value.stage == "lobby":
            return _leave(context, now)
        kept = now.value.seats[context.seat(now)].computer is not None
        return None if kept else _step_out(context, now)

    stored = await context.services.tables.change(stored.value.id, context.action, act)
    keeps_seat = stored.value.stage in ("playing", "between")
    notice = context.words.say("notice.stepped_out" if keeps_seat else "notice.left")
    if not others or stored.value.practice:
        return Answer(notice=notice)
    named = table_name(stored.value, context.words, context.find_view_place(stored.value))
    return Answer(notice=(named, ": ", *notice))


@table_button("back_in", who=SEAT)
def _back_in(context: RequestContext, stored: StoredTable) -> Change:
    if stored.value.stage not in ("playing", "between"):
        raise Refused("no_round")
    return turns.back_in(mark_presser(context, stored), context.seat(stored), context.services.dealing.delays)


@table_button("practice_leave", who=SEAT)
def _practice_leave(context: RequestContext, stored: StoredTable) -> Change:
    return practice.leave(stored.value, context.by.key)


@button("practice", who=ANYBODY)
async def _press_practice(context: RequestContext) -> Answer:
    """Return the player screen, where the button was pressed."""
    preset = next(iter(context.data.arguments), "")
    under_way = await find_own(context, partial(_is_practice, preset))
    table = await _new_practice_id(context) if under_way is None else under_way.value.id
    with context.services.delivery.answers.answering(context.by.key, table) as reply:
        screen = await _practice_screen(context, under_way or await _open_practice(context, preset))
        reply.bring(screen)
        return Answer(private=screen)


@command("practice", who=ANYBODY, audience="everybody", order=90, arguments=(GAME,))
async def practise(context: RequestContext) -> Answer:
    """Deliver a new round where that is possible; show a current one at once."""
    preset = context.text.strip()
    under_way = await find_own(context, partial(_is_practice, preset))
    stored = under_way or await _open_practice(context, preset)
    if under_way is not None and context.place is None:
        return Answer(private=await _practice_screen(context, stored))
    token = await context.opening_token(stored.value.id)
    if token is not None and context.place is not None:
        return Answer(notice=context.words.say("notice.practice_open"), open_private=token)
    if context.place is None or context.profile.private_open:
        key = "notice.practice_here" if context.private else "notice.practice"
        return Answer(notice=context.words.say(key))
    return Answer(private=await _practice_screen(context, stored))


async def _new_practice_id(context: RequestContext) -> TableId:
    return await new_table_id(context.services.store, "practice", context.by.key, context.id)


async def _open_practice(context: RequestContext, preset: str) -> StoredTable:
    """Open a practice table. The same request returns the same table. Raises Refused `unknown_table`,
    `unknown_preset`."""
    services, table = context.services, await _new_practice_id(context)
    change = practice.begin(
        table_id=table,
        person=new_seat(context.by, context.profile, context.now),
        preset=preset or practice.USUAL,
        secret=services.dealing.entropy(),
        now=context.now,
        delays=services.dealing.delays,
    )
    return await services.tables.create(table, change, context.action)


async def _practice_screen(context: RequestContext, stored: StoredTable) -> SeatScreen:
    screen = await own_screen(context, stored)
    if screen is None:
        raise Refused("not_seated")
    return screen


def _is_practice(preset: str, stored: StoredTable) -> bool:
    """Return whether a practice round is under way, of that game if one is named."""
    there = stored.value.practice and stored.value.stage == "playing"
    return there and (not preset or stored.value.match.rules == practice.ROUNDS.get(preset))
