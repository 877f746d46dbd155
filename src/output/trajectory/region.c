// Upright boxes, bounded or not, and their names.
#include "output/trajectory/region.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A bound; an empty text is `missing`.
static bool read_bound(const char *text, size_t length, double missing, double *bound) {
    char copy[64] = "", *end = NULL;
    *bound = missing;
    if (length == 0)
        return true;
    if (length >= sizeof copy)
        return false;
    (void)memcpy(copy, text, length);
    *bound = strtod(copy, &end);
    return end != copy && !*end && isfinite(*bound) && !strpbrk(copy, "xX ");
}

bool vs_region_read(const char *text, size_t length, vs_region *region) {
    static const char all[] = ":,:,:";
    if (length == 3 && strncmp(text, "all", 3) == 0)
        return vs_region_read(all, sizeof all - 1, region);
    const char *end = text + length;
    for (int k = 0; k < 3; k++) {
        const char *comma = memchr(text, ',', (size_t)(end - text)), *last = k < 2 ? comma : end;
        const char *colon = last ? memchr(text, ':', (size_t)(last - text)) : NULL;
        if (!colon || (k == 2 && comma) || !read_bound(text, (size_t)(colon - text), -INFINITY, &region->low[k]) ||
            !read_bound(colon + 1, (size_t)(last - colon - 1), INFINITY, &region->high[k]) ||
            !(region->low[k] < region->high[k]))
            return false;
        text = last + 1;
    }
    return true;
}

double vs_region_volume(const vs_region *r) {
    return (r->high[0] - r->low[0]) * (r->high[1] - r->low[1]) * (r->high[2] - r->low[2]);
}

bool vs_region_contains(const vs_region *r, vs_vec3 x) {
    bool inside = true;
    for (int k = 0; k < 3; k++)
        inside = inside && vs_component(x, k) >= r->low[k] && vs_component(x, k) < r->high[k];
    return inside;
}

double vs_region_share(const vs_region *r, vs_vec3 p, vs_vec3 q) {
    double from = 0, to = 1;
    for (int k = 0; k < 3; k++) {
        const double x = vs_component(p, k), d = vs_component(q, k) - x;
        if (d == 0 && (x < r->low[k] || x >= r->high[k]))
            return 0;
        if (d == 0)
            continue;
        const double a = (r->low[k] - x) / d, b = (r->high[k] - x) / d;
        from = fmax(from, fmin(a, b));
        to = fmin(to, fmax(a, b));
    }
    return fmax(0, to - from);
}

vs_region vs_region_clip(const vs_region *r, vs_vec3 period) {
    vs_region clipped = *r;
    for (int k = 0; k < 3; k++) {
        const double length = vs_component(period, k);
        if (!(length > 0))
            continue;
        clipped.low[k] = fmax(r->low[k], -.5 * length);
        clipped.high[k] = fmax(clipped.low[k], fmin(r->high[k], .5 * length));
    }
    return clipped;
}

double vs_region_share_of_images(const vs_region *r, vs_vec3 period, vs_vec3 p, vs_vec3 q) {
    const int images[3] = {period.x > 0, period.y > 0, period.z > 0};
    double sum = 0;
    for (int i = -images[0]; i <= images[0]; i++)
        for (int j = -images[1]; j <= images[1]; j++)
            for (int k = -images[2]; k <= images[2]; k++) {
                const vs_vec3 shift = {i * period.x, j * period.y, k * period.z};
                sum += vs_region_share(r, vs_add(p, shift), vs_add(q, shift));
            }
    return sum;
}
