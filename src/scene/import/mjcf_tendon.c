// MJCF: tendons. A fixed one has the length L = sum coef_k q_k of joints, a spatial one that of a way through sites and around
// spheres and cylinders.
//
// Where joints of a fixed tendon are geared to each other, q_k = r_k q, a force f along the tendon is the effort
// f sum coef_k r_k of one of them, exactly: the constraints pass it on. Actuators of such a tendon drive that joint. All other
// tendons that actuators or sensors use, or that have limits, springs, dampers or friction, become cables. A spring without a
// springlength rests in the position of the file. Not supported: pulleys, ranges of springlength; they are listed.
#include <math.h>
#include <string.h>

#include "scene/import/mjcf_data.h"

#define ATTRIBUTES "name class range limited stiffness damping frictionloss armature springlength"
#define SILENT "group user rgba material width margin"

// ---- the way ---------------------------------------------------------------------------------------

static bool add_drum(vs_mjcf *m, const xmlNode *node, vs_import_station *station) {
    vs_import *im = m->im;
    const vs_element e = {node, NULL};
    const int at = vs_names_find(&m->drum_names, vs_import_need(im, e, "geom"));
    const vs_mjcf_drum *drum = at < 0 ? NULL : &m->drum[at];
    vs_import_known(im, node, "geom sidesite", "");
    if (!drum || !drum->link) {
        vs_import_fail(im, node, VS_ERROR_DATA, "there is no geom '%.60s' that is a sphere or a cylinder",
                       vs_import_need(im, e, "geom"));
        return false;
    }
    station->link = drum->link;
    station->point.kind = drum->kind;
    station->point.radius = drum->radius;
    station->point.pose = drum->pose;
    const char *side = vs_import_text(im, e, "sidesite");
    const vs_mjcf_site *site = side && *side ? vs_mjcf_find_site(m, node, "sidesite") : NULL;
    station->point.sided = site != NULL;
    if (site)
        station->point.side = vs_pose_apply_back(drum->pose, site->pose.position);
    return vs_import_good(im);
}

static bool add_site(vs_mjcf *m, const xmlNode *node, vs_import_station *station) {
    const vs_mjcf_site *site = vs_mjcf_find_site(m, node, "site");
    vs_import_known(m->im, node, "site", "");
    if (!site)
        return false;
    station->link = site->link;
    station->point.pose = site->pose;
    return true;
}

static void read_spatial(vs_mjcf *m, vs_element e, vs_mjcf_tendon *tendon) {
    vs_import *im = m->im;
    int count = 0;
    vs_import_known(im, e.node, ATTRIBUTES " site geom pulley", SILENT);
    if (vs_first_child(e.node, "pulley")) {
        vs_import_ignore(im, e.node, "pulley: not supported, the tendon is ignored");
        return;
    }
    for (const xmlNode *n = vs_first_child(e.node, NULL); n; n = vs_next_sibling(n, NULL))
        count++;
    vs_import_station *station = vs_import_make(im, e.node, count + 1, sizeof *station);
    for (const xmlNode *n = vs_first_child(e.node, NULL); n && vs_import_good(im); n = vs_next_sibling(n, NULL)) {
        vs_import_station *next = &station[tendon->route.stations];
        next->point = vs_cable_point_default();
        if (vs_is_element(n, "geom") ? add_drum(m, n, next) : add_site(m, n, next))
            tendon->route.stations++;
    }
    tendon->route.station = station;
}

// ---- sums ------------------------------------------------------------------------------------------

static void read_fixed(vs_mjcf *m, vs_element e, vs_mjcf_tendon *tendon) {
    vs_import *im = m->im;
    vs_import_route *route = &tendon->route;
    int count = 0;
    vs_import_known(im, e.node, ATTRIBUTES " joint", SILENT);
    for (const xmlNode *n = vs_first_child(e.node, "joint"); n; n = vs_next_sibling(n, "joint"))
        count++;
    route->joint = vs_import_make(im, e.node, count + 1, sizeof(vs_import_joint *));
    route->factor = vs_import_make(im, e.node, count + 1, sizeof *route->factor);
    for (const xmlNode *n = vs_first_child(e.node, "joint"); n && vs_import_good(im); n = vs_next_sibling(n, "joint")) {
        vs_import_joint *joint = vs_mjcf_find_joint(m, n, "joint");
        const double coef = vs_import_number(im, (vs_element){n, NULL}, "coef", 1);
        if (!vs_import_good(im))
            return;
        route->joint[route->terms] = joint;
        route->factor[route->terms++] = coef;
        tendon->offset += coef * joint->reference;
    }
}

// ---- cables ----------------------------------------------------------------------------------------

// The rest of a spring: given, that of the joints, or that in the position of the file.
static void read_rest(vs_mjcf *m, vs_element e, vs_mjcf_tendon *tendon, vs_import_joint *cable) {
    vs_import *im = m->im;
    double rest[2] = {-1, -1};
    const int count = vs_import_numbers(im, e, "springlength", rest, 1, 2);
    if (count == 2 && rest[0] != rest[1])
        vs_import_ignore(im, e.node, "springlength: a range is not supported, its middle is used");
    if (count > 0 && rest[0] >= 0)
        cable->def.rest = (count == 2 ? .5 * (rest[0] + rest[1]) : rest[0]) - tendon->offset;
    else
        tendon->route.rests = tendon->route.stations > 0;
    for (int k = 0; k < tendon->route.terms && !(count > 0 && rest[0] >= 0); k++)
        cable->def.rest += tendon->route.factor[k] * tendon->route.joint[k]->def.rest;
}

