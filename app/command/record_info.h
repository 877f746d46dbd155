// What `voussoir info` tells about an accelerogram.
#ifndef VS_APP_COMMAND_RECORD_INFO_H
#define VS_APP_COMMAND_RECORD_INFO_H

#include <stdbool.h>

#include "cli/record.h"

// Prints a report, or JSON, on one line with `line`. The exit code.
int app_info_record(const char *path, const app_record_options *options, bool json, bool line);

#endif
