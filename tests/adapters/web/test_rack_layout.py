"""Tiles that are buttons: which press lies on which tile."""

from dataclasses import replace

from adapters.web.markup import renderer_for
from adapters.web.rack_layout import RackLayout, lay_out
from bot.markup import Button, RackPicture, Row, SeatScreen, TileFace, TileMark


def screen_of(*shelves: str, buttons: tuple[Row, ...] = ()) -> SeatScreen:
    """A screen whose shelves are written as `R1 -- R2`: tiles and gaps."""
    picture = RackPicture(
        shelves=tuple(
            tuple(None if code == "--" else TileFace(code) for code in shelf.split()) for shelf in shelves
        ),
        indicator=TileFace("R4"),
        okey=TileFace("R5", wild=True),
        captions=("Indicator", "Okey"),
    )
    return SeatScreen(
        table="t", revision=1, text=("Your turn",), picture=picture, alt="all", brief="", buttons=buttons
    )


def tile(code: str, press: str) -> Button:
    return Button((TileMark(code),), press)


def presses(rack: RackLayout) -> list[str]:
    """Each shelf's presses: `--` for a gap, `.` for a tile that can't be pressed, no gaps at the end."""
    return [
        " ".join(
            place.button.press if place.button else "." if place.tile else "--" for place in shelf
        ).rstrip(" -")
        for shelf in rack.shelves
    ]


def test_a_face_with_one_button_can_be_pressed_on_both_tiles() -> None:
    rack = lay_out(screen_of("R1 K9 R1", "F", buttons=((tile("R1", "a"), tile("K9", "b"), tile("F", "c")),)))
    assert presses(rack) == ["a b a", "c"]
    assert rack.rows == ()


def test_when_every_place_has_its_own_button_each_tile_gets_its_own() -> None:
    row = (tile("R1", "p0"), tile("K9", "p2"), tile("R1", "p3"))
    assert presses(lay_out(screen_of("R1 -- K9", "R1", buttons=(row,)))) == ["p0 -- p2", "p3"]


def test_a_tile_without_a_button_lies_still() -> None:
    assert presses(lay_out(screen_of("R1 R2", buttons=((tile("R2", "a"),),)))) == [". a"]


def test_buttons_with_words_stay_buttons() -> None:
    take = Button(("Take ", TileMark("R1")), "take")
    rack = lay_out(screen_of("R1 R2", buttons=((take, tile("R1", "a")), (Button(("Draw",), "draw"),))))
    assert rack.rows == ((take,), (Button(("Draw",), "draw"),))


def test_a_tile_that_is_not_on_the_rack_stays_a_button() -> None:
    other = tile("B7", "x")
    assert lay_out(screen_of("R1", buttons=((other,),))).rows == ((other,),)


def test_without_a_picture_every_button_stays() -> None:
    screen = replace(screen_of("R1", buttons=((tile("R1", "a"),),)), picture=None)
    assert lay_out(screen) == RackLayout((), ((tile("R1", "a"),),))


def test_an_empty_rack_is_no_trouble() -> None:
    assert presses(lay_out(screen_of("", ""))) == ["", ""]


def test_the_shelves_are_equally_long_whatever_lies_on_them() -> None:
    """14 and 15 tiles look alike, so that nothing jumps when one is drawn; 16 places are needed for 101."""
    eleven, sixteen = " ".join(["R1"] * 11), " ".join(["R1"] * 16)
    assert [len(shelf) for shelf in lay_out(screen_of(eleven, "R2")).shelves] == [12, 12]
    assert [len(shelf) for shelf in lay_out(screen_of("", sixteen)).shelves] == [16, 16]


def test_tiles_to_press_are_labelled_buttons_and_the_others_labelled_pictures() -> None:
    html = renderer_for("en").rack(screen_of("R1 R5", buttons=((tile("R1", "a"),),)))
    before, after = html.split('aria-label="red 1"')
    assert before.rstrip().endswith('data-key="tile R1"')
    assert '<span class="tile" role="img" aria-label="red 5">' in after
    assert 'aria-label="all"' in html
