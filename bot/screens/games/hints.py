"""Hints in words: the best move, and why."""

from typing import Final, NamedTuple

from bot.i18n import Words, join, plain
from bot.live import LiveHint
from bot.markup import Text
from bot.screens.games.melds import meld_names, rules_of
from bot.screens.parts import mark
from bot.tables import drafts
from bot.tables.facts import RackFacts
from engine.hints.classic import ClassicHint
from engine.hints.okey101 import Okey101Hint, Why
from engine.melds import MeldRules, Placed, read_as_played
from engine.moves import Declare, Discard, Draw, Finish, LayMeld, LayOff, Open, OpenPairs, Reclaim, Return
from engine.rules import Rules
from engine.tiles import Tile
from engine.view import SeatView

_WHY: Final[dict[Why, str]] = {"opens": "review.why_take_open", "lays": "review.why_take_lay"}
"""Reasons that have the same words in a review."""


_SIGN: Final = "💡"
"""What tells a chat's line of advice from the others. The app has an icon of its own."""


class _Told(NamedTuple):
    kind: str
    """A kind of `bot.live.LiveHint`."""
    move: Text
    why: Text
    tile: Tile | None = None


def hint_lines(facts: RackFacts, view: SeatView, words: Words) -> list[Text]:
    """Return the advice in a line, if there is any."""
    if facts.hint is None:
        return []
    told = _tell(facts, view, words)
    return [join([(_SIGN,), told.move, told.why] if told.why else [(_SIGN,), told.move], " ")]


def live_hint(facts: RackFacts, view: SeatView, words: Words) -> LiveHint | None:
    """Return the advice for an app."""
    if facts.hint is None:
        return None
    told = _tell(facts, view, words)
    missing = facts.hint.missing if isinstance(facts.hint, ClassicHint) else None
    tile = "" if told.tile is None else told.tile.name
    return LiveHint(told.kind, tile, missing, plain(told.move, words), plain(told.why, words))


def _tell(facts: RackFacts, view: SeatView, words: Words) -> _Told:
    if isinstance(facts.hint, ClassicHint):
        return tell_classic(facts.hint, facts.table.rules, view.public.okey, words)
    assert facts.hint is not None
    return tell_okey101(facts.hint, view, rules_of(facts, view), words)


def tell_classic(hint: ClassicHint, rules: Rules, okey: Tile, words: Words) -> _Told:
    """Return a hint at classic Okey."""
    if hint.kind == "show" and hint.tile is not None:
        shown = words.say(f"explain.shown.{rules.scoring}")
        return _Told(hint.kind, words.say("hint.show", tile=mark(hint.tile, okey)), shown, hint.tile)
    why = [words.say("hint.chance", live=hint.live, unseen=hint.unseen)] if hint.unseen else []
    if hint.rather is not None:
        why.append(words.say("hint.rather", tile=mark(hint.rather, okey), live=hint.rather_live))
    if hint.tile is None:
        key = "draw_first" if hint.missing else "draw_to_finish"
        return _Told(hint.kind, words.say(f"hint.{key}", n=hint.missing), join(why, " "))
    key = "take_to_finish" if hint.kind == "take" and not hint.missing else hint.kind
    move = words.say(f"hint.{key}", tile=mark(hint.tile, okey), n=hint.missing)
    return _Told(hint.kind, move, join(why, " "), hint.tile)


def tell_okey101(hint: Okey101Hint, view: SeatView, rules: MeldRules, words: Words) -> _Told:
    """Return a hint at Okey 101."""
    okey, why = rules.okey, _why(hint, view, words)

    def about(kind: str, tile: Tile) -> _Told:
        return _Told(kind, words.say(f"hint.101.{kind}", tile=mark(tile, okey)), why, tile)

    match hint.move:
        case Draw():
            return _Told("draw", words.say("hint.101.draw"), why)
        case Declare():
            return _Told("declare", words.say("hint.101.declare"), why)
        case Discard(tile):
            return about("discard", tile)
        case Finish(tile):
            return about("finish", tile)
        case Reclaim(tile):
            return about("reclaim", tile)
        case Return():
            assert view.drawn is not None
            return about("give_back", view.drawn)
        case Open(melds):
            points = drafts.worth(melds, rules).points
            return _Told("open", words.say("hint.101.open", points=points), why)
        case OpenPairs(pairs):
            return _Told("open_pairs", words.say("hint.101.open_pairs", n=len(pairs)), why)
        case LayMeld(tiles):
            return _Told("lay", words.say("hint.101.lay", meld=_name(tiles, rules, words)), why)
        case LayOff(placed, on):
            meld = meld_names(view.public.board.melds[on].meld, okey, words)
            tile = read_as_played(placed, okey).tile
            move = words.say("hint.101.lay_off", tile=mark(tile, okey), meld=meld)
            return _Told("lay_off", move, why, tile)
    return about("take", view.left_pile[-1])


def _name(tiles: tuple[Placed, ...], rules: MeldRules, words: Words) -> str:
    (meld,) = drafts.melds_in((tiles,), rules)
    assert meld is not None
    return meld_names(meld, rules.okey, words)


def _why(hint: Okey101Hint, view: SeatView, words: Words) -> Text:
    okey = view.public.okey
    match hint.why:
        case "":
            return ()
        case "too_low":
            tile = mark(view.left_pile[-1], okey)
            return words.say("hint.why.too_low", tile=tile, points=hint.points, needed=hint.needed)
        case "useless":
            return words.say("hint.why.useless", tile=mark(view.drawn or view.left_pile[-1], okey))
        case "chance":
            told = words.say("hint.why.chance", n=round(100 * hint.chance))
            if hint.rather is None:
                return told
            tries = round(100 * hint.rather_chance)
            return join([told, words.say("hint.why.rather", tile=mark(hint.rather, okey), n=tries)], " ")
    return words.say(_WHY.get(hint.why, f"hint.why.{hint.why}"))
