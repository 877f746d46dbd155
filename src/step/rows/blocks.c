// Numbers of the unknowns, and velocities between them and the world.
#include "step/rows/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/flexible_data.h"

// ---- numbers ---------------------------------------------------------------------------------------

static vs_error number_bodies(vs_blocks *blocks, const vs_world *world) {
    vs_error error = VS_RESERVE(world->context, &blocks->of_body, world->bodies);
    if (!error)
        error = VS_RESERVE(world->context, &blocks->body, world->bodies);
    if (error)
        return error;
    int *of_body = blocks->of_body.data, count = 0;
    for (int k = 0; k < world->bodies; k++) {
        const vs_body *body = &world->body[k];
        of_body[k] = VS_NO_BLOCK;
        if (vs_world_place(world, k) != VS_PLACE_HERE || !body->alive || body->motion != VS_MOTION_DYNAMIC)
            continue;
        of_body[k] = count;
        blocks->body.data[count++] = k;
    }
    blocks->of_body.count = world->bodies;
    blocks->body.count = blocks->owned = count;
    return VS_OK;
}

typedef struct ghost {
    int owner, body;
} ghost;

static int compare(const void *a, const void *b) {
    const ghost *x = a, *y = b;
    return x->owner != y->owner ? x->owner - y->owner : x->body - y->body;
}

// Ghosts that contacts here touch; the solver has no use for others. Marks them in of_body and returns their number.
static int mark_ghosts(vs_blocks *blocks, const vs_world *world, const vs_contacts *contacts) {
    int *of_body = blocks->of_body.data, count = 0;
    for (int k = 0; k < contacts->count; k++) {
        const int body[2] = {contacts->contact[k].a, contacts->contact[k].b};
        for (int i = 0; i < 2; i++)
            if (vs_world_place(world, body[i]) == VS_PLACE_GHOST && of_body[body[i]] == VS_NO_BLOCK)
                of_body[body[i]] = blocks->owned + count++;
    }
    return count;
}

// Ghosts behind the owned bodies, in ascending order of owners and bodies.
static vs_error number_ghosts(vs_blocks *blocks, const vs_world *world, const vs_division *division,
                              const vs_contacts *contacts) {
    int *of_body = blocks->of_body.data, count = mark_ghosts(blocks, world, contacts), found = 0;
    ghost *list = vs_allocate(world->context, sizeof *list * (size_t)(count + 1));
    if (!list)
        return vs_fail_memory(world->context);
    for (int k = 0; k < contacts->count && found < count; k++) {
        const int body[2] = {contacts->contact[k].a, contacts->contact[k].b};
        for (int i = 0; i < 2; i++)
            if (of_body[body[i]] >= blocks->owned) {
                list[found++] = (ghost){division->owner[body[i]], body[i]};
                of_body[body[i]] = VS_NO_BLOCK;
            }
    }
    qsort(list, (size_t)count, sizeof *list, compare);
    for (int k = 0; k < count; k++) {
        blocks->body.data[blocks->owned + k] = list[k].body;
        of_body[list[k].body] = blocks->owned + k;
    }
    blocks->body.count = blocks->owned + count;
    vs_release(world->context, list);
    return VS_OK;
}

// Free nodes of solids behind the bodies.
static vs_error number_nodes(vs_blocks *blocks, const vs_world *world) {
    int total = 0, at = 0, next = (int)blocks->body.count;
    blocks->nodes = 0;
    blocks->flexible = world->flexible_slots.used > 0;
    if (!blocks->flexible)
        return VS_OK;
    for (int k = 0; k < world->flexibles; k++)
        total += world->flexible[k].beam ? 0 : world->flexible[k].nodes;
    vs_error error = VS_RESERVE(world->context, &blocks->first_node, world->flexibles + 1);
    if (!error)
        error = VS_RESERVE(world->context, &blocks->of_node, total);
    if (error)
        return error;
    for (int k = 0; k < world->flexibles; k++) {
        const vs_flexible *f = &world->flexible[k];
        blocks->first_node.data[k] = at;
        for (int i = 0; i < f->nodes && !f->beam; i++, at++)
            blocks->of_node.data[at] = vs_node_is_free(world, f, i) ? next++ : VS_NO_BLOCK;
    }
    blocks->first_node.data[world->flexibles] = at;
    blocks->nodes = next - (int)blocks->body.count;
    return VS_OK;
}

vs_error vs_blocks_number(vs_blocks *blocks, const vs_world *world, const vs_division *division,
                          const vs_contacts *contacts) {
    vs_error error = number_bodies(blocks, world);
    if (!error && division)
        error = number_ghosts(blocks, world, division, contacts);
    if (!error)
        error = VS_RESERVE(world->context, &blocks->struck, blocks->body.count);
    for (int64_t k = 0; k < blocks->body.count && !error; k++)
        blocks->struck.data[k] = false;
    return error ? error : number_nodes(blocks, world);
}

