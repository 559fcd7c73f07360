/* Rollouts in C: rounds of Okey 101 played to their end over guesses of the hidden tiles, as in rollouts.py.

   A part of _speedups.c, which includes it. Everybody plays a simplified `steady`: neighbours are counted
   before they open where `steady` arranges its rack anew without each tile. */

enum {
    SEATS = 4, TABLE_MOST = 64, GUESSES_MOST = 100000, TRIES = 12, TURNS_MOST = 200, NEARLY_OUT = 3,
    SHOWN_MOST = 64, NOBODY = -1, NOTHING = -1,
    FINE = 101, NOT_OPENED = 202, FINISHED = -101,
    MELDS = 1, IN_PAIRS = 2 /* the ways to open */
};

static const double LIKELY = 0.9; /* how much less likely a rack is for each neighbour of a tile let go */

/* A set of the table has a number and its colours, a bit each; a run a colour and its ends. */
typedef struct { int is_set, of, first, last; } Meld;

typedef struct { Rack rack; int opened, fines; } Seat;

typedef struct {
    int points, pairs;       /* what an opening needs */
    int seats, partners;
} Terms;

typedef struct {
    const Terms *terms;
    Seat seats[SEATS];       /* in order of play; the first one asks */
    Meld table[TABLE_MOST];
    int melds;
    uint64_t playable;       /* the faces that can be laid off */
    uint8_t stock[COPIES * TILES];
    int stock_left, last;    /* the last discard */
    int opened_now, over, winner, marks;
} Sim;

typedef struct { int count; uint8_t faces[COPIES * TILES]; uint64_t state; } Hidden;

/* The next number of the generator splitmix64. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t mixed = *state += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return mixed ^ mixed >> 31;
}

/* Move random tiles from `from` on to the places from there to `to`. */
static void shuffle(Hidden *hidden, int from, int to)
{
    for (int at = from; at < to; at++) {
        int other = at + (int)(next_random(&hidden->state) % (uint64_t)(hidden->count - at));
        uint8_t face = hidden->faces[other];
        hidden->faces[other] = hidden->faces[at];
        hidden->faces[at] = face;
    }
}

/* The table */

static void note_playable(Sim *sim)
{
    sim->playable = 0;
    for (int at = 0; at < sim->melds; at++) {
        const Meld *meld = &sim->table[at];
        if (meld->is_set)
            sim->playable |= other_colours(meld->of, meld->first);
        if (!meld->is_set && meld->first > 0)
            sim->playable |= 1ull << (meld->of * NUMBERS + meld->first - 1);
        if (!meld->is_set && meld->last < NUMBERS - 1)
            sim->playable |= 1ull << (meld->of * NUMBERS + meld->last + 1);
    }
}

static int is_playable(const Sim *sim, int face) { return face != WILD && sim->playable >> face & 1; }

static void add_meld(Sim *sim, Meld meld)
{
    if (sim->melds < TABLE_MOST)
        sim->table[sim->melds++] = meld;
}

/* Put a face on the first meld that it fits. */
static void put_on_table(Sim *sim, int face)
{
    int colour = face / NUMBERS, number = face % NUMBERS;
    for (int at = 0; at < sim->melds; at++) {
        Meld *meld = &sim->table[at];
        if (meld->is_set && meld->of == number && !(meld->first >> colour & 1)) {
            meld->first |= 1 << colour;
            break;
        }
        if (!meld->is_set && meld->of == colour && (meld->first == number + 1 || meld->last == number - 1)) {
            *(meld->first == number + 1 ? &meld->first : &meld->last) = number;
            break;
        }
    }
    note_playable(sim);
}

/* Racks */

static int pairs_in(const Rack *rack)
{
    int singles = 0, doubles = 0;
    for (int face = 0; face < FACES; face++) {
        singles += rack->held[face] == 1;
        doubles += rack->held[face] == COPIES;
    }
    int alone = min(singles, rack->wild);
    return doubles + alone + (rack->wild - alone) / 2;
}

