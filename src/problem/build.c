// A problem from blocks (bodies), contacts, joints and bounds, added one by one.
//
// Each call is validated and stored at once in the form the problem keeps: a contact or joint is one dense matrix over
// the ascending columns of the blocks it touches, Jacobians of a block that is named twice are added. Finishing only
// copies. Blocks of more than 12 unknowns (elastic bodies) have sparse H, and only the columns that a contact
// touches; of smaller ones all columns stay, so that the pattern does not depend on the pose.
// A failed call adds nothing and is remembered: finishing returns the first failure.
#include "problem/builder_data.h"

#include <stdio.h>
#include <string.h>

#include "base/vector.h"
#include "problem/validate.h"

enum { DENSE_DOFS = 12 };

// Fields shared by contacts, joints and bounds.
typedef struct group_def {
    vs_where where;
    vs_cone_kind kind;
    int rows, blocks;
    const int *block;
    const double *const *jacobian;
    const double *b, *compliance, *lo, *hi; // (rows), null: zero
    double mu, rolling, spinning;
    uint64_t key;
} group_def;

vs_problem_contact_def vs_problem_contact_def_default(void) {
    return (vs_problem_contact_def){0};
}

vs_problem_joint_def vs_problem_joint_def_default(void) {
    return (vs_problem_joint_def){0};
}

vs_problem_box_def vs_problem_box_def_default(void) {
    return (vs_problem_box_def){0};
}

vs_error vs_problem_builder_create(vs_context *context, vs_problem_builder **builder) {
    if (!context || !builder)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_problem_builder_create: builder is null");
    *builder = NULL;
    vs_problem_builder *made = vs_allocate(context, sizeof *made);
    if (!made)
        return vs_fail_memory(context);
    *made = (vs_problem_builder){.context = context};
    vs_arena_init(&made->arena, context);
    *builder = made;
    return VS_OK;
}

static void clear_groups(vs_group_arrays *to) {
    to->groups = to->rows = 0;
    to->row.count = to->kind.count = to->key.count = to->mu.count = to->rolling.count = to->spinning.count = 0;
    to->start.count = to->value.count = to->col.count = to->x.count = 0;
    to->b.count = to->E.count = to->lo.count = to->hi.count = 0;
}

void vs_problem_builder_restart(vs_problem_builder *builder) {
    clear_groups(&builder->contacts);
    clear_groups(&builder->joints);
    vs_arena_release(&builder->arena);
    builder->end.count = builder->H.count = builder->c.count = builder->order.count = 0;
    builder->blocks = builder->n = builder->referenced = 0;
    builder->bounded = builder->rolls = false;
    builder->mass = (vs_sparse){0};
    builder->reference = NULL;
    builder->failed = VS_OK;
}

static void release_groups(vs_context *context, vs_group_arrays *to) {
    void *const data[] = {to->row.data,   to->kind.data, to->key.data,     to->mu.data,      to->start.data,
                          to->value.data, to->col.data,  to->x.data,       to->b.data,       to->E.data,
                          to->lo.data,    to->hi.data,   to->rolling.data, to->spinning.data};
    for (size_t k = 0; k < sizeof data / sizeof *data; k++)
        vs_release(context, data[k]);
}

void vs_problem_builder_destroy(vs_problem_builder *builder) {
    if (!builder)
        return;
    vs_context *context = builder->context;
    release_groups(context, &builder->contacts);
    release_groups(context, &builder->joints);
    vs_release(context, builder->end.data);
    vs_release(context, builder->H.data);
    vs_release(context, builder->c.data);
    vs_release(context, builder->order.data);
    vs_arena_release(&builder->arena);
    vs_release(context, builder);
}

// Remembers the first failure with its text.
static vs_error note(vs_problem_builder *builder, vs_error error) {
    if (error && !builder->failed) {
        builder->failed = error;
        (void)snprintf(builder->text, VS_BUILDER_TEXT, "%s", vs_context_get_error_text(builder->context));
    }
    return error;
}

#define ADD_ROOM(builder, array, more) (!VS_RESERVE((builder)->context, (array), (array)->count + (more)))
#define PUSH(array, item) ((array).data[(array).count++] = (item))

