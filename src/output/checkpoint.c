// Checkpoints: a file of the state of a world and its simulation (step/state/simulation_state.h) with the software that wrote it, and a
// checksum of everything before it (4 bytes, little-endian).
//
// Data that the scene defines (shapes, loads, motors) is not stored; generations, kinds and masses must be those of the
// scene. Nothing is changed before everything has been checked. For continuing a run, not an archive format.
#include "base/bytes.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/output_file.h"
#include "base/path.h"
#include "body/world_data.h"
#include "output/software.h"
#include "step/state/simulation_state.h"
#include "voussoir/trajectory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

_Static_assert(sizeof((vs_checkpoint_info){0}.software) == VS_SOFTWARE_TEXT, "room for the text");
_Static_assert((int)VS_STATE_TEXT == (int)VS_SOFTWARE_TEXT, "the same");
enum { SUM_BYTES = 4, FILE_LEAST = 24 + SUM_BYTES };

// ---- writing --------------------------------------------------------------------------------------------

// Builds the whole file in memory.
static vs_error make_image(const vs_world *world, const vs_simulation *simulation, vs_arena *arena, char **image,
                           size_t *size) {
    char software[VS_SOFTWARE_TEXT];
    vs_state state = vs_state_to_save(world, simulation);
    size_t count;
    vs_software_describe(software);
    state.software = software;
    vs_state_save(&state, NULL, 0, &count);
    *size = count + SUM_BYTES;
    *image = VS_NEW(arena, char, (int64_t)*size);
    if (!*image)
        return VS_ERROR_MEMORY;
    vs_state_save(&state, *image, count, &count);
    vs_put_bytes((unsigned char *)*image + count, SUM_BYTES, vs_checksum(*image, count));
    return VS_OK;
}

static vs_error write_bytes(vs_context *context, const char *name, const char *image, size_t size) {
    FILE *file = vs_path_stream(name, "wb");
    bool good = file && fwrite(image, 1, size, file) == size;
    if (file)
        good = fclose(file) == 0 && good;
    return good ? VS_OK : vs_fail(context, VS_ERROR_IO, "could not be written: %s", strerror(errno));
}

vs_error vs_checkpoint_write(const char *path, const vs_world *world, const vs_simulation *simulation) {
    if (!path || !world)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "vs_checkpoint_write: an argument is null");
    vs_context *context = world->context;
    vs_arena arena;
    vs_arena_init(&arena, context);
    char *image = NULL;
    vs_output_file *file = NULL;
    size_t size = 0;
    vs_error error = make_image(world, simulation, &arena, &image, &size);
    if (!error)
        error = vs_output_file_create(context, path, &file);
    if (!error)
        error = write_bytes(context, vs_output_file_get_path(file), image, size);
    if (!error)
        error = vs_output_file_commit(file);
    vs_output_file_destroy(file);
    error = vs_file_blame(context, error, path);
    vs_arena_release(&arena);
    return error;
}

// ---- reading --------------------------------------------------------------------------------------------

static vs_error read_bytes(vs_context *context, const char *path, vs_arena *arena, char **image, size_t *size) {
    struct stat status = {0};
    FILE *file = vs_path_stream(path, "rb");
    vs_error error = VS_OK;
    if (!file || fstat(fileno(file), &status) != 0)
        error = vs_fail(context, VS_ERROR_IO, "cannot be opened: %s", strerror(errno));
    else if (!S_ISREG(status.st_mode) || status.st_size < FILE_LEAST)
        error = vs_fail(context, VS_ERROR_DATA, "is not a checkpoint");
    if (!error) {
        *size = (size_t)status.st_size;
        *image = VS_NEW(arena, char, (int64_t)status.st_size);
        if (!*image)
            error = VS_ERROR_MEMORY;
        else if (fread(*image, 1, *size, file) != *size)
            error = vs_fail(context, VS_ERROR_IO, "could not be read");
    }
    if (file)
        (void)fclose(file);
    return error;
}

// Reads a file and what it says about itself; `state` becomes that without its checksum. Older formats, which have it as well, are
// refused by their names.
static vs_error read_state(vs_context *context, const char *path, vs_arena *arena, const char **state,
                           vs_state_info *info, size_t *count) {
    char *image = NULL;
    size_t size = 0;
    vs_error error = read_bytes(context, path, arena, &image, &size);
    if (error)
        return error;
    *state = image, *count = size - SUM_BYTES;
    error = vs_state_read_info(context, image, *count, info);
    if (!error && vs_get_bytes((unsigned char *)image + *count, SUM_BYTES) != vs_checksum(image, *count))
        error = vs_fail(context, VS_ERROR_DATA, "is damaged: its checksum is wrong");
    return error;
}

vs_error vs_checkpoint_read_info(vs_context *context, const char *path, vs_checkpoint_info *info) {
    if (!context || !path || !info)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_checkpoint_read_info: an argument is null");
    *info = (vs_checkpoint_info){0};
    vs_arena arena;
    vs_arena_init(&arena, context);
    const char *bytes = NULL;
    size_t count = 0;
    vs_state_info state;
    vs_error error = read_state(context, path, &arena, &bytes, &state, &count);
    if (!error) {
        info->time = state.time;
        info->bodies = state.bodies > 0 ? state.bodies - 1 : 0; // without the world's
        info->joints = state.joints;
        info->flexibles = state.flexibles;
        vs_software_read(state.software, strlen(state.software), info->software);
    }
    error = vs_file_blame(context, error, path);
    vs_arena_release(&arena);
    return error;
}

vs_error vs_checkpoint_read(const char *path, vs_world *world, vs_simulation *simulation) {
    if (!path || !world)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "vs_checkpoint_read: an argument is null");
    vs_context *context = world->context;
    vs_arena arena;
    vs_arena_init(&arena, context);
    const char *bytes = NULL;
    size_t count = 0;
    vs_state_info info;
    vs_error error = read_state(context, path, &arena, &bytes, &info, &count);
    if (!error)
        error = vs_state_load(&(vs_state){.world = world, .simulation = simulation, .name = path}, bytes, count);
    if (!error) {
        char software[VS_SOFTWARE_TEXT];
        vs_software_read(info.software, strlen(info.software), software);
        vs_software_compare(context, path, software);
    }
    error = vs_file_blame(context, error, path);
    vs_arena_release(&arena);
    return error;
}
