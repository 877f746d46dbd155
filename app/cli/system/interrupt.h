// Ctrl-C and SIGTERM: the first one requests an early end, the second one ends the process.
#ifndef VS_APP_CLI_INTERRUPT_H
#define VS_APP_CLI_INTERRUPT_H

#include <stdbool.h>

void app_catch_interrupts(void);
void app_interrupt(void); // as if Ctrl-C had been pressed
bool app_interrupted(void);
// While on, the first one ends the process, too: nothing is written yet, and what is under way looks at no request.
void app_interrupt_at_once(bool on);

#endif
