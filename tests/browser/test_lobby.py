"""The lobby on the page, with the whole program behind it: beside a match, and as people come and go."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import BrowserContext, Page, WebSocketRoute, expect

from tests.browser.slow_line import SlowLine
from tests.browser.test_round import Okey, come_in, okey, rack_of
from tests.browser.test_table import enter, typed

pytestmark = pytest.mark.asyncio(loop_scope="session")

__all__ = ["okey"]

START = re.compile("^Start")


async def play_now(page: Page, game: str = "Okey") -> None:
    await page.get_by_role("radio", name=game, exact=True).tap()
    await page.get_by_role("button", name="Play now").tap()


async def joined(context: BrowserContext, okey: Okey, name: str, table: str) -> Page:
    """Somebody who sits down at a friend's table."""
    page = await come_in(context, okey, name)
    await page.goto(f"{okey.url}{table}")
    await page.locator("[data-kind=sit]").first.tap()
    await expect(page.locator(".chair.mine")).to_contain_text(name)
    await page.locator("#reading [data-closes]").tap()  # the guide, for somebody who is new
    return page


APART = """chair => {
    const [one, other] = [...chair.querySelectorAll('button')].map(each => each.getBoundingClientRect());
    return other.top - one.bottom;
}"""
"""Pixels between the two buttons of a free chair."""


async def test_one_free_seat_is_a_computer_player_s(phone: BrowserContext, okey: Okey) -> None:
    page = await come_in(phone, okey, "Ada")
    await page.get_by_role("button", name="Play with friends").tap()
    assert await page.locator(".chair:has(button)").first.evaluate(APART) >= 4
    await page.get_by_role("radio", name="2 players").tap()
    await expect(page.get_by_role("button", name=START)).to_have_text("Start with a computer player")


LOBBIES = """() => {
    window.lobbies = 0;
    new MutationObserver(() => lobbies += document.querySelectorAll('.lobby, .chair').length)
        .observe(document.getElementById('app'), { subtree: true, childList: true });
}"""
"""Counts the lobbies that are drawn, however short."""


async def test_play_now_leads_to_the_deal_without_a_lobby_on_the_way(
    phone: BrowserContext, okey: Okey
) -> None:
    page = await come_in(phone, okey, "Ada")
    await page.get_by_role("radio", name="sharp").tap()  # the lobby is told of it before it starts
    await page.evaluate(LOBBIES)
    await play_now(page)
    await rack_of(page)
    assert await page.evaluate("lobbies") == 0
    await page.get_by_role("button", name="Home").tap()
    await page.get_by_role("button", name="Play with friends").tap()
    await expect(page.get_by_role("button", name=START)).to_be_visible()
    assert await page.evaluate("lobbies") > 0


async def test_a_second_match_begins_beside_the_first_and_both_racks_come_back(
    phone: BrowserContext, okey: Okey
) -> None:
    page = await come_in(phone, okey, "Ada")
    await play_now(page)
    await rack_of(page)
    first = page.url
    await page.get_by_role("button", name="Home").tap()
    await play_now(page, "Okey 101")
    await expect(page.locator("#rack .tile").nth(20)).to_be_visible()
    assert page.url != first
    await page.reload()
    await expect(page.locator("#rack .tile").nth(20)).to_be_visible()
    await page.get_by_role("button", name="Home").tap()
    await page.get_by_role("button", name=re.compile("^Okey Ada")).tap()
    await rack_of(page)
    assert page.url == first


async def test_each_tab_opens_a_match_of_its_own(phone: BrowserContext, okey: Okey) -> None:
    pages = [await come_in(phone, okey, name) for name in ("Ada", "Can")]
    for page in pages:
        await play_now(page)
        await rack_of(page)
        await expect(page.locator("#reading")).to_have_count(0)
    assert pages[0].url != pages[1].url


async def test_everybody_keeps_their_seat_when_others_leave_the_lobby(
    phone: BrowserContext, okey: Okey
) -> None:
    host = await come_in(phone, okey, "Ada")
    await host.get_by_role("button", name="Play with friends").tap()
    await expect(host.locator(".chair.mine")).to_contain_text("Ada")
    table = f"#{host.url.partition('#')[2]}"
    second, third = [await joined(phone, okey, name, table) for name in ("Can", "Ece")]
    await second.bring_to_front()
    await second.get_by_role("button", name="Leave").tap()
    await expect(third.locator(".chair.mine")).to_contain_text("Ece")
    await host.bring_to_front()
    await host.get_by_role("button", name="Leave").tap()
    await third.bring_to_front()
    await expect(third.locator(".chair.mine")).to_contain_text("Ece")
    await third.locator("#reading [data-closes]").tap()  # that they are the host now
    await third.get_by_role("button", name=START).tap()
    await rack_of(third)


