// Dry masonry stands: a wall, an arch and a tower of planks do not creep, and every step of them is certified.
//
// Structures that friction holds at rest do not move: after the first second, in which gaps of rounding close, no point
// of any body moves by 1e-6 m in the nine seconds that follow. A bridge stands above the least friction that statics
// allow, found by an independent solver, and falls below it. Nothing here is pushed or shaken.
#include "voussoir/scene.h"
#include "worlds.h"

// s. Full time in optimized builds; a tenth of the steps after the first second where assertions are compiled in.
#ifdef NDEBUG
static const double duration = 10;
#else
static const double duration = 1.9;
#endif

enum { MOST_BODIES = 80 };

typedef struct building {
    memory memory;
    vs_context *context;
    vs_scene *scene;
    vs_simulation *simulation;
    vs_pose from[MOST_BODIES];
    int bodies;
} building;

typedef struct figures {
    double moved;        // m, of any point of any body since keep_poses()
    double energy_error; // J, largest of a step
    double penetration;  // m, largest
    double seconds;      // wall time of the steps
    int missed;          // steps that missed the tolerance
} figures;

static void open_building(building *b, const char *name, const vs_scene_parameter *parameter, int parameters) {
    *b = (building){0};
    b->context = make_context(&b->memory);
    must(vs_scene_make(b->context, name, parameter, parameters, &b->scene), b->context);
    b->bodies = vs_world_get_body_count(b->scene->world);
    assert_in_range(b->bodies, 1, MOST_BODIES);
}

static void close_building(building *b) {
    vs_simulation_destroy(b->simulation);
    vs_scene_destroy(b->scene);
    end_context(b->context, &b->memory);
}

static vs_pose pose_of(const building *b, int k) {
    vs_body_state state;
    must(vs_world_get_body_state(b->scene->world, vs_world_get_body_at(b->scene->world, k), &state), b->context);
    return state.pose;
}

static void keep_poses(building *b) {
    for (int k = 0; k < b->bodies; k++)
        b->from[k] = pose_of(b, k);
}

// The largest displacement of points at `reach` (m) from the centres of mass along the axes of the bodies, both ways.
static double largest_move(const building *b, double reach) {
    double most = 0;
    for (int k = 0; k < b->bodies; k++) {
        vs_pose now = pose_of(b, k);
        for (int i = 0; i < 6; i++) {
            double r = i % 2 ? reach : -reach;
            vs_vec3 point = {i / 2 == 0 ? r : 0, i / 2 == 1 ? r : 0, i / 2 == 2 ? r : 0};
            vs_vec3 way = vs_subtract(vs_pose_apply(now, point), vs_pose_apply(b->from[k], point));
            most = fmax(most, vs_length(way));
        }
    }
    return most;
}

// Steps for `time` seconds.
static void pass(building *b, double time, figures *f) {
    vs_step_report report;
    int steps = (int)floor(time / b->scene->options.step + .5);
    for (int k = 0; k < steps; k++) {
        must(vs_simulation_step(b->simulation, &report), b->context);
        if (report.status != VS_STATUS_CONVERGED) {
            printf("  %s, step %lld: %s\n", b->scene->name, (long long)report.step, report.status_text);
            f->missed++;
        }
        f->energy_error = fmax(f->energy_error, report.energy_error);
        f->penetration = fmax(f->penetration, report.penetration);
        f->seconds += report.seconds_total;
    }
}

// reach: half of the longest side, m.
static void stands(const char *name, const vs_scene_parameter *parameter, int parameters, int bodies, double reach) {
    building b;
    figures f = {0};
    open_building(&b, name, parameter, parameters);
    assert_int_equal(b.bodies, bodies);
    must(vs_simulation_create(b.scene->world, &b.scene->options, &b.simulation), b.context);
    keep_poses(&b);
    pass(&b, 1, &f);
    double settled = largest_move(&b, reach);
    keep_poses(&b);
    pass(&b, duration - 1, &f);
    f.moved = largest_move(&b, reach);
    printf("  %s: %d bodies, %g s: moved %.1e m in the first second, %.1e m then; energy error %.1e J; penetration "
           "%.1e m; %.2f s\n",
           name, b.bodies, duration, settled, f.moved, f.energy_error, f.penetration, f.seconds);
    close_building(&b);
    assert_int_equal(f.missed, 0);
    assert_true(f.moved < 1e-6);
    assert_true(f.energy_error < 1e-9);
    // Contacts start closed; gaps are due to rounding of the poses and to the tolerance of the steps.
    assert_true(settled < 1e-6);
    assert_true(f.penetration < 1e-6);
}

static void wall_of_twelve_rows_stands(void **state) {
    (void)state;
    stands("brick-wall", (vs_scene_parameter[]){{"rows", 12}, {"columns", 3}}, 2, 30, .12);
}

static void arch_of_nine_stones_stands(void **state) {
    (void)state;
    stands("arch", (vs_scene_parameter[]){{"stones", 9}}, 1, 9, .25);
}

static void tower_of_sixty_planks_stands(void **state) {
    (void)state;
    stands("kapla-tower", (vs_scene_parameter[]){{"levels", 30}}, 1, 60, .06);
}

// The first second of a bridge.
static figures watch_bridge(double mu) {
    building b;
    figures f = {0};
    open_building(&b, "stone-bridge", &(vs_scene_parameter){"mu", mu}, 1);
    assert_int_equal(b.bodies, 17);
    must(vs_simulation_create(b.scene->world, &b.scene->options, &b.simulation), b.context);
    keep_poses(&b);
    pass(&b, 1, &f);
    f.moved = largest_move(&b, 0);
    printf("  stone-bridge, mu %.6f: moved %.1e m; energy error %.1e J; %d steps missed; %.2f s\n", mu, f.moved,
           f.energy_error, f.missed, f.seconds);
    close_building(&b);
    assert_true(f.energy_error < 1e-9);
    return f;
}

// The least friction that can hold 15 stones is that at which joints slide: with H the thrust, W the weight of the arch
// and V = W phi/pi that between the crown and the joint at angle phi, the joint at the pier (90 degrees) needs H <= mu
// W/2 and the one at 30 degrees, from which the crown sinks, H >= V / tan(30 degrees + atan mu):
//
//     mu tan(30 degrees + atan mu) = 1/3,   mu_c = (sqrt(13) - 2)/sqrt(27) = 0.308988
//
// tools/bridge_mu.py finds the same among all forces in all joints with an independent convex solver.
static void bridge_falls_below_and_stands_above_the_critical_friction(void **state) {
    (void)state;
    const double mu_c = (sqrt(13) - 2) / sqrt(27);
    // 5 % of the friction needed is missing: it moves by a tenth of the radius within a second. Steps of falling stones
    // may miss the tolerance (relative, 1e-8) as long as their error in joules is negligible.
    assert_true(watch_bridge(.95 * mu_c).moved > .1);
    figures f = watch_bridge(1.05 * mu_c);
    assert_true(f.moved < 1e-6);
    assert_int_equal(f.missed, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arch_of_nine_stones_stands),
        cmocka_unit_test(bridge_falls_below_and_stands_above_the_critical_friction),
    };
    const struct CMUnitTest studies[] = {
        cmocka_unit_test(wall_of_twelve_rows_stands),
        cmocka_unit_test(tower_of_sixty_planks_stands),
    };
    return vs_run_tests_and_studies(tests, studies);
}
