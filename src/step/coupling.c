// H and c of flexible bodies: where elements couple velocities.
//
//     H = (1 + h alpha) M + (h^2 + h beta) K,    c = -(M (v + h g) + h f + h pushes) + H_fg v_g
//
// f and K of the elements at the positions of the beginning (K is their semidefinite tangent: what it leaves out is
// told in element/), R = alpha M + beta K. Velocities v_g that are given (held nodes, nodes on bodies without mass)
// have no column; what they do to the free ones stands in c. (newton.c expands the elements elsewhere, if asked for.)
// Of a beam the mass is that of its bodies, alpha damps their linear velocities only. The pattern is made once for a
// topology of the world; a step only sums values.
#include "step/simulation_data.h"

#include <stdlib.h>
#include <string.h>

void vs_coupling_release(vs_context *context, vs_coupling *coupling) {
    vs_list *lists[] = {&coupling->start,    &coupling->block,  &coupling->p,    &coupling->i,
                        &coupling->x,        &coupling->tile_p, &coupling->pair, &coupling->tile_i,
                        &coupling->map,      &coupling->right,  &coupling->push, &coupling->map_start,
                        &coupling->velocity, &coupling->inertia};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        vs_list_release(context, lists[k]);
}

#define AT(list, type) ((type *)(list).data)

// ---- numbers ---------------------------------------------------------------------------------------

vs_error vs_coupling_number(vs_simulation *s) {
    const vs_world *world = s->world;
    vs_coupling *c = &s->coupling;
    int total = 0;
    s->nodes = 0;
    c->needed = world->flexible_slots.used > 0;
    if (!c->needed)
        return VS_OK;
    for (int k = 0; k < world->flexibles; k++)
        total += world->flexible[k].beam ? 0 : world->flexible[k].nodes;
    vs_error error = vs_list_reserve(s->context, &c->start, world->flexibles + 1, sizeof(int));
    if (!error)
        error = vs_list_reserve(s->context, &c->block, total, sizeof(int));
    if (error)
        return error;
    int at = 0, next = (int)s->body_of.count;
    for (int k = 0; k < world->flexibles; k++) {
        const vs_flexible *f = &world->flexible[k];
        AT(c->start, int)[k] = at;
        for (int i = 0; i < f->nodes && !f->beam; i++, at++)
            AT(c->block, int)[at] = vs_node_is_free(world, f, i) ? next++ : -1;
    }
    AT(c->start, int)[world->flexibles] = at;
    s->nodes = next - (int)s->body_of.count;
    return VS_OK;
}

int vs_coupling_block(const vs_simulation *s, int flexible, int node) {
    return AT(s->coupling.block, const int)[AT(s->coupling.start, const int)[flexible] + node];
}

// Tile of block j of a flexible body's assembly, -1: given.
static int tile_of(const vs_simulation *s, int flexible, int j) {
    const vs_flexible *f = &s->world->flexible[flexible];
    int bodies = (int)s->body_of.count;
    int block = f->beam ? AT(s->block_of, const int)[f->body[j / 2].index] : vs_coupling_block(s, flexible, j);
    if (block < 0)
        return -1;
    return f->beam ? 2 * block + j % 2 : bodies + block; // 2 bodies + (block - bodies)
}

// ---- pattern ---------------------------------------------------------------------------------------

static vs_error push_pair(vs_simulation *s, int column, int row) {
    vs_list *pair = &s->coupling.pair;
    vs_error error = vs_list_reserve(s->context, pair, pair->count + 1, sizeof(uint64_t));
    if (!error)
        AT(*pair, uint64_t)[pair->count++] = (uint64_t)column << 32 | (uint64_t)row;
    return error;
}

