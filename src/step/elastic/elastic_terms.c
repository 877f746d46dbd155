// Values of H and c with flexible bodies: see elastic_terms.h.
#include "step/elastic/elastic_terms.h"

#include <string.h>

#include "step/rows/point_jacobian.h"

void vs_elastic_terms_release(vs_context *context, vs_elastic_terms *s) {
    vs_elastic_matrix_release(context, &s->H);
    VS_ARRAY_RELEASE(context, &s->around);
    VS_ARRAY_RELEASE(context, &s->direction);
    VS_ARRAY_RELEASE(context, &s->right);
    VS_ARRAY_RELEASE(context, &s->push);
    VS_ARRAY_RELEASE(context, &s->velocity);
    VS_ARRAY_RELEASE(context, &s->before);
    VS_ARRAY_RELEASE(context, &s->mean);
    VS_ARRAY_RELEASE(context, &s->offset);
    VS_ARRAY_RELEASE(context, &s->inertia);
    VS_ARRAY_RELEASE(context, &s->touches);
}

// ---- nodes -----------------------------------------------------------------------------------------

vs_vec3 vs_elastic_terms_node_velocity(const vs_elastic_terms *s, int flexible, int node, const double *v) {
    const vs_flexible *f = &s->world->flexible[flexible];
    int block = vs_blocks_of_node(s->blocks, flexible, node);
    if (block == VS_NO_BLOCK)
        return vs_node_prescribed_velocity(s->world, f, node, s->kick->h);
    v += vs_blocks_column(s->blocks, block);
    return vs_node_along(f, node, (vs_vec3){v[0], v[1], v[2]});
}

void vs_elastic_terms_velocities(const vs_elastic_terms *s, int flexible, const double *v, vs_vec3 *out) {
    for (int k = 0; k < s->world->flexible[flexible].nodes; k++)
        out[k] = vs_elastic_terms_node_velocity(s, flexible, k, v);
}

// Those of blocks are in `before`: applied velocities may stand in the world already.
void vs_elastic_terms_velocities_before(const vs_elastic_terms *s, int flexible, vs_vec3 *out) {
    const vs_flexible *f = &s->world->flexible[flexible];
    for (int j = 0; j < (f->beam ? 2 * f->nodes : f->nodes); j++) {
        int tile = vs_elastic_matrix_tile(s->world, s->blocks, flexible, j);
        const double *v = s->blocks->before.data + 3 * (int64_t)tile;
        if (tile >= 0) {
            out[j] = (vs_vec3){v[0], v[1], v[2]};
        } else if (f->beam) {
            double mean[6], now[6];
            const vs_body *body = &s->world->body[f->body[j / 2].index];
            vs_body_get_mean_velocities(body, mean);
            vs_body_get_velocities(body, now);
            const double *m = mean + 3 * (j % 2), *n = now + 3 * (j % 2);
            out[j] = (vs_vec3){2 * m[0] - n[0], 2 * m[1] - n[1], 2 * m[2] - n[2]};
        } else {
            out[j] = f->velocity[j];
        }
    }
}

vs_elastic_times vs_elastic_terms_times(const vs_elastic_terms *s, int flexible) {
    return vs_elastic_times_of(&s->world->flexible[flexible], s->kick, s->damping);
}

bool vs_elastic_terms_at_start(const vs_elastic_terms *s, int flexible) {
    return s->world->flexible[flexible].beam || (!s->expanded && vs_elastic_terms_times(s, flexible).smooth == 0);
}

void vs_elastic_terms_offset(const vs_elastic_terms *s, int flexible, vs_vec3 *out) {
    const vs_flexible *f = &s->world->flexible[flexible];
    const vs_elastic_times at = vs_elastic_terms_times(s, flexible);
    vs_elastic_terms_velocities_before(s, flexible, out);
    for (int j = 0; j < (f->beam ? 2 * f->nodes : f->nodes); j++)
        out[j] = vs_add_scaled(vs_scale(at.behind, out[j]), -at.earlier, f->stepped ? f->earlier[j] : out[j]);
}

