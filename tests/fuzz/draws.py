"""Unexpected input: texts, values, and messages with broken parts."""

import copy
import random
from collections.abc import Iterator
from typing import Any

STRANGE = (
    *("", " ", ".", "..", "\n", "\x00", "-", "-1", "0", "1e9", "9" * 30, "0x10", "³", "١٢", "None", "null"),
    *("ğüşiıİ", "한국어", "🀄" * 40, "\u202eevil", "e\u0301" * 50, "\ud800", "\udfff x", "a" * 5000),
    *("%s%n{0}{p00}", "<b>&amp;", "**_`@everyone`_**", "../../etc", "'; DROP", "{}", "[]", "[hidden]"),
)
LETTERS = "abcxyz019 ._-/:*{}\\\n\x00ığ🀄"


def strange_text(dice: random.Random) -> str:
    """A known troublesome text, or random letters."""
    if dice.random() < 0.6:
        return dice.choice(STRANGE)
    return "".join(dice.choice(LETTERS) for _ in range(dice.randrange(90)))


def strange_value(dice: random.Random) -> Any:
    """Any JSON: mostly of another type than the original."""
    texts = (strange_text(dice), {"id": strange_text(dice)}, [strange_text(dice)])
    numbers = (0, -1, 7, 2**31, 2**63, 10**40, 0.5)
    return dice.choice((None, True, False, [], {}, [[]], [None], {"a": {}}, *numbers, *texts, *texts))


def damaged(dice: random.Random, message: dict[str, Any]) -> dict[str, Any]:
    """A copy of the message, broken in one to three places."""
    broken = copy.deepcopy(message)
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        places = list(_places(broken))
        if not places:
            break
        holder, key = dice.choice(places)
        if dice.random() < 0.3:
            del holder[key]
        elif dice.random() < 0.2 and isinstance(holder, dict):
            holder[strange_text(dice)] = strange_value(dice)
        else:
            holder[key] = strange_value(dice)
    return broken


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """All places in a value: the container, and the key in it."""
    inside: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    for key, each in inside:
        yield value, key
        yield from _places(each)
