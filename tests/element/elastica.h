// The elastica by an independent way: a clamped, inextensible, shear-rigid rod with a transverse force at its end.
//
//     theta'' = -k cos theta on [0, 1],  theta(0) = 0,  theta'(1) = 0,  k = P L^2/(E I)
//
// by shooting from the free end with Runge-Kutta's method, order 4: 2000 steps leave errors below 1e-11.
#ifndef VS_TESTS_ELEMENT_ELASTICA_H
#define VS_TESTS_ELEMENT_ELASTICA_H

#include <math.h>
#include <string.h>

typedef struct elastica {
    double w, u, theta; // tip: deflection across, shortening along, over L; angle
} elastica;

// d/dt of (theta, theta', along, across) with t running from the tip to the clamp
static inline void elastica_slope(double k, const double y[4], double d[4]) {
    d[0] = -y[1];
    d[1] = k * cos(y[0]);
    d[2] = cos(y[0]);
    d[3] = sin(y[0]);
}

// From the tip with angle theta; y at the clamp.
static inline void elastica_shoot(double k, double theta, double y[4]) {
    enum { STEPS = 2000 };
    const double h = 1. / STEPS;
    y[0] = theta;
    y[1] = y[2] = y[3] = 0;
    for (int n = 0; n < STEPS; n++) {
        double d[4][4], z[4];
        elastica_slope(k, y, d[0]);
        for (int s = 1; s < 4; s++) {
            for (int j = 0; j < 4; j++)
                z[j] = y[j] + (s == 3 ? h : .5 * h) * d[s - 1][j];
            elastica_slope(k, z, d[s]);
        }
        for (int j = 0; j < 4; j++)
            y[j] += h / 6 * (d[0][j] + 2 * d[1][j] + 2 * d[2][j] + d[3][j]);
    }
}

static inline elastica solve_elastica(double k) {
    // theta(0) of the shot grows with the tip angle in (0, pi/2): halve.
    double low = 0, high = 1.5707963267948966, y[4];
    for (int n = 0; n < 60; n++) {
        double middle = .5 * (low + high);
        elastica_shoot(k, middle, y);
        if (y[0] > 0)
            high = middle;
        else
            low = middle;
    }
    elastica_shoot(k, .5 * (low + high), y);
    return (elastica){y[3], 1 - y[2], .5 * (low + high)};
}

// K. Mattiasson, Int. J. Numer. Meth. Engng 17, 1981, table I (elliptic integrals), k = 1 … 10.
static const elastica MATTIASSON[10] = {
    {.30172, .05643, .46135},  {.49346, .16064, .78175},  {.60325, .25442, .98602},  {.66996, .32894, 1.12124},
    {.71379, .38763, 1.21537}, {.74457, .43459, 1.28370}, {.76737, .47293, 1.33496}, {.78498, .50483, 1.37443},
    {.79906, .53182, 1.40547}, {.81061, .55500, 1.43029},
};

#endif
