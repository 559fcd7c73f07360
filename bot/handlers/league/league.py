"""`/okey league`: which league is meant, and who answers what is asked of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from bot.delivery.boards import Boards
from bot.errors import Refused
from bot.handlers.defaults import Defaults
from bot.handlers.inviting import Inviting
from bot.handlers.league.actions import ACTS
from bot.handlers.league.founding import FOUNDING, Founding
from bot.handlers.league.managing import MANAGING, Managing
from bot.handlers.league.members import REMINDING, Members
from bot.handlers.league.organising import ORGANISING, NightOrganising
from bot.handlers.league.places import PLACING, LeaguePlaces
from bot.handlers.league.reading import PAGES, READING_LEAGUES, LeagueReading
from bot.handlers.league.signing_up import SIGNING, TYPED, Signing
from bot.handlers.request import RequestContext
from bot.i18n import LANGUAGES, Words, words_for
from bot.i18n.commands import bare
from bot.league.model import League
from bot.people.codes import Codes
from bot.people.leagues import Leagues
from bot.ports import Answer, TypedCommand
from bot.screens.league.pages import leagues_page
from bot.store import Store

LEAGUE: Final = FOUNDING | MANAGING | PLACING | REMINDING | ORGANISING | READING_LEAGUES | SIGNING
"""The buttons of leagues."""

_MANAGED: Final = ("run", "skip", "move", "end")
_PLACED: Final = ("invite", "withdraw")
WORDS: Final = (
    *("new", "join", "members", "pair", "reminders", "dispute"),
    *PAGES,
    *TYPED,
    *_MANAGED,
    *_PLACED,
    *(act for act in ACTS if act not in ("move", "put")),
)
"""What may stand behind `/okey league`."""


@dataclass(frozen=True, slots=True)
class LeagueDesk:
    """The handlers of leagues. Refusals are raised as Refused."""

    leagues: Leagues
    founding: Founding
    reading: LeagueReading
    signing: Signing
    organising: NightOrganising
    managing: Managing
    places: LeaguePlaces
    members: Members

    async def press(self, context: RequestContext, press_id: str) -> Answer:
        """Carry out one of the buttons of `LEAGUE`."""
        verb = context.request.verb
        if verb in FOUNDING:
            return await self.founding.press(context, press_id)
        if verb in SIGNING:
            return await self.signing.press(context, press_id)
        if verb in ORGANISING:
            return await self.organising.press(context, press_id)
        if verb in MANAGING:
            return await self.managing.press(context, press_id)
        if verb in PLACING:
            return await self.places.press(context)
        if verb in REMINDING:
            return await self.members.press(context)
        return await self.reading.press(context)

    async def command(self, typed: TypedCommand, argument: str, words: Words) -> Answer:
        """`/okey league`, and what is asked of it: nothing, a page, a reply, an organiser's act.

        Refused: `here_only`, `no_league`, `which_league`, `unknown_league_word`, …
        """
        word, rest = _asked(argument)
        if word == "new":
            return await self.founding.command(typed, rest, words)
        if word == "join":
            return await self.places.join(typed, rest, words)
        here = await self._here(typed)
        if not word:
            return await self._wordless(here, rest, typed, words)
        league, rest = _meant(here, rest)
        return await self._about(league, word, rest, typed, words)

    async def _wordless(self, here: list[League], named: str, typed: TypedCommand, words: Words) -> Answer:
        """The page of the league whose id was typed, or of the only one. Raises Refused
        `unknown_league_word`, `no_league`."""
        meant = [league for league in here if not named or league.id == named.lower()]
        if named and not meant:
            raise Refused("unknown_league_word", word=named.split()[0][:32])
        if not meant:
            return await self._none_here(typed, words)
        if len(meant) > 1:
            return Answer(page=leagues_page(meant, words))
        return await self._about(meant[0], "hub", "", typed, words)

    async def _about(self, league: League, word: str, rest: str, typed: TypedCommand, words: Words) -> Answer:
        """What a word asks of a league."""
        by, action = typed.by, f"{typed.by.key} {typed.id}"
        if word in _MANAGED:
            return await self.managing.typed(word, rest, league, typed, words)
        if word in _PLACED:
            return await self.places.typed(word, league, typed, words)
        if word in ACTS:
            return await self.organising.typed(word, rest, league, by, words, action)
        if word in TYPED:
            night = await self.reading.coming(league)
            return await self.signing.act(f"night_{word}", night, by, typed.place, words, action)
        match word:
            case "dispute":
                night = await self.reading.played(league)
                return await self.signing.typed_dispute(night, by, rest, words, action)
            case "members":
                return await self.members.listed(league, rest, by, words, typed.id)
            case "pair":
                return await self.members.paired(league, rest, by, words, typed.id)
            case "reminders":
                return await self.members.remind(league, not _means_off(rest), by, words)
        return await self.reading.page(word, league, by, words, turns=False)

    async def _none_here(self, typed: TypedCommand, words: Words) -> Answer:
        """An organiser is led to found one. Raises Refused `no_league` for everybody else."""
        try:
            return await self.founding.command(typed, "", words)
        except Refused as refused:
            raise Refused("no_league") if refused.code == "organisers_only" else refused from None

    async def _here(self, typed: TypedCommand) -> list[League]:
        """The leagues of a place; in private his own. Raises Refused `here_only` when he has none."""
        if typed.place is not None:
            community = await self.reading.boards.communities.whole(typed.place)
            return await self.leagues.at_place(typed.place, community)
        own = await self.leagues.of_person(typed.by.key)
        if not own:
            raise Refused("here_only")
        return own


def _asked(argument: str) -> tuple[str, str]:
    """The word behind `/okey league`, in whichever language, and the rest; without a word the whole line."""
    first, *rest = argument.strip().split(maxsplit=1) or [""]
    word = _known().get(bare(first), "") if first else ""
    return (word, "".join(rest)) if word else ("", argument.strip())


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


def _means_off(text: str) -> bool:
    """Whether somebody typed that he wants something no more, in whichever language."""
    return bare(text) in {bare(words_for(language).plain("league.off")) for language in LANGUAGES}


def _meant(here: list[League], rest: str) -> tuple[League, str]:
    """The league of a place; of several the one whose id the line begins with. Raises Refused `no_league`,
    `which_league`."""
    if not here:
        raise Refused("no_league")
    first, *others = rest.split(maxsplit=1) or [""]
    for league in here:
        if first.lower() == league.id:
            return league, "".join(others)
    going = [league for league in here if not league.ended] or here[:1]
    if len(going) > 1:
        raise Refused("which_league", leagues=", ".join(f"{each.id} ({each.name})" for each in going))
    return going[0], rest


def league_desk(
    store: Store,
    leagues: Leagues,
    boards: Boards,
    defaults: Defaults,
    codes: Codes,
    inviting: Inviting,
    web_url: str,
) -> LeagueDesk:
    """Everything that people and organisers do with the leagues of one store."""
    organisers = inviting.setting.organisers
    reading = LeagueReading(leagues, organisers, boards, web_url)
    return LeagueDesk(
        leagues=leagues,
        founding=Founding(store, leagues, organisers, defaults),
        reading=reading,
        signing=Signing(leagues, boards.people, boards, inviting.admission),
        organising=NightOrganising(leagues, organisers, reading),
        managing=Managing(leagues, organisers, reading),
        places=LeaguePlaces(leagues, organisers, codes, inviting),
        members=Members(leagues, organisers),
    )
