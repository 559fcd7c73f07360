/* Arrangement in C: the questions of reference.py with the same answers, much faster.

   The search is that of search.py. Every choice of sets is tried, and the tiles that it leaves of each
   colour are looked up. A colour is a number of thirteen ternary digits, one for the number of tiles of each
   face. It has a curve: the most tiles that runs keep with at most 0, 1, ... 14 places. There are 853
   curves, and two of them that share their places make one of these again. All tables are filled on demand,
   under the interpreter's lock. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBERS = 13, COLOURS = 4, FACES = 52, WILD = 52, TILES = 53, COPIES = 2,
    PLACES = 14, SMALLEST = 3, LONGEST_RUN = 5, MOST_SETS = 4, PAIRS = 7, OKEYS = 2,
    RACK_MOST = 28, COLOUR_STATES = 1594323 /* 3^13 */, COLUMN_STATES = 81 /* 3^4 */
};

static const int POWER[NUMBERS] = {1, 3, 9, 27, 81, 243, 729, 2187, 6561, 19683, 59049, 177147, 531441};

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }

/* Curves */

enum { CURVES = 1024 };

typedef struct { uint8_t kept[PLACES + 1]; } Curve;

static Curve curves[CURVES];
static int8_t least_waste[CURVES][PLACES + 1];   /* places minus kept tiles, from this many places on */
static int curve_count;
static uint16_t curve_at[2 * CURVES];            /* by hash: a curve's number + 1 */
static uint16_t runs_known[2][COLOUR_STATES];    /* by wrap and colour: a curve's number + 1 */
static uint16_t joined_known[CURVES][CURVES];    /* the same for two curves that share their places */

/* The number of the curve that keeps at least this many tiles; `kept` may decrease. */
static int numbered(Curve curve)
{
    uint32_t hash = 2166136261u;
    for (int places = 0; places <= PLACES; places++) {
        if (places && curve.kept[places] < curve.kept[places - 1])
            curve.kept[places] = curve.kept[places - 1];
        hash = (hash ^ curve.kept[places]) * 16777619u;
    }
    uint32_t at = hash % (2 * CURVES);
    for (; curve_at[at]; at = (at + 1) % (2 * CURVES))
        if (!memcmp(&curves[curve_at[at] - 1], &curve, sizeof curve))
            return curve_at[at] - 1;
    if (curve_count == CURVES)
        Py_FatalError("more curves than there are");
    curves[curve_count] = curve;
    for (int places = PLACES; places >= 0; places--) {
        int waste = places - curve.kept[places];
        least_waste[curve_count][places] =
            (int8_t)(places == PLACES ? waste : min(waste, least_waste[curve_count][places + 1]));
    }
    curve_at[at] = (uint16_t)++curve_count;
    return curve_count - 1;
}

/* Add to `best` the tiles that runs keep when `size` more places keep `kept` more tiles. */
static void raise(Curve *best, Curve rest, int size, int kept)
{
    for (int places = size; places <= PLACES; places++)
        best->kept[places] = (uint8_t)max(best->kept[places], kept + rest.kept[places - size]);
}

static int find_runs(int colour, int wrap);

static inline int runs_of(int colour, int wrap)
{
    int known = runs_known[wrap][colour];
    return known ? known - 1 : find_runs(colour, wrap);
}

/* The curve of one colour: its lowest tile is left out, or is in one of the runs through it. */
static int find_runs(int colour, int wrap)
{
    Curve best = {{0}};
    int lowest = 0;
    if (colour) {
        while (!(colour / POWER[lowest] % 3))
            lowest++;
        best = curves[runs_of(colour - POWER[lowest], wrap)];
        for (int size = SMALLEST; size <= LONGEST_RUN; size++)
            for (int first = 0; first <= NUMBERS + wrap - size; first++) {
                int left = colour, kept = 0, through = 0;
                for (int place = first; place < first + size; place++) {
                    int number = place % NUMBERS;
                    through |= number == lowest;
                    if (colour / POWER[number] % 3) {
                        left -= POWER[number];
                        kept++;
                    }
                }
                if (through)
                    raise(&best, curves[runs_of(left, wrap)], size, kept);
            }
    }
    int number = numbered(best);
    runs_known[wrap][colour] = (uint16_t)(number + 1);
    return number;
}

static inline int joined(int one, int other)
{
    int known = joined_known[one][other];
    if (known)
        return known - 1;
    Curve best = {{0}};
    for (int places = 0; places <= PLACES; places++)
        raise(&best, curves[other], places, curves[one].kept[places]);
    int number = numbered(best);
    joined_known[one][other] = joined_known[other][one] = (uint16_t)(number + 1);
    return number;
}

/* Sets: every way to use a column, the tiles of one number, for one or two of them. */

enum { WAYS_MOST = 77, WASTES = 4 };

typedef struct {
    uint8_t kept, places, sets, waste;
    uint8_t hands[2];        /* the colours of each set's tiles, a bit each */
    uint8_t takes[COLOURS];
} Way;

typedef struct {
    int count;
    Way ways[WAYS_MOST];     /* the least waste first */
    int8_t most[WASTES];     /* tiles kept with no wasted place, with one, ... */
} Column;

static Column columns[COLUMN_STATES]; /* by a number of four ternary digits */

static int bits(int hand) { return (hand & 1) + (hand >> 1 & 1) + (hand >> 2 & 1) + (hand >> 3 & 1); }

