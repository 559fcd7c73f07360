"""Stalls: the event loops of this process stop now and then, as where other programs take the processor.

Read by `site` as a process begins, so that every process of the environment stalls. See `tests.slow`.
"""

import asyncio
import random
import time

_run_once = asyncio.BaseEventLoop._run_once  # type: ignore[attr-defined]
_chance = random.Random()
_next = time.monotonic() + _chance.uniform(2, 6)


def _run_once_or_stall(loop: asyncio.BaseEventLoop) -> None:
    global _next
    if time.monotonic() > _next:
        time.sleep(_chance.uniform(0.2, 1.2))
        _next = time.monotonic() + _chance.uniform(2, 6)
    _run_once(loop)


asyncio.BaseEventLoop._run_once = _run_once_or_stall  # type: ignore[attr-defined]
