// MJCF: the section <contact>, pairs of geoms that collide and bodies that do not.
//
// A pair collides whatever its contype and conaffinity say, with its own friction if it has some. Pairs of neighbours in the
// tree are listed: a joint keeps its bodies from colliding as a whole.
#include <math.h>
#include <string.h>

#include "scene/import/mjcf_data.h"

void vs_mjcf_find_pairs(vs_mjcf *m, const xmlNode *contact) {
    static const char *const name[] = {"geom1", "geom2"};
    vs_import *im = m->im;
    for (const xmlNode *n = vs_first_child(contact, "pair"); n && vs_import_good(im); n = vs_next_sibling(n, "pair"))
        for (int k = 0; k < 2; k++) {
            const char *geom = vs_import_need(im, (vs_element){n, NULL}, name[k]);
            if (vs_import_good(im) && vs_names_find(&m->paired, geom) < 0)
                vs_import_check(im, n, vs_names_add(im->context, &m->paired, geom, 0));
        }
}

static const vs_import_item *find_item(vs_mjcf *m, const xmlNode *pair, const char *attribute) {
    vs_import *im = m->im;
    const char *name = vs_import_need(im, (vs_element){pair, NULL}, attribute);
    for (const vs_import_item *item = im->item; item && vs_import_good(im); item = item->next) {
        const char *own = vs_import_text(im, (vs_element){item->node, NULL}, "name");
        if (own && strcmp(own, name) == 0)
            return item;
    }
    vs_import_fail(im, pair, VS_ERROR_DATA, "there is no geom '%.60s' with a shape", name);
    return NULL;
}

// Does a joint keep the two from colliding, or are they one?
static bool are_joined(const vs_import *im, const vs_import_link *a, const vs_import_link *b) {
    for (const vs_import_joint *j = im->joint; j; j = j->next)
        if (!j->def.collide && ((j->a == a && j->b == b) || (j->a == b && j->b == a)))
            return true;
    return a == b;
}

// Two for sliding, one for spinning, two for rolling.
static void read_friction(vs_import *im, vs_element e, vs_import_pair *pair) {
    double f[5] = {1, 1, .005, .0001, .0001};
    const int condim = (int)fmax(0, fmin(9, vs_import_number(im, e, "condim", 3)));
    const int count = vs_import_numbers(im, e, "friction", f, 1, 5);
    if (count > 1 && f[0] != f[1])
        vs_import_ignore(im, e.node, "friction: different along two directions, the first value is used");
    pair->rubs = count > 0;
    pair->mu = condim == 1 ? 0 : f[0];
    pair->spinning = condim == 4 || condim == 6 ? f[2] : 0;
    pair->rolling = condim == 6 ? f[3] : 0;
}

static void read_pair(vs_mjcf *m, vs_element e) {
    vs_import *im = m->im;
    vs_import_known(im, e.node, "name class geom1 geom2 friction condim", "");
    const vs_import_item *a = find_item(m, e.node, "geom1"), *b = find_item(m, e.node, "geom2");
    if (!a || !b)
        return;
    if (are_joined(im, a->link, b->link)) {
        vs_import_ignore(im, e.node, "pairs of neighbours and of parts of one body do not collide here, ignored");
        return;
    }
    vs_import_pair *pair = vs_import_make(im, e.node, 1, sizeof *pair);
    if (!pair)
        return;
    *pair = (vs_import_pair){.next = im->pair, .node = e.node, .a = a, .b = b};
    read_friction(im, e, pair);
    im->pair = pair;
}

static void read_exclude(vs_mjcf *m, const xmlNode *node) {
    vs_import_known(m->im, node, "name body1 body2", "class");
    const vs_mjcf_body *a = vs_mjcf_find_body(m, node, "body1"), *b = vs_mjcf_find_body(m, node, "body2");
    vs_import_exclude *e = vs_import_good(m->im) ? vs_import_add_exclude(m->im, node, a->link, b->link) : NULL;
    if (!e)
        return;
    e->whole = false;
    e->owner_a = a->node;
    e->owner_b = b->node;
}

void vs_mjcf_contacts(vs_mjcf *m, const xmlNode *contact) {
    vs_import_known(m->im, contact, "exclude pair", "");
    for (const xmlNode *n = vs_first_child(contact, NULL); n && vs_import_good(m->im); n = vs_next_sibling(n, NULL)) {
        if (vs_is_element(n, "exclude"))
            read_exclude(m, n);
        else if (vs_is_element(n, "pair"))
            read_pair(m, vs_mjcf_element(m, n, NULL));
    }
}
