"""Melds on screens: a single meld, the melds on a table of Okey 101, and the draft that a player is building.

An okey in a meld is shown as the tile that it stands for, with a crown.
"""

from functools import cache
from typing import Final, Literal

from bot.i18n import Words, join
from bot.markup import (
    COLOUR_SIGNS,
    JOKER_SIGN,
    OKEY_SIGN,
    Button,
    Name,
    Row,
    Style,
    Text,
    TileFace,
    TileMark,
)
from bot.screens.offer import Offer, make_offer
from bot.screens.parts import button, face, mark, press, shorten
from bot.screens.rack import Mode, my_turn
from bot.tables import drafts
from bot.tables.facts import RackFacts, TableFacts
from bot.tables.racks import flat
from engine.games.okey101.laying import pairs_needed, points_needed
from engine.games.okey101.scoring import FINE
from engine.melds import Meld, MeldRules, Placed, points_of, write_as_placed
from engine.tiles import Tile
from engine.view import PublicView, SeatView

_NO_BREAK: Final = "\u00a0"
_SHORT_RUN: Final = 5
"""The most tiles of a run that is told tile by tile on a button in words."""
_NAME: Final = 16
"""The most characters of a name that still leave room for the melds."""


def rules_of(facts: RackFacts, view: SeatView) -> MeldRules:
    """Return the rules for melds in the current round."""
    return facts.table.rules.meld_rules(view.public.okey)


def _meld_signs(meld: Meld, okey: Tile) -> str:
    """Return a meld in a few signs: a run as `🔴 4 👑5 6`, a set as `🔴7 👑⭐7 🔷7`."""
    run = meld.kind == "run"
    signs = [_sign_played(played.tile, played.face, okey, run) for played in meld.tiles]
    return " ".join([COLOUR_SIGNS[meld.tiles[0].face.name[0]], *signs] if run else signs)


@cache  # there are only so many tiles
def _sign_played(tile: Tile, face: Tile, okey: Tile, number_only: bool) -> str:
    """Return a tile in a meld, as the face for which it stands."""
    if tile is Tile.F and tile is not okey:
        return JOKER_SIGN
    said = face.name[1:] if number_only else TileMark(face.name).signs
    return OKEY_SIGN + said if tile is okey else said


def meld_names(meld: Meld, okey: Tile, words: Words) -> str:
    """Return a meld read aloud: `red 4, okey for 5, 6`."""
    names = [played.face.name for played in meld.tiles]
    colours = [words.plain(f"tile.colour.{name[0]}") for name in names]
    numbers = [name[1:] for name in names]
    one_colour = len(set(colours)) == 1
    first, others = (colours[0], numbers) if one_colour else (numbers[0], colours)
    said = (_name(played.tile, each, okey, words) for played, each in zip(meld.tiles, others, strict=True))
    return f"{first} {', '.join(said)}"


def _long_run_names(run: Meld, okey: Tile, words: Words) -> str:
    """Return a long run in a few words: `red 1–13, okey for 5, 9`."""
    colour = words.plain(f"tile.colour.{run.tiles[0].face.name[0]}")
    ends = f"{colour} {run.tiles[0].face.name[1:]}–{run.tiles[-1].face.name[1:]}"
    said = [ends]
    for tile in (okey, Tile.F):
        numbers = [played.face.name[1:] for played in run.tiles if played.tile is tile]
        said += [_name(tile, ", ".join(numbers), okey, words)] if numbers else []
    return ", ".join(said)


def _name(tile: Tile, said: str, okey: Tile, words: Words) -> str:
    """Return the face that a tile stands for; an okey and a false joker also by their names."""
    if tile is okey:
        return words.plain("meld.okey", what=said)
    return words.plain("meld.joker", what=said) if tile is Tile.F else said


def tell_meld(facts: TableFacts, meld: Meld, okey: Tile, words: Words) -> str:
    """Return a meld in signs; in words for readers who want words."""
    if not facts.display.words:
        return _meld_signs(meld, okey)
    long = meld.kind == "run" and len(meld.tiles) > _SHORT_RUN
    return _long_run_names(meld, okey, words) if long else meld_names(meld, okey, words)


def okey_as(facts: TableFacts, face: Tile, words: Words) -> str:
    """Return an okey as the tile that it stands for: `👑🔴4`, or `okey for red 4`."""
    if facts.display.words:
        return words.plain("meld.okey", what=words.tile_name(TileMark(face.name)))
    return TileMark(face.name, wild=True).signs


