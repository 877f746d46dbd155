// Islands against the whole problem: which rows belong together (found again by hand and from the bodies), every value
// undone into the user's units, the error of an island against vs_measure(), and the way there and back.
#include "solver/parts.h"
#include "solver/impulse/evaluation.h"
#include "solver/impulse/group_law.h"
#include "solver/impulse/operator.h"

// Two ways of computing the same: sums of some ten products, condition of the scaling.
static const double roundoff = 1e-12;

// ---- partition ---------------------------------------------------------------------------------------------

// The island of each stacked row, and that every row has exactly one place.
static int *islands_of_rows(const parts *p) {
    int size = p->run.scaled.m_e + p->run.scaled.m, placed = 0;
    int *of = calloc((size_t)size + 1, sizeof *of);
    double shares = 0;
    for (int i = 0; i < size; i++)
        of[i] = -1;
    for (int k = 0; k < p->islands.count; k++) {
        const vs_impulse_problem *island = &p->islands.island[k];
        int contacts = 0;
        for (int i = 0; i < island->rows; i++, placed++) {
            assert_int_equal(of[island->source[i]], -1);
            assert_true(i == 0 || island->source[i - 1] < island->source[i]);
            assert_int_equal(island->row[island->group_of[i]] <= i && i < island->row[island->group_of[i] + 1], 1);
            of[island->source[i]] = k;
        }
        for (int g = 0; g < island->groups; g++)
            contacts += island->law[g] != VS_LAW_FREE;
        assert_int_equal(island->contacts, contacts);
        // counted in the order of their first rows
        assert_true(k == 0 || p->islands.island[k - 1].source[0] < island->source[0]);
        assert_true(island->rows <= p->islands.most_rows && island->groups <= p->islands.most_groups);
        assert_near("share", island->share, (double)island->groups / p->islands.delassus.N.groups, 1e-15);
        shares += island->share;
    }
    assert_int_equal(placed, size);
    assert_near("shares", shares, 1, 1e-14);
    return of;
}

static int find_first(const int *parent, int k) {
    while (parent[k] != k)
        k = parent[k];
    return k;
}

// Rows are in the same island if and only if their bodies are connected by links. Every link must have a row.
static void check_partition(const parts *p, const scene *s) {
    int *of = islands_of_rows(p), *parent = calloc((size_t)s->bodies, sizeof *parent);
    int *island = calloc((size_t)s->bodies, sizeof *island);
    for (int k = 0; k < s->bodies; k++)
        parent[k] = k, island[k] = -1;
    for (int k = 0; k < s->links; k++)
        if (s->link[k].blocks == 2) {
            int a = find_first(parent, s->link[k].block[0]), b = find_first(parent, s->link[k].block[1]);
            parent[a] = b;
        }
    int seen = 0;
    for (int k = 0, joint = 0, row = p->run.scaled.m_e; k < s->links; k++) {
        int first = find_first(parent, s->link[k].block[0]);
        for (int i = 0; i < s->link[k].rows; i++) {
            int here = of[s->link[k].kind == JOINT ? joint++ : row++];
            seen += island[first] < 0;
            island[first] = island[first] < 0 ? here : island[first];
            assert_int_equal(island[first], here);
        }
    }
    assert_int_equal(p->islands.count, seen); // different parts, different islands
    free(of), free(parent), free(island);
}

static void join_bodies(scene *s, int a, int b) {
    scene_link *joint = add_link(s, JOINT, 3);
    joint->blocks = 2, joint->block[0] = a, joint->block[1] = b;
    for (int i = 0; i < 3; i++)
        joint->J[0][7 * i] = -1, joint->J[1][7 * i] = 1;
}

static int count_islands(vs_context *context, const scene *s) {
    parts *p = take_scene_apart(context, s);
    check_partition(p, s);
    int count = p->islands.count;
    put_away(p);
    return count;
}

