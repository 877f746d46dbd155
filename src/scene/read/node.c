// Reading values of a JSON tree; the position of an error is found by the ordinals of its ancestors.
#include "scene/read/node.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/vec.h"
#include "scene/read/text.h"

// ---- positions-------------------------------------------------------------------------------------

enum { PATH = 160, TEXT = 400 };

static void write_path(const vs_node *node, char *path) {
    if (!node->parent) {
        path[0] = 0;
        return;
    }
    write_path(node->parent, path);
    size_t used = strlen(path);
    if (node->key)
        (void)snprintf(path + used, PATH - used, "%s%s", used ? "." : "", node->key);
    else
        (void)snprintf(path + used, PATH - used, "[%zu]", node->index);
}

// Ordinal of a node in its parent: members keep the order of the file.
static int ordinal_of(const vs_node *node) {
    if (!node->key)
        return (int)node->index;
    int k = 0;
    for (void *i = json_object_iter(node->parent->value); i; i = json_object_iter_next(node->parent->value, i), k++)
        if (strcmp(json_object_iter_key(i), node->key) == 0)
            return k;
    return -1;
}

static int line_of(const vs_node *node) {
    // An absent member has the line of its object.
    if (!node->value && node->parent)
        node = node->parent;
    int depth = 0, ordinal[VS_TEXT_DEPTH_MOST + 1];
    for (const vs_node *n = node; n->parent; n = n->parent)
        depth++;
    if (depth > VS_TEXT_DEPTH_MOST)
        return 1;
    int k = depth;
    for (const vs_node *n = node; n->parent; n = n->parent)
        ordinal[--k] = ordinal_of(n);
    return vs_text_line(node->document->text, node->document->length, ordinal, depth);
}

static void keep(const vs_node *node, vs_error error, const char *text) {
    vs_document *d = node->document;
    if (d->error)
        return;
    char path[PATH];
    write_path(node, path);
    d->error = vs_fail(d->context, error, "%s:%d: %s%s%s", d->name, line_of(node), path, path[0] ? ": " : "", text);
}

void vs_node_fail(const vs_node *node, vs_error error, const char *format, ...) {
    char text[TEXT];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    keep(node, error, text);
}

void vs_node_check(const vs_node *node, vs_error error) {
    if (error == VS_OK || !vs_node_good(node))
        return;
    char text[TEXT];
    (void)snprintf(text, sizeof text, "%s", vs_context_get_error_text(node->document->context));
    // An invalid argument of a call is invalid data of the file.
    keep(node, error == VS_ERROR_ARGUMENT ? VS_ERROR_DATA : error, text);
}

void vs_node_end_item(const vs_node *item) {
    enum { MOST = 20 };
    vs_document *d = item->document;
    // Without memory or files there is no use in reading on.
    if (d->error != VS_ERROR_DATA || d->errors == MOST)
        return;
    const char *text = vs_context_get_error_text(d->context);
    if (d->errors++ == 0)
        (void)snprintf(d->first, sizeof d->first, "%s", text);
    else
        vs_log(d->context, VS_LOG_ERROR, "%s", text);
    d->error = VS_OK;
}

void vs_node_end_reading(const vs_node *root) {
    vs_document *d = root->document;
    if (d->errors == 0 || d->error)
        return;
    if (d->errors == 1)
        d->error = vs_fail(d->context, VS_ERROR_DATA, "%s", d->first);
    else
        d->error = vs_fail(d->context, VS_ERROR_DATA, "%s (and %d more error%s)", d->first, d->errors - 1,
                           d->errors > 2 ? "s" : "");
}

// ---- the tree --------------------------------------------------------------------------------------

vs_node vs_node_get(const vs_node *object, const char *key) {
    return (vs_node){object->document, object, json_object_get(object->value, key), key, 0};
}

vs_node vs_node_need(const vs_node *object, const char *key) {
    vs_node node = vs_node_get(object, key);
    if (!node.value)
        vs_node_fail(&node, VS_ERROR_DATA, "is missing; add it");
    return node;
}

vs_node vs_node_item(const vs_node *array, size_t index) {
    return (vs_node){array->document, array, json_array_get(array->value, index), NULL, index};
}

static bool listed(const char *keys, const char *key) {
    size_t length = strlen(key);
    for (const char *at = keys; length > 0 && (at = strstr(at, key)); at += length)
        if ((at == keys || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0) && !strchr(key, ' '))
            return true;
    return false;
}

// `keys` are separated by blanks.
static void fail_unknown(const vs_node *node, const char *key, const char *keys) {
    enum { LETTERS = 1023, KEYS = 63 };
    char text[LETTERS + 1];
    const char *names[KEYS + 1] = {NULL};
    (void)snprintf(text, sizeof text, "%s", keys);
    int count = 0;
    for (char *at = text; *at && count < KEYS; count++) {
        names[count] = at;
        at += strcspn(at, " ");
        if (*at)
            *at++ = '\0';
    }
    const char *near = vs_nearest_name(key, names);
    vs_node_fail(node, VS_ERROR_DATA, "unknown key; %s%s%s here are: %s", near ? "did you mean '" : "",
                 near ? near : "", near ? "'? Known" : "known", keys);
}

