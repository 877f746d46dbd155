// gmsh files: what gmsh wrote in all its formats is one and the same mesh; what is wrong in a file is said with its
// place.
#include <locale.h>
#include <unistd.h>

#include "counted.h"
#include "meshes.h"
#include "text.h"

static const double PI = 3.14159265358979323846;

// ---- bytes -----------------------------------------------------------------------------------------

static void add_int(text *t, int x) {
    if (t->binary)
        add_bytes(t, &x, sizeof x);
    else
        add(t, "%d ", x);
}

static void add_size(text *t, int64_t x) {
    if (t->binary)
        add_bytes(t, &x, sizeof x);
    else
        add(t, "%lld ", (long long)x);
}

static void add_double(text *t, double x) {
    if (t->binary)
        add_bytes(t, &x, sizeof x);
    else
        add(t, "%.17g ", x);
}

static void end_line(text *t) {
    if (!t->binary)
        add(t, "\n");
}

static vs_error read_text(const text *t, vs_mesh **mesh) {
    char *copy = copy_text(t);
    const vs_error error = vs_mesh_from_bytes(context, "t", copy, t->length, 1, mesh);
    free(copy);
    return error;
}

static void load(const char *name, text *t) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", VS_MSH_DIR, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    *t = (text){.length = 0};
    t->length = fread(t->bytes, 1, TEXT_ROOM - 1, file);
    (void)fclose(file);
    assert_true(t->length > 0 && t->length < TEXT_ROOM - 1);
}

static vs_mesh *read_file(const char *name) {
    char path[512];
    vs_mesh *mesh = NULL;
    (void)snprintf(path, sizeof path, "%s/%s", VS_MSH_DIR, name);
    if (vs_mesh_from_file(context, path, 1, &mesh))
        fail_msg("%s", vs_context_get_error_text(context));
    return mesh;
}

// ---- what gmsh wrote -------------------------------------------------------------------------------

static const char *const FORMAT[4] = {"22_text", "22_binary", "41_text", "41_binary"};

static vs_mesh *read_blocks(int format, int order) {
    char name[64];
    (void)snprintf(name, sizeof name, "blocks_%s_%d.msh", FORMAT[format], order);
    return read_file(name);
}

// Faces of a group: on the plane x_axis = at, of area 1, and facing `direction` along the axis.
static void check_faces(const vs_mesh *mesh, const char *name, int axis, double at, double direction) {
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    const vs_mesh_set faces = find_set(mesh, VS_MESH_SET_FACES, name);
    const vs_mesh_set vertices = find_set(mesh, VS_MESH_SET_VERTICES, name);
    vs_vec3 sum = VS_ZERO3;
    for (int k = 0; k < faces.count; k++) {
        int node[6];
        const int count = vs_mesh_get_side_nodes(mesh, faces.item[k], node);
        const vs_vec3 o = v.vertex[node[0]];
        for (int c = 0; c < count; c++) {
            assert_close(vs_component(v.vertex[node[c]], axis), at, 1e-12); // gmsh's own rounding
            bool found = false;
            for (int j = 0; j < vertices.count; j++)
                found = found || vertices.item[j] == node[c];
            assert_true(found);
        }
        sum = vs_add(sum, vs_cross(vs_subtract(v.vertex[node[1]], o), vs_subtract(v.vertex[node[2]], o)));
    }
    assert_close(.5 * vs_component(sum, axis), direction, 1e-12);
    // Four triangles about a middle: 5 corners, 8 edges.
    assert_int_equal(faces.count, 4);
    assert_int_equal(vertices.count, v.nodes == 10 ? 13 : 5);
}

