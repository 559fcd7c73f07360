"""Addresses: whether people reach WEB_URL, and whether the public randomness of OKEY_BEACON_URL answers, and
agrees with this machine's clock."""

import asyncio
import ipaddress
import time
from typing import Final
from urllib.parse import urlsplit

from aiohttp import ClientSession

from bot.doctor.certificates import examine_certificate
from bot.doctor.report import Finding, NoAnswer, advice, ask, good, wrong
from bot.settings import Settings
from bot.worker.beacon import BeaconClient, NoBeacon, beacon_session

_APART: Final = 10.0
"""The most seconds between the newest round and the moment at which it should have come."""


async def examine_app(settings: Settings, web: ClientSession) -> list[Finding]:
    """Return the findings about the public address; none without one."""
    if settings.web_url is None:
        return []
    parts = urlsplit(settings.web_url)
    lacks = [] if parts.scheme == "https" else ["begin with https://"]
    if parts.path or parts.query or parts.fragment:
        lacks.append("end after the host and its port")
    if lacks:
        words = f"Telegram and Discord open no app at WEB_URL: it must {' and '.join(lacks)}."
        return [wrong("web_url", words)]
    findings = [await _of_page(settings.web_url, web)]
    findings += await examine_certificate("WEB_URL", parts.hostname or "", parts.port or 443)
    if await _status(f"{settings.web_url}/metrics", web) == 200:
        words = (
            "Everybody can read /metrics under WEB_URL: let your proxy pass what deploy/app.Caddyfile lists."
        )
        findings.append(advice("web_metrics", words))
    return findings


async def _of_page(url: str, web: ClientSession) -> Finding:
    status = await _status(f"{url}/", web)
    if status == 200:
        return good("web_url", "People reach the app at WEB_URL.")
    answer = f"answers with status {status}" if status else "gives no answer"
    words = f"WEB_URL {answer}: start the program, and let your proxy pass the address to WEB_PORT."
    return wrong("web_url", words)


async def _status(url: str, web: ClientSession) -> int:
    """Return the status of an address's answer; 0: no answer."""
    try:
        status, _ = await ask(web, url)
    except NoAnswer:
        return 0
    return status


async def is_loopback(host: str) -> bool:
    """Return whether a host is this machine alone; False for a name that nobody knows."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None)
    except OSError:
        return False
    return all(ipaddress.ip_address(str(at[0]).partition("%")[0]).is_loopback for *_, at in found)


async def examine_beacon(settings: Settings) -> list[Finding]:
    """Return the findings about the beacon; none without one."""
    if settings.beacon_url is None:
        return []
    async with beacon_session() as web:
        client = BeaconClient(settings.beacon_url, web)
        try:
            info = await client.learn()
            newest = await client.ask(client.chain, None)
        except NoBeacon:
            words = "The beacon of OKEY_BEACON_URL gives no answer: deals would be made without it."
            return [wrong("beacon", f"{words} Check the address.")]
    if abs(time.time() - info.at(newest.round)) > info.period + _APART:
        words = "The beacon's newest round is not of this moment: set this machine's clock, or wait for it."
        return [wrong("beacon", words)]
    return [good("beacon", f"The beacon of OKEY_BEACON_URL answers, with a round every {info.period} s.")]
