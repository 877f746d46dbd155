// Shapes and mass of a body of a scene file: in the user's frame, until they are added to a body of the world.
//
// Mass, centre and inertia come from the shapes and their density, or are specified.
#include "scene/read/body_model.h"

#include <math.h>

#include "base/vec.h"
#include "shape/kind/scaled.h"

static const double DENSITY = 1000; // kg/m^3

#define PLACED_KEYS VS_SHAPE_KEYS " shape position rotation material density group mask surface_velocity grain sensor"

// ---- shapes of a body ------------------------------------------------------------------------------

static uint32_t bits(const vs_node *node, const char *key, uint32_t otherwise) {
    double x = vs_get_number(node, key, otherwise, VS_RANGE_NOT_NEGATIVE);
    if (vs_node_good(node) && (x > UINT32_MAX || x != floor(x))) {
        vs_node member = vs_node_get(node, key);
        vs_node_fail(&member, VS_ERROR_DATA, "must be a 32-bit integer, is %g", x);
    }
    return vs_node_good(node) ? (uint32_t)x : otherwise;
}

// "name", {"shape": "name", …} or {"kind": …, …}
static vs_model_item read_item(vs_reader *reader, const vs_node *node, double density, int material) {
    vs_model_item made = {.density = density, .def = vs_collider_def_default()};
    made.def.material = material;
    if (json_is_string(node->value)) {
        made.shape = vs_shape_find_named(reader, node);
    } else {
        vs_node_keys(node, PLACED_KEYS);
        vs_node name = vs_node_get(node, "shape"), kind = vs_node_get(node, "kind");
        if (vs_node_good(node) && !name.value == !kind.value)
            vs_node_fail(node, VS_ERROR_DATA, "must have one of \"shape\" (a name) and \"kind\"");
        made.density = vs_get_number(node, "density", density, VS_RANGE_POSITIVE);
        made.def.pose = vs_get_pose(node);
        made.def.surface_velocity = vs_get_vector(node, "surface_velocity", VS_ZERO3, VS_RANGE_ANY);
        made.def.grain = vs_get_vector(node, "grain", VS_ZERO3, VS_RANGE_ANY);
        made.def.sensor = vs_get_flag(node, "sensor", false);
        made.def.group = bits(node, "group", made.def.group);
        made.def.mask = bits(node, "mask", made.def.mask);
        vs_node material_name = vs_node_get(node, "material");
        if (material_name.value)
            made.def.material = vs_read_material(reader, &material_name);
        if (!vs_node_good(node))
            return made;
        made.shape = name.value ? vs_shape_find_named(reader, &name) : vs_shape_read(reader, node);
    }
    return made;
}

void vs_model_read_shapes(vs_reader *reader, const vs_node *node, vs_body_model *m) {
    double density = vs_get_number(node, "density", DENSITY, VS_RANGE_POSITIVE);
    vs_node name = vs_node_get(node, "material"), one = vs_node_get(node, "shape"), many = vs_node_get(node, "shapes");
    int material = name.value ? vs_read_material(reader, &name) : 0;
    if (one.value && many.value)
        vs_node_fail(&many, VS_ERROR_DATA, "give either \"shape\" or \"shapes\"");
    size_t count = one.value ? 1 : vs_node_count(&many, 0, VS_SCENE_COLLIDERS_MOST);
    if (!vs_node_good(node) || count == 0)
        return;
    m->item = VS_NEW_ZERO(&reader->arena, vs_model_item, (int64_t)count);
    if (!m->item) {
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
        return;
    }
    for (size_t k = 0; k < count && vs_node_good(node); k++) {
        vs_node place = one.value ? one : vs_node_item(&many, k);
        m->item[k] = read_item(reader, &place, density, material);
        m->items = k + 1;
    }
}

int vs_model_colliders(const vs_model_item *one) {
    return one->shape.parts > 0 ? one->shape.parts : 1;
}

void vs_model_release(vs_body_model *m) {
    for (size_t k = 0; k < m->items; k++)
        vs_shape_release_read(&m->item[k].shape);
}

// ---- mass ------------------------------------------------------------------------------------------

// R I R'
static vs_mat3 turn_inertia(const vs_mat3 *inertia, vs_quat rotation) {
    vs_mat3 R = vs_quat_matrix(rotation), Rt = vs_mat3_transpose(&R), RI = vs_mat3_multiply(&R, inertia);
    return vs_mat3_multiply(&RI, &Rt);
}

// Of all shapes but sensors, in the user's frame.
static vs_mass_properties sum_mass(const vs_node *node, const vs_body_model *m) {
    vs_mass_properties sum = {0};
    for (size_t k = 0; k < m->items && vs_node_good(node); k++) {
        vs_mass_properties one;
        vs_pose pose = m->item[k].def.pose;
        if (m->item[k].def.sensor)
            continue;
        vs_node_check(node, vs_shape_get_mass(m->item[k].shape.shape, m->item[k].density, &one));
        if (!vs_node_good(node))
            break;
        if (sum.mass == 0)
            sum = (vs_mass_properties){one.mass, vs_pose_apply(pose, one.centre),
                                       turn_inertia(&one.inertia, pose.rotation)};
        else
            sum = vs_mass_properties_add(&sum, &one, pose);
    }
    return sum;
}