// ---- blocks ---------------------------------------------------------------------------------------------

static vs_error add_block(vs_problem_builder *builder, int dofs, const double *H, const double *c) {
    vs_context *context = builder->context;
    const vs_where where = {"block", builder->blocks};
    if (builder->mass.p)
        return vs_fail(context, VS_ERROR_ARGUMENT, "block %d: add it before the mass matrix of all blocks",
                       where.index);
    if (dofs < 1)
        return vs_fail(context, VS_ERROR_DATA, "block %d: number of unknowns is %d, must be at least 1", where.index,
                       dofs);
    vs_error error = vs_validate_count(context, where, "unknowns", builder->n, dofs);
    if (error)
        return error;
    if (!H || !c)
        return vs_fail(context, VS_ERROR_ARGUMENT, "block %d: %s is null", where.index, H ? "c" : "H");
    const int64_t size = (int64_t)dofs * dofs;
    if (!ADD_ROOM(builder, &builder->end, 1) || !ADD_ROOM(builder, &builder->H, size) ||
        !ADD_ROOM(builder, &builder->c, dofs))
        return VS_ERROR_MEMORY;
    error = vs_validate_block(context, where.index, dofs, H);
    if (!error)
        error = vs_validate_vector(context, where, "c", c, dofs, VS_ANY_SIGN);
    if (error)
        return error;

    memcpy(builder->H.data + builder->H.count, H, (size_t)size * sizeof(double));
    memcpy(builder->c.data + builder->c.count, c, (size_t)dofs * sizeof(double));
    builder->H.count += size;
    builder->c.count += dofs;
    builder->n += dofs;
    PUSH(builder->end, builder->n);
    builder->blocks++;
    return VS_OK;
}

vs_error vs_problem_builder_add_block(vs_problem_builder *builder, int dofs, const double *H, const double *c,
                                      int *index) {
    if (!builder)
        return VS_ERROR_ARGUMENT;
    const int next = builder->blocks;
    vs_error error = note(builder, add_block(builder, dofs, H, c));
    if (!error && index)
        *index = next;
    return error;
}

static vs_error set_mass(vs_problem_builder *builder, const vs_matrix_view *H) {
    vs_context *context = builder->context;
    if (!H)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_problem_builder_set_mass: H is null");
    vs_error error = vs_validate_matrix(context, "H", H, builder->n, builder->n);
    if (error)
        return error;
    vs_sparse copy = {.rows = H->rows, .cols = H->cols}, transposed;
    copy.p = VS_COPY(&builder->arena, int64_t, H->p, (int64_t)H->cols + 1);
    copy.i = VS_COPY(&builder->arena, int, H->i, H->p[H->cols]);
    copy.x = VS_COPY(&builder->arena, double, H->x, H->p[H->cols]);
    if (!copy.p || !copy.i || !copy.x)
        return VS_ERROR_MEMORY;
    error = vs_validate_diagonal(context, &copy);
    if (!error)
        error = vs_sparse_transpose(&copy, &builder->arena, &transposed);
    if (error)
        return error;
    vs_mirrored found;
    if (!vs_validate_is_symmetric(&copy, &transposed, &found))
        return vs_fail(context, VS_ERROR_DATA, "H is not symmetric: entry (%d, %d) is %g, its mirror %g", found.i,
                       found.j, found.x, found.mirror);
    builder->mass = copy;
    return VS_OK;
}

vs_error vs_problem_builder_set_mass(vs_problem_builder *builder, const vs_matrix_view *H) {
    return builder ? note(builder, set_mass(builder, H)) : VS_ERROR_ARGUMENT;
}

static vs_error set_reference(vs_problem_builder *builder, const double *energy) {
    vs_error error =
        energy ? vs_validate_vector(builder->context, (vs_where){0}, "energy", energy, builder->n, VS_NOT_NEGATIVE)
               : vs_fail(builder->context, VS_ERROR_ARGUMENT, "vs_problem_builder_set_reference: energy is null");
    if (error)
        return error;
    builder->reference = VS_COPY(&builder->arena, double, energy, builder->n);
    builder->referenced = builder->n;
    return builder->reference ? VS_OK : VS_ERROR_MEMORY;
}