static int holds_number(const Rack *rack, int colour, int number)
{
    return number >= 0 && number < NUMBERS && rack->held[colour * NUMBERS + number];
}

/* Whether a face stands in three that the rack makes with it. */
static int in_three(const Rack *rack, int face)
{
    int colour = face / NUMBERS, number = face % NUMBERS, others = 0;
    int below = holds_number(rack, colour, number - 1), above = holds_number(rack, colour, number + 1);
    if ((below && above) || (below && holds_number(rack, colour, number - 2)) ||
        (above && holds_number(rack, colour, number + 2)))
        return 1;
    for (int other = 0; other < COLOURS; other++)
        others += other != colour && rack->held[other * NUMBERS + number];
    return others >= 2;
}

/* The tiles of the rack that could join a face in a meld of three. */
static int neighbours(const Rack *rack, int face)
{
    int colour = face / NUMBERS, number = face % NUMBERS, count = 0;
    for (int other = 0; other < COLOURS; other++)
        count += other == colour ? 0 : rack->held[other * NUMBERS + number];
    for (int near = max(0, number - 2); near <= min(NUMBERS - 1, number + 2); near++)
        count += near == number ? 0 : rack->held[colour * NUMBERS + near];
    return count;
}

/* The points of all tiles in threes, without okeys: melds can't be worth more. */
static int points_in_threes(const Rack *rack)
{
    int points = 0;
    for (int face = 0; face < FACES; face++)
        if (rack->held[face] && in_three(rack, face))
            points += rack->held[face] * (face % NUMBERS + 1);
    return points;
}

static int opens_with(const Rack *rack, int points)
{
    if (!rack->wild && points_in_threes(rack) < points)
        return 0;
    return best_opening(rack, points - 1, points, NULL) >= points;
}

/* Laying */

/* Lay the sets of one number: each tile in the smallest set without its colour, then the okeys likewise. */
static int share_sets(const Laid *way, int number, Meld *melds)
{
    int sets = (way->tiles + COLOURS - 1) / COLOURS, okeys = way->okeys;
    for (int set = 0; set < sets; set++)
        melds[set] = (Meld){.is_set = 1, .of = number};
    for (int tile = 0; tile < COLOURS * COPIES + OKEYS; tile++) {
        int colour = tile / COPIES, smallest = NOTHING;
        if (colour < COLOURS ? tile % COPIES >= way->takes[colour] : okeys-- <= 0)
            continue;
        for (int set = 0; set < sets; set++)
            if ((colour == COLOURS || !(melds[set].first >> colour & 1)) &&
                (smallest == NOTHING || bits(melds[set].first) < bits(melds[smallest].first)))
                smallest = set;
        if (colour == COLOURS)
            for (colour = 0; melds[smallest].first >> colour & 1; colour++)
                ;
        melds[smallest].first |= 1 << colour;
    }
    return sets;
}

/* Lay the runs of one colour with so many okeys that are worth most. */
static int share_runs(int colour, int tiles, int okeys, Meld *melds)
{
    int count = 0;
    while (tiles) {
        int lowest = 0, most = points_in_runs(tiles, 0).with[okeys], found = 0;
        while (!(tiles / POWER[lowest] % 3))
            lowest++;
        if (points_in_runs(tiles - POWER[lowest], 0).with[okeys] == most) {
            tiles -= POWER[lowest];
            continue;
        }
        for (int size = SMALLEST; size <= LONGEST_RUN && !found; size++)
            for (int first = max(0, lowest - size + 1); first <= min(lowest, NUMBERS - size) && !found; first++) {
                int left = tiles, missing = size, points = 0;
                for (int number = first; number < first + size; number++) {
                    points += number + 1;
                    if (tiles / POWER[number] % 3) {
                        left -= POWER[number];
                        missing--;
                    }
                }
                if (missing > okeys || points + points_in_runs(left, 0).with[okeys - missing] != most)
                    continue;
                melds[count++] = (Meld){.of = colour, .first = first, .last = first + size - 1};
                tiles = left;
                okeys -= missing;
                found = 1;
            }
        if (!found)
            Py_FatalError("no run is worth what the table says");
    }
    return count;
}

