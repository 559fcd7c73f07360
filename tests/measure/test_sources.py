"""A made-up program that contains everything that is counted once or twice."""

from pathlib import Path

import pytest

from tests.measure.sources import MEMORIES, figures_of

pytestmark = pytest.mark.long

FILES = {
    "pyproject.toml": """
        [[tool.importlinter.contracts]]
        type = "layers"
        containers = ["bot"]
        layers = ["worker", "screens | pictures", "tables"]
        """,
    "engine/__init__.py": "",
    "engine/round.py": '''
        """What happens."""
        class Round: ...
        def step(rules, other):
            if rules.game == "101" or other.game in ("101", "classic"):
                return SIZES[rules.game]
        ''',
    "engine/games/okey101.py": 'def of(rules): return rules.game == "101"',
    "bot/__init__.py": "",
    "bot/worker.py": "from bot.tables import model",
    "bot/tables/__init__.py": "",
    "bot/tables/model.py": '''
        """How a table is kept."""
        from typing import Callable, Literal, NewType, TypeVar
        from bot.screens.rack import Rack
        from bot import worker
        Kind = TypeVar("Kind")
        Stage = Literal["lobby", "over"]
        Mark = NewType("Mark", int)
        ''',
    "bot/screens/rack.py": '''
        """Rack: a seat's screen."""
        from bot.tables.model import Stage as Held
        Stage = Held | None
        Kind = str
        class Rack: ...
        class _Own: ...
        LONGEST = 64
        ''',
    "bot/delivery/queue.py": "class Queue:\n    def __init__(self): self._scopes = WeakValueDictionary()",
    "bot/tables/wide.py": "seen = TTLCache[str, int](4, 2.0)\nclass Wide:\n"
    + "".join(f"    field{n}: int\n" for n in range(21))
    + "@lru_cache(maxsize=16)\ndef often(): ...\n@lru_cache(None)\ndef always(): ...\n",
    "adapters/web/page.py": "from bot.screens import rack\nclass _Own: ...\nclass Rack: ...",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A checkout of the made-up program."""
    for name, text in FILES.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = text.splitlines()
        file.write_text("\n".join(line.removeprefix("        ") for line in lines).lstrip("\n"), "utf-8")
    return tmp_path


def test_everything_is_counted(root: Path) -> None:
    figures = figures_of(root)
    assert (figures.files, figures.rooms, figures.loose) == (11, 4, 1)
    assert dict(figures.upwards) == {"bot.tables -> bot.screens": 1, "bot.tables -> bot.worker": 1}
    assert figures.mutual == ["bot.screens <-> bot.tables"]
    assert figures.mutual_loose == ["bot.tables <-> loose modules"]
    assert dict(figures.games) == {"engine.round": 2}
    assert dict(figures.game_reads) == {"engine.round": 2}
    assert figures.doubled == {
        "Rack": ["adapters.web.page", "bot.screens.rack"],
        "Stage": ["bot.screens.rack", "bot.tables.model"],
    }
    assert figures.riddles == 2
    assert figures.caches == {"bot.tables.wide": 2}
    assert figures.memories == {"bot.delivery.queue": 1}
    assert figures.wide == {"Wide": 21}


def test_every_memory_that_is_named_exists() -> None:
    assert sum(figures_of(Path(__file__).parents[2]).memories.values()) == len(MEMORIES)


def test_no_two_public_types_of_the_program_share_a_name() -> None:
    assert figures_of(Path(__file__).parents[2]).doubled == {}
