// Exact Coulomb friction on scenes: brick walls, every kind of row together, other units, islands, and the relaxed
// model, with which it must agree wherever nothing slides.
#include "exact.h"

static const double within = 1e-10;

// ---- walls -------------------------------------------------------------------------------------------------

static void report(const char *name, const outcome *o, const vs_result *counts) {
    print_message("  %s: %d contact rows, %d iterations, %d factorizations, %d island(s), error %.1e, %.3f s\n", name,
                  o->m, counts->iterations, counts->factorizations, counts->islands, relative_error(&o->measures),
                  counts->times.total);
}

// Every brick at rest: the normals alone can carry the weights, so that v = 0 is the only solution (0 >= v'H v + power
// of the normals). To 1e-8 of g h: the default tolerance, 1e-8 of sqrt(e0), is spread over 760 contacts, so that 1e-10
// is asked for in addition, times a condition of 100.
static void wall_of_a_hundred_bricks_stands(void **state) {
    wall w = make_wall(10, 10, .5);
    vs_problem *problem = must_build(context_of(state), &w.s);
    const double asked[] = {1e-8, 1e-10};
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = strict_options(asked[k]);
        vs_result counts;
        outcome o = solve_counted(problem, &options, &counts);
        assert_converged("wall", &o);
        report("wall at rest", &o, &counts);
        double speed = 0;
        for (int j = 0; j < o.n; j++) // turning: the speed of the corners
            speed = fmax(speed, fabs(o.v[j]) * (j % 6 < 3 ? 1 : brick_half[0]));
        print_message("    largest speed %.1e of g h\n", speed / (gravity * time_step));
        if (k == 1)
            assert_true(speed <= 1e-8 * gravity * time_step);
        free_outcome(&o);
    }
    vs_problem_destroy(problem);
    free_scene(&w.s);
}

// The top row slides at v_0 - mu g h and does not lift; the rows below carry its friction and stay.
static void top_row_of_a_wall_slides_under_a_push(void **state) {
    const double mu = .5, v0 = 3 * mu * gravity * time_step;
    wall w = make_wall(10, 10, mu);
    push_top_row(&w, v0);
    vs_problem *problem = must_build(context_of(state), &w.s);
    const double asked[] = {1e-8, 1e-10};
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = strict_options(asked[k]);
        vs_result counts;
        outcome o = solve_counted(problem, &options, &counts);
        assert_converged("pushed wall", &o);
        report("pushed wall", &o, &counts);
        for (int j = 0; j < o.n && k == 1; j++) {
            bool slides = j % 6 == 0 && j / 6 >= w.first[w.rows - 1];
            // 1e-10 times a condition of 100
            assert_near("brick", o.v[j], slides ? v0 - mu * gravity * time_step : 0,
                        1e-8 * v0 / (j % 6 < 3 ? 1 : brick_half[0]));
        }
        free_outcome(&o);
    }
    vs_problem_destroy(problem);
    free_scene(&w.s);
}

// ---- the relaxed model ---------------------------------------------------------------------------------------

// Largest |v_exact - v_relaxed| over the largest relaxed and free velocity `speed`.
static double compare_models(vs_context *context, const scene *s, double speed, const outcome *relaxed) {
    outcome exact = solve_exactly(context, s, 1e-12);
    if (exact.status != VS_STATUS_CONVERGED)
        exact.status = relative_error(&exact.measures) <= 1e-11 ? VS_STATUS_CONVERGED : exact.status; // roundoff
    assert_converged("exact", &exact);
    double difference = largest_difference(exact.v, relaxed->v, exact.n) / speed;
    free_outcome(&exact);
    return difference;
}

static outcome solve_relaxed(vs_context *context, const scene *s) {
    vs_solver_options options = make_options(1e-12);
    options.model = VS_MODEL_RELAXED;
    outcome o = solve_scene(context, s, &options);
    assert_converged("relaxed", &o);
    return o;
}

