// FCLIB files: opening, closing, and the solution next to the problem.
//
//     FCLIB:  M v = f + H r + G l,   u = H'v + w,   G'v + b = 0     (global)        u = W r + q   (local)
//     here:   H = M, c = -f, D' = H, b = -w, C' = G, b_e = -b;  lambda = r, g = l, y = u;  N = W, r = q
//
// A file is replaced as a whole (base/output_file.c): a concurrent reader sees the old or the new one.
#include "base/file.h"
#include "base/path.h"
#include "hdf5/driver.h"
#include "problem/fclib_data.h"
#include "voussoir/output_file.h"

#include <errno.h>
#include <string.h>

// ---- reading --------------------------------------------------------------------------------------------

static vs_error read_open_file(vs_context *context, hid_t file, vs_problem **problem) {
    vs_h5_group root;
    vs_error error = vs_h5_root_open(context, file, &root);
    if (!error)
        error = vs_fclib_read_group(&root, problem);
    vs_h5_group_close(&root);
    return error;
}

static hid_t open_file(vs_context *context, const char *path, vs_error *error) {
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    *error = VS_OK;
    if (file < 0)
        *error = !vs_path_is_open_to_us(path, false)
                     ? vs_fail(context, VS_ERROR_IO, "cannot be opened: %s", strerror(errno))
                     : vs_fail(context, VS_ERROR_IO, "is not an HDF5 file or is damaged");
    return file;
}

vs_error vs_fclib_read(vs_context *context, const char *path, vs_problem **problem) {
    if (!context || !path || !problem)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_fclib_read: an argument is null");
    *problem = NULL;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    vs_error error;
    hid_t file = open_file(context, path, &error);
    if (!error) {
        error = read_open_file(context, file, problem);
        (void)H5Fclose(file);
    }
    vs_h5_silence_end(&silence);
    return vs_file_blame(context, error, path);
}

vs_error vs_fclib_read_image(vs_context *context, const void *bytes, size_t size, vs_problem **problem) {
    if (!context || !bytes || size == 0 || !problem)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_fclib_read_image: an argument is null");
    *problem = NULL;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    vs_error error = VS_OK;
    hid_t file = -1, list = H5Pcreate(H5P_FILE_ACCESS);
    // HDF5 copies the image (it does not know that it will not write).
    if (list >= 0 && H5Pset_fapl_core(list, (size_t)1 << 16, false) >= 0 &&
        H5Pset_file_image(list, (void *)bytes, size) >= 0)
        file = H5Fopen("image", H5F_ACC_RDONLY, list);
    if (file < 0)
        error = vs_fail(context, VS_ERROR_IO, "not an HDF5 file, or damaged");
    if (!error)
        error = read_open_file(context, file, problem);
    if (file >= 0)
        (void)H5Fclose(file);
    if (list >= 0)
        (void)H5Pclose(list);
    vs_h5_silence_end(&silence);
    return error;
}

// ---- the solution ---------------------------------------------------------------------------------------

// One array of the solution into out (count), entry k from place at[k] of `stored` entries (at null: k).
static vs_error read_solution_array(const vs_h5_group *group, const char *name, int64_t stored, const int64_t *at,
                                    int count, vs_arena *arena, double *out) {
    if (!out || count == 0)
        return VS_OK;
    double *x = NULL;
    vs_error error = vs_h5_read_doubles(group, name, arena, &stored, &x);
    for (int k = 0; !error && k < count; k++)
        out[k] = x[at ? at[k] : k];
    return error;
}

static vs_error read_solution(hid_t file, const vs_problem *problem, double *v, double *g, double *lambda, double *y) {
    vs_context *context = problem->context;
    vs_arena arena;
    vs_arena_init(&arena, context);
    vs_h5_group root, group = {.id = -1};
    int64_t rows = 0, *at = VS_NEW(&arena, int64_t, problem->m);
    vs_error error = vs_h5_root_open(context, file, &root);
    if (!error && !at)
        error = VS_ERROR_MEMORY;
    if (!error)
        error = vs_h5_group_open(&root, "solution", false, &group);
    if (error)
        goto cleanup;
    rows = vs_fclib_map_rows(problem->contacts, problem->row, problem->kind, at);
    error = read_solution_array(&group, "v", problem->n, NULL, problem->n, &arena, v);
    if (!error)
        error = read_solution_array(&group, "l", problem->m_e, NULL, problem->m_e, &arena, g);
    if (!error)
        error = read_solution_array(&group, "r", rows, at, problem->m, &arena, lambda);
    if (!error)
        error = read_solution_array(&group, "u", rows, at, problem->m, &arena, y);
cleanup:
    vs_h5_group_close(&group);
    vs_h5_group_close(&root);
    vs_arena_release(&arena);
    return error;
}

vs_error vs_fclib_read_solution(const char *path, const vs_problem *problem, double *v, double *g, double *lambda,
                                double *y) {
    if (!path || !problem)
        return vs_fail(problem ? problem->context : NULL, VS_ERROR_ARGUMENT,
                       "vs_fclib_read_solution: an argument is null");
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    vs_error error;
    hid_t file = open_file(problem->context, path, &error);
    if (!error) {
        error = read_solution(file, problem, v, g, lambda, y);
        (void)H5Fclose(file);
    }
    vs_h5_silence_end(&silence);
    return vs_file_blame(problem->context, error, path);
}

// ---- writing --------------------------------------------------------------------------------------------

static vs_error write_file(vs_context *context, const char *path, const vs_problem *problem,
                           const vs_solution_view *solution, const vs_fclib_info *info) {
    vs_driver driver = {0}; // HDF5's own does not survive a full disk
    vs_h5_group root = {.id = -1};
    hid_t file = -1, list = H5Pcreate(H5P_FILE_ACCESS);
    if (list >= 0 && H5Pset_fclose_degree(list, H5F_CLOSE_STRONG) >= 0 &&
        vs_driver_use_unlocked(context, list, &driver))
        file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list);
    if (list >= 0)
        (void)H5Pclose(list);
    if (file < 0)
        return vs_fail(context, VS_ERROR_IO, "cannot be created");
    vs_error error = vs_h5_root_open(context, file, &root);
    if (!error)
        error = vs_fclib_write_group(&root, problem, solution, info);
    vs_h5_group_close(&root);
    if (H5Fclose(file) < 0 && !error)
        error = vs_fail(context, VS_ERROR_IO, "could not be written completely");
    return error ? error : vs_driver_check(context, &driver);
}

vs_error vs_fclib_write(const char *path, const vs_problem *problem, const vs_solution_view *solution) {
    return vs_fclib_write_described(path, problem, solution, NULL);
}

vs_error vs_fclib_write_described(const char *path, const vs_problem *problem, const vs_solution_view *solution,
                                  const vs_fclib_info *info) {
    if (!path || !problem)
        return vs_fail(problem ? problem->context : NULL, VS_ERROR_ARGUMENT, "vs_fclib_write: an argument is null");
    vs_context *context = problem->context;
    vs_output_file *file = NULL;
    vs_h5_silence silence;
    vs_h5_silence_begin(&silence);
    vs_error error = vs_output_file_create(context, path, &file);
    if (!error)
        error = write_file(context, vs_output_file_get_path(file), problem, solution, info);
    if (!error)
        error = vs_output_file_commit(file);
    vs_output_file_destroy(file);
    vs_h5_silence_end(&silence);
    return vs_file_blame(context, error, path);
}
