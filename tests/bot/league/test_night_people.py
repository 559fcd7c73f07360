"""People of a night who come late or never, go, are replaced; what the clock and organisers do to it."""

from dataclasses import replace

import pytest
from msgspec import structs

from bot.errors import Refused
from bot.history.archive import Archive
from bot.history.matches import MatchHistory
from bot.i18n import LANGUAGES, plain, words_for
from bot.league import decide
from bot.league.model import Member
from bot.league.night_tables import table_events
from bot.league.results import result_of
from bot.people.communities import Communities
from bot.people.profiles import Profiles
from bot.screens.player import rack_screen
from bot.screens.table import public_screen
from bot.store import Store
from bot.store.codec import Codec
from bot.tables import lobby, membership, play, turns
from bot.tables.facts import rack_facts, table_facts
from bot.tables.league_table import Owner, as_wanted
from bot.tables.table import (
    SCHEMA,
    AtNight,
    Change,
    NamedRound,
    RoundResult,
    Seat,
    SharedAccuracy,
    Table,
)
from bot.tables.worth import of_farewell, of_player
from engine.shuffle import Beacon
from engine.view import public_view
from tests.bot.house import PLACE
from tests.bot.league.leagues import MovedClock, weekly
from tests.bot.league.office import DELAYS, Office, person
from tests.bot.store.deadlines import looks, nobody_for, takes_clocks

pytestmark = pytest.mark.long

FOUR = ("Ada", "Bea", "Cem", "Deniz")
EIGHT = (*FOUR, "Ela", "Firat", "Gül", "Hakan")
LONG = {"preset": "okey-rounds", "rounds": 9}
"""More rounds of tiles than anybody plays in a night."""


@pytest.fixture
async def office(store: Store) -> Office:
    office = Office(store, MovedClock())
    await office.found(weekly(rules=LONG))
    return office


async def test_who_has_touched_nothing_after_two_minutes_is_played_for(office: Office) -> None:
    await office.begins(*FOUR)
    table = await office.table(1)
    await office.touches(table, 0, 1, 2)
    assert (await office.at(119)).rounds[0].tables[0].free == ()
    night = await office.at(120)
    assert night.rounds[0].tables[0].free == (3,)
    after = await office.table(1)
    assert [seat.computer for seat in after.seats] == [None, None, None, "steady"]
    assert after.seats[3].person is not None, "they may come back"
    night = await office.plays()
    absent = night.rounds[0].tables[0].seats[3]
    assert result_of(night).tables[0].seats[3].member == ""
    night = await office.at(40 * 60)
    assert night.stage == "break"
    night = await office.at(43 * 60)
    assert absent in night.absent
    assert absent not in night.playing


async def test_who_is_back_plays_on(office: Office) -> None:
    await office.begins(*FOUR)
    table = await office.table(1)
    await office.touches(table, 0, 1, 2)
    await office.at(120)
    await office.repository.change(
        table.id, None, lambda stored: Change(turns.return_to_seat(stored.value, 3))
    )
    await office.work()
    night = await office.night()
    assert night.rounds[0].tables[0].free == ()
    assert (await office.plays()).rounds[0].tables[0].tiles[0].players == table_members(table)


def table_members(table: object) -> tuple[str, ...]:
    return tuple(seat.member for seat in table.seats)  # type: ignore[attr-defined]


async def test_a_substitute_takes_the_seat_of_who_got_up(office: Office) -> None:
    await office.begins(*FOUR)
    await office.everybody_touches()
    table = await office.table(1)
    gone = table.seats[2]
    assert gone.person is not None
    await office.repository.change(
        table.id, None, lambda stored: turns.step_out(stored.value, str(gone.person), "steady", DELAYS)
    )
    await office.work()
    assert (await office.night()).rounds[0].tables[0].free == (2,)
    await office.says("Sub", "substitute")
    sub = await office.member("Sub")
    await office.act(lambda night, now: decide.take_seat(night, now, sub, PLACE, table=1, seat=2))
    after = await office.table(1)
    assert after.seats[2].person == "mem:sub"
    assert after.seats[2].computer is None
    assert after.match.round == table.match.round, "the rack stays as it lies"
    farewell = after.farewell_to(gone.person)
    assert farewell is not None
    assert farewell.why == "passed_on"
    night = await office.plays()
    assert result_of(night).tables[0].seats[2].member == sub.id
    assert sub.id in night.playing


