"""Random and damaged input for every handler: what is drawn, how often, and what it may change.

The tests draw a few hundred each time; `python -m tests.fuzz 10000` draws that many for every handler.
"""

import os

NUMBER = "OKEY_FUZZ"


def times(few: int) -> int:
    """The number of draws of a test: `few`, or the number given on the command line."""
    return int(os.environ.get(NUMBER, few))
