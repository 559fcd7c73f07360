"""A league moves to another host: its file leads to nobody, comes back as it was, and is claimed by code."""

import csv
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.errors import Refused
from bot.handlers.league.claims import put_claims
from bot.handlers.league.members import put_invitation
from bot.i18n import plain, words_for
from bot.league.acts import carry_out
from bot.league.calendar import with_calendar
from bot.league.export import codes_csv
from bot.league.members import change_member, forget_member
from bot.league.model import ActRevoked, LoggedAct
from bot.league.transfer import NightLog, read_transfer, write_transfer
from bot.league.visibility import change_visibility
from bot.people.tokens import HashedTokens
from bot.repository.leagues import LeagueRepository
from bot.store import Store, open_store
from tests.bot.house import open_house
from tests.bot.league.leagues import MovedClock, Until, league_house, weekly
from tests.bot.league.office import Office
from tests.bot.league.test_night_runs import first_round
from tests.bot.league.test_seasons import plays_night

FOUR = ("Ada", "Bea", "Cem", "Deniz")
EN = words_for("en")


async def export(leagues: LeagueRepository) -> bytes:
    league = await leagues.load("abcde")
    logs = [NightLog(ref.id, await leagues.log(ref.id)) for ref in league.nights]
    return write_transfer(league, [each for each in logs if each.log])


@pytest.fixture
async def office(store: Store) -> Office:
    """A league in its second season; one member wanted to be forgotten."""
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=2))
    for week in range(3):
        await plays_night(office, week, *FOUR)
    await office.leagues.change("abcde", None, lambda now: forget_member(now, "mem:deniz"))
    return office


@asynccontextmanager
async def other_host(folder: Path) -> AsyncIterator[Store]:
    async with open_store(None, folder) as store:
        yield store


async def test_a_file_is_the_same_after_a_round_trip(office: Office, tmp_path: Path) -> None:
    exported = await export(office.leagues)
    found = read_transfer(exported, "key")
    assert len(found.nights) >= 3
    async with other_host(tmp_path) as there:
        leagues = LeagueRepository(there, office.clock)
        await leagues.take_over(found.league, found.nights)
        assert await export(leagues) == exported
        league = await leagues.load("abcde")
        here = await office.leagues.load("abcde")
        for season in (1, 2):
            told = await leagues.standings.season(league, season)
            assert told == await office.leagues.standings.season(here, season)
        assert league.champions == here.champions
        assert league.calendar == here.calendar
        assert (league.places, league.page_key) == ((), "key")
        with pytest.raises(Refused) as refused:
            await leagues.take_over(found.league, found.nights)
        assert refused.value.code == "league_known"


async def test_the_file_leads_to_no_account_place_or_table(office: Office) -> None:
    exported = (await export(office.leagues)).decode()
    league = await office.leagues.load("abcde")
    assert '"Ada"' in exported
    assert '"Deniz"' not in exported
    assert "mem:" not in exported
    assert "hall" not in exported
    for night in await office.leagues.nights(league):
        assert not any(
            night.id_of(round.number, each) in exported for round in night.rounds for each in round.tables
        )
    announced = json.loads(exported)["nights"][0]["events"][0]["event"]
    assert "key" not in announced
    again = [read_transfer(exported.encode(), "").nights[0].log[0].event for _ in range(2)]
    assert again[0] != again[1], "nobody can compute the ids of the tables there"


def whole(**changes: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(write_transfer(with_calendar(weekly(), 0.0), []))
    return found | changes


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"\xff",
        b'"text"',
        json.dumps(whole(format="okey-league-export/2")).encode(),
        json.dumps(whole(league={})).encode(),
        json.dumps(whole(league=whole()["league"] | {"season": "x"})).encode(),
        json.dumps(whole(nights=[{"id": "abcde-1", "events": []}])).encode(),
        json.dumps(whole(nights=[{"id": "abcde-1", "events": [{"at": 1}]}])).encode(),
        json.dumps(whole(nights=7)).encode(),
    ],
)
def test_what_is_no_such_file_is_refused(content: bytes) -> None:
    assert read_transfer(json.dumps(whole()).encode(), "").league.name == "Thursday"
    with pytest.raises(Refused) as refused:
        read_transfer(content, "")
    assert refused.value.code == "bad_league_file"