async def test_who_leaves_the_night_leaves_their_seat(office: Office) -> None:
    members = await office.begins(*FOUR)
    await office.everybody_touches()
    await office.act(lambda night, now: decide.leave(night, now, members[0], PLACE))
    table = await office.table(1)
    (seat,) = (i for i, each in enumerate(table.seats) if each.member == members[0].id)
    assert table.seats[seat].person is None
    assert table.seats[seat].computer == "steady"
    farewell = table.farewell_to(members[0].accounts[0])
    assert farewell is not None
    await office.act(lambda night, now: decide.come(night, now, members[0], PLACE))
    back = await office.table(1)
    assert back.seats[seat].person == members[0].accounts[0]
    assert back.gone.farewells == ()
    assert of_player(back, seat) != of_farewell(farewell), "their rack comes, whatever they were shown"


async def test_who_comes_late_plays_from_the_next_round_on(office: Office) -> None:
    await office.begins(*FOUR)
    await office.everybody_touches()
    late = await office.member("Late")
    await office.at(60)
    await office.act(lambda night, now: decide.come(night, now, late, PLACE))
    await office.at(40 * 60)
    night = await office.at(42 * 60 + 1)
    assert len(night.rounds) == 2
    assert late.id in night.playing
    assert result_of(night).missed == ((1, late.id),)
    later = await office.member("Later")
    with pytest.raises(Refused) as refused:
        await office.act(lambda night, now: decide.come(night, now, later, PLACE))
    assert refused.value.code == "too_late_for_night"


async def test_after_the_soft_end_no_round_of_tiles_begins(office: Office) -> None:
    await office.begins(*EIGHT)
    await office.everybody_touches()
    await office.plays(1)
    assert (await office.table(1)).stage == "between"
    night = await office.at(30 * 60)
    assert night.rounds[0].soft_ended
    assert (await office.table(1)).stage == "over"
    assert (await office.table(2)).stage == "playing"
    assert not night.rounds[0].tables[1].over
    night = await office.plays(2)
    assert (await office.table(2)).stage == "over", "what began before the soft end is played to its end"
    assert [len(table.tiles) for table in night.rounds[0].tables] == [1, 1]
    assert night.stage == "break"


async def test_the_hard_end_cuts_what_is_still_played(office: Office) -> None:
    await office.begins(*EIGHT)
    await office.everybody_touches()
    await office.plays(1)
    await office.at(30 * 60)
    night = await office.at(40 * 60)
    assert (await office.table(2)).stage == "over"
    assert night.stage == "break"
    first, second = result_of(night).tables
    assert [seat.wins for seat in first.seats].count(1) == 1
    assert (first.state, second.state) == ("counted", "unfinished")


async def test_a_pause_holds_the_clock_and_nobody_is_late_in_it(office: Office) -> None:
    await office.begins(*FOUR)
    await office.at(60)
    await office.act(decide.pause, by="o", why="fire alarm")
    night = await office.at(3600)
    assert night.rounds[0].tables[0].free == ()
    assert (await office.table(1)).stage == "playing"
    await office.says("Sub", "substitute")
    assert [seat.computer for seat in (await office.table(1)).seats] == [None] * 4
    assert (await office.table(1)).stage == "playing", "whatever happens in a pause, the clock stands still"
    night = await office.act(decide.go_on, by="o")
    assert night.rounds[0].hard_end - night.start == 40 * 60 + 3540
    assert night.rounds[0].tables[0].free == ()
    assert (await office.at(3600 + 60)).rounds[0].tables[0].free == (0, 1, 2, 3)


