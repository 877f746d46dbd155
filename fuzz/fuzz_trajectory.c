// Bytes become a trajectory with a few errors: a good file of a small world, in which up to three groups, datasets or attributes are
// missing, links to something else, of another type, rank or length, or have wild numbers. Then it is read: description, series, states and
// histories. HDF5's own structures stay intact: its parser is not tested here. The file is in memory (/dev/shm).
#define _GNU_SOURCE // mkdtemp()
#include <hdf5.h>
#include <stdio.h>
#include <unistd.h>

#include "bytes.h"
#include "scenes.h"
#include "voussoir/trajectory.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { IMAGE_MOST = 1 << 20, NAMES_MOST = 256, DAMAGES = 3, VALUES = 64 };

// What all inputs share; a fuzzer has no other place for it.
static struct {
    int file;
    char path[32];
    char good[IMAGE_MOST];
    size_t size;
    char name[NAMES_MOST][64]; // objects of the file
    int names;
} all;

static const char TEXT[] = "{\"voussoir\": 1, \"shapes\": {\"box\": {\"kind\": \"box\", \"half\": [0.1, 0.1, 0.1]},"
                           " \"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"floor\": {\"kind\": \"plane\"}},"
                           " \"bodies\": [{\"name\": \"ground\", \"motion\": \"static\", \"shape\": \"floor\"},"
                           " {\"name\": \"low\", \"shape\": \"box\", \"position\": [0, 0, 0.1]},"
                           " {\"name\": \"ball\", \"shape\": \"ball\", \"position\": [1, 0, 0.5]}],"
                           " \"joints\": [{\"kind\": \"spherical\", \"name\": \"hinge\", \"b\": \"ball\", \"frame\": "
                           "{\"position\": [1, 0, 1]}}]}";

static herr_t list_object(hid_t file, const char *name, const H5O_info_t *info, void *user) {
    (void)file, (void)info, (void)user;
    if (all.names < NAMES_MOST && strlen(name) < sizeof all.name[0] && strcmp(name, ".") != 0)
        (void)snprintf(all.name[all.names++], sizeof all.name[0], "%s", name);
    return 0;
}

static void write_good(const char *name) {
    vs_context *context = NULL;
    vs_scene *scene = NULL;
    vs_simulation *simulation = NULL;
    vs_trajectory_writer *writer = NULL;
    check(vs_context_create(NULL, &context) == VS_OK);
    check(vs_scene_parse(context, TEXT, sizeof TEXT - 1, "world", NULL, 0, &scene) == VS_OK);
    check(vs_simulation_create(scene->world, &scene->options, &simulation) == VS_OK);
    check(vs_trajectory_writer_create(name, scene->world, NULL, &writer) == VS_OK);
    for (int k = 0; k < 3; k++) {
        vs_step_report report;
        check(vs_simulation_step(simulation, &report) == VS_OK);
        check(vs_trajectory_writer_write(writer, scene->world, simulation, &report) == VS_OK);
    }
    check(vs_trajectory_writer_close(writer) == VS_OK);
    vs_simulation_destroy(simulation);
    vs_scene_destroy(scene);
    vs_context_destroy(context);
}

static void clean_up(void) {
    (void)unlink(all.path);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    char folder[] = "/tmp/fuzz-trajectory-XXXXXX", name[64];
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    check(mkdtemp(folder) != NULL);
    (void)snprintf(name, sizeof name, "%s/good.h5", folder);
    write_good(name);
    FILE *from = fopen(name, "rb");
    check(from != NULL);
    all.size = fread(all.good, 1, IMAGE_MOST, from);
    check(fclose(from) == 0 && all.size < IMAGE_MOST);
    const hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
    check(file >= 0 && H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, list_object, NULL) >= 0 && H5Fclose(file) >= 0);
    check(unlink(name) == 0 && rmdir(folder) == 0 && all.names > 5);
    (void)snprintf(all.path, sizeof all.path, "%s/fuzz-XXXXXX.h5", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    all.file = mkstemps(all.path, 3);
    check(all.file >= 0 && atexit(clean_up) == 0);
    return 0;
}

// ---- damage ---------------------------------------------------------------------------------------------

static hid_t choose_type(stream *s) {
    const hid_t types[] = {H5T_IEEE_F32BE, H5T_STD_I8LE, H5T_STD_U64BE, H5T_NATIVE_INT, H5T_C_S1, H5T_NATIVE_DOUBLE};
    return types[next_choice(s, 6)];
}

