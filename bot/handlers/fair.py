"""Fair deals: how to check a table's deals, and the page that does it."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.errors import Refused
from bot.handlers.context import RequestContext
from bot.handlers.declarations import PLAYED, TABLE, button
from bot.handlers.reading import record_of
from bot.handlers.services import Services
from bot.handlers.who import READER
from bot.i18n import Words
from bot.ids import TableId
from bot.ports import Answer, platform_of
from bot.repository.tables import StoredTable
from bot.screens.check import FILES, check_page, file_of
from bot.screens.fair import attach_check_page, fair_page, lead_to_check_page

PAGE_SECONDS: Final = 3600.0
"""Seconds for which the address of a check page opens a record."""

_KEY_BYTES: Final = 16


@button("fair", on=TABLE, who=READER)
async def _fair(context: RequestContext, stored: StoredTable) -> Answer:
    """Explain how to check the table's deals."""
    sits = stored.value.is_open and stored.value.seat_of(context.by.key) is not None
    asks = sits and context.can_be_asked
    return Answer(page=fair_page(context.facts(stored), context.words, asks=asks))


@button("fair_check", on=PLAYED, who=READER)
async def _check(context: RequestContext, stored: StoredTable) -> Answer:
    """Lead to the page that checks the deals: on the program's web server where people reach it, else as a
    file. Raises Refused `no_record`."""
    services, words = context.services, context.words
    record = await record_of(services, stored)
    local = platform_of(context.by.key) == "web"
    if not (services.installation.web_url or local):
        name = f"okey-{stored.value.id}.html"
        return Answer(page=attach_check_page(words, name, record))
    key = secrets.token_urlsafe(_KEY_BYTES)
    await services.tokens.put("fair", key, stored.value.id.encode(), PAGE_SECONDS, owner=context.by.key)
    return Answer(page=lead_to_check_page(words, f"{services.installation.web_url}/fair#{key}"))


@dataclass(frozen=True, slots=True)
class FairDeals:
    """The check page of one store for people outside the chats. May raise StoreUnavailable."""

    services: Services

    @property
    def files(self) -> Mapping[str, str]:
        """The page's files, with their types."""
        return FILES

    def file(self, name: str) -> bytes:
        """Return the content of one of the page's files."""
        return file_of(name)

    def page(self, words: Words) -> str:
        """Return the page, which fetches a record by itself."""
        return check_page(words)

    async def record(self, key: str) -> bytes | None:
        """Return the record to which a page's secret leads; None when that is wrong or too old."""
        held = await self.services.tokens.look_at("fair", key)
        if held is None:
            return None
        table = TableId(held.decode())
        stored = await self.services.tables.load(table) or await self.services.played.archive.load(table)
        try:
            return None if stored is None else await record_of(self.services, stored)
        except Refused:
            return None
