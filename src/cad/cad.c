// Models as scenes: opens the file, calls the reader of its format, and turns solids into bodies with names.
#include "cad/ipc_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/path.h"
#include "base/plain_locale.h"

struct vs_cad {
    vs_context *context;
    vs_text scene;
    vs_cad_report report;
};

enum { TOLD_MOST = 5, SCENE_NAME = 64 };     // warnings of one kind; bytes
static const double DENSITY = 2200, MU = .6; // of what neither the options nor the file state

typedef struct format {
    const char *extension;
    vs_error (*read)(vs_drawing *d, const char *bytes, size_t length); // null: JSON
} format;

static const format formats[] = {
    {"obj", vs_cad_read_obj}, {"stl", vs_cad_read_stl}, {"ply", vs_cad_read_ply}, {"dxf", vs_cad_read_dxf},
    {"msh", vs_cad_read_msh}, {"off", vs_cad_read_off}, {"json", NULL},
};

// A model while it is made.
typedef struct work {
    vs_context *context;
    const vs_cad_options *options;
    const char *file;
    vs_arena arena;
    vs_drawing drawing;
    vs_solids solids;
    VS_ARRAY(vs_cad_block) block;
    vs_name_table names; // of bodies
    VS_ARRAY(int) next;  // (names) the least number after each of them that may be free
    vs_cad_report report;
} work;

// ---- the drawing -----------------------------------------------------------------------------------

static vs_error read_json(work *w, const char *bytes, size_t length, json_t **root) {
    json_error_t why;
    *root = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &why);
    return *root ? VS_OK
                 : vs_fail(w->context, VS_ERROR_DATA, "%s:%d: column %d: %s", w->file, why.line < 1 ? 1 : why.line,
                           why.column, why.text);
}

// From `root`, if the format is JSON.
static vs_error read_drawing(work *w, const format *f, const json_t *root, const char *bytes, size_t length) {
    vs_plain_locale plain;
    if (!vs_plain_locale_enter(&plain))
        return vs_fail_memory(w->context);
    vs_error error = root ? vs_cad_read_compas(&w->drawing, root) : f->read(&w->drawing, bytes, length);
    vs_plain_locale_leave(&plain);
    if (!error)
        error = vs_drawing_finish(&w->drawing);
    if (!error && w->drawing.soup.triangles == 0)
        error = vs_fail(w->context, VS_ERROR_DATA, "%s: no faces", w->file);
    return error;
}

// To metres, z up.
static vs_error place(work *w) {
    vs_soup *soup = &w->drawing.soup;
    const double stated = w->options->unit > 0 ? w->options->unit : w->drawing.unit;
    w->report.unit = stated > 0 ? stated : 1;
    w->report.unit_stated = stated > 0;
    for (int k = 0; k < soup->vertices; k++) {
        const vs_vec3 v = vs_scale(w->report.unit, soup->vertex[k]);
        soup->vertex[k] = w->options->y_up ? (vs_vec3){v.x, -v.z, v.y} : v;
        if (!(fabs(v.x) < 1e15 && fabs(v.y) < 1e15 && fabs(v.z) < 1e15))
            return vs_fail(w->context, VS_ERROR_DATA, "%s: vertex %d is farther than 1e15 m from the origin", w->file,
                           k + 1);
    }
    return VS_OK;
}

// ---- bodies ----------------------------------------------------------------------------------------

static void cut_name(const char *text, char name[VS_CAD_NAME_MOST + 1]) {
    vs_name_clean(text, strlen(text), name, VS_CAD_NAME_MOST);
}

static void tell(work *w, int count, const vs_cad_block *b, const char *what) {
    char name[VS_CAD_NAME_MOST + 1];
    cut_name(w->drawing.object.data[b->object].name, name);
    if (count <= TOLD_MOST)
        vs_log(w->context, VS_LOG_WARNING, "%s: object '%s' %s%s", w->file, name[0] ? name : "(without a name)", what,
               count == TOLD_MOST ? "; further ones are not listed" : "");
}

