// Every method on the same small random problems: frictionless, relaxed and exact, with joints, compliance, boxes and
// redundant rows. Each must find the solution to its own tolerance, as measured by vs_measure(), and the velocities
//
//     convex models   of the interior point at 1e-12 (v is unique, whatever the redundancy), and without friction
//                     those of trying all sets of active rows
//     exact           may differ from the cascade's: a solution is what the exact measures call one
//
// A failure shrinks (shrink.h). Methods that are not in this build, or refuse a problem, are skipped and counted.
#include "enumerate.h"
#include "shrink.h"

enum { PROBLEMS = 20, METHODS_MOST = 32 };

// ---- methods and their tolerances --------------------------------------------------------------------------

// Methods of Newton's kind and pivoting solve to the last digits, methods of first order in reasonable time to six.
static double own_tolerance(const char *name, vs_model model) {
    static const char *const fine[] = {"ipm", "cascade", "pivoting", "lemke"};
    for (size_t k = 0; k < sizeof fine / sizeof *fine; k++)
        if (strcmp(name, fine[k]) == 0)
            return model == VS_MODEL_EXACT ? 1e-8 : 1e-10;
    return 1e-6;
}

// |v - v_ref| <= CONDITION tolerance |v_ref|: the condition of the active contacts here, as in test_agreement.c.
static const double CONDITION = 1e3;
static const double TIME = 2; // s; a small problem that takes longer is not solved

typedef struct subject {
    vs_context *context;
    vs_method method;
    const char *name;
    vs_model model;
    int solved, skipped, same; // same: as the reference
    double worst;              // |v - v_ref| / |v_ref|
} subject;

// Fills list (METHODS_MOST) with the methods that can solve a model, by themselves or inside the fixed point.
static int list_subjects(vs_context *context, vs_model model, subject *list) {
    int count = 0;
    for (int k = 1; k < vs_method_count() && count < METHODS_MOST; k++) {
        const vs_method_info info = vs_method_at(k);
        unsigned models = info.made_for | (info.made_for & 1U << VS_MODEL_RELAXED ? 1U << VS_MODEL_EXACT : 0);
        if (strcmp(info.name, "auto") != 0 && models & 1U << model)
            list[count++] = (subject){.context = context, .method = (vs_method)k, .name = info.name, .model = model};
    }
    assert_true(count > 0);
    return count;
}

static vs_solver_options options_of(const subject *who) {
    vs_solver_options options = make_options(own_tolerance(who->name, who->model));
    options.method = who->method;
    options.model = who->model;
    options.max_time = TIME;
    return options;
}

// ---- a solve that never ends the test ----------------------------------------------------------------------

typedef struct answer {
    vs_error error;
    vs_status status;
    int iterations, n, m, m_e;
    double *v, *g, *lambda;
    vs_measures measures; // by vs_measure()
} answer;

static void free_answer(answer *a) {
    free(a->v), free(a->g), free(a->lambda);
}

// from: a warm start, or null.
static answer solve_one(vs_context *context, const scene *s, const vs_solver_options *options, const answer *from) {
    answer a = {0};
    vs_problem *problem = NULL;
    vs_solver *solver = NULL;
    vs_measurer *measurer = NULL;
    vs_result result;
    a.error = build_scene(context, s, &problem);
    if (!a.error)
        a.error = vs_solver_create(problem, options, &solver);
    if (!a.error && from)
        a.error = vs_solver_warm_start(solver, from->v, from->g, from->lambda);
    if (!a.error)
        a.error = vs_solver_solve(solver, &result);
    if (!a.error)
        a.error = vs_measurer_create(problem, options->model, &measurer);
    if (!a.error) {
        vs_problem_info info = vs_problem_get_info(problem);
        a.status = result.status, a.iterations = result.iterations;
        a.n = info.n, a.m = info.m, a.m_e = info.m_e;
        a.v = copy_doubles(result.v, a.n), a.g = copy_doubles(result.g, a.m_e);
        a.lambda = copy_doubles(result.lambda, a.m);
        a.error = vs_measure(measurer, a.g, a.lambda, NULL, NULL, &a.measures);
    }
    vs_measurer_destroy(measurer);
    vs_solver_destroy(solver);
    vs_problem_destroy(problem);
    return a;
}

