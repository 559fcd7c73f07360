"""Melds on the table and on a rack, in words and for pictures, with what each okey in them stands for."""

from typing import Final

from bot.callback_data import callback_text
from bot.i18n import Words, joined
from bot.markup import Button, Name, Text, TileFace
from bot.screens.parts import SIGNS
from bot.tables.facts import TableFacts
from engine.games.okey101.laying import pairs_needed, points_needed
from engine.melds import Laid, Meld, Played, placed_as
from engine.tiles import Colour, Tile
from engine.view import PublicView

WILD: Final = "👑"
_JOKER: Final = "🃏"
_NAME: Final = 16
FINE: Final = 101
"""The points of a penalty (RULES 5)."""


def meld_words(meld: Meld, okey: Tile) -> str:
    """A meld in a few signs: a run as `🔴 4 👑5 6`, a set as `7 🔴 👑⭐ 🔷`; the crown is an okey."""
    first = meld.tiles[0].face
    if meld.kind == "run":
        return " ".join([_sign(first), *(_crowned(played, okey, _number(played)) for played in meld.tiles)])
    if meld.kind == "set":
        signs = (_crowned(played, okey, _sign(played.face)) for played in meld.tiles)
        return " ".join([_number(meld.tiles[0]), *signs])
    return " ".join(_crowned(played, okey, _sign(played.face) + _number(played)) for played in meld.tiles)


def _crowned(played: Played, okey: Tile, words: str) -> str:
    if played.tile is okey:
        return WILD + words
    return _JOKER if played.tile is Tile.F else words


def _sign(face: Tile) -> str:
    return SIGNS[face.name[0]]


def _number(played: Played) -> str:
    return played.face.name[1:]


def meld_button(facts: TableFacts, meld: Meld, okey: Tile, words: Words) -> Button:
    """Lays a meld. Its tiles are named in the press, so that it never means another one."""
    tiles = "-".join(map(str, placed_as(meld, okey)))
    label = words.plain("button.meld", meld=meld_words(meld, okey))
    return Button((label,), callback_text("meld", facts.id, facts.game_revision, tiles), "good")


def meld_spoken(meld: Meld, okey: Tile, words: Words) -> str:
    """A meld read aloud: `red 4, okey for 5, 6`."""
    colours = {played.face.colour for played in meld.tiles}
    if len(colours) == 1:
        tiles = (_spoken(played, okey, _number(played), words) for played in meld.tiles)
        return f"{_colour(meld.tiles[0].face.colour, words)} {', '.join(tiles)}"
    tiles = (_spoken(played, okey, _colour(played.face.colour, words), words) for played in meld.tiles)
    return f"{_number(meld.tiles[0])} {', '.join(tiles)}"


def _spoken(played: Played, okey: Tile, said: str, words: Words) -> str:
    if played.tile is okey:
        return words.plain("meld.okey", what=said)
    return words.plain("meld.joker", what=said) if played.tile is Tile.F else said


def _colour(colour: Colour | None, words: Words) -> str:
    assert colour is not None
    return words.plain(f"tile.colour.{colour.value}")


def meld_faces(meld: Meld, okey: Tile) -> tuple[TileFace, ...]:
    """A meld for a picture: an okey is drawn as the tile it stands for, with its crown."""
    return tuple(
        TileFace(played.face.name, wild=True) if played.tile is okey else TileFace(played.tile.name)
        for played in meld.tiles
    )


def board_lines(facts: TableFacts, view: PublicView, words: Words) -> list[Text]:
    """Okey 101: who opened with what, every laid meld, penalties so far."""
    lines = [
        _opened_line(seat, way, facts, view, words)
        for seat, way in enumerate(view.board.opened)
        if way is not None
    ]
    fined = [
        words.say("board.fine", who=Name(facts.seats[seat].name), points=FINE * count)
        for seat, count in enumerate(view.board.fines)
        if count
    ]
    return [*lines, words.say("board.fines", fines=joined(fined, " · "))] if fined else lines


def _cut(name: str) -> str:
    """A name that leaves room for the melds."""
    return name if len(name) <= _NAME else name[: _NAME - 1] + "…"


def level_line(facts: TableFacts, view: PublicView, words: Words) -> Text:
    """What opening takes now, where that rises; empty elsewhere."""
    if not facts.rules.raising:
        return ()
    points, pairs = points_needed(facts.rules, view.board), pairs_needed(facts.rules, view.board)
    return words.say("board.needed", points=points, pairs=pairs)


def _opened_line(seat: int, way: str, facts: TableFacts, view: PublicView, words: Words) -> Text:
    laid = [(number, each) for number, each in enumerate(view.board.melds, 1) if each.by == seat]
    melds = " · ".join(f"#{number} {meld_words(each.meld, view.okey)}" for number, each in laid)
    who = Name(_cut(facts.seats[seat].name))
    return words.say(f"board.opened_{way}", who=who, count=facts.openings[seat], melds=melds)


def spoken_melds(melds: tuple[Laid, ...], okey: Tile, words: Words) -> list[str]:
    """Every laid meld read aloud, with its number."""
    return [f"{number}: {meld_spoken(each.meld, okey, words)}" for number, each in enumerate(melds, 1)]