async def test_turn_clocks_stand_still_in_a_pause_and_begin_anew_after_it(office: Office) -> None:
    await office.begins(*FOUR)
    table = await office.table(1)
    assert await deadline(office, table.id) is not None
    await office.act(decide.pause, by="o", why="dinner")
    assert await deadline(office, table.id) is None
    facts = table_facts(await office.table(1), None)
    for words in map(words_for, LANGUAGES):
        assert words.plain("table.night_paused") in plain(public_screen(facts, words).text, words)
    assert "All clocks are stopped" in words_for("en").plain("table.night_paused")
    turn = public_view(table.match).turn
    assert turn is not None
    on_turn = table.seats[turn].person
    assert on_turn is not None
    await office.repository.change(
        table.id, None, lambda stored: turns.step_out(stored.value, on_turn, "steady", DELAYS)
    )
    await office.work()
    assert await deadline(office, table.id) is None, "a computer player waits as well"
    await office.act(decide.go_on, by="o")
    assert await deadline(office, table.id) is not None
    assert "clocks are stopped" not in plain(
        public_screen(table_facts(await office.table(1), None), words_for("en")).text, words_for("en")
    )


async def test_who_was_on_turn_has_all_their_time_after_a_pause(office: Office) -> None:
    await office.begins(*FOUR)
    table = await office.table(1)
    turn = public_view(table.match).turn
    assert turn is not None
    worth = of_player(table, turn)
    await office.repository.change(
        table.id, None, lambda stored: turns.warning(stored.value, turn, stored.now)
    )
    await office.act(decide.pause, by="o")
    assert of_player(await office.table(1), turn) != worth, "their rack says so"
    await office.act(decide.go_on, by="o")
    stored = await office.repository.load(table.id)
    assert stored is not None
    assert stored.deadline is not None
    assert stored.deadline - stored.now > table.clock.turn_seconds / 2, (
        "more than was left after their warning"
    )
    assert stored.value.seats[turn].computer is None


async def test_a_pause_while_a_table_awaits_its_first_tiles_holds_its_clock_too(office: Office) -> None:
    named = NamedRound("chain", 5, 0.0, 3.0)
    office.league_nights = replace(office.league_nights, name_round=lambda now: named)
    await office.begins(*FOUR)
    table = await office.table(1)
    assert table.proof.awaited == named
    await office.act(decide.pause, by="o", why="fire alarm")
    beacon = Beacon("chain", 5, b"")
    await office.repository.change(table.id, None, lambda stored: play.deal(stored.value, beacon, DELAYS))
    await office.work()
    assert (await office.table(1)).stage == "playing"
    assert await deadline(office, table.id) is None
    await office.act(decide.go_on, by="o")
    assert await deadline(office, table.id) is not None


async def test_a_substitute_is_not_told_to_have_played_as_well_as_who_sat_there_before(
    office: Office,
) -> None:
    await office.begins(*FOUR)
    await office.plays()
    table = await office.table(1)
    assert table.stage == "between"
    table = table.with_seat(0, shared=SharedAccuracy(table.match.round_number, 87))
    owners = [Owner(member=seat.member, person=seat.person, name=seat.name) for seat in table.seats]
    owners[0] = Owner(member="sub", person="mem:sub", name="Sub", taken=1)
    change = as_wanted(table, tuple(owners), DELAYS, last=False, paused=False)
    assert change is not None
    shown = table_facts(change.table, None).seats[0]
    assert (shown.name, shown.accuracy) == ("Sub", None)


async def deadline(office: Office, table: str) -> float | None:
    stored = await office.repository.load(table)
    assert stored is not None
    return stored.deadline


async def test_a_voided_table_is_stopped_and_takes_no_result(office: Office) -> None:
    await office.begins(*EIGHT)
    await office.everybody_touches()
    night = await office.act(lambda night, now: decide.void(night, now, round=1, table=2), why="mess")
    assert (await office.table(2)).stage == "over"
    assert result_of(night).tables[1].state == "void"
    late = RoundResult(winner=0, changes=(3, -1, -1, -1), members=night.rounds[0].tables[1].seats)
    assert table_events(night, structs.replace(await office.table(2), results=(late,))) == ()
    with pytest.raises(Refused) as refused:
        await office.act(lambda night, now: decide.correct(night, now, round=1, table=2, scores=(1, 0, 0, 0)))
    assert refused.value.code == "table_void"


