// Values of options that are no list of voussoir/names.h.
#ifndef VS_APP_CLI_CHOICES_H
#define VS_APP_CLI_CHOICES_H

const char *app_method_name(int index); // of a vs_method; null beyond the last

#endif
