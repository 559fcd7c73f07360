"""Pages of a league: its first one, its dates and nights, and a member's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.callback_data import callback_text
from bot.history.judgements import SeasonPlay
from bot.i18n import Words
from bot.league.model import League, Member
from bot.league.night import Night, NightStage, tier_of
from bot.league.ratings import POOLS, SHOWN_FROM, RatedNight, Rating, RatingPool
from bot.league.schedule import Occurrence
from bot.league.seasons import number_of
from bot.league.standings import SeasonStanding
from bot.markup import Button, CurvePicture, Link, Name, Page, Style, Text
from bot.screens.league.parts import (
    count_points,
    division_name,
    moment,
    names,
    page,
    pause_line,
    to_hub,
)
from bot.screens.league.settings import format_lines, schedule_line
from bot.screens.parts import button, curve_alt, in_rows, sign
from engine.rules import GameName, rules_from

NIGHTS_TOLD: Final = 15
"""The nights on a page: three rows of buttons, beside those that lead on."""
CURVE_LEAST: Final = 2
_IN_A_ROW: Final = 5

_OFFERED: Final[Mapping[NightStage, tuple[tuple[str, Style], ...]]] = {
    "announced": (("yes", "good"), ("maybe", "plain"), ("no", "plain"), ("substitute", "plain")),
    "check_in": (("here", "good"), ("no", "plain")),
    "ready": (("late", "good"), ("leave", "danger")),
    "playing": (("late", "good"), ("leave", "danger")),
    "break": (("late", "good"), ("leave", "danger")),
}
"""The answers that people may give at each stage of a night."""

_PAGES: Final = ("dates", "table", "nights", "prizes", "me")


@dataclass(frozen=True, slots=True, kw_only=True)
class HubFacts:
    """A league for one reader."""

    league: League
    next: Night | None
    """The running night, or else the next one."""
    member: Member | None
    """The reader, if they are a member."""
    organises: bool
    paused: float | None = None
    """When the league's pause ends, if it has one."""
    page: str = ""
    """The address of its page on the web; empty where it has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingFacts:
    """A member's rating in one pool."""

    pool: RatingPool
    tables: int
    shown: int | None
    """The rating; None while too few of their tables are rated."""
    curve: Sequence[RatedNight]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnLineFacts:
    """A member's own profile."""

    league: League
    member: Member
    standing: SeasonStanding | None
    """Their line in the season's standings, if they have one."""
    chips: int | None
    """The chips that the nights' pots brought them this season; None where there is no pot."""
    ratings: Sequence[RatingFacts]
    play: SeasonPlay | None
    """The quality of their play this season; None when nothing can be said of it."""
    past: Sequence[Text] = ()
    """Where they can still finish, what they have done, and against whom."""
    page: str = ""
    """The address of their page on the web; empty where they have none."""
    now: float


def leagues_page(leagues: Sequence[League], words: Words) -> Page:
    """Return the leagues of a place to choose from."""
    rows = [(Button((league.name,), callback_text("league_hub", league.id)),) for league in leagues]
    return page([words.say("league.hub.which")], *rows, turns=False)


def hub_page(facts: HubFacts, words: Words, *, turns: bool) -> Page:
    """Return a league at a glance, and the buttons to everything else."""
    league, night = facts.league, facts.next
    lines = [
        words.say("league.hub.title", name=Name(league.name), season=league.season),
        schedule_line(league.schedule, words),
        *format_lines(league.format, words),
    ]
    answers: list[Button] = []
    if league.ended:
        lines.append(words.say("league.hub.ended"))
    elif facts.paused is not None:
        lines.append(pause_line(league, facts.paused, words))
    if night is not None and not league.ended:
        when = moment(league, night.start, words)
        lines.append(words.say("league.hub.next", number=night.number, when=when))
        if facts.member is not None:
            lines += _own_division(tier_of(night.divisions, facts.member.id), words)
        lines.append(_own_answer(facts, night, words))
        answers = _answers(night, facts.member, words)
    champions = max(league.champions, default=None)
    if champions is not None:
        who = names(league, league.champions[champions], words)
        lines.append(words.say("league.hub.champion", season=champions, who=who))
    own = facts.page and league.visibility == "members"
    if facts.page and not own:
        lines.append(("🔗 ", Link(words.plain("league.hub.page"), facts.page)))
    pages = [button(words, f"league_{each}", league.id) for each in _PAGES]
    ways = [button(words, "league_page", league.id)] if own else []
    run = [button(words, "league_run", league.id, style="primary")] if facts.organises else []
    return page(lines, answers, pages, [*ways, *run], turns=turns)


