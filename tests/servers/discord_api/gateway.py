"""The gateway: hello, identify or resume, heartbeats, and dispatched events, compressed on request."""

import asyncio
import json
import secrets
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from aiohttp import WSMsgType, web

from tests.servers.discord_api import shapes
from tests.servers.discord_api.world import Interaction, Json, World

DISPATCH: Final = 0
HEARTBEAT: Final = 1
IDENTIFY: Final = 2
RESUME: Final = 6
RECONNECT: Final = 7
INVALID_SESSION: Final = 9
HELLO: Final = 10
HEARTBEAT_ACK: Final = 11

PRIVILEGED: Final = 1 << 1 | 1 << 8 | 1 << 15
LONGEST_PAYLOAD: Final = 4096


class Compressor(Protocol):
    """One compressed stream for the life of a socket. Every payload ends with a flush."""

    def compress(self, data: bytes, /) -> bytes: ...


class Zlib:
    def __init__(self) -> None:
        self._stream = zlib.compressobj()

    def compress(self, data: bytes, /) -> bytes:
        return self._stream.compress(data) + self._stream.flush(zlib.Z_SYNC_FLUSH)


class Zstd:
    """The compression that discord.py requests on Python 3.14, whose standard library has it."""

    def __init__(self) -> None:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]

        self._stream: Any = zstd.ZstdCompressor()
        self._block = zstd.ZstdCompressor.FLUSH_BLOCK

    def compress(self, data: bytes, /) -> bytes:
        compressed: bytes = self._stream.compress(data, self._block)
        return compressed


@dataclass(eq=False)
class Socket:
    """One connection. Its session is known after identify or resume."""

    ws: web.WebSocketResponse
    transport: asyncio.Transport
    compressor: Compressor | None
    session: "Session | None" = None
    beat: float = field(default_factory=time.monotonic)

    async def send(self, payload: Json) -> None:
        text = json.dumps(payload)
        with suppress(ConnectionError):
            if self.compressor is None:
                await self.ws.send_str(text)
            else:
                await self.ws.send_bytes(self.compressor.compress(text.encode()))


@dataclass(eq=False)
class Session:
    """The part that survives a dropped connection: every dispatched event, to be replayed on resume."""

    id: str
    sent: list[Json] = field(default_factory=list)
    socket: Socket | None = None

    async def dispatch(self, event: str, data: Json) -> None:
        payload = {"op": DISPATCH, "t": event, "s": len(self.sent) + 1, "d": data}
        self.sent.append(payload)
        if self.socket is not None:
            await self.socket.send(payload)


