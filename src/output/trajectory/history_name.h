// Names of histories: quantities of a trajectory over time.
#ifndef VS_OUTPUT_HISTORY_NAME_H
#define VS_OUTPUT_HISTORY_NAME_H

#include "output/trajectory/reader_data.h"
#include "output/trajectory/region.h"

// In the order of the table of kinds.
typedef enum vs_history_quantity {
    VS_HISTORY_POSITION,
    VS_HISTORY_DISPLACEMENT,
    VS_HISTORY_ROTATION,
    VS_HISTORY_VELOCITY,
    VS_HISTORY_SPEED,
    VS_HISTORY_ANGULAR_VELOCITY,
    VS_HISTORY_FORCE,
    VS_HISTORY_POINT,
    VS_HISTORY_MOMENT,
    VS_HISTORY_REACTION,
    VS_HISTORY_TORQUE,
    VS_HISTORY_VON_MISES,
    VS_HISTORY_PRESSURE,
    VS_HISTORY_NORMAL_STRESS,
    VS_HISTORY_SHEAR_STRESS,
    VS_HISTORY_SOLID_FRACTION,
    VS_HISTORY_COORDINATION,
    VS_HISTORY_FABRIC,
    VS_HISTORY_FLOW,
    VS_HISTORY_TEMPERATURE,
    VS_HISTORY_PASSED,
    VS_HISTORY_PASSED_MASS,
    VS_HISTORY_MASS_RATE,
    VS_HISTORY_WAITING,
    VS_HISTORY_ANGLE,
    VS_HISTORY_TRAVEL,
    VS_HISTORY_POWER,
    VS_HISTORY_TENSION,
    VS_HISTORY_END_TENSION,
    VS_HISTORY_WEAR,
    VS_HISTORY_KINDS
} vs_history_quantity;

enum { VS_ROW_ANY = -1000000 };    // in place of a body: all others
enum { VS_HISTORY_MAGNITUDE = 3 }; // a component

// A name that has been read.
typedef struct vs_history {
    vs_history_quantity quantity;
    int column;    // >= 0: a series of the file, and nothing else counts
    int a, b;      // bodies as in /contacts/body; a alone for a quantity of one body. b: VS_ROW_ANY for a support
    int joint;     // row, -1: none
    int gate;      // row, of quantities of gates
    int component; // 0, 1, 2, VS_HISTORY_MAGNITUDE; -1: all
    vs_region region;
} vs_history;

// Reads a name, and checks that the file has what it needs.
vs_error vs_history_read_name(const vs_trajectory_reader *r, const char *name, vs_history *h);
int vs_history_columns(const vs_history *h);
// Names of the components, ended by null: "x", "y", "z", "magnitude", or "xx", "yy", "zz".
const char *const *vs_history_components(vs_history_quantity quantity);
bool vs_history_is_of_region(vs_history_quantity quantity);
// Of a factory or a sink.
bool vs_history_is_of_gate(vs_history_quantity quantity);
// Of a region, and of its bodies alone: known before the first step, and without contacts.
bool vs_history_is_of_bodies(vs_history_quantity quantity);

static inline int vs_row_of_solid(int64_t solid) {
    return VS_ROW_FLEXIBLE - (int)solid;
}
static inline bool vs_row_is_solid(int row) {
    return row <= VS_ROW_FLEXIBLE && row != VS_ROW_ANY;
}

#endif
