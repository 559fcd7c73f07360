"""Statistics: a community's leaders, a person's profile and figures, and past matches.

A picture of figures says the same as the words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from bot.callback_data import callback_text
from bot.history.played import Dated
from bot.history.statistics import PERIODS, Figures, Leader, Luck, PersonStandings
from bot.i18n import Words, join, plain
from bot.league.ratings import SHOWN_FROM
from bot.markup import (
    Button,
    FiguresPicture,
    FiguresSection,
    Name,
    Page,
    PublicScreen,
    StandingRow,
    StandingsPicture,
    Strong,
    Text,
)
from bot.screens.games import SCREENS
from bot.screens.parts import OWN, choice, figure, in_rows, own_button

MATCHES_TOLD: Final = 10
LEADERS_MOST: Final = 15
_ALT: Final = 1000

_Line = tuple[Text, str]


@dataclass(frozen=True, slots=True)
class SeasonWon:
    """A season that a person won."""

    league: str
    """The league's name."""
    season: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonFacts:
    """A person's profile, for those who may see it."""

    name: str
    standings: PersonStandings
    honours: Sequence[SeasonWon]
    here: bool
    """Whether it is about the matches of a community, which have a rating."""
    own: bool
    """Whether the reader looks at their own."""
    hidden: bool = False
    """Whether others may not see it."""


@dataclass(frozen=True, slots=True)
class _Section:
    title: str
    lines: Sequence[_Line]
    between: str = ": "
    """What stands between the two words of a line."""


def leaderboard_page(
    period: str, leaders: Sequence[Leader], words: Words, *, token: str, turns: bool
) -> Page:
    """Return the people of a place who won most rounds in a period of `PERIODS`. `token` stands for the place
    in its buttons."""
    picture = _leaders_picture(period, leaders, words)
    periods = tuple(
        choice(
            words.plain(f"button.period.{each}"),
            each == period,
            callback_text("leaderboard", OWN, 0, token, each),
        )
        for each in PERIODS
    )
    buttons = (
        periods,
        (_show_button(token, words, period), own_button(words, "profile", says="own_profile")),
    )
    return Page(
        text=_heading("🏆", words.plain("stats.here")),
        picture=picture,
        alt=_tell_leaders(period, leaders, words),
        buttons=buttons,
        turns=turns,
    )


def leaderboard_post(period: str, leaders: Sequence[Leader], words: Words) -> PublicScreen:
    """Return the same for everybody in the place."""
    picture = _leaders_picture(period, leaders, words)
    return _post(_heading("🏆", words.plain("stats.here")), picture, _tell_leaders(period, leaders, words))


def profile_page(facts: PersonFacts, words: Words, *, token: str, turns: bool) -> Page:
    """Return a person's profile. `token` stands for it and its place in its button; empty: there is no place
    in which to show it."""
    sections = _profile_sections(facts, words)
    showing = [_show_button(token, words)] if token and not facts.hidden else []
    rows = [showing]
    if facts.own:
        rows = [
            [
                *showing,
                own_button(
                    words,
                    "hide_profile",
                    "no" if facts.hidden else "yes",
                    says="unhide_profile" if facts.hidden else "hide_profile",
                ),
            ],
            [own_button(words, "stats", says="own_stats"), own_button(words, "history", says="own_history")],
        ]
    return Page(
        text=_heading("👤", facts.name),
        picture=_figures_picture(sections, words),
        alt=_tell_sections(sections, words),
        buttons=tuple(tuple(row) for row in rows if row),
        turns=turns,
    )


def empty_profile_page(name: str, played: bool, words: Words, *, turns: bool) -> Page:
    """Return the own profile of somebody who has no figures yet: what will stand there. `played`: whether
    they have matches to look back at, which did not count."""
    buttons = ((own_button(words, "history", says="own_history"),),) if played else ()
    lines = [("👤 ", Name(name, strong=True)), words.say("profile.empty"), words.say("stats.counts")]
    return Page(text=join(lines, "\n\n"), buttons=buttons, turns=turns)