class Gateway:
    """All sessions of the bot."""

    def __init__(self, world: World, heartbeat_seconds: float) -> None:
        self.world = world
        self.heartbeat_seconds = heartbeat_seconds
        self.refuse_handshakes = 0
        self.base = ""
        self._sessions: dict[str, Session] = {}
        self._acknowledgements: set[asyncio.Task[None]] = set()
        self.begun = 0
        """The number of sessions begun. A resume begins none."""
        self.presence = ""
        """The line below the bot's name, as its last session set it."""
        self._opens = 0.0
        """The time, by the monotonic clock, from which sessions may be begun again."""

    def reset(self) -> None:
        """Break all connections and forget all sessions."""
        for session in self.connected():
            assert session.socket is not None
            session.socket.transport.abort()
        self._sessions.clear()
        self.refuse_handshakes = self.begun = 0
        self._opens = 0.0

    def use_up(self, seconds: float) -> None:
        """Let no session begin for so long, as if the day's were used up."""
        self._opens = time.monotonic() + seconds

    @property
    def closed_for(self) -> float:
        """The seconds until sessions may be begun again."""
        return max(0.0, self._opens - time.monotonic())

    @property
    def address(self) -> str:
        return self.base.replace("http", "ws", 1) + "/gateway"

    def connected(self) -> list[Session]:
        return [session for session in self._sessions.values() if session.socket is not None]

    def can_deliver(self) -> bool:
        """Return whether there is a session, connected or resumable."""
        return bool(self._sessions)

    async def dispatch(self, event: str, data: Json) -> None:
        for session in self._sessions.values():
            await session.dispatch(event, data)

    async def dispatch_interaction(self, interaction: Interaction) -> None:
        await self.dispatch("INTERACTION_CREATE", shapes.interaction_json(self.world, interaction, self.base))

    async def drop(self, how: str) -> None:
        """End every connection: `abort` it, ask for a `reconnect`, or `invalidate` the session."""
        for session in self.connected():
            socket, session.socket = session.socket, None
            assert socket is not None
            if how == "reconnect":
                await socket.send({"op": RECONNECT, "d": None})
            elif how == "invalidate":
                del self._sessions[session.id]
                await socket.send({"op": INVALID_SESSION, "d": False})
            else:
                socket.transport.abort()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """The route of the socket."""
        if self.refuse_handshakes > 0:
            self.refuse_handshakes -= 1
            return web.Response(status=503)
        ws = web.WebSocketResponse()
        try:
            await ws.prepare(request)
        except ConnectionError:
            return ws
        assert isinstance(request.transport, asyncio.Transport)
        socket = Socket(ws, request.transport, _compressor(request.query.get("compress")))
        await socket.send({"op": HELLO, "d": {"heartbeat_interval": int(self.heartbeat_seconds * 1000)}})
        watch = asyncio.create_task(self._watch(socket))
        try:
            async for message in ws:
                if message.type is WSMsgType.TEXT:
                    await self._received(socket, message.data)
        finally:
            watch.cancel()
            if socket.session is not None and socket.session.socket is socket:
                socket.session.socket = None
        return ws

    async def _watch(self, socket: Socket) -> None:
        """Close a connection that has been silent for two heartbeats."""
        while (left := socket.beat + 2 * self.heartbeat_seconds - time.monotonic()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(left)
        self.world.find("the gateway got no heartbeat in time")
        await socket.ws.close(code=4009)

    async def _received(self, socket: Socket, text: str) -> None:
        if len(text.encode()) > LONGEST_PAYLOAD:
            self.world.find("a gateway payload was too long")
            await socket.ws.close(code=4002)
            return
        payload = json.loads(text)
        match payload["op"]:
            case 1:
                socket.beat = time.monotonic()
                self._acknowledge(socket)
            case 2:
                await self._identify(socket, payload["d"])
            case 6:
                await self._resume(socket, payload["d"])
            case _:
                self.world.find(f"the gateway got op {payload['op']}, which this bot has no use for")

    def _acknowledge(self, socket: Socket) -> None:
        """Acknowledge a heartbeat after a moment: discord.py computes a wrong latency when the answer comes
        too soon."""

        async def acknowledge() -> None:
            await asyncio.sleep(0.1)
            await socket.send({"op": HEARTBEAT_ACK})

        task = asyncio.create_task(acknowledge())
        self._acknowledgements.add(task)
        task.add_done_callback(self._acknowledgements.discard)

    async def _identify(self, socket: Socket, data: Json) -> None:
        if self.closed_for:
            self.world.find("a session was begun beyond the day's limit, for which a token is reset")
            await socket.ws.close(code=4004)
        elif data["token"] != self.world.token:
            await socket.ws.close(code=4004)
        elif data["intents"] & PRIVILEGED:
            self.world.find("privileged intents were asked for")
            await socket.ws.close(code=4014)
        else:
            said = data.get("presence") or {}  # the library begins a session with the older of two names
            (activity, *_) = said.get("activities") or [said.get("game") or {}]
            self.presence = activity.get("state") or ""
            await self._begin(socket)

    async def _begin(self, socket: Socket) -> None:
        """Begin a session, and forget earlier ones whose connection is gone."""
        self._sessions = {id: old for id, old in self._sessions.items() if old.socket is not None}
        session = Session(secrets.token_hex(16), socket=socket)
        socket.session = session
        self._sessions[session.id] = session
        self.begun += 1
        guilds = [guild for guild in self.world.guilds.values() if guild.has_bot]
        await session.dispatch(
            "READY",
            {
                "v": 10,
                "user": shapes.user_json(self.world.bot),
                "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
                "session_id": session.id,
                "resume_gateway_url": self.address,
                "application": {"id": str(self.world.application), "flags": 0},
            },
        )
        for guild in (guild for guild in guilds if not guild.away):
            await session.dispatch("GUILD_CREATE", shapes.guild_json(self.world, guild))

    async def _resume(self, socket: Socket, data: Json) -> None:
        session = self._sessions.get(data["session_id"])
        if data["token"] != self.world.token:
            await socket.ws.close(code=4004)
        elif session is None:
            await socket.send({"op": INVALID_SESSION, "d": False})
        else:
            for payload in session.sent[data["seq"] or 0 :]:
                await socket.send(payload)
            session.socket = socket
            socket.session = session
            await session.dispatch("RESUMED", {})


def _compressor(asked: str | None) -> Compressor | None:
    known: dict[str | None, Callable[[], Compressor]] = {"zlib-stream": Zlib, "zstd-stream": Zstd}
    return known[asked]() if asked in known else None
