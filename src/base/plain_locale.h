// Numbers in files have a decimal point in any locale of the program: reading happens in the "C" locale, of this thread and
// between these two calls only. One file per system implements it: see system.h.
#ifndef VS_BASE_PLAIN_LOCALE_H
#define VS_BASE_PLAIN_LOCALE_H

#include <stdbool.h>

typedef struct vs_plain_locale {
    void *plain, *before; // of the system
    int mode;             //
} vs_plain_locale;

// false: out of memory, and there is nothing to leave.
bool vs_plain_locale_enter(vs_plain_locale *l);
void vs_plain_locale_leave(const vs_plain_locale *l);

#endif
