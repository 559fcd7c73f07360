"""The arranging mode of Okey 101: a player builds melds tile by tile before he lays them."""

from bot.callback_data import callback_text
from bot.i18n import Words
from bot.markup import Button, Row, Text
from bot.screens.melds import WILD, meld_button, meld_words
from bot.screens.parts import SIGNS, button, mark
from bot.screens.player_parts import Mode, my_turn
from bot.tables import drafts
from bot.tables.facts import RackFacts
from bot.tables.racks import flat
from engine.games.okey101.laying import pairs_needed, points_needed
from engine.melds import Meld, Placed, points_of
from engine.tiles import Tile
from engine.view import SeatView


def draft_lines(facts: RackFacts, view: SeatView, words: Words, mode: Mode) -> list[Text]:
    """What is built so far, and what it comes to."""
    asked = words.say("draft.stand" if mode.kind == "stand" else "draft.title")
    groups = zip(facts.draft, _melds(facts, view), strict=True)
    lines = [_group_line(n, group, meld, view, words) for n, (group, meld) in enumerate(groups, 1)]
    return [asked, *lines, *_total_lines(facts, view, words)]


def _group_line(number: int, group: drafts.Group, meld: Meld | None, view: SeatView, words: Words) -> Text:
    okey = view.public.okey
    if meld is None:
        tiles = " ".join(_placed_words(placed, okey) for placed in group)
        return words.say("draft.begun", number=number, tiles=tiles)
    if meld.kind == "pair":
        return words.say("draft.pair", number=number, meld=meld_words(meld, okey))
    return words.say("draft.meld", number=number, meld=meld_words(meld, okey), points=points_of(meld))


def _placed_words(placed: Placed, okey: Tile) -> str:
    if placed.face is Tile.F:
        return "🃏"
    crown = WILD if drafts.tile_of(placed, okey) is okey else ""
    return f"{crown}{SIGNS[placed.face.name[0]]}{placed.face.number}"


def _total_lines(facts: RackFacts, view: SeatView, words: Words) -> list[Text]:
    """Points and pairs beside what opening takes; nothing once he has opened."""
    board, rules = view.public.board, facts.table.rules
    if board.opened[facts.seat] is not None:
        return []
    total = drafts.worth(facts.draft, rules.meld_rules(view.public.okey))
    if total.pairs and not total.points:
        return [_of(words, "pairs", total.pairs, pairs_needed(rules, board))]
    return [_of(words, "points", total.points, points_needed(rules, board))]


def _of(words: Words, kind: str, reached: int, needed: int) -> Text:
    if reached >= needed:
        return words.say(f"draft.enough_{kind}", reached=reached, needed=needed)
    return words.say(f"draft.missing_{kind}", reached=reached, needed=needed, missing=needed - reached)


def draft_buttons(facts: RackFacts, view: SeatView, words: Words) -> tuple[Row, ...]:
    """The tiles that are left, what can be undone, and laying it where that is possible now."""
    table = facts.table
    steps = [button(words, "best_draft", table)]
    if facts.draft:
        steps = [button(words, "new_group", table), button(words, "undo", table), *steps]
    drops = tuple(
        Button((f"✖ #{number}",), callback_text("drop", table.id, table.game_revision, number - 1))
        for number in range(1, len(facts.draft) + 1)
    )
    rows = (
        _tiles(facts, view),
        (*steps, *drops),
        (*_laying(facts, view, words), button(words, "look", table)),
    )
    return tuple(row for row in rows if row)


def _tiles(facts: RackFacts, view: SeatView) -> Row:
    """One button a face, in his own order. An okey asks what it stands for, unless that is plain."""
    okey = view.public.okey
    left = drafts.left(flat(facts.shelves), facts.draft, okey)
    return tuple(
        Button((mark(tile, okey),), _okey_press(facts, view) if tile is okey else _press(facts, "add", tile))
        for tile in dict.fromkeys(left)
    )


def _okey_press(facts: RackFacts, view: SeatView) -> str:
    faces = _faces(facts, view)
    if len(faces) == 1:
        return _press(facts, "stand", faces[0])
    return callback_text("ask_stand", facts.table.id, facts.table.game_revision)


def _press(facts: RackFacts, verb: str, tile: Tile) -> str:
    return callback_text(verb, facts.table.id, facts.table.game_revision, tile.name)


def _laying(facts: RackFacts, view: SeatView, words: Words) -> tuple[Button, ...]:
    """Open with the draft, or lay its melds one by one."""
    table, board = facts.table, view.public.board
    if not my_turn(facts, view) or view.public.phase != "discard":
        return ()
    if board.opened[facts.seat] is None:
        return (button(words, "open_draft", table, style="good"),) if facts.draft else ()
    return tuple(meld_button(table, meld, view.public.okey, words) for meld in _melds(facts, view) if meld)


def stand_buttons(facts: RackFacts, view: SeatView, words: Words) -> tuple[Row, ...]:
    """What the okey may stand for in the meld that is being built."""
    faces = tuple(
        Button((WILD, mark(face, view.public.okey)), _press(facts, "stand", face))
        for face in _faces(facts, view)
    )
    back = (button(words, "draft", facts.table),)
    return (faces, back) if faces else (back,)


def _faces(facts: RackFacts, view: SeatView) -> tuple[Tile, ...]:
    return drafts.stands_for(facts.draft, facts.table.rules.meld_rules(view.public.okey))


def _melds(facts: RackFacts, view: SeatView) -> tuple[Meld | None, ...]:
    return drafts.melds_in(facts.draft, facts.table.rules.meld_rules(view.public.okey))
