// Lists of names (voussoir/names.h), each in one place: those of the solver in base/names.c, those of worlds in body/names.c; of shapes in their classes.
#ifndef VS_BASE_NAMES_H
#define VS_BASE_NAMES_H

#include "voussoir/names.h"

// Defines vs_X_names() for the enumeration `type`, whose last value is `last`.
#define VS_NAMES(type, last, ...)                                                                                      \
    const char *const *type##_names(void) {                                                                            \
        static const char *const names[] = {__VA_ARGS__, NULL};                                                        \
        _Static_assert(sizeof names / sizeof *names == (last) + 2, "one name for each value");                         \
        return names;                                                                                                  \
    }

// The name of a value, `otherwise` if it has none.
const char *vs_name_in(const char *const *names, int value, const char *otherwise);

#endif
