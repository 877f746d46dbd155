// Mutates valid files of every format that the readers of scenes and drawings take, many times, without libFuzzer: what the fuzzers
// of single formats learn slowly, such as a number with a sign too many in an otherwise good MJCF file, is tried here at once.
//
//     mutate FOLDER COUNT [SEED]
//
// reads all files of the folder by their extensions (obj, stl, ply, off, dxf, msh, json, urdf, xml), and COUNT mutations of them in
// turn: bytes changed, removed, doubled, numbers replaced by wild ones, pieces of other files, lines exchanged, ends cut. Every
// result must be an error with a text or a valid scene. More than 10 s for one is an error. Build it with sanitizers; a crash leaves the
// input in mutate-crash.EXTENSION.
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "scenes.h"
#include "voussoir/cad.h"

enum { FILES_MOST = 256, SIZE_MOST = 1 << 18, EDITS_MOST = 3, SECONDS = 10 };

typedef struct sample {
    char name[256];
    const char *extension;
    char *bytes;
    size_t size;
} sample;

// What the handler of signals needs.
static struct {
    const char *extension;
    char bytes[SIZE_MOST + 1];
    size_t size;
} now;

static uint64_t state;

static uint64_t draw(uint64_t limit) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return limit ? state % limit : 0;
}

// ---- files ----------------------------------------------------------------------------------------------

