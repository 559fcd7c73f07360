"""docs/privacy.md names everything that is kept."""

import inspect
import re
from pathlib import Path

from bot.handlers.personal_data import AccountData
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
    rows = [row.split("|") for row in table_of("What, where, how long")]
    described = {name for row in rows for name in re.findall(r"`([^`]+)`", row[2])}
    assert described == families()
    assert all(row[3].strip() for row in rows)


def test_every_row_about_people_is_in_their_file_or_says_why_not() -> None:
    rows = [row.split("|") for row in table_of("What, where, how long")]
    assert all(len(row) == 6 for row in rows)
    held = set()
    for _, what, _, _, given, _ in rows:
        parts = re.findall(r"`([a-z_]+)`", given)
        assert parts or re.fullmatch(r"no: .+", given.strip()), what
        held |= set(parts)
    # Some fields say whose the part of the file is, or how it was made.
    assert held | {"key", "records_left_out"} == set(AccountData.__struct_fields__)


def test_every_field_of_the_file_is_told() -> None:
    told = [re.findall(r"`([a-z_]+)`", row)[0] for row in table_of("The file of `/okey mydata`")]
    assert told == [*AccountData.__struct_fields__]


def table_of(title: str) -> list[str]:
    """The rows of the table under a heading, without its head."""
    text = PRIVACY.split(f"### {title}\n")[1].split("\n### ")[0]
    return [row for row in text.splitlines() if row.startswith("| ")][1:]
