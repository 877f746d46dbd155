// A secret in an address: who does not know it cannot use the address.
#ifndef VS_APP_VIEW_TOKEN_H
#define VS_APP_VIEW_TOKEN_H

#include <stdbool.h>

enum { APP_TOKEN = 32 }; // hexadecimal digits: 128 bits, which nobody guesses

// From the random numbers of the system. false: there are none.
bool app_token_make(char token[APP_TOKEN + 1]);
// Whether `text` begins with the token. The time does not depend on how many characters agree.
bool app_token_begins(const char token[APP_TOKEN + 1], const char *text);

#endif
