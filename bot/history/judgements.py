"""Judgements: how well rounds were played, each judged once and stored, so that a season can be summed up."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.errors import Refused
from bot.history.archive import Archive
from bot.history.records import Records
from bot.ids import TableId
from bot.repository.tables import StoredTable, TableRepository
from bot.store import Store
from bot.store.codec import Codec, UnknownSchema

PATIENCE: Final = 1.5
"""Seconds after which no further round is judged for one request: the rest follows at the next."""


class PlayedSeat(NamedTuple):
    """A seat in a finished round. The rounds that are summed up must be of one game."""

    table: TableId
    round: int
    """Its number among the scored ones, from 1."""
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The stored summary of a review."""

    decisions: int
    kept: float
    """The sum of the decisions' shares of the best, each from 0 to 1."""
    luck: float
    """The luck of the deal and the draws together: in tiles, at Okey 101 in points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonPlay:
    """The summary of several rounds."""

    rounds: int
    accuracy: float
    """The mean share of the best, from 0 to 1."""
    luck: float
    """The mean luck of a round."""
    unjudged: int
    """The number of rounds that are not judged yet."""


_CODEC: Final = Codec(Judgement, 1)


class Judgements:
    """The judgements of one store."""

    def __init__(self, store: Store, archive: Archive, tables: TableRepository, records: Records) -> None:
        self._store = store
        self._archive = archive
        self._tables = tables
        self._records = records

    async def of(self, played: Iterable[PlayedSeat]) -> SeasonPlay | None:
        """Return the summary of these rounds as far as they are judged by now; None when none is or will be.
        A round without a record is left out. Raises StoreUnavailable."""
        until, judged, unjudged = time.monotonic() + PATIENCE, [], 0
        for each in played:
            judgement = await self._read_kept(each)
            if judgement is None and time.monotonic() > until:
                unjudged += 1
                continue
            judgement = judgement or await self._judge(each)
            judged += [] if judgement is None else [judgement]
        decisions = sum(each.decisions for each in judged)
        if not decisions and not unjudged:
            return None
        return SeasonPlay(
            rounds=len(judged),
            accuracy=sum(each.kept for each in judged) / decisions if decisions else 1.0,
            luck=sum(each.luck for each in judged) / len(judged) if judged else 0.0,
            unjudged=unjudged,
        )

    async def _read_kept(self, played: PlayedSeat) -> Judgement | None:
        return _CODEC.decode_known(await self._store.history.judgement(*played))

    async def _judge(self, played: PlayedSeat) -> Judgement | None:
        try:
            stored = await self._table(played.table)
            if stored is None:
                return None
            deal = await self._records.deal_of(stored, played.round)
            review = (await self._records.review(stored, deal, played.seat)).review
        except (Refused, UnknownSchema):
            return None
        judgement = Judgement(
            decisions=len(review.decisions),
            kept=review.accuracy * len(review.decisions),
            luck=review.luck_of_deal + review.luck_of_draws,
        )
        await self._store.history.keep_judgement(*played, _CODEC.encode(judgement))
        return judgement

    async def _table(self, table: TableId) -> StoredTable | None:
        return await self._tables.load(table) or await self._archive.load(table)