async def test_a_table_is_played_again(office: Office) -> None:
    await office.begins(*EIGHT)
    await office.everybody_touches()
    before = await office.table(1)
    await office.plays(1)
    night = await office.act(lambda night, now: decide.replay(night, now, round=1, table=1))
    again = await office.table(1)
    assert again.id != before.id
    assert table_members(again) == table_members(before)
    assert again.stage == "playing"
    old = await office.repository.load(before.id)
    assert old is not None
    assert old.value.stage == "over"
    assert night.rounds[0].tables[0].tiles == ()
    await office.league_nights.update_from(before.id)
    assert (await office.night()).rounds[0].tables[0].tiles == (), "what was played there does not count"


async def test_a_table_is_played_again_in_the_break_and_the_night_goes_on(office: Office) -> None:
    await office.begins(*EIGHT)
    await office.everybody_touches()
    await office.plays()
    await office.at(30 * 60)
    night = await office.night()
    assert night.stage == "break"
    night = await office.act(lambda night, now: decide.replay(night, now, round=1, table=2))
    assert night.stage == "playing"
    assert night.rounds[0].soft_end == office.clock() + 30 * 60
    assert [table.over for table in night.rounds[0].tables] == [True, False]
    assert (await office.table(2)).stage == "playing"
    await office.everybody_touches()
    await office.plays(2)
    assert (await office.at(61 * 60)).stage == "break"
    night = await office.at(63 * 60 + 1)
    assert (night.stage, len(night.rounds)) == ("playing", 2)
    with pytest.raises(Refused, match="night_round_over"):
        await office.act(lambda night, now: decide.replay(night, now, round=1, table=2))


async def test_an_organiser_swaps_two_people(office: Office) -> None:
    members = await office.begins(*EIGHT)
    await office.everybody_touches()
    one, two = (await office.night()).rounds[0].tables
    mover = next(each for each in members if each.id == one.seats[0])
    await office.act(lambda night, now: decide.move(night, now, mover, table=2, seat=3))
    assert (await office.table(2)).seats[3].member == one.seats[0]
    assert (await office.table(1)).seats[0].member == two.seats[3]
    assert (await office.night()).rounds[0].tables[0].free == ()


async def test_two_people_and_computer_players_make_a_night(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, fill="computers"))
    await office.begins("Ada", "Bea")
    (table,) = await office.tables()
    assert sorted(seat.member for seat in table.seats) == ["", "", "m1", "m2"]
    await office.everybody_touches()
    assert (await office.plays()).stage == "over"


async def test_too_few_people_and_the_night_is_cancelled(office: Office) -> None:
    await office.begins("Ada", "Bea")
    night = await office.night()
    assert (night.stage, night.cancelled) == ("cancelled", "too_few")
    league = await office.leagues.load("abcde")
    assert [ref.cancelled for ref in league.nights] == [True, False]
    following = await office.leagues.load_night("abcde-202603192000")
    assert following.number == 1, "a night that was not held is none of the season's"


async def test_a_night_that_nobody_could_begin_is_not_held(office: Office) -> None:
    night = await office.at(3600)
    assert (night.stage, night.cancelled) == ("cancelled", "too_late")


async def test_a_night_is_not_held_hours_late_without_those_who_had_checked_in(office: Office) -> None:
    members = [await office.says(name) for name in FOUR]
    await office.at(-20 * 60)
    await office.checks_in(*members)
    night = await office.at(3 * 3600)
    assert (night.stage, night.cancelled) == ("cancelled", "too_late")
    await office.at(6 * 3600)
    league = await office.leagues.load("abcde")
    assert {member.barred_until for member in league.members.values()} == {0.0}


async def test_a_night_that_the_program_was_late_for_begins_after_a_check_in(office: Office) -> None:
    members = [await office.says(name) for name in FOUR]
    night = await office.at(600)
    assert night.check_in_closes == night.start + 900
    await office.checks_in(*members)
    assert (await office.at(900)).stage == "playing"


