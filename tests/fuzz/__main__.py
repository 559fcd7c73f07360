"""`python -m tests.fuzz 10000 [OPTIONS OF PYTEST]`: 10000 presses, commands and updates a handler."""

import os
import sys
from pathlib import Path

import pytest

from tests.fuzz import NUMBER

TESTS = Path(__file__).parents[1]


def main(number: str, *options: str) -> int:
    os.environ[NUMBER] = str(int(number))
    return pytest.main(["-n0", "--durations=0", *options, *map(str, sorted(TESTS.rglob("test_any_*.py")))])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