void vs_blocks_release(vs_context *context, vs_blocks *blocks) {
    VS_ARRAY_RELEASE(context, &blocks->of_body);
    VS_ARRAY_RELEASE(context, &blocks->body);
    VS_ARRAY_RELEASE(context, &blocks->first_node);
    VS_ARRAY_RELEASE(context, &blocks->of_node);
    VS_ARRAY_RELEASE(context, &blocks->cut);
    VS_ARRAY_RELEASE(context, &blocks->cut_mass);
    VS_ARRAY_RELEASE(context, &blocks->struck);
    VS_ARRAY_RELEASE(context, &blocks->before);
    VS_ARRAY_RELEASE(context, &blocks->free);
    VS_ARRAY_RELEASE(context, &blocks->moved);
}

// ---- velocities ------------------------------------------------------------------------------------

static void read_body(vs_blocks *blocks, const vs_world *world, int block, const vs_kick *kick) {
    const vs_body *body = &world->body[blocks->body.data[block]];
    vs_vec3 velocity, spin;
    vs_body_free(world, blocks->body.data[block], kick->push, kick->time, &velocity, &spin);
    const double before[6] = {body->velocity.x, body->velocity.y, body->velocity.z,
                              body->spin.x,     body->spin.y,     body->spin.z};
    const double free[6] = {velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z};
    memcpy(blocks->before.data + 6 * (int64_t)block, before, sizeof before);
    memcpy(blocks->free.data + 6 * (int64_t)block, free, sizeof free);
    double *moved = blocks->moved.data + 6 * (int64_t)block;
    for (int i = 0; i < 3; i++)
        moved[i] = .5 * body->mass * (free[i] - before[i]) * (free[i] - before[i]);
    vs_vec3 turned = vs_subtract(spin, body->spin);
    moved[3] = fmax(0, .5 * vs_dot(turned, vs_mat3_apply(&body->inertia, turned)));
    moved[4] = moved[5] = 0;
}

static void read_nodes(vs_blocks *blocks, const vs_world *world, int flexible, double h) {
    const vs_flexible *f = &world->flexible[flexible];
    for (int k = 0; k < f->nodes && !f->beam; k++) {
        int block = vs_blocks_of_node(blocks, flexible, k);
        if (block == VS_NO_BLOCK)
            continue;
        vs_vec3 now = f->velocity[k], then = vs_add_scaled(now, h, world->gravity);
        double *before = blocks->before.data + vs_blocks_column(blocks, block);
        double *free = blocks->free.data + vs_blocks_column(blocks, block);
        double *moved = blocks->moved.data + vs_blocks_column(blocks, block);
        before[0] = now.x, before[1] = now.y, before[2] = now.z;
        free[0] = then.x, free[1] = then.y, free[2] = then.z;
        for (int i = 0; i < 3; i++)
            moved[i] = .5 * f->mass[k] * (free[i] - before[i]) * (free[i] - before[i]);
    }
}

vs_error vs_blocks_read_velocities(vs_blocks *blocks, const vs_world *world, const vs_kick *kick) {
    int64_t n = vs_blocks_size(blocks);
    vs_error error = VS_RESERVE(world->context, &blocks->before, n);
    if (!error)
        error = VS_RESERVE(world->context, &blocks->free, n);
    if (!error)
        error = VS_RESERVE(world->context, &blocks->moved, n);
    if (error)
        return error;
    for (int k = 0; k < (int)blocks->body.count; k++)
        read_body(blocks, world, k, kick);
    for (int k = 0; k < world->flexibles; k++)
        read_nodes(blocks, world, k, kick->h);
    return VS_OK;
}

static void write_nodes(const vs_blocks *blocks, vs_world *world, int flexible, const double *v) {
    vs_flexible *f = &world->flexible[flexible];
    for (int k = 0; k < f->nodes && !f->beam; k++) {
        int block = vs_blocks_of_node(blocks, flexible, k);
        if (block == VS_NO_BLOCK)
            continue;
        const double *u = v + vs_blocks_column(blocks, block);
        f->velocity[k] = vs_node_along(f, k, (vs_vec3){u[0], u[1], u[2]});
    }
}

void vs_blocks_write_velocities(const vs_blocks *blocks, vs_world *world, const double *v) {
    for (int k = 0; k < world->flexibles; k++)
        write_nodes(blocks, world, k, v);
    for (int k = 0; k < (int)blocks->body.count; k++, v += 6) {
        vs_body *body = &world->body[blocks->body.data[k]];
        body->velocity = (vs_vec3){v[0], v[1], v[2]};
        body->spin = (vs_vec3){v[3], v[4], v[5]};
    }
}

vs_body vs_blocks_move_body(const vs_blocks *blocks, const vs_world *world, int index, const double *v, double h,
                            bool centred) {
    vs_body body = world->body[index];
    int block = vs_blocks_of_body(blocks, index);
    if (block != VS_NO_BLOCK) {
        const double *u = v + vs_blocks_column(blocks, block);
        body.velocity = (vs_vec3){u[0], u[1], u[2]};
        body.spin = (vs_vec3){u[3], u[4], u[5]};
        if (blocks->struck.data[block])
            body.free_spin = body.spin;
    }
    if (body.motion != VS_MOTION_STATIC && centred)
        vs_body_drift(&body, h);
    else if (body.motion != VS_MOTION_STATIC)
        vs_body_advance(&body, h);
    return body;
}