async def test_a_night_that_is_played_is_not_taken_over(store: Store, until: Until) -> None:
    async with league_house(store, until, weekly(), MovedClock()) as evening:
        await first_round(evening, *FOUR)
        exported = await export(evening.house.app.leagues)
    with pytest.raises(Refused) as refused:
        read_transfer(exported, "")
    assert refused.value.code == "league_in_play"


async def test_members_claim_their_lines_with_codes(office: Office, tmp_path: Path) -> None:
    found = read_transfer(await export(office.leagues), "key")
    async with (
        other_host(tmp_path) as there,
        open_house(there, clock=office.clock, work=False) as house,
    ):
        await house.app.leagues.take_over(found.league, found.nights)
        league = await house.app.leagues.load("abcde")
        invitation = await put_invitation(HashedTokens(there), house.app.leagues, league)
        claims = await put_claims(HashedTokens(there), league)
        assert [league.members[id].name for id in claims] == ["Ada", "Bea", "Cem"], "not who was forgotten"
        rows = list(csv.reader(io.StringIO(codes_csv(league, invitation, claims))))
        assert rows[1] == ["", "Thursday", f"/okey league join {invitation}"]
        organiser, ada, eve = (house.person(name) for name in ("Olga", "Countess", "Eve"))
        house.chat.organisers.add((organiser.key, "mem:hall"))
        assert (await house.type(organiser, "okey", rows[1][2].removeprefix("/okey "))).code == ""
        typed = {name: line.removeprefix("/okey ") for _, name, line in rows[2:]}
        answer = await house.type(ada, "okey", typed["Ada"], place=None)
        assert plain(answer.notice or (), EN) == "🏆 You are Ada in Thursday again."
        league = await house.app.leagues.load("abcde")
        mine = league.member_of(ada.key)
        assert mine is not None
        assert (mine.name, league.community) == ("Ada", "mem:hall")
        assert [each.id for each in await house.app.leagues.of_person(ada.key)] == ["abcde"]
        assert (await house.type(eve, "okey", typed["Ada"], place=None)).code == "wrong_code"
        assert (await house.type(ada, "okey", typed["Bea"], place=None)).code == "member_already"
        table = await house.app.leagues.standings.season(league, 1)
        assert mine.id in {each.member for each in table}, "with everything that they had"


async def test_a_code_works_once_and_not_after_somebody_else_was_put_there(office: Office) -> None:
    league = await office.leagues.load("abcde")
    alone = change_member(league, "m1", accounts=())
    await office.leagues.change("abcde", None, lambda now: alone)
    claims = await put_claims(HashedTokens(office.store), alone)
    assert list(claims) == ["m1"]
    await office.leagues.change("abcde", None, lambda now: change_member(now, "m1", accounts=("mem:zoe",)))
    async with open_house(office.store, clock=office.clock, work=False) as house:
        line = f"league claim {claims['m1']}"
        assert (await house.type(house.person("Eve"), "okey", line, place=None)).code == "wrong_code"


def test_a_league_keeps_all_its_settings() -> None:
    held = with_calendar(replace(weekly(counting="sum", ties=("score",)), visibility="members"), 7.0)
    again = read_transfer(write_transfer(held, []), held.page_key).league
    assert again == replace(held, community="", places=())


def test_an_export_has_no_page_key_of_its_host_and_undoing_needs_none() -> None:
    held = replace(weekly(), visibility="members", page_key="a" * 16)
    act = LoggedAct(1.0, "m1", "", change_visibility(held, "unlisted", "b" * 16))
    file = write_transfer(carry_out(held, act), [])
    assert b"a" * 16 not in file
    assert b"b" * 16 not in file
    again = read_transfer(file, "c" * 16).league
    assert write_transfer(again, []) == file
    back = carry_out(again, LoggedAct(2.0, "m1", "", ActRevoked(1)))
    assert (back.visibility, back.page_key) == ("members", "c" * 16)
