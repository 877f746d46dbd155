// JSON pointers: '/' before each step, "~1" for a '/' and "~0" for a '~' in a name, steps into arrays are 0, 1, 2, ….
#include "scene/read/pointer.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 128 };

// The step at *at, without its escapes; *at moves past it. false: longer than any name.
static bool read_step(const char **at, char step[STEP]) {
    size_t used = 0;
    const char *from = *at + 1; // after the '/'
    while (*from && *from != '/' && used + 1 < STEP) {
        const bool escaped = from[0] == '~' && (from[1] == '0' || from[1] == '1');
        step[used++] = !escaped ? from[0] : from[1] == '1' ? '/' : '~';
        from += escaped ? 2 : 1;
    }
    step[used] = 0;
    *at = from;
    return *from == 0 || *from == '/';
}

// The index that a step names; the size of the array if it names none.
static size_t index_of(const json_t *array, const char *step) {
    const size_t size = json_array_size(array), digits = strspn(step, "0123456789");
    if (digits == 0 || digits > 9 || step[digits] || (step[0] == '0' && digits > 1))
        return size;
    const size_t index = strtoul(step, NULL, 10);
    return index < size ? index : size;
}

static json_t *go(const json_t *value, const char *step) {
    return json_is_array(value) ? json_array_get(value, index_of(value, step)) : json_object_get(value, step);
}

static bool is_number(const json_t *value) {
    return json_is_number(value) || (json_is_string(value) && strchr(json_string_value(value), '$'));
}

static void put(const vs_node *root, const char *pointer, json_t *parent, const char *step, double value) {
    const json_t *before = go(parent, step);
    if (before && !is_number(before)) {
        vs_node_fail(root, VS_ERROR_ARGUMENT, "'%.100s' is not a number in the file; refer to a number", pointer);
        return;
    }
    if (!before && !json_is_object(parent)) {
        vs_node_fail(root, VS_ERROR_ARGUMENT, "'%.100s' does not exist: there is no '%.60s'", pointer, step);
        return;
    }
    json_t *number = json_real(value);
    const int failed = json_is_array(parent) ? json_array_set_new(parent, index_of(parent, step), number)
                                             : json_object_set_new(parent, step, number);
    if (failed)
        vs_node_fail(root, VS_ERROR_MEMORY, "out of memory");
}

void vs_pointer_set(const vs_node *root, const char *pointer, double value) {
    json_t *here = root->value;
    char step[STEP];
    for (const char *at = pointer; *at == '/';) {
        if (!read_step(&at, step)) {
            vs_node_fail(root, VS_ERROR_ARGUMENT, "'%.100s' has a step that is too long", pointer);
            return;
        }
        if (*at == 0) {
            put(root, pointer, here, step, value);
            return;
        }
        here = go(here, step);
        if (!here) {
            vs_node_fail(root, VS_ERROR_ARGUMENT, "'%.100s' does not exist: there is no '%.60s'", pointer, step);
            return;
        }
    }
}
