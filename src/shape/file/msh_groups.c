// From a gmsh file to a mesh: nodes that are used, elements, and physical groups as sets.
//
// A group is a dimension and a tag; its name, or one made of both, names its sets. Members of sets are listed as
// triples (kind, name, member) and sorted, which merges groups of one name into one set.
//
// gmsh orders the middle nodes of a tetrahedron's edges 01, 12, 20, 03, 23, 13: the last two are exchanged. Format 2.2
// repeats an element for each of its groups; the repeated tetrahedra are found by sorting.
#include "shape/file/msh_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct group {
    int dimension, tag;
    const char *text;
    int name; // rank of its text among the different ones
} group;

typedef struct member {
    int kind, name;
    int item; // vertex, triangle of the file, or element
} member;

typedef struct maker {
    vs_msh *msh;
    vs_arena *arena;
    int *vertex;  // (nodes) of the mesh, -1: the node is not used
    int *element; // (tetrahedra of the file) of the mesh
    int *node;    // (nodes elements) the definition's
    int64_t *vertex_label, *element_label;
    vs_mesh_def def;
    int groups, names;
    group *group; // (groups) ascending by dimension and tag
    int64_t members;
    member *member; // (members)
} maker;

static int compare(int a, int b) {
    return (a > b) - (a < b);
}

int vs_msh_compare_named(const void *a, const void *b) {
    const vs_msh_name *p = a, *q = b;
    const int first = compare(p->dimension, q->dimension);
    return first ? first : compare(p->tag, q->tag);
}

int vs_msh_compare_entities(const void *a, const void *b) {
    const vs_msh_entity *p = a, *q = b;
    const int first = compare(p->dimension, q->dimension);
    return first ? first : compare(p->tag, q->tag);
}

static int compare_groups(const void *a, const void *b) {
    const group *p = a, *q = b;
    const int first = compare(p->dimension, q->dimension);
    return first ? first : compare(p->tag, q->tag);
}

typedef struct text_of {
    const char *text;
    int group;
} text_of;

static int compare_texts(const void *a, const void *b) {
    const text_of *p = a, *q = b;
    const int first = strcmp(p->text, q->text);
    return first ? first : compare(p->group, q->group);
}

static int compare_members(const void *a, const void *b) {
    const member *p = a, *q = b;
    const int first = compare(p->kind, q->kind), second = compare(p->name, q->name);
    return first ? first : second ? second : compare(p->item, q->item);
}

// The tags of the groups that an element is in.
static int groups_of(const vs_msh *msh, const vs_msh_cells *cells, int64_t k, const int **tag) {
    const int at = cells->group[k];
    if (msh->version == 2) {
        *tag = cells->group + k;
        return at != 0;
    }
    *tag = at ? msh->physical + msh->entity[at - 1].first : NULL;
    return at ? msh->entity[at - 1].count : 0;
}

// ---- elements and vertices -------------------------------------------------------------------------

static void sort4(int x[4]) {
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && x[j] < x[j - 1]; j--) {
            const int swap = x[j];
            x[j] = x[j - 1];
            x[j - 1] = swap;
        }
}

// m->element[k]: the lowest tetrahedron of the file with the corners of k.
static vs_error match_repeated(maker *m) {
    const vs_msh_cells *tets = m->msh->cell + 3;
    int *key = VS_NEW(m->arena, int, 4 * tets->count), *order;
    if (!key)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < tets->count; k++) {
        memcpy(key + 4 * k, tets->node + tets->width * k, 4 * sizeof *key);
        sort4(key + 4 * k);
    }
    vs_error error = vs_tuples_sort(m->arena, key, 4, tets->count, (int)m->msh->nodes, &order);
    for (int64_t k = 0, first = 0; !error && k < tets->count; k++) {
        if (memcmp(key + 4 * (int64_t)order[k], key + 4 * (int64_t)order[first], 4 * sizeof *key) != 0)
            first = k;
        m->element[order[k]] = order[first];
    }
    return error;
}

// Numbers the remaining tetrahedra and fills the definition with them; nodes are still those of the file.
static vs_error take_elements(maker *m) {
    const vs_msh_cells *tets = m->msh->cell + 3;
    m->element = VS_NEW(m->arena, int, tets->count);
    m->element_label = VS_NEW(m->arena, int64_t, tets->count);
    int *element = VS_NEW(m->arena, int, tets->width * tets->count), *tag = VS_NEW(m->arena, int, tets->count);
    if (!m->element || !m->element_label || !element || !tag)
        return VS_ERROR_MEMORY;
    vs_error error = m->msh->version == 2 ? match_repeated(m) : VS_OK;
    int count = 0;
    for (int64_t k = 0; !error && k < tets->count; k++) {
        const int *groups;
        if (m->msh->version == 2 && m->element[k] != k) {
            m->element[k] = m->element[m->element[k]]; // lower, and numbered already
            continue;
        }
        memcpy(element + tets->width * (int64_t)count, tets->node + tets->width * k,
               (size_t)tets->width * sizeof *element);
        tag[count] = groups_of(m->msh, tets, k, &groups) > 0 ? groups[0] : 0;
        m->element_label[count] = tets->number[k];
        m->element[k] = count++;
    }
    m->def.elements = count;
    m->def.nodes = tets->width;
    m->def.element = m->node = element;
    m->def.tag = tag;
    return error;
}