static vs_error make_blocks(work *w) {
    int warped = 0;
    vs_error error = VS_RESERVE(w->context, &w->block, (int64_t)w->solids.solids + 1);
    for (int k = 0; k < w->solids.solids && !error; k++) {
        vs_cad_block b;
        error = vs_cad_block_make(&w->drawing, &w->solids, k, &w->arena, &b);
        if (error)
            break;
        if (b.vertices == 0) {
            tell(w, ++w->report.omitted, &b, "has a part without volume, which is omitted");
            continue;
        }
        if (b.open)
            tell(w, ++w->report.open, &b, "is not closed; its convex hull is used. Close it, or accept the hull");
        else if (b.cavities > 0)
            tell(w, ++w->report.meshes, &b,
                 "is hollow: what is drawn inside it is a cavity, and the scene divides the rest into hulls "
                 "(\"decompose\"). Make the inside an object of its own if it is a body");
        else if (!b.convex)
            tell(w, ++w->report.meshes, &b, "is not convex; the scene divides it into hulls (\"decompose\")");
        else if (b.warped)
            tell(w, ++warped, &b, "has round or warped faces; its convex hull is used");
        const double stated = w->drawing.object.data[b.object].density;
        b.density = w->options->density > 0 ? w->options->density : stated > 0 ? stated : DENSITY;
        w->report.density_stated = w->report.density_stated || (stated > 0 && b.density == stated);
        w->report.hulls += b.convex;
        w->block.data[w->block.count++] = b;
    }
    if (!error && w->block.count == 0)
        error = vs_fail(w->context, VS_ERROR_DATA, "%s: no object has a volume", w->file);
    return error;
}

// The number after a name that is tried next: 2, 3, … .
static vs_error next_number(work *w, int name, int *number) {
    vs_error error = VS_RESERVE(w->context, &w->next, w->names.name.count);
    if (error)
        return error;
    while (w->next.count < w->names.name.count)
        w->next.data[w->next.count++] = 2;
    *number = w->next.data[name]++;
    return VS_OK;
}

// A name that no other body has: as wanted, or with -2, -3, … .
static vs_error add_name(work *w, const char *wanted, const char **name) {
    char text[VS_CAD_NAME_MOST + 40];
    bool added = false;
    int first = 0, found = 0, number = 0;
    vs_error error = vs_name_table_add(&w->arena, &w->names, wanted, &first, &added);
    found = first;
    while (!added && !error) {
        error = next_number(w, first, &number);
        (void)snprintf(text, sizeof text, "%s-%d", wanted, number);
        if (!error)
            error = vs_name_table_add(&w->arena, &w->names, text, &found, &added);
    }
    if (!error)
        *name = w->names.name.data[found];
    return error;
}

// Solids of one object are numbered if there are several, and so are those without a name.
static vs_error name_blocks(work *w) {
    const int64_t objects = w->drawing.object.count;
    int *solids = VS_NEW_ZERO(&w->arena, int, objects), *used = VS_NEW_ZERO(&w->arena, int, objects);
    const char *name;
    bool added;
    int number;
    if (!solids || !used)
        return VS_ERROR_MEMORY;
    vs_error error = vs_name_table_add(&w->arena, &w->names, "world", &number, &added);
    if (!error && w->options->ground)
        error = add_name(w, "ground", &name);
    for (int64_t k = 0; k < w->block.count; k++)
        solids[w->block.data[k].object]++;
    for (int64_t k = 0; k < w->block.count && !error; k++) {
        char text[VS_CAD_NAME_MOST + 20], object[VS_CAD_NAME_MOST + 1];
        vs_cad_block *b = &w->block.data[k];
        cut_name(w->drawing.object.data[b->object].name, object);
        const bool alone = object[0] && solids[b->object] == 1;
        if (alone)
            (void)snprintf(text, sizeof text, "%s", object);
        else
            (void)snprintf(text, sizeof text, "%s-%d", object[0] ? object : "block", ++used[b->object]);
        if (object[0] && used[b->object] == 1 && !alone) {
            char what[80];
            (void)snprintf(what, sizeof what, "has %d separate solids, which become bodies of their own",
                           solids[b->object]);
            tell(w, ++w->report.split, b, what);
        }
        w->report.objects += object[0] && used[b->object] <= 1;
        error = add_name(w, text, &b->name);
    }
    return error;
}

