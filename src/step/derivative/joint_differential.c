// Rows of joints by differences: see joint_differential.h. Directions of a body are those of its state: it moves, it turns with its angular
// velocity fixed in the world, and its velocities change. The last act only through rows with the rate of before, linearly.
#include "step/derivative/joint_differential.h"

#include <math.h>
#include <string.h>

#include "body/joint_command.h"
#include "body/joint_coordinate.h"
#include "body/joint_effort.h"
#include "body/joint_rows.h"
#include "body/motion_derivative.h"
#include "step/rows/joint_law.h"
#include "step/rows/point_jacobian.h"

static const double STEP = 1e-3;    // of a length of the joint, and rad: contact_geometry.h
static const double REDUCTION = .1; // if limits come within reach or leave it
enum {
    REDUCTIONS = 3,
    IN = 12, // per body
    OUT = 9,
    VALUES_MOST = OUT * VS_ROW_BODIES_MOST + VS_JOINT_ROWS_MOST
};

typedef struct linear_joint {
    const vs_joint_state *of;
    int slot;
    const vs_joint_use *use;
    int bodies, body[VS_ROW_BODIES_MOST], block[VS_ROW_BODIES_MOST];
    vs_body base[VS_ROW_BODIES_MOST];
    double v[VS_ROW_BODIES_MOST][6]; // of the solution, or prescribed
    vs_joint_row here[VS_JOINT_ROWS_MOST];
    double length; // m, of moves
    double effort; // N s or N m s
} linear_joint;

// ---- the joint -------------------------------------------------------------------------------------

// b = -Psi, and of a motor that keeps its coordinate what is left to this.
static int projected_rows(const vs_joint_state *of, int slot, vs_joint_row *row) {
    const vs_joint *joint = &of->world->joint[slot];
    double psi[VS_JOINT_BILATERAL_MOST];
    int rows = vs_joint_violation(of->world, joint, psi, row);
    if (vs_joint_is_driven(joint)) {
        const vs_joint_frame frame = vs_joint_frame_get(of->world, joint);
        if (vs_joint_coordinate_row(of->world, joint, &frame, &psi[rows], &row[rows]))
            psi[rows] -= of->held[slot], rows++;
    }
    for (int i = 0; i < rows; i++)
        row[i].b = -psi[i];
    return rows;
}

int vs_joint_state_rows(const vs_joint_state *of, int slot, vs_joint_row row[VS_JOINT_ROWS_MOST]) {
    return of->kick ? vs_joint_rows(of->world, &of->world->joint[slot], of->kick, row) : projected_rows(of, slot, row);
}

static int number_of(const linear_joint *j, int body) {
    for (int k = 0; k < j->bodies; k++)
        if (j->body[k] == body)
            return k;
    return -1;
}

static void add_body(linear_joint *j, int body) {
    if (number_of(j, body) >= 0)
        return;
    const int k = j->bodies++;
    j->body[k] = body;
    j->base[k] = j->of->world->body[body];
    j->block[k] = vs_blocks_of_body(j->of->blocks, body);
    memset(j->v[k], 0, sizeof j->v[k]);
    if (j->block[k] != VS_NO_BLOCK)
        memcpy(j->v[k], j->of->v + vs_blocks_column(j->of->blocks, j->block[k]), sizeof j->v[k]);
    else if (j->of->kick)
        vs_body_get_velocities(&j->base[k], j->v[k]);
}

static bool effort_row(const linear_joint *j, vs_joint_row *row) {
    const vs_joint *joint = &j->of->world->joint[j->slot];
    const vs_joint_frame frame = vs_joint_frame_get(j->of->world, joint);
    double x;
    return vs_joint_coordinate_row(j->of->world, joint, &frame, &x, row);
}

// Rows are curved on the scale of the length of their line; others are bilinear in positions, and any length serves.
static double length_of(const linear_joint *j) {
    const vs_joint *joint = &j->of->world->joint[j->slot];
    double x, rate;
    vs_joint_coordinate(j->of->world, joint, &x, &rate);
    const bool line = joint->def.kind == VS_JOINT_DISTANCE || joint->def.kind == VS_JOINT_SPRING;
    const double parts = joint->def.kind == VS_JOINT_CABLE ? 10. * joint->def.points : 1;
    return (line || joint->def.points > 0) && x > 0 ? x / parts : 1;
}

