"""Lobby: the message in which people sit down, and the pages from which its host runs a table.

A host sets the rules (the preset first, then switch by switch), the clock and the looks, and removes people.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.callback_data import callback_text
from bot.i18n import Words, join
from bot.markup import Button, Clock, Link, Name, Page, PublicScreen, Row, Text
from bot.screens.fair import fair_button, fingerprint_line, list_awaited_lines
from bot.screens.offer import Offer, offer_button, offer_row, offers_of
from bot.screens.offers import list_place_offers
from bot.screens.parts import button, choice, in_rows, label, public_message, seat_name
from bot.screens.preferences import display_button
from bot.screens.rules import clock_line, clock_name, preset_of, rules_lines
from bot.screens.switches import (
    choices,
    group_of,
    groups_of,
    is_number,
    list_chosen_values,
    setting,
    switch_name,
    value_name,
)
from bot.tables.clocks import CHOICES
from bot.tables.facts import SeatFacts, TableFacts
from bot.tables.table import COMPUTER_LEVELS, ON_TABLES, CallReason
from engine.rules import PRESETS, switches_of


@dataclass(frozen=True, slots=True)
class Removable:
    """A person who can be removed, with the tag that stands for them in a button."""

    name: str
    tag: str


def lobby_screen(facts: TableFacts, words: Words) -> PublicScreen:
    """Return the seats, the rules, and the buttons to join and to begin."""
    return public_message(
        facts,
        join([*_lobby_lines(facts, words), *_waiting_lines(facts, words)]),
        _lobby_buttons(facts, words),
    )


def make_started_screen(facts: TableFacts, link: str | None, words: Words) -> PublicScreen:
    """Return the lobby of a match that has begun, as it stays to be read, with the way to the table and what
    the deal was bound to."""
    said = words.plain("lobby.started")
    started: Text = (said if link is None else Link(said, link),)
    bound = fingerprint_line(facts.deal.context, words)
    return public_message(facts, join([*_lobby_lines(facts, words), bound, started]))


def _lobby_lines(facts: TableFacts, words: Words) -> list[Text]:
    return [
        words.say("lobby.title", table=facts.place.called),
        *rules_lines(facts.rules, words),
        clock_line(facts.clock.turn_seconds, words),
        *([words.say("lobby.teams")] if facts.rules.teams else []),
        *([words.say("lobby.hints")] if facts.choices.hints else []),
        *(_seat_line(number, seat, words) for number, seat in enumerate(facts.seats)),
    ]


def _waiting_lines(facts: TableFacts, words: Words) -> list[Text]:
    """Say when a full lobby starts by itself, or what its deal waits for. Before the start the seal of the
    deal stands behind *Fair deal?*."""
    if facts.deal.awaited is not None:
        return list_awaited_lines(facts, words)
    if facts.choices.counts_down and facts.clock.deadline is not None:
        return [words.say("lobby.counts_down", when=Clock(facts.clock.deadline))]
    return []


def present_page(facts: TableFacts, words: Words, seat: int | None, text: str) -> Page:
    """Return the answer to opening a table where this one waits or is played: a seat at it for a person who
    has none, if one is free, their rack if they play, and, unless they host this lobby, a button that opens
    another table with what they typed. A host may start it, and is told that the rules have not changed."""
    waits = facts.stage == "lobby"
    buttons = []
    if seat is None and facts.has_room:
        buttons.append(button(words, "join", facts, style="good"))
    hosts = waits and seat is not None and facts.seats[seat].host
    if hosts:
        buttons += offer_row(list_place_offers(facts), words, "start")
    if seat is not None:
        buttons.append(
            button(words, "leave", facts) if waits else button(words, "rack", facts, style="primary")
        )
    if not hosts:
        buttons.append(_another(facts, text, words))
    if not waits:
        key = "lobby.playing" if seat is None else "lobby.playing_seated"
    elif facts.has_room:
        key = "lobby.waiting" if seat is None else "lobby.waiting_seated"
    else:
        key = "lobby.full" if seat is None else "lobby.full_host" if hosts else "lobby.full_seated"
    lines = [words.say(key, table=facts.place.called), *rules_lines(facts.rules, words)]
    if text and hosts:  # what they typed was meant for it
        lines.append(words.say("lobby.keeps_rules"))
        buttons.append(button(words, "rules", facts))
    return Page(text=join(lines), buttons=(tuple(buttons),))


def invitation_page(
    facts: TableFacts, why: CallReason, who: str, where: Text, words: Words, *, seated: bool, open: bool
) -> Page:
    """Return the private message that calls a person to a lobby; it says so when there is no seat for
    them."""
    values: dict[str, str | Name | Text] = {"table": facts.place.called, "where": where, "who": Name(who)}
    if why == "again" and seated:
        said, act = words.say("call.again_seated", **values), button(words, "leave", facts)
    else:
        key = {"bell": "call.bell", "again": "call.again", "invited": "call.invited"}[why]
        said, act = words.say(key, **values), button(words, "join", facts, style="good")
    lines = [said, *(rules_lines(facts.rules, words)[:1] if open else ())]
    if not open and not seated:
        lines.append(words.say("call.over"))
    return Page(text=join(lines), buttons=((act,),) if open else ())


def _another(facts: TableFacts, text: str, words: Words) -> Button:
    """Return the button that opens another table with the typed words, or says that it can't hold them."""
    usual = Button((words.plain("button.another_usual"),), callback_text("another", facts.id))
    if not text.isascii() or "." in text:
        return usual
    try:
        press = callback_text("another", facts.id, 0, *text.split())
    except ValueError:
        return usual
    return Button((words.plain("button.another"),), press)


