"""Callback data: the text behind a button, at most 64 bytes with its whole meaning.

`verb.target[.moment[.argument…]]`. `moment` is the game's round, turn and phase when the button was made, in
base 36 (`Table.moment`; for numbered buttons the turn alone): a button that acts on the game is outdated once
the game has moved on."""

from dataclasses import dataclass
from typing import Final

LONGEST: Final = 64
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class CallbackData:
    """The action of a button, its target, and the moment for which it was made."""

    verb: str
    target: str
    """The name of a table, a place, a league, a night, or of nothing (`me`), depending on the verb."""
    moment: int
    arguments: tuple[str, ...] = ()


def callback_text(verb: str, target: str, moment: int = 0, *arguments: str | int) -> str:
    """Return the text for a button. Raises ValueError when it would be longer than 64 bytes."""
    text = f"{verb}.{target}.{_base36(moment)}"
    for argument in arguments:
        text += f".{argument}"
    if len(text.encode()) > LONGEST:
        raise ValueError(f"a button of {len(text)} bytes: {verb}")
    return text


def read_callback(text: str) -> CallbackData | None:
    """Read a button's text; None when it is not in our format."""
    verb, *rest = text.split(".")
    if len(text) > LONGEST or not text.isascii() or len(rest) < 2:
        return None
    target, moment, *arguments = rest
    try:
        return CallbackData(verb, target, int(moment, 36), tuple(arguments))
    except ValueError:
        return None


def _base36(number: int) -> str:
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
        if not number:
            return digits
