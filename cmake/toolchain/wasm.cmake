# WebAssembly by Emscripten (Debian: emscripten). EMSCRIPTEN_ROOT: its folder, if it is elsewhere.
if(NOT EMSCRIPTEN_ROOT)
  set(EMSCRIPTEN_ROOT $ENV{EMSCRIPTEN_ROOT})
  if(NOT EMSCRIPTEN_ROOT)
    set(EMSCRIPTEN_ROOT /usr/share/emscripten)
  endif()
endif()
include(${EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake)
