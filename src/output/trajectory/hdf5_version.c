// Version of HDF5: see software.h.
#include "output/software.h"

#include <hdf5.h>
#include <stdio.h>

bool vs_software_hdf5(char version[VS_SOFTWARE_VERSION]) {
    unsigned major = 0, minor = 0, release = 0;
    (void)H5get_libversion(&major, &minor, &release);
    (void)snprintf(version, VS_SOFTWARE_VERSION, "%u.%u.%u", major, minor, release);
    return true;
}
