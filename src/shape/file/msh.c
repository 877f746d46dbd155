// gmsh files: .msh 2.2 and 4.1, text and binary.
//
//     $MeshFormat      version, 0 (text) or 1 (binary), bytes of a size_t; binary: the int 1
//     $PhysicalNames   dimension, tag and name of the groups; always text
//     $Entities        4.1: which groups a point, curve, surface or volume of the geometry is in
//     $Nodes           2.2: number, x, y, z;  4.1: the same in blocks, all numbers before all coordinates
//     $Elements        2.2: number, type, tags (the first is the group), nodes;  4.1: in blocks of an entity and a type
//
// Other sections are skipped. Sizes are compared with the remaining bytes before memory is allocated, and the file
// is read twice, to count and to fill. Elements of groups are kept, and all tetrahedra.
// Reference: gmsh's manual, "MSH file format".
// Not read: formats before 2.2 and 4.0, $ParametricNodes of 2.2, partitioned meshes, elements other than points, lines,
// triangles and tetrahedra of order 1 and 2, 4.1 written with a size_t of 4 bytes.
#include "shape/file/msh_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/plain_locale.h"

enum { GROUPS_MOST = 32 }; // of an entity

// ---- groups ----------------------------------------------------------------------------------------

// After the tag: "name", within the line.
static vs_error read_name(vs_msh *msh, const char **text) {
    vs_scan_blanks(&msh->scan, false);
    const vs_scan before = msh->scan;
    vs_scan_line(&msh->scan);
    const char *begin = before.at + 1, *end = msh->scan.at;
    while (end > begin && end[-1] != '"')
        end--;
    end--; // the last quote of the line
    if (*before.at != '"' || end < begin || end - begin > VS_MESH_NAME_MOST || memchr(begin, 0, (size_t)(end - begin)))
        return vs_msh_fail_at(msh, before, "a name in quotes, of at most 127 characters");
    if (!msh->filling)
        return VS_OK;
    char *copy = VS_NEW_ZERO(msh->arena, char, end - begin + 1);
    if (!copy)
        return VS_ERROR_MEMORY;
    memcpy(copy, begin, (size_t)(end - begin));
    *text = copy;
    return VS_OK;
}

static vs_error read_names(vs_msh *msh) {
    const bool binary = msh->binary;
    int64_t count;
    if (msh->names > 0)
        return vs_msh_fail(msh, "no second $PhysicalNames");
    vs_error error = vs_msh_count_line(msh, "the number of names", &count);
    msh->binary = false; // always text
    if (!error)
        error = vs_msh_check_room(msh, count, 6, 6, "names");
    for (int64_t k = 0; !error && k < count; k++) {
        vs_msh_name name = {0};
        vs_msh_begin_line(msh);
        const vs_scan before = msh->scan;
        if ((error = vs_msh_int(msh, "a dimension", &name.dimension)) ||
            (error = vs_msh_int(msh, "a tag", &name.tag)) || (error = read_name(msh, &name.text)))
            break;
        if (name.dimension < 0 || name.dimension > 3)
            error = vs_msh_fail_at(msh, before, "a dimension from 0 to 3");
        if (msh->filling)
            msh->named[msh->names] = name;
        msh->names++;
    }
    if (!error && msh->filling)
        qsort(msh->named, (size_t)msh->names, sizeof *msh->named, vs_msh_compare_named);
    msh->binary = binary;
    return error;
}

static vs_error read_entity(vs_msh *msh, int dimension) {
    vs_msh_entity entity = {.dimension = dimension, .first = (int)msh->physicals};
    int64_t groups = 0, bounds = 0;
    int tag = 0;
    double unused;
    vs_msh_begin_line(msh);
    vs_error error = vs_msh_int(msh, "an entity's tag", &entity.tag);
    for (int k = 0; !error && k < (dimension == 0 ? 3 : 6); k++)
        error = vs_msh_double(msh, "a finite number", &unused);
    if (error || (error = vs_msh_size(msh, "the number of physical groups", &groups)))
        return error;
    if (groups > GROUPS_MOST)
        return vs_msh_fail(msh, "an entity in at most 32 physical groups");
    for (int64_t k = 0; k < groups; k++, msh->physicals++) {
        if ((error = vs_msh_int(msh, "a physical group", &tag)))
            return error;
        if (msh->filling)
            msh->physical[msh->physicals] = abs(tag);
    }
    if (dimension > 0 && (error = vs_msh_size(msh, "the number of bounding entities", &bounds)))
        return error;
    for (int64_t k = 0; k < bounds; k++)
        if ((error = vs_msh_int(msh, "a bounding entity", &tag)))
            return error;
    entity.count = (int)groups;
    if (msh->filling)
        msh->entity[msh->entities] = entity;
    msh->entities++;
    return vs_msh_end_line(msh);
}

