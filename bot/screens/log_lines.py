"""What happened last, in a few lines."""

from collections.abc import Sequence

from bot.i18n import Words, joined
from bot.markup import Name, Text, TileMark
from bot.screens.parts import mark, tile_row
from bot.tables.facts import TableFacts
from bot.tables.table import FirstDraw, Recent
from engine.tiles import Tile
from engine.view import PublicView

Group = tuple[Recent, ...]

_SAID_TOGETHER = {
    "discarded": ("drew", "took"),
    "finished": ("drew", "took"),
    "laid_off": ("laid_off",),
    "melded": ("melded",),
}
"""What is told in one breath with what the same seat did just before."""


def happenings(facts: TableFacts, words: Words, most: int = 3) -> list[Text]:
    """The last things that happened, oldest first: a draw is told together with its discard."""
    if facts.view is None:
        return []
    return [_told(group, facts, facts.view.okey, words) for group in _grouped(facts.recent)[-most:]]


def _grouped(recent: Sequence[Recent]) -> list[Group]:
    groups: list[Group] = []
    for happening in recent:
        before = groups[-1][-1] if groups else None
        together = _SAID_TOGETHER.get(happening.kind, ())
        if before is not None and before.seat == happening.seat and before.kind in together:
            groups[-1] = (*groups[-1], happening)
        else:
            groups.append((happening,))
    return groups


def _told(group: Group, facts: TableFacts, okey: Tile, words: Words) -> Text:
    first, last = group[0], group[-1]
    values: dict[str, Name | TileMark | Text | int] = {"who": Name(facts.seats[last.seat].name)}
    if last.tile is not None:
        values["tile"] = mark(last.tile, okey)
        values["tiles"] = tile_row((each.tile for each in group if each.tile is not None), okey)
    if first.kind == "took" and first.tile is not None and len(group) > 1:
        values["taken"] = mark(first.tile, okey)
    values["count"] = last.count
    if first.kind == last.kind:
        values["n"] = len(group)
        key = f"fined.{last.reason}" if last.reason else last.kind
    else:
        key = "_".join(happening.kind for happening in group)
    return words.say(f"recent.{key}", **values)


def beginning_lines(facts: TableFacts, view: PublicView, words: Words) -> list[Text]:
    """Told until the first discard; nothing after it."""
    if view.turns:
        return []
    lines = []
    if facts.first:
        lines.append(joined((_drawn(draw, facts, view, words) for draw in facts.first), " · "))
    if view.dice:
        stack, *others = view.dice
        lines.append(words.say("begin.dice", stack=stack, tiles=", ".join(map(str, others))))
    return lines


def _drawn(draw: FirstDraw, facts: TableFacts, view: PublicView, words: Words) -> Text:
    who = Name(facts.seats[draw.seat].name)
    if draw.tile is not None:
        return words.say("begin.drew", who=who, tile=mark(draw.tile, view.okey))
    assert draw.die is not None
    return words.say("begin.threw", who=who, die=draw.die)
