// Shapes of a scene file: by "kind", inline or named in "shapes".
#include "scene/read/reader.h"
#include "scene/data/scene_data.h"

#include <stdio.h>
#include <string.h>

enum { SHAPE_FILE = VS_SHAPE_KINDS, KINDS }; // beside the kinds of vs_shape_kind

// The keys besides "kind" of each kind.
static const char *const known[KINDS] = {
    [VS_SHAPE_SPHERE] = "radius",
    [VS_SHAPE_BOX] = "half size",
    [VS_SHAPE_CAPSULE] = "radius half_length",
    [VS_SHAPE_CYLINDER] = "radius half_length",
    [VS_SHAPE_ELLIPSOID] = "semi_axes",
    [VS_SHAPE_HULL] = "points",
    [VS_SHAPE_PLANE] = "",
    [VS_SHAPE_MESH] = "vertices triangles decompose",
    [VS_SHAPE_HEIGHT_FIELD] = "heights spacing",
    [SHAPE_FILE] = "path scale hull decompose",
};

static const char *kind_name(int kind) {
    return kind == SHAPE_FILE ? "file" : vs_shape_kind_name(kind);
}

enum { ITEMS_MOST = 50000000 };

// Refuses keys of other kinds, a mistake that would go unnoticed: "half_length" of a sphere.
static void refuse_others(const vs_node *node, int kind) {
    static const char keys[] = VS_SHAPE_KEYS;
    for (const char *at = keys; *at && vs_node_good(node);) {
        size_t length = strcspn(at, " ");
        char key[32], spaced[64];
        (void)snprintf(key, sizeof key, "%.*s", (int)length, at);
        (void)snprintf(spaced, sizeof spaced, " %s ", known[kind]);
        char word[40];
        (void)snprintf(word, sizeof word, " %s ", key);
        vs_node member = vs_node_get(node, key);
        if (member.value && strcmp(key, "kind") != 0 && !strstr(spaced, word))
            vs_node_fail(&member, VS_ERROR_DATA, "is not for a %s; known here are: %s", kind_name(kind),
                         known[kind][0] ? known[kind] : "none");
        at += length + (at[length] == ' ');
    }
}

static double need_number(const vs_node *node, const char *key) {
    vs_node member = vs_node_need(node, key);
    return member.value ? vs_node_number(&member, VS_RANGE_POSITIVE) : 0;
}

static vs_vec3 need_vector(const vs_node *node, const char *key) {
    vs_node member = vs_node_need(node, key);
    return member.value ? vs_node_vector(&member, VS_RANGE_POSITIVE) : (vs_vec3){0, 0, 0};
}

static vs_vec3 box_half(const vs_node *node) {
    vs_node size = vs_node_get(node, "size"), half = vs_node_get(node, "half");
    if (vs_node_good(node) && !size.value == !half.value)
        vs_node_fail(node, VS_ERROR_DATA, "a box needs one of \"size\" (its sides) and \"half\" (half of them)");
    if (!vs_node_good(node))
        return (vs_vec3){0, 0, 0};
    if (half.value)
        return vs_node_vector(&half, VS_RANGE_POSITIVE);
    vs_vec3 sides = vs_node_vector(&size, VS_RANGE_POSITIVE);
    return (vs_vec3){.5 * sides.x, .5 * sides.y, .5 * sides.z};
}

// Memory of the document's arena; sets an error of the node if there is none.
static void *room(const vs_node *node, size_t count, size_t size) {
    void *memory = vs_arena_allocate_zero(node->document->arena, (int64_t)count, size);
    if (!memory)
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
    return memory;
}

static vs_vec3 *read_points(const vs_node *node, const char *key, size_t least, int *count) {
    vs_node list = vs_node_need(node, key);
    size_t points = vs_node_count(&list, least, ITEMS_MOST);
    vs_vec3 *point = vs_node_good(node) ? room(&list, points, sizeof *point) : NULL;
    for (size_t k = 0; point && k < points && vs_node_good(node); k++) {
        vs_node item = vs_node_item(&list, k);
        point[k] = vs_node_vector(&item, VS_RANGE_ANY);
    }
    *count = (int)points;
    return vs_node_good(node) ? point : NULL;
}

static vs_error make_hull(vs_reader *reader, const vs_node *node, vs_shape **shape) {
    int count = 0;
    const vs_vec3 *point = read_points(node, "points", 4, &count);
    return point ? vs_shape_hull(reader->document.context, point, count, shape) : VS_OK;
}