void vs_node_keys(const vs_node *object, const char *keys) {
    if (!vs_node_good(object))
        return;
    if (!json_is_object(object->value)) {
        vs_node_fail(object, VS_ERROR_DATA, "must be an object {…}");
        return;
    }
    for (void *i = json_object_iter(object->value); i; i = json_object_iter_next(object->value, i)) {
        const char *key = json_object_iter_key(i);
        if (strcmp(key, "comment") == 0 || listed(keys, key))
            continue;
        vs_node unknown = vs_node_get(object, key);
        fail_unknown(&unknown, key, keys);
        return;
    }
}

size_t vs_node_count(const vs_node *array, size_t least, size_t most) {
    if (!vs_node_good(array) || !array->value)
        return 0;
    size_t count = json_array_size(array->value);
    if (json_is_array(array->value) && count >= least && count <= most)
        return count;
    if (!json_is_array(array->value))
        vs_node_fail(array, VS_ERROR_DATA, "must be an array […]");
    else if (least == most)
        vs_node_fail(array, VS_ERROR_DATA, "has %zu items, must have %zu", count, least);
    else
        vs_node_fail(array, VS_ERROR_DATA, "has %zu items, must have %zu to %zu", count, least, most);
    return 0;
}

// ---- values ----------------------------------------------------------------------------------------

// Beyond this products of a few numbers exceed the range of doubles.
static const double LARGEST = 1e30;

static const char *wanted(vs_range range) {
    switch (range) {
    case VS_RANGE_POSITIVE:
        return "positive";
    case VS_RANGE_NOT_NEGATIVE:
        return "nonnegative";
    case VS_RANGE_UNIT:
        return "from 0 to 1";
    default:
        return "a number";
    }
}

static bool within(double x, vs_range range) {
    switch (range) {
    case VS_RANGE_POSITIVE:
        return x > 0;
    case VS_RANGE_NOT_NEGATIVE:
        return x >= 0;
    case VS_RANGE_UNIT:
        return x >= 0 && x <= 1;
    default:
        return true;
    }
}

bool vs_node_is_parameter(const vs_node *node, double *value) {
    const char *text = json_string_value(node->value);
    const json_t *found = text && text[0] == '$' ? json_object_get(node->document->parameters, text + 1) : NULL;
    *value = json_number_value(found);
    return found != NULL;
}

static bool find_parameter(const void *user, const char *name, size_t length, double *value) {
    const json_t *found = json_object_getn(user, name, length);
    *value = json_number_value(found);
    return found != NULL;
}

vs_expression *vs_node_expression(const vs_node *node) {
    const vs_document *d = node->document;
    const char *text = json_string_value(node->value);
    vs_expression *e = NULL;
    const vs_error error = vs_expression_compile(d->context, text, find_parameter, d->parameters, &e);
    if (error == VS_ERROR_DATA)
        vs_node_fail(node, VS_ERROR_DATA, "must be a number or an expression, is \"%.40s\": %.300s", text,
                     vs_context_get_error_text(d->context));
    else
        vs_node_check(node, error);
    return e;
}

static double text_value(const vs_node *node) {
    double value;
    if (vs_node_is_parameter(node, &value))
        return value;
    vs_expression *e = vs_node_expression(node);
    if (e && vs_expression_has_time(e))
        vs_node_fail(node, VS_ERROR_DATA, "must not depend on the time t; only functions of time may");
    value = e ? vs_expression_at(e, 0) : 0;
    vs_expression_release(node->document->context, e);
    return value;
}

double vs_node_number(const vs_node *node, vs_range range) {
    if (!vs_node_good(node))
        return 0;
    if (!json_is_number(node->value) && !json_is_string(node->value)) {
        vs_node_fail(node, VS_ERROR_DATA, "must be a number");
        return 0;
    }
    double x = json_is_string(node->value) ? text_value(node) : json_number_value(node->value);
    if (!(fabs(x) <= LARGEST))
        vs_node_fail(node, VS_ERROR_DATA, "is %g; the largest number is %g", x, LARGEST);
    else if (!within(x, range))
        vs_node_fail(node, VS_ERROR_DATA, "must be %s, is %g", wanted(range), x);
    return vs_node_good(node) ? x : 0;
}

int vs_node_whole(const vs_node *node, int least, int most) {
    double x = vs_node_number(node, VS_RANGE_ANY);
    if (vs_node_good(node) && (x < least || x > most || x != floor(x)))
        vs_node_fail(node, VS_ERROR_DATA, "must be an integer from %d to %d, is %g", least, most, x);
    return vs_node_good(node) ? (int)x : least;
}

const char *vs_node_text(const vs_node *node) {
    if (vs_node_good(node) && !json_is_string(node->value))
        vs_node_fail(node, VS_ERROR_DATA, "must be a string \"…\"");
    return vs_node_good(node) ? json_string_value(node->value) : "";
}

