// The sizes of the bodies of a factory: see grain_size.h.
//
// By mass fractions w_i of sizes s_i the next body is one of the class that lacks most bodies: the largest of (w_i M - m_i)/s_i^3,
// with the mass m_i of the class so far and the mass M of all, the next body included (the density is 1). So the fractions hold
// for any number of bodies to within one body of each class, which numbers at random do not: one large body weighs as much as
// thousands of small ones.
#include "scene/read/grain_size.h"

#include <math.h>

#include "base/elementary.h"
#include "base/hash.h"

enum { SIZES_MOST = 100000, TRIES = 10000 };

// ---- reading ---------------------------------------------------------------------------------------

static double *read_list(vs_reader *reader, const vs_node *node, const char *key, int *count) {
    const vs_node list = vs_node_need(node, key);
    const size_t there = list.value ? vs_node_count(&list, 1, SIZES_MOST) : 0;
    double *value = VS_NEW(&reader->arena, double, (int64_t)there);
    if (!value)
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < there && vs_node_good(node); k++) {
        const vs_node item = vs_node_item(&list, k);
        value[k] = vs_node_number(&item, VS_RANGE_POSITIVE);
    }
    *count = (int)there;
    return value;
}

static void read_fractions(vs_reader *reader, const vs_node *node, vs_grain_sizes *s) {
    int count = 0;
    double sum = 0;
    s->fraction = read_list(reader, node, "fractions", &count);
    if (vs_node_good(node) && count != s->count)
        vs_node_fail(node, VS_ERROR_DATA, "has %d factors and %d fractions; give one fraction per factor", s->count,
                     count);
    s->so_far = VS_NEW_ZERO(&reader->arena, double, s->count);
    if (!s->so_far)
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
    for (int k = 0; k < count && vs_node_good(node); k++)
        sum += s->fraction[k];
    for (int k = 0; k < count && vs_node_good(node); k++)
        s->fraction[k] /= sum;
}

static void read_range(const vs_node *node, vs_grain_sizes *s, bool need) {
    const vs_node from = vs_node_get(node, "from"), to = vs_node_get(node, "to");
    if (need && (!from.value || !to.value))
        vs_node_fail(node, VS_ERROR_DATA, "needs \"from\" and \"to\"");
    s->from = vs_get_number(node, "from", 0, VS_RANGE_POSITIVE);
    s->to = vs_get_number(node, "to", INFINITY, VS_RANGE_POSITIVE);
    if (vs_node_good(node) && !(s->from <= s->to))
        vs_node_fail(node, VS_ERROR_DATA, "\"from\" must not exceed \"to\" (%g, %g)", s->from, s->to);
}

// Beyond 4 deviations lies one number of 30 000: a range out there would hardly ever be met.
static void check_met(const vs_node *node, const vs_grain_sizes *s) {
    const double most = s->median * vs_exp(4 * s->deviation), least = s->median / vs_exp(4 * s->deviation);
    if (vs_node_good(node) && (s->from > most || s->to < least))
        vs_node_fail(node, VS_ERROR_DATA,
                     "from %g to %g there is almost none of this distribution: 4 deviations about the median are %g "
                     "to %g",
                     s->from, s->to, least, most);
}

vs_grain_sizes vs_read_grain_sizes(vs_reader *reader, const vs_node *factory, uint64_t seed) {
    static const char *const kinds[] = {"list", "uniform", "lognormal", "mass-fractions", NULL};
    static const char *const keys[] = {"kind factors", "kind from to", "kind median deviation from to",
                                       "kind factors fractions"};
    vs_grain_sizes s = {.kind = VS_SIZES_UNIFORM, .from = 1, .to = 1, .seed = vs_hash_mix(seed + 1)};
    const vs_node node = vs_node_get(factory, "sizes");
    if (!node.value || !vs_node_good(factory))
        return s;
    (void)vs_node_need(&node, "kind");
    s.kind = (vs_size_kind)vs_get_choice(&node, "kind", kinds, VS_SIZES_UNIFORM);
    if (vs_node_good(&node))
        vs_node_keys(&node, keys[s.kind]);
    if (s.kind == VS_SIZES_LIST || s.kind == VS_SIZES_FRACTIONS)
        s.factor = read_list(reader, &node, "factors", &s.count);
    else
        read_range(&node, &s, s.kind == VS_SIZES_UNIFORM);
    if (s.kind == VS_SIZES_FRACTIONS && vs_node_good(&node))
        read_fractions(reader, &node, &s);
    if (s.kind == VS_SIZES_LOGNORMAL) {
        s.median = vs_get_number(&node, "median", 1, VS_RANGE_POSITIVE);
        (void)vs_node_need(&node, "deviation");
        s.deviation = vs_get_number(&node, "deviation", 1, VS_RANGE_POSITIVE);
        check_met(&node, &s);
    }
    return s;
}

// ---- the sequence ----------------------------------------------------------------------------------

// In (0, 1].
static double draw(vs_grain_sizes *s) {
    const uint64_t word = vs_hash_random(s->seed, ++s->draws);
    return (double)((word >> 11) + 1) * 0x1p-53;
}

// Box and Muller.
static double draw_normal(vs_grain_sizes *s) {
    const double radius = sqrt(-2 * vs_ln(draw(s)));
    return radius * vs_cos(2 * VS_PI * draw(s));
}

static double draw_lognormal(vs_grain_sizes *s) {
    double x = s->median;
    for (int k = 0; k < TRIES; k++) {
        x = s->median * vs_exp(s->deviation * draw_normal(s));
        if (x >= s->from && x <= s->to)
            return x;
    }
    return fmax(s->from, fmin(x, s->to));
}

static int next_class(vs_grain_sizes *s) {
    double all = 0, lack = -INFINITY;
    int next = 0;
    for (int k = 0; k < s->count; k++)
        all += s->so_far[k];
    for (int k = 0; k < s->count; k++) {
        const double volume = s->factor[k] * s->factor[k] * s->factor[k];
        const double lacks = s->fraction[k] * (all + volume) - s->so_far[k];
        if (lacks / volume > lack)
            lack = lacks / volume, next = k;
    }
    s->so_far[next] += s->factor[next] * s->factor[next] * s->factor[next];
    return next;
}

double vs_grain_sizes_next(vs_grain_sizes *s, int k, int *place) {
    *place = -1;
    switch (s->kind) {
    case VS_SIZES_LIST:
        *place = k % s->count;
        return s->factor[*place];
    case VS_SIZES_FRACTIONS:
        *place = next_class(s);
        return s->factor[*place];
    case VS_SIZES_LOGNORMAL:
        return draw_lognormal(s);
    case VS_SIZES_UNIFORM:
        break;
    }
    return s->from + (s->to - s->from) * draw(s);
}
