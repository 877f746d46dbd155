// One problem of a collection: made, solved, certified and written in a process of its own.
#ifndef VS_APP_COLLECT_COLLECTED_H
#define VS_APP_COLLECT_COLLECTED_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/sha256.h"
#include "collect/recipe.h"

enum { APP_COLLECT_NAME = 48, APP_COLLECT_PATH = 1024 };

// Errors above this are not certified; of energies also not above four times what rounding of the impulses to doubles leaves.
static const double APP_COLLECT_CERTIFIED = 1e-12;
static const double APP_COLLECT_ROUNDINGS = 4; // of the impulses, that a solution may differ from the best one

typedef enum app_difficulty { APP_EASY, APP_MEDIUM, APP_HARD } app_difficulty;
extern const char *const app_difficulties[]; // names

// Plain data: a child process sends it through a pipe.
typedef struct app_collected {
    char name[APP_COLLECT_NAME], family[APP_COLLECT_NAME];
    char scene[300]; // where it comes from, in words
    char why[200];   // not made: why; "" if it was
    int attempt;     // draws that were of no use before
    int velocities, contacts, rows, joint_rows;
    double mu_min, mu_max, mass_ratio;
    double surplus; // rows of closed contacts and joints over the velocities: above 1 impulses are not unique
    int sweeps;     // of Gauss-Seidel to 1e-4; -1: not reached
    app_difficulty difficulty;
    bool certified;               // the file holds a solution with errors up to APP_COLLECT_CERTIFIED
    double map, energy, rounding; // errors of the solution (vs_certificate)
    bool held_out;                // split
    long bytes;
    char checksum[APP_SHA256];
} app_collected;

// Draws problem `number` of a recipe until one is of use, and writes FOLDER/NAME.hdf5.
void app_collect_one(const app_recipe *recipe, uint64_t seed, int number, const char *folder, app_collected *collected);
// Is the name of the held-out split, which nothing may be tuned on? So it is if its SHA-256 begins with 8 to f.
bool app_collect_is_held_out(const char *name);

#endif
