"""Records, honours and meetings, counted by hand; and where a league remembers them."""

from dataclasses import replace
from fractions import Fraction

import pytest

from bot.i18n import LANGUAGES, plain, words_for
from bot.league.model import Format, Season
from bot.league.records import Encounter, Honour, MemberRecord, honours, records
from bot.league.results import NightResult, SeatResult
from bot.league.standings import season_standings
from bot.markup import CurvePicture, Document
from bot.store import Store
from tests.bot.house import PLACE, House, open_house
from tests.bot.league.leagues import MovedClock, weekly
from tests.bot.league.office import Office
from tests.bot.league.results import night, table
from tests.bot.league.test_seasons import plays_night

pytestmark = pytest.mark.long

FORMAT = Format()
EN = words_for("en")
FOUR = ("Ada", "Bea", "Cem", "Deniz")

# a is first at a table of each night; at a's second one, b is level and a computer player ahead.
FIRST = night(
    1, table(1, "a 9", "b 4", "c 3"), table(2, "a 7", "b 7", "- 20"), table(2, "c 5", "d 1", number=2)
)
SECOND = night(2, table(1, "a 3", "c 2"), table(2, "b 6", "a 5", "d 5"))


def settings_of(season: int) -> Format:
    return FORMAT


def of_all(*nights: NightResult) -> dict[str, MemberRecord]:
    return dict(records(nights, settings_of))


def test_what_members_did_is_counted_table_by_table() -> None:
    found = of_all(SECOND, FIRST)
    a, b = found["a"], found["b"]
    assert (a.tables, a.wins, a.streak, a.best_score) == (4, 2, 1, 9), "a shared first place is no win"
    assert (b.tables, b.wins, b.streak, b.best_score) == (3, 1, 1, 7)
    assert [(each.number, each.rank, each.points) for each in found["c"].nights] == [(1, 2, 3), (2, 4, 0)]
    best = a.best_night
    assert best is not None
    assert (best.number, best.points) == (1, Fraction(15, 4))
    assert MemberRecord().best_night is None


def test_opponents_are_counted_by_meetings_and_computer_players_are_none() -> None:
    found = of_all(FIRST, SECOND)
    assert found["a"].encounters == [
        Encounter("b", ahead=1, even=1, behind=1),
        Encounter("c", ahead=2, even=0, behind=0),
        Encounter("d", ahead=0, even=1, behind=0),
    ]
    assert found["b"].encounters[0] == Encounter("a", ahead=1, even=1, behind=1), (
        "as seen from the other side"
    )
    assert found["a"].encounters[0].met == 3


def test_a_streak_goes_on_from_night_to_night_and_ends_with_a_table_that_is_not_won() -> None:
    won = [night(n, table(1, "a 9", "b 1"), table(2, "a 9", "b 1")) for n in (1, 2)]
    lost = night(3, table(1, "a 1", "b 9"), table(2, "a 9", "b 1"))
    assert of_all(*won, lost)["a"].streak == 4
    assert of_all(*won, night(3, table(1, "a 1", "b 9", state="void")))["a"].streak == 4, "a void one is none"


def test_deals_won_with_the_okey_are_counted() -> None:
    seats = (SeatResult("a", 9, 3, 2), SeatResult("b", 4, 1, 0))
    found = of_all(night(1, replace(table(1, "a 9", "b 4"), seats=seats)))
    assert (found["a"].deals, found["a"].okeys, found["b"].deals, found["b"].okeys) == (3, 2, 1, 0)


def test_the_honours_of_a_season() -> None:
    first = [night(1, table(1, "a 9", "b 4"), table(2, "a 9", "b 4"))]
    assert honours(1, first, season_standings(first, FORMAT, 1), settings_of) == (
        Honour("wins", ("a",), 2),
        Honour("streak", ("a",), 2),
    ), "in the first season, everybody is new"
    later = night(
        1, table(1, "a 9", "n 8", "m 1"), table(2, "b 3", "n 2"), season=2, start=first[0].start + 9
    )
    both = [*first, later]
    told = honours(2, both, season_standings(both, FORMAT, 2), settings_of)
    assert told == (Honour("wins", ("a", "b"), 1), Honour("newcomer", ("n",), 3)), "one table is no streak"


