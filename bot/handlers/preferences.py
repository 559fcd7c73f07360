"""Preferences: how a person sees the game and hears of their turns; how a place's new tables look."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from bot.errors import Refused
from bot.handlers.defaults import Setting, meant_by
from bot.handlers.request import RequestContext
from bot.i18n import Words
from bot.people.notifications import EAST_MOST, WAYS, WEST_MOST, Notifying
from bot.people.profiles import Profiles
from bot.ports import Answer, Person, TypedCommand
from bot.repository.tables import StoredTable, TableRepository
from bot.screens.display import displayed
from bot.screens.preferences import notifications_page, preferences_page, zone_page
from bot.store import Store
from bot.store.codec import UnknownSchema
from bot.tables.table import ON_RACKS, ON_TABLES, Change, Display

NOTIFYING: Final = frozenset({"notify", "notify_way", "notify_quiet", "notify_zone", "notify_offset"})
"""The buttons of a person's notifications."""

_HOURS: Final = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")
_OFFSET: Final = re.compile(r"([+-])([0-9]{1,2})(?::([0-9]{2}))?")


@dataclass(frozen=True, slots=True)
class Notifications:
    """Answers with the page of notifications. Refusals are raised as Refused."""

    people: Profiles

    async def press(self, context: RequestContext) -> Answer:
        """Carry out one of the buttons of `NOTIFYING`."""
        person, verb = context.by.key, context.request.verb
        if verb == "notify_zone":
            return Answer(page=zone_page(await self._of(person), time.time(), context.words))
        if verb != "notify":
            argument = context.argument()
            await self._set(person, lambda now: _pressed(now, verb, argument))
        return await self._page(person, context.words, turns=True)

    async def command(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """`notify`, and what to set: `mention`, `quiet 23-8`, `quiet off`, `+3`. Refused: `bad_notify`."""
        person = typed.by.key
        if argument:
            await self._set(person, lambda now: _typed(now, argument.lower().split()))
        return await self._page(person, words, turns=False)

    async def _of(self, person: str) -> Notifying:
        return (await self.people.known(person)).notifying

    async def _set(self, person: str, change: Callable[[Notifying], Notifying]) -> None:
        await self.people.change(person, lambda now: replace(now, notifying=change(now.notifying)))

    async def _page(self, person: str, words: Words, *, turns: bool) -> Answer:
        page = notifications_page(await self._of(person), time.time(), words, turns=turns)
        return Answer(page=page)


def _pressed(notifying: Notifying, verb: str, argument: str) -> Notifying:
    if verb == "notify_offset":
        minutes = int(argument) if re.fullmatch(r"-?[0-9]{1,3}", argument) else EAST_MOST + 1
        return _with_offset(notifying, minutes)
    return _typed(notifying, [argument] if verb == "notify_way" else ["quiet", argument])


def _typed(notifying: Notifying, words: list[str]) -> Notifying:
    """The settings as these words change them, from left to right. Raises Refused `bad_notify`."""
    match words:
        case []:
            return notifying
        case ["quiet", "off", *rest]:
            return _typed(replace(notifying, quiet=None), rest)
        case ["quiet", hours, *rest] if (found := _HOURS.fullmatch(hours)) is not None:
            begin, end = int(found[1]), int(found[2]) % 24
            if begin == end or begin > 23 or int(found[2]) > 24:
                raise Refused("bad_notify")
            return _typed(replace(notifying, quiet=(begin, end)), rest)
        case [offset, *rest] if (found := _OFFSET.fullmatch(offset)) is not None:
            minutes = 60 * int(found[2]) + int(found[3] or 0)
            return _typed(_with_offset(notifying, -minutes if found[1] == "-" else minutes), rest)
        case [word, *rest]:
            for way in WAYS:
                if word == way:
                    return _typed(replace(notifying, way=way), rest)
    raise Refused("bad_notify")


def _with_offset(notifying: Notifying, minutes: int) -> Notifying:
    if not WEST_MOST <= minutes <= EAST_MOST:
        raise Refused("bad_notify")
    return replace(notifying, offset=minutes)


PREFERRING: Final = frozenset({"preferences", "prefer", *NOTIFYING})
"""The buttons of a person's own settings."""

_PLAIN: Final = "plain"
"""What organisers name to switch everything off."""


@dataclass(frozen=True, slots=True)
class Preferring:
    """Answers with settings, and with everything else as its reader wants it. Refusals are Refused."""

    store: Store
    repository: TableRepository
    people: Profiles
    setting: Setting

    async def press(self, context: RequestContext, press_id: str) -> Answer:
        """Show a person his settings, or throw one of the switches."""
        if context.request.verb in NOTIFYING:
            return await Notifications(self.people).press(context)
        person = context.by.key
        if context.request.verb == "prefer":
            await self.people.change(
                person, lambda now: replace(now, display=thrown(now.display, context, ON_RACKS))
            )
            await self._show_anew(person)
        return await self._page(person, context.words, turns=context.request.verb == "prefer")

    async def command(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """A person's own settings."""
        return await self._page(typed.by.key, words, turns=False)

    async def of_place(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """Show how a place's new tables look, or set it. Refused: `here_only`, `organisers_only`,
        `unknown_display`."""
        meant = meant_by(typed, argument)
        if meant.rest:
            await self.setting.set(typed.by, meant, display=_named(meant.rest))
        display = await self.setting.communities.display(meant.place)
        names = [words.plain(f"display.{name}") for name in ON_TABLES if getattr(display, name)]
        said = words.say("notice.display", names=", ".join(names) or words.plain("display.plain"))
        return await self.setting.told(meant.place, [said], words)

    async def shown(self, answer: Answer, to: Person, words: Words) -> Answer:
        """The answer with its leaflet displayed as its reader wants it."""
        if answer.page is None:
            return answer
        leaflet = displayed(answer.page, await self._display(to.key), words)
        return replace(answer, page=leaflet)

    async def _page(self, person: str, words: Words, *, turns: bool) -> Answer:
        return Answer(page=preferences_page(await self._display(person), words, turns=turns))

    async def _display(self, person: str) -> Display:
        return (await self.people.known(person)).display

    async def _show_anew(self, person: str) -> None:
        """His racks are to be brought to him again; where that can't be now, with the next move."""

        def touched(stored: StoredTable) -> Change | None:
            seat = stored.value.seat_of(person)
            return None if seat is None else Change(stored.value.seat_touched(seat))

        for table in await self.store.tables_of(person):
            with suppress(Refused, UnknownSchema):
                await self.repository.change(table, None, touched)


def thrown(display: Display, context: RequestContext, switches: tuple[str, ...]) -> Display:
    """The display with the switch thrown that the button names. Raises Refused `unknown_button`."""
    name = context.argument(0)
    if name not in switches:
        raise Refused("unknown_button")
    return replace(display, **{name: bool(context.number(1))})


def _named(argument: str) -> Display:
    """The display that a command names: `letters contrast`, or `plain`. Refused: `unknown_display`."""
    names = argument.lower().split()
    for name in names:
        if name not in (*ON_TABLES, _PLAIN):
            raise Refused("unknown_display", name=name[:32], known=", ".join((*ON_TABLES, _PLAIN)))
    return Display(**{name: True for name in names if name != _PLAIN})
