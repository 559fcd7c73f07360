"""A round that is over, to page through: the table at each step, and every rack."""

from dataclasses import dataclass

from bot.presses import press_text
from bot.screens.facts import TableFacts
from bot.screens.happenings import happenings
from bot.screens.model import Button, Leaflet, ReplayPicture, Row
from bot.screens.parts import button, face, scores, sorted_words
from bot.screens.result import outcome_text
from bot.screens.table import table_alt, table_picture
from bot.words import Words, joined
from engine.tiles import Tile
from engine.view import PublicView


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFacts:
    """A table as it was at one step, with all racks."""

    table: TableFacts
    racks: tuple[tuple[Tile, ...], ...]
    step: int
    """0 is the deal."""
    last: int
    rounds: int
    """How many rounds are over by now."""


def replay_page(facts: StepFacts, words: Words, *, turns: bool) -> Leaflet:
    """One step, with buttons to the others."""
    table, view = facts.table, facts.table.view
    assert view is not None
    outcome = view.outcome
    lines = [
        words.say(
            "replay.title",
            table=table.id.upper(),
            round=table.round_number,
            step=facts.step,
            last=facts.last,
        ),
        *(happenings(table, words) or [words.say("replay.dealt")]),
        *([] if outcome is None else [outcome_text(outcome, table, words)]),
        scores(table, words),
    ]
    racks = tuple(tuple(face(tile, view.okey) for tile in rack) for rack in facts.racks)
    return Leaflet(
        text=joined(lines),
        picture=ReplayPicture(table=table_picture(table, view, words), racks=racks),
        alt=_alt(facts, view, words),
        buttons=_buttons(facts, words),
        turns=turns,
    )


def _alt(facts: StepFacts, view: PublicView, words: Words) -> str:
    racks = [
        words.plain("alt.rack", who=seat.name, tiles=sorted_words(rack, view.okey, words))
        for seat, rack in zip(facts.table.seats, facts.racks, strict=True)
    ]
    return "\n".join([table_alt(facts.table, view, words), *racks])


def _buttons(facts: StepFacts, words: Words) -> tuple[Row, ...]:
    """All four ways stay where they are, so that a thumb can go on pressing."""
    table = facts.table
    number = table.round_number
    steps = (
        button(words, "replay_first", table, number),
        button(words, "replay_step", table, number, max(facts.step - 1, 0)),
        Button(
            (words.plain("button.replay_next"),),
            press_text("replay_step", table.id, table.moves, number, min(facts.step + 1, facts.last)),
        ),
        button(words, "replay_last", table, number),
    )
    others = [each for each in (number - 1, number + 1) if 1 <= each <= facts.rounds]
    rounds = tuple(
        Button(
            (words.plain("button.replay_round", round=each),),
            press_text("replay_first", table.id, table.moves, each),
        )
        for each in others
    )
    return (steps, rounds) if rounds else (steps,)
