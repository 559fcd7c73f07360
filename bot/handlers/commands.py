"""What people type: open a table, see a rack, take a seat through a link, add a word, read something."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.delivery.views import Viewing
from bot.errors import Refused
from bot.handlers.community import COMMANDS, Organising
from bot.handlers.defaults import Defaults
from bot.handlers.guide import Guiding
from bot.handlers.help import Helping
from bot.handlers.inviting import Inviting
from bot.handlers.league.league import LeagueDesk
from bot.handlers.lookup import Finder
from bot.handlers.personal import Personal
from bot.handlers.practice import Practising
from bot.handlers.preferences import Notifications, Preferring
from bot.handlers.reading import Reading
from bot.handlers.request import new_seat, new_table_id, noticed
from bot.i18n import Words, folded
from bot.i18n.commands import read_command
from bot.ids import read_key
from bot.people.permissions import Admission
from bot.people.profiles import Profiles
from bot.ports import Answer, TypedCommand
from bot.repository.tables import StoredTable, TableRepository
from bot.tables import lobby, turns
from bot.tables.clocks import named_clock
from bot.tables.table import Change

TABLES_MOST: Final = 5
"""So many tables one person may have open as their host: nobody floods a group with lobbies."""

WORD_LONGEST: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """The handlers of commands. Refusals are raised as Refused."""

    repository: TableRepository
    people: Profiles
    viewing: Viewing
    finder: Finder
    reading: Reading
    defaults: Defaults
    inviting: Inviting
    personal: Personal
    preferring: Preferring
    league: LeagueDesk
    helping: Helping
    guiding: Guiding
    practising: Practising
    organising: Organising
    admission: Admission
    entropy: Callable[[], bytes]

    async def run(self, typed: TypedCommand, words: Words) -> Answer:
        """Carry out a command. Raises Refused (`unknown_command`, …), StoreUnavailable."""
        verb, argument = _asked(typed)
        handler = self.verbs().get(verb)
        if handler is None:
            raise Refused("unknown_command", verb=verb[:32])
        return await handler(typed, argument, words)

    def verbs(self) -> Mapping[str, Callable[[TypedCommand, str, Words], Awaitable[Answer]]]:
        """The handler of each command."""
        return {
            "play": self._play,
            "join": self._join,
            "invite": self.inviting.invite,
            "uninvite": self.inviting.uninvite,
            "invitations": self.inviting.switch,
            "link": self.personal.link,
            "unlink": self.personal.unlink,
            "forget": self.personal.forget,
            "rack": self._rack,
            "look": self._look,
            "start": self._start,
            "word": self._word,
            "help": self.helping.command,
            "guide": self.guiding.command,
            "practice": self.practising.command,
            "rules": self.reading.rules,
            "remove": self.reading.removal,
            "record": self.reading.record,
            "replay": self.reading.replay,
            "stats": self.reading.looking_back.stats,
            "history": self.reading.looking_back.matches,
            "league": self.league.command,
            "watch": self.reading.watching.command,
            "defaults": self.defaults.command,
            "settings": self.preferring.command,
            "notify": Notifications(self.people).command,
            "display": self.preferring.of_place,
            "anonymous": self.organising.anonymous,
            **{verb: partial(self.organising.command, verb) for verb in COMMANDS},
        }

    async def _play(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        if typed.place is None:
            raise Refused("here_only")
        clock, argument = named_clock(argument)
        table_id = new_table_id(str(typed.place), typed.by.key, typed.id)
        if await self.repository.load(table_id) is None:
            if await self.finder.hosted(typed.by.key) >= TABLES_MOST:
                raise Refused("too_many_tables", n=TABLES_MOST)
            await self.admission.open(typed.by.key, typed.place)
            communities = self.defaults.setting.communities
            change = lobby.open_table(
                table_id=table_id,
                place=typed.place,
                host=new_seat(typed.by, time.time()),
                rules=await self.defaults.rules(typed.place, argument),
                language=await self.defaults.setting.language(typed.place, words),
                turn_seconds=clock or await self.defaults.clock(typed.place),
                secret=self.entropy(),
                now=time.time(),
                display=await communities.display(typed.place),
                room=bool(await communities.nearest(typed.place, lambda each: each.rooms)),
            )
            await self.admission.stands(table_id, typed.place)
            await self.repository.create(change, f"{typed.by.key} {typed.id}")
        token = await self.people.invitation(typed.by.key, table_id)
        opened = Answer(notice=words.say("notice.opened"), open_private=token)
        return await self.guiding.seated(opened, typed.by, words)

    async def _join(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        return await self.guiding.seated(await self.inviting.join(typed, argument, words), typed.by, words)

    async def _rack(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        stored = await self.finder.own(typed.by.key)
        private = typed.place is None
        stored = await self.repository.change(
            stored.value.id, None, lambda now: noticed(now, typed.by.key, private=private)
        )
        seat = stored.value.seat_of(typed.by.key)
        if seat is None:
            raise Refused("no_table")
        return Answer(private=await self.viewing.private(stored, seat, words))

    async def _look(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        if typed.place is None:
            raise Refused("here_only")
        stored = await self.finder.at_place(typed.place, argument)
        return Answer(public=self.viewing.public(stored, typed.place))

    async def _start(self, typed: TypedCommand, token: str, words: Words) -> Answer:
        """The private chat was opened, perhaps through a link of ours."""
        person = typed.by.key
        target = await self.people.accept(token, person) if token else None
        await self.people.reached(person)
        if token and target is None:
            raise Refused("expired_link")
        if target is None:
            return await self.helping.command(typed, "", words)
        match read_key(target):
            case "table", table:
                await self.admission.sit(person, table, typed.place)
            case _:
                return Answer(notice=words.say("notice.night_reached"))
        stored = await self.repository.change(table, f"{person} {typed.id}", lambda now: _sat(typed, now))
        seat = stored.value.seat_of(person)
        if seat is None:
            raise Refused("table_full")
        rack = await self.viewing.private(stored, seat, words)
        joined = Answer(notice=words.say("notice.joined"), private=rack)
        return await self.guiding.seated(joined, typed.by, words)

    async def _word(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        if len(argument) > WORD_LONGEST:
            raise Refused("word_long")
        stored = await self.finder.own(typed.by.key)

        def act(now: StoredTable) -> Change:
            seat = now.value.seat_of(typed.by.key)
            if seat is None:
                raise Refused("not_seated")
            return Change(now.value.with_seat(seat, word=argument))

        await self.repository.change(stored.value.id, f"{typed.by.key} {typed.id}", act)
        return Answer(notice=words.say("notice.word_kept"))


def _asked(typed: TypedCommand) -> tuple[str, str]:
    """The verb and the argument of a command; what names no verb behind `/okey` opens a table."""
    argument = typed.argument.strip()
    if typed.verb in ("okey", "play"):
        return read_command(argument) or ("play", argument)
    return read_command(f"{typed.verb} {argument}") or (folded(typed.verb), argument)


def _sat(typed: TypedCommand, stored: StoredTable) -> Change | None:
    """The person of a link has a seat, if he had none and there is one; private messages reach him."""
    seat = stored.value.seat_of(typed.by.key)
    if seat is not None:
        return Change(turns.present(stored.value, seat, stored.now, private=True).seat_touched(seat))
    return lobby.join(stored.value, new_seat(typed.by, stored.now))
