// A small stepper for tests of joints: rows -> contact problem -> velocities -> poses (-> projection). Few bodies, no
// contacts; every row of a joint becomes its own entry of the problem, so that its impulse is easy to find.
#ifndef VS_TESTS_JOINT_STEPPER_H
#define VS_TESTS_JOINT_STEPPER_H

#include "kit/fixture.h"
#include "voussoir/solver.h"
#include "body/worlds.h"
#include "step/rows/joint_law.h"

enum { STEPPER_BODIES = 32 };

typedef struct stepper {
    vs_world *world;
    double h;                  // s
    double tolerance;          // of the contact problem; default 1e-12
    bool project;              // positions after the step
    double project_to;         // m
    double drift;              // m, after the last step
    int block[STEPPER_BODIES]; // of a body in the problem, -1: none
} stepper;

// A body with principal inertia (kg m^2).
static inline vs_body_id add_body(vs_world *world, vs_motion motion, vs_pose pose, double mass, vs_vec3 inertia) {
    vs_body_def def = vs_body_def_default();
    vs_body_id id;
    def.motion = motion;
    def.pose = pose;
    def.mass = mass;
    def.inertia = (vs_mat3){{inertia.x, 0, 0, 0, inertia.y, 0, 0, 0, inertia.z}};
    assert_int_equal(vs_world_add_body(world, &def, &id), VS_OK);
    return id;
}

static inline vs_joint_id add_joint(vs_world *world, const vs_joint_def *def) {
    vs_joint_id id = {0, 0};
    assert_int_equal(vs_world_add_joint(world, def, &id), VS_OK);
    return id;
}

static inline vs_joint *joint_of(vs_world *world, vs_joint_id id) {
    return &world->joint[id.index];
}

static inline double coordinate_of(vs_world *world, vs_joint_id id) {
    double x, rate;
    vs_joint_coordinate(world, joint_of(world, id), &x, &rate);
    return x;
}

static inline double rate_of(vs_world *world, vs_joint_id id) {
    double x, rate;
    vs_joint_coordinate(world, joint_of(world, id), &x, &rate);
    return rate;
}

static inline stepper make_stepper(vs_world *world, double h) {
    return (stepper){.world = world, .h = h, .tolerance = 1e-12, .project = true, .project_to = 1e-12};
}

static inline void add_blocks(stepper *s, vs_problem_builder *builder) {
    const vs_kick kick = vs_kick_over(s->world, s->h);
    assert_true(s->world->bodies <= STEPPER_BODIES);
    for (int k = 0; k < s->world->bodies; k++) {
        const vs_body *body = &s->world->body[k];
        double H[36] = {0}, c[6];
        vs_vec3 v, w;
        s->block[k] = -1;
        if (!body->alive || body->motion != VS_MOTION_DYNAMIC)
            continue;
        vs_body_free(s->world, k, kick.push, kick.time, &v, &w);
        vs_vec3 Iw = vs_mat3_apply(&body->inertia, w);
        for (int i = 0; i < 3; i++) {
            H[7 * i] = body->mass;
            c[i] = -body->mass * vs_component(v, i);
            c[3 + i] = -vs_component(Iw, i);
            for (int j = 0; j < 3; j++)
                H[6 * (3 + i) + 3 + j] = body->inertia.a[3 * i + j];
        }
        assert_int_equal(vs_problem_builder_add_block(builder, 6, H, c, &s->block[k]), VS_OK);
    }
}

// Blocks of a row with their J (one for each block) and the right-hand side without bodies that have no mass.
static inline int gather(const stepper *s, const vs_joint_row *row, int block[4], double J[4][6], double *b) {
    int blocks = 0;
    *b = row->b;
    for (int k = 0; k < row->bodies; k++) {
        const vs_body *body = &s->world->body[row->body[k]];
        const double v[6] = {body->velocity.x, body->velocity.y, body->velocity.z,
                             body->spin.x,     body->spin.y,     body->spin.z};
        int at = 0;
        if (s->block[row->body[k]] < 0) {
            for (int i = 0; i < 6; i++)
                *b -= row->J[k][i] * v[i];
            continue;
        }
        while (at < blocks && block[at] != s->block[row->body[k]])
            at++;
        if (at == blocks) {
            memset(J[at], 0, sizeof J[at]);
            block[blocks++] = s->block[row->body[k]];
        }
        for (int i = 0; i < 6; i++)
            J[at][i] += row->J[k][i];
    }
    return blocks;
}

