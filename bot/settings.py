"""Settings of a process, from its environment and `.env`."""

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Final, get_args
from urllib.parse import quote, unquote, urlsplit

import msgspec
from dotenv import dotenv_values
from msgspec import Meta, Struct, field
from msgspec.structs import FieldInfo, fields

from bot.errors import CannotStart

DURABILITIES: Final = ("everysec", "always", "replica")

LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")

_DISCORD_VERSION: Final = "/api/v10"
"""The version of Discord's API that the program uses; an address may leave it out."""

_ALIKE: Final = 0.85
"""How alike two names must be, of 1, for one to count as the other misspelt."""

_OPERATOR: Final = r"[^\x00-\x1f\x7f:/<>@]{1,60}"
"""Short, and without what tokens and addresses have: it is shown to everybody."""

_CONTACT: Final = r"[\w.+-]{1,64}@[\w.-]{1,128}\.\w{2,24}|@\w{3,32}|https://[^\s<>\"]{3,120}"
"""An e-mail address, a name on a platform or a web address."""

_OTHERS_PATHS: Final = ("/discord/interactions", "/enter")
"""The paths at which something else than Telegram posts to the web port."""


class SettingsError(CannotStart):
    """Raised for a setting that cannot be used: a code for the program, and a sentence as its text.

    The sentence names the variable and never its value, which may be a token put in the wrong line. Codes:
    `bad_token`, `bad_url`, `bad_number`, `bad_host`, `bad_level`, `bad_durability`, `bad_key`, `bad_app`,
    `bad_folder`, `bad_env_file`, `bad_operator`, `bad_contact`,
    `bad_password_file`.
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
        """Return the text itself."""
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


class WebhookUrl(str):
    """An address on the web whose path Telegram's webhook can have for itself."""


class BeaconUrl(str):
    """The address of a drand chain on the web: it ends with the chain's hash."""


class Host(str):
    """A host name or an IP address."""


class AppName(str):
    """The short name of a Mini App in its links, given by @BotFather."""


class PublicKey(str):
    """An Ed25519 key, as 64 hexadecimal digits."""


class Level(str):
    """The lowest level of records that are logged."""


class OperatorName(str):
    """The name of the person or the group who runs the bot, as people read it."""


class Contact(str):
    """The way to reach the operator: an e-mail address, a web address or an @name."""


class Durability(str):
    """When the store has kept a move so well that it is answered."""


class Settings(Struct, frozen=True, kw_only=True, rename="upper"):
    """All settings of a process. `.env.example` explains each of them."""

    discord_token: Token | None = None
    discord_public_key: PublicKey | None = None
    """If set, Discord posts people's actions to the web port; None: they come through the gateway."""
    discord_client_secret: Token | None = None
    """If set, the table opens as an Activity; None: there is none."""
    discord_api_url: Url = Url(f"https://discord.com{_DISCORD_VERSION}")
    telegram_token: Token | None = None
    telegram_api_url: Url = Url("https://api.telegram.org")
    telegram_webhook_url: WebhookUrl | None = None
    telegram_app: AppName | None = None
    """The short name of the bot's Mini App, for buttons in groups; None: there are none."""
    redis_url: Secret | None = None
    """A secret because it may hold a password. The store checks whether it is an address."""
    redis_password_file: Path | None = None
    """The file with the password for `redis_url`, which then holds it."""
    data_dir: Path = Path("data")
    durability: Durability = Durability("everysec")
    """`everysec` and `always` are about the embedded store's disk, `replica` about a store at `redis_url`."""
    web_host: Host = Host("127.0.0.1")
    web_port: Annotated[int, Meta(ge=0, le=65535)] = 8106
    """0 lets the system choose a free one."""
    web_connections: Annotated[int, Meta(ge=1, le=100_000)] = 256
    """The most connections of one address at once."""
    web_url: Url | None = None
    """The address at which people reach the web port; None: they are given none."""
    operator_name: OperatorName | None = None
    """Who runs the bot, for the privacy page and the terms; None: they name nobody."""
    operator_contact: Contact | None = None
    """How people reach them; None: the pages say that there is no contact."""
    log_level: Level = Level("INFO")
    turn_seconds: Annotated[float, Meta(ge=1, le=86400)] = field(default=60, name="OKEY_TURN_SECONDS")
    """Seconds that a person may think."""
    computer_seconds: Annotated[float, Meta(ge=0, le=60)] = field(default=1.5, name="OKEY_COMPUTER_SECONDS")
    """Seconds that a computer player seems to think."""
    next_round_seconds: Annotated[float, Meta(ge=0, le=3600)] = field(
        default=20, name="OKEY_NEXT_ROUND_SECONDS"
    )
    """Seconds that a result stands before the next round is dealt."""
    full_lobby_seconds: Annotated[float, Meta(ge=0, le=3600)] = field(
        default=20, name="OKEY_FULL_LOBBY_SECONDS"
    )
    """Seconds after which a full lobby starts by itself; 0: its host starts it."""
    processes: Annotated[int, Meta(ge=0, le=64)] = field(default=2, name="OKEY_PROCESSES")
    """The number of processes that draw pictures and play for computer players; 0: threads do."""
    presses_per_second: Annotated[float, Meta(ge=1, le=1000)] = field(
        default=5, name="OKEY_PRESSES_PER_SECOND"
    )
    """One person's share of this process; after a pause four times as many at once."""
    beacon_url: BeaconUrl | None = field(default=None, name="OKEY_BEACON_URL")
    """The address of the public randomness that has a part in each deal; None: there is none."""

    @property
    def secrets(self) -> tuple[Secret, ...]:
        """The values that must never appear in a log."""
        every = (getattr(self, setting.name) for setting in fields(self))
        return tuple(each for each in every if isinstance(each, Secret))


