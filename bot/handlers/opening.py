"""Opening: a place's table, another one beside it, and a new match with the same seats.

Whoever asks for a table where one waits or is played gets that one, at the bottom. A person hosts one lobby
at a time.
"""

from asyncio import gather
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Final

from bot.errors import Refused, is_allowed
from bot.handlers.arguments import CLOCK, GAME, PLAYERS, SWITCHES
from bot.handlers.context import RequestContext
from bot.handlers.declarations import TABLE, button, command, unknown_command
from bot.handlers.defaults import clock_at, language_at, rules_at, rules_of
from bot.handlers.help import add_guide
from bot.handlers.lookup import find_own, tables_of
from bot.handlers.presence import new_seat, new_table_id
from bot.handlers.replaying import make_replay_token
from bot.handlers.table_buttons import own_screen, rack_message
from bot.handlers.tables import practise
from bot.handlers.who import ANYBODY, READER, SEAT
from bot.i18n import fold
from bot.i18n.commands import is_button, likely_command
from bot.ids import TableId
from bot.people.communities import PlaceSettings
from bot.people.numbers import Given
from bot.ports import Answer, platform_of
from bot.repository.tables import StoredTable
from bot.screens.lobby import present_page
from bot.tables import lobby, places, practice
from bot.tables.clocks import read_named_clock
from bot.tables.facts import table_facts
from bot.tables.table import Change, Table
from engine.rules import Rules

TABLES_MOST: Final = 5
"""The most open tables that one person may host, so that nobody floods a group with tables."""


@command(
    "play",
    who=ANYBODY,
    audience="everybody",
    order=10,
    arguments=(GAME, PLAYERS, CLOCK, SWITCHES),
)
async def _play(context: RequestContext) -> Answer:
    """Open a table with the named rules and clock. If one waits or is played here, post that again. In
    private, show the person's own table, or deal a practice round."""
    if context.place is None:
        return await _play_in_private(context)
    return await _open(context, context.here, context.text)


@button("open_table", who=ANYBODY)
async def _open_table(context: RequestContext) -> Answer:
    """Open a table as the command without words does."""
    return await _play(context)


async def _play_in_private(context: RequestContext) -> Answer:
    """Show the person's table, or deal a practice round of the named game. Raises Refused `here_only` for
    rules of a table, and as `_check_words`."""
    if context.text and fold(context.text) not in practice.ROUNDS:
        _check_words(context.text)
        raise Refused("here_only", where=platform_of(context.by.key), verb="play")
    stored = await find_own(context, _is_at_table)
    if stored is None:
        return await practise(context)
    if stored.value.stage == "lobby":
        facts = context.facts(stored)
        return Answer(page=present_page(facts, context.words, stored.value.seat_of(context.by.key), ""))
    return Answer(private=await own_screen(context, stored), private_message=rack_message(context, stored))


def _check_words(text: str) -> None:
    """Refuse words that would open no table in a group either, before saying that tables are opened there."""
    try:
        rules_of(read_named_clock(text)[1])
    except Refused as refused:
        if refused.code == "unknown_preset":
            raise unknown_command(str(refused.values["name"])) from None
        raise


def _is_at_table(stored: StoredTable) -> bool:
    return stored.value.is_open and stored.value.night is None


@button("another", on=TABLE, who=READER)
async def _another(context: RequestContext, stored: StoredTable) -> Answer:
    """Open a table beside another one, with the words typed before. In private, it opens in the first place
    of that table that the person can read."""
    table = stored.value
    place = context.place or await context.services.permissions.readers.readable(context.by.key, table.places)
    if place is None or place not in table.places:
        raise Refused("unknown_table")
    return await _open(
        context, table.postings.rooms.get(place, place), " ".join(context.data.arguments), beside=True
    )


async def _open(context: RequestContext, place: str, text: str, *, beside: bool = False) -> Answer:
    """Open a table in a place. Delivered twice, or by two people at once, it opens one table."""
    services = context.services
    table = await new_table_id(services.store, place, context.by.key, context.id)
    settings, numbers = await gather(services.communities.around(place), services.numbers.load(place))
    await services.permissions.admission.let_in(context.by.key, settings.community)
    clock, argument = read_named_clock(text)
    rules = _read_rules(settings, argument)  # refused before anything is decided
    may_open = partial(_may_open, context, settings)
    given = await services.numbers.give(
        place, table, asked_by="" if beside else context.by.key, may_open=may_open, held=numbers
    )
    stored = given.stored or await _create(context, settings, given, rules, clock)
    if place not in (*stored.value.places, *stored.value.postings.rooms.values()):
        raise Refused("busy")  # the same request opened it, and it has left the place since
    if stored.value.id != table or stored.value.host != context.by.key:
        return await _show_again(context, stored, place, text)
    token = await context.opening_token(table)
    opened = "notice.opened_partners" if rules.teams else "notice.opened"
    answer = Answer(notice=context.words.say(opened), open_private=token)
    return await add_guide(context, answer, stored)


def _read_rules(settings: PlaceSettings, argument: str) -> Rules:
    """Return the rules of a new table. Raises as `rules_at`, and Refused `unknown_command` for a word that is
    like a command's name or is on a button."""
    try:
        return rules_at(settings, argument)
    except Refused as refused:
        word = str(refused.values["name"]) if refused.code == "unknown_preset" else ""
        if likely_command(word) is None and not is_button(word):
            raise
        raise unknown_command(word) from None


