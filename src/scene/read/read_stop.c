// The stop conditions of a scene file.
#include "scene/read/reader.h"

#include "body/world_data.h"
#include "scene/data/scene_data.h"

enum { STOPS_MOST = 100000 };

// The keys of each condition, in the order of vs_stop_when.
static const char *const keys[] = {"when body above",     "when body above",  "when body above",
                                   "when body below for", "when body bodies", "when body"};

static vs_body_id read_body(vs_reader *reader, const vs_node *condition) {
    const vs_node name = vs_node_get(condition, "body");
    const vs_placed_body *body = vs_find_placed(reader, &name);
    if (name.value && vs_node_good(condition) && body == reader->placed)
        vs_node_fail(&name, VS_ERROR_DATA, "the world does not move; name a body, or omit it for any");
    return body->id;
}

static void read_pair(vs_reader *reader, const vs_node *condition, vs_stop_condition *c) {
    const vs_node pair = vs_node_get(condition, "bodies"), body = vs_node_get(condition, "body");
    if ((pair.value != NULL) == (body.value != NULL))
        vs_node_fail(condition, VS_ERROR_DATA, "give \"body\": \"name\", or \"bodies\": [\"name\", \"name\"]");
    if (!pair.value || vs_node_count(&pair, 2, 2) != 2)
        return;
    const vs_node name[2] = {vs_node_item(&pair, 0), vs_node_item(&pair, 1)};
    const vs_body_id a = vs_find_placed(reader, &name[0])->id, b = vs_find_placed(reader, &name[1])->id;
    c->pair = true;
    c->body = a.index > 0 ? a : b; // the world comes second
    c->other = a.index > 0 ? b : a;
    if (vs_node_good(condition) && a.index == b.index)
        vs_node_fail(&pair, VS_ERROR_DATA, "are one and the same; name two bodies, or one and \"world\"");
}

static vs_stop_condition read_condition(vs_reader *reader, const vs_node *node) {
    vs_stop_condition c = vs_stop_condition_default();
    (void)vs_node_need(node, "when");
    c.when = (vs_stop_when)vs_get_choice(node, "when", vs_stop_when_names(), 0);
    if (!vs_node_good(node))
        return c;
    vs_node_keys(node, keys[c.when]);
    c.body = read_body(reader, node);
    if (c.when <= VS_STOP_SPEED) {
        const vs_node above = vs_node_need(node, "above");
        c.limit = above.value ? vs_node_number(&above, VS_RANGE_NOT_NEGATIVE) : 0;
    }
    if (c.when == VS_STOP_REST) {
        c.limit = vs_get_number(node, "below", 0, VS_RANGE_POSITIVE);
        c.hold = vs_get_number(node, "for", c.hold, VS_RANGE_NOT_NEGATIVE);
    }
    if (c.when == VS_STOP_CONTACT)
        read_pair(reader, node, &c);
    return c;
}

void vs_read_stops(vs_reader *reader, const vs_node *root) {
    vs_scene *scene = reader->scene;
    const vs_node list = vs_node_get(root, "stop");
    const size_t count = vs_node_count(&list, 0, STOPS_MOST);
    if (count == 0 || !vs_node_good(root))
        return;
    scene->stop = vs_allocate(reader->document.context, count * sizeof *scene->stop);
    if (!scene->stop) {
        vs_node_check(&list, vs_fail_memory(reader->document.context));
        return;
    }
    for (size_t k = 0; k < count && vs_node_good(root); k++) {
        const vs_node item = vs_node_item(&list, k);
        scene->stop[k] = read_condition(reader, &item);
        vs_node_end_item(&item);
    }
    scene->options.stop = scene->stop;
    scene->options.stops = (int)count;
}
