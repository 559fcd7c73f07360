"""Night actions: an organiser's acts on a night, with the same words on a button and in a typed line."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.errors import Refused
from bot.i18n import Value, Words, fold
from bot.league import decide
from bot.league.decide import Happening
from bot.league.model import League, Member
from bot.markup import Name, Text
from bot.repository.leagues import Decide
from bot.screens.league.parts import count_points, member_name

_TABLE: Final = re.compile(r"([0-9]{1,2})[._/]([0-9]{1,3})")
_SCORES: Final = re.compile(r"\s*([+\-−]?[0-9]{1,5})(?=\s|$)")
_POINTS: Final = re.compile(r"([0-9]{1,2}(?:[.,][0-9]{1,2})?)(?:\s+(.*))?", re.DOTALL)
_GAP: Final = re.compile(r"\s+")

PLAIN: Final[Mapping[str, Decide]] = {
    "pause": decide.pause,
    "go": decide.go_on,
    "close": decide.close_check_in,
    "cancel": decide.cancel,
    "finish": decide.end,
}
"""Acts that need no arguments but a reason."""

_OF_TABLES: Final[Mapping[str, Callable[..., Happening]]] = {
    "void": decide.void,
    "replay": decide.replay,
    "uphold": partial(decide.settle_dispute, upheld=True),
    "reject": partial(decide.settle_dispute, upheld=False),
}

_OF_POINTS: Final[Mapping[str, Callable[..., Happening]]] = {
    "penalty": decide.penalise,
    "bonus": decide.award,
}

OF_RESULTS: Final = (*_OF_TABLES, "correct", *_OF_POINTS)
"""Acts on results, which are also possible when the night is over."""

OF_PEOPLE: Final = (*_OF_POINTS, "away")
"""Acts on one person."""

TYPED: Final = (*PLAIN, *OF_RESULTS, "extend", "away")
"""Acts that a line may name. The others, `move` and `put`, need a page to choose from."""


@dataclass(frozen=True, slots=True)
class NightAction:
    """One act, ready to be confirmed and carried out."""

    name: str
    arguments: tuple[str, ...]
    """The arguments, as a button holds them."""
    decide: Decide
    values: Mapping[str, Value | float] = field(default_factory=dict)
    """The values of the act's sentences."""

    def ask(self, words: Words) -> Text:
        """Return the question before the act."""
        return words.say(f"league.asked.{self.name}", **self._tell(words))

    def confirm(self, words: Words) -> Text:
        """Return the notice after the act."""
        return words.say(f"league.done.{self.name}", **self._tell(words))

    def _tell(self, words: Words) -> Mapping[str, Value]:
        told = self.values.items()
        return {key: count_points(value, words) if isinstance(value, float) else value for key, value in told}


def action_of(name: str, arguments: Sequence[str], league: League) -> NightAction:
    """Return the act that a button names. Raises Refused `unknown_button`."""
    try:
        return _act(name, arguments, league)
    except (KeyError, ValueError):
        raise Refused("unknown_button") from None


def _act(name: str, arguments: Sequence[str], league: League) -> NightAction:
    def who(member: str) -> Name:
        return member_name(league, league.members[member].id)

    if name in PLAIN:
        return NightAction(name, (), PLAIN[name])
    match (name, *arguments):
        case (_, where, *_) if name in _OF_TABLES:
            round, table = _numbers(where)
            happens = partial(_OF_TABLES[name], round=round, table=table)
            return NightAction(name, (where,), happens, {"round": round, "number": table})
        case ("extend", minutes, *_):
            n = int(minutes)
            return NightAction(name, (str(n),), partial(decide.extend, minutes=n), {"n": n})
        case ("away", member, *_):
            return NightAction(
                name, (member,), partial(decide.send_away, member=member), {"who": who(member)}
            )
        case (_, member, text, *_) if name in _OF_POINTS:
            points = float(text.replace(",", "."))
            happens = partial(_OF_POINTS[name], member=league.stands_for(member), points=points)
            given = (member, text.replace(".", ","))
            return NightAction(name, given, happens, {"who": who(member), "points": points})
        case ("move", member, where, *_):
            table, seat = _numbers(where)
            happens = partial(decide.move, member=league.members[member], table=table, seat=seat)
            return NightAction(name, (member, where), happens, {"who": who(member), "number": table})
        case ("put", out, member, *_):
            happens = partial(decide.put_in, out=out, member=league.members[member], place="")
            return NightAction(name, (out, member), happens, {"who": who(member), "out": who(out)})
        case ("correct", where, *told):
            (round, table), scores = _numbers(where), tuple(map(int, told))
            happens = partial(decide.correct, round=round, table=table, scores=scores)
            shown = " · ".join(map(str, scores))
            values: dict[str, Value | float] = {"round": round, "number": table, "scores": shown}
            return NightAction(name, (where, *told), happens, values)
    raise ValueError(name)


