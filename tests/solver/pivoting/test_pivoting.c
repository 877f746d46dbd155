// Principal pivoting and Lemke's method: against all index sets of small problems, against the interior point on larger
// ones, on problems that make simpler exchanges cycle, on redundant and contradictory rows, and what box friction is.
#include "solver/solving.h"

static const vs_method methods[2] = {VS_METHOD_PIVOTING, VS_METHOD_LEMKE};
static const char *const names[2] = {"pivoting", "lemke"};

// Both methods find a point that is exact but for roundoff; 1e-12 leaves two digits for sums over many rows.
static const double accurate = 1e-12;

static vs_solver_options options_of(vs_method method) {
    vs_solver_options options = make_options(accurate);
    options.method = method;
    return options;
}

// ---- dense rows --------------------------------------------------------------------------------------------

enum { ROWS_MOST = 7, DOFS_MOST = 24 };

typedef struct dense_problem {
    int rows, joints; // joint rows come first, as in impulse_problem.h
    double A[ROWS_MOST][ROWS_MOST], q[ROWS_MOST];
    double lo[ROWS_MOST], hi[ROWS_MOST];
} dense_problem;

// Row i of a link, all bodies' velocities side by side, six each.
static void spread_row(const scene *s, const scene_link *link, int i, double *J) {
    memset(J, 0, DOFS_MOST * sizeof *J);
    for (int a = 0; a < link->blocks; a++) {
        int dofs = s->body[link->block[a]].dofs;
        memcpy(J + 6 * link->block[a], link->J[a] + i * dofs, (size_t)dofs * sizeof *J);
    }
}

static dense_problem make_dense(const scene *s) {
    dense_problem p = {0};
    double J[ROWS_MOST][DOFS_MOST], E[ROWS_MOST];
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < s->links; k++) {
            const scene_link *link = &s->link[k];
            for (int i = 0; i < link->rows && (link->kind == JOINT) == (pass == 0); i++, p.rows++) {
                assert_true(p.rows < ROWS_MOST);
                spread_row(s, link, i, J[p.rows]);
                E[p.rows] = link->compliance[i];
                p.q[p.rows] = -link->b[i];
                p.lo[p.rows] = link->kind == JOINT ? -INFINITY : link->kind == BOUNDS ? link->lo[i] : 0;
                p.hi[p.rows] = link->kind == BOUNDS ? link->hi[i] : INFINITY;
                p.joints += link->kind == JOINT;
            }
        }
    for (int j = 0; j <= p.rows; j++) { // columns of A, and at last the free velocities
        double v[DOFS_MOST] = {0};
        for (int b = 0; b < s->bodies; b++) {
            for (int t = 0; t < s->body[b].dofs; t++)
                v[6 * b + t] = j < p.rows ? J[j][6 * b + t] : -s->body[b].c[t];
            solve_body(&s->body[b], v + 6 * b);
        }
        for (int i = 0; i < p.rows; i++) {
            double sum = i == j ? E[i] : 0;
            for (int t = 0; t < 6 * s->bodies; t++)
                sum += J[i][t] * v[t];
            *(j < p.rows ? &p.A[i][j] : &p.q[i]) += sum;
        }
    }
    return p;
}

// A_FF x_F = -(q + A x)_F; rows that depend on others keep x = 0. set: -1, 0, 1.
static void solve_set(const dense_problem *p, const int *set, double *x) {
    double M[ROWS_MOST][ROWS_MOST + 1];
    int list[ROWS_MOST], n = 0;
    for (int k = 0; k < p->rows; k++) {
        x[k] = set[k] < 0 ? p->lo[k] : set[k] > 0 ? p->hi[k] : 0;
        if (set[k] == 0)
            list[n++] = k;
    }
    for (int i = 0; i < n; i++) {
        M[i][n] = -p->q[list[i]];
        for (int k = 0; k < p->rows; k++)
            M[i][n] -= p->A[list[i]][k] * x[k];
        for (int j = 0; j < n; j++)
            M[i][j] = p->A[list[i]][list[j]];
    }
    bool used[ROWS_MOST];
    for (int k = 0; k < n; k++) {
        used[k] = M[k][k] > 1e-11 * p->A[list[k]][list[k]]; // roundoff of a dependent row is 1e-15
        for (int i = 0; i < n && used[k]; i++) {
            double factor = M[i][k] / M[k][k];
            for (int j = k; j <= n && i != k; j++)
                M[i][j] -= factor * M[k][j];
        }
    }
    for (int k = 0; k < n; k++)
        x[list[k]] = used[k] ? M[k][n] / M[k][k] : 0;
}

