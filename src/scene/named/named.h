// The named scenes: one entry of a table each.
#ifndef VS_SCENE_NAMED_H
#define VS_SCENE_NAMED_H

#include "scene/named/builder.h"

typedef struct vs_named {
    vs_scene_info info;
    void (*build)(vs_builder *builder);
} vs_named;

// Ends of the lists have a null name.
extern const vs_named vs_named_single[], vs_named_masonry[], vs_named_arches[], vs_named_vaults[], vs_named_granular[],
    vs_named_mechanism[], vs_named_flexible[];

#define VS_NAMED(text, words, list, function)                                                                          \
    { {text, words, list, sizeof(list) / sizeof((list)[0])}, function }

#endif
