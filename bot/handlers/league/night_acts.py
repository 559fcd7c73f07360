"""Night acts: what an organiser does to a night, by the same words on a button and in a typed line."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.errors import Refused
from bot.i18n import Value, Words, folded
from bot.league import organise
from bot.league.decide import Happening
from bot.league.model import League, Member
from bot.league.night import Night
from bot.markup import Text
from bot.screens.league.parts import member_name

Decide = Callable[[Night, float], Happening]

_TABLE: Final = re.compile(r"([0-9]{1,2})[._/]([0-9]{1,3})")
_SCORES: Final = re.compile(r"\s*([+-]?[0-9]{1,5})(?=\s|$)")
_POINTS: Final = re.compile(r"(.+?)\s+([0-9]{1,2}(?:[.,][0-9]{1,2})?)(?:\s+(.*))?", re.DOTALL)

PLAIN: Final = ("pause", "go", "close", "cancel", "finish")
"""Acts that need nothing to be said but why."""

OF_TABLES: Final = ("void", "replay", "uphold", "reject")

OF_RESULTS: Final = (*OF_TABLES, "correct", "penalty")
"""Acts that are about what has been played, when the night is over, too."""

ACTS: Final = (*PLAIN, *OF_TABLES, "extend", "penalty", "away", "move", "put", "correct")


@dataclass(frozen=True, slots=True)
class NightAct:
    """One act, ready to be asked about and carried out."""

    name: str
    arguments: tuple[str, ...]
    """As a button holds them."""
    decide: Decide
    values: Callable[[Words], Mapping[str, Value]] = lambda words: {}
    """What is told of it."""

    def asked(self, words: Words) -> Text:
        """What is about to be done."""
        return words.say(f"league.asked.{self.name}", **self.values(words))

    def done(self, words: Words) -> Text:
        """What has been done."""
        return words.say(f"league.done.{self.name}", **self.values(words))


def act_of(name: str, arguments: Sequence[str], league: League) -> NightAct:
    """The act that a button names. Raises Refused `unknown_button`."""
    try:
        return _act(name, tuple(arguments), league)
    except (IndexError, ValueError):
        raise Refused("unknown_button") from None


def _act(name: str, given: tuple[str, ...], league: League) -> NightAct:
    if name in PLAIN:
        return NightAct(name, (), _SIMPLE[name])
    if name in OF_TABLES:
        return _of_table(name, given[0])
    match name:
        case "extend":
            return _extend(int(given[0]))
        case "away":
            return _away(_member(league, given[0]), league)
        case "penalty":
            return _penalty(_member(league, given[0]), given[1], league)
        case "move":
            return _move(_member(league, given[0]), given[1], league)
        case "put":
            return _put(_member(league, given[0]), _member(league, given[1]), league)
        case "correct":
            return _correct(given)
    raise ValueError(name)


_SIMPLE: Final[Mapping[str, Decide]] = {
    "pause": organise.pause,
    "go": organise.go_on,
    "close": organise.close_check_in,
    "cancel": organise.cancel,
    "finish": organise.end,
}


def _of_table(name: str, where: str) -> NightAct:
    round, table = _numbers(where)

    def decide(night: Night, now: float) -> Happening:
        match name:
            case "void":
                return organise.void(night, now, round=round, table=table)
            case "replay":
                return organise.replay(night, now, round=round, table=table)
        return organise.decide(night, now, round=round, table=table, upheld=name == "uphold")

    return NightAct(name, (where,), decide, lambda words: {"round": round, "number": table})


def _extend(minutes: int) -> NightAct:
    return NightAct(
        "extend",
        (str(minutes),),
        lambda night, now: organise.extend(night, now, minutes),
        lambda words: {"n": minutes},
    )


def _away(member: Member, league: League) -> NightAct:
    return NightAct(
        "away",
        (member.id,),
        lambda night, now: organise.send_away(night, now, member.id),
        lambda words: {"who": member_name(league, member.id)},
    )


def _penalty(member: Member, text: str, league: League) -> NightAct:
    points = float(text.replace(",", "."))
    return NightAct(
        "penalty",
        (member.id, text.replace(".", ",")),
        lambda night, now: organise.penalise(night, now, member.id, points),
        lambda words: {"who": member_name(league, member.id), "points": words.number(points)},
    )


def _move(member: Member, where: str, league: League) -> NightAct:
    table, seat = _numbers(where)
    return NightAct(
        "move",
        (member.id, where),
        lambda night, now: organise.move(night, now, member, table=table, seat=seat),
        lambda words: {"who": member_name(league, member.id), "number": table},
    )


def _put(out: Member, member: Member, league: League) -> NightAct:
    return NightAct(
        "put",
        (out.id, member.id),
        lambda night, now: organise.put_in(night, now, out.id, member, ""),
        lambda words: {"who": member_name(league, member.id), "out": member_name(league, out.id)},
    )


def _correct(given: tuple[str, ...]) -> NightAct:
    (round, table), scores = _numbers(given[0]), tuple(int(each) for each in given[1:])
    return NightAct(
        "correct",
        given,
        lambda night, now: organise.correct(night, now, round=round, table=table, scores=scores),
        lambda words: {"round": round, "number": table, "scores": " · ".join(map(str, scores))},
    )


def typed_act(name: str, text: str, league: League) -> tuple[tuple[str, ...], str]:
    """The arguments that a line names behind an act, and the reason that follows them.

    `extend 10`, `void 1.3`, `correct 1.3 12 4 0 -2`, `penalty Ada 1`. Raises Refused `bad_league_act`.
    """
    text = text.strip()
    if name in PLAIN:
        return (), text
    if name in OF_TABLES or name == "correct":
        found = _TABLE.match(text)
        if found is None:
            raise Refused("bad_league_act")
        where, rest = f"{found[1]}_{found[2]}", text[found.end() :]
        return ((where,), rest.strip()) if name != "correct" else _scores(where, rest)
    if name == "extend":
        first, _, rest = text.partition(" ")
        if first.isascii() and first.isdigit() and len(first) < 4:
            return (first,), rest.strip()
    if name == "penalty" and (found := _POINTS.fullmatch(text)):
        return (named_member(league, found[1]).id, found[2].replace(".", ",")), (found[3] or "").strip()
    if name == "away":
        return (named_member(league, text).id,), ""
    raise Refused("bad_league_act")


def _scores(where: str, rest: str) -> tuple[tuple[str, ...], str]:
    scores = []
    while found := _SCORES.match(rest):
        scores.append(found[1])
        rest = rest[found.end() :]
    if not scores:
        raise Refused("bad_league_act")
    return (where, *scores), rest.strip()


def named_member(league: League, name: str) -> Member:
    """The member who is called so. Raises Refused `unknown_member`, also when several are."""
    same = [each for each in league.members.values() if folded(each.name) == folded(name.strip())]
    if len(same) != 1:
        raise Refused("unknown_member", name=name.strip()[:32])
    return same[0]


def _member(league: League, member: str) -> Member:
    if member not in league.members:
        raise Refused("unknown_button")
    return league.members[member]


def _numbers(where: str) -> tuple[int, int]:
    found = _TABLE.fullmatch(where)
    if found is None:
        raise ValueError(where)
    return int(found[1]), int(found[2])
