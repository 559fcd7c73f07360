"""People say how they want to hear of their turns: by buttons one tap from the rack, or `/okey notify`."""

import re
import time
from dataclasses import dataclass, replace
from typing import Final

from bot.chats import Answer, Typed
from bot.desk.visit import Visit
from bot.notifying import EAST_MOST, WAYS, WEST_MOST, Notifying
from bot.people import People
from bot.screens.notifications import notifications_page, zone_page
from bot.tables.changes import Refused
from bot.words import Words

NOTIFYING: Final = frozenset({"notify", "notify_way", "notify_quiet", "notify_zone", "notify_offset"})
"""The buttons of a person's notifications."""

_HOURS: Final = re.compile(r"([0-9]{1,2})-([0-9]{1,2})")
_OFFSET: Final = re.compile(r"([+-])([0-9]{1,2})(?::([0-9]{2}))?")


@dataclass(frozen=True, slots=True)
class Notifications:
    """Answers with the page of notifications. Refusals are raised as Refused."""

    people: People

    async def press(self, visit: Visit) -> Answer:
        """Carry out one of the buttons of `NOTIFYING`."""
        person, verb = visit.by.key, visit.request.verb
        if verb == "notify_zone":
            return Answer(leaflet=zone_page(await self._of(person), time.time(), visit.words))
        if verb != "notify":
            await self._set(person, _pressed(await self._of(person), verb, visit.argument()))
        return await self._page(person, visit.words, turns=True)

    async def command(self, typed: Typed, argument: str, words: Words) -> Answer:
        """`notify`, and what to set: `mention`, `quiet 23-8`, `quiet off`, `+3`. Refused: `bad_notify`."""
        person = typed.by.key
        if argument:
            await self._set(person, _typed(await self._of(person), argument.lower().split()))
        return await self._page(person, words, turns=False)

    async def _of(self, person: str) -> Notifying:
        return (await self.people.known(person)).notifying

    async def _set(self, person: str, notifying: Notifying) -> None:
        await self.people.change(person, notifying=notifying)

    async def _page(self, person: str, words: Words, *, turns: bool) -> Answer:
        page = notifications_page(await self._of(person), time.time(), words, turns=turns)
        return Answer(leaflet=page)


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