static vs_error read_entities(vs_msh *msh) {
    int64_t count[4] = {0};
    vs_error error = VS_OK;
    if (msh->entities > 0)
        return vs_msh_fail(msh, "no second $Entities");
    vs_msh_begin_line(msh);
    for (int d = 0; !error && d < 4; d++)
        if (!(error = vs_msh_size(msh, "the number of entities", count + d)))
            error = vs_msh_check_room(msh, count[d], 8, 36, "entities");
    if (!error)
        error = vs_msh_end_line(msh);
    for (int d = 0; !error && d < 4; d++)
        for (int64_t k = 0; !error && k < count[d]; k++)
            error = read_entity(msh, d);
    if (!error && msh->filling)
        qsort(msh->entity, (size_t)msh->entities, sizeof *msh->entity, vs_msh_compare_entities);
    return error;
}

// ---- sections --------------------------------------------------------------------------------------

static vs_error read_format(vs_msh *msh) {
    double version = 0, binary = 0, size = 0;
    vs_scan *scan = &msh->scan;
    int one = 0;
    msh->binary = msh->swap = false;
    vs_msh_begin_line(msh);
    const vs_scan before = *scan;
    vs_error error;
    if ((error = vs_msh_double(msh, "the version of the format", &version)) ||
        (error = vs_msh_double(msh, "0 (text) or 1 (binary)", &binary)) ||
        (error = vs_msh_double(msh, "the size of a number", &size)) || (error = vs_msh_end_line(msh)))
        return error;
    if (version != 2.2 && version != 4.1)
        return vs_msh_fail_at(msh, before, "format 2.2 or 4.1 (gmsh writes them with -format msh22 or msh41)");
    if ((binary != 0 && binary != 1) || size != 8)
        return vs_msh_fail_at(msh, before, "version, 0 (text) or 1 (binary), and 8 (bytes of a number)");
    msh->version = (int)version;
    if (binary == 0)
        return VS_OK;
    scan->at += scan->at < scan->end; // the end of the line
    scan->line++;
    msh->binary = true;
    if ((error = vs_msh_int(msh, "the number 1", &one)))
        return error;
    msh->swap = one == 1 << 24;
    return one == 1 || msh->swap ? VS_OK : vs_msh_fail(msh, "the number 1 before this");
}

// Skips the rest of the section's first line, which is text even in binary files.
static void skip_heading(vs_msh *msh) {
    vs_scan_line(&msh->scan);
    if (msh->scan.at < msh->scan.end) {
        msh->scan.at++;
        msh->scan.line++;
    }
}

// Skips to "$End…" of the section with this name (with its dollar).
static vs_error skip_section(vs_msh *msh, const char *name, size_t length) {
    const vs_scan before = {name, msh->scan.end, msh->scan.line};
    while (msh->scan.at < msh->scan.end) {
        const size_t left = (size_t)(msh->scan.end - msh->scan.at);
        if (left >= length + 3 && memcmp(msh->scan.at, "$End", 4) == 0 &&
            memcmp(msh->scan.at + 4, name + 1, length - 1) == 0)
            return VS_OK;
        msh->scan.line += *msh->scan.at++ == '\n';
    }
    return vs_msh_fail_at(msh, before, "an end of this section");
}

static vs_error expect_end(vs_msh *msh, const char *name, size_t length) {
    char expected[40];
    vs_scan_blanks(&msh->scan, true);
    (void)snprintf(expected, sizeof expected, "$End%.*s", length > 24 ? 24 : (int)length - 1, name + 1);
    if (vs_scan_word(&msh->scan) != length + 3 || memcmp(msh->scan.at, "$End", 4) != 0 ||
        memcmp(msh->scan.at + 4, name + 1, length - 1) != 0)
        return vs_msh_fail(msh, expected);
    msh->scan.at += length + 3;
    return VS_OK;
}

typedef struct section {
    const char *name;
    vs_error (*read)(vs_msh *msh);
    int version; // 0: any
} section;

static vs_error refuse_partitions(vs_msh *msh) {
    return vs_msh_fail(msh, "a mesh that is not partitioned");
}

static const section SECTIONS[] = {
    {"$Nodes", vs_msh_read_nodes, 0}, {"$Elements", vs_msh_read_elements, 0},         {"$PhysicalNames", read_names, 0},
    {"$Entities", read_entities, 4},  {"$PartitionedEntities", refuse_partitions, 4},
};

static vs_error read_section(vs_msh *msh) {
    const char *name = msh->scan.at;
    const size_t length = vs_scan_word(&msh->scan);
    const bool format = vs_scan_is(&msh->scan, "$MeshFormat");
    const section *known = NULL;
    if (*name != '$' || length < 2)
        return vs_msh_fail(msh, msh->version ? "a section ($…)" : "a gmsh file with $MeshFormat");
    for (size_t k = 0; k < sizeof SECTIONS / sizeof *SECTIONS; k++)
        if (vs_scan_is(&msh->scan, SECTIONS[k].name) &&
            (SECTIONS[k].version == 0 || SECTIONS[k].version == msh->version))
            known = SECTIONS + k;
    if (known && !msh->version)
        return vs_msh_fail(msh, "$MeshFormat first");
    if (format && msh->version)
        return vs_msh_fail(msh, "no second $MeshFormat");
    skip_heading(msh);
    vs_error error = format ? read_format(msh) : known ? known->read(msh) : skip_section(msh, name, length);
    return error ? error : expect_end(msh, name, length);
}

