// Headers that the tests of scenes share.
#ifndef VS_TEST_SCENES_H
#define VS_TEST_SCENES_H

#include "base/vec.h"
#include "body/world_data.h"
#include "kit/compare.h"
#include "kit/memory.h"
#include "voussoir/scene.h"

#endif