static void read_numbers(const vs_node *node, vs_range range, double *x, size_t count) {
    memset(x, 0, count * sizeof *x);
    if (vs_node_count(node, count, count) != count)
        return;
    for (size_t k = 0; k < count; k++) {
        vs_node item = vs_node_item(node, k);
        x[k] = vs_node_number(&item, range);
    }
}

vs_vec3 vs_node_vector(const vs_node *node, vs_range range) {
    double x[3];
    read_numbers(node, range, x, 3);
    return (vs_vec3){x[0], x[1], x[2]};
}

static vs_quat rotation_by_axis(const vs_node *node) {
    vs_node_keys(node, "axis angle");
    vs_node axis_node = vs_node_need(node, "axis"), angle = vs_node_need(node, "angle");
    vs_vec3 axis = vs_node_vector(&axis_node, VS_RANGE_ANY);
    double length = vs_length(axis), turn = vs_node_number(&angle, VS_RANGE_ANY);
    if (vs_node_good(node) && !(length > 0))
        vs_node_fail(&axis_node, VS_ERROR_DATA, "must not be zero");
    return vs_node_good(node) ? vs_quat_exp(vs_scale(turn / length, axis)) : VS_IDENTITY_POSE.rotation;
}

vs_quat vs_node_rotation(const vs_node *node) {
    if (json_is_object(node->value))
        return rotation_by_axis(node);
    double x[4];
    read_numbers(node, VS_RANGE_ANY, x, 4);
    double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3]);
    // Four digits suffice for a unit quaternion; larger deviations are a mistake.
    if (vs_node_good(node) && !(fabs(length - 1) < 1e-3))
        vs_node_fail(node, VS_ERROR_DATA, "must be a unit quaternion [w, x, y, z], its length is %g", length);
    return vs_node_good(node) ? vs_quat_normalize((vs_quat){x[0], x[1], x[2], x[3]}) : VS_IDENTITY_POSE.rotation;
}

// ---- members ---------------------------------------------------------------------------------------

double vs_get_number(const vs_node *object, const char *key, double otherwise, vs_range range) {
    vs_node node = vs_node_get(object, key);
    return node.value ? vs_node_number(&node, range) : otherwise;
}

int vs_get_whole(const vs_node *object, const char *key, int otherwise, int least, int most) {
    vs_node node = vs_node_get(object, key);
    return node.value ? vs_node_whole(&node, least, most) : otherwise;
}

bool vs_get_flag(const vs_node *object, const char *key, bool otherwise) {
    vs_node node = vs_node_get(object, key);
    if (node.value && !json_is_boolean(node.value))
        vs_node_fail(&node, VS_ERROR_DATA, "must be true or false");
    return node.value ? json_is_true(node.value) : otherwise;
}

vs_vec3 vs_get_vector(const vs_node *object, const char *key, vs_vec3 otherwise, vs_range range) {
    vs_node node = vs_node_get(object, key);
    return node.value ? vs_node_vector(&node, range) : otherwise;
}

const char *vs_get_text(const vs_node *object, const char *key) {
    vs_node node = vs_node_get(object, key);
    return node.value ? vs_node_text(&node) : NULL;
}

int vs_get_choice(const vs_node *object, const char *key, const char *const *choices, int otherwise) {
    vs_node node = vs_node_get(object, key);
    const char *text = node.value ? vs_node_text(&node) : NULL;
    if (!text || !vs_node_good(object))
        return otherwise;
    char list[TEXT - 80] = "";
    for (int k = 0; choices[k]; k++) {
        if (strcmp(choices[k], text) == 0)
            return k;
        size_t used = strlen(list);
        (void)snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", choices[k]);
    }
    vs_node_fail(&node, VS_ERROR_DATA, "'%.40s' is unknown; choose one of: %s", text, list);
    return otherwise;
}

vs_pose vs_get_pose(const vs_node *object) {
    vs_pose pose = VS_IDENTITY_POSE;
    pose.position = vs_get_vector(object, "position", VS_ZERO3, VS_RANGE_ANY);
    vs_node rotation = vs_node_get(object, "rotation");
    if (rotation.value)
        pose.rotation = vs_node_rotation(&rotation);
    return pose;
}

vs_pose vs_get_frame(const vs_node *node) {
    vs_pose pose = vs_get_pose(node);
    vs_node axis = vs_node_get(node, "axis");
    if (!axis.value || !vs_node_good(node))
        return pose;
    if (vs_node_get(node, "rotation").value)
        vs_node_fail(&axis, VS_ERROR_DATA, "give either \"axis\" or \"rotation\"");
    vs_vec3 z = vs_node_vector(&axis, VS_RANGE_ANY);
    if (vs_node_good(node) && !(vs_length(z) > 0))
        vs_node_fail(&axis, VS_ERROR_DATA, "must not be zero");
    if (vs_node_good(node))
        pose.rotation = vs_quat_from_z_to(z);
    return pose;
}