async def test_the_first_page_shows_the_own_tables_first_and_where_it_is_the_own_turn(
    phone: BrowserContext, okey: Okey
) -> None:
    ece, ada = await come_in(phone, okey, "Ece"), await come_in(phone, okey, "Ada")
    for page in (ece, ada):
        await page.bring_to_front()
        await page.get_by_role("button", name="Play now").tap()
        await rack_of(page)
    turn = ada.locator("button.stock.open, .pile.br.open").first
    await expect(turn).to_be_visible()
    await ada.get_by_role("button", name="Home").tap()
    cards = ada.locator(".card")
    await expect(cards).to_have_count(2)
    await expect(cards.first).to_contain_text("Ada")
    await expect(cards.first).to_contain_text("Your turn")
    await expect(cards.last).not_to_contain_text("Your turn")
    assert await ada.locator(".card, .press.big").first.get_attribute("class") == "card"


@pytest_asyncio.fixture(loop_scope="session")
async def counting(tmp_path: Path) -> AsyncIterator[Okey]:
    """A program that gives a full lobby an hour: however slow the machine is, none starts by itself."""
    program = Okey(tmp_path, {"OKEY_FULL_LOBBY_SECONDS": "3600"})
    await program.start()
    yield program
    await program.stop()


async def test_a_full_lobby_shows_when_it_starts_until_its_host_says_not_yet(
    phone: BrowserContext, counting: Okey
) -> None:
    ada, ece = await come_in(phone, counting, "Ada"), await come_in(phone, counting, "Ece")
    await typed(ada, "/play okey 2")
    await expect(ada.locator(".chair.mine")).to_be_visible()
    await expect(ada.locator(".starts, [data-kind=hold]")).to_have_count(0)
    await ece.goto(await address_of(ada))
    await ece.locator("[data-kind=sit]").first.tap()
    for page in (ada, ece):
        await expect(page.locator(".starts")).to_have_text(re.compile(r"^Starts in (\d+:)?\d+:\d\d$"))
    await expect(ece.get_by_role("button", name="Not yet")).to_have_count(0)
    await ada.bring_to_front()
    await ada.locator("#reading [data-closes]").tap()  # the guide, for somebody who is new
    await ada.get_by_role("button", name="Not yet").tap()
    for page in (ada, ece):
        await expect(page.locator(".starts, [data-kind=hold]")).to_have_count(0)
        await expect(page.locator(".chair.taken")).to_have_count(2)


async def test_a_lobby_of_partners_says_whose_partner_each_seat_is(phone: BrowserContext, okey: Okey) -> None:
    ada, ece = await come_in(phone, okey, "Ada"), await come_in(phone, okey, "Ece")
    await typed(ada, "/play okey-partners")
    await ece.goto(await address_of(ada))
    chairs = ece.locator(".chair")
    await expect(chairs.nth(2)).to_contain_text("with Ada")
    await expect(ece.locator(".chair .with")).to_have_count(1)
    await chairs.nth(2).locator("[data-kind=sit]").tap()
    await expect(chairs.nth(2)).to_contain_text("Ece")
    await expect(chairs.nth(0)).to_contain_text("with Ece")
    await expect(ece.locator(".chair .with")).to_have_count(2)


async def test_a_free_seat_is_taken_from_the_first_page(phone: BrowserContext, okey: Okey) -> None:
    """Opposite a friend, to be partners, with one tap; all else of the card leads to the lobby."""
    ada, ece = await come_in(phone, okey, "Ada"), await come_in(phone, okey, "Ece")
    await typed(ada, "/play okey-partners")
    await address_of(ada)
    spots = ece.locator(".card .spot")
    await expect(spots).to_have_count(4)
    await expect(spots.first).to_contain_text("Ada")
    await expect(ece.locator(".card button.spot")).to_have_count(3)
    opposite = ece.get_by_role("button", name="Sit here with Ada")
    box = await opposite.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    await ece.locator(".card .goes").tap()
    await expect(ece.locator(".chair")).to_have_count(4)
    await ece.get_by_role("button", name="Home").tap()
    await opposite.tap()
    await expect(ece.locator(".chair").nth(2)).to_contain_text("Ece")
    await expect(ada.locator(".chair").nth(2)).to_contain_text("Ece")


async def address_of(page: Page) -> str:
    """The address of the lobby that a page shows, once it does."""
    await expect(page.locator(".chair.mine")).to_be_visible()
    return page.url


