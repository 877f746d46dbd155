// Numbers in files have a decimal point in any locale of the program: reading happens in the "C" locale, of this thread and
// between these two calls only.
#ifndef VS_BASE_PLAIN_LOCALE_H
#define VS_BASE_PLAIN_LOCALE_H

#include <locale.h>
#include <stdbool.h>

typedef struct vs_plain_locale {
    locale_t plain, before;
} vs_plain_locale;

// false: out of memory, and there is nothing to leave.
static inline bool vs_plain_locale_enter(vs_plain_locale *l) {
    l->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    l->before = l->plain ? uselocale(l->plain) : (locale_t)0;
    return l->plain != (locale_t)0;
}

static inline void vs_plain_locale_leave(const vs_plain_locale *l) {
    (void)uselocale(l->before);
    freelocale(l->plain);
}

#endif
