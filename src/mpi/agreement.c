// An error of any rank is an error on all of them.
#include "mpi/team_data.h"

vs_error vs_team_agree(void *user, vs_error error) {
    const vs_team *team = user;
    return vs_exchange_agree(team->comm, team->context, error);
}
