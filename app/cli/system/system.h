// What differs between systems: implemented by system_posix.c and system_windows.c, of which a build has one. Other programs
// (process.h) belong to it as well.
#ifndef VS_APP_CLI_SYSTEM_H
#define VS_APP_CLI_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { APP_SYSTEM_PATH = 4096 }; // bytes of a path

// The function or object of this name in the command and the libraries it has loaded; null: none.
void *app_system_find_symbol(const char *name);
bool app_system_find_self(char path[APP_SYSTEM_PATH]); // the command
// The folder of the command itself, without a slash at the end; ".": unknown.
void app_system_own_folder(char folder[APP_SYSTEM_PATH]);
// Starts the command again in its place, with these variables set in its environment (null: not set). Returns if that fails.
typedef struct app_variable {
    const char *name, *value;
} app_variable;
void app_system_restart(char **argv, const app_variable *variable, int variables);
bool app_system_memory_is_limited(void); // by ulimit -v or -d
// Calls a handler for Ctrl-C; `batch`: also for the signals by which mpirun and batch systems end a process.
void app_system_catch(void (*handler)(int number), bool batch);
bool app_system_random(void *bytes, size_t size); // false: errno

// Numbers of the machine; 0: unknown.
typedef struct app_machine {
    long processors;
    double memory, available; // bytes
    double load;              // processes that want to run, over a minute
} app_machine;
app_machine app_system_machine(void);

// ---- files ------------------------------------------------------------------------------------------------------

bool app_system_is_slash(char c);              // between the names of a path
bool app_system_make_folder(const char *path); // false: errno
typedef enum app_entry { APP_ENTRY_OTHER, APP_ENTRY_FILE, APP_ENTRY_FOLDER } app_entry;
app_entry app_system_entry(const char *path); // links are others

int app_file_append(const char *path); // a descriptor to read and append, not inherited; the file may be new. -1: errno
bool app_file_sync(int file);
bool app_file_lock(int file);            // until it is closed; false: another process has the lock
int app_folder_lock(const char *folder); // waits for it; -1 where the file system has no locks
void app_folder_unlock(int lock);
// Messages go to the end of this file from now on; "": nowhere.
void app_system_redirect_errors(const char *path);

// ---- the browser of the desktop, and sockets of this machine for it ------------------------------------------------

// Shows a page in the browser without waiting for it, and removes the folder `scratch` once the page was read.
void app_system_browse(const char *page, const char *scratch, int listener);

// Sockets wait for nothing: where nothing can be done yet, errno is EAGAIN.
int app_socket_listen(int *port); // on 127.0.0.1; *port 0: any free one, which it then is. -1: errno
int app_socket_accept(int listener);
int64_t app_socket_receive(int socket, void *bytes, size_t size); // -1: errno
int64_t app_socket_send(int socket, const void *bytes, size_t size);
void app_socket_finish(int socket); // no more bytes will be sent
void app_socket_close(int socket);

typedef struct app_socket_event {
    int socket;
    bool send;  // waits until bytes can be sent; else until some have come
    bool ready; // set
} app_socket_event;
bool app_socket_wait(app_socket_event *event, int events, int milliseconds); // false: failed

// ---- processes ------------------------------------------------------------------------------------------------------

void app_system_name_process(const char *name); // shown by ps and top, which keep 15 characters
// Where the system has fork():
bool app_system_pipe(int ends[2]);           // not inherited by other programs
void app_system_end_with_parent(int parent); // this process; where the system supports it
void app_system_prefer_to_kill(void);        // this process, when memory runs out

#endif
