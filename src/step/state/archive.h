// Fields of a state as bytes. A part of the state lists its fields once: the same function saves, checks and loads them.
//
//     vs_body body = world->body[k];                      a copy
//     vs_archive_vector(a, &body.velocity, VS_MOTION_MOST, "velocity");
//     if (vs_archive_loads(a))
//         world->body[k] = body;
//
// In all modes but SAVE fields are read into the copy, so that CHECK changes nothing; it also reserves memory. LOAD, after a CHECK
// of the same bytes, cannot fail. Errors are sticky: the first one stays, fields after it are zero.
//
// Every field is eight bytes, little-endian: counts and indices are signed integers of 64 bits, numbers of IEEE 754, true is 1.
#ifndef VS_STEP_ARCHIVE_H
#define VS_STEP_ARCHIVE_H

#include <stdbool.h>
#include <string.h>

#include "base/bytes.h"
#include "base/context.h"
#include "base/vec.h"

typedef enum vs_archive_mode { VS_ARCHIVE_SAVE, VS_ARCHIVE_CHECK, VS_ARCHIVE_LOAD } vs_archive_mode;

typedef struct vs_archive {
    vs_context *context;
    vs_archive_mode mode;
    char *to;         // SAVE: (end)
    const char *from; // CHECK, LOAD: (end)
    size_t at, end;   // SAVE: what lies beyond the end is counted only
    uint32_t version; // of the part
    vs_error error;   // the first one
    // The present item, for errors: "body", 2, "ball".
    const char *what, *name;
    int64_t index;
} vs_archive;

enum { VS_FIELD_BYTES = 8 };
// Squares of positions and velocities, which distances and energies need, must not exceed the range of numbers.
#define VS_MOTION_MOST 1e150

static inline bool vs_archive_saves(const vs_archive *a) {
    return a->mode == VS_ARCHIVE_SAVE;
}
static inline bool vs_archive_loads(const vs_archive *a) {
    return a->mode == VS_ARCHIVE_LOAD && !a->error;
}
// Memory may be reserved.
static inline bool vs_archive_checks(const vs_archive *a) {
    return a->mode == VS_ARCHIVE_CHECK && !a->error;
}
static inline void vs_archive_keep_error(vs_archive *a, vs_error error) {
    a->error = a->error ? a->error : error;
}
static inline void vs_archive_begin_item(vs_archive *a, const char *what, int64_t index, const char *name) {
    a->what = what, a->index = index, a->name = name;
}

// The chunk ends within a field.
void vs_archive_fail_short(vs_archive *a);

static inline void vs_archive_word(vs_archive *a, uint64_t *x) {
    const size_t at = a->at;
    if (a->mode == VS_ARCHIVE_SAVE) {
        a->at += VS_FIELD_BYTES;
        if (a->at <= a->end)
            vs_put_bytes((unsigned char *)a->to + at, VS_FIELD_BYTES, *x);
        return;
    }
    *x = 0;
    if (a->error)
        return;
    if (a->end - at < VS_FIELD_BYTES) {
        vs_archive_fail_short(a);
        return;
    }
    *x = vs_get_bytes((const unsigned char *)a->from + at, VS_FIELD_BYTES);
    a->at += VS_FIELD_BYTES;
}

// Any number, also NaN.
static inline void vs_archive_number(vs_archive *a, double *x) {
    uint64_t bits;
    memcpy(&bits, x, sizeof bits);
    vs_archive_word(a, &bits);
    memcpy(x, &bits, sizeof bits);
}

// Fields with a range; `field` names them in errors. NaN is in none.
void vs_archive_real(vs_archive *a, double *x, double low, double high, const char *field);
void vs_archive_vector(vs_archive *a, vs_vec3 *x, double most, const char *field);
void vs_archive_pose(vs_archive *a, vs_pose *x);
void vs_archive_integer(vs_archive *a, int64_t *x, int64_t low, int64_t high, const char *field);
void vs_archive_int(vs_archive *a, int *x, int low, int high, const char *field);
void vs_archive_flag(vs_archive *a, bool *x, const char *field);
// Fields by which a scene is known: another value is an error.
void vs_archive_same(vs_archive *a, int64_t value);
void vs_archive_same_number(vs_archive *a, double value);
// The number of items that follow, of at least `each` bytes.
int64_t vs_archive_length(vs_archive *a, int64_t count, size_t each);
// `length` bytes as they are, filled up to whole fields. CHECK and LOAD: null to skip them.
void vs_archive_bytes(vs_archive *a, char *bytes, size_t length);

#endif
