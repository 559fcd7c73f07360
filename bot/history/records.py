"""Records: a table's match from its log, for handing out and for replays.

Records contain only finished rounds, whoever asks: a round's seed reveals every rack, so a record holds
nothing of the round in progress, not even for its players.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from dataclasses import replace as with_other
from typing import Any, Final

from cachetools import LRUCache
from msgspec.structs import replace

from bot.errors import Refused
from bot.history.archive import Archive
from bot.ids import TableId
from bot.pool import POOL
from bot.repository.tables import StoredTable
from bot.store import Store
from bot.tables.names import NOBODY
from bot.tables.recent import find_openings, list_public
from bot.tables.table import INSTEAD, Table
from engine.context import Context, context_from_json
from engine.match import Match
from engine.replay import PlayedRound, Position, make_record, positions, seal
from engine.review import Review, review
from engine.shuffle import seed_from_text
from engine.tiles import Tile
from engine.view import SeatView, public_view, seat_view

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """A table at one step of a finished round."""

    table: Table
    racks: tuple[tuple[Tile, ...], ...]
    number: int
    """0 is the deal."""
    last: int


@dataclass(frozen=True, slots=True)
class ReviewedRound:
    """A seat's play of a finished round. Decisions are counted from 1; 0 is the round's end."""

    table: Table
    review: Review
    positions: tuple[Position, ...] = field(repr=False)

    def at(self, decision: int) -> Table:
        """Return the table at the moment of a decision."""
        return _past(self.table, self._until(decision))

    def see(self, seat: int, decision: int) -> SeatView:
        """Return the seat's view at that moment."""
        return seat_view(self._match(decision), seat)

    def racks(self, decision: int) -> tuple[tuple[Tile, ...], ...]:
        """Return everybody's racks at that moment."""
        round = self._match(decision).round
        return () if round is None else round.racks

    def goes_on(self, seat: int) -> bool:
        """Return whether the seat is still in the match after the round."""
        return seat in self._match(0).seats

    @property
    def winner(self) -> int | None:
        """The seat that won the round."""
        outcome = public_view(self._match(0)).outcome
        return None if outcome is None else outcome.winner

    def _match(self, decision: int) -> Match:
        return self._until(decision)[-1].match

    def _until(self, decision: int) -> tuple[Position, ...]:
        return self.positions[: self.review.decisions[decision - 1].step] if decision else self.positions


_REMEMBERED: Final = 16
"""The number of cached rounds, some hundred kB each: a reader turns pages of the same one."""


@dataclass(frozen=True, slots=True)
class _PlayedRound:
    """A finished round."""

    positions: tuple[Position, ...] = field(repr=False)
    reviews: dict[int, Review] = field(default_factory=dict)
    """The reviews that were asked for, by seat."""


