"""Acts on a night are taken back: it is what it would be without them, as long as nothing rests on them."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from bot.errors import Refused
from bot.league import decide, revoking
from bot.league import events as e
from bot.league.apply import rebuilt
from bot.league.decide import Happening
from bot.league.events import NightEvent, Recorded
from bot.league.model import Format, Member
from bot.league.night import Night
from bot.league.results import result_of
from bot.league.standings import season_standings
from bot.store import Store
from tests.bot.league.leagues import DAY, START, MovedClock, weekly
from tests.bot.league.office import Office
from tests.bot.league.test_night import FOUR, played, said, seated
from tests.bot.league.test_seasons import plays_night

NAMES = ("Ada", "Bea", "Cem", "Deniz")
ANNOUNCED = e.Announced("L-1", "abcde", 1, 1, START, Format(), b"key")
BEGUN = (ANNOUNCED, *map(said, FOUR), e.CheckInOpened(START), e.CheckInClosed(FOUR), seated(FOUR))
OVER = (*BEGUN, played(FOUR), e.RoundEnded(1), seated(FOUR, round=2))


def logged(*events: NightEvent, why: str = "") -> list[Recorded]:
    """Return a log of these events, a second apart."""
    return [Recorded(START + n, "m9" if why else "", why, each) for n, each in enumerate(events)]


def act(log: Sequence[Recorded], event: NightEvent) -> list[Recorded]:
    """Return a log with an organiser's act at its end."""
    return [*log, Recorded(START + len(log), "m9", "agreed", event)]


def take_back(log: Sequence[Recorded], of: int, now: float = START + 100) -> list[Recorded]:
    return [*log, *(Recorded(now, "m9", "a mistake", each) for each in revoking.revoke(log, of, now))]


def unnumbered(night: Night) -> Night:
    """Return a night without what counts its events and attempts, and how often and when a seat was given."""
    rounds = tuple(
        replace(round, tables=tuple(replace(each, attempts=1, since=(), taken=()) for each in round.tables))
        for round in night.rounds
    )
    return replace(night, revision=0, phase_revision=0, rounds=rounds)


ACTS: dict[str, NightEvent] = {
    "penalty": e.Penalised("m1", 10.0),
    "bonus": e.Awarded("m1", 2.0),
    "correct": e.Corrected(1, 1, (9, 0, 0, 0)),
    "void": e.Voided(1, 1),
    "reject": e.Decided(1, 1, False),
    "uphold": e.Decided(1, 1, True),
    "away": e.Went("m2"),
    "extend": e.Extended(2, 600.0),
}


@pytest.mark.parametrize("name", ACTS)
def test_an_act_taken_back_leaves_the_night_as_it_was(name: str) -> None:
    log = [*logged(*OVER), Recorded(START + 50, "m3", "", e.Disputed(1, 1, "m3", "no"))]
    changed = act(log, ACTS[name])
    assert unnumbered(rebuilt(changed)) != unnumbered(rebuilt(log))
    back = take_back(changed, len(changed))
    assert unnumbered(rebuilt(back)) == unnumbered(rebuilt(log))
    assert rebuilt(back).revision == len(back), "the log has every entry"
    with pytest.raises(Refused, match="undone_already"):
        take_back(back, len(changed))


def test_whoever_was_not_sent_away_after_all_has_their_seat_anew() -> None:
    log = logged(*BEGUN)
    sent = act(log, e.Went("m2"))
    seated, back = (rebuilt(each).rounds[0].tables[0] for each in (log, take_back(sent, len(sent))))
    seat = seated.seats.index("m2")
    assert seat in rebuilt(sent).rounds[0].tables[0].free
    assert (back.seats, back.free) == (seated.seats, ())
    assert back.taken[seat] == seated.taken[seat] + 1, "the table has it played by a computer player"
    assert back.since[seat] == START + 100


@pytest.mark.parametrize(("deals", "again"), [((), True), ((FOUR,), False)])
def test_tables_that_were_cut_off_in_their_first_deal_are_opened_again(
    deals: tuple[tuple[str, ...], ...], again: bool
) -> None:
    log = act(logged(*BEGUN, played(*deals, over=False)), e.Ended())
    news = [*log, *logged(played(*deals))]
    table = rebuilt(take_back(news, len(log))).rounds[0].tables[0]
    assert (table.over, table.attempt) == ((False, 2) if again else (True, 1))


