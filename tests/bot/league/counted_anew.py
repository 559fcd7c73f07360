"""A league counted anew from its raw events, as JSON. Nothing here is shared with the program."""

import json
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import pairwise
from typing import Any

Pair = tuple[int, str]
Line = tuple[int, str, Fraction, int, int, Fraction, Fraction, Fraction]
"""Rank, member, points, tables won, scores, opponents' mean, penalties, bonuses."""
Placed = tuple[Line, int, str]
"""A line, its division, and whether its member goes up or down."""

DIVISIONS = {"none": (1, 0), "two2": (2, 2), "two4": (2, 4), "three2": (3, 2)}


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
        self.log, self.last = log, 10**6
        self.seeds: list[dict[str, Any]] = []
        self.heats: list[tuple[int, list[str]]] = []
        self.divisions: list[dict[str, Any]] = []
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
            self.announced = event
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
        elif kind == "placed":
            self.divisions = event["divisions"]
        elif kind == "stage_seeded":
            self.seeds = event["seeds"]
        elif kind == "advanced":
            self.heats.append((event["round"], [self.who(member) for member in event["members"]]))
        elif kind == "cancelled":
            self.off = True

    @property
    def final(self) -> dict[str, Any] | None:
        """The final that has begun on it."""
        final: dict[str, Any] | None = self.announced["final"]
        begun = (
            final is not None and not self.off and (self.heats or (final["kind"] == "cut" and self.tables))
        )
        return final if begun else None

    def before(self) -> "Evening":
        """The evening as the table before its final counts it."""
        if self.final is None:
            return self
        groups = self.final["groups"]
        cut = Evening(self.log, self.twins)
        cut.tables = {at: table for at, table in cut.tables.items() if at[0] <= groups}
        cut.byes = [each for each in cut.byes if each[0] <= groups]
        cut.late = [each for each in cut.late if each[0] <= groups]
        return cut

    def seats(self) -> list[tuple[int, list[tuple[str, int]]]]:
        """The tables that count: the round, and for each seat who earns it and its score."""
        found = []
        for (round, _), table in self.tables.items():
            if table.get("void") or not (table["tiles"] or table["set"]):
                continue
            found.append((round, self.earned(table)[1]))
        return found

    def earned(self, table: dict[str, Any]) -> tuple[bool, list[tuple[str, int]]]:
        """Whether a table counts; and for each of its seats who earns it, and its score."""
        scores = table["set"] or table["scores"] or [0] * len(table["seats"])
        seats = []
        for seat, owner in enumerate(table["seats"]):
            played = Counter(each["players"][seat] for each in table["tiles"] if each["players"][seat])
            earner = max(played, key=lambda who: played[who]) if played else ""
            seats.append((self.who(earner if table["tiles"] else owner), scores[seat]))
        return not table.get("void") and bool(table["tiles"] or table["set"]), seats

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


def table_of(written: str, season: int) -> list[Placed]:
    """The table of a season of a league, from `{"founded": …, "acts": […], "nights": [[…], …]}`, with what
    really becomes of its people."""
    told, homes = ranks_of(written, season)
    if not homes:
        return told
    league = json.loads(written)
    twins = twins_of(league["acts"])
    later = [each for each in (Evening(log, twins) for log in league["nights"]) if each.season == season + 1]
    begun = [each.divisions for each in sorted(later, key=lambda each: each.start) if each.tables]
    new = [homes_of(each, twins) for each in begun]
    if not new:
        known = {line[1] for line, _, _ in ranks_of(written, season - 1)[0]}
        settings = settings_of(league["founded"], league["acts"], season + 1)
        new = [next_homes(told, homes, known, wanted_in(settings))]
    found = []
    for line, tier, _ in told:
        at = next((n for n, home in enumerate(new[-1], 1) if line[1] in home), tier)
        at = at if len(new[-1]) == len(homes) else tier
        found.append((line, tier, "up" if at < tier else "down" if at > tier else ""))
    return found


def homes_of(divisions: list[dict[str, Any]], twins: dict[str, str]) -> list[list[str]]:
    """Who is in each division."""
    return [[*dict.fromkeys(twins.get(who, who) for who in each["members"])] for each in divisions]


def wanted_in(settings: dict[str, Any]) -> int:
    """The divisions that a season should have."""
    alone = settings["nights"] == 1 or settings["seating"] == "pairs"
    return 1 if alone else DIVISIONS[settings["divisions"]][0]