// The ground couples nothing, a joint does.
static void two_walls_and_a_joint(void **state) {
    wall one = make_wall(3, 2, .5), other = make_wall(2, 3, .5);
    scene s = one.s;
    int second = append_scene(&s, &other.s);
    assert_int_equal(count_islands(context_of(state), &s), 2);
    add_rigid(&s, 1, (double[3]){.1, .1, .1}, (double[6]){0, 0, -1, 0, 0, 0});
    hold(&s, s.bodies - 1, (const int[]){0, 2}, 2);
    assert_int_equal(count_islands(context_of(state), &s), 3); // a body that only a joint holds
    join_bodies(&s, 0, s.bodies - 1);
    assert_int_equal(count_islands(context_of(state), &s), 2);
    join_bodies(&s, s.bodies - 1, second + 1);
    assert_int_equal(count_islands(context_of(state), &s), 1);
    free_scene(&s), free_scene(&other.s);
}

static void piles_and_random_scenes(void **state) {
    scene pile = make_pile(4, 3, 2, .5, 1), other = make_pile(2, 2, 3, .5, 2);
    int first = append_scene(&pile, &other), apart = count_islands(context_of(state), &pile);
    assert_true(apart >= 2);
    join_bodies(&pile, 0, first);
    assert_int_equal(count_islands(context_of(state), &pile), apart - 1);
    free_scene(&pile), free_scene(&other);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        recipe r = {.seed = seed, .bodies = 24, .dofs = 6, .friction = 8, .smooth = 4, .joints = 2, .bounds = 2};
        r.mu = .5;
        scene s = make_random(&r);
        assert_true(count_islands(context_of(state), &s) > 1);
        free_scene(&s);
    }
}

static void local_form_is_parted_by_its_blocks(void **state) {
    parts *p = take_apart(make_local(context_of(state), 1));
    int *of = islands_of_rows(p);
    const int expected[13] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}; // contacts 0, 1, 2 | 3, 4 (one row)
    assert_int_equal(p->islands.count, 2);
    assert_memory_equal(of, expected, sizeof expected);
    free(of);
    put_away(p);
}

static void general_mass_matrix_couples_everything(void **state) {
    parts *p = take_apart(make_general(context_of(state), false, 1));
    free(islands_of_rows(p));
    assert_int_equal(p->islands.count, 1);
    put_away(p);
}

// ---- values ------------------------------------------------------------------------------------------------

// Everything of every form. Scene 0 … 3: bodies; 4, 5: general H; 6: local.
enum { SAMPLES = 7 };

static vs_problem *make_sample(vs_context *context, int k) {
    if (k == 4 || k == 5)
        return make_general(context, k == 5, 3);
    if (k == 6)
        return make_local(context, 3);
    recipe r = {
        .seed = 40 + (uint64_t)(k % 2), .bodies = 5, .dofs = 6, .friction = 6, .smooth = 2, .joints = 2, .bounds = 2};
    r.mu = .6, r.compliant = k % 2;
    scene s = make_random(&r);
    duplicate_links(&s, JOINT); // the first half of the joint rows again
    if (k >= 2)
        scale_units(&s, k == 2 ? 1e3 : 1e-4, k == 2 ? 1e-2 : 1e2); // tonnes and centimetres, or the reverse
    vs_problem *problem = must_build(context, &s);
    free_scene(&s);
    return problem;
}

// The contact of a row of the problem.
static int joint_of(const vs_problem *problem, int row) {
    int j = 0;
    while (problem->joint_row[j + 1] <= row)
        j++;
    return j;
}

static int contact_of(const vs_problem *problem, int row) {
    int i = 0;
    while (problem->row[i + 1] <= row)
        i++;
    return i;
}

static double random_scale(uint64_t *seed) {
    return random_in(seed, -1, 1) * pow(10, random_in(seed, -2, 1));
}

// Random impulses of about the size that stops the motion: g (m_e), lambda (m), user's units.
static void draw_impulses(const parts *p, uint64_t *seed, double *g, double *lambda) {
    const vs_scaled *s = &p->run.scaled;
    double *scaled = make_doubles(s->m + s->m_e);
    for (int k = 0; k < s->m; k++)
        scaled[k] = random_scale(seed);
    vs_scaled_lambda_undo(s, scaled, lambda);
    for (int k = 0; k < s->m_e; k++)
        scaled[k] = random_scale(seed);
    vs_scaled_g_undo(s, scaled, g);
    free(scaled);
}

