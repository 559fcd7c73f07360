"""A real browser for the page. Without Chromium these tests are skipped, and say so."""

import os
import shutil
import warnings
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    ViewportSize,
    async_playwright,
    expect,
)

from tests.browser.slow_line import MESSAGES_COME_LATE
from tests.patience import PATIENCE

CHROMIUM = (
    os.environ.get("CHROMIUM", ""),
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
)
"""The first of them that is there. One without windows takes a quarter less of the processor."""
NOT_NEEDED = (
    "LocalNetworkAccessChecks",
    "SpareRendererForSitePerProcess",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
)
"""Features of Chromium. With pages for its address bar and a spare one, each test takes three processes and
twice the time."""
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(NOT_NEEDED)}",
)
PHONE: ViewportSize = {"width": 390, "height": 844}
WITHIN = PATIENCE * 1000
"""Milliseconds."""


def chromium_path() -> str:
    """Where Chromium is; skips the test aloud when there is none."""
    for name in CHROMIUM:
        if name and (path := shutil.which(name)):
            return path
    reason = "NO CHROMIUM: the page was not tried in a browser (apt install chromium, or set CHROMIUM)"
    warnings.warn(reason, stacklevel=1)
    pytest.skip(reason)


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[Browser]:
    path = chromium_path()
    expect.set_options(timeout=WITHIN)
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield launched
        await launched.close()


_AWAY = ("WebSocket connection", "net::ERR_CONNECTION_", "net::ERR_EMPTY_RESPONSE", "net::ERR_SOCKET_")
"""What a browser says of a server that is stopped, by the moment at which it was."""


MODULE = "window.module = () => import(document.body.dataset.files + 'app.js');"
"""Gives tests the page's own modules: their address has the digest of its files."""


class Complaints:
    """What the browser complained about: scripts that failed, styles or pictures that the policy refused."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def listen(self, page: Page) -> None:
        page.on("console", self._console)
        page.on("pageerror", self._error)

    def _console(self, message: ConsoleMessage) -> None:
        away = any(words in message.text for words in _AWAY)
        if message.type in ("error", "warning") and not away:
            self.heard.append(message.text)

    def _error(self, error: Error) -> None:
        self.heard.append(str(error))


@pytest_asyncio.fixture(loop_scope="session")
async def phone(browser: Browser, request: pytest.FixtureRequest) -> AsyncIterator[BrowserContext]:
    """A phone's browser, English, with touch; nothing slides. The test fails when it complains."""
    context = await browser.new_context(
        viewport=PHONE, has_touch=True, locale="en-GB", reduced_motion="reduce"
    )
    context.set_default_timeout(WITHIN)
    if request.config.getoption("--late-messages"):
        await context.add_init_script(MESSAGES_COME_LATE)
    await context.add_init_script(MODULE)
    complaints = Complaints()
    context.on("page", complaints.listen)
    yield context
    await context.close()
    assert complaints.heard == []