static void check_materials(const vs_mesh *mesh) {
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    const vs_mesh_set steel = find_set(mesh, VS_MESH_SET_ELEMENTS, "steel");
    const vs_mesh_set rubber = find_set(mesh, VS_MESH_SET_ELEMENTS, "rubber");
    assert_int_equal(find_set(mesh, VS_MESH_SET_ELEMENTS, "all").count, v.elements);
    assert_int_equal(steel.count + rubber.count, v.elements);
    assert_int_equal(steel.tag, 6);
    for (int k = 0, s = 0; k < v.elements; k++) {
        const int *node = v.element + v.nodes * k;
        const double x = v.vertex[node[0]].x + v.vertex[node[1]].x + v.vertex[node[2]].x + v.vertex[node[3]].x;
        assert_int_equal(v.tag[k], x < 4 ? 6 : 7);
        if (x < 4)
            assert_int_equal(steel.item[s++], k);
    }
}

static void check_blocks(const vs_mesh *mesh) {
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    vs_mesh_quality q;
    assert_int_equal(vs_mesh_get_quality(mesh, &q), VS_OK);
    assert_close(v.volume, 2, 1e-12);
    assert_vec(v.low, VS_ZERO3, 0);
    assert_vec(v.high, ((vs_vec3){2, 1, 1}), 0);
    assert_int_equal(q.euler, 2);
    assert_int_equal(q.parts, 1);
    assert_close(q.jacobian, 1, 1e-9); // gmsh halves edges to 1e-12
    check_conforming(mesh);
    check_surface(mesh);
    check_lists(mesh);
    check_edges(mesh);
    check_faces(mesh, "left", 0, 0, -1);
    check_faces(mesh, "right end", 0, 2, 1);
    check_faces(mesh, "surface 9", 2, 0, -1); // has no name in the file
    check_faces(mesh, "between", 0, 1, 1);    // seen from the lower elements, those of steel
    check_materials(mesh);
    vs_mesh_set set = find_set(mesh, VS_MESH_SET_VERTICES, "corner");
    assert_int_equal(set.count, 1);
    assert_vec(v.vertex[set.item[0]], VS_ZERO3, 0);
    set = find_set(mesh, VS_MESH_SET_VERTICES, "edge");
    assert_int_equal(set.count, v.nodes == 10 ? 3 : 2);
    for (int k = 0; k < set.count; k++)
        assert_close(fabs(v.vertex[set.item[k]].x) + fabs(v.vertex[set.item[k]].z), 0, 0);
    assert_int_equal(vs_mesh_get_set_count(mesh), 6 + 4 + 3);
}

static void test_the_blocks_of_gmsh_are_read_in_every_format(void **state) {
    (void)state;
    for (int order = 1; order <= 2; order++)
        for (int f = 0; f < 4; f++) {
            vs_mesh *mesh = read_blocks(f, order);
            assert_int_equal(vs_mesh_get_view(mesh).nodes, order == 1 ? 4 : 10);
            check_blocks(mesh);
            vs_mesh_destroy(mesh);
        }
}

static void compare_meshes(const vs_mesh *a, const vs_mesh *b, double tolerance) {
    const vs_mesh_view v = vs_mesh_get_view(a), w = vs_mesh_get_view(b);
    assert_int_equal(v.vertices, w.vertices);
    assert_int_equal(v.elements, w.elements);
    assert_int_equal(v.nodes, w.nodes);
    for (int k = 0; k < v.vertices; k++)
        assert_vec(v.vertex[k], w.vertex[k], tolerance);
    assert_memory_equal(v.element, w.element, (size_t)(v.nodes * v.elements) * sizeof(int));
    assert_memory_equal(v.tag, w.tag, (size_t)v.elements * sizeof(int));
    assert_int_equal(vs_mesh_get_set_count(a), vs_mesh_get_set_count(b));
    for (int k = 0; k < vs_mesh_get_set_count(a); k++) {
        const vs_mesh_set s = vs_mesh_get_set_at(a, k), t = find_set(b, s.kind, s.name);
        assert_int_equal(s.tag, t.tag);
        assert_int_equal(s.count, t.count);
        assert_memory_equal(s.item, t.item, (size_t)s.count * sizeof(int));
    }
}

static void test_all_formats_of_gmsh_hold_the_same_mesh(void **state) {
    (void)state;
    for (int order = 1; order <= 2; order++) {
        vs_mesh *first = read_blocks(0, order);
        for (int f = 1; f < 4; f++) {
            vs_mesh *mesh = read_blocks(f, order);
            compare_meshes(first, mesh, 1e-15); // text has 16 digits
            vs_mesh_destroy(mesh);
        }
        vs_mesh_destroy(first);
    }
}

