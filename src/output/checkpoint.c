// Checkpoints: one file of raw numbers in the byte order of the machine, protected by a checksum.
//
//     magic (8) | version (4) | byte order (4) | bytes of the world's part (8) | bytes of the simulation's part (8)
//     the world's part
//         time, gravity, counts
//         bodies: generation, motion, mass, pose, velocity, spin, forces of the next step
//         joints: generation, kind, reaction, angle
//         flexible bodies: generation, nodes; of solids positions, velocities and forces of the next step
//     the simulation's part (vs_simulation_save)
//     the software that wrote it, as text (software.h), and a hash of the functions of time (loads, drives, motors); not
//         in version 2, whose impulses have no marks; after a zero the note of the simulation, if it has one
//     checksum of everything before it (4)
//
// Poses and velocities are stored as they are in memory, bit for bit: spin in body axes, angles with their turns. Data
// that the scene defines (shapes, loads, motors) is not stored; generations, kinds and masses must be those of the
// scene. Nothing is changed before everything has been checked. For the same build on the same kind of machine, not an
// archive format.
#include "base/checksum.h"
#include "base/file.h"
#include "base/output_file.h"
#include "body/flexible_data.h"
#include "output/software.h"
#include "body/world_data.h"
#include "step/state/simulation_state.h"
#include "voussoir/trajectory.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC "VSCHECK\n"
_Static_assert(sizeof((vs_checkpoint_info){0}.software) == VS_SOFTWARE_TEXT, "room for the text");
enum { VERSION = 3, FIRST_RELEASE = 2, ORDER = 0x01020304, HEAD_BYTES = 32, SUM_BYTES = 4 };

typedef struct head {
    char magic[8];
    uint32_t version, order;
    uint64_t world, simulation; // bytes
} head;

// Records without padding: every byte of the file is defined.
typedef struct world_record {
    double time, gravity[3];
    int64_t bodies, joints; // slots
    int64_t flexibles;      // slots
    int64_t nodes;          // of all solids
} world_record;

typedef struct body_record {
    uint32_t generation;
    int32_t alive, motion, reserved;
    double mass;
    vs_pose pose;
    vs_vec3 velocity, spin, held, force, torque;
} body_record;

typedef struct joint_record {
    uint32_t generation;
    int32_t alive, kind, reserved;
    vs_vec3 force, torque;
    double angle;
} joint_record;

typedef struct flexible_record {
    uint32_t generation;
    int32_t alive, beam, nodes;
} flexible_record; // nodes of a solid: position, velocity, force

_Static_assert(sizeof(flexible_record) == 16, "no padding");
_Static_assert(sizeof(head) == HEAD_BYTES, "no padding");
_Static_assert(sizeof(world_record) == 8 * 8, "no padding");
_Static_assert(sizeof(body_record) == 16 + 23 * 8, "no padding");
_Static_assert(sizeof(joint_record) == 16 + 7 * 8, "no padding");

static size_t world_bytes(const world_record *r) {
    return sizeof(world_record) + (size_t)r->bodies * sizeof(body_record) + (size_t)r->joints * sizeof(joint_record) +
           (size_t)r->flexibles * sizeof(flexible_record) + (size_t)r->nodes * 3 * sizeof(vs_vec3);
}

static int solid_nodes(const vs_flexible *f) {
    return f->alive && !f->beam ? f->nodes : 0;
}

static world_record record_of(const vs_world *world) {
    const vs_vec3 g = world->gravity;
    world_record record = {world->time, {g.x, g.y, g.z}, world->bodies, world->joints, world->flexibles, 0};
    for (int k = 0; k < world->flexibles; k++)
        record.nodes += solid_nodes(&world->flexible[k]);
    return record;
}

// ---- writing --------------------------------------------------------------------------------------------

