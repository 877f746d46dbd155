// Checks of arguments that all parts of a world share.
#include "body/check.h"

#include "base/context.h"

#include <math.h>
#include <string.h>

bool vs_is_finite3(vs_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

bool vs_is_moderate3(vs_vec3 v) {
    return fabs(v.x) <= VS_NUMBER_MOST && fabs(v.y) <= VS_NUMBER_MOST && fabs(v.z) <= VS_NUMBER_MOST;
}

vs_error vs_check_pose(vs_context *context, const char *what, vs_pose *pose) {
    vs_quat q = pose->rotation;
    double size2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!vs_is_finite3(pose->position))
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s: the position is not finite", what);
    if (!vs_is_moderate3(pose->position))
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s: the position (%g, %g, %g) is too large; at most %g m", what,
                       pose->position.x, pose->position.y, pose->position.z, VS_NUMBER_MOST);
    if (!(fabs(size2 - 1) <= 2e-6))
        return vs_fail(context, VS_ERROR_ARGUMENT, "%s: the rotation must be a unit quaternion (its length is %g)",
                       what, sqrt(size2));
    // A pose read from a world is restored bit for bit.
    if (fabs(size2 - 1) > 1e-14)
        pose->rotation = vs_quat_normalize(q);
    return VS_OK;
}

vs_error vs_copy_text(vs_context *context, const char *text, char **copy) {
    *copy = NULL;
    if (!text || !*text)
        return VS_OK;
    size_t bytes = strlen(text) + 1;
    *copy = vs_allocate(context, bytes);
    if (!*copy)
        return vs_fail_memory(context);
    memcpy(*copy, text, bytes);
    return VS_OK;
}
