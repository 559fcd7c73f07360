"""The picture of a table: who sits where, who discards to whom, whose turn it is."""

from dataclasses import replace
from functools import cache

import pytest
from PIL import Image, ImageChops
from tile_reader import Box, amount, apart, changed, opened, spots, tiles_in, turn_of

from bot.markup import DrawnSeat, TablePicture, TileFace
from bot.pictures import draw, theme

INDICATOR, OKEY = TileFace("R4"), TileFace("R5", wild=True)
TOPS = [TileFace("B7"), TileFace("K12"), TileFace("Y1"), TileFace("F")]
NAMES = ["Ada", "Can", "Ece", "Ali"]
HOSTILE = [
    "W" * 32,
    "\u202e\u2066evil\u202c\n\x00\x1b[31m",
    "Z" + "\u0334\u0321\u0322\u0349\u0347" * 6,
    "شَهْرَزَاد بنت الملك شهريار الكبير",
    "👩‍👩‍👧‍👦🏳️‍🌈🇹🇷" * 3,
    "漢字仮名交じり文",
    "",
]


def seat(number: int, **changes: object) -> DrawnSeat:
    plain = DrawnSeat(
        name=NAMES[number], score=20, on_turn=False, computer=False, top=TOPS[number], shown=False
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def table(*seats: DrawnSeat, clockwise: bool = False, stock_left: int = 47) -> TablePicture:
    return TablePicture(
        seats=seats,
        clockwise=clockwise,
        indicator=INDICATOR,
        okey=OKEY,
        stock_left=stock_left,
        title="3. el",
        captions=("Gösterge", "Okey", "Orta"),
    )


def full(seats: int, *, clockwise: bool = False) -> TablePicture:
    return table(*(seat(number) for number in range(seats)), clockwise=clockwise)


def side(box: Box) -> str:
    """Where on the table a box lies: `SE`, `N`, … or `` for its middle."""
    width, height = opened(draw(full(4))).size
    x, y = (box[0] + box[2]) / 2 / width, (box[1] + box[3]) / 2 / height
    return ("N" if y < 0.3 else "S" if y > 0.75 else "") + ("W" if x < 0.3 else "E" if x > 0.7 else "")


@cache
def plates(picture: TablePicture) -> list[Box]:
    """Where each seat's name is written, in order of the seats."""
    found = []
    for number, each in enumerate(picture.seats):
        renamed = [*picture.seats]
        renamed[number] = replace(each, name="")
        found.append(changed(picture, replace(picture, seats=tuple(renamed))))
    return found


@pytest.mark.parametrize(
    ("seats", "clockwise", "sides"),
    [
        (4, False, ["S", "E", "N", "W"]),
        (4, True, ["S", "W", "N", "E"]),
        (3, False, ["S", "E", "W"]),
        (3, True, ["S", "W", "E"]),
        (2, False, ["S", "N"]),
        (2, True, ["S", "N"]),
    ],
)
def test_the_first_seat_is_at_the_bottom_and_play_goes_round(
    seats: int, clockwise: bool, sides: list[str]
) -> None:
    """Counterclockwise play goes on to the right (RULES 1, `direction`)."""
    assert [side(box) for box in plates(full(seats, clockwise=clockwise))] == sides


@pytest.mark.parametrize(
    ("seats", "clockwise", "sides"),
    [
        (4, False, ["SE", "NE", "NW", "SW"]),
        (4, True, ["SW", "NW", "NE", "SE"]),
        (3, False, ["SE", "N", "SW"]),
        (3, True, ["SW", "N", "SE"]),
        (2, False, ["SE", "NW"]),
        (2, True, ["SW", "NE"]),
    ],
)
def test_a_discard_lies_between_its_player_and_the_next(
    seats: int, clockwise: bool, sides: list[str]
) -> None:
    seen = {tile.face: side(tile.box) for tile in tiles_in(draw(full(seats, clockwise=clockwise)))}
    assert [seen[top] for top in TOPS[:seats]] == sides


def test_indicator_and_okey_lie_in_the_middle_side_by_side() -> None:
    seen = {tile.face: tile.box for tile in tiles_in(draw(full(4)))}
    assert (side(seen[INDICATOR]), side(seen[OKEY])) == ("", "")
    assert seen[INDICATOR][2] < seen[OKEY][0]


def test_a_seat_without_a_discard_shows_none() -> None:
    picture = table(seat(0, top=None), seat(1), seat(2), seat(3))
    assert {tile.face for tile in tiles_in(draw(picture))} == {INDICATOR, OKEY, *TOPS[1:]}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_whose_turn_it_is_shows_in_lightness_and_by_an_arrow(seats: int) -> None:
    """Their plate alone is light, dark letters on it: the turn does not depend on a hue."""
    picture = full(seats)
    for number in range(seats):
        turned = replace(picture, seats=tuple(seat(n, on_turn=n == number) for n in range(seats)))
        image = opened(draw(turned))
        lit = spots(image, theme.PLATE_LIGHT).getbbox()
        assert lit
        assert side(lit) == side(plates(picture)[number])
        light = image.convert("L")
        own, others = plates(picture)[number], plates(picture)[number - 1]
        assert _lightness(light.crop(own)) > _lightness(light.crop(others)) + 100
        arrow = image.copy()
        arrow.paste(theme.FELT, (lit[0] - 6, lit[1] - 6, lit[2] + 6, lit[3] + 6))
        assert amount(arrow, theme.SIGNAL) > 200, "an arrow beside the plate"


@pytest.mark.parametrize(("seats", "clockwise"), [(2, False), (3, False), (4, False), (4, True)])
def test_the_arrow_is_nearer_to_its_plate_than_to_anything_in_the_middle(seats: int, clockwise: bool) -> None:
    """Twice as near, however long and high the words of a language are."""
    picture = full(seats, clockwise=clockwise)
    told = replace(picture, title="Ğyg" * 99, captions=("Ğyg" * 9, "Ğyg" * 9, "Ğyg" * 9))
    things = [tile.box for tile in tiles_in(draw(told)) if tile.face in (INDICATOR, OKEY)]
    things.append(changed(told, replace(told, title="")))
    for number in range(3):
        captions = list(told.captions)
        captions[number] = ""
        things.append(changed(told, replace(told, captions=tuple(captions))))  # type: ignore[arg-type]
    for number in range(seats):
        turned = tuple(seat(n, on_turn=n == number) for n in range(seats))
        plate, arrow = turn_of(opened(draw(replace(told, seats=turned))))
        assert min(apart(arrow, thing) for thing in things) >= 2 * apart(arrow, plate)


def _lightness(image: Image.Image) -> int:
    """The commonest of 256 degrees of light."""
    histogram = image.histogram()
    return histogram.index(max(histogram))


@pytest.mark.parametrize("sign", ["computer", "shown"])
@pytest.mark.parametrize("number", range(4))
def test_a_sign_stands_on_the_plate_of_its_seat(sign: str, number: int) -> None:
    signed = [seat(n, **{sign: n == number}) for n in range(4)]
    assert side(changed(full(4), table(*signed))) == side(plates(full(4))[number])


def test_the_stock_is_counted_and_its_end_is_seen() -> None:
    seats = full(4).seats
    assert side(changed(full(4), table(*seats, stock_left=46))) == ""
    last, none = (opened(draw(table(*seats, stock_left=left))) for left in (1, 0))
    assert amount(last, theme.TILE_EDGE) > amount(none, theme.TILE_EDGE)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("number", range(4))
def test_no_name_leaves_its_plate(name: str, number: int) -> None:
    bare = table(*(seat(n, name="") for n in range(4)))
    named = table(*(seat(n, name=name if n == number else "") for n in range(4)))
    image, other = opened(draw(bare)), opened(draw(named))
    plate = _plate_around(image, plates(full(4))[number])
    box = ImageChops.difference(image, other).getbbox()
    if box:
        assert plate[0] <= box[0] < box[2] <= plate[2]
        assert plate[1] <= box[1] < box[3] <= plate[3]
    else:
        assert not name


def _plate_around(image: Image.Image, spot: Box) -> Box:
    """The box of the plate's colour round a spot on it."""
    x, y = (spot[0] + spot[2]) // 2, (spot[1] + spot[3]) // 2
    fill = spots(image, theme.SHELF)
    row = fill.crop((0, y, image.width, y + 1)).tobytes()
    column = fill.crop((spot[0], 0, spot[0] + 1, image.height)).tobytes()
    return _reach_down(row, x), _reach_down(column, y), _reach_up(row, x), _reach_up(column, y)


def _reach_down(line: bytes, start: int) -> int:
    while line[start]:
        start -= 1
    return start + 1


def _reach_up(line: bytes, start: int) -> int:
    while line[start]:
        start += 1
    return start


@pytest.mark.parametrize("text", ["x" * 500, *HOSTILE[1:-1]])
@pytest.mark.parametrize("part", ["title", "indicator", "okey", "stock"])
def test_no_words_leave_the_free_felt_in_the_middle(text: str, part: str) -> None:
    """Titles and captions come from translations, and a title may hold a name."""
    bare = replace(table(*(seat(n, name="") for n in range(4))), title="", captions=("", "", ""))
    captions = tuple(text if name == part else "" for name in ("indicator", "okey", "stock"))
    words = replace(bare, title=text if part == "title" else "", captions=captions)  # type: ignore[arg-type]
    before, after = opened(draw(bare)), opened(draw(words))
    inked = ImageChops.difference(before, after).convert("L").point(lambda value: 255 * (value > 0))
    left, _, right, _ = _plate_around(before, plates(full(4))[0])
    free = Image.new("L", before.size)
    free.paste(spots(before, theme.FELT).crop((left, 0, right, before.height)), (left, 0))
    assert inked.getbbox()
    assert ImageChops.subtract(inked, free).getbbox() is None


@pytest.mark.parametrize("number", range(4))
def test_a_long_name_stays_apart_from_the_tile_that_was_shown(number: int) -> None:
    def drawn(name: str, *, shown: bool = True) -> TablePicture:
        return table(
            *(seat(n, name=name if n == number else "", shown=shown and n == number) for n in range(4))
        )

    words = changed(drawn("Mehmet Öztürkoğlu-Yılmaz"), drawn(""))
    tile = changed(drawn(""), drawn("", shown=False))
    assert words[2] < tile[0] - 4


def test_long_figures_stay_apart_from_the_signs() -> None:
    """Scores of 101 reach four digits and a minus."""
    plain = [seat(n, computer=True, shown=True, score=0) for n in range(4)]
    big = [replace(each, score=-9999) for each in plain]
    difference = ImageChops.difference(opened(draw(table(*plain))), opened(draw(table(*big))))
    signs = ImageChops.difference(
        opened(draw(table(*plain))), opened(draw(table(*(seat(n, score=0) for n in range(4)))))
    )
    overlap = ImageChops.multiply(
        *(image.convert("L").point(lambda v: 255 * (v > 0)) for image in (difference, signs))
    )
    assert overlap.getbbox() is None


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_table_is_small_enough_to_send_at_every_turn(seats: int) -> None:
    busy = table(*(seat(n, name=f"{n}{'Öztürkoğlu' * 3}", computer=True, shown=True) for n in range(seats)))
    assert len(draw(busy)) <= 30_000