static char *put_flexible(char *to, const vs_flexible *f) {
    const flexible_record record = {f->generation, f->alive, f->beam, f->nodes};
    const vs_vec3 *const array[3] = {f->position, f->velocity, f->force};
    size_t bytes = (size_t)solid_nodes(f) * sizeof(vs_vec3);
    (void)memcpy(to, &record, sizeof record);
    to += sizeof record;
    for (int k = 0; k < 3 && bytes > 0; k++, to += bytes)
        (void)memcpy(to, array[k], bytes);
    return to;
}

static void put_world(char *to, const vs_world *world) {
    const world_record record = record_of(world);
    (void)memcpy(to, &record, sizeof record);
    to += sizeof record;
    for (int i = 0; i < world->bodies; i++, to += sizeof(body_record)) {
        const vs_body *b = &world->body[i];
        const body_record body = {b->generation, b->alive, (int)b->motion, 0,        b->mass,  b->pose,
                                  b->velocity,   b->spin,  b->held,        b->force, b->torque};
        (void)memcpy(to, &body, sizeof body);
    }
    for (int j = 0; j < world->joints; j++, to += sizeof(joint_record)) {
        const vs_joint *k = &world->joint[j];
        const joint_record joint = {k->generation, k->alive, (int)k->def.kind, 0, k->force, k->torque, k->angle};
        (void)memcpy(to, &joint, sizeof joint);
    }
    for (int k = 0; k < world->flexibles; k++)
        to = put_flexible(to, &world->flexible[k]);
}

// A line of its own after those of the software, if there is room.
#define SIGNALS "signals "
static void name_signals(const vs_world *world, char text[VS_SOFTWARE_TEXT]) {
    const size_t used = strlen(text);
    if (used + sizeof SIGNALS + 17 < VS_SOFTWARE_TEXT)
        (void)snprintf(text + used, VS_SOFTWARE_TEXT - used, SIGNALS "%016" PRIx64 "\n", vs_world_hash_signals(world));
}

// The scene defines loads and drives: those of another scene, or of a file that has changed, are allowed but not silent.
static void compare_signals(const vs_world *world, const char *path, const char *text) {
    char here[VS_SOFTWARE_TEXT] = "";
    const char *there = strstr(text, "\n" SIGNALS);
    name_signals(world, here);
    if (there && strncmp(there + 1, here, strlen(here)) != 0)
        vs_log(world->context, VS_LOG_WARNING,
               "%s: gravity, loads, drives or motors were others when it was written (a changed file of the scene?); "
               "continued with the present ones",
               path);
}

// Builds the whole file in memory.
static vs_error make_image(const vs_world *world, const vs_simulation *simulation, vs_arena *arena, char **image,
                           size_t *size) {
    void *blob = NULL;
    size_t count = 0;
    vs_error error = simulation ? vs_simulation_save(simulation, arena, &blob, &count) : VS_OK;
    if (error)
        return error;
    const world_record record = record_of(world);
    head h = {.version = VERSION, .order = ORDER, .world = world_bytes(&record)};
    (void)memcpy(h.magic, MAGIC, sizeof h.magic);
    h.simulation = count;
    char software[VS_SOFTWARE_TEXT];
    vs_software_describe(software);
    name_signals(world, software);
    const char *note = vs_simulation_get_note(simulation);
    const size_t length = strlen(software), noted = *note ? 1 + strlen(note) : 0; // with the zero before it
    *size = HEAD_BYTES + (size_t)h.world + count + length + noted + SUM_BYTES;
    char *at = *image = VS_NEW(arena, char, (int64_t)*size);
    if (!at)
        return VS_ERROR_MEMORY;
    (void)memcpy(at, &h, sizeof h);
    put_world(at + HEAD_BYTES, world);
    if (count > 0)
        (void)memcpy(at + HEAD_BYTES + h.world, blob, count);
    // NOLINTNEXTLINE(bugprone-not-null-terminated-result): in the file the text ends where the checksum begins
    (void)memcpy(at + HEAD_BYTES + h.world + count, software, length);
    at[HEAD_BYTES + h.world + count + length] = '\0'; // where the checksum begins without a note
    // NOLINTNEXTLINE(bugprone-not-null-terminated-result): the same
    (void)memcpy(at + HEAD_BYTES + h.world + count + length + (noted > 0), note, noted > 0 ? noted - 1 : 0);
    const uint32_t sum = vs_checksum(at, *size - SUM_BYTES);
    (void)memcpy(at + *size - SUM_BYTES, &sum, SUM_BYTES);
    return VS_OK;
}

