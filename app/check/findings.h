// What looks like a mistake in a scene: a list of sentences, one per kind of mistake.
#ifndef VS_APP_CHECK_FINDINGS_H
#define VS_APP_CHECK_FINDINGS_H

enum { APP_FINDINGS = 24, APP_FINDING_TEXT = 320 };

typedef struct app_finding {
    const char *kind; // "size", "support", …
    char text[APP_FINDING_TEXT];
} app_finding;

typedef struct app_findings {
    int count;
    app_finding finding[APP_FINDINGS];
} app_findings;

// Beyond the capacity, and of a kind that the list has, findings are dropped.
void app_finding_add(app_findings *f, const char *kind, const char *format, ...) __attribute__((format(printf, 3, 4)));
const app_finding *app_finding_find(const app_findings *f, const char *kind); // null: none

// "brick", or "brick and 11 more": the first of `count` bodies.
enum { APP_FINDING_NAMES = 96 };
void app_finding_names(const char *first, int count, char text[APP_FINDING_NAMES]);

#endif
