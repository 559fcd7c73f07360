"""Policies: the same words in the chats, on the web and in the docs, with the name of who runs the bot."""

import runpy
from pathlib import Path

import pytest
from aiohttp import ClientSession

from adapters.discord_chat.rendering import LONGEST_TEXT
from adapters.web import PolicyPages, WebServer
from bot.i18n import LANGUAGES, plain, words_for
from bot.markup import Link
from bot.screens.policies import PARTS, Operator, PolicyName, policy_document, policy_page
from bot.store import Store
from tests.bot.house import open_house, page_of

ROOT = Path(__file__).parents[2]
OPERATOR = Operator("Okey Kulübü", "https://okey.example/contact")
POLICIES: tuple[PolicyName, ...] = ("privacy", "terms")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("policy", POLICIES)
def test_each_page_fits_into_a_message_and_leads_on(policy: PolicyName, language: str) -> None:
    words, last = words_for(language), len(PARTS[policy])
    for number in range(1, last + 1):
        page = policy_page(policy, number, OPERATOR, words, web_url="https://okey.example", turns=True)
        assert len(plain(page.text, words)) <= LONGEST_TEXT
        presses = [button.press for row in page.buttons for button in row]
        assert (f"{policy}.me.0.{number + 1}" in presses) is (number < last)
        assert (f"{policy}.me.0.{number - 1}" in presses) is (number > 1)
        assert f"https://okey.example/{policy}" in [p.url for p in page.text if isinstance(p, Link)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_runs_the_bot_is_named_or_it_is_said_that_nobody_is(language: str) -> None:
    words = words_for(language)
    for policy in POLICIES:
        who = policy_document(policy, OPERATOR, words).sections[-1].lines[0]
        assert OPERATOR.name in plain(who, words)
        assert Link(OPERATOR.contact, OPERATOR.contact) in who
        nobody = plain(policy_document(policy, Operator(), words).sections[-1].lines[0], words)
        assert words.plain("policy.unnamed") in nobody
        assert words.plain("policy.no_contact") in nobody


@pytest.mark.parametrize(("verb", "argument"), [("okey", "privacy"), ("privacy", ""), ("gizlilik", "")])
async def test_everybody_is_told_in_groups_and_in_private(store: Store, verb: str, argument: str) -> None:
    async with open_house(store, work=False, web_url="https://okey.example", operator=OPERATOR) as house:
        ada = house.person("Ada")
        for place in (None, "mem:group"):
            page = page_of(await house.type(ada, verb, argument, place=place))
            assert plain(page.text, words_for("en")).startswith("Privacy · 1/3\n\nWhat is kept\n")
        last = page_of(await house.press(ada, "privacy.me.0.3"))
        assert "Okey Kulübü runs this bot." in plain(last.text, words_for("en"))
        terms = page_of(await house.press(ada, "terms.me.0.1"))
        assert "It costs nothing." in plain(terms.text, words_for("en"))
        for wrong in ("privacy.me.0.4", "privacy.me.0.0", "terms.me.0.3", "terms.me.0.x", "terms.me.0"):
            assert (await house.press(ada, wrong)).code == "unknown_button"


async def test_the_web_serves_both_in_the_language_that_is_wanted() -> None:
    server = WebServer("127.0.0.1", 0)
    PolicyPages(lambda policy, words: policy_document(policy, OPERATOR, words), server)
    await server.start()
    try:
        async with ClientSession() as session:
            for policy in POLICIES:
                for language in LANGUAGES:
                    title = words_for(language).plain(f"policy.{policy}")
                    asked = f"{server.url}{policy}"
                    liked = {"Accept-Language": language}
                    for query, headers in ((f"?lang={language}", {}), ("", liked), ("?lang=xx", liked)):
                        async with session.get(asked + query, headers=headers) as answer:
                            text = await answer.text()
                            assert answer.status == 200
                            assert f'<html lang="{language}">' in text
                            assert f"<h1><bdi>{title}</bdi></h1>" in text
                            assert OPERATOR.name in text
                            assert "noindex" not in text
                            assert "X-Robots-Tag" not in answer.headers
    finally:
        await server.stop()


def test_the_docs_say_the_same() -> None:
    for path, text in runpy.run_path(str(ROOT / "docs" / "policies.py"))["pages"]().items():
        assert path.read_text("utf-8") == text, f"{path.name}: make policies"
