"""Commands by their names: each in every language, with or without its marks, and no two alike."""

import re
from typing import get_args

import pytest

from bot.i18n import LANGUAGES, words_for
from bot.i18n.commands import about, is_button, latin_name_of, name_of, read_command
from bot.store import Store
from engine.rules import PRESETS, Deal
from tests.bot.house import PLACE, open_house, said
from tests.bot.test_words import family
from tests.offered import EVERYBODYS, ORGANISERS

VERBS = (*EVERYBODYS, *ORGANISERS)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("katıl KM7-4RT", ("join", "KM7-4RT")),
        ("KATIL", ("join", "")),
        ("katil KM7-4RT", ("join", "KM7-4RT")),
        ("davet", ("invite", "")),
        ("davet iptal", ("uninvite", "")),
        ("davet_iptal", ("uninvite", "")),
        ("davet ipt", ("invite", "ipt")),
        ("ISTAKA", ("rack", "")),
        ("İstatistik me", ("leaderboard", "me")),
        ("초대 거두기", ("uninvite", "")),
        ("계정  연결 끊기", ("unlink", "")),
        ("계정 연결 KMNP", ("link", "KMNP")),
        ("Mitspielen KM7", ("join", "KM7")),
        ("word  two\nlines", ("word", "two\nlines")),
        ("why did I lose?", ("review", "")),
        ("my play 2", ("review", "2")),
        ("Neden kaybettim?", ("review", "")),
        ("Oyunum", ("review", "")),
        ("Nasıl oynanır?", ("help", "")),
        ("mein Brett", ("rack", "")),
        ("Warum habe ich verloren?", ("review", "")),
        ("4 quick", None),
        ("", None),
        ("joined", None),
    ],
)
def test_a_command_is_read_in_every_language(text: str, read: tuple[str, str] | None) -> None:
    assert read_command(text) == read


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verb", VERBS)
def test_every_name_leads_to_its_command(language: str, verb: str) -> None:
    words = words_for(language)
    assert name_of(verb, words) == name_of(verb, words).lower()
    for name in (name_of(verb, words), latin_name_of(verb, words), verb):
        assert read_command(f"{name} x") == (verb, "x")


@pytest.mark.parametrize(
    ("old", "verb"), [("bank", "rack"), ("Sözcük", "word"), ("내 패", "rack"), ("내_패", "rack")]
)
def test_a_name_that_a_command_had_before_is_still_understood(old: str, verb: str) -> None:
    assert read_command(f"{old} x") == (verb, "x")
    for language in LANGUAGES:
        assert "|" not in words_for(language).type_command(verb).line
        assert old.lower() not in words_for(language).type_command(verb).line


def test_no_preset_is_called_like_something_else_that_is_typed_after_okey() -> None:
    assert {each for each in PRESETS if read_command(each) or is_button(each)} == set()
    assert {*PRESETS} & {*get_args(Deal)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_languages_that_can_be_chosen_are_those_there_are(language: str) -> None:
    assert set(re.findall(r"\b[a-z]{2}\b", about("language", words_for(language)))) >= {*LANGUAGES}


def test_every_verb_is_offered_to_somebody() -> None:
    assert family("verb.") == {*VERBS}
    assert family("command.") == {*VERBS, "okey"}


@pytest.mark.parametrize(("verb", "argument"), [("okey", "geçmiş"), ("gecmis", ""), ("play", "Verlauf")])
async def test_the_router_understands_it(store: Store, verb: str, argument: str) -> None:
    async with open_house(store, work=False) as house:
        answer = await house.type(house.person("Ada"), verb, argument)
        assert said(answer) == "No round has been finished yet."


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_on_a_button_is_no_command(language: str) -> None:
    said = words_for(language).plain("typed.buttons").split("|")
    assert all(is_button(each) and read_command(each) is None for each in said)


@pytest.mark.parametrize("place", [PLACE, None])
@pytest.mark.parametrize(
    "typed", ["stop", "başla", "BİTİR", "abbrechen", "그만", "play again", "nochmal", "clock"]
)
async def test_who_types_what_is_on_a_button_is_told_where_it_is(
    store: Store, typed: str, place: str | None
) -> None:
    async with open_house(store, work=False) as house:
        answer = await house.type(house.person("Ada"), "okey", typed, place=place)
        assert "isn’t a command but a button" in said(answer)


async def test_an_unknown_word_in_private_is_not_sent_to_the_group(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        assert "I don’t know “when”" in said(await house.type(ada, "okey", "when do I win", place=None))
        assert (await house.type(ada, "okey", "okey101 3 clock=5m", place=None)).code == "here_only"
        assert said(await house.type(ada, "play", place=None)).startswith("The practice round begins")
        assert "practice" not in said(await house.type(ada, "join", place=None))


async def test_a_wrong_number_of_players_is_told_the_range(store: Store) -> None:
    async with open_house(store, work=False) as house:
        answer = await house.type(house.person("Ada"), "okey", "5")
        assert said(answer) == "Players must be a number from 2 to 4."


async def test_every_command_that_is_offered_is_carried_out(store: Store) -> None:
    async with open_house(store, work=False, web_url="https://okey.example") as house:
        ada = house.person("Ada")
        answers = {verb: await house.type(ada, "okey", verb) for verb in VERBS}
        assert [verb for verb, answer in answers.items() if answer.code == "unknown_command"] == []