static vs_error make_mesh(vs_reader *reader, const vs_node *node, vs_shape **shape) {
    int vertices = 0;
    const vs_vec3 *vertex = read_points(node, "vertices", 3, &vertices);
    vs_node list = vs_node_need(node, "triangles");
    size_t triangles = vs_node_count(&list, 1, ITEMS_MOST);
    int *triangle = vs_node_good(node) ? room(&list, 3 * triangles, sizeof *triangle) : NULL;
    for (size_t k = 0; triangle && k < triangles && vs_node_good(node); k++) {
        vs_node item = vs_node_item(&list, k);
        if (vs_node_count(&item, 3, 3) != 3) {
            vs_node_fail(&item, VS_ERROR_DATA, "must be three indices of vertices");
            break;
        }
        for (size_t i = 0; i < 3; i++) {
            vs_node corner = vs_node_item(&item, i);
            triangle[3 * k + i] = vs_node_whole(&corner, 0, vertices - 1);
        }
    }
    if (!vs_node_good(node))
        return VS_OK;
    return vs_shape_mesh(reader->document.context, vertex, vertices, triangle, (int)triangles, shape);
}

static vs_error make_height_field(vs_reader *reader, const vs_node *node, vs_shape **shape) {
    vs_node list = vs_node_need(node, "heights"), spacing = vs_node_need(node, "spacing");
    size_t rows = vs_node_count(&list, 2, 30000);
    vs_node first = vs_node_item(&list, 0);
    size_t columns = rows > 0 ? vs_node_count(&first, 2, 30000) : 0;
    double step[2] = {0, 0};
    for (size_t k = 0; k < 2 && vs_node_count(&spacing, 2, 2) == 2; k++) {
        vs_node item = vs_node_item(&spacing, k);
        step[k] = vs_node_number(&item, VS_RANGE_POSITIVE);
    }
    // Each row is counted before rows times columns are allocated.
    for (size_t j = 0; j < rows && vs_node_good(node); j++) {
        vs_node row = vs_node_item(&list, j);
        if (vs_node_count(&row, columns, columns) == 0)
            vs_node_fail(&row, VS_ERROR_DATA, "must be a row of %zu heights", columns);
    }
    double *height = vs_node_good(node) ? room(&list, rows * columns, sizeof *height) : NULL;
    for (size_t k = 0; height && k < rows * columns && vs_node_good(node); k++) {
        vs_node row = vs_node_item(&list, k / columns), item = vs_node_item(&row, k % columns);
        height[k] = vs_node_number(&item, VS_RANGE_ANY);
    }
    if (!vs_node_good(node))
        return VS_OK;
    return vs_shape_height_field(reader->document.context, (int)columns, (int)rows, step[0], step[1], height, shape);
}

static vs_error make_from_file(vs_reader *reader, const vs_node *node, vs_shape **shape) {
    vs_node path_node = vs_node_need(node, "path");
    const double scale = vs_get_number(node, "scale", 1, VS_RANGE_POSITIVE);
    const bool hull = vs_get_flag(node, "hull", !vs_node_get(node, "decompose").value);
    const char *path = vs_node_good(node) ? vs_read_path(reader, &path_node) : NULL;
    return path ? vs_shape_from_file(reader->document.context, path, scale, hull, shape) : VS_OK;
}

static vs_error make_round(vs_context *context, const vs_node *node, int kind, vs_shape **shape) {
    double radius = need_number(node, "radius");
    double half_length = kind == VS_SHAPE_SPHERE ? 0 : need_number(node, "half_length");
    if (!vs_node_good(node))
        return VS_OK;
    if (kind == VS_SHAPE_SPHERE)
        return vs_shape_sphere(context, radius, shape);
    return kind == VS_SHAPE_CAPSULE ? vs_shape_capsule(context, radius, half_length, shape)
                                    : vs_shape_cylinder(context, radius, half_length, shape);
}

