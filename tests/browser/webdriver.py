"""Other browsers than Chromium, as W3C's WebDriver drives them: Firefox over its socket, WebKit over HTTP."""

import asyncio
import base64
import json
import os
import re
import shutil
import tempfile
from abc import ABC, abstractmethod
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, ClassVar

from aiohttp import ClientSession, ClientWebSocketResponse

from tests.evening.running_bot import free_port

WITHIN = 20
"""Seconds for anything that is waited for."""
SIZE = (390, 844)
STEPS = 6
"""Moves between touching and letting go."""
_ARROWS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Delete": "\ue017", "Space": " "} | _ARROWS
PREFERENCES = {
    "intl.accept_languages": "en-GB",
    "dom.w3c_touch_events.enabled": 1,
    "ui.prefersReducedMotion": 1,
}
_LISTENS = """(() => {
    window.heard = [];
    for (const each of ['error', 'warn']) console[each] = (...said) => heard.push(said.join(' '));
    addEventListener('error', ({message}) => heard.push(message));
    addEventListener('unhandledrejection', ({reason}) => heard.push(String(reason)));
    document.addEventListener('securitypolicyviolation', ({blockedURI}) => heard.push(blockedURI));
})()"""
"""WebKit's driver does not tell what the console says."""

Actions = list[dict[str, Any]]


class Browser(ABC):
    """One page in one browser."""

    name: ClassVar[str]
    pointer: ClassVar[str]

    @classmethod
    @abstractmethod
    def is_installed(cls) -> bool: ...

    @classmethod
    @abstractmethod
    async def launch(cls, stack: AsyncExitStack) -> "Browser":
        """One that runs until the stack is closed."""

    @abstractmethod
    async def open(self, url: str) -> None: ...

    @abstractmethod
    async def evaluate(self, expression: str) -> Any:
        """The worth of a JavaScript expression, as JSON."""

    @abstractmethod
    async def perform(self, kind: str, actions: Actions) -> None:
        """Actions of one `pointer` or `key`."""

    @abstractmethod
    async def complaints(self) -> list[str]:
        """What the browser complained about since this was last asked."""

    @abstractmethod
    async def screenshot(self) -> bytes: ...

    async def until(self, condition: str) -> Any:
        """The first true worth of an expression."""
        ends = asyncio.get_running_loop().time() + WITHIN
        while not (worth := await self.evaluate(condition)):
            assert asyncio.get_running_loop().time() < ends, f"not within {WITHIN} s: {condition}"
            await asyncio.sleep(0.03)
        return worth

    async def tap(self, selector: str) -> None:
        x, y = await self._middle(selector)
        await self.perform("pointer", [_to(x, y), {"type": "pointerDown", "button": 0}, _up()])

    async def drag(self, what: str, to: str, *, above: float = 0) -> None:
        """Put something somewhere else; `above`: the finger lets go so far below, for it hides the tile."""
        (x, y), (to_x, to_y) = await self._middle(what), await self._middle(to)
        parts = [step / STEPS for step in range(1, STEPS + 1)]
        moves = [_to(x + (to_x - x) * part, y + (to_y + above - y) * part, 16) for part in parts]
        await self.perform("pointer", [_to(x, y), {"type": "pointerDown", "button": 0}, *moves, _up()])

    async def keys(self, *names: str) -> None:
        pressed = [KEYS.get(name, name) for name in names]
        steps = [{"type": kind, "value": key} for key in pressed for kind in ("keyDown", "keyUp")]
        await self.perform("key", steps)

    async def _middle(self, selector: str) -> tuple[float, float]:
        """Where a finger would go for something that lies still, with nothing over it."""
        script = f"""(() => {{
            const found = document.querySelector({json.dumps(selector)});
            if (!found || found.getAnimations().length) return null;
            const box = found.getBoundingClientRect();
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            return found.contains(document.elementFromPoint(x, y)) && [x, y];
        }})()"""
        x, y = await self.until(script)
        return x, y


def _to(x: float, y: float, milliseconds: int = 0) -> dict[str, Any]:
    return {"type": "pointerMove", "x": round(x), "y": round(y), "duration": milliseconds}


def _up() -> dict[str, Any]:
    return {"type": "pointerUp", "button": 0}