def profile_post(facts: PersonFacts, words: Words) -> PublicScreen:
    """Return the same for everybody in the place."""
    sections = _profile_sections(facts, words)
    picture = _figures_picture(sections, words)
    return _post(_heading("👤", facts.name), picture, _tell_sections(sections, words))


def figures_page(standings: PersonStandings, words: Words) -> Page:
    """Return a person's figures: rounds and wins by kind, and the people whom they meet."""
    sections = [
        _Section(words.plain(f"stats.game.{game}"), _game_lines(game, figures, words))
        for game, figures in standings.games.items()
    ]
    lines = [
        _count("matches", standings.matches, words),
        _count("matches_won", standings.matches_won, words),
        _count("streak", standings.longest, words),
        *_opponent_lines(standings, words),
    ]
    sections.append(_Section(words.plain("stats.in_all"), lines))
    return Page(
        text=join([_heading("📊", words.plain("stats.own")), words.say("stats.counts")]),
        picture=_figures_picture(sections, words),
        alt=_tell_sections(sections, words),
        buttons=((own_button(words, "history", says="own_history"),),),
        turns=True,
    )


def history_page(
    matches: Sequence[Dated], replayed_since: float, words: Words, *, offset: int, turns: bool
) -> Page:
    """Return the newest of these matches (newest first), dated by a clock that is `offset` minutes ahead of
    UTC. A match that ended before `replayed_since` has no replay."""
    told = list(enumerate(matches[:MATCHES_TOLD], start=1))
    lines = (_line(number, dated, offset, words) for number, dated in told)
    buttons = [
        Button(
            (words.plain("button.replay_match", number=number),),
            callback_text("replay", dated.match.table, 0, 1),
        )
        for number, dated in told
        if dated.at >= replayed_since
    ]
    missing = [words.say("history.no_replay")] if len(buttons) < len(told) else []
    return Page(
        text=join([words.say("history.title"), *lines, *missing]),
        buttons=in_rows(buttons, 5),
        turns=turns,
    )


def _game_lines(game: str, figures: Figures, words: Words) -> list[_Line]:
    screens = SCREENS[game]
    lines = [_count("rounds", figures.rounds, words), _count("wins", figures.wins, words)]
    ways = (*screens.ways, *sorted(figures.how.keys() - {*screens.ways, "plain"}))
    lines += [_count(f"how.{way}", figures.how[way], words) for way in ways]
    return lines + [_count(what, getattr(figures, what), words) for what in screens.figures]


def _count(what: str, number: int, words: Words) -> _Line:
    return words.say(f"stats.{what}"), str(number)


def _heading(sign: str, title: str) -> Text:
    return f"{sign} ", Strong(title)


def _show_button(token: str, words: Words, *about: str) -> Button:
    return own_button(words, "show_everyone", token, *about, style="primary")


def _post(text: Text, picture: FiguresPicture | StandingsPicture, alt: str) -> PublicScreen:
    return PublicScreen(table="", version=0, text=text, picture=picture, alt=alt, buttons=(), over=True)


def _leaders_picture(period: str, leaders: Sequence[Leader], words: Words) -> StandingsPicture:
    rows = tuple(
        StandingRow(
            rank=f"{number}.",
            name=leader.name,
            detail=words.plain("stats.of_rounds", n=leader.rounds),
            points=str(leader.wins),
            first=number == 1,
        )
        for number, leader in enumerate(leaders[:LEADERS_MOST], start=1)
    )
    more = len(leaders) - len(rows)
    return StandingsPicture(
        title=words.plain(f"stats.{period}"),
        subtitle="",
        rows=rows,
        more=words.plain("stats.more", n=more) if more else "",
    )


def _tell_leaders(period: str, leaders: Sequence[Leader], words: Words) -> str:
    """Return a leaderboard in words."""
    rows = [
        f"{number}. {each.name}: {words.plain('stats.won_of', wins=each.wins, rounds=each.rounds)}"
        for number, each in enumerate(leaders[:LEADERS_MOST], start=1)
    ]
    return "\n".join([words.plain(f"stats.{period}"), *rows])[:_ALT]


