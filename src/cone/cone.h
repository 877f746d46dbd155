// Cones, one interface. A cone here is self-dual: the nonnegative orthant of dimension 1, the Lorentz cone
// L = { x0 >= |x1| } of 3 rows (friction cones are scaled to it), and the box, two nonnegative variables on one row.
//
// An interior pair (lambda, y) carries its Nesterov-Todd scaling: the symmetric W with W lambda = W^-1 y = z.
// For L in spectral form: W has the eigenvalues eta*theta, eta/theta, eta on (1,d)/sqrt2, (1,-d)/sqrt2, (0,d_perp).
//
// Close to the boundary det = x0^2 - |x1|^2 and lambda'y lose all digits when computed from coordinates. They are
// therefore carried along as numbers of their own: `advance` computes them in the scaled space, where the point is
// z + step and well inside, and takes them back through det W. The scaling then stays good however small the margin.
#ifndef VS_CONE_CONE_H
#define VS_CONE_CONE_H

#include <math.h>
#include <stdbool.h>

// Rolling: 4 … 6 rows with rolling or spinning friction (vs_discs below), a cone that is not self-dual. It has no vs_cone.
// Elliptic: the same rows with one disc for all of them.
typedef enum vs_cone_kind {
    VS_CONE_NONNEG,
    VS_CONE_BOX,
    VS_CONE_SECOND_ORDER,
    VS_CONE_ROLLING,
    VS_CONE_ELLIPTIC
} vs_cone_kind;

// Lifted size 1 (nonnegative orthant), 2 (box: lambda = (x - lo, hi - x), y = (w+, w-)) or 3; unused entries are zero.
typedef struct vs_cone_pair {
    double lambda[3], y[3];
    double det_lambda, det_y; // determinants (L only)
    double gap;               // lambda'y
    double eta, theta;        // L: see above. Orthant: W = eta. Box: W = diag(eta, theta)
    double d[2];              // L: unit direction
    double z[3];              // W lambda = W^-1 y
    double root;              // sqrt(det z) (L only)
} vs_cone_pair;

typedef struct vs_cone {
    const char *name;
    int rows;   // in the problem: 1, 1, 3
    int size;   // lifted: 1, 2, 3
    int degree; // number of complementarity pairs: 1, 2, 1  (identity'identity; gap = lambda'y / degree)

    double (*margin)(const double *x);           // least spectral value: > 0 inside, L: x0 - |x1|
    void (*project)(const double *x, double *p); // nearest point of the cone; p may be x
    // Sets the pair from coordinates and computes the scaling. False if either is not strictly inside.
    bool (*set)(vs_cone_pair *pair, const double *lambda, const double *y);
    // Scaled directions dlt = W dl, dyt = W^-1 dy of a step with dlt + dyt = sum (the linearized complementarity). Each
    // component is taken from the side on which W damps the rounding of dl or dy, the other side from the sum.
    void (*direct)(const vs_cone_pair *pair, const double *dl, const double *dy, const double *sum, double *dlt,
                   double *dyt);
    // lambda += a_l W^-1 dlt, y += a_y W dyt, then the scaling. False (pair unchanged) if that leaves the interior.
    bool (*advance)(vs_cone_pair *pair, double a_l, const double *dlt, double a_y, const double *dyt);
    // out = W^power x, power -2, -1, 1, 2; out may be x
    void (*apply)(const vs_cone_pair *pair, int power, const double *x, double *out);
    void (*product)(const double *a, const double *b, double *out);         // a o b; out may be a or b
    void (*divide)(const vs_cone_pair *pair, const double *r, double *out); // solves z o out = r
    // Largest alpha <= cap with z + alpha d in the cone; d in the scaled space. By the relative spectral value of d
    // in z's frame, without cancellation.
    double (*step)(const vs_cone_pair *pair, const double *d, double cap);
} vs_cone;

extern const vs_cone vs_cone_nonneg, vs_cone_box, vs_cone_second_order;
const vs_cone *vs_cone_of(vs_cone_kind kind); // null: rolling, elliptic

// Spectral values of x (1, 2, 2 of them) and back. In L: x0 + |x1|, x0 - |x1| with
// the unit direction x1/|x1| as frame (2).
typedef struct vs_spectrum {
    int count;
    double value[2];
    double frame[2];
} vs_spectrum;

void vs_cone_decompose(vs_cone_kind kind, const double *x, vs_spectrum *spectrum);
void vs_cone_compose(vs_cone_kind kind, const vs_spectrum *spectrum, double *x);

// The friction cone K = { |l_T| <= mu l_n } in the user's units, mu >= 0 (mu = 0: the nonnegative orthant, l_T = 0).
void vs_friction_project(double mu, const double *x, double *p);      // onto K
void vs_friction_project_dual(double mu, const double *x, double *p); // onto K* = { mu |y_T| <= y_n }

// The cone K = { |l_k| <= mu_k l_n } of a contact with rolling or spinning friction, in rows of one unit: a disc for
// sliding (rows u, w), one for rolling about u and w, and an interval for spinning about n.
//
//     4 rows  n | u w | spin        5 rows  n | u w | rolling        6 rows  n | u w | rolling | spin
//
// With elliptic coupling all rows are one disc, l_n^2 >= sum |l_k|^2 / mu_k^2: rows are scaled to the same mu.
enum { VS_DISC_SLIDING, VS_DISC_ROLLING, VS_DISC_SPINNING, VS_DISC_COUNT };
enum { VS_DISCS_ROWS = 6 }; // at most

typedef struct vs_discs {
    int rows;                     // of the contact
    int begin[VS_DISC_COUNT + 1]; // first row of each disc, which may have none; then `rows`
    double mu[VS_DISC_COUNT];     // >= 0; 0: no impulse
} vs_discs;

vs_discs vs_discs_make(int rows);                     // with these rows, 3: sliding alone; mu = 0
vs_discs vs_discs_make_elliptic(int rows);            // one disc
vs_discs vs_discs_without_sliding(const vs_discs *d); // without rows u and w, for mu = 0

// Has it one disc for all rows?
static inline bool vs_discs_are_one(const vs_discs *d) {
    return d->begin[1] - d->begin[0] > 2;
}

// |x|, x (size)
static inline double vs_disc_length(int size, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < size; i++)
        sum += x[i] * x[i];
    return size == 1 ? (x[0] < 0.0 ? -x[0] : x[0]) : sqrt(sum);
}

// Rows of disc k: their number, and the first of them.
static inline int vs_discs_range(const vs_discs *d, int k, int *first) {
    *first = d->begin[k];
    return d->begin[k + 1] - d->begin[k];
}
void vs_discs_project(const vs_discs *d, const double *x, double *p);                            // onto K; p may be x
void vs_discs_project_dual(const vs_discs *d, const double *x, double *p);                       // onto K*
double vs_discs_slip(const vs_discs *d, const double *y);                                        // sum mu_k |y_k|
void vs_discs_natural(const vs_discs *d, const double *l, const double *y, double s, double *F); // F = l - P_K(l - s y)
// dPT = (dP_K / dx) T, both rows x rows, row-major
void vs_discs_differentiate(const vs_discs *d, const double *x, const double *T, double *dPT);

#endif
