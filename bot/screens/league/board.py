"""Board: the one message of a league night in a place, from its announcement to its last table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot.i18n import Words, join
from bot.league import prizes
from bot.league.finals import count_rounds
from bot.league.model import League
from bot.league.night import Night
from bot.league.records import Honour
from bot.league.schedule import pause_end
from bot.league.seasons import count_held
from bot.league.standings import SeasonStanding, Standing
from bot.markup import Clock, Name, PublicScreen, Row, StandingsPicture, Strong, Text
from bot.screens.league.bracket import name_heat
from bot.screens.league.divisions import group_members
from bot.screens.league.parts import moment, names, pause_line, round_lines
from bot.screens.league.remembered import tell_honours
from bot.screens.league.results import alt_text, night_lines, night_picture, season_lines, season_picture
from bot.screens.league.settings import finals_lines, rounds_line
from bot.screens.parts import CAPTION, button, length
from bot.screens.rules import rules_lines
from engine.rules import rules_from

LEADERS_TOLD: Final = 10
NEXT_TOLD: Final = 4
"""The most people who are told that they are next in line for a final."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardFacts:
    """The contents of a place's board."""

    league: League
    night: Night
    standings: tuple[Standing, ...]
    """The night's standings so far."""
    season: tuple[SeasonStanding, ...]
    """The season's standings, with this night."""
    links: Mapping[int, str] = field(default_factory=dict)
    """Addresses of the running round's tables, by their numbers, for tables that people of the place can
    reach."""
    honours: Sequence[Honour] = ()
    """Those of the season, if it is over."""

    @property
    def waits(self) -> bool:
        """Return whether it was the last night of a season that waits for a decision."""
        night, league = self.night, self.league
        open = night.season == league.season and night.season not in league.seasons
        return night.stage == "over" and open and count_held(league, night.season) >= night.format.nights

    @property
    def is_last(self) -> bool:
        """The night is over and was the last of its season."""
        night, refs = self.night, self.league.nights
        later = any(each.season == night.season and each.start > night.start for each in refs)
        if self.waits:
            return False
        whole = night.number >= night.format.nights or night.season in self.league.champions
        return night.stage == "over" and whole and not later


def night_board(facts: BoardFacts, words: Words) -> PublicScreen:
    """Return the board in a place's language."""
    league, night = facts.league, facts.night
    picture: StandingsPicture | None = None
    told = night_lines(league, facts.standings, words)
    if facts.is_last and facts.season:
        picture = season_picture(league, night.season, facts.season, words, podium=True)
        told = season_lines(league, night.season, facts.season, words)
    elif night.stage == "over":
        picture = night_picture(league, night.number, facts.standings, words)
    return PublicScreen(
        table=night.id,
        version=night.revision,
        text=join([_title(facts, words), *_lines(facts, words)]),
        picture=picture,
        alt="" if picture is None else alt_text(told, words),
        buttons=_buttons(night, words),
        over=night.stage in ("over", "cancelled"),
    )


def _title(facts: BoardFacts, words: Words) -> Text:
    night = facts.night
    return words.say(
        "league.board.title",
        name=Name(facts.league.name),
        number=night.number,
        n=night.format.nights,
        season=night.season,
    )


def _lines(facts: BoardFacts, words: Words) -> Sequence[Text]:
    match facts.night.stage:
        case "announced" | "check_in" | "ready":
            return _announce(facts, words)
        case "playing":
            return _playing(facts, words)
        case "break":
            return _between(facts, words)
        case "over":
            return _over(facts, words)
        case "cancelled":
            return _tell_cancelled(facts, words)


def _announce(facts: BoardFacts, words: Words) -> list[Text]:
    night = facts.night
    return [
        words.say("league.board.when", when=moment(facts.league, night.start, words)),
        *rules_lines(rules_from(night.format.rules), words, of_league=True),
        *_tell_rounds(night, words),
        *_tell_final(facts, words),
        _next_step(night, words),
        *_people(facts, words),
    ]


def _tell_cancelled(facts: BoardFacts, words: Words) -> list[Text]:
    """Return why the night is not held, and until when its season is put off."""
    lines, end = [words.say(f"league.cancelled.{facts.night.cancelled}")], pause_end(facts.league.schedule)
    return [*lines, pause_line(facts.league, end, words)] if facts.night.start < end else lines


def _tell_rounds(night: Night, words: Words) -> list[Text]:
    """Return the number of rounds, where it is known before the night."""
    return [] if night.knockout_follows else [rounds_line(night.format, words)]


def _tell_final(facts: BoardFacts, words: Words) -> list[Text]:
    """Return that this night is the final, and who may play it."""
    night, league = facts.night, facts.league
    if night.final is None or night.final.groups:
        return finals_lines(night.format, words) if night.final else []
    first = night.admit(tuple(each.member for each in night.seeds))
    following = [each.member for each in night.seeds if each.member not in first]
    lines = [words.say("league.board.final", n=night.final.size)]
    lines += [
        (*division, *words.say("league.board.qualified", names=names(league, those, words)))
        for division, those in group_members(night.divisions, first, words)
    ]
    if following:
        told = names(league, following, words, most=NEXT_TOLD)
        lines.append(words.say("league.board.next_in_line", names=told))
    return lines


