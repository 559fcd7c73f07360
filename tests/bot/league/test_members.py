"""Lists of members as organisers keep them: what is read, what is refused, and what becomes of a league."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import Refused
from bot.i18n import LANGUAGES, words_for
from bot.league.members import LINES_MOST, parse_members, with_member, with_roster
from bot.league.model import Format, League, Member, Schedule
from bot.ports import Person

LEAGUE = League(
    id="ab3cd",
    name="Okey",
    community="tg:-1",
    places=("tg:-1",),
    language="tr",
    schedule=Schedule(start="2026-03-05T20:00", zone="UTC"),
    format=Format(),
    members={
        "m1": Member(id="m1", name="Ada", accounts=("tg:4711",)),
        "m2": Member(id="m2", name="Can", accounts=("dc:4712",)),
    },
    next_member=3,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada\nCan\r\n\n  Ece  \n", [("Ada",), ("Can",), ("Ece",)]),
        ("Ada, tg:4711\nCan,discord:123456789", [("Ada", "tg:4711"), ("Can", "dc:123456789")]),
        ("Ada; Telegram:4711; <@!123456789>", [("Ada", "tg:4711", "dc:123456789")]),
        ("Ada\ttg:4711\ttg:4711", [("Ada", "tg:4711")]),
        ('"Doe, John",<@123456789>', [("Doe, John", "dc:123456789")]),
        ("'=Ada\n'@Can", [("=Ada",), ("@Can",)]),
        ("'Ada", [("'Ada",)]),
        ("\ufeffname,account\nAda,", [("Ada",)]),
        ("İsim\nAda", [("Ada",)]),
        ("이름;계정\n에이다", [("에이다",)]),
        ("Ada\nName", [("Ada",), ("Name",)]),
        ("Ada, tg:1\nAda, tg:2", [("Ada", "tg:1"), ("Ada", "tg:2")]),
        ("", []),
        (",,\n;\n", []),
    ],
)
def test_lists_as_people_keep_them(text: str, expected: list[tuple[str, ...]]) -> None:
    roster = parse_members(text)
    assert roster.wrong == ()
    assert [(each.name, *each.accounts) for each in roster.members] == expected


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("Ada\n, tg:4711", "roster_name", 2),
        ("\u200b", "roster_name", 1),
        ("x" * 33, "roster_name", 1),
        ("Ada\n\nCan, can@example.org", "roster_account", 3),
        ("Ada, @ada", "roster_account", 1),
        ("Ada, web:1", "roster_account", 1),
        ("Ada, tg:", "roster_account", 1),
        ("Ada, John", "roster_account", 1),
        ("Ada\nCan\nADA", "roster_twice", 3),
        ("Ada, tg:1\nCan, telegram:1", "roster_twice", 2),
    ],
)
def test_a_wrong_line_is_told_by_its_number_and_the_others_are_read(text: str, code: str, line: int) -> None:
    roster = parse_members(text)
    assert [(wrong.code, wrong.values["line"]) for wrong in roster.wrong] == [(code, line)]
    others = [each for number, each in enumerate(text.splitlines(), 1) if each and number != line]
    assert len(roster.members) == len(others)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_wrong_line_has_a_sentence(language: str) -> None:
    words = words_for(language)
    wrong = parse_members("Ada\n\u200b\nCan, ?\nAda").wrong
    sentences = [words.plain(f"refused.{each.code}", **each.values) for each in wrong]
    assert [str(number) in said for number, said in zip((2, 3, 4), sentences, strict=True)] == [True] * 3


def test_a_list_that_is_too_long_is_refused() -> None:
    assert len(parse_members("\n".join(f"n{number}" for number in range(LINES_MOST))).members) == LINES_MOST
    with pytest.raises(Refused) as refused:
        parse_members("x\n" * (LINES_MOST + 1))
    assert refused.value.code == "roster_long"


@given(st.text(max_size=300))
def test_any_text_is_read_line_by_line(text: str) -> None:
    roster = parse_members(text)
    assert len(roster.members) + len(roster.wrong) <= len(text.splitlines())
    assert all(listed.name.strip() for listed in roster.members)


def test_listed_people_are_found_by_account_or_name_or_are_new() -> None:
    league = with_roster(LEAGUE, parse_members("A. Lovelace, tg:4711, dc:5\ncan\nEce, tg:9\nAli"))
    assert {each.id: (each.name, each.accounts, each.listed) for each in league.members.values()} == {
        "m1": ("Ada", ("tg:4711", "dc:5"), True),
        "m2": ("Can", ("dc:4712",), True),
        "m3": ("Ece", ("tg:9",), True),
        "m4": ("Ali", (), True),
    }
    assert league.next_member == 5


def test_the_same_list_twice_changes_nothing_more() -> None:
    roster = parse_members("Ada, tg:4711\nEce, tg:9\nAli\nCan")
    once = with_roster(LEAGUE, roster)
    assert with_roster(once, roster) == once


def test_the_same_name_twice_changes_nothing_more_beside_two_namesakes() -> None:
    league = with_roster(LEAGUE, parse_members("Ali, tg:1\nAli, tg:2"))
    once = with_roster(league, parse_members("Ali"))
    assert [each.accounts for each in once.members.values() if each.given == "Ali"] == [
        ("tg:1",),
        ("tg:2",),
        (),
    ]
    assert with_roster(once, parse_members("Ali")) == once


def test_an_account_never_goes_from_one_member_to_another() -> None:
    league = with_roster(LEAGUE, parse_members("Ada, tg:4711, dc:4712"))
    assert [each.accounts for each in league.members.values()] == [("tg:4711",), ("dc:4712",)]


@pytest.mark.parametrize(("acts", "other"), [("tg:4711", "dc:4712"), ("dc:4712", "tg:4711")])
def test_who_is_on_the_list_under_one_account_plays_under_the_other_too(acts: str, other: str) -> None:
    members = {**LEAGUE.members, "m2": replace(LEAGUE.members["m2"], listed=True)}
    league = replace(LEAGUE, members=members, format=Format(entry="members"))
    joined = with_member(league, Person(acts, "Ada"), other)
    assert {*joined.members["m2"].accounts} == {acts, other}


def test_a_namesake_with_another_account_is_somebody_else() -> None:
    league = with_roster(LEAGUE, parse_members("Ada, tg:1"))
    assert [(each.name, each.accounts) for each in league.members.values()][-1] == ("Ada (2)", ("tg:1",))
    waiting = replace(LEAGUE, members={"m1": Member(id="m1", name="Ada", listed=True)})
    assert with_roster(waiting, parse_members("Ada, tg:1")).members["m1"].accounts == ("tg:1",)


@pytest.mark.parametrize(
    ("listed", "shown"), [("IŞIK", "Işık"), ("İPEK", "ipek"), ("NİL IŞIL", "Nil Işıl"), ("STRAUSS", "Strauß")]
)
def test_a_list_in_capitals_means_the_same_people_as_their_chats(listed: str, shown: str) -> None:
    league = replace(with_roster(LEAGUE, parse_members(listed)), format=Format(entry="members"))
    person = Person("tg:9", shown)
    assert with_member(league, person, None).member_of("tg:9") == replace(
        league.members["m3"], accounts=("tg:9",)
    )
    assert with_roster(league, parse_members(shown)).members.keys() == league.members.keys()
    (wrong,) = parse_members(f"{listed}\n{shown}").wrong
    assert wrong.code == "roster_twice"
