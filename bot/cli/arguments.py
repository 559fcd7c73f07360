"""Arguments of each command: how they are declared and read, and the function that carries it out.

A help text must appear at once, so nothing is imported here except the names of choices.
"""

import re
import sys
from argparse import Action, ArgumentError, ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, get_args

from bot.errors import nearest_first


class WrongUsage(Exception):
    """Raised for words that can't be carried out. Its text is a sentence for the person who typed them."""


class Parser(ArgumentParser):
    """An argument parser whose help ends with examples. It refuses an unknown choice with all known ones, the
    nearest first. So do those of its subcommands."""

    def __init__(self, *, examples: Sequence[str] = (), **options: Any) -> None:
        shown = "\n  ".join(("examples:", *examples)) if examples else None
        super().__init__(epilog=shown, formatter_class=RawDescriptionHelpFormatter, **options)

    def _check_value(self, action: Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = nearest_first(str(value), map(str, action.choices))
            raise ArgumentError(action, f"there is no {value!r}. Choose one of these: {known}")


def content_of(file: str) -> bytes:
    """Return the content of a file, or of standard input for `-`. Raises WrongUsage."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise WrongUsage(f"{file} can't be read: {error.strerror}.") from None


def record_arguments(parser: Parser) -> None:
    """`FILE [--json]`."""
    parser.add_argument(
        "file", metavar="FILE", help="a record, as `/okey record` gives it; - for standard input"
    )
    parser.add_argument("--json", action="store_true", help="print the JSON on one line")


def repair_arguments(parser: Parser) -> None:
    """`[FOLDER]`."""
    parser.add_argument(
        "folder",
        type=Path,
        nargs="?",
        metavar="FOLDER",
        help="the store's folder, with appendonlydir in it (default: that of DATA_DIR)",
    )


def simulate_arguments(parser: Parser) -> None:
    """Rules, players, rounds and seed of a simulation, or the levels and deals of a duel."""
    from engine.players import LEVELS
    from engine.rules import PRESETS

    known = ", ".join(PRESETS)
    parser.add_argument(
        "--preset",
        choices=PRESETS,
        default="okey",
        metavar="PRESET",
        help=f"the rules (default: okey): {known}",
    )
    parser.add_argument("--rounds", type=_at_least_1, default=1000, help="how many rounds (default: 1000)")
    parser.add_argument(
        "--players", default="greedy", help=f"one level, or one a seat, with commas: {', '.join(LEVELS)}"
    )
    parser.add_argument(
        "--duel",
        nargs=2,
        choices=LEVELS,
        metavar=("HERO", "OTHERS"),
        help="instead: one level against another on the same deals, with the hero in every seat",
    )
    parser.add_argument("--deals", type=_at_least_1, default=1000, help="deals of a duel (default: 1000)")
    parser.add_argument("--racks", type=_at_least_1, help="instead: the distances of so many random racks")
    parser.add_argument("--seed", default="okey", help="any text: the same one gives the same figures")


def daily_arguments(parser: Parser) -> None:
    """`[DATE] [--days N] [--check]`."""
    today = datetime.now(UTC).date()
    parser.add_argument(
        "date",
        type=_date,
        nargs="?",
        default=today,
        metavar="DATE",
        help="the first, such as 2026-11-22 (default: today)",
    )
    parser.add_argument("--days", type=_at_least_1, default=1, help="how many (default: 1)")
    parser.add_argument("--check", action="store_true", help="print what they come to instead of each")


def league_arguments(parser: Parser) -> None:
    """Declare the words after `okey league`."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    seating = commands.add_parser(
        "seating",
        help="seat nights of many sizes and measure how good that is",
        examples=("okey league seating --people 12-20 --rounds 4",),
    )
    export = commands.add_parser(
        "export",
        help="write a league into a file: JSON, CSV or a calendar",
        examples=(
            "okey league export 99j9x --output league.json",
            "okey league export 99j9x --format csv --what results --season 2",
        ),
    )
    members = commands.add_parser(
        "members",
        help="put the people of a file on a league's list of members",
        examples=("okey league members 99j9x members.csv",),
    )
    take_over = commands.add_parser(
        "import",
        help="take over a league from the file that another host exported",
        examples=("okey league import league.json",),
    )
    codes = commands.add_parser(
        "codes",
        help="make codes for a league's places, and for members known by their names alone",
        examples=("okey league codes 99j9x > codes.csv",),
    )
    take_over.add_argument(
        "file", metavar="FILE", help="as `okey league export` wrote it; - for standard input"
    )
    take_over.set_defaults(run="bot.cli.league:run_import")
    _league_argument(codes)
    codes.set_defaults(run="bot.cli.league:run_codes")
    _seating_arguments(seating)
    _export_arguments(export)
    _league_argument(members)
    members.add_argument("file", metavar="FILE", help="a name a line, or CSV; - for standard input")
    members.set_defaults(run="bot.cli.league:run_members")


