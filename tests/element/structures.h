// Whole structures for the tests: a box of Kuhn's tetrahedra (4 or 10 nodes) and a chain of beams, their sums, static
// equilibrium by Newton's method, and eigenfrequencies by inverse iteration. Fixed blocks have no unknowns.
#ifndef VS_TESTS_ELEMENT_STRUCTURES_H
#define VS_TESTS_ELEMENT_STRUCTURES_H

#include "numbers.h"

#include "element/assembly.h"
#include "element/beam.h"
#include "element/tet.h"

// ---- a box of tetrahedra -------------------------------------------------------------------------------

typedef struct box {
    int each, nodes, elements; // nodes of an element; of all
    int cells[3], grid[3];     // cells and nodes along the axes
    double size[3];
    double *X, *x; // (3 nodes) at rest, now
    int *node;     // (elements x each)
    double *rest;  // (elements x VS_TET_REST)
    vs_elastic elastic;
    double density;
    vs_tangent_kind kind;
} box;

// Of doubled cell coordinates; with 4 nodes only the even ones exist.
static inline int box_node(const box *b, const int at[3]) {
    int k[3];
    for (int c = 0; c < 3; c++)
        k[c] = b->each == 4 ? at[c] / 2 : at[c];
    return (k[0] * b->grid[1] + k[1]) * b->grid[2] + k[2];
}

// The six tetrahedra of a cell run from its corner 000 to 111 along the edges, in the order of the axes' permutations.
static inline void add_cell(box *b, const int cell[3], int *element) {
    static const int path[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
    static const int edge[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    for (int t = 0; t < 6; t++, ++*element) {
        int corner[4][3], *node = b->node + *element * b->each;
        for (int c = 0; c < 3; c++)
            corner[0][c] = 2 * cell[c];
        for (int k = 0; k < 3; k++) {
            memcpy(corner[k + 1], corner[k], sizeof corner[k]);
            corner[k + 1][path[t][k]] += 2;
        }
        if (t >= 3) { // odd permutations have negative volume
            int swap[3];
            memcpy(swap, corner[1], sizeof swap);
            memcpy(corner[1], corner[2], sizeof swap);
            memcpy(corner[2], swap, sizeof swap);
        }
        for (int k = 0; k < 4; k++)
            node[k] = box_node(b, corner[k]);
        for (int e = 0; e < 6 && b->each == 10; e++) {
            int middle[3];
            for (int c = 0; c < 3; c++)
                middle[c] = (corner[edge[e][0]][c] + corner[edge[e][1]][c]) / 2;
            node[4 + e] = box_node(b, middle);
        }
    }
}

static inline void prepare_box(box *b) {
    for (int e = 0; e < b->elements; e++) {
        double X[30] = {0};
        for (int k = 0; k < b->each; k++)
            memcpy(X + 3 * k, b->X + 3 * b->node[e * b->each + k], 3 * sizeof *X);
        assert_true(vs_tet_prepare(b->each, X, b->rest + e * VS_TET_REST(b->each)));
    }
    memcpy(b->x, b->X, (size_t)(3 * b->nodes) * sizeof *b->x);
}

static inline box make_box(int each, int nx, int ny, int nz, double a, double h, double w) {
    box b = {.each = each, .cells = {nx, ny, nz}, .size = {a, h, w}};
    for (int c = 0; c < 3; c++)
        b.grid[c] = b.cells[c] * (each == 4 ? 1 : 2) + 1;
    b.nodes = b.grid[0] * b.grid[1] * b.grid[2];
    b.elements = 6 * nx * ny * nz;
    b.X = malloc((size_t)(3 * b.nodes) * sizeof *b.X);
    b.x = malloc((size_t)(3 * b.nodes) * sizeof *b.x);
    b.node = malloc((size_t)(b.elements * each) * sizeof *b.node);
    b.rest = malloc((size_t)(b.elements * VS_TET_REST(each)) * sizeof *b.rest);
    for (int k = 0; k < b.nodes; k++) {
        int at[3] = {k / (b.grid[1] * b.grid[2]), k / b.grid[2] % b.grid[1], k % b.grid[2]};
        for (int c = 0; c < 3; c++)
            b.X[3 * k + c] = b.size[c] * at[c] / (b.grid[c] - 1);
    }
    int element = 0;
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++)
            for (int k = 0; k < nz; k++)
                add_cell(&b, (const int[3]){i, j, k}, &element);
    prepare_box(&b);
    return b;
}

static inline void free_box(box *b) {
    free(b->X);
    free(b->x);
    free(b->node);
    free(b->rest);
}

static inline void gather(const box *b, int e, const double *from, double *to) {
    for (int k = 0; k < b->each; k++)
        memcpy(to + 3 * k, from + 3 * b->node[e * b->each + k], 3 * sizeof *to);
}

static inline void box_element(void *user, int e, double *energy, double *force, double *matrix) {
    const box *b = user;
    double x[30] = {0};
    gather(b, e, b->x, x);
    vs_tet_evaluate(b->each, b->rest + e * VS_TET_REST(b->each), x, &b->elastic, b->kind,
                    &(vs_element_output){energy, force, matrix});
}

static inline void box_mass(void *user, int e, double *energy, double *force, double *matrix) {
    const box *b = user;
    double X[30] = {0}, M[100];
    int n = b->each;
    (void)energy, (void)force;
    gather(b, e, b->X, X);
    vs_tet_mass(n, X, b->density, M);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int c = 0; c < 3; c++)
                matrix[(3 * i + c) * 3 * n + 3 * j + c] = M[i * n + j];
}