def read_action(name: str, text: str, league: League) -> tuple[tuple[str, ...], str]:
    """Return the arguments of an act in a typed line, and the reason that follows them.

    `extend 10`, `void 1.3`, `correct 1.3 12 4 0 -2`, `penalty Ada 1`. Raises Refused `bad_league_act`.
    """
    text = text.strip()
    if name in PLAIN:
        return (), text
    if name in _OF_TABLES or name == "correct":
        found = _TABLE.match(text)
        if found is None:
            raise Refused("bad_league_act")
        where, rest = f"{found[1]}_{found[2]}", text[found.end() :]
        return ((where,), rest.strip()) if name != "correct" else _scores(where, rest)
    if name == "extend":
        first, _, rest = text.partition(" ")
        if first.isascii() and first.isdigit() and len(first) < 4:
            return (first,), rest.strip()
    if name in _OF_POINTS and (read := _read_points(league, text)):
        who, points, why = read
        return (find_member(league, who).id, points.replace(".", ",")), why
    if name == "away":
        member, why = _member_and_rest(league, text)
        return (member.id,), why
    raise Refused("bad_league_act")


def _read_points(league: League, text: str) -> tuple[str, str, str] | None:
    """Return the name, the points and the reason of a line; None when it has no points. A name may end with a
    number itself: of several members whose names fit, the longest is meant."""
    read = [
        (text[: gap.start()], found[1], (found[2] or "").strip())
        for gap in _GAP.finditer(text)
        if (found := _POINTS.fullmatch(text, gap.end()))
    ]
    names = {fold(each.name) for each in league.members.values()}
    known = (each for each in reversed(read) if fold(each[0]) in names)
    return next(known, read[0] if read else None)


def _scores(where: str, rest: str) -> tuple[tuple[str, ...], str]:
    scores = []
    while found := _SCORES.match(rest):
        scores.append(found[1].replace("−", "-"))  # copied from a board, which has a true minus
        rest = rest[found.end() :]
    if not scores:
        raise Refused("bad_league_act")
    return (where, *scores), rest.strip()


def _member_and_rest(league: League, text: str) -> tuple[Member, str]:
    """Return the member whose name begins a line (the longest of several), and the rest of the line."""
    names, words = {fold(each.name) for each in league.members.values()}, text.split()
    lengths = (n for n in range(len(words), 0, -1) if fold(" ".join(words[:n])) in names)
    n = next(lengths, len(words))
    return find_member(league, " ".join(words[:n])), " ".join(words[n:])


def find_member(league: League, name: str) -> Member:
    """Return the member of that name. Raises Refused `unknown_member`, also when there are several."""
    there = (each for each in league.members.values() if not each.into)
    same = [each for each in there if fold(each.name) == fold(name.strip())]
    if len(same) != 1:
        raise Refused("unknown_member", name=name.strip()[:32])
    return same[0]


def _numbers(where: str) -> tuple[int, int]:
    found = _TABLE.fullmatch(where)
    if found is None:
        raise ValueError(where)
    return int(found[1]), int(found[2])
