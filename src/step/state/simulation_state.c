// The state of a world and its simulation as bytes: see simulation_state.h.
#include "step/state/simulation_state.h"

#include "body/servo/servo.h"
#include "step/state/parts.h"

#define MAGIC "VSCHECK\n"
enum { FORMAT = 4, ORDER = 0x01020304, HEAD_BYTES = 24, CHUNK_HEAD = 16, TAG = 4 };

static void visit_software(vs_archive *a, const vs_state *s) {
    char *text = s->software;
    vs_archive_begin_item(a, "the software that wrote it", -1, NULL);
    const int64_t length = vs_archive_length(a, vs_archive_saves(a) && text ? (int64_t)strlen(text) : 0, 1);
    if (vs_archive_checks(a) && length >= VS_STATE_TEXT)
        a->error = vs_fail(a->context, VS_ERROR_DATA, "is damaged: the text of its software is too long");
    vs_archive_bytes(a, a->mode == VS_ARCHIVE_CHECK ? NULL : text, (size_t)length);
    if (vs_archive_loads(a) && text)
        text[length] = '\0';
}

// Sensors, activations, gates and servos are of worlds that have some.
typedef enum owner { WORLD, ACTIVATIONS, SENSORS, GATES, SERVOS, SIMULATION } owner;

// A part of the state. Its version grows with each change of its fields: `visit` reads all versions from `oldest` on.
typedef struct part {
    const char *tag, *name;
    uint32_t version, oldest;
    owner owner;
    void (*visit)(vs_archive *a, const vs_state *s);
} part;

// In the order in which they are checked and loaded. The first field of the first part is the time.
static const part parts[] = {
    {"WRLD", "time, gravity, counts", 1, 1, WORLD, vs_visit_world},
    {"BODY", "bodies", 1, 1, WORLD, vs_visit_bodies},
    {"JOIN", "joints", 1, 1, WORLD, vs_visit_joints},
    {"CMND", "commands of joints", 1, 1, WORLD, vs_visit_commands},
    {"CTRL", "controls", 1, 1, WORLD, vs_visit_controls},
    {"ACTV", "activations", 1, 1, ACTIVATIONS, vs_visit_activations},
    {"SENS", "sensors", 1, 1, SENSORS, vs_visit_sensors},
    {"FLEX", "flexible bodies", 1, 1, WORLD, vs_visit_flexibles},
    {"GATE", "factories and sinks", 1, 1, GATES, vs_visit_gates},
    {"SRVO", "servos", 1, 1, SERVOS, vs_visit_servos},
    {"SIGN", "functions of time", 1, 1, WORLD, vs_visit_signals},
    {"SCHM", "scheme", 1, 1, SIMULATION, vs_visit_scheme},
    {"STEP", "counters", 1, 1, SIMULATION, vs_visit_counters},
    {"LEAD", "leads of shake", 1, 1, SIMULATION, vs_visit_leads},
    {"IMPU", "impulses", 1, 1, SIMULATION, vs_visit_impulses},
    {"FRIC", "remembered friction", 1, 1, SIMULATION, vs_visit_friction},
    {"BOND", "bonds", 1, 1, SIMULATION, vs_visit_bonds},
    {"FLOW", "sums of energy", 1, 1, SIMULATION, vs_visit_totals},
    {"EVNT", "events", 1, 1, SIMULATION, vs_visit_events},
    {"OUTC", "outcome", 1, 1, SIMULATION, vs_visit_outcome},
    {"NOTE", "note", 1, 1, SIMULATION, vs_visit_note},
    {"SOFT", "software", 1, 1, WORLD, visit_software},
};
enum { PARTS = sizeof parts / sizeof *parts };

// Bytes of a part within a state.
typedef struct chunk {
    uint32_t version;
    const char *fields; // null: it is not there
    size_t size;
} chunk;

static bool has_activations(const vs_world *world) {
    bool has = false;
    for (int k = 0; k < world->controls && !has; k++)
        has = world->control[k].def.activation != VS_ACTIVATION_NONE;
    return has;
}

static bool is_wanted(const part *p, const vs_state *s) {
    if (p->owner == ACTIVATIONS)
        return has_activations(s->world);
    if (p->owner == GATES)
        return s->world->gates > 0;
    if (p->owner == SERVOS)
        return vs_world_has_servos(s->world);
    return p->owner == SENSORS ? s->world->sensors > 0 : s->simulation || p->owner == WORLD;
}

