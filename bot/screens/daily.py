"""The daily rack on screens: the question, the explanation after an answer, and a community's week."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Final

from bot.callback_data import callback_text
from bot.daily import DailyRecord, DailyStanding
from bot.i18n import Words, join, plain
from bot.live import LiveChoice, LivePuzzle
from bot.markup import (
    Button,
    DrawnPuzzle,
    Name,
    Page,
    PublicScreen,
    PuzzlePicture,
    RackPicture,
    Row,
    Text,
    TileMark,
)
from bot.screens.parts import OWN, face, in_rows, label, mark, name_sorted_tiles
from engine.daily import Puzzle, PuzzleChoice, Solution, puzzle_of, solution_of
from engine.melds import write_as_placed
from engine.tiles import Tile

STANDINGS_MOST: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class DailyFacts:
    """A day's rack for a person who asks for it or has answered it."""

    day: int
    today: int
    record: DailyRecord
    week: Sequence[DailyStanding] | None
    """The week's standings of the community where they are; None in private."""


@lru_cache(maxsize=16)
def _solve(day: int) -> tuple[Puzzle, Solution]:
    """Return the puzzle of a day with its solution, cached: a page takes 0.2 ms, these up to 30 ms."""
    puzzle = puzzle_of(day)
    return puzzle, solution_of(puzzle)


def daily_puzzle(day: int) -> Puzzle:
    """Return the puzzle of a day. The first call for a day may take some seconds: not on the event loop."""
    return _solve(day)[0]


def daily_page(facts: DailyFacts, words: Words, *, turns: bool) -> Page:
    """Return the question with its answers to choose from; after an answer, the right one and the reasons."""
    puzzle, record = daily_puzzle(facts.day), facts.record
    question, answered = _question(puzzle, words), record.day == facts.day
    told = _explain(puzzle, facts, words) if answered else []
    buttons = () if answered else _choices(puzzle, words)
    page = _page(puzzle, question + told, buttons, words, turns=turns)
    live = _live(puzzle, words, record.choice if answered else None)
    return replace(page, puzzle=DrawnPuzzle(live, join(told)))


def _explain(puzzle: Puzzle, facts: DailyFacts, words: Words) -> list[Text]:
    """Return what somebody is told who has answered."""
    record, lines = facts.record, list[Text]()
    chosen = puzzle.choices[record.choice]
    right = chosen == puzzle.best
    lines.append(words.say("daily.right" if right else "daily.wrong", answer=_say(chosen, puzzle, words)))
    lines += _why(puzzle, _solve(facts.day)[1], chosen, words)
    streak = record.streak_on(facts.today)
    lines.append(words.say("daily.streak", n=streak, longest=record.longest))
    lines.append(words.say("daily.solved", solved=record.solved, answered=record.answered))
    if facts.day == facts.today:
        lines.append(words.say("daily.tomorrow"))
    if facts.week is not None:
        lines += _week(facts.week, words)
    return lines


def daily_post(id: str, day: int, week: Sequence[DailyStanding], words: Words) -> PublicScreen:
    """Return a community's post at its hour: the question, the answer of the day before, the week so far."""
    puzzle, before = daily_puzzle(day), daily_puzzle(day - 1)
    lines = _question(puzzle, words)
    lines.append(words.say("daily.before", answer=_say(before.best, before, words)))
    lines += _week(week, words) if week else []
    page = _page(puzzle, lines, _choices(puzzle, words), words, turns=False)
    assert isinstance(page.picture, PuzzlePicture)
    return PublicScreen(
        table=id, version=day, text=page.text, picture=page.picture, alt=page.alt, buttons=page.buttons
    )


def _page(puzzle: Puzzle, lines: list[Text], buttons: tuple[Row, ...], words: Words, *, turns: bool) -> Page:
    return Page(
        text=join(lines),
        picture=_picture(puzzle, words),
        alt=words.plain("daily.alt", tiles=name_sorted_tiles(puzzle.rack, puzzle.okey, words)),
        buttons=buttons,
        turns=turns,
    )


def _question(puzzle: Puzzle, words: Words) -> list[Text]:
    return [
        _title(puzzle, words),
        words.say(
            "daily.open_tiles",
            indicator=TileMark(puzzle.indicator.name),
            okey=TileMark(puzzle.okey.name),
        ),
        words.say(f"daily.{puzzle.kind}"),
    ]


