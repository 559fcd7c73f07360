"""What an organiser sees of a night: what he may do with it, its tables and people, and the question why."""

from collections.abc import Sequence
from typing import Final

from bot.callback_data import callback_text
from bot.i18n import Words, joined, plain
from bot.league.model import League
from bot.league.night import Night, NightTable
from bot.markup import Button, Name, Page, Row, Style, Text
from bot.screens.league.parts import in_rows, league_button, member_name, table_line

REASONS: Final = ("agreed", "absent", "conduct", "mistake", "trouble", "other")
"""Why an organiser acts, where he does not type it."""

EXTENSIONS: Final = (5, 10, 15, 30)
PENALTIES: Final = ("0,5", "1", "2", "3")

BUTTONS_MOST: Final = 60
"""Of people, tables or seats on one page."""

_IN_A_ROW: Final = 3


def night_run_page(league: League, night: Night, words: Words, *, turns: bool) -> Page:
    """What organisers may do with a night now."""
    when = words.moment(night.start, league.schedule.zone)
    lines = [
        words.say("league.run.night", name=Name(league.name), number=night.number, when=when),
        words.say("league.board.paused" if _paused(night) else f"league.stage.{night.stage}"),
    ]
    disputed = [(r.number, t) for r in night.rounds for t in r.tables if t.disputed]
    lines += [
        words.say(
            "league.run.disputed",
            round=round,
            number=table.number,
            who=member_name(league, table.dispute.member),
            words=Name(table.dispute.words) if table.dispute.words else "–",
        )
        for round, table in disputed
        if table.dispute is not None
    ]
    rows = [tuple(_ask(night, act, words) for act in _offered(night))]
    if night.stage == "playing" and not _paused(night):
        rows.append(tuple(_extend(night, minutes, words) for minutes in EXTENSIONS))
    if night.rounds:
        rows.append((_page("tables", night, words), _page("people", night, words)))
    rows.append((league_button("run", league.id, words), league_button("hub", league.id, words)))
    return Page(text=joined(lines), buttons=tuple(filter(None, rows)), turns=turns)


def _paused(night: Night) -> bool:
    return night.paused_at is not None and night.stage != "cancelled"


def _offered(night: Night) -> tuple[str, ...]:
    match night.stage:
        case "announced" | "ready":
            return ("cancel",)
        case "check_in":
            return ("close", "cancel")
        case "playing" | "break":
            return ("go" if _paused(night) else "pause", "finish", "cancel")
    return ()


def tables_page(night: Night, first: int, words: Words) -> Page:
    """Every table of the night, the newest round first, from one of them on."""
    buttons = [
        Button(
            (words.plain("button.night_disputed", round=round.number, number=table.number),),
            callback_text("night_table", night.id, 0, round.number, table.number),
            "danger" if table.disputed else "plain",
        )
        for round in reversed(night.rounds)
        for table in round.tables
    ]
    rows = (*_paged(buttons, first, night, "tables", words), (_page("run", night, words),))
    return Page(text=words.say("league.run.tables"), buttons=rows, turns=True)


def table_run_page(league: League, night: Night, round: int, table: NightTable, words: Words) -> Page:
    """What may be done about one table."""
    acts: list[str] = [*(("uphold", "reject") if table.disputed else ()), *(() if table.void else ("void",))]
    if round == len(night.rounds) and night.stage == "playing":
        acts.append("replay")
    where = f"{round}_{table.number}"
    lines = [
        words.say("league.dispute.table", round=round, table=table_line(league, table, None, words)),
        words.say("league.run.correct", round=round, number=table.number, n=len(table.seats)),
    ]
    rows = (
        tuple(_ask(night, act, words, where) for act in acts),
        (_page("tables", night, words), _page("run", night, words)),
    )
    return Page(text=joined(lines), buttons=rows, turns=True)


def people_page(league: League, night: Night, members: Sequence[str], first: int, words: Words) -> Page:
    """Whom an organiser may do something about, from one of them on."""
    buttons = [_person(league, night, "night_person", member, words) for member in members]
    rows = (*_paged(buttons, first, night, "people", words), (_page("run", night, words),))
    return Page(text=words.say("league.run.people"), buttons=rows, turns=True)


