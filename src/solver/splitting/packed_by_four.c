// Packs of four contacts in double precision, for any tolerance: see packed_sweep.h.
#define VS_LANES 4
#define VS_PACK_LANES vs_pack_by_four
#include "solver/splitting/packed_lanes.h"