static vs_error write_bytes(vs_context *context, const char *name, const char *image, size_t size) {
    FILE *file = fopen(name, "wb");
    bool good = file && fwrite(image, 1, size, file) == size;
    if (file)
        good = fclose(file) == 0 && good;
    return good ? VS_OK : vs_fail(context, VS_ERROR_IO, "could not be written: %s", strerror(errno));
}

vs_error vs_checkpoint_write(const char *path, const vs_world *world, const vs_simulation *simulation) {
    if (!path || !world)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "vs_checkpoint_write: an argument is null");
    vs_context *context = world->context;
    vs_arena arena;
    vs_arena_init(&arena, context);
    char *image = NULL;
    vs_output_file *file = NULL;
    size_t size = 0;
    vs_error error = make_image(world, simulation, &arena, &image, &size);
    if (!error)
        error = vs_output_file_create(context, path, &file);
    if (!error)
        error = write_bytes(context, vs_output_file_get_path(file), image, size);
    if (!error)
        error = vs_output_file_commit(file);
    vs_output_file_destroy(file);
    error = vs_file_blame(context, error, path);
    vs_arena_release(&arena);
    return error;
}

// ---- reading --------------------------------------------------------------------------------------------

static vs_error read_bytes(vs_context *context, const char *path, vs_arena *arena, char **image, size_t *size) {
    struct stat status = {0};
    FILE *file = fopen(path, "rb");
    vs_error error = VS_OK;
    if (!file || fstat(fileno(file), &status) != 0)
        error = vs_fail(context, VS_ERROR_IO, "cannot be opened: %s", strerror(errno));
    else if (!S_ISREG(status.st_mode) || status.st_size < HEAD_BYTES + (int)sizeof(world_record) + SUM_BYTES)
        error = vs_fail(context, VS_ERROR_DATA, "is not a checkpoint");
    if (!error) {
        *size = (size_t)status.st_size;
        *image = VS_NEW(arena, char, (int64_t)status.st_size);
        if (!*image)
            error = VS_ERROR_MEMORY;
        else if (fread(*image, 1, *size, file) != *size)
            error = vs_fail(context, VS_ERROR_IO, "could not be read");
    }
    if (file)
        (void)fclose(file);
    return error;
}

// Checks everything except the match with the world.
static vs_error check_image(vs_context *context, const char *image, size_t size, head *h, world_record *record) {
    (void)memcpy(h, image, sizeof *h);
    if (memcmp(h->magic, MAGIC, sizeof h->magic) != 0)
        return vs_fail(context, VS_ERROR_DATA, "is not a checkpoint");
    if (h->order != ORDER)
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "was written on a machine with another byte order");
    if (h->version != VERSION && h->version != FIRST_RELEASE)
        return vs_fail(context, VS_ERROR_UNSUPPORTED, "has version %u; this build reads %d and %d", h->version,
                       FIRST_RELEASE, VERSION);
    const size_t rest = size - HEAD_BYTES - SUM_BYTES;
    if (h->world > rest || h->simulation > rest - h->world ||
        (h->version == FIRST_RELEASE && h->simulation != rest - h->world))
        return vs_fail(context, VS_ERROR_DATA, "is truncated or damaged");
    uint32_t sum;
    (void)memcpy(&sum, image + size - SUM_BYTES, SUM_BYTES);
    if (sum != vs_checksum(image, size - SUM_BYTES))
        return vs_fail(context, VS_ERROR_DATA, "is damaged: its checksum is wrong");
    (void)memcpy(record, image + HEAD_BYTES, sizeof *record);
    const int64_t most = (int64_t)(rest / sizeof(joint_record));
    if (record->bodies < 0 || record->bodies > most || record->joints < 0 || record->joints > most ||
        record->flexibles < 0 || record->flexibles > most || record->nodes < 0 || record->nodes > most ||
        world_bytes(record) != h->world)
        return vs_fail(context, VS_ERROR_DATA, "is damaged: its counts are wrong");
    return VS_OK;
}

