"""Plans for small nights, found offline: `python -m tests.bot.league.find_plans 18 --rounds 6` prints one.

- Annealing (up to 27 people): swaps between the tables of a round, over all rounds of a night at once. What
  two people cost follows from the rounds in which they meet, kept as bits, so a swap is weighed by a dozen
  look-ups. Up to 12 people it takes seconds, for 20 many minutes and several seeds: for the stored plans of
  13 people and more the same search was run as a compiled program.
- Starters (28, 36 and 40 people): a first round is developed over a cyclic group. No difference of two who
  share a table occurs twice in it, so nobody meets anybody twice.
- Two planes (32 people): sixteen pairs of people who never meet. Two affine planes of order 4 on the pairs,
  no two lines of which share three, bring any two pairs together twice; signs, which follow from linear
  equations, say which of a pair comes, so that people meet once.

What comes out is ready for `bot/league/seating/plans.txt`. From 13 people on everybody sits once in each seat
in every four rounds, and the first round is 0 T 2T 3T, 1 T+1 …, so that nights can change between the plans
of as many tables; places that may stay empty come last.
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from itertools import combinations, count, islice, pairwise
from math import exp
from random import Random

from bot.cli.seating import figures
from bot.league.seating import Seated
from bot.league.seating.encounters import encounters_in, parties_at
from bot.league.seating.plan import Plan, follow
from bot.league.seating.search import in_seats as seats_of

Table = list[int]
Rounds = list[list[Table]]

SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCD"

STARTERS = {
    28: (9, 1, "3a6c6b8a 8b1b7c4b 1c3c6a5b 7a4a5a0b 0z2c1a7b 0a0c8c5c 2a2b3b4c"),
    36: (11, 3, "1c5a3a2c 7a5b1a8b 6c9c9b4c 1z8c1b4a 2a4b9aaa 0bac8a2z 3b5c7b2b 0z0aab3c 7c6b0c6a"),
    40: (13, 1, "0z0a0b0c 1a2a3bcb 4aba5cac 2b8b3c7c 3a6a9bab ca7a2c4c 6bbb9c8c 9a5a1b4b aa8a6ccc 5b7b1cbc"),
}
"""By number of people: the size of the group, the number of fixed places, and the first round's tables."""