// The user's impulses in an island's rows by the definition, l = l_user / unit_l.
static void undo_units(const parts *p, const vs_impulse_problem *island, const double *g, const double *lambda,
                       double *l) {
    const vs_scaled *s = &p->run.scaled;
    for (int i = 0; i < island->rows; i++) {
        int from = island->source[i];
        l[i] = (from < s->m_e ? g[from] : lambda[s->source[from - s->m_e]]) / island->unit_l[island->group_of[i]];
    }
}

// Units, coefficients, bounds and free velocities are the problem's, in numbers of size one.
static void values_are_the_problems_in_pure_numbers(void **state) {
    for (int sample = 0; sample < SAMPLES; sample++) {
        parts *p = take_apart(make_sample(context_of(state), sample));
        const vs_problem *problem = p->problem;
        const vs_scaled *s = &p->run.scaled;
        const vs_energy_scale *a = &p->run.mass.scale;
        const double *free_velocity = p->run.mass.free.y;
        for (int k = 0; k < p->islands.count; k++) {
            const vs_impulse_problem *island = &p->islands.island[k];
            assert_true(island->epsilon == 0);
            assert_true(island->free_norm == vs_measurer_free_norm(p->run.measurer));
            assert_int_equal(island->symmetric, problem->symmetric);
            for (int g = 0; g < island->groups; g++) {
                int first = island->row[g], from = island->source[first];
                bool joint = from < s->m_e;
                int row = joint ? from : s->source[from - s->m_e], contact = joint ? 0 : contact_of(problem, row);
                const vs_island_map *map = &p->run.mass.islands;
                int of_problem = joint ? map->joint[joint_of(problem, row)] : map->contact[contact];
                double unit = vs_measurer_units(p->run.measurer)[of_problem];
                double root_a = sqrt(joint ? a->joint_row[from] : a->row[row]);
                assert_near("unit of l", island->unit_l[g] * root_a / unit, 1, roundoff);
                assert_near("unit of y", island->unit_y[g] / root_a / unit, 1, roundoff);
                assert_int_equal(island->law[g] == VS_LAW_FREE, joint);
                bool friction = !joint && problem->kind[contact] == VS_CONE_SECOND_ORDER && problem->mu[contact] > 0;
                assert_int_equal(island->law[g] == VS_LAW_FRICTION, friction);
                assert_near("mu", island->mu[g], friction ? problem->mu[contact] : 0, roundoff);
                if (island->law[g] == VS_LAW_BOX) {
                    double u = island->unit_l[g];
                    assert_near("lo", island->lo[g] * u, problem->lo[row], roundoff * fabs(problem->lo[row]));
                    assert_near("hi", island->hi[g] * u, problem->hi[row], roundoff * fabs(problem->hi[row]));
                }
                for (int i = first; i < island->row[g + 1] && !joint; i++)
                    assert_near("r", island->r[i] * island->unit_y[g], free_velocity[row + i - first],
                                roundoff * island->free_norm);
            }
        }
        put_away(p);
    }
}

// Velocities of the same impulses from N and from carried velocities; rows and diagonal blocks are the same.
static void carried_velocities_are_those_of_N(void **state) {
    int compared = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        parts *p = take_apart_in(make_sample(context_of(state), sample), VS_FORM_IMPULSE);
        assert_true(p->carried.count == 0 || p->carried.count == p->islands.count);
        for (int k = 0; k < p->carried.count; k++, compared++) {
            const vs_impulse_problem *stored = &p->islands.island[k], *carried = &p->carried.island[k];
            int rows = stored->rows;
            double *l = make_doubles(rows), *y = make_doubles(rows), *z = make_doubles(rows);
            assert_true(carried->carried && !stored->carried && carried->rows == rows);
            for (int i = 0; i < rows; i++)
                l[i] = sin(i + 1.0);
            vs_impulse_velocities(stored, l, y);
            vs_impulse_velocities(carried, l, z);
            for (int i = 0; i < rows; i++) {
                assert_int_equal(carried->source[i], stored->source[i]);
                assert_near("y", z[i], y[i], roundoff * rows);
            }
            for (int i = 0; i < 9 * stored->groups; i++)
                assert_near("diagonal block", carried->A[i], stored->A[i], roundoff);
            // Terms of J are more than those of N, but not many more.
            double ratio = vs_impulse_rounding(carried, true, l) / vs_impulse_rounding(stored, true, l);
            assert_true(ratio > .99 && ratio < 20);
            free(l), free(y), free(z);
        }
        put_away(p);
    }
    assert_true(compared > 3);
}

