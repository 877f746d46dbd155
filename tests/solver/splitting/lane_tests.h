// Contacts side by side, in lanes of one width: each is solved exactly and does not know the others. test_packed_sweep.c has
// four lanes, test_wide_lanes.c eight.
#ifndef VS_TESTS_SOLVER_SPLITTING_LANE_TESTS_H
#define VS_TESTS_SOLVER_SPLITTING_LANE_TESTS_H

#include "solver/parts.h"

#include "solver/impulse/one_group.h"
#include "solver/splitting/lane_contact.h"
#include "solver/splitting/lane_rolling.h"

// The natural map at a solution: a last turn has an error of its square; conditions up to 1e4 (1e2, before a lane is left to doubles) take
// digits of the rounding.
static const double LANE_ERROR = VS_LANES == 8 ? 1e-4 : 1e-10;
static const double LANE_ROUNDING = VS_LANES == 8 ? 1e-5 : 1e-9;

static void put_lane(vs_lane_contact *c, vs_lane *l, int lane, const double *A, const double *q, double mu,
                     const double *guess) {
    for (int k = 0; k < 9; k++)
        c->A[k][lane] = (vs_real)A[k];
    for (int k = 0; k < 3; k++) {
        c->q[k][lane] = (vs_real)q[k];
        l[k][lane] = (vs_real)guess[k];
    }
    c->mu[lane] = (vs_real)mu;
}

// Symmetric and unsymmetric matrices, all amounts of friction, guesses far from the solution: the natural map vanishes.
static void every_lane_solves_its_contact(void **state) {
    uint64_t seed = 11;
    (void)state;
    int open = 0, stick = 0, slide = 0;
    for (int round = 0; round < 5000; round++) {
        double A[VS_LANES][9], q[VS_LANES][3], mu[VS_LANES];
        vs_lane_contact c;
        vs_lane l[3], x[3];
        for (int lane = 0; lane < VS_LANES; lane++) {
            double guess[3] = {random_in(&seed, 0, 1), random_in(&seed, -1, 1), random_in(&seed, -1, 1)};
            draw_matrix(&seed, .1, A[lane]);
            if (round % 3 == 0)
                add_skew(&seed, A[lane]);
            mu[lane] = draw_friction(&seed);
            for (int k = 0; k < 3; k++)
                q[lane][k] = random_in(&seed, -1, 1) - (k == 0 ? .3 : 0);
            put_lane(&c, l, lane, A[lane], q[lane], mu[lane], guess);
        }
        vs_lane_contact_solve(&c, l, x);
        for (int lane = 0; lane < VS_LANES; lane++) {
            double one[3] = {x[0][lane], x[1][lane], x[2][lane]},
                   error = error_of(true, A[lane], q[lane], mu[lane], one);
            if (!(error <= LANE_ERROR))
                fail_msg("round %d, lane %d: error %g", round, lane, error);
            double t = hypot(one[1], one[2]);
            *(one[0] == 0 ? &open : t < mu[lane] * one[0] * (1 - LANE_ROUNDING) ? &stick : &slide) += 1;
        }
    }
    assert_true(open > 1000 && stick > 1000 && slide > 1000);
}

// The same contact in each lane, beside others: the same bits.
static void lanes_do_not_know_each_other(void **state) {
    uint64_t seed = 5;
    (void)state;
    for (int round = 0; round < 500; round++) {
        double A[9], q[3], guess[3] = {1, random_in(&seed, -1, 1), 0};
        vs_real first[3];
        draw_matrix(&seed, .1, A);
        for (int k = 0; k < 3; k++)
            q[k] = random_in(&seed, -1, 1) - (k == 0 ? .5 : 0);
        for (int place = 0; place < VS_LANES; place++) {
            vs_lane_contact c;
            vs_lane l[3], x[3];
            for (int lane = 0; lane < VS_LANES; lane++) {
                double B[9], other[3] = {random_in(&seed, -1, 1), random_in(&seed, -1, 1), random_in(&seed, -1, 1)};
                draw_matrix(&seed, .1, B);
                put_lane(&c, l, lane, lane == place ? A : B, lane == place ? q : other, .4, guess);
            }
            vs_lane_contact_solve(&c, l, x);
            for (int k = 0; k < 3; k++) {
                first[k] = place == 0 ? x[k][0] : first[k];
                assert_memory_equal(&(vs_real){x[k][place]}, &first[k], sizeof(vs_real));
            }
        }
    }
}

static void lanes_project_as_the_cone_does(void **state) {
    uint64_t seed = 3;
    (void)state;
    for (int round = 0; round < 2000; round++) {
        vs_lane mu, z[3];
        double expected[VS_LANES][3];
        for (int lane = 0; lane < VS_LANES; lane++) {
            mu[lane] = (vs_real)draw_friction(&seed);
            for (int k = 0; k < 3; k++)
                expected[lane][k] = z[k][lane] = (vs_real)random_in(&seed, -1, 1);
            vs_friction_project(mu[lane], expected[lane], expected[lane]);
        }
        vs_lane_contact_project(mu, z);
        for (int lane = 0; lane < VS_LANES; lane++)
            for (int k = 0; k < 3; k++)
                assert_near("projection", z[k][lane], expected[lane][k], LANE_ROUNDING);
    }
}

// ---- rolling friction ------------------------------------------------------------------------------------

enum { ROLLING_ROWS = VS_LANE_ROLLING_ROWS };

// A contact of four to six rows, which stand where a pack has them.
typedef struct one_rolling {
    vs_discs d;
    int rows, slot[ROLLING_ROWS];
    double A[ROLLING_ROWS * ROLLING_ROWS], q[ROLLING_ROWS];
} one_rolling;