// Says why an answer is none; true if it is one.
static bool accept(const answer *a, double tolerance, char *why) {
    bool good = !a->error && a->status == VS_STATUS_CONVERGED && relative_error(&a->measures) <= tolerance;
    if (!good)
        snprintf(why, WHY, "%s, error %.2e for %.0e, %d iterations",
                 a->error ? vs_error_name(a->error) : vs_status_name(a->status), relative_error(&a->measures),
                 tolerance, a->iterations);
    return good;
}

static double compare_velocities(const double *v, const double *expected, int n) {
    return largest_difference(v, expected, n) / fmax(largest(expected, n), 1e-300);
}

// ---- properties --------------------------------------------------------------------------------------------

// Solved to its own tolerance, with the velocities of the reference.
static bool agrees_with_the_reference(void *user, const scene *s, char *why) {
    subject *who = user;
    vs_solver_options options = options_of(who), best = make_options(1e-12);
    best.model = who->model;
    best.tolerance = who->model == VS_MODEL_EXACT ? 1e-9 : 1e-12;
    answer a = solve_one(who->context, s, &options, NULL), ref = {0};
    bool good = a.error == VS_ERROR_UNSUPPORTED || accept(&a, options.tolerance, why);
    who->skipped += a.error == VS_ERROR_UNSUPPORTED;
    if (good && !a.error) {
        ref = solve_one(who->context, s, &best, NULL);
        // contacts given twice may end a solve at roundoff: it must be better than the solves measured against it
        bool known = !ref.error && relative_error(&ref.measures) <= .1 * options.tolerance;
        double apart = known ? compare_velocities(a.v, ref.v, a.n) : INFINITY;
        bool same = apart <= CONDITION * options.tolerance;
        who->solved++;
        who->same += same;
        who->worst = fmax(who->worst, who->model == VS_MODEL_EXACT && !same ? 0 : apart);
        good = who->model == VS_MODEL_EXACT ? known : same;
        if (!good)
            snprintf(why, WHY, "velocities differ from the reference's by %.2e", apart);
    }
    free_answer(&a), free_answer(&ref);
    return good;
}

// Cut short it returns nothing worse than rest, and says that it was.
static bool is_never_worse_than_rest(void *user, const scene *s, char *why) {
    const subject *who = user;
    vs_solver_options options = options_of(who);
    bool good = true;
    for (int limit = 1; limit < 5 && good; limit++) {
        options.max_iterations = limit;
        answer a = solve_one(who->context, s, &options, NULL);
        bool met = relative_error(&a.measures) <= options.tolerance;
        bool worse = a.measures.energy_error > a.measures.energy_scale * (1 + 1e-12); // roundoff of sums
        good = a.error == VS_ERROR_UNSUPPORTED ||
               (!a.error && !worse && met == (a.status == VS_STATUS_CONVERGED) && a.iterations <= limit);
        if (!good)
            snprintf(why, WHY, "limit %d: %s, error %.2e, %d iterations", limit,
                     a.error ? vs_error_name(a.error) : vs_status_name(a.status), relative_error(&a.measures),
                     a.iterations);
        free_answer(&a);
    }
    return good;
}

// Started at its own solution it returns that, at once.
static bool keeps_its_solution(void *user, const scene *s, char *why) {
    const subject *who = user;
    vs_solver_options options = options_of(who);
    answer first = solve_one(who->context, s, &options, NULL), again = {0};
    bool good = first.error == VS_ERROR_UNSUPPORTED || accept(&first, options.tolerance, why);
    if (good && !first.error) {
        again = solve_one(who->context, s, &options, &first);
        good = accept(&again, options.tolerance, why);
        if (good && again.iterations > 0) {
            good = false;
            snprintf(why, WHY, "%d iterations from its own solution", again.iterations);
        }
    }
    free_answer(&first), free_answer(&again);
    return good;
}

