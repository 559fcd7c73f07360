"""Short-lived values: tokens, which stand for a value for a while, and calls that rate limits count."""

from collections.abc import Sequence
from secrets import token_hex

from bot.store import keys
from bot.store.scripts import script
from bot.store.server import Server

_PUT_TOKEN = script("put_token")
_HOLD_TOKEN = script("hold_token")
_TAKE_TOKEN = script("take_token")
_SPEND = script("spend")
_REFUND = script("refund")


class Tokens:
    """The values behind links and codes. Nobody can guess a token; some may be taken only once."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def put(
        self,
        token: str,
        value: bytes,
        seconds: float,
        *,
        owner: str | None = None,
        before: bytes | None = None,
    ) -> bool:
        """Keep a value for this many seconds. With its `owner`, a person, it can be dropped earlier. With
        `before`, it is kept only in place of that value; whether it was. A call that has to be sent twice
        counts once."""
        lasts = round(seconds * 1000)
        if owner is not None:  # noted first, so that no token of theirs is ever missed
            await self._server.run(_HOLD_TOKEN, (keys.token_ends(owner),), token, lasts)
        replaced = () if before is None else (before,)
        return bool(
            await self._server.run(_PUT_TOKEN, (keys.token(token),), value, lasts, owner or "", *replaced)
        )

    async def look_at(self, token: str) -> bytes | None:
        """Return a token's value, which stays; None when it is unknown or too old."""
        value: bytes | None = await self._server.call("HGET", keys.token(token), "v")
        return value

    async def take(self, token: str, *, owner: str | None = None) -> bytes | None:
        """Take a token's value; None when it is unknown, taken or too old. With an `owner`, a person, also
        when it belongs to somebody else, who can then still take it."""
        value: bytes | None = await self._server.run(
            _TAKE_TOKEN, (keys.token(token),), token_hex(8), owner or ""
        )
        return value

    async def drop(self, token: str) -> None:
        """Make a token unknown."""
        await self._server.call("DEL", keys.token(token))

    async def find(self, owner: str) -> list[tuple[str, bytes, float]]:
        """Return a person's tokens that are valid, with their values, and when each ends: seconds since the
        epoch."""
        noted = await self._server.call("ZRANGE", keys.token_ends(owner), 0, -1, "WITHSCORES")
        held = [
            (token.decode(), await self.look_at(token.decode()), float(end) / 1000)
            for token, end in zip(noted[::2], noted[1::2], strict=True)
        ]
        return [(token, value, end) for token, value, end in held if value is not None]

    async def drop_all(self, owner: str) -> None:
        """Make all tokens of a person unknown."""
        noted = keys.token_ends(owner)
        for token in await self._server.call("ZRANGE", noted, 0, -1):
            await self.drop(token.decode())
        await self._server.call("DEL", noted)


Window = tuple[str, int, float]
"""A scope, the most calls that it allows (1 or more), and the seconds in which it allows them."""


class CallWindows:
    """Sliding windows of calls, by the server's clock: counted where every process sees them."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def wait(self, windows: Sequence[Window]) -> float:
        """Return the seconds until `spend` would charge one call to every window; nothing is charged."""
        waits = [0.0]
        for scope, calls, seconds in windows:
            nth = await self._server.call("LINDEX", keys.allowance(scope, seconds), calls - 1)
            if nth is not None:
                waits.append(float(nth) / 1000 + seconds - self._server.clock())
        return max(waits)

    async def spend(self, windows: Sequence[Window]) -> float:
        """Charge one call to every window and return 0, or charge none and return the seconds to wait.

        Scopes on different nodes are charged one after another, and refunded when a later one refuses: for a
        moment too much is charged, never too little. The same holds for a call that was sent again after a
        broken connection.
        """
        scopes = dict.fromkeys(scope for scope, _, _ in windows)
        charged: list[tuple[list[str], bytes]] = []
        for group in self._server.in_one_call(scopes):
            ours = [window for window in windows if window[0] in group]
            names = [keys.allowance(scope, seconds) for scope, _, seconds in ours]
            limits = [limit for _, calls, seconds in ours for limit in (calls, round(seconds * 1000))]
            wait, *mark = await self._server.run(_SPEND, names, *limits)
            if wait:
                for spent, of in charged:
                    await self._server.run(_REFUND, spent, of)
                return float(wait) / 1000
            charged.append((names, mark[0]))
        return 0.0