static vs_error take_vertices(maker *m, double scale) {
    const vs_msh *msh = m->msh;
    int *element = m->node;
    const int64_t count = m->def.nodes * (int64_t)m->def.elements;
    m->vertex = VS_NEW(m->arena, int, msh->nodes);
    m->vertex_label = VS_NEW(m->arena, int64_t, msh->nodes);
    vs_vec3 *vertex = VS_NEW(m->arena, vs_vec3, msh->nodes);
    if (!m->vertex || !m->vertex_label || !vertex)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < msh->nodes; k++)
        m->vertex[k] = -1;
    for (int64_t k = 0; k < count; k++)
        m->vertex[element[k]] = 0;
    int used = 0;
    for (int64_t k = 0; k < msh->nodes; k++) {
        if (m->vertex[k] < 0)
            continue;
        vertex[used] = vs_scale(scale, msh->vertex[k]);
        m->vertex_label[used] = msh->number[k];
        m->vertex[k] = used++;
    }
    for (int64_t k = 0; k < count; k++)
        element[k] = m->vertex[element[k]];
    for (int64_t k = 0; m->def.nodes == 10 && k < m->def.elements; k++) {
        const int last = element[10 * k + 9];
        element[10 * k + 9] = element[10 * k + 8];
        element[10 * k + 8] = last;
    }
    m->def.vertices = used;
    m->def.vertex = vertex;
    return VS_OK;
}

// ---- groups ----------------------------------------------------------------------------------------

// All groups that have elements, each once; a run of elements of the same group is visited once.
static vs_error list_groups(maker *m) {
    int64_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        count = 0;
        for (int d = 0; d < 4; d++) {
            const vs_msh_cells *cells = m->msh->cell + d;
            for (int64_t k = 0; k < cells->count; k++) {
                const int *tag = NULL;
                if (k > 0 && cells->group[k] == cells->group[k - 1])
                    continue;
                const int groups = groups_of(m->msh, cells, k, &tag);
                for (int g = 0; pass && g < groups; g++)
                    m->group[count + g] = (group){.dimension = d, .tag = tag[g]};
                count += groups;
            }
        }
        if (!pass && !(m->group = VS_NEW(m->arena, group, count)))
            return VS_ERROR_MEMORY;
    }
    qsort(m->group, (size_t)count, sizeof *m->group, compare_groups);
    for (int64_t k = 0; k < count; k++)
        if (m->groups == 0 || compare_groups(m->group + k, m->group + m->groups - 1) != 0)
            m->group[m->groups++] = m->group[k];
    return VS_OK;
}

static vs_error name_group(maker *m, group *g) {
    static const char *const kind[4] = {"point", "curve", "surface", "volume"};
    enum { LONGEST = 24 };
    const vs_msh_name key = {.dimension = g->dimension, .tag = g->tag};
    const vs_msh_name *found =
        m->msh->names == 0 ? NULL
                           : bsearch(&key, m->msh->named, (size_t)m->msh->names, sizeof key, vs_msh_compare_named);
    if (found && found->text[0]) {
        g->text = found->text;
        return VS_OK;
    }
    char *text = VS_NEW(m->arena, char, LONGEST);
    if (!text)
        return VS_ERROR_MEMORY;
    (void)snprintf(text, LONGEST, "%s %d", kind[g->dimension], g->tag);
    g->text = text;
    return VS_OK;
}

static vs_error name_groups(maker *m) {
    text_of *sorted = VS_NEW(m->arena, text_of, m->groups);
    vs_error error = sorted ? VS_OK : VS_ERROR_MEMORY;
    for (int k = 0; !error && k < m->groups; k++)
        if (!(error = name_group(m, m->group + k)))
            sorted[k] = (text_of){m->group[k].text, k};
    if (error)
        return error;
    qsort(sorted, (size_t)m->groups, sizeof *sorted, compare_texts);
    for (int k = 0; k < m->groups; k++) {
        m->names += k == 0 || strcmp(sorted[k].text, sorted[k - 1].text) != 0;
        m->group[sorted[k].group].name = m->names - 1;
    }
    return VS_OK;
}

static void warn_of_empty(const maker *m) {
    for (int64_t k = 0; k < m->msh->names; k++) {
        const vs_msh_name *name = m->msh->named + k;
        const group key = {.dimension = name->dimension, .tag = name->tag};
        if (!bsearch(&key, m->group, (size_t)m->groups, sizeof key, compare_groups))
            vs_log(m->arena->context, VS_LOG_WARNING, "%s: the physical group '%s' is empty", m->msh->name, name->text);
    }
}