def ranks_of(written: str, season: int) -> tuple[list[Placed], list[list[str]]]:
    """The table of a season, with where the ranks lead, and who is in each of its divisions."""
    league = json.loads(written)
    twins = twins_of(league["acts"])
    settings = settings_of(league["founded"], league["acts"], season)
    evenings = [Evening(log, twins) for log in league["nights"]]
    held = sorted((each for each in evenings if each.season == season), key=lambda each: each.start)
    before = [each.before() for each in held]
    last = next((each for each in reversed(held) if each.final is not None), None)
    begun = [each.divisions for each in held if each.tables]
    divisions = begun[-1] if begun else []
    told: list[Placed] = []
    for tier in range(len(divisions) or 1):
        least = min(settings["best_of"], sum(bool(each.points()) for each in before))
        lines = count(before, settings, members_of(divisions, tier, twins))
        if last is not None:
            lines = after_final(lines, last, settings["ties"], members_of(divisions, tier, twins))
        for line in lines:
            way = ""
            if divisions:
                there = sum(line[1] in each.points() for each in before)
                finalist = last is not None and line[1] in finalists(last)
                enough = settings["counting"] != "average" or there >= least or finalist
                if line[0] <= divisions[tier]["promote"] and enough:
                    way = "up"
                elif line[0] > len(lines) - min(divisions[tier]["relegate"], len(lines) // 2):
                    way = "down"
            told.append((line, tier + 1 if divisions else 0, way))
    return told, homes_of(divisions, twins)


def next_homes(told: list[Placed], homes: list[list[str]], earlier: set[str], number: int) -> list[list[str]]:
    """Who is in which division of the season after, with at least six people in each. `earlier` played in the
    season before."""
    steps = {"down": (1, 0), "": (0, 1), "up": (-1, 2)}
    keys: dict[str, tuple[int, int, int]] = {}
    for n, (line, tier, way) in enumerate(told):
        keys[line[1]] = (max(1, tier) + steps[way][0], steps[way][1], n)
    for tier, home in enumerate(homes, 1):
        for who in home:
            if who in earlier:
                keys.setdefault(who, (tier, 3, len(keys)))
    order = sorted(keys, key=lambda who: keys[who])
    groups = [[who for who in order if keys[who][0] == tier] for tier in range(1, (len(homes) or 1) + 1)]
    if len(groups) == number and min(map(len, groups)) >= 6:
        return groups
    number = min(number, len(order) // 6)
    if number < 2:
        return []
    size = len(order) // number
    return [*(order[n * size : (n + 1) * size] for n in range(number - 1)), order[(number - 1) * size :]]


def finalists(last: Evening) -> set[str]:
    """Who plays a final."""
    if last.final["kind"] == "cut":  # type: ignore[index]
        return {*last.points()}
    return {who for group in knockout_order(last) for who, _ in group}


class members_of:
    """The members of a division: who is in none is in the last one."""

    def __init__(self, divisions: list[dict[str, Any]], tier: int, twins: dict[str, str]) -> None:
        self.sets = [{twins.get(who, who) for who in each["members"]} for each in divisions]
        self.tier = tier

    def __contains__(self, who: str) -> bool:
        found = [n for n, each in enumerate(self.sets) if who in each] or [max(0, len(self.sets) - 1)]
        return found[0] == self.tier


def after_final(before: list[Line], last: Evening, ties: list[str], among: members_of) -> list[Line]:
    """The table with those of a final in front, and the others as they were."""
    own = {line[1]: line for line in before}
    zero = Fraction()
    cut = last.final["kind"] == "cut"  # type: ignore[index]
    groups = cut_order(last, ties, among) if cut else knockout_order(last)
    groups = [[each for each in group if each[0] in among] for group in groups]
    told: list[Line] = []
    for group in groups:
        rank = len(told) + 1
        for who, points in sorted(group, key=lambda each: (len(each[0]), each[0])):
            line = own.get(who, (0, who, zero, 0, 0, zero, zero, zero))
            told.append((rank, who, line[2] if points is None else points, *line[3:]))
    there = {line[1] for line in told}
    rest = [line for line in before if line[1] not in there]
    for line in rest:
        ahead = sum(other[0] < line[0] for other in rest)
        told.append((len(there) + 1 + ahead, *line[1:]))
    return told


def cut_order(last: Evening, ties: list[str], among: members_of) -> list[list[tuple[str, Fraction | None]]]:
    """Who played a last night, by what they took along and made there."""
    share = {"none": Fraction(0), "half": Fraction(1, 2), "all": Fraction(1)}[last.final["carry_over"]]  # type: ignore[index]
    known = {last.who(seed["member"]): seed for seed in last.seeds}
    sums, lines = {who: n for who, n in last.points().items() if who in among}, evening_lines(last)
    for who in sums:
        more = share * Fraction(known[who]["points"]) if who in known else Fraction()
        more += sum((n for one, n in last.gifts if one == who), Fraction())
        more -= sum((n for one, n in last.fines if one == who), Fraction())
        lines[who] = (lines[who][0] + more, *lines[who][1:])
    groups = split([[*sums]], ["points", *ties], lines, [last])
    ranks = {who: known[who]["rank"] if who in known else 10**6 for who in sums}
    parted = [
        [who for who in group if ranks[who] == rank]
        for group in groups
        for rank in sorted({ranks[who] for who in group})
    ]
    return [[(who, lines[who][0]) for who in group] for group in parted]


def knockout_order(last: Evening) -> list[list[tuple[str, Fraction | None]]]:
    """Everybody of a knockout: who came furthest first."""
    place = {last.who(seed["member"]): n for n, seed in enumerate(last.seeds)}
    done: list[str] = []
    for number in reversed(range(len(last.heats))):
        matches = matches_of(last, number)
        out = [(n, who) for match in matches for n, who in enumerate(match)]
        out += [(9, who) for who in last.heats[number][1] if not any(who in match for match in matches)]
        out.sort(key=lambda each: (each[0], place.get(each[1], 10**6)))
        done += [who for _, who in out if who not in done]
    return [[(who, None)] for who in done]


def matches_of(last: Evening, number: int) -> list[list[str]]:
    """The matches of a step of a knockout, each with its people, the best first."""
    begin = last.heats[number][0]
    end = last.heats[number + 1][0] if number + 1 < len(last.heats) else 10**6
    place = {last.who(seed["member"]): n for n, seed in enumerate(last.seeds)}
    sums: dict[str, list[Fraction]] = {}
    people: list[set[str]] = []
    owners: list[set[str]] = []
    for (round, _), table in sorted(last.tables.items()):
        if not begin <= round < end:
            continue
        whole, seats = last.earned(table)
        there = {who for who, _ in seats if who}
        for who in there:
            sums.setdefault(who, [Fraction(), Fraction()])
        if whole:
            for n, (who, score) in enumerate(seats):
                others = [made for m, (_, made) in enumerate(seats) if m != n]
                if who:
                    beaten = sum(score > made for made in others) + Fraction(others.count(score), 2)
                    sums[who][0] += 3 * beaten / len(others)
                    sums[who][1] += score
        own = {last.who(who) for who in table["seats"]}
        if round == begin:
            people.append(there)
            owners.append(own)
        else:
            most = max(range(len(owners)), key=lambda n: len((owners[n] & own) - {""}))
            people[most].update(there)
    return [
        sorted(match, key=lambda who: (-sums[who][0], -sums[who][1], place.get(who, 10**6)))
        for match in people
    ]


def wrong_steps(written: str) -> int:
    """The final tables that were taken over, and the steps of knockouts, that the events before them do not
    give."""
    league = json.loads(written)
    wrong = 0
    for log in league["nights"]:
        gone = {each["event"]["of"] for each in log if each["event"]["event"] == "revoked"}
        heats = 0
        for number, entry in enumerate(log, 1):
            event, at = entry["event"], entry["at"]
            if number in gone:
                continue
            if event["event"] == "placed":
                wrong += event["divisions"] != placed_at(league, log, number, at)
            elif event["event"] == "stage_seeded":
                wrong += event["seeds"] != seeds_at(league, log, number, at)
            elif event["event"] == "advanced":
                wrong += event["members"] != advanced_at(log[: number - 1], heats)
                heats += 1
    return wrong


def seeds_at(
    league: dict[str, Any], log: list[dict[str, Any]], number: int, at: float
) -> list[dict[str, Any]]:
    """The table before a final, when it was taken over."""
    night = Evening(log[: number - 1], {})
    if night.announced["final"]["groups"]:
        lines = evening_lines(night)
        told = [(line, 0, "") for line in _rank([*lines], lines, night.format["ties"], [night], 1)]
    else:
        told = table_of(json.dumps(past_of(league, night, at)), night.season)
        if night.announced["final"]["kind"] == "knockout":
            told = [each for each in told if each[1] < 2]
    return [
        {"member": line[1], "rank": line[0], "points": str(line[2]), "partner": "", "division": division}
        for line, division, _ in told
    ]


def past_of(league: dict[str, Any], night: Evening, at: float) -> dict[str, Any]:
    """The league as it was at a moment, without a night."""
    id = night.announced["night"]
    others = [each for each in league["nights"] if each[0]["event"]["night"] != id]
    return {
        "founded": league["founded"],
        "acts": [act for act in league["acts"] if act["at"] <= at],
        "nights": [each for other in others if (each := [one for one in other if one["at"] < at])],
    }


def placed_at(
    league: dict[str, Any], log: list[dict[str, Any]], number: int, at: float
) -> list[dict[str, Any]]:
    """The divisions of a night, when they were taken over."""
    night = Evening(log[: number - 1], {})
    past = past_of(league, night, at)
    twins = twins_of(past["acts"])
    settings = settings_of(past["founded"], past["acts"], night.season)
    evenings = sorted((Evening(each, twins) for each in past["nights"]), key=lambda each: each.start)
    begun = {each.season: each.divisions for each in evenings if each.tables}
    if wanted_in(settings) == 1:
        return []
    if night.season in begun:
        homes = homes_of(begun[night.season], twins)
        return [{**each, "members": home} for each, home in zip(begun[night.season], homes, strict=True)]
    written = json.dumps(past)
    told, homes = ranks_of(written, night.season - 1)
    earlier = {line[1] for line, _, _ in ranks_of(written, night.season - 2)[0]}
    groups = next_homes(told, homes, earlier, wanted_in(settings))
    if not groups:
        return []
    moving = DIVISIONS[settings["divisions"]][1]
    swaps = [min(moving, len(upper) // 3, len(lower) // 3) for upper, lower in pairwise(groups)]
    return [
        {"members": group, "promote": up, "relegate": down}
        for group, up, down in zip(groups, [0, *swaps], [*swaps, 0], strict=True)
    ]


def advanced_at(log: list[dict[str, Any]], heats: int) -> list[str]:
    """Who plays on in a knockout, after these events."""
    night = Evening(log, {})
    place = {seed["member"]: n for n, seed in enumerate(night.seeds)}
    playing = [
        who for each in log if each["event"]["event"] == "check_in_closed" for who in each["event"]["playing"]
    ]
    for each in log:
        if each["event"]["event"] == "went":
            playing.remove(each["event"]["member"])
    if heats == 0:
        there = sorted((who for who in playing if who in place), key=lambda who: place[who])
        size = night.announced["final"]["size"]
        ranks = {seed["member"]: seed["rank"] for seed in night.seeds}
        last = ranks[there[min(size, len(there)) - 1]]
        on = [who for n, who in enumerate(there) if n < size or ranks[who] == last]
    else:
        matches = [[who for who in match if who in playing] for match in matches_of(night, heats - 1)]
        on = [who for match in matches for who in match[:2]]
        out = sorted(
            (n, place.get(who, 10**6), who) for match in matches for n, who in enumerate(match) if n > 1
        )
        on += [who for _, _, who in out[: 2 * len(matches) - len(on)]]
        on.sort(key=lambda who: place.get(who, 10**6))
    return on[:4] if len(on) == 5 else on


def evening_lines(night: Evening) -> dict[str, Any]:
    """One evening's figures by member."""
    sums, lines = night.points(), {}
    for who in sums:
        wins = score = 0
        faced: list[Fraction] = []
        for _, seats in night.seats():
            for n, (one, made) in enumerate(seats):
                if one == who:
                    rest = [other for m, other in enumerate(seats) if m != n]
                    wins += all(made > other for _, other in rest)
                    score += made
                    faced += [sums[other] for other, _ in rest if other]
        mean = sum(faced, Fraction()) / len(faced) if faced else Fraction()
        lines[who] = (sums[who], wins, score, mean, Fraction(), Fraction())
    return lines


def count(evenings: list[Evening], settings: dict[str, Any], among: members_of) -> list[Line]:
    """The table of some evenings."""
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
    lines = {who: line for who, line in lines.items() if who in among}
    first = [who for who in lines if lines[who][6] >= least]
    ordered = _rank(first, lines, settings["ties"], evenings, 1)
    return ordered + _rank([*{*lines} - {*first}], lines, settings["ties"], evenings, len(first) + 1)


def _rank(
    members: list[str], lines: dict[str, Any], ties: list[str], evenings: list[Evening], begin: int
) -> list[Line]:
    groups = split([sorted(members)], ["points", *ties], lines, evenings)
    told: list[Line] = []
    for group in groups:
        rank = begin + len(told)
        for who in sorted(group, key=lambda who: (len(who), who)):
            told.append((rank, who, *lines[who][:6]))
    return told


def split(
    groups: list[list[str]], ties: list[str], lines: dict[str, Any], evenings: list[Evening]
) -> list[list[str]]:
    """The groups of those whom no tie-break parts, the best first."""
    for tie in ties:
        parted = []
        for group in groups:
            keys = _keys(tie, group, lines, evenings)
            for key in sorted({*keys.values()}, reverse=True):
                parted.append([who for who in group if keys[who] == key])
        groups = parted
    return groups


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
