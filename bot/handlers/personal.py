"""Personal: a person's display and notifications, linked accounts, the app, and being forgotten."""

import re
from contextlib import suppress
from dataclasses import replace
from typing import Final

from bot.errors import Refused
from bot.handlers.arguments import OFFSET, QUIET, WAY
from bot.handlers.context import RequestContext, read_level
from bot.handlers.declarations import TABLE, button, command
from bot.handlers.personal_data import PersonalData
from bot.handlers.who import ANYBODY, READER
from bot.markup import Attachment, Page
from bot.people.notifications import EAST_MOST, WAYS, WEST_MOST, Notifying
from bot.people.sessions import OwnSession
from bot.ports import Answer, RateLimit
from bot.repository.tables import StoredTable
from bot.screens.preferences import (
    forgetting_page,
    notifications_page,
    own_link_page,
    preferences_page,
    sessions_page,
    zone_page,
)
from bot.store.codec import UnknownSchema
from bot.tables.table import ON_RACKS, Change, Display

DATA_FILE: Final = "okey-my-data.json"
DATA_SECONDS: Final = 60.0
"""Seconds until a person can have their data again: gathering thousands of matches takes a while."""

_HOURS: Final = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")
_OFFSET: Final = re.compile(r"([+-])([0-9]{1,2})(?::([0-9]{2}))?")


@command("settings", who=ANYBODY, audience="everybody", order=190, group="my")
@button("preferences", who=ANYBODY)
async def _preferences(context: RequestContext) -> Answer:
    return _preferences_page(context, turns=False)


@button("prefer", who=ANYBODY)
async def _prefer(context: RequestContext) -> Answer:
    """Flip one of the switches."""
    await context.change_profile(lambda held: replace(held, display=flip(held.display, context, ON_RACKS)))
    await show_anew(context)
    return _preferences_page(context, turns=True)


@button("stand_in", who=ANYBODY)
async def _stand_in(context: RequestContext) -> Answer:
    """Choose the level of the computer that plays for them while they are away, also at their current
    tables."""
    level = read_level(context.argument())
    await context.change_profile(lambda held: replace(held, stand_in=level))
    await show_anew(context, stand_in=level)
    return _preferences_page(context, turns=True)


def _preferences_page(context: RequestContext, *, turns: bool) -> Answer:
    profile = context.profile
    return Answer(page=preferences_page(profile.display, profile.stand_in, context.words, turns=turns))


@button("notify", who=ANYBODY)
async def _notifications(context: RequestContext) -> Answer:
    return _notifications_page(context, turns=True)


@button("notify_zone", who=ANYBODY)
async def _zones(context: RequestContext) -> Answer:
    return Answer(page=zone_page(context.profile.notifying, context.now, context.words))


@button("notify_way", "notify_quiet", "notify_offset", who=ANYBODY)
async def _set_notifications(context: RequestContext) -> Answer:
    verb, argument = context.verb, context.argument()
    await context.change_profile(
        lambda held: replace(held, notifying=_read_pressed(held.notifying, verb, argument))
    )
    return _notifications_page(context, turns=True)


@command("notify", who=ANYBODY, audience="everybody", order=200, group="my", arguments=(WAY, QUIET, OFFSET))
async def _type_notifications(context: RequestContext) -> Answer:
    """`notify` with settings: `mention`, `quiet 23-8`, `quiet off`, `+3`. Refused: `bad_notify`."""
    if context.text:
        named = context.text.lower().split()
        await context.change_profile(lambda held: replace(held, notifying=_read_typed(held.notifying, named)))
    return _notifications_page(context, turns=False)


def _notifications_page(context: RequestContext, *, turns: bool) -> Answer:
    notifying = context.profile.notifying
    return Answer(page=notifications_page(notifying, context.now, context.words, turns=turns))


async def show_anew(context: RequestContext, **changes: object) -> None:
    """Deliver the person's racks again; where that can't be done now, with the next move. `changes` are
    applied to their seats."""
    services, person, language = context.services, context.by.key, context.by.language[:16]

    def change(stored: StoredTable) -> Change | None:
        seat = stored.value.seat_of(person)
        if seat is None:
            return None
        return Change(stored.value.with_seat(seat, language=language, **changes))

    for table in await services.store.index.tables_of(person):
        with suppress(Refused, UnknownSchema):
            stored = await services.tables.change(table, None, change)
            if stored.value.seat_of(person) is not None:
                await services.delivery.show_again(table, person)


def flip(display: Display, context: RequestContext, switches: tuple[str, ...]) -> Display:
    """Return the display with the button's switch flipped. Raises Refused `unknown_button`."""
    name = context.argument(0)
    if name not in switches:
        raise Refused("unknown_button")
    return replace(display, **{name: bool(context.number(1))})


def _read_pressed(notifying: Notifying, verb: str, argument: str) -> Notifying:
    if verb == "notify_offset":
        minutes = int(argument) if re.fullmatch(r"-?[0-9]{1,3}", argument) else EAST_MOST + 1
        return _with_offset(notifying, minutes)
    return _read_typed(notifying, [argument] if verb == "notify_way" else ["quiet", argument])


