// Contacts side by side, in lanes of one width: each is solved exactly and does not know the others. test_packed_sweep.c has
// four lanes, test_wide_lanes.c eight.
#ifndef VS_TESTS_SOLVER_SPLITTING_LANE_TESTS_H
#define VS_TESTS_SOLVER_SPLITTING_LANE_TESTS_H

#include "solver/parts.h"

#include "solver/impulse/one_group.h"
#include "solver/splitting/lane_contact.h"

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

#endif
