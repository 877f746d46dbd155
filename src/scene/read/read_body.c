// Bodies of a scene file.
//
// The user's frame of a body is at its "position"; shapes and joint frames are expressed in it. The world stores bodies
// by their centre of mass, so everything is shifted by -centre.
#include "scene/read/body_model.h"

#include <stdio.h>
#include <string.h>

#include "base/vec.h"

#define BODY_KEYS                                                                                                      \
    "name motion position rotation velocity spin shape shapes material density mass inertia centre drive array "       \
    "ignore servo"

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

static void add_body(vs_reader *reader, const vs_node *node, const vs_body_model *m, vs_vec3 shift, const char *name) {
    vs_body_def def = m->def;
    vs_placed_body placed = {.pose = m->def.pose, .centre = m->centre};
    placed.pose.position = vs_add(placed.pose.position, shift);
    def.pose = (vs_pose){vs_pose_apply(placed.pose, m->centre), placed.pose.rotation};
    def.name = name;
    vs_node_check(node, vs_world_add_body(reader->world, &def, &placed.id));
    for (size_t k = 0; k < m->items && vs_node_good(node); k++)
        vs_model_add_colliders(reader, node, &m->item[k], placed.id, m->centre);
    if (m->driven && vs_node_good(node))
        vs_node_check(node, vs_world_set_drive(reader->world, placed.id, m->drive, m->drive + 3));
    if (!vs_node_good(node))
        return;
    if (name)
        vs_add_name(node, reader->body_names, name, reader->places);
    reader->placed[reader->places++] = placed;
}

static void add_bodies(vs_reader *reader, const vs_node *node, const vs_body_model *m, const grid *g,
                       const char *name) {
    bool array = vs_node_get(node, "array").value != NULL;
    for (size_t k = 0; k < m->items; k++)
        reader->colliders += vs_model_colliders(&m->item[k]) * grid_size(g);
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

static void read_drive(vs_reader *reader, const vs_node *node, vs_body_model *m) {
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
    vs_body_model m = {.def = vs_body_def_default()};
    const char *name = vs_get_text(node, "name");
    if (name && strcmp(name, "world") == 0)
        vs_node_fail(node, VS_ERROR_DATA, "the name 'world' is reserved for the fixed frame; choose another");
    m.def.motion = (vs_motion)vs_get_choice(node, "motion", vs_motion_names(), VS_MOTION_DYNAMIC);
    m.def.pose = vs_get_pose(node);
    m.def.velocity = vs_get_vector(node, "velocity", VS_ZERO3, VS_RANGE_ANY);
    m.def.spin = vs_get_vector(node, "spin", VS_ZERO3, VS_RANGE_ANY);
    grid g = read_grid(node);
    read_drive(reader, node, &m);
    vs_model_read_shapes(reader, node, &m);
    if (m.def.motion == VS_MOTION_DYNAMIC)
        vs_model_read_mass(node, &m);
    if (vs_node_good(node))
        add_bodies(reader, node, &m, &g, name);
    vs_model_release(&m);
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
        for (int64_t i = 0; i < copies && vs_node_good(root); i++)
            vs_read_servo(reader, &body, first[i].id);
        first += copies;
    }
}