static void add_way(Column *column, const int *held, int one, int other)
{
    Way way = {0};
    way.hands[0] = (uint8_t)one;
    way.hands[1] = (uint8_t)other;
    for (int set = 0; set < 2; set++) {
        int kept = bits(way.hands[set]);
        if (kept) {
            way.sets++;
            way.kept = (uint8_t)(way.kept + kept);
            way.places = (uint8_t)(way.places + max(SMALLEST, kept));
        }
    }
    for (int colour = 0; colour < COLOURS; colour++) {
        way.takes[colour] = (uint8_t)((one >> colour & 1) + (other >> colour & 1));
        if (way.takes[colour] > held[colour])
            return;
    }
    way.waste = (uint8_t)(way.places - way.kept);
    int at = column->count++;
    for (; at && column->ways[at - 1].waste > way.waste; at--)
        column->ways[at] = column->ways[at - 1];
    column->ways[at] = way;
    for (int waste = way.waste; waste < WASTES; waste++)
        column->most[waste] = (int8_t)max(column->most[waste], way.kept);
}

static void fill_columns(void)
{
    for (int state = 0; state < COLUMN_STATES; state++) {
        int held[COLOURS] = {state % 3, state / 3 % 3, state / 9 % 3, state / 27};
        for (int one = 1; one < 1 << COLOURS; one++)
            if (bits(one) >= 2) {
                add_way(&columns[state], held, one, 0);
                for (int other = one; other < 1 << COLOURS; other++)
                    if (bits(other) >= 2)
                        add_way(&columns[state], held, one, other);
            }
    }
}

/* Racks */

typedef struct {
    int wrap, pairs, wild, size;
    uint8_t held[FACES];     /* plain tiles by the face as which they are played */
    int colours[COLOURS];
    int columns[NUMBERS];
} Rack;

static void change(Rack *rack, int face, int by)
{
    rack->size += by;
    if (face == WILD) {
        rack->wild += by;
        return;
    }
    rack->held[face] = (uint8_t)(rack->held[face] + by);
    rack->colours[face / NUMBERS] += by * POWER[face % NUMBERS];
    rack->columns[face % NUMBERS] += by * POWER[face / NUMBERS];
}

static int holds(const Rack *rack, int face) { return face == WILD ? rack->wild : rack->held[face]; }

/* Search */

typedef struct {
    int left[COLOURS];
    int kept, places, sets;
    int count, numbers[MOST_SETS];
    const Way *ways[MOST_SETS];
} Choice;

typedef struct Search Search;
struct Search {
    const Rack *rack;
    int best;                /* choices that keep no more than this are skipped */
    int enough;              /* all others are skipped once one keeps this many */
    int (*look)(Search *, const Choice *, int kept); /* whether the search is over */
    uint64_t faces;          /* found, a bit each */
    int count, numbers[NUMBERS];
    int8_t most[NUMBERS + 1][WASTES]; /* the most tiles kept by sets of the numbers from each one on */
};

static inline int runs_beside(const Choice *choice, int wrap)
{
    return joined(joined(runs_of(choice->left[0], wrap), runs_of(choice->left[1], wrap)),
                  joined(runs_of(choice->left[2], wrap), runs_of(choice->left[3], wrap)));
}

/* The tiles kept by these sets and the runs beside them; 0 if they can't make fourteen. */
static inline int kept_with(const Choice *choice, int runs)
{
    int room = PLACES - choice->places;
    if (room < SMALLEST)
        return choice->sets == MOST_SETS ? choice->kept : 0;
    return choice->kept + curves[runs].kept[room];
}

static int kept_by(const Choice *choice, int wrap) { return kept_with(choice, runs_beside(choice, wrap)); }

/* Whether sets of the numbers from `first` on could improve the choice enough: an upper bound, which does not
   check which tiles are in both a set and a run. It is taken for each possible waste of the sets. */
static int promising(const Search *search, const Choice *choice, int runs, int first)
{
    int room = PLACES - choice->places, spare = room + choice->kept - search->best - 1;
    for (int waste = 0; waste <= spare; waste++)
        if (waste == WASTES || least_waste[runs][max(0, room - waste - search->most[first][waste])] <= spare - waste)
            return 1;
    return 0;
}

static int visit(Search *search, const Choice *choice, int first)
{
    int runs = runs_beside(choice, search->rack->wrap), kept = kept_with(choice, runs);
    if (kept > search->best && search->look(search, choice, kept))
        return 1;
    for (int index = first; index < search->count && promising(search, choice, runs, index); index++) {
        int number = search->numbers[index];
        const Column *column = &columns[search->rack->columns[number]];
        for (int at = 0; at < column->count; at++) {
            const Way *way = &column->ways[at];
            if (choice->places - choice->kept + way->waste > PLACES - search->best - 1)
                break;
            if (choice->places + way->places > PLACES)
                continue;
            Choice more = *choice;
            for (int colour = 0; colour < COLOURS; colour++)
                more.left[colour] -= way->takes[colour] * POWER[number];
            more.kept += way->kept;
            more.places += way->places;
            more.sets += way->sets;
            more.numbers[more.count] = number;
            more.ways[more.count++] = way;
            if (visit(search, &more, index + 1))
                return 1;
        }
    }
    return 0;
}

/* Call `look` for the choices of sets that keep more than `search->best`, which only `look` may raise, until
   it ends the search. */
static void run_search(Search *search, const Rack *rack, int (*look)(Search *, const Choice *, int))
{
    Choice none = {.left = {rack->colours[0], rack->colours[1], rack->colours[2], rack->colours[3]}};
    search->rack = rack;
    search->look = look;
    for (int number = 0; number < NUMBERS; number++)
        if (columns[rack->columns[number]].count)
            search->numbers[search->count++] = number;
    for (int index = search->count - 1; index >= 0; index--) {
        const int8_t *own = columns[rack->columns[search->numbers[index]]].most;
        for (int waste = 0; waste < WASTES; waste++)
            for (int used = 0; used <= waste; used++)
                search->most[index][waste] =
                    (int8_t)max(search->most[index][waste], own[used] + search->most[index + 1][waste - used]);
    }
    visit(search, &none, 0);
}

