// MJCF: fixed tendons, whose length is a sum of coordinates, L = sum coef_k q_k.
//
// Where joints of a tendon are geared to each other, q_k = r_k q, a force f along the tendon is the effort
// f sum coef_k r_k of one of them, exactly: the constraints pass it on. Such tendons transmit actuators. Tendons of
// independent joints and those through sites are listed, and so are springs, dampers, friction and limits of tendons.
#include <string.h>

#include "scene/import/mjcf_data.h"

static void list_forces(vs_import *im, vs_element e) {
    static const char *const name[] = {"stiffness", "damping", "frictionloss", "armature"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        double value[3] = {0, 0, 0};
        if (vs_import_numbers(im, e, name[k], value, 1, 3) && value[0] != 0)
            vs_import_ignore(im, e.node, "%s: not supported on tendons, ignored", name[k]);
    }
    if (vs_import_text(im, e, "range"))
        vs_import_ignore(im, e.node, "range: not supported on tendons, ignored");
}

static void read_fixed(vs_mjcf *m, vs_element e, vs_mjcf_tendon *tendon) {
    vs_import *im = m->im;
    vs_import_known(im, e.node, "name class joint range limited stiffness damping frictionloss armature",
                    "group user rgba material width springlength");
    list_forces(im, e);
    for (const xmlNode *n = vs_first_child(e.node, "joint"); n && vs_import_good(im); n = vs_next_sibling(n, "joint")) {
        vs_import_joint *joint = vs_mjcf_find_joint(m, n, "joint");
        const double coef = vs_import_number(im, (vs_element){n, NULL}, "coef", 1);
        if (tendon->terms == VS_MJCF_TERMS_MOST)
            vs_import_fail(im, n, VS_ERROR_UNSUPPORTED, "a tendon of more than %d joints", VS_MJCF_TERMS_MOST);
        if (!vs_import_good(im))
            return;
        tendon->joint[tendon->terms] = joint;
        tendon->coef[tendon->terms++] = coef;
    }
}

void vs_mjcf_tendons(vs_mjcf *m, const xmlNode *section) {
    vs_import *im = m->im;
    int count = 0;
    for (const xmlNode *n = vs_first_child(section, NULL); n; n = vs_next_sibling(n, NULL))
        count++;
    vs_mjcf_tendon *grown = vs_import_make(im, section, m->tendons + count + 1, sizeof *grown);
    if (!grown)
        return;
    if (m->tendons > 0)
        memcpy(grown, m->tendon, (size_t)m->tendons * sizeof *grown);
    m->tendon = grown;
    for (const xmlNode *n = vs_first_child(section, NULL); n && vs_import_good(im); n = vs_next_sibling(n, NULL)) {
        vs_mjcf_tendon *tendon = &m->tendon[m->tendons++];
        const char *name = vs_import_text(im, (vs_element){n, NULL}, "name");
        tendon->name = name ? name : "";
        if (vs_is_element(n, "fixed"))
            read_fixed(m, vs_mjcf_element(m, n, NULL), tendon);
        else
            vs_import_ignore(im, n, "tendons through sites are not supported, ignored");
    }
}

// r with coordinate of b = r times that of a, along gears; false: they are independent. `from`: the gear that led here.
static bool find_ratio(const vs_import *im, const vs_import_joint *a, const vs_import_joint *b,
                       const vs_import_joint *from, double *ratio) {
    if (a == b)
        return true;
    for (const vs_import_joint *gear = im->joint; gear; gear = gear->next) {
        if (gear->def.kind != VS_JOINT_GEAR || gear == from || (gear->gear_a != a && gear->gear_b != a))
            continue;
        const bool forward = gear->gear_a == a;
        double further = forward ? gear->def.ratio : 1 / gear->def.ratio;
        if (!find_ratio(im, forward ? gear->gear_b : gear->gear_a, b, gear, &further))
            continue;
        *ratio *= further;
        return true;
    }
    return false;
}

vs_mjcf_drive vs_mjcf_tendon_drive(vs_mjcf *m, const xmlNode *node, const char *attribute) {
    vs_import *im = m->im;
    const char *name = vs_import_need(im, (vs_element){node, NULL}, attribute);
    const vs_mjcf_tendon *tendon = NULL;
    for (int k = 0; k < m->tendons && !tendon; k++)
        if (strcmp(m->tendon[k].name, name) == 0)
            tendon = &m->tendon[k];
    if (!tendon)
        vs_import_fail(im, node, VS_ERROR_DATA, "there is no tendon '%.60s'", name);
    if (!tendon || tendon->terms == 0)
        return (vs_mjcf_drive){NULL, 0, 0};
    vs_mjcf_drive drive = {tendon->joint[0], 0, 0};
    for (int k = 0; k < tendon->terms; k++) {
        double ratio = 1;
        if (!find_ratio(im, drive.joint, tendon->joint[k], NULL, &ratio))
            return (vs_mjcf_drive){NULL, 0, 0};
        drive.gear += tendon->coef[k] * ratio;
        drive.offset += tendon->coef[k] * tendon->joint[k]->reference;
    }
    return drive.gear != 0 ? drive : (vs_mjcf_drive){NULL, 0, 0};
}