def _read_typed(notifying: Notifying, words: list[str]) -> Notifying:
    """Return the settings changed by these words, from left to right. Raises Refused `bad_notify`."""
    match words:
        case []:
            return notifying
        case ["quiet", "off", *rest]:
            return _read_typed(replace(notifying, quiet=None), rest)
        case ["quiet", hours, *rest] if (found := _HOURS.fullmatch(hours)) is not None:
            begin, end = int(found[1]), int(found[2]) % 24
            if begin == end or begin > 23 or int(found[2]) > 24:
                raise Refused("bad_notify")
            return _read_typed(replace(notifying, quiet=(begin, end)), rest)
        case [offset, *rest] if (found := _OFFSET.fullmatch(offset)) is not None:
            minutes = 60 * int(found[2]) + int(found[3] or 0)
            return _read_typed(_with_offset(notifying, -minutes if found[1] == "-" else minutes), rest)
        case [word, *rest]:
            for way in WAYS:
                if word == way:
                    return _read_typed(replace(notifying, way=way), rest)
    raise Refused("bad_notify")


def _with_offset(notifying: Notifying, minutes: int) -> Notifying:
    if not WEST_MOST <= minutes <= EAST_MOST:
        raise Refused("bad_notify")
    return replace(notifying, offset=minutes)


@command("forget", who=ANYBODY, audience="everybody", order=230, group="my", in_chat=True)
async def _ask_to_forget(context: RequestContext) -> Answer:
    """Ask for confirmation."""
    return Answer(page=forgetting_page(context.words))


@button("forget_no", who=ANYBODY)
async def _keep(context: RequestContext) -> Answer:
    return Answer(page=Page(text=context.words.say("notice.not_forgotten"), turns=True))


@button("forget_now", who=ANYBODY, in_chat=True)
async def _forget(context: RequestContext) -> Answer:
    """Delete everything, under the accounts that are linked at this moment."""
    how_far = await PersonalData(context.services).forget(context.by.key)
    words = context.words
    text = (*words.say("notice.forgotten"), "\n", *words.say(f"notice.rewritten.{how_far}"))
    return Answer(page=Page(text=text, turns=True))


@command("mydata", who=ANYBODY, audience="everybody", order=228, group="my", in_chat=True)
async def _my_data(context: RequestContext) -> Answer:
    """Send everything about the person as a file, in private only. Raises Refused `private_only`,
    `had_data`."""
    if context.place is not None:
        raise Refused("private_only")
    if await context.services.delivery.spend((RateLimit(f"mydata {context.by.key}", 1, DATA_SECONDS),)) > 0:
        raise Refused("had_data")
    content = await PersonalData(context.services).file(context.by.key)
    return Answer(page=Page(text=context.words.say("mydata.text"), file=Attachment(DATA_FILE, content)))


@command("app", who=ANYBODY, audience="everybody", order=240, group="my", for_app=True, in_chat=True)
async def _app_link(context: RequestContext) -> Answer:
    """Send a link to the person, in private only. Raises Refused `private_only`, `unknown_command`."""
    if not context.services.installation.web_url:
        raise Refused("unknown_command", verb=context.verb)
    if context.place is not None:
        raise Refused("private_only")
    secret = await context.services.sessions.link(context.by)
    return Answer(page=own_link_page(f"{context.services.installation.web_url}/#k={secret}", context.words))


@button("app", on=TABLE, who=READER)
async def _open_app(context: RequestContext, stored: StoredTable) -> Answer:
    """Open the table as an app, where the chat does that in answer to a press. Such an opening names no
    table, so the table is noted."""
    await context.services.sessions.wish(context.by.key, stored.value.id)
    return Answer(launch=True)


@button("sessions", who=ANYBODY)
async def _sessions(context: RequestContext) -> Answer:
    """Show where the person is logged in."""
    return Answer(page=sessions_page(await _own_sessions(context), context.words))


@button("session_end", who=ANYBODY)
async def _end_session(context: RequestContext) -> Answer:
    """End one session. It may be over already."""
    for account in _accounts(context):
        await context.services.sessions.end(account, context.argument())
    return Answer(page=sessions_page(await _own_sessions(context), context.words))


async def _own_sessions(context: RequestContext) -> list[OwnSession]:
    """Return the sessions of both accounts, the one that was opened last first."""
    sessions = context.services.sessions
    own = [each for account in _accounts(context) for each in await sessions.own(account)]
    return sorted(own, key=lambda each: each.session.seen, reverse=True)


@button("log_out", who=ANYBODY)
async def _log_out(context: RequestContext) -> Answer:
    """Sign out in every browser and app, under both accounts."""
    await end_sessions(context)
    return Answer(notice=context.words.say("notice.logged_out"))


async def end_sessions(context: RequestContext) -> None:
    """End all sessions of the person."""
    for account in _accounts(context):
        await context.services.sessions.end_all(account)


def _accounts(context: RequestContext) -> tuple[str, ...]:
    return (context.by.key,) if context.other is None else (context.by.key, context.other)
