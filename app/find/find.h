// voussoir find.
#ifndef VS_APP_FIND_FIND_H
#define VS_APP_FIND_FIND_H

int app_find(int argc, char **argv);

#endif
