"""Screens as the tests of Telegram show them: their buttons' words are their texts."""

from bot.markup import Button, PublicScreen, Row, SeatScreen, Text, TileMark
from tests.adapters.scripted import rack_picture, table_picture


def buttons(*presses: str) -> tuple[Row, ...]:
    """One row of buttons whose words are their texts."""
    return (tuple(Button((press,), press) for press in presses),) if presses else ()


def rack(
    version: int = 1,
    *,
    text: Text = ("Your rack",),
    tiles: tuple[str, ...] = ("R1", "B2"),
    rows: tuple[Row, ...] = (),
) -> SeatScreen:
    """A seat's screen; without tiles it has no picture."""
    return SeatScreen(
        table="t1",
        version=version,
        text=text,
        picture=rack_picture(*tiles) if tiles else None,
        buttons=rows or buttons("draw.t1.0"),
    )


def table(
    version: int = 1, *, text: Text = ("The table",), stock: int | None = 48, rows: tuple[Row, ...] = ()
) -> PublicScreen:
    """A place's screen; without a stock it has no picture."""
    return PublicScreen(
        table="t1",
        version=version,
        text=text,
        picture=None if stock is None else table_picture(stock),
        alt="",
        buttons=rows or buttons("rack.t1.0"),
    )


def tile_row(*codes: str) -> Row:
    """One button a tile."""
    return tuple(Button((TileMark(code),), f"discard.t1.0.{code}") for code in codes)
