// The tree of a world: positions and velocities go in and out unchanged, its mass matrix has the kinetic energy, Jacobians and
// bias agree with differences of the motion, and a double pendulum with its closed form.
#include "kit/joint_stepper.h"
#include "kit/random.h"
#include "voussoir/observe.h"

enum { NODES = 7, NUMBERS = 7 * NODES };

// Bodies on each other, on the ground, on a moving body, or free, by joints of all kinds in any sense.
typedef struct mechanism {
    memory memory;
    vs_context *context;
    vs_world *world;
    vs_tree *tree;
    vs_body_id driven, body[NODES];
    int nq, nv;
} mechanism;

static vs_mat3 random_inertia(uint64_t *seed) {
    const vs_mat3 R = vs_quat_matrix(random_quat(seed)), Rt = vs_mat3_transpose(&R);
    const vs_mat3 D = {{random_in(seed, 1, 1.4), 0, 0, 0, random_in(seed, 1, 1.4), 0, 0, 0, random_in(seed, 1, 1.4)}};
    const vs_mat3 RD = vs_mat3_multiply(&R, &D);
    vs_mat3 I = vs_mat3_multiply(&RD, &Rt);
    I.a[3] = I.a[1], I.a[6] = I.a[2], I.a[7] = I.a[5];
    return I;
}

static void open_mechanism(mechanism *m, uint64_t seed) {
    static const vs_joint_kind kinds[] = {VS_JOINT_FIXED,     VS_JOINT_SPHERICAL,   VS_JOINT_REVOLUTE,
                                          VS_JOINT_PRISMATIC, VS_JOINT_CYLINDRICAL, VS_JOINT_UNIVERSAL,
                                          VS_JOINT_PLANAR};
    *m = (mechanism){0};
    m->context = make_context(&m->memory);
    m->world = make_world(m->context, (vs_vec3){1, -2, -9});
    m->driven = add_body(m->world, VS_MOTION_KINEMATIC, random_pose(&seed, 1), 1, (vs_vec3){1, 1, 1});
    vs_body_state driven;
    must(vs_world_get_body_state(m->world, m->driven, &driven), m->context);
    driven.velocity = random_vec(&seed, 1), driven.spin = random_vec(&seed, 1);
    must(vs_world_set_body_state(m->world, m->driven, &driven), m->context);
    for (int k = 0; k < NODES; k++) {
        vs_body_def def = vs_body_def_default();
        def.pose = random_pose(&seed, 1), def.mass = random_in(&seed, .5, 2), def.inertia = random_inertia(&seed);
        must(vs_world_add_body(m->world, &def, &m->body[k]), m->context);
    }
    for (int k = 0; k < NODES;
         k++) { // on any body before it; the first ones on the ground, on the driven body, or free
        vs_joint_def def = vs_joint_def_default();
        const int on = random_below(&seed, k + 3) - 3;
        const vs_body_id other = on >= 0 ? m->body[on] : on == -1 ? m->driven : (vs_body_id){0, 0};
        const bool reversed = random_unit(&seed) < .4;
        if (on == -3)
            continue;
        def.kind = kinds[random_below(&seed, sizeof kinds / sizeof *kinds)];
        def.a = reversed ? m->body[k] : other, def.b = reversed ? other : m->body[k];
        def.frame_a = random_pose(&seed, .5), def.frame_b = random_pose(&seed, .5);
        if (def.kind == VS_JOINT_REVOLUTE || def.kind == VS_JOINT_CYLINDRICAL)
            def.armature = .3, def.stiffness = 5, def.damping = .7, def.rest = .1;
        (void)add_joint(m->world, &def);
    }
    must(vs_tree_create(m->world, &m->tree), m->context);
    m->nq = vs_tree_get_position_count(m->tree), m->nv = vs_tree_get_velocity_count(m->tree);
    assert_int_equal(vs_tree_get_node_count(m->tree), NODES);
}

static void close_mechanism(mechanism *m) {
    vs_tree_destroy(m->tree);
    vs_world_destroy(m->world);
    end_context(m->context, &m->memory);
}

static void set_random(mechanism *m, uint64_t *seed, double *qpos, double *qvel) {
    for (int k = 0; k < m->nq; k++)
        qpos[k] = random_in(seed, -1, 1);
    for (int k = 0; k < m->nv; k++)
        qvel[k] = random_in(seed, -1, 1);
    must(vs_tree_set_state(m->tree, qpos, qvel), m->context);
    must(vs_tree_get_state(m->tree, qpos, NULL), m->context); // quaternions of unit length
}