// ---- members ---------------------------------------------------------------------------------------

static vs_error add_vertices(maker *m, const vs_msh_cells *cells, int64_t k, const group *g, bool store) {
    for (int c = 0; c < cells->width; c++) {
        const int node = cells->node[cells->width * k + c];
        if (node < 0)
            continue;
        if (m->vertex[node] < 0)
            return vs_fail(m->arena->context, VS_ERROR_DATA,
                           "%s, element %" PRId64 " of the physical group '%s': its node %" PRId64
                           " belongs to no tetrahedron",
                           m->msh->name, cells->number[k], g->text, m->msh->number[node]);
        if (store)
            m->member[m->members] = (member){VS_MESH_SET_VERTICES, g->name, m->vertex[node]};
        m->members++;
    }
    return VS_OK;
}

static vs_error add_members(maker *m, int d, int64_t k, bool store) {
    const vs_msh_cells *cells = m->msh->cell + d;
    const int *tag, count = groups_of(m->msh, cells, k, &tag);
    for (int j = 0; j < count; j++) {
        const group key = {.dimension = d, .tag = tag[j]};
        const group *g = bsearch(&key, m->group, (size_t)m->groups, sizeof key, compare_groups);
        vs_error error = d < 3 ? add_vertices(m, cells, k, g, store) : VS_OK;
        if (error)
            return error;
        if (d < 2)
            continue;
        if (store)
            m->member[m->members] = d == 2 ? (member){VS_MESH_SET_FACES, g->name, (int)k}
                                           : (member){VS_MESH_SET_ELEMENTS, g->name, m->element[k]};
        m->members++;
    }
    return VS_OK;
}

static vs_error list_members(maker *m) {
    for (int pass = 0; pass < 2; pass++) {
        m->members = 0;
        for (int d = 0; d < 4; d++)
            for (int64_t k = 0; k < m->msh->cell[d].count; k++) {
                vs_error error = add_members(m, d, k, pass == 1);
                if (error)
                    return error;
            }
        if (!pass && !(m->member = VS_NEW(m->arena, member, m->members)))
            return VS_ERROR_MEMORY;
    }
    qsort(m->member, (size_t)m->members, sizeof *m->member, compare_members);
    int64_t kept = 0;
    for (int64_t k = 0; k < m->members; k++)
        if (kept == 0 || compare_members(m->member + k, m->member + kept - 1) != 0)
            m->member[kept++] = m->member[k];
    m->members = kept;
    return VS_OK;
}

// The set of count members from `first` on.
static vs_error make_set(maker *m, const group *g, int64_t first, int count, vs_mesh_set_def *set) {
    const int width = m->member[first].kind == VS_MESH_SET_FACES ? 3 : 1;
    const vs_msh_cells *triangles = m->msh->cell + 2;
    int *item = VS_NEW(m->arena, int, width *(int64_t)count);
    if (!item)
        return VS_ERROR_MEMORY;
    for (int64_t k = 0; k < count; k++) {
        const int found = m->member[first + k].item;
        for (int c = 0; c < width; c++)
            item[width * k + c] =
                width == 1 ? found : m->vertex[triangles->node[triangles->width * (int64_t)found + c]];
    }
    *set = (vs_mesh_set_def){(vs_mesh_set_kind)m->member[first].kind, g->text, g->tag, count, item};
    return VS_OK;
}

static vs_error make_sets(maker *m) {
    const group **of_name = VS_NEW(m->arena, const group *, m->names);
    vs_mesh_set_def *set = VS_NEW(m->arena, vs_mesh_set_def, 3 * (int64_t)m->names);
    vs_error error = of_name && set ? VS_OK : VS_ERROR_MEMORY;
    for (int k = m->groups - 1; !error && k >= 0; k--)
        of_name[m->group[k].name] = m->group + k; // the lowest in the end
    int64_t next;
    for (int64_t k = 0; !error && k < m->members; k = next) {
        const member *first = m->member + k;
        next = k + 1;
        while (next < m->members && m->member[next].kind == first->kind && m->member[next].name == first->name)
            next++;
        error = make_set(m, of_name[first->name], k, (int)(next - k), set + m->def.sets++);
    }
    m->def.set = set;
    return error;
}

vs_error vs_msh_build(vs_msh *msh, double scale, vs_mesh **mesh) {
    char begin[512];
    maker m = {.msh = msh, .arena = msh->arena, .def = vs_mesh_def_default()};
    vs_error error;
    if ((error = take_elements(&m)) || (error = take_vertices(&m, scale)) || (error = list_groups(&m)) ||
        (error = name_groups(&m)) || (error = list_members(&m)) || (error = make_sets(&m)))
        return error;
    warn_of_empty(&m);
    (void)snprintf(begin, sizeof begin, "%s: ", msh->name);
    const vs_mesh_labels labels = {.begin = begin, .element = m.element_label, .vertex = m.vertex_label};
    return vs_mesh_build(msh->arena->context, &m.def, &labels, mesh);
}
