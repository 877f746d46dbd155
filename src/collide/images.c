// Images of boxes in a world that repeats itself: see images.h.
#include "collide/images.h"

#include <math.h>

#include "body/period.h"

void vs_images_release(vs_context *context, vs_images *images) {
    VS_ARRAY_RELEASE(context, &images->box);
    VS_ARRAY_RELEASE(context, &images->item);
    VS_ARRAY_RELEASE(context, &images->beyond);
}

static vs_vec3 middle_of(const vs_box3 *box) {
    return vs_scale(.5, vs_add(box->low, box->high));
}

static vs_box3 move_box(vs_box3 box, vs_vec3 shift) {
    return (vs_box3){vs_add(box.low, shift), vs_add(box.high, shift)};
}

vs_vec3 vs_images_shift(vs_vec3 period, const vs_box3 *a, const vs_box3 *b) {
    return vs_period_shift(period, vs_subtract(middle_of(b), middle_of(a)));
}

int vs_images_find_long(vs_vec3 period, const vs_box3 *box, int count) {
    for (int k = 0; k < count; k++) {
        const vs_vec3 side = vs_subtract(box[k].high, box[k].low);
        const bool fits = (!(period.x > 0) || 2 * side.x < period.x) && (!(period.y > 0) || 2 * side.y < period.y) &&
                          (!(period.z > 0) || 2 * side.z < period.z);
        if (!fits)
            return k;
    }
    return -1;
}

static vs_error add(vs_images *images, vs_context *context, vs_box3 box, int item, unsigned char beyond) {
    vs_error error = VS_RESERVE(context, &images->box, images->box.count + 1);
    if (!error)
        error = VS_RESERVE(context, &images->item, images->item.count + 1);
    if (!error)
        error = VS_RESERVE(context, &images->beyond, images->beyond.count + 1);
    if (error)
        return error;
    images->box.data[images->box.count++] = box;
    images->item.data[images->item.count++] = item;
    images->beyond.data[images->beyond.count++] = beyond;
    return VS_OK;
}

static double along(vs_vec3 v, int axis) {
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Along one axis a box beyond the high end meets those whose images beyond it are as far in.
static vs_error add_beyond(vs_images *images, vs_context *context, int axis, double period) {
    const int64_t count = images->box.count;
    double farthest = -INFINITY;
    for (int64_t k = 0; k < count; k++)
        farthest = fmax(farthest, along(images->box.data[k].high, axis));
    const vs_vec3 shift = {axis == 0 ? period : 0, axis == 1 ? period : 0, axis == 2 ? period : 0};
    vs_error error = VS_OK;
    for (int64_t k = 0; k < count && !error; k++)
        if (along(images->box.data[k].low, axis) + period <= farthest)
            error = add(images, context, move_box(images->box.data[k], shift), images->item.data[k],
                        (unsigned char)(images->beyond.data[k] | 1 << axis));
    return error;
}

// Two images beyond the same end are the pair of two nearer ones.
static bool accept_images(void *user, int first, int second) {
    const vs_images *images = user;
    if (images->beyond.data[first] & images->beyond.data[second])
        return false;
    return images->accept(images->user, images->item.data[first], images->item.data[second]);
}

vs_error vs_images_find(vs_images *images, vs_broad *broad, vs_vec3 period, const vs_box3 *box, int count,
                        bool (*accept)(void *user, int first, int second), void *user) {
    vs_context *context = broad->context;
    const double length[3] = {period.x, period.y, period.z};
    vs_error error = VS_OK;
    images->box.count = images->item.count = images->beyond.count = 0;
    images->accept = accept, images->user = user;
    for (int k = 0; k < count && !error; k++)
        error = add(images, context, move_box(box[k], vs_period_shift(period, middle_of(&box[k]))), k, 0);
    for (int axis = 0; axis < 3 && !error; axis++)
        if (length[axis] > 0)
            error = add_beyond(images, context, axis, length[axis]);
    if (error)
        return error;
    error = vs_broad_find(broad, images->box.data, (int)images->box.count, accept_images, images);
    for (int k = 0; k < broad->pairs; k++) {
        vs_box_pair *pair = &broad->pair[k];
        *pair = (vs_box_pair){images->item.data[pair->first], images->item.data[pair->second]};
    }
    return error;
}
