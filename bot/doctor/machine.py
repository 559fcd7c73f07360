"""Machine: whether it can run the game: its Python, its files, the font, the port."""

import asyncio
import errno
import os
import sys
import tempfile
from pathlib import Path
from typing import Final

from aiohttp import ClientSession

from bot.doctor.addresses import is_loopback
from bot.doctor.report import Finding, NoAnswer, advice, ask, good, wrong
from bot.markup import ResultPicture, ResultRow
from bot.pictures import draw
from bot.settings import Settings
from bot.store.embedded import data_folder
from engine.arrange import ARRANGER

TURKISH: Final = "ÇçĞğİıÖöŞşÜü"
OLDEST, NEWEST = (3, 11), (3, 14)
ROOM: Final = 1 << 20
"""Bytes that must find room on the disk of the embedded store."""
OTHERS: Final = 0o077
"""The rights of anybody but the owner of a file."""


def examine_python(version: tuple[int, ...] = sys.version_info[:2]) -> Finding:
    """Return whether this Python is one that the game is tested with."""
    name = f"Python {version[0]}.{version[1]}"
    if version < OLDEST:
        return wrong("python", f"{name} is too old: install Python 3.11 to 3.14.")
    if version > NEWEST:
        return advice("python", f"{name} is newer than any that the game was tested with.")
    return good("python", f"{name} will do.")


def examine_arranger() -> Finding:
    """Return whether the part in C was compiled. Without it everything works, but computer players think
    longer."""
    if ARRANGER == "c":
        return good("arranger", "Racks are arranged in C.")
    words = "Racks are arranged in Python: computer players think longer and less deeply."
    return advice("arranger", f"{words} Install a C compiler and Python's headers, then the program again.")


def examine_env_file(file: Path) -> list[Finding]:
    """Return whether the file with the tokens is private; nothing if there is none."""
    try:
        mode = file.stat().st_mode
    except OSError:
        return []
    if mode & OTHERS:
        words = f"Others on this machine can read {file} with your tokens: chmod 600 {file}"
        return [wrong("env_file", words)]
    return [good("env_file", f"{file} is yours alone.")]


def examine_folder(folder: Path) -> Finding:
    """Return whether the embedded store can keep its data privately; makes the folder, as the store would."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            if file.write(bytes(ROOM)) < ROOM:
                raise OSError(errno.ENOSPC, "")
            os.fsync(file.fileno())
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            words = "make room there, or set DATA_DIR elsewhere."
            return wrong("data_dir", f"The disk of {folder} is full: {words}")
        words = "give this user the right to, or set DATA_DIR elsewhere."
        return wrong("data_dir", f"{folder} can't be written: {words}")
    kept = data_folder(folder)
    if kept.is_dir() and kept.stat().st_mode & OTHERS:
        return wrong("data_dir", f"Others on this machine can read every rack in {kept}: chmod 700 {kept}")
    return good("data_dir", f"{folder} can be written.")


def examine_font() -> list[Finding]:
    """Return whether pictures can be drawn, with all Turkish letters."""
    try:
        unknown = _write("\N{REPLACEMENT CHARACTER}")
        lacking = [letter for letter in TURKISH if _write(letter) == unknown]
    except OSError:
        return [wrong("font", "The font for the pictures is missing: install the program again.")]
    if lacking:
        return [
            wrong("font", f"The font for the pictures lacks {' '.join(lacking)}: install the program again.")
        ]
    return [good("font", "Pictures can be drawn, with all Turkish letters.")]


async def examine_port(settings: Settings, web: ClientSession) -> list[Finding]:
    """Return whether the page can be served at the address of the settings."""
    host, port = settings.web_host, settings.web_port
    if settings.discord_token is None and settings.telegram_token is None and not await is_loopback(host):
        words = "without a token anybody who reaches this machine can play there as anybody"
        return [wrong("web_open", f"WEB_HOST is {host}, and {words}: set WEB_HOST=127.0.0.1, or a token.")]
    place = f"{f'[{host}]' if ':' in host else host}:{port}"
    try:
        server = await asyncio.get_running_loop().create_server(asyncio.Protocol, host, port)
    except OSError as error:
        return [await _not_bound(error, place, web)]
    server.close()
    await server.wait_closed()
    return [good("port", f"The page can be served at {place}.")]


def _write(letter: str) -> bytes:
    row = ResultRow(name=letter, change=0, score=20, winner=False)
    return draw(ResultPicture(title="", melds=(), finishing=None, rows=(row,)))


async def _not_bound(error: OSError, place: str, web: ClientSession) -> Finding:
    if error.errno == errno.EACCES:
        return wrong("port", f"This user may not serve at {place}: set WEB_PORT to a number above 1023.")
    if error.errno != errno.EADDRINUSE:
        return wrong("port", f"{place} isn't an address of this machine: set WEB_HOST to one that is.")
    try:
        status, _ = await ask(web, f"http://{place}/healthz", patience=2)
    except NoAnswer:
        status = 0
    if status == 200:
        return good("port", f"The game is already running at {place}.")
    if status == 503:
        words = f"The game is already running at {place}, but nobody can play yet: {place}/healthz says why."
        return advice("port", words)
    return wrong("port", f"Another program serves at {place}: stop it, or set WEB_PORT to another number.")
