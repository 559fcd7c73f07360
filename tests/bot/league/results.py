"""Nights' results in a short form: `table(1, "m1 40", "m2 30", "- 20")`; `-` is a computer player."""

from bot.league.results import NightResult, SeatResult, TableResult, TableState

START = 1_772_733_600.0
"""Thursday, 5 March 2026, 18:00 UTC."""
WEEK = 7 * 86_400.0


def table(
    round: int, *seats: str, number: int = 1, state: TableState = "counted", teams: bool = False
) -> TableResult:
    """A table: its seats' members and scores."""
    pairs = [seat.split() for seat in seats]
    return TableResult(
        round=round,
        number=number,
        table=f"t{round}-{number}",
        seats=tuple(SeatResult("" if who == "-" else who, int(score), 0) for who, score in pairs),
        state=state,
        teams=teams,
    )


def night(
    number: int,
    *tables: TableResult,
    byes: tuple[tuple[int, str], ...] = (),
    missed: tuple[tuple[int, str], ...] = (),
    penalties: tuple[tuple[str, float], ...] = (),
    bonuses: tuple[tuple[str, float], ...] = (),
    bye_points: float = 1.5,
    missed_points: float = 0.0,
    start: float | None = None,
    season: int = 1,
) -> NightResult:
    """A night that is over. The first is on 5 March 2026, each later one a week after the one before."""
    return NightResult(
        id=f"L-{number}",
        season=season,
        number=number,
        start=START + (number - 1) * WEEK if start is None else start,
        over=True,
        tables=tables,
        byes=byes,
        missed=missed,
        penalties=penalties,
        bonuses=bonuses,
        bye_points=bye_points,
        missed_points=missed_points,
    )