def preset_page(facts: TableFacts, words: Words, *, turns: bool = True) -> Page:
    """Return the games to choose from, and how the chosen one is played."""
    chosen = preset_of(facts.rules)
    presets = [
        choice(words.plain(f"preset.{name}"), name == chosen, callback_text("preset", facts.id, 0, name))
        for name in PRESETS
    ]
    clocks = words.plain("button.clocks", clock=clock_name(facts.clock.turn_seconds, words))
    leads = (
        button(words, "switches", facts, style="primary"),
        Button((clocks,), callback_text("clocks", facts.id)),
        button(words, "appearance", facts, style="primary"),
    )
    read = Button((words.plain("button.read_rules"),), callback_text("rules", facts.id, 0, "read"))
    rows = (*in_rows(presets), leads, (*_company_row(facts, words), read))
    return _rules_page(facts, words, words.say("dialogue.preset"), rows, turns=turns)


def _company_row(facts: TableFacts, words: Words) -> Row:
    """Switches for everybody's help and for computer players' emotes."""

    def throw(verb: str, on: bool) -> Button:
        return choice(
            words.plain(f"button.{verb}"), on, callback_text(verb, facts.id, 0, "off" if on else "on")
        )

    return throw("hints", facts.choices.hints), throw("emotes", facts.choices.emotes)


def switch_page(facts: TableFacts, words: Words) -> Page:
    """Return the groups of switches."""
    groups = [
        Button((_group_name(words, group) + "…",), callback_text("group", facts.id, 0, group))
        for group in groups_of(facts.rules)
    ]
    rows = (*in_rows(groups), _back_row(facts, words))
    return _rules_page(facts, words, words.say("dialogue.switch"), rows)


def group_page(facts: TableFacts, words: Words, group: str) -> Page:
    """Return every switch of a group that has an effect in this game, with its value; bold where it is not
    that of the preset."""
    names = groups_of(facts.rules).get(group, ())
    changed = switches_of(facts.rules)
    told = [
        words.say(
            f"dialogue.{'differs' if name in changed else 'same'}",
            setting=setting(words, name, getattr(facts.rules, name)),
        )
        for name in names
    ]
    back = button(words, "switches", facts, style="primary", says="switches_back")
    lines = [
        words.say("dialogue.title", table=facts.place.called),
        rules_lines(facts.rules, words)[0],
        *told,
        words.say("dialogue.group", group=_group_name(words, group)),
    ]
    rows = (*in_rows([_switch(facts, words, name) for name in names]), (back,))
    return Page(text=join(lines), buttons=rows, turns=True)