static int look_for_more(Search *search, const Choice *choice, int kept)
{
    search->best = kept;
    return kept >= search->enough;
}

/* The most plain tiles kept in sets and runs; exact if it is `at_least` that many, otherwise a smaller
   number. More than `enough` need not be found. */
static int most_kept(const Rack *rack, int at_least, int enough)
{
    Search search = {.best = at_least - 1, .enough = min(enough, min(rack->size - rack->wild, PLACES))};
    if (at_least <= search.enough)
        run_search(&search, rack, look_for_more);
    return search.best;
}

/* Pairs */

/* The most plain tiles that some seven pairs keep; a single tile keeps half a pair. */
static int most_kept_in_pairs(const Rack *rack)
{
    int singles = 0, doubles = 0;
    if (!rack->pairs)
        return 0;
    for (int face = 0; face < FACES; face++) {
        singles += rack->held[face] == 1;
        doubles += rack->held[face] == COPIES;
    }
    return 2 * min(doubles, PAIRS) + min(singles, max(0, PAIRS - doubles));
}

/* Distance */

static int distance_of(const Rack *rack)
{
    int in_pairs = most_kept_in_pairs(rack);
    return max(0, PLACES - rack->wild - max(in_pairs, most_kept(rack, in_pairs + 1, PLACES - rack->wild)));
}

/* Note the tiles outside the sets without which the choice still keeps the wanted number. */
static int look_for_spare(Search *search, const Choice *choice, int kept)
{
    int wrap = search->rack->wrap;
    Choice less = *choice;
    for (int face = 0; face < FACES; face++) {
        int colour = face / NUMBERS, power = POWER[face % NUMBERS];
        if (search->faces >> face & 1 || !(choice->left[colour] / power % 3))
            continue;
        less.left[colour] -= power;
        if (kept_by(&less, wrap) > search->best)
            search->faces |= 1ull << face;
        less.left[colour] += power;
    }
    return 0;
}

/* The faces without which as much fits into sets and runs: `kept` plain tiles, or one more to replace an okey. */
static uint64_t spare_in_melds(const Rack *rack, int kept)
{
    Search search = {.best = kept - 1};
    if (kept <= PLACES)
        run_search(&search, rack, look_for_spare);
    if (rack->wild && most_kept(rack, kept + 1, kept + 1) > kept)
        search.faces |= 1ull << WILD;
    return search.faces;
}

/* The faces without which as much fits into seven pairs. */
static uint64_t spare_in_pairs(Rack *rack, int kept)
{
    uint64_t spare = 0;
    for (int face = 0; face < TILES && rack->pairs; face++)
        if (holds(rack, face)) {
            change(rack, face, -1);
            if (most_kept_in_pairs(rack) >= kept + (face == WILD))
                spare |= 1ull << face;
            change(rack, face, 1);
        }
    return spare;
}

/* The faces without which the other tiles have at most this distance. */
static uint64_t spare_at(Rack *rack, int distance)
{
    int kept = PLACES - rack->wild - distance;
    return spare_in_melds(rack, kept) | spare_in_pairs(rack, kept);
}

/* Useful tiles */

static uint64_t other_colours(int number, int hand)
{
    uint64_t faces = 0;
    for (int colour = 0; colour < COLOURS; colour++)
        if (!(hand >> colour & 1))
            faces |= 1ull << (colour * NUMBERS + number);
    return faces;
}

static int fits(const Choice *choice, int wrap, int kept)
{
    return choice->places <= PLACES && kept_by(choice, wrap) >= kept;
}

/* The faces that complete something in a choice that keeps the most. */
static int look_for_useful(Search *search, const Choice *choice, int kept)
{
    int wrap = search->rack->wrap, room = PLACES - choice->places;
    for (int colour = 0; colour < COLOURS; colour++) {
        int others = -1;
        for (int other = 0; other < COLOURS; other++)
            if (other != colour) {
                int curve = runs_of(choice->left[other], wrap);
                others = others < 0 ? curve : joined(others, curve);
            }
        for (int number = 0; number < NUMBERS; number++) {
            int face = colour * NUMBERS + number;
            if (search->faces >> face & 1 || search->rack->held[face] == COPIES)
                continue;
            int curve = joined(others, runs_of(choice->left[colour] + POWER[number], wrap));
            if (choice->kept + curves[curve].kept[room] > kept)
                search->faces |= 1ull << face;
        }
    }
    for (int at = 0; at < choice->count; at++)
        for (int set = 0; set < choice->ways[at]->sets; set++) {
            int hand = choice->ways[at]->hands[set], size = bits(hand);
            Choice bigger = *choice;
            bigger.kept++;
            bigger.places += max(0, size - 2);
            if (size < COLOURS && fits(&bigger, wrap, kept + 1))
                search->faces |= other_colours(choice->numbers[at], hand);
        }
    for (int face = 0; face < FACES; face++) {
        int colour = face / NUMBERS, number = face % NUMBERS;
        uint64_t others = other_colours(number, 1 << colour);
        if (!(choice->left[colour] / POWER[number] % 3) || !(others & ~search->faces))
            continue;
        Choice half = *choice;
        half.left[colour] -= POWER[number];
        half.kept += 2;
        half.places += SMALLEST;
        half.sets++;
        if (fits(&half, wrap, kept + 1))
            search->faces |= others;
    }
    return 0;
}

typedef struct {
    uint64_t colours[2];     /* together with the other values on which the answer depends */
    uint64_t useful;
    int distance;
} Outlook;