// ---- saving ----------------------------------------------------------------------------------------

static void put(const vs_archive *a, size_t at, int bytes, uint64_t x) {
    if (at + (size_t)bytes <= a->end)
        vs_put_bytes((unsigned char *)a->to + at, bytes, x);
}

static void put_text(const vs_archive *a, size_t at, const char *text, size_t length) {
    if (at + length <= a->end)
        memcpy(a->to + at, text, length);
}

static void save_part(vs_archive *a, const part *p, const vs_state *s) {
    const size_t begin = a->at;
    a->at += CHUNK_HEAD, a->version = p->version;
    p->visit(a, s);
    put_text(a, begin, p->tag, TAG);
    put(a, begin + TAG, 4, p->version);
    put(a, begin + 8, 8, a->at - begin - CHUNK_HEAD);
}

void vs_state_save(const vs_state *s, void *buffer, size_t capacity, size_t *count) {
    vs_archive a = {.mode = VS_ARCHIVE_SAVE, .to = buffer, .end = buffer ? capacity : 0, .at = HEAD_BYTES};
    for (int k = 0; k < PARTS; k++)
        if (is_wanted(&parts[k], s))
            save_part(&a, &parts[k], s);
    put_text(&a, 0, MAGIC, 8);
    put(&a, 8, 4, FORMAT);
    put(&a, 12, 4, ORDER);
    put(&a, 16, 8, a.at - HEAD_BYTES);
    *count = a.at;
}

// ---- finding chunks --------------------------------------------------------------------------------

static uint64_t get(const char *from, int bytes) {
    return vs_get_bytes((const unsigned char *)from, bytes);
}

static vs_error check_head(vs_context *context, const char *bytes, size_t count) {
    if (count < HEAD_BYTES || memcmp(bytes, MAGIC, 8) != 0)
        return vs_fail(context, VS_ERROR_DATA, "is not a checkpoint");
    const uint64_t format = get(bytes + 8, 4);
    if (get(bytes + 12, 4) != ORDER)
        return vs_fail(context, VS_ERROR_UNSUPPORTED,
                       "was written on a machine with another byte order, by voussoir 0.2 or older");
    if (format == 2 || format == 3)
        return vs_fail(
            context, VS_ERROR_UNSUPPORTED,
            "is a checkpoint of voussoir 0.%d (format %d), which this version does not read (it reads format "
            "%d): continue the run with the version that wrote it, or start it again",
            (int)format - 1, (int)format, FORMAT);
    if (format != FORMAT)
        return vs_fail(context, VS_ERROR_UNSUPPORTED,
                       "has format %llu; this version reads format %d: continue the run with the version that wrote it",
                       (unsigned long long)format, FORMAT);
    if (get(bytes + 16, 8) != count - HEAD_BYTES)
        return vs_fail(context, VS_ERROR_DATA, "is truncated or damaged");
    return VS_OK;
}

static int find_part(const char *tag) {
    for (int k = 0; k < PARTS; k++)
        if (memcmp(parts[k].tag, tag, TAG) == 0)
            return k;
    return -1;
}

// Is this a chunk that this version reads?
static vs_error check_chunk(vs_context *context, const char *tag, uint32_t version, const chunk found[PARTS]) {
    char name[TAG + 1] = {0};
    for (int k = 0; k < TAG; k++)
        name[k] = tag[k];
    for (int k = 0; k < TAG; k++)
        if (name[k] < ' ' || name[k] > '~')
            name[k] = '?';
    const int k = find_part(tag);
    if (k < 0)
        return vs_fail(context, VS_ERROR_UNSUPPORTED,
                       "has the part %s (version %u), which this version does not know: it was written by a newer one",
                       name, (unsigned)version);
    if (version < parts[k].oldest || version > parts[k].version)
        return vs_fail(context, VS_ERROR_UNSUPPORTED,
                       "has version %u of the part %s (%s); this version reads %u to %u: continue the run with the "
                       "version that wrote it",
                       (unsigned)version, name, parts[k].name, (unsigned)parts[k].oldest, (unsigned)parts[k].version);
    if (found[k].fields)
        return vs_fail(context, VS_ERROR_DATA, "is damaged: it has the part %s (%s) twice", name, parts[k].name);
    return VS_OK;
}

