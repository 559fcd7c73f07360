"""Tables of Okey 101 in the middle of a round, with given racks and melds, in a real store."""

from collections.abc import Mapping
from dataclasses import replace

from msgspec import structs

from bot.ports import Person
from bot.repository.tables import StoredTable
from bot.tables import racks
from bot.tables.table import Change, Table
from engine.games import OKEY101
from engine.melds import Laid, MeldRules, Way, meld_of, read_as_played
from engine.record import read_placed
from engine.state import Phase
from engine.tiles import tile_from_text, tiles_from_text
from tests.bot.house import House


async def laid_out(
    house: House,
    *people: Person,
    rack: str,
    others: str = "",
    indicator: str = "K13",
    melds: str = "",
    opened: Mapping[int, Way] | None = None,
    phase: Phase = "discard",
    pile: str = "",
    stock: str = "R13 Y13 B13 R12 Y12 B12",
    rules: str = "okey101",
) -> str:
    """A table of these people. The first is on turn with `rack`; each of the others has `others`.

    `melds` are on the table, laid by the second person, who has opened. `pile` may be taken from.
    """
    table = await house.open(*people, words=f"{rules} {len(people)}")
    await house.press(people[0], f"start.{table}.0", private=False)

    def lay(stored: StoredTable) -> Change:
        return Change(
            lay_out(
                stored.value,
                rack=rack,
                others=others,
                indicator=indicator,
                melds=melds,
                opened=opened or {},
                phase=phase,
                pile=pile,
                stock=stock,
            )
        )

    await house.app.tables.change(table, None, lay)
    return table


def lay_out(
    table: Table,
    *,
    rack: str,
    others: str,
    melds: str,
    opened: Mapping[int, Way],
    phase: Phase,
    pile: str,
    indicator: str = "K13",
    stock: str = "R13 Y13 B13 R12 Y12 B12",
) -> Table:
    """The table with other tiles, as `laid_out` has them."""
    round = table.match.round
    assert round is not None
    round = replace(round, indicator=tile_from_text(indicator))
    laid, no_wrap = [], MeldRules(round.okey, wrap=False)
    for text in filter(None, melds.split("/")):
        meld = meld_of(no_wrap, [read_as_played(read_placed(word), round.okey) for word in text.split()])
        assert meld is not None, text
        laid.append(Laid(1, meld))
    seats = range(len(table.seats))
    tiles = tuple(tuple(sorted(tiles_from_text(others if seat else rack))) for seat in seats)
    piles = tuple(tiles_from_text(pile if seat == len(seats) - 1 else "") for seat in seats)
    board = replace(round.board, melds=tuple(laid), opened=tuple(opened.get(seat) for seat in seats))
    round = replace(
        round,
        racks=tiles,
        piles=piles,
        stock=tiles_from_text(stock),
        turn=0,
        phase=phase,
        drawn=None,
        source=None,
        turns=8,
        board=board,
    )
    for seat in seats:
        table = table.with_seat(seat, shelves=racks.by_runs(tiles[seat], round.okey, OKEY101.shelf_size))
    openings = tuple(118 if opened.get(seat) else 0 for seat in seats)
    return structs.replace(
        table, match=replace(table.match, round=round), news=structs.replace(table.news, openings=openings)
    )
