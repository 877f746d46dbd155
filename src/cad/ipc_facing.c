// Open surfaces of a Rigid IPC scene, turned over where bodies start behind them.
//
// There a surface touches on both sides; our triangles on the one from which their corners run counter-clockwise. The solid angle
// that a surface takes up, seen from the centre of a moving body, is positive behind it and negative in front of it.
#include "base/elementary.h"
#include "cad/ipc_data.h"

static const double SEEN = .05; // of the whole sphere: less is far away, or beside

// Solid angle of a triangle from the origin (Van Oosterom and Strackee 1983), positive if its corners run clockwise from there.
static double solid_angle(vs_vec3 a, vs_vec3 b, vs_vec3 c) {
    const double p = vs_length(a), q = vs_length(b), r = vs_length(c);
    return 2 * vs_atan2(vs_dot(a, vs_cross(b, c)), p * q * r + vs_dot(a, b) * r + vs_dot(a, c) * q + vs_dot(b, c) * p);
}

// Of the surface of an item, from the centre of another one, as a part of the whole sphere.
static double part_of_view(const vs_ipc_item *i, const vs_ipc_item *from) {
    const vs_cad_block *b = i->solid->block;
    const vs_vec3 x = vs_rotate_back(i->body->pose.rotation, vs_subtract(from->centre, i->centre));
    double sum = 0;
    for (int k = 0; k < b->triangles; k++) {
        const int *c = b->index + 3 * (int64_t)k;
        sum += solid_angle(vs_subtract(b->vertex[c[0]], x), vs_subtract(b->vertex[c[1]], x),
                           vs_subtract(b->vertex[c[2]], x));
    }
    return sum / (4 * VS_PI);
}

static vs_error turn_over(vs_ipc_model *m, vs_ipc_item *i) {
    vs_ipc_solid *solid = VS_COPY(m->scene.arena, vs_ipc_solid, i->solid, 1);
    vs_cad_block *block = VS_COPY(m->scene.arena, vs_cad_block, i->solid->block, 1);
    int *index = block ? VS_COPY(m->scene.arena, int, block->index, 3 * (int64_t)block->triangles) : NULL;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
    if (!solid || !index || VS_RESERVE(m->scene.arena->context, &m->solid, m->solid.count + 1) != VS_OK)
        return VS_ERROR_MEMORY;
    for (int k = 0; k < block->triangles; k++) {
        int *c = index + 3 * (int64_t)k, first = c[0];
        c[0] = c[1], c[1] = first;
    }
    block->index = index;
    solid->block = block;
    solid->number = (int)m->solid.count;
    m->solid.data[m->solid.count++] = solid;
    i->solid = solid;
    vs_log(m->scene.arena->context, VS_LOG_WARNING,
           "%s: rigid_bodies[%d] (%s) is open, and bodies start behind it; its triangles are turned over",
           m->scene.file, i->body->number, i->body->mesh);
    return VS_OK;
}

vs_error vs_ipc_face(vs_ipc_model *m) {
    vs_error error = VS_OK;
    for (int64_t k = 0; k < m->item.count && !error; k++) {
        vs_ipc_item *i = &m->item.data[k];
        const bool surface = i->solid->blocks == 1 && !i->solid->block->convex && !(i->solid->volume > 0);
        int front = 0, behind = 0;
        for (int64_t j = 0; j < m->item.count && surface; j++) {
            if (j == k || m->item.data[j].body->motion != VS_IPC_DYNAMIC)
                continue;
            const double seen = part_of_view(i, &m->item.data[j]);
            front += seen < -SEEN;
            behind += seen > SEEN;
        }
        if (behind > front)
            error = turn_over(m, i);
    }
    return error;
}