async def test_nobody_is_late_while_nobody_was_at_work(office: Office) -> None:
    """Not even if the first process that came back was killed when it had learned of that."""
    await office.begins(*FOUR)
    await takes_clocks(office.store, "first")
    await nobody_for(office.store, 290)
    office.clock.now += 300
    await looks(office.store, "first", office.clock())
    await office.work()
    assert (await office.night()).rounds[0].tables[0].free == ()
    absence = (await office.night()).unattended
    assert absence == pytest.approx(290, abs=5)
    await office.work()
    assert (await office.night()).unattended == absence, "it is made good once"
    await office.at(300 + 120)
    assert (await office.night()).rounds[0].tables[0].free == (0, 1, 2, 3)


async def test_two_accounts_are_one_member(office: Office) -> None:
    await office.store.people.link("mem:ada", "tg:ada")
    ada = await office.says("Ada")
    same = await office.leagues.member("abcde", person("Ada", chat="tg"))
    assert same.id == ada.id
    with pytest.raises(Refused) as refused:
        await office.act(lambda night, now: decide.reply(night, now, same, "yes", "tg:-100"))
    assert refused.value.code == "signed_up_elsewhere"
    assert (await office.night()).signed_up == (ada.id,)


async def test_whom_an_organiser_of_the_place_sends_away_stays_away(office: Office) -> None:
    await office.begins(*FOUR)
    await office.everybody_touches()
    table = await office.table(1)
    sent = str(table.seats[1].person)
    await office.repository.change(
        table.id, None, lambda stored: membership.forget_person(stored.value, sent, DELAYS)
    )
    await office.work()
    night = await office.at(600)
    assert night.rounds[0].tables[0].free == (1,)
    assert (await office.table(1)).seats[1].person is None


async def test_a_nights_table_has_no_host_and_says_which_it_is(office: Office) -> None:
    await office.begins(*EIGHT)
    table = await office.table(2)
    someone = str(table.seats[0].person)
    for act in (
        lambda: membership.remove(table, someone, membership.tag(str(table.seats[1].person)), DELAYS),
        lambda: lobby.cancel(table, someone),
        lambda: lobby.leave(table, someone),
        lambda: lobby.join(table, Seat(person="mem:new", name="New")),
    ):
        with pytest.raises(Refused):
            act()
    said = plain(public_screen(table_facts(table, None), words_for("en")).text, words_for("en"))
    assert said.splitlines()[-1] == "Table 2 · round 1 · Thursday"
    assert table.id.upper() not in said
    rack = rack_screen(rack_facts(table, 0, None, None), words_for("de"))
    assert plain(rack.text, words_for("de")).splitlines()[-1] == "Tisch 2 · Runde 1 · Thursday"
    await office.everybody_touches()
    await office.plays(2)
    said = plain(
        public_screen(table_facts(await office.table(2), None), words_for("en")).text, words_for("en")
    )
    assert said.splitlines()[:2] == ["Table 2 · round 1 · Thursday", "Result of deal 1/9"]


async def test_whoever_has_not_come_yet_is_named(office: Office) -> None:
    await office.begins(*EIGHT)
    table = await office.table(2)
    said = plain(public_screen(table_facts(table, None), words_for("en")).text, words_for("en"))
    assert f"Not here yet: {', '.join(seat.name for seat in table.seats)}." in said
    await office.touches(table, 0, 1, 2)
    told = table_facts(await office.table(2), None)
    assert f"Not here yet: {table.seats[3].name}." in plain(
        public_screen(told, words_for("en")).text, words_for("en")
    )


async def test_a_nights_match_stands_in_the_books_like_any_other(office: Office) -> None:
    await office.begins(*FOUR)
    await office.everybody_touches()
    table = await office.table(1)
    communities = Communities(office.store, Profiles(office.store, {}))
    history = MatchHistory(office.store, Archive(office.store), communities)
    await history.write(table.id)
    assert await history.matches(str(table.seats[0].person)) == [], "nothing is played yet"
    await office.plays()
    await history.write(table.id)
    (dated,) = await history.matches(str(table.seats[0].person))
    assert dated.match.table == table.id
    assert len(dated.match.rounds) == 1