// Marks the nodes of a solid that have contacts.
static void mark_touching(vs_elastic_terms *s, int flexible, const vs_node_contacts *contacts) {
    for (int j = 0; j < s->world->flexible[flexible].nodes; j++)
        s->touches.data[j] = false;
    for (int k = 0; k < contacts->count; k++)
        for (int i = 0; i < 2; i++) {
            const vs_contact_side *side = &contacts->contact[k].side[i];
            for (int j = 0; j < side->count && side->flexible == flexible; j++)
                s->touches.data[side->node[j]] = true;
        }
}

static void smooth_solid(vs_elastic_terms *s, int flexible) {
    vs_flexible *f = &s->world->flexible[flexible];
    const double smooth = vs_elastic_terms_times(s, flexible).smooth;
    vs_vec3 *jump = s->before.data, sum = VS_ZERO3;
    double mass = 0;
    vs_elastic_terms_velocities_before(s, flexible, jump);
    for (int j = 0; j < f->nodes; j++) {
        jump[j] = vs_subtract(jump[j], f->earlier[j]);
        sum = vs_add_scaled(sum, f->mass[j], jump[j]);
        mass += f->mass[j];
    }
    for (int j = 0; j < f->nodes; j++)
        if (!s->touches.data[j] && vs_blocks_of_node(s->blocks, flexible, j) != VS_NO_BLOCK)
            f->position[j] =
                vs_add_scaled(f->position[j], -smooth, vs_node_along(f, j, vs_add_scaled(jump[j], -1 / mass, sum)));
}

vs_error vs_elastic_terms_smooth(vs_elastic_terms *s, const vs_node_contacts *contacts) {
    for (int k = 0; k < s->world->flexibles; k++) {
        const vs_flexible *f = &s->world->flexible[k];
        if (!f->alive || f->beam || !f->stepped)
            continue;
        const vs_error error = VS_RESERVE(s->world->context, &s->touches, f->nodes);
        if (error)
            return error;
        mark_touching(s, k, contacts);
        smooth_solid(s, k);
    }
    return VS_OK;
}

void vs_elastic_terms_remember(const vs_elastic_terms *s) {
    for (int k = 0; k < s->world->flexibles; k++)
        if (s->world->flexible[k].alive)
            vs_elastic_terms_velocities_before(s, k, s->world->flexible[k].earlier);
}

void vs_elastic_terms_move(const vs_elastic_terms *s, int flexible, const double *v, vs_vec3 *saved) {
    vs_flexible *f = &s->world->flexible[flexible];
    const vs_elastic_times at = vs_elastic_terms_times(s, flexible);
    vs_elastic_terms_offset(s, flexible, s->offset.data);
    memcpy(saved, f->position, sizeof *saved * (size_t)f->nodes);
    for (int k = 0; k < f->nodes; k++)
        f->position[k] = vs_add_scaled(vs_subtract(saved[k], s->offset.data[k]), at.ahead,
                                       vs_elastic_terms_node_velocity(s, flexible, k, v));
}

void vs_elastic_terms_move_back(const vs_elastic_terms *s, int flexible, const vs_vec3 *saved) {
    vs_flexible *f = &s->world->flexible[flexible];
    memcpy(f->position, saved, sizeof *saved * (size_t)f->nodes);
}

// ---- H ---------------------------------------------------------------------------------------------

static int tile_of(const vs_elastic_terms *s, int flexible, int j) {
    return vs_elastic_matrix_tile(s->world, s->blocks, flexible, j);
}

static void fill_bodies(vs_elastic_terms *s) {
    const vs_elastic_matrix *H = &s->H;
    double *x = H->x.data;
    for (int b = 0; b < (int)s->blocks->body.count; b++) {
        const vs_body *body = &s->world->body[s->blocks->body.data[b]];
        for (int i = 0; i < 3; i++) {
            x[vs_elastic_matrix_place(H, 2 * b, i, 2 * b, i)] += body->mass;
            for (int j = 0; j < 3; j++)
                x[vs_elastic_matrix_place(H, 2 * b + 1, i, 2 * b + 1, j)] += body->inertia.a[3 * i + j];
        }
    }
}

// Velocity of a block of the assembly that is no unknown.
static vs_vec3 prescribed_velocity(const vs_elastic_terms *s, const vs_flexible *f, int j) {
    if (!f->beam)
        return vs_node_prescribed_velocity(s->world, f, j, s->kick->h);
    const vs_body *body = &s->world->body[f->body[j / 2].index];
    return j % 2 ? body->spin : body->velocity;
}

