// Every linear solver and every reduction must find the same velocities: v is unique, whatever the redundancy.
//
//     |v - v_ref| <= 1e-9 max |v_ref|
//
// Combinations that an engine cannot do are counted and printed. Box rows are compared with projected Gauss-Seidel.
#include "families.h"
#include "solving.h"

enum { PROBLEMS = VS_SHORT ? 12 : 100 };
enum { BACKENDS_MOST = 16 };

// An energy error of (1e-12)^2 e0 bounds the velocities' error by about 1e-12 of their scale times the condition of the
// active contacts (up to 1e3 here). Roundoff may end a solve before that, most of all with contacts given twice, whose
// impulses are not unique: it must then say so, and `short_of` is where it must have got to.
static const double tolerance = 1e-12, agreement = 3e-9, short_of = 1e-8; // degenerate: a few 1e-9 remain
static const vs_form forms[] = {VS_FORM_VELOCITY, VS_FORM_AUGMENTED, VS_FORM_IMPULSE};
static const char *const form_names[] = {"velocity", "augmented", "impulse"};

typedef struct tally {
    int solved, inaccurate, unsupported, failed;
    double worst, worst_error;
    int worst_at;
} tally;

typedef struct table {
    int backends;
    vs_backend_info backend[BACKENDS_MOST];
    tally cell[BACKENDS_MOST][3];
    int degenerate; // problems that no way solved
} table;

static table make_table(void) {
    table t = {0};
    for (; t.backends < BACKENDS_MOST && t.backends < vs_backend_count(); t.backends++)
        t.backend[t.backends] = vs_backend_at(t.backends);
    assert_true(t.backends > 0);
    return t;
}

static int print_table(const char *title, const table *t) {
    int bad = 0;
    print_message("%s\n  %-13s %-10s %7s %11s %12s %7s  %s\n", title, "backend", "form", "solved", "inaccurate",
                  "unsupported", "failed", "largest error, |v - v_ref| / |v_ref|");
    for (int k = 0; k < t->backends; k++)
        for (int f = 0; f < 3; f++) {
            const tally *c = &t->cell[k][f];
            print_message("  %-13s %-10s %7d %11d %12d %7d  %.1e, %.1e (problem %d)\n", t->backend[k].name,
                          form_names[f], c->solved, c->inaccurate, c->unsupported, c->failed, c->worst_error, c->worst,
                          c->worst_at);
            bad += c->failed;
        }
    return bad;
}

static void compare(const outcome *o, const outcome *ref, int id, const char *name, tally *cell) {
    if (o->error == VS_ERROR_UNSUPPORTED) {
        cell->unsupported++;
        return;
    }
    double difference = o->error ? NAN : largest_difference(o->v, ref->v, o->n) / fmax(largest(ref->v, o->n), 1e-300);
    double error = o->error ? NAN : relative_error(&o->measures);
    cell->worst_error = fmax(cell->worst_error, error);
    if (o->error || !(error <= short_of) || !(difference <= agreement)) {
        cell->failed++;
        print_message("  problem %d, %s: %s, error %.2e, |dv| %.2e\n", id, name,
                      o->error ? vs_error_name(o->error) : vs_status_name(o->status), error, difference);
    } else if (o->status == VS_STATUS_CONVERGED) {
        cell->solved++;
    } else {
        assert_int_equal(o->status, VS_STATUS_INACCURATE);
        cell->inaccurate++;
    }
    if (difference > cell->worst) {
        cell->worst = difference;
        cell->worst_at = id;
    }
}

// All backends and forms against the one of least energy error.
static void compare_all(const vs_problem *problem, vs_solver_options options, int id, table *t) {
    outcome o[BACKENDS_MOST][3], *ref = NULL;
    for (int k = 0; k < t->backends; k++)
        for (int f = 0; f < 3; f++) {
            options.linear_solver = t->backend[k].name;
            options.form = forms[f];
            o[k][f] = solve_problem(problem, &options);
            if (!o[k][f].error && (!ref || o[k][f].measures.energy_error < ref->measures.energy_error))
                ref = &o[k][f];
        }
    assert_non_null(ref);
    // A degenerate contact of a small island may end an interior point a digit short of the tolerance, whatever factors.
    bool short_by_a_digit = ref->status == VS_STATUS_INACCURATE && ref->measures.relative_error < 20 * tolerance;
    assert_true(ref->status == VS_STATUS_CONVERGED || (short_by_a_digit && t->degenerate++ == 0));
    for (int k = 0; k < t->backends; k++)
        for (int f = 0; f < 3; f++) {
            char name[64];
            snprintf(name, sizeof name, "%s %s", t->backend[k].name, form_names[f]);
            compare(&o[k][f], ref, id, name, &t->cell[k][f]);
        }
    for (int k = 0; k < t->backends; k++)
        for (int f = 0; f < 3; f++)
            free_outcome(&o[k][f]);
}

