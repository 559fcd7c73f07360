"""Names at a table: people's, made safe to show, and those of computer players with seats of their own."""

import unicodedata
from dataclasses import dataclass
from typing import Final

from bot.tables.table import ComputerLevel, Seat, Table

LONGEST: Final = 32
NOBODY: Final = "?"
"""Shown for a person without a visible name, and for one who wanted to be forgotten."""

_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and signs, by their categories, that are drawn as nothing."""
_JOINER: Final = "\u200d"
_MOST_MARKS: Final = 2


def clean_name(name: str) -> str:
    """Return a name without control, direction and stacked combining characters, cut to 32 characters.

    A joiner between two visible characters stays, since emoji are built with it. A name without any visible
    character becomes `NOBODY`.
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", name[: LONGEST * 8]):
        if unicodedata.combining(character):
            marks += 1
            if not kept or marks > _MOST_MARKS:
                continue
        elif character == _JOINER and kept and kept[-1] != " ":
            pass
        elif character in _BLANK or unicodedata.category(character) in _INVISIBLE:
            character = " "
        else:
            marks = 0
        kept.append(character)
    one_line = " ".join("".join(kept).split()).strip(_JOINER)
    is_seen = any(unicodedata.category(each) not in ("Mn", "Zs") for each in one_line)
    return _cut(one_line) if is_seen else NOBODY


def _cut(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1].rstrip() + "…"


@dataclass(frozen=True, slots=True)
class Figure:
    """A character of Turkish folklore that everybody in Turkey knows."""

    face: str
    name: str
    korean: str

    def write_name(self, language: str) -> str:
        """Return the name as a language writes it."""
        return self.korean if language.startswith("ko") else self.name


FIGURES: Final = (
    Figure("👳", "Nasreddin", "나스레딘"),
    Figure("👦", "Keloğlan", "켈올란"),
    Figure("🎭", "Karagöz", "카라괴즈"),
    Figure("🧔", "Hacivat", "하지와트"),
)
EMOTES: Final = ("😄", "😎", "🥳", "💪", "🍀", "🤗")
_FACES: Final = {name: figure.face for figure in FIGURES for name in (figure.name, figure.korean)}


def computer_name(seats: tuple[Seat, ...], language: str, gone: Seat | None = None) -> str:
    """Return a name for a computer player that no seat here has yet. The name of `gone`, whose seat it takes,
    is used only when the others have all the rest: a person may be called like a figure, too."""
    taken = {seat.name for seat in seats if seat is not gone}
    free = [name for figure in FIGURES if (name := figure.write_name(language)) not in taken]
    return next((name for name in free if gone is None or name != gone.name), free[0])


def computer_seat(
    seats: tuple[Seat, ...], level: ComputerLevel, language: str, gone: Seat | None = None
) -> Seat:
    """Return a computer player's own seat, with a name as `computer_name` chooses it."""
    return Seat(person=None, name=computer_name(seats, language, gone), computer=level)


def face_of(seat: Seat) -> str:
    """Return a computer player's face; empty for a person, and when it keeps a person's or member's seat."""
    return "" if seat.person or seat.member or seat.computer is None else _FACES.get(seat.name, "")


def emote_at(table: Table, number: int) -> str:
    """Return the emote of a computer player that wins this round; empty in leagues, and where it is off."""
    if not table.choices.emotes or table.night is not None or not face_of(table.seats[number]):
        return ""
    return EMOTES[(table.match.round_number + number) % len(EMOTES)]
