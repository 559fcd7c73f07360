"""Boards: the message of a night in a place, and what platforms show with it: a pin, an event, a role; and
the rack of the day."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from hashlib import blake2b

from bot.daily import is_late, week_table
from bot.delivery.items import Item, Rank
from bot.delivery.notes import EMPTY, KnownNotes, NoteKind, Notes, find_notes, is_screen
from bot.delivery.snapshot import DailyAsTold, NightAsTold
from bot.i18n import Words, words_for
from bot.ids import daily_id, league_key
from bot.league.model import League
from bot.league.night import Night
from bot.league.results import result_in
from bot.league.standings import night_standings
from bot.markup import PublicScreen
from bot.people.communities import Communities
from bot.people.profiles import Profiles
from bot.ports import (
    Calendar,
    Chat,
    FinalRefusal,
    Pins,
    RateLimit,
    RetryAfter,
    Roles,
    Timeline,
)
from bot.repository.leagues import LeagueRepository
from bot.screens.daily import daily_post
from bot.screens.display import adapt_to_display
from bot.screens.league import messages
from bot.screens.league.board import BoardFacts, night_board
from bot.store import Note, Store


@dataclass(frozen=True, slots=True)
class Boards:
    """Makes the boards of nights, and finds what a place must still be shown of a night or a daily rack."""

    store: Store
    leagues: LeagueRepository
    people: Profiles
    communities: Communities

    async def board(self, night: Night, place: str) -> PublicScreen:
        """Return a night's board for one of its league's places. Raises Refused `unknown_league`."""
        league = await self.leagues.load(night.league)
        shown: dict[int, KnownNotes] = {}
        if (round := night.running) is not None:
            for table in round.tables:
                shown[table.number] = await self.store.notes.load(night.id_of(round.number, table))
        return await self._make_board(league, night, place, shown)

    async def _make_board(
        self, league: League, night: Night, place: str, shown_of_tables: Mapping[int, KnownNotes]
    ) -> PublicScreen:
        words, standings, over = words_at(league, place), self.leagues.standings, night.stage == "over"
        facts = BoardFacts(
            league=league,
            night=night,
            standings=night_standings(result_in(league, night), night.format.ties),
            season=await standings.season(league, night.season) if over else (),
            links=self._links(shown_of_tables, place),
            honours=await standings.honours(league, night.season) if over else (),
        )
        return adapt_to_display(night_board(facts, words), await self.communities.display(place), words)

    def _links(self, shown_of_tables: Mapping[int, KnownNotes], place: str) -> dict[int, str]:
        """Return the addresses of the running tables that readers in this place can open, by table number."""
        links, chat = {}, self.people.chat_of(place)
        for number, shown in shown_of_tables.items():
            # Besides places, there are people who were shown their racks.
            for key, each in shown.items():
                near = chat if self.people.chat_of(key) is chat else None
                if near is not None and (link := near.places.message_link(key, each.text)):
                    links[number] = link
        return links

    def items(self, snapshot: NightAsTold) -> Iterator[Item]:
        """Yield the items for those chats that run here."""
        for place in snapshot.league.places:
            if (chat := self.people.chat_of(place)) is not None:
                yield from self._board(snapshot, place, chat)
                yield from _pin(snapshot, place, chat)
        for place in snapshot.communities or ():
            chat = self.people.chat_of(place)
            if isinstance(chat, Calendar):
                event = messages.event(snapshot.league, snapshot.night, words_at(snapshot.league, place))
                show = partial(chat.set_scheduled_event, place, event)
                yield from _newest(snapshot, NoteKind.EVENT, place, asdict(event), show)
            if chat is not None:
                yield from self._role(snapshot, place, chat)
        noted = {*find_notes(snapshot.notes, NoteKind.PIN), *filter(is_screen, snapshot.notes)}
        for place in sorted(noted.difference(snapshot.league.places)):
            if (chat := self.people.chat_of(place)) is not None:
                yield from _make_withdrawn(snapshot, place, chat)
                yield from _pin(snapshot, place, chat)

    def daily_items(self, snapshot: DailyAsTold) -> Iterator[Item]:
        """Yield the rack of the day, posted once in the place that a community chose. It is noted before it
        is sent: sent twice, it would disturb people."""
        board, id, key = snapshot.board, daily_id(snapshot.board.community), snapshot.board.place
        chat = self.people.chat_of(board.place) if board.place else None
        earlier = snapshot.notes.get(board.place)
        is_posted = earlier is not None and earlier.number >= board.day
        if chat is None or is_posted or is_late(board, snapshot.now):
            return

        async def send() -> Notes:
            settings = await self.communities.around(board.place)
            words = words_for(settings.nearest(lambda each: each.language) or board.language)
            # On a Monday this is last week's table.
            standings = week_table(board, board.day - 1)
            screen = await asyncio.to_thread(daily_post, id, board.day, standings, words)
            screen = adapt_to_display(screen, settings.display, words)
            message = await chat.show_table(board.place, screen, None, anew=True)
            return {key: Note(message, board.day)}

        done, limits = {key: Note("-", board.day)}, chat.limits.public(board.place)
        yield Item(id, key, key, Rank.NEWS, limits, send, done=done, is_once=True, earlier=earlier)

    def _board(self, snapshot: NightAsTold, place: str, chat: Chat) -> Iterator[Item]:
        """Yield one message a place, edited; a new one when a new phase begins, and the old one goes: it
        would say for ever that check-in is open."""
        night, shown = snapshot.night, snapshot.notes.get(place)
        waking = place in snapshot.sleeping and night.stage not in ("over", "cancelled")
        if shown is not None and shown.number >= night.revision and not waking:
            return
        message = None if shown is None else shown.text
        anew = shown is None or shown.number < night.phase_revision or waking

        async def send() -> Notes:
            screen = await self._make_board(snapshot.league, night, place, snapshot.shown_of_tables)
            reference = await chat.show_table(place, screen, message, anew=anew)
            if anew and message is not None and isinstance(chat, Timeline):
                # No harm is done when it stays.
                with suppress(RetryAfter, FinalRefusal):
                    await chat.remove_table(place, message)
            return {place: Note(reference, night.revision)}

        # A board that is shown must then be pinned.
        limits = chat.limits.public(place)
        # At a round's end everybody looks at the board: the results of single tables can wait.
        rank = Rank.BOARD if night.stage in ("break", "over") else Rank.NEWS
        yield Item(night.id, place, place, rank, limits, send, leads_on=True)

    def _role(self, snapshot: NightAsTold, place: str, chat: Chat) -> Iterator[Item]:
        """Yield the champions' role, after a season is over: with its last night, or with the one that was
        called off when the league ended."""
        league = snapshot.league
        over = snapshot.night.stage in ("over", "cancelled")
        last = max(league.seasons, default=0)
        if (
            not isinstance(chat, Roles)
            or not over
            or not last
            or "champion" not in league.settings_of(last).prizes
        ):
            return
        champions = league.champions[last]
        name = messages.role_name(league, words_at(league, place))
        holders = self._accounts(league, champions, chat)

        async def show(earlier: str) -> str:
            before = {member for each in league.champions.values() for member in each}
            former = sorted((before | set(earlier.split())) - set(champions))
            await chat.give_role(place, name, holders, self._accounts(league, former, chat))
            return " ".join(champions)

        yield from _newest(snapshot, NoteKind.ROLE, place, [name, holders], show, of_league=True)

    def _accounts(self, league: League, members: Sequence[str], chat: Chat) -> list[str]:
        """Return the accounts of these members in a chat."""
        known = [league.members[each] for each in members if each in league.members]
        accounts = [account for member in known for account in member.accounts]
        return [account for account in accounts if self.people.chat_of(account) is chat]


def _make_withdrawn(snapshot: NightAsTold, place: str, chat: Chat) -> Iterator[Item]:
    """Yield the last board in a place that its league has left: it loses its buttons."""
    if (shown := snapshot.notes.get(place)) is None:
        return

    async def send() -> None:
        if isinstance(chat, Timeline):
            await chat.take_buttons(place, shown.text)

    night, gone, limits = snapshot.night.id, {place: None}, chat.limits.public(place)
    yield Item(night, place, place, Rank.CLOCK, limits, send, done=gone, due_after=())


def _pin(snapshot: NightAsTold, place: str, chat: Chat) -> Iterator[Item]:
    """Yield the pin of the board, so that people find it until the night is over or its league leaves the
    place."""
    if not isinstance(chat, Pins):
        return
    over = snapshot.night.stage in ("over", "cancelled") or place not in snapshot.league.places
    shown = None if over else snapshot.notes.get(place)
    wanted = "" if shown is None else shown.text.partition(" ")[0]  # whatever it holds

    async def show(earlier: str) -> str:
        if earlier:
            await chat.unpin(place, earlier)
        if wanted:
            await chat.pin(place, wanted)
        return wanted

    if wanted or NoteKind.PIN.of(place) in snapshot.notes:
        limits = chat.limits.public(place)
        yield from _newest(snapshot, NoteKind.PIN, place, wanted, show, limits)


def _newest(
    snapshot: NightAsTold,
    kind: NoteKind,
    place: str,
    wanted: object,
    show: Callable[[str], Awaitable[str]],
    limits: tuple[RateLimit, ...] = (),
    *,
    of_league: bool = False,
) -> Iterator[Item]:
    """Yield an item for what is `wanted` now, unless it is shown. `show` gets the platform's reference to
    what was shown last, and returns the new one. What can't be shown is tried again when the night has
    changed: the right may have been given since. `of_league`: whether the league keeps the note."""
    key, version = kind.of(place), blake2b(repr(wanted).encode(), digest_size=8).hexdigest()
    noted = (snapshot.notes_of_league if of_league else snapshot.notes).get(key, EMPTY)
    shown, _, earlier = noted.text.partition(" ")
    revision = snapshot.night.revision

    async def send() -> Notes:
        return {key: Note(f"{version} {await show(earlier)}".rstrip())}

    if shown != version or 0 < noted.number < revision:
        refused = {key: Note(f"{version} {earlier}".rstrip(), revision)}
        of = league_key(snapshot.league.id) if of_league else snapshot.night.id
        yield Item(of, key, place, Rank.CLOCK, limits, send, done=refused, due_after=())


def words_at(league: League, place: str) -> Words:
    """Return the words in the language of one of a league's places."""
    return words_for(league.languages.get(place, league.language))