static void make_joint(linear_joint *j, const vs_joint_state *of, int slot, const vs_joint_use *use) {
    const vs_joint *joint = &of->world->joint[slot];
    vs_joint_row row;
    *j = (linear_joint){.of = of, .slot = slot, .use = use};
    const int rows = vs_joint_state_rows(of, slot, j->here);
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < j->here[i].bodies; k++)
            add_body(j, j->here[i].body[k]);
    j->length = length_of(j);
    if (of->kick && joint->def.motor == VS_MOTOR_EFFORT && effort_row(j, &row)) {
        j->effort = of->kick->push * vs_joint_effort_at(joint, of->kick->time);
        for (int k = 0; k < row.bodies; k++)
            add_body(j, row.body[k]);
    }
}

// ---- values ----------------------------------------------------------------------------------------

// The same row elsewhere: limits are absent where they are out of reach.
static const vs_joint_row *find_row(const vs_joint_row *row, int rows, const vs_joint_row *wanted, int at) {
    for (int i = 0; i < rows; i++) {
        const vs_joint_row *it = &row[(at + i) % rows];
        if (it->kind == wanted->kind && it->drives == wanted->drives && it->spring == wanted->spring &&
            it->sense == wanted->sense)
            return it;
    }
    return NULL;
}

// -J'l to c, b - J v - E l
static void add_row(const linear_joint *j, const vs_joint_row *row, int i, double *out) {
    const double impulse = j->use->row[i].impulse;
    double left = row->b - row->compliance * impulse;
    for (int k = 0; k < row->bodies; k++) {
        const int body = number_of(j, row->body[k]);
        left -= vs_jacobian_times(row->J[k], j->v[body]);
        for (int c = 0; c < 6; c++)
            out[OUT * body + c] -= row->J[k][c] * impulse;
    }
    out[OUT * j->bodies + i] = left;
}

// Torques in world axes, those of the body before it moved: how a fixed torque turns in the body is in the kick already.
static void add_effort(const linear_joint *j, double *out) {
    vs_joint_row row;
    if (j->effort == 0 || !effort_row(j, &row))
        return;
    for (int k = 0; k < row.bodies; k++) {
        const int body = number_of(j, row.body[k]);
        const double *J = row.J[k];
        const vs_vec3 torque = vs_rotate(j->of->world->body[row.body[k]].pose.rotation, (vs_vec3){J[3], J[4], J[5]});
        const vs_vec3 t = vs_scale(j->effort, vs_rotate_back(j->base[body].pose.rotation, torque));
        const vs_vec3 spin = vs_mat3_apply(&j->base[body].inverse_inertia, t);
        const double all[OUT] = {
            -j->effort * J[0], -j->effort * J[1], -j->effort * J[2], -t.x, -t.y, -t.z, spin.x, spin.y, spin.z};
        for (int c = 0; c < OUT; c++)
            out[OUT * body + c] += all[c];
    }
}

// Of the present state; false: a row is missing.
static bool evaluate(const linear_joint *j, double *out) {
    vs_joint_row row[VS_JOINT_ROWS_MOST];
    const int rows = vs_joint_state_rows(j->of, j->slot, row);
    memset(out, 0, sizeof(double) * VALUES_MOST);
    for (int i = 0; i < j->use->rows; i++) {
        const int at = j->use->row[i].at;
        const vs_joint_row *it = find_row(row, rows, &j->here[at], at);
        if (!it)
            return false;
        add_row(j, it, i, out);
    }
    add_effort(j, out);
    return true;
}

// ---- differences -----------------------------------------------------------------------------------

static void displace(const linear_joint *j, int direction, double x) {
    const int k = direction / IN, kind = direction % IN / 3;
    const vs_vec3 by = {x * (direction % 3 == 0), x * (direction % 3 == 1), x * (direction % 3 == 2)};
    vs_body *body = &j->of->world->body[j->body[k]];
    *body = j->base[k];
    const vs_vec3 spin = vs_rotate(body->pose.rotation, body->spin);
    if (kind == 0)
        body->pose.position = vs_add(body->pose.position, by);
    if (kind == 1)
        body->pose.rotation = vs_quat_normalize(vs_quat_multiply(vs_quat_exp(by), body->pose.rotation));
    if (kind == 2)
        body->velocity = vs_add(body->velocity, by);
    body->spin = vs_rotate_back(body->pose.rotation, kind == 3 ? vs_add(spin, by) : spin);
}

