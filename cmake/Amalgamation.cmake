# voussoir.c and voussoir.h in BUILD/amalgamation, and the library that unit tests link, made of them with the options that
# a user would choose.
if(VOUSSOIR_DYNAMICS OR VOUSSOIR_SUITESPARSE OR VOUSSOIR_HDF5)
  message(FATAL_ERROR "VOUSSOIR_AMALGAMATION is for builds without other libraries; use 'cmake --preset minimal'")
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(amalgamation ${PROJECT_BINARY_DIR}/amalgamation)
file(GLOB_RECURSE amalgamated CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.[ch] ${PROJECT_SOURCE_DIR}/include/*.h)
add_custom_command(OUTPUT ${amalgamation}/voussoir.c ${amalgamation}/voussoir.h
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/amalgamate.py ${PROJECT_BINARY_DIR} ${amalgamation}
  DEPENDS ${PROJECT_SOURCE_DIR}/tools/amalgamate.py ${amalgamated} ${PROJECT_BINARY_DIR}/include/voussoir/version.h VERBATIM)
target_sources(voussoir_inside PRIVATE ${amalgamation}/voussoir.c)
set_target_properties(voussoir_inside PROPERTIES COMPILE_OPTIONS "-O2;-Wall;-Wextra;-Werror" C_CLANG_TIDY "")
