// Bodies of a scene file.
//
// The user's frame of a body is at its "position"; shapes and joint frames are expressed in it. The world stores bodies
// by their centre of mass, so everything is shifted by -centre here: mass, centre and inertia come from the shapes and
// their density, or are specified.
#include "scene/read/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"

static const double DENSITY = 1000; // kg/m^3

#define PLACED_KEYS VS_SHAPE_KEYS " shape position rotation material density group mask surface_velocity grain sensor"
#define BODY_KEYS                                                                                                      \
    "name motion position rotation velocity spin shape shapes material density mass inertia centre drive array "       \
    "ignore"

// A shape on a body.
typedef struct item {
    vs_read_shape shape;
    double density;
    vs_collider_def def; // pose in the user's frame
} item;

// Data shared by all bodies of an array.
typedef struct model {
    vs_body_def def; // pose of the user's frame
    vs_vec3 centre;
    item *item;
    size_t items;
    bool driven;
    vs_signal drive[6];
} model;

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
static item read_item(vs_reader *reader, const vs_node *node, double density, int material) {
    item made = {.density = density, .def = vs_collider_def_default()};
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

static void read_items(vs_reader *reader, const vs_node *node, model *m) {
    double density = vs_get_number(node, "density", DENSITY, VS_RANGE_POSITIVE);
    vs_node name = vs_node_get(node, "material"), one = vs_node_get(node, "shape"), many = vs_node_get(node, "shapes");
    int material = name.value ? vs_read_material(reader, &name) : 0;
    if (one.value && many.value)
        vs_node_fail(&many, VS_ERROR_DATA, "give either \"shape\" or \"shapes\"");
    size_t count = one.value ? 1 : vs_node_count(&many, 0, VS_SCENE_COLLIDERS_MOST);
    if (!vs_node_good(node) || count == 0)
        return;
    m->item = VS_NEW_ZERO(&reader->arena, item, (int64_t)count);
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

static int count_colliders(const item *one) {
    return one->shape.parts > 0 ? one->shape.parts : 1;
}

static void release_items(model *m) {
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
static vs_mass_properties sum_mass(const vs_node *node, const model *m) {
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

static void read_mass(const vs_node *node, model *m) {
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

// ---- arrays ----------------------------------------------------------------------------------------

typedef struct grid {
    int count[3];
    vs_vec3 spacing;
} grid;

// {"count": [nx, ny, nz], "spacing": [dx, dy, dz]}; one body without it. Refuses numbers beyond the limit.
static grid read_grid(const vs_node *body) {
    grid g = {.count = {1, 1, 1}};
    vs_node array = vs_node_get(body, "array");
    if (!array.value || !vs_node_good(body))
        return g;
    vs_node_keys(&array, "count spacing");
    vs_node count = vs_node_need(&array, "count"), spacing = vs_node_need(&array, "spacing");
    if (!vs_node_good(body) || vs_node_count(&count, 3, 3) != 3)
        return g;
    double product = 1;
    for (size_t k = 0; k < 3; k++) {
        vs_node item_node = vs_node_item(&count, k);
        g.count[k] = vs_node_whole(&item_node, 1, INT32_MAX);
        product *= g.count[k];
    }
    g.spacing = vs_node_vector(&spacing, VS_RANGE_ANY);
    if (vs_node_good(body) && product > VS_SCENE_BODIES_MOST)
        vs_node_fail(&count, VS_ERROR_DATA, "makes %.4g bodies; the limit is %d", product, VS_SCENE_BODIES_MOST);
    return vs_node_good(body) ? g : (grid){.count = {1, 1, 1}};
}

static int64_t grid_size(const grid *g) {
    return (int64_t)g->count[0] * g->count[1] * g->count[2];
}

// ---- bodies ----------------------------------------------------------------------------------------

// One for the shape, or one per part of it.
static void add_colliders(vs_reader *reader, const vs_node *node, const item *one, vs_body_id body, vs_vec3 centre) {
    vs_collider_def collider = one->def;
    vs_collider_id id;
    collider.body = body;
    collider.pose.position = vs_subtract(collider.pose.position, centre);
    for (int k = 0; k < count_colliders(one) && vs_node_good(node); k++) {
        collider.shape = one->shape.parts > 0 ? one->shape.part[k] : one->shape.shape;
        vs_node_check(node, vs_world_add_collider(reader->world, &collider, &id));
    }
}

static void add_body(vs_reader *reader, const vs_node *node, const model *m, vs_vec3 shift, const char *name) {
    vs_body_def def = m->def;
    vs_placed_body placed = {.pose = m->def.pose, .centre = m->centre};
    placed.pose.position = vs_add(placed.pose.position, shift);
    def.pose = (vs_pose){vs_pose_apply(placed.pose, m->centre), placed.pose.rotation};
    def.name = name;
    vs_node_check(node, vs_world_add_body(reader->world, &def, &placed.id));
    for (size_t k = 0; k < m->items && vs_node_good(node); k++)
        add_colliders(reader, node, &m->item[k], placed.id, m->centre);
    if (m->driven && vs_node_good(node))
        vs_node_check(node, vs_world_set_drive(reader->world, placed.id, m->drive, m->drive + 3));
    if (!vs_node_good(node))
        return;
    if (name)
        vs_add_name(node, reader->body_names, name, reader->places);
    reader->placed[reader->places++] = placed;
}

static void add_bodies(vs_reader *reader, const vs_node *node, const model *m, const grid *g, const char *name) {
    bool array = vs_node_get(node, "array").value != NULL;
    for (size_t k = 0; k < m->items; k++)
        reader->colliders += count_colliders(&m->item[k]) * grid_size(g);
    if (reader->colliders > VS_SCENE_COLLIDERS_MOST)
        vs_node_fail(node, VS_ERROR_DATA, "makes more than %d shapes on bodies in this scene", VS_SCENE_COLLIDERS_MOST);
    int64_t copies = grid_size(g);
    for (int64_t k = 0; k < copies && vs_node_good(node); k++) {
        int64_t x = k % g->count[0], y = k / g->count[0] % g->count[1], z = k / g->count[0] / g->count[1];
        vs_vec3 shift = {(double)x * g->spacing.x, (double)y * g->spacing.y, (double)z * g->spacing.z};
        char numbered[128];
        (void)snprintf(numbered, sizeof numbered, "%.100s.%d", name ? name : "", (int)k);
        add_body(reader, node, m, shift, name ? array ? numbered : name : NULL);
    }
}

static void read_drive(vs_reader *reader, const vs_node *node, model *m) {
    static const char *const linear[] = {"position", "velocity", "acceleration"};
    static const char *const angular[] = {NULL, "spin", "spin_acceleration"};
    vs_node drive = vs_node_get(node, "drive");
    m->driven = drive.value != NULL;
    if (!m->driven)
        return;
    vs_node_keys(&drive, "position velocity acceleration spin spin_acceleration");
    vs_read_motion(reader, &drive, linear, m->drive);
    vs_read_motion(reader, &drive, angular, m->drive + 3);
    if (m->def.motion != VS_MOTION_KINEMATIC)
        vs_node_fail(&drive, VS_ERROR_DATA, "is for kinematic bodies; set \"motion\" to \"kinematic\"");
}

static void read_body(vs_reader *reader, const vs_node *node) {
    vs_node_keys(node, BODY_KEYS);
    if (!vs_node_good(node))
        return;
    model m = {.def = vs_body_def_default()};
    const char *name = vs_get_text(node, "name");
    if (name && strcmp(name, "world") == 0)
        vs_node_fail(node, VS_ERROR_DATA, "the name 'world' is reserved for the fixed frame; choose another");
    m.def.motion = (vs_motion)vs_get_choice(node, "motion", vs_motion_names(), VS_MOTION_DYNAMIC);
    m.def.pose = vs_get_pose(node);
    m.def.velocity = vs_get_vector(node, "velocity", VS_ZERO3, VS_RANGE_ANY);
    m.def.spin = vs_get_vector(node, "spin", VS_ZERO3, VS_RANGE_ANY);
    grid g = read_grid(node);
    read_drive(reader, node, &m);
    read_items(reader, node, &m);
    if (m.def.motion == VS_MOTION_DYNAMIC)
        read_mass(node, &m);
    if (vs_node_good(node))
        add_bodies(reader, node, &m, &g, name);
    release_items(&m);
}

// After all bodies, since names may refer to later ones.
static void read_ignored(vs_reader *reader, const vs_node *body, const vs_placed_body *placed) {
    vs_node list = vs_node_get(body, "ignore");
    size_t count = vs_node_count(&list, 0, VS_SCENE_BODIES_MOST);
    for (size_t k = 0; k < count && vs_node_good(body); k++) {
        vs_node name = vs_node_item(&list, k);
        const vs_placed_body *other = vs_find_placed(reader, &name);
        if (vs_node_good(body))
            vs_node_check(&name, vs_world_ignore_pair(reader->world, placed->id, other->id));
    }
}

void vs_read_bodies(vs_reader *reader, const vs_node *root) {
    vs_node list = vs_node_get(root, "bodies");
    size_t count = vs_node_count(&list, 0, VS_SCENE_BODIES_MOST);
    const int errors = reader->document.errors;
    // The total is checked before anything is made.
    int64_t total = 0;
    for (size_t k = 0; k < count && vs_node_good(root); k++) {
        vs_node body = vs_node_item(&list, k);
        grid g = read_grid(&body);
        total += grid_size(&g);
        if (vs_node_good(root) && total > VS_SCENE_BODIES_MOST)
            vs_node_fail(&body, VS_ERROR_DATA, "makes more than %d bodies in this scene", VS_SCENE_BODIES_MOST);
    }
    if (!vs_node_good(root))
        return;
    reader->placed = VS_NEW_ZERO(&reader->arena, vs_placed_body, total + 1);
    if (!reader->placed) {
        vs_node_fail(root, VS_ERROR_MEMORY, "out of memory");
        return;
    }
    reader->placed[0].pose = VS_IDENTITY_POSE;
    reader->places = 1;
    for (size_t k = 0; k < count && vs_node_good(root); k++) {
        vs_node body = vs_node_item(&list, k);
        read_body(reader, &body);
        vs_node_end_item(&body);
    }
    if (reader->document.errors > errors)
        return;
    const vs_placed_body *first = reader->placed + 1;
    for (size_t k = 0; k < count && vs_node_good(root); k++) {
        vs_node body = vs_node_item(&list, k);
        grid g = read_grid(&body);
        int64_t copies = grid_size(&g);
        for (int64_t i = 0; i < copies && vs_node_good(root) && vs_node_get(&body, "ignore").value; i++)
            read_ignored(reader, &body, first + i);
        first += copies;
    }
}
