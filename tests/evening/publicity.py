"""Public knowledge of a match, from its history, compared with texts that everybody can read."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from bot.store import open_store
from engine.match import Match, new_match, next_round, play
from engine.melds import tiles_in
from engine.record import move_of
from engine.rules import Rules
from engine.shuffle import seed_from_text
from engine.tiles import Tile
from engine.view import public_view
from tests.evening import brain

_ROUND = re.compile(r"round (\d+)")


async def public_tiles(data_dir: Path, place: str, rules: Rules, table: str = "") -> dict[int, set[Tile]]:
    """By round, every tile that was ever public, from the stored history of a match. Without a `table`, it is
    the place's only one."""
    async with open_store(None, data_dir) as store:
        if not table:
            (table,) = await store.index.tables_at(place)
        entries = [json.loads(entry) for entry in await store.documents.log(table)]
    known: dict[int, set[Tile]] = {}
    for match in replayed(entries, rules):
        view = public_view(match)
        tiles = known.setdefault(match.round_number, {view.indicator, view.okey})
        tiles.update(tile for tile in view.discard_tops if tile is not None)
        if view.outcome is not None and view.outcome.finishing_tile is not None:
            tiles.add(view.outcome.finishing_tile)
            tiles.update(tiles_in(view.outcome.winning_melds))
    return known


def replayed(entries: Iterable[dict[str, object]], rules: Rules) -> Iterator[Match]:
    """The match after each entry of its history."""
    match = new_match(rules)
    for entry in entries:
        if "context" in entry:  # the words were closed, and no tile dealt yet
            continue
        match = _after(match, entry)
        yield match


def strangers(texts: Iterable[str], known: dict[int, set[Tile]]) -> list[str]:
    """Tiles named in texts that were not public in that round."""
    found = []
    for text in texts:
        number = _ROUND.search(text)
        if number is None:
            continue
        unknown = set(brain.read_tiles(text)) - known[int(number[1])]
        found += [f"{tile} in: {text}" for tile in unknown]
    return found


def _after(match: Match, entry: dict[str, object]) -> Match:
    if "round" not in entry:
        return play(match, *move_of(entry))[0]
    return next_round(match, seed_from_text(str(entry["seed"])))[0]