def test_a_replay_taken_back_brings_the_first_result_and_its_id_is_used_up() -> None:
    log = logged(*BEGUN, played(FOUR))
    again = act(log, e.Replayed(1, 1))
    back = take_back(again, len(again))
    before, after = rebuilt(log).rounds[0].tables[0], rebuilt(back).rounds[0].tables[0]
    assert replace(after, attempts=1) == before
    assert rebuilt(back).other_ids(1, after) == [rebuilt(again).id_of(1, rebuilt(again).rounds[0].tables[0])]
    third = rebuilt(act(back, e.Replayed(1, 1))).rounds[0].tables[0]
    assert (third.attempt, third.attempts) == (3, 3)


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (e.Corrected(1, 1, (9, 0, 0, 0)), e.Corrected(1, 1, (0, 9, 0, 0))),
        (e.Corrected(1, 1, (9, 0, 0, 0)), e.Voided(1, 1)),
        (e.Decided(1, 1, True), e.Corrected(1, 1, (9, 0, 0, 0))),
        (e.Corrected(1, 1, (9, 0, 0, 0)), e.Disputed(1, 1, "m2", "?")),
        (e.Extended(2, 60.0), e.SoftEnded(2)),
        (e.Went("m2"), e.RoundEnded(2)),
    ],
)
def test_what_something_later_rests_on_stands_until_that_is_taken_back(
    first: NightEvent, later: NightEvent
) -> None:
    log = [*logged(*OVER), Recorded(START + 50, "m3", "", e.Disputed(1, 1, "m3", "no"))]
    both = act(act(log, first), later)
    with pytest.raises(Refused, match="act_rests") as refused:
        take_back(both, len(both) - 1)
    assert refused.value.values == {"number": len(both)}
    if revoking.is_revocable(later) and not isinstance(later, e.Disputed):
        assert take_back(take_back(both, len(both)), len(both) - 1)


def test_what_does_not_rest_on_an_act_keeps_nobody_from_taking_it_back() -> None:
    log = act(logged(*OVER), e.Corrected(1, 1, (9, 0, 0, 0)))
    more = act(act(log, e.Penalised("m1", 1.0)), e.Corrected(2, 1, (1, 0, 0, 0)))
    assert rebuilt(take_back(more, len(log))).rounds[0].tables[0].corrected is None
    assert rebuilt(take_back(more, len(log))).penalties == (("m1", 1.0),)


@pytest.mark.parametrize("of", [0, 1, 5, 99])
def test_only_acts_of_organisers_are_taken_back(of: int) -> None:
    with pytest.raises(Refused, match="no_such_act"):
        take_back(logged(*OVER), of)


def test_an_evening_that_was_ended_by_mistake_goes_on_with_its_time() -> None:
    log = logged(*BEGUN)
    ends = rebuilt(log).rounds[0].soft_end
    ended = act(log, e.Ended())
    now = START + len(log) + 90
    night = rebuilt(take_back(ended, len(ended), now))
    assert (night.stage, night.rounds[0].soft_end) == ("playing", ends + 90)
    assert night.phase_revision == len(ended) + 1, "people must hear of it"
    with pytest.raises(Refused, match="act_began"):
        take_back(ended, len(ended), now + revoking.REOPENED_WITHIN)


def test_a_night_that_was_called_off_by_mistake_is_held_until_its_start() -> None:
    log = [replace_at(each, START - DAY) for each in logged(ANNOUNCED, *map(said, FOUR))]
    off = [*log, Recorded(START - 3600, "m9", "ill", e.NightCancelled())]
    back = rebuilt(take_back(off, len(off), START - 60))
    assert (back.stage, back.signed_up) == ("announced", tuple(FOUR))
    with pytest.raises(Refused, match="act_began"):
        take_back(off, len(off), START + 1)


def replace_at(recorded: Recorded, at: float) -> Recorded:
    return Recorded(at, recorded.by, recorded.why, recorded.event)