static void turn(double q[4], const double w[3], double time) {
    const vs_quat p = vs_quat_multiply((vs_quat){q[0], q[1], q[2], q[3]},
                                       vs_quat_exp((vs_vec3){time * w[0], time * w[1], time * w[2]}));
    q[0] = p.w, q[1] = p.x, q[2] = p.y, q[3] = p.z;
}

// The mechanism at `time`, if velocities, also that of the driven body, are those of time 0 throughout.
static void move(mechanism *m, const vs_body_state *driven, const double *qpos, const double *qvel, double time) {
    double q[NUMBERS];
    vs_body_state now = *driven;
    now.pose.position = vs_add_scaled(now.pose.position, time, now.velocity);
    now.pose.rotation = vs_quat_multiply(vs_quat_exp(vs_scale(time, now.spin)), now.pose.rotation);
    must(vs_world_set_body_state(m->world, m->driven, &now), m->context);
    memcpy(q, qpos, sizeof *q * (size_t)m->nq);
    for (int k = 0; k < vs_tree_get_node_count(m->tree); k++) {
        vs_tree_node node;
        must(vs_tree_get_node_at(m->tree, k, &node), m->context);
        const bool has_quat = node.positions > node.velocities;
        const int plain = has_quat ? node.positions - 4 : node.positions;
        for (int i = 0; i < plain; i++)
            q[node.qpos + i] += time * qvel[node.qvel + i];
        if (has_quat)
            turn(q + node.qpos + plain, qvel + node.qvel + plain, time);
    }
    must(vs_tree_set_state(m->tree, q, qvel), m->context);
}

static vs_body_state state_of_body(const mechanism *m, vs_body_id id) {
    vs_body_state state;
    must(vs_world_get_body_state(m->world, id, &state), m->context);
    return state;
}

// ---- tests -------------------------------------------------------------------------------------------

static const double ROUND = 1e-12; // of sums of a few dozen products of numbers about 1

static void state_goes_in_and_out_unchanged_and_joints_hold(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        mechanism m;
        uint64_t random = seed;
        double qpos[NUMBERS], qvel[NUMBERS], again[NUMBERS], rates[NUMBERS];
        open_mechanism(&m, seed);
        set_random(&m, &random, qpos, qvel);
        must(vs_tree_get_state(m.tree, again, rates), m.context);
        for (int k = 0; k < m.nv; k++)
            assert_close(rates[k], qvel[k], ROUND);
        must(vs_tree_set_state(m.tree, again, NULL), m.context);
        must(vs_tree_get_state(m.tree, again, rates), m.context);
        for (int k = 0; k < m.nq; k++)
            assert_close(again[k], qpos[k], ROUND);
        for (int k = 0; k < m.nv; k++)
            assert_close(rates[k], qvel[k], ROUND);
        for (int k = 0; k < m.world->joints; k++) {
            double psi[VS_JOINT_BILATERAL_MOST];
            vs_joint_row row[VS_JOINT_BILATERAL_MOST];
            const int rows = vs_joint_violation(m.world, &m.world->joint[k], psi, row);
            for (int i = 0; i < rows; i++) {
                assert_close(psi[i], 0, ROUND);
                assert_close(vs_joint_row_rate(m.world, &row[i]), 0, ROUND);
            }
        }
        close_mechanism(&m);
    }
}

// Velocities of joints are those that the world shows for them; turns are counted.
static void coordinates_are_those_of_the_joints(void **state) {
    (void)state;
    mechanism m;
    double qpos[NUMBERS], qvel[NUMBERS], x[3], rate[3];
    uint64_t random = 3;
    int count, seen = 0;
    open_mechanism(&m, 5);
    set_random(&m, &random, qpos, qvel);
    for (int k = 0; k < NODES; k++) {
        vs_tree_node node;
        must(vs_tree_get_node_at(m.tree, k, &node), m.context);
        if (node.joint.generation == 0 || node.positions != node.velocities)
            continue;
        must(vs_world_get_joint_coordinates(m.world, node.joint, x, rate, &count), m.context);
        assert_int_equal(count, node.velocities);
        for (int i = 0; i < count; i++, seen++) {
            assert_close(x[i], qpos[node.qpos + i], ROUND);
            assert_close(rate[i], qvel[node.qvel + i], ROUND);
        }
        if (joint_of(m.world, node.joint)->def.kind == VS_JOINT_REVOLUTE) {
            qpos[node.qpos] = 20;
            must(vs_tree_set_state(m.tree, qpos, NULL), m.context);
            assert_close(coordinate_of(m.world, node.joint), 20, ROUND);
        }
    }
    assert_true(seen >= 2);
    close_mechanism(&m);
}

