"""Beacon: whether the public randomness of OKEY_BEACON_URL answers, and agrees with this machine's clock."""

import time
from typing import Final

from bot.doctor.report import Finding, good, wrong
from bot.settings import Settings
from bot.worker.beacon import BeaconClient, NoBeacon, beacon_session

_APART: Final = 10.0
"""The most seconds between the newest round and the moment at which it should have come."""


async def examine_beacon(settings: Settings) -> list[Finding]:
    """The findings about the beacon; none without one."""
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
