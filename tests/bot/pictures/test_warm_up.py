"""The processes that draw have all drawn before anybody waits for a picture."""

from bot.pictures import warm_up
from bot.pool import POOL


async def test_each_process_is_there_and_has_drawn() -> None:
    async with POOL.processes(2, ("bot.pictures",)):
        await warm_up()
        assert len(POOL._executor._processes) == 2  # type: ignore[union-attr]
