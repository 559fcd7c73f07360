"""Doctor: finds what prevents a game, and says what to do about it."""

import asyncio
from argparse import Namespace
from pathlib import Path

from aiohttp import ClientSession

from bot.doctor.addresses import examine_app, examine_beacon
from bot.doctor.chats import examine_discord, examine_telegram
from bot.doctor.machine import (
    examine_arranger,
    examine_env_file,
    examine_font,
    examine_port,
    examine_python,
)
from bot.doctor.public import examine_public
from bot.doctor.report import Finding, advice, open_points, wrong
from bot.doctor.store import examine_store
from bot.settings import Settings, SettingsError, misspelt_settings, read_settings

__all__ = ["Finding", "examine", "run_doctor"]


def run_doctor(arguments: Namespace) -> int:
    """Examine this process's settings and print a line for each finding, then what is left to do.

    Returns the exit status: 1 when something is wrong, else 0.
    """
    try:
        settings = read_settings()
    except SettingsError as error:
        findings = [wrong(error.code, str(error))]
    else:
        findings = [advice("misspelt", sentence) for sentence in misspelt_settings()]
        findings += asyncio.run(examine(settings))
    public = [finding for finding in findings if finding.code.startswith("public_")]
    for finding in findings:
        if finding not in public:
            print(finding)
    if public:
        print("\nPublic bot", *public, sep="\n")
    print(f"\n{open_points(findings)}")
    return int(any(finding.grade == "wrong" for finding in findings))


async def examine(settings: Settings, env_file: Path = Path(".env")) -> list[Finding]:
    """Return everything that can be known about a process's environment before it is started."""
    async with ClientSession() as web:
        parts = await asyncio.gather(
            _examine_chats(settings, web),
            examine_store(settings),
            asyncio.to_thread(examine_font),
            examine_port(settings, web),
            examine_app(settings, web),
            examine_beacon(settings),
            examine_public(settings, web),
        )
    own = [examine_python(), examine_arranger(), *examine_env_file(env_file)]
    return [*own, *(finding for part in parts for finding in part)]


async def _examine_chats(settings: Settings, web: ClientSession) -> list[Finding]:
    if settings.discord_token is None and settings.telegram_token is None:
        return [advice("no_chat", "No chat has a token: `okey run` serves the local page.")]
    parts = await asyncio.gather(examine_telegram(settings, web), examine_discord(settings, web))
    return [finding for part in parts for finding in part]