static vs_error find_chunks(vs_context *context, const char *bytes, size_t count, chunk found[PARTS]) {
    vs_error error = check_head(context, bytes, count);
    for (size_t at = HEAD_BYTES; at < count && !error;) {
        const size_t rest = count - at;
        if (rest < CHUNK_HEAD || get(bytes + at + 8, 8) > rest - CHUNK_HEAD)
            return vs_fail(context, VS_ERROR_DATA, "is truncated or damaged");
        const chunk one = {(uint32_t)get(bytes + at + TAG, 4), bytes + at + CHUNK_HEAD, (size_t)get(bytes + at + 8, 8)};
        error = check_chunk(context, bytes + at, one.version, found);
        if (!error)
            found[find_part(bytes + at)] = one;
        at += CHUNK_HEAD + one.size;
    }
    return error;
}

// ---- loading ---------------------------------------------------------------------------------------

static vs_error visit(const vs_state *s, const part *p, const chunk *c, vs_archive_mode mode) {
    vs_archive a = {
        .context = s->world->context, .mode = mode, .from = c->fields, .end = c->size, .version = c->version};
    p->visit(&a, s);
    if (!a.error && a.at != a.end)
        a.error = vs_fail(a.context, VS_ERROR_DATA, "is damaged: the part %s (%s) has %zu bytes too many", p->tag,
                          p->name, a.end - a.at);
    return a.error;
}

static vs_error check_presence(vs_context *context, const vs_state *s, const chunk found[PARTS]) {
    bool simulation = false;
    for (int k = 0; k < PARTS; k++)
        simulation = simulation || (parts[k].owner == SIMULATION && found[k].fields);
    if (s->simulation && !simulation)
        return vs_fail(context, VS_ERROR_DATA, "was written without a simulation");
    for (int k = 0; k < PARTS; k++)
        if (!found[k].fields && is_wanted(&parts[k], s))
            return vs_fail(context, VS_ERROR_DATA, "is damaged: the part %s (%s) is missing", parts[k].tag,
                           parts[k].name);
    return VS_OK;
}

// Contacts, problem and result are those of no step that led to this state.
static void forget_step(vs_simulation *s) {
    s->contacts_unknown = true;
    s->gathered.count = 0;
    s->control.located.count = s->control.struck.count = 0;
}

vs_error vs_state_load(const vs_state *s, const void *bytes, size_t count) {
    vs_context *context = s->world->context;
    chunk found[PARTS] = {{0}};
    vs_error error = find_chunks(context, bytes, count, found);
    if (!error)
        error = check_presence(context, s, found);
    const vs_archive_mode modes[] = {VS_ARCHIVE_CHECK, VS_ARCHIVE_LOAD};
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < PARTS && !error; k++)
            if (is_wanted(&parts[k], s))
                error = visit(s, &parts[k], &found[k], modes[round]);
    if (!error && s->simulation)
        forget_step(s->simulation);
    return error;
}

// ---- information -----------------------------------------------------------------------------------

vs_error vs_state_read_info(vs_context *context, const void *bytes, size_t count, vs_state_info *info) {
    chunk found[PARTS] = {{0}};
    *info = (vs_state_info){0};
    vs_error error = find_chunks(context, bytes, count, found);
    const chunk *world = &found[find_part("WRLD")], *software = &found[find_part("SOFT")];
    if (!error && (!world->fields || !software->fields))
        error = vs_fail(context, VS_ERROR_DATA, "is damaged: the part WRLD or SOFT is missing");
    if (error)
        return error;
    vs_archive a = {.context = context, .mode = VS_ARCHIVE_CHECK, .from = world->fields, .end = world->size};
    vs_world_counts counts = {0};
    vs_visit_counts(&a, &counts);
    info->time = counts.time;
    info->bodies = counts.bodies, info->joints = counts.joints, info->flexibles = counts.flexibles;
    const vs_state text = {.software = info->software};
    for (int round = 0; round < 2 && !a.error; round++) {
        a = (vs_archive){.context = context,
                         .mode = round == 0 ? VS_ARCHIVE_CHECK : VS_ARCHIVE_LOAD,
                         .from = software->fields,
                         .end = software->size};
        visit_software(&a, &text);
    }
    return a.error;
}
