// SHA-256 (FIPS 180-4), as `sha256sum` prints it.
#ifndef VS_APP_CLI_SHA256_H
#define VS_APP_CLI_SHA256_H

#include <stdbool.h>
#include <stddef.h>

enum { APP_SHA256 = 65 }; // 64 hexadecimal digits and a zero

void app_sha256(const void *bytes, size_t count, char text[APP_SHA256]);
// Of a file, and its size in bytes. false: it cannot be read.
bool app_sha256_file(const char *path, char text[APP_SHA256], long *size);

#endif
