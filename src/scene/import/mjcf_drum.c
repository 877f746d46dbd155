// MJCF: geoms that spatial tendons pass. Their names are known before the bodies are read, since most of them collide with nothing
// and would not be kept.
#include <string.h>

#include "scene/import/mjcf_data.h"

void vs_mjcf_find_drums(vs_mjcf *m, const xmlNode *section) {
    vs_import *im = m->im;
    for (const xmlNode *t = vs_first_child(section, "spatial"); t; t = vs_next_sibling(t, "spatial"))
        for (const xmlNode *n = vs_first_child(t, "geom"); n && vs_import_good(im); n = vs_next_sibling(n, "geom")) {
            const char *name = vs_import_need(im, (vs_element){n, NULL}, "geom");
            if (vs_import_good(im) && vs_names_find(&m->drum_names, name) < 0)
                vs_import_check(im, n, vs_names_add(im->context, &m->drum_names, name, m->drums++));
        }
}

void vs_mjcf_add_drum(vs_mjcf *m, const char *name, vs_import_link *link, const char *type, double radius,
                      vs_pose pose) {
    vs_mjcf_drum *drum = &m->drum[vs_names_find(&m->drum_names, name)];
    const bool cylinder = type && strcmp(type, "cylinder") == 0;
    if (cylinder || !type || strcmp(type, "sphere") == 0)
        *drum = (vs_mjcf_drum){link, pose, cylinder ? VS_CABLE_CYLINDER : VS_CABLE_SPHERE, radius};
}
