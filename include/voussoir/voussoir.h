// The whole public API of voussoir.
#ifndef VOUSSOIR_VOUSSOIR_H
#define VOUSSOIR_VOUSSOIR_H

#include "voussoir/context.h"
#include "voussoir/fclib.h"
#include "voussoir/measure.h"
#include "voussoir/problem.h"
#include "voussoir/solver.h"

#endif
