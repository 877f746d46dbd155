// MJCF: sites, named points with axes on bodies, where actuators push and sensors measure.
#include <string.h>

#include "scene/import/mjcf_data.h"

// With `fromto` the origin is the middle and z the direction.
static vs_pose read_pose(vs_mjcf *m, vs_element e) {
    double end[6];
    if (!vs_import_numbers(m->im, e, "fromto", end, 6, 6))
        return vs_mjcf_pose(m, e);
    const vs_vec3 a = {end[0], end[1], end[2]}, b = {end[3], end[4], end[5]};
    const vs_vec3 along = vs_subtract(b, a);
    const double length = vs_length(along);
    return (vs_pose){vs_scale(.5, vs_add(a, b)),
                     length > 0 ? vs_quat_from_z_to(vs_scale(1 / length, along)) : (vs_quat){1, 0, 0, 0}};
}

void vs_mjcf_add_site(vs_mjcf *m, vs_element e, vs_import_link *link, vs_pose pose) {
    vs_import *im = m->im;
    const char *name = vs_import_text(im, e, "name");
    if (!name || !*name || !vs_import_good(im))
        return;
    vs_mjcf_site site = {.node = e.node, .link = link, .pose = vs_pose_multiply(pose, read_pose(m, e))};
    site.pose.rotation = vs_quat_normalize(site.pose.rotation);
    if (!vs_import_good(im))
        return;
    if (vs_names_find(&m->site_names, name) >= 0)
        vs_import_fail(im, e.node, VS_ERROR_DATA, "the name '%.60s' is already in use; names must be unique", name);
    else
        vs_import_check(im, e.node, vs_names_add(im->context, &m->site_names, name, m->sites));
    m->site[m->sites++] = site;
}

const vs_mjcf_site *vs_mjcf_find_site(vs_mjcf *m, const xmlNode *node, const char *attribute) {
    const char *name = vs_import_need(m->im, (vs_element){node, NULL}, attribute);
    const int at = vs_names_find(&m->site_names, name);
    if (at < 0)
        vs_import_fail(m->im, node, VS_ERROR_DATA, "there is no site '%.60s'", name);
    return at < 0 ? NULL : &m->site[at];
}
