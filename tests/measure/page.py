"""`python -m tests.measure.page`: what the page costs a phone: bytes, requests, paint, shifts, frames.

A first visit on a processor four times as slow and a line like the Slow 4G of the developer tools, then
a second one with 100 ms for each round trip, and a tile that is dragged. Times hold on an idle machine only.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from playwright.async_api import Browser, CDPSession, Page, ViewportSize, async_playwright

from tests.browser.conftest import ARGUMENTS, chromium_path
from tests.browser.fingers import Finger
from tests.browser.test_table import SHIFTS, Served, enter, pile, place, tile

SLOW_4G = {"latency": 562.5, "downloadThroughput": 180_000, "uploadThroughput": 84_375}
"""Milliseconds, and bytes a second."""
NEAR = {"latency": 100, "downloadThroughput": 1_250_000, "uploadThroughput": 1_250_000}
SLOWER = 4
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
PHONE: ViewportSize = {"width": 390, "height": 844}
FRAMES = """() => {
    window.frames_ = [], window.tasks = [];
    new PerformanceObserver(all => all.getEntries().forEach(each => tasks.push(each.duration)))
        .observe({type: 'longtask'});
    let last = performance.now();
    const next = now => { frames_.push(now - last); last = now; requestAnimationFrame(next); };
    requestAnimationFrame(next);
}"""
"""Notes how long each frame lasts, and the tasks of 50 ms and more."""
WORK = """() => {
    window.work = { pointermove: [], pointerup: [] };
    const measured = (name, does) => function (...all) {
        const begun = performance.now();
        try { return does.apply(this, all); } finally { work[name].push(performance.now() - begun); }
    };
    const listen = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (name, does, more) {
        const own = name in work && typeof does === 'function' ? measured(name, does) : does;
        return listen.call(this, name, own, more);
    };
}"""
"""Notes how long the page works at each step of a finger, and when it lets go."""


@dataclass
class Traffic:
    """What has gone over the wire for a page."""

    bytes: int = 0
    requests: set[str] = field(default_factory=set)

    async def count(self, devtools: CDPSession) -> None:
        """Count from now on."""
        await devtools.send("Network.enable")
        devtools.on("Network.requestWillBeSent", lambda event: self.requests.add(event["requestId"]))
        devtools.on("Network.webSocketCreated", lambda event: self.requests.add(event["requestId"]))
        devtools.on("Network.requestServedFromCache", lambda event: self.requests.discard(event["requestId"]))
        devtools.on("Network.responseReceived", self._respond)
        devtools.on("Network.loadingFinished", self._finish)

    def _respond(self, event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            self.requests.discard(event["requestId"])

    def _finish(self, event: dict[str, Any]) -> None:
        self.bytes += int(event["encodedDataLength"])


@asynccontextmanager
async def visiting(browser: Browser) -> AsyncIterator[tuple[Served, Page, CDPSession]]:
    """A server, a new phone, and what its developer tools say."""
    served = Served()
    await served.start()
    context = await browser.new_context(viewport=PHONE, has_touch=True, locale="en-GB")
    page = await context.new_page()
    yield served, page, await context.new_cdp_session(page)
    await context.close()
    await served.stop()


async def throttle(devtools: CDPSession, line: dict[str, float], slower: int) -> None:
    """Make the line and the processor slow."""
    await devtools.send("Network.emulateNetworkConditions", {"offline": False, **line})
    await devtools.send("Emulation.setCPUThrottlingRate", {"rate": slower})


async def measure_visits(browser: Browser) -> dict[str, str]:
    """A first visit on a slow phone and line, and a second one."""
    async with visiting(browser) as (served, page, devtools):
        traffic = Traffic()
        await traffic.count(devtools)
        await throttle(devtools, SLOW_4G, SLOWER)
        await page.goto(served.url)
        await page.locator("#name").wait_for()
        first = {
            "first visit: bytes over the wire": f"{traffic.bytes:,}",
            "first visit: requests": str(len(traffic.requests)),
            "first visit: first paint, Slow 4G, CPU / 4": f"{await page.evaluate(PAINT):.0f} ms",
            "first visit: shifts (CLS)": f"{await page.evaluate(SHIFTS):.3f}",
        }
        await page.locator("#name").fill("Ada")
        await page.keyboard.press("Enter")
        await page.locator("[data-do=now]").wait_for()
        await page.goto("about:blank")
        await throttle(devtools, NEAR, 1)
        await asyncio.sleep(1)  # what the first visit still says
        again = Traffic()
        await again.count(devtools)
        begun = monotonic()
        await page.goto(served.url)
        await page.locator("[data-do=now]").wait_for()
        return first | {
            "second visit: requests": str(len(again.requests)),
            "second visit: until Play now, 100 ms a round trip": f"{1000 * (monotonic() - begun):.0f} ms",
        }


async def measure_drag(browser: Browser) -> dict[str, str]:
    """A tile that is dragged over the whole rack and dropped there, then on the pile, on a slow phone."""
    async with visiting(browser) as (served, page, devtools):
        await page.add_init_script(f"({WORK})()")
        await enter(page, served.url)
        await page.locator("[data-do=now]").tap()
        await page.locator("button.stock").tap()
        await page.locator(".bay button").wait_for()
        await devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        await page.evaluate(FRAMES)
        finger = await Finger.on(page)
        await finger.hold(tile(page, "black 3"), place(page, 8), above=30)
        for at in (*range(9, 24), *range(22, 8, -1)):
            await finger.move(place(page, at), above=30)
        await finger.let_go()
        await place(page, 9).locator("[data-tile]").wait_for()
        await finger.drag(tile(page, "black 3"), pile(page), above=30)
        work, frames, tasks = await page.evaluate("[work, frames_, tasks]")
        steps = sorted(each for each in work["pointermove"] if each > 0.3)
        drops = [each for each in work["pointerup"] if each > 0.3][-2:]
        return {
            "drag: steps that drew, CPU / 4": str(len(steps)),
            "drag: work of a step, median": f"{steps[len(steps) // 2]:.1f} ms",
            "drag: work of a step, longest": f"{steps[-1]:.1f} ms",
            "drop: work, on the rack and on the pile": " + ".join(f"{each:.1f}" for each in drops) + " ms",
            "drag: longest frame": f"{max(frames):.0f} ms",
            "drag: tasks of 50 ms and more": str(len(tasks)),
        }


async def main() -> None:
    """Measure and print."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        for name, figure in (await measure_visits(browser) | await measure_drag(browser)).items():
            print(f"{name:<55}{figure:>12}")
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
