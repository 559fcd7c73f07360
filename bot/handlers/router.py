"""Presses and commands: find the table, act, commit, and answer the one who asked."""

import logging
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Protocol

from bot.callback_data import read_callback
from bot.delivery.delivery import Delivery
from bot.delivery.views import Viewing
from bot.errors import Refused
from bot.handlers.clean import mended
from bot.handlers.commands import Commands
from bot.handlers.community import ORGANISING, Organising
from bot.handlers.guide import GUIDING, Guiding
from bot.handlers.help import HELPING, Helping
from bot.handlers.league.league import LEAGUE, LeagueDesk
from bot.handlers.moves import ACTS, Asked
from bot.handlers.moves_101 import ACTS_101, ACTS_DRAFT, LOOKS_101, mode_after
from bot.handlers.practice import PRACTISING, Practising
from bot.handlers.preferences import PREFERRING, Preferring
from bot.handlers.reading import READING, Reading
from bot.handlers.request import RequestContext, note_presence, noticed
from bot.i18n import Words, words_for
from bot.markup import Text, TileMark
from bot.people.accounts import Accounts
from bot.people.permissions import Admission
from bot.people.profiles import Profiles
from bot.ports import Answer, Press, RetryAfter, TypedCommand
from bot.repository.tables import StoredTable, TableRepository
from bot.screens.player import PLAY, Mode
from bot.screens.rules import switch_name
from bot.store import StoreUnavailable
from bot.store.codec import UnknownSchema
from bot.tables.play import Delays
from bot.tables.table import Change
from engine.shuffle import SECRET_BYTES
from engine.tiles import Tile

LOG: Final = logging.getLogger(__name__)

LOOKS: Final[Mapping[str, Mode]] = {
    "rack": PLAY,
    "look": PLAY,
    "ask_finish": Mode("finish"),
    "arrange": Mode("arrange"),
    "pick": Mode("arrange"),
    **LOOKS_101,
}

_ACTS: Final = {**ACTS, **ACTS_101, **ACTS_DRAFT}

_SWITCHES: Final = ("switch", "first", "second")
"""Values of refusals that name a switch."""

VERBS: Final = frozenset(
    {*_ACTS, *LOOKS, *READING, *PREFERRING, *LEAGUE, *HELPING, *GUIDING, *ORGANISING, *PRACTISING}
)
"""What a button may ask for."""


class Reader(Protocol):
    """What answers buttons that belong to no table's message."""

    async def press(self, context: RequestContext, press_id: str) -> Answer:
        """Carry out one of its buttons. Raises Refused, StoreUnavailable."""
        ...