// Nothing slides on an active contact: y_T = 0 (solved to 1e-12) where l_n > 0. Then s = 0, and both models coincide.
static bool nothing_slides(const scene *s, const outcome *o, double speed) {
    double most = largest(o->lambda, o->m);
    bool active = false;
    for (int k = 0, row = 0; k < s->links; k++) {
        const scene_link *link = &s->link[k];
        if (link->kind == FRICTION && o->lambda[row] > 1e-6 * most) {
            active = true;
            if (hypot(o->y[row + 1], o->y[row + 2]) > 1e-10 * speed)
                return false;
        }
        row += link->kind == JOINT ? 0 : link->rows;
    }
    return active;
}

static void models_agree_where_nothing_slides(void **state) {
    const double fall = gravity * time_step, half[3] = {.5, .4, .25};
    double pushed[6] = {.2 * fall, .1 * fall, -fall, 0, 0, .1 * fall};
    scene box = make_box(2, half, .4, pushed);
    outcome relaxed = solve_relaxed(context_of(state), &box);
    assert_true(nothing_slides(&box, &relaxed, fall));
    assert_true(compare_models(context_of(state), &box, fall, &relaxed) <= within);
    free_outcome(&relaxed);
    free_scene(&box);

    wall w = make_wall(4, 4, .5);
    relaxed = solve_relaxed(context_of(state), &w.s);
    assert_true(nothing_slides(&w.s, &relaxed, fall));
    assert_true(compare_models(context_of(state), &w.s, fall, &relaxed) <= within);
    free_outcome(&relaxed);
    free_scene(&w.s);
}

// Random scenes, of which those are compared whose relaxed solution has nothing that slides: it solves the exact
// problem too. That one might have other solutions in theory; at these coefficients none was met.
static void models_agree_on_random_scenes_where_nothing_slides(void **state) {
    int compared = 0;
    double worst = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        recipe r = {.seed = 3000 + seed, .bodies = 4, .dofs = seed % 2 ? 3 : 6, .friction = 2 + (int)(seed % 3)};
        r.mu = r.dofs == 3 ? 5 : 1.5; // points: no coupling of normal and tangential rows within a contact
        scene s = make_random(&r);
        for (int k = 0; k < s.links; k++) // at rest or opening, without a slip of its own
            s.link[k].b[1] = s.link[k].b[2] = 0, s.link[k].b[0] = -fabs(s.link[k].b[0]);
        outcome relaxed = solve_relaxed(context_of(state), &s);
        double speed = 3; // free velocities are 1 … 3 m/s
        if (nothing_slides(&s, &relaxed, speed)) {
            double difference = compare_models(context_of(state), &s, speed, &relaxed);
            worst = fmax(worst, difference);
            if (!(difference <= within))
                fail_msg("seed %d: the models differ by %.2g", (int)seed, difference);
            compared++;
        }
        free_outcome(&relaxed);
        free_scene(&s);
    }
    print_message("  %d scenes compared, largest difference %.1e\n", compared, worst);
    assert_true(compared >= 10);
}

// ---- everything together ---------------------------------------------------------------------------------------

static recipe everything(uint64_t seed) {
    recipe r = {.seed = seed, .bodies = 6, .dofs = 6, .friction = 8, .smooth = 3, .joints = 2, .bounds = 2, .mu = .6};
    r.compliant = seed % 2;
    return r;
}

// Friction, frictionless contacts, joints (twice: redundant), box rows, compliance. A strictly feasible velocity
// exists, and with it a solution.
static void all_kinds_of_rows_together_converge(void **state) {
    const double asked[] = {1e-8, 1e-12};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        recipe r = everything(seed);
        scene s = make_random(&r);
        if (seed % 4 == 0)
            duplicate_links(&s, JOINT);
        for (int k = 0; k < 2; k++) {
            char name[64];
            snprintf(name, sizeof name, "all kinds, seed %d, tolerance %g", (int)seed, asked[k]);
            vs_solver_options options = exact_options(asked[k]);
            if (k == 0)
                options.criterion = VS_CRITERION_BOTH;
            outcome o = solve_scene(context_of(state), &s, &options);
            assert_converged(name, &o);
            free_outcome(&o);
        }
        free_scene(&s);
    }
}