// A large island that carries its velocities has no part in N, which is for the small ones beside it: the same as if N of
// all were stored.
static void matrix_is_of_islands_without_carried_velocities(void **state) {
    wall w = make_wall(5, 4, .5);
    scene pile = make_pile(1, 1, 2, .5, 1);
    append_scene(&w.s, &pile);
    parts *some = take_scene_apart(context_of(state), &w.s);
    parts *all = take_apart_in(must_build(context_of(state), &w.s), VS_FORM_IMPULSE);
    const vs_rows *N = &some->islands.delassus.N, *M = &all->islands.delassus.N;
    int64_t stored = 0;
    assert_int_equal(some->islands.count, all->islands.count);
    assert_true(some->islands.island[0].carried);
    for (int k = 0; k < some->islands.count; k++) {
        const vs_impulse_problem *island = &some->islands.island[k], *whole = &all->islands.island[k];
        assert_false(whole->carried);
        if (island->carried)
            continue;
        int64_t values = whole->N.value[whole->groups];
        assert_int_equal(island->N.value[island->groups], values);
        assert_memory_equal(island->N.x, whole->N.x, sizeof(double) * (size_t)values);
        stored += values;
    }
    assert_true(stored > 0);
    assert_int_equal(N->value[N->groups], stored);
    assert_true(M->value[M->groups] > 10 * stored);
    put_away(some), put_away(all);
    free_scene(&w.s), free_scene(&pile);
}

// A problem from matrices may have contacts without entries: islands without velocities, in which there is nothing to carry.
static void empty_contacts_carry_nothing(void **state) {
    const int64_t p[] = {0, 1, 2, 3}, starts[] = {0, 1, 2, 3, 3, 3, 3};
    const int diagonal[] = {0, 1, 2}, rows[] = {2, 0, 1};
    const double ones[] = {1, 1, 1}, c[] = {0, 0, 1}, b[6] = {0, 0, 0, .1}, mu[] = {.5, .5}, E[6] = {0, 0, 0, .01};
    vs_problem_global_def def = vs_problem_global_def_default();
    def.H = (vs_matrix_view){.rows = 3, .cols = 3, .p = p, .i = diagonal, .x = ones};
    def.Dt = (vs_matrix_view){.rows = 3, .cols = 6, .p = starts, .i = rows, .x = ones};
    def.c = c, def.b = b, def.mu = mu, def.E = E, def.contacts = 2;
    vs_problem *problem;
    assert_int_equal(vs_problem_from_global(context_of(state), &def, &problem), VS_OK);
    parts *apart = take_apart_in(problem, VS_FORM_VELOCITY);
    assert_int_equal(apart->islands.count, 2);
    assert_true(apart->islands.island[0].carried && apart->islands.island[0].n == 3);
    assert_false(apart->islands.island[1].carried);
    put_away(apart);
}

// a is the mean of the diagonal where H is block diagonal or N given, and one a contact: the mean becomes one.
static void diagonal_blocks_have_unit_size(void **state) {
    for (int sample = 0; sample < SAMPLES; sample++) {
        parts *p = take_apart(make_sample(context_of(state), sample));
        bool general = !p->problem->local && !p->problem->block_diagonal;
        for (int k = 0; k < p->islands.count; k++) {
            const vs_impulse_problem *island = &p->islands.island[k];
            for (int g = 0; g < island->groups; g++) {
                int rows = island->row[g + 1] - island->row[g];
                double mean = 0;
                for (int i = 0; i < rows; i++)
                    mean += island->A[9 * g + 4 * i] / rows;
                // joint rows share the joint's a; a contact without friction has its three rows' a
                bool own = island->law[g] == VS_LAW_FRICTION || (island->law[g] != VS_LAW_FREE && !p->problem->local);
                if (own && !general)
                    assert_near("mean of the diagonal", mean, 1, roundoff);
                assert_true(mean > .01 && mean < 100);
            }
        }
        put_away(p);
    }
}

