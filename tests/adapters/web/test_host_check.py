"""Who may talk to the page."""

import json
import re
from base64 import b64encode
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from aiohttp import ClientSession, WSServerHandshakeError, web
from aiohttp.test_utils import make_mocked_request

import adapters.web
from adapters.web import WebServer, measurements
from adapters.web.headers import HostCheck
from adapters.web.scripts import join_scripts
from adapters.web.server import files_version
from tests.adapters.web.conftest import BrowserPage

STATIC = Path(adapters.web.__file__).parent / "static"
TYPES = (
    "text/css",
    "text/javascript",
    "image/svg+xml",
    "image/png",
    "application/manifest+json",
    "font/woff2",
)
TOP_LEVEL = re.compile(r"^(?:export )?(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
"""Declares a name at the top of a module."""
MOST = 117_000
"""Bytes of the whole page with its font and icons, what is compressed as it is sent; 140 kB are the limit."""


@pytest.mark.parametrize("host", ["0.0.0.0", "127.0.0.1"])
async def test_the_address_that_is_printed_can_be_opened(host: str) -> None:
    server = WebServer(host, 0)
    await server.start()
    assert server.url.startswith(("http://localhost:", "http://127.0.0.1:"))
    async with ClientSession() as session, session.get(server.url) as response:
        assert response.status == 404
    await server.stop()


async def test_the_page_allows_only_its_own_scripts_and_no_frame(page: BrowserPage) -> None:
    async with page.session.get(page.url) as response:
        policy = response.headers["Content-Security-Policy"]
        assert response.status == 200
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        (style,) = re.findall("<style>(.*?)</style>", await response.text(), re.DOTALL)
        digest = b64encode(sha256(style.encode()).digest()).decode()
        assert f"style-src 'self' 'sha256-{digest}';" in policy
        assert response.headers["Cache-Control"] == "no-store"
        assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_everything_that_the_page_asks_for_is_there(page: BrowserPage) -> None:
    async with page.session.get(page.url) as response:
        files = re.findall(r'(?:href|src)="(/static/[^"]+)"', await response.text())
    base = f"/static/{files_version()}/"
    assert [file for file in files if file.endswith(".js")] == [f"{base}app.js"]
    manifest = json.loads((STATIC / "app.webmanifest").read_text("utf-8"))
    for file in [*files, f"{base}turn.svg", *(base + icon["src"] for icon in manifest["icons"])]:
        async with page.session.get(page.url.rstrip("/") + file) as response:
            assert response.status == 200
            assert response.content_type in TYPES
            assert ("css" in response.content_type) == file.endswith(".css")
            assert ("javascript" in response.content_type) == file.endswith(".js")
            assert response.headers["X-Content-Type-Options"] == "nosniff"
            assert response.headers["Referrer-Policy"] == "no-referrer"
            assert ("Content-Security-Policy" in response.headers) == file.endswith(".svg"), "a document"
            assert "immutable" in response.headers["Cache-Control"]
    async with page.session.get(f"{page.url}static/{'0' * 24}/app.js") as other:
        assert (other.status, other.headers["Cache-Control"]) == (200, "no-cache")


async def test_the_whole_page_is_small_and_sent_once(page: BrowserPage) -> None:
    total, headers = 0, {"Accept-Encoding": "gzip"}
    async with page.session.get(page.url, headers=headers) as response:
        files = re.findall(r'(?:href|src)="(/static/[^"]+)"', await response.text())
        total += len(await response.read())
        assert response.headers["Vary"] == "Accept-Language, Accept-Encoding"
    for file in files:
        address = page.url.rstrip("/") + file
        async with page.session.get(address, headers=headers) as response:
            total += int(response.headers.get("Content-Length", 0)) or len(await response.read())
            tag = response.headers["ETag"]
        async with page.session.get(address, headers={"If-None-Match": tag}) as response:
            assert (response.status, await response.read()) == (304, b"")
            assert response.headers["Vary"] == "Accept-Encoding"
    assert 0 < total < MOST


async def test_the_page_s_modules_are_sent_as_one_script_without_their_comments(page: BrowserPage) -> None:
    async with page.session.get(f"{page.url}static/{files_version()}/app.js") as response:
        sent = (await response.text()).split("\n")
    of_leagues = {"wall.js", "members.js"}  # on pages of their own
    modules = [path for path in STATIC.glob("*.js") if path.name not in of_leagues]
    whole = Counter(line for path in modules for line in path.read_text("utf-8").split("\n") if line)
    dropped = whole - Counter(sent)
    assert not Counter(filter(None, sent)) - whole, "nothing is sent twice"
    assert all(line.startswith("import ") or line.lstrip().startswith(("//", "/**", "*")) for line in dropped)
    assert not any(line.startswith("import ") or line.lstrip().startswith("// ") for line in sent)


def test_names_at_the_top_of_modules_differ_as_they_share_one_scope() -> None:
    sent = join_scripts(STATIC / "app.js")
    declared = Counter(TOP_LEVEL.findall(sent))
    assert len(declared) > 400
    assert [name for name, times in declared.items() if times > 1] == []


@pytest.mark.parametrize("path", ["", f"static/{files_version()}/app.js", "qr/k7xq3a.svg"])
async def test_who_asks_for_the_headers_gets_them_alone(page: BrowserPage, path: str) -> None:
    async with page.session.head(page.url + path) as response:
        assert (response.status, await response.read()) == (200, b"")
    async with page.session.get(page.url + path) as whole:
        assert response.content_type == whole.content_type
        assert response.headers.get("ETag") == whole.headers.get("ETag")


@pytest.mark.parametrize(
    "path",
    [
        "static/none.js",
        "static/types.d.ts",
        "static/tsconfig.json",
        "static/..%2fchat.py",
        "static/chat.py",
        "templates/page.html",
    ],
)
async def test_nothing_else_can_be_fetched(page: BrowserPage, path: str) -> None:
    async with page.session.get(page.url + path) as response:
        assert response.status == 404


@pytest.mark.parametrize(
    "name",
    [
        *("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", ""),
        *("evil.example@127.0.0.1", f"{'x' * 100}@localhost", "localhost:80:80", f"localhost:{'1' * 100}"),
    ],
)
async def test_a_name_that_is_made_to_point_here_is_refused(page: BrowserPage, name: str) -> None:
    for path in ("", f"static/{files_version()}/app.js", "qr/k7xq3a.svg", "socket"):
        async with page.session.get(page.url + path, headers={"Host": name}) as response:
            assert response.status in (400, 421)


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST:80", "127.0.0.1:1", "127.9.9.9", "[::1]:7"])
async def test_the_names_of_this_machine_are_fine(page: BrowserPage, name: str) -> None:
    async with page.session.get(page.url, headers={"Host": name}) as response:
        assert response.status == 200


@pytest.mark.parametrize(
    "origin", ["", "null", "http://evil.example", "http://127.0.0.1", "file://", "https://127.0.0.1:1"]
)
async def test_no_other_site_can_open_the_socket(page: BrowserPage, origin: str) -> None:
    with pytest.raises(WSServerHandshakeError) as refused:
        await page.connect(Origin=origin)
    assert refused.value.status == 403


def test_a_page_for_the_network_answers_to_addresses_and_its_own_name() -> None:
    hosts = HostCheck("okey.lan")
    for name in ("192.168.1.7:8000", "okey.lan", "[fd00::1]"):
        hosts.check_host(_asked_as(name))
    with pytest.raises(web.HTTPMisdirectedRequest):
        hosts.check_host(_asked_as("evil.example"))


def _asked_as(name: str) -> web.Request:
    return make_mocked_request("GET", "/", headers={"Host": name})


async def test_no_other_site_can_read_the_measurements(unused_tcp_port: int) -> None:
    async def measure() -> None:
        pass

    server = WebServer("127.0.0.1", unused_tcp_port)
    server.add_route("GET", "/metrics", measurements(server.host, measure))
    await server.start()
    try:
        async with ClientSession() as session:
            for host, status in (("127.0.0.1", 200), ("localhost:9090", 200), ("evil.example", 421)):
                async with session.get(f"{server.url}metrics", headers={"Host": host}) as answer:
                    assert (answer.status, "okey_presses" in await answer.text()) == (status, status == 200)
    finally:
        await server.stop()
