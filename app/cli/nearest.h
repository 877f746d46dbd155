// The name that a mistyped word probably meant.
#ifndef VS_APP_CLI_NEAREST_H
#define VS_APP_CLI_NEAREST_H

// The candidate nearest to a word, null if none is near. `names` ends with null.
const char *app_nearest(const char *word, const char *const *names);

#endif
