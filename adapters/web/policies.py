"""Policies on the web: `/privacy` and `/terms`, for everybody and for search engines."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, Literal, get_args

from aiohttp import hdrs, web

from adapters.web.headers import SECURITY_HEADERS, language_of
from adapters.web.markup import renderer_for
from adapters.web.server import WebServer, unless_known
from bot.i18n import LANGUAGES, Words, words_for
from bot.markup import Document

_Policy = Literal["privacy", "terms"]

_HEADERS: Final = {**SECURITY_HEADERS, hdrs.VARY: hdrs.ACCEPT_LANGUAGE}


class PolicyPages:
    """Serves the policies in the chosen language, or else the browser's preferred one."""

    def __init__(self, read: Callable[[_Policy, Words], Document], server: WebServer) -> None:
        """`read` makes a policy, by its name, in some words."""
        self._read = read
        for policy in get_args(_Policy):
            server.add_route("GET", f"/{policy}", partial(self._serve, policy))

    async def _serve(self, policy: _Policy, request: web.Request) -> web.Response:
        chosen = request.query.get("lang", "")
        chosen = chosen if chosen in LANGUAGES else ""
        html = await asyncio.to_thread(self._html, policy, words_for(chosen or language_of(request)), chosen)
        return unless_known(request, html.encode(), "text/html", _HEADERS)

    def _html(self, policy: _Policy, words: Words, chosen: str) -> str:
        document = self._read(policy, words)
        languages = {each: f"/{policy}?lang={each}" for each in LANGUAGES}
        return renderer_for(words.language).document(
            document, None, lambda way: f"{way}?lang={chosen}" if chosen else way, languages, indexed=True
        )