def _profile_sections(facts: PersonFacts, words: Words) -> list[_Section]:
    standings = facts.standings
    sections = [
        _Section(words.plain("profile.here" if facts.here else "stats.in_all"), _match_lines(facts, words)),
        _Section(words.plain("profile.rounds"), _round_lines(standings, words)),
    ]
    if standings.luck:
        lines = [line for luck in standings.luck for line in _luck_lines(luck, words)]
        sections.append(_Section(words.plain("profile.luck"), lines))
    if standings.trophies:
        names = [words.plain(f"trophy.{trophy}") for trophy in standings.trophies]
        pairs = (names[at : at + 2] for at in range(0, len(names), 2))
        trophies: list[_Line] = [((one,), other[0] if other else "") for one, *other in pairs]
        sections.append(_Section(words.plain("profile.trophies"), trophies, ", "))
    if facts.honours:
        won = [
            ((each.league,), words.plain("profile.champion", season=each.season)) for each in facts.honours
        ]
        sections.append(_Section(words.plain("profile.leagues"), won))
    return sections


def _match_lines(facts: PersonFacts, words: Words) -> list[_Line]:
    standings = facts.standings
    lines: list[_Line] = []
    if facts.here:
        missing = words.plain("profile.rated_after", n=SHOWN_FROM - standings.rated)
        lines.append(
            (words.say("profile.rating"), missing if standings.rating is None else str(standings.rating))
        )
    won = words.plain("stats.won_of", wins=standings.matches_won, rounds=standings.matches)
    streak = words.plain("profile.streak_of", n=standings.streak, most=standings.longest)
    lines += [(words.say("stats.matches_won"), won), (words.say("profile.streak"), streak)]
    if standings.places:
        places = " · ".join(
            words.plain("profile.place", place=place, times=times)
            for place, times in standings.places.items()
        )
        lines.append((words.say("profile.places"), places))
    return lines


def _round_lines(standings: PersonStandings, words: Words) -> list[_Line]:
    return [
        (
            words.say(f"stats.game.{game}"),
            words.plain("stats.won_of", wins=figures.wins, rounds=figures.rounds),
        )
        for game, figures in standings.games.items()
    ]


def _luck_lines(luck: Luck, words: Words) -> list[_Line]:
    game = words.plain(f"stats.game.{luck.game}")
    okeys, start = (
        words.plain("profile.beside_chance", dealt=dealt, chance=chance)
        for dealt, chance in (
            (str(luck.okeys), words.number(round(luck.okeys_expected, 1))),
            (words.number(round(luck.start, 2)), words.number(round(luck.start_expected, 2))),
        )
    )
    return [
        (words.say("profile.okeys", game=game), okeys),
        (words.say(f"profile.start.{luck.game}", game=game), start),
    ]


def _opponent_lines(standings: PersonStandings, words: Words) -> list[_Line]:
    return [
        (words.say("stats.opponent", who=Name(name)), words.plain("stats.times", n=times))
        for name, times in standings.opponents
    ]


def _figures_picture(sections: Sequence[_Section], words: Words) -> FiguresPicture:
    return FiguresPicture(
        sections=tuple(
            FiguresSection(section.title, tuple((plain(name, words), told) for name, told in section.lines))
            for section in sections
        )
    )


def _tell_sections(sections: Sequence[_Section], words: Words) -> str:
    """Return the figures in words."""
    told: list[str] = []
    for section in sections:
        told.append(section.title)
        told += [
            section.between.join(filter(None, (plain(name, words), said))) for name, said in section.lines
        ]
    return "\n".join(told)[:_ALT]


def _line(number: int, dated: Dated, offset: int, words: Words) -> Text:
    match = dated.match
    seats = join(_seats(dated, words), " · ")
    state = () if match.over else words.say("history.goes_on")
    return (
        *words.say(
            "history.line",
            number=number,
            date=words.date(dated.at + 60 * offset),
            game=words.plain(f"stats.game.{match.game}"),
            n=len(match.rounds),
            seats=seats,
        ),
        *state,
    )


def _seats(dated: Dated, words: Words) -> Iterator[Text]:
    match = dated.match
    for seat, player in enumerate(match.players):
        score = words.say("score", who=Name(player.name), points=figure(match.scores[seat]))
        yield ("🏆 ", *score) if seat in match.winners else score
