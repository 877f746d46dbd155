// Export as glTF 2.0, binary: one node per body with its motion as an animation, meshes of all shapes. For Blender and
// others.
//
// z is up here, y is up in glTF: a root node rotates the scene. Planes are squares, contacts and joints are omitted. A
// removed body is scaled to zero. The file: a header of 12 bytes, a chunk of JSON, a chunk of numbers (three parts:
// vertices, indices, motion); lengths are filled in at the end.
#include "base/file.h"
#include "base/output_file.h"
#include "base/path.h"
#include "output/export/gltf_data.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLOURS = 9, FLOAT = 5126, UNSIGNED = 5125 };
enum { VIEW_VERTEX, VIEW_INDEX, VIEW_MOTION };

typedef struct writing {
    const vs_gltf_scene *s;
    FILE *to;
    int accessors;        // written so far
    int64_t bytes[3];     // of the parts, while their accessors are written
    int64_t *head, *next; // (bodies), (parts) lists of the parts of each body, -1: end
    int *mesh;            // (surfaces x COLOURS) its number, -1: not used
    int meshes, materials;
    int material[2 * COLOURS]; // its number, -1: not used
    int time;                  // accessor
} writing;

// ---- pieces of JSON -------------------------------------------------------------------------------------

static void put_text(FILE *to, const char *text, size_t room) {
    (void)fputc('"', to);
    for (size_t k = 0; k < room && text[k]; k++) {
        const unsigned char c = (unsigned char)text[k];
        if (c == '"' || c == '\\')
            (void)fprintf(to, "\\%c", c);
        else if (c < 0x20)
            (void)fprintf(to, "\\u%04x", c);
        else
            (void)fputc(c, to);
    }
    (void)fputc('"', to);
}

// With a decimal point in any locale.
static void put_number(FILE *to, double x) {
    char text[40];
    (void)snprintf(text, sizeof text, "%.9g", x == 0 ? 0 : x);
    for (char *at = text; *at; at++)
        if (!strchr("0123456789+-e", *at))
            *at = '.';
    (void)fputs(text, to);
}

static void put_numbers(FILE *to, const char *name, const double *x, int count) {
    (void)fprintf(to, "\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i)
            (void)fputc(',', to);
        put_number(to, x[i]);
    }
    (void)fputc(']', to);
}

// Writes the values that differ from the defaults.
static void put_place(FILE *to, const vs_gltf_place *p) {
    const double q[4] = {p->rotation[1], p->rotation[2], p->rotation[3], p->rotation[0]};
    (void)fputc(',', to);
    put_numbers(to, "translation", p->position, 3);
    if (q[3] != 1) {
        (void)fputc(',', to);
        put_numbers(to, "rotation", q, 4);
    }
    if (p->scale[0] != 1 || p->scale[1] != 1 || p->scale[2] != 1) {
        (void)fputc(',', to);
        put_numbers(to, "scale", p->scale, 3);
    }
}

// ---- nodes and meshes -----------------------------------------------------------------------------------

static int64_t part_node(const writing *w, int64_t part) {
    return 1 + w->s->bodies + part;
}

// Lists of the parts of each body, in their order.
static bool list_parts(writing *w) {
    const vs_gltf_scene *s = w->s;
    w->head = VS_NEW(s->arena, int64_t, s->bodies);
    w->next = VS_NEW(s->arena, int64_t, s->parts);
    if (!w->head || !w->next)
        return false;
    for (int64_t b = 0; b < s->bodies; b++)
        w->head[b] = -1;
    for (int64_t k = s->parts - 1; k >= 0; k--) {
        const int body = s->part[k].body;
        if (body < 0)
            continue;
        w->next[k] = w->head[body];
        w->head[body] = k;
    }
    return true;
}

static void put_children(const writing *w, int64_t body) {
    bool any = false;
    for (int64_t k = w->head[body]; k >= 0; k = w->next[k], any = true)
        (void)fprintf(w->to, any ? ",%lld" : ",\"children\":[%lld", (long long)part_node(w, k));
    if (any)
        (void)fputc(']', w->to);
}

// The first node is the world: bodies, and static shapes.
static void put_root(const writing *w) {
    const vs_gltf_scene *s = w->s;
    bool any = false;
    (void)fputs("{\"name\":\"world\",\"rotation\":[-0.707106781,0,0,0.707106781]", w->to);
    for (int64_t b = 0; b < s->bodies; b++, any = true)
        (void)fprintf(w->to, any ? ",%lld" : ",\"children\":[%lld", (long long)b + 1);
    for (int64_t k = 0; k < s->parts; k++)
        if (s->part[k].body == VS_ROW_WORLD) {
            (void)fprintf(w->to, any ? ",%lld" : ",\"children\":[%lld", (long long)part_node(w, k));
            any = true;
        }
    (void)fputs(any ? "]}" : "}", w->to);
}

