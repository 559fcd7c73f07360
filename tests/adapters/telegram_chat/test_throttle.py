"""What lets the calls of a process to Telegram begin: few are ever under way at once."""

import asyncio

from adapters.telegram_chat.calls import CALLS_A_SECOND, MOST_UNDER_WAY, Throttle
from tests.patience import PATIENCE

TELEGRAM_TAKES = 30
"""Messages and edits a second of one bot."""


async def test_calls_that_are_late_and_those_of_the_next_second_stay_within_what_telegram_takes() -> None:
    assert MOST_UNDER_WAY + CALLS_A_SECOND <= TELEGRAM_TAKES
    throttle, arrived = Throttle(), asyncio.Event()
    under_way = 0

    async def call() -> None:
        nonlocal under_way
        under_way += 1
        await arrived.wait()

    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as calls:
        for chat in range(MOST_UNDER_WAY + 5):
            calls.create_task(throttle.call(chat, call))
        while under_way < MOST_UNDER_WAY:  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        await asyncio.sleep(5 / CALLS_A_SECOND)  # in which the others would begin
        assert under_way == MOST_UNDER_WAY
        arrived.set()
    assert under_way == MOST_UNDER_WAY + 5
