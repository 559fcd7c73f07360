"""The doctor names what is wrong in a sentence each, and never a secret."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import redis
from aiohttp import ClientSession, web
from aiohttp.test_utils import TestServer, unused_port

from adapters.discord_chat.interactions import NEEDED
from bot.doctor import Finding, examine, machine
from bot.doctor.addresses import examine_app, examine_beacon
from bot.doctor.chats import PERMISSIONS, examine_discord, examine_telegram
from bot.doctor.machine import examine_folder, examine_font, examine_port, examine_python
from bot.doctor.public import examine_public
from bot.doctor.report import open_points
from bot.doctor.store import examine_store
from bot.settings import Secret, Settings, settings_from
from bot.store import open_store
from tests.patience import PATIENCE
from tests.servers.beacon import running_beacon
from tests.servers.discord_api.client import running_discord
from tests.servers.telegram_api.client import TOKEN as TELEGRAM_TOKEN
from tests.servers.telegram_api.client import telegram_process

pytestmark = pytest.mark.long

TOKEN = "4711:hush"
BOT = {"id": 4711, "is_bot": True, "username": "okey_bot", "can_join_groups": True}
SERVER = {"id": "1", "name": "Tea house", "permissions": str(sum(PERMISSIONS.values()))}
DISCORD: Mapping[str, Any] = {
    "/users/@me": {"id": "9", "username": "Okey"},
    "/applications/@me": {"id": "9", "name": "Okey", "bot_require_code_grant": False},
    "/gateway/bot": {"url": "ws://unused", "session_start_limit": {"remaining": 999}},
    "/users/@me/guilds": [SERVER],
}


class Answers:
    """A server that answers each path as told; anything else is 404. Authorization is kept."""

    def __init__(self) -> None:
        self.bodies: dict[str, Any] = {}
        self.status = 200
        self.authorizations: set[str | None] = set()
        self.url = ""

    async def answer(self, request: web.Request) -> web.Response:
        self.authorizations.add(request.headers.get("Authorization"))
        body = self.bodies.get(request.path.removeprefix("/api/v10"))
        if body is None:
            return web.json_response({"ok": False}, status=404)
        if isinstance(body, str):
            return web.Response(text=body, status=self.status)
        return web.json_response(body, status=self.status)


@pytest.fixture
async def answers() -> AsyncIterator[Answers]:
    told = Answers()
    application = web.Application()
    application.router.add_get("/{path:.*}", told.answer)
    async with TestServer(application) as server:
        told.url = str(server.make_url("")).rstrip("/")
        yield told


@pytest.fixture
async def session() -> AsyncIterator[ClientSession]:
    async with ClientSession() as client:
        yield client


def grades(findings: list[Finding]) -> dict[str, str]:
    return {finding.code: finding.grade for finding in findings}


def telegram(url: str) -> Settings:
    return settings_from({"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": url})


def discord(url: str) -> Settings:
    return settings_from({"DISCORD_TOKEN": "hush", "DISCORD_API_URL": url})


async def of_telegram(answers: Answers, session: ClientSession, **bot: object) -> dict[str, str]:
    answers.bodies[f"/bot{TOKEN}/getMe"] = {"ok": True, "result": {**BOT, **bot}}
    return grades(await examine_telegram(telegram(answers.url), session))


async def of_discord(answers: Answers, session: ClientSession, **bodies: Any) -> list[Finding]:
    answers.bodies |= {**DISCORD, **bodies}
    return await examine_discord(discord(answers.url), session)


async def test_a_telegram_bot_that_is_set_up_is_good(answers: Answers, session: ClientSession) -> None:
    assert await of_telegram(answers, session) == {"telegram_token": "good", "telegram_groups": "good"}


async def test_a_telegram_bot_that_may_join_no_group_is_wrong(
    answers: Answers, session: ClientSession
) -> None:
    assert (await of_telegram(answers, session, can_join_groups=False))["telegram_groups"] == "wrong"


async def test_a_telegram_bot_that_reads_everything_is_advised(
    answers: Answers, session: ClientSession
) -> None:
    found = await of_telegram(answers, session, can_read_all_group_messages=True)
    assert found["telegram_privacy"] == "advice"


async def test_who_opens_no_gateway_needs_none(answers: Answers, session: ClientSession) -> None:
    key = "5d" * 32
    endpoint = {"verify_key": key, "interactions_endpoint_url": "https://okey.example.org"}
    answers.bodies |= {**DISCORD, "/applications/@me": DISCORD["/applications/@me"] | endpoint}
    answers.bodies["/gateway/bot"] = {"url": "ws://unused", "session_start_limit": {"remaining": 0}}
    asked = {"DISCORD_TOKEN": "hush", "DISCORD_API_URL": answers.url, "DISCORD_PUBLIC_KEY": key}
    found = await examine_discord(settings_from(asked), session)
    assert {finding.grade for finding in found} == {"good"}


async def test_a_telegram_token_that_is_refused_is_wrong(answers: Answers, session: ClientSession) -> None:
    assert grades(await examine_telegram(telegram(answers.url), session)) == {"telegram_token": "wrong"}


@pytest.mark.parametrize("body", ["<html>bad gateway</html>", [], {"ok": True, "result": None}])
async def test_telegram_talking_nonsense_is_told(
    answers: Answers, session: ClientSession, body: object
) -> None:
    answers.bodies[f"/bot{TOKEN}/getMe"] = body
    assert [finding.grade for finding in await examine_telegram(telegram(answers.url), session)] == ["wrong"]


async def test_a_discord_bot_that_is_set_up_is_good(answers: Answers, session: ClientSession) -> None:
    found = await of_discord(answers, session)
    assert {finding.grade for finding in found} == {"good"}
    assert answers.authorizations == {"Bot hush"}
    assert any("Tea house" in finding.sentence for finding in found)


async def test_each_missing_permission_is_named(answers: Answers, session: ClientSession) -> None:
    allowed = sum(PERMISSIONS.values()) - PERMISSIONS["Attach Files"]
    server = {**SERVER, "permissions": str(allowed)}
    found = await of_discord(answers, session, **{"/users/@me/guilds": [server]})
    (lacking,) = [finding for finding in found if finding.code == "discord_permissions"]
    assert lacking.grade == "wrong"
    assert "Attach Files" in lacking.sentence
    assert "Send Messages" not in lacking.sentence


async def test_an_administrator_lacks_nothing(answers: Answers, session: ClientSession) -> None:
    server = {**SERVER, "permissions": str(1 << 3)}
    found = await of_discord(answers, session, **{"/users/@me/guilds": [server]})
    assert grades(found)["discord_permissions"] == "good"


async def test_a_bot_in_no_server_gets_its_invitation(answers: Answers, session: ClientSession) -> None:
    found = await of_discord(answers, session, **{"/users/@me/guilds": []})
    (invitation,) = [finding for finding in found if finding.code == "discord_servers"]
    assert invitation.grade == "advice"
    # View Channels (bit 10), Send Messages (11), Attach Files (15), Send Messages in Threads (38)
    assert "client_id=9&scope=bot+applications.commands&permissions=274877942784" in invitation.sentence


def test_the_doctor_asks_for_what_the_chat_needs() -> None:
    assert sum(PERMISSIONS.values()) == NEEDED.value


@pytest.mark.parametrize(
    ("path", "change", "code"),
    [
        ("/applications/@me", {"interactions_endpoint_url": "https://example.org"}, "discord_endpoint"),
        ("/applications/@me", {"bot_require_code_grant": True}, "discord_code_grant"),
        ("/gateway/bot", {"session_start_limit": {"remaining": 0}}, "discord_gateway"),
    ],
)
async def test_a_switch_in_the_wrong_place_is_named(
    answers: Answers, session: ClientSession, path: str, change: dict[str, object], code: str
) -> None:
    found = await of_discord(answers, session, **{path: DISCORD[path] | change})
    assert grades(found)[code] == "wrong"


@pytest.mark.parametrize(("status", "code"), [(401, "discord_token"), (503, "discord_answer")])
async def test_a_refusal_of_discord_is_told(
    answers: Answers, session: ClientSession, status: int, code: str
) -> None:
    answers.status = status
    assert grades(await of_discord(answers, session)) == {code: "wrong"}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/users/@me", {"status": "ok"}),
        ("/users/@me", []),
        ("/applications/@me", {"flags": "many"}),
        ("/gateway/bot", {"url": "ws://unused"}),
        ("/users/@me/guilds", [{"id": "1", "name": "Tea house"}]),
    ],
)
async def test_discord_talking_nonsense_is_told(
    answers: Answers, session: ClientSession, path: str, body: object
) -> None:
    (finding,) = await of_discord(answers, session, **{path: body})
    assert (finding.code, finding.grade) == ("discord_answer", "wrong")
    assert "DISCORD_API_URL" in finding.sentence


async def test_a_chat_that_is_away_is_told(session: ClientSession) -> None:
    nowhere = f"http://127.0.0.1:{unused_port()}"
    assert grades(await examine_telegram(telegram(nowhere), session)) == {"telegram_unreachable": "wrong"}
    assert grades(await examine_discord(discord(nowhere), session)) == {"discord_unreachable": "wrong"}


async def test_the_bots_of_the_test_servers_are_good(session: ClientSession) -> None:
    with telegram_process() as url:
        settings = settings_from({"TELEGRAM_TOKEN": TELEGRAM_TOKEN, "TELEGRAM_API_URL": url})
        assert "wrong" not in grades(await examine_telegram(settings, session)).values()
        assert grades(await examine_telegram(telegram(url), session)) == {"telegram_token": "wrong"}
    async with running_discord() as server:
        settings = settings_from({"DISCORD_TOKEN": server.token, "DISCORD_API_URL": server.api_url})
        assert "wrong" not in grades(await examine_discord(settings, session)).values()
        assert grades(await examine_discord(discord(server.api_url), session)) == {"discord_token": "wrong"}


async def test_no_finding_holds_a_token(answers: Answers, session: ClientSession) -> None:
    for status in (200, 401, 500):
        answers.status = status
        answers.bodies[f"/bot{TOKEN}/getMe"] = {"ok": True, "result": BOT}
        found = await examine_telegram(telegram(answers.url), session)
        found += await of_discord(answers, session)
        assert found
        assert "hush" not in repr(found)


@pytest.mark.parametrize(
    ("version", "grade"), [((3, 10), "wrong"), ((3, 11), "good"), ((3, 14), "good"), ((3, 15), "advice")]
)
def test_python_is_judged_by_its_version(version: tuple[int, int], grade: str) -> None:
    assert examine_python(version).grade == grade


def test_a_folder_that_cannot_be_made_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert examine_folder(tmp_path / "new" / "data").grade == "good"
    assert examine_folder(tmp_path / "file" / "data").grade == "wrong"


def test_the_font_has_every_turkish_letter() -> None:
    assert [finding.grade for finding in examine_font()] == ["good"]


def test_letters_that_all_look_alike_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "draw", lambda picture: b"the same box")
    (finding,) = examine_font()
    assert finding.grade == "wrong"
    assert "ğ" in finding.sentence


async def test_a_free_port_is_good_and_left_free(session: ClientSession) -> None:
    settings = settings_from({"WEB_PORT": str(unused_port())})
    assert grades(await examine_port(settings, session)) == {"port": "good"}
    assert grades(await examine_port(settings, session)) == {"port": "good"}


async def test_a_port_taken_by_a_stranger_is_wrong(answers: Answers, session: ClientSession) -> None:
    settings = settings_from({"WEB_PORT": answers.url.rpartition(":")[2]})
    assert grades(await examine_port(settings, session)) == {"port": "wrong"}


async def test_a_port_that_the_game_serves_is_good(answers: Answers, session: ClientSession) -> None:
    answers.bodies["/healthz"] = {"ok": True}
    settings = settings_from({"WEB_PORT": answers.url.rpartition(":")[2]})
    (finding,) = await examine_port(settings, session)
    assert finding.grade == "good"
    assert "already running" in finding.sentence


async def test_a_game_whose_store_is_away_is_no_stranger(answers: Answers, session: ClientSession) -> None:
    answers.bodies["/healthz"], answers.status = "the store is away\n", 503
    settings = settings_from({"WEB_PORT": answers.url.rpartition(":")[2]})
    (finding,) = await examine_port(settings, session)
    assert finding.grade == "advice"
    assert "already running" in finding.sentence


async def test_a_host_of_another_machine_is_wrong(session: ClientSession) -> None:
    # 192.0.2.0/24 is set aside for documentation: no machine has an address in it.
    settings = settings_from({"WEB_HOST": "192.0.2.1", "WEB_PORT": "0"})
    (finding,) = await examine_port(settings, session)
    assert (finding.grade, "WEB_HOST" in finding.sentence) == ("wrong", True)


async def test_the_embedded_store_is_tried_for_real(tmp_path: Path) -> None:
    found = await examine_store(settings_from({"DATA_DIR": str(tmp_path)}))
    assert grades(found) == {"data_dir": "good", "store": "good", "store_disk": "good"}


async def test_the_processes_at_work_are_told_with_what_they_do(valkey_url: str, tmp_path: Path) -> None:
    async with open_store(valkey_url, tmp_path) as store:
        await store.leases.attend("hall-7", frozenset({"tg"}), 60)
        await store.leases.claim(
            "hall-7", {3: frozenset({"clock", "tg"}), 4: frozenset({"clock"})}, frozenset()
        )
    findings = await examine_store(Settings(redis_url=Secret(valkey_url)))
    (told,) = [finding.sentence for finding in findings if finding.code == "process"]
    assert told == "The process hall-7 is at work: clock 2, receives tg, tg 1."


async def test_a_store_that_forgets_is_told(valkey_url: str, tmp_path: Path) -> None:
    """The tests' own server writes no append-only file."""
    found = grades(await examine_store(settings_from({"REDIS_URL": valkey_url, "DATA_DIR": str(tmp_path)})))
    assert found == {"store": "good", "store_append": "wrong"}
    with redis.Redis.from_url(valkey_url) as client:
        client.config_set("maxmemory", "100mb")
        client.config_set("maxmemory-policy", "allkeys-lru")
        try:
            settings = settings_from({"REDIS_URL": valkey_url, "DATA_DIR": str(tmp_path)})
            assert grades(await examine_store(settings)) == {"store": "wrong"}
        finally:
            client.config_set("maxmemory-policy", "noeviction")
            client.config_set("maxmemory", "0")