// How far x, w of a set are from feasible: x outside, w on the wrong side, w in F.
static double infeasibility(const dense_problem *p, const int *set, const double *x, double *w) {
    double most = 0;
    for (int k = 0; k < p->rows; k++) {
        w[k] = p->q[k];
        for (int j = 0; j < p->rows; j++)
            w[k] += p->A[k][j] * x[j];
        double bad = set[k] == 0 ? fmax(fabs(w[k]), fmax(p->lo[k] - x[k], x[k] - p->hi[k])) : set[k] * w[k];
        most = fmax(most, bad);
    }
    return most;
}

// All index sets, the best of them; returns its infeasibility.
static double enumerate(const dense_problem *p, double *best_w) {
    double best = INFINITY;
    int sets = 1;
    for (int k = 0; k < p->rows; k++)
        sets *= 3;
    for (int code = 0; code < sets; code++) {
        int set[ROWS_MOST];
        double x[ROWS_MOST], w[ROWS_MOST];
        bool possible = true;
        for (int k = 0, rest = code; k < p->rows; k++, rest /= 3) {
            set[k] = rest % 3 - 1;
            possible = possible && (set[k] == 0 || isfinite(set[k] < 0 ? p->lo[k] : p->hi[k]));
        }
        if (!possible)
            continue;
        solve_set(p, set, x);
        double bad = infeasibility(p, set, x, w);
        if (bad < best) {
            best = bad;
            memcpy(best_w, w, sizeof w);
        }
    }
    return best;
}

// Few rows of all kinds; with `redundant` on one body of three velocities, and some of them twice.
static scene make_small(int id, bool redundant) {
    uint64_t seed = 4000 + (uint64_t)id;
    recipe r = {.seed = seed, .bodies = redundant ? 1 : 3, .dofs = redundant ? 3 : 6};
    r.smooth = 1 + random_pick(&seed, redundant ? 2 : 4);
    r.bounds = random_pick(&seed, 2);
    r.joints = random_pick(&seed, 2);
    r.compliant = !redundant && id % 3 == 0;
    scene s = make_random(&r);
    for (int k = 0; k < s.links; k++)
        if (s.link[k].kind == JOINT || s.link[k].kind == BOUNDS)
            s.link[k].rows = s.link[k].rows > 2 ? 2 : s.link[k].rows; // 4 + 2 + 2 … at most 7 below
    if (!redundant && s.links > 5)
        s.links--;
    if (redundant) {
        int links = s.links;
        for (int k = 0; k < links; k++) // one contact and the joint twice
            if (k == 0 || (s.link[k].kind == JOINT && s.link[k].rows == 1)) {
                scene_link *link = add_link(&s, SMOOTH, 0);
                *link = s.link[k];
            }
    }
    return s;
}

static int rows_of(const scene *s) {
    int rows = 0;
    for (int k = 0; k < s->links; k++)
        rows += s->link[k].rows;
    return rows;
}

static void all_index_sets_have_no_better_point(void **state) {
    int tried = 0;
    double worst = 0;
    for (int id = 0; id < 160; id++) {
        scene s = make_small(id, id % 2);
        if (rows_of(&s) > ROWS_MOST) {
            free_scene(&s);
            continue;
        }
        dense_problem p = make_dense(&s);
        double w[ROWS_MOST];
        // the data are of size 1, their matrices conditioned to 1e4 or exactly singular
        assert_true(enumerate(&p, w) < 1e-10);
        for (int k = 0; k < 2; k++) {
            vs_solver_options options = options_of(methods[k]);
            outcome o = solve_scene(context_of(state), &s, &options);
            assert_converged(names[k], &o);
            // w is unique, also where x is not
            double difference = largest_difference(o.y, w + p.joints, o.m) / fmax(1, largest(w, p.rows));
            worst = fmax(worst, difference);
            if (difference > 1e-9)
                fail_msg("%s, problem %d: w differs by %.2e", names[k], id, difference);
            free_outcome(&o);
        }
        tried++;
        free_scene(&s);
    }
    print_message("%d problems of up to %d rows: largest |w - w_enumerated| %.1e\n", tried, ROWS_MOST, worst);
    assert_true(tried > 100);
}