// ---- all sets of active rows ------------------------------------------------------------------------------

static bool compare_with_enumeration(subject *who, const scene *s, bool compliant, char *why) {
    enumeration *e = malloc(sizeof *e);
    double v[N_MOST];
    vs_solver_options options = options_of(who);
    answer a = solve_one(who->context, s, &options, NULL);
    bool good = a.error == VS_ERROR_UNSUPPORTED || accept(&a, options.tolerance, why);
    if (good && !a.error) {
        fill_enumeration(e, s, compliant);
        double violation = enumerate(e, v), apart = compare_velocities(a.v, v, a.n);
        who->solved++;
        who->same += apart <= CONDITION * options.tolerance;
        who->worst = fmax(who->worst, apart);
        // roundoff of elimination, times the condition; impulses and speeds are of order 1
        good = violation <= 1e-9 && apart <= CONDITION * options.tolerance;
        if (!good)
            snprintf(why, WHY, "velocities differ from the enumeration's by %.2e (its own violation: %.1e)", apart,
                     violation);
    }
    free_answer(&a);
    free(e);
    return good;
}

static bool agrees_with_enumeration(void *user, const scene *s, char *why) {
    return compare_with_enumeration(user, s, true, why);
}

// ---- problems ----------------------------------------------------------------------------------------------

// At most eight frictionless contacts, including repeated ones.
static scene make_problem(int id) {
    enum { PLAIN, JOINTS, COMPLIANT, REDUNDANT, MIXED, FAMILIES };
    int family = id % FAMILIES;
    uint64_t seed = 7000 + (uint64_t)id;
    recipe r = {.seed = seed, .dofs = 6, .mu = .7};
    r.bodies = 2 + random_pick(&seed, 3);
    r.friction = 2 + random_pick(&seed, family == REDUNDANT ? 3 : family == MIXED ? 4 : 7);
    if (family != PLAIN && family != COMPLIANT)
        r.joints = 1 + random_pick(&seed, 2);
    else if (id % 3 == 0) // joints would hold points altogether: too ill-conditioned for methods of first order
        r.dofs = 3;
    if (family == MIXED)
        r.smooth = 1 + random_pick(&seed, 3), r.bounds = 1;
    r.compliant = family == COMPLIANT || (family == MIXED && id % 2);
    scene s = make_random(&r);
    if (family == REDUNDANT) {
        duplicate_links(&s, FRICTION);
        duplicate_links(&s, JOINT);
    }
    return s;
}

static void check_all(vs_context *context, vs_model model, const char *title, scene_property holds) {
    subject list[METHODS_MOST];
    int count = list_subjects(context, model, list);
    for (int k = 0; k < count; k++) {
        subject *who = &list[k];
        for (int id = 0; id < PROBLEMS; id++) {
            char name[128];
            snprintf(name, sizeof name, "%s, %s, %s, problem %d", title, who->name, vs_model_name(model), id);
            scene s = make_problem(id);
            check_property(name, holds, who, &s);
            free_scene(&s);
        }
        if (who->solved + who->skipped > 0)
            print_message("  %-13s %-12s to %.0e: %2d solved, %2d refused, %2d with the same v, |dv| <= %.1e |v|\n",
                          who->name, vs_model_name(model), own_tolerance(who->name, model), who->solved, who->skipped,
                          who->same, who->worst);
    }
}

static const vs_model models[] = {VS_MODEL_FRICTIONLESS, VS_MODEL_RELAXED, VS_MODEL_EXACT};

static void all_methods_agree_with_the_reference(void **state) {
    for (int k = 0; k < 3; k++)
        check_all(context_of(state), models[k], "agreement", agrees_with_the_reference);
}

static void all_methods_agree_with_enumeration_without_friction(void **state) {
    check_all(context_of(state), VS_MODEL_FRICTIONLESS, "enumeration", agrees_with_enumeration);
}

