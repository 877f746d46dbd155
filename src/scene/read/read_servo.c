// Servos of a scene file: "servo" of a kinematic body.
#include "scene/read/reader.h"

#include "voussoir/servo.h"

// "across": [[one, other], [one, other]], names of bodies.
static void read_across(vs_reader *reader, const vs_node *node, vs_servo_def *def) {
    const vs_node across = vs_node_need(node, "across");
    if (!across.value || vs_node_count(&across, 2, 2) != 2)
        return;
    for (size_t i = 0; i < 2 && vs_node_good(node); i++) {
        const vs_node pair = vs_node_item(&across, i);
        const size_t names = vs_node_count(&pair, 2, 2);
        for (size_t k = 0; k < names && vs_node_good(node); k++) {
            const vs_node name = vs_node_item(&pair, k);
            def->across[2 * i + k] = vs_find_placed(reader, &name)->id;
            if (vs_node_good(node) && def->across[2 * i + k].index == 0)
                vs_node_fail(&name, VS_ERROR_DATA, "must be a body, not the world");
        }
    }
}

void vs_read_servo(vs_reader *reader, const vs_node *body, vs_body_id id) {
    const vs_node node = vs_node_get(body, "servo");
    if (!node.value)
        return;
    vs_servo_def def = vs_servo_def_default();
    vs_node_keys(&node, "direction force stress across gain speed");
    const vs_node direction = vs_node_need(&node, "direction");
    const vs_node force = vs_node_get(&node, "force"), stress = vs_node_get(&node, "stress");
    if (vs_node_good(&node) && !force.value == !stress.value)
        vs_node_fail(&node, VS_ERROR_DATA, "needs either \"force\" or \"stress\"");
    if (!vs_node_good(&node))
        return;
    def.direction = vs_node_vector(&direction, VS_RANGE_ANY);
    def.target = vs_read_signal(reader, force.value ? &force : &stress);
    if (stress.value)
        read_across(reader, &node, &def);
    else if (vs_node_get(&node, "across").value)
        vs_node_fail(&node, VS_ERROR_DATA, "\"across\" is for \"stress\"");
    const vs_node gain = vs_node_need(&node, "gain"), speed = vs_node_need(&node, "speed");
    if (!vs_node_good(&node))
        return;
    def.gain = vs_node_number(&gain, VS_RANGE_POSITIVE);
    def.speed = vs_node_number(&speed, VS_RANGE_POSITIVE);
    if (vs_node_good(&node))
        vs_node_check(&node, vs_world_set_servo(reader->world, id, &def));
}
