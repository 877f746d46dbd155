// The league of a collection (voussoir collect): league.html, a page that can be cited.
#ifndef VS_APP_COMPARE_LEAGUE_H
#define VS_APP_COMPARE_LEAGUE_H

#include <stdbool.h>

#include "compare/comparison.h"

// Family, difficulty and split of the files, by the collection.csv beside them; those that are not held out leave the list.
// false: complained.
bool app_league_read(app_comparison *c);
// false: complained.
bool app_league_write(const app_comparison *c);

#endif
