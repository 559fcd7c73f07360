"""Whether there is a store that keeps what it is given."""

import asyncio

from bot.doctor.machine import examine_folder
from bot.doctor.report import Finding, advice, good, wrong
from bot.settings import Settings
from bot.store import Durability, NoStore, StoreUnavailable, open_store


async def examine_store(settings: Settings) -> list[Finding]:
    """The server of REDIS_URL, or the embedded one: started for a moment when it does not run already."""
    if settings.redis_url is None:
        folder = await asyncio.to_thread(examine_folder, settings.data_dir)
        if folder.grade == "wrong":
            return [folder]
        return [folder, *await _of_server(None, settings)]
    return await _of_server(settings.redis_url.reveal(), settings)


async def _of_server(address: str | None, settings: Settings) -> list[Finding]:
    kind = "The embedded store" if address is None else "The store of REDIS_URL"
    try:
        async with open_store(address, settings.data_dir) as store:
            return [good("store", f"{kind} answers."), *_durability_findings(await store.durability())]
    except NoStore as error:
        return [wrong("store", str(error))]
    except StoreUnavailable:
        return [wrong("store", f"{kind} gives no answer: start it, or look at its log.")]


def _durability_findings(durability: Durability) -> list[Finding]:
    findings = []
    if durability.evicts:
        findings.append(
            wrong(
                "store_evicts",
                "The store drops tables when it is full: set maxmemory-policy noeviction.",
            )
        )
    if not durability.append_only:
        findings.append(
            advice("store_snapshots", "A crash of the store would lose minutes of play: set appendonly yes.")
        )
    return findings
