// Wall time and processor time.
#ifndef VS_APP_CLI_CLOCK_H
#define VS_APP_CLI_CLOCK_H

double app_now(void);            // s, monotonic, since an arbitrary origin
double app_processor_time(void); // s, of all threads of this process

#endif