// N and r: y = N l + r of random impulses is the user's y.
static void velocities_are_those_of_the_measures(void **state) {
    uint64_t seed = 7;
    for (int sample = 0; sample < SAMPLES; sample++) {
        parts *p = take_apart(make_sample(context_of(state), sample));
        const vs_problem *problem = p->problem;
        const vs_scaled *s = &p->run.scaled;
        double *g = make_doubles(problem->m_e), *lambda = make_doubles(problem->m), *y = make_doubles(problem->m);
        draw_impulses(p, &seed, g, lambda);
        vs_measures measures;
        assert_int_equal(vs_measure(p->run.measurer, g, lambda, NULL, y, &measures), VS_OK);
        double joint_error = 0;
        for (int k = 0; k < p->islands.count; k++) {
            const vs_impulse_problem *island = &p->islands.island[k];
            double *l = make_doubles(island->rows), *w = make_doubles(island->rows);
            undo_units(p, island, g, lambda, l);
            vs_impulse_velocities(island, l, w);
            double scale = largest(y, problem->m) + island->free_norm;
            for (int i = 0; i < island->rows; i++) {
                double user = w[i] * island->unit_y[island->group_of[i]];
                if (island->source[i] < s->m_e)
                    joint_error = fmax(joint_error, fabs(user));
                else
                    assert_near("y", user, y[s->source[island->source[i] - s->m_e]], roundoff * scale);
            }
            free(l), free(w);
        }
        assert_near("joint", joint_error, measures.joint_error_velocity, roundoff * (1 + joint_error));
        free(g), free(lambda), free(y);
        put_away(p);
    }
}

// ---- errors ------------------------------------------------------------------------------------------------

// The largest error of an island is the relative error; one island alone has FCLIB's natural map as well.
static void error_is_that_of_the_measures(void **state) {
    uint64_t seed = 8;
    int by_energy = 0, by_map = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        parts *p = take_apart(make_sample(context_of(state), sample));
        const vs_problem *problem = p->problem;
        double *g = make_doubles(problem->m_e), *lambda = make_doubles(problem->m);
        double *l = make_doubles(p->islands.most_rows), *y = make_doubles(p->islands.most_rows);
        vs_solver_options options = exact_options(1e-10);
        outcome solved = solve_problem(p->problem, &options); // near a solution it is the natural map that decides
        for (int draw = 0; draw < 40; draw++) {
            vs_measures measures;
            double near = draw % 2 ? pow(10, -draw / 10.) : 0;
            draw_impulses(p, &seed, g, lambda);
            for (int i = 0; i < problem->m && near > 0; i++)
                lambda[i] = solved.lambda[i] + near * lambda[i];
            for (int i = 0; i < problem->m_e && near > 0; i++)
                g[i] = solved.g[i] + near * g[i];
            // joint impulses that cancel: they move nothing and are no part of |l|
            for (int i = 0, half = problem->m_e / 2; i < half && sample < 4; i++) {
                double more = 100 * p->run.scaled.unit_joint[i] / p->run.scaled.S_e[i];
                g[i] += more, g[i + half] -= more;
            }
            assert_int_equal(vs_measure(p->run.measurer, g, lambda, NULL, NULL, &measures), VS_OK);
            double most_energy = 0, most = 0, whole = measures.relative_error;
            for (int k = 0; k < p->islands.count; k++) {
                const vs_impulse_problem *island = &p->islands.island[k];
                undo_units(p, island, g, lambda, l);
                vs_impulse_velocities(island, l, y);
                most_energy = fmax(most_energy, vs_impulse_error(island, false, l, y));
                most = fmax(most, vs_impulse_error(island, true, l, y));
            }
            // near a solution impulses and velocities of size one cancel: absolute there
            assert_near("relative error", most_energy, whole, roundoff * (1 + whole));
            double both = fmax(whole, measures.natural_map_relative);
            // what is asked of every island is enough for the whole
            assert_true(most >= both - roundoff * (1 + both));
            if (p->islands.count == 1) {
                assert_near("natural map", most, both, roundoff * (1 + both));
                *(whole > measures.natural_map_relative ? &by_energy : &by_map) += 1;
            }
        }
        free(g), free(lambda), free(l), free(y);
        free_outcome(&solved);
        put_away(p);
    }
    print_message("  decided by the energy error: %d, by the natural map: %d\n", by_energy, by_map);
    assert_true(by_energy >= 5 && by_map >= 5); // each of the two has decided
}

