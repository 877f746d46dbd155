// Rows of contacts: their velocities are those of the bodies' points, and the normal row's right-hand side is the gap,
// the recovery speed or restitution.
#include "step/rows/contact_rows.h"
#include "step/contacts/contacts.h"
#include "step/worlds.h"

typedef struct rows {
    vs_step_contacts contacts;
    vs_blocks blocks;
    vs_row_groups groups;
    vs_contact_rows contact;
} rows;

static void make_rows(rig *s, rows *r) {
    *r = (rows){0};
    must(vs_step_contacts_create(&r->contacts, s->world), s->context);
    must(vs_step_contacts_find(&r->contacts, s->options.step, s->options.envelope), s->context);
    must(vs_blocks_number(&r->blocks, s->world, NULL, r->contacts.rigid), s->context);
    const vs_kick kick = vs_kick_over(s->world, s->options.step);
    must(vs_blocks_read_velocities(&r->blocks, s->world, &kick), s->context);
    const vs_step_view view = {
        .world = s->world, .options = &s->options, .blocks = &r->blocks, .groups = &r->groups, .kick = &kick};
    must(vs_contact_rows_reserve(&r->contact, s->context, vs_step_contacts_count(&r->contacts)), s->context);
    must(vs_contact_rows_add(&r->contact, &view, r->contacts.rigid), s->context);
}

static void drop_rows(rig *s, rows *r) {
    vs_contact_rows_release(s->context, &r->contact);
    vs_row_groups_release(s->context, &r->groups);
    vs_blocks_release(s->context, &r->blocks);
    vs_step_contacts_destroy(&r->contacts);
}

// World axes, of a body's point.
static vs_vec3 velocity_at(const vs_body *body, vs_vec3 point) {
    vs_vec3 spin = vs_rotate(body->pose.rotation, body->spin);
    return vs_add(body->velocity, vs_cross(spin, vs_subtract(point, body->pose.position)));
}

static const vs_body *body_of(const rig *s, int index) {
    return &s->world->body[index];
}

// A box that turns and slides on a belt, and a ball against it: J v and the prescribed part add up to the relative
// velocity along each axis.
static void velocities_of_rows_are_those_of_the_points(void **state) {
    (void)state;
    rig s;
    rows r;
    open_rig(&s, .5, 0, false);
    add_belt(&s);
    vs_body_id box = add_box(&s, (vs_vec3){.2, .2, .2}, 1000, (vs_vec3){0, 0, .2}, (vs_vec3){.3, -.2, -.1});
    add_ball(&s, .1, 1000, (vs_vec3){.3, .05, .2}, (vs_vec3){-.4, .1, .2});
    s.world->body[box.index].spin = (vs_vec3){.5, -.7, .9};
    s.options.envelope = .05;
    make_rows(&s, &r);
    assert_true(r.groups.group.count > 4);
    for (int k = 0; k < (int)r.groups.group.count; k++) {
        const vs_row_group *group = &r.groups.group.data[k];
        const vs_contact *contact = &r.contacts.rigid->contact[k];
        const vs_vec3 *axis = r.contact.frame.data + 3 * (int64_t)k;
        vs_row_values values = vs_row_groups_values(&r.groups, group);
        vs_vec3 u = vs_subtract(velocity_at(body_of(&s, contact->b), contact->point),
                                velocity_at(body_of(&s, contact->a), contact->point));
        if (contact->a == 0) // the belt's surface moves along x at 1 m/s
            u.x -= 1;
        assert_int_equal(group->kind, VS_GROUP_FRICTION);
        assert_int_equal(group->row, 3 * k);
        assert_int_equal(group->blocks, contact->a == 0 ? 1 : 2);
        assert_near("right-handed", vs_dot(vs_cross(axis[0], axis[1]), axis[2]), 1, 1e-14);
        for (int i = 0; i < 3; i++) {
            double sum = values.prescribed[i];
            for (int b = 0; b < group->blocks; b++)
                for (int j = 0; j < 6; j++)
                    sum += values.J[6 * (b * group->rows + i) + j] * r.blocks.before.data[6 * group->block[b] + j];
            assert_near("velocity of a row", sum, vs_dot(u, axis[i]), 1e-14); // a few roundings of numbers below 1
            double offset = i == 0 ? r.contact.offset.data[3 * (int64_t)k] : 0;
            assert_near("b", values.b[i], offset - values.prescribed[i], 1e-15);
        }
    }
    drop_rows(&s, &r);
    close_rig(&s);
}

// The offset of a ball of radius 0.5 m above the floor that moves down at `speed`.
static double offset_of(double gap, double speed, double restitution, double recovery_speed) {
    rig s;
    rows r;
    open_rig(&s, .5, 0, true);
    vs_material material = s.world->material[s.material];
    material.restitution = restitution;
    must(vs_world_set_material_pair(s.world, s.material, s.material, &material), s.context);
    s.options.step = .01, s.options.recovery_speed = recovery_speed, s.options.envelope = 1;
    add_ball(&s, .5, 1000, (vs_vec3){0, 0, .5 + gap}, (vs_vec3){0, 0, -speed});
    make_rows(&s, &r);
    assert_int_equal(r.groups.group.count, 1);
    double offset = r.contact.offset.data[0];
    drop_rows(&s, &r);
    close_rig(&s);
    return offset;
}

static void normal_rows_close_gaps_recover_and_bounce(void **state) {
    (void)state;
    const double slop = 1.01 * 1e-9 * .5 / .01; // m/s: 1e-9 of the size of a gap count as closed; h = 0.01 s
    assert_near("an open gap may close", offset_of(.02, 0, 0, 0), -2, slop);
    assert_near("a small penetration opens at once", offset_of(-.001, 0, 0, 5), .1, slop);
    assert_near("a deep one at the recovery speed", offset_of(-.2, 0, 0, 5), 5, 0);
    assert_near("by default at its size per second", offset_of(-.2, 0, 0, 0), .5, 0);
    assert_near("rounding of a gap counts as closed", offset_of(1e-11, 0, 0, 0), 0, 0);
    assert_near("fast and closing: restitution", offset_of(.01, 3, .5, 0), 1.5, 0);
    assert_near("fast, but not within the step: the gap", offset_of(.5, 3, .5, 0), -50, slop);
    assert_near("slower than 2 g h: the gap", offset_of(.0005, .19, .5, 0), -.05, slop);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_of_rows_are_those_of_the_points),
        cmocka_unit_test(normal_rows_close_gaps_recover_and_bounce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
