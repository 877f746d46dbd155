// The files of this process: one that it reads is never written.
//
// Nothing has to be remembered by a command. Reading the command line registers every file that it names: as an output
// if the table of options says `writes`, else as an input. Opening a scene (cli/scene.h) registers the files that it
// refers to, opening an output (cli/system/output.h) registers that. Whichever of two comes second is refused, so that an
// output is usually refused before anything is computed. tools/check_layers.py finds calls that bypass this.
#ifndef VS_APP_CLI_FILES_H
#define VS_APP_CLI_FILES_H

#include <stdbool.h>

// An input; false: an output would overwrite it, complained. Null is allowed.
bool app_reads(const char *path);
// The same of a word of the command line, which is no input any more if app_writes() is called with this very word.
bool app_reads_word(const char *word);
// An output; false: it would overwrite an input, complained. Null is allowed. To be called before the library or another
// program is given the name of a file to write.
bool app_writes(const char *path);
// Whether something was refused: then the user knows why.
bool app_files_refused(void);

#endif
