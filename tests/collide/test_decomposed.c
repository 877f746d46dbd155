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

// Two stones of a groin: an L, whose corner is cut along the groin, and the one below it.
enum { STONE_CORNERS = 12, STONE_FACES = 20 };
static const vs_vec3 upper[STONE_CORNERS] = {{.5867, -.5867, 3.704}, {.682, -.682, 4.306},   {1.159, -1.453, 3.567},
                                             {.5868, -1.453, 3.704}, {1.347, -1.453, 4.147}, {.682, -1.453, 4.306},
                                             {1.453, -.682, 4.306},  {1.347, -1.347, 4.147}, {1.453, -1.347, 4.147},
                                             {1.453, -.5867, 3.704}, {1.453, -1.159, 3.567}, {1.159, -1.159, 3.567}};
static const vs_vec3 lower[STONE_CORNERS] = {{1.347, -1.347, 4.147}, {1.159, -1.159, 3.567}, {1.703, -1.702, 3.341},
                                             {1.703, -2.543, 3.341}, {1.159, -2.543, 3.567}, {1.347, -2.543, 4.147},
                                             {1.979, -1.979, 3.885}, {1.979, -2.543, 3.885}, {2.543, -1.159, 3.567},
                                             {2.543, -1.702, 3.341}, {2.543, -1.347, 4.147}, {2.543, -1.979, 3.885}};
static const int upper_face[3 * STONE_FACES] = {6, 1,  7,  6,  7, 8,  9, 6, 8, 9,  8, 10, 9, 0, 1, 9,  1,  6, 5, 4,
                                                7, 5,  7,  1,  3, 2,  4, 3, 4, 5,  3, 5,  1, 3, 1, 0,  11, 0, 9, 11,
                                                9, 10, 11, 10, 8, 11, 8, 7, 0, 11, 2, 0,  2, 3, 2, 11, 7,  2, 7, 4};
static const int lower_face[3 * STONE_FACES] = {2, 3,  4, 2, 4, 1, 4, 5,  0,  4,  0, 1,  6, 7, 3,  6, 3, 2,  5, 4,
                                                3, 5,  3, 7, 5, 7, 6, 5,  6,  0,  2, 1,  8, 2, 8,  9, 8, 1,  0, 8,
                                                0, 10, 6, 2, 9, 6, 9, 11, 10, 11, 9, 10, 9, 8, 10, 0, 6, 10, 6, 11};

static vs_body_id add_stone(scene *s, const vs_vec3 *corner, const int *face) {
    vs_shape *mesh = NULL, *part[PARTS];
    int parts = 0;
    const vs_body_id body = add_body(s, VS_MOTION_DYNAMIC, VS_IDENTITY_POSE, VS_ZERO3);
    assert_int_equal(vs_shape_mesh(s->context, corner, STONE_CORNERS, face, STONE_FACES, &mesh), VS_OK);
    assert_int_equal(vs_shape_decompose(mesh, &(vs_decompose_options){1e-4, PARTS}, part, &parts, NULL), VS_OK);
    vs_shape_release(mesh);
    for (int k = 0; k < parts; k++)
        (void)add_shape(s, body, part[k], VS_IDENTITY_POSE, 1, UINT32_MAX);
    return body;
}

static void shake(scene *s, vs_body_id body, uint64_t *seed, double reach) {
    const vs_body_state state = {.pose = {random_vec(seed, reach), vs_quat_exp(random_vec(seed, reach))}};
    assert_int_equal(vs_world_set_body_state(s->world, body, &state), VS_OK);
}

// Stones that touch and are moved by millimetres overlap by centimetres at most: where the edges of parts meet, the depth is not
// that behind the far side of one.
static void test_edges_of_parts_have_no_false_depth(void **state) {
    (void)state;
    uint64_t seed = 11;
    scene *s = open_scene();
    const vs_body_id a = add_stone(s, upper, upper_face), b = add_stone(s, lower, lower_face);
    for (int k = 0; k < 400; k++) {
        const double reach = k % 2 ? 1e-3 : 5e-3;
        shake(s, a, &seed, reach);
        shake(s, b, &seed, reach);
        find(s, 1e-3, .01);
        for (int i = 0; i < s->contacts->count; i++) // they turn about a point 4.5 m away
            assert_true(s->contacts->contact[i].gap > -30 * reach);
    }
    close_scene(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faces_between_parts_have_no_contacts),
                                       cmocka_unit_test(test_edges_of_parts_have_no_false_depth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
