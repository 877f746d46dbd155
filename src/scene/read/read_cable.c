// Cables of a scene file: the path, the terms and the free length of a joint of that kind.
//
//     "path": [{ "body": "a", "position": […] }, { "pulley": 0.1, "position": […], "axis": […], "mu": 0.3 }, …]
//
// An item with "pulley", "cylinder" or "sphere", a radius, is a drum, any other one a point; positions are in the user's frame of
// the body, or in the world.
#include "base/vec.h"
#include "body/cable/path.h"
#include "body/joint_coordinate.h"
#include "scene/read/reader.h"

#define POINT_KEYS "body position rotation axis pulley cylinder sphere mu side turns"

enum { TERMS_MOST = 1000, TURNS_MOST = 1000000 };

static void refuse(const vs_node *node, const char *key, const char *what) {
    const vs_node member = vs_node_get(node, key);
    if (member.value)
        vs_node_fail(&member, VS_ERROR_DATA, "is for %s", what);
}

// The kind of the item and its radius.
static void read_kind(const vs_node *node, vs_cable_point *point) {
    static const char *const key[] = {"pulley", "cylinder", "sphere"};
    static const vs_cable_station kind[] = {VS_CABLE_PULLEY, VS_CABLE_CYLINDER, VS_CABLE_SPHERE};
    int given = 0;
    for (int k = 0; k < 3; k++) {
        const vs_node radius = vs_node_get(node, key[k]);
        if (!radius.value)
            continue;
        point->kind = kind[k];
        point->radius = vs_node_number(&radius, VS_RANGE_POSITIVE);
        given++;
    }
    if (vs_node_good(node) && given > 1)
        vs_node_fail(node, VS_ERROR_DATA, "give one of \"pulley\", \"cylinder\" and \"sphere\"");
}

static void read_point(vs_reader *reader, const vs_node *node, vs_cable_point *point) {
    *point = vs_cable_point_default();
    vs_node_keys(node, POINT_KEYS);
    const vs_node body = vs_node_get(node, "body"), side = vs_node_get(node, "side");
    const vs_placed_body *placed = body.value ? vs_find_placed(reader, &body) : &reader->placed[0];
    point->pose = vs_get_frame(node);
    point->mu = vs_get_number(node, "mu", 0, VS_RANGE_NOT_NEGATIVE);
    read_kind(node, point);
    point->turns = vs_get_whole(node, "turns", 1, -TURNS_MOST, TURNS_MOST);
    if (vs_node_good(node) && point->turns == 0)
        vs_node_fail(node, VS_ERROR_DATA, "\"turns\" must not be 0; its sign is the sense about the axis");
    if (point->kind != VS_CABLE_PULLEY)
        refuse(node, "turns", "pulleys");
    if (point->kind != VS_CABLE_CYLINDER && point->kind != VS_CABLE_SPHERE)
        refuse(node, "side", "cylinders and spheres");
    point->sided = side.value != NULL;
    if (side.value)
        point->side = vs_pose_apply_back(point->pose, vs_node_vector(&side, VS_RANGE_ANY));
    if (!vs_node_good(node))
        return;
    point->body = placed->id;
    point->pose.position = vs_subtract(point->pose.position, placed->centre);
}

static void read_path(vs_reader *reader, const vs_node *node, vs_joint_def *def) {
    const vs_node path = vs_node_get(node, "path");
    const size_t count = path.value ? vs_node_count(&path, 2, VS_CABLE_POINTS_MOST) : 0;
    vs_cable_point *point = VS_NEW_ZERO(&reader->arena, vs_cable_point, (int64_t)count + 1);
    if (!point)
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < count && vs_node_good(node); k++) {
        const vs_node item = vs_node_item(&path, k);
        read_point(reader, &item, &point[k]);
    }
    def->point = point;
    def->points = (int)count;
}

static void read_terms(vs_reader *reader, const vs_node *node, vs_joint_def *def) {
    const vs_node terms = vs_node_get(node, "terms");
    const size_t count = terms.value ? vs_node_count(&terms, 1, TERMS_MOST) : 0;
    vs_joint_term *term = VS_NEW_ZERO(&reader->arena, vs_joint_term, (int64_t)count + 1);
    if (!term)
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
    for (size_t k = 0; k < count && vs_node_good(node); k++) {
        const vs_node item = vs_node_item(&terms, k);
        vs_node_keys(&item, "joint factor");
        const vs_node joint = vs_node_need(&item, "joint");
        if (joint.value)
            term[k].joint = vs_find_joint(reader, &joint);
        term[k].factor = vs_get_number(&item, "factor", 1, VS_RANGE_ANY);
    }
    def->term = term;
    def->terms = (int)count;
}

// A number, a function of time (a winch), or the present length and so much more.
static void read_length(vs_reader *reader, const vs_node *node, vs_joint_def *def) {
    const vs_node length = vs_node_get(node, "length"), slack = vs_node_get(node, "slack");
    double value;
    if (length.value && slack.value)
        vs_node_fail(&slack, VS_ERROR_DATA, "give either \"length\" or \"slack\"");
    if (slack.value && vs_node_good(node)) {
        const vs_joint present = {.def = *def};
        (void)vs_joint_coordinate_row(reader->world, &present, NULL, &value, NULL);
        def->length = value + vs_node_number(&slack, VS_RANGE_ANY);
        if (vs_node_good(node) && !(def->length > 0))
            vs_node_fail(&slack, VS_ERROR_DATA, "the free length %g must be positive", def->length);
    }
    if (!length.value || !vs_node_good(node))
        return;
    if (json_is_number(length.value) || vs_node_is_parameter(&length, &value)) {
        def->length = vs_node_number(&length, VS_RANGE_POSITIVE);
        return;
    }
    def->motor = VS_MOTOR_POSITION;
    def->pulls = true;
    def->target = vs_read_signal(reader, &length);
}

void vs_read_cable(vs_reader *reader, const vs_node *node, vs_joint_def *def) {
    read_path(reader, node, def);
    read_terms(reader, node, def);
    if (vs_node_good(node) && def->points + def->terms == 0)
        vs_node_fail(node, VS_ERROR_DATA, "a cable needs a \"path\" or \"terms\"");
    if (vs_node_good(node))
        read_length(reader, node, def);
}
