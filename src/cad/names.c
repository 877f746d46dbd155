// Names of a file: made valid, and found again.
#include "base/hash.h"
#include "cad/cad_data.h"

#include <string.h>

// ---- texts -----------------------------------------------------------------------------------------

// Bytes of the UTF-8 character at text[0], 0 if it is none. Overlong forms, surrogates and numbers beyond Unicode are none.
static size_t character(const unsigned char *text, size_t length) {
    const unsigned char c = text[0];
    if (c < 0x80)
        return 1;
    const size_t size = c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    if (size == 0 || size > length)
        return 0;
    for (size_t k = 1; k < size; k++)
        if ((text[k] & 0xc0) != 0x80)
            return 0;
    const unsigned char second = text[1];
    const bool wrong = (c == 0xe0 && second < 0xa0) || (c == 0xed && second > 0x9f) || (c == 0xf0 && second < 0x90) ||
                       (c == 0xf4 && second > 0x8f);
    return wrong ? 0 : size;
}

void vs_name_clean(const char *text, size_t length, char *name, size_t most) {
    size_t used = 0;
    for (size_t k = 0; k < length;) {
        const size_t size = character((const unsigned char *)text + k, length - k);
        const bool plain = size > 1 || (size == 1 && (unsigned char)text[k] >= 32 && text[k] != 127);
        if (used + (plain ? size : 1) > most)
            break;
        if (plain)
            memcpy(name + used, text + k, size);
        else
            name[used] = '?';
        used += plain ? size : 1;
        k += size > 0 ? size : 1;
    }
    name[used] = '\0';
}

// ---- the table -------------------------------------------------------------------------------------

static int64_t place_of(const vs_name_table *names, const char *name) {
    const uint64_t hash = vs_hash_mix(vs_hash_bytes(VS_HASH_EMPTY, name, strlen(name)));
    int64_t at = (int64_t)(hash & (uint64_t)(names->slot.count - 1));
    while (names->slot.data[at] && strcmp(names->name.data[names->slot.data[at] - 1], name) != 0)
        at = (at + 1) & (names->slot.count - 1);
    return at;
}

// At least twice as many places as names, a power of two.
static vs_error grow(vs_context *context, vs_name_table *names) {
    const int64_t size = names->slot.count ? 2 * names->slot.count : 16;
    if (names->slot.count > 2 * names->name.count)
        return VS_OK;
    vs_error error = VS_RESERVE(context, &names->slot, size);
    if (error)
        return error;
    memset(names->slot.data, 0, (size_t)size * sizeof *names->slot.data);
    names->slot.count = size;
    for (int64_t k = 0; k < names->name.count; k++)
        names->slot.data[place_of(names, names->name.data[k])] = (int)k + 1;
    return VS_OK;
}

vs_error vs_name_table_add(vs_arena *arena, vs_name_table *names, const char *name, int *number, bool *added) {
    vs_error error = grow(arena->context, names);
    if (!error)
        error = VS_RESERVE(arena->context, &names->name, names->name.count + 1);
    if (error)
        return error;
    const int64_t at = place_of(names, name);
    *added = !names->slot.data[at];
    if (*added) {
        const char *copy = VS_COPY(arena, char, name, (int64_t)strlen(name) + 1);
        if (!copy)
            return VS_ERROR_MEMORY;
        names->name.data[names->name.count++] = copy;
        names->slot.data[at] = (int)names->name.count;
    }
    *number = names->slot.data[at] - 1;
    return VS_OK;
}

int vs_name_table_find(const vs_name_table *names, const char *name) {
    return names->slot.count > 0 ? names->slot.data[place_of(names, name)] - 1 : -1;
}

void vs_name_table_release(vs_context *context, vs_name_table *names) {
    VS_ARRAY_RELEASE(context, &names->name);
    VS_ARRAY_RELEASE(context, &names->slot);
}
