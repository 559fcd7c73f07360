"""The picture of a table of Okey 101: every laid meld is there, whatever lies on it."""

import random
from dataclasses import replace

import pytest
from PIL import ImageChops
from tile_reader import amount, apart, changed, opened, spots, tiles_in, turn_of

from bot.markup import DrawnSeat, TablePicture, TileFace
from bot.pictures import draw, theme
from bot.pictures.sprites import RIM

INDICATOR, OKEY = TileFace("R4"), TileFace("R5", wild=True)
TOPS = [TileFace("B7"), TileFace("K12"), TileFace("Y1"), TileFace("F")]
NAMES = ["Ada", "Can", "Ece", "Ali"]

Meld = tuple[TileFace, ...]


def meld(text: str) -> Meld:
    """Tiles in text; a star for an okey that stands for a tile."""
    return tuple(TileFace(word.lstrip("*"), wild=word.startswith("*")) for word in text.split())


def table(*melds: str, seats: int = 4, level: str = "") -> TablePicture:
    return TablePicture(
        seats=tuple(
            DrawnSeat(
                name=NAMES[n], score=0, on_turn=False, computer=False, top=TOPS[n], shown=False, note="118"
            )
            for n in range(seats)
        ),
        clockwise=False,
        indicator=INDICATOR,
        okey=OKEY,
        stock_left=20,
        title="2/5. el",
        captions=("Gösterge", "Okey", "Orta"),
        melds=tuple(map(meld, melds)),
        level=level,
    )


def many(number: int) -> tuple[str, ...]:
    """So many melds by chance, of runs, sets and pairs."""
    chance = random.Random(number)
    found = []
    for _ in range(number):
        colour, first = chance.choice("RYBK"), chance.randint(1, 8)
        run = " ".join(f"{colour}{first + n}" for n in range(chance.randint(3, 6)))
        found.append(chance.choice([run, f"R{first} Y{first} *B{first}", f"K{first} *K{first}"]))
    return tuple(found)


def melds_seen(picture: TablePicture) -> list[TileFace]:
    """The tiles after indicator, okey and discards, in reading order."""
    return [tile.face for tile in tiles_in(draw(picture))][2 + len(picture.seats) :]


@pytest.mark.parametrize("melds", [("R1 R2 R3", "K9 *Y9 B9", "F R6 R7"), many(6), many(12), many(25)])
def test_every_laid_tile_is_read_in_its_order(melds: tuple[str, ...]) -> None:
    assert melds_seen(table(*melds)) == [face for text in melds for face in meld(text)]


@pytest.mark.parametrize("colours", ["R", "RYBK" * 2])
def test_the_longest_melds_fit_the_width(colours: str) -> None:
    longest = tuple(" ".join(f"{colour}{n}" for n in range(1, 14)) for colour in colours)
    picture = table(*longest)
    assert melds_seen(picture) == [face for text in longest for face in meld(text)]
    image = opened(draw(picture))
    assert image.width == theme.WIDTH
    assert spots(image, theme.WOOD).getbbox() == (0, 0, *image.size)
    rim = (theme.WIDTH - RIM + 5, 30, theme.WIDTH - 7, image.height - 30)
    assert amount(image.crop(rim), theme.WOOD) == (rim[2] - rim[0]) * (rim[3] - rim[1])


def test_an_empty_table_has_its_seats_and_no_melds() -> None:
    assert melds_seen(table()) == []
    assert [tile.face for tile in tiles_in(draw(table()))][:2] == [INDICATOR, OKEY]


def test_every_meld_has_its_number() -> None:
    """Lines of text before the melds: two pictures differ only in front of a meld that is added."""
    one, two = table("R1 R2 R3"), table("R1 R2 R3", "B1 B2 B3")
    difference = ImageChops.difference(opened(draw(one)), opened(draw(two))).getbbox()
    assert difference
    added = tiles_in(draw(two))[-3]
    assert difference[0] < added.box[0] - 5
    assert (
        amount(
            opened(draw(two)).crop((difference[0], *added.box[1:2], added.box[0] - 2, added.box[3])),
            theme.WORDS_DIM,
        )
        > 5
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whose_turn_it_is_shows_in_lightness_and_by_an_arrow(seats: int) -> None:
    picture = table("R1 R2 R3", seats=seats)
    lefts = []
    for number in range(seats):
        turned = tuple(replace(each, on_turn=n == number) for n, each in enumerate(picture.seats))
        image = opened(draw(replace(picture, seats=turned)))
        lit = spots(image, theme.PLATE_LIGHT).getbbox()
        assert lit
        lefts.append(lit[0])
        arrow = image.crop((lit[0], lit[1] - 40, lit[2], lit[1] - 6))
        assert amount(arrow, theme.SIGNAL) > 200
    assert lefts == sorted(set(lefts))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_arrow_is_nearer_to_its_plate_than_to_the_words_above_it(seats: int) -> None:
    bare = table("R1 R2 R3", seats=seats)
    told = replace(bare, captions=("Ğyg" * 9, "Ğyg" * 9, "Ğyg" * 9), level="Ğyg" * 99)
    words = [
        changed(bare, replace(bare, level=told.level)),
        changed(bare, replace(bare, captions=told.captions)),
    ]
    for number in range(seats):
        turned = tuple(replace(each, on_turn=n == number) for n, each in enumerate(told.seats))
        plate, arrow = turn_of(opened(draw(replace(told, seats=turned))))
        assert min(apart(arrow, each) for each in words) >= 2 * apart(arrow, plate)


@pytest.mark.parametrize(
    "name",
    ["W" * 32, "\u202e\u2066evil\u202c\n\x00", "شَهْرَزَاد بنت الملك شهريار", "👩‍👩‍👧‍👦🏳️‍🌈" * 3, "漢字" * 16],
)
@pytest.mark.parametrize("field", ["name", "note"])
def test_no_words_leave_their_plate(name: str, field: str) -> None:
    bare = table("R1 R2 R3")
    bare = replace(bare, seats=tuple(replace(each, name="", note="") for each in bare.seats))
    first = replace(bare.seats[1], **{field: name})  # type: ignore[arg-type]
    named = replace(bare, seats=(bare.seats[0], first, *bare.seats[2:]))
    inked = ImageChops.difference(opened(draw(bare)), opened(draw(named))).convert("L")
    inked = inked.point(lambda value: 255 * (value > 0))
    assert inked.getbbox()
    assert ImageChops.subtract(inked, spots(opened(draw(bare)), theme.SHELF)).getbbox() is None


def test_long_words_stay_at_the_head() -> None:
    bare = replace(table("R1 R2 R3"), title="", captions=("", "", ""))
    told = replace(bare, title="x" * 200, captions=("y" * 99, "z" * 99, "w" * 99), level="v" * 200)
    inked = ImageChops.difference(opened(draw(bare)), opened(draw(told))).convert("L")
    inked = inked.point(lambda value: 255 * (value > 0))
    felt = ImageChops.lighter(spots(opened(draw(bare)), theme.FELT), spots(opened(draw(bare)), theme.WORDS))
    box = ImageChops.subtract(inked, felt).getbbox()
    assert box is None or box[3] < 140, "only where the count of the stock was"


@pytest.mark.parametrize("melds", [0, 12, 25])
def test_a_table_is_small_enough_to_send_at_every_turn(melds: int) -> None:
    png = draw(table(*many(melds), level="Açmak için: 119 sayı ya da 6 çift"))
    assert len(png) <= 60_000
    assert opened(png).height <= 1300
