// The lognormal curve of failures over an intensity x: P(x) = Phi(ln(x/median)/dispersion).
#ifndef VS_APP_SWEEP_LOGNORMAL_H
#define VS_APP_SWEEP_LOGNORMAL_H

#include <stdbool.h>

typedef struct app_trial {
    double x; // > 0
    bool failed;
} app_trial;

typedef enum app_lognormal_kind {
    APP_LOGNORMAL_FITTED,
    APP_LOGNORMAL_STEP,      // every x that failed is above every x that did not: median between them, no dispersion
    APP_LOGNORMAL_NONE,      // nothing failed
    APP_LOGNORMAL_ALL,       // everything failed
    APP_LOGNORMAL_DESCENDING // failures do not become more frequent with x
} app_lognormal_kind;

typedef struct app_lognormal {
    app_lognormal_kind kind;
    double median, dispersion;
    double low, high; // of the median: confidence 95 %; of a step: its ends
} app_lognormal;

double app_lognormal_probability(const app_lognormal *c, double x);
// By maximum likelihood; trials ascend in x.
app_lognormal app_lognormal_fit(const app_trial *trial, int count);
// The range of a probability with 95 % confidence, if `failed` of `count` trials failed (Wilson's score interval).
void app_wilson_interval(int failed, int count, double *low, double *high);

#endif