static Outlook outlooks[1 << 14]; /* the most recent answers */

/* The distance of fourteen tiles from winning, and the faces that bring them nearer. */
static Outlook outlook_of(const Rack *rack)
{
    uint64_t low = rack->colours[0] | (uint64_t)rack->colours[1] << 21 | (uint64_t)rack->colours[2] << 42;
    uint64_t high = rack->colours[3] | (uint64_t)rack->wild << 21 | (uint64_t)(2 | rack->wrap) << 24 |
                    (uint64_t)rack->pairs << 26;
    uint64_t hash = (low ^ high * 0x9E3779B97F4A7C15u) * 0xD6E8FEB86659FD93u;
    Outlook *known = &outlooks[hash >> 50];
    if (known->colours[0] == low && known->colours[1] == high)
        return *known;
    Outlook found = {.colours = {low, high}};
    int in_pairs = most_kept_in_pairs(rack);
    int in_melds = most_kept(rack, in_pairs, PLACES);
    int kept = max(in_pairs, in_melds);
    found.distance = max(0, PLACES - rack->wild - kept);
    if (found.distance && in_melds >= in_pairs) {
        Search search = {.best = kept - 1};
        run_search(&search, rack, look_for_useful);
        found.useful = search.faces;
    }
    for (int face = 0; face < FACES && found.distance; face++) {
        if (rack->pairs && in_pairs >= in_melds && rack->held[face] == 1)
            found.useful |= 1ull << face;
        if (rack->held[face] == COPIES)
            found.useful &= ~(1ull << face);
    }
    if (found.distance && rack->wild < OKEYS)
        found.useful |= 1ull << WILD;
    return *known = found;
}

/* Looking ahead */

typedef struct { int of[TILES], all; } Unseen; /* tiles by the face as which they are played, and their total */

static int live(const Unseen *unseen, uint64_t faces)
{
    int count = 0;
    for (int face = 0; face < TILES; face++)
        count += faces >> face & 1 ? unseen->of[face] : 0;
    return count;
}

/* The chance that a useful tile is drawn; `patience` is the probability that each further draw is reached. */
static double chance(int live, int all, double patience)
{
    double each = all > 0 ? (double)live / all : 0;
    return patience * each / (1 - patience * (1 - each));
}

/* The most unseen tiles that are useful to fifteen tiles after a discard that keeps them at a distance. */
static int most_live(Rack *rack, const Unseen *unseen, int distance)
{
    int best = 0;
    uint64_t spare = spare_at(rack, distance);
    for (int face = 0; face < TILES; face++)
        if (spare >> face & 1) {
            change(rack, face, -1);
            best = max(best, live(unseen, outlook_of(rack).useful));
            change(rack, face, 1);
        }
    return best;
}

/* The worth of fourteen tiles two useful draws ahead, with the best discard after the first. */
static double value_of(Rack *rack, Unseen *unseen, double patience)
{
    Outlook now = outlook_of(rack);
    double each = (double)live(unseen, now.useful) / max(1, unseen->all), sum = 0;
    for (int face = 0; face < TILES; face++) {
        int copies = unseen->of[face];
        if (!(now.useful >> face & 1) || !copies)
            continue;
        double then = 1;
        if (now.distance > 1) {
            change(rack, face, 1);
            unseen->of[face]--;
            then = chance(most_live(rack, unseen, now.distance - 1), --unseen->all, patience);
            unseen->all++;
            unseen->of[face]++;
            change(rack, face, -1);
        }
        sum += then * copies / unseen->all;
    }
    return patience / (1 - patience * (1 - each)) * sum;
}

/* Opening in Okey 101: runs by the okeys they may use, complete sets */

typedef struct { int16_t with[OKEYS + 1]; } Points; /* with no okey, with one, with two */

static uint8_t points_known[2][COLOUR_STATES][OKEYS + 1]; /* by wrap and colour: points + 1 */

static Points find_points(int colour, int wrap);

static inline Points points_in_runs(int colour, int wrap)
{
    const uint8_t *known = points_known[wrap][colour];
    if (!known[0])
        return find_points(colour, wrap);
    return (Points){{(int16_t)(known[0] - 1), (int16_t)(known[1] - 1), (int16_t)(known[2] - 1)}};
}

static Points find_points(int colour, int wrap)
{
    uint8_t *known = points_known[wrap][colour];
    Points best = {{0}};
    int lowest = 0;
    if (colour) {
        while (!(colour / POWER[lowest] % 3))
            lowest++;
        best = points_in_runs(colour - POWER[lowest], wrap);
    }
    for (int size = SMALLEST; colour && size <= LONGEST_RUN; size++)
        for (int first = 0; first <= NUMBERS + wrap - size; first++) {
            int left = colour, okeys = size, points = 0, through = 0;
            for (int place = first; place < first + size; place++) {
                int number = place % NUMBERS;
                points += number + 1;
                through |= number == lowest;
                if (colour / POWER[number] % 3) {
                    left -= POWER[number];
                    okeys--;
                }
            }
            if (!through || okeys > OKEYS)
                continue;
            Points rest = points_in_runs(left, wrap);
            for (int wild = okeys; wild <= OKEYS; wild++)
                best.with[wild] = (int16_t)max(best.with[wild], points + rest.with[wild - okeys]);
        }
    for (int okeys = 0; okeys <= OKEYS; okeys++)
        known[okeys] = (uint8_t)(best.with[okeys] + 1);
    return best;
}

