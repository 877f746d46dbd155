// Work and dissipation of loads and rows: see energy_account.h.
#include "step/energy_account.h"

void vs_energy_account_loads(const vs_simulation *s, const double *v, vs_step_report *report) {
    double h = s->options.step, sum = 0;
    for (int k = 0; k < s->blocks.owned; k++, v += 6) {
        int body = s->blocks.body.data[k];
        const double *before = s->blocks.before.data + 6 * (int64_t)k;
        vs_vec3 force, torque;
        vs_body_push(s->world, body, h, &force, &torque);
        vs_vec3 way = {before[0] + v[0], before[1] + v[1], before[2] + v[2]};
        vs_vec3 turn = {before[3] + v[3], before[4] + v[4], before[5] + v[5]};
        turn = vs_rotate(s->world->body[body].pose.rotation, turn);
        sum += .5 * h * (vs_dot(force, way) + vs_dot(torque, turn));
    }
    report->work = sum;
}

static bool is_on_nodes(const vs_blocks *blocks, const vs_row_group *group) {
    bool nodes = false;
    for (int k = 0; k < group->blocks; k++)
        nodes = nodes || group->block[k] >= (int)blocks->body.count;
    return nodes;
}

// D ((1 - after) v0 + after v1) of a row
static double free_velocity(const vs_simulation *s, const vs_row_group *group, int row, double after) {
    const vs_blocks *blocks = &s->blocks;
    const double *before = blocks->before.data, *v = s->problem.result.v;
    double sum = 0;
    for (int k = 0; k < group->blocks; k++) {
        int width = vs_blocks_width(blocks, group->block[k]), first = vs_blocks_column(blocks, group->block[k]);
        const double *J =
            vs_row_groups_values(&s->groups, group).J + 6 * (int64_t)k * group->rows + (int64_t)width * row;
        for (int j = 0; j < width; j++)
            sum += J[j] * ((1 - after) * before[first + j] + after * v[first + j]);
    }
    return sum;
}

// One row with the impulse x.
static void account_row(const vs_simulation *s, const vs_row_group *group, int row, double x, vs_step_report *report) {
    vs_row_values values = vs_row_groups_values(&s->groups, group);
    double prescribed = values.prescribed_mean[row], damping = values.damping[row];
    bool nodes = is_on_nodes(&s->blocks, group);
    double u = free_velocity(s, group, row, nodes ? 1 : .5) + prescribed;
    report->work_prescribed -= x * prescribed;
    report->work -= x * prescribed;
    if (group->kind == VS_GROUP_JOINT && damping >= 0) {
        double after = values.b[row] - values.E[row] * x + values.prescribed[row]; // C v1 + E x = b
        report->dissipation += s->options.step * damping * after * after;
    } else if (group->kind == VS_GROUP_JOINT || group->drives) {
        report->work += x * u;
    } else if (!(nodes && vs_row_group_is_contact(group) && row == 0)) {
        report->dissipation -= x * u;
    }
}

void vs_energy_account_rows(const vs_simulation *s, vs_step_report *report) {
    for (int64_t k = 0; k < s->groups.group.count; k++) {
        const vs_row_group *group = &s->groups.group.data[k];
        const double *x = vs_row_group_impulses(group, &s->problem.result);
        for (int i = 0; i < group->rows; i++)
            account_row(s, group, i, x[i], report);
    }
}
