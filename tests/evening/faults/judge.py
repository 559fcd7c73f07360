"""The judge of an evening: the problems in its evidence, and its figures."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tests.evening.faults.evidence import LOST, Evidence, Sent
from tests.evening.publicity import strangers

TOLD_SECONDS = 3.0
"""Seconds in which a turn must be told."""

SLACK_SECONDS = 5.0
"""Seconds more for a busy machine."""

LOOKING_SECONDS = 20.0
"""Seconds after a press during which a person counts as looking."""

NOTED_SECONDS = 5.0
"""Seconds after a call during which a killed program may not have noted it."""

ASKED_SECONDS = 15.0
"""Seconds in which requested screens must come."""

_MOVES = {"draw", "take", "discard", "finish", "ask_finish", "show", "place", "join", "start"}
"""Moves that nobody can make at a table that is over."""

_FOR_ONE = {"discard", "finish", "take_back", "pick", "sort_runs"}
"""Moves whose buttons belong on a rack only."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A person's turn."""

    number: int
    person: str
    began: float
    ended: float
    moves: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on one match."""

    figures: dict[str, object]
    findings: tuple[str, ...]


def judged(evidence: Evidence) -> Verdict:
    """Judge a match."""
    turns = list(turns_of(evidence))
    told = {turn: told_at(evidence, turn) for turn in turns}
    late = sorted(at - turn.began for turn, at in told.items() if at is not None)
    strange = [f"{who} was called, who does not play" for who in outsiders_called(evidence)]
    findings = [
        *_unended(evidence),
        *strange,
        *untold(evidence, told),
        *repeated(evidence),
        *called_too_often(evidence, turns),
        *_live(evidence),
        *_private_in_public(evidence),
    ]
    new = [sent for sent in evidence.sent if sent.new]
    public = [sent for sent in evidence.sent if sent.to == evidence.place]
    figures: dict[str, object] = {
        "moves": evidence.history[-1].table.moment if evidence.history else 0,
        "turns of people": len(turns),
        "told": len(late),
        "told, median s": round(late[len(late) // 2], 2) if late else None,
        "told, latest s": round(late[-1], 2) if late else None,
        "over before told": sum(at is None for at in told.values()),
        "new messages in public": sum(sent.to == evidence.place for sent in new),
        "new messages in private": sum(sent.to != evidence.place for sent in new),
        "calls to who did not ask": len(strange),
        "edits": len(evidence.sent) - len(new),
        "presses": len(evidence.pressed),
        "calls a turn, in public": round(len(public) / max(len(turns), 1), 2),
        "calls a turn, in private": round((len(evidence.sent) - len(public)) / max(len(turns), 1), 2),
        "presses a turn": round(len(evidence.pressed) / max(len(turns), 1), 2),
        "doubles of lost answers": _doubles(evidence),
        **{f"trouble: {kind}": count for kind, count in sorted(_kinds(evidence).items())},
    }
    return Verdict(figures, tuple(findings))


def _kinds(evidence: Evidence) -> Counter[str]:
    return Counter(trouble.kind for trouble in evidence.troubles)


def _unended(evidence: Evidence) -> Iterator[str]:
    stage = evidence.history[-1].table.stage if evidence.history else "nothing"
    if stage not in ("over", "closed"):
        yield f"stuck: table {evidence.table} is {stage}"


# Turns


def turns_of(evidence: Evidence) -> Iterator[Turn]:
    """The turns of people, in order."""
    begun: Turn | None = None
    for commit in evidence.history:
        person, number = commit.on_turn, commit.table.turn_number
        if begun is not None and (begun.number, begun.person) == (number, person):
            continue
        if begun is not None:
            yield _until(begun, commit.at)
        begun = None if person is None else Turn(number, person, commit.at, 0.0, commit.table.moment)
    if begun is not None:
        yield _until(begun, evidence.history[-1].at)


def _until(turn: Turn, ended: float) -> Turn:
    return Turn(turn.number, turn.person, turn.began, max(turn.began, ended), turn.moves)


def told_at(evidence: Evidence, turn: Turn) -> float | None:
    """The time when the player on turn was first told in a way that reaches them; None: never in time."""
    telling = (sent for sent in evidence.sent if _tells(evidence, turn, sent))
    return min((max(sent.at, turn.began) for sent in telling), default=None)


def _tells(evidence: Evidence, turn: Turn, sent: Sent) -> bool:
    if not turn.began - 0.5 <= sent.at <= turn.ended:
        return False
    if sent.to == evidence.place:
        if turn.person in sent.notifies:
            return sent.new
        shown = turn.person in evidence.closed and sent.shows(evidence.table) >= turn.moves
        return shown and _looking(evidence, turn)
    if sent.to != turn.person or sent.shows(evidence.table) < turn.moves:
        return False
    return sent.new or (_looking(evidence, turn) and _is_last(evidence, sent))


def _looking(evidence: Evidence, turn: Turn) -> bool:
    since = turn.began - LOOKING_SECONDS
    return any(each.who == turn.person and since <= each.at <= turn.ended for each in evidence.pressed)


def _is_last(evidence: Evidence, edit: Sent) -> bool:
    """Return whether a message was the last one in its chat when it was edited."""
    return not any(
        sent.new and sent.to == edit.to and sent.message > edit.message and sent.at < edit.at
        for sent in evidence.sent
    )


def untold(evidence: Evidence, told: dict[Turn, float | None]) -> Iterator[str]:
    """Turns whose players were told too late or not at all, without a fault as the reason."""
    for turn, at in told.items():
        until = due(evidence, turn)
        if at is None and turn.ended > until:
            yield f"nobody told {turn.person} of turn {turn.number} ({turn.ended - turn.began:.1f} s long)"
        elif at is not None and at > until:
            late = at - until + TOLD_SECONDS + SLACK_SECONDS
            yield f"{turn.person} was told of turn {turn.number} after {late:.1f} s"


def due(evidence: Evidence, turn: Turn) -> float:
    """The time by which a player must have been told. Faults that concern them delay it."""
    allowed = TOLD_SECONDS + SLACK_SECONDS
    until = turn.began + allowed
    for trouble in sorted(evidence.troubles, key=lambda trouble: trouble.begin):
        concerns = trouble.where in ("", turn.person) or turn.person in evidence.closed
        if concerns and trouble.begin < until and trouble.end > turn.began:
            until = max(until, trouble.end + allowed)
    return until


# Repeated messages


def repeated(evidence: Evidence) -> Iterator[str]:
    """Equal messages posted twice to the same recipient without a reason in between."""
    for first, second in _same(evidence):
        if not _excused(evidence, first) and not _occasion_between(evidence, first, second):
            gap = second.at - first.at
            yield f"{second.to} was sent the same twice, {gap:.1f} s apart: {_short(second.words)}"


def _doubles(evidence: Evidence) -> int:
    """Repeated messages caused by the platforms: carried out without an answer, and sent again."""
    return sum(first.lost for first, _ in _same(evidence))


def _same(evidence: Evidence) -> Iterator[tuple[Sent, Sent]]:
    posted: dict[tuple[str, str], list[Sent]] = defaultdict(list)
    for sent in sorted(evidence.sent, key=lambda sent: sent.at):
        group = posted[sent.to, sent.words]
        # Discord recognises the second of two calls with one nonce, and posts no second message.
        if sent.new and all(sent.message != earlier.message for earlier in group):
            group.append(sent)
    for group in posted.values():
        yield from pairwise(group)


def _excused(evidence: Evidence, first: Sent) -> bool:
    """Return whether the program could not know that it had sent this: its answer was lost, or it was killed
    before noting it."""
    return first.lost or any(
        trouble.kind == "kill" and first.at - 0.5 <= trouble.begin <= first.at + NOTED_SECONDS
        for trouble in evidence.troubles
    )


def _occasion_between(evidence: Evidence, first: Sent, second: Sent) -> bool:
    if _asked_for(evidence, second):
        return True
    if second.to == evidence.place:
        return (bool(second.notifies) and _turns_between(evidence, first, second)) or _silenced(
            evidence, first, second
        )
    return _turns_between(evidence, first, second)


def _turns_between(evidence: Evidence, first: Sent, second: Sent) -> bool:
    """Return whether another turn began in between, or its clock was about to end."""
    between = [commit.table for commit in evidence.history if first.at - 1 <= commit.at <= second.at]
    return len({(table.turn_number, table.clock.warned) for table in between}) > 1


def _asked_for(evidence: Evidence, answer: Sent, person: str = "") -> bool:
    """Return whether somebody pressed a button that requests it."""
    return any(
        each.verb in ("rack", "table")
        and person in ("", each.who)
        and answer.at - ASKED_SECONDS <= each.at <= answer.at
        for each in evidence.pressed
    )


def _silenced(evidence: Evidence, first: Sent, second: Sent) -> bool:
    """Return whether the place could not be written to in between: then its table is posted anew."""
    return any(
        trouble.where == evidence.place
        and not (trouble.kind.isdigit() or trouble.kind == LOST)
        and first.at <= trouble.end
        and trouble.begin <= second.at
        for trouble in evidence.troubles
    )


def called_too_often(evidence: Evidence, turns: Sequence[Turn]) -> Iterator[str]:
    """Calls to a turn in excess: allowed are one when it begins, one when its clock is about to end,
    requested ones, and repeats of calls without an answer."""
    warned = {commit.table.clock.warned for commit in evidence.history}
    for turn in turns:
        calls = [
            sent
            for sent in _calls(evidence, turn.person)
            if turn.began - 0.5 <= sent.at < turn.ended
            and not _excused(evidence, sent)
            and not _asked_for(evidence, sent, turn.person)
        ]
        if len(calls) > 1 + (turn.number in warned):
            yield f"{turn.person} was called {len(calls)} times to turn {turn.number}"


def _calls(evidence: Evidence, person: str) -> list[Sent]:
    """The new messages that call a person to their turn: racks, or lines in the place with their name."""
    new = {(sent.to, sent.message): sent for sent in reversed(evidence.sent) if sent.new}
    if person in evidence.closed:
        return [s for s in new.values() if person in s.notifies and "your turn" in s.words]
    return [s for s in new.values() if s.to == person and s.shows(evidence.table) >= 0]


def outsiders_called(evidence: Evidence) -> Iterator[str]:
    """The keys of those who were called and do not play, once for each call. Nobody else asked for one."""
    for sent in evidence.sent:
        yield from (who for who in sent.notifies if who not in evidence.people)


# Messages at the end


def _live(evidence: Evidence) -> Iterator[str]:
    unheard_of = {(sent.to, sent.message) for sent in evidence.sent if sent.new and sent.lost}
    for message in evidence.stands:
        if (message.to, message.message) in unheard_of:
            continue  # a person who never got a message can't change it
        read = [press.split(".") for press in message.presses]
        live = sorted({each[0] for each in read if each[0] in _MOVES and each[1:2] == [evidence.table]})
        if live:
            yield f"message {message.message} of {message.to} still offers {', '.join(live)} when all is over"


def _private_in_public(evidence: Evidence) -> Iterator[str]:
    public = [sent for sent in evidence.sent if sent.to == evidence.place]
    for sent in public:
        private = sorted({each.verb for each in sent.buttons} & _FOR_ONE)
        if private or "Shelf " in sent.words:
            yield f"a rack in public: {', '.join(private)} {_short(sent.words)}"
    if evidence.known:
        yield from strangers((sent.words for sent in public), evidence.known)


def _short(words: str) -> str:
    return repr(" ".join(words.split())[:90])