static Points shared(Points one, Points other)
{
    Points both;
    for (int okeys = 0; okeys <= OKEYS; okeys++) {
        both.with[okeys] = 0;
        for (int used = 0; used <= okeys; used++)
            both.with[okeys] = (int16_t)max(both.with[okeys], one.with[used] + other.with[okeys - used]);
    }
    return both;
}

/* The most points in runs of four colours that share the okeys. */
static inline int most_in_runs(const int *colours, int wrap, int wild)
{
    Points runs = points_in_runs(colours[0], wrap);
    for (int colour = 1; colour < COLOURS; colour++) {
        Points own = points_in_runs(colours[colour], wrap);
        if (wild)
            runs = shared(runs, own);
        else
            runs.with[0] = (int16_t)(runs.with[0] + own.with[0]);
    }
    return runs.with[wild];
}

typedef struct { uint8_t takes[COLOURS], okeys, tiles; } Laid;

static Laid laid[(OKEYS + 1) * COLUMN_STATES]; /* the tiles of up to three sets of one number */
static int laid_count;

static void fill_laid(int sets, Laid so_far, int from)
{
    for (int hand = from; sets && hand < 1 << COLOURS; hand++)
        for (int okeys = max(0, SMALLEST - bits(hand)); okeys <= COLOURS - bits(hand); okeys++) {
            Laid more = so_far;
            int held = 1, known = 0;
            more.okeys = (uint8_t)(more.okeys + okeys);
            more.tiles = (uint8_t)(more.tiles + okeys + bits(hand));
            for (int colour = 0; colour < COLOURS; colour++)
                held &= (more.takes[colour] = (uint8_t)(more.takes[colour] + (hand >> colour & 1))) <= COPIES;
            if (!held || more.okeys > OKEYS)
                continue;
            for (int at = 0; at < laid_count; at++)
                known |= !memcmp(&laid[at], &more, sizeof more);
            if (!known)
                laid[laid_count++] = more;
            fill_laid(sets - 1, more, hand);
        }
}

/* The most tiles first; the order in which layout.py lists them. */
static int by_tiles(const void *one, const void *other)
{
    const Laid *a = one, *b = other;
    if (a->tiles != b->tiles)
        return b->tiles - a->tiles;
    return a->okeys != b->okeys ? a->okeys - b->okeys : memcmp(a->takes, b->takes, sizeof a->takes);
}

typedef struct { int count; const Laid *ways[sizeof laid / sizeof *laid]; uint8_t most[OKEYS + 1]; } LaidColumn;

static LaidColumn laid_columns[COLUMN_STATES]; /* every way to use a column for sets */

static void fill_laid_columns(void)
{
    for (int state = 0; state < COLUMN_STATES; state++) {
        LaidColumn *column = &laid_columns[state];
        column->count = 0;
        for (int at = 0; at < laid_count; at++) {
            const Laid *way = &laid[at];
            if (way->takes[0] > state % 3 || way->takes[1] > state / 3 % 3 || way->takes[2] > state / 9 % 3 ||
                way->takes[3] > state / 27)
                continue;
            column->ways[column->count++] = way;
            for (int wild = way->okeys; wild <= OKEYS; wild++)
                column->most[wild] = (uint8_t)max(column->most[wild], way->tiles);
        }
    }
}

/* Sets of some numbers, the tiles of each colour that they leave, and the okeys that runs may use. */
typedef struct { int count, numbers[NUMBERS], left[COLOURS], wild; const Laid *sets[NUMBERS]; } Arranged;

typedef struct {
    int wrap, best, enough, count;
    struct { int number; const LaidColumn *sets; } columns[NUMBERS];
    Points bounds[NUMBERS + 1];
    Arranged *arranged;
} Opening;

static void visit_opening(Opening *opening, int first, const Arranged *chosen, int points)
{
    int now = points + most_in_runs(chosen->left, opening->wrap, chosen->wild);
    if (now > opening->best) {
        opening->best = now;
        if (opening->arranged)
            *opening->arranged = *chosen;
    }
    for (int index = first; index < opening->count; index++) {
        if (now + opening->bounds[index].with[chosen->wild] <= opening->best)
            return;
        int number = opening->columns[index].number;
        const LaidColumn *sets = opening->columns[index].sets;
        for (int at = 0; at < sets->count && opening->best < opening->enough; at++) {
            const Laid *way = sets->ways[at];
            if (way->okeys > chosen->wild)
                continue;
            Arranged more = *chosen;
            for (int colour = 0; colour < COLOURS; colour++)
                more.left[colour] -= way->takes[colour] * POWER[number];
            more.wild -= way->okeys;
            more.numbers[more.count] = number;
            more.sets[more.count++] = way;
            visit_opening(opening, index + 1, &more, points + way->tiles * (number + 1));
        }
    }
}

/* The most points that disjoint sets and runs of the rack are worth, exact if they are more than `least` and
   fewer than `enough`; and the first way to get them, unless `arranged` is NULL. */
static int best_opening(const Rack *rack, int least, int enough, Arranged *arranged)
{
    Opening opening = {.wrap = rack->wrap, .best = least, .enough = enough, .arranged = arranged};
    for (int number = NUMBERS - 1; number >= 0; number--) {
        const LaidColumn *sets = &laid_columns[rack->columns[number]];
        if (sets->most[rack->wild]) {
            opening.columns[opening.count].number = number;
            opening.columns[opening.count++].sets = sets;
        }
    }
    for (int index = opening.count - 1; index >= 0; index--) {
        Points most;
        for (int wild = 0; wild <= OKEYS; wild++)
            most.with[wild] =
                (int16_t)(opening.columns[index].sets->most[wild] * (opening.columns[index].number + 1));
        opening.bounds[index] = shared(most, opening.bounds[index + 1]);
    }
    Arranged none = {.count = 0, .wild = rack->wild};
    memcpy(none.left, rack->colours, sizeof none.left);
    visit_opening(&opening, 0, &none, 0);
    return opening.best;
}