static vs_error gather_pairs(vs_simulation *s, int tiles) {
    vs_error error = VS_OK;
    s->coupling.pair.count = 0;
    for (int t = 0; t < tiles && !error; t++)
        error = push_pair(s, t, t);
    for (int k = 0; k < s->world->flexibles; k++) {
        const vs_flexible *f = &s->world->flexible[k];
        if (!f->alive)
            continue;
        vs_linear_pattern pattern = vs_assembly_pattern(f->assembly);
        for (int j = 0; 3 * j < pattern.n && !error; j++) {
            int column = tile_of(s, k, j);
            // rows of column 3 j: 3 of the diagonal block, then whole blocks
            for (int64_t e = pattern.p[3 * j] + 3; e < pattern.p[3 * j + 1] && column >= 0 && !error; e += 3) {
                int row = tile_of(s, k, pattern.i[e] / 3);
                if (row < 0)
                    continue;
                error = push_pair(s, column, row);
                if (!error)
                    error = push_pair(s, row, column);
            }
        }
    }
    return error;
}

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static vs_error make_tiles(vs_simulation *s, int tiles) {
    vs_coupling *c = &s->coupling;
    uint64_t *pair = c->pair.data;
    qsort(pair, (size_t)c->pair.count, sizeof *pair, compare);
    int64_t count = 0;
    for (int64_t k = 0; k < c->pair.count; k++)
        if (k == 0 || pair[k] != pair[k - 1])
            pair[count++] = pair[k];
    vs_error error = vs_list_reserve(s->context, &c->tile_p, tiles + 1, sizeof(int64_t));
    if (!error)
        error = vs_list_reserve(s->context, &c->tile_i, count, sizeof(int));
    if (!error)
        error = vs_list_reserve(s->context, &c->p, 3 * (int64_t)tiles + 1, sizeof(int64_t));
    if (!error)
        error = vs_list_reserve(s->context, &c->i, 9 * count, sizeof(int));
    if (!error)
        error = vs_list_reserve(s->context, &c->x, 9 * count, sizeof(double));
    if (error)
        return error;
    int64_t *tile_p = c->tile_p.data, *p = c->p.data, at = 0;
    int *tile_i = c->tile_i.data, *i = c->i.data;
    for (int64_t k = 0; k < count; k++)
        tile_i[k] = (int)(pair[k] & UINT32_MAX);
    for (int t = 0, k = 0; t < tiles; t++) {
        tile_p[t] = k;
        while (k < count && (int)(pair[k] >> 32) == t)
            k++;
        tile_p[t + 1] = k;
        for (int column = 0; column < 3; column++) {
            p[3 * t + column] = at;
            for (int64_t e = tile_p[t]; e < k; e++)
                for (int row = 0; row < 3; row++)
                    i[at++] = 3 * tile_i[e] + row;
        }
    }
    p[3 * tiles] = at;
    c->x.count = at;
    return VS_OK;
}

