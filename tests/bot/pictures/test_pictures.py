"""What holds for every picture: the same bytes for the same picture, a palette, a phone's size."""

import subprocess
import sys
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from bot.markup import DrawnSeat, RackPicture, ResultPicture, ResultRow, TablePicture, TileFace
from bot.pictures import draw, once, theme

FONTS = Path(theme.__file__).parent / "fonts"
INDICATOR, OKEY = TileFace("R4"), TileFace("R5", wild=True)


def rack(first: str = "B1") -> RackPicture:
    return RackPicture(
        shelves=((TileFace(first), None, TileFace("F"), OKEY), (TileFace("K13", marked=True),)),
        indicator=INDICATOR,
        okey=OKEY,
        captions=("Gösterge", "Okey"),
    )


def table(name: str = "Ayşe") -> TablePicture:
    def seat(name: str, *, on_turn: bool) -> DrawnSeat:
        return DrawnSeat(name=name, score=20, on_turn=on_turn, computer=on_turn, top=INDICATOR, shown=on_turn)

    return TablePicture(
        seats=(seat(name, on_turn=False), seat("김철수", on_turn=True), seat("علي", on_turn=False)),
        clockwise=True,
        indicator=INDICATOR,
        okey=OKEY,
        stock_left=3,
        title="1. el",
        captions=("Gösterge", "Okey", "Orta"),
    )


def result(change: int = -2) -> ResultPicture:
    return ResultPicture(
        title="Bitti",
        melds=((INDICATOR, OKEY, TileFace("R6")),),
        finishing=TileFace("Y1"),
        rows=(ResultRow(name="Ece 🎉", change=change, score=18, winner=True),),
    )


Picture = RackPicture | TablePicture | ResultPicture
PICTURES: tuple[Picture, ...] = (rack(), table(), result())


@pytest.mark.parametrize("picture", PICTURES, ids=["rack", "table", "result"])
def test_a_picture_is_a_palette_png_of_a_phones_width(picture: Picture) -> None:
    image = Image.open(BytesIO(draw(picture)))
    assert (image.format, image.mode, image.width) == ("PNG", "P", 900)


@pytest.mark.parametrize("picture", PICTURES, ids=["rack", "table", "result"])
def test_the_lines_are_whole_and_agree_with_their_checksum(picture: Picture) -> None:
    """Viewers differ in what they check: Python's zlib refuses data that does not."""
    png = draw(picture)
    lines = zlib.decompress(b"".join(data for kind, data in chunks(png) if kind == b"IDAT"))
    image = Image.open(BytesIO(png))
    assert len(lines) == (image.width + 1) * image.height


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG, whose own checksums are true too."""
    at = 8
    while at < len(png):
        size = int.from_bytes(png[at : at + 4])
        kind, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        assert zlib.crc32(kind + data).to_bytes(4) == png[at + 8 + size : at + 12 + size]
        yield kind, data
        at += size + 12


def test_equal_pictures_give_equal_bytes_and_others_give_others() -> None:
    assert (draw(rack()), draw(table()), draw(result())) == tuple(map(draw, PICTURES))
    others: tuple[Picture, ...] = (rack("B2"), table("Ayse"), result(-3))
    assert len({*map(draw, PICTURES), *map(draw, others)}) == 6


def test_another_process_draws_the_same_bytes() -> None:
    """Nothing hangs on the order of a set, of calls, or of what was drawn before."""
    script = (
        "import sys; sys.path[:0] = [sys.argv[1], sys.argv[2]]\n"
        "import hashlib, test_pictures as t\n"
        "from bot.pictures import draw\n"
        "print(*(hashlib.sha256(draw(p)).hexdigest() for p in reversed(t.PICTURES)))"
    )
    here = Path(__file__).parent
    printed = {
        subprocess.run(
            [sys.executable, "-c", script, str(here), str(here.parents[2])],
            env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(printed) == 1


def test_many_threads_draw_what_one_draws() -> None:
    alone = [draw(picture) for picture in PICTURES]
    once._keep.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(draw, PICTURES * 16)) == alone * 16


def test_a_picture_that_was_handed_out_is_not_drawn_over() -> None:
    """Grounds and sprites are kept: drawing must leave them as they are."""
    first = draw(rack())
    draw(rack("K7"))
    assert draw(rack()) == first


def test_the_fonts_are_free_and_small() -> None:
    fonts = sorted(FONTS.glob("*.ttf"))
    licence = (FONTS / "LICENSE.txt").read_text()
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert [font.stem for font in fonts if font.stem not in licence] == []
    assert sum(font.stat().st_size for font in fonts) < 3_000_000
