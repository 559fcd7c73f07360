"""Computer players that have seats of their own: their names, their faces and how they look when they win."""

from dataclasses import dataclass
from typing import Final

from bot.tables.table import ComputerLevel, Seat, Table


@dataclass(frozen=True, slots=True)
class Figure:
    """A character of Turkish folklore that everybody in Turkey knows."""

    face: str
    name: str
    korean: str

    def called(self, language: str) -> str:
        """The name as a language writes it."""
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
    """A name for a computer player that no seat here has yet. The name of `gone`, whose seat it takes, is
    used only when the others have all the rest: a person may be called like a figure, too."""
    taken = {seat.name for seat in seats if seat is not gone}
    free = [name for figure in FIGURES if (name := figure.called(language)) not in taken]
    return next((name for name in free if gone is None or name != gone.name), free[0])


def computer_seat(
    seats: tuple[Seat, ...], level: ComputerLevel, language: str, gone: Seat | None = None
) -> Seat:
    """A computer player's own seat, with a name as `computer_name` chooses it."""
    return Seat(person=None, name=computer_name(seats, language, gone), computer=level)


def face_of(seat: Seat) -> str:
    """A computer player's face; empty for a person, and when it keeps a person's or member's seat."""
    return "" if seat.person or seat.member or seat.computer is None else _FACES.get(seat.name, "")


def emote_at(table: Table, number: int) -> str:
    """The emote of a computer player that wins this round; empty in leagues, and where it is off."""
    if not table.emotes or table.night is not None or not face_of(table.seats[number]):
        return ""
    return EMOTES[(table.match.round_number + number) % len(EMOTES)]
