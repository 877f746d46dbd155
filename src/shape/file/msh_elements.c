// Nodes and elements of a gmsh file, 2.2 and 4.1 (msh.c has the formats).
//
// Elements name their nodes by number, in any order and with gaps; here they become indices. Points, lines and
// triangles are kept if they belong to a group, tetrahedra always.
#include "shape/file/msh_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TYPES = 32 };

// Dimension and nodes of the types of elements, by their number.
static const struct {
    int dimension, nodes;
} TYPE[TYPES] = {
    {-1, 0}, {1, 2},  {2, 3},  {2, 4},  {3, 4}, {3, 8}, {3, 6},  {3, 5},  {1, 3},  {2, 6},  {2, 9},
    {3, 10}, {3, 27}, {3, 18}, {3, 14}, {0, 1}, {2, 8}, {3, 20}, {3, 15}, {3, 13}, {2, 9},  {2, 10},
    {2, 12}, {2, 15}, {2, 15}, {2, 21}, {1, 4}, {1, 5}, {1, 6},  {3, 20}, {3, 35}, {3, 56},
};
enum { LINE = 1, TRIANGLE = 2, TET = 4, LINE_3 = 8, TRIANGLE_6 = 9, TET_10 = 11, POINT = 15 };

static bool is_known(int type) {
    return type == LINE || type == TRIANGLE || type == TET || type == LINE_3 || type == TRIANGLE_6 || type == TET_10 ||
           type == POINT;
}

// ---- nodes -----------------------------------------------------------------------------------------

static int compare_numbers(const void *a, const void *b) {
    const vs_msh_number *p = a, *q = b;
    return (p->number > q->number) - (p->number < q->number);
}

static void add_node(vs_msh *msh, int64_t number, int64_t at) {
    if (msh->filling) {
        msh->number[at] = number;
        msh->by_number[at] = (vs_msh_number){number, (int)at};
    }
}

static vs_error read_place(vs_msh *msh, int64_t at) {
    double x[3] = {0};
    for (int k = 0; k < 3; k++) {
        vs_error error = vs_msh_double(msh, "a finite number", x + k);
        if (error)
            return error;
    }
    if (msh->filling)
        msh->vertex[at] = (vs_vec3){x[0], x[1], x[2]};
    return VS_OK;
}

static vs_error read_nodes_2(vs_msh *msh) {
    int64_t count;
    vs_error error = vs_msh_count_line(msh, "the number of nodes", &count);
    if (error || (error = vs_msh_check_room(msh, count, 8, 28, "nodes")))
        return error;
    for (int64_t k = 0; k < count; k++, msh->nodes++) {
        int number = 0;
        vs_msh_begin_line(msh);
        if ((error = vs_msh_int(msh, "a node's number", &number)) || (error = read_place(msh, msh->nodes)) ||
            (error = vs_msh_end_line(msh)))
            return error;
        add_node(msh, number, msh->nodes);
    }
    return VS_OK;
}

// Parametric coordinates follow those in space if the block says so.
static vs_error read_block_places(vs_msh *msh, int64_t count, int extra) {
    for (int64_t k = 0; k < count; k++, msh->nodes++) {
        double unused;
        vs_msh_begin_line(msh);
        vs_error error = read_place(msh, msh->nodes);
        for (int j = 0; !error && j < extra; j++)
            error = vs_msh_double(msh, "a finite number", &unused);
        if (error || (error = vs_msh_end_line(msh)))
            return error;
    }
    return VS_OK;
}

static vs_error read_node_block(vs_msh *msh) {
    int dimension = 0, tag = 0, parametric = 0;
    int64_t count = 0, number = 0;
    vs_msh_begin_line(msh);
    const vs_scan before = msh->scan;
    vs_error error;
    if ((error = vs_msh_int(msh, "a dimension", &dimension)) || (error = vs_msh_int(msh, "an entity", &tag)) ||
        (error = vs_msh_int(msh, "0 or 1", &parametric)) || (error = vs_msh_size(msh, "the number of nodes", &count)) ||
        (error = vs_msh_end_line(msh)))
        return error;
    if (dimension < 0 || dimension > 3 || parametric < 0 || parametric > 1)
        return vs_msh_fail_at(msh, before, "a dimension from 0 to 3, an entity, 0 or 1, and the number of nodes");
    if ((error = vs_msh_check_room(msh, count, 8, 32, "nodes")))
        return error;
    for (int64_t k = 0; k < count; k++) {
        vs_msh_begin_line(msh);
        if ((error = vs_msh_size(msh, "a node's number", &number)) || (error = vs_msh_end_line(msh)))
            return error;
        add_node(msh, number, msh->nodes + k);
    }
    return read_block_places(msh, count, parametric ? dimension : 0);
}

