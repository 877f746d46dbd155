// voussoir itself as an engine: default options but for the step.
#ifndef PEERS_ENGINE_VOUSSOIR_H
#define PEERS_ENGINE_VOUSSOIR_H

#include "scenes.h"

const engine *engine_voussoir_get(int index);

#endif