def meld_offer(facts: TableFacts, meld: Meld, okey: Tile) -> Offer:
    """Return the offer to lay a meld. Its press names the tiles, so that it never means another meld."""
    tiles = "-".join(map(str, write_as_placed(meld, okey)))
    return make_offer(facts, "meld", tiles, meld=meld, style="good")


def meld_button(facts: TableFacts, offer: Offer, okey: Tile, words: Words) -> Button:
    """Return the button that lays a meld."""
    assert offer.meld is not None
    said = words.plain("button.meld", meld=tell_meld(facts, offer.meld, okey, words))
    return Button((said,), offer.press, offer.style)


def meld_faces(meld: Meld, okey: Tile) -> tuple[TileFace, ...]:
    """Return a meld for pictures."""
    return tuple(
        [_okey_face(each.face) if each.tile is okey else face(each.tile, okey) for each in meld.tiles]
    )


@cache  # there are only so many tiles
def _okey_face(stands_for: Tile) -> TileFace:
    return TileFace(stands_for.name, wild=True)


def list_laid_faces(view: PublicView) -> tuple[tuple[TileFace, ...], ...]:
    """Return every meld on the table for its picture."""
    return tuple(meld_faces(laid.meld, view.okey) for laid in view.board.melds)


def list_laid_names(view: PublicView, words: Words) -> list[str]:
    """Return every laid meld read aloud, with its number."""
    laid = enumerate(view.board.melds, 1)
    lines = [f"{number}: {meld_names(each.meld, view.okey, words)}" for number, each in laid]
    return [words.plain("alt.melds"), *lines] if lines else []


def describe_laid(facts: TableFacts, view: PublicView, words: Words) -> list[Text]:
    """Return each seat's opening and every laid meld. Readers who want words have the melds in
    `list_laid_names`."""
    if facts.news.board_told == "nothing":
        return []
    board = view.board
    lines = []
    for seat, way in enumerate(board.opened):
        if way is not None:
            laid = [(number, each.meld) for number, each in enumerate(board.melds, 1) if each.by == seat]
            melds = " ".join(f"#{number}" for number, _ in laid)
            if facts.news.board_told == "tiles" and not facts.display.words:
                told = [f"#{number}: {_meld_signs(meld, view.okey)}" for number, meld in laid]
                melds = " · ".join(each.replace(" ", _NO_BREAK) for each in told)
            who, count = Name(shorten(facts.seats[seat].name, _NAME)), facts.news.openings[seat]
            lines.append(words.say(f"board.opened_{way}", who=who, count=count, melds=melds))
    return lines


def describe_fines(facts: TableFacts, view: PublicView, words: Words) -> list[Text]:
    """Return the penalties so far."""
    fined = [
        words.say("board.fine", who=Name(facts.seats[seat].name), points=FINE * count)
        for seat, count in enumerate(view.board.fines)
        if count
    ]
    return [words.say("board.fines", fines=join(fined, " · "))] if fined else []


def level_line(facts: TableFacts, view: PublicView, words: Words) -> Text:
    """Return the points or pairs that open now, under rules where that number rises; empty otherwise."""
    if not facts.rules.raising:
        return ()
    board = view.board
    return words.say(
        "board.needed", points=points_needed(facts.rules, board), pairs=pairs_needed(facts.rules, board)
    )


