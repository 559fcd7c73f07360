"""A Bot API request: parameters as text or JSON, and uploaded files."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from aiohttp.multipart import BodyPartReader

from tests.servers.telegram_api.errors import bad_request

_WORDS = {"text", "caption", "callback_query_id"}
"""Parameters that are never parsed as JSON."""


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """Parameters by name. Accessors raise the API's 400 for a value of the wrong type."""

    method: str
    given: Mapping[str, Any]
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    names: Mapping[str, str] = field(default_factory=dict)
    """The files' names."""

    def text(self, name: str, default: str = "") -> str:
        """A string parameter."""
        value = self.given.get(name, default)
        if not isinstance(value, str):
            raise bad_request(f"{name} must be a string")
        return value

    def number(self, name: str) -> int | None:
        """An integer, or None if it is missing."""
        value = self.json(name)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise bad_request(f"{name} must be an integer")
        return value

    def flag(self, name: str) -> bool:
        """A boolean, false if it is missing."""
        return bool(self.json(name))

    def json(self, name: str) -> Any:
        """Any JSON value, None if it is missing."""
        value = self.given.get(name)
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError:
            return value

    def loggable(self) -> dict[str, Any]:
        """The parameters with JSON parsed, and files by their size, for tests."""
        shown = {name: raw if name in _WORDS else self.json(name) for name, raw in self.given.items()}
        return shown | {f"file:{name}": len(content) for name, content in self.files.items()}


async def read_request(method: str, request: web.Request) -> ApiRequest:
    """Take the parameters from the query, a form, a multipart form or a JSON body."""
    given: dict[str, Any] = dict(request.query)
    files: dict[str, bytes] = {}
    names: dict[str, str] = {}
    if request.content_type == "application/json":
        given |= await request.json()
    elif request.content_type == "multipart/form-data":
        async for part in await request.multipart():
            if not isinstance(part, BodyPartReader) or not part.name:
                raise bad_request("cannot read the form")
            content = bytes(await part.read())
            if part.filename:
                files[part.name], names[part.name] = content, part.filename
            else:
                given[part.name] = content.decode()
    else:
        given |= {name: value for name, value in (await request.post()).items() if isinstance(value, str)}
    return ApiRequest(method, given, files, names)
