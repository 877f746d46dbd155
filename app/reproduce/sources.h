// The entries of each source; each table ends with a null id.
#ifndef VS_APP_REPRODUCE_SOURCES_H
#define VS_APP_REPRODUCE_SOURCES_H

#include "reproduce/entry.h"

extern const app_repro_entry app_repro_mangoni_tasora[], app_repro_mazhar[], app_repro_fang[],
    app_repro_mangoni_thesis[], app_repro_enzenhofer[];

#endif