static double quadratic(const double *M, const double *v, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += v[i] * M[i * n + j] * v[j];
    return sum;
}

static void mass_matrix_has_the_kinetic_energy(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        mechanism m;
        uint64_t random = seed;
        double qpos[NUMBERS], qvel[NUMBERS], M[36 * NODES * NODES];
        open_mechanism(&m, seed);
        vs_body_state rest = state_of_body(&m, m.driven); // else its motion is part of the energy
        rest.velocity = rest.spin = VS_ZERO3;
        must(vs_world_set_body_state(m.world, m.driven, &rest), m.context);
        for (int k = 0; k < 5; k++) {
            set_random(&m, &random, qpos, qvel);
            must(vs_tree_get_mass_matrix(m.tree, M), m.context);
            assert_relative(.5 * quadratic(M, qvel, m.nv), vs_world_get_energy(m.world).kinetic, ROUND);
            for (int i = 0; i < m.nv * m.nv; i++)
                assert_true(M[i] == M[i % m.nv * m.nv + i / m.nv]);
        }
        close_mechanism(&m);
    }
}

static vs_vec3 apply3(const double *J, const double *v, int n) {
    double sum[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n; j++)
            sum[i] += J[i * n + j] * v[j];
    return (vs_vec3){sum[0], sum[1], sum[2]};
}

// Central differences of positions: their error is h^2 = 1e-10 times third derivatives, and 1e-16/h = 1e-11 of rounding.
static void jacobians_agree_with_differences(void **state) {
    (void)state;
    const double h = 1e-5, near = 1e-8;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        mechanism m;
        uint64_t random = seed;
        double qpos[NUMBERS], qvel[NUMBERS], linear[3 * NUMBERS], angular[3 * NUMBERS], centre[3 * NUMBERS], mass;
        open_mechanism(&m, seed);
        vs_body_state rest = state_of_body(&m, m.driven);
        rest.velocity = rest.spin = VS_ZERO3;
        must(vs_world_set_body_state(m.world, m.driven, &rest), m.context);
        set_random(&m, &random, qpos, qvel);
        const vs_vec3 local = random_vec(&random, 1);
        const vs_body_id body = m.body[random_below(&random, NODES)], branch = m.body[random_below(&random, 3)];
        const vs_body_state at = state_of_body(&m, body);
        must(vs_tree_get_jacobian(m.tree, body, vs_pose_apply(at.pose, local), linear, angular), m.context);
        must(vs_tree_get_centre(m.tree, branch, &mass, NULL, centre), m.context);
        vs_vec3 point[2], middle[2], all[2];
        for (int k = 0; k < 2; k++) {
            move(&m, &rest, qpos, qvel, k ? h : -h);
            point[k] = vs_pose_apply(state_of_body(&m, body).pose, local);
            must(vs_tree_get_centre(m.tree, branch, NULL, &middle[k], NULL), m.context);
            must(vs_tree_get_centre(m.tree, (vs_body_id){0, 0}, NULL, &all[k], NULL), m.context);
        }
        assert_vec(apply3(linear, qvel, m.nv), vs_scale(.5 / h, vs_subtract(point[1], point[0])), near);
        assert_vec(apply3(angular, qvel, m.nv), at.spin, ROUND);
        assert_vec(apply3(centre, qvel, m.nv), vs_scale(.5 / h, vs_subtract(middle[1], middle[0])), near);
        move(&m, &rest, qpos, qvel, 0);
        must(vs_tree_get_centre(m.tree, (vs_body_id){0, 0}, &mass, NULL, NULL), m.context);
        assert_vec(vs_scale(.5 * mass / h, vs_subtract(all[1], all[0])), vs_world_get_energy(m.world).momentum,
                   mass * near);
        close_mechanism(&m);
    }
}