// ---- random problems -----------------------------------------------------------------------------------

static scene make_member(int id) {
    return make_of_family(id, (uint64_t)id + 1);
}

static void all_engines_and_reductions_agree_on_random_problems(void **state) {
    table t = make_table();
    for (int id = 0; id < PROBLEMS; id++) {
        scene s = make_member(id);
        vs_problem *problem = must_build(context_of(state), &s);
        compare_all(problem, make_options(tolerance), id, &t);
        vs_problem_destroy(problem);
        free_scene(&s);
    }
    print_message("%d ", PROBLEMS);
    assert_int_equal(print_table("random problems", &t), 0);
}

// Frictionless model, contacts of one row, mu = 0: three ways to say the same.
static void three_ways_without_friction_agree(void **state) {
    for (int id = 0; id < VS_SAMPLES(40); id++) {
        recipe r = {
            .seed = 500 + (uint64_t)id, .bodies = 2 + id % 7, .dofs = id % 2 ? 3 : 6, .friction = 3 + id % 9, .mu = .6};
        r.joints = id % 3, r.compliant = id % 5 == 0;
        scene with = make_random(&r), one = copy_scene(&with), zero = copy_scene(&with);
        for (int k = 0; k < with.links; k++)
            if (with.link[k].kind == FRICTION) {
                one.link[k].kind = SMOOTH, one.link[k].rows = 1; // row-major: the normal row comes first
                zero.link[k].mu = 0;
            }
        vs_solver_options options = make_options(tolerance);
        outcome b = solve_scene(context_of(state), &one, &options), c = solve_scene(context_of(state), &zero, &options);
        options.model = VS_MODEL_FRICTIONLESS;
        outcome a = solve_scene(context_of(state), &with, &options);
        assert_converged("frictionless model", &a);
        assert_converged("one row", &b);
        assert_converged("mu = 0", &c);
        double scale = largest(a.v, a.n);
        assert_true(largest_difference(a.v, b.v, a.n) <= agreement * scale);
        assert_true(largest_difference(a.v, c.v, a.n) <= agreement * scale);
        for (int k = 0, row = 0; k < with.links; k++)
            if (with.link[k].kind == FRICTION) { // no tangential impulse in either
                assert_true(a.lambda[row + 1] == 0 && a.lambda[row + 2] == 0);
                assert_true(c.lambda[row + 1] == 0 && c.lambda[row + 2] == 0);
                row += 3;
            }
        free_outcome(&a), free_outcome(&b), free_outcome(&c);
        free_scene(&with), free_scene(&one), free_scene(&zero);
    }
}

// ---- general H: nodes of a finite element grid -----------------------------------------------------------

enum { NODES_MOST = 48, N_MOST = 3 * NODES_MOST, COLUMNS_MOST = 60 };

typedef struct grid {
    int n, contacts, joints;              // joints: rows
    double H[N_MOST * N_MOST], c[N_MOST]; // dense, column-major
    double Dt[N_MOST * COLUMNS_MOST], b[COLUMNS_MOST], mu[COLUMNS_MOST];
    double Ct[N_MOST * COLUMNS_MOST], b_e[COLUMNS_MOST];
} grid;

// Springs with full 3 x 3 stiffness between neighbours on top of the nodes' masses.
static void fill_grid_matrix(grid *g, int width, int nodes, uint64_t *seed) {
    g->n = 3 * nodes;
    for (int k = 0; k < g->n; k++)
        g->H[k * g->n + k] = random_in(seed, .5, 2);
    for (int a = 0; a < nodes; a++)
        for (int way = 0; way < 2; way++) {
            int b = a + (way ? width : 1);
            if (b >= nodes || (!way && b % width == 0))
                continue;
            for (int spring = 0; spring < 3; spring++) {
                double d[3], stiffness = pow(10, random_in(seed, -1, 2));
                random_direction(seed, d);
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++) {
                        double k = stiffness * d[i] * d[j];
                        g->H[(3 * a + j) * g->n + 3 * a + i] += k;
                        g->H[(3 * b + j) * g->n + 3 * b + i] += k;
                        g->H[(3 * a + j) * g->n + 3 * b + i] -= k;
                        g->H[(3 * b + j) * g->n + 3 * a + i] -= k;
                    }
            }
        }
}

