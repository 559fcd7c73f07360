"""What the table of Okey 101 shows beyond a classic one (RULES 5)."""

from bot.presses import press_text
from bot.screens.facts import TableFacts
from bot.screens.melds import meld_faces, spoken_melds
from bot.screens.model import Button, Row, TileFace
from bot.screens.parts import label, mark
from bot.words import Words
from engine.view import PublicView


def laid(view: PublicView) -> tuple[tuple[TileFace, ...], ...] | None:
    """Every meld on the table for its picture; None for a classic table."""
    if view.board is None:
        return None
    return tuple(meld_faces(each.meld, view.okey) for each in view.board.melds)


def opening_note(seat: int, facts: TableFacts, view: PublicView, words: Words) -> str:
    """With what a seat opened, for its plate."""
    way = None if view.board is None else view.board.opened[seat]
    return "" if way is None else words.plain(f"note.opened_{way}", count=facts.openings[seat])


def alt_lines(view: PublicView, words: Words) -> list[str]:
    """The laid melds read aloud."""
    if view.board is None or not view.board.melds:
        return []
    return [words.plain("alt.melds"), *spoken_melds(view.board.melds, view.okey, words)]


def blind_buttons(facts: TableFacts, view: PublicView, words: Words) -> tuple[Row, ...]:
    """Numbered buttons for a player whom only alerts reach, good for his whole turn.

    They say nothing about his rack but how many tiles are on it, which everybody sees.
    """
    assert view.turn is not None
    most = view.rack_sizes[view.turn] + (view.phase == "draw")
    numbers = tuple(_here("spot", str(place), facts, place) for place in range(1, most + 1))
    draw = (_here("draw_here", words.plain("button.draw"), facts),) if view.turns else ()
    okey = Button(
        label(words, "button.discard_okey", tile=mark(view.okey, view.okey)),
        press_text("okey_here", facts.id, facts.turn_number),
        "danger",
    )
    laying = (_here("lay_here", words.plain("button.lay_here"), facts), okey)
    return (*draw, _here("open_here", words.plain("button.open_here"), facts)), numbers, laying


def _here(verb: str, words: str, facts: TableFacts, *arguments: int) -> Button:
    return Button((words,), press_text(verb, facts.id, facts.turn_number, *arguments))
