"""Settings come from the environment and `.env`, and a bad one is told in a sentence without its value."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from dotenv import dotenv_values

from adapters.discord_chat.webhook import PATH as DISCORD_PATH
from bot.settings import Secret, Settings, SettingsError, misspelt_settings, read_settings, settings_from

ROOT = Path(__file__).parents[2]


class Asked(dict[str, str]):
    """An empty environment that remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def get(self, name: str, default: str = "") -> str:  # type: ignore[override]
        self.names.append(name)
        return default


def names_that_are_read() -> list[str]:
    asked = Asked()
    settings_from(asked)
    return asked.names


def test_with_nothing_set_the_defaults_of_the_formats_hold() -> None:
    settings = settings_from({})
    assert (settings.discord_token, settings.telegram_token, settings.redis_url) == (None, None, None)
    assert settings.telegram_webhook_url is None
    assert settings.web_host == "127.0.0.1"
    assert settings.data_dir == Path("data")
    assert (settings.turn_seconds, settings.computer_seconds, settings.next_round_seconds) == (60, 1.5, 20)


def test_every_setting_is_read() -> None:
    settings = settings_from(
        {
            "DISCORD_TOKEN": "dc-token",
            "DISCORD_API_URL": "http://127.0.0.1:4001/api/v10",
            "TELEGRAM_TOKEN": "4711:tg-token",
            "TELEGRAM_API_URL": "http://127.0.0.1:4002/",
            "TELEGRAM_WEBHOOK_URL": "https://okey.example.org/hook",
            "REDIS_URL": "redis+cluster://:pw@store:7000",
            "DATA_DIR": "/srv/okey",
            "DURABILITY": "Always",
            "WEB_HOST": "::1",
            "WEB_PORT": "0",
            "WEB_CONNECTIONS": "1000",
            "WEB_URL": "https://okey.test/",
            "OPERATOR_NAME": "Okey Kulübü e. V.",
            "OPERATOR_CONTACT": "okey@example.org",
            "LOG_LEVEL": "debug",
            "OKEY_TURN_SECONDS": "90",
            "OKEY_COMPUTER_SECONDS": "0",
            "OKEY_NEXT_ROUND_SECONDS": "2.5",
            "OKEY_PROCESSES": "0",
            "OKEY_PRESSES_PER_SECOND": "2.5",
            "OKEY_BEACON_URL": f"https://beacon.test/{'5d' * 32}/",
        }
    )
    assert settings == Settings(
        discord_token=Secret("dc-token"),
        discord_api_url="http://127.0.0.1:4001/api/v10",
        telegram_token=Secret("4711:tg-token"),
        telegram_api_url="http://127.0.0.1:4002",
        telegram_webhook_url="https://okey.example.org/hook",
        redis_url=Secret("redis+cluster://:pw@store:7000"),
        data_dir=Path("/srv/okey"),
        durability="always",
        web_host="::1",
        web_port=0,
        web_connections=1000,
        web_url="https://okey.test",
        operator_name="Okey Kulübü e. V.",
        operator_contact="okey@example.org",
        log_level="DEBUG",
        turn_seconds=90,
        computer_seconds=0,
        next_round_seconds=2.5,
        processes=0,
        presses_per_second=2.5,
        beacon_url=f"https://beacon.test/{'5d' * 32}",
    )


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("DISCORD_TOKEN", "two words", "bad_token"),
        ("TELEGRAM_TOKEN", "4711:ab\ncd", "bad_token"),
        ("TELEGRAM_TOKEN", "“4711:abcd”", "bad_token"),
        ("DISCORD_API_URL", "discord.com", "bad_url"),
        ("TELEGRAM_API_URL", "ftp://example.org", "bad_url"),
        ("TELEGRAM_API_URL", "https://okey..example.org", "bad_url"),
        ("WEB_URL", "https://okey example.org", "bad_url"),
        ("TELEGRAM_WEBHOOK_URL", "https://", "bad_url"),
        ("TELEGRAM_WEBHOOK_URL", "https://example.org:99999", "bad_url"),
        ("TELEGRAM_WEBHOOK_URL", "https://example.org/{hook", "bad_url"),
        ("TELEGRAM_WEBHOOK_URL", "https://example.org/%7Bhook%7D", "bad_url"),
        ("TELEGRAM_WEBHOOK_URL", "https://example.org/discord/interactions", "bad_url"),
        ("TELEGRAM_WEBHOOK_URL", "https://example.org/enter/", "bad_url"),
        ("WEB_HOST", "http://0.0.0.0", "bad_host"),
        ("WEB_HOST", "okey..example.org", "bad_host"),
        ("WEB_HOST", 64 * "o", "bad_host"),
        ("DATA_DIR", "~nobody-of-this-machine/okey", "bad_folder"),
        ("WEB_PORT", "65536", "bad_number"),
        ("WEB_PORT", "-1", "bad_number"),
        ("WEB_PORT", "80.5", "bad_number"),
        ("OPERATOR_NAME", "4711:AAHtoken", "bad_operator"),
        ("OPERATOR_NAME", "https://example.org", "bad_operator"),
        ("OPERATOR_NAME", 61 * "o", "bad_operator"),
        ("OPERATOR_CONTACT", "Ada Lovelace", "bad_contact"),
        ("OPERATOR_CONTACT", "http://example.org/contact", "bad_contact"),
        ("OPERATOR_CONTACT", "ada@example", "bad_contact"),
        ("LOG_LEVEL", "loud", "bad_level"),
        ("DURABILITY", "never", "bad_durability"),
        ("OKEY_TURN_SECONDS", "0", "bad_number"),
        ("OKEY_COMPUTER_SECONDS", "nan", "bad_number"),
        ("OKEY_COMPUTER_SECONDS", "soon", "bad_number"),
        ("OKEY_NEXT_ROUND_SECONDS", "1e9", "bad_number"),
        ("OKEY_PRESSES_PER_SECOND", "0", "bad_number"),
        ("WEB_CONNECTIONS", "0", "bad_number"),
        ("OKEY_BEACON_URL", "https://api.drand.sh", "bad_url"),
        ("OKEY_BEACON_URL", f"ftp://api.drand.sh/{'5d' * 32}", "bad_url"),
        ("OKEY_BEACON_URL", f"https://api.drand.sh/{'5d' * 32}?x", "bad_url"),
    ],
)
def test_a_bad_value_is_told_by_name(name: str, text: str, code: str) -> None:
    with pytest.raises(SettingsError) as refused:
        settings_from({name: text})
    assert refused.value.code == code
    sentence = str(refused.value)
    assert sentence.startswith(name)
    assert sentence.endswith(".")