static one_rolling draw_rolling(uint64_t *seed, int rows) {
    static const int slots[7][6] = {[4] = {0, 1, 2, 5}, [5] = {0, 1, 2, 3, 4}, [6] = {0, 1, 2, 3, 4, 5}};
    one_rolling c = {.d = vs_discs_make(rows), .rows = rows};
    double G[36];
    for (int k = 0; k < 36; k++)
        G[k] = random_in(seed, -1, 1);
    for (int k = 0; k < VS_DISC_COUNT; k++) {
        int first;
        if (vs_discs_range(&c.d, k, &first) > 0)
            c.d.mu[k] = pow(10, random_in(seed, -2, .3));
    }
    for (int i = 0; i < rows; i++) {
        c.slot[i] = slots[rows][i];
        c.q[i] = random_in(seed, -1, 1) - (i == 0 ? .3 : 0);
        for (int j = 0; j < rows; j++) {
            double *entry = &c.A[i * ROLLING_ROWS + j];
            *entry = i == j ? .3 : 0;
            for (int k = 0; k < 6; k++)
                *entry += G[6 * i + k] * G[6 * j + k] / 3;
        }
    }
    return c;
}

static void put_rolling(vs_lane_rolling *c, int lane, const one_rolling *one) {
    for (int i = 0; i < ROLLING_ROWS; i++) {
        for (int j = 0; j < ROLLING_ROWS; j++)
            c->A[ROLLING_ROWS * i + j][lane] = i == j;
        c->q[i][lane] = 0;
    }
    for (int i = 0; i < one->rows; i++) {
        for (int j = 0; j < one->rows; j++)
            c->A[ROLLING_ROWS * one->slot[i] + one->slot[j]][lane] = (vs_real)one->A[ROLLING_ROWS * i + j];
        c->q[one->slot[i]][lane] = (vs_real)one->q[i];
    }
    for (int k = 0; k < VS_DISC_COUNT; k++)
        c->mu[k][lane] = (vs_real)one->d.mu[k];
}

// The natural map of a lane over the sizes of impulses and velocities. *moments: its rows of rolling and spin slide, any of them
static double error_of_rolling(const one_rolling *c, const vs_lane *x, int lane, bool *moments) {
    double l[ROLLING_ROWS] = {0}, y[ROLLING_ROWS] = {0}, F[ROLLING_ROWS], size = 0, error = 0;
    for (int i = 0; i < c->rows; i++)
        l[i] = x[c->slot[i]][lane];
    for (int i = 0; i < c->rows; i++) {
        y[i] = c->q[i];
        for (int j = 0; j < c->rows; j++)
            y[i] += c->A[ROLLING_ROWS * i + j] * l[j];
        size += l[i] * l[i] + c->q[i] * c->q[i];
    }
    vs_rolling_map(&c->d, true, l, y, F, NULL, NULL, ROLLING_ROWS);
    for (int i = 0; i < c->rows; i++)
        error += F[i] * F[i];
    *moments = l[0] > 0 && vs_disc_length(c->rows - 3, y + 3) > 1e-3;
    return sqrt(error / size);
}

// Visits of the same contact, the last solution each time a guess: all come to the solution, the directions of sliding moments by and by.
static void rolling_lanes_come_to_their_solution(void **state) {
    enum { VISITS = 40 };
    uint64_t seed = 17;
    (void)state;
    int open = 0, held = 0, rolls = 0;
    for (int round = 0; round < 2000; round++) {
        one_rolling one[VS_LANES];
        vs_lane_rolling c;
        vs_lane x[ROLLING_ROWS] = {vs_lane_of(0)};
        for (int lane = 0; lane < VS_LANES; lane++) {
            one[lane] = draw_rolling(&seed, 4 + (round + lane) % 3);
            put_rolling(&c, lane, &one[lane]);
        }
        for (int visit = 0; visit < VISITS; visit++) {
            vs_lane next[ROLLING_ROWS];
            vs_lane_rolling_solve(&c, x, next);
            memcpy(x, next, sizeof x);
        }
        for (int lane = 0; lane < VS_LANES; lane++) {
            bool moments;
            double error = error_of_rolling(&one[lane], x, lane, &moments);
            if (!(error <= LANE_ERROR))
                fail_msg("round %d, lane %d: error %g", round, lane, error);
            *(x[0][lane] > 0 ? moments ? &rolls : &held : &open) += 1;
        }
    }
    assert_true(open > 1000 && held > 500 && rolls > 1000);
}

static void rolling_lanes_do_not_know_each_other(void **state) {
    uint64_t seed = 23;
    (void)state;
    for (int round = 0; round < 300; round++) {
        one_rolling one = draw_rolling(&seed, 4 + round % 3);
        vs_real first[ROLLING_ROWS] = {0};
        for (int place = 0; place < VS_LANES; place++) {
            vs_lane_rolling c;
            vs_lane l[ROLLING_ROWS] = {vs_lane_of(.1)}, x[ROLLING_ROWS];
            for (int lane = 0; lane < VS_LANES; lane++) {
                one_rolling other = draw_rolling(&seed, 6);
                put_rolling(&c, lane, lane == place ? &one : &other);
            }
            vs_lane_rolling_solve(&c, l, x);
            for (int k = 0; k < ROLLING_ROWS; k++) {
                first[k] = place == 0 ? x[k][0] : first[k];
                assert_memory_equal(&(vs_real){x[k][place]}, &first[k], sizeof(vs_real));
            }
        }
    }
}

#endif
