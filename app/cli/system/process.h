// Other programs that the command runs (gmsh, gnuplot, ffmpeg), and folders for their temporary files. They work on
// data of strangers: their arguments and file names are ours, and what they may do is limited.
#ifndef VS_APP_CLI_PROCESS_H
#define VS_APP_CLI_PROCESS_H

#include <math.h>
#include <stdbool.h>

enum { APP_PROCESS_PATH = 4096, APP_PROCESS_HOW = 96 };

typedef struct app_process {
    const char *const *argv; // ends with null
    const char *folder;      // where it runs; null: here
    const char *log;         // its output is appended to this file, 1 MiB of it; relative to `folder`; null: discarded
    double seconds;          // wall-clock time
    double memory;           // address space in bytes; 0: unlimited
    double file;             // size of a file in bytes; 0: unlimited
    bool home;               // settings and temporary files in `folder`, those of the user do not apply
} app_process;

typedef enum app_process_end {
    APP_ENDED, // with an exit code
    APP_ENDED_TIME,
    APP_ENDED_FILE, // wrote too large a file
    APP_ENDED_INTERRUPTED,
    APP_ENDED_CRASH, // or not started
} app_process_end;

// Whether there is such a program on PATH.
bool app_process_is_there(const char *program);
// Runs a program, without standard input and, where the system provides it, without network. Returns the exit code; 127: there
// is no such program; -1: it was killed or not started, `end` (may be null) tells why.
int app_process_run(const app_process *p, app_process_end *end);
// Where a program on PATH is, without the folder of the command. false: there is none.
bool app_process_find(const char *program, char path[APP_PROCESS_PATH]);
// Runs a program as it is, within the limits of this process and ending with it: its output replaces these files (null: where that
// of the command goes). Returns the exit code; -1: not started, or killed, `how` tells.
int app_process_call(const char *const *argv, const char *out, const char *err, char how[APP_PROCESS_HOW]);
// Address space in bytes that a program may have, for drawings of any ordinary size: 3/4 of the machine's memory, at least 4 GiB.
double app_process_memory(void);
// For a child before it becomes another program: no core dumps, limits of address space and file size in bytes (0: none).
void app_process_restrict(double memory, double file);

enum { APP_SCRATCH = 256 };
// Makes a new empty folder in TMPDIR that only the user can enter, and removes it with its contents. false: complained.
bool app_scratch_make(char folder[APP_SCRATCH]);
void app_scratch_remove(const char *folder);

#endif
