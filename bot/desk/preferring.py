"""How people want to see the game: each his own screens, organisers what a place plays."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from bot.chats import Answer, Person, Typed
from bot.desk.notifications import NOTIFYING, Notifications
from bot.desk.setting import Setting, meant_by
from bot.desk.visit import Visit
from bot.keeper import Keeper, Kept
from bot.people import People
from bot.screens.display import displayed
from bot.screens.preferences import preferences_page
from bot.store import Store
from bot.store.codec import UnknownSchema
from bot.tables.changes import Change, Refused
from bot.tables.display import ON_RACKS, ON_TABLES, Display
from bot.words import Words

PREFERRING: Final = frozenset({"preferences", "prefer", *NOTIFYING})
"""The buttons of a person's own settings."""

_PLAIN: Final = "plain"
"""What organisers name to switch everything off."""


@dataclass(frozen=True, slots=True)
class Preferring:
    """Answers with settings, and with everything else as its reader wants it. Refusals are Refused."""

    store: Store
    keeper: Keeper
    people: People
    setting: Setting

    async def press(self, visit: Visit, press_id: str) -> Answer:
        """Show a person his settings, or throw one of the switches."""
        if visit.request.verb in NOTIFYING:
            return await Notifications(self.people).press(visit)
        person = visit.by.key
        if visit.request.verb == "prefer":
            display = thrown(await self._display(person), visit, ON_RACKS)
            await self.people.change(person, display=display)
            await self._show_anew(person)
        return await self._page(person, visit.words, turns=visit.request.verb == "prefer")

    async def command(self, typed: Typed, argument: str, words: Words) -> Answer:
        """A person's own settings."""
        return await self._page(typed.by.key, words, turns=False)

    async def of_place(self, typed: Typed, argument: str, words: Words) -> Answer:
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
        if answer.leaflet is None:
            return answer
        leaflet = displayed(answer.leaflet, await self._display(to.key), words)
        return replace(answer, leaflet=leaflet)

    async def _page(self, person: str, words: Words, *, turns: bool) -> Answer:
        return Answer(leaflet=preferences_page(await self._display(person), words, turns=turns))

    async def _display(self, person: str) -> Display:
        return (await self.people.known(person)).display

    async def _show_anew(self, person: str) -> None:
        """His racks are to be brought to him again; where that can't be now, with the next move."""

        def touched(kept: Kept) -> Change | None:
            seat = kept.table.seat_of(person)
            return None if seat is None else Change(kept.table.seat_touched(seat))

        for table in await self.store.tables_of(person):
            with suppress(Refused, UnknownSchema):
                await self.keeper.change(table, None, touched)


def thrown(display: Display, visit: Visit, switches: tuple[str, ...]) -> Display:
    """The display with the switch thrown that the button names. Raises Refused `unknown_button`."""
    name = visit.argument(0)
    if name not in switches:
        raise Refused("unknown_button")
    return replace(display, **{name: bool(visit.number(1))})


def _named(argument: str) -> Display:
    """The display that a command names: `letters contrast`, or `plain`. Refused: `unknown_display`."""
    names = argument.lower().split()
    for name in names:
        if name not in (*ON_TABLES, _PLAIN):
            raise Refused("unknown_display", name=name[:32], known=", ".join((*ON_TABLES, _PLAIN)))
    return Display(**{name: True for name in names if name != _PLAIN})
