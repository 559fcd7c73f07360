"""Machine: whether it can run the game: its Python, the store and its folder, the font, the port."""

import asyncio
import errno
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from aiohttp import ClientSession

from bot.doctor.report import Finding, NoAnswer, advice, ask, good, printable, wrong
from bot.markup import ResultPicture, ResultRow
from bot.pictures import draw
from bot.settings import Settings
from bot.store import NoStore, StoreUnavailable, open_store
from engine.arrange import ARRANGER

TURKISH: Final = "ÇçĞğİıÖöŞşÜü"
OLDEST, NEWEST = (3, 11), (3, 14)


def examine_python(version: tuple[int, ...] = sys.version_info[:2]) -> Finding:
    """Whether this Python is one that the game is tested with."""
    name = f"Python {version[0]}.{version[1]}"
    if version < OLDEST:
        return wrong("python", f"{name} is too old: install Python 3.11 to 3.14.")
    if version > NEWEST:
        return advice("python", f"{name} is newer than any that the game was tested with.")
    return good("python", f"{name} will do.")


def examine_arranger() -> Finding:
    """Whether the part in C was compiled. Without it everything works, but computer players think longer."""
    if ARRANGER == "c":
        return good("arranger", "Racks are arranged in C.")
    words = "Racks are arranged in Python: computer players think longer and less deeply."
    return advice("arranger", f"{words} Install a C compiler and Python's headers, then the program again.")


def examine_folder(folder: Path) -> Finding:
    """Whether the embedded store can keep its data; makes the folder, as the store would."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return good("data_dir", f"{folder} can be written.")
    except OSError:
        return wrong(
            "data_dir", f"{folder} can't be written: give this user the right to, or set DATA_DIR elsewhere."
        )


async def examine_store(settings: Settings) -> list[Finding]:
    """The server of REDIS_URL, or the embedded one, which is started for a moment unless it already runs."""
    if settings.redis_url is None:
        folder = await asyncio.to_thread(examine_folder, settings.data_dir)
        if folder.grade == "wrong":
            return [folder]
        return [folder, *await _of_store(None, settings)]
    return await _of_store(settings.redis_url.reveal(), settings)


def examine_font() -> list[Finding]:
    """Whether pictures can be drawn, with all Turkish letters."""
    try:
        unknown = _written("\N{REPLACEMENT CHARACTER}")
        lacking = [letter for letter in TURKISH if _written(letter) == unknown]
    except OSError:
        return [wrong("font", "The font for the pictures is missing: install the program again.")]
    if lacking:
        return [
            wrong("font", f"The font for the pictures lacks {' '.join(lacking)}: install the program again.")
        ]
    return [good("font", "Pictures can be drawn, with all Turkish letters.")]


async def examine_port(settings: Settings, web: ClientSession) -> list[Finding]:
    """Whether the page can be served at the address of the settings."""
    host, port = settings.web_host, settings.web_port
    place = f"{f'[{host}]' if ':' in host else host}:{port}"
    try:
        server = await asyncio.get_running_loop().create_server(asyncio.Protocol, host, port)
    except OSError as error:
        return [await _not_bound(error, place, web)]
    server.close()
    await server.wait_closed()
    return [good("port", f"The page can be served at {place}.")]


async def _of_store(address: str | None, settings: Settings) -> list[Finding]:
    kind = "The embedded store" if address is None else "The store of REDIS_URL"
    try:
        async with open_store(address, settings.data_dir, settings.durability) as store:
            return [
                good("store", f"{kind} answers."),
                *_durability_findings(append_only=await store.append_only()),
                *(_of_process(name, held) for name, held in sorted((await store.holders()).items())),
            ]
    except NoStore as error:
        return [wrong("store", str(error))]
    except StoreUnavailable:
        return [wrong("store", f"{kind} gives no answer: start it, or look at its log.")]


def _durability_findings(*, append_only: bool) -> list[Finding]:
    if append_only:
        return []
    return [advice("store_snapshots", "A crash of the store would lose minutes of play: set appendonly yes.")]


def _of_process(name: str, held: Counter[str]) -> Finding:
    """The work of a process in the 64 partitions."""
    works = [work if work.startswith("receives") else f"{work} {held[work]}" for work in sorted(held)]
    return good("process", f"The process {printable(name)} is at work: {', '.join(works) or 'nothing yet'}.")


def _written(letter: str) -> bytes:
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
