"""Interactions over HTTP: signed, and posted to one of several addresses, as by a load balancer."""

import json
import time
from dataclasses import dataclass, field

import aiohttp
from nacl.signing import SigningKey
from yarl import URL

from tests.servers.discord_api.world import Json, Refusal

PING = {"type": 1}
PONG = {"type": 1}


@dataclass
class Posting:
    """The addresses for an application's interactions. Without any, the gateway delivers them."""

    addresses: list[str] = field(default_factory=list)
    sent: dict[str, str] = field(default_factory=dict)
    """The address to which each interaction was posted."""
    key: SigningKey = field(default_factory=SigningKey.generate)

    @property
    def public_key(self) -> str:
        return self.key.verify_key.encode().hex()

    async def use(self, addresses: list[str]) -> None:
        """Set the addresses. As Discord does, check that each one answers and rejects a wrong signature."""
        async with aiohttp.ClientSession() as session:
            for address in addresses:
                body = json.dumps(PING).encode()
                try:
                    async with session.post(address, data=body, headers=self.signed(body)) as answer:
                        well = answer.status == 200 and await answer.json() == PONG
                    async with session.post(address, data=body, headers=self.signed(b"other")) as answer:
                        well = well and answer.status == 401 and await _is_ready(session, address)
                except aiohttp.ClientError:
                    well = False
                if not well:
                    raise Refusal(400, 50035, "interactions_endpoint_url could not be verified")
        self.addresses = addresses

    def signed(self, body: bytes, seconds_ago: float = 0.0) -> dict[str, str]:
        """The headers of a request."""
        stamp = str(int(time.time() - seconds_ago))
        signature = self.key.sign(stamp.encode() + body).signature.hex()
        head = {"X-Signature-Ed25519": signature, "X-Signature-Timestamp": stamp}
        return head | {"Content-Type": "application/json"}

    async def post(self, interaction: Json) -> int:
        """Post an interaction to the next ready address, and return the status."""
        body = json.dumps(interaction).encode()
        async with aiohttp.ClientSession() as session:
            for _ in self.addresses:
                self.addresses.append(self.addresses.pop(0))
                try:
                    if not await _is_ready(session, self.addresses[-1]):
                        continue
                    async with session.post(
                        self.addresses[-1], data=body, headers=self.signed(body)
                    ) as answer:
                        self.sent[interaction["id"]] = self.addresses[-1]
                        return answer.status
                except aiohttp.ClientError:
                    continue
        raise Refusal(409, 0, "the application did not respond")

    async def is_there(self, interaction: int) -> bool:
        """Return whether the process that an interaction was posted to still accepts connections."""
        async with aiohttp.ClientSession() as session:
            try:
                async with session.get(self.sent[str(interaction)]):
                    return True
            except aiohttp.ClientError:
                return False


async def _is_ready(session: aiohttp.ClientSession, address: str) -> bool:
    """A load balancer's check of a process. One without a health check counts as ready."""
    async with session.get(URL(address).with_path("/healthz")) as answer:
        return answer.status in (200, 404)
