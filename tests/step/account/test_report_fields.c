// The table of the fields of reports: it has every member, in the order of the balance; sums over processes and steps follow
// its rules; the viewer's list of series is made of it.
//
//     test_report_fields --print >viewer/src/fields.ts        writes that list again
#include "kit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "step/account/report_fields.h"

static size_t size_of(vs_report_kind kind) {
    return kind == VS_REPORT_INT ? sizeof(int) : 8;
}

static int by_offset(const void *a, const void *b) {
    const vs_report_field *p = a, *q = b;
    return (p->offset > q->offset) - (p->offset < q->offset);
}

// Laid side by side the fields fill the struct, but for the padding before what is aligned.
static void every_member_of_a_report_has_a_row(void **state) {
    (void)state;
    vs_report_field field[VS_REPORT_FIELDS_MOST];
    const int count = vs_report_field_count();
    for (int k = 0; k < count; k++)
        field[k] = vs_report_field_at(k);
    qsort(field, (size_t)count, sizeof *field, by_offset);
    size_t end = 0;
    for (int k = 0; k < count; k++) {
        const size_t size = size_of(field[k].kind), aligned = (end + size - 1) / size * size;
        if (field[k].offset != aligned)
            fail_msg("before %s something of vs_step_report has no row", field[k].name);
        end = aligned + size;
    }
    assert_int_equal((end + 7) / 8 * 8, sizeof(vs_step_report));
}

static void rows_have_a_name_a_unit_and_a_text_of_their_own(void **state) {
    (void)state;
    for (int k = 0; k < vs_report_field_count(); k++) {
        const vs_report_field f = vs_report_field_at(k);
        assert_true(f.name[0] && f.unit[0] && f.text[0]);
        assert_int_equal(vs_report_field_find(f.offset), k);
        assert_true(f.kind != VS_REPORT_TEXT || (!f.column && f.steps == VS_REPORT_SINGLE));
        for (int i = 0; i < k; i++) {
            const vs_report_field other = vs_report_field_at(i);
            assert_string_not_equal(f.name, other.name);
            assert_true(!f.column || !other.column || strcmp(f.column, other.column) != 0);
        }
    }
    assert_string_equal(vs_report_field_at(-1).name, "");
    assert_string_equal(vs_report_field_at(vs_report_field_count()).name, "");
    assert_int_equal(vs_report_field_find(sizeof(vs_step_report)), -1);
}

static void terms_are_in_the_order_of_the_flow(void **state) {
    (void)state;
    const int flow = vs_report_field_find(offsetof(vs_step_report, flow));
    const int total = vs_report_field_find(offsetof(vs_step_report, total));
    for (int k = 0; k < vs_energy_term_count(); k++) {
        const vs_report_field f = vs_report_field_at(flow + k), t = vs_report_field_at(total + k);
        assert_string_equal(f.name + strlen("flow."), vs_energy_term_at(k).name);
        assert_string_equal(t.name + strlen("total."), vs_energy_term_at(k).name);
        assert_int_equal(f.offset, offsetof(vs_step_report, flow) + sizeof(double) * (size_t)k);
        assert_int_equal(t.offset, offsetof(vs_step_report, total) + sizeof(double) * (size_t)k);
    }
}

static void work_and_dissipation_are_the_sums_of_their_terms(void **state) {
    (void)state;
    const vs_energy_flow flow = {.loads = .1,
                                 .motors = -.2,
                                 .prescribed = .3,
                                 .friction = .7,
                                 .impacts = .11,
                                 .dampers = .13,
                                 .discretization = 100,
                                 .fracture = .17};
    assert_true(vs_energy_flow_sum(&flow, VS_ENERGY_WORK) == .1 + -.2 + .3);
    assert_true(vs_energy_flow_sum(&flow, VS_ENERGY_DISSIPATION) == .7 + .11 + .13 + .17);
    assert_true(vs_energy_flow_exchanged(&flow) == .1 + .2 + .3 + .7 + .11 + .13 + .17);
    const vs_energy_flow nothing = {.loads = -0., .motors = -0., .prescribed = -0.};
    assert_true(signbit(vs_energy_flow_sum(&nothing, VS_ENERGY_WORK)));
    vs_energy_flow twice = flow;
    vs_energy_flow_add(&twice, &flow);
    for (int k = 0; k < vs_energy_term_count(); k++)
        assert_true(vs_energy_term_value(k, &twice) == 2 * vs_energy_term_value(k, &flow));
}

// ---- over processes and steps ---------------------------------------------------------------------------

static void sum_of_three(void *user, int count, double *x) {
    (void)user;
    for (int k = 0; k < count; k++)
        x[k] *= 3;
}

static void most_of_two(void *user, int count, double *x) {
    (void)user;
    for (int k = 0; k < count; k++)
        x[k] = x[k] > 5 ? x[k] : 5;
}

static void processes_are_combined_by_the_rules(void **state) {
    (void)state;
    const vs_space space = {.size = 3, .sum = sum_of_three, .max = most_of_two};
    vs_step_report report = {.step = 7, .contacts = 2, .iterations = 4, .penetration = 1, .restitution_factor = 1};
    report.flow.fracture = .5, report.total.fracture = .5, report.energy.angular_momentum.z = 2, report.joint_drift = 6;
    vs_report_combine(&space, &report);
    assert_int_equal(report.step, 7);
    assert_int_equal(report.contacts, 6);
    assert_int_equal(report.iterations, 4);
    assert_true(report.flow.fracture == 1.5 && report.total.fracture == .5);
    assert_true(report.energy.angular_momentum.z == 6);
    assert_true(report.penetration == 5 && report.joint_drift == 6 && report.restitution_factor == 1);
}

