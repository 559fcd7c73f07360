"""A member's own page: where he stands, how strong the results say he is, and his reminders."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.callback_data import callback_text
from bot.i18n import Words, joined, plain
from bot.league.model import League, Member
from bot.league.ratings import SHOWN_FROM, Pool, RatedNight
from bot.league.standings import SeasonStanding
from bot.markup import Button, CurvePicture, Name, Page, Text
from bot.screens.league.parts import league_button, points

CURVE_LEAST: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingFacts:
    """A member's rating in one pool."""

    pool: Pool
    tables: int
    shown: int | None
    """None while too few tables are rated."""
    curve: Sequence[RatedNight]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileFacts:
    """What a member reads about himself."""

    league: League
    member: Member
    standing: SeasonStanding | None
    """His line in the season's table, if he has one."""
    chips: int | None
    """What the nights' pots brought him this season; None where there is no pot."""
    ratings: Sequence[RatingFacts]
    now: float


def profile_page(facts: ProfileFacts, words: Words, *, turns: bool) -> Page:
    """His season, his ratings with a curve, his reminders."""
    league, member = facts.league, facts.member
    lines = [
        words.say("league.me.title", who=Name(member.name), name=Name(league.name)),
        _season(facts, words),
        *(_rating(each, words) for each in facts.ratings),
    ]
    if facts.chips is not None:
        lines.append(words.say("league.me.chips", chips=words.number(facts.chips)))
    if member.barred_until > facts.now:
        until = words.moment(member.barred_until, league.schedule.zone)
        lines.append(words.say("league.me.barred", until=until))
    lines.append(words.say("league.me.reminders_on" if member.reminders else "league.me.reminders_off"))
    picture = next(
        (_curve(each, league, words) for each in facts.ratings if len(each.curve) >= CURVE_LEAST), None
    )
    return Page(
        text=joined(lines),
        picture=picture,
        alt="" if picture is None else _spoken(picture, words),
        buttons=((_reminders(league, member, words), league_button("hub", league.id, words)),),
        turns=turns,
    )


def _season(facts: ProfileFacts, words: Words) -> Text:
    standing = facts.standing
    if standing is None:
        return words.say("league.me.no_season", season=facts.league.season)
    counted = sum(night.counted for night in standing.nights)
    return words.say(
        "league.me.season",
        season=facts.league.season,
        rank=standing.rank,
        points=points(float(standing.points), words),
        counted=counted,
        dropped=len(standing.nights) - counted,
    )


def _rating(rating: RatingFacts, words: Words) -> Text:
    pool = words.plain(f"league.pool.{rating.pool}")
    if rating.shown is None:
        return words.say("league.me.unrated", pool=pool, tables=rating.tables, least=SHOWN_FROM)
    return words.say("league.me.rated", pool=pool, rating=rating.shown, n=rating.tables)


def _curve(rating: RatingFacts, league: League, words: Words) -> CurvePicture:
    values = [each.value for each in rating.curve]
    levels = sorted({min(values), max(values)})
    return CurvePicture(
        title=words.plain("league.me.curve", pool=words.plain(f"league.pool.{rating.pool}")),
        values=tuple(map(float, values)),
        marks=tuple((str(level), float(level)) for level in levels),
        captions=(_day(rating.curve[0], league, words), _day(rating.curve[-1], league, words)),
    )


def _day(night: RatedNight, league: League, words: Words) -> str:
    return words.date(night.start, league.schedule.zone)


def _spoken(curve: CurvePicture, words: Words) -> str:
    told = words.say(
        "league.me.curve_told",
        title=curve.title,
        values=", ".join(str(round(value)) for value in curve.values),
        first=curve.captions[0],
        last=curve.captions[1],
    )
    return plain(told, words)[:1000]


def _reminders(league: League, member: Member, words: Words) -> Button:
    label = words.plain("button.league_quiet" if member.reminders else "button.league_remind")
    return Button((label,), callback_text("league_remind", league.id, 0, "off" if member.reminders else "on"))
