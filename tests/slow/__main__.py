"""`python -m tests.slow [--late-messages] [--stalls] [what pytest takes]`.

The suite with other deals in each run, as on a slow line and on a slow machine. It finds a page that cannot
wait for an answer, and a test that takes for granted how fast one comes. Each of these is
rare in an ordinary run.

With `--late-messages`, whatever the server tells a page in a browser comes 0.2 to 1.1 seconds late. With
`--stalls`, the event loops of all Python processes stop for 0.2 to 1.2 seconds, every 2 to 6 seconds. The
exit status is that of pytest.
"""

import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

STALLS = "--stalls"
PYTEST = (sys.executable, "-m", "pytest", "--numprocesses=6", "--dist=worksteal", "--random")


@contextmanager
def stalling() -> Iterator[None]:
    """Make each Python process of this environment stall that begins meanwhile: tests start programs with an
    environment of their own, so that no variable would reach them."""
    hook = Path(sysconfig.get_path("purelib"), "okey-stalls.pth")
    hook.write_text(f"{Path(__file__).parent}\nimport stalls\n")
    try:
        yield
    finally:
        hook.unlink()


def main() -> int:
    """Run the suite; the exit status of pytest."""
    asked = sys.argv[1:]
    with stalling() if STALLS in asked else nullcontext():
        return subprocess.run([*PYTEST, *(each for each in asked if each != STALLS)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