#include "_rollouts.c"

/* Python interface */

typedef struct { Rack rack; int okey; } Asked;

static PyObject *all_faces; /* engine.tiles.FACES */

static int number_of(PyObject *rules, const char *name, long most)
{
    PyObject *value = PyObject_GetAttrString(rules, name);
    long number = value ? PyLong_AsLong(value) : -1;
    Py_XDECREF(value);
    if (!PyErr_Occurred() && (number < 0 || number > most))
        PyErr_Format(PyExc_ValueError, "%s is out of range", name);
    return PyErr_Occurred() ? -1 : (int)number;
}

/* The face as which a tile is played. */
static int played_as(const Asked *asked, int tile)
{
    return tile == asked->okey ? WILD : tile == FACES ? asked->okey : tile;
}

/* The tile that is played as a face: the inverse. */
static int tile_of(const Asked *asked, int face)
{
    return face == WILD ? asked->okey : face == asked->okey ? FACES : face;
}

static int add_tiles(Asked *asked, PyObject *tiles)
{
    PyObject *row = PySequence_Fast(tiles, "tiles must be a sequence");
    if (!row)
        return 0;
    Py_ssize_t size = PySequence_Fast_GET_SIZE(row);
    for (Py_ssize_t at = 0; at < size && !PyErr_Occurred(); at++) {
        long tile = PyLong_AsLong(PySequence_Fast_GET_ITEM(row, at));
        if (PyErr_Occurred())
            break;
        if (tile < 0 || tile > FACES || size > RACK_MOST)
            PyErr_SetString(PyExc_ValueError, "that is no rack");
        else if (holds(&asked->rack, played_as(asked, (int)tile)) == COPIES)
            PyErr_SetString(PyExc_ValueError, "the set has two tiles of a face");
        else
            change(&asked->rack, played_as(asked, (int)tile), 1);
    }
    Py_DECREF(row);
    return !PyErr_Occurred();
}

static int read_rules(Asked *asked, PyObject *rules)
{
    memset(asked, 0, sizeof *asked);
    asked->okey = number_of(rules, "okey", FACES);
    asked->rack.wrap = PyErr_Occurred() ? -1 : number_of(rules, "wrap", 1);
    asked->rack.pairs = PyErr_Occurred() ? -1 : number_of(rules, "pairs", 1);
    return !PyErr_Occurred();
}

static int read_rack(Asked *asked, PyObject *const *given, Py_ssize_t count, Py_ssize_t wanted)
{
    if (count != wanted) {
        PyErr_Format(PyExc_TypeError, "%zd arguments are wanted", wanted);
        return 0;
    }
    return read_rules(asked, given[0]) && add_tiles(asked, given[1]);
}

static PyObject *tile_at(const Asked *asked, int face)
{
    return PyTuple_GET_ITEM(all_faces, tile_of(asked, face));
}

static PyObject *tiles_of(const Asked *asked, uint64_t faces)
{
    PyObject *tiles = PyFrozenSet_New(NULL);
    for (int face = 0; tiles && face < TILES; face++)
        if (faces >> face & 1 && PySet_Add(tiles, tile_at(asked, face)) < 0)
            Py_CLEAR(tiles);
    return tiles;
}

/* Store a value, which may be NULL, under a tile, and release it. */
static int put(PyObject *found, PyObject *tile, PyObject *value)
{
    int done = value ? PyDict_SetItem(found, tile, value) : -1;
    Py_XDECREF(value);
    return done;
}

static PyObject *distance(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    Asked asked;
    return read_rack(&asked, given, count, 2) ? PyLong_FromLong(distance_of(&asked.rack)) : NULL;
}

/* The answers for a sequence of racks under the same rules. */
static PyObject *each_of(PyObject *const *given, Py_ssize_t count, PyObject *(*answer)(const Rack *))
{
    Asked none;
    if (count != 2)
        return PyErr_Format(PyExc_TypeError, "2 arguments are wanted");
    PyObject *racks = read_rules(&none, given[0]) ? PySequence_Tuple(given[1]) : NULL;
    PyObject *found = racks ? PyList_New(PyTuple_GET_SIZE(racks)) : NULL;
    for (Py_ssize_t at = 0; found && at < PyTuple_GET_SIZE(racks); at++) {
        Asked asked = none;
        PyObject *one = add_tiles(&asked, PyTuple_GET_ITEM(racks, at)) ? answer(&asked.rack) : NULL;
        if (one)
            PyList_SET_ITEM(found, at, one);
        else
            Py_CLEAR(found);
    }
    Py_XDECREF(racks);
    return found;
}

static PyObject *distance_answer(const Rack *rack) { return PyLong_FromLong(distance_of(rack)); }

static PyObject *distances(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    return each_of(given, count, distance_answer);
}

static PyObject *win_answer(const Rack *rack)
{
    int plain = PLACES - rack->wild;
    return PyBool_FromLong(most_kept(rack, plain, plain) >= plain || most_kept_in_pairs(rack) >= plain);
}

static PyObject *wins(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    return each_of(given, count, win_answer);
}

static PyObject *distances_without(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    Asked asked;
    if (!read_rack(&asked, given, count, 2))
        return NULL;
    int least = distance_of(&asked.rack);
    uint64_t spare = spare_at(&asked.rack, least);
    PyObject *found = PyDict_New();
    for (int tile = 0; found && tile < TILES; tile++) {
        int face = played_as(&asked, tile);
        if (tile_of(&asked, face) == tile && holds(&asked.rack, face) &&
            put(found, tile_at(&asked, face), PyLong_FromLong(least + !(spare >> face & 1))) < 0)
            Py_CLEAR(found);
    }
    return found;
}