// The cable of a tendon, made when it is first needed; null after an error.
static vs_import_joint *get_cable(vs_mjcf *m, vs_mjcf_tendon *tendon) {
    vs_import *im = m->im;
    if (tendon->cable || !vs_import_good(im))
        return tendon->cable;
    const vs_element e = tendon->element;
    vs_import_joint *cable = vs_import_add_joint(im, e.node, VS_JOINT_CABLE, m->world, m->world, VS_IDENTITY_POSE);
    double range[2] = {0, 0};
    if (!cable)
        return NULL;
    const bool unique = *tendon->name && vs_names_find(&m->joint_names, tendon->name) < 0;
    cable->def.name = unique ? tendon->name : NULL;
    cable->def.limited = vs_mjcf_is_limited(m, e, "limited", "range");
    if (vs_import_numbers(im, e, "range", range, 2, 2) && cable->def.limited)
        cable->def.low = range[0] - tendon->offset, cable->def.high = range[1] - tendon->offset;
    cable->def.stiffness = vs_import_number(im, e, "stiffness", 0);
    cable->def.damping = vs_import_number(im, e, "damping", 0);
    cable->def.friction = vs_import_number(im, e, "frictionloss", 0);
    cable->def.armature = vs_import_number(im, e, "armature", 0);
    read_rest(m, e, tendon, cable);
    cable->reference = tendon->offset;
    cable->route = &tendon->route;
    tendon->cable = cable;
    return cable;
}

static bool has_forces(vs_mjcf *m, vs_element e) {
    static const char *const name[] = {"stiffness", "damping", "frictionloss", "armature"};
    bool has = vs_mjcf_is_limited(m, e, "limited", "range");
    for (size_t k = 0; k < sizeof name / sizeof *name; k++)
        has = has || vs_import_number(m->im, e, name[k], 0) != 0;
    return has;
}

static int count_tendons(const vs_mjcf *m) {
    int count = 0;
    for (const xmlNode *s = vs_first_child(m->root, "tendon"); s; s = vs_next_sibling(s, "tendon"))
        for (const xmlNode *n = vs_first_child(s, NULL); n; n = vs_next_sibling(n, NULL))
            count++;
    return count;
}

void vs_mjcf_tendons(vs_mjcf *m, const xmlNode *section) {
    vs_import *im = m->im;
    vs_import_known(im, section, "fixed spatial", "");
    if (!m->tendon)
        m->tendon = vs_import_make(im, section, count_tendons(m) + 1, sizeof *m->tendon);
    for (const xmlNode *n = vs_first_child(section, NULL); n && vs_import_good(im); n = vs_next_sibling(n, NULL)) {
        vs_mjcf_tendon *tendon = &m->tendon[m->tendons++];
        tendon->element = vs_mjcf_element(m, n, NULL);
        const char *name = vs_import_text(im, tendon->element, "name");
        tendon->name = name ? name : "";
        if (vs_is_element(n, "fixed"))
            read_fixed(m, tendon->element, tendon);
        else if (vs_is_element(n, "spatial"))
            read_spatial(m, tendon->element, tendon);
        if (vs_import_good(im) && tendon->route.terms + tendon->route.stations > 0 && has_forces(m, tendon->element))
            (void)get_cable(m, tendon);
    }
}

// ---- drives ----------------------------------------------------------------------------------------

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

// One joint, to which the others are geared; none: they are independent.
static vs_mjcf_drive find_geared(const vs_import *im, const vs_mjcf_tendon *tendon) {
    const vs_mjcf_drive none = {NULL, 0, 0};
    const vs_import_route *route = &tendon->route;
    vs_mjcf_drive drive = {route->terms > 0 ? route->joint[0] : NULL, 0, tendon->offset};
    for (int k = 0; k < route->terms; k++) {
        double ratio = 1;
        if (!find_ratio(im, drive.joint, route->joint[k], NULL, &ratio))
            return none;
        drive.gear += route->factor[k] * ratio;
    }
    return drive.gear != 0 ? drive : none;
}

static vs_mjcf_tendon *find_tendon(vs_mjcf *m, const xmlNode *node, const char *attribute) {
    vs_import *im = m->im;
    const char *name = vs_import_need(im, (vs_element){node, NULL}, attribute);
    for (int k = 0; k < m->tendons; k++)
        if (strcmp(m->tendon[k].name, name) == 0)
            return m->tendon[k].route.terms + m->tendon[k].route.stations > 0 ? &m->tendon[k] : NULL;
    vs_import_fail(im, node, VS_ERROR_DATA, "there is no tendon '%.60s'", name);
    return NULL;
}

vs_mjcf_drive vs_mjcf_tendon_drive(vs_mjcf *m, const xmlNode *node, const char *attribute) {
    vs_mjcf_tendon *tendon = find_tendon(m, node, attribute);
    const vs_mjcf_drive none = {NULL, 0, 0}, geared = tendon ? find_geared(m->im, tendon) : none;
    if (!tendon || geared.joint)
        return geared;
    vs_import_joint *cable = get_cable(m, tendon);
    return cable ? (vs_mjcf_drive){cable, 1, tendon->offset} : none;
}
