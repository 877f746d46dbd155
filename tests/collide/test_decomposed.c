// A body of the convex parts of a mesh: faces between the parts give no contacts.
#include "kit/solids.h"
#include "scene.h"

enum { PARTS = 32 };

// A ring lies on a floor of boxes and carries a box: across the cuts between its parts all contacts are upright.
static void test_faces_between_parts_have_no_contacts(void **state) {
    (void)state;
    scene *s = open_scene();
    const double corner[8][2] = {{-3, -2}, {3, -2}, {3, 2}, {2, 2}, {2, -1}, {-2, -1}, {-2, 2}, {-3, 2}};
    const int cap[6][3] = {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}, {0, 6, 7}};
    vs_shape *mesh = prism(s->context, corner, 8, cap, 1), *part[PARTS];
    int parts;
    assert_int_equal(vs_shape_decompose(mesh, &(vs_decompose_options){1e-6, PARTS}, part, &parts, NULL), VS_OK);
    assert_in_range(parts, 3, PARTS);
    vs_shape_release(mesh);
    const vs_body_id body = add_body(s, VS_MOTION_DYNAMIC, VS_IDENTITY_POSE, VS_ZERO3);
    for (int k = 0; k < parts; k++)
        (void)add_shape(s, body, part[k], VS_IDENTITY_POSE, 1, UINT32_MAX);
    const vs_body_id slider = add_body(s, VS_MOTION_DYNAMIC, VS_IDENTITY_POSE, VS_ZERO3);
    (void)add_shape(s, slider, brick(s, .4, .4, .2), VS_IDENTITY_POSE, 1, UINT32_MAX);
    for (int k = 0; k <= 200; k++) {
        // along the base of the U, over the feet of both arms, at 0 … 0.1 mm
        const vs_body_state slid = {.pose = at(-2.6 + .026 * k, -1.5, .7 + 1e-4 * (k % 3 - 1))};
        assert_int_equal(vs_world_set_body_state(s->world, slider, &slid), VS_OK);
        find(s, 1e-3, .01);
        assert_true(s->contacts->count >= 4);
        for (int i = 0; i < s->contacts->count; i++) {
            const vs_contact *c = &s->contacts->contact[i];
            assert_close(fabs(c->normal.z), 1, 1e-9);
            assert_close(c->gap, 1e-4 * (k % 3 - 1), 1e-9);
        }
    }
    close_scene(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faces_between_parts_have_no_contacts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