def person_argument(parser: Parser) -> None:
    """`KEY`."""
    parser.add_argument(
        "person",
        type=_person,
        metavar="KEY",
        help="the platform and the person's number there, such as tg:4711 or dc:123456",
    )


def my_data_arguments(parser: Parser) -> None:
    """`KEY [--output FILE]`."""
    person_argument(parser)
    parser.add_argument("--output", type=Path, metavar="FILE", help="default: standard output")


def _person(text: str) -> str:
    if not re.fullmatch(r"(tg|dc|web):[A-Za-z0-9_-]{1,64}", text):
        raise ArgumentTypeError(f"{text!r} is no person's key: it looks like tg:4711 or dc:123456")
    return text


def bench_arguments(parser: Parser) -> None:
    """Declare the length of the measurement."""
    parser.add_argument(
        "--seconds",
        type=_seconds,
        default=5.0,
        help="how long to play at each number of tables (default: 5)",
    )


def _seating_arguments(parser: Parser) -> None:
    from bot.league.model import Fill, Seating

    parser.add_argument("--people", type=_range(4, 300), default=range(4, 301), help="one number, or 4-300")
    parser.add_argument(
        "--rounds", type=_range(1, 12), default=range(1, 9), help="one number, or up to 1-12; default: 1-8"
    )
    parser.add_argument("--mode", choices=get_args(Seating), default="rotation", help="default: rotation")
    parser.add_argument("--fill", choices=get_args(Fill), default="three", help="default: three")
    parser.set_defaults(run="bot.cli.seating:run_seating")


def _export_arguments(parser: Parser) -> None:
    _league_argument(parser)
    parser.add_argument("--format", choices=("json", "csv", "ics"), default="json", help="default: json")
    parser.add_argument(
        "--what",
        choices=("standings", "results", "nights"),
        default="standings",
        help="of CSV (default: standings)",
    )
    parser.add_argument("--season", type=_at_least_1, help="of CSV (default: the one that runs)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="default: standard output")
    parser.set_defaults(run="bot.cli.league:run_export")


def _league_argument(parser: Parser) -> None:
    parser.add_argument("league", metavar="LEAGUE", help="its eight characters, as in its page's address")


def _at_least_1(text: str) -> int:
    """Read a whole number, 1 or more."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text} is not a whole number from 1 up")
    return int(text)


def _seconds(text: str) -> float:
    """Read a positive time of at most an hour."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 3600:
        raise ArgumentTypeError(f"{text} is not a number of seconds up to 3600")
    return seconds


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is not a date such as 2026-11-22") from None


def _range(least: int, most: int) -> Callable[[str], range]:
    """Return a reader of `7` or `4-300` within these bounds."""

    def read(text: str) -> range:
        first, _, last = text.partition("-")
        try:
            numbers = range(int(first), int(last or first) + 1)
        except ValueError:
            numbers = range(0)
        if not numbers or numbers[0] < least or numbers[-1] > most:
            raise ArgumentTypeError(f"{text} is neither a number nor a range within {least}-{most}")
        return numbers

    return read