def draft_lines(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> list[Text]:
    """Return the draft so far, and its worth beside what opening takes."""
    asked = words.say("draft.stand" if mode.kind == "stand" else "draft.title")
    groups = zip(facts.draft, _melds(facts, view), strict=True)
    lines = [
        _draft_line(n, group, meld, facts.table, view.public.okey, words)
        for n, (group, meld) in enumerate(groups, 1)
    ]
    if view.public.board.opened[facts.seat] is not None:
        return [asked, *lines]
    kind, reached, needed = _measure_draft(facts, view)
    key, missing = ("enough", 0) if reached >= needed else ("missing", needed - reached)
    return [
        *(asked, *lines),
        words.say(f"draft.{key}_{kind}", reached=reached, needed=needed, missing=missing),
    ]


def _measure_draft(facts: RackFacts, view: SeatView) -> tuple[Literal["points", "pairs"], int, int]:
    """Return the way in which the draft would open, how much of it there is, and how much is needed."""
    rules, board = facts.table.rules, view.public.board
    total = drafts.worth(facts.draft, rules_of(facts, view))
    if total.pairs and not total.points:
        return "pairs", total.pairs, pairs_needed(rules, board)
    return "points", total.points, points_needed(rules, board)


def draft_buttons(facts: RackFacts, view: SeatView, words: Words) -> tuple[Row, ...]:
    """Return the tiles that are left, the ways to undo, and laying where that is possible now."""
    table, okey = facts.table, view.public.okey
    left = dict.fromkeys(drafts.subtract(flat(facts.shelves), facts.draft, okey))
    presses = {
        tile: _okey_press(facts, view) if tile is okey else press(table, "add", tile.name) for tile in left
    }
    tiles = tuple(Button((mark(tile, okey),), pressed) for tile, pressed in presses.items() if pressed)
    steps = [button(words, "best_draft", table)]
    if facts.draft:
        steps = [button(words, "undo", table), *steps]
    if facts.draft and facts.draft[-1]:
        steps = [button(words, "new_group", table), *steps]
    drops = tuple(Button((f"✖ #{at + 1}",), press(table, "drop", at)) for at in range(len(facts.draft)))
    rows = (tiles, tuple(steps), drops, (*_laying(facts, view, words), button(words, "look", table)))
    return tuple(row for row in rows if row)


def stand_buttons(facts: RackFacts, view: SeatView, words: Words) -> tuple[Row, ...]:
    """Return the tiles that the okey may stand for in the meld being built."""

    def name_tile(face: Tile) -> tuple[str | TileMark, ...]:
        in_words = facts.table.display.words
        return (okey_as(facts.table, face, words),) if in_words else (OKEY_SIGN, mark(face, view.public.okey))

    faces = tuple(
        Button(name_tile(face), press(facts.table, "stand", face.name))
        for face in drafts.stands_for(facts.draft, rules_of(facts, view))
    )
    back = (button(words, "draft", facts.table),)
    return (faces, back) if faces else (back,)


def _draft_line(
    number: int, group: drafts.DraftMeld, meld: Meld | None, facts: TableFacts, okey: Tile, words: Words
) -> Text:
    def tell(placed: Placed) -> str:
        if drafts.tile_of(placed, okey) is okey:
            return okey_as(facts, placed.face, words)
        mark = TileMark(placed.face.name)
        return words.tile_name(mark) if facts.display.words else mark.signs

    if meld is None:
        tiles = (", " if facts.display.words else " ").join(map(tell, group))
        return words.say("draft.begun", number=number, tiles=tiles)
    key = "draft.pair" if meld.kind == "pair" else "draft.meld"
    return words.say(key, number=number, meld=tell_meld(facts, meld, okey, words), points=points_of(meld))


def _okey_press(facts: RackFacts, view: SeatView) -> str:
    """Return the press of an okey: it asks what the okey stands for, unless there is only one answer. Empty
    when there is none."""
    faces = drafts.stands_for(facts.draft, rules_of(facts, view))
    if len(faces) == 1:
        return press(facts.table, "stand", faces[0].name)
    return press(facts.table, "ask_stand") if faces else ""


def _laying(facts: RackFacts, view: SeatView, words: Words) -> tuple[Button, ...]:
    """Return the buttons to open with the draft, or to lay its melds one by one: those of the kind that the
    player opened with, while a tile is left to discard."""
    table, way = facts.table, view.public.board.opened[facts.seat]
    if not my_turn(facts, view) or view.public.phase != "discard":
        return ()
    if way is None:
        style: Style = "good" if _opens(facts, view) else "plain"
        return (button(words, "open_draft", table, style=style),) if facts.draft else ()
    melds = dict.fromkeys(
        meld
        for meld in _melds(facts, view)
        if meld and (meld.kind == "pair") == (way == "pairs") and len(meld.tiles) < len(view.rack)
    )
    laid = (meld_offer(table, meld, view.public.okey) for meld in melds)
    return tuple(meld_button(table, offer, view.public.okey, words) for offer in laid)


def _opens(facts: RackFacts, view: SeatView) -> bool:
    """Return whether the draft is enough to open, and all of it is melds, or all pairs."""
    kind, reached, needed = _measure_draft(facts, view)
    groups = zip(facts.draft, _melds(facts, view), strict=True)
    whole = all(meld and (meld.kind == "pair") == (kind == "pairs") for group, meld in groups if group)
    return whole and reached >= needed


def _melds(facts: RackFacts, view: SeatView) -> tuple[Meld | None, ...]:
    return drafts.melds_in(facts.draft, rules_of(facts, view))
