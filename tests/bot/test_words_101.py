"""Everything that can happen in Okey 101 has a sentence in every language."""

from itertools import chain, combinations
from typing import get_args

import pytest
from msgspec.structs import replace

from adapters.discord_chat.rendering import LONGEST_LABEL
from bot.i18n import LANGUAGES, plain, words_for
from bot.screens.games import SCREENS
from bot.screens.games.melds import meld_button, meld_offer, tell_meld
from bot.screens.result import outcome_text
from bot.screens.table import happenings
from bot.tables.facts import NewsFacts, PlaceFacts, SeatFacts, TableFacts
from bot.tables.table import Display, Recent
from engine.events import FineReason
from engine.games import GAMES
from engine.melds import Board, Meld, MeldRules, Played, meld_as_laid
from engine.rules import rules_from
from engine.tiles import Tile, tiles_from_text
from engine.view import Outcome, PublicView

HOWS = ("elden", "joker", "pairs")
DOUBLED = tuple(chain.from_iterable(combinations(HOWS, size) for size in range(4)))


def facts(*recent: Recent) -> TableFacts:
    """A table of two at which this has happened."""
    seats = tuple(
        SeatFacts(name=name, score=0, computer=False, stand_in=False, host=False, word=False)
        for name in ("Ada", "Can")
    )
    view = PublicView(
        indicator=Tile.K13,
        okey=Tile.K1,
        dealer=0,
        turn=0,
        phase="discard",
        discard_tops=(None, None),
        rack_sizes=(21, 22),
        stock_left=9,
        shown_by=None,
        turns=3,
        outcome=None,
        board=Board(opened=(None, None), fines=(0, 0)),
    )
    return TableFacts(
        id="tttttt",
        version=1,
        moment=1,
        turn_number=1,
        stage="playing",
        rules=rules_from({"preset": "okey101", "players": 2}),
        seats=seats,
        round_number=1,
        view=view,
        place=PlaceFacts(called="1"),
        news=NewsFacts(recent=recent, openings=(0, 0)),
    )


def told(language: str, *recent: Recent) -> list[str]:
    """What a table says of it."""
    words = words_for(language)
    return [plain(line, words) for line in happenings(facts(*recent), words)]


def test_a_new_player_of_a_seat_is_told_longer_than_three_quick_moves() -> None:
    moves = [Recent("discarded", number % 2, Tile.R4) for number in range(4)]
    lines = told("en", Recent("replaced", 1), Recent("returned", 1), *moves)
    assert (len(lines), lines[0]) == (4, "Can is back")
    assert len(told("en", *moves, Recent("removed", 1))) == 3


def test_every_game_has_its_screens() -> None:
    assert set(SCREENS) == set(GAMES)
    assert [screens.name for screens in SCREENS.values()] == list(SCREENS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_to_win_is_told_and_no_two_alike(language: str) -> None:
    words = words_for(language)
    said = set()
    for how in DOUBLED:
        outcome = Outcome(kind="win", winner=1, how=how, changes=(202, -101))
        said.add(plain(outcome_text(outcome, facts(), words), words))
    for kind in ("exhausted", "cancelled"):
        outcome = Outcome(kind=kind, winner=None, how=(), changes=(0, 0))
        said.add(plain(outcome_text(outcome, facts(), words), words))
    assert len(said) == 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_penalty_is_told_with_its_reason(language: str) -> None:
    """An okey left on a rack is no event: it is counted when the round ends."""
    reasons = [reason for reason in get_args(FineReason) if reason != "joker_left"]
    lines = [told(language, Recent("fined", 0, reason=reason)) for reason in reasons]
    assert all("101" in line for (line,) in lines)
    assert len({line for (line,) in lines}) == len(reasons) == 6


def test_what_one_player_lays_in_a_row_is_told_in_one_breath() -> None:
    lines = told(
        "en",
        Recent("drew", 0),
        Recent("melded", 0),
        Recent("melded", 0),
        Recent("laid_off", 0, Tile.R7, count=1),
        Recent("laid_off", 0, Tile.B9, count=2),
        Recent("laid_off", 1, Tile.Y1, count=2),
    )
    assert lines == ["Ada laid 2 melds", "Ada laid off red 7 blue 9", "Can laid off yellow 1"]


@pytest.mark.parametrize(
    ("recent", "sentence"),
    [
        (Recent("opened_melds", 0, count=118), "Ada opened with 118 points"),
        (Recent("opened_pairs", 1, count=5), "Can opened with 5 pairs"),
        (Recent("reclaimed", 0, Tile.R7, count=3), "Ada swapped red 7 for the okey in #3"),
        (Recent("took_back", 0, count=1), "Ada took 1 tile back"),
        (Recent("took_back", 0, count=2), "Ada took 2 tiles back"),
        (Recent("gave_back", 0, Tile.R7, 1), "Ada gave red 7 back"),
        (Recent("melded", 0), "Ada laid a meld"),
    ],
)
def test_what_happened_is_told(recent: Recent, sentence: str) -> None:
    assert told("en", recent) == [sentence]
    assert told("tr", recent)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_run_in_words_fits_a_button(language: str) -> None:
    """Discord's buttons take 80 letters. Okeys stand anywhere in the run, beside a false joker."""
    words, okey = words_for(language), Tile.B6
    table = replace(facts(), display=Display(words=True))
    for size in range(3, 14):
        faces = [Tile[f"B{number}"] for number in range(14 - size, 14)]
        for wild in combinations(faces, 2):
            tiles = [okey if face in wild else Tile.F if face is okey else face for face in faces]
            meld = Meld("run", tuple(map(Played, tiles, faces)))
            (said,) = meld_button(table, meld_offer(table, meld, okey), okey, words).label
            assert isinstance(said, str)
            assert len(said) <= LONGEST_LABEL


def test_a_long_run_is_told_by_its_ends() -> None:
    table, rules = replace(facts(), display=Display(words=True)), MeldRules(Tile.R5)
    melds = [
        meld_as_laid(rules, tiles_from_text(tiles))
        for tiles in ("B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13", "B1 B2 R5 B4 B5 R5 B7", "B1 R5 B3")
    ]
    said = [tell_meld(table, meld, Tile.R5, words_for("en")) for meld in melds]
    assert said == ["blue 1–13", "blue 1–7, okey for 3, 6", "blue 1, okey for 2, 3"]


@pytest.mark.parametrize(("language", "told"), [("en", "60 points · 1 pair"), ("de", "60 Punkte · 1 Paar")])
def test_one_pair_is_told_as_one(language: str, told: str) -> None:
    assert words_for(language).plain("rack.worth_meanwhile", points=60, n=1).endswith(told)
