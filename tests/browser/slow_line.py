"""A line to the page on which the server's messages come late."""

import asyncio

from playwright.async_api import BrowserContext, WebSocketRoute

from tests.patience import PATIENCE


class SlowLine:
    """Passes on what a server tells a page, and can hold it back for as long as a test wants."""

    def __init__(self) -> None:
        self._held: list[str | bytes] | None = None
        self._came = asyncio.Event()

    @classmethod
    async def of(cls, context: BrowserContext) -> "SlowLine":
        """The line of the page that is opened next."""
        line = cls()
        await context.route_web_socket("**/socket", line._open)
        return line

    def hold(self) -> None:
        self._held = []

    def let_go(self) -> None:
        """Pass on what was held back, and all that comes from now on."""
        held, self._held = self._held or [], None
        for message in held:
            self.tell(message)

    def tell(self, message: str | bytes) -> None:
        """Send the page a message now."""
        self._page.send(message)

    async def until_held(self, words: str) -> str:
        """Wait until a rack with these words in it is held back, with all that came with it. Return it."""
        async with asyncio.timeout(PATIENCE):
            while not (rack := self._rack(words)):
                self._came.clear()
                await self._came.wait()
        return rack

    def _rack(self, words: str) -> str:
        held = [str(message) for message in self._held or []]
        racks = [at for at, message in enumerate(held) if '"kind":"rack"' in message and words in message]
        answered = racks and any('"kind":"done"' in message for message in held[racks[0] :])
        return held[racks[0]] if answered else ""

    def _open(self, route: WebSocketRoute) -> None:
        self._page = route
        route.connect_to_server().on_message(self._told)

    def _told(self, message: str | bytes) -> None:
        if self._held is None:
            self.tell(message)
        else:
            self._held.append(message)
            self._came.set()
