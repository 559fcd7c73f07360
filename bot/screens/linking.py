"""Linking: the questions whether to link two accounts, and their answers."""

from bot.i18n import Words
from bot.markup import Name, Page
from bot.people.accounts import Proposal
from bot.ports import platform_of
from bot.screens.parts import own_button, say_on
from bot.tables.membership import tag


def question_page(proposal: Proposal, words: Words) -> Page:
    """Return the question whether to link with an account: its name, what comes along, and two buttons."""
    other = proposal.other
    title = say_on(platform_of(other.key), "link.asks", words, who=Name(other.name))
    named = tag(other.key)
    row = (own_button(words, "link_yes", named, style="primary"), own_button(words, "link_no", named))
    return Page(text=(*title, "\n", *words.say("link.means")), buttons=(row,))


def waiting_page(proposal: Proposal, words: Words) -> Page:
    """Return the page after the first yes: the other account has the question now."""
    other = proposal.other
    text = say_on(platform_of(other.key), "link.waits", words, who=Name(other.name))
    row = (own_button(words, "link_no", tag(other.key), says="link_back"),)
    return Page(text=text, buttons=(row,), turns=True)


def yes_page(proposal: Proposal, words: Words) -> Page:
    """Return the page after both have said yes."""
    return Page(text=words.say("notice.linked", who=Name(proposal.other.name)), turns=True)


def no_page(words: Words) -> Page:
    """Return the page after a no."""
    return Page(text=words.say("link.declined"), turns=True)
