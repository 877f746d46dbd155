// FCLIB files: what is written is read back array by array, files and the fclib library agree in both directions,
// and a damaged file is refused with the name of the dataset.
#include "problems.h"

#include <dirent.h>
#include <limits.h>

#include "kit/folder.h"
#include "problem/fclib_data.h"

// The library compared with leaks its info; what we leak is counted by our own allocator.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libfclib\nleak:fclib_read\n";
}

typedef struct fixture {
    memory m;
    vs_context *context;
    char folder[FOLDER_ROOM], path[PATH_ROOM];
} fixture;

static int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    f->context = make_context(&f->m);
    make_folder(f->folder);
    name_in(f->folder, "problem.hdf5", f->path);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    (void)unlink(f->path);
    // Fails if anything else is left in the folder: temporary files must be gone.
    remove_folder(f->folder);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
    end_context(f->context, &f->m);
    free(f);
    return 0;
}

static void assert_ok(const fixture *f, vs_error error) {
    must(error, f->context);
}

// ---- round trips ----------------------------------------------------------------------------------------

static void everything_fclib_cannot_say_survives_the_round_trip(void **state) {
    fixture *f = *state;
    vs_problem *problem = NULL, *again = NULL;
    assert_ok(f, make_sample(f->context, &problem));
    assert_ok(f, vs_fclib_write(f->path, problem, NULL));
    assert_ok(f, vs_fclib_read(f->context, f->path, &again));
    assert_problems_equal(problem, again);
    vs_problem_destroy(problem);
    vs_problem_destroy(again);
}

static void a_solution_survives_the_round_trip(void **state) {
    fixture *f = *state;
    vs_problem *problem = NULL;
    assert_ok(f, make_sample(f->context, &problem));
    double v[14], g[3], l[9], y[9], v2[14], g2[3], l2[9], y2[9];
    for (int k = 0; k < 14; k++)
        v[k] = 0.1 * k;
    for (int k = 0; k < 9; k++)
        l[k] = 1.0 + k, y[k] = -0.3 * k;
    for (int k = 0; k < 3; k++)
        g[k] = 1e-3 * k;
    const vs_solution_view solution = {v, g, l, y}, part = {NULL, NULL, l, NULL};
    assert_ok(f, vs_fclib_write(f->path, problem, &solution));
    assert_ok(f, vs_fclib_read_solution(f->path, problem, v2, g2, l2, y2));
    assert_doubles_equal(v, v2, 14);
    assert_doubles_equal(g, g2, 3);
    assert_doubles_equal(l, l2, 9);
    assert_doubles_equal(y, y2, 9);
    // what was not given is not there
    assert_ok(f, vs_fclib_write(f->path, problem, &part));
    assert_ok(f, vs_fclib_read_solution(f->path, problem, NULL, NULL, l2, NULL));
    assert_int_equal(vs_fclib_read_solution(f->path, problem, v2, NULL, NULL, NULL), VS_ERROR_DATA);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "solution/v is missing"));
    assert_ok(f, vs_fclib_write(f->path, problem, NULL));
    assert_int_equal(vs_fclib_read_solution(f->path, problem, NULL, NULL, l2, NULL), VS_ERROR_DATA);
    vs_problem_destroy(problem);
}

static void empty_problems_survive_the_round_trip(void **state) {
    fixture *f = *state;
    vs_problem *problem = NULL, *again = NULL;
    vs_problem_builder *builder = NULL;
    assert_ok(f, vs_problem_builder_create(f->context, &builder));
    assert_ok(f, vs_problem_builder_finish(builder, &problem));
    const vs_problem_local_def local = vs_problem_local_def_default();
    for (int form = 0; form < 2; form++) {
        if (form == 1)
            assert_ok(f, vs_problem_from_local(f->context, &local, &problem));
        assert_ok(f, vs_fclib_write(f->path, problem, NULL));
        assert_ok(f, vs_fclib_read(f->context, f->path, &again));
        assert_problems_equal(problem, again);
        vs_problem_destroy(problem);
        vs_problem_destroy(again);
    }
}