static PyObject *finishing_discards(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    Asked asked;
    if (!read_rack(&asked, given, count, 2))
        return NULL;
    int plain = PLACES - asked.rack.wild;
    uint64_t melds = spare_in_melds(&asked.rack, plain), pairs = spare_in_pairs(&asked.rack, plain);
    PyObject *found = PyDict_New();
    for (int tile = 0; found && tile < TILES; tile++) {
        int face = played_as(&asked, tile), in_melds = melds >> face & 1, in_pairs = pairs >> face & 1;
        if (tile_of(&asked, face) == tile && (in_melds || in_pairs) &&
            put(found, tile_at(&asked, face),
                in_melds && in_pairs ? Py_BuildValue("(ss)", "melds", "pairs")
                                     : Py_BuildValue("(s)", in_melds ? "melds" : "pairs")) < 0)
            Py_CLEAR(found);
    }
    return found;
}

static PyObject *useful_tiles(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    Asked asked;
    return read_rack(&asked, given, count, 2) ? tiles_of(&asked, outlook_of(&asked.rack).useful) : NULL;
}

static int read_unseen(const Asked *asked, PyObject *counts, Unseen *unseen)
{
    memset(unseen, 0, sizeof *unseen);
    for (int tile = 0; tile < TILES; tile++) {
        PyObject *value = PyObject_GetItem(counts, PyTuple_GET_ITEM(all_faces, tile));
        long copies = value ? PyLong_AsLong(value) : -1;
        Py_XDECREF(value);
        if (!PyErr_Occurred() && (copies < 0 || copies > COPIES))
            PyErr_SetString(PyExc_ValueError, "the set has two tiles of a face");
        if (PyErr_Occurred())
            return 0;
        unseen->all += (int)copies;
        unseen->of[played_as(asked, tile)] += (int)copies;
    }
    return 1;
}

static PyObject *look_ahead(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    Asked asked;
    Unseen unseen;
    if (!read_rack(&asked, given, count, 4) || !read_unseen(&asked, given[2], &unseen))
        return NULL;
    double patience = PyFloat_AsDouble(given[3]);
    return PyErr_Occurred() ? NULL : PyFloat_FromDouble(value_of(&asked.rack, &unseen, patience));
}

static PyObject *opening_points(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    Asked asked;
    return read_rack(&asked, given, count, 2) ? PyLong_FromLong(best_opening(&asked.rack, 0, INT16_MAX, NULL)) : NULL;
}

/* Rollouts. A sight is (points, pairs, partners, stock, opened, others, table): what an opening needs, the
   tiles left to draw, the way in which the seat opened, of each other seat (size, way, discards seen), and of
   each meld on the table the faces as which its tiles are played. */

static int face_of(const Asked *asked, PyObject *tile)
{
    long face = PyLong_AsLong(tile);
    if (!PyErr_Occurred() && (face < 0 || face > FACES))
        PyErr_SetString(PyExc_ValueError, "that is no tile");
    return PyErr_Occurred() ? NOTHING : played_as(asked, (int)face);
}

static int read_meld(PyObject *faces, Sim *sim)
{
    Py_ssize_t size = PyTuple_Check(faces) ? PyTuple_GET_SIZE(faces) : 0;
    long first = size ? PyLong_AsLong(PyTuple_GET_ITEM(faces, 0)) : -1;
    long last = size ? PyLong_AsLong(PyTuple_GET_ITEM(faces, size - 1)) : -1;
    if (!PyErr_Occurred() && (first < 0 || last < 0 || first >= FACES || last >= FACES))
        PyErr_SetString(PyExc_ValueError, "that is no meld");
    if (PyErr_Occurred())
        return 0;
    Meld meld = {.is_set = first % NUMBERS == last % NUMBERS, .of = (int)(first / NUMBERS),
                 .first = (int)(first % NUMBERS), .last = (int)(last % NUMBERS)};
    if (meld.is_set) {
        meld.of = (int)(first % NUMBERS);
        meld.first = 0;
        for (Py_ssize_t at = 0; at < size && !PyErr_Occurred(); at++)
            meld.first |= 1 << (PyLong_AsLong(PyTuple_GET_ITEM(faces, at)) / NUMBERS & 3);
    }
    add_meld(sim, meld);
    return !PyErr_Occurred();
}

static int read_other(const Asked *asked, PyObject *given, Other *other)
{
    PyObject *shown;
    if (!PyArg_ParseTuple(given, "iiO!", &other->size, &other->opened, &PyTuple_Type, &shown))
        return 0;
    if (other->size < 0 || other->size > RACK_MOST || PyTuple_GET_SIZE(shown) > SHOWN_MOST)
        PyErr_SetString(PyExc_ValueError, "that is no seat");
    for (; !PyErr_Occurred() && other->count < PyTuple_GET_SIZE(shown); other->count++)
        other->shown[other->count] = (uint8_t)face_of(asked, PyTuple_GET_ITEM(shown, other->count));
    return !PyErr_Occurred();
}

