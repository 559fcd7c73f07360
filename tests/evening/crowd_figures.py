"""Delays of turns and tables: the time between a commit and the call that shows it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bot.tables.facts import table_facts
from bot.tables.table import Table
from bot.tables.worth import of_place
from tests.evening.crowd_people import Crowd, Showing
from tests.evening.crowd_witness import Commit

FRESH_SECONDS = 3.0
"""Seconds that a screen may take: it is drawn, waits for others in its chat, and is uploaded."""

Shown = dict[tuple[str, str], list[Showing]]
"""The calls that showed a table to a place or person, earliest first."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one platform's crowd, in seconds."""

    turns: tuple[float, ...]
    """From a commit to the call that sent the rack to the player on turn, shortest first."""
    untold: int
    """The number of turns whose players were not notified."""
    acknowledged: tuple[float, ...]
    """From a press to the answer in its person's app, shortest first."""
    tables: tuple[float, ...]
    """The age of the states shown in places, counted from their commits, youngest first."""
    stale: int
    """The number of times a place was shown a state that had been replaced more than `FRESH_SECONDS`
    before."""
    behind: int
    """The number of tables whose last message does not show their last turn."""
    refused: int
    """The number of calls that the platform refused because there were too many."""
    findings: tuple[str, ...]
    """The broken rules of the platform."""

    @property
    def turn_p99(self) -> float:
        """The 99th percentile of the delays of turns."""
        return _at(self.turns, 0.99)

    @property
    def acknowledged_p99(self) -> float:
        """The 99th percentile of the delays of answers."""
        return _at(self.acknowledged, 0.99)

    def report(self) -> dict[str, object]:
        """The figures for printing."""
        return {
            "turns": len(self.turns),
            "turn_p50": _at(self.turns, 0.5),
            "turn_p99": self.turn_p99,
            "turn_max": _at(self.turns, 1.0),
            "untold": self.untold,
            "presses": len(self.acknowledged),
            "acknowledged_p50": _at(self.acknowledged, 0.5),
            "acknowledged_p99": self.acknowledged_p99,
            "acknowledged_max": _at(self.acknowledged, 1.0),
            "tables_shown": len(self.tables),
            "table_p50": _at(self.tables, 0.5),
            "table_max": _at(self.tables, 1.0),
            "stale": self.stale,
            "behind": self.behind,
            "refused": self.refused,
            "findings": self.findings,
        }


async def figures(crowd: Crowd, commits: Sequence[Commit]) -> Figures:
    """The figures of one platform's tables."""
    histories: dict[str, list[Commit]] = defaultdict(list)
    for commit in sorted(commits, key=lambda commit: commit.at):
        if crowd.place in commit.table.places:
            histories[commit.table.id].append(commit)
    shown: Shown = defaultdict(list)
    for showing in await crowd.showings():
        shown[showing.table, showing.to].append(showing)
    turns = [late for history in histories.values() for late in _turns(history, shown)]
    public = [
        (_news(history, crowd.place), shown[table, crowd.place]) for table, history in histories.items()
    ]
    return Figures(
        turns=tuple(sorted(late for late in turns if late is not None)),
        untold=turns.count(None),
        acknowledged=tuple(sorted(after for player in crowd.players for after in player.acknowledged)),
        tables=tuple(sorted(_age(news, showing) for news, told in public for showing in told)),
        stale=sum(_is_stale(news, showing) for news, told in public for showing in told),
        behind=sum(not told or told[-1].moves < _begin_of_turn(news[-1].table) for news, told in public),
        refused=await crowd.refused(),
        findings=tuple(await crowd.findings()),
    )


def _turns(history: list[Commit], shown: Shown) -> list[float | None]:
    """The delay of each turn of a table's people; None: never shown."""
    late: list[float | None] = []
    turn = 0
    for commit in history:
        table, person = commit.table, commit.on_turn
        if person is not None and table.turn_number > turn:
            turn = table.turn_number
            told = [each.at for each in shown[table.id, person] if each.moves >= table.moment]
            late.append(max(0.0, told[0] - commit.at) if told else None)
    return late


def _begin_of_turn(table: Table) -> int:
    """The moment at which its turn began. The witness may have read the turn's first state only after the
    draw, which places aren't shown."""
    turn = table.turn_number  # larger than the number of moments in a turn
    return turn * (table.moment // turn) if turn else 0


def _news(history: list[Commit], place: str) -> list[Commit]:
    """The first commit of every state that places should be shown."""
    first: dict[str, Commit] = {}
    for commit in history:
        first.setdefault(str(of_place(table_facts(commit.table, None, place), "")), commit)
    return list(first.values())


def _age(news: list[Commit], showing: Showing) -> float:
    """Seconds between the commit of a state and the call that shows it."""
    shows = [commit for commit in news if commit.table.moment <= showing.moves]
    return max(0.0, showing.at - shows[-1].at) if shows else 0.0


def _is_stale(news: list[Commit], showing: Showing) -> bool:
    later = next((commit for commit in news if commit.table.moment > showing.moves), None)
    return later is not None and showing.at - later.at > FRESH_SECONDS


def _at(times: Sequence[float], part: float) -> float:
    return round(times[min(len(times) - 1, int(part * len(times)))], 3) if times else 0.0
