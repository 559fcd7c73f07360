"""Personal data: everything that is stored about a person, gathered into one file, or deleted.

The file is for the person alone, so it holds other people only as they are seen at a table: by their names.
`docs/privacy.md` says of each kind of stored data which part of the file has it, or why none has.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import msgspec

from bot.errors import Refused
from bot.handlers.league.founding import read_draft
from bot.handlers.services import Services
from bot.history.played import Dated
from bot.ids import NightId, TableId, read_key
from bot.league.model import League, Member
from bot.league.results import result_of
from bot.people.accounts import read_proposal
from bot.people.rewriting import AsFarAs
from bot.people.sessions import Session, Watched
from bot.repository.tables import StoredTable
from bot.store.codec import UnknownSchema
from bot.tables import membership
from bot.tables.membership import tag
from bot.tables.table import Seat

T = TypeVar("T")

FORMAT: Final = "okey-my-data/1"

RECORDS_BYTES: Final = 8_000_000
"""The most bytes of records in a file for a chat: Discord takes ten million in all."""

Excerpt = Mapping[str, Any]


class AccountData(msgspec.Struct, kw_only=True):
    """Everything that is stored about one account. Moments are in UTC, as ISO 8601 writes them."""

    key: str
    profile: Excerpt
    """Their settings, whether private messages reach them, and their answers to the daily racks."""
    linked: str
    """Their account on the other platform; empty: none."""
    last_message: str
    """The number of the last message in their private chat, if it is a rack."""
    refuses_messages: bool
    """Whether their chat refuses the bot's messages, and waits for the next try."""
    tables: Sequence[Excerpt]
    """Tables where they have or had a seat, with the seat and their rack's message."""
    matches: Sequence[Excerpt]
    """Their match history, with the players' names."""
    statistics: Sequence[Excerpt]
    """What these matches add up to: in all, and in each community."""
    records: Sequence[Excerpt]
    """Records of their matches, for `okey replay`, the newest first."""
    records_left_out: int
    """Those for which the file had no room."""
    leagues: Sequence[Excerpt]
    """Their leagues: themselves as members, and what the nights' logs and results tell of them."""
    daily_boards: Sequence[Excerpt]
    """Their lines on communities' daily boards."""
    places: Sequence[Excerpt]
    """Places for which they set something, or where they are blocked."""
    told_of_new_tables: Sequence[str]
    """Places of whose new tables they are told."""
    links: Sequence[Excerpt]
    """Links, codes, drafts and sessions that are theirs: until when, never the secret."""


