// A Rigid IPC scene as a scene of ours: shapes, bodies, joints for fixed degrees of freedom, prescribed motion, loads.
//
// Fixed degrees of freedom hold in the axes of the world: translations of the centre of mass, and rotations if one or none is
// left. Where no joint leaves just the others, several follow each other between bodies of a millionth of the mass.
#include "base/elementary.h"
#include "cad/text_writer.h"

#include <math.h>
#include <stdio.h>

#include "cad/ipc_data.h"

static const double SHARE = 1e-6; // of a body's mass, of the bodies between its joints

typedef struct writer {
    vs_text_writer to;
    const vs_ipc_model *model;
    vs_cad_report *report;
    bool more; // an item of the list is written already
} writer;

static void next(writer *w) {
    vs_put(&w->to, w->more ? ",\n    " : "\n    ");
    w->more = true;
}

static void key(writer *w, const char *before, vs_vec3 v) {
    vs_put(&w->to, before);
    vs_put_vector(&w->to, v);
}

static void put_value(writer *w, const char *before, double x) {
    vs_put(&w->to, before);
    vs_put_number(&w->to, x);
}

static bool is_zero(vs_vec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

// ---- shapes ----------------------------------------------------------------------------------------

static void shape_name(const vs_ipc_solid *s, int block, char name[40]) {
    (void)snprintf(name, 40, s->blocks > 1 ? "solid-%d.%d" : "solid-%d", s->number, block);
}

static void put_shapes(writer *w) {
    char name[40];
    vs_put(&w->to, "  \"shapes\": {");
    w->more = false;
    for (int64_t k = 0; k < w->model->solid.count; k++)
        for (int i = 0; i < w->model->solid.data[k]->blocks && !w->to.error; i++) {
            const vs_cad_block *b = &w->model->solid.data[k]->block[i];
            shape_name(w->model->solid.data[k], i, name);
            next(w);
            vs_put_string(&w->to, name);
            vs_put(&w->to,
                   b->convex ? ": { \"kind\": \"hull\", \"points\": [" : ": { \"kind\": \"mesh\", \"vertices\": [");
            vs_put_points(&w->to, b);
            if (!b->convex)
                vs_put_triangles(&w->to, b);
            vs_put(&w->to, " }");
        }
    vs_put(&w->to, "\n  },\n");
}

static void put_shape_names(writer *w, const vs_ipc_solid *s) {
    char name[40];
    vs_put(&w->to, s->blocks > 1 ? ", \"shapes\": [" : ", \"shape\": ");
    for (int k = 0; k < s->blocks; k++) {
        shape_name(s, k, name);
        vs_put(&w->to, k > 0 ? ", " : "");
        vs_put_string(&w->to, name);
    }
    vs_put(&w->to, s->blocks > 1 ? "]" : "");
}

// ---- prescribed motion -----------------------------------------------------------------------------

// When the velocity changes: places of the first steps, then the velocity of the body, then rest.
static int count_changes(const writer *w, const vs_ipc_body *b, double *drift) {
    const double h = w->model->scene.step;
    int places = 0;
    while (places < b->places && places * h < b->until)
        places++;
    *drift = places * h;
    return places;
}

static vs_vec3 place_velocity(const writer *w, const vs_ipc_item *i, int k) {
    const vs_vec3 from = k > 0 ? i->body->place[k - 1] : i->centre;
    return vs_scale(1 / w->model->scene.step, vs_subtract(i->body->place[k], from));
}

// One component over time: in place `k` of the file's steps, then `after`.
static void put_steps(writer *w, const vs_ipc_item *i, int axis, bool turns, double after) {
    double drift;
    const int places = count_changes(w, i->body, &drift);
    const bool rests = isfinite(i->body->until), drifts = drift < i->body->until;
    if (places == 0 && !rests) {
        vs_put_number(&w->to, after);
        return;
    }
    vs_put(&w->to, "{\"steps\": {\"time\": [");
    for (int k = 0; k < places; k++)
        put_value(w, k > 0 ? ", " : "", k * w->model->scene.step);
    if (drifts)
        put_value(w, places > 0 ? ", " : "", drift);
    if (rests)
        put_value(w, ", ", i->body->until);
    vs_put(&w->to, "], \"value\": [");
    for (int k = 0; k < places; k++)
        put_value(w, k > 0 ? ", " : "", turns ? 0 : vs_component(vs_ipc_turn(place_velocity(w, i, k)), axis));
    if (drifts)
        put_value(w, places > 0 ? ", " : "", after);
    vs_put(&w->to, rests ? ", 0]}}" : "]}}");
}

static void put_drive(writer *w, const vs_ipc_item *i) {
    const vs_vec3 velocity = vs_ipc_turn(i->body->velocity), spin = vs_ipc_turn(i->body->spin);
    vs_put(&w->to, ",\n      \"drive\": { \"velocity\": [");
    for (int k = 0; k < 3; k++) {
        vs_put(&w->to, k > 0 ? ", " : "");
        put_steps(w, i, k, false, vs_component(velocity, k));
    }
    vs_put(&w->to, "], \"spin\": [");
    for (int k = 0; k < 3; k++) {
        vs_put(&w->to, k > 0 ? ", " : "");
        put_steps(w, i, k, true, vs_component(spin, k));
    }
    vs_put(&w->to, "] }");
}

// ---- fixed degrees of freedom ----------------------------------------------------------------------

typedef struct freedom {
    int slides, slide[3]; // axes along which the body moves
    int turns, turn;      // axes about which it turns, the last of them
} freedom;

static freedom freedom_of(const vs_ipc_body *b) {
    freedom f = {0};
    for (int k = 0; k < 3; k++) {
        if (!b->fixed[k])
            f.slide[f.slides++] = k;
        if (!b->fixed[3 + k]) {
            f.turns++;
            f.turn = k;
        }
    }
    return f;
}

static vs_vec3 axis_of(int k) {
    return vs_ipc_turn((vs_vec3){k == 0, k == 1, k == 2});
}

// The one joint that leaves just this freedom, and its axis; null: there is none.
static const char *single_joint(const freedom *f, int *axis) {
    *axis = f->turns == 1 ? f->turn : f->slide[0];
    if (f->slides == 0)
        return f->turns == 1 ? "revolute" : "spherical";
    if (f->slides == 1 && f->turns == 0)
        return "prismatic";
    if (f->slides == 1 && f->turns == 1 && f->slide[0] == f->turn)
        return "cylindrical";
    if (f->slides == 2 && f->turns == 1 && f->slide[0] != f->turn && f->slide[1] != f->turn)
        return "planar";
    return NULL;
}

// Joints one after the other, and what each of them leaves free.
static int chain(const vs_ipc_body *b, const char *kind[4], int axis[4]) {
    const freedom f = freedom_of(b);
    int joints = 0;
    if (b->motion != VS_IPC_DYNAMIC || (f.slides == 3 && f.turns == 3))
        return 0;
    kind[0] = single_joint(&f, &axis[0]);
    if (kind[0])
        return 1;
    for (int k = 0; k < f.slides; k++) {
        kind[joints] = "prismatic";
        axis[joints++] = f.slide[k];
    }
    if (f.turns > 0) {
        kind[joints] = f.turns == 1 ? "revolute" : "spherical";
        axis[joints++] = f.turn;
    }
    return joints;
}

static void put_part_name(writer *w, const vs_ipc_item *i, int part, int parts) {
    char name[VS_CAD_NAME_MOST + 80];
    (void)snprintf(name, sizeof name, part < parts ? "%s/%d" : "%s", i->name, part);
    vs_put_string(&w->to, name);
}

static void put_parts(writer *w, const vs_ipc_item *i) {
    const char *kind[4];
    int axis[4];
    const int joints = chain(i->body, kind, axis);
    const double mass = SHARE * i->body->density * i->solid->volume, radius = vs_cbrt(i->solid->volume);
    vs_vec3 velocity = {0, 0, 0};
    for (int k = 1; k < joints; k++) {
        const vs_vec3 along = axis_of(axis[k - 1]), v = vs_ipc_turn(i->body->velocity);
        velocity = vs_add_scaled(velocity, vs_dot(along, v), along);
        next(w);
        vs_put(&w->to, "{ \"name\": ");
        put_part_name(w, i, k, joints);
        put_value(w, ", \"mass\": ", mass);
        vs_put(&w->to, ", \"inertia\": ");
        vs_put_vector(&w->to, vs_scale(mass * radius * radius, (vs_vec3){1, 1, 1}));
        key(w, ", \"position\": ", vs_ipc_turn(i->centre));
        key(w, ", \"velocity\": ", velocity);
        vs_put(&w->to, " }");
        w->report->auxiliary++;
    }
}

static void put_joints_of(writer *w, const vs_ipc_item *i) {
    const char *kind[4];
    int axis[4];
    const int joints = chain(i->body, kind, axis);
    for (int k = 1; k <= joints; k++) {
        next(w);
        vs_put(&w->to, "{ \"name\": ");
        put_part_name(w, i, k, joints);
        vs_put(&w->to, ", \"kind\": ");
        vs_put_string(&w->to, kind[k - 1]);
        if (k > 1) {
            vs_put(&w->to, ", \"a\": ");
            put_part_name(w, i, k - 1, joints);
        }
        vs_put(&w->to, ", \"b\": ");
        put_part_name(w, i, k, joints);
        key(w, ", \"frame\": { \"position\": ", vs_ipc_turn(i->centre));
        key(w, ", \"axis\": ", axis_of(axis[k - 1]));
        vs_put(&w->to, " } }");
        w->report->joints++;
    }
}

// ---- bodies ----------------------------------------------------------------------------------------

// Earlier bodies of the same group. Static and kinematic bodies do not collide with each other anyway.
static void put_ignored(writer *w, int64_t item) {
    const vs_ipc_item *list = w->model->item.data, *i = &list[item];
    bool any = false;
    for (int64_t k = 0; k < item && i->body->group >= 0; k++) {
        if (list[k].body->group != i->body->group ||
            (list[k].body->motion != VS_IPC_DYNAMIC && i->body->motion != VS_IPC_DYNAMIC))
            continue;
        vs_put(&w->to, any ? ", " : ",\n      \"ignore\": [");
        vs_put_string(&w->to, list[k].name);
        any = true;
    }
    vs_put(&w->to, any ? "]" : "");
}

static void put_body(writer *w, int64_t item) {
    const vs_ipc_item *i = &w->model->item.data[item];
    const vs_ipc_body *b = i->body;
    const double half = sqrt(.5); // y up to z up
    const vs_quat q = vs_quat_normalize(vs_quat_multiply((vs_quat){half, half, 0, 0}, b->pose.rotation));
    next(w);
    vs_put(&w->to, "{ \"name\": ");
    vs_put_string(&w->to, i->name);
    if (b->motion == VS_IPC_DYNAMIC)
        put_value(w, ", \"density\": ", b->density);
    else
        vs_put(&w->to, b->motion == VS_IPC_STATIC ? ", \"motion\": \"static\"" : ", \"motion\": \"kinematic\"");
    put_shape_names(w, i->solid);
    key(w, ",\n      \"position\": ", vs_ipc_turn(i->centre));
    put_value(w, ", \"rotation\": [", q.w);
    put_value(w, ", ", q.x);
    put_value(w, ", ", q.y);
    put_value(w, ", ", q.z);
    vs_put(&w->to, "]");
    if (b->motion == VS_IPC_DYNAMIC && !is_zero(b->velocity))
        key(w, ", \"velocity\": ", vs_ipc_turn(b->velocity));
    if (b->motion == VS_IPC_DYNAMIC && !is_zero(b->spin))
        key(w, ", \"spin\": ", vs_ipc_turn(b->spin));
    if (b->motion == VS_IPC_KINEMATIC)
        put_drive(w, i);
    put_ignored(w, item);
    vs_put(&w->to, " }");
}

static void put_load(writer *w, const vs_ipc_item *i) {
    if (i->body->motion != VS_IPC_DYNAMIC || (is_zero(i->body->force) && is_zero(i->body->torque)))
        return;
    next(w);
    vs_put(&w->to, "{ \"body\": ");
    vs_put_string(&w->to, i->name);
    key(w, ", \"force\": ", vs_ipc_turn(i->body->force));
    key(w, ", \"torque\": ", vs_ipc_turn(i->body->torque));
    vs_put(&w->to, " }");
}

vs_error vs_ipc_write(const vs_ipc_model *model, const char *name, vs_cad_report *report, vs_text *text) {
    writer w = {{model->scene.arena->context, text, VS_OK}, model, report, false};
    vs_put(&w.to, "{\n  \"voussoir\": 1,\n  \"name\": ");
    vs_put_string(&w.to, name);
    key(&w, ",\n  \"gravity\": ", vs_ipc_turn(model->scene.gravity));
    put_value(&w, ",\n  \"step\": ", model->scene.step);
    put_value(&w, ",\n  \"materials\": { \"all\": { \"mu\": ", model->scene.mu);
    put_value(&w, ", \"restitution\": ", model->scene.restitution);
    vs_put(&w.to, " } },\n");
    put_shapes(&w);
    vs_put(&w.to, "  \"bodies\": [");
    w.more = false;
    for (int64_t k = 0; k < model->item.count && !w.to.error; k++) {
        put_parts(&w, &model->item.data[k]);
        put_body(&w, k);
    }
    vs_put(&w.to, "\n  ],\n  \"joints\": [");
    w.more = false;
    for (int64_t k = 0; k < model->item.count && !w.to.error; k++)
        put_joints_of(&w, &model->item.data[k]);
    vs_put(&w.to, "\n  ],\n  \"loads\": [");
    w.more = false;
    for (int64_t k = 0; k < model->item.count && !w.to.error; k++)
        put_load(&w, &model->item.data[k]);
    put_value(&w, "\n  ],\n  \"output\": { \"duration\": ", model->scene.duration);
    vs_put(&w.to, " }\n}\n");
    return w.to.error;
}
