"""Random and damaged input for every handler: what is drawn, how much of it, and what it may change.

The tests draw a few hundred each time; `python -m tests.fuzz 10000` draws so many for every handler.
"""

import os

NUMBER = "OKEY_FUZZ"


def times(few: int) -> int:
    """How often a test draws: `few` times, or as often as the command says."""
    return int(os.environ.get(NUMBER, few))