// ---- cycling -----------------------------------------------------------------------------------------------

// Exchanges of all infeasible rows of a half-line problem, without any fall-back; false: never ends.
static bool plain_exchange_ends(const dense_problem *p) {
    int set[ROWS_MOST];
    double x[ROWS_MOST], w[ROWS_MOST];
    for (int k = 0; k < p->rows; k++)
        set[k] = p->q[k] < 0 ? 0 : -1;
    for (int round = 0; round < 1000; round++) {
        solve_set(p, set, x);
        if (infeasibility(p, set, x, w) < 1e-12)
            return true;
        for (int k = 0; k < p->rows; k++)
            if (set[k] == 0 ? x[k] < 0 : w[k] < 0)
                set[k] = set[k] == 0 ? -1 : 0;
    }
    return false;
}

// A = B B' of three contacts on a unit mass: definite, and block exchanges go round in circles.
static void definite_problem_on_which_block_exchange_cycles_is_solved(void **state) {
    static const double B[2][9] = {{1, 2, -2, -3, -3, 2, -4, -4, 2}, {3, 3, -3, -3, -2, 0, 2, 4, -4}};
    static const double q[2][3] = {{-5, 5, 1}, {4, -4, 1}};
    for (int example = 0; example < 2; example++) {
        scene s = {0};
        scene_body *body = add_body(&s, 3);
        body->H[0] = body->H[4] = body->H[8] = 1;
        for (int k = 0; k < 3; k++) {
            scene_link *link = add_link(&s, SMOOTH, 1);
            link->blocks = 1;
            link->b[0] = -q[example][k];
            memcpy(link->J[0], B[example] + 3 * k, 3 * sizeof(double));
        }
        dense_problem p = make_dense(&s);
        assert_false(plain_exchange_ends(&p));
        for (int k = 0; k < 2; k++) {
            vs_solver_options options = options_of(methods[k]);
            outcome o = solve_scene(context_of(state), &s, &options);
            assert_converged(names[k], &o);
            free_outcome(&o);
        }
        free_scene(&s);
    }
}

// An unsymmetric N given as such; contacts without friction keep their normal row.
static vs_problem *make_half_lines(vs_context *context, int rows, const double *A, const double *q) {
    int64_t p[3 * ROWS_MOST + 1] = {0};
    int i[3 * ROWS_MOST * ROWS_MOST], count = 0;
    double x[3 * ROWS_MOST * ROWS_MOST], r[3 * ROWS_MOST] = {0}, mu[ROWS_MOST] = {0};
    for (int j = 0; j < 3 * rows; j++) {
        for (int k = 0; k < rows && j % 3 == 0; k++) {
            i[count] = 3 * k;
            x[count++] = A[k * rows + j / 3];
        }
        if (j % 3 != 0) {
            i[count] = j;
            x[count++] = 1;
        }
        p[j + 1] = count;
        r[j] = j % 3 == 0 ? q[j / 3] : 0;
    }
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = (vs_matrix_view){3 * rows, 3 * rows, p, i, x};
    def.r = r, def.mu = mu, def.contacts = rows;
    vs_problem *problem = NULL;
    assert_int_equal(vs_problem_from_local(context, &def, &problem), VS_OK);
    return problem;
}

