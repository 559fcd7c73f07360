"""Inviting: people of several places meet at one table by a code: join, watch, invite, uninvite."""

from dataclasses import replace
from functools import partial

from bot.errors import Refused
from bot.handlers.arguments import INVITED, SOMEBODY
from bot.handlers.calling import invite_by_name, names_person
from bot.handlers.context import RequestContext
from bot.handlers.declarations import command, no_words
from bot.handlers.defaults import language_at
from bot.handlers.help import add_guide
from bot.handlers.lookup import find_at, own_table
from bot.handlers.presence import new_seat
from bot.handlers.tables import tell_joined
from bot.handlers.who import ANYBODY
from bot.markup import Button, Link, Page
from bot.people.codes import read_code, spell
from bot.people.communities import PlaceSettings
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.tables import lobby, places
from bot.tables.table import Change


@command(
    "join", who=ANYBODY, audience="everybody", order=20, group="table", arguments=(INVITED,), in_place=True
)
async def _join(context: RequestContext) -> Answer:
    """Sit down at the place's open lobby, at a named table, or at an invitation's, which is then shown here
    too. A person who finds no free seat watches."""
    services = context.services
    settings = await services.communities.around(context.here)
    stored = await _table_to_join(context, settings)
    await services.permissions.admission.sit(context.by.key, stored, context.here)
    number = (await services.numbers.give(context.here, stored.value.id)).number
    communities = await services.communities.of_new_places(context.here)
    come = partial(_come, context, language_at(settings, context.words), number, communities)
    stored = await services.tables.change(stored.value.id, context.action, come)
    if stored.value.seat_of(context.by.key) is None:
        return await add_guide(context, Answer(notice=context.words.say("notice.looks_on")), stored)
    return await tell_joined(context, stored)


async def watch_here(context: RequestContext) -> Answer:
    """Show the table of an invitation in the place, to watch: nobody is seated. Raises Refused as
    `_table_to_join`, and `blocked`."""
    services = context.services
    settings = await services.communities.around(context.here)
    stored = await _table_to_join(context, settings)
    await services.permissions.admission.take_part(context.by.key, *stored.value.places, context.here)
    number = (await services.numbers.give(context.here, stored.value.id)).number
    language = language_at(settings, context.words)
    communities = await services.communities.of_new_places(context.here)

    def act(now: StoredTable) -> Change | None:
        table = places.add_place(now.value, context.here, language, number)
        return None if table is now.value else Change(table, communities=communities)

    await services.tables.change(stored.value.id, context.action, act)
    return Answer(notice=context.words.say("notice.watching"))


@command("invite", who=ANYBODY, audience="everybody", order=30, group="table", arguments=(SOMEBODY,))
async def _invite(context: RequestContext) -> Answer:
    """Make a code for the table at which the person sits; for a named person, call them to it. Raises
    Refused `no_table`, `no_sharing`, and as `invite_by_name`."""
    stored = await _own_open(context)
    if names_person(context.text):
        return await invite_by_name(context, stored)
    services, here = context.services, () if context.place is None else (context.place,)
    await services.permissions.admission.share(*stored.value.places, *here)
    code = await services.invitations.give(stored)
    told = context.words.say("notice.invited", code=spell(code))
    chat = services.people.chat_of(context.by.key)
    address = None if chat is None else chat.links.app(code)
    if address is not None:
        told = (*told, "\n", *context.words.say("notice.invited_app", link=(Link(address, address),)))
    shared = None if chat is None else chat.links.share(code, context.words.plain("invitation.shared"))
    if shared is None or context.by_session:  # the app has buttons of its own for that
        return Answer(notice=told)
    say = context.words.plain
    share = Button((say("button.share"),), "", link=shared)
    copy = Button((say("button.copy_code"),), "", copy=spell(code))
    return Answer(notice=told, page=Page(text=(), buttons=((share, copy),)))


@command("uninvite", who=ANYBODY, audience="everybody", order=40, group="table")
async def _uninvite(context: RequestContext) -> Answer:
    """End the code. People who came by it stay. Raises Refused `no_invitation`, and as `no_words`."""
    no_words(context)
    await context.services.invitations.withdraw(await _own_open(context))
    return Answer(notice=context.words.say("notice.uninvited"))


async def _own_open(context: RequestContext) -> StoredTable:
    """Return the open table at which a person sits; in a place, one that is shown there."""
    return await own_table(
        context,
        lambda stored: (
            stored.value.is_open and (context.place is None or context.place in stored.value.places)
        ),
    )


async def _table_to_join(context: RequestContext, settings: PlaceSettings) -> StoredTable:
    """Return the place's table with the typed number or id, or the code's table; without any, one that has a
    free seat, else the liveliest, which says why nobody can sit down."""
    place, services = context.here, context.services
    found = None
    if not context.text:
        found = await find_at(context, place, wanted=lambda stored: stored.value.has_room)
    found = found or await find_at(context, place, context.text)
    if found is not None:
        return found
    if read_code(context.text) is None:
        raise Refused("unknown_table")
    stored = await services.invitations.find_invited(context.text, context.by.key)
    await services.permissions.admission.share(*stored.value.places, place)
    if place not in stored.value.places:
        await services.permissions.admission.bring(settings)
    return stored


def _come(
    context: RequestContext, language: str, number: int, communities: tuple[str, ...], now: StoredTable
) -> Change:
    """Add the place to the table and seat the person. In a place where the table is new, a person who finds
    no seat, or a match already begun, is not refused."""
    table = places.add_place(now.value, context.here, language, number)
    new = () if table is now.value else communities
    try:
        seat = new_seat(context.by, context.profile, now.now)
        change = lobby.join(table, seat, starts_in=context.starts_in)
    except Refused:
        if not new:
            raise
        change = Change(table)
    return replace(change, communities=new)