async def test_penalties_are_turned_so_that_more_is_better(store: Store) -> None:
    office = Office(store, MovedClock())
    await office.found(weekly(rules={"preset": "turkish-rummy", "rounds": 9}))
    await office.begins(*FOUR)
    await office.everybody_touches()
    seated = await office.table(1)
    assert seated.match.rules.first_dealer == "random", "who sits where is the seating's affair, never drawn"
    night = await office.plays()
    (tiles,) = night.rounds[0].tables[0].tiles
    table = await office.table(1)
    assert any(tiles.changes)
    assert max(tiles.changes) <= 0
    if tiles.winner is not None:
        assert tiles.changes[tiles.winner] == max(tiles.changes)
    assert night.rounds[0].tables[0].scores == tuple(-score for score in table.match.scores)


async def test_a_table_stands_where_its_people_signed_up(store: Store) -> None:
    office = Office(store, MovedClock())
    places = ("tg:-100", "dc:200")
    await office.found(replace(weekly(), places=places, languages={"tg:-100": "tr"}))
    await store.people.link("tg:cem", "dc:cem")
    members = []
    for name, chat, place in (
        ("Ada", "tg", "tg:-100"),
        ("Bea", "dc", "dc:200"),
        ("Cem", "dc", "tg:-100"),
        ("Eve", "tg", ""),
    ):
        member = await office.member(name, chat=chat)
        members.append(member)
        await office.act(lambda night, now, m=member, p=place: decide.reply(night, now, m, "yes", p))  # type: ignore[misc]
    await office.at(-20 * 60)
    for member, place in zip(members, ("tg:-100", "dc:200", "tg:-100", ""), strict=True):
        await office.act(lambda night, now, m=member, p=place: decide.come(night, now, m, p))  # type: ignore[misc]
    await office.at(-3 * 60)
    await office.at(0)
    table = await office.table(1)
    assert set(table.places) == set(places), "Eve signed up in private: her table stands in Telegram's place"
    assert table.language_at("tg:-100") == "tr"
    assert table.language_at("dc:200") == "en"
    assert set(table.people()) == {"tg:ada", "dc:bea", "tg:cem", "tg:eve"}
    assert table.postings.room


async def test_who_is_moved_sits_at_one_table_alone(office: Office) -> None:
    members = await office.begins(*EIGHT)
    await office.everybody_touches()
    one, two = (await office.night()).rounds[0].tables
    await office.act(lambda night, now: decide.leave(night, now, by_id(members, two.seats[3]), PLACE))
    mover = by_id(members, one.seats[0])
    await office.act(lambda night, now: decide.move(night, now, mover, table=2, seat=3))
    left, joined = await office.tables()
    assert left.seats[0].person is None
    assert left.seats[0].computer == "steady"
    assert left.seats[0].name != mover.name
    assert joined.seats[3].person == mover.accounts[0]
    with pytest.raises(Refused) as refused:
        await office.act(lambda night, now: decide.come(night, now, mover, PLACE))
    assert refused.value.code == "here_already"
    sub = await office.member("Sub")
    await office.act(lambda night, now: decide.take_seat(night, now, sub, PLACE, table=1, seat=0))
    assert (await office.table(1)).seats[0].person == "mem:sub"


def by_id(members: list[Member], id: str) -> Member:
    return next(member for member in members if member.id == id)


async def test_a_table_that_cannot_be_read_holds_up_nobody(office: Office) -> None:
    await office.begins(*EIGHT)
    await office.everybody_touches()
    lost = await office.table(1)
    stored = await office.store.documents.load(lost.id)
    assert stored is not None
    other = Codec(Table, SCHEMA + 1).encode(lost)
    await office.store.documents.commit(lost.id, expected=stored.version, state=other, action=None)
    await office.at(30 * 60)
    assert (await office.table(2)).night == AtNight(office.night_id, 1, 2, "Thursday", last=True)
    await office.at(40 * 60)
    assert (await office.table(2)).stage == "over"
    night = await office.at(42 * 60)
    assert night.stage == "break"
