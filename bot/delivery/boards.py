"""Boards of nights: how a night looks in a place, and what platforms show with it: a pin, an event, a role."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b

from bot.delivery.items import (
    CalendarEvent,
    ChampionRole,
    Item,
    Notes,
    Pinned,
    Rank,
    ScreenOf,
    Told,
    told_of,
)
from bot.delivery.snapshot import NEVER, NightAsTold
from bot.errors import Refused
from bot.i18n import Words, words_for
from bot.league.model import League, league_key, table_id
from bot.league.night import Night
from bot.league.results import result_of
from bot.league.standings import SeasonStanding, night_table, season_table
from bot.markup import PublicScreen
from bot.people.communities import Communities
from bot.people.profiles import Profiles
from bot.ports import Chat
from bot.repository.leagues import LeagueRepository
from bot.screens.display import displayed
from bot.screens.league import messages
from bot.screens.league.board import BoardFacts, night_board
from bot.store import Shown, Store


@dataclass(frozen=True, slots=True)
class Boards:
    """Makes boards."""

    store: Store
    leagues: LeagueRepository
    people: Profiles
    communities: Communities

    async def board(
        self,
        night: Night,
        place: str,
        league: League | None = None,
        told_of_tables: Mapping[int, Told] | None = None,
    ) -> PublicScreen:
        """A night's board as one of its league's places sees it. Raises Refused `unknown_league`.

        Its league, and what was shown of its tables by their numbers, are read unless they are given.
        """
        if league is None:
            held = await self.leagues.league(night.league)
            if held is None:
                raise Refused("unknown_league")
            league = held.value
        words = words_at(league, place)
        told = await self._told_of_tables(night) if told_of_tables is None else told_of_tables
        facts = BoardFacts(
            league=league,
            night=night,
            standings=night_table(result_of(night), night.format.ties),
            season=await self.season(league, night.season) if night.stage == "over" else (),
            links=self._links(told, place),
        )
        return displayed(night_board(facts, words), await self.communities.display(place), words)

    async def season(self, league: League, season: int) -> tuple[SeasonStanding, ...]:
        """A season's table as it stands."""
        results = [result_of(night) for night in await nights_of(self.leagues, league, season)]
        return season_table(results, league.format, season)

    async def _told_of_tables(self, night: Night) -> Mapping[int, Told]:
        if night.stage != "playing" or night.round is None:
            return {}
        ids = {
            table.number: table_id(night.id, night.round.number, table.number, table.attempt)
            for table in night.round.tables
        }
        return {number: told_of(await self.store.shown(id)) for number, id in ids.items()}

    def _links(self, told_of_tables: Mapping[int, Told], place: str) -> dict[int, str]:
        """Where the tables that are played now are shown, as far as who reads in this place can go there."""
        chat = self.people.chat_of(place)
        links = {}
        for number, told in told_of_tables.items():
            for key, shown in told.items():
                # Beside a table's places stand the people who were shown their racks.
                if chat and isinstance(key, ScreenOf) and self.people.chat_of(key.recipient) is chat:
                    links[number] = chat.link(key.recipient, shown.message) or links.get(number, "")
        return {number: link for number, link in links.items() if link}


