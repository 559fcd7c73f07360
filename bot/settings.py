"""Settings: what the environment and `.env` say."""

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from dotenv import dotenv_values

DISCORD_API: Final = "https://discord.com/api/v10"
TELEGRAM_API: Final = "https://api.telegram.org"
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")


class SettingsError(Exception):
    """A setting that cannot be used: a code for the program, and a sentence as its text.

    The sentence names the variable and never its value, which may be a token put in the wrong line.
    Codes: `bad_token`, `bad_url`, `bad_number`, `bad_host`, `bad_level`, `bad_env_file`.
    """

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Secret:
    """A text that shows itself only when asked."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text itself."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(…)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a process is told from outside. The README's table says what each is for."""

    discord_token: Secret | None
    discord_api_url: str
    telegram_token: Secret | None
    telegram_api_url: str
    telegram_webhook_url: str | None
    redis_url: Secret | None
    """A secret because it may hold a password. Whether it is an address, the store knows."""
    data_dir: Path
    web_host: str
    web_port: int
    """0 lets the system choose a free one."""
    web_url: str | None
    """Under which address people reach the web port; None: they are told none."""
    log_level: str
    turn_seconds: float
    """How long a person may think."""
    computer_seconds: float
    """How long a computer player seems to think."""
    next_round_seconds: float
    """How long a result stands before the next round is dealt."""

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """What must never be seen in a log."""
        every = (self.discord_token, self.telegram_token, self.redis_url)
        return tuple(secret for secret in every if secret is not None)


def read_settings(env_file: Path = Path(".env")) -> Settings:
    """The settings of this process: its environment, and `.env` for what that leaves out.

    Raises SettingsError.
    """
    try:
        written = dotenv_values(env_file, interpolate=False)
    except (OSError, UnicodeDecodeError):
        raise SettingsError("bad_env_file", f"{env_file} can't be read as a UTF-8 text file.") from None
    return settings_from({name: text or "" for name, text in written.items()} | dict(os.environ))


def settings_from(environment: Mapping[str, str]) -> Settings:
    """The settings that named texts describe; an empty text is no setting. Raises SettingsError."""
    given = _Given(environment)
    return Settings(
        discord_token=given.token("DISCORD_TOKEN"),
        discord_api_url=_with_version(given.url("DISCORD_API_URL") or DISCORD_API),
        telegram_token=given.token("TELEGRAM_TOKEN"),
        telegram_api_url=given.url("TELEGRAM_API_URL") or TELEGRAM_API,
        telegram_webhook_url=given.url("TELEGRAM_WEBHOOK_URL"),
        redis_url=given.secret("REDIS_URL"),
        data_dir=Path(given.text("DATA_DIR") or "data").expanduser(),
        web_host=given.host("WEB_HOST") or "127.0.0.1",
        web_port=int(given.number("WEB_PORT", 8106, most=65535, whole=True)),
        web_url=given.url("WEB_URL"),
        log_level=given.level("LOG_LEVEL") or "INFO",
        turn_seconds=given.number("OKEY_TURN_SECONDS", 60, most=86400, least=1),
        computer_seconds=given.number("OKEY_COMPUTER_SECONDS", 1.5, most=60),
        next_round_seconds=given.number("OKEY_NEXT_ROUND_SECONDS", 20, most=3600),
    )


class _Given:
    """The environment, read one kind of value at a time. None stands for what is not set."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment

    def text(self, name: str) -> str | None:
        return self._environment.get(name, "").strip() or None

    def secret(self, name: str) -> Secret | None:
        text = self.text(name)
        return None if text is None else Secret(text)

    def token(self, name: str) -> Secret | None:
        secret = self.secret(name)
        if secret is not None and not re.fullmatch(r"[!-~]+", secret.reveal()):
            raise SettingsError(
                "bad_token", f"{name} holds something that is in no token: copy it again, on one line."
            )
        return secret

    def url(self, name: str) -> str | None:
        text = self.text(name)
        if text is not None and not _is_url(text):
            raise SettingsError("bad_url", f"{name} must be an address such as https://example.org.")
        return text and text.rstrip("/")

    def host(self, name: str) -> str | None:
        text = self.text(name)
        if text is not None and not re.fullmatch(r"[\w.:-]+", text):
            raise SettingsError("bad_host", f"{name} must be a host name or an IP address, without a port.")
        return text

    def level(self, name: str) -> str | None:
        text = self.text(name)
        if text is not None and text.upper() not in LOG_LEVELS:
            raise SettingsError("bad_level", f"{name} must be one of {', '.join(LOG_LEVELS)}.")
        return text and text.upper()

    def number(
        self, name: str, default: float, *, most: float, least: float = 0, whole: bool = False
    ) -> float:
        text = self.text(name)
        if text is None:
            return default
        try:
            value = float(int(text)) if whole else float(text)
        except (ValueError, OverflowError):
            value = math.nan
        if not least <= value <= most:
            kind = "a whole number" if whole else "a number of seconds"
            raise SettingsError("bad_number", f"{name} must be {kind} from {least:g} to {most:g}.")
        return value


def _with_version(discord_api: str) -> str:
    """A host alone means the version of Discord's interface that the program speaks."""
    return discord_api if urlsplit(discord_api).path else f"{discord_api}{urlsplit(DISCORD_API).path}"


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
