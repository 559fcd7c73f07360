"""Draws the pictures of the README with the program's own hand: `make pictures`."""

from pathlib import Path

from bot.markup import DrawnSeat, RackPicture, TablePicture, TileFace
from bot.pictures import draw

FOLDER = Path(__file__).parent
OKEY = "R5"


def face(code: str, *, marked: bool = False) -> TileFace:
    return TileFace(code, wild=code == OKEY, marked=marked)


def shelf(tiles: str, *, marked: str = "") -> tuple[TileFace | None, ...]:
    """Tiles as text, `-` for a gap."""
    return tuple(None if code == "-" else face(code, marked=code == marked) for code in tiles.split())


def rack() -> RackPicture:
    return RackPicture(
        shelves=(
            shelf("R9 R10 R11 R12 - Y7 B7 K7 - -"),
            shelf("B2 B3 R5 B5 - K12 K13 K1 - Y11", marked="Y11"),
        ),
        indicator=face("R4"),
        okey=face(OKEY),
        captions=("Indicator", "Okey"),
    )


def seat(name: str, score: int, top: str, *, on_turn: bool = False, computer: bool = False) -> DrawnSeat:
    return DrawnSeat(
        name=name, score=score, on_turn=on_turn, computer=computer, top=face(top), shown=name == "Ece"
    )


def table() -> TablePicture:
    return TablePicture(
        seats=(
            seat("Ada", 16, "K2", on_turn=True),
            seat("Can", 20, "Y13"),
            seat("Ece", 18, "B8"),
            seat("Robot Ali", 14, "R1", computer=True),
        ),
        clockwise=False,
        indicator=face("R4"),
        okey=face(OKEY),
        stock_left=31,
        title="Round 3",
        captions=("Indicator", "Okey", "Stock"),
    )


def table_101() -> TablePicture:
    ada = ("R10 R11 R12 R13", "K9 R9 Y9 B9", "B11 B12 B13")
    ece = ("B10 Y10 K10", "Y11 Y12 Y13", "Y5 B5 K5", "B2 B3 B4 B5 B6")
    tops = ("K2", "Y13", "B8", "R1")
    notes = ("118", "", "101", "")
    names = ("Ada", "Can", "Ece", "Robot Ali")
    return TablePicture(
        seats=tuple(
            DrawnSeat(
                name=name,
                score=score,
                on_turn=name == "Can",
                computer=name == "Robot Ali",
                top=face(top),
                shown=False,
                note=f"opened: {note}" if note else "",
            )
            for name, score, top, note in zip(names, (84, 202, 0, 131), tops, notes, strict=True)
        ),
        clockwise=False,
        indicator=face("R4"),
        okey=face(OKEY),
        stock_left=22,
        title="Round 2",
        captions=("Indicator", "Okey", "Stock"),
        melds=tuple(tuple(face(code) for code in meld.split()) for meld in (*ada, *ece)),
        level="To open: 101 points or 5 pairs",
    )


if __name__ == "__main__":
    (FOLDER / "table-101.png").write_bytes(draw(table_101()))
    (FOLDER / "rack.png").write_bytes(draw(rack()))
    (FOLDER / "table.png").write_bytes(draw(table()))
