"""The whole content of a store, fact by fact: for comparison, and to be restored."""

from collections.abc import Mapping
from typing import Any

import redis

from bot.repository.tables import CODEC
from bot.store import keys
from bot.tables.table import Table

Fact = tuple[str, str]
"""A key, and a member of its value (a hash's field, a set's member); empty for a plain value."""

Facts = Mapping[Fact, bytes]

_EVERYTHING = """
local read = {
  string = function(k) return {'', redis.call('GET', k)} end,
  hash = function(k) return redis.call('HGETALL', k) end,
  zset = function(k) return redis.call('ZRANGE', k, 0, -1, 'WITHSCORES') end,
  set = function(k)
    local all = {}
    for _, m in ipairs(redis.call('SMEMBERS', k)) do all[#all + 1] = m; all[#all + 1] = '' end
    return all
  end,
  list = function(k)
    local all = {}
    for i, v in ipairs(redis.call('LRANGE', k, 0, -1)) do all[#all + 1] = tostring(i); all[#all + 1] = v end
    return all
  end,
}
local found = {}
for _, k in ipairs(redis.call('KEYS', '*')) do
  found[#found + 1] = k
  found[#found + 1] = read[redis.call('TYPE', k)['ok']](k)
end
return found
"""


class Stored:
    """One server's whole data, without times to live."""

    def __init__(self, url: str) -> None:
        self._server: Any = redis.Redis.from_url(url)

    def facts(self) -> Facts:
        """All facts at present."""
        flat = self._server.eval(_EVERYTHING, 0)
        return {
            (key.decode(), member.decode(errors="replace")): value
            for key, held in zip(flat[::2], flat[1::2], strict=True)
            for member, value in zip(held[::2], held[1::2], strict=True)
        }

    def copied(self) -> list[tuple[bytes, int, bytes]]:
        """A copy of all data, to be restored."""
        names = self._server.keys("*")
        return [(name, max(self._server.pttl(name), 0), self._server.dump(name)) for name in names]

    def put_back(self, copy: list[tuple[bytes, int, bytes]]) -> None:
        """Make the server hold this copy and nothing else."""
        with self._server.pipeline() as all_at_once:
            all_at_once.flushall()
            for name, lasts, value in copy:
                all_at_once.restore(name, lasts, value)
            all_at_once.execute()

    def close(self) -> None:
        self._server.close()


def table_in(facts: Facts, table: str) -> Table | None:
    """A table as it is stored."""
    state = facts.get((keys.state(table), "s"))
    return None if state is None else CODEC.decode(state)


def changed(before: Facts, after: Facts) -> set[Fact]:
    """Every fact that is new, gone or different."""
    return {fact for fact in before.keys() | after.keys() if before.get(fact) != after.get(fact)}