def annealed(
    people: int, weights: Sequence[float], seed: int, steps: int, hot: float = 0.5, cold: float = 0.12
) -> Rounds:
    """Rounds with few repeats. `weights`: the importance of repeats in the first 1, 2, 3 … rounds.

    Meeting in two consecutive rounds costs four times as much as meeting again later. Places from `people` on
    are fixed, each at a table of its own, so that tables of three result.
    """
    random = Random(seed)
    number_of_rounds, tables = len(weights), -(-people // 4)
    later = [sum(weights[number:]) for number in range(number_of_rounds)]
    costs = [_pair_cost(bits, later) for bits in range(1 << number_of_rounds)]
    empty = 4 * tables - people
    rounds: Rounds = []
    for _ in range(number_of_rounds):
        order = random.sample(range(people), people)
        rounds.append([[order.pop() for _ in range(4 - (t >= tables - empty))] for t in range(tables)])
    met = [[0] * people for _ in range(people)]
    for number, one in enumerate(rounds):
        for table in one:
            for a, b in combinations(table, 2):
                met[a][b] ^= 1 << number
                met[b][a] ^= 1 << number
    now = best = sum(costs[met[a][b]] for a, b in combinations(range(people), 2))
    found = [[table[:] for table in one] for one in rounds]
    scale = sum(weights)
    for step in range(steps):
        heat = scale * hot * (cold / hot) ** (step / steps)
        number = random.randrange(number_of_rounds)
        here, there = random.sample(rounds[number], 2)
        i, j = random.randrange(len(here)), random.randrange(len(there))
        p, q, bit = here[i], there[j], 1 << number
        mp, mq = met[p], met[q]
        change = 0.0
        for x in here:
            if x != p:
                change += costs[mp[x] ^ bit] - costs[mp[x]] + costs[mq[x] ^ bit] - costs[mq[x]]
        for x in there:
            if x != q:
                change += costs[mq[x] ^ bit] - costs[mq[x]] + costs[mp[x] ^ bit] - costs[mp[x]]
        if change > 0 and random.random() >= exp(-change / heat):
            continue
        for x in [*here, *there]:
            if x not in (p, q):
                mp[x] ^= bit
                mq[x] ^= bit
                met[x][p] ^= bit
                met[x][q] ^= bit
        here[i], there[j] = q, p
        now += change
        if now < best - 1e-6:
            best, found = now, [[table[:] for table in one] for one in rounds]
    for one in found:
        for away in range(empty):
            one[tables - 1 - away].append(4 * tables - 1 - away)
    return found


def _pair_cost(bits: int, later: Sequence[float]) -> float:
    """The cost of two people who meet in the rounds whose bits are set."""
    rounds = [number for number in range(len(later)) if bits >> number & 1]
    again = sum(later[number] for number in rounds[1:])
    return again + 3 * sum(later[two] for one, two in pairwise(rounds) if two == one + 1)


def developed(group: int, fixed: int, starter: str) -> Rounds:
    """Rounds developed from a first one, given with two characters a place: its number and its line, or `z`
    for a fixed place.

    Every number grows by one from round to round.
    """

    def place(sign: str, line: str, turn: int) -> int:
        number = int(sign, 36)
        return 3 * group + number if line == "z" else "abc".index(line) * group + (number + turn) % group

    return [
        [[place(*table[at : at + 2], turn) for at in (0, 2, 4, 6)] for table in starter.split()]
        for turn in range(group)
    ]


def two_planes(seed: int = 1) -> Rounds:
    """Ten rounds of 32 people without a repeated meeting."""
    random = Random(seed)
    times = [[0, 0, 0, 0], [0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2]]  # the field of four; plus is xor
    plane = [[[4 * x + (times[m][x] ^ c) for x in range(4)] for c in range(4)] for m in range(4)]
    plane.append([[4 * x + y for y in range(4)] for x in range(4)])
    signs = None
    while not signs:
        image = [0]  # a linear map of the points' four bits
        while len(image) < 16:
            step = random.choice([point for point in range(16) if point not in image])
            image += [point ^ step for point in image]
        rounds = [*plane, *([[image[point] for point in line] for line in lines] for lines in plane)]
        signs = _signs([line for lines in rounds for line in lines])
    signed = iter(signs)
    return [
        [
            [2 * p + (s ^ side) for p, s in zip(line, sign, strict=True)]
            for line, sign in zip(lines, signed, strict=False)
            for side in (0, 1)
        ]
        for lines in rounds
    ]


def _signs(lines: list[Table]) -> list[list[int]] | None:
    """A bit for each point of each line: of the two lines through two points, exactly one has equal bits
    there.

    Solved by elimination over the field of two; bit 160 of a row is its right side. None when there is no
    solution.
    """
    through: dict[tuple[int, int], int] = {}
    for number, line in enumerate(lines):
        for (i, p), (j, q) in combinations(enumerate(line), 2):
            two = min(p, q), max(p, q)
            through[two] = through.get(two, 1 << 160) ^ 1 << 4 * number + i ^ 1 << 4 * number + j
    rows: dict[int, int] = {}
    for row in through.values():
        while lead := (row & (1 << 160) - 1).bit_length():
            if lead not in rows:
                rows[lead] = row
                break
            row ^= rows[lead]
        else:
            if row:
                return None
    bits = 0
    for lead in sorted(rows):
        known = (rows[lead] & bits).bit_count() + (rows[lead] >> 160)
        bits |= (known & 1) << lead - 1
    return [[bits >> 4 * number + i & 1 for i in range(4)] for number in range(len(lines))]


def repeats(rounds: Rounds, people: int) -> list[int]:
    """The number of repeated meetings after each round."""
    met: set[frozenset[int]] = set()
    meetings, found = 0, []
    for one in rounds:
        for table in one:
            pairs = {frozenset(two) for two in combinations([p for p in table if p < people], 2)}
            meetings += len(pairs)
            met |= pairs
        found.append(meetings - len(met))
    return found


def in_seats(rounds: Rounds, last: Sequence[int] = (), people: Sequence[int] = (), tries: int = 1) -> Rounds:
    """The same rounds in seat order, the best of some orders for nights of so many `people`.

    Full tables: everybody once in each seat in every four rounds, with `last` as the last places.
    """
    full = all(len(table) == 4 for table in rounds[0])
    orders = (order for seed in count() if (order := _order(rounds, last if full else None, Random(seed))))
    return min(islice(orders, tries), key=lambda order: sum(_spread(order, number) for number in people))


def _spread(rounds: Rounds, people: int) -> int:
    """The unevenness of seats after each round of a night that follows a plan. Early rounds count most."""
    plan = Plan(tuple(tuple(map(tuple, one)) for one in rounds))
    present = [(f"m{number}",) for number in range(people)]
    night: list[Seated] = []
    found = 0
    for _ in rounds[:8]:
        tables = follow(
            plan, present, [[parties_at(table, "rotation") for table in one.tables] for one in night]
        )
        past = encounters_in(night)
        night.append(Seated(tuple(seats_of(table, past, "rotation") for table in tables or [])))
        found += figures(night).seat_spread ** (8 if len(night) < 4 else 2)
    return found


def _order(rounds: Rounds, last: Sequence[int] | None, random: Random) -> Rounds | None:
    """An order of seats; None if the people in `last` sit in different seats of the first round."""
    if last is None:
        return [[random.sample(table, len(table)) for table in one] for one in rounds]
    size = sum(map(len, rounds[0]))
    seated = [one for at in range(0, len(rounds), 4) for one in _colored(rounds[at : at + 4], size, random)]
    seats = {table.index(place) for place in last for table in seated[0] if place in table}
    if len(seats) > 1:
        return None
    turn = seats.pop() if seats else 3
    for one in seated[:4]:
        for table in one:
            table[turn], table[3] = table[3], table[turn]
    seated[0].sort(key=lambda table: [table[3] == place for place in last])
    tables = len(seated[0])
    name = {place: t + tables * seat for t, table in enumerate(seated[0]) for seat, place in enumerate(table)}
    return [[[name[place] for place in table] for table in one] for one in seated]


def _colored(rounds: Rounds, size: int, random: Random) -> Rounds:
    """Tables in seat order, by an edge colouring of people and tables with alternating paths."""
    tables = [table for one in rounds for table in one]
    at_table: list[dict[int, int]] = [{} for _ in tables]  # seat -> place
    of_place: list[dict[int, int]] = [{} for _ in range(size)]  # seat -> table
    edges = [(t, place) for t, table in enumerate(tables) for place in table]
    random.shuffle(edges)
    for t, place in edges:
        free = next(seat for seat in random.sample(range(4), 4) if seat not in at_table[t])
        other = next(seat for seat in random.sample(range(4), 4) if seat not in of_place[place])
        path, p, a, b = [], place, free, other
        while a in of_place[p]:  # the place that holds this seat must take the other one, and so on
            there = of_place[p][a]
            path.append((there, p, a, b))
            if b not in at_table[there]:
                break
            p = at_table[there][b]
            path.append((there, p, b, a))
        for u, x, old, _ in path:
            del at_table[u][old], of_place[x][old]
        for u, x, _, new in path:
            at_table[u][new], of_place[x][new] = x, u
        at_table[t][free], of_place[place][free] = place, t
    seats = [[table[seat] for seat in range(4)] for table in at_table]
    each = len(rounds[0])
    return [seats[at : at + each] for at in range(0, len(seats), each)]


def printed(rounds: Rounds) -> str:
    """The rounds in the format of `plans.txt`."""
    return ", ".join(" ".join("".join(SIGNS[place] for place in table) for table in one) for one in rounds)


def constructed(people: int) -> Rounds:
    """A plan without repeats in which the last three never share a table, except perhaps in its last
    round."""
    rounds = two_planes() if people == 32 else developed(*STARTERS[people])
    if people == 36:
        return in_seats(rounds, [35, 34, 33])
    plan = in_seats([*rounds[1:], rounds[0]], rounds[0][0][:3])
    return plan[:12]


def main() -> None:
    """Print a plan, and the number of repeated meetings after each round."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("people", type=int)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--weights", help="by round, such as 0,0,1,1; default: only the last one matters")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=400_000)
    given = parser.parse_args()
    people = given.people
    if people in (32, *STARTERS):
        rounds = constructed(people)
    else:
        weights = [float(number == given.rounds - 1) for number in range(given.rounds)]
        weights = [float(each) for each in given.weights.split(",")] if given.weights else weights
        rounds = annealed(people, weights, given.seed, given.steps)
        places = 4 * len(rounds[0])
        if people > 12:
            rounds = in_seats(rounds, range(places - 1, people - 1, -1), [people], 100)
        else:
            rounds = [[[place for place in table if place < people] for table in one] for one in rounds]
            rounds = in_seats(rounds, (), [people], 1000)
    print(f"{people}: {printed(rounds)}\n{repeats(rounds, people)}")


if __name__ == "__main__":
    main()
