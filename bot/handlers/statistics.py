"""Statistics: the leaders of a place, people's profiles and past matches, for the person who asks; and for
everybody in the place, when they say so.

A person who hides their profile is on no leaderboard, and nobody else sees their figures.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.errors import Refused
from bot.handlers.arguments import MINE, SOMEBODY
from bot.handlers.context import RequestContext
from bot.handlers.declarations import RequestTarget, button, command
from bot.handlers.who import ANYBODY, CheckedPeople
from bot.history.archive import ARCHIVE_SECONDS
from bot.history.played import Dated
from bot.history.statistics import PERIODS, Leader, describe_person, rank_leaders
from bot.history.tally import MatchTally, PersonTally, merge_persons
from bot.i18n import LANGUAGES, Words, fold, words_for
from bot.markup import Name, PublicScreen
from bot.ports import Answer
from bot.screens.display import adapt_to_display
from bot.screens.statistics import (
    LEADERS_MOST,
    MATCHES_TOLD,
    PersonFacts,
    SeasonWon,
    empty_profile_page,
    figures_page,
    history_page,
    leaderboard_page,
    leaderboard_post,
    profile_page,
    profile_post,
)
from bot.store.codec import Codec

SHOWN_SECONDS: Final = 24 * 3600.0
"""Seconds for which the buttons of a leaderboard or profile work."""
_SEEN_MOST: Final = 4 * LEADERS_MOST
"""The most people whose profiles are read for one leaderboard."""


@dataclass(frozen=True, slots=True)
class ShownPage:
    """What somebody asked for in a place, and may show there."""

    by: str
    """Who asked."""
    place: str
    person: str = ""
    """Whose profile it is; empty: the place's leaderboard."""


_SHOWN: Final = Codec(ShownPage, 1)


async def _load_shown(context: RequestContext) -> ShownPage:
    held = await context.services.tokens.look_at("shown", context.argument())
    page = _SHOWN.decode_known(held)
    if page is None:
        raise Refused("page_expired")
    return page


async def _is_asker(context: RequestContext, shown: ShownPage) -> None:
    if shown.by not in _list_accounts(context):
        raise Refused("page_expired")
    await context.services.permissions.admission.take_part(context.by.key, shown.place)


SHOWN: Final = RequestTarget(_load_shown)
"""What the button's page was about. Raises Refused `page_expired`."""
ASKER: Final = CheckedPeople("asker", _is_asker)
"""Who asked for the page, unless they are blocked in its place. Everybody else is refused with
`page_expired`."""


@command("leaderboard", who=ANYBODY, audience="everybody", order=120)
async def _leaderboard(context: RequestContext) -> Answer:
    """Return the leaders of the place, of the shortest period in which somebody played; in private, the
    person's own profile. Raises Refused `no_stats`."""
    if context.place is None or _means_themselves(context.text):
        return await _show_own(context, turns=False)
    for period in PERIODS:
        if board := await _rank(context, context.place, period):
            token = await _keep_shown(context, ShownPage(context.by.key, context.place))
            page = leaderboard_page(period, board, context.words, token=token, turns=False)
            return Answer(page=page)
    raise Refused("no_stats")


@button("leaderboard", on=SHOWN, who=ASKER)
async def _turn_leaderboard(context: RequestContext, shown: ShownPage) -> Answer:
    """Show another period."""
    period = _read_period(context)
    board = await _rank(context, shown.place, period)
    return Answer(page=leaderboard_page(period, board, context.words, token=context.argument(), turns=True))


@command("profile", who=ANYBODY, audience="everybody", order=121, arguments=(SOMEBODY,))
async def _profile(context: RequestContext) -> Answer:
    """Return the profile of a person in the place, by default one's own; in private one's own, of all places.

    Raises Refused `nobody_played`, `several_played`, `profile_hidden`.
    """
    if context.place is None or not context.text or _means_themselves(context.text):
        return await _show_own(context, turns=False)
    place, own = context.place, _list_accounts(context)
    persons = (await _load_tally(context, place)).persons
    person = _find_named(context.text, persons)
    if person in own:
        return await _show_own(context, turns=False)
    facts = await _describe(context, place, person, own=False)
    token = await _keep_shown(context, ShownPage(context.by.key, place, person))
    return Answer(page=profile_page(facts, context.words, token=token, turns=False))


