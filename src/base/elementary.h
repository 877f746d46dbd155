// Elementary functions with the same bits on every system: those of the C libraries differ in their last digits. Rounded
// correctly except where the exact value lies within about 1e-5 units of the last place of a midpoint between doubles; special
// values as in ISO C, Annex F. errno and exception flags are not specified. sqrt, floor, fabs and the like are exact anyway and
// stay those of the compiler.
#ifndef VS_BASE_ELEMENTARY_H
#define VS_BASE_ELEMENTARY_H

#define VS_PI 3.14159265358979323846

double vs_sin(double x);
double vs_cos(double x);
void vs_sincos(double x, double *sine_value, double *cosine_value);
double vs_tan(double x);
double vs_asin(double x);
double vs_acos(double x);
double vs_atan(double x);
double vs_atan2(double y, double x);
double vs_exp(double x);
double vs_ln(double x);
double vs_log10(double x);
double vs_pow(double x, double y);
double vs_sinh(double x);
double vs_cosh(double x);
double vs_tanh(double x);
double vs_cbrt(double x);
double vs_hypot(double x, double y);
// x y + z rounded once, if nothing over- or underflows: not every C library does that without hardware for it.
double vs_fma(double x, double y, double z);

#endif
