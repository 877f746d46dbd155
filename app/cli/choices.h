// Values of options that several commands have, in the order of the library's enums; each ends with null.
#ifndef VS_APP_CLI_CHOICES_H
#define VS_APP_CLI_CHOICES_H

extern const char *const app_models[];  // vs_model
extern const char *const app_methods[]; // vs_method

#endif
