// Fields of a state as bytes: see archive.h.
#include "step/state/archive.h"

#include <math.h>
#include <stdio.h>

// ---- errors ----------------------------------------------------------------------------------------

enum { ITEM_TEXT = 160 };

// "body 2 (ball)", "time of the world"
static const char *describe(const vs_archive *a, char text[ITEM_TEXT]) {
    if (a->index < 0)
        (void)snprintf(text, ITEM_TEXT, "%s", a->what);
    else if (a->name)
        (void)snprintf(text, ITEM_TEXT, "%s %lld (%s)", a->what, (long long)a->index, a->name);
    else
        (void)snprintf(text, ITEM_TEXT, "%s %lld", a->what, (long long)a->index);
    return text;
}

void vs_archive_fail_short(vs_archive *a) {
    char item[ITEM_TEXT];
    vs_archive_keep_error(
        a, vs_fail(a->context, VS_ERROR_DATA, "is damaged: %s: its bytes end too early", describe(a, item)));
}

static void fail_number(vs_archive *a, const char *field, double x) {
    char item[ITEM_TEXT];
    vs_archive_keep_error(a,
                          vs_fail(a->context, VS_ERROR_DATA, "is damaged: %s: %s is %g", describe(a, item), field, x));
}

static void fail_other(vs_archive *a) {
    char item[ITEM_TEXT];
    vs_archive_keep_error(a, vs_fail(a->context, VS_ERROR_DATA, "is of another scene: %s differs", describe(a, item)));
}

// ---- fields ----------------------------------------------------------------------------------------

void vs_archive_real(vs_archive *a, double *x, double low, double high, const char *field) {
    vs_archive_number(a, x);
    if (!vs_archive_saves(a) && !a->error && !(*x >= low && *x <= high))
        fail_number(a, field, *x);
}

void vs_archive_vector(vs_archive *a, vs_vec3 *x, double most, const char *field) {
    vs_archive_number(a, &x->x);
    vs_archive_number(a, &x->y);
    vs_archive_number(a, &x->z);
    if (vs_archive_saves(a) || a->error || (fabs(x->x) <= most && fabs(x->y) <= most && fabs(x->z) <= most))
        return;
    char item[ITEM_TEXT];
    a->error = vs_fail(a->context, VS_ERROR_DATA, "is damaged: %s: %s is (%g, %g, %g)", describe(a, item), field, x->x,
                       x->y, x->z);
}

void vs_archive_pose(vs_archive *a, vs_pose *x) {
    vs_quat *q = &x->rotation;
    vs_archive_vector(a, &x->position, VS_MOTION_MOST, "position");
    vs_archive_number(a, &q->w);
    vs_archive_number(a, &q->x);
    vs_archive_number(a, &q->y);
    vs_archive_number(a, &q->z);
    const double length = sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
    // Steps and definitions normalize to roundoff.
    if (!vs_archive_saves(a) && !a->error && !(fabs(length - 1) <= 1e-9))
        fail_number(a, "the length of the quaternion of its rotation", length);
}

void vs_archive_integer(vs_archive *a, int64_t *x, int64_t low, int64_t high, const char *field) {
    uint64_t word = (uint64_t)*x;
    vs_archive_word(a, &word);
    *x = (int64_t)word;
    if (!vs_archive_saves(a) && !a->error && !(*x >= low && *x <= high))
        fail_number(a, field, (double)*x);
    if (a->error)
        *x = 0;
}

void vs_archive_int(vs_archive *a, int *x, int low, int high, const char *field) {
    int64_t value = *x;
    vs_archive_integer(a, &value, low, high, field);
    *x = (int)value;
}

void vs_archive_flag(vs_archive *a, bool *x, const char *field) {
    int64_t value = *x;
    vs_archive_integer(a, &value, 0, 1, field);
    *x = value == 1;
}

void vs_archive_same(vs_archive *a, int64_t value) {
    uint64_t word = (uint64_t)value;
    vs_archive_word(a, &word);
    if (!vs_archive_saves(a) && !a->error && (int64_t)word != value)
        fail_other(a);
}

void vs_archive_same_number(vs_archive *a, double value) {
    double x = value;
    vs_archive_number(a, &x);
    if (!vs_archive_saves(a) && !a->error && !(x == value))
        fail_other(a);
}

int64_t vs_archive_length(vs_archive *a, int64_t count, size_t each) {
    const size_t rest = vs_archive_saves(a) ? 0 : a->end - a->at;
    vs_archive_integer(a, &count, 0, vs_archive_saves(a) ? INT64_MAX : (int64_t)(rest / each), "the number of items");
    return count;
}

void vs_archive_bytes(vs_archive *a, char *bytes, size_t length) {
    for (size_t k = 0; k < length; k += VS_FIELD_BYTES) {
        const size_t part = length - k < VS_FIELD_BYTES ? length - k : VS_FIELD_BYTES;
        unsigned char field[VS_FIELD_BYTES] = {0};
        if (vs_archive_saves(a))
            memcpy(field, bytes + k, part);
        uint64_t word = vs_get_bytes(field, VS_FIELD_BYTES);
        vs_archive_word(a, &word);
        vs_put_bytes(field, VS_FIELD_BYTES, word);
        if (!vs_archive_saves(a) && bytes)
            memcpy(bytes + k, field, part);
    }
}
