"""How people of several places come together at one table: join, invite, uninvite."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.errors import Refused
from bot.handlers.defaults import Setting, meant_by
from bot.handlers.lookup import Finder
from bot.handlers.request import new_seat
from bot.i18n import Words
from bot.people.codes import Invitations, is_open, read_code, spelled
from bot.people.permissions import Admission
from bot.people.profiles import Profiles
from bot.ports import Answer, TypedCommand
from bot.repository.tables import StoredTable, TableRepository
from bot.tables import lobby, places
from bot.tables.table import Change


@dataclass(frozen=True, slots=True)
class Inviting:
    """The handlers of these commands. Refusals are raised as Refused."""

    repository: TableRepository
    people: Profiles
    finder: Finder
    invitations: Invitations
    setting: Setting
    admission: Admission

    async def join(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """Sit down at the place's liveliest table, at the one that is named, or at an invitation's, which
        is then shown here too. Who finds no free seat there looks on."""
        if typed.place is None:
            raise Refused("here_only")
        place, stored = typed.place, await self._meant(typed, typed.place, argument)
        await self.admission.sit(typed.by.key, stored.value.id, place)
        await self.admission.stands(stored.value.id, place)
        language = await self.setting.language(place, words)

        stored = await self.repository.change(
            stored.value.id,
            f"{typed.by.key} {typed.id}",
            lambda now: _come(now, typed, place, language),
        )
        if stored.value.seat_of(typed.by.key) is None:
            return Answer(notice=words.say("notice.looks_on"))
        token = await self.people.invitation(typed.by.key, stored.value.id)
        key = "notice.joined" if token is None else "notice.joined_open"
        return Answer(notice=words.say(key), open_private=token)

    async def watch(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """Have the table of an invitation shown here, to look on at: nobody is seated."""
        if typed.place is None:
            raise Refused("here_only")
        place, stored = typed.place, await self._meant(typed, typed.place, argument)
        await self.admission.stands(stored.value.id, place)
        language = await self.setting.language(place, words)
        await self.repository.change(
            stored.value.id,
            f"{typed.by.key} {typed.id}",
            lambda now: _shown_too(now, place, language),
        )
        return Answer(notice=words.say("notice.watching"))

    async def invite(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """A code for the table at which the person sits. Raises Refused `no_table`, `no_sharing`."""
        stored = await self._own(typed)
        await self.allow((*stored.value.places, *(() if typed.place is None else (typed.place,))))
        code = await self.invitations.give(stored)
        return Answer(notice=words.say("notice.invited", code=spelled(code)))

    async def uninvite(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """The code is good no longer; who came by it stays. Raises Refused `no_invitation`."""
        await self.invitations.withdraw(await self._own(typed))
        return Answer(notice=words.say("notice.uninvited"))

    async def switch(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """Show whether a place shares tables with others, or set it. Raises as `Setting.set`."""
        meant = meant_by(typed, argument)
        if meant.rest in ("on", "off"):
            await self.setting.set(typed.by, meant, invitations=meant.rest == "on")
        shares = "on" if await self._shares(meant.place) else "off"
        return await self.setting.told(meant.place, [words.say(f"notice.invitations_{shares}")], words)

    async def _meant(self, typed: TypedCommand, place: str, argument: str) -> StoredTable:
        """The place's table of that id, or the one to which the code leads."""
        try:
            return await self.finder.at_place(place, argument.lower())
        except Refused:
            if read_code(argument) is None:
                raise
        stored = await self.invitations.invited(argument, typed.by.key)
        await self.allow((*stored.value.places, place))
        if place not in stored.value.places:
            await self.admission.bring(place)
        return stored

    async def _own(self, typed: TypedCommand) -> StoredTable:
        """The open table at which a person sits; in a place, one that is shown there."""
        return await self.finder.own(
            typed.by.key,
            lambda stored: (
                is_open(stored.value) and (typed.place is None or typed.place in stored.value.places)
            ),
        )

    async def allow(self, shown: Iterable[str]) -> None:
        """Raises Refused `no_sharing` when one of the places keeps its tables to itself."""
        for place in shown:
            if not await self._shares(place):
                raise Refused("no_sharing")

    async def _shares(self, place: str) -> bool:
        return all(community.invitations for community in await self.setting.communities.of(place))


def _shown_too(now: StoredTable, place: str, language: str) -> Change | None:
    """The place added to the table; None where it is shown already."""
    table = places.added(now.value, place, language)
    return None if table is now.value else Change(table)


def _come(now: StoredTable, typed: TypedCommand, place: str, language: str) -> Change:
    """The place added to the table, and the person seated. Where the table is new, no free seat and a
    match that has begun are no reasons to be turned away."""
    table = places.added(now.value, place, language)
    try:
        return lobby.join(table, new_seat(typed.by, now.now))
    except Refused:
        if table is now.value:
            raise
        return Change(table)
