// glTF: Python reads the file as its specification says; numbers are those of the trajectory, up to single precision.
// The official validator reads it in the viewer's tests.
#include "moved.h"

static void write_file(fixture *f, int64_t frames) {
    vs_trajectory_writer *writer = NULL;
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, NULL, &writer));
    write_frames(f, writer, 0, frames);
    assert_ok(f, vs_trajectory_writer_close(writer));
}

// `code` sees the JSON g, and get(accessor).
static bool file_holds(const fixture *f, const char *path, const char *code) {
    char all[4096];
    (void)snprintf(all, sizeof all,
                   "import json, struct\n"
                   "raw = open('%s', 'rb').read()\n"
                   "assert struct.unpack('<4sII', raw[:12]) == (b'glTF', 2, len(raw))\n"
                   "size, kind = struct.unpack('<I4s', raw[12:20])\n"
                   "assert kind == b'JSON' and size %% 4 == 0\n"
                   "g = json.loads(raw[20:20 + size])\n"
                   "length, kind = struct.unpack('<I4s', raw[20 + size:28 + size])\n"
                   "assert kind == b'BIN\\0' and length == len(raw) - 28 - size == g['buffers'][0]['byteLength']\n"
                   "data = raw[28 + size:]\n"
                   "def get(k):\n"
                   "    a = g['accessors'][k]\n"
                   "    width = {'SCALAR': 1, 'VEC3': 3, 'VEC4': 4}[a['type']]\n"
                   "    start = g['bufferViews'][a['bufferView']]['byteOffset'] + a['byteOffset']\n"
                   "    return np.frombuffer(data, {5126: '<f4', 5125: '<u4'}[a['componentType']], a['count'] * width, "
                   "start).reshape(a['count'], width)\n"
                   "def motion(node):\n"
                   "    r = g['animations'][0]\n"
                   "    return {c['target']['path']: get(r['samplers'][c['sampler']]['output']) for c in r['channels'] "
                   "if c['target']['node'] == node}\n"
                   "known = lambda t, what, k, i: t + what / 16 + k / 256 + i / 4096\n"
                   "%s",
                   path, code);
    return python_agrees(f->path, all);
}

static void numbers_are_those_of_the_trajectory(void **state) {
    fixture *f = *state;
    char out[128];
    (void)snprintf(out, sizeof out, "%s/run.glb", f->folder);
    write_file(f, 7);
    assert_ok(f, vs_trajectory_export_gltf(f->context, f->path, out, 1));
    assert_true(file_holds(
        f, out,
        "n = g['nodes']\n"
        "assert [x['name'] for x in n[1:6]] == ['box', 'ball', 'tetra', 'pin', 'body 4']\n"
        "assert get(g['animations'][0]['samplers'][0]['input'])[:, 0].tolist() == [.25 * t for t in range(7)]\n"
        "for b in range(5):\n"
        "    m = motion(1 + b)\n"
        "    assert set(m) == {'translation', 'rotation'}\n"
        "    assert m['translation'].tolist() == [[known(t, 1, b, i) for i in range(3)] for t in range(7)]\n"
        "    assert m['rotation'].tolist() == [[0, 0, 0, 1]] * 7\n"
        "    assert np.allclose(n[1 + b]['translation'], [known(0, 1, b, i) for i in range(3)], 1e-8, 0)\n"
        // box, ball, tetra, capsule and ball on one body; plane and mesh on the world
        "assert [len(x.get('children', [])) for x in n[:6]] == [7, 1, 1, 1, 2, 0]\n"
        "parts = [n[k] for k in n[1]['children'] + n[2]['children'] + n[3]['children'] + n[4]['children']]\n"
        "assert parts[0]['scale'] == [.5, .25, .125] and parts[1]['scale'] == [.5] * 3 and 'scale' not in parts[2]\n"
        "assert parts[4]['translation'] == [0, 0, 1]\n"
        // Surfaces are closed and turned outwards: their volumes are those of the solids, or a little less.
        "def volume(part):\n"
        "    p = g['meshes'][part['mesh']]['primitives'][0]\n"
        "    x = get(p['attributes']['POSITION']).astype(float) * part.get('scale', [1, 1, 1])\n"
        "    a, b, c = (x[get(p['indices'])[k::3, 0]] for k in range(3))\n"
        "    return np.einsum('ti,ti->', a, np.cross(b, c)) / 6\n"
        "ball, rod = 4 / 3 * np.pi, np.pi * .125**2 * 1\n"
        "wanted = [.125, ball / 8, 1 / 6, ball * .125**3 + rod, ball / 8]\n"
        "for part, v in zip(parts, wanted): assert .96 * v < volume(part) < (1 + 1e-6) * v, (volume(part), v)\n"));
    // Every fourth frame, and the last.
    assert_ok(f, vs_trajectory_export_gltf(f->context, f->path, out, 4));
    assert_true(
        file_holds(f, out,
                   "assert get(g['animations'][0]['samplers'][0]['input'])[:, 0].tolist() == [0, 1, 1.5]\n"
                   "assert motion(3)['translation'][:, 1].tolist() == [known(t, 1, 2, 1) for t in (0, 4, 6)]\n"));
    assert_int_equal(unlink(out), 0);
}