// Where entry (3 row + r, 3 column + k) of H stands; it is there.
static int64_t place_of(const vs_coupling *c, int row, int r, int column, int k) {
    const int64_t *p = c->tile_p.data;
    const int *i = c->tile_i.data;
    int64_t low = p[column], high = p[column + 1];
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (i[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return 9 * p[column] + 3 * k * (p[column + 1] - p[column]) + 3 * (low - p[column]) + r;
}

static vs_error make_map(vs_simulation *s) {
    vs_coupling *c = &s->coupling;
    const vs_world *world = s->world;
    vs_error error = vs_list_reserve(s->context, &c->map_start, world->flexibles + 1, sizeof(int64_t));
    int64_t *start = c->map_start.data, total = 0;
    if (error)
        return error;
    for (int k = 0; k < world->flexibles; k++) {
        start[k] = total;
        total += world->flexible[k].alive ? 2 * world->flexible[k].nonzeros : 0;
    }
    start[world->flexibles] = total;
    error = vs_list_reserve(s->context, &c->map, total, sizeof(int64_t));
    for (int k = 0; k < world->flexibles && !error; k++) {
        const vs_flexible *f = &world->flexible[k];
        if (!f->alive)
            continue;
        vs_linear_pattern pattern = vs_assembly_pattern(f->assembly);
        int64_t *map = AT(c->map, int64_t) + start[k];
        for (int j = 0; j < pattern.n; j++)
            for (int64_t e = pattern.p[j]; e < pattern.p[j + 1]; e++) {
                int i = pattern.i[e], row = tile_of(s, k, i / 3), column = tile_of(s, k, j / 3);
                bool there = row >= 0 && column >= 0;
                map[2 * e] = there ? place_of(c, row, i % 3, column, j % 3) : -1;
                map[2 * e + 1] = there && i != j ? place_of(c, column, j % 3, row, i % 3) : -1;
            }
    }
    return error;
}

static vs_error make_pattern(vs_simulation *s) {
    vs_coupling *c = &s->coupling;
    if (c->x.count > 0 && c->topology == s->world->topology)
        return VS_OK;
    int tiles = vs_step_size(s) / 3;
    vs_error error = gather_pairs(s, tiles);
    if (!error)
        error = make_tiles(s, tiles);
    if (!error)
        error = make_map(s);
    c->topology = s->world->topology;
    if (error)
        c->x.count = 0;
    return error;
}

// ---- values ----------------------------------------------------------------------------------------

static void fill_bodies(vs_simulation *s) {
    const vs_coupling *c = &s->coupling;
    double *x = c->x.data;
    for (int b = 0; b < (int)s->body_of.count; b++) {
        const vs_body *body = &s->world->body[AT(s->body_of, const int)[b]];
        for (int i = 0; i < 3; i++) {
            x[place_of(c, 2 * b, i, 2 * b, i)] += body->mass;
            for (int j = 0; j < 3; j++)
                x[place_of(c, 2 * b + 1, i, 2 * b + 1, j)] += body->inertia.a[3 * i + j];
        }
    }
}

// Velocity of a block of the assembly that is no unknown.
static vs_vec3 given_of(const vs_simulation *s, const vs_flexible *f, int j) {
    if (!f->beam)
        return vs_node_given(s->world, f, j, s->options.step);
    const vs_body *body = &s->world->body[f->body[j / 2].index];
    return j % 2 ? body->spin : body->velocity;
}

// One number of H, which goes to its two places, or, if one of its velocities is given, to c.
static void put(vs_simulation *s, int flexible, const int64_t map[2], int row, int column, double value) {
    double *x = s->coupling.x.data, *c = s->c.data;
    const vs_flexible *f = &s->world->flexible[flexible];
    // a velocity that is zero keeps its unknown, alone: only the diagonal is left
    if (row != column && (vs_node_is_guided(f, row / 3, row % 3) || vs_node_is_guided(f, column / 3, column % 3)))
        return;
    if (map[0] >= 0) {
        x[map[0]] += value;
        if (map[1] >= 0)
            x[map[1]] += value;
        return;
    }
    int i = tile_of(s, flexible, row / 3), j = tile_of(s, flexible, column / 3);
    if (i >= 0)
        c[3 * i + row % 3] += value * vs_component(given_of(s, f, column / 3), column % 3);
    if (j >= 0)
        c[3 * j + column % 3] += value * vs_component(given_of(s, f, row / 3), row % 3);
}

static void fill_flexible(vs_simulation *s, int flexible) {
    const vs_flexible *f = &s->world->flexible[flexible];
    const int64_t *map = AT(s->coupling.map, const int64_t) + AT(s->coupling.map_start, const int64_t)[flexible];
    vs_linear_pattern pattern = vs_assembly_pattern(f->assembly);
    vs_step_weights weight = vs_step_weights_of(&f->stuff, s->options.step);
    for (int j = 0; j < pattern.n; j++)
        for (int64_t e = pattern.p[j]; e < pattern.p[j + 1]; e++) {
            double value = weight.stiffness * f->K[e];
            bool diagonal = pattern.i[e] == j;
            if (f->M)
                value += weight.mass * f->M[e];
            else if (diagonal && !f->beam)
                value += weight.mass * f->mass[j / 3];
            else if (diagonal && j / 3 % 2 == 0)
                value += (weight.mass - 1) * f->mass[j / 6];
            put(s, flexible, map + 2 * e, pattern.i[e], j, value);
        }
}

static void add_right(vs_simulation *s, int tile, vs_vec3 p) {
    double *c = AT(s->c, double) + 3 * (int64_t)tile;
    c[0] -= p.x, c[1] -= p.y, c[2] -= p.z;
}

static void fill_right(vs_simulation *s, int flexible) {
    const vs_world *world = s->world;
    const vs_flexible *f = &world->flexible[flexible];
    vs_coupling *coupling = &s->coupling;
    double h = s->options.step;
    for (int j = 0; j < 2 * f->nodes && f->beam; j++) {
        int tile = tile_of(s, flexible, j);
        if (tile >= 0)
            add_right(s, tile, (vs_vec3){h * f->f[3 * j], h * f->f[3 * j + 1], h * f->f[3 * j + 2]});
    }
    if (f->beam)
        return;
    vs_vec3 *right = coupling->right.data, *push = coupling->push.data;
    for (int k = 0; k < f->nodes; k++)
        push[k] = vs_add_scaled(f->velocity[k], h, world->gravity);
    vs_flexible_multiply_mass(f, push, right);
    vs_flexible_push(world, f, h, push);
    for (int k = 0; k < f->nodes; k++) {
        int tile = tile_of(s, flexible, k);
        vs_vec3 force = vs_add(push[k], (vs_vec3){f->f[3 * k], f->f[3 * k + 1], f->f[3 * k + 2]});
        if (tile >= 0)
            add_right(s, tile, vs_node_along(f, k, vs_add_scaled(right[k], h, force)));
    }
}

// Elements at the positions of the beginning, or where newton.c wants them.
static void evaluate(vs_simulation *s, int flexible) {
    vs_flexible *f = &s->world->flexible[flexible];
    bool moved = s->expanded && !f->beam;
    if (moved)
        vs_newton_move(s, flexible, s->around.data, s->coupling.inertia.data);
    vs_flexible_evaluate(s->world, f);
    if (moved)
        vs_newton_move_back(s, flexible, s->coupling.inertia.data);
}

// f(q + h v) = f + h K w - h K v, expanded about w: c -= h^2 K w.
static void add_expansion(vs_simulation *s, int flexible) {
    const vs_flexible *f = &s->world->flexible[flexible];
    vs_vec3 *w = s->coupling.velocity.data, *product = s->coupling.right.data;
    double h = s->options.step;
    vs_newton_velocities(s, flexible, s->around.data, w);
    vs_assembly_multiply(f->assembly, f->K, h * h, &w->x, 0, &product->x);
    for (int k = 0; k < f->nodes; k++) {
        int tile = tile_of(s, flexible, k);
        if (tile >= 0)
            add_right(s, tile, vs_node_along(f, k, product[k]));
    }
}

// For the step's end, too, which cannot fail.
static vs_error reserve_scratch(vs_simulation *s) {
    vs_coupling *c = &s->coupling;
    vs_list *list[] = {&c->right, &c->push, &c->velocity, &c->inertia};
    int most = 0;
    for (int k = 0; k < s->world->flexibles; k++) {
        int blocks = (s->world->flexible[k].beam ? 2 : 1) * s->world->flexible[k].nodes;
        most = blocks > most ? blocks : most;
    }
    vs_error error = VS_OK;
    for (int k = 0; k < 4 && !error; k++)
        error = vs_list_reserve(s->context, list[k], most, sizeof(vs_vec3));
    return error;
}

vs_error vs_coupling_fill(vs_simulation *s) {
    vs_error error = make_pattern(s);
    if (!error)
        error = reserve_scratch(s);
    if (error)
        return error;
    memset(s->coupling.x.data, 0, sizeof(double) * (size_t)s->coupling.x.count);
    fill_bodies(s);
    for (int k = 0; k < s->world->flexibles; k++) {
        if (!s->world->flexible[k].alive)
            continue;
        evaluate(s, k);
        fill_flexible(s, k);
        fill_right(s, k);
        if (s->expanded && !s->world->flexible[k].beam)
            add_expansion(s, k);
    }
    return VS_OK;
}
