"""The log: one line a record, and no secret in any of it."""

import logging
import subprocess
import sys
import textwrap

import pytest

from bot.logs import DiscreetFormatter
from bot.settings import Secret
from tests.patience import PATIENCE

# Made up, in the shapes that the platforms use.
TELEGRAM = "4711000815:" + "AAH" + "x1_-Y" * 6 + "zz"
DISCORD = "MTA0NzExMDgxNTQ3MTEwODE1.GaBcDe." + "k3-_Q" * 7


def formatted(
    message: str, *arguments: object, secrets: tuple[str, ...] = (), fails: Exception | None = None
) -> str:
    trouble = (type(fails), fails, fails.__traceback__) if fails else None
    record = logging.LogRecord(
        "bot.delivery.delivery", logging.WARNING, __file__, 1, message, arguments, trouble
    )
    return DiscreetFormatter([Secret(secret) for secret in secrets]).format(record)


def raised(error: Exception) -> Exception:
    try:
        raise error
    except Exception as caught:
        return caught


def run(code: str) -> str:
    """What a process writes to standard error that sets up logging with the secret `hush-hush`."""
    start = "import logging; from bot.logs import set_up_logging; from bot.settings import Secret\n"
    done = subprocess.run(
        [sys.executable, "-c", start + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.stderr


def test_a_record_is_one_line_with_time_level_and_place() -> None:
    assert formatted("table %s is full", "p07").endswith(" WARNING bot.delivery.delivery: table p07 is full")


def test_a_person_cannot_begin_a_line_or_turn_one_round() -> None:
    text = formatted("%s joined", "Ada\r\n2026-01-01 INFO bot: all is well\u2028\u202e")
    assert len(text.splitlines()) == 1
    assert "\u202e" not in text


@pytest.mark.parametrize("secret", [TELEGRAM, DISCORD])
def test_what_looks_like_a_token_is_hidden_even_when_unknown(secret: str) -> None:
    text = formatted("GET https://example.org/bot%s/getMe", secret, fails=raised(ValueError(f"bad {secret}")))
    assert secret not in text
    assert secret[12:24] not in text


def test_a_known_secret_is_hidden_whatever_it_looks_like() -> None:
    assert "plain" not in formatted("token=%s", "plain", secrets=("plain",))
    assert "a%2Fb" not in formatted("/send?token=a%%2Fb%s", "", secrets=("a/b",))


def test_a_password_in_an_address_is_hidden_and_the_host_stays() -> None:
    text = formatted("no answer from %s", "rediss://okey:s3cret@store.example:6380/1")
    assert "s3cret" not in text
    assert "store.example:6380/1" in text


@pytest.mark.parametrize("shown", ["p%40ss", "p@ss"])
def test_the_stores_password_is_hidden_alone_too(shown: str) -> None:
    address = "redis://:p%40ss@store.example"
    assert shown not in formatted("AUTH %s failed", shown, secrets=(address,))
    assert "store.example" in formatted("no answer from store.example", secrets=(address,))


def test_a_traceback_keeps_its_words_and_loses_its_secrets() -> None:
    error = raised(RuntimeError(f"refused {TELEGRAM}\nafter a line break"))
    text = formatted("it broke", fails=error)
    assert "RuntimeError: refused [hidden]" in text
    assert all(line.startswith("    ") for line in text.splitlines()[1:])


def test_libraries_that_tell_every_request_are_quiet_at_every_level() -> None:
    said = run(
        """
        set_up_logging("DEBUG", [Secret("hush-hush")])
        for name in ("telegram.ext", "discord.gateway", "aiohttp.access"):
            logging.getLogger(name).info("GET /bot/getMe")
        logging.getLogger("discord.http").warning("We are being rate limited.")
        logging.getLogger("bot").debug("hello hush-hush")
        """
    )
    assert "getMe" not in said
    assert "rate limited" in said
    assert "bot: hello [hidden]" in said


def test_the_level_is_obeyed() -> None:
    said = run(
        """
        set_up_logging("WARNING", [])
        logging.getLogger("bot").info("chatter")
        logging.getLogger("bot").warning("trouble")
        """
    )
    assert "chatter" not in said
    assert "trouble" in said


def test_an_uncaught_error_is_told_without_secrets() -> None:
    said = run(
        """
        set_up_logging("INFO", [Secret("hush-hush")])
        raise RuntimeError("no hush-hush here")
        """
    )
    assert "CRITICAL bot: Stopped by an error" in said
    assert "RuntimeError: no [hidden] here" in said
    assert "hush-hush" not in said
