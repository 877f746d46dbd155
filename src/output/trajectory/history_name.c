// Names of histories:
//
//     NAME:OBJECT, NAME:OBJECT.COMPONENT, NAME:OBJECT/OBJECT, NAME:OBJECT/OBJECT.COMPONENT, or a series of the file
//     NAME:REGION, NAME:REGION.COMPONENT with the region "all" or X0:X1,Y0:Y1,Z0:Z1
//
// An object is the name of a body, joint or flexible solid, #ROW, or "world". Names may contain dots and slashes: of all
// ways to divide the text, the first one whose objects exist is meant.
#include "output/trajectory/history_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 256, LISTED = 8 };

// Which objects a quantity may have.
typedef enum object {
    OF_BODY,
    OF_PAIR,            // two bodies, solids or the world
    OF_PAIR_OR_SUPPORT, // or one body that is not dynamic
    OF_SUPPORT_OR_JOINT,
    OF_JOINT,
    OF_SOLID,
    OF_REGION,
    OF_GATE
} object;

static const vs_history_kind kinds[VS_HISTORY_KINDS] = {
    [VS_HISTORY_POSITION] = {"position", "BODY", "m", "of the centre of mass", true},
    [VS_HISTORY_DISPLACEMENT] = {"displacement", "BODY", "m", "of the centre of mass since the first frame", true},
    [VS_HISTORY_ROTATION] = {"rotation", "BODY", "rad", "since the first frame, as a rotation vector", true},
    [VS_HISTORY_VELOCITY] = {"velocity", "BODY", "m/s", "of the centre of mass", true},
    [VS_HISTORY_SPEED] = {"speed", "BODY", "m/s", "magnitude of the velocity", false},
    [VS_HISTORY_ANGULAR_VELOCITY] = {"angular-velocity", "BODY", "rad/s", "of the body", true},
    [VS_HISTORY_FORCE] = {"force", "A/B", "N", "resultant of all contacts of A and B, on B", true},
    [VS_HISTORY_POINT] = {"point", "A/B|SUPPORT", "m", "where it acts: the centre of pressure", true},
    [VS_HISTORY_MOMENT] = {"moment", "A/B|SUPPORT", "N m", "its moment about that point", true},
    [VS_HISTORY_REACTION] = {"reaction", "SUPPORT|JOINT", "N",
                             "force of a fixed body on the others, or of a joint on its second body", true},
    [VS_HISTORY_TORQUE] = {"torque", "JOINT", "N m", "of a joint on its second body", true},
    [VS_HISTORY_VON_MISES] = {"von-mises", "SOLID", "Pa", "stress of a flexible solid, maximum of its nodes", false},
    [VS_HISTORY_PRESSURE] = {"pressure", "SOLID", "Pa", "contact pressure, maximum of its nodes", false},
    [VS_HISTORY_NORMAL_STRESS] = {"normal-stress", "BOX", "Pa", "mean of the contact forces, compression positive",
                                  true},
    [VS_HISTORY_SHEAR_STRESS] = {"shear-stress", "BOX", "Pa", "mean of the contact forces", true},
    [VS_HISTORY_SOLID_FRACTION] = {"solid-fraction", "BOX", "1", "volume of bodies centred there by its volume", false},
    [VS_HISTORY_COORDINATION] = {"coordination", "REGION", "1", "neighbours in touch per body", false},
    [VS_HISTORY_FABRIC] = {"fabric", "REGION", "1", "mean of squares of contact normals", true},
    [VS_HISTORY_FLOW] = {"flow", "REGION", "m/s", "mean velocity by mass", true},
    [VS_HISTORY_TEMPERATURE] = {"granular-temperature", "REGION", "m^2/s^2", "variance of velocities", false},
    [VS_HISTORY_PASSED] = {"passed", "GATE", "1", "bodies that came from a factory, or that a sink took", false},
    [VS_HISTORY_PASSED_MASS] = {"passed-mass", "GATE", "kg", "mass of these", false},
    [VS_HISTORY_MASS_RATE] = {"mass-rate", "GATE", "kg/s", "mean since the frame before", false},
    [VS_HISTORY_WAITING] = {"waiting", "FACTORY", "1", "bodies that are due and find no room", false},
    [VS_HISTORY_ANGLE] = {"angle", "JOINT", "rad", "of the second body about the joint's axis, with full turns", false},
    [VS_HISTORY_TRAVEL] = {"travel", "JOINT", "m", "of the second body along the joint's axis", false},
    [VS_HISTORY_POWER] = {"power", "JOINT", "W", "of a joint's force and torque: its motor's", false},
    [VS_HISTORY_TENSION] = {"tension", "JOINT", "N", "of a cable at its first point", false},
    [VS_HISTORY_END_TENSION] = {"end-tension", "JOINT", "N", "of a cable at its last point", false},
    [VS_HISTORY_WEAR] = {"wear", "A/B", "J", "normal forces times the ways they slide, since the first frame", false},
};
static const object objects[VS_HISTORY_KINDS] = {
    [VS_HISTORY_POSITION] = OF_BODY,
    [VS_HISTORY_DISPLACEMENT] = OF_BODY,
    [VS_HISTORY_ROTATION] = OF_BODY,
    [VS_HISTORY_VELOCITY] = OF_BODY,
    [VS_HISTORY_SPEED] = OF_BODY,
    [VS_HISTORY_ANGULAR_VELOCITY] = OF_BODY,
    [VS_HISTORY_FORCE] = OF_PAIR,
    [VS_HISTORY_POINT] = OF_PAIR_OR_SUPPORT,
    [VS_HISTORY_MOMENT] = OF_PAIR_OR_SUPPORT,
    [VS_HISTORY_REACTION] = OF_SUPPORT_OR_JOINT,
    [VS_HISTORY_TORQUE] = OF_JOINT,
    [VS_HISTORY_VON_MISES] = OF_SOLID,
    [VS_HISTORY_PRESSURE] = OF_SOLID,
    [VS_HISTORY_NORMAL_STRESS] = OF_REGION,
    [VS_HISTORY_SHEAR_STRESS] = OF_REGION,
    [VS_HISTORY_SOLID_FRACTION] = OF_REGION,
    [VS_HISTORY_COORDINATION] = OF_REGION,
    [VS_HISTORY_FABRIC] = OF_REGION,
    [VS_HISTORY_FLOW] = OF_REGION,
    [VS_HISTORY_TEMPERATURE] = OF_REGION,
    [VS_HISTORY_PASSED] = OF_GATE,
    [VS_HISTORY_PASSED_MASS] = OF_GATE,
    [VS_HISTORY_MASS_RATE] = OF_GATE,
    [VS_HISTORY_WAITING] = OF_GATE,
    [VS_HISTORY_ANGLE] = OF_JOINT,
    [VS_HISTORY_TRAVEL] = OF_JOINT,
    [VS_HISTORY_POWER] = OF_JOINT,
    [VS_HISTORY_TENSION] = OF_JOINT,
    [VS_HISTORY_END_TENSION] = OF_JOINT,
    [VS_HISTORY_WEAR] = OF_PAIR,
};

int vs_history_kind_count(void) {
    return VS_HISTORY_KINDS;
}

const vs_history_kind *vs_history_kind_at(int k) {
    return k >= 0 && k < VS_HISTORY_KINDS ? &kinds[k] : NULL;
}

const char *const *vs_history_components(vs_history_quantity quantity) {
    static const char *const vector[] = {"x", "y", "z", "magnitude", NULL};
    static const char *const diagonal[] = {"xx", "yy", "zz", NULL}, *const mixed[] = {"yz", "xz", "xy", NULL};
    if (quantity == VS_HISTORY_SHEAR_STRESS)
        return mixed;
    return quantity == VS_HISTORY_NORMAL_STRESS || quantity == VS_HISTORY_FABRIC ? diagonal : vector;
}

bool vs_history_is_of_region(vs_history_quantity quantity) {
    return objects[quantity] == OF_REGION;
}

bool vs_history_is_of_gate(vs_history_quantity quantity) {
    return objects[quantity] == OF_GATE;
}

bool vs_history_is_of_bodies(vs_history_quantity quantity) {
    return quantity == VS_HISTORY_SOLID_FRACTION || quantity == VS_HISTORY_FLOW || quantity == VS_HISTORY_TEMPERATURE;
}

int vs_history_columns(const vs_history *h) {
    return h->column < 0 && kinds[h->quantity].vector && h->component < 0 ? 3 : 1;
}

// ---- objects ----------------------------------------------------------------------------------------------

// A part of the name that is being read.
typedef struct word {
    const char *text;
    size_t length;
} word;

static word word_of(const char *text) {
    return (word){text, strlen(text)};
}

static bool is(word w, const char *name) {
    return strlen(name) == w.length && strncmp(w.text, name, w.length) == 0;
}

static int find_name(const char *const *names, int64_t count, word w) {
    for (int k = 0; k < count && w.length > 0; k++)
        if (is(w, names[k]))
            return k;
    return -1;
}

// #ROW, -1 if it is none.
static int find_row(int64_t count, word w) {
    char digits[16] = "", *end = NULL;
    if (w.length < 2 || w.length > sizeof digits || w.text[0] != '#')
        return -1;
    (void)memcpy(digits, w.text + 1, w.length - 1);
    const long row = strtol(digits, &end, 10);
    return digits[0] >= '0' && digits[0] <= '9' && !*end && row < count ? (int)row : -1;
}

static bool find_body(const vs_trajectory_reader *r, word w, int *row) {
    *row = find_name(r->info.body_name, r->info.bodies, w);
    if (*row < 0)
        *row = find_row(r->info.bodies, w);
    return *row >= 0;
}

static bool find_joint(const vs_trajectory_reader *r, word w, int *row) {
    *row = find_name(r->info.joint_name, r->info.joints, w);
    if (*row < 0)
        *row = find_row(r->info.joints, w);
    return *row >= 0;
}

static bool find_solid(const vs_trajectory_reader *r, word w, int *row) {
    const int solid = r->file.solids > 0 ? find_name(r->solid_name, r->file.solids, w) : -1;
    *row = vs_row_of_solid(solid);
    return solid >= 0;
}

static bool find_gate(const vs_trajectory_reader *r, word w, int *row) {
    *row = r->file.gates > 0 ? find_name(r->gate_name, r->file.gates, w) : -1;
    if (*row < 0)
        *row = find_row(r->file.gates, w);
    return *row >= 0;
}

// A side of a contact.
static bool find_side(const vs_trajectory_reader *r, word w, int *row) {
    if (find_body(r, w, row) || find_solid(r, w, row))
        return true;
    *row = VS_ROW_WORLD;
    return is(w, "world");
}

static bool find_support(const vs_trajectory_reader *r, word w, vs_history *h) {
    h->b = VS_ROW_ANY;
    return find_side(r, w, &h->a) && (h->a == VS_ROW_WORLD || (h->a >= 0 && r->info.motion[h->a] != 0));
}

static bool find_pair(const vs_trajectory_reader *r, word w, vs_history *h) {
    for (size_t k = 1; k + 1 < w.length; k++)
        if (w.text[k] == '/' && find_side(r, (word){w.text, k}, &h->a) &&
            find_side(r, (word){w.text + k + 1, w.length - k - 1}, &h->b))
            return h->a != h->b;
    return false;
}

static bool find_object(const vs_trajectory_reader *r, object of, word w, vs_history *h) {
    switch (of) {
    case OF_BODY:
        return find_body(r, w, &h->a);
    case OF_PAIR:
        return find_pair(r, w, h);
    case OF_PAIR_OR_SUPPORT:
        return find_pair(r, w, h) || find_support(r, w, h);
    case OF_SUPPORT_OR_JOINT:
        return find_support(r, w, h) || find_joint(r, w, &h->joint);
    case OF_JOINT:
        return find_joint(r, w, &h->joint);
    case OF_SOLID:
        return find_solid(r, w, &h->a);
    case OF_REGION:
        return vs_region_read(w.text, w.length, &h->region);
    case OF_GATE:
        return find_gate(r, w, &h->gate);
    }
    return false;
}

// ---- messages ---------------------------------------------------------------------------------------------

static vs_error fail(const vs_trajectory_reader *r, const char *name, const char *text) {
    return vs_fail(r->context, VS_ERROR_ARGUMENT, "%s: %s", name, text);
}

static void append(char *text, size_t size, const char *more) {
    const size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s", more);
}

// "; did you mean 'drum5'?", or what to write if there are no names, or the names that there are.
static void suggest(const char *const *names, const char *given, const char *unnamed, char *text, size_t size) {
    const char *near = vs_nearest_name(given, names);
    int count = 0;
    for (; names[count]; count++) {
    }
    if (near) {
        append(text, size, "; did you mean '");
        append(text, size, near);
        append(text, size, "'?");
        return;
    }
    append(text, size, *unnamed ? unnamed : "; there is ");
    count = *unnamed ? 0 : count;
    for (int k = 0; k < count && k < LISTED; k++) {
        append(text, size, k ? ", " : "");
        append(text, size, names[k]);
    }
    append(text, size, count > LISTED ? ", …" : "");
}

// The names that a quantity may have, without the empty ones; the world, which always exists, is not counted.
static vs_error gather(const vs_trajectory_reader *r, object of, vs_arena *arena, const char ***names, int64_t *named) {
    const bool gates = of == OF_GATE, bodies = of != OF_JOINT && of != OF_SOLID && !gates,
               joints = of == OF_JOINT || of == OF_SUPPORT_OR_JOINT;
    const bool solids = of == OF_SOLID || of == OF_PAIR, supports = of == OF_SUPPORT_OR_JOINT;
    const vs_trajectory_info *info = &r->info;
    int64_t count = 0;
    const char **list =
        VS_NEW_ZERO(arena, const char *, info->bodies + info->joints + r->file.solids + r->file.gates + 2);
    if (!(*names = list))
        return VS_ERROR_MEMORY;
    for (int k = 0; k < info->bodies && bodies; k++)
        if (*info->body_name[k] && (!supports || info->motion[k] != 0))
            list[count++] = info->body_name[k];
    for (int k = 0; k < info->joints && joints; k++)
        if (*info->joint_name[k])
            list[count++] = info->joint_name[k];
    for (int64_t k = 0; k < r->file.solids && solids; k++)
        if (*r->solid_name[k])
            list[count++] = r->solid_name[k];
    for (int64_t k = 0; k < r->file.gates && gates; k++)
        if (*r->gate_name[k])
            list[count++] = r->gate_name[k];
    *named = count;
    if (bodies && of != OF_BODY)
        list[count] = "world";
    return VS_OK;
}

static vs_error fail_object(const vs_trajectory_reader *r, const char *name, object of, word w) {
    static const char *const what[] = {[OF_BODY] = "body",
                                       [OF_PAIR] = "body",
                                       [OF_PAIR_OR_SUPPORT] = "body",
                                       [OF_SUPPORT_OR_JOINT] = "support or joint",
                                       [OF_JOINT] = "joint",
                                       [OF_SOLID] = "flexible solid",
                                       [OF_REGION] = "region",
                                       [OF_GATE] = "factory or sink"};
    const char **names = NULL;
    char given[WORD], text[2 * WORD], unnamed[WORD] = "";
    int64_t named = 0;
    vs_arena arena;
    vs_arena_init(&arena, r->context);
    vs_error error = gather(r, of, &arena, &names, &named);
    if (!error) {
        const int64_t count = of == OF_SOLID   ? r->file.solids
                              : of == OF_JOINT ? r->info.joints
                              : of == OF_GATE  ? r->file.gates
                                               : r->info.bodies;
        (void)snprintf(given, sizeof given, "%.*s", (int)w.length, w.text);
        (void)snprintf(text, sizeof text, "there is no %s '%s'", what[of], given);
        if (named == 0 && count == 0)
            (void)snprintf(unnamed, sizeof unnamed, "; this file has none");
        else if (named == 0)
            (void)snprintf(unnamed, sizeof unnamed, "; they have no names, use #0 to #%lld", (long long)count - 1);
        suggest(names, given, unnamed, text, sizeof text);
        error = fail(r, name, text);
    }
    vs_arena_release(&arena);
    return error;
}

// Says which part of the object is wrong.
static vs_error explain(const vs_trajectory_reader *r, const char *name, object of, word w) {
    const char *slash = memchr(w.text, '/', w.length);
    int row = 0;
    if (of == OF_REGION)
        return fail(r, name,
                    "needs a region: 'all', or ranges of x, y and z in m as in -.1:.1,0:2,:.5, where a missing "
                    "end has no bound");
    if (slash && (of == OF_PAIR || of == OF_PAIR_OR_SUPPORT)) {
        const word left = {w.text, (size_t)(slash - w.text)}, right = {slash + 1, w.length - left.length - 1};
        const bool known = find_side(r, left, &row);
        if (known && find_side(r, right, &row))
            return fail(r, name, "needs two different bodies");
        return fail_object(r, name, of, known ? right : left);
    }
    if (find_body(r, w, &row) && of == OF_PAIR)
        return fail(r, name, "needs two bodies, A/B; for instance force:stone3/stone4");
    if (find_body(r, w, &row) && (of == OF_PAIR_OR_SUPPORT || of == OF_SUPPORT_OR_JOINT))
        return fail(r, name, "is a dynamic body, not a support; use force:A/B for the force between two bodies");
    return fail_object(r, name, of, w);
}

// ---- reading ----------------------------------------------------------------------------------------------

static int find_component(word w, vs_history_quantity quantity) {
    const char *const *components = vs_history_components(quantity);
    for (int k = 0; components[k]; k++)
        if (is(w, components[k]))
            return k;
    return -1;
}

static vs_error fail_component(const vs_trajectory_reader *r, const char *name, vs_history_quantity quantity) {
    const char *const *c = vs_history_components(quantity);
    char text[WORD];
    (void)snprintf(text, sizeof text, "has the components %s, %s%s%s%s", c[0], c[1], c[3] ? ", " : " and ", c[2],
                   c[3] ? " and magnitude" : "");
    return fail(r, name, kinds[quantity].vector ? text : "has no components");
}

static vs_error read_object(const vs_trajectory_reader *r, const char *name, word w, vs_history *h) {
    const object of = objects[h->quantity];
    size_t dot = w.length;
    if (find_object(r, of, w, h))
        return VS_OK;
    while (dot > 0 && w.text[dot - 1] != '.')
        dot--;
    if (dot == 0)
        return explain(r, name, of, w);
    const word head = {w.text, dot - 1}, tail = {w.text + dot, w.length - dot};
    h->component = find_component(tail, h->quantity);
    const bool known = find_object(r, of, head, h);
    if (known && h->component >= 0 && kinds[h->quantity].vector)
        return VS_OK;
    if (known)
        return fail_component(r, name, h->quantity);
    return explain(r, name, of, h->component >= 0 ? head : w);
}

static vs_error read_quantity(const vs_trajectory_reader *r, const char *name, word w, vs_history *h) {
    const char *names[VS_HISTORY_KINDS + 1] = {NULL};
    char given[WORD], text[2 * WORD];
    for (int k = 0; k < VS_HISTORY_KINDS; k++) {
        names[k] = kinds[k].name;
        if (is(w, names[k])) {
            h->quantity = (vs_history_quantity)k;
            return VS_OK;
        }
    }
    (void)snprintf(given, sizeof given, "%.*s", (int)w.length, w.text);
    (void)snprintf(text, sizeof text, "unknown quantity '%s'", given);
    suggest(names, given, "", text, sizeof text);
    return fail(r, name, text);
}

static bool needs_volume(vs_history_quantity q) {
    return q == VS_HISTORY_NORMAL_STRESS || q == VS_HISTORY_SHEAR_STRESS || q == VS_HISTORY_SOLID_FRACTION;
}

// Forces need the impulses of contacts or the reactions of joints, and the former the time step.
static vs_error check_contents(const vs_trajectory_reader *r, const char *name, const vs_history *h) {
    const object of = objects[h->quantity];
    int64_t one = 1;
    void *contacts = NULL;
    vs_arena arena;
    const vs_region region = vs_region_clip(&h->region, r->info.period);
    if (needs_volume(h->quantity) && !isfinite(vs_region_volume(&region)))
        return fail(r, name, "needs a box with bounds on all six sides, as in -.1:.1,0:2,0:.5");
    if (of != OF_PAIR && of != OF_PAIR_OR_SUPPORT && !(of == OF_SUPPORT_OR_JOINT && h->joint < 0) &&
        (of != OF_REGION || vs_history_is_of_bodies(h->quantity)))
        return VS_OK;
    if (r->info.step <= 0)
        return vs_fail(r->context, VS_ERROR_DATA,
                       "%s: the file does not have the time step, which forces need; record it with "
                       "vs_trajectory_writer_options.step ('voussoir run' and Python do)",
                       name);
    vs_arena_init(&arena, r->context);
    vs_error error = vs_h5_read_table(&r->file.root, "meta/contacts", VS_NUMBER_INT, 1, &arena, &one, &contacts);
    if (!error && *(int *)contacts == 0)
        error = vs_fail(r->context, VS_ERROR_DATA,
                        "%s: the file has no contacts; record them: 'voussoir run' does, in Python contacts=True, in C "
                        "vs_trajectory_writer_options.contacts",
                        name);
    vs_arena_release(&arena);
    return error;
}

vs_error vs_history_read_name(const vs_trajectory_reader *r, const char *name, vs_history *h) {
    const char *colon = strchr(name, ':');
    *h = (vs_history){.column = -1, .a = VS_ROW_UNKNOWN, .b = VS_ROW_UNKNOWN, .joint = -1, .component = -1};
    if (!colon) {
        h->column = vs_reader_find_series(r, name);
        vs_error error = h->column >= 0 ? VS_OK : read_quantity(r, name, word_of(name), h);
        if (!error && h->column < 0) {
            char text[WORD];
            (void)snprintf(text, sizeof text, "needs an object; write %s:%s", name, kinds[h->quantity].object);
            error = fail(r, name, text);
        }
        return error;
    }
    vs_error error = read_quantity(r, name, (word){name, (size_t)(colon - name)}, h);
    if (!error)
        error = read_object(r, name, word_of(colon + 1), h);
    return error ? error : check_contents(r, name, h);
}
