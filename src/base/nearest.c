// The name that a mistyped word probably meant.
#include "voussoir/context.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { WORD = 40 };

static int smaller(int a, int b) {
    return a < b ? a : b;
}

// The edit distance of Levenshtein, both words cut at WORD letters.
static int edits(const char *a, const char *b) {
    const size_t rows = strnlen(a, WORD), cols = strnlen(b, WORD);
    int before[WORD + 1], now[WORD + 1];
    for (size_t j = 0; j <= cols; j++)
        before[j] = (int)j;
    for (size_t i = 1; i <= rows; i++) {
        now[0] = (int)i;
        for (size_t j = 1; j <= cols; j++) {
            const int replaced = before[j - 1] + (a[i - 1] != b[j - 1]);
            now[j] = smaller(replaced, 1 + smaller(before[j], now[j - 1]));
        }
        memcpy(before, now, sizeof before);
    }
    return before[cols];
}

const char *vs_nearest_name(const char *word, const char *const *names) {
    const char *best = NULL;
    int least = WORD;
    for (; word && names && *names; names++) {
        // A prefix of a name means that name.
        const bool begins = strlen(word) > 2 && strncmp(word, *names, strlen(word)) == 0;
        const int distance = begins ? 0 : edits(word, *names);
        if (distance < least) {
            least = distance;
            best = *names;
        }
    }
    // With more than half of the letters wrong it is another word.
    return best && 2 * least <= (int)strlen(best) ? best : NULL;
}
