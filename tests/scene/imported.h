// Robot descriptions from texts, and the warnings that their import gives.
#ifndef VS_TEST_IMPORTED_H
#define VS_TEST_IMPORTED_H

#include "scenes.h"

typedef struct fixture {
    memory m;
    vs_context *context;
    char log[4000]; // warnings, a line each
} fixture;

static inline void keep_log(void *user, vs_log_level level, const char *text) {
    fixture *f = user;
    const size_t used = strlen(f->log);
    if (level == VS_LOG_WARNING)
        (void)snprintf(f->log + used, sizeof f->log - used, "%s\n", text);
}

static inline int set_up(void **state) {
    fixture *f = calloc(1, sizeof *f);
    vs_context_def def = context_def_of(&f->m);
    def.log = keep_log;
    def.log_user = f;
    assert_int_equal(vs_context_create(&def, &f->context), VS_OK);
    *state = f;
    return 0;
}

static inline int tear_down(void **state) {
    fixture *f = *state;
    end_context(f->context, &f->m);
    free(f);
    return 0;
}

static inline vs_scene *need(fixture *f, const char *text) {
    vs_scene *scene = NULL;
    f->log[0] = 0;
    if (vs_scene_import_text(f->context, text, strlen(text), "r.xml", &scene) != VS_OK)
        fail_msg("%s", vs_context_get_error_text(f->context));
    return scene;
}

#endif