static void test_middle_nodes_of_gmsh_come_in_our_order(void **state) {
    (void)state;
    static const int ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    vs_mesh *mesh = read_blocks(2, 2);
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    for (int k = 0; k < 6 * v.elements; k++) {
        const int *element = v.element + 10 * (k / 6), *e = ends[k % 6];
        const vs_vec3 middle = vs_scale(.5, vs_add(v.vertex[element[e[0]]], v.vertex[element[e[1]]]));
        assert_vec(v.vertex[element[4 + k % 6]], middle, 1e-10); // gmsh finds it on the line by iteration
    }
    vs_mesh_destroy(mesh);
}

static void test_a_curved_mesh_with_everything_saved(void **state) {
    (void)state;
    vs_mesh *mesh = read_file("quarter_41_text_2.msh");
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    assert_int_equal(v.vertices, 49); // one of 50 is a point beside the body
    assert_int_equal(v.elements, 16);
    assert_close(v.volume, PI / 8, 3e-4); // parabolas over two arcs of 45 degrees would miss 3.05e-4; these are shorter
    assert_true(fabs(v.volume - PI / 8) < .1 * fabs(straight_volume(&v) - PI / 8));
    const vs_mesh_set set = find_set(mesh, VS_MESH_SET_VERTICES, "round");
    for (int k = 0; k < set.count; k++)
        assert_close(hypot(v.vertex[set.item[k]].x, v.vertex[set.item[k]].y), 1, 1e-11);
    assert_int_equal(vs_mesh_get_set_count(mesh), 2);
    assert_int_equal(v.tag[0], 0);
    check_surface(mesh);
    vs_mesh_destroy(mesh);
}

