# The table of pages inside of the command (app/cli/system/embedded.h): those of viewer/dist with -DVOUSSOIR_EMBED_VIEWER=ON, else
# none. The assembler copies the files; its directives are those of ELF.
set(pages "")
set(places "bool app_pages_unpack(char folder[PATH_MAX]) {\n    (void)folder;\n    return false;\n}\n")
if(VOUSSOIR_EMBED_VIEWER)
  set(dist ${PROJECT_SOURCE_DIR}/viewer/dist)
  if(NOT EXISTS ${dist}/standalone.html)
    message(FATAL_ERROR "VOUSSOIR_EMBED_VIEWER: the viewer is not built; run 'npm ci && npm run build' in viewer/")
  endif()
  if(NOT CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
    message(FATAL_ERROR "VOUSSOIR_EMBED_VIEWER is for ELF systems; install the viewer beside the command instead")
  endif()
  file(GLOB files RELATIVE ${dist} CONFIGURE_DEPENDS ${dist}/index.html ${dist}/standalone.html ${dist}/licenses.txt
    ${dist}/assets/*)
  list(SORT files)
  set(places "")
  target_sources(voussoir_command PRIVATE cli/system/embedded.c)
  set(k 0)
  foreach(file IN LISTS files)
    string(APPEND places "__asm__(\".section .rodata\\n.balign 16\\napp_page_${k}: .incbin \\\"${dist}/${file}\\\"\\n\"\n"
      "        \"app_page_end_${k}: .byte 0\\n.previous\");\n"
      "extern const unsigned char app_page_${k}[], app_page_end_${k}[];\n")
    string(APPEND pages "    {\"${file}\", app_page_${k}, app_page_end_${k}},\n")
    list(APPEND paths ${dist}/${file})
    math(EXPR k "${k} + 1")
  endforeach()
endif()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/pages.c @ONLY CONTENT
"// The pages of the viewer, written by CMake\n#include \"cli/system/embedded.h\"\n\n#include <stddef.h>\n\n@places@
const app_page app_pages[] = {\n@pages@    {NULL, NULL, NULL},\n};\n")
target_sources(voussoir_command PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/pages.c)
set_property(SOURCE ${CMAKE_CURRENT_BINARY_DIR}/pages.c PROPERTY OBJECT_DEPENDS "${paths}")
