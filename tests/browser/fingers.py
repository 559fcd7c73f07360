"""Fingers on the glass: true touches, as Chromium's own driver makes them."""

import asyncio
import time

from playwright.async_api import CDPSession, Locator, Page

STEPS = 6
"""Moves between touching and letting go."""


class Finger:
    """One finger on a page."""

    def __init__(self, page: Page, driver: CDPSession) -> None:
        self._page = page
        self._driver = driver

    @classmethod
    async def on(cls, page: Page) -> "Finger":
        return cls(page, await page.context.new_cdp_session(page))

    async def drag(self, what: Locator, to: Locator, *, above: float = 0) -> None:
        """Put something somewhere else; `above`: the finger lets go so far below, for it hides the tile."""
        await self.hold(what, to, above=above)
        await self._touch("touchEnd")

    async def hold(self, what: Locator, over: Locator, *, above: float = 0) -> None:
        """Drag without letting go. The first move comes with the touch: on a slow machine a pause between
        them would be a long press."""
        await what.click(trial=True)  # it lies still, and nothing over it
        self._x, self._y = await middle(what)
        first, *others = await self._way(over, above)
        await asyncio.gather(self._touch("touchStart", self._x, self._y), self._touch("touchMove", *first))
        for x, y in others:
            await self._touch("touchMove", x, y)

    async def press(self, what: Locator) -> None:
        """Touch something, and stay there."""
        await what.click(trial=True)  # it lies still, and nothing over it
        self._x, self._y = await middle(what)
        await self._touch("touchStart", self._x, self._y)

    async def move(self, over: Locator, *, above: float = 0) -> None:
        """Move on without letting go."""
        for x, y in await self._way(over, above):
            await self._touch("touchMove", x, y)

    async def flick(self, what: Locator) -> None:
        """Throw something upwards, within a tenth of a second however slow the machine is."""
        await what.click(trial=True)
        (x, y), at = await middle(what), time.time()
        await self._touch("touchStart", x, y, at=at)
        for number, above in enumerate((60, 120, 200), 1):
            await self._touch("touchMove", x, y - above, at=at + 0.02 * number)
        await self._touch("touchEnd", at=at + 0.08)

    async def let_go(self) -> None:
        await self._touch("touchEnd")

    async def lose(self) -> None:
        """The system takes the finger away: a call comes in."""
        await self._touch("touchCancel")

    async def _way(self, over: Locator, above: float) -> list[tuple[float, float]]:
        """The points of a move, from where the finger touched."""
        to_x, to_y = await middle(over)
        parts = [step / STEPS for step in range(1, STEPS + 1)]
        across, down = to_x - self._x, to_y + above - self._y
        return [(self._x + across * part, self._y + down * part) for part in parts]

    async def _touch(self, kind: str, x: float = 0, y: float = 0, *, at: float | None = None) -> None:
        points = [{"x": x, "y": y}] if kind in ("touchStart", "touchMove") else []
        moment = {} if at is None else {"timestamp": at}
        await self._driver.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points, **moment})


async def middle(what: Locator) -> tuple[float, float]:
    """Where a finger would go for it."""
    box = None
    while box is None:  # what has just been drawn anew is looked for again
        await what.wait_for()
        box = await what.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