@pytest.mark.parametrize(
    "name", sorted(set(names_that_are_read()) - {"DATA_DIR", "REDIS_URL", "REDIS_PASSWORD_FILE"})
)
def test_a_token_in_the_wrong_line_is_not_shown(name: str) -> None:
    with pytest.raises(SettingsError) as refused:
        settings_from({name: "hush hush://"})
    assert "hush" not in str(refused.value)


@pytest.mark.parametrize(
    "contact", ["ada.l+okey@mail.example.org", "https://example.org/ada?about=okey", "@okey_support"]
)
def test_an_operator_is_reached_by_mail_on_the_web_or_by_a_name(contact: str) -> None:
    assert settings_from({"OPERATOR_CONTACT": contact}).operator_contact == contact


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("OKEY_TURN_SECOND", "OKEY_TURN_SECONDS"),
        ("okey_turn_seconds", "OKEY_TURN_SECONDS"),
        ("TELEGRAM_TOKN", "TELEGRAM_TOKEN"),
        ("DISCORD_PUBLICKEY", "DISCORD_PUBLIC_KEY"),
    ],
)
def test_a_name_that_is_nearly_a_settings_is_told_without_its_value(
    bare_environment: pytest.MonkeyPatch, tmp_path: Path, written: str, meant: str
) -> None:
    file = tmp_path / ".env"
    file.write_text(f"{written}=hush\n")
    (in_file,) = misspelt_settings(file)
    bare_environment.setenv(written, "hush")
    assert misspelt_settings(tmp_path / "none") == [in_file]
    assert in_file.startswith(f"{written} ")
    assert f" {meant} " in in_file
    assert "hush" not in in_file


