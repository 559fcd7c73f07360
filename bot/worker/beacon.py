"""Beacon: a public source of randomness (drand). A round of it, named in advance, enters a deal.

A deal waits for it only for a limited time. Its signature is recorded for everybody, and checked
if its chain's key is known.
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
from msgspec import Meta, Struct

from bot.tables.table import NamedRound
from bot.worker.signatures import is_signed
from engine.shuffle import Beacon

LOG: Final = logging.getLogger(__name__)

PATIENCE: Final = 6.0
"""Seconds after which a deal is made without the beacon."""

AHEAD: Final = 1.0
"""Seconds within which a round is not named: clocks differ, and chats need time to show which one it is."""

_ATTEMPT: Final = ClientTimeout(total=2.0)
_AGAIN_SECONDS: Final = 0.25
_LEARN_SECONDS: Final = 10.0
"""Seconds between two attempts to learn the beacon's times."""

_LARGEST: Final = 4096
"""The largest accepted answer, in bytes."""

_Hex = Annotated[str, Meta(pattern="^([0-9a-f]{2}){32,128}$")]
T = TypeVar("T", bound=Struct)


class NoBeacon(Exception):
    """Raised when there is no answer, or not the one that was asked for."""


class ChainInfo(Struct, frozen=True):
    """The times of a chain's rounds."""

    hash: str
    period: Annotated[int, Meta(ge=1, le=60)]
    """Seconds."""
    genesis_time: Annotated[int, Meta(ge=0, lt=1 << 40)]
    """The moment of the first round: seconds since the epoch."""

    def at(self, number: int) -> int:
        """Return the moment of a round: seconds since the epoch."""
        return self.genesis_time + (number - 1) * self.period

    def first_from(self, moment: float) -> int:
        """Return the first round that comes at this moment or later."""
        return max(0, math.ceil((moment - self.genesis_time) / self.period)) + 1


class ChainRound(Struct, frozen=True):
    """The value of a chain's round."""

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
        self._asking: dict[tuple[str, int], asyncio.Task[Beacon]] = {}
        """The questions under way, by chain and round."""

    def name_round(self, now: float) -> NamedRound:
        """Return the round for which a deal waits whose words are closed now."""
        if self._info is None:
            return NamedRound(self.chain, 0, now, now)
        number = self._info.first_from(now + self._ahead)
        return NamedRound(self.chain, number, now, self._info.at(number))

    async def brought(self, named: NamedRound) -> Beacon:
        """Return the value of a round that has come; without a signature if the beacon does not answer in
        time.

        All who wait for a round in this process ask once.
        """
        asked = (named.chain, named.number)
        if (asking := self._asking.get(asked)) is None:
            asking = self._asking[asked] = asyncio.create_task(self._fetch(*asked))
            asking.add_done_callback(lambda _: self._asking.pop(asked))
        return await asyncio.shield(asking)

    async def learn(self) -> ChainInfo:
        """Learn the times of the beacon's rounds. Raises NoBeacon."""
        info = await self._ask(f"{self.chain}/info", ChainInfo)
        if info.hash != self.chain:
            raise NoBeacon
        self._info = info
        return info

    async def ask(self, chain: str, number: int | None) -> ChainRound:
        """Return a round of a chain; None: the newest. Raises NoBeacon."""
        found = await self._ask(f"{chain}/public/{number or 'latest'}", ChainRound)
        right = hashlib.sha256(bytes.fromhex(found.signature)).hexdigest() == found.randomness
        right &= is_signed(chain, found.round, bytes.fromhex(found.signature)) is not False
        if not right or found.round != (number or found.round):
            raise NoBeacon
        return found

    async def keep_learning(self, pause: float) -> None:
        """Ask for the beacon's times until they are known."""
        while self._info is None:
            LOG.warning("the beacon of OKEY_BEACON_URL does not answer: deals are made without it")
            await asyncio.sleep(pause)
            with suppress(NoBeacon):
                await self.learn()

    async def close(self) -> None:
        """Stop asking."""
        asking = tuple(self._asking.values())
        for each in asking:
            each.cancel()
        await asyncio.gather(*asking, return_exceptions=True)

    async def _fetch(self, chain: str, number: int) -> Beacon:
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
    """Open the beacon at an address; its times are learned now, or as soon as it answers. None: there is
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
    """Return the session for questions to a beacon. Answers are not decompressed, since they could become
    large."""
    return ClientSession(auto_decompress=False, headers={"Accept-Encoding": "identity"})