static void equal_problems_give_equal_bytes(void **state) {
    fixture *f = *state;
    vs_problem *problem = NULL;
    assert_ok(f, make_sample(f->context, &problem));
    char *bytes[2] = {NULL, NULL};
    size_t size[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        assert_ok(f, vs_fclib_write(f->path, problem, NULL));
        FILE *file = fopen(f->path, "rb");
        assert_non_null(file);
        bytes[k] = calloc(1, 1 << 20);
        size[k] = fread(bytes[k], 1, 1 << 20, file);
        assert_int_equal(fclose(file), 0);
        if (k == 0)
            sleep(1); // HDF5 stores whole seconds where it stores times
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    // the same bytes in memory are the same problem
    vs_problem *again = NULL;
    assert_ok(f, vs_fclib_read_image(f->context, bytes[0], size[0], &again));
    assert_problems_equal(problem, again);
    vs_problem_destroy(again);
    vs_problem_destroy(problem);
    free(bytes[0]);
    free(bytes[1]);
}

static void every_refused_allocation_is_an_error_without_leak(void **state) {
    fixture *f = *state;
    vs_problem *problem = NULL, *again = NULL;
    assert_ok(f, make_sample(f->context, &problem));
    const int before = f->m.alive;
    vs_error error = VS_ERROR_MEMORY;
    for (int k = 0; error; k++) {
        refuse_call(&f->m, k);
        error = vs_fclib_write(f->path, problem, NULL);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        assert_int_equal(f->m.alive, before);
    }
    error = VS_ERROR_MEMORY;
    for (int k = 0; error; k++) {
        refuse_call(&f->m, k);
        error = vs_fclib_read(f->context, f->path, &again);
        assert_true(error == VS_OK || error == VS_ERROR_MEMORY);
        assert_int_equal(again == NULL, error != VS_OK);
        vs_problem_destroy(again);
        assert_int_equal(f->m.alive, before);
    }
    refuse_none(&f->m);
    vs_problem_destroy(problem);
}

// ---- failures -------------------------------------------------------------------------------------------

static void files_that_cannot_be_opened_or_written_are_io_errors(void **state) {
    fixture *f = *state;
    vs_problem *problem = NULL, *again = NULL;
    assert_int_equal(vs_fclib_read(f->context, f->path, &again), VS_ERROR_IO);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "problem.hdf5: cannot be opened"));
    FILE *file = fopen(f->path, "wb");
    assert_non_null(file);
    fputs("this is no HDF5 file", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(vs_fclib_read(f->context, f->path, &again), VS_ERROR_IO);
    assert_non_null(strstr(vs_context_get_error_text(f->context), "is not an HDF5 file"));
    assert_null(again);

    assert_ok(f, make_sample(f->context, &problem));
    assert_int_equal(vs_fclib_write("/no/such/folder/file.hdf5", problem, NULL), VS_ERROR_IO);
    assert_int_equal(vs_fclib_write(f->folder, problem, NULL), VS_ERROR_IO); // a folder cannot be replaced
    assert_int_equal(vs_fclib_write(NULL, problem, NULL), VS_ERROR_ARGUMENT);
    assert_int_equal(vs_fclib_read(f->context, NULL, &again), VS_ERROR_ARGUMENT);
    vs_problem_destroy(problem);
}