def test_names_of_other_programs_and_our_own_are_not_misspelt(
    bare_environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = [
        *names_that_are_read(),
        "PATH",
        "XDG_DATA_DIRS",
        "WEB_PORT_80_TCP",
        "OKEY_SERVICE_HOST",
        "HOSTNAME",
    ]
    file = tmp_path / ".env"
    file.write_text("".join(f"{name}=1\n" for name in names))
    assert misspelt_settings(file) == []


def test_the_address_of_discord_may_leave_the_version_out() -> None:
    with_version = settings_from({"DISCORD_API_URL": "http://127.0.0.1:4001/api/v10/"})
    assert settings_from({"DISCORD_API_URL": "http://127.0.0.1:4001/"}) == with_version


def test_the_ends_of_a_range_belong_to_it() -> None:
    assert settings_from({"WEB_PORT": "65535"}).web_port == 65535
    assert settings_from({"OKEY_TURN_SECONDS": "1"}).turn_seconds == 1


def test_an_empty_text_is_no_setting() -> None:
    assert settings_from({"DISCORD_TOKEN": " ", "WEB_HOST": ""}) == settings_from({})


def test_every_path_to_which_others_post_is_kept_from_telegrams_webhook() -> None:
    sources = [file.read_text() for folder in ("adapters", "bot") for file in (ROOT / folder).rglob("*.py")]
    named = {path for text in sources for path in re.findall(r'add_route\("POST", (.+?), ', text)}
    assert named == {'"/enter"', "PATH"}
    for path in ("/enter", DISCORD_PATH):
        with pytest.raises(SettingsError):
            settings_from({"TELEGRAM_WEBHOOK_URL": f"https://okey.example.org{path}"})


@pytest.fixture
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in names_that_are_read():
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_the_environment_goes_before_the_file(bare_environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    env_file = tmp_path / ".env"
    env_file.write_text("WEB_PORT=4000\nWEB_HOST='0.0.0.0'\nDISCORD_TOKEN=a$b${WEB_PORT}\n", encoding="utf-8")
    bare_environment.setenv("WEB_PORT", "5000")
    settings = read_settings(env_file)
    assert (settings.web_port, settings.web_host) == (5000, "0.0.0.0")
    assert settings.discord_token == Secret("a$b${WEB_PORT}"), "a token is taken letter by letter"


def test_a_setting_emptied_in_the_environment_is_not_taken_from_the_file(
    bare_environment: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    env_file = tmp_path / ".env"
    env_file.write_text("DISCORD_TOKEN=token\n", encoding="utf-8")
    bare_environment.setenv("DISCORD_TOKEN", "")
    assert read_settings(env_file).discord_token is None


@pytest.mark.parametrize(
    ("address", "whole"),
    [
        ("redis://store:6379/0", "redis://:a%2Fb%40c@store:6379/0"),
        ("rediss+cluster://okey@store/0?x=1", "rediss+cluster://okey:a%2Fb%40c@store/0?x=1"),
        ("redis+sentinel://a:1,b:2/okey", "redis+sentinel://:a%2Fb%40c@a:1,b:2/okey"),
        ("redis://:own@store", "redis://:own@store"),
    ],
)
def test_the_stores_password_may_come_from_a_file(address: str, whole: str, tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("a/b@c\n")
    assert settings_from({"REDIS_URL": address, "REDIS_PASSWORD_FILE": str(file)}).redis_url == Secret(whole)
    with pytest.raises(SettingsError) as refused:
        settings_from({"REDIS_URL": address, "REDIS_PASSWORD_FILE": str(tmp_path / "none")})
    assert refused.value.code == "bad_password_file"


def test_no_file_is_no_error(bare_environment: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert read_settings(tmp_path / ".env") == settings_from({})


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    env_file = tmp_path / ".env"
    env_file.write_bytes(b"DISCORD_TOKEN=\xff\xfe")
    with pytest.raises(SettingsError) as refused:
        read_settings(env_file)
    assert refused.value.code == "bad_env_file"


def test_no_repr_shows_a_secret() -> None:
    settings = settings_from(
        {"DISCORD_TOKEN": "hush1", "TELEGRAM_TOKEN": "hush2", "REDIS_URL": "redis://:hush3@localhost"}
    )
    assert [secret.reveal()[:4] for secret in settings.secrets] == ["hush", "hush", "redi"]
    for text in (repr(settings), str(settings), f"{settings.redis_url}", f"{settings.secrets}"):
        assert "hush" not in text


def test_the_example_file_says_every_setting_with_its_default() -> None:
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    assignments = [line.removeprefix("#") for line in lines if line[1:2].isupper()]
    assert [line.partition("=")[0] for line in assignments] == names_that_are_read()
    assert settings_from(dict(line.split("=", 1) for line in assignments)) == settings_from({})


def test_the_example_file_changes_nothing_as_it_stands() -> None:
    assert dotenv_values(ROOT / ".env.example") == {}


def test_the_example_file_says_what_every_setting_is_for() -> None:
    for before, line in pairwise((ROOT / ".env.example").read_text(encoding="utf-8").splitlines()):
        assert before.startswith("# ") or not line[1:2].isupper(), line
