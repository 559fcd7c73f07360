"""Draws the rooms of the program and their imports, from the imports themselves: `make pictures`.

Every room stands above those that it imports. An arc leads from a room to each room that it imports, unless
the way there also leads through another room: what follows from other arcs is left out.
"""

import ast
import tomllib
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PICTURE: Final = Path(__file__).with_suffix(".svg")

ROW: Final = 38
BOX: Final = (260, 160, 28)
"""Where boxes begin, how wide and how high they are."""
WIDTH: Final = 980
COLOURS: Final = {"adapters": "#7a4d9f", "bot": "#1f6f8b", "engine": "#2e7d4f"}


def rooms() -> list[str]:
    """Every room, from the top floor down: the chats, the floors of the application, the engine."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = told["tool"]["importlinter"]["contracts"]
    floors = next(each["layers"] for each in contracts if each.get("containers") == ["bot"])
    main, *inside = (f"bot.{room.strip()}" for floor in floors for room in floor.split("|"))
    return [main, "adapters", *inside, "engine"]


def purpose(room: str) -> str:
    """The first sentence of a room's docstring."""
    text = ast.get_docstring(ast.parse(_file(room).read_bytes())) or ""
    return " ".join(text.split("\n\n")[0].split()).partition(". ")[0].removesuffix(".")


def imports(known: list[str]) -> Mapping[str, set[str]]:
    """The rooms that each room imports."""
    return {room: {other for other in _imported(room, known) if other != room} for room in known}


def reduced(arrows: Mapping[str, set[str]]) -> Mapping[str, set[str]]:
    """The arrows that do not follow from others."""
    return {
        room: {to for to in straight if not any(to in _below(other, arrows) for other in straight - {to})}
        for room, straight in arrows.items()
    }


def picture(arrows: Mapping[str, set[str]]) -> str:
    """The picture as SVG, of what each room imports, from the top floor down."""
    known = list(arrows)
    lines = {room: 24 + number * ROW for number, room in enumerate(known)}
    drawn = [_arc(lines[room], lines[to]) for room, to in _pairs(reduced(arrows), known)]
    boxes = [_box(room, lines[room]) for room in known]
    height = 24 + len(known) * ROW
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="DejaVu Sans, Verdana, sans-serif">\n'
        "<title>The rooms of the program, each above those that it imports</title>\n"
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n'
        + "".join(drawn)
        + "".join(boxes)
        + "</svg>\n"
    )


def _file(room: str) -> Path:
    path = ROOT / room.replace(".", "/")
    module = path.with_suffix(".py")  # beside it, a checkout may keep the empty folder of a former package
    return module if module.exists() else path / "__init__.py"


def _files(room: str) -> Iterator[Path]:
    file = _file(room)
    yield from file.parent.rglob("*.py") if file.name == "__init__.py" else (file,)


def _imported(room: str, known: list[str]) -> Iterator[str]:
    for file in _files(room):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
                yield from (other for other in known for name in names if f"{name}.".startswith(f"{other}."))


def _below(room: str, arrows: Mapping[str, set[str]]) -> set[str]:
    return arrows[room].union(*(_below(other, arrows) for other in arrows[room]))


def _pairs(arrows: Mapping[str, set[str]], known: list[str]) -> Iterator[tuple[str, str]]:
    yield from ((room, to) for room in known for to in sorted(arrows[room], key=known.index))


def _arc(top: int, bottom: int) -> str:
    left, _, high = BOX
    start, end, out = top + high // 2, bottom + high // 2, left - 12 - (bottom - top) * 0.33
    return (
        f'<path d="M{left} {start + 4} C{out:.0f} {start + 4} {out:.0f} {end - 4} {left - 6} {end - 4}" '
        'fill="none" stroke="#6b7280" stroke-width="1.3"/>\n'
        f'<path d="M{left} {end - 4} l-8 -4 v8 z" fill="#6b7280"/>\n'
    )


def _box(room: str, top: int) -> str:
    left, wide, high = BOX
    name = room.removeprefix("bot.")
    return (
        f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" rx="6" '
        f'fill="{COLOURS[room.partition(".")[0]]}"/>\n'
        f'<text x="{left + wide // 2}" y="{top + 19}" text-anchor="middle" font-size="14" font-weight="bold" '
        f'fill="#fff">{escape(name)}</text>\n'
        f'<text x="{left + wide + 14}" y="{top + 19}" font-size="13" fill="#1f2937">'
        f"{escape(_without_name(purpose(room)))}</text>\n"
    )


def _without_name(sentence: str) -> str:
    """A purpose reads `Store: what outlives the process`; beside the box its name stands already."""
    _, colon, rest = sentence.partition(": ")
    return rest if colon else sentence


if __name__ == "__main__":
    PICTURE.write_text(picture(imports(rooms())), encoding="utf-8")