def dates_page(
    league: League, dates: Sequence[Occurrence], paused: float | None, words: Words, *, turns: bool
) -> Page:
    """Return the dates of the next nights, in the reader's own time where their chat can show it, and when
    the league's pause ends, if it has one."""
    lines = [words.say("league.dates.line", when=moment(league, each.at, words)) for each in dates]
    title = words.say("league.dates.title", name=Name(league.name))
    zone = words.say("league.dates.zone", zone=league.schedule.zone)
    pause = [] if paused is None else [pause_line(league, paused, words)]
    told = [title, *pause, *(lines or [words.say("league.dates.none")]), zone]
    return page(told, (to_hub(league, words),), turns=turns)


def nights_page(league: League, season: int, first: int, words: Words, *, turns: bool) -> Page:
    """Return the nights that a season has held, the newest first, each with its results; from index `first`
    on."""
    held = [ref for ref in league.nights if ref.season == season and ref.over and not ref.cancelled][::-1]
    numbered = [(number_of(league, ref), ref) for ref in held[first : first + NIGHTS_TOLD]]
    lines = [
        words.say("league.nights.line", number=number, when=moment(league, ref.start, words))
        for number, ref in numbered
    ]
    buttons = [
        button(words, "night_results", ref.id, says="night_nth", number=number) for number, ref in numbered
    ]
    ways = [
        button(words, "league_nights", league.id, season, at, says=f"nights_{way}")
        for way, at in (("newer", first - NIGHTS_TOLD), ("older", first + NIGHTS_TOLD))
        if 0 <= at < len(held)
    ]
    seasons = [
        button(words, "league_nights", league.id, each, 0, says="league_season", season=each)
        for each in (season - 1, season + 1)
        if 1 <= each <= league.season
    ]
    title = words.say("league.nights.title", name=Name(league.name), season=season)
    told = [title, *(lines or [words.say("league.nights.none")])]
    return page(told, *in_rows(buttons, _IN_A_ROW), ways, (*seasons, to_hub(league, words)), turns=turns)


def profile_page(facts: OwnLineFacts, words: Words, *, turns: bool) -> Page:
    """Return a member's season, their ratings with a curve, their reminders."""
    league, member = facts.league, facts.member
    lines = [
        words.say("league.me.title", who=Name(member.name), name=Name(league.name)),
        _season(facts, words),
        *_own_division(facts.standing.division if facts.standing else 0, words),
        *facts.past,
        *(rating_line(each, words) for each in facts.ratings),
        *_play(facts.play, rules_from(league.format.rules).game, words),
    ]
    if facts.chips is not None:
        lines.append(words.say("league.me.chips", chips=words.number(facts.chips)))
    if member.barred_until > facts.now:
        lines.append(words.say("league.me.barred", until=moment(league, member.barred_until, words)))
    lines.append(words.say("league.me.reminders_on" if member.reminders else "league.me.reminders_off"))
    if facts.page:
        lines.append(("🔗 ", Link(words.plain("league.me.page"), facts.page)))
    picture = next(
        (rating_curve(each, league, words) for each in facts.ratings if len(each.curve) >= CURVE_LEAST), None
    )
    return page(
        lines,
        (reminders_button(league, words, on=not member.reminders), to_hub(league, words)),
        picture=picture,
        alt="" if picture is None else rating_alt(picture, words),
        turns=turns,
    )