// d'Alembert: the bias is the sum over the bodies of J'(m (v' - g), L'), with differences of v and L along a motion with qacc = 0.
static void bias_agrees_with_differences(void **state) {
    (void)state;
    const double h = 1e-5, near = 1e-6;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        mechanism m;
        uint64_t random = seed;
        double qpos[NUMBERS], qvel[NUMBERS], bias[NUMBERS], wrench[6 * (NODES + 1)] = {0}, expected[NUMBERS];
        open_mechanism(&m, seed);
        const vs_body_state driven = state_of_body(&m, m.driven);
        set_random(&m, &random, qpos, qvel);
        must(vs_tree_get_bias(m.tree, bias), m.context);
        for (int k = 0; k < 2 * NODES; k++) {
            const int b = k / 2 + 1;
            const double factor = (k % 2 ? .5 : -.5) / h;
            move(&m, &driven, qpos, qvel, k % 2 ? h : -h);
            const vs_body *body = &m.world->body[m.body[k / 2].index];
            const vs_vec3 L = vs_rotate(body->pose.rotation, vs_mat3_apply(&body->inertia, body->spin));
            for (int i = 0; i < 3; i++) {
                wrench[6 * b + i] += factor * body->mass * vs_component(body->velocity, i);
                wrench[6 * b + i] -= k % 2 ? body->mass * vs_component(m.world->gravity, i) : 0;
                wrench[6 * b + 3 + i] += factor * vs_component(L, i);
            }
        }
        move(&m, &driven, qpos, qvel, 0);
        must(vs_tree_project_forces(m.tree, wrench, expected), m.context);
        for (int k = 0; k < m.nv; k++)
            assert_close(bias[k], expected[k], near);
        close_mechanism(&m);
    }
}

static void inverse_dynamics_are_mass_matrix_bias_and_forces(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        mechanism m;
        uint64_t random = seed;
        double qpos[NUMBERS], qvel[NUMBERS], qacc[NUMBERS], M[36 * NODES * NODES], bias[NUMBERS], passive[NUMBERS];
        double wrench[6 * (NODES + 1)], outer[NUMBERS], tau[NUMBERS], J[2][3 * NUMBERS];
        open_mechanism(&m, seed);
        set_random(&m, &random, qpos, qvel);
        for (int k = 0; k < m.nv; k++)
            qacc[k] = random_in(&random, -1, 1);
        for (int k = 0; k < 6 * (NODES + 1); k++)
            wrench[k] = random_in(&random, -1, 1);
        must(vs_world_apply_force(m.world, m.body[2], (vs_vec3){3, 4, 5}, NULL), m.context);
        must(vs_tree_get_mass_matrix(m.tree, M), m.context);
        must(vs_tree_get_bias(m.tree, bias), m.context);
        must(vs_tree_get_passive(m.tree, passive), m.context);
        must(vs_tree_project_forces(m.tree, wrench, outer), m.context);
        must(vs_tree_get_inverse_dynamics(m.tree, qacc, wrench, tau), m.context);
        for (int i = 0; i < m.nv; i++) {
            double sum = bias[i] - passive[i] - outer[i];
            for (int j = 0; j < m.nv; j++)
                sum += M[i * m.nv + j] * qacc[j];
            assert_close(tau[i], sum, 100 * ROUND);
        }
        for (int k = 0; k < NODES; k++) { // the forces of a wrench are J' of it
            const double *f = wrench + 6 * (k + 1);
            const vs_vec3 x = state_of_body(&m, m.body[k]).pose.position;
            must(vs_tree_get_jacobian(m.tree, m.body[k], x, J[0], J[1]), m.context);
            for (int j = 0; j < 6 * m.nv; j++)
                outer[j % m.nv] -= J[j / (3 * m.nv)][j % (3 * m.nv)] * f[j / m.nv];
        }
        for (int i = 0; i < m.nv; i++)
            assert_close(outer[i], 0, 10 * ROUND);
        close_mechanism(&m);
    }
}

// ---- closed form -------------------------------------------------------------------------------------

static vs_pose frame_about_y(double z) {
    return (vs_pose){{0, 0, z}, vs_quat_from_z_to((vs_vec3){0, 1, 0})};
}

static void add_pin(vs_world *world, vs_body_id a, double z_a, vs_body_id b, double z_b) {
    vs_joint_def def = vs_joint_def_default();
    def.kind = VS_JOINT_REVOLUTE, def.a = a, def.b = b;
    def.frame_a = frame_about_y(z_a), def.frame_b = frame_about_y(z_b);
    (void)add_joint(world, &def);
}

