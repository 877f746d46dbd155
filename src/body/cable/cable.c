// Cables as joints: checks of their definitions, and what they own. Their coordinate is in joint_coordinate.c; everything else
// is that of a joint with a coordinate (step/rows/joint_law.c).
#include "body/cable/cable.h"

#include <math.h>

#include "base/elementary.h"
#include "base/vec.h"
#include "body/cable/path.h"
#include "body/check.h"

vs_cable_point vs_cable_point_default(void) {
    return (vs_cable_point){.pose = VS_IDENTITY_POSE, .turns = 1};
}

// ---- checks ----------------------------------------------------------------------------------------

static vs_error fail(const vs_world *world, int k, const char *text) {
    return vs_fail(world->context, VS_ERROR_ARGUMENT, "cable: point %d: %s", k, text);
}

static vs_error check_point(const vs_world *world, const vs_joint_def *def, int k) {
    const vs_cable_point *p = &def->point[k];
    vs_pose pose = p->pose;
    const bool drum = p->kind != VS_CABLE_POINT;
    if ((int)p->kind < VS_CABLE_POINT || (int)p->kind > VS_CABLE_PULLEY)
        return fail(world, k, "unknown kind; use a point, sphere, cylinder or pulley");
    if (vs_world_body_index(world, p->body) < 0)
        return fail(world, k, "its body does not exist; it was removed, or the id is of another world");
    if (drum && (k == 0 || k == def->points - 1))
        return fail(world, k, "a cable begins and ends at points");
    if (drum && !(p->radius > 0 && isfinite(p->radius)))
        return fail(world, k, "the radius must be positive");
    if (p->kind == VS_CABLE_SPHERE &&
        (def->point[k - 1].kind != VS_CABLE_POINT || def->point[k + 1].kind != VS_CABLE_POINT))
        return fail(world, k, "a sphere needs a point before and after it");
    if (!(p->mu >= 0) || !isfinite(p->mu))
        return fail(world, k, "mu must not be negative");
    if (!vs_is_finite3(p->side))
        return fail(world, k, "the side is not finite");
    if (p->kind == VS_CABLE_PULLEY && p->turns == 0)
        return fail(world, k, "turns must not be 0; its sign is the sense of the pulley");
    return vs_check_pose(world->context, "cable, point", &pose);
}

static vs_error check_term(const vs_world *world, const vs_joint_term *term) {
    const int index = vs_world_joint_index(world, term->joint);
    const vs_joint_kind kind = index < 0 ? VS_JOINT_FIXED : world->joint[index].def.kind;
    if (kind != VS_JOINT_REVOLUTE && kind != VS_JOINT_PRISMATIC && kind != VS_JOINT_CYLINDRICAL &&
        kind != VS_JOINT_DISTANCE && kind != VS_JOINT_SPRING)
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "cable: its terms need joints that exist and have a coordinate of their own");
    if (!isfinite(term->factor))
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "cable: the factor of a term is not finite");
    return VS_OK;
}

// ---- bodies ----------------------------------------------------------------------------------------

// False: there are too many.
static bool add_body(int index, int *body, int *count) {
    int k = 0;
    while (k < *count && body[k] != index)
        k++;
    if (index == 0 || k < *count)
        return true;
    if (k == VS_ROW_BODIES_MOST)
        return false;
    body[(*count)++] = index;
    return true;
}

static bool list_bodies(const vs_world *world, const vs_joint_def *def, int body[VS_ROW_BODIES_MOST], int *count) {
    bool room = true;
    *count = 0;
    for (int k = 0; k < def->points; k++)
        room = room && add_body((int)def->point[k].body.index, body, count);
    for (int k = 0; k < def->terms; k++) {
        const vs_joint *joint = &world->joint[def->term[k].joint.index];
        room = room && add_body(joint->a, body, count) && add_body(joint->b, body, count);
    }
    return room;
}

static int count_rough(const vs_joint_def *def) {
    int rough = 0;
    for (int k = 1; k < def->points - 1; k++)
        rough += def->point[k].mu > 0;
    return rough;
}