async def test_who_waits_in_a_lobby_reads_who_starts_and_how_long_a_turn_lasts(
    phone: BrowserContext, okey: Okey
) -> None:
    ada, ece = await come_in(phone, okey, "Ada"), await come_in(phone, okey, "Ece")
    await ada.get_by_role("button", name="Play with friends").tap()
    await ece.goto(await ada.get_by_label("Invite").input_value())
    await ece.get_by_role("button", name="Sit here").first.tap()
    await expect(ece.locator(".lobby")).to_contain_text("Ada starts the match.")
    await expect(ece.locator(".lobby")).to_contain_text("1 minute")
    await expect(ada.locator(".lobby")).not_to_contain_text("starts the match")


async def test_a_page_loaded_anew_goes_on_with_what_was_chosen(phone: BrowserContext, okey: Okey) -> None:
    """The first page is lost before it can start the match in the lobby that it has opened."""
    page, starts = await phone.new_page(), list[str]()

    def without_starts(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def passed(message: str | bytes) -> None:
            if '"start.' in str(message) and len(starts) < 1:
                starts.append(str(message))
            else:
                server.send(message)

        line.on_message(passed)

    await page.route_web_socket(re.compile("/socket$"), without_starts)
    await enter(page, okey.url)
    await page.get_by_role("button", name="Play now").tap()
    await expect(page.get_by_text("Dealing the tiles…")).to_be_visible()
    while not starts:
        await page.wait_for_timeout(20)
    await page.reload()
    await rack_of(page)


async def test_the_first_page_stays_when_racks_of_before_come_after_the_way_to_it(
    phone: BrowserContext, okey: Okey
) -> None:
    """A page loaded anew has the first rack, and the viewer goes home before the second comes."""
    page = await come_in(phone, okey, "Ada")
    for game in ("Okey", "Okey 101"):
        await play_now(page, game)
        await rack_of(page)
        await page.get_by_role("button", name="Home").tap()
    tables = page.locator(".card")
    await expect(tables).to_have_count(2)
    line = await SlowLine.of(page)
    line.hold(after="rack")
    await page.reload()
    await rack_of(page)
    await page.get_by_role("button", name="Home").tap()
    await line.until_held("rack", then="welcome")
    line.let_go()
    await expect(tables).to_have_count(2)
    await expect(page.get_by_role("button", name="Play now")).to_be_visible()
    await tables.first.tap()
    await rack_of(page)


async def test_a_lobby_that_everybody_has_left_is_not_listed_as_alive(
    phone: BrowserContext, okey: Okey
) -> None:
    ada, ece = await come_in(phone, okey, "Ada"), await come_in(phone, okey, "Ece")
    await ada.get_by_role("button", name="Play with friends").tap()
    await expect(ada.locator(".chair.mine")).to_be_visible()
    card = ece.locator(".card")
    await expect(card).to_be_visible()
    await expect(card.locator(".here")).to_contain_text("Ada")
    await ada.close()
    await expect(card).to_be_hidden()
    await ece.get_by_text("Where nobody is").tap()
    await expect(card).to_be_visible()
    await expect(card.locator(".here")).to_have_count(0)


async def test_people_who_look_on_are_counted_at_the_table_and_on_the_first_page(
    phone: BrowserContext, okey: Okey
) -> None:
    ada, ece = await come_in(phone, okey, "Ada"), await come_in(phone, okey, "Ece")
    await play_now(ada)
    await rack_of(ada)
    watchers = ada.get_by_role("img", name="1 watches")
    await expect(watchers).to_have_count(0)
    await ece.locator(".card").tap()
    for width, height in ((360, 640), (844, 390)):
        await ada.set_viewport_size({"width": width, "height": height})
        await expect(watchers).to_be_visible()
    await ece.get_by_role("button", name="Home").tap()
    await expect(watchers).to_have_count(0)


async def test_the_first_page_leads_to_the_own_profile(phone: BrowserContext, okey: Okey) -> None:
    ada = await come_in(phone, okey, "Ada")
    await ada.get_by_role("button", name="My profile").tap()
    await expect(ada.get_by_text("Nothing here yet")).to_be_visible()  # of somebody who is new
    await expect(ada.locator(".note.urgent")).to_have_count(0)


async def test_a_lobby_tells_in_words_what_its_rules_change(phone: BrowserContext, okey: Okey) -> None:
    page = await come_in(phone, okey, "Ada")
    await typed(page, "/play okey101 rounds=7 strict=true")
    lobby = page.locator("#table")
    await expect(lobby).to_contain_text("7 rounds")
    await expect(lobby).to_contain_text("an opening that is too small costs 101")
