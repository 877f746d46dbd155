// Inverse effective masses against hand computations, and their substitutes.
#include "kit/compare.h"
#include "kit/fixture.h"
#include "mass/mass_model.h"

static vs_problem *local_problem(vs_context *context, const double *N, int contacts) {
    enum { MOST = 6 };
    int64_t p[MOST + 1];
    int i[MOST * MOST], m = 3 * contacts;
    double r[MOST] = {0}, mu[2] = {0.3, 0.3};
    for (int j = 0; j <= m; j++)
        p[j] = (int64_t)j * m;
    for (int e = 0; e < m * m; e++)
        i[e] = e % m;
    vs_problem_local_def def = vs_problem_local_def_default();
    def.N = (vs_matrix_view){m, m, p, i, N};
    def.r = r;
    def.mu = mu;
    def.contacts = contacts;
    vs_problem *problem = NULL;
    assert_int_equal(vs_problem_from_local(context, &def, &problem), VS_OK);
    return problem;
}

static void local_scale_is_the_mean_diagonal_and_has_substitutes(void **state) {
    const double good[9] = {1, 0, 0, 0, 2, 0, 0, 0, 6}, indefinite[9] = {-1, 0, 7, 0, -1, 0, 7, 0, 1}, zero[9] = {0};
    const double *N[3] = {good, indefinite, zero}, all_rows[3] = {3, 7, 1}, normal_row[3] = {1, 7, 1};
    for (int k = 0; k < 3; k++)
        for (int model = VS_MODEL_RELAXED; model <= VS_MODEL_EXACT; model++) {
            vs_problem *problem = local_problem(context_of(state), N[k], 1);
            vs_arena arena;
            vs_arena_init(&arena, context_of(state));
            vs_mass_model mass;
            assert_int_equal(vs_mass_model_create(&mass, problem, (vs_model)model, &arena), VS_OK);
            double expected = (model == VS_MODEL_FRICTIONLESS ? normal_row : all_rows)[k];
            // exact in binary
            assert_close(mass.scale.contact[0], expected, 0.0);
            assert_close(mass.scale.row[2], expected, 0.0);
            vs_mass_model_release(&mass);
            vs_arena_release(&arena);
            vs_problem_destroy(problem);
        }
}

// One point mass of 2 kg: contact rows e_z, e_x, e_y; box rows 2 e_x and 3 e_z; a joint of e_x and 2 e_y.
static void global_scales_are_means_and_box_rows_keep_their_own(void **state) {
    const double H[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, c[3] = {0};
    const double contact_D[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0}, box_D[6] = {2, 0, 0, 0, 0, 3},
                 joint_C[6] = {1, 0, 0, 0, 2, 0};
    const double lo[2] = {-1, -1}, hi[2] = {1, 1}, compliance[2] = {0, 0.25};
    const int block = 0;
    vs_problem_builder *builder;
    assert_int_equal(vs_problem_builder_create(context_of(state), &builder), VS_OK);
    assert_int_equal(vs_problem_builder_add_block(builder, 3, H, c, NULL), VS_OK);
    vs_problem_contact_def contact = vs_problem_contact_def_default();
    contact.blocks = 1;
    contact.block = &block;
    contact.jacobian = (const double *const[]){contact_D};
    contact.mu = 0.5;
    contact.compliance = 1.5;
    assert_int_equal(vs_problem_builder_add_contact(builder, &contact, NULL), VS_OK);
    vs_problem_box_def bounds = vs_problem_box_def_default();
    bounds.rows = 2;
    bounds.blocks = 1;
    bounds.block = &block;
    bounds.jacobian = (const double *const[]){box_D};
    bounds.lo = lo;
    bounds.hi = hi;
    bounds.compliance = compliance;
    assert_int_equal(vs_problem_builder_add_box(builder, &bounds, NULL), VS_OK);
    vs_problem_joint_def joint = vs_problem_joint_def_default();
    joint.rows = 2;
    joint.blocks = 1;
    joint.block = &block;
    joint.jacobian = (const double *const[]){joint_C};
    assert_int_equal(vs_problem_builder_add_joint(builder, &joint, NULL), VS_OK);
    vs_problem *problem;
    assert_int_equal(vs_problem_builder_finish(builder, &problem), VS_OK);

    vs_arena arena;
    vs_arena_init(&arena, context_of(state));
    vs_mass_model mass;
    assert_int_equal(vs_mass_model_create(&mass, problem, VS_MODEL_RELAXED, &arena), VS_OK);
    const vs_energy_scale *scale = &mass.scale;
    // 1e-15: thirds do not end in binary
    assert_close(scale->contact[0], (0.5 + 1.5 + 0.5 + 0.5) / 3.0, 1e-15);
    assert_close(scale->contact[1], (2.0 + 4.75) / 2.0, 1e-15);
    assert_close(scale->row[0], scale->contact[0], 0.0);
    assert_close(scale->row[3], 2.0, 1e-15);
    assert_close(scale->row[4], 4.75, 1e-15);
    assert_close(scale->joint_row[0], (0.5 + 2.0) / 2.0, 1e-15);
    assert_close(scale->joint_row[1], scale->joint_row[0], 0.0);
    vs_mass_model_release(&mass);
    assert_int_equal(vs_mass_model_create(&mass, problem, VS_MODEL_FRICTIONLESS, &arena), VS_OK);
    assert_close(mass.scale.contact[0], 2.0, 1e-15);
    vs_mass_model_release(&mass);
    vs_arena_release(&arena);
    vs_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_scale_is_the_mean_diagonal_and_has_substitutes),
        cmocka_unit_test(global_scales_are_means_and_box_rows_keep_their_own),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