// Head of nodes and elements in 4.1: number of blocks, total count, least and greatest number.
static vs_error read_block_counts(vs_msh *msh, const char *what, int64_t *blocks, int64_t *count) {
    int64_t unused;
    vs_error error;
    vs_msh_begin_line(msh);
    if ((error = vs_msh_size(msh, "the number of blocks", blocks)) || (error = vs_msh_size(msh, what, count)) ||
        (error = vs_msh_size(msh, "the least number", &unused)) ||
        (error = vs_msh_size(msh, "the greatest number", &unused)) || (error = vs_msh_end_line(msh)))
        return error;
    // Least bytes of a block, text and binary, and of a node or element.
    error = vs_msh_check_room(msh, *blocks, 8, 20, "blocks");
    return error ? error : vs_msh_check_room(msh, *count, 4, 16, what);
}

static vs_error check_total(const vs_msh *msh, int64_t said, int64_t found, const char *what) {
    if (said == found)
        return VS_OK;
    return vs_fail(msh->arena->context, VS_ERROR_DATA,
                   "%s: the file declares %" PRId64 " %s, but its blocks have %" PRId64, msh->name, said, what, found);
}

static vs_error read_nodes_4(vs_msh *msh) {
    int64_t blocks = 0, count = 0;
    vs_error error = read_block_counts(msh, "nodes", &blocks, &count);
    for (int64_t k = 0; !error && k < blocks; k++)
        error = read_node_block(msh);
    return error ? error : check_total(msh, count, msh->nodes, "nodes");
}

vs_error vs_msh_read_nodes(vs_msh *msh) {
    if (msh->nodes > 0)
        return vs_msh_fail(msh, "no second $Nodes");
    vs_error error = msh->version == 2 ? read_nodes_2(msh) : read_nodes_4(msh);
    if (error || !msh->filling)
        return error;
    qsort(msh->by_number, (size_t)msh->nodes, sizeof *msh->by_number, compare_numbers);
    for (int64_t k = 1; k < msh->nodes; k++)
        if (msh->by_number[k].number == msh->by_number[k - 1].number)
            return vs_fail(msh->arena->context, VS_ERROR_DATA, "%s: there are two nodes %" PRId64, msh->name,
                           msh->by_number[k].number);
    return VS_OK;
}

// -1: there is no such node. Numbers are mostly 1, 2, 3, …: that position is tried first.
static int find_node(const vs_msh *msh, int64_t number) {
    if (msh->nodes == 0)
        return -1;
    const int64_t guess = number - msh->by_number[0].number;
    if (guess >= 0 && guess < msh->nodes && msh->by_number[guess].number == number)
        return msh->by_number[guess].index;
    const vs_msh_number key = {number, 0};
    const vs_msh_number *found = bsearch(&key, msh->by_number, (size_t)msh->nodes, sizeof key, compare_numbers);
    return found ? found->index : -1;
}

// ---- elements --------------------------------------------------------------------------------------

static vs_error check_type(const vs_msh *msh, vs_scan at, int type) {
    char expected[96];
    if (type < 1 || type >= TYPES)
        (void)snprintf(expected, sizeof expected, "a known type of element (is %d)", type);
    else if (TYPE[type].dimension == 3 && !is_known(type))
        (void)snprintf(expected, sizeof expected, "tetrahedra of 4 or 10 nodes only (type 4 or 11, is %d)", type);
    else
        return VS_OK;
    return vs_msh_fail_at(msh, at, expected);
}

// Reads the nodes of an element and keeps it if it is wanted.
static vs_error read_element(vs_msh *msh, int type, int64_t number, int group) {
    const int dimension = TYPE[type].dimension, nodes = TYPE[type].nodes;
    const bool wanted = is_known(type) && (group != 0 || dimension == 3);
    vs_msh_cells *cells = msh->cell + dimension;
    int *node = msh->filling && wanted ? cells->node + cells->width * cells->count : NULL;
    for (int k = 0; k < nodes; k++) {
        int short_number = 0;
        int64_t node_number = 0;
        if (!msh->binary)
            vs_scan_blanks(&msh->scan, false);
        const vs_scan before = msh->scan;
        vs_error error = msh->version == 2 ? vs_msh_int(msh, "a node's number", &short_number)
                                           : vs_msh_size(msh, "a node's number", &node_number);
        if (error)
            return error;
        if (msh->version == 2)
            node_number = short_number;
        if (node && (node[k] = find_node(msh, node_number)) < 0)
            return vs_msh_fail_at(msh, before, "a node of the file");
    }
    for (int k = nodes; node && k < cells->width; k++)
        node[k] = -1;
    if (!msh->filling && dimension == 3)
        msh->tets[type == TET_10]++;
    if (node) {
        cells->number[cells->count] = number;
        cells->group[cells->count] = group;
    }
    cells->count += wanted || (!msh->filling && is_known(type)); // groups are not known yet while counting
    return vs_msh_end_line(msh);
}

// Quadrangles are supported only outside groups, where they are ignored.
static vs_error check_wanted(const vs_msh *msh, vs_scan at, int type, int group) {
    if (is_known(type) || group == 0)
        return VS_OK;
    return vs_msh_fail_at(msh, at, "only points, lines and triangles of order 1 or 2 in physical groups");
}

