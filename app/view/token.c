// Random tokens, and their comparison in constant time.
#include "view/token.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "cli/system/system.h"

bool app_token_make(char token[APP_TOKEN + 1]) {
    static const char digits[] = "0123456789abcdef";
    unsigned char bytes[APP_TOKEN / 2];
    if (!app_system_random(bytes, sizeof bytes))
        return false;
    for (size_t k = 0; k < sizeof bytes; k++) {
        token[2 * k] = digits[bytes[k] >> 4];
        token[2 * k + 1] = digits[bytes[k] & 15];
    }
    token[APP_TOKEN] = '\0';
    return true;
}

bool app_token_begins(const char token[APP_TOKEN + 1], const char *text) {
    if (strnlen(text, APP_TOKEN) < APP_TOKEN)
        return false; // the length is no secret
    volatile unsigned char different = 0;
    for (int k = 0; k < APP_TOKEN; k++)
        different = (unsigned char)(different | (token[k] ^ text[k]));
    return different == 0;
}
