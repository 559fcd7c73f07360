"""The log while the program is given arbitrary input: no traceback, and no error."""

import gc
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def quietly(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail when the program or a library logged an error or a traceback inside the context."""
    with caplog.at_level(logging.WARNING):
        yield
        gc.collect()  # a failed task that nobody awaited reports it when it is collected
    told = [record for record in caplog.records if record.levelno >= logging.ERROR or record.exc_info]
    lines = {f"{record.name}: {record.getMessage()} {record.exc_text or ''}" for record in told}
    assert not lines, "\n".join(sorted(lines))
