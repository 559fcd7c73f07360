"""A league counted anew from its raw events, as JSON. Nothing here is shared with the program."""

import json
from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

Pair = tuple[int, str]
Line = tuple[int, str, Fraction, int, int, Fraction, Fraction, Fraction]
"""Rank, member, points, tables won, scores, opponents' mean, penalties, bonuses."""


class Evening:
    """What one night's events say."""

    def __init__(self, log: list[dict[str, Any]], twins: dict[str, str]) -> None:
        gone = {each["event"]["of"] for each in log if each["event"]["event"] == "revoked"}
        self.twins = twins
        self.tables: dict[tuple[int, int], dict[str, Any]] = {}
        self.byes: list[Pair] = []
        self.late: list[Pair] = []
        self.fines: list[tuple[str, Fraction]] = []
        self.gifts: list[tuple[str, Fraction]] = []
        self.off = False
        for number, entry in enumerate(log, 1):
            if number not in gone:
                self._note(entry["event"])
        if self.off:
            self.tables, self.byes, self.late = {}, [], []

    def who(self, member: str) -> str:
        return self.twins.get(member, member)

    def _note(self, event: dict[str, Any]) -> None:
        kind = event["event"]
        at = (event.get("round"), event.get("table"))
        if kind == "announced":
            self.season, self.start, self.format = event["season"], event["start"], event["format"]
        elif kind == "round_seated":
            for number, seats in enumerate(event["tables"], 1):
                self.tables[event["round"], number] = {"seats": seats, "tiles": [], "scores": [], "set": None}
            self.byes += [(event["round"], member) for member in event["byes"]]
        elif kind == "came":
            rounds = sorted({round for round, _ in self.tables})
            there = {(round, member) for (round, _), each in self.tables.items() for member in each["seats"]}
            self.late += [
                (r, event["member"]) for r in rounds if (r, event["member"]) not in there | {*self.byes}
            ]
        elif kind == "tiles_played":
            self.tables[at]["tiles"], self.tables[at]["scores"] = event["tiles"], event["scores"]  # type: ignore[index]
        elif kind == "corrected":
            self.tables[at]["set"] = event["scores"]  # type: ignore[index]
        elif kind == "voided":
            self.tables[at]["void"] = True  # type: ignore[index]
        elif kind == "penalised":
            self.fines.append((self.who(event["member"]), Fraction(str(event["points"]))))
        elif kind == "awarded":
            self.gifts.append((self.who(event["member"]), Fraction(str(event["points"]))))
        elif kind == "cancelled":
            self.off = True

    def seats(self) -> list[tuple[int, list[tuple[str, int]]]]:
        """The tables that count: the round, and for each seat who earns it and its score."""
        found = []
        for (round, _), table in self.tables.items():
            if table.get("void") or not (table["tiles"] or table["set"]):
                continue
            scores = table["set"] or table["scores"]
            seats = []
            for seat, owner in enumerate(table["seats"]):
                played = Counter(each["players"][seat] for each in table["tiles"] if each["players"][seat])
                earner = max(played, key=lambda who: played[who]) if played else ""
                seats.append((self.who(earner if table["tiles"] else owner), scores[seat]))
            found.append((round, seats))
        return found

    def free(self) -> tuple[list[Pair], list[Pair]]:
        """Byes, with those who sat at a table that was cut off, and missed rounds."""
        earned = {(round, who) for round, seats in self.seats() for who, _ in seats}
        byes = [(round, self.who(who)) for round, who in self.byes]
        for (round, _), table in self.tables.items():
            if not table.get("void") and not table["tiles"] and table["set"] is None:
                byes += [(round, self.who(who)) for who in table["seats"] if who]
        byes = [each for each in dict.fromkeys(byes) if each not in earned]
        late = [(round, self.who(who)) for round, who in self.late]
        return byes, [each for each in late if each not in earned and each not in byes]

    def points(self) -> dict[str, Fraction]:
        """Everybody's points."""
        sums: defaultdict[str, Fraction] = defaultdict(Fraction)
        for _, seats in self.seats():
            for at, (who, score) in enumerate(seats):
                others = [other for place, (_, other) in enumerate(seats) if place != at]
                if who:
                    beaten = sum(score > other for other in others) + Fraction(others.count(score), 2)
                    sums[who] += 3 * beaten / len(others)
        byes, late = self.free()
        for free, worth in ((byes, "bye_points"), (late, "missed_points")):
            for _, who in free:
                sums[who] += Fraction(str(self.format[worth]))
        return dict(sums)