static void put_nodes(const writing *w) {
    const vs_gltf_scene *s = w->s;
    (void)fputs("\"nodes\":[", w->to);
    put_root(w);
    for (int64_t b = 0; b < s->bodies; b++) {
        const char *name = s->name + (size_t)b * s->room;
        (void)fputs(",\n{\"name\":", w->to);
        if (*name)
            put_text(w->to, name, s->room);
        else
            (void)fprintf(w->to, "\"body %lld\"", (long long)b);
        put_place(w->to, &s->first[b]);
        put_children(w, b);
        (void)fputc('}', w->to);
    }
    for (int64_t k = 0; k < s->parts; k++) {
        const vs_gltf_part *p = &s->part[k];
        (void)fprintf(w->to, ",\n{\"mesh\":%d", w->mesh[p->surface * COLOURS + p->colour]);
        put_place(w->to, &p->place);
        (void)fputc('}', w->to);
    }
    (void)fputs("],\n", w->to);
}

// Three accessors per surface: positions, indices, and normals if it has them; in this order.
static int first_accessor(const vs_gltf_scene *s, int surface) {
    int count = 0;
    for (int k = 0; k < surface; k++)
        count += s->surface[k].normal ? 3 : 2;
    return count;
}

static void put_meshes(writing *w) {
    const vs_gltf_scene *s = w->s;
    for (int64_t k = 0; k < s->surfaces * COLOURS; k++)
        w->mesh[k] = -1;
    for (int k = 0; k < 2 * COLOURS; k++)
        w->material[k] = -1;
    for (int64_t k = 0; k < s->parts; k++) {
        const vs_gltf_part *p = &s->part[k];
        int *mesh = &w->mesh[p->surface * COLOURS + p->colour];
        if (*mesh >= 0)
            continue;
        const vs_gltf_mesh *surface = &s->surface[p->surface];
        const int first = first_accessor(s, p->surface);
        (void)fprintf(w->to, "%s{\"primitives\":[{\"attributes\":{\"POSITION\":%d", w->meshes ? ",\n" : "\"meshes\":[",
                      first);
        if (surface->normal)
            (void)fprintf(w->to, ",\"NORMAL\":%d", first + 2);
        int *material = &w->material[p->colour + (surface->both_sides ? COLOURS : 0)];
        if (*material < 0)
            *material = w->materials++;
        (void)fprintf(w->to, "},\"indices\":%d,\"material\":%d}]}", first + 1, *material);
        *mesh = w->meshes++;
    }
    if (w->meshes)
        (void)fputs("],\n", w->to);
}

// The viewer's colours, the last one for static shapes; again for two-sided surfaces.
static void put_materials(const writing *w) {
    static const double rgb[COLOURS][3] = {{.24, .37, .55}, {.80, .42, .13}, {.28, .48, .33},
                                           {.68, .27, .27}, {.44, .30, .53}, {.62, .52, .17},
                                           {.20, .47, .48}, {.45, .31, .22}, {.60, .61, .63}};
    for (int number = 0; number < w->materials; number++) {
        int k = 0;
        while (w->material[k] != number)
            k++;
        const double colour[4] = {rgb[k % COLOURS][0], rgb[k % COLOURS][1], rgb[k % COLOURS][2], 1};
        (void)fprintf(w->to, "%s{\"pbrMetallicRoughness\":{", number ? ",\n" : "\"materials\":[");
        put_numbers(w->to, "baseColorFactor", colour, 4);
        (void)fprintf(w->to, ",\"metallicFactor\":0,\"roughnessFactor\":0.8}%s}",
                      k < COLOURS ? "" : ",\"doubleSided\":true");
    }
    (void)fputs("],\n", w->to);
}

// ---- accessors and motion -------------------------------------------------------------------------------

static int put_accessor(writing *w, int view, int type, const char *shape, int64_t count, const double *low,
                        const double *high, int width) {
    (void)fprintf(w->to, "%s{\"bufferView\":%d,\"byteOffset\":%lld,\"componentType\":%d,\"count\":%lld,\"type\":\"%s\"",
                  w->accessors ? ",\n" : "\"accessors\":[", view, (long long)w->bytes[view], type, (long long)count,
                  shape);
    if (low) {
        (void)fputc(',', w->to);
        put_numbers(w->to, "min", low, width);
        (void)fputc(',', w->to);
        put_numbers(w->to, "max", high, width);
    }
    (void)fputc('}', w->to);
    const int numbers = shape[0] == 'S' ? 1 : shape[3] - '0';
    w->bytes[view] += 4 * count * numbers;
    return w->accessors++;
}