@button("profile", who=ANYBODY)
async def _turn_profile(context: RequestContext) -> Answer:
    """Always about the presser, of all places."""
    return await _show_own(context, turns=True)


@button("hide_profile", who=ANYBODY)
async def _hide(context: RequestContext) -> Answer:
    """Hide one's profile, or no longer."""
    hidden = context.argument() == "yes"
    await context.change_profile(lambda held: replace(held, hidden=hidden))
    answer = await _show_own(context, turns=True)
    return replace(answer, notice=context.words.say("notice.hidden" if hidden else "notice.unhidden"))


@button("show_everyone", on=SHOWN, who=ASKER)
async def _show_everyone(context: RequestContext, shown: ShownPage) -> Answer:
    """Post it in the place, once. Raises Refused `shown_already`, and as for the page."""
    services = context.services
    settings = await services.communities.around(shown.place)
    words = words_for(settings.nearest(lambda each: each.language) or context.by.language)
    screen = adapt_to_display(await _make_post(context, shown, words), settings.display, words)
    about = " ".join(context.data.arguments)
    if await services.store.calls.spend([(f"shown:{about}", 1, SHOWN_SECONDS)]) > 0:
        raise Refused("shown_already")
    services.delivery.post(shown.place, screen)
    return Answer(notice=context.words.say("notice.shown"))


async def _make_post(context: RequestContext, shown: ShownPage, words: Words) -> PublicScreen:
    if not shown.person:
        period = _read_period(context)
        return leaderboard_post(period, await _rank(context, shown.place, period), words)
    own = shown.person in _list_accounts(context)
    return profile_post(await _describe(context, shown.place, shown.person, own=own), words)


def _read_period(context: RequestContext) -> str:
    period = context.argument(1)
    if period not in PERIODS:
        raise Refused("unknown_button")
    return period


async def _rank(context: RequestContext, place: str, period: str) -> list[Leader]:
    """Rank the people of a place who do not hide."""
    leaders = rank_leaders(await _load_tally(context, place), context.now, PERIODS[period])
    profiles = await context.services.people.of(leader.person for leader in leaders[:_SEEN_MOST])
    return [each for each in leaders[:_SEEN_MOST] if not profiles[each.person].hidden]


async def _show_own(context: RequestContext, *, turns: bool) -> Answer:
    try:
        facts = await _describe(context, context.place, context.by.key, own=True)
    except Refused as refused:
        if refused.code != "no_stats":
            raise
        played = await context.services.played.history.list_recent(_list_accounts(context), 1)
        return Answer(page=empty_profile_page(context.by.name, bool(played), context.words, turns=turns))
    token = ""
    if context.place is not None:
        token = await _keep_shown(context, ShownPage(context.by.key, context.place, context.by.key))
    return Answer(page=profile_page(facts, context.words, token=token, turns=turns))


async def _describe(context: RequestContext, place: str | None, person: str, *, own: bool) -> PersonFacts:
    """Gather a person's profile: of a place, or without one of all places. Raises Refused `no_stats`,
    `nobody_played`, `profile_hidden`."""
    services = context.services
    profile = await services.people.load(person)
    accounts = _list_accounts(context) if own else (person,)
    if place is None:
        held, names = await _count_own(context, accounts)
    else:
        tally = await _load_tally(context, place)
        held, names = [tally.persons[each] for each in accounts if each in tally.persons], {}
    if not held:
        raise Refused("no_stats")
    whole = merge_persons(held)
    if profile.hidden and not own:
        raise Refused("profile_hidden", name=(Name(whole.name),))
    return PersonFacts(
        name=whole.name,
        standings=describe_person(whole, names),
        honours=await _find_honours(context, place, accounts),
        here=place is not None,
        own=own,
        hidden=profile.hidden,
    )