def person_run_page(league: League, night: Night, member: str, words: Words) -> Page:
    """What may be done about one person: points taken, sent away, replaced, put at another table."""
    penalties = tuple(
        Button(
            (words.plain("button.night_penalty", points=words.number(float(each.replace(",", ".")))),),
            callback_text("night_ask", night.id, 0, "penalty", member, each),
            "danger",
        )
        for each in PENALTIES
    )
    acts: Row = ()
    if member in night.playing:
        acts = (_ask(night, "away", words, member), *_reseating(night, member, words))
    rows = (penalties, acts, (_page("people", night, words), _page("run", night, words)))
    text = words.say("league.run.person", who=member_name(league, member))
    return Page(text=text, buttons=tuple(filter(None, rows)), turns=True)


def _reseating(night: Night, member: str, words: Words) -> Row:
    round = night.round if night.stage == "playing" else None
    if round is None or round.seat_of(member) is None:
        return ()
    return tuple(
        Button((words.plain(f"button.night_{verb}"),), callback_text(f"night_{verb}", night.id, 0, member))
        for verb in ("replace", "reseat")
    )


def replace_page(
    league: League, night: Night, out: str, others: Sequence[str], first: int, words: Words
) -> Page:
    """Who plays in somebody's place."""
    who, back = member_name(league, out), (_page("people", night, words),)
    if not others:
        return Page(text=words.say("league.run.nobody_else", who=who), buttons=(back,), turns=True)
    buttons = [_person(league, night, "night_ask", each, words, "put", out) for each in others]
    rows = _paged(buttons, first, night, "replace", words, out)
    return Page(text=words.say("league.run.replace", who=who), buttons=(*rows, back), turns=True)


def reseat_page(league: League, night: Night, member: str, first: int, words: Words) -> Page:
    """Where somebody is to sit: every seat of the running round; who sits there takes his."""
    assert night.round is not None
    buttons = [
        Button(
            (_seat_label(league, table, seat, words),),
            callback_text("night_ask", night.id, 0, "move", member, f"{table.number}_{seat}"),
        )
        for table in night.round.tables
        if not table.over
        for seat in range(len(table.seats))
        if table.seats[seat] != member
    ]
    rows = _paged(buttons, first, night, "reseat", words, member)
    text = words.say("league.run.reseat", who=member_name(league, member))
    return Page(text=text, buttons=(*rows, (_page("people", night, words),)), turns=True)


def _paged(
    buttons: Sequence[Button], first: int, night: Night, page: str, words: Words, *about: str
) -> tuple[Row, ...]:
    """So many of the buttons as one page holds, and ways to the first and the next ones."""
    following = first + BUTTONS_MOST
    ways = [*([("first", 0)] if first else []), *([("next", following)] if following < len(buttons) else [])]
    turning = tuple(
        Button((words.plain(f"button.page_{way}"),), callback_text(f"night_{page}", night.id, 0, *about, at))
        for way, at in ways
    )
    return tuple(filter(None, (tuple(buttons[first:following]), turning)))


def reason_page(night: Night, asked: Text, act: Sequence[str], words: Words) -> Page:
    """What is about to be done to a night, and why."""
    return why_page(asked, ("night_do", night.id, 0, *act), _page("run", night, words), words)


def why_page(asked: Text, press: tuple[str, str, int, *tuple[str, ...]], back: Button, words: Words) -> Page:
    """What is about to be done, and why: the reason is the confirmation. It stands last in its press."""
    buttons = [
        Button((words.plain(f"league.reason.{reason}"),), callback_text(*press, reason), "danger")
        for reason in REASONS
    ]
    rows = (*in_rows(buttons, _IN_A_ROW), (back,))
    return Page(text=joined([asked, words.say("league.run.why")]), buttons=rows, turns=True)


def _seat_label(league: League, table: NightTable, seat: int, words: Words) -> str:
    member = table.seats[seat]
    who = plain((member_name(league, member),), words) if member else words.plain("league.board.computer")
    return words.plain("button.night_seat", number=table.number, who=Name(who))


def _person(league: League, night: Night, verb: str, member: str, words: Words, *before: str) -> Button:
    label = plain((member_name(league, member),), words)
    return Button((label,), callback_text(verb, night.id, 0, *before, member))


def _ask(night: Night, act: str, words: Words, *arguments: str) -> Button:
    style: Style = "good" if act in ("go", "reject") else "danger"
    return Button(
        (words.plain(f"button.night_act.{act}"),),
        callback_text("night_ask", night.id, 0, act, *arguments),
        style,
    )


def _extend(night: Night, minutes: int, words: Words) -> Button:
    label = words.plain("button.night_extend", n=minutes)
    return Button((label,), callback_text("night_ask", night.id, 0, "extend", str(minutes)))


def _page(page: str, night: Night, words: Words) -> Button:
    return Button((words.plain(f"button.night_{page}"),), callback_text(f"night_{page}", night.id), "primary")
