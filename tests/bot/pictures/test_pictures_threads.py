"""Pictures are drawn in several threads at once: also the first ones of a program."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.long

FIRST_PICTURES = """
import os, sys
from concurrent.futures import ThreadPoolExecutor
from PIL import Image
from bot.pictures import theme

sys.setswitchinterval(1e-6)
images = [Image.frombytes("RGB", (120, 120), os.urandom(43200)) for _ in range(8)]
with ThreadPoolExecutor(8) as threads:
    for _ in range(300):
        theme._sample.cache_clear()
        list(threads.map(theme.to_palette, images))
"""


def test_the_first_pictures_of_a_program_may_be_drawn_at_once() -> None:
    """In a program of its own, which a failure ends with a signal."""
    assert subprocess.run([sys.executable, "-c", FIRST_PICTURES], check=False).returncode == 0
