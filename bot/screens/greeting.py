"""Greeting: the first words to a group or a server, and to people who write to the bot."""

from bot.callback_data import callback_text
from bot.i18n import Words, join
from bot.markup import Button, Link, Page, PublicScreen
from bot.ports import platform_of
from bot.screens.community import VERB
from bot.screens.help import HelpFacts, first_rows, practice_button, where_line
from bot.screens.parts import own_button, say_on

_TABLE = "greeting"
"""Stands in place of a table's id."""


def greeting_page(place: str, words: Words) -> Page:
    """Return what the bot is, for everybody in a place, with the first steps."""
    language = Button((words.plain("button.language"),), callback_text(VERB, place, 0, "langs"))
    return Page(
        text=say_on(platform_of(place), "greeting", words),
        buttons=(
            (own_button(words, "open_table", style="good"), own_button(words, "guide", 1)),
            (own_button(words, "help", says="first_help"), language),
        ),
    )


def as_public(page: Page) -> PublicScreen:
    """Return a page as a message for everybody in a place."""
    return PublicScreen(
        table=_TABLE, version=0, text=page.text, picture=None, alt="", buttons=page.buttons, over=True
    )


def hello_page(facts: HelpFacts, words: Words) -> Page:
    """Return a kind line to somebody who writes to the bot in private; who sits at a table is told how it
    stands there, since that is what they ask about."""
    if facts.table is not None and facts.seat is not None:
        buttons = (
            *first_rows(facts, words),
            (own_button(words, "guide"), own_button(words, "help", says="first_help")),
        )
        return Page(text=where_line(facts, words), buttons=buttons)
    lines = [words.say("notice.hello")]
    if facts.add is not None:
        lines.append((Link(words.plain("help.add"), facts.add),))
    return Page(text=join(lines), buttons=((practice_button(words), own_button(words, "guide", 1)),))