async def _count_own(
    context: RequestContext, accounts: Sequence[str]
) -> tuple[list[PersonTally], dict[str, str]]:
    """Return what the accounts of a person add up to in all places, and the names of their opponents."""
    tallies = {each: await context.services.played.history.tally((each,)) for each in accounts}
    held = [tally.persons[each] for each, tally in tallies.items() if each in tally.persons]
    return held, {key: name for tally in tallies.values() for key, name in tally.names.items()}


async def _find_honours(
    context: RequestContext, place: str | None, accounts: Sequence[str]
) -> list[SeasonWon]:
    """Find the seasons that a person won, in the leagues of a place or in all."""
    leagues = {
        league.id: league for each in accounts for league in await context.services.leagues.of_person(each)
    }
    whole = None if place is None else await context.services.communities.whole(place)
    honours = []
    for league in leagues.values():
        if place is not None and place not in league.places and whole not in league.places:
            continue
        members = {member.id for each in accounts if (member := league.member_of(each)) is not None}
        honours += [
            SeasonWon(league.name, season)
            for season, champions in league.champions.items()
            if members.intersection(champions)
        ]
    return honours


async def _load_tally(context: RequestContext, place: str) -> MatchTally:
    """Return what was played in the community of a place."""
    history = context.services.played.history
    return await history.tally(await history.find_owners(place))


def _find_named(text: str, persons: dict[str, PersonTally]) -> str:
    """Find a person by their key or name among those who played in a place. Raises Refused `nobody_played`,
    `several_played`."""
    key, _, rest = text.partition(" ")
    if key in persons:
        return key
    name = (rest if ":" in key and rest else text).removeprefix("@")
    found = [each for each, person in persons.items() if fold(person.name) == fold(name)]
    if len(found) > 1:
        raise Refused("several_played", name=(Name(name),))
    if not found:
        raise Refused("nobody_played", name=(Name(name),))
    return found[0]


async def _keep_shown(context: RequestContext, shown: ShownPage) -> str:
    """Keep what a page is about, under a token for its buttons."""
    token = secrets.token_urlsafe(9)
    await context.services.tokens.put(
        "shown", token, _SHOWN.encode(shown), SHOWN_SECONDS, owner=context.by.key
    )
    return token


@command("history", who=ANYBODY, audience="everybody", order=130, group="table", arguments=(MINE,))
async def _history(context: RequestContext) -> Answer:
    """Return the last matches of the place; in private, or with `me`, the person's own."""
    if context.place is None or _means_themselves(context.text):
        return await _show_own_history(context, turns=False)
    owners = await context.services.played.history.find_owners(context.place)
    return await _list_history(context, owners, turns=False)


@button("stats", who=ANYBODY)
async def _turn_statistics(context: RequestContext) -> Answer:
    """Always about the presser. Raises Refused `no_stats`."""
    held, names = await _count_own(context, _list_accounts(context))
    if not held:
        raise Refused("no_stats")
    return Answer(page=figures_page(describe_person(merge_persons(held), names), context.words))


@button("history", who=ANYBODY)
async def _turn_history(context: RequestContext) -> Answer:
    """Always about the presser."""
    return await _show_own_history(context, turns=True)


async def _show_own_history(context: RequestContext, *, turns: bool) -> Answer:
    return await _list_history(context, _list_accounts(context), turns=turns)


async def _list_history(context: RequestContext, owners: Sequence[str], *, turns: bool) -> Answer:
    matches: list[Dated] = await context.services.played.history.list_recent(owners, MATCHES_TOLD)
    if not matches:
        raise Refused("no_matches")
    since = context.now - ARCHIVE_SECONDS
    offset = context.profile.notifying.offset
    return Answer(page=history_page(matches, since, context.words, offset=offset, turns=turns))


def _list_accounts(context: RequestContext) -> tuple[str, ...]:
    return (context.by.key,) if context.other is None else (context.by.key, context.other)


def _means_themselves(argument: str) -> bool:
    return fold(argument) in {fold(words_for(language).plain("stats.me")) for language in LANGUAGES}
