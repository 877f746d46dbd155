// The table of the fields of materials: see field.h.
#include "material/field.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/elementary.h"

// ---- rules for pairs -------------------------------------------------------------------------------

static double take_mean(vs_met_value a, vs_met_value b) {
    return sqrt(a.value * b.value);
}

static double take_mean_else_mu(vs_met_value a, vs_met_value b) {
    if (!(a.value > 0) && !(b.value > 0))
        return 0;
    return sqrt((a.value > 0 ? a.value : a.mu) * (b.value > 0 ? b.value : b.mu));
}

static double take_larger(vs_met_value a, vs_met_value b) {
    return fmax(a.value, b.value);
}

static double take_sum(vs_met_value a, vs_met_value b) {
    return a.value + b.value;
}

// Of two springs F = k x^power in series; 0: rigid.
static double in_series(double a, double b, double power) {
    if (a == 0 || b == 0)
        return fmax(a, b);
    return vs_pow(vs_pow(a, -1 / power) + vs_pow(b, -1 / power), -power);
}

static double take_linear_series(vs_met_value a, vs_met_value b) {
    return in_series(a.value, b.value, 1);
}

static double take_hertzian_series(vs_met_value a, vs_met_value b) {
    return in_series(a.value, b.value, 1.5);
}

static const vs_pair_rule mean = {"geometric mean", take_mean};
static const vs_pair_rule mean_else_mu = {"geometric mean; without one a material has its mu", take_mean_else_mu};
static const vs_pair_rule larger = {"the larger", take_larger};
static const vs_pair_rule sum = {"sum", take_sum};
static const vs_pair_rule linear_series = {"springs in series: 1/k = 1/k_a + 1/k_b", take_linear_series};
static const vs_pair_rule hertzian_series = {"springs in series: K^(-2/3) = K_a^(-2/3) + K_b^(-2/3)",
                                             take_hertzian_series};
static const vs_pair_rule moreau = {"moreau if either is", take_larger};
static const vs_pair_rule elliptic = {"elliptic if either is", take_larger};

// ---- fields ----------------------------------------------------------------------------------------

// In the order of the enumerations.
static const char *const impacts[] = {"newton", "moreau", NULL};
static const char *const couplings[] = {"separate", "elliptic", NULL};

// member, unit, default, largest value, rule for pairs, text
#define NUMBER(m, u, d, l, r, t)                                                                                       \
    {                                                                                                                  \
        .field =                                                                                                       \
            {.name = #m, .unit = (u), .text = (t), .normal = (d), .most = (l), .offset = offsetof(vs_material, m)},    \
        .rule = (r)                                                                                                    \
    }
// The same with a table, the member m_table, over a speed
#define OVER_SPEED(m, u, d, l, r, s, t)                                                                                \
    {                                                                                                                  \
        .field = {.name = #m,                                                                                          \
                  .unit = (u),                                                                                         \
                  .text = (t),                                                                                         \
                  .over = (s),                                                                                         \
                  .normal = (d),                                                                                       \
                  .most = (l),                                                                                         \
                  .offset = offsetof(vs_material, m),                                                                  \
                  .table = offsetof(vs_material, m##_table)},                                                          \
        .rule = (r)                                                                                                    \
    }
// member, names of its values, the last of them, rule for pairs, text; the first one is the default
#define CHOICE(m, names, last, r, t)                                                                                   \
    {                                                                                                                  \
        .field = {.name = #m,                                                                                          \
                  .unit = "",                                                                                          \
                  .text = (t),                                                                                         \
                  .choices = (names),                                                                                  \
                  .most = (last),                                                                                      \
                  .offset = offsetof(vs_material, m)},                                                                 \
        .rule = (r)                                                                                                    \
    }

static const vs_material_row rows[] = {
    OVER_SPEED(mu, "1", .5, INFINITY, &mean, "sliding speed", "friction coefficient"),
    NUMBER(static_mu, "1", 0, INFINITY, &mean_else_mu, "friction at rest, not below mu; 0: mu"),
    NUMBER(weakening, "m", 0, INFINITY, &larger, "slip over which static_mu falls to mu; 0: at once"),
    NUMBER(healing, "s", 0, INFINITY, &larger, "time at rest over which static_mu returns; 0: at once"),
    NUMBER(stribeck, "m/s", 0, INFINITY, &larger,
           "instead of weakening and healing: static_mu falls with the speed; 0: not"),
    NUMBER(across, "1", 0, INFINITY, &mean_else_mu, "friction across the grain of a shape; 0: mu"),
    OVER_SPEED(restitution, "1", 0, 1, &larger, "speed of approach", "restitution, 0 to 1"),
    CHOICE(impact, impacts, VS_IMPACT_MOREAU, &moreau, "law of impact"),
    NUMBER(rolling, "m", 0, INFINITY, &larger,
           "rolling friction: the moment against rolling is at most this times the normal force"),
    NUMBER(spinning, "m", 0, INFINITY, &larger,
           "spinning friction: the moment about the normal is at most this times the normal force"),
    CHOICE(coupling, couplings, VS_COUPLING_ELLIPTIC, &elliptic,
           "separate limits of sliding, rolling and spinning friction, or a common one"),
    NUMBER(adhesion, "N", 0, INFINITY, &larger, "pull that a closed contact point holds"),
    NUMBER(compliance, "m/N", 0, INFINITY, &sum, "compliance of a contact point"),
    NUMBER(stiffness, "N/m", 0, INFINITY, &linear_series, "stiffness of a soft contact; 0: rigid, if hertz is 0, too"),
    NUMBER(hertz, "N/m^1.5", 0, INFINITY, &hertzian_series,
           "the same of Hertz's law, for the penetration to the power of 3/2"),
    NUMBER(damping, "N s/m", 0, INFINITY, &larger, "damping of a soft contact"),
};
enum { ROWS = sizeof rows / sizeof *rows };

const vs_material_row *vs_material_row_at(int index) {
    return index >= 0 && index < ROWS ? &rows[index] : NULL;
}

int vs_material_field_count(void) {
    return ROWS;
}

vs_material_field vs_material_field_at(int index) {
    const vs_material_row *row = vs_material_row_at(index);
    if (!row)
        return (vs_material_field){.name = NULL};
    vs_material_field field = row->field;
    field.pair = row->rule->text;
    return field;
}

// ---- values ----------------------------------------------------------------------------------------

_Static_assert(sizeof(vs_impact_law) == sizeof(int) && sizeof(vs_coupling) == sizeof(int), "choices are stored as int");

double vs_material_get(const vs_material *material, const vs_material_field *field) {
    const char *at = (const char *)material + field->offset;
    double number;
    int choice;
    if (!field->choices) {
        memcpy(&number, at, sizeof number);
        return number;
    }
    memcpy(&choice, at, sizeof choice);
    return choice;
}

void vs_material_set(vs_material *material, const vs_material_field *field, double value) {
    char *at = (char *)material + field->offset;
    const int choice = field->choices ? (int)value : 0;
    if (field->choices)
        memcpy(at, &choice, sizeof choice);
    else
        memcpy(at, &value, sizeof value);
}

int vs_material_choices(const vs_material_field *field) {
    return field->choices ? (int)field->most + 1 : 0;
}

vs_speed_table *vs_material_table(vs_material *material, const vs_material_field *field) {
    return field->over ? (vs_speed_table *)((char *)material + field->table) : NULL;
}

const vs_speed_table *vs_material_const_table(const vs_material *material, const vs_material_field *field) {
    return field->over ? (const vs_speed_table *)((const char *)material + field->table) : NULL;
}
