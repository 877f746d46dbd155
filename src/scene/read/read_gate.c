// Factories and sinks of a scene file.
//
// All bodies of a factory are made here, of the sizes that it asks for, in the order in which they enter. Bodies of one size
// share their shapes where the sizes are listed.
#include "scene/read/body_model.h"
#include "scene/read/grain_size.h"

#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "voussoir/gate.h"

enum { GATES_MOST = 10000 };

#define FACTORY_KEYS                                                                                                   \
    "name " VS_MODEL_SHAPE_KEYS " sizes count seed within rate mass_rate begin end velocity turned reuse"

// {"within": [[x, y, z], [x, y, z]]}: two corners.
static void read_box(const vs_node *node, vs_vec3 *low, vs_vec3 *high) {
    const vs_node within = vs_node_need(node, "within");
    if (!within.value || vs_node_count(&within, 2, 2) != 2)
        return;
    const vs_node first = vs_node_item(&within, 0), second = vs_node_item(&within, 1);
    *low = vs_node_vector(&first, VS_RANGE_ANY);
    *high = vs_node_vector(&second, VS_RANGE_ANY);
}

// ---- bodies of a factory ---------------------------------------------------------------------------

// Bodies of one factory in the making.
typedef struct batch {
    vs_reader *reader;
    const vs_node *node;
    const vs_body_model *model;
    const char *name;
    vs_body_model *sized; // (classes) of the sizes that are listed; without items until needed
    vs_body_id *body;     // (count)
} batch;

static vs_body_id add_body(const batch *b, const vs_body_model *m, int k) {
    vs_body_def def = m->def;
    vs_body_id id = {0};
    char name[128];
    (void)snprintf(name, sizeof name, "%.100s.%d", b->name ? b->name : "", k);
    def.name = b->name ? name : NULL;
    vs_node_check(b->node, vs_world_add_body(b->reader->world, &def, &id));
    for (size_t i = 0; i < m->items && vs_node_good(b->node); i++)
        vs_model_add_colliders(b->reader, b->node, &m->item[i], id, m->centre);
    return id;
}

static void make_body(const batch *b, double factor, int place, int k) {
    if (place >= 0) {
        vs_body_model *sized = &b->sized[place];
        if (sized->items == 0)
            *sized = vs_model_scale(b->reader, b->node, b->model, factor);
        if (vs_node_good(b->node))
            b->body[k] = add_body(b, sized, k);
        return;
    }
    vs_body_model own = vs_model_scale(b->reader, b->node, b->model, factor);
    if (vs_node_good(b->node))
        b->body[k] = add_body(b, &own, k);
    vs_model_release(&own);
}

// Numbers of bodies and shapes are checked before anything is made.
static void check_count(vs_reader *reader, const vs_node *node, const vs_body_model *m, int count) {
    int64_t colliders = 0;
    for (size_t k = 0; k < m->items; k++)
        colliders += vs_model_colliders(&m->item[k]);
    reader->made_bodies += count;
    reader->colliders += colliders * count;
    if (reader->places + reader->made_bodies > VS_SCENE_BODIES_MOST)
        vs_node_fail(node, VS_ERROR_DATA, "makes more than %d bodies in this scene", VS_SCENE_BODIES_MOST);
    if (reader->colliders > VS_SCENE_COLLIDERS_MOST)
        vs_node_fail(node, VS_ERROR_DATA, "makes more than %d shapes on bodies in this scene", VS_SCENE_COLLIDERS_MOST);
}

// Null after an error.
static vs_body_id *make_bodies(vs_reader *reader, const vs_node *node, const vs_body_model *m, int count,
                               uint64_t seed) {
    vs_grain_sizes sizes = vs_read_grain_sizes(reader, node, seed);
    check_count(reader, node, m, count);
    if (!vs_node_good(node))
        return NULL;
    const batch b = {.reader = reader,
                     .node = node,
                     .model = m,
                     .name = vs_get_text(node, "name"),
                     .sized = VS_NEW_ZERO(&reader->arena, vs_body_model, sizes.count + 1),
                     .body = VS_NEW_ZERO(&reader->arena, vs_body_id, count)};
    if (!b.sized || !b.body) {
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    for (int k = 0; k < count && vs_node_good(node); k++) {
        int place;
        const double factor = vs_grain_sizes_next(&sizes, k, &place);
        make_body(&b, factor, place, k);
    }
    for (int k = 0; k < sizes.count; k++)
        vs_model_release(&b.sized[k]);
    return vs_node_good(node) ? b.body : NULL;
}

// ---- gates -----------------------------------------------------------------------------------------

static vs_factory_def read_properties(const vs_node *node) {
    vs_factory_def def = vs_factory_def_default();
    def.name = vs_get_text(node, "name");
    read_box(node, &def.low, &def.high);
    def.rate = vs_get_number(node, "rate", 0, VS_RANGE_POSITIVE);
    def.mass_rate = vs_get_number(node, "mass_rate", 0, VS_RANGE_POSITIVE);
    def.begin = vs_get_number(node, "begin", 0, VS_RANGE_ANY);
    def.end = vs_get_number(node, "end", INFINITY, VS_RANGE_ANY);
    def.velocity = vs_get_vector(node, "velocity", VS_ZERO3, VS_RANGE_ANY);
    def.turned = vs_get_flag(node, "turned", true);
    def.reuse = vs_get_flag(node, "reuse", false);
    def.seed = (uint64_t)vs_get_whole(node, "seed", 0, 0, INT32_MAX);
    return def;
}

static void read_factory(vs_reader *reader, const vs_node *node) {
    vs_node_keys(node, FACTORY_KEYS);
    const vs_node count = vs_node_need(node, "count");
    const int bodies = count.value ? vs_node_whole(&count, 1, VS_SCENE_BODIES_MOST) : 0;
    vs_factory_def def = read_properties(node);
    if (!vs_node_good(node))
        return;
    vs_body_model m = {.def = vs_body_def_default()};
    m.def.pose.position = vs_scale(.5, vs_add(def.low, def.high));
    vs_model_read_shapes(reader, node, &m);
    vs_model_read_mass(node, &m);
    const vs_body_id *body = vs_node_good(node) ? make_bodies(reader, node, &m, bodies, def.seed) : NULL;
    def.body = body, def.bodies = bodies;
    if (body)
        vs_node_check(node, vs_world_add_factory(reader->world, &def, NULL));
    vs_model_release(&m);
}

static void read_sink(vs_reader *reader, const vs_node *node) {
    vs_sink_def def = vs_sink_def_default();
    vs_node_keys(node, "name within");
    def.name = vs_get_text(node, "name");
    read_box(node, &def.low, &def.high);
    if (vs_node_good(node))
        vs_node_check(node, vs_world_add_sink(reader->world, &def, NULL));
}

static void read_list(vs_reader *reader, const vs_node *root, const char *key,
                      void (*read)(vs_reader *, const vs_node *)) {
    const vs_node list = vs_node_get(root, key);
    const size_t count = vs_node_count(&list, 0, GATES_MOST);
    for (size_t k = 0; k < count && vs_node_good(root); k++) {
        const vs_node item = vs_node_item(&list, k);
        read(reader, &item);
        vs_node_end_item(&item);
    }
}

void vs_read_gates(vs_reader *reader, const vs_node *root) {
    read_list(reader, root, "factories", read_factory);
    read_list(reader, root, "sinks", read_sink);
}