def test_each_player_may_dispute_a_result_and_again_when_it_was_played_again() -> None:
    night = rebuilt(logged(*BEGUN, played(FOUR)))
    ada, bea = (member(each) for each in FOUR[:2])

    def disputes(night: Night, who: Member) -> Happening:
        return decide.dispute(night, START + 60, who, round=1, table=1, words="?")

    log = logged(*BEGUN, played(FOUR), e.Disputed(1, 1, FOUR[0], "?"), e.Decided(1, 1, False))
    assert disputes(rebuilt(log), bea), "one rejected dispute blocks nobody else"
    with pytest.raises(Refused, match="disputed_already"):
        disputes(rebuilt(log), ada)
    again = logged(
        *(*BEGUN, played(FOUR), e.Disputed(1, 1, FOUR[0], "?"), e.Decided(1, 1, True)),
        *(e.Replayed(1, 1), played(FOUR)),
    )
    assert disputes(rebuilt(again), ada), "the replay has a result of its own"
    assert disputes(night, ada)


def member(id: str) -> Member:
    return Member(id=id, name=id)


def test_a_penalty_costs_the_season_and_never_a_night_that_may_be_dropped() -> None:
    format = Format(counting="best", best_of=1)
    first = rebuilt([*logged(*OVER), *logged(e.Penalised("m1", 9.0), why="conduct")])
    second = replace(rebuilt(logged(*OVER)), id="L-2", start=START + 7 * DAY)
    season = [result_of(each) for each in (first, second)]
    line = next(each for each in season_standings(season, format, 1) if each.member == "m1")
    best = max(each.points for each in line.nights)
    assert (line.points, line.penalties) == (best - 9, 9)
    assert all(each.points >= 0 for each in line.nights)
    cancelled = rebuilt(
        [*logged(*OVER, e.Penalised("m8", 1.0)), Recorded(START, "m9", "x", e.NightCancelled())]
    )
    (own,) = (each for each in season_standings([result_of(cancelled)], format, 1) if each.member == "m8")
    assert own.points == Fraction(-1), "somebody who never answered can be penalised, too"


async def test_two_organisers_take_the_same_act_back_once(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=2))
    await plays_night(office, 0, *NAMES)
    log = await office.leagues.log(office.night_id)
    ada = (await office.member("Ada")).id
    before = await table_of(office)
    await office.act(lambda night, now: decide.penalise(night, now, ada, 10.0), by=ada, why="conduct")
    assert await table_of(office) != before
    await office.leagues.revoke(office.night_id, "press 1", len(log) + 1, by=ada, why="a mistake")
    with pytest.raises(Refused, match="undone_already"):
        await office.leagues.revoke(office.night_id, "press 2", len(log) + 1, by=ada, why="a mistake")
    await office.leagues.revoke(office.night_id, "press 1", len(log) + 1, by=ada, why="a mistake")
    assert await table_of(office) == before
    assert len(await office.leagues.log(office.night_id)) == len(log) + 2


async def table_of(office: Office) -> object:
    league = await office.leagues.load("abcde")
    nights = [result_of(each) for each in await office.leagues.nights(league, 1)]
    return season_standings(nights, league.settings_of(1), 1)


async def test_a_night_whose_end_was_taken_back_is_played_on_and_counts_once(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=2, nights=1))
    await office.begins(*NAMES)
    await office.everybody_touches()
    await office.act(decide.end, by="m1", why="it is late")
    league = await office.leagues.load("abcde")
    assert [(ref.over, ref.season) for ref in league.nights][:1] == [(True, 1)]
    log = await office.leagues.log(office.night_id)
    of = next(number for number, each in enumerate(log, 1) if isinstance(each.event, e.Ended))
    office.clock.now += 60
    await office.leagues.revoke(office.night_id, None, of, by="m1", why="a mistake")
    await office.work()
    assert (await office.night()).stage == "playing", "its table was cut off, and is opened again"
    assert [each.stage for each in await office.tables()] == ["playing"]


async def test_the_next_night_gets_its_number_back_when_one_before_is_held_after_all(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=4))
    await office.act(decide.cancel, by="m1", why="ill")
    league = await office.leagues.load("abcde")
    following = league.nights[-1].id
    assert (await office.leagues.load_night(following)).number == 1
    log = await office.leagues.log(office.night_id)
    await office.leagues.revoke(office.night_id, None, len(log), by="m1", why="well again")
    await office.work()
    await office.leagues.change("abcde", None, lambda now: replace(now, name="Thursdays"))
    await office.work()
    assert (await office.night()).stage == "announced"
    assert (await office.leagues.load_night(following)).number == 2
