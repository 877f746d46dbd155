// Packs of four contacts with rolling friction: see packed_sweep.h.
#define VS_LANES 4
#define VS_PACK_ROLLING
#define VS_PACK_LANES vs_pack_rolling_by_four
#include "solver/splitting/packed_lanes.h"