static void error_of_rest_is_one_and_nonsense_is_infinite(void **state) {
    parts *p = take_apart(make_general(context_of(state), false, 5));
    const vs_impulse_problem *island = &p->islands.island[0];
    double *l = make_doubles(island->rows);
    assert_near("rest", vs_impulse_error(island, false, l, island->r), 1, roundoff); // e0 is its energy error
    l[island->rows - 1] = NAN;
    assert_true(isinf(vs_impulse_error(island, false, l, island->r)));
    assert_true(isinf(vs_impulse_error(island, true, l, island->r)));
    free(l);
    put_away(p);
}

// ---- compliance --------------------------------------------------------------------------------------------

// epsilon is added to contact rows and to no joint.
static void compliance_is_added_to_contacts_only(void **state) {
    uint64_t seed = 9;
    parts *p = take_apart(make_sample(context_of(state), 0));
    for (int k = 0; k < p->islands.count; k++) {
        vs_impulse_problem *island = &p->islands.island[k];
        double *x = make_doubles(island->rows), *stiff = make_doubles(island->rows), *soft = make_doubles(island->rows);
        for (int i = 0; i < island->rows; i++)
            x[i] = random_in(&seed, -1, 1);
        for (int with_r = 0; with_r < 2; with_r++) {
            island->epsilon = 0;
            (with_r ? vs_impulse_velocities : vs_impulse_multiply)(island, x, stiff);
            island->epsilon = .25;
            (with_r ? vs_impulse_velocities : vs_impulse_multiply)(island, x, soft);
            for (int i = 0; i < island->rows; i++) {
                double epsilon = island->law[island->group_of[i]] == VS_LAW_FREE ? 0 : .25;
                assert_near("compliance", soft[i], stiff[i] + epsilon * x[i], 1e-14);
            }
        }
        free(x), free(stiff), free(soft);
    }
    put_away(p);
}

// ---- projection --------------------------------------------------------------------------------------------

// The nearest point: in the set, left alone there, and (x - p)'(q - p) <= 0 for every q of the set. It is the same in
// the user's units, because all rows of a contact have one scale.
static void projection_is_the_nearest_point(void **state) {
    uint64_t seed = 10;
    parts *p = take_apart(make_sample(context_of(state), 1));
    const vs_problem *problem = p->problem;
    for (int k = 0; k < p->islands.count; k++) {
        const vs_impulse_problem *island = &p->islands.island[k];
        double *x = make_doubles(island->rows), *l = make_doubles(island->rows), *q = make_doubles(island->rows);
        for (int draw = 0; draw < 50; draw++) {
            for (int i = 0; i < island->rows; i++)
                x[i] = l[i] = random_scale(&seed), q[i] = random_scale(&seed);
            vs_impulse_project(island, l);
            vs_impulse_project(island, q);
            for (int g = 0; g < island->groups; g++) {
                int i = island->row[g], rows = island->row[g + 1] - i;
                double angle = 0, size = 0, user[3];
                for (int j = i; j < i + rows; j++) {
                    angle += (x[j] - l[j]) * (q[j] - l[j]);
                    size += fabs(x[j]) * (fabs(q[j]) + fabs(x[j]));
                    user[j - i] = x[j] * island->unit_l[g];
                }
                assert_true(angle <= 1e-14 * size);
                switch (island->law[g]) {
                case VS_LAW_FREE:
                    assert_true(l[i] == x[i]);
                    break;
                case VS_LAW_NONNEG:
                    assert_true(l[i] >= 0);
                    break;
                case VS_LAW_BOX:
                    assert_true(l[i] >= island->lo[g] && l[i] <= island->hi[g]);
                    break;
                case VS_LAW_FRICTION:
                    assert_true(hypot(l[i + 1], l[i + 2]) <= island->mu[g] * l[i] * (1 + 1e-15));
                    int row = p->run.scaled.source[island->source[i] - problem->m_e];
                    vs_friction_project(problem->mu[contact_of(problem, row)], user, user);
                    for (int j = 0; j < 3; j++)
                        assert_near("user's projection", l[i + j] * island->unit_l[g], user[j],
                                    1e-14 * island->unit_l[g] * norm_of(x + i, 3));
                    break;
                case VS_LAW_ROLLING:
                    fail_msg("no such contact here");
                }
            }
            memcpy(q, l, sizeof *q * (size_t)island->rows);
            vs_impulse_project(island, q);
            assert_all_near("projected twice", q, l, island->rows, 1e-14);
        }
        free(x), free(l), free(q);
    }
    put_away(p);
}