async def remembered(house: House, page: str, language: str = "en") -> str:
    """Return everything that a page of the league says."""
    league = await house.app.published.open("abcde", "")
    assert league is not None
    document = await league.chronicle(page, words_for(language))
    return "" if document is None else told(document)


def told(document: Document) -> str:
    said = [plain(line, EN) for line in document.lines]
    for section in document.sections:
        said += [section.title, *(plain(line, EN) for line in section.lines)]
        for row in section.grid.rows if section.grid else ():
            said.append(" | ".join(plain(cell.text, EN) for cell in row))
    return "\n".join(said)


@pytest.fixture
async def office(store: Store) -> Office:
    """A league that has played a season of two nights, and one night of the next."""
    office = Office(store, MovedClock())
    await office.found(weekly(rounds=1, nights=2))
    for week in range(3):
        await plays_night(office, week, *FOUR)
    return office


async def test_a_league_remembers_its_seasons_and_its_members(office: Office) -> None:
    league = await office.leagues.load("abcde")
    (champion, *_) = (league.members[each].name for each in league.champions[1])
    async with open_house(office.store, clock=office.clock, work=False, web_url="https://okey.test") as house:
        hall = await remembered(house, "hall")
        assert "Season 1\n👑 Champion: " in hall
        assert champion in hall
        assert "📅 Most nights: Ada, Bea, Cem, Deniz (3)" in hall
        page = await remembered(house, "member/m1")
        assert page.startswith("Ada\n")
        assert "Head to head\n1 | Bea | 3 | " in page
        assert page.count("| Season ") == 2
        assert await remembered(house, "ratings") != ""
        assert await remembered(house, "member/m9") == ""
        ada = house.person("Ada")
        house.reads(ada, PLACE)
        answer = await house.type(ada, "okey", "league me", place=None)
        assert answer.page is not None
        text = plain(answer.page.text, EN)
        assert "⚔️ Ahead–level–behind: Bea " in text
        assert "🌟 Best night: " in text
        assert "🎯 " in text
        assert "https://okey.test/league/abcde/member/m1" in str(answer.page.text)
        prizes = (await house.type(ada, "okey", "league prizes", place=None)).page
        assert prizes is not None
        assert "🏅 Most tables won: " in plain(prizes.text, EN)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_page_is_said_in_every_language(office: Office, language: str) -> None:
    async with open_house(office.store, clock=office.clock, work=False) as house:
        for page in ("hall", "ratings", "member/m2"):
            assert await remembered(house, page, language)


async def test_the_next_nights_stand_on_the_page_of_the_present_season_alone(office: Office) -> None:
    async with open_house(office.store, clock=office.clock, work=False) as house:
        league = await house.app.published.open("abcde", "")
        assert league is not None
        for season, wanted in ((1, False), (2, True)):
            document = await league.season(season, EN)
            assert document is not None
            assert ("Next nights" in [each.title for each in document.sections]) == wanted


async def test_who_was_forgotten_has_no_page(office: Office) -> None:
    await office.leagues.forget("mem:bea")
    async with open_house(office.store, clock=office.clock, work=False) as house:
        assert await remembered(house, "member/m2") == ""
        assert "Bea" not in await remembered(house, "hall") + await remembered(house, "member/m1")


async def test_the_curve_of_a_rating_is_on_the_member_s_page(office: Office) -> None:
    await office.leagues.change(
        "abcde", None, lambda now: replace(now, seasons={1: Season(number=1, settings=now.format)})
    )
    for week in range(3, 13):
        await plays_night(office, week, *FOUR)
    async with open_house(office.store, clock=office.clock, work=False) as house:
        league = await house.app.published.open("abcde", "")
        assert league is not None
        document = await league.chronicle("member/m1", EN)
        assert document is not None
        assert isinstance(document.picture, CurvePicture)
        assert document.alt.startswith("Rating, night by night")
        assert "1 | " in await remembered(house, "ratings")