static inline void add_row(const stepper *s, vs_problem_builder *builder, const vs_joint_row *row) {
    int block[4];
    double J[4][6], b;
    int blocks = gather(s, row, block, J, &b);
    const double *jacobian[4] = {J[0], J[1], J[2], J[3]};
    if (blocks == 0)
        return;
    if (row->kind == VS_ROW_BILATERAL) {
        vs_problem_joint_def def = vs_problem_joint_def_default();
        def.rows = 1, def.blocks = blocks, def.block = block, def.jacobian = jacobian;
        def.b = &b, def.compliance = &row->compliance;
        assert_int_equal(vs_problem_builder_add_joint(builder, &def, NULL), VS_OK);
    } else if (row->kind == VS_ROW_UNILATERAL) {
        vs_problem_contact_def def = vs_problem_contact_def_default();
        def.blocks = blocks, def.block = block, def.jacobian = jacobian;
        def.b[0] = b, def.frictionless = true;
        assert_int_equal(vs_problem_builder_add_contact(builder, &def, NULL), VS_OK);
    } else {
        vs_problem_box_def def = vs_problem_box_def_default();
        def.rows = 1, def.blocks = blocks, def.block = block, def.jacobian = jacobian;
        def.b = &b, def.lo = &row->lo, def.hi = &row->hi;
        assert_int_equal(vs_problem_builder_add_box(builder, &def, NULL), VS_OK);
    }
}

static inline void set_velocities(stepper *s, const double *v) {
    for (int k = 0; k < s->world->bodies; k++) {
        vs_body *body = &s->world->body[k];
        if (s->block[k] < 0)
            continue;
        const double *u = v + 6 * s->block[k];
        body->velocity = (vs_vec3){u[0], u[1], u[2]};
        body->spin = (vs_vec3){u[3], u[4], u[5]};
    }
}

// Reactions from the impulses; rows in the order in which they were added.
static inline void set_reactions(stepper *s, const vs_joint_row *row, const int *owner, int rows, const double *g,
                                 const double *lambda) {
    for (int k = 0; k < s->world->joints; k++)
        s->world->joint[k].force = s->world->joint[k].torque = VS_ZERO3;
    for (int k = 0; k < rows; k++) {
        vs_joint *joint = &s->world->joint[owner[k]];
        const double *d = row[k].direction;
        double f = (row[k].kind == VS_ROW_BILATERAL ? *g++ : *lambda++) / s->h;
        joint->force = vs_add_scaled(joint->force, f, (vs_vec3){d[0], d[1], d[2]});
        joint->torque = vs_add_scaled(joint->torque, f, (vs_vec3){d[3], d[4], d[5]});
    }
}

static inline void step(stepper *s) {
    vs_joint_row row[STEPPER_BODIES * (VS_JOINT_BILATERAL_MOST + VS_JOINT_EXTRA_MOST)];
    int owner[STEPPER_BODIES * (VS_JOINT_BILATERAL_MOST + VS_JOINT_EXTRA_MOST)], rows = 0;
    vs_world *world = s->world;
    vs_problem_builder *builder;
    vs_problem *problem;
    vs_solver *solver;
    vs_result result;
    vs_solver_options options = vs_solver_options_default();
    options.tolerance = s->tolerance;

    const vs_kick kick = vs_kick_over(world, s->h);
    vs_world_drive(world, s->h);
    assert_int_equal(vs_problem_builder_create(world->context, &builder), VS_OK);
    add_blocks(s, builder);
    for (int k = 0; k < world->joints; k++) {
        int count = world->joint[k].alive ? vs_joint_rows(world, &world->joint[k], &kick, &row[rows]) : 0;
        for (int r = 0; r < count; r++) {
            owner[rows] = k;
            add_row(s, builder, &row[rows++]);
        }
    }
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    if (result.status != VS_STATUS_CONVERGED)
        print_error("%s: %s\n", vs_status_name(result.status), result.status_text);
    assert_int_equal(result.status, VS_STATUS_CONVERGED);
    set_velocities(s, result.v);
    set_reactions(s, row, owner, rows, result.g, result.lambda);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);

    for (int k = 1; k < world->bodies; k++)
        if (world->body[k].alive && world->body[k].motion != VS_MOTION_STATIC)
            vs_body_advance(&world->body[k], s->h);
    if (s->project)
        assert_int_equal(vs_joints_project(world, s->project_to, 5, &s->drift), VS_OK);
    else
        s->drift = vs_joints_drift(world);
    vs_joints_remember(world);
    vs_world_finish_step(world, s->h);
}

#endif
