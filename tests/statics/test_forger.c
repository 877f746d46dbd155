// Verdicts of random assemblies, judged by a checker that knows nothing of the solver: from the reported forces, or the
// reported velocities, and the geometry of interfaces, in long double. A wrong certificate must not pass: forged ones are
// refused.
//
// usage: test_forger [ASSEMBLIES], default 300
#include "assemblies.h"
#include "kit/random.h"

static int assemblies = 300;

// ---- the checker -------------------------------------------------------------------------------------

typedef struct v3 {
    long double x, y, z;
} v3;

static v3 from(vs_vec3 a) {
    return (v3){a.x, a.y, a.z};
}
static v3 minus(v3 a, v3 b) {
    return (v3){a.x - b.x, a.y - b.y, a.z - b.z};
}
static v3 plus(v3 a, v3 b) {
    return (v3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static v3 times(long double s, v3 a) {
    return (v3){s * a.x, s * a.y, s * a.z};
}
static long double inner(v3 a, v3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static v3 outer(v3 a, v3 b) {
    return (v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static long double size(v3 a) {
    return sqrtl(inner(a, a));
}

typedef struct assembly {
    vs_scene *scene; // null: the world is its own
    vs_world *world;
    vs_statics *statics;
    vs_vec3 gravity;
    double decades; // densities are between 1000 and 10^(3 + decades)
} assembly;

static int block_of(const assembly *a, vs_body_id id) {
    for (int k = 0; k < vs_statics_get_block_count(a->statics); k++)
        if (vs_statics_get_block(a->statics, k).index == id.index)
            return k;
    return -1;
}

static v3 centre_of(const assembly *a, int block) {
    vs_body_state state;
    assert_int_equal(vs_world_get_body_state(a->world, vs_statics_get_block(a->statics, block), &state), VS_OK);
    return from(state.pose.position);
}

static v3 weight_of(const assembly *a, int block) {
    double mass;
    vs_mat3 inertia;
    assert_int_equal(vs_world_get_body_mass(a->world, vs_statics_get_block(a->statics, block), &mass, &inertia), VS_OK);
    return times(mass, from(a->gravity));
}

// Are these forces in their cones and in equilibrium with the weights, to 1e-10 of that of each block?
static bool forces_hold(const assembly *a, const vs_vec3 *force) {
    enum { MOST = 256 };
    v3 sum[MOST], moment[MOST];
    long double passing[MOST]; // forces through a block
    const int blocks = vs_statics_get_block_count(a->statics);
    assert_true(blocks <= MOST);
    for (int k = 0; k < blocks; k++) {
        sum[k] = weight_of(a, k);
        moment[k] = (v3){0, 0, 0};
        passing[k] = 0;
    }
    for (int i = 0; i < vs_statics_get_report(a->statics).interfaces; i++) {
        vs_interface it;
        assert_int_equal(vs_statics_get_interface(a->statics, i, &it), VS_OK);
        const int on[2] = {block_of(a, it.a), block_of(a, it.b)};
        for (int c = it.first; c < it.first + it.corners; c++) {
            const v3 f = from(force[c]), n = from(it.normal), p = from(vs_statics_get_point(a->statics, c));
            const long double normal = inner(f, n), shear = size(minus(f, times(normal, n)));
            // A force in world axes is rounded: its cone is checked to 1e-15 of it.
            if (normal < -1e-15L * size(f) || shear > it.mu * normal + 1e-15L * size(f))
                return false;
            for (int side = 0; side < 2; side++)
                if (on[side] >= 0) {
                    const v3 signed_force = times(side ? 1 : -1, f);
                    sum[on[side]] = plus(sum[on[side]], signed_force);
                    passing[on[side]] += size(f);
                    moment[on[side]] = plus(moment[on[side]], outer(minus(p, centre_of(a, on[side])), signed_force));
                }
        }
    }
    // Blocks are about 1 m wide: moments count like forces. Reported forces are rounded to doubles.
    for (int k = 0; k < blocks; k++) {
        const long double most = 1e-10L * size(weight_of(a, k)) + 1e-15L * passing[k];
        if (size(sum[k]) > most || size(moment[k]) > most)
            return false;
    }
    return true;
}

// Do the contacts allow this motion, and do the weights do work on it? Not exact: no equilibrium below 1e7 weights.
static bool mechanism_holds(const assembly *a, const vs_vec3 *velocity, const vs_vec3 *spin, bool exact) {
    long double power = 0, total = 0, worst = 0;
    for (int k = 0; k < vs_statics_get_block_count(a->statics); k++) {
        power += inner(weight_of(a, k), from(velocity[k]));
        total += size(weight_of(a, k));
    }
    for (int i = 0; i < vs_statics_get_report(a->statics).interfaces; i++) {
        vs_interface it;
        assert_int_equal(vs_statics_get_interface(a->statics, i, &it), VS_OK);
        const int on[2] = {block_of(a, it.a), block_of(a, it.b)};
        for (int c = it.first; c < it.first + it.corners; c++) {
            const v3 p = from(vs_statics_get_point(a->statics, c)), n = from(it.normal);
            v3 y = {0, 0, 0};
            for (int side = 0; side < 2; side++)
                if (on[side] >= 0) {
                    const v3 v =
                        plus(from(velocity[on[side]]), outer(from(spin[on[side]]), minus(p, centre_of(a, on[side]))));
                    y = plus(y, times(side ? 1 : -1, v));
                }
            const long double opening = inner(y, n), slip = size(minus(y, times(opening, n)));
            const long double violation = it.mu * slip - opening;
            worst = violation > worst ? violation : worst;
        }
    }
    // Velocities in world axes are rounded to 1e-16 of 1 m/s, with some cancellation.
    const long double rounding = exact ? 1e-14L : power / (1e7L * total);
    return power > 0 && worst <= rounding && (exact || worst * 1e6L * total < power);
}

// ---- random assemblies -------------------------------------------------------------------------------

static double density_of(const assembly *a, uint64_t *r) {
    return a->decades > 0 ? 1000 * pow(10, random_in(r, 0, a->decades)) : 1000;
}

// Courses of stones of random lengths; some are missing, some are fixed.
static void build_courses(vs_context *context, assembly *a, uint64_t *r) {
    const int courses = 1 + (int)random_in(r, 0, 6);
    for (int row = 0; row < courses; row++) {
        double x = random_in(r, -.5, .5);
        const int stones = 1 + (int)random_in(r, 0, 5);
        for (int k = 0; k < stones; k++) {
            const double length = random_in(r, .3, 1.5), y = row % 2 ? random_in(r, -.1, .1) : 0;
            if (random_in(r, 0, 1) < .85)
                add_dense_box(context, a->world, (vs_vec3){length / 2, .4, .25}, at(x + length / 2, y, .25 + .5 * row),
                              random_in(r, 0, 1) < .05 ? VS_MOTION_STATIC : VS_MOTION_DYNAMIC, density_of(a, r));
            x += length + (random_in(r, 0, 1) < .3 ? random_in(r, 0, .4) : 0);
        }
    }
}

// A row of stones between fixed walls, sometimes without a floor: it may be jammed.
static void build_jam(vs_context *context, assembly *a, uint64_t *r) {
    const int stones = 1 + (int)random_in(r, 0, 6);
    add_box(context, a->world, (vs_vec3){.5, .5, .5}, at(-.5, 0, .5), VS_MOTION_STATIC);
    double x = 0;
    for (int k = 0; k < stones; k++) {
        const double length = random_in(r, .2, 1);
        const vs_vec3 half = {length / 2, .5, random_in(r, .2, .5)};
        add_dense_box(context, a->world, half, at(x + length / 2, 0, .5), VS_MOTION_DYNAMIC, density_of(a, r));
        x += length;
    }
    add_box(context, a->world, (vs_vec3){.5, .5, .5}, at(x + .5, 0, .5), VS_MOTION_STATIC);
}

static void make_assembly(vs_context *context, uint64_t *r, assembly *a) {
    const double tilt = random_in(r, 0, 1) < .3 ? 0 : random_in(r, 0, .7), turn = random_in(r, 0, 6.28);
    const double mu = random_in(r, 0, 1) < .1 ? 0 : random_in(r, .05, 1.2);
    a->gravity = (vs_vec3){9.81 * sin(tilt) * cos(turn), 9.81 * sin(tilt) * sin(turn), -9.81 * cos(tilt)};
    if (random_in(r, 0, 1) < .3) {
        const vs_scene_parameter parameter[] = {
            {"stones", floor(random_in(r, 3, 16))}, {"thickness", random_in(r, .06, .3)}, {"mu", mu}};
        assert_int_equal(vs_scene_make(context, "arch", parameter, 3, &a->scene), VS_OK);
        a->world = a->scene->world;
        a->gravity = random_in(r, 0, 1) < .5 ? (vs_vec3){0, 0, -9.81} : a->gravity;
        assert_int_equal(vs_world_set_gravity(a->world, a->gravity), VS_OK);
    } else {
        a->world = make_world(context, mu, a->gravity);
        const bool jam = random_in(r, 0, 1) < .3;
        if (!jam || random_in(r, 0, 1) < .3)
            add_floor(context, a->world);
        (jam ? build_jam : build_courses)(context, a, r);
    }
}

static void release(assembly *a) {
    vs_statics_destroy(a->statics);
    if (!a->scene)
        vs_world_destroy(a->world);
    vs_scene_destroy(a->scene);
}

// ---- the test ----------------------------------------------------------------------------------------

// A certificate with one number changed must not pass.
static void forge(const assembly *a, const vs_statics_result *r) {
    if (r->verdict == VS_VERDICT_STANDS && vs_statics_get_report(a->statics).contacts > 0) {
        vs_vec3 *force = (vs_vec3 *)r->forces.force;
        const vs_vec3 kept = force[0];
        force[0].z += 1e-6 * vs_statics_get_weight(a->statics);
        assert_false(forces_hold(a, force));
        force[0] = kept;
    }
    if (r->verdict == VS_VERDICT_FALLS) {
        vs_vec3 *velocity = (vs_vec3 *)r->mechanism.velocity;
        const int blocks = vs_statics_get_block_count(a->statics);
        for (int k = 0; k < blocks; k++)
            velocity[k] = vs_scale(-1, velocity[k]);
        assert_false(mechanism_holds(a, velocity, r->mechanism.spin, r->mechanism.exact));
        for (int k = 0; k < blocks; k++)
            velocity[k] = vs_scale(-1, velocity[k]);
    }
}

static void judge_verdicts(void **state, double decades, int undecided) {
    vs_context *context = context_of(state);
    uint64_t r = 20261117;
    int count[3] = {0, 0, 0}, inexact = 0;
    for (int k = 0; k < assemblies; k++) {
        assembly a = {.decades = decades};
        vs_statics_result result;
        make_assembly(context, &r, &a);
        if (vs_statics_create(a.world, NULL, &a.statics) != VS_OK) { // no dynamic body
            release(&a);
            continue;
        }
        assert_int_equal(vs_statics_solve(a.statics, &result), VS_OK);
        count[result.verdict]++;
        bool right = true;
        if (result.verdict == VS_VERDICT_STANDS)
            right = forces_hold(&a, result.forces.force);
        if (result.verdict == VS_VERDICT_FALLS)
            right = mechanism_holds(&a, result.mechanism.velocity, result.mechanism.spin, result.mechanism.exact);
        inexact += result.verdict == VS_VERDICT_FALLS && !result.mechanism.exact;
        if (!right)
            fail_msg("assembly %d: the certificate of '%s' is wrong (margin %g)", k, vs_verdict_name(result.verdict),
                     result.margin);
        forge(&a, &result);
        release(&a);
    }
    printf("  %d stand, %d fall (%d of them not exact), %d undecided\n", count[0], count[1], inexact, count[2]);
    // Both verdicts occur, and random assemblies are rarely at the limit.
    assert_true(count[0] > assemblies / 10 && count[1] > assemblies / 10 && count[2] <= undecided);
}

static void no_wrong_verdict(void **state) {
    judge_verdicts(state, 0, assemblies / 50);
}

// Masses that differ by twelve decades: what holds a light stone is not lost in the rounding of a heavy one.
static void no_wrong_verdict_beside_heavy_blocks(void **state) {
    judge_verdicts(state, 12, assemblies / 20);
}

int main(int argc, char **argv) {
    if (argc > 1)
        assemblies = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_wrong_verdict, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_wrong_verdict_beside_heavy_blocks, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
