"""Clips: a round that is over as one small file, and never before."""

import io
import math
from dataclasses import replace

import pytest
from PIL import Image

from bot.i18n import words_for
from bot.markup import DrawnSeat, TileFace
from bot.pictures import draw_clip
from bot.pictures.clip import BYTES_MOST
from bot.pictures.theme import IN_CONTRAST, INKS, WOOD, Rgb
from bot.store import Store
from tests.adapters.telegram_chat.scene import table_picture
from tests.bot.house import offers, open_house, page_of
from tests.bot.rounds import begin, play_round

pytestmark = pytest.mark.long

ENGLISH = words_for("en")


async def test_a_round_is_a_film_once_it_is_over_and_never_before(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada, can, eve = (house.person(name) for name in ("Ada", "Can", "Eve"))
        table = await house.open(ada, can, words="okey-rounds 3 rounds=2")
        await begin(house, table, ada)
        assert (await house.press(ada, f"clip.{table}.0.1", private=False)).code == "no_record"
        await play_round(house, table)
        (clip,) = offers(await house.look(), "clip")
        page = page_of(await house.press(can, clip.press, private=False))
        assert page.file is not None
        film = Image.open(io.BytesIO(page.file.content))
        assert (film.format, page.file.name) == ("GIF", f"okey-{table}-1.gif")
        assert len(page.file.content) <= BYTES_MOST
        assert getattr(film, "n_frames", 1) > 1
        again = page_of(await house.press(ada, clip.press)).file
        assert again == page.file
        assert (await house.press(ada, f"clip.{table}.0.2")).code == "no_record"
        assert (await house.press(eve, clip.press)).code == "unknown_table"


def test_a_long_round_is_small_enough_too() -> None:
    """Every frame differs from the one before all over the table."""
    frames = []
    for number in range(90):
        seats = tuple(
            DrawnSeat(
                name=f"{number} {seat} {number * 7919 % 997}",
                score=number * seat,
                on_turn=number % 4 == seat,
                computer=False,
                top=None,
                shown=False,
            )
            for seat in range(4)
        )
        frames.append(replace(table_picture(90 - number), seats=seats, title=f"Round {number}"))
    film = draw_clip(frames, contrast=False)
    assert len(film) <= BYTES_MOST


@pytest.mark.parametrize("contrast", [False, True])
def test_tiles_have_their_own_colours_in_a_film(contrast: bool) -> None:
    """They cover little of a frame, so a palette of the colours that cover most would lose them."""
    seats = tuple(
        DrawnSeat(name=name, score=20, on_turn=False, computer=False, top=TileFace(f"{colour}7"), shown=False)
        for name, colour in zip(("Ada", "Can", "Ece", "Zed"), "RYBK", strict=True)
    )
    frames = [replace(table_picture(stock), seats=seats) for stock in (30, 29)]
    film = Image.open(io.BytesIO(draw_clip(frames, contrast=contrast))).convert("RGB")
    drawn = {colour for _, colour in film.getcolors(film.width * film.height) or []}
    assert {IN_CONTRAST[ink] if contrast else ink for ink in INKS.values()} <= drawn


def test_a_table_fills_its_film_before_and_after_the_melds_are_laid() -> None:
    """A table of 101 grows with its melds: a lower one had bands of wood above and below it."""
    meld = tuple(TileFace(f"Y{number}") for number in range(1, 6))
    frames = [replace(table_picture(30), melds=(meld,) * laid) for laid in (0, 30)]
    film = Image.open(io.BytesIO(draw_clip(frames, contrast=False)))
    for number in range(len(frames)):
        film.seek(number)
        shown = film.convert("RGB")
        ends = [shown.getpixel((film.width // 2, y)) for y in (film.height // 30, film.height * 29 // 30)]
        assert all(_distance(end, WOOD) > 60 for end in ends), ends


def _distance(one: object, other: Rgb) -> float:
    """How different two colours are: a film has few."""
    assert isinstance(one, tuple)
    return math.dist(one, other)
