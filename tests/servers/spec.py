"""The official machine-readable descriptions, if they lie beside the checkout. They are never copied into
it."""

import json
from pathlib import Path
from typing import Any

SPECS = Path(__file__).resolve().parents[3] / "shared" / "specs"


def load_spec(name: str) -> dict[str, Any] | None:
    """The description in `name`, or None if there is none: then only our own checks apply."""
    path = SPECS / name
    if not path.is_file():
        return None
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded
