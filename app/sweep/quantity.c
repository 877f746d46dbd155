// Numbers of the final state: names, columns, values.
// In the order of the enum.
#include "sweep/quantity.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/system/message.h"

static const struct {
    const char *name, *unit;
    int size;
    const char *part[4];
} kinds[] = {
    {"position", "m", 3, {"x", "y", "z"}},    {"rotation", "", 4, {"w", "x", "y", "z"}},
    {"velocity", "m/s", 3, {"x", "y", "z"}},  {"spin", "rad/s", 3, {"x", "y", "z"}},
    {"joint", "", 2, {"coordinate", "rate"}}, {"force", "N", 3, {"x", "y", "z"}},
    {"torque", "N m", 3, {"x", "y", "z"}},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

bool app_quantities_add(app_quantities *all, const char *text) {
    const size_t length = strcspn(text, ":");
    const char *name = text[length] ? text + length + 1 : "";
    app_quantity *q = &all->quantity[all->count];
    int kind = 0;
    while (kind < KINDS && !(strlen(kinds[kind].name) == length && strncmp(kinds[kind].name, text, length) == 0))
        kind++;
    if (kind == KINDS || !*name || strlen(name) >= sizeof q->name) {
        app_complain("--quantity: '%.60s' is not position:BODY, rotation:BODY, velocity:BODY, spin:BODY, joint:JOINT, "
                     "force:JOINT or torque:JOINT; for instance --quantity position:crate",
                     text);
        return false;
    }
    if (all->count == APP_SWEEP_QUANTITIES) {
        app_complain("--quantity: more than %d; use --trajectories instead", APP_SWEEP_QUANTITIES);
        return false;
    }
    for (int k = 0; k < all->count; k++) {
        if ((int)all->quantity[k].kind == kind && strcmp(all->quantity[k].name, name) == 0) {
            app_complain("--quantity: '%.60s' is given twice; omit one", text);
            return false;
        }
    }
    q->kind = (app_quantity_kind)kind;
    (void)snprintf(q->name, sizeof q->name, "%s", name);
    all->numbers += kinds[kind].size;
    all->count++;
    return true;
}

void app_quantities_column(const app_quantities *all, int k, char name[2 * APP_QUANTITY_NAME], const char **unit) {
    int at = 0;
    while (k >= kinds[all->quantity[at].kind].size)
        k -= kinds[all->quantity[at++].kind].size;
    const app_quantity *q = &all->quantity[at];
    (void)snprintf(name, (size_t)2 * APP_QUANTITY_NAME, "%s.%s.%s", q->name, kinds[q->kind].name,
                   kinds[q->kind].part[k]);
    *unit = kinds[q->kind].unit;
}

// The k-th body or joint for "#k", -1 for names.
static int number_of(const char *name, int count) {
    char *end = NULL;
    const long k = name[0] == '#' ? strtol(name + 1, &end, 10) : -1;
    return end && end != name + 1 && *end == '\0' && k >= 0 && k < count ? (int)k : -1;
}

static vs_body_id find_body(const vs_world *world, const char *name) {
    const int k = number_of(name, vs_world_get_body_count(world));
    return k >= 0 ? vs_world_get_body_at(world, k) : vs_world_find_body(world, name);
}

static vs_joint_id find_joint(const vs_world *world, const char *name) {
    const int k = number_of(name, vs_world_get_joint_count(world));
    return k >= 0 ? vs_world_get_joint_at(world, k) : vs_world_find_joint(world, name);
}

static void put3(double *to, vs_vec3 v) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static bool put_joint(const vs_world *world, const app_quantity *q, double *to) {
    const vs_joint_id id = find_joint(world, q->name);
    vs_vec3 force = {0}, torque = {0};
    if (id.index == 0 && id.generation == 0)
        return false;
    if (q->kind == APP_QUANTITY_JOINT)
        return vs_world_get_joint_coordinate(world, id, &to[0], &to[1]) == VS_OK;
    if (vs_world_get_joint_reaction(world, id, &force, &torque) != VS_OK)
        return false;
    put3(to, q->kind == APP_QUANTITY_FORCE ? force : torque);
    return true;
}

static bool put_body(const vs_world *world, const app_quantity *q, double *to) {
    const vs_body_id id = find_body(world, q->name);
    vs_body_state state;
    if ((id.index == 0 && id.generation == 0) || vs_world_get_body_state(world, id, &state) != VS_OK)
        return false;
    const vs_quat r = state.pose.rotation;
    if (q->kind == APP_QUANTITY_ROTATION)
        memcpy(to, (const double[]){r.w, r.x, r.y, r.z}, 4 * sizeof *to);
    else
        put3(to, q->kind == APP_QUANTITY_POSITION   ? state.pose.position
                 : q->kind == APP_QUANTITY_VELOCITY ? state.velocity
                                                    : state.spin);
    return true;
}

const char *app_quantities_read(const app_quantities *all, const vs_world *world, double *number) {
    const char *absent = NULL;
    for (int k = 0; k < all->count; k++) {
        const app_quantity *q = &all->quantity[k];
        for (int i = 0; i < kinds[q->kind].size; i++)
            number[i] = (double)NAN;
        const bool there = q->kind >= APP_QUANTITY_JOINT ? put_joint(world, q, number) : put_body(world, q, number);
        if (!there && !absent)
            absent = q->name;
        number += kinds[q->kind].size;
    }
    return absent;
}