vs_error vs_problem_builder_set_reference(vs_problem_builder *builder, const double *energy) {
    return builder ? note(builder, set_reference(builder, energy)) : VS_ERROR_ARGUMENT;
}

// ---- groups of rows -------------------------------------------------------------------------------------

static vs_error validate_group(vs_problem_builder *builder, const vs_group_arrays *to, const group_def *def) {
    vs_context *context = builder->context;
    if (def->rows < 1)
        return vs_fail(context, VS_ERROR_DATA, "%s %d: number of rows is %d, must be at least 1", def->where.item,
                       def->where.index, def->rows);
    vs_error error = vs_validate_count(context, def->where, "rows", to->rows, def->rows);
    if (!error)
        error = vs_validate_touched(context, def->where, def->blocks, def->block, def->jacobian, builder->blocks);
    for (int k = 0; !error && k < def->blocks; k++) {
        const int64_t size = (int64_t)def->rows * vs_builder_block_dofs(builder, def->block[k]);
        if (def->jacobian[k] && vs_vector_is_finite(size, def->jacobian[k]))
            continue; // without its name, which takes longer than the rest
        char name[32];
        (void)snprintf(name, sizeof name, "jacobian[%d]", k);
        error = vs_validate_vector(context, def->where, name, def->jacobian[k], size, VS_ANY_SIGN);
    }
    if (!error && def->b)
        error = vs_validate_vector(context, def->where, "b", def->b, def->rows, VS_ANY_SIGN);
    if (!error && def->compliance)
        error = vs_validate_vector(context, def->where, "compliance", def->compliance, def->rows, VS_NOT_NEGATIVE);
    if (!error && def->kind == VS_CONE_BOX)
        error = vs_validate_bounds(context, def->where, def->lo, def->hi, def->rows);
    return error;
}

// The blocks of the group, ascending and unique, into builder->order. Usually one or two: insertion sort.
static bool sort_blocks(vs_problem_builder *builder, const group_def *def) {
    vs_int_array *order = &builder->order;
    order->count = 0;
    if (!ADD_ROOM(builder, order, def->blocks))
        return false;
    int *sorted = order->data, count = 0;
    for (int k = 0; k < def->blocks; k++) {
        int at = count;
        while (at > 0 && sorted[at - 1] > def->block[k])
            at--;
        if (at > 0 && sorted[at - 1] == def->block[k])
            continue;
        memmove(sorted + at + 1, sorted + at, (size_t)(count - at) * sizeof(int));
        sorted[at] = def->block[k];
        count++;
    }
    order->count = count;
    return true;
}

static bool is_touched(const group_def *def, int block, int dofs, int dof) {
    for (int k = 0; k < def->blocks; k++)
        for (int r = 0; def->block[k] == block && r < def->rows; r++)
            if (def->jacobian[k][(int64_t)r * dofs + dof] != 0)
                return true;
    return false;
}

// Appends the group's columns to `to`, which has room; returns their number.
static int append_columns(const vs_problem_builder *builder, const group_def *def, vs_group_arrays *to) {
    const int64_t before = to->col.count;
    for (int64_t u = 0; u < builder->order.count; u++) {
        const int block = builder->order.data[u], first = vs_builder_block_begin(builder, block);
        const int dofs = vs_builder_block_dofs(builder, block);
        for (int k = 0; k < dofs; k++)
            if (dofs <= DENSE_DOFS || is_touched(def, block, dofs, k))
                PUSH(to->col, first + k);
    }
    return (int)(to->col.count - before);
}

// Adds the Jacobian of block k of a large body, of which not all columns are there.
static void add_touched(const vs_problem_builder *builder, const group_def *def, int k, int width, const int *col,
                        double *x) {
    const int first = vs_builder_block_begin(builder, def->block[k]);
    const int dofs = vs_builder_block_dofs(builder, def->block[k]);
    for (int at = 0; at < width; at++) {
        if (col[at] < first || col[at] >= first + dofs)
            continue;
        for (int r = 0; r < def->rows; r++)
            x[(int64_t)r * width + at] += def->jacobian[k][(int64_t)r * dofs + col[at] - first];
    }
}

