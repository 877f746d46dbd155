// Numbers of the final state that become columns of the table.
#ifndef VS_APP_SWEEP_QUANTITY_H
#define VS_APP_SWEEP_QUANTITY_H

#include <stdbool.h>

#include "voussoir/world.h"

enum {
    APP_SWEEP_QUANTITIES = 16,
    APP_SWEEP_NUMBERS = 64, // of all quantities
    APP_QUANTITY_NAME = 128
};

typedef enum app_quantity_kind {
    APP_QUANTITY_POSITION, // of bodies
    APP_QUANTITY_ROTATION,
    APP_QUANTITY_VELOCITY,
    APP_QUANTITY_SPIN,
    APP_QUANTITY_JOINT, // of joints: coordinate, rate
    APP_QUANTITY_FORCE,
    APP_QUANTITY_TORQUE
} app_quantity_kind;

typedef struct app_quantity {
    app_quantity_kind kind;
    char name[APP_QUANTITY_NAME]; // of the body or joint
} app_quantity;

typedef struct app_quantities {
    app_quantity quantity[APP_SWEEP_QUANTITIES];
    int count, numbers; // numbers: of all quantities
} app_quantities;

bool app_quantities_add(app_quantities *all, const char *text); // "position:crate"; false: complained
// "crate.position.x" and "m" of the k-th number of all quantities.
void app_quantities_column(const app_quantities *all, int k, char name[2 * APP_QUANTITY_NAME], const char **unit);
// Reads all numbers, NaN where there is no such body or joint. Returns the first name that is not there, null: none.
const char *app_quantities_read(const app_quantities *all, const vs_world *world, double *number);

#endif
