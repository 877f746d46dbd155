// MuJoCo: Newton's method on soft contacts, elliptic cones.
//
// mujoco: its default softness. mujoco-stiff: as hard as its manual allows at a given step (time constant 2 h,
// impedance up to 0.9999), friction 100 times harder than normals (impratio), which reduces creep.
#include "scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

typedef struct mujoco_state {
    mjModel *model;
    mjData *data;
    bool *guided;  // (bodies)
    vs_pose *rest; // (bodies) pose at qpos = 0 of guided ones
} mujoco_state;

static const char *version(void) {
    return mj_versionString();
}

// ---- the model, as its XML ---------------------------------------------------------------------------

static void write_pose(FILE *to, const vs_pose *p) {
    (void)fprintf(to, "pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"", p->position.x, p->position.y,
                  p->position.z, p->rotation.w, p->rotation.x, p->rotation.y, p->rotation.z);
}

static void write_body(FILE *to, const engine_body *b) {
    (void)fprintf(to, "<body ");
    write_pose(to, &b->state.pose);
    (void)fprintf(to, ">%s<inertial pos=\"0 0 0\" mass=\"%.17g\" diaginertia=\"%.17g %.17g %.17g\"/>",
                  b->guided ? "<joint type=\"slide\" axis=\"0 0 1\"/>" : "<freejoint/>", b->mass, b->inertia.x,
                  b->inertia.y, b->inertia.z);
    if (b->shape == ENGINE_SPHERE)
        (void)fprintf(to, "<geom type=\"sphere\" size=\"%.17g\"/></body>\n", b->radius);
    else
        (void)fprintf(to, "<geom type=\"box\" size=\"%.17g %.17g %.17g\"/></body>\n", b->half.x, b->half.y, b->half.z);
}

static void write_model(FILE *to, const engine_scene *scene, bool stiff) {
    (void)fprintf(to,
                  "<mujoco><compiler autolimits=\"true\" boundmass=\"0\" boundinertia=\"0\"/>\n"
                  "<size njmax=\"%d\" nconmax=\"%d\" nstack=\"%d\"/>\n"
                  "<option timestep=\"%.17g\" gravity=\"%.17g %.17g %.17g\" cone=\"elliptic\" impratio=\"%d\"/>\n",
                  48 * scene->bodies + 300, 16 * scene->bodies + 100, 20000000, scene->step, scene->gravity.x,
                  scene->gravity.y, scene->gravity.z, stiff ? 100 : 1);
    (void)fprintf(to, "<default><geom condim=\"3\" friction=\"%.17g 0 0\"", scene->mu);
    if (stiff)
        (void)fprintf(to, " solref=\"%.17g 1\" solimp=\".99 .9999 .0001\"", 2 * scene->step);
    (void)fprintf(to, "/></default>\n<worldbody>\n");
    for (int k = 0; k < scene->planes; k++) {
        (void)fprintf(to, "<geom type=\"plane\" size=\"0 0 1\" ");
        write_pose(to, &scene->plane[k]);
        (void)fprintf(to, "/>\n");
    }
    for (int k = 0; k < scene->bodies; k++)
        write_body(to, &scene->body[k]);
    (void)fprintf(to, "</worldbody></mujoco>\n");
}

static mjModel *load(const engine_scene *scene, bool stiff) {
    char *text = NULL, why[500] = "";
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    mjVFS *files = malloc(sizeof *files);
    mjModel *model = NULL;
    if (!to || !files)
        goto cleanup;
    write_model(to, scene, stiff);
    (void)fclose(to);
    to = NULL;
    mj_defaultVFS(files);
    if (mj_makeEmptyFileVFS(files, "scene.xml", (int)size) == 0) {
        memcpy(files->filedata[0], text, size);
        model = mj_loadXML("scene.xml", files, why, sizeof why);
    }
    mj_deleteVFS(files);
    if (!model)
        (void)fprintf(stderr, "MuJoCo: %s\n", why);
cleanup:
    if (to)
        (void)fclose(to);
    free(files);
    free(text);
    return model;
}

// ---- the engine --------------------------------------------------------------------------------------

static void destroy(void *state) {
    mujoco_state *s = state;
    if (!s)
        return;
    if (s->data)
        mj_deleteData(s->data);
    if (s->model)
        mj_deleteModel(s->model);
    free(s->guided);
    free(s->rest);
    free(s);
}

static vs_vec3 turn_back(vs_quat q, vs_vec3 v) {
    const double inverse[4] = {q.w, -q.x, -q.y, -q.z}, from[3] = {v.x, v.y, v.z};
    double to[3];
    mju_rotVecQuat(to, from, inverse);
    return (vs_vec3){to[0], to[1], to[2]};
}

// Angular velocities of free joints are in the body's axes.
static void set_velocity(mujoco_state *s, int k, const vs_body_state *at) {
    double *v = s->data->qvel + s->model->jnt_dofadr[k];
    if (s->guided[k]) {
        v[0] = at->velocity.z;
        return;
    }
    vs_vec3 spin = turn_back(at->pose.rotation, at->spin);
    const double from[6] = {at->velocity.x, at->velocity.y, at->velocity.z, spin.x, spin.y, spin.z};
    memcpy(v, from, sizeof from);
}

static void *create(const engine_scene *scene, const char *name) {
    mujoco_state *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->guided = calloc((size_t)scene->bodies, sizeof *s->guided);
    s->rest = calloc((size_t)scene->bodies, sizeof *s->rest);
    s->model = load(scene, strcmp(name, "mujoco-stiff") == 0);
    s->data = s->model ? mj_makeData(s->model) : NULL;
    if (!s->guided || !s->rest || !s->data) {
        destroy(s);
        return NULL;
    }
    for (int k = 0; k < scene->bodies; k++) {
        s->guided[k] = scene->body[k].guided;
        s->rest[k] = scene->body[k].state.pose;
        set_velocity(s, k, &scene->body[k].state);
    }
    return s;
}

static bool step(void *state) {
    mujoco_state *s = state;
    mj_step(s->model, s->data);
    // Its own guard puts everything back to the start when values explode.
    return s->data->warning[mjWARN_BADQPOS].number + s->data->warning[mjWARN_BADQVEL].number +
               s->data->warning[mjWARN_BADQACC].number + s->data->warning[mjWARN_CONTACTFULL].number +
               s->data->warning[mjWARN_CNSTRFULL].number ==
           0;
}

static void get(void *state, int k, vs_body_state *out) {
    mujoco_state *s = state;
    const double *x = s->data->qpos + s->model->jnt_qposadr[k], *v = s->data->qvel + s->model->jnt_dofadr[k];
    *out = (vs_body_state){.pose = s->rest[k]};
    if (s->guided[k]) {
        out->pose.position.z += x[0];
        out->velocity.z = v[0];
        return;
    }
    double spin[3];
    mju_rotVecQuat(spin, v + 3, x + 3);
    *out = (vs_body_state){.pose = {{x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}},
                           .velocity = {v[0], v[1], v[2]},
                           .spin = {spin[0], spin[1], spin[2]}};
}

const engine *engine_mujoco_get(int index) {
    static const engine engines[] = {
        {"mujoco", "Newton, elliptic cones", version, create, step, get, destroy},
        {"mujoco-stiff", "Newton, elliptic cones, solref 2h, solimp .99 .9999, impratio 100", version, create, step,
         get, destroy},
    };
    return index >= 0 && index < 2 ? &engines[index] : NULL;
}
