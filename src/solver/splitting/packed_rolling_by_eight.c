// Packs of eight contacts with rolling friction in single precision: see packed_sweep.h.
#define VS_LANES 8
#define VS_PACK_ROLLING
#define VS_PACK_LANES vs_pack_rolling_by_eight
#include "solver/splitting/packed_lanes.h"