class Router:
    """The router of `bot.ports.Dispatcher`."""

    def __init__(
        self,
        *,
        repository: TableRepository,
        people: Profiles,
        accounts: Accounts,
        viewing: Viewing,
        delivery: Delivery,
        commands: Commands,
        reading: Reading,
        preferring: Preferring,
        league: LeagueDesk,
        helping: Helping,
        guiding: Guiding,
        practising: Practising,
        organising: Organising,
        admission: Admission,
        delays: Delays,
    ) -> None:
        self._repository = repository
        self._people = people
        self._accounts = accounts
        self._viewing = viewing
        self._mail = delivery
        self.commands = commands
        self._preferring = preferring
        self._guiding = guiding
        self._readers: Final[tuple[tuple[frozenset[str], Reader], ...]] = (
            (READING, reading),
            (PREFERRING, preferring),
            (LEAGUE, league),
            (HELPING, helping),
            (GUIDING, guiding),
            (PRACTISING, practising),
            (ORGANISING, organising),
        )
        self._admission = admission
        self._delays = delays

    async def press(self, press: Press) -> Answer:
        """Carry out a button. A refusal is an answer, in the presser's language."""
        press = mended(press)
        words = words_for(press.by.language)
        request = read_callback(press.data)
        if request is None or request.verb not in VERBS:
            return refusal(words, "unknown_button")
        context = RequestContext(
            by=press.by,
            words=words,
            request=request,
            private=press.surface == "private",
            place=press.place,
            delays=self._delays,
            entropy=fresh_secret,
        )
        try:
            await self._accounts.follow(press.by)
            for verbs, reader in self._readers:
                if request.verb in verbs:
                    return await self._read(context, press, reader)
            return await self._preferring.shown(await self._answered(context, press), press.by, words)
        except StoreUnavailable:
            return refusal(words, "store_away")
        except RetryAfter:
            return refusal(words, "chat_away")
        except UnknownSchema:
            LOG.error("table %s was written by another version of the program", request.table)
            return refusal(words, "unknown_table")

    async def command(self, typed: TypedCommand) -> Answer:
        """Carry out a command. A refusal is an answer, in the language of the one who typed."""
        typed = mended(typed)
        words = words_for(typed.by.language)
        try:
            await self._accounts.follow(typed.by)
            answer = await self.commands.run(typed, words)
            return await self._preferring.shown(answer, typed.by, words)
        except Refused as refused:
            return refusal(words, refused.code, **refused.values)
        except StoreUnavailable:
            return refusal(words, "store_away")
        except RetryAfter:
            return refusal(words, "chat_away")
        except UnknownSchema:
            LOG.error("/%s is about a table that was written by another version of the program", typed.verb)
            return refusal(words, "unknown_table")

    async def _read(self, context: RequestContext, press: Press, reader: Reader) -> Answer:
        """A leaflet has no newer screen to be shown when it is refused. Who reads at his table is there."""
        await note_presence(self._repository, context)
        try:
            answer = await reader.press(context, press.id)
            return await self._preferring.shown(answer, press.by, context.words)
        except Refused as refused:
            return refusal(context.words, refused.code, **refused.values)

    async def _answered(self, context: RequestContext, press: Press) -> Answer:
        try:
            return await self._carried_out(context, press)
        except Refused as refused:
            return await self._refused(context, press, refused)

    async def _carried_out(self, context: RequestContext, press: Press) -> Answer:
        verb, table = context.request.verb, context.request.table
        with self._mail.answers.answering(context.by.key, table) as reply:
            if verb in LOOKS:
                picked = context.number() if verb == "pick" else None
                answer = await self._look(context, replace(LOOKS[verb], picked=picked))
            else:
                answer = await self._act(context, press)
            reply.revision = None if answer.private is None else answer.private.revision
            return answer

    async def _act(self, context: RequestContext, press: Press) -> Answer:
        verb, table = context.request.verb, context.request.table
        if verb == "join":
            await self._admission.press(context.by.key, table, context.place)
        try:
            stored = await self._repository.change(
                table, f"{press.by.key} {press.id}", lambda stored: _ACTS[verb](context, stored)
            )
        except Asked as asked:
            return await self._look(context, Mode("sure", tile=asked.tile))
        notice = await self._notice(context, stored)
        return merged(await self._screens(context, stored, mode_after(verb)), notice)

    async def _notice(self, context: RequestContext, stored: StoredTable) -> Answer:
        """What the presser is told beyond his screens."""
        words = context.words
        match context.request.verb:
            case "join":
                token = await self._people.invitation(context.by.key, stored.value.id)
                key = "notice.joined" if token is None else "notice.joined_open"
                joined = Answer(notice=words.say(key), open_private=token)
                return await self._guiding.seated(joined, context.by, words)
            case "leave":
                return Answer(notice=words.say("notice.left"))
            case "draw_here" | "take_here" | "open_here" | "lay_here":
                rack = await self._screens(context, stored, rack=True)
                if rack.private is not None:
                    return Answer(notice=(rack.private.brief,), urgent=True)
        return Answer()

    async def _screens(
        self, context: RequestContext, stored: StoredTable, mode: Mode = PLAY, *, rack: bool = False
    ) -> Answer:
        place = None if context.private else context.place
        return await self._viewing.answer(stored, context.by.key, context.words, place, mode, rack=rack)

    async def _look(self, context: RequestContext, mode: Mode) -> Answer:
        """Show a person his rack; that he looks counts as presence."""

        def looked(stored: StoredTable) -> Change | None:
            context.seat(stored)
            return noticed(stored, context.by.key, private=context.private)

        stored = await self._repository.change(context.request.table, None, looked)
        return await self._screens(context, stored, mode, rack=True)

    async def _refused(self, context: RequestContext, press: Press, refused: Refused) -> Answer:
        """The sentence, and the newest screens of what he pressed on."""
        answer = refusal(context.words, refused.code, **refused.values)
        stored = await note_presence(self._repository, context)
        if stored is None:
            return answer
        mode = mode_after(context.request.verb, refused=True)
        return merged(await self._screens(context, stored, mode), answer)


def fresh_secret() -> bytes:
    """A secret for a shuffle that nobody can know or choose."""
    return secrets.token_bytes(SECRET_BYTES)


def refusal(words: Words, code: str, **values: str | int | Text) -> Answer:
    """The sentence for a code, to be read by the one who asked."""
    told = {key: _in_words(words, key, value) for key, value in values.items()}
    text: Text = words.say(f"refused.{code}", **told)
    return Answer(notice=text, urgent=True, code=code)


def _in_words(words: Words, key: str, value: str | int | Text) -> str | int | TileMark | Text:
    """Switches by their names, tiles as tiles; every other value as it is."""
    if key in _SWITCHES and isinstance(value, str):
        return switch_name(words, value)
    if key == "tile" and isinstance(value, str) and (code := value.removeprefix("*")) in Tile.__members__:
        return TileMark(code)
    return value


def merged(screens: Answer, told: Answer) -> Answer:
    """Screens and notice in one answer."""
    return Answer(
        notice=told.notice,
        urgent=told.urgent,
        open_private=told.open_private,
        code=told.code,
        page=told.page,
        private=screens.private,
        public=screens.public,
    )