def _title(puzzle: Puzzle, words: Words) -> Text:
    day = words.day(datetime.fromordinal(puzzle.day))
    return words.say("daily.title", day=day, level=words.plain(f"daily.{puzzle.level}"))


def _choices(puzzle: Puzzle, words: Words) -> tuple[Row, ...]:
    buttons = [
        Button(
            (mark(choice, puzzle.okey),) if isinstance(choice, Tile) else label(words, f"daily.{choice}"),
            _press(puzzle, number),
        )
        for number, choice in enumerate(puzzle.choices)
    ]
    return in_rows(buttons, 1) if puzzle.kind == "open" else (tuple(buttons),)


def _press(puzzle: Puzzle, number: int) -> str:
    return callback_text("daily", OWN, 0, puzzle.day, number)


def _live(puzzle: Puzzle, words: Words, chosen: int | None) -> LivePuzzle:
    """Return a puzzle for an app that draws it. Who has not answered is told no answer."""
    return LivePuzzle(
        kind=puzzle.kind,
        title=plain(_title(puzzle, words), words),
        question=words.plain(f"daily.{puzzle.kind}"),
        rack=tuple(tile.name for tile in puzzle.rack),
        indicator=puzzle.indicator.name,
        okey=puzzle.okey.name,
        choices=tuple(
            LiveChoice(
                press=_press(puzzle, number) if chosen is None else "",
                tile=choice.name if isinstance(choice, Tile) else "",
                text="" if isinstance(choice, Tile) else words.plain(f"daily.{choice}"),
            )
            for number, choice in enumerate(puzzle.choices)
        ),
        chosen=-1 if chosen is None else chosen,
        best=-1 if chosen is None else puzzle.choices.index(puzzle.best),
    )


def _say(choice: PuzzleChoice, puzzle: Puzzle, words: Words) -> Text:
    if isinstance(choice, Tile):
        return (mark(choice, puzzle.okey),)
    return words.say(f"daily.{choice}")


def _why(puzzle: Puzzle, solution: Solution, chosen: PuzzleChoice, words: Words) -> list[Text]:
    match puzzle.kind:
        case "discard":
            return _why_discard(puzzle, solution, chosen, words)
        case "finish":
            best = _say(puzzle.best, puzzle, words)
            return [words.say("daily.why_finish", tile=best, melds=_melds(puzzle, solution))]
    melds, points = _melds(puzzle, solution), solution.points
    return [words.say(f"daily.why_{puzzle.best}", melds=melds, points=points, pairs=solution.pairs)]


def _why_discard(puzzle: Puzzle, solution: Solution, chosen: PuzzleChoice, words: Words) -> list[Text]:
    """Return the outlook after the best discard and after the chosen one; after the second best, if they
    chose the best."""
    outlooks, best = solution.outlooks, puzzle.best
    others = [tile for tile in outlooks if tile != best]
    second = min(others, key=lambda tile: (outlooks[tile].distance, -outlooks[tile].live))
    told = [("best", best), ("other", second if chosen == best else chosen)]
    lines = []
    for key, tile in told:
        assert isinstance(tile, Tile)
        after = outlooks[tile]
        said = words.say(
            f"daily.why_{key}",
            tile=mark(tile, puzzle.okey),
            n=after.distance,
            live=after.live,
            unseen=after.unseen,
        )
        lines.append(said)
    return lines


def _melds(puzzle: Puzzle, solution: Solution) -> Text:
    """Return the melds of a solution. An okey is shown as the tile that it stands for."""
    return join(
        (
            tuple(
                TileMark(placed.face.name, wild=placed.wild) for placed in write_as_placed(meld, puzzle.okey)
            )
            for meld in solution.melds
        ),
        " · ",
    )


def _week(standings: Sequence[DailyStanding], words: Words) -> list[Text]:
    rows = [
        words.say(
            "daily.standing", rank=each.rank, who=Name(each.name), solved=each.solved, answered=each.answered
        )
        for each in standings[:STANDINGS_MOST]
    ]
    return [words.say("daily.week"), *rows]


def _picture(puzzle: Puzzle, words: Words) -> PuzzlePicture:
    faces = tuple(face(tile, puzzle.okey) for tile in puzzle.rack)
    half = -(-len(faces) // 2)
    rack = RackPicture(
        shelves=(faces[:half], faces[half:]),
        indicator=face(puzzle.indicator, puzzle.okey),
        okey=face(puzzle.okey, puzzle.okey),
        captions=(words.plain("word.indicator"), words.plain("word.okey")),
    )
    return PuzzlePicture(rack)