// The dense matrix x (rows x width) over the columns col (width): Jacobians of the same block are summed.
static void fill_matrix(const vs_problem_builder *builder, const group_def *def, int width, const int *col, double *x) {
    memset(x, 0, (size_t)def->rows * (size_t)width * sizeof(double));
    for (int k = 0; k < def->blocks; k++) {
        const int first = vs_builder_block_begin(builder, def->block[k]);
        const int dofs = vs_builder_block_dofs(builder, def->block[k]);
        if (dofs > DENSE_DOFS) {
            add_touched(builder, def, k, width, col, x);
            continue;
        }
        int at = 0;
        while (col[at] != first)
            at++;
        for (int r = 0; r < def->rows; r++)
            for (int j = 0; j < dofs; j++)
                x[(int64_t)r * width + at + j] += def->jacobian[k][(int64_t)r * dofs + j];
    }
}

// Room for one more group: looked up for all arrays at once, and made for half as many again.
static bool reserve_group(vs_problem_builder *builder, vs_group_arrays *to, const group_def *def) {
    vs_group_room *room = &to->room;
    int64_t width = 0, groups = to->groups + (int64_t)1, rows = to->rows + (int64_t)def->rows;
    for (int64_t u = 0; u < builder->order.count; u++)
        width += vs_builder_block_dofs(builder, builder->order.data[u]);
    const int64_t columns = to->col.count + width, values = to->x.count + def->rows * width;
    if (groups <= room->groups && rows <= room->rows && columns <= room->columns && values <= room->values)
        return true;
    vs_group_room more = {groups + groups / 2, rows + rows / 2, columns + columns / 2, values + values / 2};
    vs_context *context = builder->context;
    if (VS_RESERVE(context, &to->row, more.groups) || VS_RESERVE(context, &to->kind, more.groups) ||
        VS_RESERVE(context, &to->mu, more.groups) || VS_RESERVE(context, &to->key, more.groups) ||
        VS_RESERVE(context, &to->start, more.groups) || VS_RESERVE(context, &to->value, more.groups) ||
        VS_RESERVE(context, &to->rolling, more.groups) || VS_RESERVE(context, &to->spinning, more.groups) ||
        VS_RESERVE(context, &to->b, more.rows) || VS_RESERVE(context, &to->E, more.rows) ||
        VS_RESERVE(context, &to->lo, more.rows) || VS_RESERVE(context, &to->hi, more.rows) ||
        VS_RESERVE(context, &to->col, more.columns) || VS_RESERVE(context, &to->x, more.values))
        return false;
    *room = more;
    return true;
}

static vs_error add_group(vs_problem_builder *builder, vs_group_arrays *to, const group_def *def) {
    vs_error error = validate_group(builder, to, def);
    if (error)
        return error;
    if (!sort_blocks(builder, def) || !reserve_group(builder, to, def))
        return VS_ERROR_MEMORY;

    const int64_t before = to->col.count;
    const int width = append_columns(builder, def, to);
    fill_matrix(builder, def, width, to->col.data + before, to->x.data + to->x.count);
    to->x.count += (int64_t)def->rows * width;
    for (int r = 0; r < def->rows; r++) {
        PUSH(to->b, def->b ? def->b[r] : 0);
        PUSH(to->E, def->compliance ? def->compliance[r] : 0);
        PUSH(to->lo, def->lo ? def->lo[r] : 0);
        PUSH(to->hi, def->hi ? def->hi[r] : 0);
    }
    to->rows += def->rows;
    to->groups++;
    PUSH(to->row, to->rows);
    PUSH(to->kind, def->kind);
    PUSH(to->mu, def->mu);
    PUSH(to->rolling, def->rolling);
    PUSH(to->spinning, def->spinning);
    PUSH(to->key, def->key);
    PUSH(to->start, to->col.count);
    PUSH(to->value, to->x.count);
    return VS_OK;
}

static vs_error refuse_null(vs_problem_builder *builder, vs_where where) {
    return vs_fail(builder->context, VS_ERROR_ARGUMENT, "%s %d: definition is null", where.item, where.index);
}

