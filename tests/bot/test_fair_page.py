"""The page that checks a table's deals: who gets it, what it holds, and that it says what is wrong."""

import json
import re
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest
from aiohttp import ClientSession

from adapters.web import FairPages, WebServer
from adapters.web.markup import renderer_for
from bot.i18n import LANGUAGES, plain, words_for
from bot.ids import TableId
from bot.markup import Link, Page
from bot.screens.check import FILES, check_file, check_page, file_of
from bot.screens.fair import fair_page
from bot.screens.table import public_screen
from bot.store import Store
from bot.tables.facts import table_facts
from engine.rules import PRESETS
from engine.verify import verify
from tests.bot.house import House, offers, open_house
from tests.bot.rounds import play_round
from tests.engine.forgeries import DRAND, FORGERIES, forge, honest
from tests.patience import eventually

pytestmark = pytest.mark.long

ENGLISH = words_for("en")
DIGITS = re.compile(r"[0-9a-f]{12}")
BOUND = re.compile(r"^🔒 Fair deal · fingerprint ([0-9a-f]{16})$", re.MULTILINE)
ROOM = Path(__file__).parents[2] / "bot" / "screens" / "check"
RUN = """
import { check } from "./check.mjs";
import { readFileSync } from "node:fs";
for (const record of JSON.parse(readFileSync(0, "utf-8"))) {
  try {
    console.log(JSON.stringify({ right: (await check(record)).length }));
  } catch (error) {
    console.log(JSON.stringify({ code: error.code ?? String(error) }));
  }
}
"""
with_node = pytest.mark.skipif(shutil.which("node") is None, reason="the page's script runs in a browser too")


def answers(folder: Path, records: list[object]) -> list[dict[str, object]]:
    """What the page's script says of records."""
    (folder / "check.mjs").write_bytes(file_of("check.js"))
    (folder / "run.mjs").write_text(RUN)
    done = subprocess.run(
        ["node", str(folder / "run.mjs")],
        input=json.dumps(records),
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@with_node
def test_the_script_accepts_honest_matches_of_every_preset(tmp_path: Path) -> None:
    records = [honest(preset, 4, beacon) for preset in PRESETS for beacon in (None, DRAND)]
    assert answers(tmp_path, [*records]) == [{"right": len(record["rounds"])} for record in records]


@with_node
def test_the_script_refuses_what_is_forged_and_says_why(tmp_path: Path) -> None:
    forged = [forge(honest(beacon=beacon), way) for way in FORGERIES for beacon in (None, DRAND)]
    said = answers(tmp_path, [*forged, {}, None, [], {**honest(), "rounds": []}])
    told = json.loads(
        re.findall(r'data-words="([^"]*)"', check_page(words_for("en")))[0].replace("&quot;", '"')
    )
    for answer in said:
        assert f"refused.{answer['code']}" in told, answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_needs_nothing_from_outside(language: str) -> None:
    record = {**honest(), "seats": ["</script><script>alert(1)</script>", "Can", "Ece", "Ali"]}
    page = check_file(words_for(language), json.dumps(record).encode()).decode()
    assert not re.search(r'(src|href)="(?!data:)', page)
    assert "default-src 'none'" in page
    assert page.count("<script") == 2
    (held,) = re.findall(r'<script type="application/json" id="record">(.*?)</script>', page, re.DOTALL)
    assert json.loads(held) == record


async def over(house: House) -> str:
    """A table between two rounds."""
    ada = house.person("Ada")
    table = await house.open(ada, words="2 quick")
    await house.press(ada, f"start.{table}.0", private=False)
    await play_round(house, table)
    return table


def closed(house: House, messages: int) -> bool:
    """Whether this many messages stay to be read, with newer ones below."""
    return len(house.chat.last) == messages


async def page_for(house: House, name: str, press: str, **given: object) -> Page | None:
    return (await house.press(house.person(name), press, **given)).page  # type: ignore[arg-type]


async def test_two_taps_lead_to_a_file_with_the_record(store: Store) -> None:
    async with open_house(store, work=False) as house:
        table = await over(house)
        first = await page_for(house, "Ada", f"fair.{table}.0", private=False)
        assert first is not None
        (check,) = offers(first, "fair_check")
        second = await page_for(house, "Ada", check.press)
        assert second is not None
        assert second.file is not None
        assert second.file.name == f"okey-{table}.html"
        (held,) = re.findall(rb'id="record">(.*?)</script>', second.file.content, re.DOTALL)
        assert verify(json.loads(held))["bound"]


async def test_what_a_deal_is_bound_to_stays_above_the_table_and_is_the_records(store: Store) -> None:
    """Each deal closes a message, the lobby or a result. The table's own message has no digits of it."""
    async with open_house(store, computer=3600.0, turn=3600, next_round=3600) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="2 end=rounds rounds=9")
        await eventually(lambda: len(house.chat.tables) > 0)
        await house.press(ada, f"start.{table}.0", private=False)
        for round_number in (1, 2):
            await eventually(partial(closed, house, round_number))
            assert not DIGITS.search(plain((await house.look()).text, ENGLISH))
            (digits,) = BOUND.findall(plain(house.chat.last[-1][1].text, ENGLISH))
            await play_round(house, table)
            result = await house.look()
            assert not DIGITS.search(plain(result.text, ENGLISH))
            page = await page_for(house, "Ada", f"fair.{table}.0", private=False)
            assert page is not None
            assert f"fingerprint: {digits}" in plain(page.text, ENGLISH)
            (following,) = offers(result, "next")
            await house.press(ada, following.press, private=False)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_page_says_how_the_dice_fell(store: Store, language: str) -> None:
    words = words_for(language)
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="2")
        await house.press(ada, f"start.{table}.0", private=False)
        stored = await house.app.tables.load(TableId(table))
        assert stored is not None
        facts = table_facts(stored.value, None)
        assert facts.view is not None
        stack, *others = facts.view.dice
        told = words.say("fair.dice", round=1, stack=stack, tiles=", ".join(map(str, others)))
        assert plain(told, words) in plain(fair_page(facts, words).text, words)
        assert plain(told, words) not in plain(public_screen(facts, words).text, words)