def reminders_button(league: League, words: Words, *, on: bool) -> Button:
    """Return the button that turns a member's reminders on or off."""
    label = "league_remind" if on else "league_quiet"
    return button(words, "league_remind", league.id, "on" if on else "off", says=label)


def _own_division(tier: int, words: Words) -> list[Text]:
    """Return in which division somebody plays, if there are any."""
    return [words.say("league.hub.division", division=division_name(tier, words))] if tier else []


def _own_answer(facts: HubFacts, night: Night, words: Words) -> Text:
    entrant = None if facts.member is None else night.entrant(facts.member.id)
    if entrant is None:
        return words.say("league.hub.unanswered")
    if night.rounds and entrant.member in night.playing:
        return words.say("league.hub.playing")
    if entrant.member in night.waiting:
        return words.say("league.hub.waiting", place=night.waiting.index(entrant.member) + 1)
    return words.say(f"league.hub.said.{entrant.reply}")


def _answers(night: Night, member: Member | None, words: Words) -> list[Button]:
    """Return the possible answers. A member comes late while the night lets people in and they don't play
    yet, or to a seat that is kept for them."""
    kept = member is not None and night.find_kept(member.id) is not None
    playing = member is not None and member.id in night.playing
    late = kept or (night.lets_in and not playing)
    return [
        button(words, f"night_{verb}", night.id, style=style)
        for verb, style in _OFFERED.get(night.stage, ())
        if late or verb != "late"
    ]


def _season(facts: OwnLineFacts, words: Words) -> Text:
    standing = facts.standing
    if standing is None:
        return words.say("league.me.no_season", season=facts.league.season)
    counted = sum(night.counted for night in standing.nights)
    dropped = len(standing.nights) - counted
    return words.say(
        "league.me.season",
        season=facts.league.season,
        rank=standing.rank,
        points=count_points(standing.points, words),
        nights=words.plain("league.nights_count", n=counted)
        + (f", {words.plain('league.nights_dropped', n=dropped)}" if dropped else ""),
    )


def pick_ratings(rated: Mapping[tuple[RatingPool, str], Rating], member: str) -> list[RatingFacts]:
    """Return a member's ratings, by pool."""
    return [
        RatingFacts(pool=pool, tables=rating.tables, shown=rating.shown, curve=tuple(rating.curve))
        for pool in POOLS
        if (rating := rated.get((pool, member))) is not None
    ]


def rating_line(rating: RatingFacts, words: Words) -> Text:
    """Return a rating, or how many tables are missing until it is shown."""
    pool = words.plain(f"league.pool.{rating.pool}")
    if rating.shown is None:
        return words.say("league.me.unrated", pool=pool, tables=rating.tables, least=SHOWN_FROM)
    return words.say("league.me.rated", pool=pool, rating=rating.shown, n=rating.tables)


def _play(play: SeasonPlay | None, game: GameName, words: Words) -> list[Text]:
    """Accuracy, luck apart from it, and the number of rounds still to be judged."""
    if play is None:
        return []
    percent, luck = round(100 * play.accuracy), sign(play.luck, words)
    key = f"league.me.play_{game}"
    lines = [words.say(key, percent=percent, luck=luck, n=play.rounds)] if play.rounds else []
    return lines + ([words.say("league.me.unjudged", n=play.unjudged)] if play.unjudged else [])


def rating_curve(rating: RatingFacts, league: League, words: Words) -> CurvePicture:
    """Return a rating's course as a picture. It has at least two nights."""
    values = [each.value for each in rating.curve]
    ends = (rating.curve[0], rating.curve[-1])
    first, last = (words.date(night.start, league.schedule.zone) for night in ends)
    return CurvePicture(
        title=words.plain("league.me.curve", pool=words.plain(f"league.pool.{rating.pool}")),
        values=tuple(map(float, values)),
        marks=tuple((str(level), float(level)) for level in sorted({min(values), max(values)})),
        captions=(first, last),
    )


def rating_alt(curve: CurvePicture, words: Words) -> str:
    """Return a rating's course in words."""
    return curve_alt(curve, [str(round(value)) for value in curve.values], words)
