// Bytes become an FCLIB file with a few errors: a good file of any small size, storage and kind of contacts
// is written by HDF5 itself into memory, and up to three of its groups and datasets are damaged: missing, of another
// type, rank or length, with wild numbers. Then it is read. HDF5's own structures stay intact: its parser is not tested
// here.
#include <stdlib.h>

#include "bytes.h"
#include "problem/fclib_data.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool good) {
    if (!good)
        abort();
}

// ---- damage ---------------------------------------------------------------------------------------------

enum { DAMAGES = 3, SIZE = 64 };

enum { // damage of an object; anything else leaves it unchanged
    MISSING = 1,
    OTHER_OBJECT,
    SOFT_LINK,
    CLAIM, // a length without data
    SHORTER,
    LONGER,
    TABLE,
    EMPTY,
    SCALAR,
    COMPRESSED,
    TYPED,
    WILD = 32 // one number is changed
};

typedef struct plan {
    stream s;
    int next; // objects so far
    uint8_t which[DAMAGES], how[DAMAGES];
} plan;

static plan read_plan(const uint8_t *data, size_t size) {
    plan p = {.s = {data, size}};
    for (int k = 0; k < DAMAGES; k++) {
        p.which[k] = next_byte(&p.s);
        p.how[k] = next_byte(&p.s) % 64;
    }
    return p;
}

// Damage of the next object.
static int damage(plan *p) {
    const int index = p->next++;
    for (int k = 0; k < DAMAGES; k++)
        if (p->which[k] == index)
            return p->how[k];
    return 0;
}

static hid_t choose_type(stream *s) {
    switch (next_choice(s, 6)) {
    case 0:
        return H5T_IEEE_F32BE;
    case 1:
        return H5T_STD_I8LE;
    case 2:
        return H5T_STD_U64BE;
    case 3:
        return H5T_NATIVE_LDOUBLE;
    case 4:
        return H5T_C_S1;
    default:
        return H5T_STD_I64LE;
    }
}

static hid_t make_space(plan *p, int how, int count) {
    hsize_t dims[2] = {(hsize_t)count, 2};
    if (how == EMPTY)
        return H5Screate(H5S_NULL);
    if (how == SCALAR)
        return H5Screate(H5S_SCALAR);
    if (how == CLAIM)
        dims[0] = (hsize_t)1 << (8 + next_choice(&p->s, 48));
    if (how == SHORTER && count > 0)
        dims[0]--;
    if (how == LONGER)
        dims[0]++;
    return H5Screate_simple(how == TABLE ? 2 : 1, dims, NULL);
}

