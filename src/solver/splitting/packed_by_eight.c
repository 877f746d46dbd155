// Packs of eight contacts in single precision, for loose tolerances: see packed_sweep.h.
#define VS_LANES 8
#define VS_PACK_LANES vs_pack_by_eight
#include "solver/splitting/packed_lanes.h"
