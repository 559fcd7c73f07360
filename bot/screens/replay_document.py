"""A round that is over as a public page: a step at a time, with plain links to the others."""

from bot.screens.document import Cell, Document
from bot.screens.model import ReplayPicture
from bot.screens.replay import StepFacts, replay_page
from bot.words import Words


def replay_document(title: str, facts: StepFacts, back: Cell, words: Words) -> Document:
    """What `replay_page` says and shows, under a league's name; `back` leads to where one came from."""
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
    """All four ways stay where they are; one that leads nowhere else is where one is."""
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
