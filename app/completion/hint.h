// Descriptions of options, taken from the help texts.
#ifndef VS_APP_COMPLETION_HINT_H
#define VS_APP_COMPLETION_HINT_H

enum { APP_HINT = 72 };

// The description of an option in the help text, cut to a line without quotes; "" if there is none.
void app_option_hint(const char *help, const char *name, char hint[APP_HINT]);

#endif