static vs_error check_world(const vs_world *world, const world_record *record, const char *from) {
    vs_context *context = world->context;
    if (record->bodies != world->bodies || record->joints != world->joints)
        return vs_fail(context, VS_ERROR_DATA,
                       "is of another scene: it has %lld bodies and %lld joints, the world %d and %d",
                       (long long)record->bodies, (long long)record->joints, world->bodies, world->joints);
    const world_record here = record_of(world);
    if (record->flexibles != here.flexibles || record->nodes != here.nodes)
        return vs_fail(context, VS_ERROR_DATA,
                       "is of another scene: it has %lld flexible bodies with %lld nodes, the world %d and %lld",
                       (long long)record->flexibles, (long long)record->nodes, world->flexibles, (long long)here.nodes);
    for (int i = 0; i < world->bodies; i++, from += sizeof(body_record)) {
        const vs_body *b = &world->body[i];
        body_record body;
        (void)memcpy(&body, from, sizeof body);
        if (body.generation != b->generation || body.alive != b->alive || body.motion != (int)b->motion ||
            body.mass != b->mass)
            return vs_fail(context, VS_ERROR_DATA, "is of another scene: body %d (%s) differs", i,
                           b->name ? b->name : "");
    }
    for (int j = 0; j < world->joints; j++, from += sizeof(joint_record)) {
        const vs_joint *k = &world->joint[j];
        joint_record joint;
        (void)memcpy(&joint, from, sizeof joint);
        if (joint.generation != k->generation || joint.alive != k->alive || joint.kind != (int)k->def.kind)
            return vs_fail(context, VS_ERROR_DATA, "is of another scene: joint %d (%s) differs", j,
                           k->name ? k->name : "");
    }
    for (int k = 0; k < world->flexibles; k++) {
        const vs_flexible *f = &world->flexible[k];
        flexible_record flexible;
        (void)memcpy(&flexible, from, sizeof flexible);
        if (flexible.generation != f->generation || flexible.alive != f->alive || flexible.beam != f->beam ||
            flexible.nodes != f->nodes)
            return vs_fail(context, VS_ERROR_DATA, "is of another scene: flexible body %d (%s) differs", k,
                           f->name ? f->name : "");
        from += sizeof flexible + 3 * sizeof(vs_vec3) * (size_t)solid_nodes(f);
    }
    return VS_OK;
}

// ---- numbers --------------------------------------------------------------------------------------------

// Squares of positions and velocities, which distances and energies need, must not exceed the range of numbers.
static const double MOTION_MOST = 1e150;

static bool is_within(vs_vec3 x, double most) {
    return fabs(x.x) <= most && fabs(x.y) <= most && fabs(x.z) <= most; // false for NaN
}

// Names the first of the vectors that is not finite, or one of the first `motions` that is too large; null: none.
typedef struct named_vector {
    const char *name;
    vs_vec3 value;
} named_vector;

static const named_vector *find_wild(const named_vector *vector, int count, int motions) {
    for (int k = 0; k < count; k++)
        if (!is_within(vector[k].value, k < motions ? MOTION_MOST : DBL_MAX))
            return &vector[k];
    return NULL;
}

static vs_error refuse_vector(vs_context *context, const char *what, int index, const char *name,
                              const named_vector *wild) {
    const vs_vec3 x = wild->value;
    return vs_fail(context, VS_ERROR_DATA, "is damaged: %s %d (%s): %s is (%g, %g, %g)", what, index, name ? name : "",
                   wild->name, x.x, x.y, x.z);
}

