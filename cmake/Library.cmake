# libvoussoir: the layers together.
get_property(layers GLOBAL PROPERTY VOUSSOIR_LAYERS)
get_property(engines GLOBAL PROPERTY VOUSSOIR_ENGINES)
list(REMOVE_DUPLICATES engines)

add_library(voussoir)
add_library(voussoir::voussoir ALIAS voussoir)
foreach(layer IN LISTS layers)
  target_sources(voussoir PRIVATE $<TARGET_OBJECTS:${layer}>)
endforeach()
target_link_libraries(voussoir PRIVATE ${engines} Threads::Threads m)
target_include_directories(voussoir PUBLIC
  "$<BUILD_INTERFACE:${VOUSSOIR_INCLUDES}>" $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(voussoir PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${VOUSSOIR_SOVERSION})

# Libraries that were compiled with it stay its own: a program may load others of the same names (h5py brings an HDF5).
if(BUILD_SHARED_LIBS AND VOUSSOIR_BUNDLED AND CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
  target_link_options(voussoir PRIVATE LINKER:--exclude-libs,ALL)
endif()

# The archive beside the shared library, of the same objects: whoever links it finds the engines again.
option(VOUSSOIR_STATIC "the static library as well, where a shared one is built" ON)
if(BUILD_SHARED_LIBS AND VOUSSOIR_STATIC)
  add_library(voussoir_static STATIC)
  foreach(layer IN LISTS layers)
    target_sources(voussoir_static PRIVATE $<TARGET_OBJECTS:${layer}>)
  endforeach()
  target_link_libraries(voussoir_static PRIVATE ${engines} Threads::Threads m)
  target_include_directories(voussoir_static PUBLIC
    "$<BUILD_INTERFACE:${VOUSSOIR_INCLUDES}>" $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set_target_properties(voussoir_static PROPERTIES OUTPUT_NAME voussoir EXPORT_NAME static)
endif()

# What Python loads where no module was compiled for it (python/voussoir/_library.py): the library with the functions of the bindings.
option(VOUSSOIR_PYTHON "the library for Python without a compiled module" OFF)
if(VOUSSOIR_PYTHON)
  add_library(voussoir_python SHARED python/voussoir/_native.c)
  foreach(layer IN LISTS layers)
    target_sources(voussoir_python PRIVATE $<TARGET_OBJECTS:${layer}>)
  endforeach()
  target_compile_definitions(voussoir_python PRIVATE VS_PY_LIBRARY)
  target_compile_options(voussoir_python PRIVATE -Wno-missing-prototypes) # its prototypes are Python's
  target_include_directories(voussoir_python PRIVATE ${VOUSSOIR_INCLUDES})
  target_link_libraries(voussoir_python PRIVATE ${engines} Threads::Threads m)
  if(WIN32)
    set_target_properties(voussoir_python PROPERTIES PREFIX "")
    # Linked libraries that mark what they export would else hide all that is not marked.
    target_link_options(voussoir_python PRIVATE LINKER:--export-all-symbols)
  elseif(VOUSSOIR_BUNDLED AND CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
    target_link_options(voussoir_python PRIVATE LINKER:--exclude-libs,ALL)
  endif()
endif()

# What tests and benchmarks of the inside link: the same objects, hidden symbols visible, or the one C file.
add_library(voussoir_inside STATIC)
if(VOUSSOIR_AMALGAMATION)
  include(cmake/Amalgamation.cmake)
else()
  foreach(layer IN LISTS layers)
    target_sources(voussoir_inside PRIVATE $<TARGET_OBJECTS:${layer}>)
  endforeach()
endif()
target_link_libraries(voussoir_inside PUBLIC ${engines} Threads::Threads m)
target_include_directories(voussoir_inside PUBLIC ${PROJECT_SOURCE_DIR}/src ${VOUSSOIR_INCLUDES})