def twins_of(acts: list[dict[str, Any]]) -> dict[str, str]:
    """Who was merged into whom, and stayed so."""
    gone = {each["event"]["of"] for each in acts if each["event"]["event"] == "revoked"}
    return {
        act["event"]["gone"]["id"]: act["event"]["kept"]["id"]
        for number, act in enumerate(acts, 1)
        if act["event"]["event"] == "merged" and number not in gone
    }


def settings_of(founded: dict[str, Any], acts: list[dict[str, Any]], season: int) -> dict[str, Any]:
    """The settings by which a season counts: those that stood when it began."""
    gone = {each["event"]["of"] for each in acts if each["event"]["event"] == "revoked"}
    settings = dict(founded)
    for number, act in enumerate(acts, 1):
        event = act["event"]
        if event["event"] == "settings_changed" and number not in gone and event["season"] < season:
            before, after = event["before"]["format"], event["after"]["format"]
            settings.update({name: after[name] for name in after if after[name] != before[name]})
    return settings


def table_of(written: str, season: int) -> list[Line]:
    """The table of a season of a league, from `{"founded": …, "acts": […], "nights": [[…], …]}`."""
    league = json.loads(written)
    twins = twins_of(league["acts"])
    settings = settings_of(league["founded"], league["acts"], season)
    evenings = [Evening(log, twins) for log in league["nights"]]
    evenings = sorted((each for each in evenings if each.season == season), key=lambda each: each.start)
    own = [each.points() for each in evenings]
    fines, gifts = (
        {who: sum((n for one, n in all if one == who), Fraction()) for who, _ in all}
        for all in (
            [fine for each in evenings for fine in each.fines],
            [gift for each in evenings for gift in each.gifts],
        )
    )
    lines = {}
    for who in {*fines, *gifts, *(who for points in own for who in points)}:
        there = [at for at, points in enumerate(own) if who in points]
        counted = there
        if settings["counting"] == "best":
            counted = sorted(there, key=lambda at: (-own[at][who], at))[: settings["best_of"]]
        faced: list[Fraction] = []
        wins = score = 0
        for at in counted:
            for _, seats in evenings[at].seats():
                for place, (one, made) in enumerate(seats):
                    if one == who:
                        rest = [other for n, other in enumerate(seats) if n != place]
                        score += made
                        wins += all(made > other for _, other in rest)
                        faced += [own[at][other] for other, _ in rest if other]
        points = sum((own[at][who] for at in counted), Fraction()) + gifts.get(who, 0) - fines.get(who, 0)
        if settings["counting"] == "average" and counted:
            points /= len(counted)
        mean = sum(faced, Fraction()) / len(faced) if faced else Fraction()
        fine, gift = Fraction(fines.get(who, 0)), Fraction(gifts.get(who, 0))
        lines[who] = (points, wins, score, mean, fine, gift, len(there))
    held = sum(bool(points) for points in own)
    least = min(settings["best_of"], held) if settings["counting"] == "average" else 0
    first = [who for who in lines if lines[who][6] >= least]
    ordered = _rank(first, lines, settings["ties"], evenings, 1)
    return ordered + _rank([*{*lines} - {*first}], lines, settings["ties"], evenings, len(first) + 1)


def _rank(
    members: list[str], lines: dict[str, Any], ties: list[str], evenings: list[Evening], begin: int
) -> list[Line]:
    groups = [sorted(members)]
    for tie in ("points", *ties):
        parted = []
        for group in groups:
            keys = _keys(tie, group, lines, evenings)
            for key in sorted({*keys.values()}, reverse=True):
                parted.append([who for who in group if keys[who] == key])
        groups = parted
    told: list[Line] = []
    for group in groups:
        rank = begin + len(told)
        for who in sorted(group, key=lambda who: (len(who), who)):
            told.append((rank, who, *lines[who][:6]))
    return told


def _keys(tie: str, group: list[str], lines: dict[str, Any], evenings: list[Evening]) -> dict[str, Fraction]:
    at = {"points": 0, "wins": 1, "score": 2, "opponents": 3}
    if tie in at:
        return {who: Fraction(lines[who][at[tie]]) for who in group}
    if tie == "penalties":
        return {who: -lines[who][4] for who in group}
    met: defaultdict[tuple[str, str], list[Fraction]] = defaultdict(list)
    for evening in evenings:
        for _, seats in evening.seats():
            for place, (one, made) in enumerate(seats):
                for n, (other, theirs) in enumerate(seats):
                    if n != place and {one, other} <= {*group}:
                        met[one, other].append(Fraction((made > theirs) * 2 + (made == theirs), 2))
    sums = {}
    for one in group:
        rivals = [met[one, other] for other in group if other != one]
        if not all(rivals):
            return dict.fromkeys(group, Fraction())
        sums[one] = sum((sum(each, Fraction()) / len(each) for each in rivals), Fraction())
    return sums