/* The melds of the rack that are worth most. */
static int best_melds(const Rack *rack, Meld *melds)
{
    Arranged arranged;
    int count = 0;
    if (!best_opening(rack, 0, INT16_MAX, &arranged))
        return 0;
    for (int at = 0; at < arranged.count; at++)
        count += share_sets(arranged.sets[at], arranged.numbers[at], melds + count);
    int wild = arranged.wild;
    for (int colour = 0; colour < COLOURS; colour++) {
        Points own = points_in_runs(arranged.left[colour], 0), others = {{0}};
        for (int other = colour + 1; other < COLOURS; other++)
            others = shared(others, points_in_runs(arranged.left[other], 0));
        int okeys = 0;
        for (int used = 1; used <= wild; used++)
            if (own.with[used] + others.with[wild - used] > own.with[okeys] + others.with[wild - okeys])
                okeys = used;
        wild -= okeys;
        count += share_runs(colour, arranged.left[colour], okeys, melds + count);
    }
    return count;
}

static int tiles_of_meld(const Meld *meld) { return meld->is_set ? bits(meld->first) : meld->last - meld->first + 1; }

/* Take a tile of a face from the rack, or an okey in its place. */
static void use(Rack *rack, int face) { change(rack, rack->held[face] ? face : WILD, -1); }

/* Lay all melds. If no tile is left to discard, the last meld that can do without its last one gives it, or
   the last meld is kept. */
static void lay_melds(Sim *sim, Seat *seat)
{
    Meld melds[RACK_MOST];
    int count = best_melds(&seat->rack, melds), tiles = 0, longer = NOTHING;
    for (int at = 0; at < count; at++) {
        tiles += tiles_of_meld(&melds[at]);
        if (tiles_of_meld(&melds[at]) > SMALLEST)
            longer = at;
    }
    if (count && tiles == seat->rack.size && longer == NOTHING)
        count--;
    else if (count && tiles == seat->rack.size && melds[longer].is_set)
        melds[longer].first &= (1 << (COLOURS - 1)) - 1;
    else if (count && tiles == seat->rack.size)
        melds[longer].last--;
    for (int at = 0; at < count; at++) {
        const Meld *meld = &melds[at];
        for (int colour = 0; meld->is_set && colour < COLOURS; colour++)
            if (meld->first >> colour & 1)
                use(&seat->rack, colour * NUMBERS + meld->of);
        for (int number = meld->first; !meld->is_set && number <= meld->last; number++)
            use(&seat->rack, meld->of * NUMBERS + number);
        add_meld(sim, *meld);
    }
    note_playable(sim);
}

/* Lay all pairs, and okeys with the highest single tiles, but keep a tile to discard. */
static void lay_pairs(Rack *rack)
{
    for (int face = 0; face < FACES; face++)
        if (rack->held[face] == COPIES && rack->size > COPIES)
            change(rack, face, -COPIES);
    for (int face = FACES - 1; face >= 0; face--)
        if (rack->held[face] == 1 && rack->wild && rack->size > COPIES) {
            change(rack, face, -1);
            change(rack, WILD, -1);
        }
}

static int may_end_soon(const Sim *sim, int seat)
{
    int soon = sim->stock_left < sim->terms->seats;
    for (int other = 0; other < sim->terms->seats; other++)
        soon |= other != seat && sim->seats[other].rack.size <= NEARLY_OUT;
    return soon;
}

/* Lay off what fits, okeys only where that may end the round or it may end soon. */
static void lay_off(Sim *sim, int seat)
{
    Rack *rack = &sim->seats[seat].rack;
    for (int laid = 1; laid;) {
        laid = 0;
        for (int face = 0; face < FACES; face++)
            if (rack->held[face] && rack->size > 1 && is_playable(sim, face)) {
                change(rack, face, -1);
                put_on_table(sim, face);
                laid = 1;
            }
    }
    while (rack->wild && rack->size > 1 && sim->playable &&
           (rack->size - rack->wild <= 1 || may_end_soon(sim, seat))) {
        int face = 0;
        while (!is_playable(sim, face))
            face++;
        change(rack, WILD, -1);
        put_on_table(sim, face);
    }
}

