// Wall time.
#ifndef VS_APP_CLI_CLOCK_H
#define VS_APP_CLI_CLOCK_H

double app_now(void); // s, monotonic, since an arbitrary origin

#endif
