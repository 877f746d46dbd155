// Impulses are found again by their keys, those of contacts in world axes, those of joint rows as numbers; where a contact
// is gone, by the place.
#include "step/problem/impulse_memory.h"
#include "step/worlds.h"

typedef struct fixture {
    vs_context *context;
    vs_row_groups groups;
    vs_contact_rows contacts;
    vs_impulse_memory memory;
} fixture;

static void add_group(fixture *f, vs_row_group group) {
    vs_row_group *added;
    must(vs_row_groups_add(&f->groups, f->context, group, &added), f->context);
}

// Two contacts with normals z and x, a limit and a joint of two rows; keys from `first` on.
static void add_groups(fixture *f, uint64_t first) {
    vs_row_groups_clear(&f->groups);
    add_group(f, (vs_row_group){.kind = VS_GROUP_FRICTION, .rows = 3, .key = first + 1, .source = 0});
    add_group(f, (vs_row_group){.kind = VS_GROUP_FRICTIONLESS, .rows = 1, .key = first, .source = 1});
    add_group(f, (vs_row_group){.kind = VS_GROUP_LIMIT, .rows = 1, .key = first + 100, .first = 2, .source = 7});
    add_group(f, (vs_row_group){.kind = VS_GROUP_JOINT, .rows = 2, .key = first + 100, .source = 7});
}

static void set_frames(fixture *f, const vs_vec3 *axes) {
    must(vs_contact_rows_reserve(&f->contacts, f->context, 2), f->context);
    for (int k = 0; k < 6; k++)
        f->contacts.frame.data[k] = axes[k % 3];
    f->contacts.stretch.data[0] = f->contacts.stretch.data[1] = 1;
    for (uint64_t k = 0; k < 2; k++)
        f->contacts.mark.data[k] = (vs_contact_mark){.bodies = 1 + k, .pair = 5 - k, .feature = 70 + k};
}

static void impulses_come_back_by_their_keys_in_new_axes(void **state) {
    (void)state;
    fixture f = {0};
    must(vs_context_create(NULL, &f.context), NULL);
    const vs_vec3 axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, turned[3] = {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}};
    double lambda[5] = {3, 1, 2, 7, 5}, g[2] = {11, 13};
    const vs_result result = {.lambda = lambda, .g = g};
    add_groups(&f, 40);
    assert_int_equal(f.groups.m, 5);
    assert_int_equal(f.groups.m_e, 2);
    set_frames(&f, axes);
    must(vs_impulse_memory_store(&f.memory, &f.groups, &f.contacts, &result, f.context), f.context);
    assert_int_equal(f.memory.impulse.count, 5); // contacts are one each
    for (int k = 1; k < 5; k++)
        assert_true(vs_impulse_compare(&f.memory.impulse.data[k - 1], &f.memory.impulse.data[k]) < 0);
    vs_step_contacts known = {.context = f.context};
    must(vs_impulse_memory_list_contacts(&f.memory, &known, f.context), f.context);
    assert_int_equal(known.former.count, 2); // by pairs
    assert_true(known.former.data[0].pair == 4 && known.former.data[0].feature == 71);
    assert_true(known.former.data[1].pair == 5 && known.former.data[1].feature == 70);
    vs_step_contacts_destroy(&known);

    set_frames(&f, turned);
    must(vs_impulse_memory_recall(&f.memory, &f.groups, &f.contacts, f.context), f.context);
    const double expected[5] = {3, 2, -1, 7, 5};
    assert_memory_equal(f.memory.start_lambda.data, expected, sizeof expected);
    assert_memory_equal(f.memory.start_g.data, g, sizeof g);

    // other keys of other bodies: nothing is known of them
    add_groups(&f, 1000);
    for (int k = 0; k < 2; k++)
        f.contacts.mark.data[k].bodies += 100;
    must(vs_impulse_memory_recall(&f.memory, &f.groups, &f.contacts, f.context), f.context);
    const double zero[5] = {0};
    assert_memory_equal(f.memory.start_lambda.data, zero, sizeof zero);
    assert_memory_equal(f.memory.start_g.data, zero, sizeof g);

    vs_impulse_memory_release(f.context, &f.memory);
    vs_contact_rows_release(f.context, &f.contacts);
    vs_row_groups_release(f.context, &f.groups);
    vs_context_destroy(f.context);
}

typedef struct place {
    uint64_t key, bodies;
    vs_vec3 point;
} place;

// Contacts without friction, normal z, between shapes of size 1 m.
static void set_contacts(fixture *f, const place *at, int count) {
    vs_row_groups_clear(&f->groups);
    must(vs_contact_rows_reserve(&f->contacts, f->context, count), f->context);
    for (int k = 0; k < count; k++) {
        add_group(f, (vs_row_group){.kind = VS_GROUP_FRICTIONLESS, .rows = 1, .key = at[k].key, .source = k});
        f->contacts.frame.data[3 * k] = (vs_vec3){0, 0, 1};
        f->contacts.mark.data[k] = (vs_contact_mark){at[k].bodies, at[k].bodies, at[k].key, at[k].point};
        f->contacts.size.data[k] = f->contacts.stretch.data[k] = 1;
    }
}

// One contact stays, three change their keys, one of them far away, and the bodies of the last one are others.
static void impulses_of_lost_contacts_go_to_the_nearest_new_ones(void **state) {
    (void)state;
    fixture f = {0};
    must(vs_context_create(NULL, &f.context), NULL);
    const place before[] = {{10, 1, {0, 0, 0}},
                            {11, 1, {1, 0, 0}},
                            {12, 1, {1, .01, 0}},
                            {13, 1, {2, 0, 0}},
                            {14, 2, {3, 0, 0}}},
                after[] = {{10, 1, {0, 0, 0}},
                           {21, 1, {.01, 0, 0}},
                           {22, 1, {1.05, 0, 0}},
                           {23, 1, {2.2, 0, 0}},
                           {24, 3, {3, 0, 0}}};
    double lambda[5] = {1, 2, 4, 8, 16};
    const vs_result result = {.lambda = lambda};
    set_contacts(&f, before, 5);
    must(vs_impulse_memory_store(&f.memory, &f.groups, &f.contacts, &result, f.context), f.context);
    set_contacts(&f, after, 5);
    must(vs_impulse_memory_recall(&f.memory, &f.groups, &f.contacts, f.context), f.context);
    // that of a contact that is still there is not given away; two go to one; too far; other bodies
    const double expected[5] = {1, 0, 2 + 4, 0, 0};
    assert_memory_equal(f.memory.start_lambda.data, expected, sizeof expected);
    vs_impulse_memory_release(f.context, &f.memory);
    vs_contact_rows_release(f.context, &f.contacts);
    vs_row_groups_release(f.context, &f.groups);
    vs_context_destroy(f.context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impulses_come_back_by_their_keys_in_new_axes),
        cmocka_unit_test(impulses_of_lost_contacts_go_to_the_nearest_new_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
