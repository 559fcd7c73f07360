"""Beacon: a public source of randomness (drand), of which a round named in advance enters a deal.

Whoever deals waits for it only so long. Nothing here checks signatures: they are recorded for everybody.
"""

import asyncio
import hashlib
import logging
import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Annotated, Final, TypeVar

import msgspec
from aiohttp import ClientError, ClientSession, ClientTimeout
from cachetools import LRUCache
from msgspec import Meta, Struct

from bot.tables.table import NamedRound
from engine.shuffle import Beacon

LOG: Final = logging.getLogger(__name__)

PATIENCE: Final = 6.0
"""Seconds after which a deal is made without the beacon."""

AHEAD: Final = 1.0
"""A round that comes sooner than this is not named: clocks differ, and chats have to show which one it is."""

_ATTEMPT: Final = ClientTimeout(total=2.0)
_AGAIN_SECONDS: Final = 0.25
_LEARN_SECONDS: Final = 10.0
"""Between two attempts to learn the beacon's times."""

_LARGEST: Final = 4096
"""Bytes of an answer."""

_REMEMBERED: Final = 64
"""Rounds: tables that begin together wait for the same one."""

_Hex = Annotated[str, Meta(pattern="^([0-9a-f]{2}){32,128}$")]
T = TypeVar("T", bound=Struct)


class NoBeacon(Exception):
    """No answer, or not the one that was asked for."""


class ChainInfo(Struct, frozen=True):
    """When the rounds of a chain come."""

    hash: str
    period: Annotated[int, Meta(ge=1, le=60)]
    """Seconds."""
    genesis_time: Annotated[int, Meta(ge=0, lt=1 << 40)]
    """When the first round came: seconds since the epoch."""

    def at(self, number: int) -> int:
        """When a round comes."""
        return self.genesis_time + (number - 1) * self.period

    def first_from(self, moment: float) -> int:
        """The first round that comes at this moment or later."""
        return max(0, math.ceil((moment - self.genesis_time) / self.period)) + 1


class ChainRound(Struct, frozen=True):
    """What a chain's round brought."""

    round: int
    randomness: _Hex
    signature: _Hex


class BeaconClient:
    """Asks the beacon at one address, whose last part is the chain's hash."""

    def __init__(
        self, url: str, web: ClientSession, *, patience: float = PATIENCE, ahead: float = AHEAD
    ) -> None:
        self._base, _, self.chain = url.rpartition("/")
        self._web = web
        self._patience = patience
        self._ahead = ahead
        self._info: ChainInfo | None = None
        self._asked = LRUCache[tuple[str, int], asyncio.Task[Beacon]](_REMEMBERED)

    def named(self, now: float) -> NamedRound:
        """The round that a deal waits for whose words are closed now."""
        if self._info is None:
            return NamedRound(self.chain, 0, now, now)
        number = self._info.first_from(now + self._ahead)
        return NamedRound(self.chain, number, now, self._info.at(number))

    async def brought(self, named: NamedRound) -> Beacon:
        """What a round brought that has come; without a signature, where the beacon does not say so in time.

        All who ask this process for a round get the same.
        """
        asked = (named.chain, named.number)
        if asked not in self._asked:
            self._asked[asked] = asyncio.create_task(self._fetched(*asked))
        return await asyncio.shield(self._asked[asked])

    async def learn(self) -> ChainInfo:
        """When the beacon's rounds come. Raises NoBeacon."""
        info = await self._ask(f"{self.chain}/info", ChainInfo)
        if info.hash != self.chain:
            raise NoBeacon
        self._info = info
        return info

    async def ask(self, chain: str, number: int | None) -> ChainRound:
        """A round of a chain; None: the newest. Raises NoBeacon."""
        found = await self._ask(f"{chain}/public/{number or 'latest'}", ChainRound)
        right = hashlib.sha256(bytes.fromhex(found.signature)).hexdigest() == found.randomness
        if not right or found.round != (number or found.round):
            raise NoBeacon
        return found

    async def keep_learning(self, pause: float) -> None:
        """Learn the beacon's times, however often it has to be asked."""
        while self._info is None:
            LOG.warning("the beacon of OKEY_BEACON_URL does not answer: deals are made without it")
            await asyncio.sleep(pause)
            with suppress(NoBeacon):
                await self.learn()

    async def close(self) -> None:
        """Ask no more."""
        for each in self._asked.values():
            each.cancel()
        await asyncio.gather(*self._asked.values(), return_exceptions=True)

    async def _fetched(self, chain: str, number: int) -> Beacon:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._patience if number else 0):
                while True:
                    with suppress(NoBeacon):
                        return Beacon(chain, number, bytes.fromhex((await self.ask(chain, number)).signature))
                    await asyncio.sleep(_AGAIN_SECONDS)
        LOG.warning("round %d of the beacon did not come: dealt without it", number)
        return Beacon(chain, number, b"")

    async def _ask(self, path: str, kind: type[T]) -> T:
        try:
            async with self._web.get(
                f"{self._base}/{path}", allow_redirects=False, timeout=_ATTEMPT
            ) as answer:
                if answer.status != 200:
                    raise NoBeacon
                body = b""
                async for part in answer.content.iter_any():
                    body += part
                    if len(body) > _LARGEST:
                        raise NoBeacon
                return msgspec.json.decode(body, type=kind)
        except (ClientError, OSError, ValueError, msgspec.MsgspecError):
            raise NoBeacon from None


@asynccontextmanager
async def open_beacon(
    url: str | None, *, pause: float = _LEARN_SECONDS
) -> AsyncIterator[BeaconClient | None]:
    """The beacon at an address, its times learned if it answers now, else as soon as it does. None: there is
    none. `pause`: seconds between attempts."""
    if url is None:
        yield None
        return
    async with beacon_session() as web:
        client = BeaconClient(url, web)
        with suppress(NoBeacon):
            await client.learn()
        learning = asyncio.create_task(client.keep_learning(pause))
        try:
            yield client
        finally:
            learning.cancel()
            await asyncio.gather(learning, client.close(), return_exceptions=True)


def beacon_session() -> ClientSession:
    """What a beacon is asked through. Nothing that comes is unpacked: it could be large."""
    return ClientSession(auto_decompress=False, headers={"Accept-Encoding": "identity"})
