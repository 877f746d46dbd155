// Text in CSV files: see csv.h.
#include "cli/csv.h"

#include <string.h>

void app_csv_text(FILE *file, const char *text) {
    if (!strpbrk(text, ",\"\n\r")) {
        (void)fputs(text, file);
        return;
    }
    (void)fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            (void)fputc('"', file);
        (void)fputc(*text, file);
    }
    (void)fputc('"', file);
}
