"""Repair at a terminal: `okey repair`."""

from argparse import Namespace
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from bot.settings import Settings, read_settings
from bot.store.repair import Repair, repair

_SHOWN: Final = 20
"""The most tables that are named."""


def run_repair(arguments: Namespace) -> int:
    """Repair a store's folder, and say what was lost; the exit status."""
    settings = read_settings()
    done = repair(arguments.folder or settings.data_dir, _database(settings))
    print("\n".join(_report(done)))
    return 0


def _database(settings: Settings) -> int:
    """Return the database of REDIS_URL; the embedded store has only the first."""
    address = "" if settings.redis_url is None else settings.redis_url.reveal()
    number = urlsplit(address).path.strip("/") if "://" in address else ""
    return int(number) if number.isdigit() else 0


def _report(done: Repair) -> list[str]:
    if not done.damage:
        return [f"Nothing is damaged: a server loads {done.keys} keys from it. Nothing was changed."]
    lines = [
        f"{done.file} was damaged after {done.kept} bytes: {done.damage}.",
        f"Everything as it was: {done.copy}",
        f"Lost: {done.lost} bytes, {_time_lost(done)}.",
        f"Kept: {done.kept} bytes, from which a server loads {done.keys} keys.",
    ]
    if done.tables:
        more = f" and {len(done.tables) - _SHOWN} more" if len(done.tables) > _SHOWN else ""
        lines.insert(3, f"Changed in the lost part: {', '.join(done.tables[:_SHOWN])}{more}.")
    return lines


def _time_lost(done: Repair) -> str:
    until = _moment(done.lost_until)
    if not done.kept_until:
        return f"written until {until}; the file tells no times (aof-timestamp-enabled)"
    seconds = max(0, done.lost_until - done.kept_until) + 1
    return f"at most {seconds} seconds: from {_moment(done.kept_until)} to {until}"


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
