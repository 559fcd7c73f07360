"""Lines to a page on which the server's messages come late: as late as a test wants, or by chance."""

import asyncio

from playwright.async_api import BrowserContext, Page, WebSocketRoute

from tests.patience import PATIENCE

MESSAGES_COME_LATE = """
    const wait = setTimeout.bind(window);  // the page's own may be stopped by a test
    window.WebSocket = class extends WebSocket {
        #told = Promise.resolve();

        #late(handler) {
            return (event) => {
                const due = new Promise((done) => wait(done, 200 + 900 * Math.random()));
                this.#told = this.#told.then(() => due).then(() => handler.call(this, event));
            };
        }

        set onmessage(handler) {
            super.onmessage = this.#late(handler);
        }

        set onclose(handler) {
            super.onclose = this.#late(handler);
        }
    };
"""
"""A script for a page that is to come: what its server says comes 0.2 to 1.1 seconds late, in its order."""


class SlowLine:
    """Passes on what a server tells a page, and can hold it back for as long as a test wants."""

    def __init__(self) -> None:
        self._held: list[str] | None = None
        self._holds_after = ""
        self._came = asyncio.Event()

    @classmethod
    async def of(cls, context: BrowserContext | Page) -> "SlowLine":
        """The line of the page that is opened next."""
        line = cls()
        await context.route_web_socket("**/socket", line._open)
        return line

    def hold(self, *, after: str = "") -> None:
        """Hold back what comes from now on, or after the next message of this kind."""
        self._held, self._holds_after = None if after else [], after

    def let_go(self) -> None:
        """Pass on what was held back, and all that comes from now on."""
        held, self._held = self._held or [], None
        for message in held:
            self.tell(message)

    def tell(self, message: str) -> None:
        """Send the page a message now."""
        self._page.send(message)

    async def until_held(self, kind: str, words: str = "", *, then: str = "") -> str:
        """Wait until a message of this kind with these words is held back, and one of the kind `then` after
        it. Return it."""
        async with asyncio.timeout(PATIENCE):
            while not (found := self._find(kind, words, then)):
                self._came.clear()
                await self._came.wait()
        return found

    def _find(self, kind: str, words: str, then: str) -> str:
        held = self._held or []
        found = [at for at, message in enumerate(held) if is_of(kind, message) and words in message]
        complete = found and (not then or any(is_of(then, message) for message in held[found[0] :]))
        return held[found[0]] if complete else ""

    def _open(self, route: WebSocketRoute) -> None:
        self._page = route
        route.connect_to_server().on_message(lambda message: self._told(str(message)))

    def _told(self, message: str) -> None:
        if self._held is not None:
            self._held.append(message)
            self._came.set()
            return
        self.tell(message)
        if self._holds_after and is_of(self._holds_after, message):
            self.hold()


def is_of(kind: str, message: str) -> bool:
    return f'"kind":"{kind}"' in message


class FarAway:
    """A server's port as somebody far away reaches it: everything takes its time either way, and the line can
    drop. What is under way then arrives once it is back, as TCP sees to."""

    def __init__(self, seconds: float) -> None:
        """`seconds`: of a round trip."""
        self._way = seconds / 2
        self._up = asyncio.Event()
        self._up.set()
        self._tasks = set[asyncio.Task[None]]()

    async def open(self, port: int) -> int:
        """Lead to a local port, and return the far one."""
        self._port = port
        self._server = await asyncio.start_server(self._lead, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    def drop(self) -> None:
        """Drop the line. Nobody is told."""
        self._up.clear()

    def restore(self) -> None:
        """Bring the line back."""
        self._up.set()

    async def close(self) -> None:
        """Close it for good."""
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _lead(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._port)
        for source, target in ((reader, there_writer), (there_reader, writer)):
            task = asyncio.create_task(self._carry(source, target))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _carry(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        """Carry each piece in its order, each in its own time."""
        under_way = asyncio.Queue[tuple[float, bytes]]()
        arriving = asyncio.create_task(self._deliver(under_way, target))
        try:
            content = b"-"
            while content:
                content = await source.read(65536)
                under_way.put_nowait((asyncio.get_running_loop().time() + self._way, content))
            await arriving
        except ConnectionError:
            target.close()
        finally:
            arriving.cancel()

    async def _deliver(
        self, under_way: asyncio.Queue[tuple[float, bytes]], target: asyncio.StreamWriter
    ) -> None:
        content = b"-"
        while content:
            due, content = await under_way.get()
            await asyncio.sleep(due - asyncio.get_running_loop().time())
            await self._up.wait()
            target.write(content)
            await target.drain()
        target.close()