/* Turns */

static void let_go(Sim *sim, int seat, int face)
{
    Seat *own = &sim->seats[seat];
    change(&own->rack, face, -1);
    if (!own->rack.size) {
        int opened = 0;
        for (int other = 0; other < sim->terms->seats; other++)
            opened += sim->seats[other].opened != 0;
        sim->marks = (sim->opened_now && opened == 1) + (face == WILD) + (own->opened == IN_PAIRS);
        sim->winner = seat;
        sim->over = 1;
        return;
    }
    own->fines += face == WILD || is_playable(sim, face);
    sim->last = face;
    sim->opened_now = 0;
    sim->over = !sim->stock_left;
}

/* What a discard costs: a fine; then before opening a tile of its threes or pairs, its neighbours, and its
   number; after it the neighbours less its number. */
static int cost_of(const Sim *sim, int seat, int face, int for_pairs, int soon)
{
    const Seat *own = &sim->seats[seat];
    int number = face % NUMBERS + 1, fined = is_playable(sim, face), near = neighbours(&own->rack, face);
    if (!own->opened) {
        int doubled = own->rack.held[face] == COPIES;
        int missed = for_pairs ? doubled : !doubled && in_three(&own->rack, face);
        return fined * 1000000 + missed * 100000 + near * 100 + number;
    }
    return fined * 1000000 + (own->opened == IN_PAIRS || soon ? 0 : 6 * near) - number;
}

static void discard(Sim *sim, int seat)
{
    const Seat *own = &sim->seats[seat];
    int best = WILD, least = 0, soon = own->opened && may_end_soon(sim, seat);
    int for_pairs = !own->opened && pairs_in(&own->rack) + 1 >= sim->terms->pairs &&
                    !opens_with(&own->rack, (7 * sim->terms->points + 9) / 10);
    for (int face = 0; face < FACES && own->rack.size > 1; face++) {
        if (!own->rack.held[face])
            continue;
        int cost = cost_of(sim, seat, face, for_pairs, soon);
        if (best == WILD || cost < least) {
            best = face;
            least = cost;
        }
    }
    for (int face = 0; face < FACES && own->rack.size == 1; face++)
        if (own->rack.held[face])
            best = face;
    let_go(sim, seat, best);
}

static int way_to_open(const Rack *rack, const Terms *terms)
{
    return opens_with(rack, terms->points) ? MELDS : pairs_in(rack) >= terms->pairs ? IN_PAIRS : 0;
}

/* How a rack opens with a tile that it got, if it did not before. */
static int way_with(const Rack *rack, int face, const Terms *terms)
{
    int matters = rack->wild || in_three(rack, face) || rack->held[face] == COPIES;
    return matters ? way_to_open(rack, terms) : 0;
}

/* Lay and discard in a turn in which this tile came; NOTHING if the rack may have opened before. */
static void play_on(Sim *sim, int seat, int got)
{
    Seat *own = &sim->seats[seat];
    if (!own->opened && got != NOTHING)
        sim->opened_now = own->opened = way_with(&own->rack, got, sim->terms);
    else if (!own->opened)
        sim->opened_now = own->opened = way_to_open(&own->rack, sim->terms);
    if (own->opened == MELDS)
        lay_melds(sim, own);
    if (own->opened == IN_PAIRS)
        lay_pairs(&own->rack);
    if (own->opened)
        lay_off(sim, seat);
    discard(sim, seat);
}