// Matrices with positive principal minors: the cyclic one of the textbooks, and two on which block exchange cycles.
static void unsymmetric_problems_with_one_solution_are_solved(void **state) {
    static const struct {
        int rows;
        double A[16], q[4];
        bool cycles;
    } example[] = {{3, {1, 2, 0, 0, 1, 2, 2, 0, 1}, {-1, -1, -1}, false},
                   {3, {4, 3, 3, -4, 2, 3, -4, 3, 5}, {-5, 1, 4}, true},
                   {4, {3, 2, 0, -2, 1, 3, -4, 2, -4, 4, 3, 2, -4, -4, 4, 3}, {-4, -1, 0, 2}, true}};
    for (int e = 0; e < 3; e++) {
        dense_problem p = {.rows = example[e].rows};
        for (int i = 0; i < p.rows; i++) {
            p.q[i] = example[e].q[i], p.hi[i] = INFINITY;
            for (int j = 0; j < p.rows; j++)
                p.A[i][j] = example[e].A[i * p.rows + j];
        }
        assert_int_equal(!plain_exchange_ends(&p), example[e].cycles);
        vs_problem *problem = make_half_lines(context_of(state), p.rows, example[e].A, example[e].q);
        double w[ROWS_MOST];
        assert_true(enumerate(&p, w) < 1e-12);
        for (int k = 0; k < 2; k++) {
            vs_solver_options options = options_of(methods[k]);
            outcome o = solve_problem(problem, &options);
            assert_converged(names[k], &o);
            for (int i = 0; i < p.rows; i++)
                assert_true(fabs(o.y[3 * i] - w[i]) < 1e-11); // numbers of size 10
            free_outcome(&o);
        }
        vs_problem_destroy(problem);
    }
}

// ---- degenerate --------------------------------------------------------------------------------------------

static void solve_both(vs_context *context, const scene *s, const char *what) {
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = options_of(methods[k]);
        options.model = VS_MODEL_FRICTIONLESS;
        outcome o = solve_scene(context, s, &options);
        char text[96];
        snprintf(text, sizeof text, "%s, %s", what, names[k]);
        assert_converged(text, &o);
        free_outcome(&o);
    }
}

// Bricks of 1 kg on each other, four corners an interface: one more than a rigid brick determines. Gaps differ.
static scene make_stack(int bricks, double spread, uint64_t seed) {
    scene s = {0};
    const double half[3] = {.2, .1, .05}, inertia[3] = {.2, .25, .3};
    for (int k = 0; k < bricks; k++)
        add_rigid(&s, 1, inertia, (double[6]){0, 0, -.1, 0, 0, 0});
    for (int k = 0; k < bricks; k++)
        for (int corner = 0; corner < 4; corner++) {
            double x = corner & 1 ? half[0] : -half[0], y = corner & 2 ? half[1] : -half[1];
            const double up[3] = {0, 0, 1}, below[3] = {x, y, half[2]}, above[3] = {x, y, -half[2]};
            scene_link *link = add_contact_at(&s, FRICTION, k - 1, k, up, below, above, .5);
            link->b[0] = -spread * random_in(&seed, 0, 1);
        }
    return s;
}

static void brick_stacks_without_friction_are_solved(void **state) {
    for (int bricks = 1; bricks <= 20; bricks += 19)
        for (int spread = 0; spread < 2; spread++) {
            scene s = make_stack(bricks, .01 * spread, 3);
            solve_both(context_of(state), &s, spread ? "stack with gaps" : "stack");
            free_scene(&s);
        }
}

// The same contact five times with different gaps (all but one open), and twice with the same: every index set that
// takes two of the former as closed contradicts itself.
static void contradicting_copies_of_a_contact_leave_one_closed(void **state) {
    scene s = make_stack(3, 0, 1);
    int links = s.links;
    for (int k = 0; k < links; k++)
        for (int copy = 0; copy < 5; copy++) {
            scene_link *link = add_link(&s, FRICTION, 0);
            *link = s.link[k];
            link->b[0] = -.002 * copy;
        }
    solve_both(context_of(state), &s, "copies");
    // and a row that moves nothing, open
    scene_link *link = add_link(&s, SMOOTH, 1);
    link->blocks = 1;
    link->b[0] = -.1;
    solve_both(context_of(state), &s, "copies and a row of zeros");
    free_scene(&s);
}

// Contacts that touch without force, boxes that are met exactly: x and the distance to its bound vanish together.
static void touching_without_force_is_solved(void **state) {
    scene s = {0};
    add_rigid(&s, 2, (double[3]){1, 1, 1}, (double[6]){0, 0, -.5, 0, 0, 0});
    for (int k = 0; k < 6; k++) { // three under the brick, three walls that it glides along
        double angle = 2.0943951023931953 * k, r[3] = {cos(angle), sin(angle), -.1};
        double n[3] = {k < 3 ? 0 : -r[0], k < 3 ? 0 : -r[1], k < 3 ? 1 : 0};
        add_contact_at(&s, SMOOTH, -1, 0, n, r, r, 0);
    }
    scene_link *box = add_link(&s, BOUNDS, 1); // a motor that just carries the whole weight
    box->blocks = 1;
    box->J[0][2] = 1;
    box->hi[0] = 1;
    solve_both(context_of(state), &s, "touching");
    free_scene(&s);
}