static vs_shape *make_shape(vs_reader *reader, const vs_node *node) {
    vs_context *context = reader->document.context;
    vs_node kind_node = vs_node_need(node, "kind");
    const char *kinds[KINDS + 1] = {NULL};
    for (int k = 0; k < KINDS; k++)
        kinds[k] = kind_name(k);
    int kind = vs_get_choice(node, "kind", kinds, -1);
    if (!kind_node.value || !vs_node_good(node) || kind < 0)
        return NULL;
    refuse_others(node, kind);
    vs_shape *shape = NULL;
    vs_error error = VS_OK;
    if (!vs_node_good(node))
        return NULL;
    if (kind == VS_SHAPE_SPHERE || kind == VS_SHAPE_CAPSULE || kind == VS_SHAPE_CYLINDER) {
        error = make_round(context, node, kind, &shape);
    } else if (kind == VS_SHAPE_BOX || kind == VS_SHAPE_ELLIPSOID) {
        vs_vec3 x = kind == VS_SHAPE_BOX ? box_half(node) : need_vector(node, "semi_axes");
        if (vs_node_good(node))
            error = kind == VS_SHAPE_BOX ? vs_shape_box(context, x, &shape) : vs_shape_ellipsoid(context, x, &shape);
    } else if (kind == VS_SHAPE_PLANE) {
        error = vs_shape_plane(context, &shape);
    } else if (kind == VS_SHAPE_HULL) {
        error = make_hull(reader, node, &shape);
    } else if (kind == VS_SHAPE_MESH) {
        error = make_mesh(reader, node, &shape);
    } else if (kind == VS_SHAPE_HEIGHT_FIELD) {
        error = make_height_field(reader, node, &shape);
    } else {
        error = make_from_file(reader, node, &shape);
    }
    vs_node_check(node, error);
    return shape;
}

// "decompose": {"error": …, "parts": …}
static void decompose(vs_reader *reader, const vs_node *node, vs_read_shape *made) {
    const vs_decompose_options normal = vs_decompose_options_default();
    vs_node member = vs_node_get(node, "decompose");
    if (!member.value || !vs_node_good(node))
        return;
    vs_node_keys(&member, "error parts");
    vs_node parts = vs_node_get(&member, "parts");
    const vs_decompose_options options = {.error = vs_get_number(&member, "error", normal.error, VS_RANGE_NOT_NEGATIVE),
                                          .parts = parts.value ? vs_node_whole(&parts, 1, 4096) : normal.parts};
    made->part = vs_node_good(node) ? room(&member, (size_t)options.parts, sizeof(vs_shape *)) : NULL;
    double error = 0;
    if (made->part)
        vs_node_check(&member, vs_shape_decompose(made->shape, &options, made->part, &made->parts, &error));
    if (vs_node_good(node) && made->parts > 0 && error > options.error)
        vs_log(reader->document.context, VS_LOG_WARNING,
               "%s: %d parts leave a volume error of %.2g, more than %g; allow more parts, or this error", member.key,
               made->parts, error, options.error);
}

vs_read_shape vs_shape_read(vs_reader *reader, const vs_node *node) {
    vs_read_shape made = {.shape = make_shape(reader, node)};
    if (made.shape)
        decompose(reader, node, &made);
    if (!vs_node_good(node))
        vs_shape_release_read(&made);
    return made;
}

void vs_shape_release_read(vs_read_shape *shape) {
    for (int k = 0; k < shape->parts; k++)
        vs_shape_release(shape->part[k]);
    vs_shape_release(shape->shape);
    *shape = (vs_read_shape){0};
}

vs_read_shape vs_shape_find_named(vs_reader *reader, const vs_node *name) {
    const char *text = vs_node_text(name);
    const json_t *index = json_object_get(reader->shape_names, text);
    if (!index)
        vs_node_fail(name, VS_ERROR_DATA, "there is no shape '%.60s'; add it to \"shapes\"", text);
    if (!index || !vs_node_good(name))
        return (vs_read_shape){0};
    const vs_read_shape found = reader->shape[json_integer_value(index)];
    vs_shape_retain(found.shape);
    for (int k = 0; k < found.parts; k++)
        vs_shape_retain(found.part[k]);
    return found;
}

void vs_read_shapes(vs_reader *reader, const vs_node *root) {
    vs_node shapes = vs_node_get(root, "shapes");
    if (!shapes.value || !vs_node_good(root))
        return;
    if (!json_is_object(shapes.value)) {
        vs_node_fail(&shapes, VS_ERROR_DATA, "must be an object {\"name\": {\"kind\": …}, …}");
        return;
    }
    reader->shape = room(&shapes, json_object_size(shapes.value), sizeof *reader->shape);
    for (void *i = json_object_iter(shapes.value); i && vs_node_good(root);
         i = json_object_iter_next(shapes.value, i)) {
        vs_node node = vs_node_get(&shapes, json_object_iter_key(i));
        vs_node_keys(&node, VS_SHAPE_KEYS);
        const vs_read_shape shape = vs_node_good(&node) ? vs_shape_read(reader, &node) : (vs_read_shape){0};
        if (!shape.shape)
            return;
        reader->shape[reader->shapes] = shape;
        vs_add_name(&node, reader->shape_names, node.key, reader->shapes++);
    }
}
