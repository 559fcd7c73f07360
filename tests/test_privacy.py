"""docs/privacy.md names everything that is kept."""

import inspect
import re
from pathlib import Path

from bot.store import keys

PRIVACY = (Path(__file__).parents[1] / "docs" / "privacy.md").read_text("utf-8")


def families() -> set[str]:
    """How each kind of key begins, behind the partition that it may stand in."""
    makers = [
        maker
        for name, maker in inspect.getmembers(keys, inspect.isfunction)
        if maker.__module__ == keys.__name__ and maker.__annotations__["return"] is str and name[0] != "_"
    ]
    fixed = [value for name, value in vars(keys).items() if name.isupper() and isinstance(value, str)]
    made = [*fixed, *(maker(*_samples(maker)) for maker in makers)]
    return {re.sub(r"^\{p\d\d\}", "", key).replace("}60", "}").removesuffix("x") for key in made}


def _samples(maker: object) -> list[object]:
    kinds = inspect.signature(maker).parameters.values()  # type: ignore[arg-type]
    samples = {str: "x", int: 7, float: 60.0}
    return [samples[kind.annotation] for kind in kinds]


def test_the_page_says_of_every_kind_of_key_what_it_holds_and_for_how_long() -> None:
    rows = [row.split("|") for row in PRIVACY.splitlines() if row.startswith("| ")]
    described = {name for row in rows for name in re.findall(r"`([^`]+)`", row[2])}
    assert described == families()
    assert all(len(row) == 5 and row[3].strip() for row in rows)