async def _may_open(context: RequestContext, settings: PlaceSettings) -> None:
    """Raises Refused `hosts_lobby`, `too_many_tables`, and as `Admission.bring`."""
    hosted = await _find_hosted(context, context.by.key)
    waiting = _waiting(hosted)
    if waiting is not None:
        raise _hosts(context, waiting)
    if len(hosted) >= TABLES_MOST:
        raise Refused("too_many_tables", n=TABLES_MOST)
    await context.services.permissions.admission.bring(settings)


def _hosts(context: RequestContext, waiting: Table) -> Refused:
    """Return the refusal that names the lobby they already host, with a link if it is in another place."""
    home = next(iter(waiting.places), "")
    chat = context.services.people.chat_of(home)
    way = None if chat is None or home == context.place else chat.places.link(home)
    called = waiting.number_in(context.find_view_place(waiting))
    leave = "leave" if home == context.place else "leave_there"
    ways = ("cancel", waiting.id, "cancel"), ("leave", waiting.id, leave)
    if way is None:
        return Refused("hosts_lobby", table=called).with_way_out(*ways)
    return Refused("hosts_lobby_at", table=called, where=(way,)).with_way_out(*ways)


async def _create(
    context: RequestContext, settings: PlaceSettings, given: Given, rules: Rules, clock: int | None
) -> StoredTable:
    """Create a table under its number, unless another request has done so."""
    services = context.services
    change = lobby.open_table(
        table_id=given.table,
        place=settings.place,
        host=new_seat(context.by, context.profile, context.now),
        rules=rules,
        language=language_at(settings, context.words),
        turn_seconds=clock or clock_at(settings, services),
        secret=services.dealing.entropy(),
        now=context.now,
        number=given.number,
        display=settings.display,
        room=bool(settings.nearest(lambda each: each.rooms)),
    )
    change = replace(change, communities=await services.communities.of_new_places(settings.place))
    return await services.tables.create(given.table, change, context.action)


async def _show_again(context: RequestContext, stored: StoredTable, place: str, text: str) -> Answer:
    """Post the place's table again, at the bottom, for a person who would have opened another. Raises as
    `places.post_again`."""
    stored = await context.services.tables.change(
        stored.value.id, context.action, lambda now: places.post_again(now.value, now.now)
    )
    seat, facts = stored.value.seat_of(context.by.key), table_facts(stored.value, stored.deadline, place)
    page = present_page(facts, context.words, seat, text)
    if seat is not None or stored.value.has_room:
        token = await context.opening_token(stored.value.id)
    else:  # no seat is free: the link opens another table, as the page's only button does
        ((another,),) = page.buttons
        token = await make_replay_token(context, press=another.press)
    return Answer(page=page, open_private=token)


@button("again", on=TABLE, who=SEAT)
async def _again(context: RequestContext, stored: StoredTable) -> Answer:
    """Open a lobby with the seats of the match that is over. Everybody who presses it later joins them.
    Raises Refused `old_button`, `unknown_table`, and as `_new_host`, `Admission.sit`,
    `lobby.join`."""
    services = context.services
    if not lobby.can_be_played_again(stored.value):
        raise Refused("old_button")
    for number in count():
        table = await new_table_id(services.store, stored.value.id, "again", str(number))
        following = await services.tables.load(table)
        if following is None:
            change = await _same_seats(context, stored.value, table)
            await services.tables.create(table, change, context.action)
        if following is None or not following.value.is_over:
            break
    if following is not None:
        await services.permissions.admission.sit(context.by.key, following, context.place)

    def act(now: StoredTable) -> Change | None:
        if now.value.seat_of(context.by.key) is not None:
            return None
        seat = new_seat(context.by, context.profile, now.now)
        return lobby.join(now.value, seat, starts_in=context.starts_in)

    await services.tables.change(table, context.action, act)
    return Answer(notice=context.words.say("notice.again"))


async def _same_seats(context: RequestContext, old: Table, table: TableId) -> Change:
    """Return the lobby for a new match with the seats of an old one, with a number in each of its places."""
    services, places = context.services, [old.postings.rooms.get(place, place) for place in old.places]
    if not places:
        raise Refused("unknown_table")
    settings = await services.communities.around(places[0])
    await services.permissions.admission.open(context.by.key, settings)
    host = await _new_host(context, old)
    numbers = {place: (await services.numbers.give(place, table)).number for place in places}
    change = lobby.again(
        old,
        table_id=table,
        host=host,
        back=context.by.key,
        numbers=numbers,
        secret=services.dealing.entropy(),
        now=context.now,
        room=bool(settings.nearest(lambda each: each.rooms)),
    )
    for person in change.table.people():
        if not await is_allowed(services.permissions.admission.let_in(person, settings.community)):
            # They were blocked since.
            change = replace(change, table=lobby.without(change.table, person).table)
    return replace(change, communities=await services.communities.of_new_places(*places))


async def _new_host(context: RequestContext, old: Table) -> str:
    """Return the old host, or the next in seat order who is present and hosts no open lobby. Raises as
    `_hosts`."""
    first = old.seat_of(old.host) or 0
    for seat in (*old.seats[first:], *old.seats[:first]):
        there = seat.person and (seat.computer is None or seat.person == context.by.key)
        if there and _waiting(await _find_hosted(context, str(seat.person))) is None:
            return str(seat.person)
    waiting = _waiting(await _find_hosted(context, context.by.key))
    assert waiting is not None
    raise _hosts(context, waiting)


async def _find_hosted(context: RequestContext, person: str) -> list[Table]:
    """Return the open tables of which a person is the host."""
    tables = [stored.value for stored in await tables_of(context, person)]
    return [table for table in tables if table.host == person and table.is_open]


def _waiting(hosted: list[Table]) -> Table | None:
    return next((table for table in hosted if table.waits_for_people), None)