def _group_name(words: Words, group: str) -> str:
    return words.plain(f"dialogue.group.{group}")


def value_page(facts: TableFacts, words: Words, switch: str, *, asks: bool = False) -> Page:
    """Return the values of one switch. `asks`: whether the chat asks for a number that no button has."""
    values = [_value(facts, words, switch, value) for value in choices(switch, facts.rules)]
    group = group_of(switch)
    back = Button(
        (words.plain("button.group_back", group=_group_name(words, group)),),
        callback_text("group", facts.id, 0, group),
        "primary",
    )
    other = (button(words, "set_number", facts, switch),) if asks and is_number(switch) else ()
    rows = (*in_rows(values, 5 if switch == "factors" else 2), (*other, back))
    return _rules_page(facts, words, words.say("dialogue.value", switch=switch_name(words, switch)), rows)


def clock_page(facts: TableFacts, words: Words) -> Page:
    """Return the clocks that a host may choose."""
    clocks = [
        choice(
            clock_name(seconds, words),
            seconds == facts.clock.turn_seconds,
            callback_text("clock", facts.id, 0, seconds),
        )
        for seconds in CHOICES
    ]
    lines = [
        words.say("dialogue.title", table=facts.place.called),
        clock_line(facts.clock.turn_seconds, words),
        words.say("dialogue.clock"),
    ]
    return Page(text=join(lines), buttons=(*in_rows(clocks, 3), _back_row(facts, words)), turns=True)


def appearance_page(facts: TableFacts, words: Words) -> Page:
    """Return the looks of the table in its places."""
    lines = [words.say("dialogue.display"), *(words.say(f"preferences.{name}") for name in ON_TABLES)]
    switches = [display_button(name, facts.display, words, "appear", facts.id) for name in ON_TABLES]
    return Page(text=join(lines), buttons=(*in_rows(switches), _back_row(facts, words)), turns=True)


def removal_page(facts: TableFacts, people: Sequence[Removable], words: Words, *, turns: bool) -> Page:
    """Return the people whom the host could remove."""
    rows = in_rows(
        [Button((each.name,), callback_text("remove_ask", facts.id, 0, each.tag)) for each in people], 1
    )
    key = "remove.whom" if people else "remove.nobody"
    return Page(text=words.say(key, table=facts.place.called), buttons=rows, turns=turns)


def confirmation_page(facts: TableFacts, whom: Removable, words: Words, *, turns: bool) -> Page:
    """Return the question whether the host really wants to remove a person."""
    yes = Button(
        (words.plain("button.remove_now", who=Name(whom.name)),),
        callback_text("remove_now", facts.id, 0, whom.tag),
        "danger",
    )
    key = "remove.sure_lobby" if facts.stage == "lobby" else "remove.sure"
    back = Button((words.plain("button.look"),), callback_text("remove_back", facts.id))
    return Page(text=words.say(key, who=Name(whom.name)), buttons=((yes, back),), turns=turns)


def _seat_line(number: int, seat: SeatFacts, words: Words) -> Text:
    if seat.is_free:
        return words.say("lobby.free_seat", number=number + 1)
    key = "lobby.host_seat" if seat.host else "lobby.seat"
    who = seat_name(seat, words)
    if seat.level is not None:
        who = words.say("lobby.at_level", who=who, level=words.plain(f"level.{seat.level}"))
    return words.say(key, number=number + 1, who=who)


