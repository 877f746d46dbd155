// voussoir sweep.
#ifndef VS_APP_SWEEP_SWEEP_H
#define VS_APP_SWEEP_SWEEP_H

int app_sweep_main(int argc, char **argv);

#endif