// Node against ground, or the point between two nodes; joints tie single nodes along random directions.
static void fill_grid_rows(grid *g, int nodes, uint64_t *seed) {
    double v0[N_MOST];
    for (int k = 0; k < g->n; k++) {
        v0[k] = random_in(seed, -.2, .2);
        g->c[k] = random_in(seed, -3, 3);
    }
    for (int contact = 0; contact < g->contacts; contact++) {
        double n[3], J[9], share = random_pick(seed, 2) ? 1 : .5;
        int node = random_pick(seed, nodes - 1);
        random_direction(seed, n);
        fill_contact_jacobian(n, n, 1, 3, 3, J);
        g->mu[contact] = random_in(seed, .1, .8);
        for (int i = 0; i < 3; i++) {
            double *column = g->Dt + (3 * contact + i) * g->n, product = 0;
            for (int j = 0; j < 3; j++) {
                column[3 * node + j] = share * J[3 * i + j];
                column[3 * node + 3 + j] = (1 - share) * J[3 * i + j];
            }
            for (int k = 0; k < g->n; k++)
                product += column[k] * v0[k];
            g->b[3 * contact + i] = product - (i == 0 ? .05 : 0);
        }
    }
    for (int row = 0; row < g->joints; row++) {
        double n[3];
        int node = random_pick(seed, nodes);
        random_direction(seed, n);
        for (int j = 0; j < 3; j++) {
            g->Ct[row * g->n + 3 * node + j] = n[j];
            g->b_e[row] += n[j] * v0[3 * node + j];
        }
    }
}

typedef struct columns {
    int64_t p[N_MOST + COLUMNS_MOST + 1];
    int *i;
    double *x;
} columns;

static vs_matrix_view compress(const double *dense, int rows, int cols, columns *out) {
    int64_t count = 0;
    out->i = malloc((size_t)(rows * cols + 1) * sizeof *out->i);
    out->x = malloc((size_t)(rows * cols + 1) * sizeof *out->x);
    for (int j = 0; j < cols; j++) {
        out->p[j] = count;
        for (int i = 0; i < rows; i++)
            if (dense[j * rows + i] != 0) {
                out->i[count] = i;
                out->x[count++] = dense[j * rows + i];
            }
    }
    out->p[cols] = count;
    return (vs_matrix_view){rows, cols, out->p, out->i, out->x};
}

static vs_problem *build_grid(vs_context *context, const grid *g) {
    columns H, Dt, Ct;
    vs_problem_global_def def = vs_problem_global_def_default();
    def.H = compress(g->H, g->n, g->n, &H), def.c = g->c;
    def.Dt = compress(g->Dt, g->n, 3 * g->contacts, &Dt), def.b = g->b, def.mu = g->mu, def.contacts = g->contacts;
    vs_matrix_view C = compress(g->Ct, g->n, g->joints, &Ct);
    if (g->joints > 0)
        def.Ct = C, def.b_e = g->b_e;
    vs_problem *problem = NULL;
    vs_error error = vs_problem_from_global(context, &def, &problem);
    if (error)
        fail_msg("%s: %s", vs_error_name(error), vs_context_get_error_text(context));
    free(H.i), free(H.x), free(Dt.i), free(Dt.x), free(Ct.i), free(Ct.x);
    return problem;
}

static void all_engines_and_reductions_agree_on_coupled_H(void **state) {
    table t = make_table();
    for (int id = 0; id < VS_SAMPLES(24); id++) {
        uint64_t seed = 900 + (uint64_t)id;
        int width = 3 + id % 3, nodes = width * (3 + id % 5);
        grid *g = calloc(1, sizeof *g);
        g->contacts = 1 + id % 12;
        g->joints = id % 3 == 2 ? 4 : 0;
        fill_grid_matrix(g, width, nodes, &seed);
        fill_grid_rows(g, nodes, &seed);
        vs_problem *problem = build_grid(context_of(state), g);
        assert_int_equal(vs_problem_get_info(problem).blocks, 1);
        compare_all(problem, make_options(tolerance), id, &t);
        vs_problem_destroy(problem);
        free(g);
    }
    assert_int_equal(print_table("24 coupled problems (finite element grids)", &t), 0);
}