// Load per area on the end x = a of a box: every triangle of the surface gives its nodes what a constant traction gives
// (thirds to the corners of 3 nodes; to the middles of 6 nodes). force (3 nodes) is added to.
static inline void load_end(const box *b, vs_vec3 traction, double *force) {
    static const int face[4][3] = {{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {0, 2, 3}};
    static const int middle[4][3] = {{4, 5, 6}, {4, 8, 7}, {5, 9, 8}, {6, 9, 7}};
    for (int e = 0; e < b->elements; e++)
        for (int f = 0; f < 4; f++) {
            const int *node = b->node + e * b->each;
            vs_vec3 p[3];
            bool at_end = true;
            for (int k = 0; k < 3; k++) {
                const double *X = b->X + 3 * node[face[f][k]];
                p[k] = (vs_vec3){X[0], X[1], X[2]};
                at_end = at_end && fabs(X[0] - b->size[0]) < 1e-9 * b->size[0];
            }
            if (!at_end)
                continue;
            double area = .5 * vs_length(vs_cross(vs_subtract(p[1], p[0]), vs_subtract(p[2], p[0])));
            for (int k = 0; k < 3; k++) {
                double *to = force + 3 * node[b->each == 4 ? face[f][k] : middle[f][k]];
                to[0] += area / 3 * traction.x, to[1] += area / 3 * traction.y, to[2] += area / 3 * traction.z;
            }
        }
}

// ---- a chain of beams ----------------------------------------------------------------------------------

typedef struct chain {
    int elements;
    vs_pose *pose; // (elements + 1)
    vs_beam_rest *rest;
    vs_beam_stiffness stiffness;
    vs_tangent_kind kind;
} chain;

// Along x from the origin, straight, z up.
static inline chain make_chain(int elements, double length, vs_beam_stiffness stiffness) {
    chain c = {.elements = elements, .stiffness = stiffness, .kind = VS_TANGENT_EXACT};
    c.pose = malloc((size_t)(elements + 1) * sizeof *c.pose);
    c.rest = malloc((size_t)elements * sizeof *c.rest);
    for (int k = 0; k <= elements; k++)
        c.pose[k] = (vs_pose){{length * k / elements, 0, 0}, {1, 0, 0, 0}};
    for (int k = 0; k < elements; k++)
        assert_true(vs_beam_prepare(c.pose + k, c.rest + k));
    return c;
}

static inline void free_chain(chain *c) {
    free(c->pose);
    free(c->rest);
}

static inline void chain_element(void *user, int e, double *energy, double *force, double *matrix) {
    const chain *c = user;
    vs_beam_evaluate(c->rest + e, &c->stiffness, c->pose + e, c->kind, &(vs_element_output){energy, force, matrix});
}

// ---- the system ----------------------------------------------------------------------------------------

// Unknown blocks of a structure: number[block] or -1 where it is fixed.
typedef struct structure {
    vs_context *context;
    vs_assembly *assembly;
    vs_linear_solver *solver;
    int all, free; // blocks
    int *number;   // (all)
    double *K, *f; // values of the pattern; (3 free)
} structure;

static inline structure make_structure(vs_context *context, int all, const bool *fixed, int elements, int each,
                                       const int *block) {
    structure s = {.context = context, .all = all};
    s.number = malloc((size_t)all * sizeof *s.number);
    for (int k = 0; k < all; k++)
        s.number[k] = fixed[k] ? -1 : s.free++;
    int *start = malloc((size_t)(elements + 1) * sizeof *start), *own = malloc((size_t)(elements * each) * sizeof *own);
    for (int e = 0; e <= elements; e++)
        start[e] = each * e;
    for (int k = 0; k < elements * each; k++)
        own[k] = s.number[block[k]];
    assert_int_equal(vs_assembly_create(context, &(vs_assembly_def){s.free, elements, start, own}, &s.assembly), VS_OK);
    vs_linear_pattern pattern = vs_assembly_pattern(s.assembly);
    const vs_linear_backend *backend = vs_linear_backend_find("cholmod"); // fastest; LDL' is there in every build
    // Exact tangents may be indefinite on the way: a backend for that.
    backend = backend && backend->indefinite ? backend : vs_linear_backend_find("mumps");
    backend = backend && pattern.n > 600 ? backend : vs_linear_backend_find("ldl");
    assert_int_equal(vs_linear_solver_create(context, backend, &pattern, &s.solver), VS_OK);
    s.K = malloc((size_t)pattern.p[pattern.n] * sizeof *s.K);
    s.f = malloc((size_t)pattern.n * sizeof *s.f);
    free(start);
    free(own);
    return s;
}

// matrix += diag(d).
static inline void add_diagonal(const vs_assembly *assembly, const double *d, double *matrix) {
    vs_linear_pattern pattern = vs_assembly_pattern(assembly);
    for (int k = 0; k < pattern.n; k++)
        matrix[pattern.p[k]] += d[k];
}

static inline structure make_box_structure(vs_context *context, const box *b, const bool *fixed) {
    return make_structure(context, b->nodes, fixed, b->elements, b->each, b->node);
}

// The end x = 0 is clamped.
static inline structure make_clamped_box(vs_context *context, const box *b) {
    bool *fixed = malloc((size_t)b->nodes * sizeof *fixed);
    for (int k = 0; k < b->nodes; k++)
        fixed[k] = b->X[3 * k] == 0;
    structure s = make_box_structure(context, b, fixed);
    free(fixed);
    return s;
}

static inline structure make_clamped_chain(vs_context *context, const chain *c) {
    bool *fixed = calloc((size_t)(2 * c->elements + 2), sizeof *fixed);
    int *block = malloc((size_t)(4 * c->elements) * sizeof *block);
    fixed[0] = fixed[1] = true;
    for (int k = 0; k < 4 * c->elements; k++)
        block[k] = 2 * (k / 4) + k % 4;
    structure s = make_structure(context, 2 * c->elements + 2, fixed, c->elements, 4, block);
    free(fixed);
    free(block);
    return s;
}

static inline void free_structure(structure *s) {
    vs_linear_solver_destroy(s->solver);
    vs_assembly_destroy(s->assembly);
    free(s->number);
    free(s->K);
    free(s->f);
}

static inline double *sum_matrix(structure *s, vs_element_function *function, void *user, double *values) {
    vs_linear_pattern pattern = vs_assembly_pattern(s->assembly);
    memset(values, 0, (size_t)pattern.p[pattern.n] * sizeof *values);
    vs_assembly_add(s->assembly, function, user, NULL, NULL, values);
    return values;
}

// Loads (3 all) minus inner forces into s->f; returns the norm.
static inline double residual(structure *s, vs_element_function *function, void *user, const double *load) {
    double sum = 0;
    for (int k = 0; k < s->all; k++)
        for (int c = 0; c < 3 && s->number[k] >= 0; c++)
            s->f[3 * s->number[k] + c] = load[3 * k + c];
    vs_assembly_add(s->assembly, function, user, NULL, s->f, NULL);
    for (int k = 0; k < 3 * s->free; k++)
        sum += s->f[k] * s->f[k];
    return sqrt(sum);
}

// Moves the structure by factor times s->f, the solution.
typedef void move_function(void *user, const structure *s, double factor);

static inline void move_box(void *user, const structure *s, double factor) {
    box *b = user;
    for (int k = 0; k < s->all; k++)
        for (int c = 0; c < 3 && s->number[k] >= 0; c++)
            b->x[3 * k + c] += factor * s->f[3 * s->number[k] + c];
}

static inline void move_chain(void *user, const structure *s, double factor) {
    chain *c = user;
    for (int k = 0; k <= c->elements; k++)
        if (s->number[2 * k] >= 0) {
            const double *d = s->f + 3 * s->number[2 * k];
            vs_pose *pose = c->pose + k;
            pose->position = vs_add_scaled(pose->position, factor, (vs_vec3){d[0], d[1], d[2]});
            vs_quat turn = vs_quat_exp(vs_scale(factor, (vs_vec3){d[3], d[4], d[5]}));
            pose->rotation = vs_quat_normalize(vs_quat_multiply(pose->rotation, turn));
        }
}

// Newton's method to |residual| <= tolerance (N). Returns the number of iterations.
static inline int find_equilibrium(structure *s, vs_element_function *function, void *user, move_function *move,
                                   const double *load, double tolerance) {
    for (int k = 0; k < 60; k++) {
        double norm = residual(s, function, user, load);
        if (norm <= tolerance)
            return k;
        assert_true(isfinite(norm));
        sum_matrix(s, function, user, s->K);
        assert_int_equal(vs_linear_solver_factor(s->solver, s->K), VS_OK);
        assert_int_equal(vs_linear_solver_solve(s->solver, s->f), VS_OK);
        move(user, s, 1);
    }
    fail_msg("no equilibrium: residual %g", residual(s, function, user, load));
    return -1;
}

// Least eigenvalue of K v = w^2 M v near the shift (rad/s)^2, by inverse iteration from v (3 free); returns w (rad/s).
// v is the mode afterwards. K, M: values of the pattern.
static inline double find_frequency(structure *s, const double *K, const double *M, double shift, double *v) {
    vs_linear_pattern pattern = vs_assembly_pattern(s->assembly);
    int n = pattern.n;
    double *shifted = malloc((size_t)pattern.p[n] * sizeof *shifted), *Mv = malloc((size_t)n * sizeof *Mv);
    for (int64_t k = 0; k < pattern.p[n]; k++)
        shifted[k] = K[k] - shift * M[k];
    assert_int_equal(vs_linear_solver_factor(s->solver, shifted), VS_OK);
    double value = 0, before = -1;
    for (int k = 0; k < 200 && fabs(value - before) > 1e-9 * fabs(value); k++) {
        before = value;
        vs_assembly_multiply(s->assembly, M, 1, v, 0, Mv);
        double energy = 0, ratio = 0;
        memcpy(s->f, Mv, (size_t)n * sizeof *Mv);
        assert_int_equal(vs_linear_solver_solve(s->solver, s->f), VS_OK);
        for (int i = 0; i < n; i++) { // Rayleigh: f'(K - shift M) f = f'M v
            ratio += s->f[i] * Mv[i];
        }
        memcpy(v, s->f, (size_t)n * sizeof *v);
        vs_assembly_multiply(s->assembly, M, 1, v, 0, Mv);
        for (int i = 0; i < n; i++)
            energy += v[i] * Mv[i];
        value = shift + ratio / energy;
        for (int i = 0; i < n; i++)
            v[i] /= sqrt(energy);
    }
    free(shifted);
    free(Mv);
    return sqrt(value);
}

#endif