/* Read what the seat sees into the round at its beginning, and what is known of the others and the stock. */
static int read_sight(const Asked *asked, PyObject *given, Sim *sim, Terms *terms, Other *others, int *stock)
{
    PyObject *seats, *table;
    Seat *own = &sim->seats[0];
    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "a sight is a tuple");
        return 0;
    }
    if (!PyArg_ParseTuple(given, "iipiiO!O!", &terms->points, &terms->pairs, &terms->partners, stock, &own->opened,
                          &PyTuple_Type, &seats, &PyTuple_Type, &table))
        return 0;
    terms->seats = 1 + (int)min(SEATS, (int)PyTuple_GET_SIZE(seats));
    if (terms->points < 1 || terms->points > 1000 || terms->seats < 2 || terms->seats > SEATS || *stock < 0 ||
        (terms->partners && terms->seats != SEATS))
        PyErr_SetString(PyExc_ValueError, "that is no round");
    for (int seat = 1; seat < terms->seats && !PyErr_Occurred(); seat++) {
        if (!PyTuple_Check(PyTuple_GET_ITEM(seats, seat - 1)))
            PyErr_SetString(PyExc_TypeError, "a seat is a tuple");
        else if (read_other(asked, PyTuple_GET_ITEM(seats, seat - 1), &others[seat]))
            sim->seats[seat].opened = others[seat].opened;
    }
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(table) && !PyErr_Occurred(); at++)
        read_meld(PyTuple_GET_ITEM(table, at), sim);
    sim->terms = terms;
    sim->seats[0].rack = asked->rack;
    sim->last = NOTHING;
    sim->winner = NOBODY;
    note_playable(sim);
    return !PyErr_Occurred();
}

/* The hidden tiles: none of a face may be more than the rack leaves, and enough for the seats; the stock gets
   what is left. */
static int hide(const Rack *rack, const Unseen *unseen, const Terms *terms, const Other *others, int *stock,
                Hidden *hidden)
{
    for (int face = 0; face < TILES; face++) {
        if (holds(rack, face) + unseen->of[face] > COPIES) {
            PyErr_SetString(PyExc_ValueError, "the set has two tiles of a face");
            return 0;
        }
        for (int copy = 0; copy < unseen->of[face]; copy++)
            hidden->faces[hidden->count++] = (uint8_t)face;
    }
    int left = hidden->count;
    for (int seat = 1; seat < terms->seats; seat++)
        left -= others[seat].size;
    if (left < 0)
        PyErr_SetString(PyExc_ValueError, "more tiles are hidden than there are");
    *stock = min(*stock, left);
    return !PyErr_Occurred();
}

/* Read the discards to compare, where None stands for laying and discarding as everybody does. */
static int read_candidates(const Asked *asked, PyObject *given, int *candidates)
{
    int count = PyTuple_Check(given) ? (int)PyTuple_GET_SIZE(given) : 0;
    if (count < 1 || count > RACK_MOST) {
        PyErr_SetString(PyExc_ValueError, "the discards are a tuple");
        return 0;
    }
    for (int at = 0; at < count && !PyErr_Occurred(); at++) {
        PyObject *tile = PyTuple_GET_ITEM(given, at);
        candidates[at] = tile == Py_None ? NOTHING : face_of(asked, tile);
        if (!PyErr_Occurred() && (!asked->rack.size || (tile != Py_None && !holds(&asked->rack, candidates[at]))))
            PyErr_SetString(PyExc_ValueError, "that is not on the rack");
    }
    return PyErr_Occurred() ? 0 : count;
}

static PyObject *rollouts(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    Asked asked;
    Unseen unseen;
    Terms terms = {0};
    Sim sim = {0};
    Other others[SEATS] = {{0}};
    Hidden hidden = {0};
    int stock, candidates[RACK_MOST], choices;
    if (!read_rack(&asked, given, count, 7) || !read_unseen(&asked, given[2], &unseen) ||
        !read_sight(&asked, given[3], &sim, &terms, others, &stock) ||
        !hide(&asked.rack, &unseen, &terms, others, &stock, &hidden) ||
        !(choices = read_candidates(&asked, given[4], candidates)))
        return NULL;
    sim.seats[0].rack.wrap = 0; /* the model knows no one after a thirteen */
    long guesses = PyLong_AsLong(given[5]);
    hidden.state = PyErr_Occurred() ? 0 : PyLong_AsUnsignedLongLong(given[6]);
    if (PyErr_Occurred())
        return NULL;
    if (guesses < 1 || guesses > GUESSES_MOST)
        return PyErr_Format(PyExc_ValueError, "that is no number of guesses");
    long long totals[RACK_MOST] = {0};
    add_outcomes(&sim, others, stock, &hidden, (int)guesses, candidates, choices, totals);
    PyObject *found = PyList_New(choices);
    for (int at = 0; found && at < choices; at++) {
        PyObject *total = PyLong_FromLongLong(totals[at]);
        if (total)
            PyList_SET_ITEM(found, at, total);
        else
            Py_CLEAR(found);
    }
    return found;
}

#define METHOD(name) {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL, NULL}

static PyMethodDef methods[] = {
    METHOD(distance), METHOD(distances), METHOD(wins), METHOD(distances_without), METHOD(finishing_discards),
    METHOD(useful_tiles), METHOD(look_ahead), METHOD(opening_points), METHOD(rollouts), {0},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_speedups", "Arrangement in C.", -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__speedups(void)
{
    PyObject *tiles = PyImport_ImportModule("engine.tiles");
    all_faces = tiles ? PyObject_GetAttrString(tiles, "FACES") : NULL;
    Py_XDECREF(tiles);
    if (!all_faces)
        return NULL;
    if (!PyTuple_Check(all_faces) || PyTuple_GET_SIZE(all_faces) != TILES) {
        PyErr_SetString(PyExc_ImportError, "there must be 53 faces");
        return NULL;
    }
    fill_columns();
    laid_count = 0;
    fill_laid(MOST_SETS - 1, (Laid){.tiles = 0}, 1);
    qsort(laid, (size_t)laid_count, sizeof *laid, by_tiles);
    fill_laid_columns();
    return PyModule_Create(&module);
}
