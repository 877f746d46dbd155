// Is a result what it claims to be? Compares the status of a solve with the independent verdict on its impulses.
#ifndef FORGE_DEFECT_H
#define FORGE_DEFECT_H

#include "evaluation.h"

typedef enum forge_defect {
    DEFECT_NONE,
    DEFECT_CONVERGED,  // `converged`, but an island is not
    DEFECT_INACCURATE, // not `converged`, but every island is exact to its floor
    DEFECT_OVERFLOW,   // `overflow`, but every energy is in range, or the other way round
    DEFECT_ISLANDS,    // the library counts other islands
    DEFECT_FLOOR,      // the stated floor is higher than the rounding that it stands for
    DEFECT_ERROR,      // a valid problem is refused with an error
    DEFECT_HANG,       // a solve takes more than its time
    DEFECT_CRASH,      //
    DEFECTS
} forge_defect;

const char *defect_name(forge_defect defect);

// Is the rounding of the velocities that follow from the impulses, in double precision, above the tolerance? Such
// impulses cannot be certified, however exact they are.
bool is_hidden(const forge_verdict *q, double tolerance);
// Is a converged result, without defects, above the tolerance but for the rounding of the measurement?
bool is_excused(const forge_verdict *q, const vs_solver_options *options, const vs_result *result);
// text: what is wrong, in one line.
forge_defect find_defect(const forge_verdict *q, const vs_solver_options *options, const vs_result *result, char *text,
                         size_t size);

#endif