static const vs_report_total *total_of(const vs_report_totals *totals, size_t offset) {
    return &totals->field[vs_report_field_find(offset)];
}

static void steps_are_combined_by_the_rules(void **state) {
    (void)state;
    vs_report_totals totals = {0};
    const int factor = vs_report_field_find(offsetof(vs_step_report, restitution_factor));
    assert_true(vs_report_totals_get(&totals, factor) == 1);
    for (int k = 1; k <= 4; k++) {
        const vs_step_report report = {.step = k,
                                       .status = k == 3 ? VS_STATUS_INACCURATE : VS_STATUS_CONVERGED,
                                       .contacts = k == 2 ? 9 : 3,
                                       .iterations = 2000000000,
                                       .broken = k > 2 ? 2 : 0,
                                       .bonds = 10 - k,
                                       .penetration = k == 2 ? .25 : .125,
                                       .restitution_factor = k == 4 ? .5 : 1,
                                       .flow = {.friction = .5, .fracture = .25}};
        vs_report_totals_add(&totals, &report);
    }
    assert_int_equal(totals.steps, 4);
    assert_int_equal(totals.inaccurate, 1);
    const vs_report_total *contacts = total_of(&totals, offsetof(vs_step_report, contacts));
    assert_true(contacts->value == 9 && contacts->sum == 18 && contacts->worst == 2);
    assert_true(total_of(&totals, offsetof(vs_step_report, iterations))->value == 8e9);
    const vs_report_total *broken = total_of(&totals, offsetof(vs_step_report, broken));
    assert_true(broken->value == 4 && broken->steps == 2 && broken->first == 3);
    assert_true(total_of(&totals, offsetof(vs_step_report, bonds))->value == 6);
    const vs_report_total *penetration = total_of(&totals, offsetof(vs_step_report, penetration));
    assert_true(penetration->value == .25 && penetration->worst == 2);
    assert_true(vs_report_totals_get(&totals, factor) == .5 && totals.field[factor].steps == 1);
    const vs_energy_flow flow = vs_report_totals_get_flow(&totals);
    assert_true(flow.friction == 2 && flow.fracture == 1 && flow.loads == 0);
}

// ---- the viewer's list ----------------------------------------------------------------------------------

static void print_names(FILE *file, const char *comment, const char *name, const char *group, int side) {
    (void)fprintf(file, "\n/** %s */\nexport const %s = [\n", comment, name);
    for (int k = 0; group && k < vs_report_field_count(); k++) {
        const vs_report_field f = vs_report_field_at(k);
        if (f.column && strncmp(f.column, group, strlen(group)) == 0)
            (void)fprintf(file, "  '%s',\n", f.column + strlen(group));
    }
    for (int k = 0; !group && k < vs_energy_term_count(); k++) {
        const vs_energy_term t = vs_energy_term_at(k);
        if (side < 0 || side == (int)t.side)
            (void)fprintf(file, "  '%s',\n", t.name);
    }
    (void)fprintf(file, "] as const;\n");
}

static void print_list(FILE *file) {
    (void)fprintf(file,
                  "// Columns of trajectories. Written by `test_report_fields --print` from the table of the fields "
                  "of reports\n// (src/step/account/report_fields.c); do not edit.\n");
    print_names(file, "Columns of /solver.", "SOLVER", "solver/", -1);
    print_names(file, "Terms of the energy balance, columns of /energy: sums since the start, J.", "TERMS", NULL, -1);
    print_names(file, "Those that are work.", "WORK", NULL, VS_ENERGY_WORK);
    print_names(file, "Those that are dissipation.", "DISSIPATION", NULL, VS_ENERGY_DISSIPATION);
    (void)fprintf(file, "\n/** Columns that files of older versions do not have. */\nexport const LATER: readonly "
                        "string[] = [\n");
    for (int k = 0; k < vs_report_field_count(); k++)
        if (vs_report_field_at(k).later && vs_report_field_at(k).column)
            (void)fprintf(file, "  '%s',\n", vs_report_field_at(k).column);
    (void)fprintf(file, "];\n");
}

static void viewer_has_the_series_of_the_table(void **state) {
    (void)state;
    char expected[1 << 14] = {0}, found[1 << 14] = {0};
    FILE *file = tmpfile();
    assert_non_null(file);
    print_list(file);
    rewind(file);
    (void)fread(expected, 1, sizeof expected - 1, file);
    (void)fclose(file);
    file = fopen(VS_VIEWER_FIELDS, "r");
    assert_non_null(file);
    (void)fread(found, 1, sizeof found - 1, file);
    (void)fclose(file);
    if (strcmp(expected, found) != 0)
        fail_msg("viewer/src/fields.ts is old; write it again: test_report_fields --print >viewer/src/fields.ts");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_of_a_report_has_a_row),
        cmocka_unit_test(rows_have_a_name_a_unit_and_a_text_of_their_own),
        cmocka_unit_test(terms_are_in_the_order_of_the_flow),
        cmocka_unit_test(work_and_dissipation_are_the_sums_of_their_terms),
        cmocka_unit_test(processes_are_combined_by_the_rules),
        cmocka_unit_test(steps_are_combined_by_the_rules),
        cmocka_unit_test(viewer_has_the_series_of_the_table),
    };
    if (argc > 1 && strcmp(argv[1], "--print") == 0) {
        print_list(stdout);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
