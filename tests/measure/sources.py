"""Sources: figures taken from the files, without running anything."""

import ast
import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PRODUCT: Final = ("engine", "bot", "adapters")
SMALL_LINES: Final = 60

FLOORS: Final[Sequence[frozenset[str]]] = tuple(
    frozenset(floor.split())
    for floor in (
        "markup logs",
        "ports chats i18n words",
        "store",
        "repository keeper",
        "tables league",
        "people history accounts communities archive books",
        "screens pictures",
        "delivery post needs wanting lines errands calls replies rooms notifying",
        "handlers desk",
        "worker app settings running main doctor bench offline",
    )
)
"""The rooms of `bot` from the lowest floor up, for a checkout without a contract that names them, and the
rooms that they had before. A room that is not named has no floor."""

FIELDS_MOST: Final = 20

_CACHE: Final = re.compile(r"^(L[RF]U|TTL|TLRU)Cache\b|^Weak(Value|Key)Dictionary\b|^WeakSet\b")
_KEPT: Final = re.compile(r"(functools\.)?lru_cache\b(?!\((maxsize=)?None\))")
_ALIAS: Final = re.compile(r"[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*")
_OPENS_WITH: Final = re.compile(r"(What|Who|How|When)\b")


@dataclass(frozen=True)
class Module:
    """A file of the program that was read."""

    name: str
    """`bot.tables.model`; for a package its own name."""
    path: Path
    lines: int
    tree: ast.Module

    @property
    def room(self) -> str:
        """The folder or loose module of a top-level package to which it belongs: `bot.tables`."""
        return ".".join(self.name.split(".")[:2])


def read_modules(root: Path) -> list[Module]:
    """The program's files below a checkout."""
    return [
        Module(_name_of(path.relative_to(root)), path, text.count("\n"), ast.parse(text))
        for folder in PRODUCT
        for path in sorted((root / folder).rglob("*.py"))
        for text in [path.read_text("utf-8")]
    ]


def _name_of(path: Path) -> str:
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def imports_of(module: Module, known: frozenset[str]) -> Iterator[str]:
    """The program's modules that a module imports, anywhere in the file."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                named = f"{node.module}.{alias.name}"
                if named in known or node.module in known:
                    yield named if named in known else node.module


def floors_of(root: Path) -> Mapping[str, int]:
    """The floor of every room that has one, from 0 on the ground: `bot.tables` and so on.

    From the `layers` contract of pyproject.toml that names rooms of `bot`, else from `FLOORS`.
    """
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    contracts = settings.get("tool", {}).get("importlinter", {}).get("contracts", [])
    for contract in contracts:
        inside = "bot" in contract.get("containers", ())
        layers = [re.split(r"\s*[|:]\s*", layer) for layer in contract.get("layers", ())]
        named = [
            [f"bot.{room.strip('() ')}" if inside else room.strip("() ") for room in each] for each in layers
        ]
        if contract.get("type") == "layers" and any(
            room.startswith("bot.") for each in named for room in each
        ):
            return {room: floor for floor, each in enumerate(reversed(named)) for room in each}
    return {f"bot.{room}": floor for floor, rooms in enumerate(FLOORS) for room in rooms}


def arrows(modules: Sequence[Module]) -> Counter[tuple[str, str]]:
    """The number of imports from each room to each other room."""
    known = frozenset(module.name for module in modules)
    rooms = {module.name: module.room for module in modules}
    return Counter(
        (module.room, rooms[imported])
        for module in modules
        for imported in imports_of(module, known)
        if rooms[imported] != module.room and "." in rooms[imported]
    )


def doubled_types(modules: Sequence[Module]) -> Mapping[str, list[str]]:
    """Public classes and type aliases of the same name, by the modules that define them."""
    homes: dict[str, list[str]] = defaultdict(list)
    for module in modules:
        for name in {name for node in module.tree.body for name in _types_in(node)}:
            homes[name].append(module.name)
    return {name: sorted(found) for name, found in sorted(homes.items()) if len(found) > 1}


def _types_in(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.ClassDef(name=name) if not name.startswith("_"):
            yield name
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _ALIAS.fullmatch(name):
            if _is_type(value):
                yield name
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if "TypeAlias" in ast.dump(
            annotation
        ):
            yield name
        case _ if type(node).__name__ == "TypeAlias":
            yield node.name.id  # type: ignore[attr-defined]


def _is_type(value: ast.expr) -> bool:
    match value:
        case ast.Subscript() | ast.Name() | ast.Attribute():
            return True
        case ast.BinOp(op=ast.BitOr()):
            return True
        case ast.Call(func=ast.Name(id=called)):
            return called == "NewType"
    return False


def game_tests(modules: Sequence[Module]) -> Counter[str]:
    """The number of comparisons and matches on the game being played, outside of the games, by module."""
    found: Counter[str] = Counter()
    for module in modules:
        if not module.name.startswith("engine.games"):
            found[module.name] += sum(map(_asks_for_game, ast.walk(module.tree)))
    return +found


def game_reads(modules: Sequence[Module]) -> Counter[str]:
    """The number of reads of some rules' game, outside of the games, with arguments, by module."""
    found: Counter[str] = Counter()
    for module in modules:
        if not module.name.startswith("engine.games"):
            found[module.name] += sum(_reads_game(node) for node in ast.walk(module.tree))
    return +found


def _reads_game(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr="game", value=ast.Name(id="rules") | ast.Attribute(attr="rules")):
            return True
    return False


def _asks_for_game(node: ast.AST) -> bool:
    match node:
        case ast.Compare(left=left, comparators=others):
            return any(_is_game(each) for each in (left, *others))
        case ast.Match(subject=subject):
            return _is_game(subject)
    return False


