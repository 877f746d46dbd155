# Language, warnings and sanitizers for every target.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ${WIN32}) # MinGW hides POSIX names from strict C
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The same bits in debug and release: no contraction to fused multiply-add.
add_compile_options(-ffp-contract=off)
add_compile_definitions(_POSIX_C_SOURCE=200809L)
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Wstrict-prototypes)
if(WIN32)
  # MinGW's isnan() and its kin are macros that convert; its printf() of C99 is not known to the compiler's check of formats.
  add_compile_definitions(__USE_MINGW_ANSI_STDIO=1 _FILE_OFFSET_BITS=64)
  add_compile_options(-Wno-conversion -Wno-format -Wno-format-extra-args)
endif()
if(VOUSSOIR_WERROR)
  add_compile_options(-Werror)
endif()
# Layers that turn bytes of files into numbers.
set(VOUSSOIR_READERS problem signal shape cad scene hdf5 output)
if(VOUSSOIR_SANITIZE)
  add_compile_options(-fsanitize=${VOUSSOIR_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # The address sanitizer watches every access to memory; the checks of undefined behaviour that look at each of them once
  # more take a third of the time of the build and of its tests. They stay in the layers that read files (Layer.cmake).
  if(VOUSSOIR_SANITIZE MATCHES "address.*undefined" AND VOUSSOIR_TESTS)
    add_compile_options(-fno-sanitize=null,alignment,object-size,pointer-overflow)
  endif()
  add_link_options(-fsanitize=${VOUSSOIR_SANITIZE})
endif()