static void put_surface(writing *w, const vs_gltf_mesh *m) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t k = 0; k < 3 * m->vertices; k++) {
        low[k % 3] = fmin(low[k % 3], (double)m->position[k]);
        high[k % 3] = fmax(high[k % 3], (double)m->position[k]);
    }
    (void)put_accessor(w, VIEW_VERTEX, FLOAT, "VEC3", m->vertices, low, high, 3);
    (void)put_accessor(w, VIEW_INDEX, UNSIGNED, "SCALAR", 3 * m->triangles, NULL, NULL, 0);
    if (m->normal)
        (void)put_accessor(w, VIEW_VERTEX, FLOAT, "VEC3", m->vertices, NULL, NULL, 0);
}

static bool is_animated(const vs_gltf_scene *s, int64_t body) {
    return s->frames > 1 && (s->motion[body].moves || s->motion[body].vanishes);
}

static bool has_motion(const vs_gltf_scene *s) {
    for (int64_t b = 0; b < s->bodies; b++)
        if (is_animated(s, b))
            return true;
    return false;
}

static void put_accessors(writing *w) {
    const vs_gltf_scene *s = w->s;
    for (int64_t k = 0; k < s->surfaces; k++)
        put_surface(w, &s->surface[k]);
    if (has_motion(s)) {
        const double low = (double)s->time[0], high = (double)s->time[s->frames - 1];
        w->time = put_accessor(w, VIEW_MOTION, FLOAT, "SCALAR", s->frames, &low, &high, 1);
    }
    for (int64_t b = 0; b < s->bodies; b++) {
        if (!is_animated(s, b))
            continue;
        (void)put_accessor(w, VIEW_MOTION, FLOAT, "VEC3", s->frames, NULL, NULL, 0);
        (void)put_accessor(w, VIEW_MOTION, FLOAT, "VEC4", s->frames, NULL, NULL, 0);
        if (s->motion[b].vanishes)
            (void)put_accessor(w, VIEW_MOTION, FLOAT, "VEC3", s->frames, NULL, NULL, 0);
    }
    if (w->accessors)
        (void)fputs("],\n", w->to);
}

static void put_animation(const writing *w) {
    static const char *const path[] = {"translation", "rotation", "scale"};
    const vs_gltf_scene *s = w->s;
    if (!has_motion(s))
        return;
    for (int pass = 0; pass < 2; pass++) {
        int count = 0;
        (void)fputs(pass == 0 ? "\"animations\":[{\"name\":\"run\",\"channels\":[" : "],\n\"samplers\":[", w->to);
        for (int64_t b = 0; b < s->bodies; b++)
            for (int k = 0; is_animated(s, b) && k < (s->motion[b].vanishes ? 3 : 2); k++, count++) {
                if (count)
                    (void)fputs(",\n", w->to);
                if (pass == 0)
                    (void)fprintf(w->to, "{\"sampler\":%d,\"target\":{\"node\":%lld,\"path\":\"%s\"}}", count,
                                  (long long)b + 1, path[k]);
                else
                    (void)fprintf(w->to, "{\"input\":%d,\"output\":%d%s}", w->time, w->time + 1 + count,
                                  k == 2 ? ",\"interpolation\":\"STEP\"" : "");
            }
    }
    (void)fputs("]}],\n", w->to);
}

// ---- the file -------------------------------------------------------------------------------------------

static void put_views(const writing *w) {
    static const char *const more[] = {",\"byteStride\":12,\"target\":34962", ",\"target\":34963", ""};
    int64_t offset = 0;
    if (w->bytes[0] + w->bytes[2] == 0)
        return;
    // A part may be empty, a view may not: without surfaces the first two views are dummies.
    (void)fputs("\"bufferViews\":[", w->to);
    for (int v = 0; v < 3; v++) {
        if (v == VIEW_MOTION && w->bytes[v] == 0)
            break;
        (void)fprintf(w->to, "%s{\"buffer\":0,\"byteOffset\":%lld,\"byteLength\":%lld%s}", v ? "," : "",
                      (long long)offset, (long long)(w->bytes[v] ? w->bytes[v] : 12), w->bytes[v] ? more[v] : "");
        offset += w->bytes[v];
    }
    (void)fprintf(w->to, "],\n\"buffers\":[{\"byteLength\":%lld}],\n", (long long)offset);
}

static void put_json(writing *w) {
    (void)fprintf(w->to, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"voussoir %s\"},\n", vs_version());
    put_accessors(w);
    put_views(w);
    put_meshes(w);
    if (w->meshes)
        put_materials(w);
    put_nodes(w);
    put_animation(w);
    (void)fputs("\"scenes\":[{\"nodes\":[0]}],\"scene\":0}", w->to);
}