// Writes a dataset, possibly damaged. x has 2 SIZE entries, so that longer ones and tables can be written.
static void put(plan *p, hid_t group, const char *name, hid_t type, int count, const void *x, int how) {
    if (how == MISSING)
        return;
    if (how == OTHER_OBJECT) {
        (void)H5Gclose(H5Gcreate2(group, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        return;
    }
    if (how == SOFT_LINK) {
        (void)H5Lcreate_soft("/fclib_global/vectors/f", group, name, H5P_DEFAULT, H5P_DEFAULT);
        return;
    }
    hid_t space = make_space(p, how, count), list = H5P_DEFAULT; // lists are slow to make
    if (how == COMPRESSED || (how == CLAIM && next_choice(&p->s, 2))) {
        const hsize_t chunk = 16;
        list = H5Pcreate(H5P_DATASET_CREATE);
        (void)H5Pset_chunk(list, 1, &chunk);
        (void)H5Pset_deflate(list, 1);
    }
    hid_t dataset =
        H5Dcreate2(group, name, how == TYPED ? choose_type(&p->s) : type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (dataset >= 0) {
        if (how != CLAIM && how != EMPTY)
            (void)H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
        (void)H5Dclose(dataset);
    }
    if (list != H5P_DEFAULT)
        (void)H5Pclose(list);
    (void)H5Sclose(space);
}

static void put_ints(plan *p, hid_t group, const char *name, int count, const int *x) {
    int out[2 * SIZE] = {0};
    memcpy(out, x, (size_t)count * sizeof(int));
    const int how = damage(p);
    if (how >= WILD)
        out[count > 0 ? next_choice(&p->s, count) : 0] = next_int(&p->s);
    put(p, group, name, H5T_NATIVE_INT, count, out, how);
}

static void put_int(plan *p, hid_t group, const char *name, int value) {
    put_ints(p, group, name, 1, &value);
}

static void put_doubles(plan *p, hid_t group, const char *name, int count, const double *x) {
    double out[2 * SIZE] = {0};
    memcpy(out, x, (size_t)count * sizeof(double));
    const int how = damage(p);
    if (how >= WILD)
        out[count > 0 ? next_choice(&p->s, count) : 0] = next_double(&p->s);
    put(p, group, name, H5T_NATIVE_DOUBLE, count, out, how);
}

static void put_keys(plan *p, hid_t group, const char *name, int count) {
    const uint64_t key[2 * SIZE] = {1, UINT64_MAX};
    put(p, group, name, H5T_NATIVE_UINT64, count, key, damage(p));
}

static hid_t make_group(plan *p, hid_t parent, const char *name) {
    const int how = damage(p);
    if (how == OTHER_OBJECT)
        put(p, parent, name, H5T_NATIVE_INT, 1, &how, 0);
    return how == MISSING || how == OTHER_OBJECT ? -1 : H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
}

static void close_group(hid_t group) {
    if (group >= 0)
        (void)H5Gclose(group);
}

// ---- a good file ----------------------------------------------------------------------------------------

typedef struct triplets {
    int rows, cols, count;
    int row[SIZE], col[SIZE]; // ascending by columns
    double x[SIZE];
} triplets;

static void add_entry(triplets *A, int row, int col, double x) {
    if (A->count == SIZE)
        return;
    A->row[A->count] = row, A->col[A->count] = col;
    A->x[A->count++] = x;
}

// In one of the three storages.
static void put_matrix(plan *p, hid_t parent, const char *name, const triplets *A) {
    hid_t group = make_group(p, parent, name);
    if (group < 0)
        return;
    const int storage = next_choice(&p->s, 3), lines = storage == 2 ? A->rows : A->cols;
    int start[SIZE] = {0}, index[SIZE], count = 0;
    double x[SIZE];
    for (int line = 0; storage > 0 && line < lines; line++) {
        for (int k = 0; k < A->count; k++) {
            if ((storage == 2 ? A->row[k] : A->col[k]) != line)
                continue;
            index[count] = storage == 2 ? A->col[k] : A->row[k];
            x[count++] = A->x[k];
        }
        start[line + 1] = count;
    }
    put_int(p, group, "m", A->rows);
    put_int(p, group, "n", A->cols);
    put_int(p, group, "nz", storage == 0 ? A->count : -storage);
    put_int(p, group, "nzmax", A->count);
    put_ints(p, group, "p", storage == 0 ? A->count : lines + 1, storage == 0 ? A->col : start);
    put_ints(p, group, "i", A->count, storage == 0 ? A->row : index);
    put_doubles(p, group, "x", A->count, storage == 0 ? A->x : x);
    close_group(group);
}

// Contacts with their kinds as the group voussoir tells them; FCLIB has 3 rows per contact; a box has two of those.
typedef struct contacts {
    int count, rows, fclib;
    int kind[SIZE], row[SIZE];
    triplets Dt;
    double E[SIZE], lo[SIZE], hi[SIZE];
} contacts;

static void make_contacts(plan *p, int n, bool extended, contacts *c) {
    *c = (contacts){.count = next_choice(&p->s, 6)};
    for (int k = 0; k < c->count; k++) {
        c->kind[k] = extended ? next_choice(&p->s, 3) : VS_FCLIB_FRICTION;
        const int rows = c->kind[k] == VS_FCLIB_FRICTION ? 3 : c->kind[k] == VS_FCLIB_BOX ? 2 : 1;
        for (int r = 0; r < rows; r++) {
            const int column = 3 * c->fclib + (c->kind[k] == VS_FCLIB_FRICTION ? r : 3 * r);
            if (n > 0)
                add_entry(&c->Dt, k % n, column, next_double(&p->s));
        }
        c->E[c->rows] = 0.5, c->hi[c->rows] = 1;
        c->rows += rows;
        c->fclib += c->kind[k] == VS_FCLIB_BOX ? 2 : 1;
        c->row[k + 1] = c->rows;
    }
    c->Dt.rows = n, c->Dt.cols = 3 * c->fclib;
}

static void put_extension(plan *p, hid_t file, const contacts *c, int m_e) {
    hid_t group = make_group(p, file, VS_FCLIB_EXTENSION);
    if (group < 0)
        return;
    int joint_row[SIZE] = {0};
    for (int k = 0; k < m_e; k++)
        joint_row[k + 1] = k + 1;
    put_int(p, group, "format", 1);
    put_ints(p, group, "kind", c->count, c->kind);
    put_ints(p, group, "contact_row", c->count + 1, c->row);
    put_keys(p, group, "key", c->count);
    put_doubles(p, group, "E", c->rows, c->E);
    put_doubles(p, group, "lo", c->rows, c->lo);
    put_doubles(p, group, "hi", c->rows, c->hi);
    put_ints(p, group, "joint_row", m_e + 1, joint_row);
    put_keys(p, group, "joint_key", m_e);
    put_doubles(p, group, "E_e", m_e, c->hi);
    close_group(group);
}

static void put_vectors(plan *p, hid_t root, bool local, int n, int rows, int m_e) {
    const double x[SIZE] = {1, 2, 3};
    hid_t group = make_group(p, root, "vectors");
    if (group < 0)
        return;
    put_doubles(p, group, local ? "q" : "w", rows, x);
    put_doubles(p, group, "mu", rows / 3, x);
    put_doubles(p, group, "f", n, x);
    put_doubles(p, group, "b", m_e, x);
    close_group(group);
}

static void put_problem(plan *p, hid_t file) {
    const bool local = next_choice(&p->s, 4) == 3, extended = next_choice(&p->s, 2), triangle = next_choice(&p->s, 2);
    const int n = local ? 18 : next_choice(&p->s, 13), m_e = local ? 0 : next_choice(&p->s, 5);
    contacts c;
    make_contacts(p, n, extended && !local, &c);
    triplets M = {.rows = n, .cols = n}, G = {.rows = n, .cols = m_e};
    for (int k = 0; k < n; k++) {
        if (triangle && k > 0)
            add_entry(&M, k - 1, k, 0.25);
        add_entry(&M, k, k, 2 + k);
    }
    for (int k = 0; n > 0 && k < m_e; k++)
        add_entry(&G, next_choice(&p->s, n), k, next_double(&p->s));

    hid_t root = make_group(p, file, local ? VS_FCLIB_LOCAL : VS_FCLIB_GLOBAL);
    if (root < 0)
        return;
    put_int(p, root, "spacedim", 3);
    put_vectors(p, root, local, n, c.Dt.cols, m_e);
    if (local) {
        c.Dt.rows = c.Dt.cols;
        put_matrix(p, root, "W", &c.Dt);
        if (next_choice(&p->s, 8) == 7)
            put_matrix(p, root, "V", &c.Dt);
    } else {
        put_matrix(p, root, "M", &M);
        put_matrix(p, root, "H", &c.Dt);
        if (m_e > 0)
            put_matrix(p, root, "G", &G);
        if (extended)
            put_extension(p, file, &c, m_e);
    }
    close_group(root);
}

// The file as bytes, to be freed; null if HDF5 could not make it.
static void *make_image(plan *p, size_t *size) {
    static hid_t list = -1; // slow to make
    void *image = NULL;
    if (list < 0) {
        list = H5Pcreate(H5P_FILE_ACCESS);
        (void)H5Pset_fapl_core(list, (size_t)1 << 14, false);
        (void)H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_LATEST); // small groups: half the time
    }
    hid_t file = H5Fcreate("fuzz", H5F_ACC_TRUNC, H5P_DEFAULT, list);
    if (file >= 0) {
        put_problem(p, file);
        (void)H5Fflush(file, H5F_SCOPE_GLOBAL);
        const ssize_t bytes = H5Fget_file_image(file, NULL, 0);
        if (bytes > 0 && (image = malloc((size_t)bytes)))
            *size = (size_t)H5Fget_file_image(file, image, (size_t)bytes);
        (void)H5Fclose(file);
    }
    return image;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    plan p = read_plan(data, size);
    vs_context *context = NULL;
    vs_problem *problem = NULL;
    size_t bytes = 0;
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // of the writing above
    if (vs_context_create(NULL, &context))
        return 0;
    void *image = make_image(&p, &bytes);
    if (image) {
        const vs_error error = vs_fclib_read_image(context, image, bytes, &problem);
        check((error == VS_OK) == (problem != NULL));
        check(error == VS_OK || vs_context_get_error_text(context)[0] != 0);
        if (problem) {
            const vs_problem_info info = vs_problem_get_info(problem);
            check(info.m == vs_problem_get_contact_rows(problem)[info.contacts]);
        }
        vs_problem_destroy(problem);
        check(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0); // nothing left open
    }
    free(image);
    vs_context_destroy(context);
    return 0;
}
