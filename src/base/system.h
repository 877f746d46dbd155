// What differs between systems: implemented by system_posix.c and system_windows.c, of which a build has one. Files and
// their locks (file.h) and output files (output_file.h) belong to it as well.
#ifndef VS_BASE_SYSTEM_H
#define VS_BASE_SYSTEM_H

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

// Starts a thread in which no handler of a signal runs: those belong on the user's threads. 0 or the errno.
int vs_system_start_thread(pthread_t *thread, void *(*run)(void *user), void *user);

// The function or object of this name in the program and the libraries it has loaded; null: none.
void *vs_system_find_symbol(const char *name);

// A stream whose first size - 1 bytes are put into `text`, with a zero at the end, when it is closed; null: failed.
FILE *vs_system_open_text(char *text, size_t size);
void vs_system_close_text(FILE *stream, char *text, size_t size);

#endif
