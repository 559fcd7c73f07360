"""Hosting: pages on which a host sets a lobby's rules, its clock and its look, and removes people.

Everybody else who asks for the rules gets to read them.
"""

from collections.abc import Callable
from dataclasses import replace

from bot.callback_data import callback_text
from bot.commands import DECLARED_FORMS, Argument
from bot.errors import Refused
from bot.handlers.arguments import NAMED_TABLE, NUMBER, PLAYER
from bot.handlers.context import RequestContext
from bot.handlers.declarations import BUTTONS, PLAYED, TABLE, DeclaredButton, button, command, declare_once
from bot.handlers.defaults import OKEY, rules_at, rules_of
from bot.handlers.lookup import find_own, find_table, own_table
from bot.handlers.personal import flip
from bot.handlers.presence import also_present
from bot.handlers.table_buttons import TableAction, change_as
from bot.handlers.who import ANYBODY, HOST, READER
from bot.i18n import Words, fold
from bot.markup import Name, Page
from bot.ports import Answer
from bot.repository.tables import StoredTable
from bot.screens.fair import fair_button
from bot.screens.lobby import (
    Removable,
    appearance_page,
    clock_page,
    confirmation_page,
    group_page,
    preset_page,
    removal_page,
    switch_page,
    value_page,
)
from bot.screens.parts import OWN
from bot.screens.rules import more_rules_page, rules_page
from bot.screens.switches import group_of, groups_of, is_number, value_of, with_value
from bot.tables import lobby, membership
from bot.tables.clocks import read_clock
from bot.tables.facts import TableFacts, table_facts
from bot.tables.table import ON_TABLES, Change
from engine.rules import PRESETS, switches_for

_MakePage = Callable[[TableFacts, Words], Page]


@button("rules", on=PLAYED, who=READER)
async def _rules(context: RequestContext, stored: StoredTable) -> Answer:
    """Show a host the dialogue for their lobby, in private. Everybody else reads the rules; a host does
    by a button of the dialogue."""
    if context.data.arguments or stored.value.stage != "lobby" or context.by.key != stored.value.host:
        return Answer(page=_explain(stored, context.words))
    token = None if context.private else await context.opening_token(stored.value.id)
    if token is not None:
        return Answer(open_private=token)
    return Answer(page=preset_page(context.facts(stored), context.words, turns=False))


def _page_button(verb: str, make: _MakePage) -> None:
    """Declare the button that opens a page of the dialogue."""

    @button(verb, on=PLAYED, who=HOST)
    async def page(context: RequestContext, stored: StoredTable) -> Answer:
        return Answer(page=make(context.facts(stored), context.words))


_page_button("presets", preset_page)
_page_button("switches", switch_page)
_page_button("appearance", appearance_page)
_page_button("clocks", clock_page)


@button("group", on=PLAYED, who=HOST)
async def _group(context: RequestContext, stored: StoredTable) -> Answer:
    """Show the switches of one group. Raises Refused `old_button` when the current game has no such group."""
    facts, group = context.facts(stored), context.argument()
    if group not in groups_of(facts.rules):
        raise Refused("old_button")
    return Answer(page=group_page(facts, context.words, group))


@button("switch", on=PLAYED, who=HOST)
async def _switch(context: RequestContext, stored: StoredTable) -> Answer:
    """Return the values of one switch. Raises Refused `old_button` when the current game has no such
    switch."""
    facts, switch = context.facts(stored), context.argument()
    if switch not in switches_for(facts.rules):
        raise Refused("old_button")
    return Answer(page=value_page(facts, context.words, switch, asks=context.can_be_asked))


def _setting(
    verb: str, page: _MakePage | None = None, asks: Argument | None = None
) -> Callable[[TableAction], TableAction]:
    """Declare the function as a button's change to a lobby. The answer is this page of the dialogue, or that
    of the changed switch's group. `asks`: the text that a chat asks for first."""

    def declare(act: TableAction) -> TableAction:
        def change(context: RequestContext, stored: StoredTable) -> Change:
            return also_present(context, stored, act(context, stored))

        async def run(context: RequestContext) -> Answer:
            stored = await change_as(context, HOST, change, action=context.action)
            facts = context.facts(stored)
            if page is not None:
                return Answer(page=page(facts, context.words))
            return Answer(page=group_page(facts, context.words, group_of(context.argument(0))))

        declare_once(BUTTONS, verb, DeclaredButton(run, HOST, at_table=True))
        if asks is not None:
            DECLARED_FORMS[verb] = asks
        return act

    return declare