// Three moments, or the six entries xx yy zz xy xz yz.
static vs_mat3 read_inertia(const vs_node *node) {
    double x[6] = {0};
    size_t count = vs_node_count(node, 3, 6);
    if (vs_node_good(node) && count != 3 && count != 6)
        vs_node_fail(node, VS_ERROR_DATA, "must have 3 moments or 6 entries xx yy zz xy xz yz, has %zu", count);
    for (size_t k = 0; k < count && vs_node_good(node); k++) {
        vs_node item_node = vs_node_item(node, k);
        x[k] = vs_node_number(&item_node, k < 3 ? VS_RANGE_POSITIVE : VS_RANGE_ANY);
    }
    return (vs_mat3){{x[0], x[3], x[4], x[3], x[1], x[5], x[4], x[5], x[2]}};
}

void vs_model_read_mass(const vs_node *node, vs_body_model *m) {
    vs_node inertia = vs_node_get(node, "inertia"), centre = vs_node_get(node, "centre");
    if (!vs_node_good(node))
        return;
    if (inertia.value) {
        vs_node given = vs_node_need(node, "mass");
        m->def.inertia = read_inertia(&inertia);
        m->def.mass = given.value ? vs_node_number(&given, VS_RANGE_POSITIVE) : 0;
        m->centre = centre.value ? vs_node_vector(&centre, VS_RANGE_ANY) : VS_ZERO3;
        return;
    }
    if (centre.value)
        vs_node_fail(&centre, VS_ERROR_DATA, "also needs \"mass\" and \"inertia\"; add them or omit it");
    size_t solid = 0;
    for (size_t k = 0; k < m->items; k++)
        solid += !m->item[k].def.sensor;
    if (vs_node_good(node) && solid == 0)
        vs_node_fail(node, VS_ERROR_DATA, "a dynamic body needs shapes, or \"mass\" and \"inertia\"");
    vs_mass_properties sum = sum_mass(node, m);
    double given = vs_get_number(node, "mass", sum.mass, VS_RANGE_POSITIVE), factor = given / sum.mass;
    m->def.mass = given;
    m->centre = sum.centre;
    for (int k = 0; k < 9; k++)
        m->def.inertia.a[k] = factor * sum.inertia.a[k];
}

// ---- in the world ----------------------------------------------------------------------------------

// One for the shape, or one per part of it.
void vs_model_add_colliders(vs_reader *reader, const vs_node *node, const vs_model_item *one, vs_body_id body,
                            vs_vec3 centre) {
    vs_collider_def collider = one->def;
    vs_collider_id id;
    collider.body = body;
    collider.pose.position = vs_subtract(collider.pose.position, centre);
    for (int k = 0; k < vs_model_colliders(one) && vs_node_good(node); k++) {
        collider.shape = one->shape.parts > 0 ? one->shape.part[k] : one->shape.shape;
        vs_node_check(node, vs_world_add_collider(reader->world, &collider, &id));
    }
}

// ---- other sizes -----------------------------------------------------------------------------------

static void scale_item(const vs_node *node, vs_model_item *to, const vs_model_item *from, double factor) {
    vs_context *context = node->document->context;
    *to = *from;
    to->shape = (vs_read_shape){
        .part = vs_arena_allocate_zero(node->document->arena, from->shape.parts + 1, sizeof(vs_shape *))};
    to->def.pose.position = vs_scale(factor, from->def.pose.position);
    if (!to->shape.part)
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
    if (vs_node_good(node))
        vs_node_check(node, vs_shape_scaled(context, from->shape.shape, factor, &to->shape.shape));
    for (int k = 0; k < from->shape.parts && vs_node_good(node); k++) {
        vs_node_check(node, vs_shape_scaled(context, from->shape.part[k], factor, &to->shape.part[k]));
        to->shape.parts += vs_node_good(node);
    }
}

vs_body_model vs_model_scale(vs_reader *reader, const vs_node *node, const vs_body_model *m, double factor) {
    const double volume = factor * factor * factor;
    vs_body_model scaled = *m;
    scaled.centre = vs_scale(factor, m->centre);
    scaled.def.mass = volume * m->def.mass;
    for (int k = 0; k < 9; k++)
        scaled.def.inertia.a[k] = volume * factor * factor * m->def.inertia.a[k];
    scaled.items = 0;
    scaled.item = VS_NEW_ZERO(&reader->arena, vs_model_item, (int64_t)m->items);
    if (!scaled.item)
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < m->items && vs_node_good(node); k++) {
        scale_item(node, &scaled.item[k], &m->item[k], factor);
        scaled.items = k + 1;
    }
    return scaled;
}
