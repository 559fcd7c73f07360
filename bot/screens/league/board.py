"""A night's board: the one message of a league night in a place, from its announcement to its last table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.i18n import Words, joined
from bot.league.model import League
from bot.league.night import Night, NightRound
from bot.league.standings import SeasonStanding, Standing
from bot.markup import Clock, Name, PublicScreen, Row, StandingsPicture, Text
from bot.screens.league.parts import (
    league_button,
    names,
    night_button,
    night_lines,
    night_picture,
    round_lines,
    season_lines,
    told,
)
from bot.screens.league.settings import rounds_line
from bot.screens.parts import length
from bot.screens.rules import rules_lines
from bot.screens.table import CAPTION
from engine.rules import rules_from

LEADERS_TOLD: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFacts:
    """What a place's board is made of."""

    league: League
    night: Night
    standings: tuple[Standing, ...]
    """The night's table as it stands."""
    season: tuple[SeasonStanding, ...]
    """The season's, with this night."""
    links: Mapping[int, str] = field(default_factory=dict)
    """Addresses of the running round's tables, by their numbers, as far as the place can follow them."""


def night_board(facts: BoardFacts, words: Words) -> PublicScreen:
    """The board in a place's language."""
    night = facts.night
    lines, picture = _content(facts, words)
    return PublicScreen(
        table=night.id,
        revision=night.revision,
        text=joined([_title(facts, words), *lines]),
        picture=picture,
        alt="" if picture is None else told(night_lines(facts.league, facts.standings, words), words),
        buttons=_buttons(night, words),
        over=night.stage in ("over", "cancelled"),
    )


def _content(facts: BoardFacts, words: Words) -> tuple[Sequence[Text], StandingsPicture | None]:
    match facts.night.stage:
        case "announced" | "check_in" | "ready":
            return _announced(facts, words), None
        case "playing":
            return _playing(facts, words), None
        case "break":
            return _between(facts, words), None
        case "over":
            return _over(facts, words), _picture(facts, words)
        case "cancelled":
            return [words.say(f"league.cancelled.{facts.night.cancelled}")], None


def _title(facts: BoardFacts, words: Words) -> Text:
    night = facts.night
    return words.say(
        "league.board.title",
        name=Name(facts.league.name),
        number=night.number,
        n=night.format.nights,
        season=night.season,
    )


# Before it begins


def _announced(facts: BoardFacts, words: Words) -> list[Text]:
    league, night = facts.league, facts.night
    when = words.say("league.board.when", when=words.moment(night.start, league.schedule.zone))
    rules = rules_lines(rules_from(night.format.rules), words)
    return [
        when,
        *rules,
        rounds_line(night.format, words),
        *_next_step(night, words),
        *_people(facts, words),
    ]


def _next_step(night: Night, words: Words) -> list[Text]:
    match night.stage:
        case "announced":
            return [words.say("league.board.check_in_from")]
        case "check_in" if night.check_in_closes is not None:
            return [words.say("league.board.check_in", when=Clock(night.check_in_closes))]
    return [words.say("league.board.ready", n=len(night.playing), when=Clock(night.start))]


def _people(facts: BoardFacts, words: Words) -> list[Text]:
    night = facts.night
    groups = {
        "coming": night.playing if night.stage == "ready" else night.coming,
        "waiting": night.waiting,
        "maybe": _replied(night, "maybe"),
        "substitute": _replied(night, "substitute"),
        "no": _replied(night, "no"),
    }
    lines = [
        words.say(f"league.board.{group}", n=len(members), names=_named(facts, members, words))
        for group, members in groups.items()
        if members and group != "no"
    ]
    if groups["no"]:
        lines.append(words.say("league.board.no", n=len(groups["no"])))
    return lines or [words.say("league.board.nobody")]


def _replied(night: Night, reply: str) -> tuple[str, ...]:
    return tuple(each.member for each in night.entrants if each.reply == reply)


def _named(facts: BoardFacts, members: Sequence[str], words: Words) -> Text:
    """Names; while people check in, with a tick for who has."""
    here = {each.member for each in facts.night.entrants if each.here}
    if facts.night.stage != "check_in":
        here = set()
    return names(facts.league, members, words, ticked=here)


# While it is played


def _playing(facts: BoardFacts, words: Words) -> list[Text]:
    night, round = facts.night, facts.night.rounds[-1]
    lines = [_round_line(night, round, words)]
    if night.paused_at is not None:
        lines.append(words.say("league.board.paused"))
    elif round.soft_ended:
        lines.append(words.say("league.board.hard_end", when=Clock(round.hard_end)))
    else:
        lines.append(words.say("league.board.ends", soft=Clock(round.soft_end), hard=Clock(round.hard_end)))
    return [*lines, *round_lines(facts.league, round, facts.links, words)]


def _round_line(night: Night, round: NightRound, words: Words) -> Text:
    return words.say("league.board.round", round=round.number, n=night.format.rounds)


# Between rounds, and at the end


def _between(facts: BoardFacts, words: Words) -> list[Text]:
    night, round = facts.night, facts.night.rounds[-1]
    lines = [words.say("league.board.round_over", round=round.number, n=night.format.rounds)]
    if night.paused_at is not None:
        lines.append(words.say("league.board.paused"))
    elif night.break_ends is not None:
        lines.append(
            words.say("league.board.next_round", round=round.number + 1, when=Clock(night.break_ends))
        )
    lines += round_lines(facts.league, round, {}, words)
    return [*lines, words.say("league.board.so_far"), *_leading(facts, LEADERS_TOLD, words)]


def _over(facts: BoardFacts, words: Words) -> list[Text]:
    """The night's table and the season's, as much of both as fits under a picture that shows the night's."""
    for most in range(LEADERS_TOLD, 1, -1):
        lines = [
            words.say("league.board.over"),
            *_leading(facts, most, words),
            words.say("league.board.season", season=facts.night.season),
            *season_lines(facts.league, facts.season, words, most),
        ]
        if length(joined([_title(facts, words), *lines])) <= CAPTION:
            break
    return lines


def _leading(facts: BoardFacts, most: int, words: Words) -> list[Text]:
    return night_lines(facts.league, facts.standings, words, most)


def _picture(facts: BoardFacts, words: Words) -> StandingsPicture:
    return night_picture(facts.league, facts.night.number, facts.standings, words)


# What people may do


def _buttons(night: Night, words: Words) -> tuple[Row, ...]:
    rows: tuple[Row, ...] = ()
    match night.stage:
        case "announced" | "ready":
            rows = (_replies(night, words),)
        case "check_in":
            rows = ((night_button("here", night, words, "good"),), _replies(night, words))
        case "playing" | "break":
            rows = (_on_the_way(night, words),)
    pages = (league_button("table", night.league, words), league_button("hub", night.league, words))
    return (*rows, (*([night_button("results", night, words)] if night.rounds else []), *pages))


def _replies(night: Night, words: Words) -> Row:
    return (
        night_button("yes", night, words, "good"),
        night_button("maybe", night, words),
        night_button("no", night, words),
        night_button("substitute", night, words),
    )


def _on_the_way(night: Night, words: Words) -> Row:
    round = night.rounds[-1] if night.rounds else None
    free = round is not None and any(table.free and not table.over for table in round.tables)
    late = 2 * len(night.rounds) <= night.format.rounds
    return (
        *([night_button("late", night, words, "good")] if late else []),
        *([night_button("sit", night, words, "good")] if free else []),
        night_button("dispute", night, words),
        night_button("leave", night, words, "danger"),
    )
