"""No word of the program's own is cut in a picture, in any language."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations

import pytest

from bot.history.statistics import PERIODS, TROPHIES, Figures, Leader, Luck, PersonStandings
from bot.i18n import LANGUAGES, Words, words_for
from bot.markup import Picture, RackPicture, TileFace
from bot.pictures import draw, lettering
from bot.pictures.canvas import Align, Canvas, TextStyle
from bot.screens.result import result_picture
from bot.screens.rules import rules_picture
from bot.screens.statistics import PersonFacts, SeasonWon, figures_page, leaderboard_page, profile_page
from bot.screens.table import table_picture
from bot.tables.facts import NewsFacts, PlaceFacts, SeatFacts, StandingFacts, TableFacts
from engine.games import game_of
from engine.melds import Board, Way
from engine.rules import Rules, rules_from
from engine.tiles import Tile
from engine.view import Outcome, PublicView
from tests.bot.test_words import catalogue, texts_of

NAMES = ("Ada", "Can", "Ece", "Zeynep")
CLASSIC = rules_from({"preset": "okey-rounds", "rounds": 12})
OF_101 = rules_from({"preset": "okey101-raise", "rounds": 12})
HOWS = {"classic": ("color", "joker", "pairs"), "101": ("elden", "joker", "pairs")}
WIDE = 10_000
"""More than any line takes."""


def facts(rules: Rules, outcome: Outcome | None = None) -> TableFacts:
    """A table of four late in a match; in Okey 101 everybody has opened."""
    opened: tuple[Way, ...] = ("melds", "pairs", "melds", "pairs")
    seats = tuple(
        SeatFacts(name=name, score=-120, computer=True, stand_in=False, host=False, word=False)
        for name in NAMES
    )
    view = PublicView(
        indicator=Tile.K13,
        okey=Tile.K1,
        dealer=0,
        turn=None if outcome else 0,
        phase="discard",
        discard_tops=(None,) * 4,
        rack_sizes=(21,) * 4,
        stock_left=40,
        shown_by=None,
        turns=3,
        outcome=outcome,
        board=Board(opened=opened if game_of(rules).lays_melds else (None,) * 4, fines=(0,) * 4),
    )
    return TableFacts(
        id="tttttt",
        version=1,
        moment=1,
        turn_number=1,
        stage="between" if outcome else "playing",
        rules=rules,
        seats=seats,
        round_number=12,
        view=view,
        place=PlaceFacts(called="1"),
        standing=StandingFacts(scored=11),
        news=NewsFacts(openings=(118, 7, 203, 11)),
    )


def table(rules: Rules, words: Words) -> Picture:
    whole = facts(rules)
    assert whole.view is not None
    return table_picture(whole, whole.view, words)


def results(rules: Rules, words: Words) -> Iterator[Picture]:
    """Every way in which a round ends."""
    ways = chain.from_iterable(combinations(HOWS[rules.game], size) for size in range(4))
    outcomes = [Outcome(kind="win", winner=3, how=how, changes=(0,) * 4) for how in ways]
    outcomes += [
        Outcome(kind=kind, winner=None, how=(), changes=(0,) * 4) for kind in ("exhausted", "cancelled")
    ]
    for outcome in outcomes:
        whole = facts(rules, outcome)
        assert whole.view is not None
        yield result_picture(outcome, whole, whole.view, words)


def figures(words: Words) -> Iterator[Picture | None]:
    how = Counter(plain=1000, joker=1000, pairs=1000, color=1000, elden=1000)
    every = {game: Figures(rounds=2000, wins=1000, how=how, opened=1000, fines=1000) for game in HOWS}
    standings = PersonStandings(
        games=every,
        matches=2000,
        matches_won=1000,
        streak=1000,
        longest=1000,
        places={1: 1000, 2: 400, 3: 300, 4: 300},
        rating=None,
        rated=0,
        trophies=tuple(TROPHIES),
        luck=tuple(
            Luck(game=game, racks=2000, okeys=1000, okeys_expected=999.9, start=99.9, start_expected=99.9)
            for game in HOWS
        ),
        opponents=((NAMES[3], 1000),),
    )
    yield figures_page(standings, words).picture
    facts = PersonFacts(
        name=NAMES[3], standings=standings, honours=[SeasonWon(NAMES[3], 100)], here=True, own=True
    )
    yield profile_page(facts, words, token="t", turns=False).picture
    board = [Leader(str(number), NAMES[3], 1000, 2000) for number in range(2000)]
    for period in PERIODS:
        yield leaderboard_page(period, board, words, token="t", turns=False).picture


def pictures(words: Words) -> Iterator[Picture | None]:
    """Everything that is drawn with words of the program's own."""
    captions = (words.plain("word.indicator"), words.plain("word.okey"))
    face = TileFace("K1")
    yield RackPicture(shelves=((face,),), indicator=face, okey=face, captions=captions)
    for rules in (CLASSIC, OF_101):
        yield table(rules, words)
        yield rules_picture(rules, words, Tile.R4)
        yield from results(rules, words)
    yield from figures(words)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_words_are_cut(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[str, int, int]] = []
    write = Canvas.write

    def writing(
        self: Canvas, text: str, at: tuple[float, float], hand: TextStyle, width: int, align: Align = "left"
    ) -> None:
        written.append((text, hand.size, width))
        write(self, text, at, hand, width, align)

    monkeypatch.setattr(Canvas, "write", writing)
    words = words_for(language)
    for picture in pictures(words):
        assert picture is not None
        draw(picture)
    told = " ".join(text for text, _, _ in written)
    for key in ("word.indicator", "word.pair", "stats.streak", "outcome.exhausted", "stats.ever"):
        assert words.plain(key).split()[-1] in told
    smallest = 5 / 6  # of the size asked for, then a line is cut
    cut = [
        text
        for text, size, width in written
        if lettering.line(text, int(size * smallest), WIDE).width > width + 1
    ]
    assert cut == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_letter_of_a_language_can_be_drawn(language: str) -> None:
    letters = {
        char
        for message in catalogue(language).values()
        for char in "".join(texts_of(message))
        if char.isalpha()
    }
    unknown = lettering.line("\ufffd", 30, WIDE).tobytes()
    assert [char for char in letters if lettering.line(char, 30, WIDE).tobytes() == unknown] == []
