// Values of options: see choices.h.
#include "cli/choices.h"

#include "voussoir/voussoir.h"

const char *app_method_name(int index) {
    return vs_method_at(index).name;
}
