// Records in memory: what vs_record_read() does with the text of a file.
#ifndef VS_SIGNAL_RECORD_H
#define VS_SIGNAL_RECORD_H

#include <stddef.h>

#include "voussoir/signal.h"

// `name` appears in error texts, and its ending decides on the format. The text is followed by a zero byte.
vs_error vs_record_parse(vs_context *context, const char *name, const char *text, size_t length,
                         const vs_record_options *options, vs_record **record);

#endif
