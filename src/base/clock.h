// Wall time, and the processor time of a thread.
#ifndef VS_BASE_CLOCK_H
#define VS_BASE_CLOCK_H

double vs_clock(void);        // s, monotonic, from an arbitrary origin
double vs_thread_clock(void); // s, processor time of this thread: waiting does not count

#endif