static void test_files_are_scaled_and_those_that_are_not_there_named(void **state) {
    (void)state;
    char path[512];
    vs_mesh *mesh;
    (void)snprintf(path, sizeof path, "%s/blocks_41_text_1.msh", VS_MSH_DIR);
    assert_int_equal(vs_mesh_from_file(context, path, 1e-3, &mesh), VS_OK);
    assert_vec(vs_mesh_get_view(mesh).high, ((vs_vec3){2e-3, 1e-3, 1e-3}), 1e-18);
    vs_mesh_destroy(mesh);
    assert_int_equal(vs_mesh_from_file(context, path, 0, &mesh), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_from_file(context, NULL, 1, &mesh), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_from_file(context, path, 1, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_mesh_from_file(context, "nowhere.msh", 1, &mesh), VS_ERROR_IO);
    assert_non_null(strstr(vs_context_get_error_text(context), "nowhere.msh"));
    assert_null(mesh);
}

// ---- written here ----------------------------------------------------------------------------------

// Numbers with gaps, and downwards: node k is 1000 - 3 k.
static int number_of(int node) {
    return 1000 - 3 * node;
}

static int gmsh_node(const vs_mesh_view *v, int element, int c) {
    return number_of(v->element[v->nodes * element + (c == 8 ? 9 : c == 9 ? 8 : c)]);
}

static void write_header(text *t, const char *version) {
    const int one = 1;
    add(t, "$Comments\nWith $Nodes in it.\n$EndComments\n$MeshFormat\n%s %d 8\n", version, t->binary);
    if (t->binary) {
        add_bytes(t, &one, sizeof one);
        add(t, "\n");
    }
    add(t, "$EndMeshFormat\n$PhysicalNames\n1\n3 5 \"a \"quoted\" name\"\n$EndPhysicalNames\n");
}

static void write_22(text *t, const vs_mesh_view *v) {
    write_header(t, "2.2");
    add(t, "$Nodes\n%d\n", v->vertices);
    for (int k = 0; k < v->vertices; k++, end_line(t)) {
        add_int(t, number_of(k));
        add_double(t, v->vertex[k].x), add_double(t, v->vertex[k].y), add_double(t, v->vertex[k].z);
    }
    add(t, "$EndNodes\n$Elements\n%d\n", v->elements);
    for (int k = 0; k < v->elements; k++, end_line(t)) {
        const int type = v->nodes == 10 ? 11 : 4;
        if (t->binary && k % 10 == 0) // blocks of ten
            add_int(t, type), add_int(t, v->elements - k < 10 ? v->elements - k : 10), add_int(t, 2);
        add_int(t, k + 1);
        if (!t->binary)
            add_int(t, type), add_int(t, 2);
        add_int(t, 5), add_int(t, 1);
        for (int c = 0; c < v->nodes; c++)
            add_int(t, gmsh_node(v, k, c));
    }
    add(t, "$EndElements\n");
}

static void write_41(text *t, const vs_mesh_view *v) {
    write_header(t, "4.1");
    add(t, "$Entities\n");
    for (int d = 0; d < 4; d++)
        add_size(t, d == 3);
    end_line(t);
    add_int(t, 1);
    for (int k = 0; k < 6; k++)
        add_double(t, 0);
    add_size(t, 1), add_int(t, 5), add_size(t, 0), end_line(t);
    add(t, "\n$EndEntities\n$Nodes\n");
    add_size(t, 1), add_size(t, v->vertices), add_size(t, 1), add_size(t, 1000), end_line(t);
    add_int(t, 3), add_int(t, 1), add_int(t, 0), add_size(t, v->vertices), end_line(t);
    for (int k = 0; k < v->vertices; k++, end_line(t))
        add_size(t, number_of(k));
    for (int k = 0; k < v->vertices; k++, end_line(t))
        add_double(t, v->vertex[k].x), add_double(t, v->vertex[k].y), add_double(t, v->vertex[k].z);
    add(t, "\n$EndNodes\n$Elements\n");
    add_size(t, 1), add_size(t, v->elements), add_size(t, 1), add_size(t, v->elements), end_line(t);
    add_int(t, 3), add_int(t, 1), add_int(t, v->nodes == 10 ? 11 : 4), add_size(t, v->elements), end_line(t);
    for (int k = 0; k < v->elements; k++, end_line(t)) {
        add_size(t, k + 1);
        for (int c = 0; c < v->nodes; c++)
            add_size(t, gmsh_node(v, k, c));
    }
    add(t, "\n$EndElements\n$Unknown\n\1\2$\n$EndUnknown\n");
}

static void write_sphere(text *t, int version, bool binary, bool swap, int nodes) {
    vs_mesh *mesh;
    *t = (text){.binary = binary, .swap = swap};
    assert_int_equal(vs_mesh_sphere(context, 1.1, 1, nodes, &mesh), VS_OK);
    const vs_mesh_view v = vs_mesh_get_view(mesh);
    if (version == 2)
        write_22(t, &v);
    else
        write_41(t, &v);
    vs_mesh_destroy(mesh);
}

static void test_what_is_written_is_read_back_also_from_the_other_kind_of_machine(void **state) {
    (void)state;
    for (int nodes = 4; nodes <= 10; nodes += 6) {
        vs_mesh *sphere, *mesh = NULL;
        assert_int_equal(vs_mesh_sphere(context, 1.1, 1, nodes, &sphere), VS_OK);
        const vs_mesh_view v = vs_mesh_get_view(sphere);
        for (int kind = 0; kind < 6; kind++) {
            text t;
            write_sphere(&t, kind % 2 ? 2 : 4, kind >= 2, kind >= 4, nodes);
            if (read_text(&t, &mesh))
                fail_msg("%s", vs_context_get_error_text(context));
            const vs_mesh_view w = vs_mesh_get_view(mesh);
            assert_int_equal(w.vertices, v.vertices);
            assert_memory_equal(w.vertex, v.vertex, (size_t)v.vertices * sizeof(vs_vec3));
            assert_memory_equal(w.element, v.element, (size_t)(nodes * v.elements) * sizeof(int));
            assert_int_equal(find_set(mesh, VS_MESH_SET_ELEMENTS, "a \"quoted\" name").count, v.elements);
            assert_int_equal(w.tag[3], 5);
            vs_mesh_destroy(mesh);
        }
        vs_mesh_destroy(sphere);
    }
}

static void test_lines_may_end_as_on_windows_and_numbers_have_a_point_in_every_locale(void **state) {
    (void)state;
    text t, other = {.length = 0};
    vs_mesh *mesh, *expected = read_blocks(2, 1);
    load("blocks_41_text_1.msh", &t);
    for (size_t k = 0; k < t.length; k++)
        add(&other, t.bytes[k] == '\n' ? "\r\n" : "%c", t.bytes[k]);
    // Where no such locale is installed, the plain one is tested again.
    const char *const with_comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8"};
    for (int k = 0; k < 3; k++)
        if (setlocale(LC_ALL, with_comma[k]))
            break;
    assert_int_equal(read_text(&other, &mesh), VS_OK);
    (void)setlocale(LC_ALL, "C");
    compare_meshes(expected, mesh, 0);
    vs_mesh_destroy(mesh);
    vs_mesh_destroy(expected);
}

// ---- what is wrong ---------------------------------------------------------------------------------

static void expect_error(const text *t, const char *said) {
    vs_mesh *mesh = NULL;
    const vs_error error = read_text(t, &mesh);
    if (error != VS_ERROR_DATA || !strstr(vs_context_get_error_text(context), said))
        fail_msg("'%s' does not say '%s'", vs_context_get_error_text(context), said);
    assert_null(mesh);
}

static void expect_text(const char *contents, const char *said) {
    text t = {.length = 0};
    add(&t, "%s", contents);
    expect_error(&t, said);
}

#define FORMAT_22 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define FORMAT_41 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES_22 FORMAT_22 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"                    // 10 lines
#define NODES_41 FORMAT_41 "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n" // 15 lines

static void test_files_of_another_kind_are_refused(void **state) {
    (void)state;
    expect_text("", "t: not a gmsh file: it has no $MeshFormat");
    expect_text("solid x", "t, line 1: expected a gmsh file with $MeshFormat, found 'solid'");
    expect_text("$Nodes\n1\n", "t, line 1: expected $MeshFormat first, found '$Nodes'");
    expect_text("$MeshFormat\n4.0 0 8\n", "t, line 2: expected format 2.2 or 4.1");
    expect_text("$MeshFormat\n1 0 8\n", "line 2");
    expect_text("$MeshFormat\n2.2 2 8\n", "t, line 2: expected version, 0 (text) or 1 (binary)");
    expect_text("$MeshFormat\n4.1 0 4\n", "line 2");
    expect_text("$MeshFormat\n2.2 0\n", "t, line 2: expected the size of a number, found the end of the line");
    expect_text("$MeshFormat\n2.2 1 8\nabcd", "t, byte 24: expected the number 1 before this");
    expect_text("$MeshFormat\n2.2 1 8\nab", "t, byte 20: expected the number 1");
    expect_text("$MeshFormat\n2.2 0 8\n$End\n", "t, line 3: expected $EndMeshFormat, found '$End'");
    expect_text(FORMAT_22 FORMAT_22, "t, line 4: expected no second $MeshFormat");
    expect_text(FORMAT_22 "$Other\n1\n2\n", "t, line 5: expected an end of this section, found '$Other'");
    expect_text(FORMAT_22 "x", "t, line 4: expected a section");
    expect_text(FORMAT_41 "$PartitionedEntities\n", "not partitioned");
    expect_text(NODES_22, "t: no tetrahedra (0 triangles");
    expect_text(NODES_22 "$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n", "t: no tetrahedra (1 triangles");
}

static void test_wrong_nodes_are_named_with_their_line(void **state) {
    (void)state;
    expect_text(FORMAT_22 "$Nodes\nmany\n", "t, line 5: expected the number of nodes, found 'many'");
    expect_text(FORMAT_22 "$Nodes\n-1\n", "line 5");
    expect_text(FORMAT_22 "$Nodes\n2\n1 0 0\n2 0 0 0\n$EndNodes\n",
                "t, line 6: expected a finite number, found the end of the line");
    expect_text(FORMAT_22 "$Nodes\n2\n1 0 0 0 0\n2 0 0 0\n$EndNodes\n",
                "t, line 6: expected the end of the line, found '0'");
    expect_text(FORMAT_22 "$Nodes\n2\n1 0 0 0\n2 0 inf 0\n$EndNodes\n",
                "t, line 7: expected a finite number, found 'inf'");
    expect_text(FORMAT_22 "$Nodes\n2\n1.5 0 0 0\n2 0 0 0\n$EndNodes\n",
                "line 6: expected a node's number, found '1.5'");
    expect_text(FORMAT_22 "$Nodes\n2\n99999999999 0 0 0\n2 0 0 0\n$EndNodes\n", "line 6: expected a node's number");
    expect_text(FORMAT_22 "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", "t, line 7: expected $EndNodes, found '2'");
    expect_text(FORMAT_22 "$Nodes\n2\n1 0 0 0\n$EndNodes\n 0 0\n",
                "line 7: expected a node's number, found '$EndNodes'");
    expect_text(NODES_22 "$Nodes\n1\n1 0 0 0\n$EndNodes\n", "expected no second $Nodes");
    expect_text(FORMAT_22 "$Nodes\n2\n7 0 0 0\n7 1 0 0\n$EndNodes\n$Elements\n1\n1 4 0 7 7 7 7\n$EndElements\n",
                "t: there are two nodes 7");
    expect_text(FORMAT_41 "$Nodes\n1 1 1 1\n4 1 0 1\n1\n0 0 0\n$EndNodes\n",
                "t, line 6: expected a dimension from 0 to 3");
    expect_text(FORMAT_41 "$Nodes\n1 2 1 1\n3 1 0 1\n1\n0 0 0\n$EndNodes\n",
                "t: the file declares 2 nodes, but its blocks have 1");
    expect_text(FORMAT_41 "$Nodes\n1 1 1 1\n1 1 1 1\n1\n0 0 0\n$EndNodes\n", "line 8: expected a finite number");
}

static void test_wrong_elements_are_named_with_their_line(void **state) {
    (void)state;
    expect_text(FORMAT_22 "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n", "t, line 5: expected $Nodes before $Elements");
    expect_text(NODES_22 "$Elements\n1\n1 4 0 1 2 3\n$EndElements\n",
                "t, line 13: expected a node's number, found the end of the line");
    expect_text(NODES_22 "$Elements\n1\n1 4 0 1 2 3 4 5\n$EndElements\n", "line 13: expected the end of the line");
    expect_text(NODES_22 "$Elements\n1\n1 4 0 1 2 3 9\n$EndElements\n",
                "t, line 13: expected a node of the file, found '9'");
    expect_text(NODES_22 "$Elements\n1\n1 99 0 1 2 3 4\n$EndElements\n",
                "line 13: expected a known type of element (is 99)");
    expect_text(NODES_22 "$Elements\n1\n1 5 0 1 2 3 4 1 2 3 4\n$EndElements\n",
                "line 13: expected tetrahedra of 4 or 10 nodes only (type 4 or 11, is 5)");
    expect_text(NODES_22 "$Elements\n2\n1 4 0 1 2 3 4\n2 3 1 1 1 2 3 4\n$EndElements\n",
                "line 14: expected only points, lines and triangles");
    expect_text(NODES_22 "$Elements\n2\n1 4 0 1 2 3 4\n2 11 0 1 2 3 4 1 2 3 4 1 2\n$EndElements\n",
                "t: 1 tetrahedra have 4 nodes and 1 have 10");
    expect_text(NODES_22 "$Elements\n1\n17 4 0 1 2 3 3\n$EndElements\n", "t: element 17 (1, 2, 3, 3) has no volume");
    expect_text(NODES_41 "$Elements\n1 1 1 1\n2 1 4 1\n1 1 2 3 4\n$EndElements\n",
                "t, line 18: expected a type of elements of the entity's dimension");
    expect_text(NODES_41 "$Elements\n1 2 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
                "t: the file declares 2 elements, but its blocks have 1");
    expect_text(NODES_41 "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 0\n$EndElements\n",
                "t, line 19: expected a node of the file");
}

static void test_wrong_groups_are_named(void **state) {
    (void)state;
    expect_text(FORMAT_22 "$PhysicalNames\n1\n2 1 name\n$EndPhysicalNames\n", "t, line 6: expected a name in quotes");
    expect_text(FORMAT_22 "$PhysicalNames\n1\n2 1 \"name\n$EndPhysicalNames\n", "t, line 6: expected a name in quotes");
    expect_text(FORMAT_22 "$PhysicalNames\n1\n4 1 \"name\"\n$EndPhysicalNames\n", "line 6: expected a dimension");
    // Node 5 is no corner of the tetrahedron; the triangle 1 2 6 is no face.
    const char *const more = FORMAT_22 "$PhysicalNames\n1\n2 1 \"s\"\n$EndPhysicalNames\n$Nodes\n5\n1 0 0 0\n2 1 0 0\n"
                                       "3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n$Elements\n";
    text t = {.length = 0};
    add(&t, "%s2\n1 4 0 1 2 3 4\n2 2 1 1 1 2 5\n$EndElements\n", more);
    expect_error(&t, "t, element 2 of the physical group 's': its node 5 belongs to no tetrahedron");
    t.length = 0;
    add(&t, "%s3\n1 4 0 1 2 3 4\n2 4 0 2 3 4 5\n3 2 1 1 1 2 5\n$EndElements\n", more);
    expect_error(&t, "t: set 's': the triangle (1, 2, 5) is not a face of any element");
    t.length = 0;
    add(&t, FORMAT_41 "$Entities\n1 0 0 0\n1 0 0 0 33");
    for (int k = 0; k < 33; k++)
        add(&t, " %d", k + 1);
    add(&t, "\n$EndEntities\n");
    expect_error(&t, "t, line 6: expected an entity in at most 32 physical groups");
}

static void test_groups_of_one_name_are_one_set(void **state) {
    (void)state;
    text t = {.length = 0};
    vs_mesh *mesh;
    add(&t, FORMAT_22 "$PhysicalNames\n3\n0 1 \"s\"\n2 1 \"s\"\n2 7 \"s\"\n$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n"
                      "2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n5\n1 15 1 1 4\n2 2 1 1 1 2 3\n3 2 1 -7 1 2 4\n"
                      "4 4 1 0 1 2 3 4\n5 2 0 1 2 3\n$EndElements\n");
    assert_int_equal(read_text(&t, &mesh), VS_OK);
    assert_int_equal(vs_mesh_get_set_count(mesh), 2);
    assert_int_equal(find_set(mesh, VS_MESH_SET_VERTICES, "s").count, 4);
    assert_int_equal(find_set(mesh, VS_MESH_SET_FACES, "s").count, 2);
    vs_mesh_destroy(mesh);
}

static void test_a_file_that_is_cut_off_is_an_error(void **state) {
    (void)state;
    static const char *const name[4] = {"blocks_22_text_1.msh", "blocks_22_binary_1.msh", "blocks_41_text_1.msh",
                                        "blocks_41_binary_1.msh"};
    for (int f = 0; f < 4; f++) {
        text t;
        load(name[f], &t);
        const size_t complete = t.length - 1; // the last end of a line may be missing
        for (size_t length = 0; length < complete; length += 7) {
            t.length = length;
            expect_error(&t, "t");
        }
    }
}

// Headers that promise 10^12 of something are refused before memory is asked for.
static void test_sizes_are_checked_before_memory_is_taken(void **state) {
    (void)state;
    static const char *const contents[] = {
        FORMAT_22 "$Nodes\n1000000000000\n1 0 0 0\n$EndNodes\n",
        NODES_22 "$Elements\n1000000000000\n1 4 0 1 2 3 4\n$EndElements\n",
        FORMAT_22 "$PhysicalNames\n1000000000000\n0 1 \"a\"\n",
        FORMAT_41 "$Nodes\n1 1000000000000 1 1\n3 1 0 1\n1\n0 0 0\n$EndNodes\n",
        FORMAT_41 "$Nodes\n1000000000000 1 1 1\n3 1 0 1\n1\n0 0 0\n$EndNodes\n",
        FORMAT_41 "$Nodes\n1 1 1 1\n3 1 0 1000000000000\n1\n0 0 0\n$EndNodes\n",
        FORMAT_41 "$Entities\n0 0 0 1000000000000\n1 0 0 0 0 0 0 0 0\n",
        NODES_41 "$Elements\n1 1 1 1\n3 1 4 1000000000000\n1 1 2 3 4\n$EndElements\n",
        NODES_41 "$Elements\n1000000000000 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
    };
    for (size_t k = 0; k < sizeof contents / sizeof *contents; k++)
        expect_text(contents[k], "1000000000000");
    // The same in binary: counts of the first block of nodes and of elements.
    for (int version = 2; version <= 4; version += 2) {
        text t;
        write_sphere(&t, version, true, false, 4);
        const char *key = version == 2 ? "$Elements\n" : "$Nodes\n";
        char *at = NULL;
        for (size_t k = 0; k + 16 < t.length && !at; k++)
            if (memcmp(t.bytes + k, key, strlen(key)) == 0)
                at = t.bytes + k + strlen(key);
        assert_non_null(at);
        const int64_t wild = INT64_C(1000000000000), huge = INT32_MAX;
        if (version == 4)
            memcpy(at + 8, &wild, sizeof wild);
        else
            memcpy(at + 3 + 4, &huge, 4); // "48\n", type, follow
        expect_error(&t, version == 4 ? "1000000000000 nodes do not fit" : "no more elements than the section has");
    }
    assert_true(counted.largest < 1 << 20);
}

static text kept;

static vs_error make_kept(vs_context *c, vs_mesh **mesh) {
    return vs_mesh_from_bytes(c, "t", kept.bytes, kept.length, 1, mesh);
}

static vs_error make_file(vs_context *c, vs_mesh **mesh) {
    return vs_mesh_from_file(c, VS_MSH_DIR "/blocks_22_text_1.msh", 1, mesh);
}

static void test_failed_allocations_leak_nothing(void **state) {
    (void)state;
    load("blocks_41_binary_1.msh", &kept);
    refuse_each_of_mesh(make_kept);
    refuse_each_of_mesh(make_file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_the_blocks_of_gmsh_are_read_in_every_format, begin, end),
        cmocka_unit_test_setup_teardown(test_all_formats_of_gmsh_hold_the_same_mesh, begin, end),
        cmocka_unit_test_setup_teardown(test_middle_nodes_of_gmsh_come_in_our_order, begin, end),
        cmocka_unit_test_setup_teardown(test_a_curved_mesh_with_everything_saved, begin, end),
        cmocka_unit_test_setup_teardown(test_files_are_scaled_and_those_that_are_not_there_named, begin, end),
        cmocka_unit_test_setup_teardown(test_what_is_written_is_read_back_also_from_the_other_kind_of_machine, begin,
                                        end),
        cmocka_unit_test_setup_teardown(test_lines_may_end_as_on_windows_and_numbers_have_a_point_in_every_locale,
                                        begin, end),
        cmocka_unit_test_setup_teardown(test_files_of_another_kind_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(test_wrong_nodes_are_named_with_their_line, begin, end),
        cmocka_unit_test_setup_teardown(test_wrong_elements_are_named_with_their_line, begin, end),
        cmocka_unit_test_setup_teardown(test_wrong_groups_are_named, begin, end),
        cmocka_unit_test_setup_teardown(test_groups_of_one_name_are_one_set, begin, end),
        cmocka_unit_test_setup_teardown(test_a_file_that_is_cut_off_is_an_error, begin, end),
        cmocka_unit_test_setup_teardown(test_sizes_are_checked_before_memory_is_taken, begin, end),
        cmocka_unit_test(test_failed_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