async def test_before_the_first_round_is_over_there_is_nothing_to_check(store: Store) -> None:
    async with open_house(store, work=False) as house:
        ada = house.person("Ada")
        table = await house.open(ada, words="2 quick")
        shown = await page_for(house, "Ada", f"fair.{table}.0", private=False)
        assert shown is not None
        assert not offers(shown, "fair_check")
        assert (await house.press(ada, f"fair_check.{table}.0")).code == "no_record"


async def test_where_there_is_a_web_server_the_second_tap_is_a_link_of_ones_own(store: Store) -> None:
    server = WebServer("127.0.0.1", 0)
    async with open_house(store, work=False, web_url="https://okey.test") as house, ClientSession() as web:
        table = await over(house)
        shown = await page_for(house, "Ada", f"fair_check.{table}.0", private=False)
        assert shown is not None
        assert shown.file is None
        (link,) = [part for part in shown.text if isinstance(part, Link)]
        address, key = link.url.split("#")
        assert address == "https://okey.test/fair"
        assert "an hour" in plain(shown.text, words_for("en"))
        FairPages(house.app.fair, server)
        await server.start()
        try:
            for path in ("", *(f"/{name}" for name in FILES)):
                async with web.get(f"{server.url}fair{path}") as answer:
                    assert answer.status == 200
                    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
                    assert "onclick" not in await answer.text()
            bearer = {"Authorization": f"Bearer {key}"}
            async with web.get(f"{server.url}fair/record", headers=bearer) as answer:
                assert answer.headers["Cache-Control"] == "no-store"
                assert verify(await answer.json())["bound"]
            for wrong in ({}, {"Authorization": f"Bearer {key[:-1]}"}, {"Authorization": f"Bearer {table}"}):
                async with web.get(f"{server.url}fair/record", headers=wrong) as answer:
                    assert answer.status == 404
            await house.press(house.person("Ada"), "forget_now.me.0")
            async with web.get(f"{server.url}fair/record", headers=bearer) as answer:
                assert answer.status == 404, "it was theirs"
        finally:
            await server.stop()


@pytest.mark.parametrize(
    ("url", "leads"),
    [("/fair#k", True), ("//evil.test", False), ("/\\evil.test", False), ("javascript:x", False)],
)
def test_the_local_page_links_to_its_own_server_alone(url: str, leads: bool) -> None:
    assert ("<a " in renderer_for("en").text((Link("Check", url),))) is leads