static void put_data(const writing *w) {
    const vs_gltf_scene *s = w->s;
    for (int64_t k = 0; k < s->surfaces; k++) {
        const vs_gltf_mesh *m = &s->surface[k];
        (void)fwrite(m->position, 12, (size_t)m->vertices, w->to);
        if (m->normal)
            (void)fwrite(m->normal, 12, (size_t)m->vertices, w->to);
    }
    for (int64_t k = 0; k < s->surfaces; k++)
        (void)fwrite(s->surface[k].index, 12, (size_t)s->surface[k].triangles, w->to);
    if (has_motion(s))
        (void)fwrite(s->time, 4, (size_t)s->frames, w->to);
    for (int64_t b = 0; b < s->bodies; b++) {
        const vs_gltf_motion *m = &s->motion[b];
        if (!is_animated(s, b))
            continue;
        (void)fwrite(m->translation, 12, (size_t)s->frames, w->to);
        (void)fwrite(m->rotation, 16, (size_t)s->frames, w->to);
        for (int64_t k = 0; m->vanishes && k < s->frames; k++)
            (void)fwrite((const float[]){m->scale[k], m->scale[k], m->scale[k]}, 12, 1, w->to);
    }
}

// Chunks end at multiples of four.
static void pad(FILE *to, char with) {
    while (ftell(to) % 4 != 0)
        (void)fputc(with, to);
}

static void put_words(FILE *to, uint32_t a, uint32_t b) {
    const uint32_t word[2] = {a, b};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 4; i++)
            (void)fputc((int)(word[k] >> 8 * i & 255), to); // little endian
}

static vs_error write_glb(const vs_gltf_scene *s, const char *path) {
    writing w = {.s = s, .to = vs_path_stream(path, "wb")};
    w.mesh = VS_NEW(s->arena, int, s->surfaces *COLOURS);
    const bool room = w.mesh && list_parts(&w);
    if (!w.to || !room) {
        if (w.to)
            (void)fclose(w.to);
        return w.to ? VS_ERROR_MEMORY : vs_fail(s->context, VS_ERROR_IO, "cannot be created: %s", strerror(errno));
    }
    put_words(w.to, 0x46546c67, 2);          // "glTF", version
    put_words(w.to, 0, 0);                   // lengths of all and of the JSON: below
    put_words(w.to, 0x4e4f534a, 0x20202020); // "JSON", and four blanks that begin it
    put_json(&w);
    pad(w.to, ' ');
    const long json = ftell(w.to);
    const int64_t numbers = w.bytes[0] + w.bytes[1] + w.bytes[2], all = json + (numbers ? 8 + numbers : 0);
    if (numbers > 0) {
        put_words(w.to, (uint32_t)numbers, 0x004e4942); // "BIN"
        put_data(&w);
    }
    (void)fseek(w.to, 8, SEEK_SET);
    put_words(w.to, (uint32_t)all, (uint32_t)(json - 20));
    bool good = !ferror(w.to);
    good = fclose(w.to) == 0 && good;
    if (good && all > UINT32_MAX)
        return vs_fail(s->context, VS_ERROR_UNSUPPORTED,
                       "would have %lld MB, but glTF is limited to 4 GB; export fewer frames (every)",
                       (long long)(all >> 20));
    return good ? VS_OK : vs_fail(s->context, VS_ERROR_IO, "could not be written");
}

vs_error vs_trajectory_export_gltf(vs_context *context, const char *path, const char *out, int64_t every) {
    if (!context || !path || !out || every < 1)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_trajectory_export_gltf: an argument is null, or every < 1");
    vs_arena arena;
    vs_arena_init(&arena, context);
    vs_trajectory_file file;
    vs_gltf_scene scene;
    vs_output_file *output = NULL;
    const char *blamed = path;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    vs_error error = vs_trajectory_file_open(context, path, false, &file);
    if (!error && vs_output_file_replaces(out, path))
        error = vs_fail(context, VS_ERROR_ARGUMENT, "would be overwritten; use another name for the export");
    if (!error)
        error = vs_gltf_read(&file, every, &arena, &scene);
    if (!error) {
        blamed = out;
        error = vs_output_file_create(context, out, &output);
    }
    if (!error)
        error = write_glb(&scene, vs_output_file_get_path(output));
    if (!error)
        error = vs_output_file_commit(output);
    vs_output_file_destroy(output);
    error = vs_file_blame(context, error, blamed);
    (void)vs_trajectory_file_close(&file);
    vs_h5_silence_end(&silence);
    vs_arena_release(&arena);
    return error;
}
