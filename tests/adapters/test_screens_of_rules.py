"""The dialogue of the rules in each chat: what differs stands out, and every page keeps the limits."""

import random
from collections.abc import Iterator

import pytest

from adapters.discord_chat.emojis import TileEmojis
from adapters.discord_chat.rendering import LONGEST_TEXT, Rendered, markdown
from adapters.telegram_chat.rendering import CAPTION_LIMIT, TEXT_LIMIT, as_html
from bot.i18n import LANGUAGES, Words, words_for
from bot.markup import Page
from bot.screens.lobby import group_page, preset_page, switch_page, value_page
from bot.screens.rules import more_rules_page, rules_page
from bot.screens.switches import groups_of, setting
from bot.tables.facts import TableFacts, table_facts
from engine.rules import PRESETS, rules_from
from tests.adapters.limits import assert_fits
from tests.bot.hands import a_match

pytestmark = pytest.mark.long

CHANGED = {"riziko": True, "factors": [10, 10, 10, 10], "false_joker_indicator": "next_tile"}
OF_CLASSIC = {"show_spares": 20, "one_color_double": "red_black", "stack_doublings": False}
OF_101 = {
    "last_factor": 10,
    "extend_within": 500,
    "openers_pay": "uncombined",
    "penalties": ["joker_left", "joker_discard", "playable_discard", "failed_opening", "fed_opening"],
}
"""What makes the lines about a table long."""


def table_of(preset: str) -> TableFacts:
    more = OF_101 if "101" in preset else OF_CLASSIC if preset == "okey" else {}
    rules = rules_from({"preset": preset, **CHANGED, **more})
    return table_facts(next(a_match(rules, random.Random(1), steady=1)), None)


def pages(facts: TableFacts, words: Words) -> Iterator[Page]:
    yield preset_page(facts, words)
    yield switch_page(facts, words)
    for group, switches in groups_of(facts.rules).items():
        yield group_page(facts, words, group)
        yield from (value_page(facts, words, switch, asks=True) for switch in switches)
    yield rules_page(facts.rules, words)
    yield more_rules_page(facts.rules, words)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_page_of_the_rules_fits_both_chats(preset: str, language: str) -> None:
    words = words_for(language)
    for page in pages(table_of(preset), words):
        assert_fits(page)
        limit = TEXT_LIMIT if page.picture is None else CAPTION_LIMIT
        assert as_html(page.text, limit) == as_html(page.text, 10**6), "nothing is cut off"
        shown = Rendered(page, None, TileEmojis())
        assert not shown.needs_v2, "it is an ordinary message with all its buttons"
        assert shown._text(LONGEST_TEXT) == shown._text(10**6)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", ["okey", "okey101-tournament"])
def test_what_differs_is_bold_in_both_chats(preset: str, language: str) -> None:
    words, facts = words_for(language), table_of(preset)
    for group, switches in groups_of(facts.rules).items():
        text = group_page(facts, words, group).text
        html, discord = as_html(text, TEXT_LIMIT), markdown(text, TileEmojis(), LONGEST_TEXT)
        for switch in switches:
            told = setting(words, switch, getattr(facts.rules, switch))
            differs = getattr(facts.rules, switch) != getattr(rules_from({"preset": preset}), switch)
            assert (f"• <b>{told}</b>" in html) == (f"• **{told}**" in discord) == differs, switch
            assert told in html
