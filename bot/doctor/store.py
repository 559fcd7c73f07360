"""Whether there is a store that keeps what it is given."""

import asyncio

from bot.doctor.finding import Finding, good, wrong
from bot.doctor.machine import examine_folder
from bot.settings import Settings
from bot.store import NoStore, StoreAway, open_store


async def examine_store(settings: Settings) -> list[Finding]:
    """The server of REDIS_URL, or the embedded one: started for a moment when it does not run already."""
    if settings.redis_url is None:
        folder = await asyncio.to_thread(examine_folder, settings.data_dir)
        if folder.grade == "wrong":
            return [folder]
        return [folder, await _answers(None, settings)]
    return [await _answers(settings.redis_url.reveal(), settings)]


async def _answers(address: str | None, settings: Settings) -> Finding:
    kind = "The embedded store" if address is None else "The store of REDIS_URL"
    try:
        async with open_store(address, settings.data_dir) as store:
            await store.ping()
    except NoStore as error:
        return wrong("store", str(error))
    except StoreAway:
        return wrong("store", f"{kind} gives no answer: start it, or look at its log.")
    return good("store", f"{kind} answers.")