static vs_error read_sections(vs_msh *msh, const char *bytes, size_t length) {
    vs_error error = VS_OK;
    msh->scan = (vs_scan){bytes, bytes + length, 1};
    msh->version = 0;
    msh->binary = msh->swap = false;
    msh->nodes = msh->names = msh->entities = msh->physicals = 0;
    for (int d = 0; d < 4; d++)
        msh->cell[d].count = 0;
    for (vs_scan_blanks(&msh->scan, true); !error && msh->scan.at < msh->scan.end; vs_scan_blanks(&msh->scan, true))
        error = read_section(msh);
    return error;
}

// ---- the file --------------------------------------------------------------------------------------

static vs_error make_room(vs_msh *msh) {
    static const int width[3] = {1, 3, 6};
    vs_arena *arena = msh->arena;
    msh->vertex = VS_NEW(arena, vs_vec3, msh->nodes);
    msh->number = VS_NEW(arena, int64_t, msh->nodes);
    msh->by_number = VS_NEW(arena, vs_msh_number, msh->nodes);
    msh->named = VS_NEW(arena, vs_msh_name, msh->names);
    msh->entity = VS_NEW(arena, vs_msh_entity, msh->entities);
    msh->physical = VS_NEW(arena, int, msh->physicals);
    bool good = msh->vertex && msh->number && msh->by_number && msh->named && msh->entity && msh->physical;
    for (int d = 0; good && d < 4; d++) {
        vs_msh_cells *cells = msh->cell + d;
        cells->width = d < 3 ? width[d] : msh->tets[1] ? 10 : 4;
        cells->node = VS_NEW(arena, int, cells->width * cells->count);
        cells->number = VS_NEW(arena, int64_t, cells->count);
        cells->group = VS_NEW(arena, int, cells->count);
        good = cells->node && cells->number && cells->group;
    }
    return good ? VS_OK : VS_ERROR_MEMORY;
}

static vs_error read_twice(vs_msh *msh, const char *bytes, size_t length) {
    vs_context *context = msh->arena->context;
    vs_error error = read_sections(msh, bytes, length);
    if (error)
        return error;
    if (!msh->version)
        return vs_fail(context, VS_ERROR_DATA, "%s: not a gmsh file: it has no $MeshFormat", msh->name);
    if (msh->tets[0] > 0 && msh->tets[1] > 0)
        return vs_fail(context, VS_ERROR_DATA,
                       "%s: %" PRId64 " tetrahedra have 4 nodes and %" PRId64 " have 10; all must have the same",
                       msh->name, msh->tets[0], msh->tets[1]);
    if (msh->cell[3].count == 0)
        return vs_fail(context, VS_ERROR_DATA,
                       "%s: no tetrahedra (%" PRId64
                       " triangles; mesh the volume with gmsh -3; physical groups select what "
                       "is saved)",
                       msh->name, msh->cell[2].count);
    msh->filling = true;
    error = make_room(msh);
    return error ? error : read_sections(msh, bytes, length);
}

vs_error vs_mesh_from_bytes(vs_context *context, const char *name, const char *bytes, size_t length, double scale,
                            vs_mesh **mesh) {
    vs_arena scratch;
    vs_arena_init(&scratch, context);
    vs_msh msh = {.arena = &scratch, .name = name, .begin = bytes};
    vs_plain_locale plain;
    const bool entered = vs_plain_locale_enter(&plain);
    vs_error error = entered ? read_twice(&msh, bytes, length) : vs_fail_memory(context);
    if (entered)
        vs_plain_locale_leave(&plain);
    if (!error)
        error = vs_msh_build(&msh, scale, mesh);
    vs_arena_release(&scratch);
    return error;
}

vs_error vs_mesh_from_file(vs_context *context, const char *path, double scale, vs_mesh **mesh) {
    const double least = 1e-30, most = 1e30;
    if (mesh)
        *mesh = NULL;
    if (!context || !path || !mesh)
        return vs_fail(context, VS_ERROR_ARGUMENT, "context, path or mesh is null");
    if (!(scale >= least && scale <= most))
        return vs_fail(context, VS_ERROR_ARGUMENT, "scale must be positive and finite (is %g)", scale);
    char *bytes;
    size_t length = 0;
    vs_error error = vs_file_load(context, path, &bytes, &length);
    if (!error)
        error = vs_mesh_from_bytes(context, path, bytes, length, scale, mesh);
    vs_release(context, bytes);
    return error;
}
