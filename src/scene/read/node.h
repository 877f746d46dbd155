// Reading values of a JSON tree with errors that name the file, the line and the path ("bodies[3].radius").
//
// Errors are sticky: the first one is kept in the document, and later reads return the values `otherwise` or zeros. A
// reader therefore reads everything and checks the error once, before it uses the values. Items of a list (bodies,
// joints, …) are independent: the error of one is put aside at its end, so that those of the others are found as well.
#ifndef VS_SCENE_NODE_H
#define VS_SCENE_NODE_H

#include <jansson.h>
#include <stdbool.h>

#include "base/arena.h"
#include "signal/expression.h"
#include "voussoir/names.h"
#include "voussoir/world.h"

typedef struct vs_document {
    vs_context *context;
    vs_arena *arena;  // of tables and the like, until the end of reading
    const char *name; // of the file, for texts
    const char *text;
    size_t length;
    json_t *parameters; // object: name -> real; null: none yet
    vs_error error;
    int errors;      // of items, put aside
    char first[600]; // text of the first of them; the others are in the log
} vs_document;

// A value and the path to it. Copies point to their parents, which must outlive them.
typedef struct vs_node {
    vs_document *document;
    const struct vs_node *parent; // null: the root
    json_t *value;                // null: absent
    const char *key;              // of a member; null: an item or the root
    size_t index;                 // of an item
} vs_node;

// Keeps the error (if it is the first) with the position of the node before its text.
void vs_node_fail(const vs_node *node, vs_error error, const char *format, ...) __attribute__((format(printf, 3, 4)));
// The same for the error of a call that has set the context's text; VS_OK does nothing.
void vs_node_check(const vs_node *node, vs_error error);
static inline bool vs_node_good(const vs_node *node) {
    return node->document->error == VS_OK;
}

// The end of an item: puts its error aside.
void vs_node_end_item(const vs_node *item);
// The end of the file: the errors of items become that of the document.
void vs_node_end_reading(const vs_node *root);

// The member of an object; value null if it is absent (or the node is no object).
vs_node vs_node_get(const vs_node *object, const char *key);
// The same; an error if it is absent.
vs_node vs_node_need(const vs_node *object, const char *key);
vs_node vs_node_item(const vs_node *array, size_t index);
// Must be an object, and each of its keys in the list (separated by blanks) or "comment".
void vs_node_keys(const vs_node *object, const char *keys);
// Must be an array of `least` to `most` items (absent: 0 items); returns their number.
size_t vs_node_count(const vs_node *array, size_t least, size_t most);

typedef enum vs_range { VS_RANGE_ANY, VS_RANGE_POSITIVE, VS_RANGE_NOT_NEGATIVE, VS_RANGE_UNIT } vs_range;

// Values of a node that is present. Numbers may be texts: "$name", the value of that parameter, or expressions of them.
double vs_node_number(const vs_node *node, vs_range range);
int vs_node_whole(const vs_node *node, int least, int most);
const char *vs_node_text(const vs_node *node); // "" after an error
vs_vec3 vs_node_vector(const vs_node *node, vs_range range);
vs_quat vs_node_rotation(const vs_node *node); // [w, x, y, z] or {"axis", "angle"}
// Is it "$name", with the name of a parameter? In expressions such a name has only letters, digits and _.
bool vs_node_is_parameter(const vs_node *node, double *value);
// A text as an expression with the parameters of the scene; the caller releases it. Null after an error.
vs_expression *vs_node_expression(const vs_node *node);

// Values of members, `otherwise` if they are absent.
double vs_get_number(const vs_node *object, const char *key, double otherwise, vs_range range);
int vs_get_whole(const vs_node *object, const char *key, int otherwise, int least, int most);
bool vs_get_flag(const vs_node *object, const char *key, bool otherwise);
vs_vec3 vs_get_vector(const vs_node *object, const char *key, vs_vec3 otherwise, vs_range range);
const char *vs_get_text(const vs_node *object, const char *key); // null if absent
// Index of the text in `choices` (ends with null).
int vs_get_choice(const vs_node *object, const char *key, const char *const *choices, int otherwise);
// "position" and "rotation" of an object; identity if absent.
vs_pose vs_get_pose(const vs_node *object);
vs_pose vs_get_frame(const vs_node *node); // the same, or "axis", to which z is turned

#endif
