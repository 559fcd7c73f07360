"""Settings: what the environment and `.env` say."""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, get_args
from urllib.parse import urlsplit

import msgspec
from dotenv import dotenv_values
from msgspec import Meta, Struct, field
from msgspec.structs import FieldInfo, fields

from bot.errors import CannotStart

DURABILITIES: Final = ("everysec", "always")

LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")

_DISCORD_VERSION: Final = "/api/v10"
"""Of Discord's interface: what the program speaks; an address may leave it out."""


class SettingsError(CannotStart):
    """A setting that cannot be used: a code for the program, and a sentence as its text.

    The sentence names the variable and never its value, which may be a token put in the wrong line.
    Codes: `bad_token`, `bad_url`, `bad_number`, `bad_host`, `bad_level`, `bad_durability`, `bad_key`,
    `bad_app`, `bad_env_file`.
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


class Token(Secret):
    """A platform's key to a bot: printable ASCII without a space."""

    __slots__ = ()


class Url(str):
    """An address on the web, without a slash at its end."""


class BeaconUrl(str):
    """The address of a drand chain on the web: it ends with the chain's hash."""


class Host(str):
    """A host name or an IP address."""


class AppName(str):
    """What @BotFather calls a Mini App in its links."""


class PublicKey(str):
    """An Ed25519 key, as 64 hexadecimal digits."""


class Level(str):
    """From which level on records are logged."""


class Fsync(str):
    """How soon the embedded store has on disk what it answers."""


class Settings(Struct, frozen=True, kw_only=True, rename="upper"):
    """Everything a process is told from outside. The table of `docs/running.md` says what each is for."""

    discord_token: Token | None = None
    discord_public_key: PublicKey | None = None
    """With it Discord posts what people do to the web port; None: the gateway tells."""
    discord_client_secret: Token | None = None
    """With it the table opens as an Activity; None: there is none."""
    discord_api_url: Url = Url(f"https://discord.com{_DISCORD_VERSION}")
    telegram_token: Token | None = None
    telegram_api_url: Url = Url("https://api.telegram.org")
    telegram_webhook_url: Url | None = None
    telegram_app: AppName | None = None
    """The short name of the bot's Mini App, for buttons in groups; None: there are none."""
    redis_url: Secret | None = None
    """A secret because it may hold a password. Whether it is an address, the store knows."""
    data_dir: Path = Path("data")
    durability: Fsync = Fsync("everysec")
    """Of the embedded store."""
    web_host: Host = Host("127.0.0.1")
    web_port: Annotated[int, Meta(ge=0, le=65535)] = 8106
    """0 lets the system choose a free one."""
    web_connections: Annotated[int, Meta(ge=1, le=100_000)] = 256
    """So many may one address have at once."""
    web_url: Url | None = None
    """Under which address people reach the web port; None: they are told none."""
    log_level: Level = Level("INFO")
    turn_seconds: Annotated[float, Meta(ge=1, le=86400)] = field(default=60, name="OKEY_TURN_SECONDS")
    """How long a person may think."""
    computer_seconds: Annotated[float, Meta(ge=0, le=60)] = field(default=1.5, name="OKEY_COMPUTER_SECONDS")
    """How long a computer player seems to think."""
    next_round_seconds: Annotated[float, Meta(ge=0, le=3600)] = field(
        default=20, name="OKEY_NEXT_ROUND_SECONDS"
    )
    """How long a result stands before the next round is dealt."""
    processes: Annotated[int, Meta(ge=0, le=64)] = field(default=2, name="OKEY_PROCESSES")
    """They draw pictures and play for computer players; 0: threads do."""
    presses_per_second: Annotated[float, Meta(ge=1, le=1000)] = field(
        default=5, name="OKEY_PRESSES_PER_SECOND"
    )
    """One person's share of this process; after a pause four times as many at once."""
    beacon_url: BeaconUrl | None = field(default=None, name="OKEY_BEACON_URL")
    """Of the public randomness that has a part in each deal; None: none has."""

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """What must never be seen in a log."""
        every = (getattr(self, setting.name) for setting in fields(self))
        return tuple(each for each in every if isinstance(each, Secret))


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
    given: dict[str, Any] = {}
    for setting in fields(Settings):
        if text := environment.get(setting.encode_name, "").strip():
            try:
                given[setting.name] = msgspec.convert(text, setting.type, strict=False, dec_hook=_read)
            except msgspec.ValidationError as error:
                raise _refused(setting, error.__cause__) from None
    if (discord := given.get("discord_api_url")) and not urlsplit(discord).path:
        given["discord_api_url"] = Url(discord + _DISCORD_VERSION)
    return Settings(**given)


def _read(kind: type, text: str) -> object:
    """A text as a value of one of our kinds. Raises ValueError with a code and what a sentence ends with."""
    if kind is Path:
        return Path(text).expanduser()
    if kind is Token and not re.fullmatch(r"[!-~]+", text):
        raise ValueError("bad_token", "holds something that is in no token: copy it again, on one line")
    if kind is Host and not re.fullmatch(r"[\w.:-]+", text):
        raise ValueError("bad_host", "must be a host name or an IP address, without a port")
    if kind is AppName and not re.fullmatch(r"\w{3,30}", text, re.ASCII):
        raise ValueError("bad_app", "must be the short name that @BotFather has in the app's link")
    if kind is PublicKey and not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise ValueError("bad_key", "must be the 64 digits that the developer portal calls Public Key")
    if kind is Level and (text := text.upper()) not in LOG_LEVELS:
        raise ValueError("bad_level", f"must be one of {', '.join(LOG_LEVELS)}")
    if kind is Fsync and (text := text.lower()) not in DURABILITIES:
        raise ValueError("bad_durability", f"must be {' or '.join(DURABILITIES)}")
    if kind is Url and not _is_url(text := text.rstrip("/")):
        raise ValueError("bad_url", "must be an address such as https://example.org")
    if kind is BeaconUrl and not (_is_url(text := text.rstrip("/")) and re.search("/[0-9a-f]{64}$", text)):
        raise ValueError("bad_url", "must be the address of a drand chain, which ends with its 64 digits")
    return kind(text)


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _refused(setting: FieldInfo, cause: BaseException | None) -> SettingsError:
    """What a setting's text is not. Without a cause of ours it is no number within the limits."""
    if cause is not None:
        code, sentence = cause.args
    else:
        kind, limits = get_args(setting.type)
        what = "a whole number" if kind is int else "a number"
        code, sentence = "bad_number", f"must be {what} from {limits.ge:g} to {limits.le:g}"
    return SettingsError(code, f"{setting.encode_name} {sentence}.")
