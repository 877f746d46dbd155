#include "scene/import.h"
void vs_import_mjcf(vs_import *im, const xmlNode *mujoco) {
    vs_import_fail(im, mujoco, VS_ERROR_UNSUPPORTED, "MJCF is not supported");
}
