// Impulses found again by their keys, those of contacts in world axes: see impulse_memory.h.
#include "step/problem/impulse_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

// An impulse goes to a new contact within this share of the smaller shape's size: points of contact move by about as much
// when other features meet.
static const double NEAR = .1;

enum { FORCES = 3 }; // rows of a contact, at most; the following ones are moments
enum { FEW = 8 };    // impulses of a pair that are looked at one after the other

void vs_impulse_memory_release(vs_context *context, vs_impulse_memory *memory) {
    VS_ARRAY_RELEASE(context, &memory->impulse);
    VS_ARRAY_RELEASE(context, &memory->spare);
    VS_ARRAY_RELEASE(context, &memory->start_lambda);
    VS_ARRAY_RELEASE(context, &memory->start_g);
    VS_ARRAY_RELEASE(context, &memory->taken);
    VS_ARRAY_RELEASE(context, &memory->lost);
    VS_ARRAY_RELEASE(context, &memory->fresh);
}

int vs_impulse_compare(const vs_impulse *a, const vs_impulse *b) {
    if (a->mark.pair != b->mark.pair)
        return a->mark.pair < b->mark.pair ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

static int compare(const void *a, const void *b) {
    return vs_impulse_compare(a, b);
}

void vs_impulse_memory_sort(vs_impulse_memory *memory) {
    if (memory->impulse.count > 0)
        qsort(memory->impulse.data, (size_t)memory->impulse.count, sizeof *memory->impulse.data, compare);
}

// The end of the ascending run that begins there.
static int64_t run_end(const vs_impulse *impulse, int64_t begin, int64_t count) {
    int64_t end = begin + 1;
    while (end < count && vs_impulse_compare(&impulse[end - 1], &impulse[end]) <= 0)
        end++;
    return end < count ? end : count;
}

// from[begin … end - 1] to `to`, where its runs, which meet at `middle`, are merged.
static void merge(const vs_impulse *from, int64_t begin, int64_t middle, int64_t end, vs_impulse *to) {
    int64_t a = begin, b = middle;
    for (int64_t k = begin; k < end; k++)
        to[k] = a < middle && (b >= end || vs_impulse_compare(&from[a], &from[b]) <= 0) ? from[a++] : from[b++];
}

// The spare array and the impulses, which it has in order.
static void exchange(vs_impulse_memory *memory) {
    vs_impulse *data = memory->impulse.data;
    const int64_t capacity = memory->impulse.capacity;
    memory->impulse.data = memory->spare.data, memory->impulse.capacity = memory->spare.capacity;
    memory->spare.data = data, memory->spare.capacity = capacity;
}

// A natural merge sort: contacts, bounded and bilateral rows are sorted each for themselves.
static void sort_runs(vs_impulse_memory *memory) {
    const int64_t count = memory->impulse.count;
    while (run_end(memory->impulse.data, 0, count) < count) {
        const vs_impulse *from = memory->impulse.data;
        for (int64_t begin = 0, middle, end; begin < count; begin = end) {
            middle = run_end(from, begin, count);
            end = middle < count ? run_end(from, middle, count) : count;
            merge(from, begin, middle, end, memory->spare.data);
        }
        exchange(memory);
    }
}

vs_error vs_impulse_memory_list_contacts(const vs_impulse_memory *memory, vs_step_contacts *contacts,
                                         vs_context *context) {
    vs_error error = VS_RESERVE(context, &contacts->former, memory->impulse.count);
    contacts->former.count = 0;
    for (int64_t k = 0; k < memory->impulse.count && !error; k++) {
        const vs_contact_mark *mark = &memory->impulse.data[k].mark;
        if (mark->bodies != 0 && mark->feature != VS_FEATURE_NONE)
            contacts->former.data[contacts->former.count++] = (vs_former_contact){mark->pair, mark->feature};
    }
    return error;
}

const vs_impulse *vs_impulse_memory_find(const vs_impulse_memory *memory, uint64_t pair, uint64_t key) {
    const vs_impulse wanted = {.key = key, .mark.pair = pair}, *all = memory->impulse.data;
    const int64_t count = memory->impulse.count;
    if (count == 0 || pair < all[0].mark.pair)
        return NULL;
    int64_t k = vs_find_first(&all[0].mark.pair, count, sizeof *all, pair);
    for (int next = 0; next < FEW && k < count && vs_impulse_compare(&all[k], &wanted) < 0; next++)
        k++;
    if (k == count || vs_impulse_compare(&all[k], &wanted) > 0)
        return NULL;
    if (vs_impulse_compare(&all[k], &wanted) == 0)
        return &all[k];
    return bsearch(&wanted, all + k, (size_t)(count - k), sizeof wanted, compare);
}

// The key of row i of a group that is not a contact.
static uint64_t row_key(const vs_row_group *group, int i) {
    return group->key + (uint64_t)(group->first + i);
}

static void recall_rows(const vs_impulse_memory *memory, const vs_row_group *group, double *x) {
    for (int i = 0; i < group->rows; i++) {
        const vs_impulse *last = vs_impulse_memory_find(memory, 0, row_key(group, i));
        x[i] = last ? last->impulse.x : 0;
    }
}

// The key of the moment of a contact.
static uint64_t moment_key(uint64_t key) {
    return ~key;
}

// The axis of row i of a contact: forces along n, u and w, then moments about u and w if it has rolling friction, and about
// n if it has spinning friction.
static vs_vec3 axis_of(const vs_row_group *group, const vs_contact_rows *contacts, int i) {
    const vs_vec3 *axis = contacts->frame.data + 3 * (int64_t)group->source;
    if (i == FORCES + 1 && group->rolling > 0)
        return vs_cross(axis[0], axis[1]); // w without a stretch
    return axis[i < FORCES ? i : group->rolling > 0 && i == FORCES ? 1 : 0];
}

// Adds a force or a moment, in rows from `first` to below `end`, in the axes of a contact.
static void add_turned(const vs_row_group *group, const vs_contact_rows *contacts, vs_vec3 impulse, int first, int end,
                       double *x) {
    const double stretch = contacts->stretch.data[group->source];
    for (int i = first; i < group->rows && i < end; i++)
        x[i] += vs_dot(impulse, axis_of(group, contacts, i)) / (i == 2 && stretch != 1 ? stretch * stretch : 1);
}

// The sum of a contact's rows in world axes.
static vs_vec3 sum_rows(const vs_row_group *group, const vs_contact_rows *contacts, int first, int end,
                        const double *x) {
    vs_vec3 sum = VS_ZERO3;
    for (int i = first; i < group->rows && i < end; i++)
        sum = vs_add_scaled(sum, x[i], axis_of(group, contacts, i));
    return sum;
}

static void recall_moment(const vs_impulse_memory *memory, const vs_row_group *group, const vs_contact_rows *contacts,
                          double *x) {
    const vs_contact_mark *mark = &contacts->mark.data[group->source];
    const vs_impulse *last = vs_impulse_memory_find(memory, mark->pair, moment_key(group->key));
    if (last)
        add_turned(group, contacts, last->impulse, FORCES, group->rows, x);
}

static void recall_contact(vs_impulse_memory *memory, const vs_row_groups *groups, int64_t k,
                           const vs_contact_rows *contacts, double *x) {
    const vs_row_group *group = &groups->group.data[k];
    const vs_contact_mark *mark = &contacts->mark.data[group->source];
    const vs_impulse *last = vs_impulse_memory_find(memory, mark->pair, group->key);
    if (!last)
        last = vs_impulse_memory_find(memory, 0, group->key); // of a checkpoint of the first release: without a pair
    memset(x, 0, sizeof *x * (size_t)group->rows);
    if (last) {
        memory->taken.data[last - memory->impulse.data] = true;
        add_turned(group, contacts, last->impulse, 0, FORCES, x);
        if (group->rows > FORCES)
            recall_moment(memory, group, contacts, x);
    } else if (mark->bodies != 0) {
        memory->fresh.data[memory->fresh.count++] = (vs_impulse_place){mark->bodies, k};
    }
}

// ---- contacts that are gone ------------------------------------------------------------------------

static int compare_places(const void *a, const void *b) {
    const vs_impulse_place *p = a, *q = b;
    if (p->bodies != q->bodies)
        return p->bodies < q->bodies ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

static void sort_places(vs_impulse_place *place, int64_t count) {
    if (count > 1)
        qsort(place, (size_t)count, sizeof *place, compare_places);
}

static void find_lost(vs_impulse_memory *memory) {
    memory->lost.count = 0;
    for (int64_t k = 0; k < memory->impulse.count; k++) {
        const vs_impulse *impulse = &memory->impulse.data[k];
        if (!memory->taken.data[k] && impulse->mark.bodies != 0 && vs_dot(impulse->impulse, impulse->impulse) > 0)
            memory->lost.data[memory->lost.count++] = (vs_impulse_place){impulse->mark.bodies, k};
    }
    sort_places(memory->lost.data, memory->lost.count);
    sort_places(memory->fresh.data, memory->fresh.count);
}

// The nearest of the new contacts `place` of two bodies; null: none is near.
static const vs_row_group *find_nearest(const vs_impulse *last, const vs_impulse_place *place, int64_t count,
                                        const vs_row_groups *groups, const vs_contact_rows *contacts) {
    const vs_row_group *nearest = NULL;
    double least = INFINITY;
    for (int64_t k = 0; k < count; k++) {
        const vs_row_group *group = &groups->group.data[place[k].index];
        double far = vs_length(vs_subtract(contacts->mark.data[group->source].point, last->mark.point));
        if (far < least && far <= NEAR * contacts->size.data[group->source]) {
            least = far;
            nearest = group;
        }
    }
    return nearest;
}

// Each impulse goes to one contact: the sum over two bodies does not grow.
static void pass_on(vs_impulse_memory *memory, const vs_row_groups *groups, const vs_contact_rows *contacts) {
    const vs_impulse_place *fresh = memory->fresh.data;
    int64_t begin = 0, end = 0;
    for (int64_t k = 0; k < memory->lost.count; k++) {
        const vs_impulse *last = &memory->impulse.data[memory->lost.data[k].index];
        while (begin < memory->fresh.count && fresh[begin].bodies < last->mark.bodies)
            begin++;
        for (end = begin; end < memory->fresh.count && fresh[end].bodies == last->mark.bodies;)
            end++;
        const vs_row_group *to = find_nearest(last, fresh + begin, end - begin, groups, contacts);
        if (to)
            add_turned(to, contacts, last->impulse, 0, FORCES, memory->start_lambda.data + to->row);
    }
}

// ---- all -------------------------------------------------------------------------------------------

static vs_error reserve(vs_impulse_memory *memory, const vs_row_groups *groups, vs_context *context) {
    vs_error error = VS_RESERVE(context, &memory->start_lambda, groups->m);
    if (!error)
        error = VS_RESERVE(context, &memory->start_g, groups->m_e);
    if (!error)
        error = VS_RESERVE(context, &memory->taken, memory->impulse.count);
    if (!error)
        error = VS_RESERVE(context, &memory->lost, memory->impulse.count);
    if (!error)
        error = VS_RESERVE(context, &memory->fresh, groups->group.count);
    return error;
}

vs_error vs_impulse_memory_recall(vs_impulse_memory *memory, const vs_row_groups *groups,
                                  const vs_contact_rows *contacts, vs_context *context) {
    vs_error error = reserve(memory, groups, context);
    if (error)
        return error;
    memset(memory->taken.data, 0, sizeof *memory->taken.data * (size_t)memory->impulse.count);
    memory->fresh.count = 0;
    for (int64_t k = 0; k < groups->group.count; k++) {
        const vs_row_group *group = &groups->group.data[k];
        double *x = group->kind == VS_GROUP_JOINT ? memory->start_g.data : memory->start_lambda.data;
        if (vs_row_group_is_contact(group))
            recall_contact(memory, groups, k, contacts, x + group->row);
        else
            recall_rows(memory, group, x + group->row);
    }
    find_lost(memory);
    pass_on(memory, groups, contacts);
    return VS_OK;
}

vs_error vs_impulse_memory_store(vs_impulse_memory *memory, const vs_row_groups *groups,
                                 const vs_contact_rows *contacts, const vs_result *result, vs_context *context) {
    vs_error error = VS_RESERVE(context, &memory->impulse, groups->m + groups->m_e);
    if (!error)
        error = VS_RESERVE(context, &memory->spare, groups->m + groups->m_e);
    if (error)
        return error;
    vs_impulse *impulse = memory->impulse.data;
    int64_t count = 0;
    for (int64_t k = 0; k < groups->group.count; k++) {
        const vs_row_group *group = &groups->group.data[k];
        const double *x = vs_row_group_impulses(group, result);
        if (vs_row_group_is_contact(group)) {
            const vs_contact_mark *mark = &contacts->mark.data[group->source];
            impulse[count++] = (vs_impulse){group->key, sum_rows(group, contacts, 0, FORCES, x), *mark};
            if (group->rows > FORCES)
                impulse[count++] = (vs_impulse){moment_key(group->key),
                                                sum_rows(group, contacts, FORCES, group->rows, x),
                                                {.pair = mark->pair, .feature = VS_FEATURE_NONE}};
            continue;
        }
        for (int i = 0; i < group->rows; i++)
            impulse[count++] = (vs_impulse){.key = row_key(group, i), .impulse = {.x = x[i]}};
    }
    memory->impulse.count = count;
    sort_runs(memory);
    return VS_OK;
}

void vs_impulse_memory_scale(vs_impulse_memory *memory, double factor) {
    for (int64_t k = 0; k < memory->impulse.count; k++)
        memory->impulse.data[k].impulse = vs_scale(factor, memory->impulse.data[k].impulse);
}