def _next_step(night: Night, words: Words) -> Text:
    if night.stage == "announced":
        return words.say("league.board.check_in_from")
    if night.stage == "check_in" and night.check_in_closes is not None:
        return words.say("league.board.check_in", when=Clock(night.check_in_closes))
    return words.say("league.board.ready", n=len(night.playing), when=Clock(night.start))


def _people(facts: BoardFacts, words: Words) -> list[Text]:
    """Return people by their answers. During check-in, those who have checked in have a tick."""
    night = facts.night
    replied = {
        reply: tuple(each.member for each in night.entrants if each.reply == reply)
        for reply in ("maybe", "substitute", "no")
    }
    groups = {
        "coming": night.playing if night.stage == "ready" else night.coming,
        "waiting": night.waiting,
        **replied,
    }
    here = {each.member for each in night.entrants if each.here and night.stage == "check_in"}
    lines: list[Text] = [
        (
            *division,
            *words.say(
                f"league.board.{group}", n=len(those), names=names(facts.league, those, words, ticked=here)
            ),
        )
        for group, members in groups.items()
        for division, those in group_members(night.divisions if group == "coming" else (), members, words)
    ]
    return lines or [words.say("league.board.nobody")]


def _playing(facts: BoardFacts, words: Words) -> list[Text]:
    night, round = facts.night, facts.night.rounds[-1]
    if night.paused_at is not None:
        ends = words.say("league.board.paused")
    elif round.soft_ended:
        ends = words.say("league.board.hard_end", when=Clock(round.hard_end))
    else:
        ends = words.say("league.board.ends", soft=Clock(round.soft_end), hard=Clock(round.hard_end))
    title = words.say("league.board.round", round=round.number, n=count_rounds(night))
    return [
        title,
        *_tell_heat(night, words),
        ends,
        *round_lines(facts.league, night, round, facts.links, words),
    ]


def _tell_heat(night: Night, words: Words) -> list[Text]:
    """Return which step of a knockout is played."""
    if not night.heats:
        return []
    heat = night.heats[-1]
    matches = len(night.rounds[heat.round - 1].tables)
    return [(Strong(name_heat(matches, len(heat.members), words)),)]


def _between(facts: BoardFacts, words: Words) -> list[Text]:
    night, round = facts.night, facts.night.rounds[-1]
    lines = [words.say("league.board.round_over", round=round.number, n=count_rounds(night))]
    if night.knockout_follows and any(each.state == "disputed" for each in round.tables):
        lines.append(words.say("league.board.decision"))
    elif night.paused_at is not None:
        lines.append(words.say("league.board.paused"))
    elif night.break_ends is not None:
        when = Clock(night.break_ends)
        lines.append(words.say("league.board.next_round", round=round.number + 1, when=when))
    lines += round_lines(facts.league, night, round, {}, words)
    leaders = night_lines(facts.league, facts.standings, words, LEADERS_TOLD)
    return [*lines, words.say("league.board.so_far"), *leaders]


def _over(facts: BoardFacts, words: Words) -> list[Text]:
    """Return the night's standings and the season's, as much as fits under a picture of the night's; after
    the last night the champions, too."""
    night = facts.night
    champions = names(facts.league, prizes.champions(facts.season), words) if facts.is_last else ()
    crowned = [words.say("league.hub.champion", season=night.season, who=champions)] if champions else []
    if facts.waits:
        crowned = [words.say("league.board.season_waits")]
    elif crowned:
        crowned += tell_honours(facts.league, facts.honours, words)
    for most in range(LEADERS_TOLD, 1, -1):
        lines = [
            words.say("league.board.over"),
            *night_lines(facts.league, facts.standings, words, most),
            *crowned,
            words.say("league.board.season", season=night.season),
            *season_lines(facts.league, night.season, facts.season, words, most),
        ]
        if length(join([_title(facts, words), *lines])) <= CAPTION:
            break
    return lines


def _buttons(night: Night, words: Words) -> tuple[Row, ...]:
    yes = button(words, "night_yes", night.id, style="good")
    maybe, no, substitute = (
        button(words, f"night_{reply}", night.id) for reply in ("maybe", "no", "substitute")
    )
    rows: tuple[Row, ...] = ()
    match night.stage:
        case "announced":
            rows = ((yes, maybe, no, substitute),)
        case "ready":  # only a clear answer counts now
            rows = ((yes, no, substitute),)
        case "check_in":
            rows = ((button(words, "night_here", night.id, style="good"),), (yes, maybe, no, substitute))
        case "playing" | "break":
            rows = (_on_the_way(night, words),)
    results = (button(words, "night_results", night.id),) if night.rounds else ()
    pages = (button(words, f"league_{each}", night.league) for each in ("table", "hub"))
    return (*rows, (*results, *pages))


def _on_the_way(night: Night, words: Words) -> Row:
    free = night.round is not None and any(table.free and not table.over for table in night.round.tables)
    return (
        *((button(words, "night_late", night.id, style="good"),) if night.lets_in else ()),
        *((button(words, "night_sit", night.id, style="good"),) if free else ()),
        button(words, "night_dispute", night.id),
        button(words, "night_leave", night.id, style="danger"),
    )
