// Units of force. A program whose blocks weigh 1e-4 kg and 1e7 kg cannot be solved to the rounding of the heavy ones: what
// holds the light ones would be lost in it. Its columns are scaled by F_b and its cones by F_c,
//
//     F_c   the force that a contact was found to carry, at least the load of the lighter of its blocks
//     F_b   the load of a block or the largest force on it
//
// rounded to powers of two times F, so that no bit of the assembly changes.
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "statics/statics_data.h"

// The margin of a contact then counts in forces that it was found to carry.
static const double ALIKE = 100; // loads of blocks that differ less need no other units

static double round_unit(const vs_statics *s, double force) {
    int exponent;
    (void)frexp(force / s->unit, &exponent);
    return ldexp(s->unit, exponent);
}

// Loads in new units of a block.
static void set_block_unit(vs_statics *s, int b, double unit) {
    const double ratio = s->block[b].unit / unit;
    for (int k = 6 * b; k < 6 * b + 6; k++) {
        s->load[k] *= ratio;
        s->live[k] *= ratio;
        s->shift[k] *= ratio;
    }
    s->block[b].unit = unit;
}

void vs_statics_reset_units(vs_statics *s) {
    const double mean = s->weight > 0 ? s->weight / (s->unit * fmax(1, s->interfaces.report.contacts)) : 1;
    for (int b = 0; b < s->blocks; b++)
        set_block_unit(s, b, s->unit);
    for (int g = 0; g < s->G.groups; g++) {
        s->cone_unit[g] = s->unit;
        s->mean[g] = g < s->interfaces.report.contacts + s->bounds ? mean : 0; // joints have no margin
    }
    if (s->adapted)
        s->loosened = s->jammed = false;
    s->adapted = false;
    vs_statics_fill_values(s);
}

// The load of a block, N: dead, or live where there is no other. Zero: none.
static double load_of(const vs_statics *s, int b) {
    const double dead = vs_statics_own_load(s, s->load, b), live = vs_vector_norm(6, s->live + 6 * (int64_t)b);
    return s->block[b].unit * (dead > 0 ? dead : live);
}

static bool loads_differ(const vs_statics *s) {
    double least = (double)INFINITY, most = 0;
    for (int b = 0; b < s->blocks; b++) {
        const double load = load_of(s, b);
        most = fmax(most, load);
        least = load > 0 ? fmin(least, load) : least;
    }
    return most > ALIKE * least;
}

// What a contact of blocks may be expected to carry, N.
static double force_of(const vs_statics *s, int g, const double *z) {
    const int width = (int)(s->G.start[g + 1] - s->G.start[g]);
    double least = (double)INFINITY;
    for (int k = 0; k < width && s->G.col[s->G.start[g] + k] < 6 * s->blocks; k += 6) {
        const double load = load_of(s, s->G.col[s->G.start[g] + k] / 6);
        least = load > 0 ? fmin(least, load) : least;
    }
    const double found = z ? s->cone_unit[g] * vs_vector_norm(s->G.row[g + 1] - s->G.row[g], z + s->G.row[g]) : 0;
    const double force = fmax(isfinite(least) ? least : 0, isfinite(found) ? found : 0);
    return force > 0 ? force : s->unit;
}

bool vs_statics_adapt_units(vs_statics *s, const double *z) {
    if (!loads_differ(s))
        return false;
    for (int g = 0; g + 1 < s->G.groups; g++) {
        const double force = force_of(s, g, z);
        s->cone_unit[g] = round_unit(s, force);
        s->mean[g] = g < s->interfaces.report.contacts + s->bounds ? force / s->cone_unit[g] : 0;
    }
    double *most = s->target; // N, on each block
    for (int b = 0; b < s->blocks; b++)
        most[b] = load_of(s, b);
    for (int g = 0; g + 1 < s->G.groups; g++)
        for (int64_t k = s->G.start[g]; k < s->G.start[g + 1] && s->G.col[k] < 6 * s->blocks; k += 6)
            most[s->G.col[k] / 6] = fmax(most[s->G.col[k] / 6], s->cone_unit[g]);
    for (int b = 0; b < s->blocks; b++)
        set_block_unit(s, b, most[b] > 0 ? round_unit(s, most[b]) : s->unit);
    s->adapted = true;
    s->loosened = s->jammed = false;
    vs_statics_fill_values(s);
    return true;
}