// Angles from the vertical and between the links; the centres of mass are c from the pins, the second pin is l from the first.
static void double_pendulum_has_its_closed_form(void **state) {
    (void)state;
    const double m1 = 1.3, m2 = .7, c1 = .4, c2 = .3, l = .9, I1 = .11, I2 = .05, g = 9.81;
    memory counted;
    vs_context *context = make_context(&counted);
    vs_world *world = make_world(context, (vs_vec3){0, 0, -g});
    const vs_body_id upper = add_body(world, VS_MOTION_DYNAMIC, VS_IDENTITY_POSE, m1, (vs_vec3){.1, I1, .1});
    const vs_body_id lower = add_body(world, VS_MOTION_DYNAMIC, VS_IDENTITY_POSE, m2, (vs_vec3){.05, I2, .05});
    vs_tree *tree = NULL;
    uint64_t seed = 11;
    add_pin(world, (vs_body_id){0, 0}, 0, upper, c1);
    add_pin(world, upper, c1 - l, lower, c2);
    must(vs_tree_create(world, &tree), context);
    assert_int_equal(vs_tree_get_position_count(tree), 2);
    for (int k = 0; k < 20; k++) {
        const double q[2] = {random_in(&seed, -4, 4), random_in(&seed, -4, 4)};
        const double v[2] = {random_in(&seed, -2, 2), random_in(&seed, -2, 2)};
        double M[4], bias[2];
        must(vs_tree_set_state(tree, q, v), context);
        must(vs_tree_get_mass_matrix(tree, M), context);
        must(vs_tree_get_bias(tree, bias), context);
        const double coupled = m2 * l * c2 * cos(q[1]), across = m2 * l * c2 * sin(q[1]);
        assert_close(M[0], I1 + I2 + m1 * c1 * c1 + m2 * (l * l + c2 * c2) + 2 * coupled, ROUND);
        assert_close(M[1], I2 + m2 * c2 * c2 + coupled, ROUND);
        assert_close(M[2], M[1], 0);
        assert_close(M[3], I2 + m2 * c2 * c2, ROUND);
        const double weight = m2 * c2 * g * sin(q[0] + q[1]);
        assert_close(bias[0], -across * (2 * v[0] * v[1] + v[1] * v[1]) + (m1 * c1 + m2 * l) * g * sin(q[0]) + weight,
                     10 * ROUND);
        assert_close(bias[1], across * v[0] * v[0] + weight, 10 * ROUND);
    }
    vs_tree_destroy(tree);
    vs_world_destroy(world);
    end_context(context, &counted);
}

// ---- loops and changes -------------------------------------------------------------------------------

// A square of three links on the ground, and a gear between the first and the last pin.
static void loops_are_closures(void **state) {
    (void)state;
    memory counted;
    vs_context *context = make_context(&counted);
    vs_world *world = make_world(context, VS_ZERO3);
    const vs_body_id ground = {0, 0};
    vs_body_id link[3];
    vs_joint_id last;
    vs_tree *tree = NULL;
    for (int k = 0; k < 3; k++)
        link[k] = add_body(world, VS_MOTION_DYNAMIC, VS_IDENTITY_POSE, 1, (vs_vec3){.1, .1, .1});
    for (int k = 0; k < 3; k++)
        add_pin(world, k ? link[k - 1] : ground, k ? -.5 : 0, link[k], .5);
    vs_joint_def close = vs_joint_def_default();
    close.kind = VS_JOINT_REVOLUTE, close.a = link[2], close.b = ground;
    close.frame_a = frame_about_y(-.5), close.frame_b = frame_about_y(0);
    close.frame_b.position.x = 1;
    last = add_joint(world, &close);
    vs_joint_def gear = vs_joint_def_default();
    gear.kind = VS_JOINT_GEAR, gear.ratio = -2;
    gear.joint_a = vs_world_get_joint_at(world, 0), gear.joint_b = vs_world_get_joint_at(world, 2);
    (void)add_joint(world, &gear);
    must(vs_tree_create(world, &tree), context);
    assert_int_equal(vs_tree_get_velocity_count(tree), 3);
    const double h = 1e-5, q[3] = {.1, -1.5, -1.4}, v[3] = {.7, -.3, .5};
    double psi[2][8], J[8 * 3], moved[3];
    vs_joint_id of[8];
    int count;
    must(vs_tree_set_state(tree, q, v), context);
    must(vs_tree_get_closures(tree, of, psi[0], J, 2, &count), context); // no room for all
    assert_int_equal(count, 6);
    must(vs_tree_get_closures(tree, of, NULL, J, 8, &count), context);
    for (int k = 0; k < 5; k++)
        assert_int_equal(of[k].index, last.index);
    assert_close(J[5 * 3], 2, ROUND);
    assert_close(J[5 * 3 + 1], 0, ROUND);
    assert_close(J[5 * 3 + 2], 1, ROUND);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++)
            moved[i] = q[i] + (k ? h : -h) * v[i];
        must(vs_tree_set_state(tree, moved, NULL), context);
        must(vs_tree_get_closures(tree, NULL, psi[k], NULL, 8, &count), context);
    }
    for (int k = 0; k < 6; k++)
        assert_close(J[3 * k] * v[0] + J[3 * k + 1] * v[1] + J[3 * k + 2] * v[2], (psi[1][k] - psi[0][k]) / (2 * h),
                     1e-8);
    vs_tree_destroy(tree);
    vs_world_destroy(world);
    end_context(context, &counted);
}

