// Mortar of a scene file: between bodies that are named, or all that touches.
#include "scene/read/reader.h"

#include <string.h>

#include "voussoir/bond.h"

enum { MORTARS_MOST = 10000 };

// "pier*" names all bodies whose names begin with "pier".
static bool matches(const char *pattern, const char *name) {
    const size_t length = strlen(pattern);
    if (length > 0 && pattern[length - 1] == '*')
        return strncmp(pattern, name, length - 1) == 0;
    return strcmp(pattern, name) == 0;
}

// Adds the bodies of one entry of the list; at most all places have room.
static void add_bodies(vs_reader *reader, const vs_node *entry, vs_body_id *body, int *count) {
    const char *pattern = vs_node_text(entry), *name;
    const json_t *place;
    int found = 0;
    if (!vs_node_good(entry))
        return;
    if (strcmp(pattern, "world") == 0)
        body[(*count)++] = reader->placed[0].id, found++;
    for (void *i = json_object_iter(reader->body_names); i; i = json_object_iter_next(reader->body_names, i)) {
        name = json_object_iter_key(i), place = json_object_iter_value(i);
        if (matches(pattern, name))
            body[(*count)++] = reader->placed[json_integer_value(place)].id, found++;
    }
    if (found == 0)
        vs_node_fail(entry, VS_ERROR_DATA,
                     "there is no body '%.60s'; check the name, use \"begin*\" for all that begin so, or \"world\"",
                     pattern);
}

static void read_bodies(vs_reader *reader, const vs_node *list, vs_mortar_def *def) {
    const size_t entries = vs_node_count(list, 1, VS_SCENE_BODIES_MOST);
    if (!vs_node_good(list))
        return;
    // An entry names each body at most once.
    const int64_t most = (int64_t)entries * ((int64_t)json_object_size(reader->body_names) + 1);
    vs_body_id *body = VS_NEW(&reader->arena, vs_body_id, most);
    if (!body) {
        vs_node_fail(list, VS_ERROR_MEMORY, "out of memory");
        return;
    }
    for (size_t k = 0; k < entries && vs_node_good(list); k++) {
        const vs_node entry = vs_node_item(list, k);
        add_bodies(reader, &entry, body, &def->bodies);
    }
    def->body = body;
}

static void read_mortar(vs_reader *reader, const vs_node *node) {
    vs_node_keys(node, "between tension cohesion fracture_energy shear_fracture_energy softening area "
                       "compression dilatancy dilatancy_slip");
    vs_mortar_def def = vs_mortar_def_default();
    const vs_node between = vs_node_get(node, "between"), cohesion = vs_node_get(node, "cohesion");
    if (between.value)
        read_bodies(reader, &between, &def);
    def.tension = vs_get_number(node, "tension", def.tension, VS_RANGE_NOT_NEGATIVE);
    if (cohesion.value)
        def.cohesion = vs_node_number(&cohesion, VS_RANGE_NOT_NEGATIVE);
    def.fracture_energy = vs_get_number(node, "fracture_energy", def.fracture_energy, VS_RANGE_NOT_NEGATIVE);
    def.shear_fracture_energy =
        vs_get_number(node, "shear_fracture_energy", def.shear_fracture_energy, VS_RANGE_NOT_NEGATIVE);
    def.softening = (vs_softening)vs_get_choice(node, "softening", vs_softening_names(), (int)def.softening);
    def.area = vs_get_number(node, "area", def.area, VS_RANGE_NOT_NEGATIVE);
    def.compression = vs_get_number(node, "compression", def.compression, VS_RANGE_NOT_NEGATIVE);
    def.dilatancy = vs_get_number(node, "dilatancy", def.dilatancy, VS_RANGE_NOT_NEGATIVE);
    def.dilatancy_slip = vs_get_number(node, "dilatancy_slip", def.dilatancy_slip, VS_RANGE_NOT_NEGATIVE);
    if (vs_node_good(node))
        vs_node_check(node, vs_world_add_mortar(reader->world, &def));
}

void vs_read_mortar(vs_reader *reader, const vs_node *root) {
    const vs_node list = vs_node_get(root, "mortar");
    if (json_is_object(list.value)) { // one kind of mortar needs no list
        read_mortar(reader, &list);
        return;
    }
    const size_t count = vs_node_count(&list, 0, MORTARS_MOST);
    for (size_t k = 0; k < count && vs_node_good(root); k++) {
        const vs_node mortar = vs_node_item(&list, k);
        read_mortar(reader, &mortar);
        vs_node_end_item(&mortar);
    }
}
