// Bytes become a checkpoint with a few wrong places, whose checksum is right: a good file of a small world, in which up
// to eight pieces are overwritten by bytes of the input, and which may be cut. Then it is read. The result is an error
// with a text, and the world is unchanged, or a world of finite numbers.
//
// The world is made once; files are in memory (memfd), so that nothing is written to a disk.
#define _GNU_SOURCE // memfd_create()
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bytes.h"
#include "base/checksum.h"
#include "scenes.h"
#include "voussoir/trajectory.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PATCHES = 8, PIECE = 8, IMAGE_MOST = 1 << 16, SUM = 4 };

// What all inputs share; a fuzzer has no other place for it.
static struct {
    vs_context *context;
    vs_scene *scene;
    vs_simulation *simulation;
    int file;
    char path[32];
    char good[IMAGE_MOST], image[IMAGE_MOST]; // the checkpoint; the one to read
    size_t size;
    uint64_t hash; // of the world in it
} all;

// Two boxes and a ball with a joint, after some steps: contacts, impulses to start from, a reaction.
static const char TEXT[] =
    "{\"voussoir\": 1, \"shapes\": {\"box\": {\"kind\": \"box\", \"half\": [0.1, 0.1, 0.1]},"
    " \"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"floor\": {\"kind\": \"plane\"}},"
    " \"bodies\": [{\"name\": \"ground\", \"motion\": \"static\", \"shape\": \"floor\"},"
    " {\"name\": \"low\", \"shape\": \"box\", \"position\": [0, 0, 0.1]},"
    " {\"name\": \"high\", \"shape\": \"box\", \"position\": [0, 0, 0.3]},"
    " {\"name\": \"ball\", \"shape\": \"ball\", \"position\": [1, 0, 0.5]}],"
    " \"joints\": [{\"kind\": \"spherical\", \"b\": \"ball\", \"frame\": {\"position\": [1, 0, 1]}}]}";

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    check(vs_context_create(NULL, &all.context) == VS_OK);
    if (vs_scene_parse(all.context, TEXT, sizeof TEXT - 1, "world", NULL, 0, &all.scene) != VS_OK) {
        (void)fprintf(stderr, "%s\n", vs_context_get_error_text(all.context));
        abort();
    }
    check(vs_simulation_create(all.scene->world, &all.scene->options, &all.simulation) == VS_OK);
    for (int k = 0; k < 3; k++)
        check(vs_simulation_step(all.simulation, NULL) == VS_OK);
    all.file = memfd_create("checkpoint", 0);
    check(all.file >= 0);
    // The writer replaces files, which a name in /proc does not allow.
    char name[] = "/tmp/fuzz-checkpoint-XXXXXX";
    const int made = mkstemp(name);
    check(made >= 0 && close(made) == 0 && vs_checkpoint_write(name, all.scene->world, all.simulation) == VS_OK);
    FILE *from = fopen(name, "rb");
    check(from != NULL);
    all.size = fread(all.good, 1, IMAGE_MOST, from);
    check(fclose(from) == 0 && unlink(name) == 0 && all.size < IMAGE_MOST);
    (void)snprintf(all.path, sizeof all.path, "/proc/self/fd/%d", all.file);
    all.hash = vs_world_get_hash(all.scene->world);
    return 0;
}

static size_t next_offset(stream *s) {
    const size_t high = next_byte(s);
    return (high << 8 | next_byte(s)) % all.size;
}

// A piece is a number from the list of interesting ones, or bytes as they are.
static void patch(stream *s, char *image) {
    const size_t at = next_offset(s) & ~(size_t)(PIECE - 1);
    double number = next_double(s);
    char piece[PIECE];
    memcpy(piece, &number, PIECE);
    if (next_choice(s, 2))
        for (int k = 0; k < PIECE; k++)
            piece[k] = (char)next_byte(s);
    for (size_t k = 0; k < PIECE && at + k < all.size; k++)
        image[at + k] = piece[k];
}

static void make_file(stream *s) {
    char *image = all.image;
    memcpy(image, all.good, all.size);
    const size_t size = next_choice(s, 8) == 7 ? next_offset(s) : all.size;
    for (int k = next_choice(s, PATCHES + 1); k > 0; k--)
        patch(s, image);
    if (size >= SUM && next_choice(s, 16) != 15) {
        const uint32_t sum = vs_checksum(image, size - SUM);
        memcpy(image + size - SUM, &sum, SUM);
    }
    check(ftruncate(all.file, 0) == 0 && pwrite(all.file, image, size, 0) == (ssize_t)size);
}

static void restore(void) {
    check(ftruncate(all.file, 0) == 0 && pwrite(all.file, all.good, all.size, 0) == (ssize_t)all.size);
    check(vs_checkpoint_read(all.path, all.scene->world, all.simulation) == VS_OK);
    check(vs_world_get_hash(all.scene->world) == all.hash);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    stream s = {data, size};
    vs_checkpoint_info info;
    make_file(&s);
    const vs_error known = vs_checkpoint_read_info(all.context, all.path, &info);
    check(known != VS_OK || memchr(info.software, 0, sizeof info.software) != NULL);
    const vs_error error = vs_checkpoint_read(all.path, all.scene->world, all.simulation);
    if (error) {
        check(vs_context_get_error_text(all.context)[0] != 0);
        check(vs_world_get_hash(all.scene->world) == all.hash);
        return 0;
    }
    check(known == VS_OK);
    check_scene(all.scene);
    restore();
    return 0;
}
