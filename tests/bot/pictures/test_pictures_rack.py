"""The picture of a rack: every tile in its place, gaps empty, what was drawn pointed out."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from msgspec import structs
from PIL import ImageChops
from tile_reader import SeenTile, amount, opened, spots, tiles_in

from bot.markup import RackPicture, TileFace
from bot.pictures import draw, theme
from bot.tables.racks import by_melds, by_pairs, by_runs, flat, keep, move_tile
from engine.games import CLASSIC, OKEY101
from engine.games.game import Game
from engine.melds import MeldRules
from engine.tiles import FULL_SET, Tile

Shelf = tuple[TileFace | None, ...]

FACES = [TileFace(f"{letter}{number}") for letter in "RYBK" for number in range(1, 14)] + [TileFace("F")]
INDICATOR, OKEY = TileFace("Y8"), TileFace("Y9", wild=True)
MOST_BYTES = 25_000


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
    """The tiles on the shelves: those under indicator and okey."""
    return tiles_in(draw(picture))[2:]


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
    before, after = tiles_in(plain)[3], next(tile for tile in tiles_in(marked) if tile.face.marked)
    assert after.box[1] < before.box[1]
    left, top, right, _ = after.box
    above = opened(marked).crop((left, top - 30, right, top - 6))
    assert amount(above, theme.MARK) > 50
    assert amount(opened(plain), theme.MARK) == 0


def test_a_gap_is_empty_and_narrower_than_a_tile_however_many_places_it_has() -> None:
    for gap in (".", ". . ."):
        picture = rack(faces(f"R1 R2 {gap} R4"), faces("K1"))
        one, two, four = (tile.box for tile in on_the_rack(picture)[:3])
        assert 1.2 * (two[0] - one[0]) < four[0] - two[0] < 2 * (two[0] - one[0])
        empty = opened(draw(picture)).crop((two[2] + 2, two[1], four[0] - 2, two[3]))
        assert amount(empty, theme.SHELF) == empty.width * empty.height


def test_a_gap_at_the_beginning_of_a_shelf_is_kept() -> None:
    first, second = on_the_rack(rack(faces(". R2 ."), faces("K1 . .")))
    assert first.face == TileFace("R2")
    assert first.box[0] > second.box[0] + 20


def test_the_tile_just_drawn_has_a_bay_at_the_end_of_its_shelf() -> None:
    before, drawn = on_the_rack(rack(faces("R1"), faces("K1 !K4")))[1:]
    assert drawn.face == TileFace("K4", marked=True)
    assert drawn.box[2] > theme.WIDTH - 24
    shelf = opened(draw(rack(faces("R1"), faces("K1 !K4")))).crop(
        (before.box[2] + 4, before.box[1], drawn.box[0] - 4, before.box[3])
    )
    assert amount(shelf, theme.WOOD) >= 6 * shelf.height, "a post before it"


@pytest.mark.parametrize("shelf", ["R1 !R2 R3", "!R1 R2 !R3"])
def test_what_was_sorted_in_and_what_is_drafted_stands_among_the_others(shelf: str) -> None:
    one, two, three = on_the_rack(rack(faces(shelf), faces("K1")))[:3]
    assert three.box[0] - two.box[0] == pytest.approx(two.box[0] - one.box[0], abs=12)


LEAST = {CLASSIC: 70, OKEY101: 64}
"""The width of a tile, of 900."""


@pytest.mark.parametrize("game", LEAST)
def test_tiles_are_large_however_a_player_keeps_them(game: Game) -> None:
    """Dealt, sorted in every way, drawn and discarded, moved one by one onto one shelf."""
    chance = random.Random(5)
    tiles, most = chance.sample(FULL_SET, game.rack_size + 1), game.shelf_size
    by_colour = by_runs(tiles, Tile.R5, most)
    best = by_melds(tiles, MeldRules(Tile.R5), most)
    crowded = by_colour
    for source in range(most, 2 * most):
        crowded = move_tile(crowded, source, most - 1, most)
    for laid in (by_colour, by_pairs(tiles, Tile.R5, most), best, crowded, keep(best, tiles[2:], most)):
        shelves = [[None if tile is None else TileFace(tile.name) for tile in shelf] for shelf in laid]
        seen = on_the_rack(rack(*shelves))
        assert len(seen) == len(flat(laid))
        assert min(tile.box[2] - tile.box[0] for tile in seen) >= LEAST[game]


def test_one_shelf_holds_a_rack_too() -> None:
    tiles = list(dealt(15, 1))
    assert [tile.face for tile in on_the_rack(rack(tiles))] == tiles


def test_an_empty_rack_shows_indicator_and_okey_side_by_side() -> None:
    for empty in (rack(), rack(()), rack((), ())):
        indicator, okey = tiles_in(draw(empty))
        assert (indicator.face, okey.face) == (INDICATOR, OKEY)
        assert indicator.box[1] == okey.box[1]
        assert indicator.box[2] < okey.box[0]


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
    assert first[2] < second[0]


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
        deal[-1] = structs.replace(deal[-1], marked=True)
        half = (tiles + 1) // 2
        assert len(draw(rack(deal[:half], deal[half:], letters=letters))) <= MOST_BYTES
