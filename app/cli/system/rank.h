// Whether the command runs serially (serial.c) or as one rank of voussoir-mpi (distributed.c).
#ifndef VS_APP_CLI_RANK_H
#define VS_APP_CLI_RANK_H

#include <stdbool.h>

#include "voussoir/context.h"

bool app_is_distributed(void);         // this is voussoir-mpi
bool app_is_root(void);                // this process reports and writes: the only one, or rank 0
const char *app_invocation(void);      // the beginning of a command line, "mpirun -np N voussoir-mpi"
unsigned app_any_rank(unsigned flags); // bits that any rank has set; collective
// Ends all ranks if the others cannot know of this failure and would wait forever.
void app_abort_ranks(vs_error error);

#endif
