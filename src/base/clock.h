// Wall time.
#ifndef VS_BASE_CLOCK_H
#define VS_BASE_CLOCK_H

double vs_clock(void); // s, monotonic, from an arbitrary origin

#endif