static int load(const char *folder, sample *list) {
    int count = 0;
    DIR *directory = opendir(folder);
    for (const struct dirent *e; directory && (e = readdir(directory)) && count < FILES_MOST;) {
        sample *s = &list[count];
        char path[1024];
        (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        (void)snprintf(s->name, sizeof s->name, "%s", e->d_name);
        const char *dot = strrchr(s->name, '.');
        FILE *file = dot && dot > s->name ? fopen(path, "rb") : NULL;
        if (!file)
            continue;
        s->extension = dot + 1;
        s->bytes = malloc(SIZE_MOST);
        check(s->bytes != NULL);
        s->size = fread(s->bytes, 1, SIZE_MOST, file);
        (void)fclose(file);
        if (s->size > 0)
            count++;
        else
            free(s->bytes); // a folder
    }
    if (directory)
        (void)closedir(directory);
    return count;
}

static void save_input(void) {
    char path[64];
    (void)snprintf(path, sizeof path, "mutate-crash.%.20s", now.extension);
    FILE *file = fopen(path, "wb");
    if (file && fwrite(now.bytes, 1, now.size, file) == now.size && fclose(file) == 0)
        (void)fprintf(stderr, "input saved as %s\n", path);
}

static void fail(int number) {
    (void)fprintf(stderr, number == SIGALRM ? "more than %d s\n" : "signal %d\n", number == SIGALRM ? SECONDS : number);
    save_input();
    _exit(1);
}

// ---- mutations ------------------------------------------------------------------------------------------

// Replaces `cut` bytes at a place by others, as far as there is room.
static void splice(size_t at, size_t cut, const char *with, size_t size) {
    if (at > now.size)
        at = now.size;
    if (cut > now.size - at)
        cut = now.size - at;
    if (now.size - cut + size > SIZE_MOST)
        return;
    memmove(now.bytes + at + size, now.bytes + at + cut, now.size - at - cut);
    memcpy(now.bytes + at, with, size);
    now.size += size - cut;
}

static size_t line_at(size_t at) {
    while (at > 0 && now.bytes[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_length(size_t at) {
    size_t end = at;
    while (end < now.size && now.bytes[end] != '\n')
        end++;
    return end - at + (end < now.size);
}

static void replace_number(void) {
    static const char *const wild[] = {
        "0",    "-1",   "1e308", "-1e308", "1e-320", "nan", "inf", "4294967296", "-2147483648",
        "1e15", "0.5",  "2",     "99999",  "1e999",  "",    "-",   "1,5",        "9223372036854775807",
        "1e-9", "true", "null",  "\"x\"",  "[]",     "{}"};
    size_t at = draw(now.size), length = 0;
    while (at < now.size && !strchr("0123456789", now.bytes[at]))
        at++;
    while (at + length < now.size && strchr("0123456789.eE+-", now.bytes[at + length]))
        length++;
    const char *with = wild[draw(sizeof wild / sizeof *wild)];
    splice(at, length, with, strlen(with));
}

static void edit(const sample *list, int count) {
    char piece[64];
    const size_t at = draw(now.size + 1), from = line_at(at), length = line_length(from);
    const sample *other = &list[draw((uint64_t)count)];
    switch (draw(12)) {
    case 0:
        if (at < now.size)
            now.bytes[at] = (char)(now.bytes[at] ^ 1 << draw(8));
        break;
    case 1:
        if (at < now.size)
            now.bytes[at] = (char)draw(256);
        break;
    case 2:
        splice(at, 1 + draw(16), "", 0);
        break;
    case 3:
        memset(piece, (int)draw(256), sizeof piece);
        splice(at, 0, piece, 1 + draw(sizeof piece));
        break;
    case 4: // a line twice
        if (length < sizeof piece) {
            memcpy(piece, now.bytes + from, length);
            splice(from, 0, piece, length);
        }
        break;
    case 5: // a line less
        splice(from, length, "", 0);
        break;
    case 6: // a piece of another file
        splice(at, draw(8), other->bytes + draw(other->size), 0);
        splice(at, draw(8), other->bytes, draw(other->size < 64 ? other->size : 64));
        break;
    case 7:
        if (draw(8) == 0)
            now.size = at;
        break;
    default:
        replace_number();
    }
}

// ---- reading --------------------------------------------------------------------------------------------

static bool read_scene(vs_context *context) {
    vs_scene *scene = NULL;
    const bool xml = strcmp(now.extension, "xml") == 0 || strcmp(now.extension, "urdf") == 0;
    const vs_error error = xml ? vs_scene_import_text(context, now.bytes, now.size, "file", &scene)
                               : vs_scene_parse(context, now.bytes, now.size, "file", NULL, 0, &scene);
    check_result(context, error, scene, "file");
    vs_scene_destroy(scene);
    return error == VS_OK;
}

static bool read_drawing(vs_context *context) {
    vs_cad *cad = NULL;
    vs_cad_options options = vs_cad_options_default();
    options.snap = draw(4) == 0 ? .01 : 0;
    const vs_error error = vs_cad_parse(context, now.bytes, now.size, "file", now.extension, &options, &cad);
    check((error == VS_OK) == (cad != NULL));
    check(cad || error == VS_ERROR_MEMORY || vs_context_get_error_text(context)[0] != 0);
    vs_cad_destroy(cad);
    return error == VS_OK;
}

static bool read_one(void) {
    size_t used = 0;
    vs_context *context = make_context(&used);
    check(context != NULL);
    now.bytes[now.size] = '\0';
    (void)alarm(SECONDS);
    const bool scene =
        strcmp(now.extension, "xml") == 0 || strcmp(now.extension, "urdf") == 0 || strcmp(now.extension, "json") == 0;
    bool good = scene && read_scene(context);
    if (!scene || (strcmp(now.extension, "json") == 0 && !good))
        good = read_drawing(context);
    (void)alarm(0);
    vs_context_destroy(context);
    check(used == 0);
    return good;
}

int main(int argc, char **argv) {
    static sample list[FILES_MOST];
    const int count = argc >= 3 ? load(argv[1], list) : 0;
    const long runs = argc >= 3 ? strtol(argv[2], NULL, 10) : 0;
    state = argc >= 4 ? strtoull(argv[3], NULL, 10) * 2654435761U + 1 : 88172645463325252U;
    if (count == 0) {
        (void)fprintf(stderr, "usage: mutate FOLDER COUNT [SEED]\n");
        return 2;
    }
    (void)signal(SIGALRM, fail);
    (void)signal(SIGABRT, fail);
    long good = 0;
    for (long k = 0; k < runs; k++) {
        const sample *s = &list[k % count];
        now.extension = s->extension;
        now.size = s->size;
        memcpy(now.bytes, s->bytes, s->size);
        for (uint64_t n = k < count ? 0 : 1 + draw(EDITS_MOST); n > 0; n--)
            edit(list, count);
        const bool read = read_one();
        if (k < count && !read)
            (void)fprintf(stderr, "%s is not valid before mutations\n", s->name);
        good += read;
    }
    printf("%ld mutations of %d files: %ld read, %ld refused\n", runs, count, good, runs - good);
    return 0;
}
