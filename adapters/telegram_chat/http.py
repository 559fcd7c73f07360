"""HTTP: the library's calls to Telegram, made through aiohttp, which the other parts of the program use too.

A request costs a third to a sixth of the processor time that it costs through the library's own client, where
it took as much as a whole press: 0.6 to 1.1 ms against 3.3 to 3.7 ms (1000 at a local server, busy machine).
"""

from typing import Any, Final
from urllib.request import getproxies

from aiohttp import ClientError, ClientSession, ClientTimeout, FormData, TCPConnector
from telegram.error import NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

_CONNECT_SECONDS: Final = 5.0


class AiohttpRequest(BaseRequest):
    """The library's requests. At most `connections` are under way; an answer may take `patience` seconds."""

    __slots__ = ("_connections", "_patience", "_session")

    def __init__(self, connections: int, patience: float) -> None:
        self._connections = connections
        self._patience = patience
        self._session: ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        """Return the seconds that an answer may take. The library adds those that updates may wait."""
        return self._patience

    async def initialize(self) -> None:
        """Open the connections. Several calls open them once."""
        if self._session is None:
            self._session = ClientSession(
                connector=TCPConnector(limit=self._connections),
                headers={"User-Agent": self.USER_AGENT},
                trust_env=bool(getproxies()),  # each request reads the environment: half of its time
            )

    async def shutdown(self) -> None:
        """Close the connections. A later call needs `initialize` again."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        write_timeout: Any = BaseRequest.DEFAULT_NONE,
        connect_timeout: Any = BaseRequest.DEFAULT_NONE,
        pool_timeout: Any = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """Make a request; return status and body. Raises TimedOut, NetworkError.

        No error holds the address, since the address holds the bot's token.
        """
        if self._session is None:
            raise RuntimeError("not initialized")
        timeout = ClientTimeout(
            sock_read=self._patience if read_timeout is BaseRequest.DEFAULT_NONE else read_timeout,
            sock_connect=_CONNECT_SECONDS if connect_timeout is BaseRequest.DEFAULT_NONE else connect_timeout,
            connect=None if pool_timeout is BaseRequest.DEFAULT_NONE else pool_timeout,
        )
        try:
            async with self._session.request(
                method, url, data=_body(request_data), timeout=timeout, allow_redirects=False
            ) as response:
                return response.status, await response.read()
        except TimeoutError:
            raise TimedOut from None
        except ClientError as error:
            raise NetworkError(type(error).__name__) from None


def _body(request: RequestData | None) -> dict[str, str] | FormData | None:
    """Return the parameters as a form, with files if there are some."""
    if request is None:
        return None
    if not request.contains_files:
        return request.json_parameters
    form = FormData(request.json_parameters)
    for name, (filename, content, kind) in (request.multipart_data or {}).items():
        form.add_field(name, content, filename=filename, content_type=kind)
    return form
