// Descriptions of options for shells.
#ifndef VS_APP_COMPLETION_HINT_H
#define VS_APP_COMPLETION_HINT_H

enum { APP_HINT = 72 };

// The first clause of a help text, cut to a line without quotes.
void app_option_hint(const char *help, char hint[APP_HINT]);

#endif