// ---- the scene -------------------------------------------------------------------------------------

static void sum_up(work *w) {
    vs_cad_report *r = &w->report;
    r->bodies = (int)w->block.count;
    r->density_least = r->density_most = w->block.data[0].density;
    vs_cad_find_extents(w->block.data, w->block.count, r);
    for (int64_t k = 0; k < w->block.count; k++) {
        const vs_cad_block *b = &w->block.data[k];
        r->volume += b->volume;
        r->mass += b->fixed ? 0 : b->density * b->volume;
        r->density_least = fmin(r->density_least, b->density);
        r->density_most = fmax(r->density_most, b->density);
    }
}

// The file's name without folders and extension.
static void scene_name(const char *file, char name[SCENE_NAME]) {
    const char *slash = vs_path_slash(file), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
    char text[VS_CAD_NAME_MOST + 1];
    vs_name_clean(base, dot && dot > base ? (size_t)(dot - base) : strlen(base), text, VS_CAD_NAME_MOST);
    (void)snprintf(name, SCENE_NAME, "%s", text);
}

static vs_error convert_drawing(work *w, const format *f, const json_t *root, const char *bytes, size_t length,
                                vs_text *text) {
    char name[SCENE_NAME];
    vs_error error = read_drawing(w, f, root, bytes, length);
    if (!error)
        error = place(w);
    if (!error)
        error = vs_solids_find(&w->drawing, &w->solids);
    if (!error)
        error = make_blocks(w);
    if (!error)
        error = name_blocks(w);
    if (!error)
        error = vs_cad_fix_blocks(
            &(vs_cad_supports){w->context, &w->arena, &w->drawing, w->options, w->block.data, w->block.count},
            &w->report);
    if (!error && w->options->snap > 0)
        error = vs_blocks_snap(&w->drawing, w->block.data, (int)w->block.count, w->options->snap, &w->report.snapped,
                               &w->report.snap_most);
    if (error)
        return error;
    sum_up(w);
    w->report.mu_stated = isnan(w->options->mu) && !isnan(w->drawing.mu);
    w->report.mu = !isnan(w->options->mu) ? w->options->mu : w->report.mu_stated ? w->drawing.mu : MU;
    scene_name(w->file, name);
    const vs_scene_text scene = {.name = name,
                                 .block = w->block.data,
                                 .blocks = (int)w->block.count,
                                 .object = w->drawing.object.data,
                                 .mu = w->report.mu,
                                 .ground = w->options->ground,
                                 .ground_z = w->report.low.z};
    return vs_scene_text_write(w->context, &scene, text);
}

static vs_error convert(work *w, const format *f, const char *bytes, size_t length, vs_text *text) {
    char name[SCENE_NAME];
    json_t *root = NULL;
    vs_error error = f->read ? VS_OK : read_json(w, bytes, length, &root);
    scene_name(w->file, name);
    if (!error)
        error = vs_ipc_is_scene(root) ? vs_ipc_convert(&w->arena, w->file, root, name, w->options, &w->report, text)
                                      : convert_drawing(w, f, root, bytes, length, text);
    json_decref(root);
    return error;
}

// ---- the interface ---------------------------------------------------------------------------------

vs_cad_options vs_cad_options_default(void) {
    return (vs_cad_options){.mu = NAN, .thickness = .01};
}

static vs_error check(vs_context *context, const vs_cad_options *o) {
    if (!(o->unit >= 0 && isfinite(o->unit)))
        return vs_fail(context, VS_ERROR_ARGUMENT, "cad: unit must be positive (is %g)", o->unit);
    if (!(o->density >= 0 && isfinite(o->density)))
        return vs_fail(context, VS_ERROR_ARGUMENT, "cad: density must be positive (is %g)", o->density);
    if (!isnan(o->mu) && !(o->mu >= 0 && isfinite(o->mu)))
        return vs_fail(context, VS_ERROR_ARGUMENT, "cad: mu must not be negative (is %g)", o->mu);
    if (!(o->snap >= 0 && isfinite(o->snap)))
        return vs_fail(context, VS_ERROR_ARGUMENT, "cad: snap must not be negative (is %g)", o->snap);
    if (!(o->thickness > 0 && o->thickness <= 1e9))
        return vs_fail(context, VS_ERROR_ARGUMENT, "cad: thickness must be positive (is %g)", o->thickness);
    if (o->fixed_count < 0 || (o->fixed_count > 0 && !o->fixed))
        return vs_fail(context, VS_ERROR_ARGUMENT, "cad: fixed is null or fixed_count is negative");
    return VS_OK;
}

