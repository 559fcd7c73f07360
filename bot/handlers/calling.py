"""Calling: people ask to be told of new tables at a place, and hosts invite by name."""

import re
from typing import Final

from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.handlers.declarations import TABLE, button
from bot.handlers.replaying import make_replay_token
from bot.handlers.who import READER
from bot.markup import Name
from bot.ports import Answer, platform_of
from bot.repository.tables import StoredTable
from bot.screens.parts import say_on
from bot.tables import lobby
from bot.tables.names import clean_name
from bot.tables.table import CalledPerson, Change

_ACCOUNT: Final = re.compile(r"([a-z]+:[0-9]{1,20})(?: (.*))?", re.ASCII | re.DOTALL)
"""The key of a person, as a chat sends it for somebody chosen from its list of people, and their name."""

INVITED_MOST: Final = 8
INVITED_SECONDS: Final = 3600.0
"""How many people one person may invite by name in how many seconds; each invited person is told once in
that time."""


@button("bell", on=TABLE, who=READER)
async def _ring(context: RequestContext, stored: StoredTable) -> Answer:
    """Tell the person in private from now on when a table opens where this one stands, or no longer."""
    table = stored.value
    place = context.place or await context.services.permissions.readers.readable(context.by.key, table.places)
    if place is None or place not in table.places:
        raise Refused("unknown_table")
    home = table.postings.rooms.get(place, place)
    token = None if context.private else await make_replay_token(context)
    if token is not None:
        return Answer(notice=context.words.say("notice.bell_open"), open_private=token)
    subscriptions = context.services.subscriptions
    if await subscriptions.find_role(home) and not await subscriptions.has(context.by.key, home):
        return Answer(notice=context.words.say("notice.bell_role"))
    on = await subscriptions.toggle(context.by.key, home, context.by.language[:16])
    notice = say_on(platform_of(home), f"notice.bell_{'on' if on else 'off'}", context.words)
    return Answer(notice=notice)


async def invite_by_name(context: RequestContext, stored: StoredTable) -> Answer:
    """Tell a person who was chosen by name in private that they are invited to the table, once. Raises
    Refused `not_host`, `already_seated`, `table_full`, `too_many_invited`, `not_of_this_place`."""
    found = _ACCOUNT.match(context.text)
    assert found is not None
    person, name, services = found[1], clean_name(found[2] or ""), context.services
    lobby.host_in_lobby(stored.value, context.by.key)
    if stored.value.seat_of(person) is not None:
        raise Refused("already_seated", other=True)
    if await services.permissions.readers.readable(person, stored.value.places) is None:
        raise Refused("not_of_this_place")
    limits = [
        (f"invites {context.by.key}", INVITED_MOST, INVITED_SECONDS),
        (f"invited {person} {context.by.key}", 1, INVITED_SECONDS),
    ]
    if await services.store.calls.spend(limits) > 0:
        raise Refused("too_many_invited", n=INVITED_MOST)
    language = (await services.people.load(person)).language
    called = CalledPerson(person, language, "invited", context.by.key)

    def act(now: StoredTable) -> Change:
        return lobby.invite(now.value, context.by.key, called)

    await services.tables.change(stored.value.id, context.action, act)
    return Answer(notice=context.words.say("notice.called_by_name", who=Name(name)))


def names_person(text: str) -> bool:
    """Return whether a chat has put a person chosen from its list into the text of a command."""
    return _ACCOUNT.match(text) is not None
