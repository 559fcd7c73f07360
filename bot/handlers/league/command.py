"""`/okey league`: which word stands behind it, and what a line without one means."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from bot.errors import Refused
from bot.handlers.declarations import command
from bot.handlers.league.founding import begin_league
from bot.handlers.league.pages import show_league
from bot.handlers.league.targets import WORDS, leagues_here
from bot.handlers.request import RequestContext
from bot.i18n import LANGUAGES, words_for
from bot.i18n.commands import bare
from bot.ports import Answer
from bot.screens.league.pages import leagues_page


@command("league", audience="everybody", order=140)
async def _league(context: RequestContext) -> Answer:
    """Nothing, a page, a reply, an organiser's act. Refused: `here_only`, `no_league`, `which_league`,
    `unknown_league_word`, …"""
    first, *rest = context.text.split(maxsplit=1) or [""]
    word = _known().get(bare(first)) if first else None
    if word is None:
        return await _wordless(context)
    context.data = replace(context.data, verb=word)
    context.text = "".join(rest)
    return await WORDS[word](context)


async def _wordless(context: RequestContext) -> Answer:
    """The page of the league whose id was typed, or of the only one. Refused: `unknown_league_word`."""
    here, named = await leagues_here(context), context.text
    meant = [league for league in here if not named or league.id == named.lower()]
    if named and not meant:
        raise Refused("unknown_league_word", word=named.split()[0][:32])
    if not meant:
        return await _none_here(context)
    if len(meant) > 1:
        return Answer(page=leagues_page(meant, context.words))
    return await show_league(context, meant[0])


async def _none_here(context: RequestContext) -> Answer:
    """An organiser is led to found one. Raises Refused `no_league` for everybody else."""
    try:
        return await begin_league(context)
    except Refused as refused:
        raise Refused("no_league") if refused.code == "organisers_only" else refused from None


@cache
def _known() -> Mapping[str, str]:
    """The words by what they are called in every language, with `|` between a word's names."""
    called = {
        bare(name): word
        for word in WORDS
        for language in LANGUAGES
        for name in words_for(language).plain(f"league.word.{word}").split("|")
    }
    return called | {word: word for word in WORDS}