// mu = 1000 couples normal and tangential rows beyond any contraction.
static void extreme_friction_coefficients_converge(void **state) {
    const double mu[] = {0, 1e-6, 10, 1e3};
    for (int k = 0; k < 4; k++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            char name[64];
            recipe r = {.seed = 40 + seed, .bodies = 4, .dofs = 6, .friction = 7, .mu = mu[k]};
            scene s = make_random(&r);
            snprintf(name, sizeof name, "mu = %g, seed %d", mu[k], (int)seed);
            outcome o = solve_exactly(context_of(state), &s, 1e-8);
            assert_converged(name, &o);
            free_outcome(&o);
            free_scene(&s);
        }
}

// ---- units -------------------------------------------------------------------------------------------------

typedef struct scaled_run {
    outcome o;
    vs_result counts;
} scaled_run;

static scaled_run run_scaled(vs_context *context, const scene *s, double mass, double length) {
    scene scaled = copy_scene(s);
    scale_units(&scaled, mass, length);
    vs_problem *problem = must_build(context, &scaled);
    vs_solver_options options = exact_options(1e-8); // energy: the natural map mixes units
    scaled_run run;
    run.o = solve_counted(problem, &options, &run.counts);
    assert_converged("scaled", &run.o);
    vs_problem_destroy(problem);
    free_scene(&scaled);
    return run;
}

// Powers of two change no digit: the same iterates. Powers of ten change the last digits: at most an iteration more or
// less (with `ties`, where a last digit decides which of equal contacts comes first, any), and the same solution to the
// tolerance times a condition of 100.
static void check_units(vs_context *context, const scene *s, const char *name, bool ties) {
    const struct {
        double mass, length;
        bool binary;
    } units[] = {{0x1p-20, 1, true}, {0x1p20, 1, true}, {1, 0x1p-10, true}, {1, 0x1p10, true},  {1e-6, 1, false},
                 {1e6, 1, false},    {1, 1e-3, false},  {1, 1e3, false},    {1e-6, 1e3, false}, {0x1p20, 0x1p-5, true}};
    scaled_run first = run_scaled(context, s, 1, 1);
    double size = largest(first.o.v, first.o.n);
    int low = first.counts.iterations, high = low;
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        scaled_run other = run_scaled(context, s, units[k].mass, units[k].length);
        int more = abs(other.counts.iterations - first.counts.iterations), most = units[k].binary ? 0 : ties ? 1000 : 1;
        int factors = abs(other.counts.factorizations - first.counts.factorizations);
        low = other.counts.iterations < low ? other.counts.iterations : low;
        high = other.counts.iterations > high ? other.counts.iterations : high;
        if (more > most || factors > most)
            fail_msg("%s, mass %g, length %g: %d iterations, %d factorizations", name, units[k].mass, units[k].length,
                     other.counts.iterations, other.counts.factorizations);
        for (int b = 0, at = 0; b < s->bodies; at += s->body[b++].dofs)
            for (int j = 0; j < s->body[b].dofs; j++) { // turning does not scale with lengths
                double unit = j < 3 ? units[k].length : 1;
                assert_near(name, other.o.v[at + j] / unit, first.o.v[at + j], (units[k].binary ? 1e-12 : 1e-6) * size);
            }
        free_outcome(&other.o);
    }
    print_message("  %s: %d iterations, %d factorizations; %d … %d iterations in other units\n", name,
                  first.counts.iterations, first.counts.factorizations, low, high);
    free_outcome(&first.o);
}

static void other_units_leave_the_iterations_as_they_are(void **state) {
    const double half[3] = {.5, .4, .25};
    scene box = make_box(2, half, .4, (double[6]){2, 0, -gravity * time_step, 0, 0, 0});
    check_units(context_of(state), &box, "sliding box", false);
    free_scene(&box);
    recipe r = {.seed = 42, .bodies = 10, .dofs = 6, .friction = 20, .mu = .7};
    scene bodies = make_random(&r);
    check_units(context_of(state), &bodies, "10 bodies, 20 contacts", false);
    free_scene(&bodies);
    r = everything(7);
    scene all = make_random(&r);
    check_units(context_of(state), &all, "contacts, joints, box rows, compliance", false);
    free_scene(&all);
    wall w = make_wall(4, 4, .5);
    push_top_row(&w, .2);
    check_units(context_of(state), &w.s, "pushed wall", true);
    free_scene(&w.s);
}