// A dataset of other type, rank and lengths in the place of an object.
static void replace(stream *s, hid_t file, const char *name) {
    hsize_t size[3] = {0};
    const int rank = next_choice(s, 4);
    for (int k = 0; k < rank; k++)
        size[k] = next_choice(s, 8) == 7 ? (hsize_t)1 << next_choice(s, 48) : (hsize_t)next_choice(s, 5);
    (void)H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t space = rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(rank, size, NULL);
    const hid_t data = H5Dcreate2(file, name, choose_type(s), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (data >= 0)
        (void)H5Dclose(data);
    (void)H5Sclose(space);
}

// Wild numbers in a dataset, as far as it is small.
static void overwrite(stream *s, hid_t file, const char *name) {
    double value[VALUES];
    const hid_t data = H5Dopen2(file, name, H5P_DEFAULT);
    if (data < 0)
        return;
    const hid_t space = H5Dget_space(data);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count > 0 && count <= VALUES && H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0) {
        value[next_choice(s, (int)count)] = next_choice(s, 2) ? next_int(s) : next_double(s);
        (void)H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    }
    (void)H5Sclose(space);
    (void)H5Dclose(data);
}

static void damage(stream *s, hid_t file) {
    const char *name = all.name[next_byte(s) % all.names], *other = all.name[next_byte(s) % all.names];
    switch (next_choice(s, 6)) {
    case 0:
        (void)H5Ldelete(file, name, H5P_DEFAULT);
        break;
    case 1:
        (void)H5Ldelete(file, name, H5P_DEFAULT);
        (void)H5Lcreate_hard(file, other, file, name, H5P_DEFAULT, H5P_DEFAULT);
        break;
    case 2:
        replace(s, file, name);
        break;
    case 3: // attributes, by their number
        (void)H5Adelete_by_idx(file, name, H5_INDEX_NAME, H5_ITER_INC, next_byte(s) % 4, H5P_DEFAULT);
        break;
    default:
        overwrite(s, file, name);
    }
}

static void make_file(stream *s) {
    check(ftruncate(all.file, 0) == 0 && pwrite(all.file, all.good, all.size, 0) == (ssize_t)all.size);
    const hid_t file = H5Fopen(all.path, H5F_ACC_RDWR, H5P_DEFAULT);
    check(file >= 0);
    for (int k = next_choice(s, DAMAGES + 1); k > 0; k--)
        damage(s, file);
    (void)H5Fclose(file);
}

// ---- reading --------------------------------------------------------------------------------------------

static void read_all(vs_trajectory_reader *reader) {
    static const char *const series[] = {"time", "energy_error", "energy/motors", "iterations"};
    static const char *const history[] = {"position:low", "speed:ball", "force:ground/low", "torque:hinge",
                                          "force:hinge.x"};
    const vs_trajectory_info info = *vs_trajectory_reader_get_info(reader);
    check(info.frames >= 0 && info.bodies >= 0 && info.joints >= 0);
    if (info.frames > 1000 || info.bodies > 1000)
        return;
    double *value = calloc(3 * (size_t)info.frames + 1, sizeof *value);
    double *pose = calloc(7 * (size_t)info.bodies + 1, sizeof *pose),
           *speed = calloc(6 * (size_t)info.bodies + 1, sizeof *speed);
    check(value && pose && speed);
    for (size_t k = 0; k < sizeof series / sizeof *series; k++)
        (void)vs_trajectory_reader_read_series(reader, series[k], value);
    for (size_t k = 0; k < sizeof history / sizeof *history; k++) {
        vs_history_info found;
        if (vs_trajectory_reader_find_history(reader, history[k], &found) == VS_OK) {
            check(found.columns == 1 || found.columns == 3);
            (void)vs_trajectory_reader_read_history(reader, history[k], value);
        }
    }
    for (int64_t k = 0; k < info.frames; k++)
        (void)vs_trajectory_reader_read_state(reader, k, pose, speed);
    free(value);
    free(pose);
    free(speed);
}

// Without damage the file is good.
static void check_good(void) {
    stream none = {NULL, 0};
    vs_context *context = NULL;
    vs_trajectory_reader *reader = NULL;
    make_file(&none);
    check(vs_context_create(NULL, &context) == VS_OK && vs_trajectory_reader_open(context, all.path, &reader) == VS_OK);
    check(vs_trajectory_reader_get_info(reader)->frames == 3);
    vs_trajectory_reader_close(reader);
    vs_context_destroy(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool checked;
    if (!checked)
        check_good();
    checked = true;
    stream s = {data, size};
    size_t used = 0;
    vs_context *context = make_context(&used);
    vs_trajectory_reader *reader = NULL;
    if (!context)
        return 0;
    make_file(&s);
    const vs_error error = vs_trajectory_reader_open(context, all.path, &reader);
    check((error == VS_OK) == (reader != NULL));
    if (reader)
        read_all(reader);
    else
        check(vs_context_get_error_text(context)[0] != 0);
    vs_trajectory_reader_close(reader);
    check(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0); // nothing left open
    vs_context_destroy(context);
    check(used == 0);
    return 0;
}