def _lobby_buttons(facts: TableFacts, words: Words) -> tuple[Row, ...]:
    offers = list_place_offers(facts)
    if not offers:
        return ((fair_button(facts, words),),)
    partners = facts.rules.teams  # where it matters who sits where
    rows = (
        offer_row(offers, words, "sit") if partners else (),
        (
            *(() if partners else offer_row(offers, words, "join")),
            *offer_row(offers, words, "rules"),
            button(words, "bell", facts, says="bell_short"),
            # Elsewhere a second *Join* offers it; here who sits down has taken the button of their seat away.
            *(offer_row(offers, words, "leave") if partners and not facts.choices.unfolded else ()),
        ),
        *(_host_rows(facts, offers, words) if facts.choices.unfolded else ()),
        (_folding_button(facts, words), *offer_row(offers, words, "hold")),
        (button(words, "another", facts),) if facts.posted_again else (),
    )
    return tuple(row for row in rows if row)


def _folding_button(facts: TableFacts, words: Words) -> Button:
    """Return the button that shows the host's buttons, or shows them no longer."""
    if facts.choices.unfolded:
        return button(words, "unfold", facts, "off", says="fold")
    return button(words, "unfold", facts, "on")


def _host_rows(facts: TableFacts, offers: Sequence[Offer], words: Words) -> tuple[Row, ...]:
    """Return the buttons by which a host runs the lobby."""
    computers = offer_row(offers, words, "computer", "fewer")
    if computers:
        computers = (*computers, _level_button(facts, offers, words))
    return (
        offer_row(offers, words, "start", "cancel"),
        (*computers, *_resizing(facts, offers, words)),
        (*offer_row(offers, words, "leave", "remove", "shuffle"), fair_button(facts, words)),
    )


def _level_button(facts: TableFacts, offers: Sequence[Offer], words: Words) -> Button:
    """Return the button that tells the level of the computer players, and leads on to the next one."""
    levels = offers_of(offers, "level")
    harder = levels[(COMPUTER_LEVELS.index(facts.choices.level) + 1) % len(levels)]
    return Button(
        label(words, "button.level", level=words.plain(f"level.{facts.choices.level}")), harder.press
    )


def _resizing(facts: TableFacts, offers: Sequence[Offer], words: Words) -> Row:
    """Return the button that changes the number of players: to the next smaller, or to the most."""
    others = [offer for offer in offers_of(offers, "players") if offer.on != facts.rules.players]
    smaller = [offer for offer in others if offer.on < facts.rules.players]
    chosen = smaller[-1:] or others[-1:]
    return tuple(offer_button(offer, words) for offer in chosen)


def _rules_page(
    facts: TableFacts, words: Words, task: Text, rows: tuple[Row, ...], *, turns: bool = True
) -> Page:
    title = words.say("dialogue.title", table=facts.place.called)
    return Page(text=join([title, *rules_lines(facts.rules, words), task]), buttons=rows, turns=turns)


def _back_row(facts: TableFacts, words: Words) -> Row:
    return (button(words, "presets", facts, style="primary"),)


def _switch(facts: TableFacts, words: Words, switch: str) -> Button:
    """Return the button of a switch: one with two values is flipped at once, any other opens the page of its
    values."""
    now = getattr(facts.rules, switch)
    values = choices(switch, facts.rules)
    listed = switch in ("penalties", "factors")
    label = switch_name(words, switch) + "…" if listed else setting(words, switch, now)
    if len(values) == 2:
        (other,) = (value for value in values if value != now)
        return Button((label,), callback_text("set", facts.id, 0, switch, _write(other)))
    return Button((label,), callback_text("switch", facts.id, 0, switch))


def _value(facts: TableFacts, words: Words, switch: str, value: str | int | bool) -> Button:
    chosen, written = value in list_chosen_values(switch, facts.rules), _write(value)
    if switch == "penalties":
        written = ("-" if chosen else "+") + written
    said = value_name(words, switch, value)
    return choice(said, chosen, callback_text("set", facts.id, 0, switch, written))


def _write(value: str | int | bool) -> str:
    """Return a value as people type it in a command."""
    return str(value).lower()