// ---- larger ones -------------------------------------------------------------------------------------------

static void random_frictionless_scenes_agree_with_the_interior_point(void **state) {
    double worst = 0;
    int most[2] = {0, 0};
    for (int id = 0; id < 60; id++) {
        uint64_t seed = 900 + (uint64_t)id;
        recipe r = {.seed = seed, .bodies = 2 + id % 9, .dofs = id % 4 == 3 ? 3 : 6};
        r.smooth = 1 + random_pick(&seed, 4 * r.bodies);
        r.joints = id % 3 ? random_pick(&seed, r.bodies) : 0;
        r.bounds = random_pick(&seed, 4);
        r.compliant = id % 5 == 0;
        scene s = make_random(&r);
        if (id % 4 == 1)
            duplicate_links(&s, SMOOTH), duplicate_links(&s, JOINT);
        vs_solver_options options = make_options(1e-10);
        outcome ipm = solve_scene(context_of(state), &s, &options);
        assert_converged("ipm", &ipm);
        for (int k = 0; k < 2; k++) {
            vs_solver_options by = options_of(methods[k]);
            outcome o = solve_scene(context_of(state), &s, &by);
            char text[64];
            snprintf(text, sizeof text, "%s, scene %d", names[k], id);
            assert_converged(text, &o);
            worst = fmax(worst, largest_difference(o.v, ipm.v, o.n) / largest(ipm.v, o.n));
            most[k] = o.iterations > most[k] ? o.iterations : most[k];
            free_outcome(&o);
        }
        free_outcome(&ipm);
        free_scene(&s);
    }
    print_message("60 scenes: largest |v - v_ipm| / |v| %.1e, most iterations: %d pivoting, %d lemke\n", worst, most[0],
                  most[1]);
    // an error of 1e-10 in the root of the energy is one of 1e-10 in velocities weighted by masses 0.1 … 10
    assert_true(worst < 1e-8);
}

// One pile by every backend that can: the same velocities.
static void engines_agree_on_a_pile(void **state) {
    scene s = make_pile(6, 6, 4, .3, 11); // 144 spheres, about 370 contacts
    outcome first = {0};
    for (int k = -1; k < vs_backend_count(); k++) {
        vs_solver_options options = options_of(VS_METHOD_PIVOTING);
        options.model = VS_MODEL_FRICTIONLESS;
        options.linear_solver = k < 0 ? "auto" : vs_backend_at(k).name;
        outcome o = solve_scene(context_of(state), &s, &options);
        if (o.error) { // needs an unsymmetric matrix, or works in single precision
            assert_int_equal(o.error, VS_ERROR_UNSUPPORTED);
            continue;
        }
        assert_converged(options.linear_solver, &o);
        print_message("  %s: %d exchanges\n", o.backend, o.iterations);
        if (k < 0) {
            first = o;
            continue;
        }
        assert_true(largest_difference(o.v, first.v, o.n) < 1e-9 * largest(first.v, o.n));
        free_outcome(&o);
    }
    free_outcome(&first);
    free_scene(&s);
}

static void a_warm_start_needs_fewer_exchanges(void **state) {
    scene s = make_pile(5, 5, 4, .3, 5);
    vs_problem *problem = must_build(context_of(state), &s);
    vs_solver_options options = options_of(VS_METHOD_PIVOTING);
    options.model = VS_MODEL_FRICTIONLESS;
    vs_solver *solver = NULL;
    vs_result result;
    assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    outcome cold = keep_result(problem, &options, &result);
    // a little more of everything: about the contacts that were closed stay so
    for (int k = 0; k < cold.m; k++)
        cold.lambda[k] *= 1.001;
    assert_int_equal(vs_solver_warm_start(solver, NULL, NULL, cold.lambda), VS_OK);
    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
    outcome warm = keep_result(problem, &options, &result);
    assert_converged("cold", &cold);
    assert_converged("warm", &warm);
    assert_true(warm.iterations < cold.iterations);
    free_outcome(&cold), free_outcome(&warm);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    free_scene(&s);
}