static vs_error read_tags(vs_msh *msh, int count, int *group) {
    *group = 0;
    for (int k = 0; k < count; k++) {
        int tag = 0;
        vs_error error = vs_msh_int(msh, "a tag", &tag);
        if (error)
            return error;
        if (k == 0)
            *group = abs(tag); // negative: the surface has the opposite orientation
    }
    return VS_OK;
}

static vs_error read_elements_2_text(vs_msh *msh, int64_t count) {
    for (int64_t k = 0; k < count; k++) {
        int number = 0, type = 0, tags = 0, group;
        vs_error error;
        vs_msh_begin_line(msh);
        const vs_scan before = msh->scan;
        if ((error = vs_msh_int(msh, "an element's number", &number)) || (error = vs_msh_int(msh, "its type", &type)) ||
            (error = check_type(msh, before, type)) || (error = vs_msh_int(msh, "the number of tags", &tags)) ||
            (error = read_tags(msh, tags, &group)) || (error = check_wanted(msh, before, type, group)) ||
            (error = read_element(msh, type, number, group)))
            return error;
    }
    return VS_OK;
}

static vs_error read_elements_2_binary(vs_msh *msh, int64_t count) {
    for (int64_t done = 0; done < count;) {
        int type = 0, follow = 0, tags = 0, number = 0, group;
        vs_error error;
        const vs_scan before = msh->scan;
        if ((error = vs_msh_int(msh, "a type of elements", &type)) || (error = check_type(msh, before, type)) ||
            (error = vs_msh_int(msh, "the number of elements", &follow)) ||
            (error = vs_msh_int(msh, "the number of tags", &tags)))
            return error;
        if (follow < 1 || follow > count - done || tags < 0)
            return vs_msh_fail_at(msh, before, "no more elements than the section has, and their tags");
        for (int k = 0; k < follow; k++)
            if ((error = vs_msh_int(msh, "an element's number", &number)) || (error = read_tags(msh, tags, &group)) ||
                (error = check_wanted(msh, before, type, group)) || (error = read_element(msh, type, number, group)))
                return error;
        done += follow;
    }
    return VS_OK;
}

static vs_error read_elements_2(vs_msh *msh) {
    int64_t count;
    vs_error error = vs_msh_count_line(msh, "the number of elements", &count);
    if (error || (error = vs_msh_check_room(msh, count, 8, 8, "elements")))
        return error;
    return msh->binary ? read_elements_2_binary(msh, count) : read_elements_2_text(msh, count);
}

// The entity + 1 if it is in a group.
static int find_entity(const vs_msh *msh, int dimension, int tag) {
    const vs_msh_entity key = {.dimension = dimension, .tag = tag};
    if (!msh->filling || msh->entities == 0)
        return 0;
    const vs_msh_entity *found = bsearch(&key, msh->entity, (size_t)msh->entities, sizeof key, vs_msh_compare_entities);
    return found && found->count > 0 ? (int)(found - msh->entity) + 1 : 0;
}

static vs_error read_element_block(vs_msh *msh, int64_t *total) {
    int dimension = 0, tag = 0, type = 0;
    int64_t count = 0, number = 0;
    vs_error error;
    vs_msh_begin_line(msh);
    const vs_scan before = msh->scan;
    if ((error = vs_msh_int(msh, "a dimension", &dimension)) || (error = vs_msh_int(msh, "an entity", &tag)) ||
        (error = vs_msh_int(msh, "a type of elements", &type)) || (error = check_type(msh, before, type)) ||
        (error = vs_msh_size(msh, "the number of elements", &count)) || (error = vs_msh_end_line(msh)))
        return error;
    if (dimension != TYPE[type].dimension)
        return vs_msh_fail_at(msh, before, "a type of elements of the entity's dimension");
    const int group = find_entity(msh, dimension, tag);
    if ((error = check_wanted(msh, before, type, group)) || (error = vs_msh_check_room(msh, count, 4, 16, "elements")))
        return error;
    for (int64_t k = 0; k < count; k++) {
        vs_msh_begin_line(msh);
        if ((error = vs_msh_size(msh, "an element's number", &number)) ||
            (error = read_element(msh, type, number, group)))
            return error;
    }
    *total += count;
    return VS_OK;
}

static vs_error read_elements_4(vs_msh *msh) {
    int64_t blocks = 0, count = 0, total = 0;
    vs_error error = read_block_counts(msh, "elements", &blocks, &count);
    for (int64_t k = 0; !error && k < blocks; k++)
        error = read_element_block(msh, &total);
    return error ? error : check_total(msh, count, total, "elements");
}

vs_error vs_msh_read_elements(vs_msh *msh) {
    if (msh->nodes == 0)
        return vs_msh_fail(msh, "$Nodes before $Elements");
    if (msh->cell[0].count + msh->cell[1].count + msh->cell[2].count + msh->cell[3].count > 0)
        return vs_msh_fail(msh, "no second $Elements");
    return msh->version == 2 ? read_elements_2(msh) : read_elements_4(msh);
}