def _is_game(value: ast.expr) -> bool:
    return isinstance(value, ast.Attribute) and value.attr == "game"


MEMORIES: Final[Mapping[str, str]] = {
    # Limits: emptied, they let through what they are there to hold back.
    "bot.handlers.fair_share._left": "each person's share of requests",
    "adapters.telegram_chat.calls._silent": "the chats that asked the bot to wait",
    # Turns: emptied, two would go at once.
    "bot.delivery.queue._scopes": "the queue of each limit, while calls wait in it",
    "adapters.telegram_chat.uploads._turns": "the lock of each picture, while it is sent",
    "adapters.telegram_chat.messages._chats": "the lock of each chat, and the messages seen below a table",
    "adapters.discord_chat.sending._messages": "the lock of each message, and the version that it shows",
    # Own acts and reports that come once: nobody could be asked for them again.
    "bot.repository.versioned._committed": "the own commits, by which a store's loss is noticed",
    "bot.delivery.asleep._reopened": "the channels that a platform reported as open again",
    "adapters.telegram_chat.messages._shown": "the version of each message, which no older one may follow",
    "adapters.telegram_chat.ephemeral._newest": "the racks in groups, which are deleted for newer ones",
    "adapters.discord_chat.private_messages._known": "the racks in channels, by tokens that come once",
    "adapters.discord_chat.sending._sent": "the names of messages that were sent or tried",
    "adapters.discord_chat.sending._newest": "the messages that were reported below a table",
}
"""Bounded or weak mappings that are no caches, and what they hold.

A cache may be emptied at any moment, and only time is lost. These may not: after that the program would do
something else. Their bound is one of memory, chosen so high that what is dropped matters no more."""


def count_caches(modules: Sequence[Module]) -> tuple[Counter[str], Counter[str]]:
    """The number of caches that drop what they hold, by module, and that of `MEMORIES`."""
    caches: Counter[str] = Counter()
    memories: Counter[str] = Counter()
    for module in modules:
        for name in _bounded_names(module):
            (memories if f"{module.name}.{name}" in MEMORIES else caches)[module.name] += 1
    return caches, memories


def _bounded_names(module: Module) -> Iterator[str]:
    """The names to which a module assigns bounded or weak mappings, and its functions whose results are kept
    in a bounded number."""
    for node in ast.walk(module.tree):
        match node:
            case ast.FunctionDef(name=name, decorator_list=decorators):
                if any(_KEPT.match(ast.unparse(each)) for each in decorators):
                    yield name
                continue
            case ast.Assign(targets=[target], value=ast.Call(func=called)):
                pass
            case ast.AnnAssign(target=target, value=ast.Call(func=called)):
                pass
            case _:
                continue
        if _CACHE.search(ast.unparse(called)):
            yield ast.unparse(target).rpartition(".")[2]


def wide_types(modules: Sequence[Module]) -> Mapping[str, int]:
    """The numbers of fields of types that have more than `FIELDS_MOST`, by name."""
    types = (node for module in modules for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef))
    fields = {each.name: sum(isinstance(line, ast.AnnAssign) for line in each.body) for each in types}
    return {name: n for name, n in sorted(fields.items()) if n > FIELDS_MOST}


@dataclass(frozen=True)
class Figures:
    """The figures of a checkout's files."""

    files: int
    lines: int
    small: int
    loose: int
    """The loose modules in `bot`."""
    rooms: int
    upwards: Mapping[str, int]
    """Imports that lead to a higher floor, and their numbers."""
    floorless: int
    """The number of rooms without a floor."""
    mutual: list[str]
    """Pairs of folders that import each other."""
    mutual_loose: list[str]
    """Folders of `bot` that import loose modules and are imported by some."""
    games: Counter[str]
    game_reads: Counter[str]
    doubled: Mapping[str, list[str]]
    caches: Counter[str]
    memories: Counter[str]
    """Bounded or weak mappings that are no caches."""
    wide: Mapping[str, int]
    riddles: int
    """Modules whose docstrings begin with What, Who, How or When."""


def figures_of(root: Path) -> Figures:
    """Read a checkout."""
    modules, floors = read_modules(root), floors_of(root)
    found = arrows(modules)
    rooms = {module.room for module in modules if module.name.count(".")}
    loose = {each for each in rooms if (root / each.replace(".", "/")).with_suffix(".py").exists()}
    caches, memories = count_caches([each for each in modules if not each.name.startswith("engine")])
    both = sorted({tuple(sorted(pair)) for pair in found if pair[::-1] in found})
    return Figures(
        files=len(modules),
        lines=sum(module.lines for module in modules),
        small=sum(module.lines < SMALL_LINES for module in modules),
        loose=sum(each.startswith("bot.") for each in loose),
        rooms=sum(each.startswith("bot.") for each in rooms),
        upwards={
            f"{one} -> {other}": count
            for (one, other), count in sorted(found.items())
            if one in floors and other in floors and floors[one] < floors[other]
        },
        floorless=sum(each.startswith("bot.") and each not in floors for each in rooms),
        mutual=[f"{one} <-> {other}" for one, other in both if not {one, other} & loose],
        mutual_loose=[
            f"{folder} <-> loose modules"
            for folder in sorted(rooms - loose)
            if folder.startswith("bot.")
            and any(pair[0] == folder and pair[1] in loose for pair in found)
            and any(pair[1] == folder and pair[0] in loose for pair in found)
        ],
        games=game_tests(modules),
        game_reads=game_reads(modules),
        doubled=doubled_types(modules),
        caches=caches,
        memories=memories,
        wide=wide_types(modules),
        riddles=sum(bool(_OPENS_WITH.match(ast.get_docstring(each.tree) or "")) for each in modules),
    )
