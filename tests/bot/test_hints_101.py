"""Hints at Okey 101 in words: what to do and why, in every language."""

from dataclasses import replace
from typing import Final, get_args

import pytest

from bot.i18n import LANGUAGES, plain, words_for
from bot.screens.games.hints import tell_okey101
from engine.hints import hint
from engine.hints.okey101 import Okey101Hint, Why
from engine.match import Match
from engine.moves import Discard
from engine.round import legal_moves
from engine.tiles import Tile
from engine.view import seat_view
from tests.engine.laid_out import round_in
from tests.engine.test_hints_okey101 import LATE, NEEDS_R9
from tests.engine.test_review_okey101 import LONELY, OPENS, in_turn

TOLD: Final[dict[str, tuple[Match, str]]] = {
    "too low": (
        in_turn(NEEDS_R9, stock=LATE, left="B6"),
        "Draw from the stock. You can’t open with blue 6: your best sets and runs are worth 92 of 101"
        " points.",
    ),
    "opens": (in_turn(NEEDS_R9, stock=LATE, left="R9"), "Take red 9. With it you can open."),
    "open": (
        in_turn(f"{OPENS} {LONELY}", stock=LATE),
        "You can open: 104 points. Anyone who never opens pays 202 points.",
    ),
    "pairs": (
        in_turn("R1 R1 Y4 Y4 B7 B7 K10 K10 R13 R13 R3 R6 R9 Y2 Y5 Y8 Y11 K7 B12 B13 K4 K2", stock=LATE),
        "You can open with 5 pairs.",
    ),
    "lay": (in_turn("R6 R7 R8 B8 Y9 K12", stock=LATE, way="melds"), "Lay red 6, 7, 8. "),
    "lay off": (
        in_turn("R6 B8 Y9 K12", "R3 R4 R5", stock=LATE, way="melds"),
        "Lay off red 6 on this meld: red 3, 4, 5. Tiles left on your rack count against you.",
    ),
    "finishes": (
        in_turn("R6 R7 K9", "R3 R4 R5", stock=LATE, way="melds"),
        "Lay off red 6 on this meld: red 3, 4, 5. You can finish in this turn!",
    ),
    "finish": (in_turn("K9", stock=LATE, way="melds"), "Discard your last tile, black 9, and you finish!"),
    "last turn": (
        in_turn("B8 Y9 K12", "R3 R4 R5", stock="", way="melds"),
        "Discard black 12. It’s the last turn of the round: this leaves you with the fewest points.",
    ),
    "reclaim": (
        in_turn("R6 B8 Y9", "R5 *R6 R7", stock="", way="melds", reclaim_joker=True),
        "Put red 6 in the place of the laid okey, and take the okey.",
    ),
    "no penalty": (
        in_turn("B3 B8 K12", "R3 R4 R5", stock="Y1 Y3 Y6 B6 B9 K5", way="melds"),
        "You need it least, and it fits no meld on the table: no penalty.",
    ),
}


def said(match: Match, language: str, told: Okey101Hint | None = None) -> str:
    words, rules, view = words_for(language), match.rules, seat_view(match, 1)
    found = told or hint(rules, view, legal_moves(rules, round_in(match), 1))
    assert isinstance(found, Okey101Hint)
    spoken = tell_okey101(found, view, rules.meld_rules(view.public.okey), words)
    return " ".join(filter(None, (plain(spoken.move, words), plain(spoken.why, words))))


@pytest.mark.parametrize("told", TOLD)
def test_a_hint_says_what_to_do_and_why(told: str) -> None:
    match, sentence = TOLD[told]
    assert sentence in said(match, "en")
    assert len({said(match, language) for language in LANGUAGES}) == len(LANGUAGES)


def test_the_chance_to_open_is_told_beside_that_of_the_next_best() -> None:
    match, _ = TOLD["open"]
    told = Okey101Hint(Discard(Tile.R1), "chance", chance=0.62, rather=Tile.B9, rather_chance=0.48)
    assert said(match, "en", told) == (
        "Discard red 1. Then you open in 62 of 100 tries with random draws."
        " If you discard blue 9 instead, only in 48."
    )
    assert said(match, "en", replace(told, rather=None)).endswith("draws.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_words_in_every_language(language: str) -> None:
    match = in_turn(NEEDS_R9, stock=LATE, left="B6")
    for why in get_args(Why):
        spoken = said(match, language, Okey101Hint(Discard(Tile.R1), why, 92, 101))
        assert "hint." not in spoken
        assert "review." not in spoken