static vs_error check_friction(const vs_world *world, const vs_joint_def *def) {
    const int rough = count_rough(def);
    if (rough > VS_ROPE_PARTS_MOST)
        return vs_fail(world->context, VS_ERROR_UNSUPPORTED, "cable: %d of its points have mu; at most %d may", rough,
                       VS_ROPE_PARTS_MOST);
    const bool winds = def->motor != VS_MOTOR_NONE && def->pulls && def->motor_limit == 0;
    if (rough > 0 && def->length == 0 && !winds)
        return vs_fail(world->context, VS_ERROR_ARGUMENT,
                       "cable: mu is for ropes and winches without a limit of force: give a free length");
    return VS_OK;
}

vs_error vs_cable_check(const vs_world *world, const vs_joint_def *def, int *a, int *b) {
    int body[VS_ROW_BODIES_MOST], count;
    bool moves = false;
    vs_error error = VS_OK;
    if (def->points < 0 || def->points == 1 || def->points > VS_CABLE_POINTS_MOST || (def->points > 0 && !def->point) ||
        def->terms < 0 || (def->terms > 0 && !def->term) || def->points + def->terms == 0)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "cable: needs a path of 2 to %d points, or terms",
                       VS_CABLE_POINTS_MOST);
    for (int k = 0; k < def->points && !error; k++)
        error = check_point(world, def, k);
    for (int k = 0; k < def->terms && !error; k++)
        error = check_term(world, &def->term[k]);
    if (!error)
        error = check_friction(world, def);
    if (error)
        return error;
    const int most = VS_ROW_BODIES_MOST - (count_rough(def) > 1 ? 2 : 0); // two cuts stand beside the bodies
    if (!list_bodies(world, def, body, &count) || count > most)
        return vs_fail(world->context, VS_ERROR_UNSUPPORTED, "cable: it acts on more than %d bodies", most);
    for (int k = 0; k < count; k++)
        moves = moves || world->body[body[k]].motion == VS_MOTION_DYNAMIC;
    if (!moves)
        return vs_fail(world->context, VS_ERROR_ARGUMENT, "cable: it acts on no dynamic body");
    *a = body[0];
    *b = body[count - 1];
    return VS_OK;
}

// ---- memory ----------------------------------------------------------------------------------------

struct vs_cable *vs_cable_copy(const vs_world *world, const vs_joint_def *def) {
    vs_context *context = world->context;
    struct vs_cable *made = vs_allocate(context, sizeof *made);
    if (!made)
        return NULL;
    *made = (struct vs_cable){.point = vs_allocate(context, sizeof *made->point * (size_t)(def->points + 1)),
                              .term = vs_allocate(context, sizeof *made->term * (size_t)(def->terms + 1))};
    if (!made->point || !made->term) {
        vs_cable_release(context, made);
        return NULL;
    }
    for (int k = 0; k < def->points; k++) {
        made->point[k] = def->point[k];
        made->point[k].pose.rotation = vs_quat_normalize(def->point[k].pose.rotation);
        made->rough = made->rough || (k > 0 && k < def->points - 1 && def->point[k].mu > 0);
    }
    for (int k = 0; k < def->terms; k++)
        made->term[k] = def->term[k];
    (void)list_bodies(world, def, made->body, &made->bodies);
    return made;
}

void vs_cable_release(vs_context *context, struct vs_cable *cable) {
    if (!cable)
        return;
    vs_release(context, cable->point);
    vs_release(context, cable->term);
    vs_release(context, cable);
}

// ---- the path --------------------------------------------------------------------------------------

static bool is_same(const vs_pose *a, const vs_pose *b) {
    const vs_vec3 p = a->position, q = b->position;
    const vs_quat r = a->rotation, s = b->rotation;
    return p.x == q.x && p.y == q.y && p.z == q.z && r.w == s.w && r.x == s.x && r.y == s.y && r.z == s.z;
}

static bool is_at(const vs_world *world, const struct vs_cable *cable) {
    bool same = cable->memory.known;
    for (int k = 0; k < cable->bodies && same; k++)
        same = is_same(&cable->memory.pose[k], &world->body[cable->body[k]].pose);
    return same;
}

