// The linear systems (P + Q N) d = rhs in every form and with every backend against a dense factor of the test's own:
// the same d, the same sign of the determinant.
#include "solver/parts.h"
#include "solver/coulomb/friction_map.h"
#include "solver/coulomb/linear_system/impulse_form.h"
#include "solver/coulomb/linear_system/velocity_form.h"

// Of d, relative. Draws whose pivots differ by more than 1e4 are left out; a factor loses no more than that.
static const double within = 1e-10;
static const double PIVOTS_MOST = 1e4;

// ---- the reference -----------------------------------------------------------------------------------------

typedef struct reference {
    int rows, sign;
    double *A; // factored
    int *pivot;
    double spread; // of the pivots
} reference;

// P + Q (N + epsilon) row by row; N from its blocks, compliance by its definition.
static void fill_reference(const vs_impulse_problem *island, const double *P, const double *Q, double *A) {
    int n = island->rows;
    double *N = make_doubles((int64_t)n * n);
    for (int i = 0; i < n; i++) {
        dense_row(&island->N, i, N + i * n);
        N[i * n + i] += island->law[island->group_of[i]] == VS_LAW_FREE ? 0 : island->epsilon;
    }
    for (int i = 0; i < n; i++) {
        int g = island->group_of[i], first = island->row[g];
        for (int j = 0; j < n; j++) {
            bool own = island->group_of[j] == g;
            double sum = own ? P[9 * g + 3 * (i - first) + j - first] : 0;
            for (int k = first; k < island->row[g + 1]; k++)
                sum += (Q ? Q[9 * g + 3 * (i - first) + k - first] : i == k) * N[k * n + j];
            A[i * n + j] = sum;
        }
    }
    free(N);
}

static reference make_reference(const vs_impulse_problem *island, const double *P, const double *Q) {
    int n = island->rows;
    reference r = {.rows = n, .A = make_doubles((int64_t)n * n), .pivot = calloc((size_t)n, sizeof(int))};
    fill_reference(island, P, Q, r.A);
    r.sign = dense_factor(n, r.A, r.pivot);
    double least = INFINITY, most = 0;
    for (int k = 0; k < n; k++) {
        least = fmin(least, fabs(r.A[k * n + k]));
        most = fmax(most, fabs(r.A[k * n + k]));
    }
    r.spread = most / least;
    return r;
}

static void free_reference(reference *r) {
    free(r->A), free(r->pivot);
}

// With N stored, as the reference needs it.
static parts *store_scene(vs_context *context, const scene *s) {
    return take_apart_in(must_build(context, s), VS_FORM_IMPULSE);
}

// Compliance of an island in both forms.
static void set_epsilon(parts *p, int k, double epsilon) {
    p->islands.island[k].epsilon = epsilon;
    if (p->carried.count > 0)
        p->carried.island[k].epsilon = epsilon;
}

// ---- ways --------------------------------------------------------------------------------------------------

typedef struct way {
    const char *name;
    vs_form form;
    const char *engine; // null: choose
    bool small;
    vs_linear_system system;
} way;

enum { WAYS_MOST = 11 };

// All that the island and the build allow. velocity: H is block diagonal.
static int open_ways(parts *p, int k, bool velocity, way *ways) {
    const way all[WAYS_MOST] = {{.name = "small", .small = true},
                                {.name = "impulse, auto", .form = VS_FORM_IMPULSE},
                                {.name = "impulse, klu", .form = VS_FORM_IMPULSE, .engine = "klu"},
                                {.name = "impulse, lu", .form = VS_FORM_IMPULSE, .engine = "lu"},
                                {.name = "impulse, lapack", .form = VS_FORM_IMPULSE, .engine = "lapack"},
                                {.name = "impulse, mumps", .form = VS_FORM_IMPULSE, .engine = "mumps"},
                                {.name = "velocity, auto", .form = VS_FORM_VELOCITY},
                                {.name = "velocity, klu", .form = VS_FORM_VELOCITY, .engine = "klu"},
                                {.name = "velocity, lu", .form = VS_FORM_VELOCITY, .engine = "lu"},
                                {.name = "velocity, lapack", .form = VS_FORM_VELOCITY, .engine = "lapack"},
                                {.name = "velocity, mumps", .form = VS_FORM_VELOCITY, .engine = "mumps"}};
    int count = 0;
    for (int j = 0; j < WAYS_MOST; j++) {
        if ((all[j].engine && !vs_linear_backend_find(all[j].engine)) ||
            (all[j].form == VS_FORM_VELOCITY && !velocity) ||
            (all[j].small && p->islands.island[k].rows > VS_ISLAND_SMALL))
            continue;
        way *w = &ways[count++];
        *w = all[j];
        vs_linear_system_shared shared = share_systems(p, w->engine);
        const vs_islands *islands = w->form == VS_FORM_VELOCITY ? &p->carried : &p->islands;
        vs_linear_system_init(&w->system, &shared, &islands->island[k]);
        w->system.small = w->small; // backends are tried on small islands as well
    }
    return count;
}

