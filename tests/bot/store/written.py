"""Written store: everything that version 0.1.0 had in its store on one evening, in its first schema.

`written_by_0_1_0.json.gz` is the dump of a real embedded Valkey, on which the program of that version was
used through its front doors: people of a Telegram, a Discord and the local page typed and pressed, its worker
did the rest and was stopped. It holds

- tables: two lobbies (somebody removed, somebody whose private chat is still to be opened),
  one that was cancelled, classic rounds in the middle (computer players, an own order of a rack, a word for
  the next shuffle, a private chat that is closed; two places with a code, one who stepped out; a missed turn,
  and somebody called by name), one between two rounds, one of Okey 101 in a thread with two opened seats,
  melds and a draft, practice, matches that are over (in the books and the archive; one of them stopped by an
  organiser);
- leagues: one with a night that is over and a champion, and a night in its first round (one table counted and
  disputed, one played, one with a seat that a computer player keeps, somebody who came late), one that waits
  for its first night, one that has ended, one that is being founded;
- what is kept of people (display, notifications, links, codes and tokens that are still good) and of places;
- marks: dirty tables, a result that is not in the books yet, deadlines, the agenda, budgets.

What a reader must find in it stands in `written_by_0_1_0.json`, as text and numbers: see `holds`.
"""

import gzip
import json
from base64 import b64decode
from functools import cache
from pathlib import Path
from typing import Any, Final

import redis

HERE: Final = Path(__file__).parent
DUMP: Final = HERE / "written_by_0_1_0.json.gz"
HOLDS: Final = HERE / "written_by_0_1_0.json"

LASTS_LONGER_MS: Final = 24 * 3600 * 1000
"""Milliseconds added to the life of everything that expires."""


def load_fixture(url: str) -> None:
    """Load the written store into the empty server at `url`, as if it had been written just now.

    Leases, tables' deadlines and hints of communities are moved on by the time since then, so that the store
    is that of a program stopped three seconds ago. The leagues' clock is the one in `holds`, and not moved.
    """
    dump = json.loads(gzip.decompress(DUMP.read_bytes()))
    with redis.Redis.from_url(url) as server:
        assert server.dbsize() == 0, "the server is not empty"
        seconds, microseconds = server.time()
        gone = seconds * 1000 + microseconds // 1000 - dump["written_ms"]
        with server.pipeline() as batch:
            for key, kind, lasts, value in dump["keys"]:
                _restore(batch, key, kind, value, gone)
                if lasts >= 0:
                    batch.pexpire(key, lasts + LASTS_LONGER_MS)
            batch.execute()


@cache
def holds() -> dict[str, Any]:
    """The facts that a reader must find.

    `tables`, `nights`, `leagues`, `people`, `places`, `books`, `archive`, `marks`, `links`: by id, key or
    name, in words of the game rather than of the program; tiles as FORMATS writes them, times of deadlines in
    seconds from now. `named`: the tables and leagues by what they are there for. `league_clock`: seconds
    since the epoch. `presses` and `lines`: buttons that people had before them and what they may type, and
    what has to come of it in a store that nobody has touched.
    """
    found: dict[str, Any] = json.loads(HOLDS.read_text("utf-8"))
    return found


def _restore(batch: Any, key: str, kind: str, value: Any, gone: int) -> None:
    match kind:
        case "string" if key.endswith("}alive"):
            at, patience = b64decode(value).split()
            batch.set(key, b"%d %s" % (int(at) + gone, patience))
        case "string":
            batch.set(key, b64decode(value))
        case "hash":
            batch.hset(key, mapping={b64decode(name): b64decode(held) for name, held in value.items()})
        case "list":
            batch.rpush(key, *map(b64decode, value))
        case "set":
            batch.sadd(key, *map(b64decode, value))
        case "zset":
            batch.zadd(key, {b64decode(member): float(score) + _moved(key, gone) for member, score in value})
        case _:
            raise AssertionError(kind)


def _moved(key: str, gone: int) -> float:
    if key.endswith("}due"):
        return gone
    return gone / 1000 if key.startswith("community:") else 0.0
