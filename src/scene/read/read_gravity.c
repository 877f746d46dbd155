// Gravity of a scene file: three functions of time, or a direction tilted from straight down. And its period.
#include "base/elementary.h"
#include "scene/read/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"

// The expression factor function((angle) degrees), which depends on the time by the angle.
static vs_signal tilted(const vs_node *node, double factor, const char *function, const char *angle) {
    enum { MORE = 80 };
    const size_t room = strlen(angle) + MORE;
    char *text = VS_NEW(node->document->arena, char, (int64_t)room);
    if (!text)
        vs_node_fail(node, VS_ERROR_MEMORY, "out of memory");
    else
        (void)snprintf(text, room, "(%.17g)*%s((%s)*pi/180)", factor, function, angle);
    return text ? (vs_signal){.kind = VS_SIGNAL_EXPRESSION, .expression = text} : (vs_signal){0};
}

// Down, turned by an angle towards a horizontal direction: instead of the ground, gravity is tilted.
static void read_tilted(vs_reader *reader, const vs_node *node, vs_signal g[3]) {
    const double radian = 0.017453292519943295; // per degree
    vs_node_keys(node, "magnitude tilt_degrees toward");
    const vs_node tilt = vs_node_get(node, "tilt_degrees"), member = vs_node_get(node, "toward");
    const double size = vs_get_number(node, "magnitude", 9.81, VS_RANGE_NOT_NEGATIVE);
    const vs_signal angle = tilt.value ? vs_read_signal(reader, &tilt) : (vs_signal){0};
    const vs_vec3 toward = vs_get_vector(node, "toward", (vs_vec3){1, 0, 0}, VS_RANGE_ANY);
    const double length = vs_hypot(toward.x, toward.y);
    if (vs_node_good(node) && (!(length > 0) || toward.z != 0))
        vs_node_fail(&member, VS_ERROR_DATA, "must be a horizontal direction, such as [1, 0, 0]");
    if (vs_node_good(node) && angle.kind != VS_SIGNAL_CONSTANT && angle.kind != VS_SIGNAL_EXPRESSION)
        vs_node_fail(&tilt, VS_ERROR_DATA, "must be a number or an expression of t, such as \"min(2*t, 30)\"");
    if (!vs_node_good(node))
        return;
    if (angle.kind == VS_SIGNAL_EXPRESSION) {
        g[0] = tilted(node, size * toward.x / length, "sin", angle.expression);
        g[1] = tilted(node, size * toward.y / length, "sin", angle.expression);
        g[2] = tilted(node, -size, "cos", angle.expression);
        return;
    }
    const double along = size * vs_sin(radian * angle.value) / length;
    g[0].value = along * toward.x;
    g[1].value = along * toward.y;
    g[2].value = -size * vs_cos(radian * angle.value);
}

void vs_read_gravity(vs_reader *reader, const vs_node *root) {
    const vs_node gravity = vs_node_get(root, "gravity");
    vs_signal g[3] = {{0}, {0}, {0}};
    if (!gravity.value)
        return;
    if (json_is_object(gravity.value))
        read_tilted(reader, &gravity, g);
    else if (vs_node_count(&gravity, 3, 3) == 3)
        vs_read_signals(reader, root, "gravity", g);
    if (!vs_node_good(root))
        return;
    const bool changes =
        g[0].kind != VS_SIGNAL_CONSTANT || g[1].kind != VS_SIGNAL_CONSTANT || g[2].kind != VS_SIGNAL_CONSTANT;
    const vs_vec3 constant = {g[0].value, g[1].value, g[2].value};
    vs_node_check(&gravity, changes ? vs_world_set_gravity_signal(reader->world, g)
                                    : vs_world_set_gravity(reader->world, constant));
}

void vs_read_period(vs_reader *reader, const vs_node *root) {
    const vs_node period = vs_node_get(root, "period");
    const vs_vec3 length = vs_get_vector(root, "period", VS_ZERO3, VS_RANGE_NOT_NEGATIVE);
    if (period.value && vs_node_good(root))
        vs_node_check(&period, vs_world_set_period(reader->world, length));
}