@_setting("preset", preset_page)
def _preset(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.choose_rules(stored.value, context.by.key, {"preset": context.argument()})


@_setting("set")
def _set(context: RequestContext, stored: StoredTable) -> Change:
    """Raises Refused `unknown_button` for a value that no button has."""
    switch, text = context.argument(0), context.argument(1)
    try:
        value = with_value(stored.value.match.rules, switch, text)
    except ValueError:
        raise Refused("unknown_button") from None
    return lobby.change_rules(stored.value, context.by.key, **{switch: value})


@_setting("set_number", asks=NUMBER)
def _set_number(context: RequestContext, stored: StoredTable) -> Change:
    """Set a switch to the number that was typed. Raises Refused `unknown_button` for a switch that has none,
    or as the engine refuses a value."""
    switch = context.argument()
    if not is_number(switch):
        raise Refused("unknown_button")
    return lobby.change_rules(
        stored.value, context.by.key, **{switch: value_of(switch, context.text.strip())}
    )


@_setting("clock", clock_page)
def _clock(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.choose_clock(stored.value, context.by.key, read_clock(context.argument()))


@_setting("hints", preset_page)
def _hints(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.choose_hints(stored.value, context.by.key, context.argument() == "on")


@_setting("emotes", preset_page)
def _emotes(context: RequestContext, stored: StoredTable) -> Change:
    return lobby.choose_emotes(stored.value, context.by.key, context.argument() == "on")


@_setting("appear", appearance_page)
def _appear(context: RequestContext, stored: StoredTable) -> Change:
    display = flip(stored.value.choices.display, context, ON_TABLES)
    return lobby.choose_display(stored.value, context.by.key, display)


@command("rules", who=ANYBODY, audience="everybody", order=60, group="table", arguments=(NAMED_TABLE,))
async def _type_rules(context: RequestContext) -> Answer:
    """Raises Refused when the line names a table that is not found."""
    if not context.text:
        return Answer(page=await explain_rules(context))
    named = fold(context.text)
    if named in PRESETS:
        more = callback_text("more_rules_of", OWN, 0, named)
        return Answer(page=rules_page(rules_of(named), context.words, more=more))
    stored = await find_table(context, named, _not_closed)
    if stored is None:
        raise Refused("unknown_table")
    return Answer(page=_explain(stored, context.words))


async def explain_rules(context: RequestContext) -> Page:
    """Return the rules of the place's table, of the person's own table, or the place's defaults."""
    stored = await find_table(context, "", _not_closed)
    if stored is not None:
        return _explain(stored, context.words)
    if context.place is None:
        return rules_page(rules_of("", OKEY), context.words)
    settings = await context.services.communities.around(context.place)
    return rules_page(rules_at(settings), context.words, more=callback_text("more_rules_of", OWN))


def _not_closed(stored: StoredTable) -> bool:
    return stored.value.stage != "closed"


def _explain(stored: StoredTable, words: Words) -> Page:
    facts = table_facts(stored.value, None)
    indicator = None if facts.view is None else facts.view.indicator
    page = rules_page(facts.rules, words, indicator, callback_text("more_rules", facts.id))
    waits = facts.stage == "lobby"  # its message has the button for the host alone
    return replace(page, buttons=(*page.buttons, (fair_button(facts, words),))) if waits else page


@button("more_rules", on=PLAYED, who=READER)
async def _more(context: RequestContext, stored: StoredTable) -> Answer:
    return Answer(page=more_rules_page(stored.value.match.rules, context.words))


@button("more_rules_of", who=ANYBODY)
async def _more_of(context: RequestContext) -> Answer:
    """Show the rest of a game's rules; without a game, of the place's defaults. Raises Refused
    `unknown_preset`."""
    named = next(iter(context.data.arguments), "")
    rules = rules_of(named) if named else rules_of("", OKEY)
    if not named and context.place is not None:
        rules = rules_at(await context.services.communities.around(context.place))
    return Answer(page=more_rules_page(rules, context.words))


@command("remove", who=ANYBODY, audience="everybody", order=180, group="table", arguments=(PLAYER,))
async def _choose(context: RequestContext) -> Answer:
    """Show the people whom the host of a table could remove, or ask about the one who is named. Raises
    Refused `no_table`, `not_host`, `league_table`."""

    def host(stored: StoredTable) -> bool:
        return stored.value.host == context.by.key and stored.value.is_open

    stored = await find_own(context, host)
    if stored is None:
        stored = await own_table(context, lambda stored: stored.value.is_open)
        membership.check_host_of_open_table(stored.value, context.by.key)
    people = [_removable(stored, number) for number in membership.removable(stored.value)]
    named = [each for each in people if fold(each.name) == fold(context.text.removeprefix("@"))]
    if len(named) == 1:
        return Answer(page=confirmation_page(context.facts(stored), named[0], context.words, turns=False))
    return Answer(page=_people_page(context, stored, turns=False))


@button("remove", "remove_back", on=TABLE, who=HOST)
async def _people(context: RequestContext, stored: StoredTable) -> Answer:
    return Answer(page=_people_page(context, stored, turns=context.verb == "remove_back"))


@button("remove_ask", on=TABLE, who=HOST)
async def _ask(context: RequestContext, stored: StoredTable) -> Answer:
    """Raises Refused `nobody_there`."""
    whom = _removable(stored, membership.find_tagged(stored.value, context.argument()))
    return Answer(page=confirmation_page(context.facts(stored), whom, context.words, turns=True))


@button("remove_now", on=TABLE, who=HOST)
async def _remove(context: RequestContext, stored: StoredTable) -> Answer:
    """Raises Refused `nobody_there`."""
    told, delays = context.argument(), context.services.dealing.delays
    name = stored.value.seats[membership.find_tagged(stored.value, told)].name
    after = await context.services.tables.change(
        stored.value.id,
        context.action,
        lambda now: membership.remove(now.value, context.by.key, told, delays),
    )
    notice = context.words.say("notice.removed", who=Name(name))
    return Answer(notice=notice, page=_people_page(context, after, turns=True))


def _people_page(context: RequestContext, stored: StoredTable, *, turns: bool) -> Page:
    people = [_removable(stored, number) for number in membership.removable(stored.value)]
    return removal_page(context.facts(stored), people, context.words, turns=turns)


def _removable(stored: StoredTable, number: int) -> Removable:
    seat = stored.value.seats[number]
    return Removable(seat.name, membership.tag(str(seat.person)))
