// Which shapes of a mechanism may collide, as groups and masks of colliders.
//
// In MJCF two shapes may collide if type_1 & affinity_2 or type_2 & affinity_1, unless their bodies are excluded, or if a
// pair names them; here if both group_1 & mask_2 and group_2 & mask_1. Shapes that agree in all of this become one group,
// whose mask is the set of groups that it may collide with: exact, for up to 32 of them. Bodies of the file that are parts
// of one link or of the world are told apart: an exclusion of the base does not hold for the floor.
#include "scene/import/import_data.h"

enum { GROUPS_MOST = 32 };

// ---- relations -------------------------------------------------------------------------------------

const xmlNode *vs_import_owner(const xmlNode *node) {
    while (node && !(vs_is_element(node, "body") || vs_is_element(node, "link")))
        node = node->parent;
    return node;
}

bool vs_import_is_partial(const vs_import *im, const vs_import_exclude *e) {
    for (const vs_import_item *item = im->item; item && !e->whole; item = item->next)
        if ((item->link == e->a && item->owner != e->owner_a) || (item->link == e->b && item->owner != e->owner_b))
            return true;
    return false;
}

static bool is_excluded(const vs_import *im, const vs_import_item *a, const vs_import_item *b) {
    for (const vs_import_exclude *e = im->exclude; e; e = e->next)
        if (e->partial && ((e->owner_a == a->owner && e->owner_b == b->owner && e->a == a->link && e->b == b->link) ||
                           (e->owner_a == b->owner && e->owner_b == a->owner && e->a == b->link && e->b == a->link)))
            return true;
    return false;
}

static const vs_import_pair *find_pair(const vs_import *im, const vs_import_item *a, const vs_import_item *b) {
    const vs_import_pair *p = im->pair;
    while (p && !((p->a == a && p->b == b) || (p->a == b && p->b == a)))
        p = p->next;
    return p;
}

// Is its body in an exclusion of parts?
static bool has_exclusions(const vs_import *im, const vs_import_item *item) {
    for (const vs_import_exclude *e = im->exclude; e; e = e->next)
        if (e->partial &&
            ((e->a == item->link && e->owner_a == item->owner) || (e->b == item->link && e->owner_b == item->owner)))
            return true;
    return false;
}

static bool same_pair(const vs_import_pair *p, const vs_import_pair *q) {
    return p && q && p->rubs == q->rubs && p->mu == q->mu && p->rolling == q->rolling && p->spinning == q->spinning;
}

// Has b a pair with everything that a has one with?
static bool has_partners_of(const vs_import *im, const vs_import_item *a, const vs_import_item *b) {
    for (const vs_import_pair *p = im->pair; p; p = p->next) {
        const vs_import_item *other = p->a == a ? p->b : p->b == a ? p->a : NULL;
        if (other && !same_pair(p, find_pair(im, b, other)))
            return false;
    }
    return true;
}

static bool are_alike(const vs_import *im, const vs_import_item *a, const vs_import_item *b) {
    const bool parts = has_exclusions(im, a);
    if (parts != has_exclusions(im, b) || (parts && (a->owner != b->owner || a->link != b->link)))
        return false;
    return has_partners_of(im, a, b) && has_partners_of(im, b, a);
}

static bool is_special(const vs_import *im, const vs_import_item *item) {
    const vs_import_pair *p = im->pair;
    while (p && p->a != item && p->b != item)
        p = p->next;
    return p || has_exclusions(im, item);
}

// ---- groups ----------------------------------------------------------------------------------------

// Numbers the shapes that exclusions of parts or pairs treat alike; 0: neither concerns it.
static void set_marks(vs_import *im) {
    int marks = 0;
    for (vs_import_exclude *e = im->exclude; e; e = e->next)
        e->partial = vs_import_is_partial(im, e);
    for (vs_import_item *item = im->item; item; item = item->next) {
        if (!is_special(im, item))
            continue;
        const vs_import_item *same = im->item;
        while (same != item && (same->mark == 0 || !are_alike(im, same, item)))
            same = same->next;
        item->mark = same == item ? ++marks : same->mark;
    }
}

static bool may_collide(const vs_import *im, const vs_import_item *a, const vs_import_item *b) {
    if (find_pair(im, a, b))
        return true;
    return ((a->type & b->affinity) || (b->type & a->affinity)) && !is_excluded(im, a, b);
}

// The group of an item, by one that stands for all of them.
static int find_group(vs_import *im, const vs_import_item **group, int *groups, const vs_import_item *item) {
    int near = -1;
    for (int k = 0; k < *groups; k++) {
        if (group[k]->type != item->type || group[k]->affinity != item->affinity)
            continue;
        if (group[k]->mark == item->mark)
            return k;
        near = near < 0 || group[k]->mark == 0 ? k : near;
    }
    if (*groups < GROUPS_MOST) {
        group[*groups] = item;
        return (*groups)++;
    }
    if (near >= 0)
        vs_import_ignore(im, item->node,
                         "more than %d groups of shapes that collide differently: its <pair> and "
                         "<exclude> are ignored",
                         GROUPS_MOST);
    else
        vs_import_fail(im, item->node, VS_ERROR_UNSUPPORTED, "more than %d pairs of contype and conaffinity",
                       GROUPS_MOST);
    return near < 0 ? 0 : near;
}

void vs_import_filter(vs_import *im) {
    const vs_import_item *group[GROUPS_MOST] = {NULL};
    int groups = 0;
    set_marks(im);
    for (vs_import_item *item = im->item; item && vs_import_good(im); item = item->next)
        item->group = find_group(im, group, &groups, item);
    for (vs_import_item *item = im->item; item && vs_import_good(im); item = item->next) {
        item->mask = 0;
        for (int k = 0; k < groups; k++)
            if (may_collide(im, group[item->group], group[k]))
                item->mask |= UINT32_C(1) << k;
    }
}
