// voussoir statics and voussoir limit.
#ifndef VS_APP_STATICS_STATICS_H
#define VS_APP_STATICS_STATICS_H

int app_statics(int argc, char **argv);
int app_limit(int argc, char **argv);

#endif