// f' = (8 (f(d) - f(-d)) - (f(2d) - f(-2d))) / (12 d); of what is linear any d serves.
static bool differentiate(const linear_joint *j, int direction, double d, double *by) {
    static const double factor[4] = {1, -1, 2, -2};
    const bool moves = direction % IN < 6;
    const double h = !moves ? 1 : direction % IN < 3 ? d * j->length : d;
    double f[4][VALUES_MOST];
    bool complete = true;
    for (int i = 0; i < 4 && complete; i++) {
        displace(j, direction, factor[i] * h);
        complete = evaluate(j, f[i]);
    }
    j->of->world->body[j->body[direction / IN]] = j->base[direction / IN];
    for (int i = 0; i < OUT * j->bodies + j->use->rows && complete; i++)
        by[i] = (8 * (f[0][i] - f[1][i]) - (f[2][i] - f[3][i])) / (12 * h);
    return complete;
}

static bool fill(const linear_joint *j, double d, double *matrix) {
    const int columns = IN * j->bodies, rows = OUT * j->bodies + j->use->rows;
    const bool rated = j->of->kick && j->of->world->joint[j->slot].def.armature > 0;
    for (int c = 0; c < columns; c++) {
        double by[VALUES_MOST] = {0};
        if (j->block[c / IN] == VS_NO_BLOCK || (c % IN >= 6 && !rated))
            continue;
        if (!differentiate(j, c, d, by))
            return false;
        for (int i = 0; i < rows; i++)
            matrix[(int64_t)columns * i + c] = by[i];
    }
    return true;
}

vs_error vs_joint_differential_set(vs_joint_differential *d, const vs_joint_state *of, int slot,
                                   const vs_joint_use *use, vs_arena *arena, bool *lost) {
    linear_joint j;
    make_joint(&j, of, slot, use);
    const int64_t size = (int64_t)IN * j.bodies * (OUT * j.bodies + use->rows);
    *d = (vs_joint_differential){.bodies = j.bodies,
                                 .rows = use->rows,
                                 .block = VS_COPY(arena, int, j.block, j.bodies),
                                 .use = VS_COPY(arena, vs_joint_use_row, use->row, use->rows),
                                 .by_state = VS_NEW_ZERO(arena, double, size)};
    if (!d->block || !d->use || !d->by_state)
        return VS_ERROR_MEMORY;
    double step = STEP;
    bool found = false;
    for (int k = 0; k <= REDUCTIONS && !found; k++) {
        found = fill(&j, step, d->by_state);
        step *= REDUCTION;
    }
    *lost = !found;
    return VS_OK;
}

// ---- products --------------------------------------------------------------------------------------

// Where value i of the matrix stands; null: nowhere.
static double *place_of(const vs_joint_differential *d, const vs_joint_product *x, int i) {
    if (i >= OUT * d->bodies) {
        const vs_joint_use_row *use = &d->use[i - OUT * d->bodies];
        return (use->bilateral ? x->b_e : x->b) + use->row;
    }
    const int block = d->block[i / OUT], at = i % OUT;
    if (block == VS_NO_BLOCK || (at >= 6 && !x->free))
        return NULL;
    return at < 6 ? x->c + 6 * (int64_t)block + at : x->free + 3 * (int64_t)block + at - 6;
}

static double *column_of(const vs_joint_differential *d, const vs_joint_product *x, int c) {
    const int block = d->block[c / IN];
    return block == VS_NO_BLOCK ? NULL : x->state + VS_MOTION_STATE * (int64_t)block + c % IN;
}

void vs_joint_differential_apply(const vs_joint_differential *d, const vs_joint_product *x) {
    const int columns = IN * d->bodies;
    for (int i = 0; i < OUT * d->bodies + d->rows; i++) {
        double *to = place_of(d, x, i), sum = 0;
        for (int c = 0; c < columns && to; c++) {
            const double *from = column_of(d, x, c);
            sum += from ? d->by_state[(int64_t)columns * i + c] * *from : 0;
        }
        if (to)
            *to += sum;
    }
}

void vs_joint_differential_transpose(const vs_joint_differential *d, const vs_joint_product *x) {
    const int columns = IN * d->bodies;
    for (int i = 0; i < OUT * d->bodies + d->rows; i++) {
        const double *from = place_of(d, x, i);
        for (int c = 0; c < columns && from; c++) {
            double *to = column_of(d, x, c);
            if (to)
                *to += d->by_state[(int64_t)columns * i + c] * *from;
        }
    }
}
