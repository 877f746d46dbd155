// The list of findings.
#include "check/findings.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const app_finding *app_finding_find(const app_findings *f, const char *kind) {
    for (int k = 0; k < f->count; k++)
        if (strcmp(f->finding[k].kind, kind) == 0)
            return &f->finding[k];
    return NULL;
}

void app_finding_add(app_findings *f, const char *kind, const char *format, ...) {
    if (f->count == APP_FINDINGS || app_finding_find(f, kind))
        return;
    app_finding *to = &f->finding[f->count++];
    to->kind = kind;
    va_list list;
    va_start(list, format);
    (void)vsnprintf(to->text, sizeof to->text, format, list);
    va_end(list);
}

void app_finding_names(const char *first, int count, char text[APP_FINDING_NAMES]) {
    if (count > 1)
        (void)snprintf(text, APP_FINDING_NAMES, "%.64s and %d more", first, count - 1);
    else
        (void)snprintf(text, APP_FINDING_NAMES, "%.64s", first);
}