static void a_changed_world_is_noticed(void **state) {
    (void)state;
    mechanism m;
    double qpos[NUMBERS + 7], qvel[NUMBERS];
    uint64_t random = 1;
    vs_tree_node node;
    open_mechanism(&m, 8);
    set_random(&m, &random, qpos, qvel);
    const uint64_t hash = vs_world_get_hash(m.world);
    qpos[0] = NAN;
    assert_int_equal(vs_tree_set_state(m.tree, qpos, NULL), VS_ERROR_ARGUMENT);
    memset(qpos, 0, sizeof qpos);
    assert_int_equal(vs_tree_set_state(m.tree, qpos, NULL), VS_ERROR_ARGUMENT); // quaternions of length 0
    assert_non_null(strstr(vs_context_get_error_text(m.context), "quaternion"));
    assert_true(vs_world_get_hash(m.world) == hash);
    assert_int_equal(vs_tree_get_node_at(m.tree, NODES, &node), VS_ERROR_ARGUMENT);
    const vs_body_id more = add_body(m.world, VS_MOTION_DYNAMIC, VS_IDENTITY_POSE, 1, (vs_vec3){1, 1, 1});
    assert_int_equal(vs_tree_get_state(m.tree, qpos, qvel), VS_ERROR_ARGUMENT);
    must(vs_tree_update(m.tree), m.context);
    assert_int_equal(vs_tree_get_position_count(m.tree), m.nq + 7);
    must(vs_tree_get_state(m.tree, qpos, NULL), m.context);
    must(vs_world_remove_body(m.world, more), m.context);
    must(vs_tree_update(m.tree), m.context);
    must(vs_tree_get_state(m.tree, qpos, qvel), m.context);
    close_mechanism(&m);
}

// A command that makes a motor prescribe its coordinate changes nothing here.
static void commands_leave_the_tree_as_it_is(void **state) {
    (void)state;
    memory counted;
    vs_context *context = make_context(&counted);
    vs_world *world = make_world(context, VS_ZERO3);
    vs_tree *tree = NULL;
    double q;
    const vs_body_id link = add_body(world, VS_MOTION_DYNAMIC, VS_IDENTITY_POSE, 1, (vs_vec3){1, 1, 1});
    add_pin(world, (vs_body_id){0, 0}, 0, link, .5);
    must(vs_tree_create(world, &tree), context);
    must(vs_world_set_joint_target(world, vs_world_get_joint_at(world, 0), .5), context);
    must(vs_tree_get_state(tree, &q, NULL), context);
    vs_tree_destroy(tree);
    vs_world_destroy(world);
    end_context(context, &counted);
}

static vs_error make_and_release(void *user) {
    vs_tree *tree = NULL;
    const vs_error error = vs_tree_create(user, &tree);
    vs_tree_destroy(tree);
    return error;
}

static void lack_of_memory_leaves_nothing(void **state) {
    (void)state;
    mechanism m;
    open_mechanism(&m, 2);
    assert_in_range(refuse_each(&m.memory, m.context, make_and_release, m.world), 10, 20);
    close_mechanism(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_goes_in_and_out_unchanged_and_joints_hold),
        cmocka_unit_test(coordinates_are_those_of_the_joints),
        cmocka_unit_test(mass_matrix_has_the_kinetic_energy),
        cmocka_unit_test(jacobians_agree_with_differences),
        cmocka_unit_test(bias_agrees_with_differences),
        cmocka_unit_test(inverse_dynamics_are_mass_matrix_bias_and_forces),
        cmocka_unit_test(double_pendulum_has_its_closed_form),
        cmocka_unit_test(loops_are_closures),
        cmocka_unit_test(a_changed_world_is_noticed),
        cmocka_unit_test(commands_leave_the_tree_as_it_is),
        cmocka_unit_test(lack_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