class NightBoards:
    """What is still to be shown of a night: a board in each place, and what goes with it."""

    def __init__(self, boards: Boards, people: Profiles) -> None:
        self._boards = boards
        self._people = people

    def items(self, snapshot: NightAsTold) -> Iterator[Item]:
        """As far as the chats that it takes run here."""
        for place in snapshot.league.places:
            if (chat := self._people.chat_of(place)) is not None:
                yield from self._board(snapshot, place, chat)
                yield from _pin(snapshot, place, chat)
        for place in snapshot.communities:
            if (chat := self._people.chat_of(place)) is not None:
                yield from _event(snapshot, place, chat)
                yield from self._role(snapshot, place, chat)

    def _board(self, snapshot: NightAsTold, place: str, chat: Chat) -> Iterator[Item]:
        """One message a place, edited, and a new one where a new phase begins."""
        night, shown = snapshot.night, snapshot.told.get(ScreenOf(place))
        if shown is not None and shown.revision >= night.revision:
            return
        message = None if shown is None else shown.message
        anew = shown is None or shown.revision < night.phase_revision

        async def send() -> Notes:
            screen = await self._boards.board(night, place, snapshot.league, snapshot.told_of_tables)
            reference = await chat.show_table(place, screen, message, anew=anew)
            return {ScreenOf(place): Shown(reference, night.revision)}

        yield Item(
            of=night.id,
            key=ScreenOf(place),
            recipient=place,
            limits=chat.public_limits(place),
            send=send,
            leads_on=True,  # it is to be pinned
        )

    def _role(self, snapshot: NightAsTold, place: str, chat: Chat) -> Iterator[Item]:
        """The champions' role, once a season is over."""
        league = snapshot.league
        over = snapshot.night.stage == "over"
        if "champion" not in league.format.prizes or not league.champions or not over:
            return
        champions = league.champions[max(league.champions)]
        name = messages.role_name(league, words_at(league, place))
        holders = self._accounts(league, champions, chat)
        key, version = ChampionRole(place), digest([name, holders])
        earlier = snapshot.told_of_league.get(key)
        if is_done(earlier, version):
            return

        async def send() -> Notes:
            before = {member for each in league.champions.values() for member in each}
            former = sorted((before | set(reference_of(earlier).split())) - set(champions))
            await chat.give_role(place, name, holders, self._accounts(league, former, chat))
            return {key: done(version, " ".join(champions))}

        yield Item(
            of=snapshot.night.id,
            key=key,
            recipient=place,
            rank=Rank.CLOCK,
            send=send,
            otherwise=done(version, reference_of(earlier)),
            kept_by=league_key(league.id),
        )

    def _accounts(self, league: League, members: Sequence[str], chat: Chat) -> list[str]:
        """The accounts of these members in a chat."""
        known = [league.members[each] for each in members if each in league.members]
        accounts = [account for member in known for account in member.accounts]
        return [account for account in accounts if self._people.chat_of(account) is chat]


def _pin(snapshot: NightAsTold, place: str, chat: Chat) -> Iterator[Item]:
    """Its board, found at once until it is over."""
    board, over = snapshot.told.get(ScreenOf(place)), snapshot.night.stage in ("over", "cancelled")
    wanted = "" if over or board is None else board.message
    key, version = Pinned(place), digest(wanted)
    earlier = snapshot.told.get(key)
    if is_done(earlier, version) or (earlier is None and not wanted):
        return

    async def send() -> Notes:
        if before := reference_of(earlier):
            await chat.unpin(place, before)
        if wanted:
            await chat.pin(place, wanted)
        return {key: done(version, wanted)}

    yield Item(
        of=snapshot.night.id,
        key=key,
        recipient=place,
        rank=Rank.CLOCK,
        limits=chat.public_limits(place),
        send=send,
        otherwise=done(version, reference_of(earlier)),
    )


def _event(snapshot: NightAsTold, place: str, chat: Chat) -> Iterator[Item]:
    """The night as an event on a community's calendar."""
    wanted = messages.event(snapshot.league, snapshot.night, words_at(snapshot.league, place))
    key, version = CalendarEvent(place), digest(asdict(wanted))
    earlier = snapshot.told.get(key)
    if is_done(earlier, version):
        return

    async def send() -> Notes:
        reference = await chat.set_scheduled_event(place, wanted, reference_of(earlier))
        return {key: done(version, reference)}

    yield Item(
        of=snapshot.night.id,
        key=key,
        recipient=place,
        rank=Rank.CLOCK,
        send=send,
        otherwise=done(version, reference_of(earlier)),
    )


async def nights_of(leagues: LeagueRepository, league: League, season: int) -> list[Night]:
    """The nights of a season, in the order of their starts."""
    held = [await leagues.night(ref.id) for ref in league.nights if ref.season == season]
    return [each.value for each in held if each is not None]


def words_at(league: League, place: str) -> Words:
    """The words of one of a league's places."""
    return words_for(league.languages.get(place, league.language))


# Notes of a version: a short name of what was shown, a space, and the platform's reference to it


def digest(wanted: object) -> str:
    """A short name of what is wanted, the same in every process."""
    return blake2b(repr(wanted).encode(), digest_size=8).hexdigest()


def done(version: str, reference: str = "") -> Shown:
    """The note that this version was shown."""
    return Shown(f"{version} {reference}".rstrip(), 0)


def is_done(note: Shown | None, version: str) -> bool:
    """Whether this version was shown."""
    return note is not None and note.message.partition(" ")[0] == version


def reference_of(note: Shown | None) -> str:
    """The reference to what was shown the last time; empty when there is none."""
    return (note or NEVER).message.partition(" ")[2]