// ---- there and back ----------------------------------------------------------------------------------------

// Scatter undoes gather, writes the island's own rows and no others, and agrees with the units.
static void scatter_undoes_gather(void **state) {
    uint64_t seed = 11;
    for (int sample = 0; sample < SAMPLES; sample++) {
        parts *p = take_apart(make_sample(context_of(state), sample));
        const vs_scaled *s = &p->run.scaled;
        double *user_g = make_doubles(p->problem->m_e), *user = make_doubles(p->problem->m);
        double *g = make_doubles(s->m_e), *lambda = make_doubles(s->m);
        double *back_g = make_doubles(s->m_e), *back = make_doubles(s->m);
        draw_impulses(p, &seed, user_g, user);
        vs_scaled_g(s, user_g, g);
        vs_scaled_lambda(s, user, lambda);
        int written = 0;
        for (int k = 0; k < p->islands.count; k++) {
            const vs_impulse_problem *island = &p->islands.island[k];
            double *l = make_doubles(island->rows), *expected = make_doubles(island->rows);
            vs_impulse_gather(island, g, lambda, l);
            undo_units(p, island, user_g, user, expected);
            assert_all_near("gathered", l, expected, island->rows, 1e-14 * (1 + largest(l, island->rows)));
            vs_impulse_scatter(island, l, back_g, back);
            written += island->rows;
            int set = 0; // of doubles drawn none is zero
            for (int i = 0; i < s->m_e + s->m; i++)
                set += (i < s->m_e ? back_g[i] : back[i - s->m_e]) != 0;
            assert_int_equal(set, written);
            free(l), free(expected);
        }
        for (int i = 0; i < s->m; i++)
            assert_near("scattered", back[i], lambda[i], 1e-15 * fabs(lambda[i]));
        assert_memory_equal(back_g, g, sizeof *g * (size_t)s->m_e);
        free(user_g), free(user), free(g), free(lambda), free(back_g), free(back);
        put_away(p);
    }
}

// ---- the whole ---------------------------------------------------------------------------------------------

// The whole problem as one island, with N stored or velocities carried: the same velocities, blocks, units and laws as
// the islands have, and an energy error that is the sum of theirs.
static void the_whole_is_the_case_of_one_island(void **state) {
    uint64_t seed = 13;
    for (int sample = 0; sample < SAMPLES; sample++) {
        parts *p = take_apart(make_sample(context_of(state), sample));
        const vs_scaled *s = &p->run.scaled;
        vs_islands one;
        assert_int_equal(vs_islands_create_whole(&one, s, &p->arena), VS_OK);
        assert_int_equal(one.count, 1);
        const vs_impulse_problem *whole = one.island;
        double *user_g = make_doubles(p->problem->m_e), *user = make_doubles(p->problem->m);
        double *g = make_doubles(s->m_e), *lambda = make_doubles(s->m);
        double *l = make_doubles(whole->rows), *y = make_doubles(whole->rows);
        draw_impulses(p, &seed, user_g, user);
        vs_scaled_g(s, user_g, g);
        vs_scaled_lambda(s, user, lambda);
        vs_impulse_gather(whole, g, lambda, l);
        vs_impulse_velocities(whole, l, y);
        double within = roundoff * (1 + largest(l, whole->rows) + largest(y, whole->rows)), energy = 0;
        for (int k = 0; k < p->islands.count; k++) {
            const vs_impulse_problem *island = &p->islands.island[k];
            double *part = make_doubles(island->rows), *velocity = make_doubles(island->rows);
            vs_impulse_gather(island, g, lambda, part);
            vs_impulse_velocities(island, part, velocity);
            double error = vs_impulse_error(island, false, part, velocity);
            energy += error * error;
            for (int i = 0; i < island->rows; i++) {
                assert_true(part[i] == l[island->source[i]]);
                assert_near("velocity", velocity[i], y[island->source[i]], within);
            }
            for (int h = 0; h < island->groups; h++) {
                int at = island->origin[h];
                assert_true(island->law[h] == whole->law[at] && island->mu[h] == whole->mu[at]);
                assert_true(island->unit_l[h] == whole->unit_l[at] && island->unit_y[h] == whole->unit_y[at]);
                assert_all_near("block", island->A + 9 * h, whole->A + 9 * at, 9, within);
            }
            free(part), free(velocity);
        }
        double error = vs_impulse_error(whole, false, l, y);
        assert_near("energy", error * error, energy, roundoff * (1 + energy));
        free(user_g), free(user), free(g), free(lambda), free(l), free(y);
        put_away(p);
    }
}