// Replaces the dataset by `count` numbers of the memory type given; count < 0 only deletes it.
static void replace_dataset(const fixture *f, const char *name, hid_t type, int64_t count, const void *x) {
    hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    if (count >= 0) {
        const hsize_t size = (hsize_t)count;
        hid_t space = H5Screate_simple(1, &size, NULL);
        hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        assert_true(dataset >= 0);
        if (x)
            assert_true(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
        H5Dclose(dataset);
        H5Sclose(space);
    }
    H5Fclose(file);
}

static void refuse_file(const fixture *f, vs_error error, const char *text) {
    vs_problem *problem = NULL;
    const vs_error found = vs_fclib_read(f->context, f->path, &problem);
    if (found != error || !strstr(vs_context_get_error_text(f->context), text))
        fail_msg("expected \"%s\", found %s: \"%s\"", text, vs_error_name(found),
                 vs_context_get_error_text(f->context));
    assert_null(problem);
}

static void damaged_datasets_are_named(void **state) {
    fixture *f = *state;
    vs_problem *problem = NULL;
    assert_ok(f, make_sample(f->context, &problem));
    const int minus[1] = {-1}, two[2] = {2, 2}, big[1] = {INT_MAX}, seven[15] = {7}, ends[3] = {0, 3, 3};
    const double nan_c[14] = {[3] = 0.0 / 0.0}, x[36] = {1}, mu[5] = {-0.5};
    const struct {
        const char *name;
        int64_t count;
        bool floating;
        const void *x;
        vs_error error;
        const char *text;
    } cases[] = {
        {"fclib_global/vectors/f", -1, true, NULL, VS_ERROR_DATA, "fclib_global/vectors/f is missing"},
        {"fclib_global/vectors/f", 14, true, nan_c, VS_ERROR_DATA, "fclib_global/vectors/f[3] is not finite"},
        {"fclib_global/vectors/f", 13, true, x, VS_ERROR_DATA, "fclib_global/M is 14 x 14, but"},
        {"fclib_global/vectors/f", 14, false, seven, VS_ERROR_DATA, "f does not hold floating-point numbers"},
        {"fclib_global/vectors/f", 14, true, NULL, VS_ERROR_DATA, "f was never written"},
        {"fclib_global/vectors/f", (int64_t)1 << 40, true, NULL, VS_ERROR_DATA, "declares 1099511627776 entries"},
        {"fclib_global/vectors/w", 14, true, x, VS_ERROR_DATA, "w has 14 entries, not a multiple of 3"},
        {"fclib_global/vectors/mu", 4, true, x, VS_ERROR_DATA, "mu has 4 entries, not 5"},
        {"fclib_global/vectors/mu", 5, true, mu, VS_ERROR_DATA, "mu[0] is negative (-0.5)"},
        {"fclib_global/spacedim", 1, false, two, VS_ERROR_UNSUPPORTED, "spacedim is 2; only 3"},
        {"fclib_global/M/m", 1, false, minus, VS_ERROR_DATA, "fclib_global/M is -1 x 14"},
        {"fclib_global/M/n", 1, false, big, VS_ERROR_DATA, "fclib_global/M is 14 x 2147483647"},
        {"fclib_global/M/nz", 1, false, big, VS_ERROR_DATA, "nz is 2147483647, but i, p or x has fewer"},
        {"fclib_global/M/p", 15, false, seven, VS_ERROR_DATA, "fclib_global/M/p[0] is 7, not 0"},
        {"fclib_global/M/p", 14, false, seven, VS_ERROR_DATA, "fclib_global/M/p has 14 entries, not 15"},
        {"fclib_global/M/i", 2, false, two, VS_ERROR_DATA, "fclib_global/M/p[3] is 3: not ascending or beyond 2"},
        {"fclib_global/M/i", 1, true, x, VS_ERROR_DATA, "fclib_global/M/i does not hold integers"},
        {"fclib_global/vectors/b", 2, true, x, VS_ERROR_DATA, "fclib_global/G is 14 x 3, but"},
        {"fclib_global/vectors", -1, true, NULL, VS_ERROR_DATA, "fclib_global/vectors is missing"},
        {"fclib_global/M", 1, false, two, VS_ERROR_DATA, "fclib_global/M is not a group"},
        {"fclib_global", -1, false, NULL, VS_ERROR_DATA, "not an FCLIB file"},
        {"voussoir/format", 1, false, two, VS_ERROR_UNSUPPORTED, "voussoir/format is 2; this version reads only 1"},
        {"voussoir/kind", 4, false, seven, VS_ERROR_DATA, "voussoir/kind[0] is 7, which cannot have 3 rows"},
        {"voussoir/contact_row", 5, false, seven, VS_ERROR_DATA, "voussoir/kind[0] is 0, which cannot have 0 rows"},
        {"voussoir/joint_row", 3, false, ends, VS_ERROR_DATA, "voussoir/joint_row[2] is 3: not ascending"},
        {"voussoir/joint_row", 0, false, NULL, VS_ERROR_DATA, "joints in voussoir/joint_row is negative"},
        {"voussoir/E", 8, true, x, VS_ERROR_DATA, "voussoir/E has 8 entries, not 9"},
        {"voussoir/key", -1, false, NULL, VS_ERROR_DATA, "voussoir/key is missing"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_ok(f, vs_fclib_write(f->path, problem, NULL));
        replace_dataset(f, cases[k].name, cases[k].floating ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT, cases[k].count,
                        cases[k].x);
        refuse_file(f, cases[k].error, cases[k].text);
    }
    vs_problem_destroy(problem);
}

static void links_and_tables_are_refused(void **state) {
    fixture *f = *state;
    vs_problem *problem = NULL;
    assert_ok(f, make_sample(f->context, &problem));
    assert_ok(f, vs_fclib_write(f->path, problem, NULL));
    replace_dataset(f, "fclib_global/vectors/f", H5T_NATIVE_DOUBLE, -1, NULL);
    hid_t file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Lcreate_external("/etc/passwd", "/x", file, "fclib_global/vectors/f", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    H5Fclose(file);
    refuse_file(f, VS_ERROR_DATA, "fclib_global/vectors/f is a soft or external link; store the object itself");

    assert_ok(f, vs_fclib_write(f->path, problem, NULL));
    replace_dataset(f, "fclib_global/vectors/f", H5T_NATIVE_DOUBLE, -1, NULL);
    file = H5Fopen(f->path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hsize_t size[2] = {7, 2};
    hid_t space = H5Screate_simple(2, size, NULL);
    hid_t dataset =
        H5Dcreate2(file, "fclib_global/vectors/f", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Fclose(file);
    refuse_file(f, VS_ERROR_DATA, "fclib_global/vectors/f has more than one dimension");
    vs_problem_destroy(problem);
}

// ---- the data -------------------------------------------------------------------------------------------

#ifdef VS_HAVE_FCLIB
static void compare_through_fclib(const char *a, const char *b, bool local);
#endif

// Reads, writes, reads again; returns the number of files.
static int round_trip_folder(const fixture *f, const char *folder) {
    DIR *directory = opendir(folder);
    if (!directory)
        return 0;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (!strstr(entry->d_name, ".hdf5"))
            continue;
        char path[1024];
        (void)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        vs_problem *problem = NULL, *again = NULL;
        assert_ok(f, vs_fclib_read(f->context, path, &problem));
        assert_ok(f, vs_fclib_write(f->path, problem, NULL));
        assert_ok(f, vs_fclib_read(f->context, f->path, &again));
        assert_problems_equal(problem, again);
#ifdef VS_HAVE_FCLIB
        compare_through_fclib(path, f->path, problem->local);
#endif
        vs_problem_destroy(problem);
        vs_problem_destroy(again);
        count++;
    }
    closedir(directory);
    return count;
}

static void steps_of_named_scenes_survive_the_round_trip(void **state) {
    assert_int_equal(round_trip_folder(*state, VS_OWN_PROBLEMS), 12);
}

#if VS_PUBLIC_DATA
static void all_public_problems_survive_the_round_trip(void **state) {
    assert_int_equal(round_trip_folder(*state, VS_DATA_DIR "/problems"), 49);
    assert_int_equal(round_trip_folder(*state, VS_DATA_DIR "/piles"), 7);
}
#endif

// ---- the fclib library ----------------------------------------------------------------------------------

#ifdef VS_HAVE_FCLIB
#include <fclib.h>

// Same entries; explicit zeros, which mean nothing, are skipped. Both with compressed columns.
static void assert_matrices_equal(const struct fclib_matrix *A, const struct fclib_matrix *B) {
    assert_int_equal(A->m, B->m);
    assert_int_equal(A->n, B->n);
    assert_int_equal(A->nz, -1);
    assert_int_equal(B->nz, -1);
    for (int j = 0; j < A->n; j++) {
        int k = A->p[j], l = B->p[j];
        for (;; k++, l++) {
            while (k < A->p[j + 1] && A->x[k] == 0)
                k++;
            while (l < B->p[j + 1] && B->x[l] == 0)
                l++;
            assert_int_equal(k == A->p[j + 1], l == B->p[j + 1]);
            if (k == A->p[j + 1])
                break;
            assert_int_equal(A->i[k], B->i[l]);
            assert_true(A->x[k] == B->x[l]);
        }
    }
}

static void compare_through_fclib(const char *a, const char *b, bool local) {
    if (local) {
        struct fclib_local *A = fclib_read_local(a), *B = fclib_read_local(b);
        assert_non_null(A);
        assert_non_null(B);
        assert_matrices_equal(A->W, B->W);
        assert_int_equal(B->spacedim, 3);
        assert_doubles_equal(A->q, B->q, A->W->m);
        assert_doubles_equal(A->mu, B->mu, A->W->m / 3);
        fclib_delete_local(A);
        fclib_delete_local(B);
        free(A);
        free(B);
        return;
    }
    struct fclib_global *A = fclib_read_global(a), *B = fclib_read_global(b);
    assert_non_null(A);
    assert_non_null(B);
    assert_matrices_equal(A->M, B->M); // two files store an upper triangle: it stays one
    assert_matrices_equal(A->H, B->H);
    assert_int_equal(A->G == NULL, B->G == NULL);
    assert_int_equal(B->spacedim, 3);
    assert_doubles_equal(A->f, B->f, A->M->n);
    assert_doubles_equal(A->w, B->w, A->H->n);
    assert_doubles_equal(A->mu, B->mu, A->H->n / 3);
    fclib_delete_global(A);
    fclib_delete_global(B);
    free(A);
    free(B);
}

// Two unknowns of mass 2 and 3 coupled by 0.5, one contact, two joint rows; FCLIB's side of the equations.
static int M_p[] = {0, 2, 4}, M_i[] = {0, 1, 0, 1}, H_p[] = {0, 1, 3, 4}, H_i[] = {0, 0, 1, 1}, G_p[] = {0, 2, 3},
           G_i[] = {0, 1, 1};
static double M_x[] = {2, 0.5, 0.5, 3}, H_x[] = {1, 2, 3, 4}, G_x[] = {5, 6, 7};
static double f_x[] = {1, -2}, w_x[] = {3, 4, -5}, b_x[] = {6, -7}, mu_x[] = {0.25};

static struct fclib_global make_fclib_global(struct fclib_matrix *M, struct fclib_matrix *H, struct fclib_matrix *G) {
    *M = (struct fclib_matrix){.nzmax = 4, .m = 2, .n = 2, .p = M_p, .i = M_i, .x = M_x, .nz = -1};
    *H = (struct fclib_matrix){.nzmax = 4, .m = 2, .n = 3, .p = H_p, .i = H_i, .x = H_x, .nz = -1};
    *G = (struct fclib_matrix){.nzmax = 3, .m = 2, .n = 2, .p = G_p, .i = G_i, .x = G_x, .nz = -1};
    return (struct fclib_global){.M = M, .H = H, .G = G, .mu = mu_x, .f = f_x, .b = b_x, .w = w_x, .spacedim = 3};
}

// H v + c = D'l + C'g,  y = D v - b,  C v = b_e  against  M v = f + H r + G l,  u = H'v + w,  G'v + b = 0
static void assert_is_the_fclib_problem(const vs_problem *problem) {
    const double c[] = {-1, 2}, b[] = {-3, -4, 5}, b_e[] = {-6, 7};
    const double D[] = {1, 0, 2, 3, 0, 4}, C[] = {5, 6, 7};
    assert_false(problem->local);
    assert_int_equal(problem->n, 2);
    assert_int_equal(problem->joints, 2);
    assert_doubles_equal(problem->H.x, M_x, 4);
    assert_doubles_equal(problem->c, c, 2);
    assert_doubles_equal(problem->D.x, D, 6);
    assert_doubles_equal(problem->b, b, 3);
    assert_int_equal(problem->C.value[2], 3);
    assert_doubles_equal(problem->C.x, C, 3);
    assert_doubles_equal(problem->b_e, b_e, 2);
    assert_doubles_equal(problem->mu, mu_x, 1);
}

static void a_global_file_of_fclib_is_read_in_every_storage(void **state) {
    fixture *f = *state;
    struct fclib_matrix M, H, G;
    struct fclib_global global = make_fclib_global(&M, &H, &G);
    struct fclib_info info = {.title = "title", .description = "description", .math_info = "math"};
    // the same H as triplets in a mixed order with room to spare (x has nzmax entries), as rows with one duplicate
    int t_i[] = {1, 0, 0, 1}, t_p[] = {2, 1, 0, 1}, r_p[] = {0, 2, 5}, r_i[] = {1, 0, 1, 2, 1};
    double t_x[] = {4, 2, 1, 3, 99}, r_x[] = {2, 1, 1, 4, 2};
    for (int storage = 0; storage < 3; storage++) {
        if (storage == 1)
            H = (struct fclib_matrix){.nzmax = 5, .m = 2, .n = 3, .p = t_p, .i = t_i, .x = t_x, .nz = 4};
        if (storage == 2)
            H = (struct fclib_matrix){.nzmax = 5, .m = 2, .n = 3, .p = r_p, .i = r_i, .x = r_x, .nz = -2};
        global.info = &info;
        (void)unlink(f->path);
        assert_int_equal(fclib_write_global(&global, f->path), 1);
        vs_problem *problem = NULL;
        assert_ok(f, vs_fclib_read(f->context, f->path, &problem));
        assert_is_the_fclib_problem(problem);
        vs_problem_destroy(problem);
    }
}

static void an_unsymmetric_M_is_kept_as_it_is_in_both_directions(void **state) {
    fixture *f = *state;
    struct fclib_matrix M, H, G;
    struct fclib_global global = make_fclib_global(&M, &H, &G);
    double upper[] = {2, 0, 0.5, 3}, lower[] = {2, 0.5, 0, 3}, both[] = {2, -0.25, 0.5, 3};
    double *values[] = {upper, lower, both};
    for (int k = 0; k < 3; k++) {
        M.x = values[k];
        (void)unlink(f->path);
        assert_int_equal(fclib_write_global(&global, f->path), 1);
        vs_problem *problem = NULL, *again = NULL;
        assert_ok(f, vs_fclib_read(f->context, f->path, &problem));
        assert_false(problem->symmetric);
        assert_doubles_equal(problem->H.x, values[k], 4);
        assert_ok(f, vs_fclib_write(f->path, problem, NULL));
        assert_ok(f, vs_fclib_read(f->context, f->path, &again));
        assert_problems_equal(problem, again);
        struct fclib_global *read = fclib_read_global(f->path);
        assert_non_null(read);
        assert_doubles_equal(read->M->x, values[k], 4);
        fclib_delete_global(read);
        free(read);
        vs_problem_destroy(problem);
        vs_problem_destroy(again);
    }
}

static void fclib_reads_our_global_file_with_joints_and_solution(void **state) {
    fixture *f = *state;
    struct fclib_matrix M, H, G;
    struct fclib_global global = make_fclib_global(&M, &H, &G);
    vs_problem *problem = NULL;
    assert_int_equal(fclib_write_global(&global, f->path), 1);
    assert_ok(f, vs_fclib_read(f->context, f->path, &problem));
    const double v[] = {1, 2}, g[] = {3, 4}, l[] = {5, 6, 7}, y[] = {8, 9, 10};
    const vs_solution_view solution = {v, g, l, y};
    assert_ok(f, vs_fclib_write(f->path, problem, &solution));

    struct fclib_global *read = fclib_read_global(f->path);
    assert_non_null(read);
    assert_matrices_equal(&M, read->M);
    assert_matrices_equal(&H, read->H);
    assert_matrices_equal(&G, read->G);
    assert_int_equal(read->H->nzmax, 4); // without zeros that fill the 3 x 2 matrix of the contact
    assert_doubles_equal(f_x, read->f, 2);
    assert_doubles_equal(w_x, read->w, 3);
    assert_doubles_equal(b_x, read->b, 2);
    assert_doubles_equal(mu_x, read->mu, 1);
    assert_string_equal(read->info->title, "contact problem");
    struct fclib_solution *found = fclib_read_solution(f->path);
    assert_non_null(found);
    assert_doubles_equal(v, found->v, 2);
    assert_doubles_equal(g, found->l, 2);
    assert_doubles_equal(l, found->r, 3);
    assert_doubles_equal(y, found->u, 3);
    fclib_delete_solutions(found, 1);
    fclib_delete_global(read);
    free(read);
    vs_problem_destroy(problem);
}

static void a_solution_of_fclib_is_read(void **state) {
    fixture *f = *state;
    struct fclib_matrix M, H, G;
    struct fclib_global global = make_fclib_global(&M, &H, &G);
    double v[] = {1, 2}, g[] = {3, 4}, l[] = {5, 6, 7}, y[] = {8, 9, 10}, v2[2], g2[2], l2[3], y2[3];
    struct fclib_solution solution = {.v = v, .u = y, .r = l, .l = g};
    assert_int_equal(fclib_write_global(&global, f->path), 1);
    assert_int_equal(fclib_write_solution(&solution, f->path), 1);
    vs_problem *problem = NULL;
    assert_ok(f, vs_fclib_read(f->context, f->path, &problem));
    assert_ok(f, vs_fclib_read_solution(f->path, problem, v2, g2, l2, y2));
    assert_doubles_equal(v, v2, 2);
    assert_doubles_equal(g, g2, 2);
    assert_doubles_equal(l, l2, 3);
    assert_doubles_equal(y, y2, 3);
    vs_problem_destroy(problem);
}

static void local_files_go_both_ways_and_joints_in_them_are_named(void **state) {
    fixture *f = *state;
    int p[] = {0, 2, 3, 4}, i[] = {0, 1, 1, 2};
    double x[] = {4, 0.5, 2, 1}, q[] = {1, 2, 3}, s[] = {1};
    struct fclib_matrix W = {.nzmax = 4, .m = 3, .n = 3, .p = p, .i = i, .x = x, .nz = -1};
    struct fclib_local local = {.W = &W, .mu = mu_x, .q = q, .spacedim = 3};
    assert_int_equal(fclib_write_local(&local, f->path), 1);
    vs_problem *problem = NULL;
    assert_ok(f, vs_fclib_read(f->context, f->path, &problem));
    assert_true(problem->local);
    assert_doubles_equal(problem->N.x, x, 4);
    assert_doubles_equal(problem->r, q, 3);
    const vs_solution_view solution = {NULL, NULL, q, x};
    assert_ok(f, vs_fclib_write(f->path, problem, &solution));
    struct fclib_local *read = fclib_read_local(f->path);
    assert_non_null(read);
    assert_matrices_equal(&W, read->W);
    assert_doubles_equal(q, read->q, 3);
    assert_null(read->V);
    fclib_delete_local(read);
    free(read);
    vs_problem_destroy(problem);

    int one_p[] = {0, 1}, one_i[] = {0};
    struct fclib_matrix V = {.nzmax = 1, .m = 3, .n = 1, .p = one_p, .i = one_i, .x = s, .nz = -1}, R = V;
    R.m = 1;
    local.V = &V, local.R = &R, local.s = s;
    (void)unlink(f->path);
    assert_int_equal(fclib_write_local(&local, f->path), 1);
    refuse_file(f, VS_ERROR_UNSUPPORTED, "fclib_local/V: joints in the local form are not supported");
}
#endif

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(everything_fclib_cannot_say_survives_the_round_trip),
        TEST(a_solution_survives_the_round_trip),
        TEST(empty_problems_survive_the_round_trip),
        TEST(equal_problems_give_equal_bytes),
        TEST(every_refused_allocation_is_an_error_without_leak),
        TEST(files_that_cannot_be_opened_or_written_are_io_errors),
        TEST(damaged_datasets_are_named),
        TEST(links_and_tables_are_refused),
        TEST(steps_of_named_scenes_survive_the_round_trip),
#if VS_PUBLIC_DATA
        TEST(all_public_problems_survive_the_round_trip),
#endif
#ifdef VS_HAVE_FCLIB
        TEST(a_global_file_of_fclib_is_read_in_every_storage),
        TEST(an_unsymmetric_M_is_kept_as_it_is_in_both_directions),
        TEST(fclib_reads_our_global_file_with_joints_and_solution),
        TEST(a_solution_of_fclib_is_read),
        TEST(local_files_go_both_ways_and_joints_in_them_are_named),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