static void close_ways(way *ways, int count) {
    for (int k = 0; k < count; k++)
        vs_linear_system_release(&ways[k].system);
}

static void check_way(const char *what, way *w, const reference *r, const double *P, const double *Q,
                      const double *rhs) {
    int n = r->rows, factorizations = w->system.shared.counts->factorizations;
    int64_t solves = w->system.shared.counts->solves;
    double *d = copy_doubles(rhs, n), *expected = copy_doubles(rhs, n);
    dense_solve(n, r->A, r->pivot, expected);
    vs_error error = vs_linear_system_factor(&w->system, P, Q);
    if (!error)
        error = vs_linear_system_solve(&w->system, d);
    if (error)
        fail_msg("%s, %s: %s", what, w->name, vs_error_name(error));
    for (int k = 0; k < n; k++)
        d[k] -= expected[k];
    double difference = norm_of(d, n) / norm_of(expected, n);
    if (!(difference <= within))
        fail_msg("%s, %s: d differs by %.2g, pivots by %.2g", what, w->name, difference, r->spread);
    if (w->system.sign_det != r->sign)
        fail_msg("%s, %s: sign of the determinant %d, expected %d", what, w->name, w->system.sign_det, r->sign);
    assert_int_equal(w->system.shared.counts->factorizations, factorizations + 1);
    assert_true(w->system.shared.counts->solves > solves);
    free(d), free(expected);
}

// ---- blocks ------------------------------------------------------------------------------------------------

typedef enum draw_kind { NEWTON, PATH, ANY, DRAWS } draw_kind;

// P = A + alpha B, Q = B of the friction law at a random point: what Newton's method factors.
static void draw_newton(const vs_impulse_problem *island, double alpha, uint64_t *seed, double *P, double *Q) {
    double *l = make_doubles(island->rows), *y = make_doubles(island->rows), *F = make_doubles(island->rows);
    for (int k = 0; k < island->rows; k++) {
        bool normal = k == island->row[island->group_of[k]];
        l[k] = random_in(seed, normal ? 0 : -.3, 1), y[k] = random_in(seed, -.5, .5);
    }
    vs_friction_map_evaluate(island, VS_FRICTION_MAP_NATURAL, l, y, F, P, Q);
    for (int k = 0; k < 9 * island->groups; k++)
        P[k] += alpha * Q[k];
    free(l), free(y), free(F);
}

// P a positive number or a block that is unsymmetric like the path's, Q = 1, nothing on joints.
static void draw_path(const vs_impulse_problem *island, uint64_t *seed, double *P) {
    memset(P, 0, sizeof *P * 9 * (size_t)island->groups);
    for (int g = 0; g < island->groups; g++) {
        if (island->law[g] == VS_LAW_FREE)
            continue;
        P[9 * g] = pow(10, random_in(seed, -2, 1));
        for (int k = 3; k < 9 && island->law[g] == VS_LAW_FRICTION; k++)
            P[9 * g + k] = random_in(seed, -1, 1) + (k == 4 || k == 8);
    }
}

// Anything invertible: signs at random, so that the determinant has either.
static void draw_any(const vs_impulse_problem *island, uint64_t *seed, double *P, double *Q) {
    for (int g = 0; g < island->groups; g++)
        for (int k = 0; k < 9; k++) {
            bool joint = island->law[g] == VS_LAW_FREE, diagonal = k % 4 == 0;
            double sign = random_pick(seed, 2) ? 1 : -1;
            P[9 * g + k] = joint ? 0 : random_in(seed, -.3, .3) + diagonal * sign;
            Q[9 * g + k] = joint ? 1 : random_in(seed, -.5, .5) + diagonal * .5;
        }
}

