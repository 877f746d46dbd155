// voussoir compare.
#ifndef VS_APP_COMPARE_COMPARE_H
#define VS_APP_COMPARE_COMPARE_H

int app_compare_main(int argc, char **argv);

#endif
