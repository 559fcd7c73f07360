"""Replay: the steps of a round that is over, each with the table and every rack."""

from dataclasses import dataclass

from bot.i18n import Words, join
from bot.markup import Button, Cell, Document, DrawnReplay, Page, ReplayPicture, Row, Series
from bot.screens.live import live_replay
from bot.screens.parts import button, face, name_sorted_tiles, press, scores
from bot.screens.result import outcome_text
from bot.screens.table import happenings, table_alt, table_picture
from bot.tables.facts import TableFacts
from engine.tiles import Tile
from engine.view import PublicView


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFacts:
    """A table at one step, with all racks."""

    table: TableFacts
    racks: tuple[tuple[Tile, ...], ...]
    step: int
    """The number of the step; 0: the deal."""
    last: int
    rounds: int
    """The number of rounds that are over."""


def replay_page(facts: StepFacts, words: Words, *, turns: bool) -> Page:
    """Return one step, with buttons to the others."""
    table, view = facts.table, facts.table.view
    assert view is not None
    outcome = view.outcome
    title = words.say(
        "replay.title",
        table=table.place.called,
        round=table.round_number,
        step=facts.step,
        last=facts.last,
    )
    told = [
        *(happenings(table, words) or [words.say("replay.dealt")]),
        *([] if outcome is None else [outcome_text(outcome, table, words)]),
    ]
    racks = tuple(tuple(face(tile, view.okey) for tile in rack) for rack in facts.racks)
    picture = table_picture(table, view, words)
    return Page(
        text=join([title, *told, scores(table, words)]),
        picture=ReplayPicture(table=picture, racks=racks),
        alt="\n".join([table_alt(picture, table, view, words), *_rack_alts(facts, view, words)]),
        buttons=_buttons(facts, words),
        turns=turns,
        series=Series(press(table, "replay_step", table.round_number), facts.step, facts.last),
        replay=DrawnReplay(
            live_replay(table, facts.racks, words),
            join(told),
        ),
    )


def _rack_alts(facts: StepFacts, view: PublicView, words: Words) -> list[str]:
    return [
        words.plain("alt.rack", who=seat.name, tiles=name_sorted_tiles(rack, view.okey, words))
        for seat, rack in zip(facts.table.seats, facts.racks, strict=True)
    ]


def _buttons(facts: StepFacts, words: Words) -> tuple[Row, ...]:
    """Return the four buttons to other steps. They keep their positions, so that a thumb can go on
    pressing."""
    table = facts.table
    number, before, after = table.round_number, max(facts.step - 1, 0), min(facts.step + 1, facts.last)
    steps = (
        button(words, "replay_first", table, number, step=True),
        button(words, "replay_step", table, number, before, step=True),
        button(words, "replay_step", table, number, after, says="replay_next", step=True),
        button(words, "replay_last", table, number, step=True),
    )
    return (steps, *other_rounds(table, facts.rounds, words, "replay_first"))


def other_rounds(table: TableFacts, rounds: int, words: Words, verb: str, *at: int) -> tuple[Row, ...]:
    """Return the buttons to the rounds before and after a table's, out of `rounds` that are over."""
    near = (table.round_number - 1, table.round_number + 1)
    row = tuple(
        Button((words.plain("button.replay_round", round=each),), press(table, verb, each, *at))
        for each in near
        if 1 <= each <= rounds
    )
    return (row,) if row else ()


def replay_document(title: str, facts: StepFacts, back: Cell, words: Words) -> Document:
    """Return the text and picture of `replay_page`, under a league's name. `back` leads to the page
    before."""
    page = replay_page(facts, words, turns=False)
    assert isinstance(page.picture, ReplayPicture)
    return Document(
        title=title,
        lines=(page.text,),
        picture=page.picture,
        alt=page.alt,
        ways=(*_steps(facts, words), *_rounds(facts, words), back),
    )


def _steps(facts: StepFacts, words: Words) -> tuple[Cell, ...]:
    """Return the four links to other steps, at fixed positions. A link without an address is the current
    step."""
    numbers = {
        "first": 0,
        "before": max(facts.step - 1, 0),
        "after": min(facts.step + 1, facts.last),
        "last": facts.last,
    }
    return tuple(
        Cell(
            words.say(f"sheet.step.{name}"),
            way="" if number == facts.step else _way(facts, facts.table.round_number, number),
        )
        for name, number in numbers.items()
    )


def _rounds(facts: StepFacts, words: Words) -> tuple[Cell, ...]:
    now = facts.table.round_number
    return tuple(
        Cell(words.say("button.replay_round", round=each), way=_way(facts, each, 0))
        for each in range(1, facts.rounds + 1)
        if each != now
    )


def _way(facts: StepFacts, round: int, step: int) -> str:
    return f"replay/{facts.table.id}?round={round}&step={step}"