static void a_removed_body_shrinks_to_nothing(void **state) {
    fixture *f = *state;
    char out[128];
    vs_trajectory_writer *writer = NULL;
    vs_step_report report;
    (void)snprintf(out, sizeof out, "%s/run.glb", f->folder);
    assert_ok(f, vs_trajectory_writer_create(f->path, f->world, NULL, &writer));
    write_frames(f, writer, 0, 3);
    move(f, 3, &report);
    assert_ok(f, vs_world_remove_body(f->world, f->body[2]));
    f->simulation.count = 0;
    assert_ok(f, vs_trajectory_writer_write(writer, f->world, &f->simulation, &report));
    assert_ok(f, vs_trajectory_writer_close(writer));
    assert_ok(f, vs_trajectory_export_gltf(f->context, f->path, out, 1));
    assert_true(file_holds(f, out,
                           "m = motion(3)\n"
                           "assert m['scale'].tolist() == [[1] * 3] * 3 + [[0] * 3]\n"
                           "assert m['translation'][3].tolist() == m['translation'][2].tolist()\n"
                           "assert 'scale' not in motion(2)\n"));
    assert_int_equal(unlink(out), 0);
}

static void what_is_wrong_is_said(void **state) {
    fixture *f = *state;
    char out[128];
    (void)snprintf(out, sizeof out, "%s/run.glb", f->folder);
    assert_int_equal(vs_trajectory_export_gltf(f->context, f->path, out, 1), VS_ERROR_IO);
    assert_non_null(strstr(vs_context_get_error_text(f->context), f->path));
    write_file(f, 3);
    assert_int_equal(vs_trajectory_export_gltf(f->context, f->path, out, 0), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_trajectory_export_gltf(f->context, f->path, "/nowhere/run.glb", 1), VS_ERROR_IO);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "/nowhere/run.glb: cannot be created"));
}

static void any_allocation_may_fail(void **state) {
    fixture *f = *state;
    char out[128];
    (void)snprintf(out, sizeof out, "%s/run.glb", f->folder);
    write_file(f, 3);
    const int before = f->m.alive;
    vs_error error = VS_ERROR_MEMORY;
    for (int k = 0; error; k++) {
        refuse_call(&f->m, k);
        error = vs_trajectory_export_gltf(f->context, f->path, out, 1);
        refuse_none(&f->m);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        assert_int_equal(f->m.alive, before);
        assert_true(k < 200);
    }
    assert_int_equal(unlink(out), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_are_those_of_the_trajectory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_removed_body_shrinks_to_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_allocation_may_fail, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
