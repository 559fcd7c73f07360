"""What the program says of itself while it is given anything: no traceback, and no error."""

import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def quietly(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fails when something within made the program, or a library, log an error or a traceback."""
    with caplog.at_level(logging.WARNING):
        yield
        gc.collect()  # a task that failed and that nobody asked tells so when it goes
    told = [record for record in caplog.records if record.levelno >= logging.ERROR or record.exc_info]
    lines = {f"{record.name}: {record.getMessage()} {record.exc_text or ''}" for record in told}
    assert not lines, "\n".join(sorted(lines))