// Draws of every kind on one island, in all ways; counts the signs met. alpha: the proximal term of Newton's, which is
// all there is of P where a contact sticks.
static void check_island(const char *what, parts *p, int k, double alpha, int draws, uint64_t seed, int signs[2]) {
    const vs_impulse_problem *island = &p->islands.island[k];
    bool velocity = !p->problem->local && p->problem->block_diagonal;
    double *P = make_doubles(9 * (int64_t)island->groups), *Q = make_doubles(9 * (int64_t)island->groups);
    double *rhs = make_doubles(island->rows);
    way ways[WAYS_MOST];
    int count = open_ways(p, k, velocity, ways), used = 0;
    for (int draw = 0; draw < draws * DRAWS; draw++) {
        draw_kind kind = (draw_kind)(draw % DRAWS);
        if (kind == NEWTON)
            draw_newton(island, alpha, &seed, P, Q);
        else if (kind == PATH)
            draw_path(island, &seed, P);
        else
            draw_any(island, &seed, P, Q);
        const double *factor = kind == PATH ? NULL : Q;
        for (int j = 0; j < island->rows; j++)
            rhs[j] = random_in(&seed, -1, 1);
        reference r = make_reference(island, P, factor);
        if (r.spread < PIVOTS_MOST) {
            for (int j = 0; j < count; j++)
                check_way(what, &ways[j], &r, P, factor, rhs);
            signs[r.sign > 0]++;
            used++;
        }
        free_reference(&r);
    }
    assert_true(2 * used > draws * DRAWS);
    close_ways(ways, count);
    free(P), free(Q), free(rhs);
}

// ---- islands -----------------------------------------------------------------------------------------------

static recipe everything(uint64_t seed, bool compliant) {
    recipe r = {.seed = seed, .bodies = 6, .dofs = 6, .friction = 6, .smooth = 2, .joints = 2, .bounds = 2, .mu = .7};
    r.compliant = compliant;
    return r;
}

// Rigid and with E, without and with a homotopy's epsilon; joints, frictionless contacts, boxes and friction together.
static void all_ways_agree_on_small_islands(void **state) {
    int signs[2] = {0};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        recipe r = everything(seed, seed % 2);
        scene s = make_random(&r);
        parts *p = store_scene(context_of(state), &s);
        int k = largest_island(p);
        const vs_impulse_problem *island = &p->islands.island[k];
        assert_true(island->rows <= VS_ISLAND_SMALL && island->rows > 15 && island->law[0] == VS_LAW_FREE);
        const double epsilons[] = {0, 1e-3, .3};
        for (int j = 0; j < 3; j++) {
            char name[64];
            snprintf(name, sizeof name, "scene %d, epsilon %g", (int)seed, epsilons[j]);
            set_epsilon(p, k, epsilons[j]);
            check_island(name, p, k, 1e-8, 4, 100 * seed, signs);
        }
        put_away(p);
        free_scene(&s);
    }
    print_message("  determinants: %d negative, %d positive\n", signs[0], signs[1]);
    assert_true(signs[0] >= 20 && signs[1] >= 20);
}

static void all_ways_agree_on_a_pile(void **state) {
    int signs[2] = {0};
    scene s = make_pile(3, 3, 3, .7, 1);
    parts *p = store_scene(context_of(state), &s);
    int k = largest_island(p);
    assert_true(p->islands.island[k].rows > 150); // sparse backends are chosen from here on
    check_island("pile", p, k, 1e-8, 1, 5, signs);
    set_epsilon(p, k, 1e-2);
    check_island("soft pile", p, k, 1e-8, 1, 6, signs);
    put_away(p);
    free_scene(&s);
}

// N itself is singular there: P makes the systems regular.
static void all_ways_agree_on_redundant_contacts(void **state) {
    int signs[2] = {0};
    wall w = make_wall(3, 3, .5);
    parts *p = store_scene(context_of(state), &w.s);
    check_island("wall", p, largest_island(p), 1e-2, 2, 7, signs);
    put_away(p);
    free_scene(&w.s);
    scene s = make_box(2, (double[3]){.5, .4, .25}, .5, (double[6]){1, 0, -1, 0, 0, 0});
    p = store_scene(context_of(state), &s);
    check_island("box", p, 0, 1e-2, 10, 8, signs);
    put_away(p);
    free_scene(&s);
}

// Without blocks of H there is no velocity form, although it is asked for; N may be unsymmetric.
static void general_and_local_forms(void **state) {
    int signs[2] = {0};
    for (int k = 0; k < 3; k++) {
        parts *p = take_apart_in(k < 2 ? make_general(context_of(state), k == 1, 4) : make_local(context_of(state), 4),
                                 VS_FORM_VELOCITY);
        check_island(k == 2 ? "local form" : "general H", p, largest_island(p), 1e-8, 5, 9, signs);
        assert_false(p->islands.island[0].carried);
        put_away(p);
    }
}

// ---- choice, failure ---------------------------------------------------------------------------------------