def read_settings(env_file: Path = Path(".env")) -> Settings:
    """Return the settings of this process. Raises SettingsError."""
    return settings_from(_environment(env_file))


def misspelt_settings(env_file: Path = Path(".env")) -> list[str]:
    """Return a sentence for each variable that nearly has the name of a setting. Raises SettingsError."""
    return misspelt_in(_environment(env_file))


def misspelt_in(environment: Mapping[str, str]) -> list[str]:
    """Return a sentence for each name that is nearly that of a setting, and so probably meant as it."""
    known = [setting.encode_name for setting in fields(Settings)]
    return [
        f"{name} is no setting, and changes nothing: {meant} may be what you mean."
        for name in sorted(environment)
        if name not in known
        for meant in get_close_matches(name.upper(), known, n=1, cutoff=_ALIKE)
    ]


def _environment(env_file: Path) -> dict[str, str]:
    """Return the environment, and `.env` for variables missing there. Raises SettingsError."""
    try:
        written = dotenv_values(env_file, interpolate=False)
    except (OSError, UnicodeDecodeError):
        raise SettingsError("bad_env_file", f"{env_file} can't be read as a UTF-8 text file.") from None
    return {name: text or "" for name, text in written.items()} | dict(os.environ)


def settings_from(environment: Mapping[str, str]) -> Settings:
    """Return the settings from texts by name; an empty text counts as missing. Raises SettingsError."""
    given: dict[str, Any] = {}
    for setting in fields(Settings):
        if text := environment.get(setting.encode_name, "").strip():
            try:
                given[setting.name] = msgspec.convert(text, setting.type, strict=False, dec_hook=_read)
            except msgspec.ValidationError as error:
                raise _refuse(setting, error.__cause__) from None
    if (discord := given.get("discord_api_url")) and not urlsplit(discord).path:
        given["discord_api_url"] = Url(discord + _DISCORD_VERSION)
    if "redis_url" in given and (file := given.get("redis_password_file")):
        given["redis_url"] = _with_password(given["redis_url"], file)
    return Settings(**given)


def _with_password(address: Secret, file: Path) -> Secret:
    """Return an address with the password of a file, unless it has one. Raises SettingsError."""
    scheme, _, rest = address.reveal().partition("://")
    try:
        password = file.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        words = "names a file that can't be read as UTF-8 text"
        raise SettingsError("bad_password_file", f"REDIS_PASSWORD_FILE {words}.") from None
    login, at, hosts = rest.rpartition("@")
    if ":" in login:
        return address
    return Secret(f"{scheme}://{login if at else ''}:{quote(password, safe='')}@{hosts}")


def _read(kind: type, text: str) -> object:
    """Convert a text to one of the types above. Raises ValueError with a code and the end of a sentence."""
    if kind is Path:
        return _folder(text)
    if kind is Token and not re.fullmatch(r"[!-~]+", text):
        raise ValueError("bad_token", "holds something that is in no token: copy it again, on one line")
    if kind is Host and not _is_host(text):
        raise ValueError("bad_host", "must be a host name or an IP address, without a port")
    if kind is AppName and not re.fullmatch(r"\w{3,30}", text, re.ASCII):
        raise ValueError("bad_app", "must be the short name that @BotFather has in the app's link")
    if kind is PublicKey and not re.fullmatch(r"[0-9a-fA-F]{64}", text):
        raise ValueError("bad_key", "must be the 64 digits that the developer portal calls Public Key")
    if kind is OperatorName and not re.fullmatch(_OPERATOR, text):
        raise ValueError(
            "bad_operator", "must be a name of at most 60 characters, on one line, without : or /"
        )
    if kind is Contact and not re.fullmatch(_CONTACT, text):
        raise ValueError("bad_contact", "must be an e-mail address, an https:// address or an @name")
    if kind is Level and (text := text.upper()) not in LOG_LEVELS:
        raise ValueError("bad_level", f"must be one of {', '.join(LOG_LEVELS)}")
    if kind is Durability and (text := text.lower()) not in DURABILITIES:
        raise ValueError("bad_durability", f"must be {' or '.join(DURABILITIES)}")
    if kind in (Url, WebhookUrl) and not _is_url(text := text.rstrip("/")):
        raise ValueError("bad_url", "must be an address such as https://example.org")
    if kind is WebhookUrl and re.search("[{}]", path := unquote(urlsplit(text).path)):
        raise ValueError("bad_url", "must have a path without braces")
    if kind is WebhookUrl and path in _OTHERS_PATHS:
        raise ValueError("bad_url", f"must have another path: {path} is not Telegram's")
    if kind is BeaconUrl and not (_is_url(text := text.rstrip("/")) and re.search("/[0-9a-f]{64}$", text)):
        raise ValueError("bad_url", "must be the address of a drand chain, which ends with its 64 digits")
    return kind(text)


def _folder(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise ValueError(
            "bad_folder", "begins with the home of somebody whom this machine doesn't know"
        ) from None


def _is_host(text: str) -> bool:
    try:
        text.encode("idna")  # as it is looked up
    except UnicodeError:
        return False
    return bool(re.fullmatch(r"[\w.:-]+", text))


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and _is_host(parts.hostname or "") and parts.port != 0
    except ValueError:
        return False


def _refuse(setting: FieldInfo, cause: BaseException | None) -> SettingsError:
    """Return the error for a setting's text. Without a cause from `_read`, it is no number within the
    limits."""
    if cause is not None:
        code, sentence = cause.args
    else:
        kind, limits = get_args(setting.type)
        what = "a whole number" if kind is int else "a number"
        code, sentence = "bad_number", f"must be {what} from {limits.ge:g} to {limits.le:g}"
    return SettingsError(code, f"{setting.encode_name} {sentence}.")