static vs_error check_body_numbers(vs_context *context, int index, const char *name, const body_record *body) {
    const named_vector vector[] = {
        {"position", body->pose.position},   {"velocity", body->velocity}, {"spin", body->spin},
        {"prescribed velocity", body->held}, {"force", body->force},       {"torque", body->torque}};
    const named_vector *wild = find_wild(vector, 6, 4);
    if (wild)
        return refuse_vector(context, "body", index, name, wild);
    const vs_quat q = body->pose.rotation;
    const double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    // Steps and definitions normalize to roundoff.
    if (!(fabs(length - 1) <= 1e-9))
        return vs_fail(context, VS_ERROR_DATA, "is damaged: body %d (%s): rotation is a quaternion of length %g", index,
                       name ? name : "", length);
    return VS_OK;
}

static vs_error check_joint_numbers(vs_context *context, int index, const char *name, const joint_record *joint) {
    const named_vector vector[] = {
        {"coordinate", {joint->angle, 0, 0}}, {"force", joint->force}, {"torque", joint->torque}};
    const named_vector *wild = find_wild(vector, 3, 1);
    return wild ? refuse_vector(context, "joint", index, name, wild) : VS_OK;
}

// `from`: positions, velocities and forces of the nodes.
static vs_error check_node_numbers(vs_context *context, int index, const vs_flexible *f, const char *from) {
    static const char *const name[3] = {"position of a node", "velocity of a node", "force on a node"};
    const int nodes = solid_nodes(f);
    for (int k = 0; k < 3 * nodes; k++) {
        named_vector node = {.name = name[k / nodes]};
        (void)memcpy(&node.value, from + sizeof(vs_vec3) * (size_t)k, sizeof node.value);
        if (find_wild(&node, 1, k / nodes < 2))
            return refuse_vector(context, "flexible body", index, f->name, &node);
    }
    return VS_OK;
}

// After check_world(): the records are those of this world.
static vs_error check_numbers(const vs_world *world, const world_record *record, const char *from) {
    vs_context *context = world->context;
    const double *g = record->gravity;
    if (!(fabs(record->time) <= MOTION_MOST))
        return vs_fail(context, VS_ERROR_DATA, "is damaged: time is %g s", record->time);
    if (!is_within((vs_vec3){g[0], g[1], g[2]}, MOTION_MOST))
        return vs_fail(context, VS_ERROR_DATA, "is damaged: gravity is (%g, %g, %g)", g[0], g[1], g[2]);
    vs_error error = VS_OK;
    for (int i = 0; !error && i < world->bodies; i++, from += sizeof(body_record)) {
        body_record body;
        (void)memcpy(&body, from, sizeof body);
        if (body.alive)
            error = check_body_numbers(context, i, world->body[i].name, &body);
    }
    for (int j = 0; !error && j < world->joints; j++, from += sizeof(joint_record)) {
        joint_record joint;
        (void)memcpy(&joint, from, sizeof joint);
        if (joint.alive)
            error = check_joint_numbers(context, j, world->joint[j].name, &joint);
    }
    for (int k = 0; !error && k < world->flexibles; k++) {
        from += sizeof(flexible_record);
        error = check_node_numbers(context, k, &world->flexible[k], from);
        from += 3 * sizeof(vs_vec3) * (size_t)solid_nodes(&world->flexible[k]);
    }
    return error;
}

static void take_world(vs_world *world, const world_record *record, const char *from) {
    world->time = record->time;
    world->gravity = (vs_vec3){record->gravity[0], record->gravity[1], record->gravity[2]};
    for (int i = 0; i < world->bodies; i++, from += sizeof(body_record)) {
        vs_body *b = &world->body[i];
        body_record body;
        (void)memcpy(&body, from, sizeof body);
        b->pose = body.pose;
        b->velocity = body.velocity, b->spin = body.spin, b->held = body.held;
        b->force = body.force, b->torque = body.torque;
    }
    for (int j = 0; j < world->joints; j++, from += sizeof(joint_record)) {
        vs_joint *k = &world->joint[j];
        joint_record joint;
        (void)memcpy(&joint, from, sizeof joint);
        k->force = joint.force, k->torque = joint.torque;
        k->angle = joint.angle;
    }
    for (int k = 0; k < world->flexibles; k++) {
        const vs_flexible *f = &world->flexible[k];
        vs_vec3 *const array[3] = {f->position, f->velocity, f->force};
        size_t bytes = (size_t)solid_nodes(f) * sizeof(vs_vec3);
        from += sizeof(flexible_record);
        for (int i = 0; i < 3 && bytes > 0; i++, from += bytes)
            (void)memcpy(array[i], from, bytes);
    }
}

