"""Discord's door: the Activity. The page brings a code, which Discord exchanges for the person. Discord also
confirms that they are in the activity that the page names, and where it runs. Nothing that the page claims is
trusted."""

import asyncio
import logging
import re
from contextlib import suppress
from http import HTTPStatus
from typing import Final, TypeVar

import msgspec
from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout, hdrs
from msgspec import Struct

from adapters.web.ports import DoorAway, Entry, NotAdmitted
from adapters.web.protocol import Enter
from bot.logs import way_of
from bot.ports import Person

LOG: Final = logging.getLogger(__name__)

_PATIENCE: Final = ClientTimeout(total=5)
_AGAIN: Final = 0.5
"""Seconds before Discord is asked a second time about an activity that has just begun."""
_PAUSE: Final = 5.0
"""Seconds until Discord is asked again when it does not say how long to wait."""
_AT_ONCE: Final = 8
"""The people about whom Discord is asked at once. Made-up codes may keep others waiting for their turn, but
shut nobody out."""
_INSTANCE: Final = re.compile(r"[\w-]{1,100}", re.ASCII)


T = TypeVar("T")


class _Application(Struct):
    id: str


class _Access(Struct):
    access_token: str


class _User(Struct):
    id: str
    username: str
    global_name: str | None = None


class _Location(Struct):
    channel_id: str
    guild_id: str | None = None


class _Instance(Struct):
    users: list[str]
    location: _Location


class DiscordDoor:
    """The door of one application."""

    platform = "dc"
    frames = "https://discord.com https://*.discord.com https://*.discordsays.com"
    asks_platform = True

    def __init__(self, *, token: str, secret: str, api_url: str) -> None:
        self._bot = {"Authorization": f"Bot {token}"}
        self._secret = secret
        self._api = api_url
        self._application = ""
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._shut_until = 0.0
        """When Discord may be asked again after it asked for a pause, by the loop's clock."""

    async def client(self) -> str:
        """Return the application's id. Raises DoorAway."""
        if not self._application:
            try:
                async with ClientSession(timeout=_PATIENCE) as web:
                    found = await self._get(web, "applications/@me", self._bot, _Application)
            except (ClientError, TimeoutError, msgspec.MsgspecError, NotAdmitted) as error:
                LOG.warning("Discord does not name the application: %s", way_of(error))
                raise DoorAway from None
            self._application = found.id
        return self._application

    async def origins(self) -> tuple[str, ...]:
        """Discord shows the page under an origin of its own."""
        with suppress(DoorAway):
            return (f"https://{await self.client()}.discordsays.com",)
        return ()

    async def enter(self, entering: Enter) -> Entry:
        """Return the person of a code, if they are in the activity that the page names."""
        if not entering.proof or not _INSTANCE.fullmatch(entering.instance):
            raise NotAdmitted
        try:
            async with self._turns, ClientSession(timeout=_PATIENCE) as web:
                user = await self._user(web, entering.proof)
                location = await self._location(web, entering.instance, user.id)
        except (ClientError, TimeoutError, msgspec.MsgspecError) as error:
            LOG.warning("Discord does not say who opened the table: %s", way_of(error))
            raise DoorAway from None
        person = Person(f"dc:{user.id}", user.global_name or user.username, entering.language)
        place = f"dc:{location.channel_id}" if location.guild_id else ""
        return Entry(person, place=place, proof=entering.proof)

    async def _user(self, web: ClientSession, code: str) -> _User:
        form = {
            "client_id": await self.client(),
            "client_secret": self._secret,
            "grant_type": "authorization_code",
            "code": code,
        }
        self._check_open()
        async with web.post(f"{self._api}/oauth2/token", data=form) as response:
            self._check_status(response)
            access = msgspec.json.decode(await response.read(), type=_Access)
        return await self._get(web, "users/@me", {"Authorization": f"Bearer {access.access_token}"}, _User)

    async def _location(self, web: ClientSession, instance: str, user: str) -> _Location:
        """Return the place of an activity that a person is in. Discord may learn of the person a moment later
        than this server."""
        path = f"applications/{await self.client()}/activity-instances/{instance}"
        for pause in (_AGAIN, 0):
            with suppress(NotAdmitted):
                found = await self._get(web, path, self._bot, _Instance)
                if user in found.users:
                    return found.location
            await asyncio.sleep(pause)
        raise NotAdmitted

    async def _get(self, web: ClientSession, path: str, headers: dict[str, str], kind: type[T]) -> T:
        self._check_open()
        async with web.get(f"{self._api}/{path}", headers=headers) as response:
            self._check_status(response)
            return msgspec.json.decode(await response.read(), type=kind)

    def _check_open(self) -> None:
        """Raises DoorAway during a pause for which Discord asked. It bans the address that goes on."""
        if asyncio.get_running_loop().time() < self._shut_until:
            raise DoorAway

    def _check_status(self, response: ClientResponse) -> None:
        """Raises NotAdmitted for what Discord refuses, DoorAway when it asks for a pause or fails."""
        if response.status == HTTPStatus.TOO_MANY_REQUESTS:
            pause = float(response.headers.get(hdrs.RETRY_AFTER, _PAUSE))
            self._shut_until = asyncio.get_running_loop().time() + pause
            raise DoorAway
        if response.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise DoorAway
        if response.status != HTTPStatus.OK:
            raise NotAdmitted