/* Whether the last discard is taken: only to be laid at once. */
static int takes(Sim *sim, int seat)
{
    Seat *own = &sim->seats[seat];
    int face = sim->last;
    if (face == NOTHING)
        return 0;
    if (!own->opened) {
        change(&own->rack, face, 1);
        int opens = way_with(&own->rack, face, sim->terms);
        change(&own->rack, face, -1);
        return opens != 0;
    }
    if (face == WILD || is_playable(sim, face))
        return sim->playable != 0;
    int room = own->rack.size > COPIES;
    return room && (own->opened == IN_PAIRS ? own->rack.held[face] == 1
                                            : !own->rack.held[face] && in_three(&own->rack, face));
}

static void play_turn(Sim *sim, int seat)
{
    int face = takes(sim, seat) ? sim->last : sim->stock[--sim->stock_left];
    change(&sim->seats[seat].rack, face, 1);
    play_on(sim, seat, face);
}

/* The points of a seat without its partner's. */
static int points_of_seat(const Sim *sim, int seat)
{
    const Seat *own = &sim->seats[seat];
    int factor = 1 << sim->marks, fines = own->fines + (own->opened && own->rack.wild);
    int partner_won = sim->terms->partners && sim->winner == (seat + 2) % SEATS;
    if (seat == sim->winner)
        return FINISHED * factor + FINE * fines;
    if (partner_won)
        return FINE * fines;
    if (!own->opened)
        return NOT_OPENED * factor + FINE * fines;
    int points = 0;
    for (int face = 0; face < FACES; face++)
        points += own->rack.held[face] * (face % NUMBERS + 1);
    return points * factor * (own->opened == IN_PAIRS ? 2 : 1) + FINE * fines;
}

/* The points of the first seat, and of its partner, at the end of a round. */
static int outcome(Sim *sim, int candidate)
{
    if (candidate == NOTHING)
        play_on(sim, 0, NOTHING);
    else
        let_go(sim, 0, candidate);
    for (int turn = 1; !sim->over && turn < TURNS_MOST; turn++)
        play_turn(sim, turn % sim->terms->seats);
    return points_of_seat(sim, 0) + (sim->terms->partners ? points_of_seat(sim, 2) : 0);
}

/* Guesses */

typedef struct { int size, opened, count; uint8_t shown[SHOWN_MOST]; } Other; /* and the discards that are seen */

/* Whether the guess is kept: a seat with such a rack would not have opened, and would have let these go. */
static int is_likely(const Rack *rack, const Other *other, const Terms *terms, Hidden *hidden)
{
    double likely = 1;
    if (way_to_open(rack, terms))
        return 0;
    for (int at = 0; at < other->count; at++)
        for (int near = other->shown[at] == WILD ? 0 : neighbours(rack, other->shown[at]); near; near--)
            likely *= LIKELY;
    return (double)(next_random(&hidden->state) >> 11) / 9007199254740992.0 < likely;
}

/* Deal the hidden tiles to the other seats and the stock. */
static void guess(Sim *sim, const Other *others, int stock, Hidden *hidden)
{
    int from = 0;
    shuffle(hidden, 0, hidden->count);
    for (int seat = 1; seat < sim->terms->seats; seat++) {
        const Other *other = &others[seat];
        Rack *rack = &sim->seats[seat].rack;
        for (int tries = 1;; tries++) {
            memset(rack, 0, sizeof *rack);
            for (int at = from; at < from + other->size; at++)
                change(rack, hidden->faces[at], 1);
            if (other->opened || tries == TRIES || is_likely(rack, other, sim->terms, hidden))
                break;
            shuffle(hidden, from, from + other->size);
        }
        from += other->size;
    }
    sim->stock_left = stock;
    memcpy(sim->stock, hidden->faces + from, (size_t)stock);
}

/* Add to the totals what each candidate comes to, in the same guesses. */
static void add_outcomes(Sim *start, const Other *others, int stock, Hidden *hidden, int guesses,
                         const int *candidates, int count, long long *totals)
{
    for (int each = 0; each < guesses; each++) {
        guess(start, others, stock, hidden);
        for (int at = 0; at < count; at++) {
            Sim sim = *start;
            totals[at] += outcome(&sim, candidates[at]);
        }
    }
}