// Where the answer is not degenerate Lemke's path alone finds the sets: block pivoting factors once, exchanges nothing.
static void lemke_leaves_nothing_to_exchange(void **state) {
    for (int id = 0; id < 30; id++) {
        recipe r = {.seed = 7000 + (uint64_t)id, .bodies = 6, .dofs = 6, .smooth = 20, .bounds = 4, .joints = id % 3};
        r.compliant = id % 2;
        scene s = make_random(&r);
        vs_problem *problem = must_build(context_of(state), &s);
        vs_solver_options options = options_of(VS_METHOD_LEMKE);
        vs_solver *solver = NULL;
        vs_result result;
        assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
        assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
        assert_int_equal(result.status, VS_STATUS_CONVERGED);
        assert_int_equal(result.factorizations, 1);
        vs_solver_destroy(solver);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
}

// ---- friction as boxes -------------------------------------------------------------------------------------

// A block that slides at `angle` to its first tangent.
static scene make_slider(double angle) {
    scene s = {0};
    add_rigid(&s, 2, (double[3]){1, 1, 1}, (double[6]){3 * cos(angle), 3 * sin(angle), -.5, 0, 0, 0});
    scene_link *link = add_link(&s, FRICTION, 3);
    link->blocks = 1, link->mu = .5;
    link->J[0][2] = link->J[0][6] = link->J[0][13] = 1;
    return s;
}

static void sliding_along_a_tangent_is_exact_coulomb_friction(void **state) {
    scene s = make_slider(0);
    for (int k = 0; k < 2; k++) {
        vs_solver_options options = options_of(methods[k]);
        options.model = VS_MODEL_EXACT;
        outcome o = solve_scene(context_of(state), &s, &options);
        assert_converged(names[k], &o);
        assert_true(fabs(o.lambda[0] - 1) < 1e-12 && fabs(o.lambda[1] + .5) < 1e-12);
        free_outcome(&o);
    }
    free_scene(&s);
}

static void boxes_are_not_the_cone_and_the_status_says_so(void **state) {
    scene s = make_slider(.6);
    vs_problem *problem = must_build(context_of(state), &s);
    for (int model = 0; model < 2; model++)
        for (int k = 0; k < 2; k++) {
            vs_solver_options options = options_of(methods[k]);
            options.model = model ? VS_MODEL_EXACT : VS_MODEL_RELAXED;
            vs_solver *solver = NULL;
            vs_result result;
            assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
            assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
            assert_int_equal(result.status, VS_STATUS_INACCURATE);
            assert_non_null(strstr(result.status_text, "box"));
            assert_true(result.measures.energy_error < result.measures.energy_scale); // better than rest
            outcome o = keep_result(problem, &options, &result);
            free_outcome(&o);
            vs_solver_destroy(solver);
        }
    vs_problem_destroy(problem);
    free_scene(&s);
}

// ---- promises ----------------------------------------------------------------------------------------------

static void cut_short_the_best_iterate_is_returned(void **state) {
    scene s = make_pile(5, 5, 4, .3, 5);
    for (int k = 0; k < 2; k++) {
        double before = INFINITY;
        for (int most = 0; most < 40; most += 3) {
            vs_solver_options options = options_of(methods[k]);
            options.model = VS_MODEL_FRICTIONLESS;
            options.max_iterations = most;
            outcome o = solve_scene(context_of(state), &s, &options);
            assert_int_equal(o.error, VS_OK);
            assert_true(o.iterations <= most + 1);
            // the best of more iterates; and never worse than rest
            assert_true(o.measures.energy_error <= before);
            assert_true(o.measures.energy_error <= o.measures.energy_scale);
            before = o.measures.energy_error;
            free_outcome(&o);
        }
    }
    free_scene(&s);
}

static void lemke_refuses_many_rows_and_says_what_to_use(void **state) {
    scene s = make_pile(8, 8, 6, .3, 7);
    vs_solver_options options = options_of(VS_METHOD_LEMKE);
    outcome o = solve_scene(context_of(state), &s, &options);
    assert_int_equal(o.error, VS_ERROR_UNSUPPORTED);
    assert_non_null(strstr(vs_context_get_error_text(context_of(state)), "use pivoting"));
    free_scene(&s);
}

// Something of everything, dense and sparse.
static scene make_sample(bool large) {
    recipe r = {.seed = 8, .bodies = 5, .dofs = 6, .friction = 4, .smooth = 5, .joints = 2, .bounds = 2, .mu = .6};
    r.compliant = true;
    return large ? make_pile(4, 4, 3, .3, 7) : make_random(&r);
}

static void solving_allocates_nothing_and_repeats_its_bits(void **state) {
    (void)state;
    for (int large = 0; large < 2; large++)
        for (int k = 0; k < 2; k++) {
            outcome first = {0};
            for (int threads = 1; threads <= 2; threads++) {
                memory m;
                vs_context *context = make_threaded_context(&m, threads);
                scene s = make_sample(large);
                vs_problem *problem = must_build(context, &s);
                vs_solver_options options = options_of(methods[k]);
                vs_solver *solver = NULL;
                vs_result result;
                assert_int_equal(vs_solver_create(problem, &options, &solver), VS_OK);
                for (int repeat = 0; repeat < 2; repeat++) {
                    m.calls = 0;
                    assert_int_equal(vs_solver_update(solver, problem), VS_OK);
                    assert_int_equal(vs_solver_solve(solver, &result), VS_OK);
                    assert_int_equal(m.calls, 0);
                    outcome o = keep_result(problem, &options, &result);
                    if (!first.lambda) {
                        first = o;
                        continue;
                    }
                    assert_int_equal(o.iterations, first.iterations);
                    assert_memory_equal(o.lambda, first.lambda, (size_t)o.m * sizeof *o.lambda);
                    free_outcome(&o);
                }
                vs_solver_destroy(solver);
                vs_problem_destroy(problem);
                free_scene(&s);
                end_context(context, &m);
            }
            free_outcome(&first);
        }
}

static void every_refused_allocation_is_reported_and_nothing_leaks(void **state) {
    (void)state;
    for (int large = 0; large < 2; large++)
        for (int k = 0; k < 2; k++) {
            memory m;
            vs_context *context = make_context(&m);
            scene s = make_sample(large);
            vs_problem *problem = must_build(context, &s);
            vs_solver_options options = options_of(methods[k]);
            const int before = m.alive;
            vs_error error = VS_ERROR_MEMORY;
            for (int call = 0; error; call++) {
                vs_solver *solver = NULL;
                refuse_call(&m, call);
                error = vs_solver_create(problem, &options, &solver);
                assert_int_equal(error, was_refused(&m) ? VS_ERROR_MEMORY : VS_OK);
                vs_solver_destroy(solver);
                assert_int_equal(m.alive, before);
            }
            refuse_none(&m);
            vs_problem_destroy(problem);
            free_scene(&s);
            end_context(context, &m);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_index_sets_have_no_better_point),
        cmocka_unit_test(definite_problem_on_which_block_exchange_cycles_is_solved),
        cmocka_unit_test(unsymmetric_problems_with_one_solution_are_solved),
        cmocka_unit_test(brick_stacks_without_friction_are_solved),
        cmocka_unit_test(contradicting_copies_of_a_contact_leave_one_closed),
        cmocka_unit_test(touching_without_force_is_solved),
        cmocka_unit_test(random_frictionless_scenes_agree_with_the_interior_point),
        cmocka_unit_test(lemke_leaves_nothing_to_exchange),
        cmocka_unit_test(engines_agree_on_a_pile),
        cmocka_unit_test(a_warm_start_needs_fewer_exchanges),
        cmocka_unit_test(sliding_along_a_tangent_is_exact_coulomb_friction),
        cmocka_unit_test(boxes_are_not_the_cone_and_the_status_says_so),
        cmocka_unit_test(cut_short_the_best_iterate_is_returned),
        cmocka_unit_test(lemke_refuses_many_rows_and_says_what_to_use),
        cmocka_unit_test(solving_allocates_nothing_and_repeats_its_bits),
        cmocka_unit_test(every_refused_allocation_is_reported_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