// ---- islands -----------------------------------------------------------------------------------------------

// `other` beside `s`: more bodies, more links, nothing shared.
static void put_beside(scene *s, const scene *other) {
    int bodies = s->bodies;
    for (int k = 0; k < other->bodies; k++) {
        scene_body *body = add_body(s, other->body[k].dofs);
        *body = other->body[k];
    }
    for (int k = 0; k < other->links; k++) {
        scene_link *link = add_link(s, other->link[k].kind, other->link[k].rows);
        *link = other->link[k];
        for (int a = 0; a < link->blocks; a++)
            link->block[a] += bodies;
    }
}

// sqrt(1/2 dv'H dv/e0): the energy of the impulses' difference, D'dl = H dv, which redundancy does not enter.
static double energy_between(const scene *s, const double *a, const double *b, double scale) {
    double sum = 0;
    for (int k = 0, at = 0; k < s->bodies; at += s->body[k++].dofs)
        for (int i = 0; i < s->body[k].dofs; i++)
            for (int j = 0; j < s->body[k].dofs; j++)
                sum += .5 * (a[at + i] - b[at + i]) * s->body[k].H[i * s->body[k].dofs + j] * (a[at + j] - b[at + j]);
    return sqrt(sum / scale);
}

static void check_islands(vs_context *context, const char *name, const scene *s) {
    scene both = copy_scene(s);
    put_beside(&both, s);
    vs_problem *one = must_build(context, s), *two = must_build(context, &both);
    vs_solver_options options = exact_options(1e-11);
    options.method = VS_METHOD_CASCADE;
    vs_result counts_one, counts_two;
    outcome alone = solve_counted(one, &options, &counts_one), together = solve_counted(two, &options, &counts_two);
    assert_converged(name, &alone);
    assert_converged(name, &together);
    assert_int_equal(counts_one.islands, 1);
    assert_int_equal(counts_two.islands, 2);
    for (int copy = 0; copy < 2; copy++) { // the tolerance times a condition of 100
        double difference = energy_between(s, alone.v, together.v + copy * alone.n, alone.measures.energy_scale);
        if (!(difference <= 1e-9))
            fail_msg("%s: copy %d differs by %.2g", name, copy, difference);
    }
    // the copies are solved alike, to the bit
    assert_memory_equal(together.lambda, together.lambda + alone.m, (size_t)alone.m * sizeof(double));
    free_outcome(&alone), free_outcome(&together);
    vs_problem_destroy(one), vs_problem_destroy(two);
    free_scene(&both);
}

static void copies_side_by_side_are_islands_with_the_same_solution(void **state) {
    const double half[3] = {.5, .4, .25};
    // It does not turn: with four normals for three unknowns friction's moment would not be unique, nor would be v.
    scene box = make_box(2, half, .4, (double[6]){1, .5, -gravity * time_step, 0, 0, 0});
    check_islands(context_of(state), "box", &box);
    free_scene(&box);
    wall w = make_wall(3, 3, .5);
    push_top_row(&w, .2);
    check_islands(context_of(state), "wall", &w.s);
    free_scene(&w.s);
    scene pile = make_pile(3, 3, 3, .3, 4);
    check_islands(context_of(state), "pile", &pile);
    free_scene(&pile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wall_of_a_hundred_bricks_stands),
        cmocka_unit_test(top_row_of_a_wall_slides_under_a_push),
        cmocka_unit_test(models_agree_where_nothing_slides),
        cmocka_unit_test(models_agree_on_random_scenes_where_nothing_slides),
        cmocka_unit_test(all_kinds_of_rows_together_converge),
        cmocka_unit_test(extreme_friction_coefficients_converge),
        cmocka_unit_test(other_units_leave_the_iterations_as_they_are),
        cmocka_unit_test(copies_side_by_side_are_islands_with_the_same_solution),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