@pytest.mark.parametrize("address", ["redis://:hush@127.0.0.1:{port}", "localhost:6379", "hush://x"])
async def test_a_store_that_cannot_be_had_is_wrong(address: str, tmp_path: Path) -> None:
    settings = settings_from({"REDIS_URL": address.format(port=unused_port()), "DATA_DIR": str(tmp_path)})
    found = await examine_store(settings)
    assert grades(found) == {"store": "wrong"}
    assert "hush" not in repr(found)


async def test_without_a_token_the_page_alone_is_announced(tmp_path: Path) -> None:
    settings = settings_from({"DATA_DIR": str(tmp_path), "WEB_PORT": "0"})
    found = grades(await examine(settings))
    assert found["no_chat"] == "advice"
    assert set(found) == {"python", "arranger", "no_chat", "data_dir", "store", "store_disk", "font", "port"}


def doctor(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; from bot.main import main; sys.exit(main(['doctor']))"
    bare = {name: os.environ[name] for name in ("PATH",)}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder, env=bare | environment, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip


async def test_the_exit_status_says_whether_anything_is_wrong(tmp_path: Path) -> None:
    fine = await asyncio.to_thread(doctor, tmp_path, WEB_PORT="0")
    assert (fine.returncode, fine.stderr) == (0, "")
    assert "wrong" not in fine.stdout
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ill = await asyncio.to_thread(doctor, tmp_path, WEB_PORT=port, REDIS_URL="nonsense")
    assert ill.returncode == 1
    assert sum(line.startswith("wrong ") for line in ill.stdout.splitlines()) == 2


def test_a_misspelt_setting_is_an_advice(tmp_path: Path) -> None:
    told = doctor(tmp_path, WEB_PORT="0", OKEY_TURN_SECOND="hush").stdout
    assert told.startswith("advice  OKEY_TURN_SECOND is no setting")
    assert "hush" not in told


def test_a_setting_that_cannot_be_read_is_the_finding(tmp_path: Path) -> None:
    ill = doctor(tmp_path, WEB_PORT="http")
    words = "WEB_PORT must be a whole number from 0 to 65535."
    assert (ill.returncode, ill.stdout) == (1, f"wrong   {words}\n\n1 open point:\n1. {words}\n")


ACTIVITY = {"flags": 1 << 17, "redirect_uris": ["https://127.0.0.1"]}


@pytest.mark.parametrize(
    ("application", "found"),
    [
        (ACTIVITY, {"discord_activity": "good"}),
        ({}, {"discord_activity": "wrong", "discord_redirect": "wrong"}),
        ({**ACTIVITY, "flags": 1 << 12}, {"discord_activity": "wrong"}),
        ({**ACTIVITY, "redirect_uris": []}, {"discord_redirect": "wrong"}),
    ],
)
async def test_the_activity_must_be_switched_on_in_the_portal(
    answers: Answers, session: ClientSession, application: dict[str, Any], found: dict[str, str]
) -> None:
    path = "/applications/@me"
    answers.bodies = {**DISCORD, path: {**DISCORD[path], **application}}
    given = {"DISCORD_TOKEN": TOKEN, "DISCORD_API_URL": answers.url}
    plain = grades(await examine_discord(settings_from(given), session))
    secret = settings_from({**given, "DISCORD_CLIENT_SECRET": "hush"})
    assert dict(grades(await examine_discord(secret, session)).items() - plain.items()) == found


async def test_the_app_needs_https_and_an_answer(answers: Answers, session: ClientSession) -> None:
    assert await examine_app(settings_from({}), session) == []
    for url in (answers.url, f"https://127.0.0.1:{unused_port()}"):
        (finding,) = await examine_app(settings_from({"WEB_URL": url}), session)
        assert (finding.code, finding.grade) == ("web_url", "wrong")


async def test_everything_that_an_address_of_the_app_lacks_is_told_at_once(session: ClientSession) -> None:
    for url, lacks in {
        "http://okey.test": ["https://"],
        "https://okey.test/foo": ["end after the host"],
        "http://okey.test/foo": ["https://", "end after the host"],
    }.items():
        (finding,) = await examine_app(settings_from({"WEB_URL": url}), session)
        told = [words for words in ("https://", "end after the host") if words in finding.sentence]
        assert (finding.code, finding.grade, told) == ("web_url", "wrong", lacks)


async def test_the_beacon_answers_by_this_machines_clock() -> None:
    assert await examine_beacon(settings_from({})) == []
    async with running_beacon() as beacon:
        settings = settings_from({"OKEY_BEACON_URL": beacon.url})
        graded = [(each.code, each.grade) for each in await examine_beacon(settings)]
        beacon.info = {"genesis_time": beacon.genesis + 3600}
        (moved,) = await examine_beacon(settings)
        beacon.faults = ["500"]
        (silent,) = await examine_beacon(settings)
    assert graded == [("beacon", "good")]
    assert (moved.grade, "clock" in moved.sentence) == ("wrong", True)
    assert (silent.grade, "no answer" in silent.sentence) == ("wrong", True)


LISTED = {
    "bot_public": True,
    "description": "Okey.",
    "privacy_policy_url": "https://okey.test/privacy",
    "terms_of_service_url": "https://okey.test/terms",
    "approximate_guild_count": 12,
}
VERIFIED = {"public_flags": 1 << 16}


@pytest.mark.parametrize(
    ("application", "user", "points"),
    [
        ({}, {}, {}),
        ({"privacy_policy_url": None}, {}, {"public_discord": "WEB_URL/privacy"}),
        ({"terms_of_service_url": None}, {}, {"public_discord": "WEB_URL/terms"}),
        ({"description": ""}, {}, {"public_discord": "Description"}),
        ({"description": "", "bot_public": False}, {}, {}),
        ({"approximate_guild_count": 80}, {}, {"public_verified": "App Verification"}),
        ({"approximate_guild_count": 1999}, VERIFIED, {}),
        ({"approximate_guild_count": 2000}, VERIFIED, {"public_servers": "DISCORD_PUBLIC_KEY"}),
    ],
)
async def test_a_public_bot_on_discord_owes_a_policy_terms_and_room_to_grow(
    answers: Answers, session: ClientSession, application: Any, user: Any, points: dict[str, str]
) -> None:
    answers.bodies |= {**DISCORD, "/users/@me": DISCORD["/users/@me"] | user}
    answers.bodies["/applications/@me"] = DISCORD["/applications/@me"] | LISTED | application
    given = {"DISCORD_TOKEN": "hush", "DISCORD_API_URL": answers.url}
    operator = {"OPERATOR_NAME": "Ada", "OPERATOR_CONTACT": "@ada"}
    found = await examine_public(settings_from(given | operator), session)
    told = {each.code: each.sentence for each in found if each.grade == "advice"}
    assert told.keys() == points.keys()
    assert [words for code, words in points.items() if words not in told[code]] == []
    assert "public_contact" in grades(found)


async def test_what_telegram_shows_of_a_bot_is_asked_in_every_language(
    answers: Answers, session: ClientSession
) -> None:
    asked = telegram(answers.url)
    assert await examine_public(asked, session) == [], "a Telegram that gives no answer is told elsewhere"
    for method, text in (("getMyDescription", "Okey."), ("getMyShortDescription", "")):
        described = {"description": text, "short_description": text}
        answers.bodies[f"/bot{TOKEN}/{method}"] = {"ok": True, "result": described}
    found = await examine_public(asked, session)
    assert grades(found) == {
        "public_contact": "advice",
        "public_descriptions": "advice",
        "public_privacy": "by hand",
    }
    (lacking,) = [each.sentence for each in found if each.code == "public_descriptions"]
    assert [f"getMyShortDescription in {tag}" in lacking for tag in ("tr", "en", "de", "ko")] == [True] * 4
    assert "getMyDescription in" not in lacking
    assert open_points(found).startswith("2 open points:"), "nobody has checked the third"
