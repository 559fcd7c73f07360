"""Nights: the screens of a league and of its organisers, from a night that is made of its events."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final, get_args

from bot.history.judgements import SeasonPlay
from bot.i18n import Words
from bot.league.events import CheckInClosed, Disputed, Ended, NightEvent, Paused, Penalised, RoundEnded
from bot.league.founding import LeagueDraft
from bot.league.model import NightRef, Season
from bot.league.night import Night
from bot.league.ratings import RatedNight
from bot.league.results import result_of
from bot.league.schedule import Occurrence
from bot.league.standings import night_standings, season_standings
from bot.markup import Page, PublicScreen
from bot.ports import Right
from bot.screens.league import messages, organising, pages, results, settings
from bot.screens.league.board import BoardFacts, night_board
from bot.screens.league.parts import moment
from tests.bot.league.evenings import NIGHT, START, checked_in, evening, league, played, replied, seated

Shown = Callable[[Words], Page | PublicScreen]

NAMES: Final = ("Ada", "Mehmet Öztürkoğlu-Yılmaz", "김철수", "Bob", "Gül", "Han", "Ida", "Jörg", "Kim", "Lea")
_PLAYING: Final = tuple(f"m{number}" for number in range(1, 9))
_TABLES: Final = (_PLAYING[:4], _PLAYING[4:])
_WEEK: Final = 7 * 24 * 3600.0

_LEAGUE: Final = league(NAMES, nights=8, rounds=3)
LEAGUE: Final = replace(
    _LEAGUE,
    name="Perşembe 101",
    nights=tuple(
        NightRef(id=f"{NIGHT}{weeks}", start=START - weeks * _WEEK, season=1, over=True)
        for weeks in (3, 2, 1, 0)
    ),
    season=2,
    seasons={1: Season(number=1, settings=_LEAGUE.format, champions=("m2",))},
)


def _round(number: int) -> tuple[list[NightEvent], ...]:
    """A round to its end, with other scores each time."""
    scores = ((10, 4, -2, 0), (3, 3, 8, -9))
    return (
        seated(*_TABLES, round=number),
        *(
            played(number, table, members, scores[(table + number) % 2])
            for table, members in enumerate(_TABLES, start=1)
        ),
        [RoundEnded(round=number)],
    )


_SIGNED_UP: Final = (replied(_PLAYING), replied(["m9"], "maybe"), replied(["m10"], "substitute"))
_READY: Final = (*_SIGNED_UP, checked_in(_PLAYING), [CheckInClosed(playing=_PLAYING)])
_ALL: Final = (*_READY, *_round(1), *_round(2), *_round(3))
_STAGES: Final = {
    "announced": _SIGNED_UP,
    "check-in": (*_SIGNED_UP, checked_in(_PLAYING[:5])),
    "ready": _READY,
    "seated": (*_READY, seated(*_TABLES)),
    "playing": (*_READY, *_round(1), *_round(2)[:2]),
    "break": (*_READY, *_round(1)),
    "paused": (*_READY, *_round(1), *_round(2)[:2], [Paused()]),
    "disputed": (
        *(*_READY, *_round(1)),
        [Disputed(round=1, table=2, member="m6", words="Taşı ben aldım")],
    ),
    "over": (*_ALL, [Penalised(member="m3", points=0.5)], [Ended()]),
}


def screens() -> Iterator[tuple[str, Shown]]:
    """Every screen of a league by its name."""
    nights = {stage: evening(LEAGUE, *events) for stage, events in _STAGES.items()}
    for stage, night in nights.items():
        yield f"night-{stage}", partial(_board, night)
        if stage not in ("over", "seated"):  # organisers see the same while a round is played
            yield f"organise-night-{stage}", _turning(organising.night_run_page, LEAGUE, night)
    yield from _of_members(nights["announced"], nights["check-in"], nights["over"])
    yield from _of_organisers(nights["disputed"], nights["playing"])
    yield from _of_drafts()


def _of_members(announced: Night, check_in: Night, over: Night) -> Iterator[tuple[str, Shown]]:
    hub = pages.HubFacts(
        league=LEAGUE,
        next=announced,
        member=LEAGUE.members["m1"],
        organises=True,
        page="https://okey.example/l",
    )
    season = season_standings([result_of(over)], LEAGUE.format, 1)
    standings = night_standings(result_of(over), LEAGUE.format.ties)
    dates = [Occurrence(f"2026-03-{12 + 7 * n}T20:00", START + (n + 1) * _WEEK) for n in range(2)]
    yield "league", _turning(pages.hub_page, hub)
    yield "league-dates", _turning(pages.dates_page, LEAGUE, dates, None)
    yield "league-nights", _turning(pages.nights_page, LEAGUE, 1, 0)
    yield "league-me", _turning(pages.profile_page, _profile(season[0]))
    yield "league-table", _turning(results.table_page, LEAGUE, 1, season)
    yield "league-prizes", _turning(results.prizes_page, LEAGUE, {(2026, 3): season}, ())
    yield (
        "night-results",
        _turning(results.results_page, LEAGUE, over, standings, {"m1": 420}, organises=True),
    )
    yield "night-round", partial(results.round_page, LEAGUE, over, 1, 0)
    yield "night-leaving", partial(results.leaving_page, over)
    yield (
        "night-dispute",
        partial(results.dispute_page, LEAGUE, over, [(1, over.rounds[0].tables[0])], asks=True),
    )
    yield "reminder", partial(messages.reminder, LEAGUE, announced, "m1")
    yield "reminder-check-in", partial(messages.reminder, LEAGUE, check_in, "m7")
    yield "reminder-maybe", partial(messages.reminder, LEAGUE, announced, "m9")
    yield "free-seat", partial(messages.free_seat, LEAGUE, over, 2)


def _profile(standing: object) -> pages.OwnLineFacts:
    curve = tuple(
        RatedNight(NIGHT, START + n * _WEEK, shown) for n, shown in enumerate((1000, 1040, 1010, 1105))
    )
    return pages.OwnLineFacts(
        league=LEAGUE,
        member=LEAGUE.members["m1"],
        standing=standing,  # type: ignore[arg-type]
        chips=1250,
        ratings=(pages.RatingFacts(pool="free", tables=12, shown=1105, curve=curve),),
        play=SeasonPlay(rounds=9, accuracy=0.87, luck=0.4, unjudged=2),
        now=START,
    )


def _of_organisers(disputed: Night, playing: Night) -> Iterator[tuple[str, Shown]]:
    table = disputed.rounds[0].tables[1]
    dates = [Occurrence(f"2026-03-{12 + 7 * n}T20:00", START + (n + 1) * _WEEK) for n in range(2)]
    places = [organising.ShownPlace(("#okey",), "a"), organising.ShownPlace(("Perşembe",), "")]
    yield "organise-league", _turning(partial(organising.run_page, between=False, wall=True), LEAGUE, playing)
    yield "organise-places", partial(organising.places_page, LEAGUE, places)
    yield "organise-skips", partial(organising.skips_page, LEAGUE, dates)
    yield (
        "organise-skip",
        lambda words: organising.skip_page(LEAGUE, dates[0].original, moment(LEAGUE, START, words), words),
    )
    yield "organise-ending", partial(organising.ending_page, LEAGUE)
    yield "organise-tables", partial(organising.tables_page, disputed, 0)
    yield "organise-table", partial(organising.table_run_page, LEAGUE, disputed, 1, table, asks=True)
    yield "organise-people", partial(organising.people_page, LEAGUE, playing, _PLAYING, 0)
    yield "organise-person", partial(organising.person_run_page, LEAGUE, playing, "m2")
    yield "organise-replace", partial(organising.replace_page, LEAGUE, playing, "m2", ["m9", "m10"], 0)
    yield "organise-reseat", partial(organising.reseat_page, LEAGUE, playing, "m2", 0)
    for right in get_args(Right):
        yield f"lacks-{right}", partial(_told, right)


def _of_drafts() -> Iterator[tuple[str, Shown]]:
    draft = LeagueDraft(
        league="abcde",
        place="tg:-1",
        language="tr",
        name=LEAGUE.name,
        zone="Europe/Istanbul",
        start="2026-03-05T20:00",
    )
    likely = ("Europe/Istanbul", "Europe/Berlin", "Asia/Seoul")
    yield "found-1-zone", partial(settings.zone_page, draft, likely, START)
    yield "found-2-day", partial(settings.day_page, draft)
    yield "found-3-time", partial(settings.time_page, draft)
    yield "found-4-summary", partial(settings.summary_page, draft, LEAGUE.schedule)
    yield "found-every", partial(settings.every_page, draft, LEAGUE.schedule)
    yield "found-game", partial(settings.game_page, draft)
    for group, options in settings.GROUPS.items():
        yield f"found-{group}", partial(settings.group_page, draft, group)
        for option in options:
            yield f"found-option-{option}", partial(settings.option_page, draft, option)
    yield "found-done", lambda words: settings.make_founded_page(LEAGUE, moment(LEAGUE, START, words), words)


def _board(night: Night, words: Words) -> PublicScreen:
    result = result_of(night)
    links = {1: "https://discord.com/channels/1/2/3", 2: "https://discord.com/channels/1/2/4"}
    facts = BoardFacts(
        league=LEAGUE,
        night=night,
        standings=night_standings(result, LEAGUE.format.ties),
        season=season_standings([result], LEAGUE.format, 1),
        links=links,
    )
    return night_board(facts, words)


def _told(right: str, words: Words) -> Page:
    return Page(text=messages.lacking(LEAGUE, right, words))  # type: ignore[arg-type]


def _turning(page: Callable[..., Page], *facts: object, **more: object) -> Shown:
    return lambda words: page(*facts, words, turns=False, **more)
