"""The picture of a rack: every tile in its place, gaps empty, what was drawn pointed out."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from PIL import ImageChops
from tile_reader import SeenTile, amount, opened, spots, tiles_in

from bot.markup import RackPicture, TileFace
from bot.pictures import draw, theme

Shelf = tuple[TileFace | None, ...]

FACES = [TileFace(f"{letter}{number}") for letter in "RYBK" for number in range(1, 14)] + [TileFace("F")]
INDICATOR, OKEY = TileFace("Y8"), TileFace("Y9", wild=True)
MOST_BYTES = 16_384


def rack(*shelves: Sequence[TileFace | None], letters: bool = False) -> RackPicture:
    return RackPicture(
        shelves=tuple(map(tuple, shelves)),
        indicator=INDICATOR,
        okey=OKEY,
        captions=("Gösterge", "Okey"),
        letters=letters,
    )


def faces(codes: str) -> Shelf:
    """`.` is a gap, `*` before a code an okey, `!` the tile just drawn."""

    def face(word: str) -> TileFace | None:
        return None if word == "." else TileFace(word.lstrip("*!"), wild="*" in word, marked="!" in word)

    return tuple(face(word) for word in codes.split())


def on_the_rack(picture: RackPicture) -> list[SeenTile]:
    """The tiles on the shelves: those left of indicator and okey, which stand rightmost."""
    seen = tiles_in(draw(picture))
    side = max(tile.box[0] for tile in seen)
    return [tile for tile in seen if tile.box[0] < side]


def dealt(tiles: int, seed: int) -> Iterator[TileFace]:
    rng = random.Random(seed)
    return iter(rng.sample(FACES * 2, tiles))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("upper", "lower"), [(8, 7), (7, 7), (11, 11), (11, 10)])
def test_every_tile_stands_in_its_place(upper: int, lower: int, seed: int) -> None:
    tiles = dealt(upper + lower, seed)
    shelves = [[next(tiles) for _ in range(count)] for count in (upper, lower)]
    assert [tile.face for tile in on_the_rack(rack(*shelves))] == shelves[0] + shelves[1]


def test_an_okey_and_the_tile_just_drawn_are_marked_as_such() -> None:
    shelf = faces("R1 *Y9 !K4 F *F !*Y9 !F B13")
    assert tuple(tile.face for tile in on_the_rack(rack(shelf, faces("K1")))) == (*shelf, TileFace("K1"))


def test_the_tile_just_drawn_stands_higher_under_a_pointer() -> None:
    plain, marked = (draw(rack(faces(f"R1 {sign}R2 R3"), faces("K1"))) for sign in ("", "!"))
    before, after = tiles_in(plain)[1], next(tile for tile in tiles_in(marked) if tile.face.marked)
    assert after.box[1] < before.box[1]
    left, top, right, _ = after.box
    above = opened(marked).crop((left, top - 30, right, top - 6))
    assert amount(above, theme.SIGNAL) > 50
    assert amount(opened(plain), theme.SIGNAL) == 0


def test_a_gap_is_empty_and_as_wide_as_a_tile() -> None:
    one, two, four = (tile.box for tile in on_the_rack(rack(faces("R1 R2 . R4"), faces("K1")))[:3])
    assert four[0] - two[0] == 2 * (two[0] - one[0])
    image = opened(draw(rack(faces("R1 R2 . R4"), faces("K1"))))
    gap = image.crop((two[2] + 2, two[1], four[0] - 2, two[3]))
    assert amount(gap, theme.SHELF) == gap.width * gap.height


def test_gaps_at_the_beginning_and_at_the_end_of_a_shelf_are_kept() -> None:
    first, second = on_the_rack(rack(faces(". R2 ."), faces("K1 . .")))
    assert first.face == TileFace("R2")
    assert first.box[0] > second.box[2]


def test_one_shelf_holds_a_rack_too() -> None:
    tiles = list(dealt(15, 1))
    assert [tile.face for tile in on_the_rack(rack(tiles))] == tiles


def test_an_empty_rack_shows_indicator_and_okey_below_each_other() -> None:
    for empty in (rack(), rack(()), rack((), ())):
        indicator, okey = tiles_in(draw(empty))
        assert (indicator.face, okey.face) == (INDICATOR, OKEY)
        assert indicator.box[0] == okey.box[0]
        assert indicator.box[3] < okey.box[1]


def test_letters_are_written_on_request_and_only_then() -> None:
    shelves = (faces("R1 Y2 B3 K4"), faces("F"))
    plain, lettered = (opened(draw(rack(*shelves, letters=letters))) for letters in (False, True))
    for tile in on_the_rack(rack(*shelves)):
        assert ImageChops.difference(plain.crop(tile.box), lettered.crop(tile.box)).getbbox()


def test_each_caption_is_written_in_a_place_of_its_own() -> None:
    picture = rack(faces("R1"), faces("K1"))
    bare = opened(draw(replace(picture, captions=("", ""))))
    first, second = (
        ImageChops.difference(bare, opened(draw(replace(picture, captions=captions)))).getbbox()
        for captions in (("Gösterge", ""), ("", "Okey"))
    )
    assert first
    assert second
    assert first[3] < second[1]


@pytest.mark.parametrize(
    "captions", [("W" * 200, "W" * 200), ("", ""), ("الدليل", "오케이"), ("\u0301" * 60, "\x00")]
)
def test_no_caption_reaches_the_shelves_or_a_tile(captions: tuple[str, str]) -> None:
    picture = rack(faces("R1 R2 R3 R4 R5 R6 R7 R8"), faces("K1"))
    bare = opened(draw(replace(picture, captions=("", ""))))
    words = ImageChops.difference(bare, opened(draw(replace(picture, captions=captions)))).convert("L")
    inked = words.point(lambda value: 255 * (value > 0))
    felt = spots(bare, theme.FELT)
    assert ImageChops.subtract(inked, felt).getbbox() is None, "words on something that is not felt"


@pytest.mark.parametrize("letters", [False, True])
@pytest.mark.parametrize("tiles", [15, 22])
def test_a_rack_is_small_enough_to_send_at_every_turn(tiles: int, letters: bool) -> None:
    for seed in range(25):
        deal = list(dealt(tiles, seed))
        deal[-1] = replace(deal[-1], marked=True)
        half = (tiles + 1) // 2
        assert len(draw(rack(deal[:half], deal[half:], letters=letters))) <= MOST_BYTES