// ---- box rows --------------------------------------------------------------------------------------------

typedef struct dense_row {
    int blocks, block[2];
    double J[2][6], step[2][6]; // step = H^-1 J'
    double b, lo, hi, compliance, diagonal;
} dense_row;

static int list_rows(const scene *s, dense_row *rows) {
    int count = 0;
    for (int k = 0; k < s->links; k++)
        for (int i = 0; i < s->link[k].rows; i++) {
            const scene_link *link = &s->link[k];
            dense_row *row = &rows[count++];
            *row = (dense_row){.blocks = link->blocks, .b = link->b[i], .compliance = link->compliance[i]};
            row->lo = link->kind == SMOOTH ? 0 : link->lo[i];
            row->hi = link->kind == SMOOTH ? INFINITY : link->hi[i];
            row->diagonal = row->compliance;
            for (int a = 0; a < link->blocks; a++) {
                int dofs = s->body[link->block[a]].dofs;
                row->block[a] = link->block[a];
                memcpy(row->J[a], link->J[a] + i * dofs, sizeof(double) * (size_t)dofs);
                memcpy(row->step[a], row->J[a], sizeof row->step[a]);
                solve_body(&s->body[row->block[a]], row->step[a]);
                for (int j = 0; j < dofs; j++)
                    row->diagonal += row->J[a][j] * row->step[a][j];
            }
        }
    return count;
}

// Projected Gauss-Seidel until the impulses converge; v (6 per body).
static void gauss_seidel(const scene *s, double *v, int sweeps) {
    dense_row rows[128];
    double l[128] = {0};
    int count = list_rows(s, rows);
    for (int k = 0; k < s->bodies; k++) {
        for (int j = 0; j < s->body[k].dofs; j++)
            v[6 * k + j] = -s->body[k].c[j];
        solve_body(&s->body[k], v + 6 * k);
    }
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int i = 0; i < count; i++) {
            dense_row *row = &rows[i];
            double y = row->compliance * l[i] - row->b;
            for (int a = 0; a < row->blocks; a++)
                for (int j = 0; j < s->body[row->block[a]].dofs; j++)
                    y += row->J[a][j] * v[6 * row->block[a] + j];
            double next = fmin(fmax(l[i] - y / row->diagonal, row->lo), row->hi), change = next - l[i];
            l[i] = next;
            for (int a = 0; a < row->blocks; a++)
                for (int j = 0; j < s->body[row->block[a]].dofs; j++)
                    v[6 * row->block[a] + j] += change * row->step[a][j];
        }
}

static void box_rows_agree_with_gauss_seidel(void **state) {
    double worst = 0;
    int failed = 0;
    for (int id = 0; id < VS_SAMPLES(30); id++) {
        recipe r = {
            .seed = 1300 + (uint64_t)id, .bodies = 3 + id % 5, .dofs = 6, .bounds = 1 + id % 4, .smooth = id % 4};
        r.compliant = id % 3 == 0;
        scene s = make_random(&r);
        double *v = calloc((size_t)s.bodies * 6, sizeof *v);
        gauss_seidel(&s, v, 20000); // linear convergence: stands still long before
        for (int f = 0; f < 3; f++) {
            vs_solver_options options = make_options(tolerance);
            options.form = forms[f];
            outcome o = solve_scene(context_of(state), &s, &options);
            if (o.error || o.status != VS_STATUS_CONVERGED) {
                print_message("  box problem %d, %s: %s, error %.2e\n", id, form_names[f],
                              o.error ? vs_error_name(o.error) : vs_status_name(o.status), relative_error(&o.measures));
                failed++;
            }
            double difference = largest_difference(v, o.v, o.n) / largest(v, o.n);
            worst = fmax(worst, difference);
            if (difference > agreement)
                print_message("  box problem %d, %s: %.2e\n", id, form_names[f], difference);
            free_outcome(&o);
        }
        free(v);
        free_scene(&s);
    }
    print_message("30 box problems: largest |v - v_gs| / |v| %.1e\n", worst);
    assert_int_equal(failed, 0);
    assert_true(worst <= agreement);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_engines_and_reductions_agree_on_random_problems),
        cmocka_unit_test(three_ways_without_friction_agree),
        cmocka_unit_test(all_engines_and_reductions_agree_on_coupled_H),
        cmocka_unit_test(box_rows_agree_with_gauss_seidel),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