// The legs before a station count half, those behind it minus half.
static void set_slip(const vs_world *world, const vs_cable_path *path, int station, vs_joint_row *slip) {
    vs_joint_row behind = {.bodies = 0};
    *slip = (vs_joint_row){.kind = VS_ROW_SLIP, .direction = {-.5, .5}};
    vs_cable_add_legs(world, path, 0, station + 1, slip);
    vs_cable_add_legs(world, path, station + 1, path->legs, &behind);
    for (int k = 0; k < slip->bodies; k++)
        for (int i = 0; i < 6; i++)
            slip->J[k][i] *= .5;
    for (int k = 0; k < behind.bodies; k++)
        vs_cable_add_part(behind.body[k], -.5, behind.J[k], slip);
}

static void find_path(const vs_world *world, const vs_joint_def *def, vs_cable_memory *out) {
    vs_cable_path path;
    vs_cable_trace(world, def, &path);
    out->length = path.length;
    out->row = (vs_joint_row){.direction = {-1}};
    out->mu = 0;
    out->rough = 0;
    vs_cable_add_legs(world, &path, 0, path.legs, &out->row);
    for (int k = 0; k + 1 < path.legs; k++) {
        const double mu = vs_cable_coefficient(def, &path, k);
        if (!(mu > 0))
            continue;
        if (out->rough++ == 0)
            set_slip(world, &path, k, &out->slip);
        out->mu = out->rough == 1 ? mu : 0;
    }
}

// At the present poses.
static const vs_cable_memory *remember(const vs_world *world, const vs_joint_def *def, struct vs_cable *cable) {
    vs_cable_memory *memory = &cable->memory;
    if (!is_at(world, cable)) {
        find_path(world, def, memory);
        memory->known = true;
        for (int k = 0; k < cable->bodies; k++)
            memory->pose[k] = world->body[cable->body[k]].pose;
    }
    return memory;
}

double vs_cable_length(const vs_world *world, const vs_joint_def *def, struct vs_cable *cable, vs_joint_row *row) {
    vs_cable_memory present;
    const vs_cable_memory *at = &present;
    if (cable)
        at = remember(world, def, cable);
    else
        find_path(world, def, &present);
    if (row)
        vs_joint_row_copy(&at->row, row);
    return at->length;
}

double vs_cable_friction(const vs_world *world, const vs_joint *joint, vs_joint_row *slip) {
    if (!joint->cable || !joint->cable->rough)
        return 0;
    const vs_cable_memory *at = remember(world, &joint->def, joint->cable);
    if (at->mu > 0)
        *slip = at->slip;
    return at->mu;
}

bool vs_world_has_rope_parts(const vs_world *world) {
    for (int next = world->first_cable; next > 0; next = world->joint[next - 1].cable->next)
        if (count_rough(&world->joint[next - 1].def) > 1)
            return true;
    return false;
}

int vs_rope_stations(const vs_world *world, const vs_joint *joint) {
    if (!joint->cable || !joint->cable->rough)
        return 0;
    return remember(world, &joint->def, joint->cable)->rough;
}

// ---- the list of cables ----------------------------------------------------------------------------

void vs_cable_link(vs_world *world, int joint) {
    struct vs_cable *cable = world->joint[joint].cable;
    int *end = &world->first_cable;
    while (*end > 0)
        end = &world->joint[*end - 1].cable->next;
    *end = joint + 1;
    for (int k = 0; k < cable->bodies; k++)
        world->body[cable->body[k]].cables++;
}

void vs_cable_unlink(vs_world *world, int joint) {
    struct vs_cable *cable = world->joint[joint].cable;
    int *end = &world->first_cable;
    while (*end != joint + 1)
        end = &world->joint[*end - 1].cable->next;
    *end = cable->next;
    for (int k = 0; k < cable->bodies; k++)
        world->body[cable->body[k]].cables--;
}

int vs_cable_on_body(const vs_world *world, int body, int after) {
    if (world->body[body].cables == 0)
        return -1;
    int next = after < 0 ? world->first_cable : world->joint[after].cable->next;
    for (; next > 0; next = world->joint[next - 1].cable->next) {
        const struct vs_cable *cable = world->joint[next - 1].cable;
        for (int k = 0; k < cable->bodies; k++)
            if (cable->body[k] == body)
                return next - 1;
    }
    return -1;
}