static void read_software(const char *image, size_t size, const head *h, char text[VS_SOFTWARE_TEXT]) {
    const char *from = image + HEAD_BYTES + h->world + h->simulation, *end = image + size - SUM_BYTES;
    vs_software_read(from, (size_t)(end - from), text);
}

static vs_error read_note(const char *image, size_t size, const head *h, vs_arena *arena, vs_simulation *simulation) {
    const char *from = image + HEAD_BYTES + h->world + h->simulation, *end = image + size - SUM_BYTES;
    const char *zero = memchr(from, '\0', (size_t)(end - from));
    if (!zero)
        return vs_simulation_set_note(simulation, NULL);
    const size_t length = (size_t)(end - zero - 1);
    char *text = VS_NEW(arena, char, (int64_t)length + 1);
    if (!text)
        return VS_ERROR_MEMORY;
    (void)memcpy(text, zero + 1, length);
    text[length] = '\0';
    return vs_simulation_set_note(simulation, text);
}

vs_error vs_checkpoint_read_info(vs_context *context, const char *path, vs_checkpoint_info *info) {
    if (!context || !path || !info)
        return vs_fail(context, VS_ERROR_ARGUMENT, "vs_checkpoint_read_info: an argument is null");
    *info = (vs_checkpoint_info){0};
    vs_arena arena;
    vs_arena_init(&arena, context);
    char *image = NULL;
    size_t size = 0;
    head h = {0};
    world_record record = {0};
    vs_error error = read_bytes(context, path, &arena, &image, &size);
    if (!error)
        error = check_image(context, image, size, &h, &record);
    if (!error) {
        info->time = record.time;
        info->bodies = record.bodies > 0 ? record.bodies - 1 : 0; // without the world's
        info->joints = record.joints;
        info->flexibles = record.flexibles;
        read_software(image, size, &h, info->software);
    }
    error = vs_file_blame(context, error, path);
    vs_arena_release(&arena);
    return error;
}

vs_error vs_checkpoint_read(const char *path, vs_world *world, vs_simulation *simulation) {
    if (!path || !world)
        return vs_fail(world ? world->context : NULL, VS_ERROR_ARGUMENT, "vs_checkpoint_read: an argument is null");
    vs_context *context = world->context;
    vs_arena arena;
    vs_arena_init(&arena, context);
    char *image = NULL;
    size_t size = 0;
    head h = {0};
    world_record record = {0};
    vs_error error = read_bytes(context, path, &arena, &image, &size);
    if (!error)
        error = check_image(context, image, size, &h, &record);
    if (error)
        goto cleanup;
    const char *bodies = image + HEAD_BYTES + sizeof record;
    error = check_world(world, &record, bodies);
    if (!error)
        error = check_numbers(world, &record, bodies);
    if (!error && simulation && h.simulation == 0)
        error = vs_fail(context, VS_ERROR_DATA, "was written without a simulation");
    // The simulation checks its own part; the world changes only after that.
    if (!error && simulation)
        error = vs_simulation_load(simulation, image + HEAD_BYTES + h.world, (size_t)h.simulation,
                                   h.version == FIRST_RELEASE ? VS_STATE_FIRST : VS_STATE_PRESENT);
    if (!error && simulation)
        error = read_note(image, size, &h, &arena, simulation);
    if (!error) {
        char software[VS_SOFTWARE_TEXT];
        take_world(world, &record, bodies);
        read_software(image, size, &h, software);
        vs_software_compare(context, path, software);
        compare_signals(world, path, software);
    }
cleanup:
    error = vs_file_blame(context, error, path);
    vs_arena_release(&arena);
    return error;
}