// One number of H, which goes to its two places or, if one of its velocities is prescribed, to c.
typedef struct entry {
    int flexible, row, column; // of the assembly
    const int64_t *map;        // (2)
} entry;

static void put(vs_elastic_terms *s, entry at, double value, double *c) {
    double *x = s->H.x.data;
    const vs_flexible *f = &s->world->flexible[at.flexible];
    // a velocity that is zero keeps its unknown, alone: only the diagonal is left
    if (at.row != at.column &&
        (vs_node_is_guided(f, at.row / 3, at.row % 3) || vs_node_is_guided(f, at.column / 3, at.column % 3)))
        return;
    if (at.map[0] >= 0) {
        x[at.map[0]] += value;
        if (at.map[1] >= 0)
            x[at.map[1]] += value;
        return;
    }
    int i = tile_of(s, at.flexible, at.row / 3), j = tile_of(s, at.flexible, at.column / 3);
    if (i >= 0)
        c[3 * i + at.row % 3] += value * vs_component(prescribed_velocity(s, f, at.column / 3), at.column % 3);
    if (j >= 0)
        c[3 * j + at.column % 3] += value * vs_component(prescribed_velocity(s, f, at.row / 3), at.row % 3);
}

static void fill_matrix(vs_elastic_terms *s, int flexible, double *c) {
    const vs_flexible *f = &s->world->flexible[flexible];
    const int64_t *map = s->H.map.data + s->H.map_start.data[flexible];
    vs_linear_pattern pattern = vs_assembly_pattern(f->assembly);
    const vs_elastic_times at = vs_elastic_terms_times(s, flexible);
    vs_step_weights weight = vs_elastic_weights(&at, &f->stuff);
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
            put(s, (entry){flexible, pattern.i[e], j, map + 2 * e}, value, c);
        }
}

// ---- c ---------------------------------------------------------------------------------------------

static void subtract(double *c, int tile, vs_vec3 p) {
    c += 3 * (int64_t)tile;
    c[0] -= p.x, c[1] -= p.y, c[2] -= p.z;
}

// Right-hand sides (blocks of the assembly) to c.
static void put_right(const vs_elastic_terms *s, int flexible, const vs_vec3 *right, double *c) {
    const vs_flexible *f = &s->world->flexible[flexible];
    for (int j = 0; j < (f->beam ? 2 * f->nodes : f->nodes); j++) {
        int tile = tile_of(s, flexible, j);
        if (tile >= 0)
            subtract(c, tile, f->beam ? right[j] : vs_node_along(f, j, right[j]));
    }
}

static void fill_beam_right(vs_elastic_terms *s, int flexible, const vs_elastic_times *at, double *c) {
    const vs_flexible *f = &s->world->flexible[flexible];
    vs_vec3 *right = s->right.data;
    for (int j = 0; j < 2 * f->nodes; j++)
        right[j] = vs_scale(at->length, (vs_vec3){f->f[3 * j], f->f[3 * j + 1], f->f[3 * j + 2]});
    put_right(s, flexible, right, c);
}

static void fill_solid_right(vs_elastic_terms *s, int flexible, const vs_elastic_times *at, double *c) {
    const vs_flexible *f = &s->world->flexible[flexible];
    vs_vec3 *right = s->right.data, *push = s->push.data;
    const vs_vec3 *v = s->before.data;
    for (int k = 0; k < f->nodes; k++)
        push[k] = vs_add_scaled(v[k], at->length, s->world->gravity);
    vs_flexible_multiply_mass(f, push, right);
    vs_flexible_push(f, s->kick->time, push);
    for (int k = 0; k < f->nodes; k++) {
        vs_vec3 force = vs_add(push[k], (vs_vec3){f->f[3 * k], f->f[3 * k + 1], f->f[3 * k + 2]});
        right[k] = vs_add_scaled(right[k], at->length, force);
    }
    put_right(s, flexible, right, c);
}