class Records:
    """The records of one store's tables."""

    def __init__(self, store: Store, archive: Archive) -> None:
        self._store = store
        self._archive = archive
        self._rounds = LRUCache[tuple[TableId, int], _PlayedRound](_REMEMBERED)
        """The last rounds that were read, which never change. Without it every step of a replay costs 15 ms
        for each thousand moves of the match, and every page of a review up to a second of another process."""

    async def record(self, stored: StoredTable) -> Record:
        """Return the record of the finished rounds, sealed. Raises Refused `no_record` when there is none."""
        return await asyncio.to_thread(_seal, stored.value, await self._play(stored.value))

    async def step(self, stored: StoredTable, round_number: int, number: int) -> Step:
        """Return a step of a round (counted from 1), at most its last. Raises Refused `no_record`."""
        table, walked = stored.value, await self._walk(stored.value, round_number)
        number = min(number, len(walked) - 1)
        round = walked[number].match.round
        assert round is not None
        return Step(_past(table, walked[: number + 1]), round.racks, number, len(walked) - 1)

    async def film(self, stored: StoredTable, round_number: int) -> list[Table]:
        """Return a table as it was at the deal of a round (counted from 1), after every turn and at its end.
        Raises Refused `no_record`."""
        table, walked = stored.value, await self._walk(stored.value, round_number)
        last = len(walked) - 1
        shown = [at for at, step in enumerate(walked) if at in (0, last) or _begins_turn(step)]
        return [_past(table, walked[: at + 1]) for at in shown]

    async def after(self, table: Table, round_number: int) -> Table:
        """Return a table as it was after a round (counted from 1), before the next deal, which has come
        since: that was sealed and bound, and its time is left out. Raises Refused `no_record`."""
        walked = await self._walk(table, round_number)
        following = _rounds(await self._log(table), table)[round_number]
        assert following.context is not None
        sealed = with_other(table.proof.sealed, seal=following.context.seal)
        return replace(
            table,
            stage="between",
            match=walked[-1].match,
            proof=replace(table.proof, sealed=sealed, context=following.context.digest(), awaited=None),
        )

    async def last_played(self, stored: StoredTable, round_number: int, seat: int) -> int:
        """Return the last round up to this one in which a seat was not yet out of the match. Raises as
        `review`."""
        while not _plays(await self._walk(stored.value, round_number), seat):
            round_number -= 1
        return round_number

    async def deal_of(self, stored: StoredTable, scored: int) -> int:
        """Return the deal in which the round was played that is a match's first scored one, its second, …:
        cancelled ones are not scored. Raises Refused `no_record`."""
        deal = scored
        while (await self._walk(stored.value, deal))[-1].match.rounds_scored < scored:
            deal += 1
        return deal

    async def review(self, stored: StoredTable, round_number: int, seat: int) -> ReviewedRound:
        """Return a seat's play of a round (counted from 1). Raises Refused `no_record`, `not_playing`."""
        table, played = stored.value, await self._round(stored.value, round_number)
        if not _plays(played.positions, seat):
            raise Refused("not_playing")
        if seat not in played.reviews:
            others = _instead(await self._log(table), round_number)
            played.reviews[seat] = await POOL.run(review, played.positions, seat, others)
        return ReviewedRound(table, played.reviews[seat], played.positions)

    async def _walk(self, table: Table, round_number: int) -> tuple[Position, ...]:
        """Return the positions of a round. Raises Refused `no_record` unless it is over."""
        return (await self._round(table, round_number)).positions

    async def _round(self, table: Table, round_number: int) -> _PlayedRound:
        """Return a round. Raises Refused `no_record` unless it is over."""
        if not 1 <= round_number <= rounds_over(table):
            raise Refused("no_record")
        asked = (table.id, round_number)
        if asked not in self._rounds:
            played = await self._play(table)
            positions = await asyncio.to_thread(_walk, table, played, round_number)
            self._rounds[asked] = _PlayedRound(positions)
        return self._rounds[asked]

    async def _play(self, table: Table) -> list[PlayedRound]:
        played = _rounds(await self._log(table), table)[: rounds_over(table)]
        if not played:
            raise Refused("no_record")
        return played

    async def _log(self, table: Table) -> Sequence[bytes]:
        return await self._store.documents.log(table.id) or await self._archive.log(table.id)


def rounds_over(table: Table) -> int:
    """Return the number of finished rounds of a table's match."""
    return table.match.round_number - (table.stage == "playing")


def _begins_turn(position: Position) -> bool:
    return position.match.round is not None and position.match.round.phase == "draw"


def _plays(walked: Sequence[Position], seat: int) -> bool:
    return seat in walked[0].match.seats


def _rounds(log: Sequence[bytes], table: Table) -> list[PlayedRound]:
    """Return each round as the log of a table has it, with the words of those who still have their seat."""
    played: list[PlayedRound] = []
    context: Context | None = None
    for line in log:
        entry = json.loads(line)
        if "context" in entry:
            context, _ = context_from_json(entry["context"])
        elif "seed" in entry:
            assert context is not None
            words = table.list_closed_words(context.round_number)
            played.append(PlayedRound(seed_from_text(entry["seed"]), [], context, words))
        else:
            entry.pop(INSTEAD, None)  # no part of a record
            played[-1].actions.append(entry)
    return played


def _instead(log: Sequence[bytes], round_number: int) -> frozenset[int]:
    """Return the steps of a round, from 1, that were not made by the person of their seat."""
    entries = [json.loads(line) for line in log]
    begun = [at for at, entry in enumerate(entries) if "seed" in entry] + [len(entries)]
    steps = entries[begun[round_number - 1] : begun[round_number]]
    return frozenset(step for step, entry in enumerate(steps) if INSTEAD in entry)


def _past(table: Table, walked: Sequence[Position]) -> Table:
    """Return the table as it was at the last of these positions of a finished round."""
    openings = (0,) * len(table.seats)
    for position in walked:
        openings = find_openings(openings, position.events)
    now = walked[-1]
    return replace(
        table,
        stage="playing",
        match=now.match,
        news=replace(table.news, recent=list_public(now.events), openings=openings),
    )


def _record(table: Table, played: Sequence[PlayedRound]) -> Record:
    return make_record(table.match.rules, _names(table, len(played)), played)


def _names(table: Table, rounds: int) -> list[str]:
    """Return the names on the seats when the words of the last round were closed; of who has gone since,
    none."""
    told = ([each.word.name for each in seat.closed if each.round == rounds] for seat in table.seats)
    return [names[0] if names else NOBODY for names in told]


def _seal(table: Table, played: Sequence[PlayedRound]) -> Record:
    return seal(_record(table, played))


def _walk(table: Table, played: Sequence[PlayedRound], round_number: int) -> tuple[Position, ...]:
    every = positions(_record(table, played[:round_number]))
    return tuple(position for position in every if position.round == round_number - 1)