@dataclass(frozen=True, slots=True)
class PersonalData:
    """What is stored about people, over one store."""

    services: Services

    async def file(self, person: str, *, most: int = RECORDS_BYTES) -> bytes:
        """Gather everything about a person, in all their accounts, as JSON. `most`: the bytes of records.

        Raises StoreUnavailable.
        """
        other = await self.services.accounts.other(person)
        accounts = [await self._of(key, most // 2) for key in (person, *filter(None, (other,)))]
        whole = {"format": FORMAT, "made": _moment(self.services.store.clock()), "accounts": accounts}
        return await asyncio.to_thread(
            lambda: msgspec.json.format(msgspec.json.encode(whole), indent=1) + b"\n"
        )

    async def forget(self, person: str) -> AsFarAs:
        """Delete everything about a person, in all their accounts, and have the store's file written anew;
        return how far that is. Raises as `forget`."""
        other = await self.services.accounts.other(person)
        for account in (person,) if other is None else (other, person):
            await forget(self.services, account)
        return await self.services.rewriting.ask()

    async def _of(self, key: str, most: int) -> AccountData:
        services, store = self.services, self.services.store
        records, left_out = await self._records(key, most)
        return AccountData(
            key=key,
            profile=msgspec.to_builtins(await services.people.load(key)),
            linked=await services.accounts.other(key) or "",
            last_message=await store.people.last_message(key),
            refuses_messages=(await store.refusals.read([key]))[0][0] is not None,
            tables=[
                part for each in await store.index.tables_of(key) if (part := await self._table(each, key))
            ],
            matches=[_match(each, key) for each in await services.played.history.matches(key)],
            statistics=await self._statistics(key),
            records=records,
            records_left_out=left_out,
            leagues=[await self._league(each, key) for each in await services.leagues.of_person(key)],
            daily_boards=await self._daily_boards(key),
            places=await self._places(key),
            told_of_new_tables=await store.subscriptions.find_places(key),
            links=await self._links(key),
        )

    async def _table(self, table: TableId, key: str) -> Excerpt | None:
        stored = await _read_known(lambda: self.services.tables.load(table))
        if stored is None:
            return None
        held = stored.value
        seat = held.seat_of(key)
        called = key in (each.person for each in held.calls.called)
        if seat is None and not called and key not in held.gone.removed:
            return None
        shown = (await self.services.store.notes.load(table)).get(key)
        return {
            "table": table,
            "places": list(held.places),
            "stage": held.stage,
            "host": held.host == key,
            "removed": key in held.gone.removed,
            "called": called,
            "seat": None if seat is None else _seat(held.seats[seat]),
            "number": seat,
            "scores": list(held.match.scores),
            "players": [each.name for each in held.seats],
            "rack_message": "" if shown is None else shown.text,
        }

    async def _statistics(self, key: str) -> list[Excerpt]:
        """Return what a person's matches add up to, in all and in each community."""
        history = self.services.played.history
        matches = await history.matches(key)
        owners = dict.fromkeys([key, *(each for dated in matches for each in dated.match.communities)])
        found: list[Excerpt] = []
        for owner in owners:
            tally = await history.tally([owner])
            if key in tally.persons:
                whole = msgspec.to_builtins(tally.persons[key])
                met = {name: whole["counts"].pop(f"met.{other}", 0) for other, name in tally.names.items()}
                found.append({"where": "" if owner == key else owner, **whole, "met": met})
        return found

    async def _records(self, key: str, most: int) -> tuple[list[Excerpt], int]:
        """Return the records of a person's matches, the newest first, as many as fit; and how many do not."""
        records: list[Excerpt] = []
        size = left_out = 0
        for dated in await self.services.played.history.matches(key):
            stored = await _read_known(lambda id=dated.match.table: self._load_played(id))  # type: ignore[misc]
            if stored is None:
                continue
            record = await _read_known(lambda held=stored: self.services.played.records.record(held))  # type: ignore[misc]
            if record is None:
                continue
            size += len(msgspec.json.encode(record))
            if size > most:
                left_out += 1
            else:
                records.append(
                    {"table": stored.value.id, "seat": stored.value.seat_of(key), "record": record}
                )
        return records, left_out

    async def _load_played(self, table: TableId) -> StoredTable | None:
        return await self.services.tables.load(table) or await self.services.played.archive.load(table)

    async def _league(self, league: League, key: str) -> Excerpt:
        member = league.member_of(key)
        assert member is not None
        nights = [await self._night(ref.id, member) for ref in league.nights]
        return {
            "league": league.id,
            "name": league.name,
            "places": list(league.places),
            "champion_of": [season for season, them in league.champions.items() if member.id in them],
            "member": msgspec.to_builtins(member),
            "nights": [each for each in nights if each],
        }

    async def _night(self, night: NightId, member: Member) -> Excerpt | None:
        """Return what is known of a member in a night: what its log tells of them, and their results."""
        leagues = self.services.leagues
        held = await _read_known(lambda: leagues.load_night(night))
        if held is None:
            return None
        log = [msgspec.to_builtins(each) for each in await leagues.log(night)]
        events = [each for each in log if member.id in (each["by"], each["event"].get("member"))]
        result = result_of(held)
        seats = [
            {"round": table.round, "table": table.table, **msgspec.to_builtins(seat)}
            for table in result.tables
            for seat in table.seats
            if seat.member == member.id
        ]
        if not (events or seats):
            return None
        byes, missed = (
            [n for n, who in rounds if who == member.id] for rounds in (result.byes, result.missed)
        )
        known = {"events": events, "seats": seats, "byes": byes, "missed": missed}
        return {"night": night, "start": _moment(held.start), **known}

    async def _daily_boards(self, key: str) -> list[Excerpt]:
        boards = []
        for noted in await self.services.store.index.places_set_by(key):
            match read_key(noted):
                case "daily", id:
                    board = await _read_known(lambda id=id: self.services.daily.load(id))  # type: ignore[misc]
                    entries = () if board is None else board.value.entries
                    boards += [
                        {"community": board.value.community} | msgspec.to_builtins(each)
                        for each in entries
                        if board is not None and each.person == key
                    ]
        return boards

    async def _places(self, key: str) -> list[Excerpt]:
        """Return the places for which a person set something last, or where they are blocked."""
        store = self.services.store
        places: list[Excerpt] = []
        noted = {name for by in (key, tag(key)) for name in await store.index.places_set_by(by)}
        for place in sorted(name for name in noted if read_key(name)[0] != "daily"):
            held = await self.services.communities.at(place)
            blocked = [each.name for each in held.blocked if each.tag == tag(key)]
            if held.set_by_key == key:
                settings = {k: v for k, v in msgspec.to_builtins(held).items() if k != "blocked"}
                places.append({"place": place, "set_by_you": settings, "blocked": bool(blocked)})
            elif blocked:
                places.append({"place": place, "blocked": True, "as": blocked[0]})
        return places

    async def _links(self, key: str) -> list[Excerpt]:
        links: list[Excerpt] = []
        for held, until in await self.services.sessions.list_held(key):
            match held:
                case Session():
                    about = {"what": "session or its link", "name": held.name, "place": held.place}
                case Watched():
                    about = {"what": "table that you watch", "table": held.table}
                case _ if (proposal := read_proposal(held)) is not None:
                    about = {"what": "question whether to link accounts", "with": proposal.other.name}
                case _ if (draft := read_draft(held)) is not None:
                    about = {"what": "draft of a league", "draft": msgspec.to_builtins(draft)}
                case _:
                    about = {"what": "link or code", "leads_to": held.decode("utf-8", "replace")}
            links.append(about | {"until": _moment(until)})
        return links


async def forget(services: Services, account: str) -> None:
    """Delete everything about an account. What leads to the rest is deleted last, so that an interrupted
    request can be repeated. Raises Refused `busy`, StoreUnavailable, UnknownSchema."""
    for table in await services.store.index.tables_of(account):
        await _forget_at(services, table, account)
    await services.communities.forget(account)
    await services.daily.forget(account)
    await services.played.history.forget(account)
    await services.leagues.forget(account)
    await services.accounts.withdraw(account)
    await services.store.tokens.drop_all(account)
    await services.sessions.end_all(account)
    await services.people.forget(account)


async def _forget_at(services: Services, table: TableId, account: str) -> None:
    stored = await services.tables.change_if_there(
        table, None, lambda stored: membership.forget_person(stored.value, account, services.dealing.delays)
    )
    if stored is not None and not stored.value.is_over:
        await services.delivery.take_rack(table, account)
    notes = [name for name in await services.store.notes.load(table) if account in name.split()]
    if notes:
        await services.store.notes.drop(table, *notes)


def _seat(seat: Seat) -> Excerpt:
    """Return a seat as it is stored, its moments included."""
    kept: dict[str, Any] = msgspec.to_builtins(seat)
    return kept | {"seen": _moment(seat.seen) if seat.seen else ""}


def _match(dated: Dated, key: str) -> Excerpt:
    """Return a match of the history, with the others' names alone."""
    match = dated.match
    return {
        "table": match.table,
        "ended": _moment(dated.at),
        "game": match.game,
        "players": [each.name for each in match.players],
        "your_seat": next((n for n, each in enumerate(match.players) if each.person == key), None),
        "rounds": msgspec.to_builtins(match.rounds),
        "scores": list(match.scores),
        "winners": list(match.winners),
        "over": match.over,
    }


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


async def _read_known(read: Callable[[], Awaitable[T]]) -> T | None:
    """Return the value read; None when there is none, or when another version of the program wrote it."""
    try:
        return await read()
    except (Refused, UnknownSchema):
        return None