static const format *find_format(const char *extension) {
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++)
        if (strcasecmp(formats[k].extension, extension) == 0)
            return &formats[k];
    return NULL;
}

static const char *extension_of(const char *path) {
    const char *slash = vs_path_slash(path), *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot + 1 : "";
}

bool vs_cad_is_readable(const char *path) {
    const format *f = path ? find_format(extension_of(path)) : NULL;
    return f && f->read;
}

static void release(work *w) {
    vs_drawing_release(&w->drawing);
    vs_name_table_release(w->context, &w->names);
    VS_ARRAY_RELEASE(w->context, &w->next);
    VS_ARRAY_RELEASE(w->context, &w->block);
    vs_arena_release(&w->arena);
}

// bytes[length] is 0.
static vs_error make_cad(vs_context *context, const char *bytes, size_t length, const char *name, const char *extension,
                         const vs_cad_options *options, vs_cad **cad) {
    const vs_cad_options normal = vs_cad_options_default();
    work w = {.context = context, .options = options ? options : &normal, .file = name ? name : "model"};
    const format *f = find_format(extension);
    if (!f)
        return vs_fail(context, VS_ERROR_UNSUPPORTED,
                       "%s: the name must end with .obj, .stl, .ply, .dxf, .msh, .off or .json (COMPAS, Rigid IPC)",
                       w.file);
    vs_error error = check(context, w.options);
    vs_cad *made = error ? NULL : vs_allocate(context, sizeof *made);
    if (!made)
        return error ? error : vs_fail_memory(context);
    *made = (vs_cad){.context = context};
    vs_arena_init(&w.arena, context);
    vs_drawing_init(&w.drawing, &w.arena, w.file);
    error = convert(&w, f, bytes, length, &made->scene);
    made->report = w.report;
    release(&w);
    if (error)
        vs_cad_destroy(made);
    else
        *cad = made;
    return error;
}

vs_error vs_cad_parse(vs_context *context, const char *bytes, size_t length, const char *name, const char *extension,
                      const vs_cad_options *options, vs_cad **cad) {
    if (cad)
        *cad = NULL;
    if (!context || !bytes || !extension || !cad)
        return vs_fail(context, VS_ERROR_ARGUMENT, "cad: an argument is null");
    char *copy = vs_allocate(context, length + 1);
    if (!copy)
        return vs_fail_memory(context);
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    const vs_error error = make_cad(context, copy, length, name, extension, options, cad);
    vs_release(context, copy);
    return error;
}

vs_error vs_cad_read(vs_context *context, const char *path, const vs_cad_options *options, vs_cad **cad) {
    if (cad)
        *cad = NULL;
    if (!context || !path || !cad)
        return vs_fail(context, VS_ERROR_ARGUMENT, "cad: an argument is null");
    char *bytes = NULL;
    size_t length = 0;
    vs_error error = vs_file_load(context, path, &bytes, &length);
    if (!error)
        error = make_cad(context, bytes, length, path, extension_of(path), options, cad);
    vs_release(context, bytes);
    return error;
}

void vs_cad_destroy(vs_cad *cad) {
    if (!cad)
        return;
    vs_context *context = cad->context;
    VS_ARRAY_RELEASE(context, &cad->scene);
    vs_release(context, cad);
}

const char *vs_cad_get_scene(const vs_cad *cad, size_t *length) {
    if (length)
        *length = cad ? (size_t)cad->scene.count : 0;
    return cad ? cad->scene.data : NULL;
}

vs_cad_report vs_cad_get_report(const vs_cad *cad) {
    return cad ? cad->report : (vs_cad_report){0};
}