class Firefox(Browser):
    """WebDriver BiDi, with true touches."""

    name, pointer = "Firefox", "touch"

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self._socket = socket
        self._asked = 0
        self._heard: list[str] = []
        self._page: dict[str, str] = {}

    @classmethod
    def is_installed(cls) -> bool:
        return bool(shutil.which("firefox-esr") or shutil.which("firefox"))

    @classmethod
    async def launch(cls, stack: AsyncExitStack) -> "Browser":
        profile = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        lines = [f"user_pref({json.dumps(key)}, {json.dumps(worth)});" for key, worth in PREFERENCES.items()]
        (Path(profile) / "user.js").write_text("\n".join(lines))
        program = shutil.which("firefox-esr") or "firefox"
        options = ("--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0")
        running = await asyncio.create_subprocess_exec(
            program, *options, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
        )
        stack.push_async_callback(_stop, running)
        assert running.stderr
        address = None
        while not address:
            address = re.search(r"listening on (ws://\S+)", (await running.stderr.readline()).decode())
        reading = asyncio.create_task(running.stderr.read())  # a full pipe would stop it
        stack.callback(reading.cancel)
        http = await stack.enter_async_context(ClientSession())
        socket = await stack.enter_async_context(http.ws_connect(f"{address[1]}/session", max_msg_size=0))
        browser = cls(socket)
        await browser._ask("session.new", capabilities={})
        await browser._ask("session.subscribe", events=["log.entryAdded"])
        browser._page = {"context": (await browser._ask("browsingContext.create", type="tab"))["context"]}
        viewport = {"width": SIZE[0], "height": SIZE[1]}
        await browser._ask("browsingContext.setViewport", viewport=viewport, **browser._page)
        return browser

    async def open(self, url: str) -> None:
        await self._ask("browsingContext.navigate", url=url, wait="complete", **self._page)

    async def evaluate(self, expression: str) -> Any:
        script = f"(async () => JSON.stringify(await {expression}))()"
        told = await self._ask("script.evaluate", expression=script, awaitPromise=True, target=self._page)
        assert told["type"] == "success", told
        return json.loads(told["result"].get("value", "null"))

    async def perform(self, kind: str, actions: Actions) -> None:
        await self._ask("input.performActions", actions=_source(self, kind, actions), **self._page)

    async def complaints(self) -> list[str]:
        heard, self._heard = self._heard, []
        return heard

    async def screenshot(self) -> bytes:
        return base64.b64decode((await self._ask("browsingContext.captureScreenshot", **self._page))["data"])

    async def _ask(self, method: str, **params: Any) -> Any:
        self._asked += 1
        await self._socket.send_json({"id": self._asked, "method": method, "params": params})
        while (told := await self._socket.receive_json(timeout=WITHIN)).get("id") != self._asked:
            entry = told.get("params", {})
            if entry.get("level") in ("error", "warn"):
                self._heard.append(entry["text"])
        assert told["type"] == "success", told
        return told["result"]


class WebKit(Browser):
    """WebDriver over HTTP. On Linux its driver makes no touches: the mouse drags."""

    name, pointer = "WebKit", "mouse"

    def __init__(self, http: ClientSession, driver: str) -> None:
        self._http = http
        self._driver = driver

    @classmethod
    def is_installed(cls) -> bool:
        return bool(shutil.which("WebKitWebDriver") and shutil.which("Xvfb"))

    @classmethod
    async def launch(cls, stack: AsyncExitStack) -> "Browser":
        folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        port = free_port()
        changed = {
            "DISPLAY": await _display(stack),
            "HOME": folder,
            "WEBKIT_DISABLE_DMABUF_RENDERER": "1",
        }
        running = await asyncio.create_subprocess_exec(
            "WebKitWebDriver",
            f"--port={port}",
            env=os.environ | changed,
            stderr=asyncio.subprocess.DEVNULL,
        )
        stack.push_async_callback(_stop, running)
        http = await stack.enter_async_context(ClientSession())
        browser = cls(http, f"http://127.0.0.1:{port}")
        await browser._begin()
        stack.push_async_callback(browser._call, "DELETE", "")
        return browser

    async def _begin(self) -> None:
        async with asyncio.timeout(WITHIN):
            while True:
                try:
                    session = await self._call("POST", "/session", capabilities={})
                    break
                except OSError:
                    await asyncio.sleep(0.1)
        self._driver += f"/session/{session['sessionId']}"
        await self._call("POST", "/window/rect", width=SIZE[0], height=SIZE[1])

    async def open(self, url: str) -> None:
        await self._call("POST", "/url", url=url)
        await self.evaluate(_LISTENS)

    async def evaluate(self, expression: str) -> Any:
        script = f"return (async () => JSON.stringify(await {expression}))()"
        return json.loads(await self._call("POST", "/execute/sync", script=script, args=[]) or "null")

    async def perform(self, kind: str, actions: Actions) -> None:
        await self._call("POST", "/actions", actions=_source(self, kind, actions))

    async def complaints(self) -> list[str]:
        heard: list[str] = await self.evaluate("heard.splice(0)")
        return heard

    async def screenshot(self) -> bytes:
        return base64.b64decode(await self._call("GET", "/screenshot"))

    async def _call(self, method: str, path: str, **body: Any) -> Any:
        sent = body if method == "POST" else None
        async with self._http.request(method, self._driver + path, json=sent) as answer:
            told = (await answer.json())["value"]
            assert answer.ok, told
            return told


def _source(browser: Browser, kind: str, actions: Actions) -> list[dict[str, Any]]:
    parameters = {"parameters": {"pointerType": browser.pointer}} if kind == "pointer" else {}
    return [{"type": kind, "id": kind, "actions": actions, **parameters}]


async def _display(stack: AsyncExitStack) -> str:
    """A screen that nobody sees."""
    reader, writer = os.pipe()
    size = ("-screen", "0", "1400x1000x24")
    running = await asyncio.create_subprocess_exec(
        "Xvfb", "-displayfd", str(writer), *size, pass_fds=[writer], stderr=asyncio.subprocess.DEVNULL
    )
    os.close(writer)
    stack.push_async_callback(_stop, running)
    with os.fdopen(reader) as told:
        return f":{(await asyncio.to_thread(told.readline)).strip()}"


async def _stop(running: asyncio.subprocess.Process) -> None:
    if running.returncode is None:
        running.terminate()
    await running.wait()


BROWSERS: tuple[type[Browser], ...] = (Firefox, WebKit)
