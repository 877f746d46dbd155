// Messages about failures: one line on standard error, "voussoir: …", which says what was wrong and what to do.
#ifndef VS_APP_CLI_MESSAGE_H
#define VS_APP_CLI_MESSAGE_H

#include <stddef.h>
#include <stdio.h>

#include "voussoir/context.h"

void app_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The message of a library call that failed on `path`, without the path, and the remedy: "is damaged; check …".
void app_explain(const char *path, vs_error error, const vs_context *context, char *text, size_t size);
// The same for a file that could not be written.
void app_explain_output(const char *path, vs_error error, const vs_context *context, char *text, size_t size);
#define APP_OUTPUT_REMEDY "check the folder, its permissions and the disk space"

#endif