// ---- update ------------------------------------------------------------------------------------------------

static void update_equals_new_islands(void **state) {
    recipe r = {.seed = 3, .bodies = 8, .dofs = 6, .friction = 5, .smooth = 2, .joints = 2, .bounds = 1, .mu = .5};
    r.compliant = true;
    scene s = make_random(&r), other = copy_scene(&s);
    uint64_t seed = 12;
    for (int k = 0; k < other.links; k++) {
        other.link[k].mu *= random_in(&seed, .5, 2);
        other.link[k].b[0] += random_in(&seed, -.1, .1);
        other.link[k].hi[0] *= 2;
        other.link[k].compliance[0] *= 3;
    }
    for (int k = 0; k < other.bodies; k++)
        for (int j = 0; j < 6; j++)
            other.body[k].c[j] *= 1.5;
    parts *p = take_scene_apart(context_of(state), &s), *fresh = take_scene_apart(context_of(state), &other);
    assert_int_equal(vs_method_run_update(&p->run, fresh->problem), VS_OK);
    assert_int_equal(vs_islands_update(&p->islands), VS_OK);
    assert_int_equal(p->islands.count, fresh->islands.count);
    for (int k = 0; k < p->islands.count; k++) {
        const vs_impulse_problem *a = &p->islands.island[k], *b = &fresh->islands.island[k];
        size_t groups = sizeof(double) * (size_t)a->groups, rows = sizeof(double) * (size_t)a->rows;
        assert_memory_equal(a->N.x, b->N.x, sizeof(double) * (size_t)a->N.value[a->groups]);
        assert_memory_equal(a->r, b->r, rows);
        assert_memory_equal(a->mu, b->mu, groups);
        assert_memory_equal(a->lo, b->lo, groups);
        assert_memory_equal(a->hi, b->hi, groups);
        assert_memory_equal(a->unit_l, b->unit_l, groups);
        assert_memory_equal(a->unit_y, b->unit_y, groups);
        assert_true(a->free_norm == b->free_norm && a->share == b->share);
    }
    put_away(p), put_away(fresh);
    free_scene(&s), free_scene(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_walls_and_a_joint),
        cmocka_unit_test(carried_velocities_are_those_of_N),
        cmocka_unit_test(matrix_is_of_islands_without_carried_velocities),
        cmocka_unit_test(empty_contacts_carry_nothing),
        cmocka_unit_test(piles_and_random_scenes),
        cmocka_unit_test(local_form_is_parted_by_its_blocks),
        cmocka_unit_test(general_mass_matrix_couples_everything),
        cmocka_unit_test(values_are_the_problems_in_pure_numbers),
        cmocka_unit_test(diagonal_blocks_have_unit_size),
        cmocka_unit_test(velocities_are_those_of_the_measures),
        cmocka_unit_test(error_is_that_of_the_measures),
        cmocka_unit_test(error_of_rest_is_one_and_nonsense_is_infinite),
        cmocka_unit_test(compliance_is_added_to_contacts_only),
        cmocka_unit_test(projection_is_the_nearest_point),
        cmocka_unit_test(scatter_undoes_gather),
        cmocka_unit_test(the_whole_is_the_case_of_one_island),
        cmocka_unit_test(update_equals_new_islands),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
