// Wall time, and the processor time of a thread.
#ifndef VS_BASE_CLOCK_H
#define VS_BASE_CLOCK_H

double vs_clock(void);        // s, monotonic, from an arbitrary origin
double vs_thread_clock(void); // s that this thread has computed: waiting and other processes do not count

#endif