// With f at q: L K o; with f at q + a w - o:
//
//     f(q + a v1 - o) = f + a K w - a K v1        L a K w
static void fill_stiff_right(vs_elastic_terms *s, int flexible, const vs_elastic_times *at, double *c) {
    const vs_flexible *f = &s->world->flexible[flexible];
    const bool start = vs_elastic_terms_at_start(s, flexible);
    vs_vec3 *x = s->offset.data, *product = s->right.data;
    if (start && at->behind == 0 && at->earlier == 0)
        return;
    if (start)
        vs_elastic_terms_offset(s, flexible, x);
    else
        vs_elastic_terms_velocities(s, flexible, s->around.data, x);
    vs_assembly_multiply(f->assembly, f->K, at->length * (start ? 1 : at->ahead), &x->x, 0, &product->x);
    put_right(s, flexible, product, c);
}

// ---- both ------------------------------------------------------------------------------------------

// Velocities that lead a solid's elements to where they are linearized first: a w - o = -smooth (v0 - v_earlier)
static void predict(vs_elastic_terms *s, int flexible) {
    const vs_flexible *f = &s->world->flexible[flexible];
    const vs_elastic_times at = vs_elastic_terms_times(s, flexible);
    vs_vec3 *before = s->before.data;
    vs_elastic_terms_velocities_before(s, flexible, before);
    for (int k = 0; k < f->nodes; k++) {
        int tile = tile_of(s, flexible, k);
        vs_vec3 w = vs_add_scaled(vs_scale((at.behind - at.smooth) / at.ahead, before[k]),
                                  (at.smooth - at.earlier) / at.ahead, f->stepped ? f->earlier[k] : before[k]);
        double *around = s->around.data + 3 * (int64_t)tile;
        if (tile >= 0)
            around[0] = w.x, around[1] = w.y, around[2] = w.z;
    }
}

// f and K where the elements are linearized.
static void evaluate(vs_elastic_terms *s, int flexible) {
    vs_flexible *f = &s->world->flexible[flexible];
    const bool start = vs_elastic_terms_at_start(s, flexible);
    if (!start)
        vs_elastic_terms_move(s, flexible, s->around.data, s->inertia.data);
    vs_flexible_evaluate(s->world, f);
    if (!start)
        vs_elastic_terms_move_back(s, flexible, s->inertia.data);
}

// Enough for the end of the step, too, which cannot fail.
static vs_error reserve_work(vs_elastic_terms *s) {
    vs_context *context = s->world->context;
    int most = 0;
    for (int k = 0; k < s->world->flexibles; k++) {
        int blocks = (s->world->flexible[k].beam ? 2 : 1) * s->world->flexible[k].nodes;
        most = blocks > most ? blocks : most;
    }
    vs_error error = VS_RESERVE(context, &s->right, most);
    if (!error)
        error = VS_RESERVE(context, &s->push, most);
    if (!error)
        error = VS_RESERVE(context, &s->velocity, most);
    if (!error)
        error = VS_RESERVE(context, &s->before, most);
    if (!error)
        error = VS_RESERVE(context, &s->mean, most);
    if (!error)
        error = VS_RESERVE(context, &s->offset, most);
    return error ? error : VS_RESERVE(context, &s->inertia, most);
}

vs_error vs_elastic_terms_fill(vs_elastic_terms *s, double *c) {
    vs_error error = vs_elastic_matrix_prepare(&s->H, s->world, s->blocks);
    if (!error)
        error = VS_RESERVE(s->world->context, &s->around, vs_blocks_size(s->blocks));
    if (!error)
        error = reserve_work(s);
    if (error)
        return error;
    memset(s->H.x.data, 0, sizeof(double) * (size_t)s->H.x.count);
    fill_bodies(s);
    for (int k = 0; k < s->world->flexibles; k++) {
        const vs_flexible *f = &s->world->flexible[k];
        if (!f->alive)
            continue;
        const vs_elastic_times at = vs_elastic_terms_times(s, k);
        if (!s->expanded && !f->beam)
            predict(s, k);
        evaluate(s, k);
        fill_matrix(s, k, c);
        vs_elastic_terms_velocities_before(s, k, s->before.data);
        if (f->beam)
            fill_beam_right(s, k, &at, c);
        else
            fill_solid_right(s, k, &at, c);
        fill_stiff_right(s, k, &at, c);
    }
    return VS_OK;
}
