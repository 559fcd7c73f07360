"""Many tables at once in one group and in one channel: the platforms' limits hold, the newest state wins, and
everybody is told that it is their turn. How soon, at more tables, `python -m tests.evening.crowd` measures.
"""

import asyncio
from pathlib import Path

from tests.evening.crowd import TOLD_SECONDS, Night, a_night
from tests.evening.crowd_figures import Figures
from tests.evening.crowd_people import Crowd, discord_crowd, telegram_crowd
from tests.patience import PATIENCE
from tests.servers.discord_api.client import Address, fresh_discord
from tests.servers.telegram_api.client import eventually, telegram


async def test_tables_that_share_a_place_are_all_told(
    telegram_url: str, discord_server: Address, tmp_path: Path
) -> None:
    async with (
        telegram(telegram_url) as control,
        fresh_discord(discord_server) as discord,
        a_night(tmp_path, await telegram_crowd(control, 8), await discord_crowd(discord, 8)) as night,
    ):
        tables = await night.sit(2)
        await night.seen.until_all_is_told(TOLD_SECONDS)
        await night.begin(tables)
        await night.play(12, look_seconds=(1.0, 3.0))
        await night.seen.until_all_is_told(TOLD_SECONDS)
        found = await _all_told(night)
    for figures in found.values():
        assert figures.turns, "somebody was told"
        _assert_kept(figures)


async def _all_told(night: Night) -> dict[str, Figures]:
    """The figures, once what the last presses caused was told: a press may be answered before it is done."""

    async def told() -> bool:
        seen.update(await night.figures())
        return not any(figures.untold or figures.behind for figures in seen.values())

    seen: dict[str, Figures] = {}
    try:
        await eventually(told, PATIENCE, "somebody was not told")
    except AssertionError as error:
        raise AssertionError(f"{error}: {[figures.report() for figures in seen.values()]}") from None
    return seen


async def _begun(night: Night, tables: int) -> Figures | None:
    """The figures of the only crowd, once so many tables were seen to begin and their first players told."""
    (figures,) = (await night.figures()).values()
    return figures if len(figures.turns) == tables and not figures.untold else None


def _assert_kept(figures: Figures) -> None:
    assert figures.stale == 0
    assert figures.refused == 0
    assert figures.findings == ()


async def test_sixteen_tables_that_begin_at_once_tell_their_first_players_first(
    telegram_url: str, tmp_path: Path
) -> None:
    async with (
        telegram(telegram_url) as control,
        a_night(tmp_path, await telegram_crowd(control, 64)) as night,
    ):
        (crowd,) = night.crowds
        tables = await night.sit(4)
        await night.begin(tables)
        racks = await _all_racks(crowd, tables)
        figures = await eventually(lambda: _begun(night, 16), PATIENCE, "somebody was not told of their turn")
        begins = {commit.on_turn for commit in night.seen.commits} - {None}
    _assert_kept(figures)
    assert len(figures.turns) == len(begins) == 16
    places = [racks.index(person) for person in begins if person is not None]
    assert sum(places) / len(places) < 20, "sixteen of sixty-four, served in any order, would have about 32"


async def _all_racks(crowd: Crowd, tables: list[str]) -> list[str]:
    """The people who were sent their rack, in order, once everybody was."""
    async with asyncio.timeout(PATIENCE):
        while True:
            shown = [each for each in await crowd.showings() if each.table in tables]
            racks = [each.to for each in shown if each.to != crowd.place]
            if len(set(racks)) == len(crowd.people):
                return racks
            await asyncio.sleep(0.2)
