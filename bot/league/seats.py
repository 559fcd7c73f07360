"""Who is seated where when a round begins: what the seating asks of a night, its league and its season."""

from collections import Counter
from collections.abc import Sequence

from bot.league.clockwork import SeatThem
from bot.league.model import League
from bot.league.night import Night
from bot.league.outcome import result_of
from bot.league.seating import Seated, seat_round
from bot.league.standings import night_table, season_table
from engine.rules import rules_from

PLAYERS = 4


def seater(league: League, season: Sequence[Night]) -> SeatThem:
    """Seats the rounds of a league's night; `season` has its season's nights, this one or not."""

    def seat(night: Night, members: Sequence[str]) -> Seated:
        earlier = [each for each in season if each.id != night.id and each.start < night.start]
        seated = seat_round(
            members,
            [Seated(tuple(table.members for table in round.tables), round.byes) for round in night.rounds],
            mode=night.format.seating,
            fill=night.format.fill,
            seed=night.id.encode(),
            order=_order(league, night, earlier),
            pairs=_pairs(league, members),
            season_byes=Counter(member for each in earlier for round in each.rounds for member in round.byes),
        )
        return Seated(tuple(_filled(night, table) for table in seated.tables), seated.byes)

    return seat


def _order(league: League, night: Night, earlier: Sequence[Night]) -> list[str]:
    """The night's standing; before its first round the season's."""
    if night.rounds:
        return [each.member for each in night_table(result_of(night), night.format.ties)]
    results = [result_of(each) for each in earlier]
    return [each.member for each in season_table(results, league.format, night.season)]


def _pairs(league: League, members: Sequence[str]) -> list[tuple[str, str]]:
    """Those of whom each names the other as his partner."""
    partner = {id: league.members[id].partner for id in members if id in league.members}
    return [(one, other) for one, other in partner.items() if one < other and partner.get(other) == one]


def _filled(night: Night, table: tuple[str, ...]) -> tuple[str, ...]:
    """Computer players take the seats that stay free, where the format or partners ask for four."""
    if night.format.fill != "computers" and not rules_from(night.format.rules).teams:
        return table
    return (*table, *("",) * (PLAYERS - len(table)))
