# Static programs for Linux x86-64 with musl (Debian: musl-tools). They run on this machine and on any other Linux.
set(CMAKE_C_COMPILER musl-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF) # the system's libraries are glibc's