// Adds the group, remembers a failure, returns the index.
static vs_error add(vs_problem_builder *builder, vs_group_arrays *to, const group_def *def, vs_error error,
                    int *index) {
    const int next = to->groups;
    if (!error)
        error = add_group(builder, to, def);
    if (!error && index)
        *index = next;
    return note(builder, error);
}

vs_error vs_problem_builder_add_contact(vs_problem_builder *builder, const vs_problem_contact_def *contact,
                                        int *index) {
    if (!builder)
        return VS_ERROR_ARGUMENT;
    const vs_where where = {"contact", builder->contacts.groups};
    if (!contact)
        return note(builder, refuse_null(builder, where));
    const vs_problem_contact_def d = *contact;
    vs_error error = vs_validate_number(builder->context, where, "compliance", d.compliance, VS_NOT_NEGATIVE);
    if (!error && !d.frictionless)
        error = vs_validate_number(builder->context, where, "mu", d.mu, VS_NOT_NEGATIVE);
    if (!error && !d.frictionless)
        error = vs_validate_number(builder->context, where, "rolling", d.rolling, VS_NOT_NEGATIVE);
    if (!error && !d.frictionless)
        error = vs_validate_number(builder->context, where, "spinning", d.spinning, VS_NOT_NEGATIVE);
    const bool rolls = !d.frictionless && d.rolling > 0, spins = !d.frictionless && d.spinning > 0;
    const bool elliptic = d.elliptic && d.mu > 0;
    const double compliance[VS_DISCS_ROWS] = {d.compliance};
    double b[VS_DISCS_ROWS] = {d.b[0], d.b[1], d.b[2], d.b_rotation[0], d.b_rotation[1], d.b_rotation[2]};
    if (spins && !rolls)
        b[3] = d.b_rotation[2];
    const group_def def = {.where = where,
                           .kind = d.frictionless     ? VS_CONE_NONNEG
                                   : (rolls || spins) ? (elliptic ? VS_CONE_ELLIPTIC : VS_CONE_ROLLING)
                                                      : VS_CONE_SECOND_ORDER,
                           .rows = d.frictionless ? 1 : 3 + 2 * rolls + spins,
                           .blocks = d.blocks,
                           .block = d.block,
                           .jacobian = d.jacobian,
                           .b = b,
                           .compliance = compliance,
                           .mu = d.frictionless ? 0 : d.mu,
                           .rolling = rolls ? d.rolling : 0,
                           .spinning = spins ? d.spinning : 0,
                           .key = d.key};
    error = add(builder, &builder->contacts, &def, error, index);
    if (!error)
        builder->rolls = builder->rolls || rolls || spins;
    return error;
}

vs_error vs_problem_builder_add_joint(vs_problem_builder *builder, const vs_problem_joint_def *joint, int *index) {
    if (!builder)
        return VS_ERROR_ARGUMENT;
    const vs_where where = {"joint", builder->joints.groups};
    if (!joint)
        return note(builder, refuse_null(builder, where));
    const vs_problem_joint_def d = *joint;
    const group_def def = {.where = where,
                           .rows = d.rows,
                           .blocks = d.blocks,
                           .block = d.block,
                           .jacobian = d.jacobian,
                           .b = d.b,
                           .compliance = d.compliance,
                           .key = d.key};
    return add(builder, &builder->joints, &def, VS_OK, index);
}

vs_error vs_problem_builder_add_box(vs_problem_builder *builder, const vs_problem_box_def *bounds, int *index) {
    if (!builder)
        return VS_ERROR_ARGUMENT;
    const vs_where where = {"bounds", builder->contacts.groups};
    if (!bounds)
        return note(builder, refuse_null(builder, where));
    const vs_problem_box_def d = *bounds;
    const group_def def = {.where = where,
                           .kind = VS_CONE_BOX,
                           .rows = d.rows,
                           .blocks = d.blocks,
                           .block = d.block,
                           .jacobian = d.jacobian,
                           .b = d.b,
                           .compliance = d.compliance,
                           .lo = d.lo,
                           .hi = d.hi,
                           .key = d.key};
    vs_error error = add(builder, &builder->contacts, &def, VS_OK, index);
    if (!error)
        builder->bounded = true;
    return error;
}