static void all_methods_cut_short_are_never_worse_than_rest(void **state) {
    for (int k = 0; k < 3; k++)
        check_all(context_of(state), models[k], "cut short", is_never_worse_than_rest);
}

static void all_methods_keep_their_solution(void **state) {
    for (int k = 0; k < 3; k++)
        check_all(context_of(state), models[k], "warm start", keeps_its_solution);
}

// ---- shrinking ---------------------------------------------------------------------------------------------

// Planted: a reference that forgets compliance. The smallest scene that shows it is a body on one compliant contact
// that carries load.
static bool agrees_with_a_broken_reference(void *user, const scene *s, char *why) {
    return compare_with_enumeration(user, s, false, why);
}

static void shrinking_finds_the_one_contact_that_a_broken_reference_gets_wrong(void **state) {
    subject who = {.context = context_of(state), .method = VS_METHOD_IPM, .name = "ipm"};
    who.model = VS_MODEL_FRICTIONLESS;
    recipe r = {.seed = 31, .bodies = 4, .dofs = 6, .friction = 5, .smooth = 2, .joints = 2, .mu = .5};
    scene s = make_random(&r);
    char why[WHY] = "";
    assert_true(agrees_with_a_broken_reference(&who, &s, why)); // nothing is compliant yet
    int loaded = -1;
    for (int k = 0; k < s.links && loaded < 0; k++) { // a contact that carries load shows its compliance
        s.link[k].compliance[0] = .5;
        if (s.link[k].kind != JOINT && !agrees_with_a_broken_reference(&who, &s, why))
            loaded = k;
        else
            s.link[k].compliance[0] = 0;
    }
    assert_true(loaded >= 0);
    scene small = shrink(&s, agrees_with_a_broken_reference, &who, why);
    print_message("  from %d bodies and %d links to %d and %d: %s\n", s.bodies, s.links, small.bodies, small.links,
                  why);
    assert_int_equal(small.links, 1);
    assert_int_equal(small.bodies, small.link[0].blocks); // no body that is not needed
    assert_true(small.link[0].compliance[0] == .5);
    assert_non_null(strstr(why, "enumeration"));
    free_scene(&small), free_scene(&s);
}

// Planted: fails where a joint and a contact with friction act on the same body.
static bool never_joins_a_rubbing_body(void *user, const scene *s, char *why) {
    (void)user;
    for (int k = 0; k < s->bodies; k++) {
        int found = 0;
        for (int j = 0; j < s->links; j++)
            if (touches(&s->link[j], k))
                found |= s->link[j].kind == JOINT ? 1 : s->link[j].kind == FRICTION ? 2 : 0;
        if (found == 3) {
            snprintf(why, WHY, "body %d", k);
            return false;
        }
    }
    return true;
}

static void shrinking_keeps_what_the_failure_needs_and_nothing_else(void **state) {
    (void)state;
    int shrunk = 0;
    for (int id = 0; id < PROBLEMS; id++) {
        scene s = make_problem(id);
        char why[WHY] = "";
        if (!never_joins_a_rubbing_body(NULL, &s, why)) {
            scene small = shrink(&s, never_joins_a_rubbing_body, NULL, why);
            assert_int_equal(small.links, 2);
            assert_in_range(small.bodies, 1, 3); // each link may hold on to a second body
            for (int j = 0; j < 2; j++)
                assert_true(largest(small.link[j].compliance, 6) == 0);
            assert_false(never_joins_a_rubbing_body(NULL, &small, why));
            free_scene(&small);
            shrunk++;
        }
        free_scene(&s);
    }
    assert_true(shrunk >= 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shrinking_keeps_what_the_failure_needs_and_nothing_else),
        cmocka_unit_test(shrinking_finds_the_one_contact_that_a_broken_reference_gets_wrong),
        cmocka_unit_test(all_methods_agree_with_enumeration_without_friction),
        cmocka_unit_test(all_methods_agree_with_the_reference),
        cmocka_unit_test(all_methods_cut_short_are_never_worse_than_rest),
        cmocka_unit_test(all_methods_keep_their_solution),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
