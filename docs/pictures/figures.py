"""Figures and pages of persons and communities: statistics, the daily rack, reviews, organisers' settings."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from typing import Final

import hand
from nights import NAMES, Shown

from bot.daily import DailyBoard, DailyRecord, DailyStanding, with_answer
from bot.history.played import Dated, PlayedMatch, Player
from bot.history.records import ReviewedRound
from bot.history.statistics import Figures, Leader, Luck, PersonStandings
from bot.i18n import Words
from bot.markup import Name, Page
from bot.screens import community, daily, statistics
from bot.screens.review import ReviewFacts, review_page
from bot.screens.rules import rules_lines
from bot.tables.facts import table_facts
from engine.replay import Position
from engine.review import review
from engine.rules import rules_from

_DAYS: Final = {
    daily.daily_puzzle(day).kind: day
    for day in range(date(2026, 11, 22).toordinal(), date(2026, 11, 28).toordinal())
}
"""A day for each kind of daily rack."""
_WEEK: Final = tuple(DailyStanding(rank, name, 5 - rank, 6) for rank, name in enumerate(NAMES[:4], start=1))
_FIGURES: Final = Figures(
    rounds=48, wins=14, how=Counter(plain=9, pairs=3, joker=1, color=1, elden=2), opened=31, fines=4
)
_STANDINGS: Final = PersonStandings(
    games={"classic": _FIGURES, "101": _FIGURES},
    matches=9,
    matches_won=1,
    streak=1,
    longest=3,
    places={1: 1, 2: 5, 3: 2, 4: 1},
    rating=1528,
    rated=12,
    trophies=("first_win", "three_in_a_row", "joker", "pairs", "color"),
    luck=(
        Luck(game="classic", racks=48, okeys=15, okeys_expected=13.0, start=4.02, start_expected=4.0),
        Luck(game="101", racks=48, okeys=17, okeys_expected=19.4, start=66.1, start_expected=69.2),
    ),
    opponents=((NAMES[1], 6), (NAMES[2], 1)),
)
_LEADERS: Final = [Leader(name, name, 9 - number, 20 + 2 * number) for number, name in enumerate(NAMES[:4])]
_MATCH: Final = PlayedMatch(
    table="k7xq3m",
    game="classic",
    players=tuple(Player(None, name) for name in NAMES[:4]),
    rounds=(),
    scores=(20, 18, 0, 12),
    winners=(0,),
    over=True,
    owners=(),
)
_TAGGED: Final = tuple(community.Tagged(name, str(tag)) for tag, name in enumerate(NAMES[:3]))


def screens(seed: int) -> Iterator[tuple[str, Shown]]:
    """Every screen by its name; the round that is reviewed has this seed."""
    for kind, day in _DAYS.items():
        yield f"daily-{kind}", _daily(day, DailyRecord(), None)
        yield f"daily-{kind}-post", partial(daily.daily_post, "daily", day, _WEEK)
        for answer in ("right", "wrong"):
            yield f"daily-{kind}-{answer}", _daily(day, _answered(day, right=answer == "right"), _WEEK)
    yield "figures", lambda words: statistics.figures_page(_STANDINGS, words)
    yield "leaderboard", partial(statistics.leaderboard_page, "week", _LEADERS, token="t", turns=False)
    honours = (statistics.SeasonWon("Thursday league", 2),)
    facts = statistics.PersonFacts(name=NAMES[0], standings=_STANDINGS, honours=honours, here=True, own=True)
    yield "profile", partial(statistics.profile_page, facts, token="t", turns=False)
    yield "profile-post", partial(statistics.profile_post, facts)
    matches = [Dated(hand.TURN_ENDS, _MATCH), Dated(0.0, _MATCH)]
    yield "history", lambda words: statistics.history_page(matches, 10.0, words, offset=180, turns=False)
    for shown in (0, 1, 4):
        yield f"review-{shown or 'verdict'}", _review(seed, shown)
    yield from _of_communities()


def _daily(day: int, record: DailyRecord, week: Sequence[DailyStanding] | None) -> Shown:
    facts = daily.DailyFacts(day=day, today=day, record=record, week=week)
    return lambda words: daily.daily_page(facts, words, turns=False)


def _answered(day: int, *, right: bool) -> DailyRecord:
    puzzle = daily.daily_puzzle(day)
    best = puzzle.choices.index(puzzle.best)
    return with_answer(DailyRecord(), day, best if right else (best + 1) % len(puzzle.choices), right=right)


def _review(seed: int, shown: int) -> Shown:
    _, *played = hand.moves("okey", seed)
    positions = tuple(
        Position(0, n - 1 if n else None, each.match, (), by) for n, (each, by) in enumerate(played)
    )
    of_round = ReviewedRound(played[-1][0], review(positions, hand.ADA), positions)
    facts = ReviewFacts(
        table=table_facts(of_round.at(shown), None),
        rounds=1,
        review=of_round.review,
        winner=of_round.winner,
        shown=shown,
        view=of_round.see(hand.ADA, shown) if shown else None,
        racks=of_round.racks(shown),
    )
    return lambda words: review_page(facts, words, turns=False)


def _of_communities() -> Iterator[tuple[str, Shown]]:
    yield "organise", _settings
    place = "tg:-1"
    yield "organise-games", partial(community.games_page, place)
    yield "organise-clocks", partial(community.clocks_page, place, 60)
    yield "organise-languages", partial(community.languages_page, place, "tr")
    yield "organise-most", partial(community.most_page, place, 5)
    yield (
        "organise-hours",
        partial(community.hours_page, place, DailyBoard(community=place, place=place, hour=9)),
    )
    yield "organise-roles", partial(community.roles_page, place, _TAGGED[:2], _TAGGED[0].tag)
    yield "organise-seated", partial(community.people_page, place, _TAGGED[:2], _TAGGED[2:])
    yield "organise-open-tables", partial(_tables, place)


def _settings(words: Words) -> Page:
    facts = community.CommunityFacts(
        place="tg:-1",
        rules=rules_lines(rules_from({"preset": "okey101"}), words),
        turn_seconds=60,
        language="tr",
        rooms=True,
        shared=False,
        where=("#okey",),
        here=True,
        tables=3,
        of_nights=2,
        tables_most=5,
        daily=words.say("organise.hour_on", hour="09:00", zone="Europe/Istanbul", where="#okey"),
        role=(),
        blocked=NAMES[3:5],
        set_by=[words.say("notice.set_by", who=Name(NAMES[0]))],
    )
    return community.settings_page(facts, words, turns=False)


def _tables(place: str, words: Words) -> Page:
    tables = [community.Tagged(words.plain("table.called", table=number), str(number)) for number in (1, 2)]
    return community.tables_page(place, tables, tables[:1], 2, words)