// The form that is chosen for the largest island.
static const vs_linear_system_form *chosen_form(vs_context *context, const scene *s) {
    parts *p = take_scene_apart(context, s);
    int k = largest_island(p), groups = p->islands.island[k].groups;
    double *P = make_doubles(9 * (int64_t)groups);
    for (int j = 0; j < 9 * groups; j++)
        P[j] = j % 9 % 4 == 0;
    vs_linear_system system;
    vs_linear_system_shared shared = share_systems(p, NULL);
    vs_linear_system_init(&system, &shared, &p->islands.island[k]);
    assert_false(system.small);
    assert_int_equal(vs_linear_system_factor(&system, P, NULL), VS_OK);
    const vs_linear_system_form *form = system.form;
    vs_linear_system_release(&system);
    free(P);
    put_away(p);
    return form;
}

static void velocities_are_chosen_where_there_are_few(void **state) {
    wall w = make_wall(4, 4, .5); // 12 rows an interface, 6 velocities a brick
    assert_ptr_equal(chosen_form(context_of(state), &w.s), &vs_linear_system_velocity);
    free_scene(&w.s);
    scene s = make_pile(3, 3, 3, .5, 1); // about 9 rows a sphere
    assert_ptr_equal(chosen_form(context_of(state), &s), &vs_linear_system_impulse);
    free_scene(&s);
}

// A contact without an equation: P = Q = 0. Said by every way, and the next regular system is solved again.
static void singular_systems_are_refused(void **state) {
    recipe how = everything(2, false);
    scene s = make_random(&how);
    parts *p = store_scene(context_of(state), &s);
    int k = largest_island(p);
    const vs_impulse_problem *island = &p->islands.island[k];
    double *P = make_doubles(9 * (int64_t)island->groups), *Q = make_doubles(9 * (int64_t)island->groups);
    double *rhs = make_doubles(island->rows);
    way ways[WAYS_MOST];
    int count = open_ways(p, k, true, ways), last = island->groups - 1;
    rhs[0] = 1;
    for (int j = 0; j < 9 * island->groups; j++)
        P[j] = Q[j] = j % 9 % 4 == 0;
    reference r = make_reference(island, P, Q);
    for (int j = 0; j < count; j++)
        for (int singular = 1; singular >= 0; singular--) {
            for (int t = 9 * last; t < 9 * last + 9; t++)
                P[t] = Q[t] = t % 9 % 4 == 0 && !singular;
            if (!singular)
                check_way("after a singular system", &ways[j], &r, P, Q, rhs);
            else if (vs_linear_system_factor(&ways[j].system, P, Q) != VS_ERROR_NUMERICAL)
                fail_msg("%s: a singular matrix was factored", ways[j].name);
        }
    free_reference(&r);
    close_ways(ways, count);
    free(P), free(Q), free(rhs);
    put_away(p);
    free_scene(&s);
}

// What is made late may fail late: every allocation of the first factorization in turn. Nothing is lost (tear_down()),
// and the system is made as soon as there is memory.
static void refused_memory_is_an_error(void **state) {
    memory *m = &((fixture *)*state)->m;
    recipe how = everything(3, true);
    scene s = make_random(&how);
    parts *p = store_scene(context_of(state), &s);
    int k = largest_island(p), groups = p->islands.island[k].groups;
    double *P = make_doubles(9 * (int64_t)groups);
    for (int j = 0; j < 9 * groups; j++)
        P[j] = j % 9 % 4 == 0;
    way ways[WAYS_MOST];
    int count = open_ways(p, k, true, ways), refused = 0;
    for (int j = 1; j < count; j++) { // the first is small and makes nothing
        vs_error error = VS_ERROR_MEMORY;
        for (int call = 0; error == VS_ERROR_MEMORY && call < 200; call++, refused++) {
            refuse_call(m, call);
            error = vs_linear_system_factor(&ways[j].system, P, NULL);
            vs_linear_system_release(&ways[j].system);
            refuse_none(m);
            if (error && error != VS_ERROR_MEMORY)
                fail_msg("%s, call %d: %s", ways[j].name, call, vs_error_name(error));
        }
        assert_int_equal(error, VS_OK);
        assert_int_equal(vs_linear_system_factor(&ways[j].system, P, NULL), VS_OK);
    }
    assert_true(refused > 3 * count);
    close_ways(ways, count);
    free(P);
    put_away(p);
    free_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_ways_agree_on_small_islands),
        cmocka_unit_test(all_ways_agree_on_a_pile),
        cmocka_unit_test(all_ways_agree_on_redundant_contacts),
        cmocka_unit_test(general_and_local_forms),
        cmocka_unit_test(velocities_are_chosen_where_there_are_few),
        cmocka_unit_test(singular_systems_are_refused),
        cmocka_unit_test(refused_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
